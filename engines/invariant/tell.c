#include "engines/invariant/tell.h"

#include "engines/invariant/trim.h"
#include "engines/unroll.h"

/* Of proofs that cost more to trim than all together may, the lemmas are told, for others to use:
 * whole, their check would hold up everybody. */
enum { QUERY_TICKS = 200000, CHECK_TICKS = 5000000, TRIM_TICKS = 8000000 };

/* In a solver of its own: a hit during initialisation needs no init_ok. */
static bool never_initially(const struct engine_input *in, term_t init_hit) {
    struct solver_options options = engine_solver(in);
    struct solver *solver = solver_new(&options);
    struct unroll u;
    unroll_init(&u, in->sys, solver, UNROLL_FROM_INIT, NULL);
    struct slit hit = slit_true(solver_encode(solver, u.init, init_hit));
    bool never = solver_solve(solver, &hit, 1, QUERY_TICKS) == SOLVER_UNSAT;
    unroll_free(&u);
    solver_free(solver);
    return never;
}

static bool safe(const struct engine_input *in, struct unroll *u, uint32_t target) {
    const struct target *t = &in->sys->targets.data[target];
    struct slit hit = slit_true(unroll_term(u, 0, t->hit));
    if (solver_solve(u->solver, &hit, 1, QUERY_TICKS) != SOLVER_UNSAT)
        return false;
    if (!t->init_hit || term_is_false(in->sys->terms, t->init_hit))
        return true;
    return never_initially(in, t->init_hit);
}

/* Trimmed on the slice of the target: bounds outside it cannot matter, and it is smaller. */
static bool trimmed_on_slice(const struct engine_input *in, const struct invariant *inv,
                             uint32_t target, uint64_t *effort, struct fact *out) {
    struct slice slice;
    struct fact fact;
    slice_make(&slice, in->sys, &target, 1);
    fact_init(&fact, FACT_DEAD);
    fact.invariant.k = 1;
    vec_push(&fact.invariant.targets, 0);
    invariant_on_slice(&fact.invariant, inv, &slice, in->sys);
    bool good = invariant_trim(&slice.sys, &fact.invariant, in->options.seed, effort);
    if (good)
        fact_lift(out, &fact, &slice, in->sys);
    fact_free(&fact);
    slice_free(&slice);
    return good;
}

static bool report_dead(const struct engine_input *in, const struct invariant *inv, uint32_t target,
                        uint64_t *effort) {
    struct fact fact;
    fact_init(&fact, FACT_DEAD);
    if (!trimmed_on_slice(in, inv, target, effort, &fact)) {
        invariant_copy(&fact.invariant, inv);
        vec_push(&fact.invariant.targets, target);
        invariant_trim(in->sys, &fact.invariant, in->options.seed, effort);
    }
    fact.target = target;
    assert(fact.invariant.targets.len == 1 && fact.invariant.targets.data[0] == target);
    bool affordable = *effort > 0;
    if (affordable)
        engine_report(in, &fact);
    fact_free(&fact);
    return affordable;
}

bool tell_dead(const struct engine_input *in, const struct invariant *inv, bool *dead) {
    assert(inv->targets.len == 0);
    struct solver_options options = engine_solver(in);
    struct solver *solver = solver_new(&options);
    struct unroll u;
    bool all = true;
    uint64_t effort = TRIM_TICKS;
    unroll_init(&u, in->sys, solver, UNROLL_FROM_ANY, inv);
    unroll_to(&u, 0);
    for (size_t i = 0; i < in->n_targets; i++) {
        if (!dead[i] && effort > 0 && safe(in, &u, in->targets[i]))
            dead[i] = report_dead(in, inv, in->targets[i], &effort);
        all &= dead[i];
    }
    unroll_free(&u);
    solver_free(solver);
    return all;
}

void tell_lemma(const struct engine_input *in, const struct invariant *inv) {
    struct fact lemma = {.kind = FACT_LEMMA};
    enum solver_result check = invariant_check(in->sys, inv, CHECK_TICKS, NULL);
    assert(check != SOLVER_SAT);
    if (inv->clauses.len == 0 || check != SOLVER_UNSAT)
        return;
    invariant_copy(&lemma.invariant, inv);
    engine_report(in, &lemma);
    fact_free(&lemma);
}
