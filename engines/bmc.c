/* bmc: bounded model checking, BMC_k of "ICP and IC3" II-B, incremental over k.
 *
 * One solver holds the unrolling from the initial states. For each depth every open target is asked
 * in turn under the assumption that it is hit in that step. A hit must not use values that C leaves
 * open: such an answer is asked again with all steps specified; if that fails the target is only
 * known to be "not within k" for specified runs, and no bound is reported for it from there on.
 */
#include "engines/bmc.h"

#include "base/mem.h"
#include "model/system/machine.h"

struct bmc {
    struct engine_input input;
    struct solver *solver;
    struct unroll unroll;
    VEC(bool) decided;
    VEC(bool) unsure; /* only an unspecified value reached it: no more bounds */
    size_t n_open;
    uint32_t depth;               /* step being asked */
    uint64_t effort, step_effort; /* ticks of unrolling: its own, and of one step */
    size_t next;                  /* target being asked in it */
    bool init_done;
};

static const struct target *bmc_target(const struct bmc *b, size_t i) {
    assert(i < b->input.n_targets && b->input.targets[i] < b->input.sys->targets.len);
    return &b->input.sys->targets.data[b->input.targets[i]];
}

/* Encoding a step is work too, also where it creates nothing for the solver to do. */
static uint64_t count_step_terms(const struct bmc *b) {
    const struct system *sys = b->input.sys;
    bool *mark = mem_zalloc(sys->terms->nodes.len, sizeof *mark);
    VEC(term_t) roots = {0};
    for (size_t i = 0; i < sys->cells.len; i++)
        vec_push(&roots, sys->cells.data[i].next);
    for (size_t i = 0; i < b->input.n_targets; i++)
        vec_push(&roots, bmc_target(b, i)->hit);
    vec_push(&roots, sys->step_ok);
    size_t count = term_mark(sys->terms, roots.data, roots.len, mark);
    vec_free(&roots);
    mem_free(mark);
    return count;
}

struct bmc *bmc_open(const struct engine_input *input) {
    assert(input->sys && input->report);
    struct bmc *b = mem_zalloc(1, sizeof *b);
    b->input = *input;
    struct solver_options options = engine_solver(input);
    b->solver = solver_new(&options);
    unroll_init(&b->unroll, input->sys, b->solver, UNROLL_FROM_INIT, input->lemmas);
    vec_resize_zero(&b->decided, input->n_targets);
    vec_resize_zero(&b->unsure, input->n_targets);
    b->n_open = input->n_targets;
    b->step_effort = count_step_terms(b);
    return b;
}

void bmc_close(struct bmc *b) {
    unroll_free(&b->unroll);
    solver_free(b->solver);
    vec_free(&b->decided);
    vec_free(&b->unsure);
    mem_free(b);
}

void bmc_drop(struct bmc *b, size_t target) {
    assert(target < b->decided.len && (b->n_open > 0 || b->decided.data[target]));
    b->n_open -= !b->decided.data[target];
    b->decided.data[target] = true;
}

bool bmc_is_open(const struct bmc *b, size_t target) {
    assert(target < b->decided.len);
    return !b->decided.data[target];
}

bool bmc_is_sure(const struct bmc *b, size_t target) {
    assert(target < b->unsure.len);
    return !b->unsure.data[target];
}

static void bmc_report_hit(struct bmc *b, size_t i, uint32_t n_steps) {
    assert(!b->decided.data[i] && n_steps <= b->unroll.steps.len);
    struct fact fact = {.kind = FACT_HIT, .target = b->input.targets[i]};
    unroll_trace(&b->unroll, n_steps, &fact.trace);
    if (trace_hits(b->input.sys, &fact.trace, fact.target)) {
        engine_report(&b->input, &fact);
        bmc_drop(b, i);
    } else {
        b->unsure.data[i] = true; /* an enclosure was too wide for the real function */
    }
    fact_free(&fact);
}

static void bmc_report_bound(struct bmc *b, size_t i, uint32_t depth) {
    assert(!b->decided.data[i] && depth <= b->depth + 1);
    struct fact fact = {.kind = FACT_BOUND, .target = b->input.targets[i], .depth = depth};
    if (!b->unsure.data[i])
        engine_report(&b->input, &fact);
    fact_free(&fact);
}

/* "No unspecified value up to this step", as assumptions. */
static void bmc_specified(struct bmc *b, uint32_t n_steps, struct slits *assume) {
    assert(b->unroll.init && n_steps <= b->unroll.steps.len);
    const struct system *sys = b->input.sys;
    svar v = solver_encode(b->solver, b->unroll.init, sys->init_unspecified);
    vec_push(assume, slit_false(v));
    for (uint32_t j = 0; j < n_steps; j++) {
        v = unroll_term(&b->unroll, j, sys->unspecified);
        vec_push(assume, slit_false(v));
    }
}

