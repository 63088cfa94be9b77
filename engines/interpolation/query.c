/* Interpolation problems: see query.h. */
#include "engines/interpolation/query.h"

#include "base/bug.h"
#include "engines/interpolation/interpolant.h"

/* ---- the two sides ---- */

/* `go` 0: without condition */
static void assert_clauses(struct unroll *u, uint32_t step, const struct clauses *clauses,
                           svar go) {
    for (size_t i = 0; i < clauses->len; i++)
        unroll_clause(u, step, clauses->data[i].data, clauses->data[i].len,
                      (struct slit[]){slit_false(go)}, go != 0);
}

static void open_shared(struct itp_query *q, const struct invariant *lemmas) {
    const struct itp_problem *p = &q->problem;
    solver_set_partition(q->solver, PARTITION_B);
    unroll_init(&q->b, p->sys, q->solver, UNROLL_FROM_ANY, NULL);
    unroll_to(&q->b, 0);
    for (uint32_t i = 0; i < p->sys->cells.len; i++) {
        svar v = unroll_cell(&q->b, 0, i);
        solver_share(q->solver, v, PARTITION_A);
        map_put(&q->shared, v, 2 * i);
        if (solver_nan(q->solver, v))
            map_put(&q->shared, solver_nan(q->solver, v), 2 * i + 1);
    }
    if (lemmas)
        assert_clauses(&q->b, 0, &lemmas->clauses, 0);
    q->b.lemmas = lemmas; /* for the steps to come */
}

static void assert_b(struct itp_query *q) {
    term_t hit = q->problem.sys->targets.data[q->problem.target].hit;
    solver_set_partition(q->solver, PARTITION_B);
    q->go_b = solver_new_bool(q->solver);
    unroll_to(&q->b, q->problem.depth - 1);
    for (uint32_t j = 0; j < q->problem.depth; j++) {
        svar v = unroll_term(&q->b, j, hit);
        struct slit l = slit_false(v);
        if (j + 1 < q->problem.depth)
            solver_add_clause(q->solver, &l, 1);
        else
            solver_add_clause(q->solver, (struct slit[]){slit_false(q->go_b), slit_true(v)}, 2);
    }
}

static void assert_initial(struct itp_query *q) {
    unroll_init(&q->a, q->problem.sys, q->solver, UNROLL_FROM_INIT, NULL);
    unroll_to(&q->a, 0);
    for (uint32_t i = 0; i < q->problem.sys->cells.len; i++) {
        svar z = unroll_cell(&q->b, 0, i);
        svar any =
            solver_new_var(q->solver, solver_sort(q->solver, z), solver_is_signed(q->solver, z));
        solver_add_choice(q->solver, z, q->go_a, unroll_cell(&q->a, 0, i), any);
    }
}

static void assert_reached(struct itp_query *q) {
    const struct itp_problem *p = &q->problem;
    unroll_init(&q->a, p->sys, q->solver, UNROLL_UNCHECKED, NULL);
    unroll_to(&q->a, 1);
    assert_clauses(&q->a, 0, p->reached, q->go_a);
    if (p->lemmas)
        assert_clauses(&q->a, 0, &p->lemmas->clauses, 0);
    svar moved = solver_new_bool(q->solver), ok = unroll_term(&q->a, 0, p->sys->step_ok);
    solver_add_clause(q->solver, (struct slit[]){slit_false(moved), slit_true(ok)}, 2);
    for (uint32_t i = 0; i < p->sys->cells.len; i++)
        solver_add_choice(q->solver, unroll_cell(&q->b, 0, i), moved, unroll_cell(&q->a, 1, i),
                          unroll_cell(&q->a, 0, i));
}

static void assert_a(struct itp_query *q) {
    solver_set_partition(q->solver, PARTITION_A);
    q->go_a = solver_new_bool(q->solver);
    if (q->problem.reached)
        assert_reached(q);
    else
        assert_initial(q);
}

void itp_query_open(struct itp_query *q, const struct itp_problem *problem) {
    assert(problem->depth >= 1);
    *q = (struct itp_query){.problem = *problem};
    q->solver = solver_new(&(struct solver_options){
        .seed = problem->seed, .total = problem->total, .log_proof = true});
    open_shared(q, problem->lemmas);
    assert_b(q);
    assert_a(q);
}

void itp_query_close(struct itp_query *q) {
    unroll_free(&q->a);
    unroll_free(&q->b);
    map_free(&q->shared);
    solver_free(q->solver);
    q->solver = NULL;
}

