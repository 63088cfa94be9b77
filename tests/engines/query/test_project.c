/* Projections: literals over what is kept, true in the model, and every solution of them extends to
 * one of the terms, found by trying all inputs. */
#include "engines/query/project.h"

#include "base/rng.h"
#include "model/term/eval.h"
#include "model/term/number.h"
#include "random_system.h"

#include "unity.h"

#include <stdlib.h>

enum { SYSTEMS = 150, MODELS = 60, STATES = 60 };

void setUp(void) {
}
void tearDown(void) {
}

struct point {
    struct random_system r;
    uint64_t *vars, *nodes; /* bits by variable, by term */
    size_t n_nodes, checked;
    struct rng rng;
};

static bool holds(struct point *p, const term_t *terms, size_t n) {
    if (p->n_nodes < p->r.terms.nodes.len) {
        p->n_nodes = p->r.terms.nodes.len * 2;
        p->nodes = realloc(p->nodes, p->n_nodes * sizeof *p->nodes);
    }
    term_eval(&p->r.terms, terms, n, p->vars, p->nodes);
    bool all = true;
    for (size_t i = 0; i < n; i++)
        all = all && p->nodes[terms[i]];
    return all;
}

static uint64_t *bits_of(struct point *p, term_t var) {
    return &p->vars[term_get(&p->r.terms, var)->payload];
}

static void random_cells(struct point *p) {
    for (size_t i = 0; i < p->r.sys.cells.len; i++) {
        term_t var = p->r.sys.cells.data[i].var;
        int width = sort_width(term_sort(&p->r.terms, var));
        *bits_of(p, var) = rng_below(&p->rng, (uint64_t)1 << width);
    }
}

/* Counts through all values of the inputs. */
static bool next_inputs(struct point *p, size_t *at) {
    for (size_t i = 0; i < p->r.sys.inputs.len; i++) {
        at[i] = (at[i] + 1) % p->r.domains.data[i].len;
        *bits_of(p, p->r.sys.inputs.data[i].var) = p->r.domains.data[i].values[at[i]];
        if (at[i] != 0)
            return true;
    }
    return false;
}

static bool extends(struct point *p, const term_t *roots, size_t n) {
    size_t at[16] = {0};
    while (next_inputs(p, at))
        if (holds(p, roots, n))
            return true;
    return holds(p, roots, n);
}

static term_t model_value(void *context, term_t var) {
    struct point *p = context;
    return term_const(&p->r.terms, term_sort(&p->r.terms, var), *bits_of(p, var));
}

static void check_projection(struct point *p, const term_t *roots, size_t n) {
    struct query_terms lits = {0};
    size_t n_vars = p->r.terms.vars.len;
    bool *keep = calloc(n_vars, sizeof *keep);
    for (size_t i = 0; i < p->r.sys.cells.len; i++)
        keep[term_get(&p->r.terms, p->r.sys.cells.data[i].var)->payload] = true;
    struct projection_input in = {&p->r.terms, keep, n_vars, model_value, p};
    TEST_ASSERT_TRUE(project(&in, roots, n, &lits));
    TEST_ASSERT_TRUE(holds(p, lits.data, lits.len));
    bool *mark = calloc(p->r.terms.nodes.len, sizeof *mark);
    term_mark(&p->r.terms, lits.data, lits.len, mark);
    for (size_t v = 0; v < n_vars; v++)
        TEST_ASSERT_FALSE(mark[p->r.terms.vars.data[v].term] && !keep[v]);
    free(mark);
    for (int i = 0; i < STATES; i++) {
        random_cells(p);
        if (!holds(p, lits.data, lits.len))
            continue;
        TEST_ASSERT_TRUE(extends(p, roots, n));
        p->checked++;
    }
    vec_free(&lits);
    free(keep);
}

static size_t check_seed(uint64_t seed) {
    struct point p = {.checked = 0};
    random_system_make(&p.r,
                       &(struct random_options){.seed = seed, .max_cells = 3, .max_inputs = 2});
    p.vars = calloc(p.r.terms.vars.len, sizeof *p.vars);
    rng_init(&p.rng, seed);
    term_t roots[2] = {p.r.sys.targets.data[0].hit, p.r.sys.step_ok};
    for (int i = 0; i < MODELS; i++) {
        random_cells(&p);
        for (size_t k = 0; k < p.r.sys.inputs.len; k++)
            *bits_of(&p, p.r.sys.inputs.data[k].var) =
                p.r.domains.data[k].values[rng_below(&p.rng, p.r.domains.data[k].len)];
        if (!holds(&p, roots, 2))
            continue;
        check_projection(&p, roots, 2);
        break;
    }
    random_system_free(&p.r);
    free(p.vars);
    free(p.nodes);
    return p.checked;
}