/* Asks whether the Boolean `hit` can be true in a run of n steps. */
static enum solver_result bmc_ask(struct bmc *b, size_t i, svar hit, uint32_t n_steps,
                                  uint64_t ticks) {
    struct slits assume = {0};
    vec_push(&assume, slit_true(hit));
    enum solver_result result = solver_solve(b->solver, assume.data, assume.len, ticks);
    if (result == SOLVER_SAT) {
        bmc_specified(b, n_steps, &assume);
        result = solver_solve(b->solver, assume.data, assume.len, ticks);
        if (result == SOLVER_SAT)
            bmc_report_hit(b, i, n_steps);
        else if (result == SOLVER_UNSAT)
            b->unsure.data[i] = true;
    } else if (result == SOLVER_UNSAT) {
        bmc_report_bound(b, i, n_steps);
    }
    vec_free(&assume);
    return result;
}

uint64_t bmc_ticks(const struct bmc *b) {
    return b->effort + solver_stats(b->solver)->ticks;
}

/* The first round: hits during initialisation. */
static enum engine_status bmc_init_round(struct bmc *b, uint64_t until) {
    for (; b->next < b->input.n_targets; b->next++) {
        term_t hit = bmc_target(b, b->next)->init_hit;
        if (b->decided.data[b->next] || !hit || term_is_false(b->input.sys->terms, hit))
            continue;
        if (bmc_ticks(b) >= until)
            return ENGINE_MORE;
        svar v = solver_encode(b->solver, b->unroll.init, hit);
        if (bmc_ask(b, b->next, v, 0, until - bmc_ticks(b)) == SOLVER_UNKNOWN)
            return ENGINE_MORE;
    }
    b->init_done = true;
    b->next = 0;
    return ENGINE_DONE;
}

static enum engine_status bmc_round(struct bmc *b, uint64_t until) {
    assert(b->init_done && b->next <= b->input.n_targets);
    if (b->depth >= b->unroll.steps.len) {
        b->effort += b->step_effort;
        WINDOW_ADD(b->input.window, stats.own_ticks, b->step_effort);
    }
    unroll_to(&b->unroll, b->depth);
    for (; b->next < b->input.n_targets; b->next++) {
        if (b->decided.data[b->next])
            continue;
        if (bmc_ticks(b) >= until)
            return ENGINE_MORE;
        svar v = unroll_term(&b->unroll, b->depth, bmc_target(b, b->next)->hit);
        if (bmc_ask(b, b->next, v, b->depth + 1, until - bmc_ticks(b)) == SOLVER_UNKNOWN)
            return ENGINE_MORE;
    }
    b->next = 0;
    b->depth++;
    WINDOW_ADD(b->input.window, stats.depths, 1);
    WINDOW_EVENT(b->input.window, "depth", "\"steps\":%u", b->depth);
    return ENGINE_DONE;
}

enum engine_status bmc_deepen(struct bmc *b, uint64_t ticks) {
    uint64_t until = bmc_ticks(b) + ticks;
    return b->init_done ? bmc_round(b, until) : bmc_init_round(b, until);
}

uint32_t bmc_depth(const struct bmc *b) {
    return b->init_done ? b->depth : 0;
}

uint64_t bmc_step_effort(const struct bmc *b) {
    return b->step_effort;
}

size_t bmc_count_open(const struct bmc *b) {
    return b->n_open;
}

static void *open_engine(const struct engine_input *input) {
    return bmc_open(input);
}

static void close_engine(void *state) {
    bmc_close(state);
}

static bool bmc_at_limit(const struct bmc *b) {
    return b->input.options.max_depth && bmc_depth(b) > b->input.options.max_depth;
}

static enum engine_status step_engine(void *state, uint64_t ticks) {
    struct bmc *b = state;
    uint64_t until = bmc_ticks(b) + ticks;
    while (bmc_ticks(b) < until) {
        if (b->n_open == 0)
            return ENGINE_DONE;
        if (bmc_at_limit(b))
            return ENGINE_GAVE_UP;
        if (bmc_deepen(b, until - bmc_ticks(b)) == ENGINE_MORE)
            return ENGINE_MORE;
    }
    return b->n_open == 0 ? ENGINE_DONE : ENGINE_MORE;
}

const struct engine engine_bmc = {
    .open = open_engine,
    .step = step_engine,
    .close = close_engine,
};