enum solver_result itp_query_solve(struct itp_query *q, uint64_t ticks) {
    struct slit go[] = {slit_true(q->go_b), slit_true(q->go_a)};
    return solver_solve(q->solver, go, 2, ticks);
}

/* ---- from solver variables to cells ---- */

static struct bound bound_of(const struct itp_query *q, struct slit l) {
    const uint32_t *at = map_get(&q->shared, l.var);
    if (!at)
        bug("variable %u of an interpolant is not shared", l.var);
    if (*at & 1)
        return (struct bound){*at / 2, l.ge ? BOUND_NAN : BOUND_NOT_NAN, 0};
    return (struct bound){*at / 2, l.ge ? BOUND_GE : BOUND_LE, l.ordinal};
}

bool itp_query_read(const struct itp_query *q, size_t max_clauses, struct clauses *out) {
    struct cnf cnf = {0};
    bool fits = interpolant_read(q->solver, max_clauses, &cnf);
    for (size_t i = 0; fits && i < cnf.clauses.len; i++) {
        struct clause clause = {0};
        for (size_t k = 0; k < cnf.clauses.data[i].len; k++)
            vec_push(&clause, bound_of(q, cnf.clauses.data[i].data[k]));
        vec_push(out, clause);
    }
    cnf_free(&cnf);
    return fits;
}

void clauses_free(struct clauses *clauses) {
    for (size_t i = 0; i < clauses->len; i++)
        vec_free(&clauses->data[i]);
    vec_free(clauses);
}

/* ---- checks ---- */

/* Is there a state in which the clause does not hold? */
static enum solver_result ask_negated(struct unroll *u, const struct clause *c, uint64_t ticks) {
    struct slits lits = {0};
    bool open = true;
    for (size_t i = 0; i < c->len && open; i++) {
        struct slit l;
        bool truth = true;
        if (unroll_bound(u, 0, bound_negate(c->data[i]), &l, &truth))
            vec_push(&lits, l);
        else
            open = truth;
    }
    enum solver_result result =
        open ? solver_solve(u->solver, lits.data, lits.len, ticks) : SOLVER_UNSAT;
    vec_free(&lits);
    return result;
}

static enum solver_result ask_each(struct unroll *u, const struct clauses *clauses,
                                   uint64_t ticks) {
    enum solver_result result = SOLVER_UNSAT;
    for (size_t i = 0; i < clauses->len && result == SOLVER_UNSAT; i++)
        result = ask_negated(u, &clauses->data[i], ticks);
    return result;
}

static void check_against_a(const struct itp_problem *p, const struct clauses *clauses,
                            uint64_t ticks) {
    struct itp_query q = {.problem = *p};
    q.solver = solver_new(&(struct solver_options){.seed = p->seed + 1});
    open_shared(&q, NULL);
    assert_a(&q);
    solver_add_clause(q.solver, (struct slit[]){slit_true(q.go_a)}, 1);
    if (ask_each(&q.b, clauses, ticks) == SOLVER_SAT)
        bug("an interpolant leaves out what it should contain");
    itp_query_close(&q);
}

static void check_against_b(const struct itp_problem *p, const struct clauses *clauses,
                            uint64_t ticks) {
    struct itp_query q = {.problem = *p};
    q.solver = solver_new(&(struct solver_options){.seed = p->seed + 1});
    open_shared(&q, p->lemmas);
    assert_b(&q);
    solver_add_clause(q.solver, (struct slit[]){slit_true(q.go_b)}, 1);
    assert_clauses(&q.b, 0, clauses, 0);
    if (solver_solve(q.solver, NULL, 0, ticks) == SOLVER_SAT)
        bug("an interpolant contains what it should leave out");
    itp_query_close(&q);
}

void itp_query_check(const struct itp_problem *p, const struct clauses *clauses, uint64_t ticks) {
    check_against_a(p, clauses, ticks);
    check_against_b(p, clauses, ticks);
}

enum solver_result itp_implies(const struct itp_problem *p, const struct clauses *from,
                               const struct clauses *to, uint64_t ticks) {
    struct itp_query q = {.problem = *p};
    q.solver = solver_new(&(struct solver_options){.seed = p->seed, .total = p->total});
    open_shared(&q, p->lemmas);
    assert_clauses(&q.b, 0, from, 0);
    enum solver_result result = ask_each(&q.b, to, ticks);
    itp_query_close(&q);
    return result;
}
