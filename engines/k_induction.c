/* k_induction: k-induction, "ICP and IC3" II-B: BMC_k and IND_k alternate, "not hit" is conjoined
 * to the prefix of both.
 *
 *     IND_k: not hit in steps 0..k-1 from any state that satisfies the lemmas, hit in step k
 *
 * A target is dead when IND_k is unsatisfiable and BMC is complete up to k. The proof has depth
 * k + 1: BMC shows that the first k + 1 steps do not hit the target, IND_k that a step behind k
 * steps without a hit has none either.
 */
#include "engines/bmc.h"

#include "base/mem.h"
#include "engines/invariant/trim.h"

struct kind {
    struct engine_input input;
    struct bmc *base;
    struct solver *solver;
    struct unroll unroll;
    uint32_t k;
    size_t next;
    bool base_done; /* for this k */
};

static void *kind_open(const struct engine_input *input) {
    struct kind *q = mem_zalloc(1, sizeof *q);
    q->input = *input;
    q->base = bmc_open(input);
    struct solver_options options = engine_solver(input);
    q->solver = solver_new(&options);
    unroll_init(&q->unroll, input->sys, q->solver, UNROLL_FROM_ANY, input->lemmas);
    return q;
}

static void kind_close(void *state) {
    struct kind *q = state;
    bmc_close(q->base);
    unroll_free(&q->unroll);
    solver_free(q->solver);
    mem_free(q);
}

static uint64_t kind_ticks(const struct kind *q) {
    return solver_stats(q->solver)->ticks + bmc_ticks(q->base);
}

static void kind_report_dead(struct kind *q, size_t i) {
    assert(q->base_done && bmc_depth(q->base) >= q->k + 1 && "k + 1 clean steps are proved");
    assert(bmc_is_open(q->base, i) && bmc_is_sure(q->base, i));
    struct fact fact = {.kind = FACT_DEAD, .target = q->input.targets[i]};
    invariant_init(&fact.invariant);
    if (q->input.lemmas)
        invariant_copy(&fact.invariant, q->input.lemmas);
    fact.invariant.k = q->k + 1;
    vec_clear(&fact.invariant.targets);
    vec_push(&fact.invariant.targets, fact.target);
    invariant_trim(q->input.sys, &fact.invariant, q->input.options.seed, NULL);
    engine_report(&q->input, &fact);
    fact_free(&fact);
    bmc_drop(q->base, i);
}

static enum solver_result kind_ask(struct kind *q, size_t i, uint64_t ticks) {
    term_t hit = q->input.sys->targets.data[q->input.targets[i]].hit;
    struct slits assume = {0};
    assert(q->k < q->unroll.steps.len);
    vec_push(&assume, slit_true(unroll_term(&q->unroll, q->k, hit)));
    for (uint32_t j = q->k; j-- > 0;)
        vec_push(&assume, slit_false(unroll_term(&q->unroll, j, hit)));
    enum solver_result result = solver_solve(q->solver, assume.data, assume.len, ticks);
    vec_free(&assume);
    return result;
}

/* IND_k for every open target. */
static enum engine_status kind_induct(struct kind *q, uint64_t until) {
    assert(q->base_done && q->next <= q->input.n_targets);
    unroll_to(&q->unroll, q->k);
    for (; q->next < q->input.n_targets; q->next++) {
        if (!bmc_is_open(q->base, q->next) || !bmc_is_sure(q->base, q->next))
            continue;
        if (kind_ticks(q) >= until)
            return ENGINE_MORE;
        enum solver_result result = kind_ask(q, q->next, until - kind_ticks(q));
        if (result == SOLVER_UNKNOWN)
            return ENGINE_MORE;
        if (result == SOLVER_UNSAT)
            kind_report_dead(q, q->next);
    }
    q->next = 0;
    WINDOW_ADD(q->input.window, stats.inductions, 1);
    WINDOW_EVENT(q->input.window, "induction", "\"depth\":%u", q->k + 1);
    return ENGINE_DONE;
}

/* The base case of k: initialisation and steps 0 .. k. */
static enum engine_status kind_base(struct kind *q, uint64_t until) {
    assert(!q->base_done);
    while (bmc_depth(q->base) < q->k + 1)
        if (kind_ticks(q) >= until || bmc_deepen(q->base, until - kind_ticks(q)) == ENGINE_MORE)
            return ENGINE_MORE;
    q->base_done = true;
    return ENGINE_DONE;
}

static bool kind_some_sure(const struct kind *q) {
    for (size_t i = 0; i < q->input.n_targets; i++)
        if (bmc_is_open(q->base, i) && bmc_is_sure(q->base, i))
            return true;
    return false;
}

static enum engine_status kind_step(void *state, uint64_t ticks) {
    struct kind *q = state;
    uint64_t until = kind_ticks(q) + ticks;
    while (kind_ticks(q) < until) {
        if (bmc_count_open(q->base) == 0)
            return ENGINE_DONE;
        if (!kind_some_sure(q) || (q->input.options.max_depth && q->k > q->input.options.max_depth))
            return ENGINE_GAVE_UP;
        if (!q->base_done && kind_base(q, until) == ENGINE_MORE)
            return ENGINE_MORE;
        if (kind_induct(q, until) == ENGINE_MORE)
            return ENGINE_MORE;
        q->k++;
        q->base_done = false;
    }
    return bmc_count_open(q->base) == 0 ? ENGINE_DONE : ENGINE_MORE;
}

const struct engine engine_kind = {
    .open = kind_open,
    .step = kind_step,
    .close = kind_close,
};
