/* Trimming by support: the clauses in the core of safety are needed; a needed clause needs the
 * clauses in the core of its own consecution; and so on until nothing is added. */
#include "engines/trim.h"

#include "base/mem.h"
#include "engines/unroll.h"

struct support {
    const struct invariant *inv;
    struct solver *solver;
    struct unroll unroll;
    VEC(svar) active; /* a clause: true asserts it in all steps but the last */
    VEC(bool) needed;
    VEC(uint32_t) todo;
    VEC(struct slit) assume;
};

/* The literals that say that a clause is false in a step. false: the clause is always true there.
 */
static bool clause_negated(struct unroll *u, uint32_t step, const struct clause *c,
                           struct slits *out) {
    for (size_t i = 0; i < c->len; i++) {
        struct slit lit;
        bool truth;
        if (unroll_bound(u, step, bound_negate(c->data[i]), &lit, &truth))
            vec_push(out, lit);
        else if (!truth)
            return false;
    }
    return true;
}

static void support_open(struct support *s, const struct system *sys, const struct invariant *inv,
                         uint32_t steps, uint64_t seed) {
    *s = (struct support){.inv = inv};
    s->solver = solver_new(&(struct solver_options){.seed = seed});
    unroll_init(&s->unroll, sys, s->solver, UNROLL_FROM_ANY, NULL);
    unroll_to(&s->unroll, steps);
    for (size_t i = 0; i < inv->clauses.len; i++) {
        svar active = solver_new_bool(s->solver);
        struct slit off = slit_false(active);
        vec_push(&s->active, active);
        for (uint32_t j = 0; j < steps || j == 0; j++)
            unroll_clause(&s->unroll, j, inv->clauses.data[i].data, inv->clauses.data[i].len, &off,
                          1);
    }
    vec_resize_zero(&s->needed, inv->clauses.len);
}

static void support_close(struct support *s) {
    unroll_free(&s->unroll);
    solver_free(s->solver);
    vec_free(&s->active);
    vec_free(&s->needed);
    vec_free(&s->todo);
    vec_free(&s->assume);
}

static void support_mark(struct support *s, svar active) {
    for (size_t i = 0; i < s->active.len; i++)
        if (s->active.data[i] == active && !s->needed.data[i]) {
            s->needed.data[i] = true;
            vec_push(&s->todo, (uint32_t)i);
        }
}

/* Asks with the assumptions so far and all clauses active; marks the core. */
static bool support_ask(struct support *s, uint64_t ticks) {
    size_t own = s->assume.len;
    /* Needed clauses first: the core then prefers them. */
    for (int pass = 1; pass >= 0; pass--)
        for (size_t i = 0; i < s->active.len; i++)
            if (s->needed.data[i] == pass)
                vec_push(&s->assume, slit_true(s->active.data[i]));
    bool unsat = solver_solve(s->solver, s->assume.data, s->assume.len, ticks) == SOLVER_UNSAT;
    size_t n = 0;
    const struct slit *core = unsat ? solver_core(s->solver, &n) : NULL;
    for (size_t i = 0; i < n; i++)
        support_mark(s, core[i].var);
    vec_truncate(&s->assume, own);
    return unsat;
}

/* "No listed target is hit in the steps before", then one of them is hit in the last step. */
static void assume_prefix(struct unroll *u, const struct invariant *inv, struct slits *assume) {
    for (uint32_t j = 0; j + 1 < inv->k; j++)
        for (size_t t = 0; t < inv->targets.len; t++) {
            term_t hit = u->sys->targets.data[inv->targets.data[t]].hit;
            vec_push(assume, slit_false(unroll_term(u, j, hit)));
        }
}

static bool support_safety(struct support *s, const struct system *sys, uint64_t ticks) {
    for (size_t t = 0; t < s->inv->targets.len; t++) {
        term_t hit = sys->targets.data[s->inv->targets.data[t]].hit;
        struct slits assume = {0};
        assume_prefix(&s->unroll, s->inv, &assume);
        vec_push(&assume, slit_true(unroll_term(&s->unroll, s->inv->k - 1, hit)));
        vec_clear(&s->assume);
        vec_append(&s->assume, assume.data, assume.len);
        vec_free(&assume);
        if (!support_ask(s, ticks))
            return false;
    }
    return true;
}

static bool support_consecution(struct support *s, const struct clause *c, uint64_t ticks) {
    struct slits negated = {0};
    vec_clear(&s->assume);
    bool ok = true;
    if (clause_negated(&s->unroll, 1, c, &negated)) {
        vec_append(&s->assume, negated.data, negated.len);
        ok = support_ask(s, ticks);
    }
    vec_free(&negated);
    return ok;
}

enum { TRIM_TICKS = 20000000 };

/* Consecution is asked in an unrolling of one step, safety in one of k - 1 steps. */
static bool find_support(const struct system *sys, const struct invariant *inv, uint64_t seed,
                         struct support *induction) {
    struct support safety;
    support_open(&safety, sys, inv, inv->k - 1, seed);
    bool ok = support_safety(&safety, sys, TRIM_TICKS);
    support_open(induction, sys, inv, 1, seed);
    for (size_t i = 0; i < inv->clauses.len; i++)
        if (safety.needed.data[i])
            support_mark(induction, induction->active.data[i]);
    support_close(&safety);
    while (ok && induction->todo.len > 0) {
        uint32_t i = vec_pop(&induction->todo);
        ok = support_consecution(induction, &inv->clauses.data[i], TRIM_TICKS);
    }
    return ok;
}

void invariant_trim(const struct system *sys, struct invariant *inv, uint64_t seed) {
    struct support support;
    if (find_support(sys, inv, seed, &support)) {
        size_t kept = 0;
        for (size_t i = 0; i < inv->clauses.len; i++)
            if (support.needed.data[i])
                inv->clauses.data[kept++] = inv->clauses.data[i];
            else
                vec_free(&inv->clauses.data[i]);
        inv->clauses.len = kept;
    }
    support_close(&support);
}

/* ---- the independent check ---- */

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
        if (clause_negated(&u, 0, &inv->clauses.data[i], &negated))
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
        unroll_clause(&u, 0, inv->clauses.data[i].data, inv->clauses.data[i].len, NULL, 0);
    enum solver_result result = SOLVER_UNSAT;
    for (size_t i = 0; result == SOLVER_UNSAT && i < inv->clauses.len; i++) {
        struct slits negated = {0};
        if (clause_negated(&u, 1, &inv->clauses.data[i], &negated))
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
    unroll_init(&u, sys, solver, UNROLL_FROM_ANY, inv);
    unroll_to(&u, inv->k - 1);
    enum solver_result result = SOLVER_UNSAT;
    for (size_t t = 0; result == SOLVER_UNSAT && t < inv->targets.len; t++) {
        term_t hit = sys->targets.data[inv->targets.data[t]].hit;
        struct slits assume = {0};
        assume_prefix(&u, inv, &assume);
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
