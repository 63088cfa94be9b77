/* interpolation: interpolation model checking (McMillan, "Interpolation and SAT-based model
 * checking"), on proofs over bounds, as iSAT3's CI does.
 *
 * For one target and depth k let B be "from here the target is hit after k - 1 clean steps".
 *
 *     R(1)      an interpolant of the initial states and B
 *     R(i + 1)  an interpolant of R(i), together with the states one step behind it, and B
 *     until R(i + 1) implies R(i): then R(i) is inductive and excludes B
 *
 * R(i) being on its own left side keeps the sequence growing; so the fixpoint is one set of
 * clauses and not a disjunction of sets. When R(i) meets B the answer may be spurious: k is
 * increased, as it is when an interpolant has too many clauses. Real counterexamples are found by
 * the bounded search that is the base case: no hit within k steps. */
#include "base/mem.h"
#include "engines/bmc.h"
#include "engines/interpolation/query.h"
#include "engines/solver/proof.h"
#include "engines/invariant/trim.h"

enum { IMPLIES_TICKS = 500000, CHECK_TICKS = 200000, MAX_TOO_LARGE = 3 };

struct itp {
    struct engine_input input;
    struct bmc *base;
    uint32_t depth;         /* k */
    size_t next;            /* target being worked on */
    bool started;           /* `reached` is R(i), i >= 1 */
    struct clauses reached; /* for that target at that depth */
    bool asking;            /* `query` is open */
    struct itp_query query;
    uint64_t effort;         /* ticks of what is closed */
    VEC(uint32_t) too_large; /* a target: depths at which it was given up in a row */
};

static void *itp_open(const struct engine_input *input) {
    struct itp *t = mem_zalloc(1, sizeof *t);
    t->input = *input;
    t->base = bmc_open(input);
    t->depth = 1;
    vec_resize_zero(&t->too_large, input->n_targets);
    return t;
}

static void close_query(struct itp *t) {
    if (!t->asking)
        return;
    t->effort += solver_stats(t->query.solver)->ticks;
    itp_query_close(&t->query);
    t->asking = false;
}

static void forget_reached(struct itp *t) {
    close_query(t);
    clauses_free(&t->reached);
    t->started = false;
}

static void itp_close(void *state) {
    struct itp *t = state;
    forget_reached(t);
    bmc_close(t->base);
    vec_free(&t->too_large);
    mem_free(t);
}

static uint64_t itp_ticks(const struct itp *t) {
    uint64_t asking = t->asking ? solver_stats(t->query.solver)->ticks : 0;
    return bmc_ticks(t->base) + t->effort + asking;
}

static struct itp_problem current_problem(const struct itp *t) {
    return (struct itp_problem){.sys = t->input.sys,
                                .lemmas = t->input.lemmas,
                                .reached = t->started ? &t->reached : NULL,
                                .target = t->input.targets[t->next],
                                .depth = t->depth,
                                .seed = t->input.options.seed,
                                .total = window_solver(t->input.window)};
}

static bool is_workable(const struct itp *t, size_t i) {
    return bmc_is_open(t->base, i) && bmc_is_sure(t->base, i) &&
           t->too_large.data[i] < MAX_TOO_LARGE;
}

static bool some_workable(const struct itp *t) {
    for (size_t i = 0; i < t->input.n_targets; i++)
        if (is_workable(t, i))
            return true;
    return false;
}

/* This target is done with for this depth. */
static void next_target(struct itp *t) {
    forget_reached(t);
    if (++t->next < t->input.n_targets)
        return;
    t->next = 0;
    t->depth++;
}

static void report_dead(struct itp *t) {
    struct fact fact = {.kind = FACT_DEAD, .target = t->input.targets[t->next]};
    invariant_init(&fact.invariant);
    if (t->input.lemmas)
        invariant_copy(&fact.invariant, t->input.lemmas);
    for (size_t i = 0; i < t->reached.len; i++)
        invariant_add(&fact.invariant, t->reached.data[i].data, t->reached.data[i].len);
    fact.invariant.k = t->depth;
    vec_clear(&fact.invariant.targets);
    vec_push(&fact.invariant.targets, fact.target);
    invariant_trim(t->input.sys, &fact.invariant, t->input.options.seed, NULL);
    engine_report(&t->input, &fact);
    fact_free(&fact);
    bmc_drop(t->base, t->next);
}

/* R(i) and one step were shown not to meet B: takes the interpolant as R(i + 1). */
static void advance(struct itp *t) {
    struct itp_problem problem = current_problem(t);
    struct clauses image = {0};
    if (t->input.options.knobs.itp_check)
        check_proof(t->query.solver);
    bool fits = itp_query_read(&t->query, t->input.options.knobs.itp_clauses, &image);
    close_query(t);
    if (!fits) {
        t->too_large.data[t->next]++;
        next_target(t);
        return;
    }
    if (t->input.options.knobs.itp_check)
        itp_query_check(&problem, &image, CHECK_TICKS);
    WINDOW_ADD(t->input.window, stats.interpolants, 1);
    WINDOW_EVENT(t->input.window, "interpolant", "\"target\":%u,\"depth\":%u,\"clauses\":%zu",
                 t->input.targets[t->next], t->depth, image.len);
    t->too_large.data[t->next] = 0;
    if (t->started && itp_implies(&problem, &image, &t->reached, IMPLIES_TICKS) == SOLVER_UNSAT) {
        report_dead(t);
        clauses_free(&image);
        next_target(t);
        return;
    }
    clauses_free(&t->reached);
    t->reached = image;
    t->started = true;
}

/* One query. MORE: out of ticks. */
static enum engine_status itp_work(struct itp *t, uint64_t until) {
    if (!is_workable(t, t->next)) {
        next_target(t);
        return ENGINE_DONE;
    }
    if (!t->asking) {
        struct itp_problem problem = current_problem(t);
        itp_query_open(&t->query, &problem);
        t->asking = true;
        t->effort += (t->depth + 1) * bmc_step_effort(t->base);
        WINDOW_ADD(t->input.window, stats.own_ticks, (t->depth + 1) * bmc_step_effort(t->base));
    }
    if (itp_ticks(t) >= until)
        return ENGINE_MORE;
    enum solver_result result = itp_query_solve(&t->query, until - itp_ticks(t));
    if (result == SOLVER_UNKNOWN)
        return ENGINE_MORE;
    if (result == SOLVER_SAT)
        next_target(t);
    else
        advance(t);
    return ENGINE_DONE;
}

static enum engine_status itp_base(struct itp *t, uint64_t until) {
    while (bmc_depth(t->base) < t->depth)
        if (itp_ticks(t) >= until || bmc_deepen(t->base, until - itp_ticks(t)) == ENGINE_MORE)
            return ENGINE_MORE;
    return ENGINE_DONE;
}

static enum engine_status itp_step(void *state, uint64_t ticks) {
    struct itp *t = state;
    uint64_t until = itp_ticks(t) + ticks;
    while (itp_ticks(t) < until) {
        if (bmc_count_open(t->base) == 0)
            return ENGINE_DONE;
        if (!some_workable(t) ||
            (t->input.options.max_depth && t->depth > t->input.options.max_depth))
            return ENGINE_GAVE_UP;
        if (itp_base(t, until) == ENGINE_MORE || itp_work(t, until) == ENGINE_MORE)
            return ENGINE_MORE;
    }
    return bmc_count_open(t->base) == 0 ? ENGINE_DONE : ENGINE_MORE;
}

const struct engine engine_itp = {
    .open = itp_open,
    .step = itp_step,
    .close = itp_close,
};
