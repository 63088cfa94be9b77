/* The independent check of an invariant: each obligation in a solver of its own. */
#include "engines/invariant/trim.h"

#include "engines/unroll.h"

static enum solver_result ask_one(struct solver *solver, const struct slit *lits, size_t n,
                                  uint64_t ticks) {
    return solver_solve(solver, lits, n, ticks);
}

static enum solver_result check_initiation(const struct system *sys, const struct invariant *inv,
                                           uint64_t ticks) {
    struct solver *solver = solver_new(&(struct solver_options){.seed = 1});
    struct unroll u;
    unroll_init(&u, sys, solver, UNROLL_FROM_INIT, NULL);
    unroll_to(&u, 0);
    enum solver_result result = SOLVER_UNSAT;
    for (size_t i = 0; result == SOLVER_UNSAT && i < inv->clauses.len; i++) {
        struct slits negated = {0};
        if (unroll_negated(&u, 0, &inv->clauses.data[i], &negated))
            result = ask_one(solver, negated.data, negated.len, ticks);
        vec_free(&negated);
    }
    unroll_free(&u);
    solver_free(solver);
    return result;
}

static enum solver_result check_consecution(const struct system *sys, const struct invariant *inv,
                                            uint64_t ticks) {
    struct solver *solver = solver_new(&(struct solver_options){.seed = 2});
    struct unroll u;
    unroll_init(&u, sys, solver, UNROLL_FROM_ANY, NULL);
    unroll_to(&u, 1);
    for (size_t i = 0; i < inv->clauses.len; i++)
        unroll_exact_clause(&u, 0, &inv->clauses.data[i], NULL, 0);
    enum solver_result result = SOLVER_UNSAT;
    for (size_t i = 0; result == SOLVER_UNSAT && i < inv->clauses.len; i++) {
        struct slits negated = {0};
        if (unroll_negated(&u, 1, &inv->clauses.data[i], &negated))
            result = ask_one(solver, negated.data, negated.len, ticks);
        vec_free(&negated);
    }
    unroll_free(&u);
    solver_free(solver);
    return result;
}

static enum solver_result check_safety(const struct system *sys, const struct invariant *inv,
                                       uint64_t ticks) {
    struct solver *solver = solver_new(&(struct solver_options){.seed = 3});
    struct unroll u;
    unroll_init(&u, sys, solver, UNROLL_FROM_ANY, NULL);
    unroll_to(&u, inv->k - 1);
    for (uint32_t j = 0; j < inv->k; j++)
        for (size_t i = 0; i < inv->clauses.len; i++)
            unroll_exact_clause(&u, j, &inv->clauses.data[i], NULL, 0);
    enum solver_result result = SOLVER_UNSAT;
    assert(u.steps.len == inv->k);
    for (size_t t = 0; result == SOLVER_UNSAT && t < inv->targets.len; t++) {
        assert(inv->targets.data[t] < sys->targets.len);
        term_t hit = sys->targets.data[inv->targets.data[t]].hit;
        struct slits assume = {0};
        unroll_clean_prefix(&u, inv, &assume);
        vec_push(&assume, slit_true(unroll_term(&u, inv->k - 1, hit)));
        result = ask_one(solver, assume.data, assume.len, ticks);
        vec_free(&assume);
    }
    unroll_free(&u);
    solver_free(solver);
    return result;
}

/* The base case: no listed target during initialisation and in the first k - 1 steps. (For k = 1
 * safety in any invariant state covers the first step.) */
static enum solver_result check_base(const struct system *sys, const struct invariant *inv,
                                     uint64_t ticks) {
    struct solver *solver = solver_new(&(struct solver_options){.seed = 4});
    struct unroll u;
    unroll_init(&u, sys, solver, UNROLL_FROM_INIT, NULL);
    enum solver_result result = SOLVER_UNSAT;
    for (size_t t = 0; result == SOLVER_UNSAT && t < inv->targets.len; t++) {
        const struct target *target = &sys->targets.data[inv->targets.data[t]];
        if (target->init_hit) {
            struct slit lit = slit_true(solver_encode(solver, u.init, target->init_hit));
            result = ask_one(solver, &lit, 1, ticks);
        }
    }
    for (uint32_t j = 0; j + 1 < inv->k; j++) {
        unroll_to(&u, j);
        for (size_t t = 0; result == SOLVER_UNSAT && t < inv->targets.len; t++) {
            term_t hit = sys->targets.data[inv->targets.data[t]].hit;
            struct slit lit = slit_true(unroll_term(&u, j, hit));
            result = ask_one(solver, &lit, 1, ticks);
        }
    }
    unroll_free(&u);
    solver_free(solver);
    return result;
}

enum solver_result invariant_check(const struct system *sys, const struct invariant *inv,
                                   uint64_t ticks, struct str *what) {
    static const struct {
        const char *name;
        enum solver_result (*check)(const struct system *, const struct invariant *, uint64_t);
    } obligations[] = {{"initiation", check_initiation},
                       {"consecution", check_consecution},
                       {"safety", check_safety},
                       {"base case", check_base}};
    assert(inv->k >= 1);
    for (size_t i = 0; i < sizeof obligations / sizeof *obligations; i++) {
        enum solver_result result = obligations[i].check(sys, inv, ticks);
        if (result == SOLVER_UNSAT)
            continue;
        if (what)
            str_add(what, obligations[i].name);
        return result;
    }
    return SOLVER_UNSAT;
}