static void test_random_systems(void) {
    size_t checked = 0;
    for (uint64_t seed = 0; seed < SYSTEMS; seed++)
        checked += check_seed(seed);
    TEST_ASSERT_GREATER_THAN_size_t(SYSTEMS, checked);
}

/* ---- unbounded numbers ---- */

struct numbers {
    struct terms ts;
    term_t x, y, z, at[3]; /* the model */
    sort_t sort;
};

static term_t number_value(void *context, term_t var) {
    struct numbers *n = context;
    return n->at[term_get(&n->ts, var)->payload];
}

static void numbers_open(struct numbers *n, sort_t sort, const char *x, const char *y,
                         const char *z) {
    *n = (struct numbers){.sort = sort};
    terms_init(&n->ts);
    n->x = term_var(&n->ts, "x", sort, true);
    n->y = term_var(&n->ts, "y", sort, true);
    n->z = term_var(&n->ts, "z", sort, true);
    n->at[0] = term_number(&n->ts, sort, x);
    n->at[1] = term_number(&n->ts, sort, y);
    n->at[2] = term_number(&n->ts, sort, z);
}

/* Keeps x and y; the conjunction of the literals must be this term. */
static void expect(struct numbers *n, const term_t *roots, size_t n_roots, term_t expected) {
    static const bool keep[] = {true, true, false};
    struct query_terms lits = {0};
    struct projection_input in = {&n->ts, keep, 3, number_value, n};
    TEST_ASSERT_TRUE(project(&in, roots, n_roots, &lits));
    term_t all = term_bool(&n->ts, true);
    for (size_t i = 0; i < lits.len; i++)
        all = term_and(&n->ts, all, lits.data[i]);
    TEST_ASSERT_EQUAL(expected, all);
    vec_free(&lits);
    terms_free(&n->ts);
}

static term_t le(struct numbers *n, term_t a, term_t b) {
    return term_op2(&n->ts, OP_NLE, a, b);
}
static term_t less(struct numbers *n, term_t a, term_t b) {
    return term_not(&n->ts, le(n, b, a));
}
static term_t times(struct numbers *n, const char *factor, term_t t) {
    return term_op2(&n->ts, OP_NMUL, term_number(&n->ts, n->sort, factor), t);
}
static term_t plus(struct numbers *n, term_t a, term_t b) {
    return term_op2(&n->ts, OP_NADD, a, b);
}

static void test_numbers(void) {
    struct numbers n;
    numbers_open(&n, SORT_REAL, "1", "3", "2"); /* x < z <= y */
    expect(&n, (term_t[]){less(&n, n.x, n.z), le(&n, n.z, n.y)}, 2, less(&n, n.x, n.y));
    numbers_open(&n, SORT_REAL, "1", "3", "2"); /* nothing above z */
    expect(&n, (term_t[]){less(&n, n.x, n.z), le(&n, n.y, plus(&n, n.z, n.z))}, 2,
           term_bool(&n.ts, true));
    numbers_open(&n, SORT_REAL, "1", "4", "2"); /* z = 2 x, z < y */
    expect(&n, (term_t[]){term_eq(&n.ts, n.z, times(&n, "2", n.x)), less(&n, n.z, n.y)}, 2,
           less(&n, times(&n, "2", n.x), n.y));
    numbers_open(&n, SORT_INTEGER, "1", "3", "2"); /* between integers there must be one */
    expect(&n, (term_t[]){less(&n, n.x, n.z), less(&n, n.z, n.y)}, 2,
           le(&n, plus(&n, n.x, term_number(&n.ts, SORT_INTEGER, "2")), n.y));
    numbers_open(&n, SORT_INTEGER, "4", "0", "2"); /* x = 2 z: the value, as half of x is none */
    expect(&n, (term_t[]){term_eq(&n.ts, n.x, times(&n, "2", n.z))}, 1,
           term_eq(&n.ts, n.x, term_number(&n.ts, SORT_INTEGER, "4")));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_random_systems);
    RUN_TEST(test_numbers);
    return UNITY_END();
}
