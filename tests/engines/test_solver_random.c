/* The solver against exhaustive enumeration: random formulas over few Booleans, narrow integers and
 * floats of few values. Every answer is compared: models are evaluated, cores are enumerated, and
 * one solver answers many queries while clauses are added to it. */
#include "base/rng.h"
#include "engines/solver/core.h"
#include "engines/solver/proof.h"
#include "model/eval.h"

#include "unity.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

void setUp(void) {
}
void tearDown(void) {
}

enum {
    EFFORT = 10000000, /* ticks: more than any of these small problems needs */
    MAX_VARS = 8,
    MAX_POINTS = 1 << 13,
    N_FLOATS = 8
};

struct problem {
    struct terms ts;
    struct rng rng;
    VEC(term_t) bools;
    VEC(term_t) ints;
    VEC(term_t) floats;
    sort_t width, real;
    bool of_order;
    size_t n_vars;
    struct {
        uint64_t values[16];
        size_t n;
    } domain[MAX_VARS];
    size_t n_points;
    uint64_t *values; /* [point * n_terms + term] */
    size_t n_terms;
    bool *alive; /* the clauses so far hold at this point */
    struct solver *s;
    struct frame *frame;
};

static const enum op int_ops[] = {OP_ADD, OP_SUB,  OP_MUL,  OP_UDIV, OP_SDIV, OP_UREM, OP_SREM,
                                  OP_SHL, OP_LSHR, OP_ASHR, OP_BAND, OP_BOR,  OP_BXOR};
static const enum op int_tests[] = {OP_ULT, OP_ULE, OP_SLT, OP_SLE, OP_EQ};
static const enum op float_ops[] = {OP_FADD, OP_FSUB,      OP_FMUL, OP_FDIV, OP_FMIN,
                                    OP_FMAX, OP_FCOPYSIGN, OP_FMOD, OP_FREM};
static const enum op float_ops1[] = {OP_FNEG,  OP_FABS,   OP_FSQRT,  OP_FFLOOR,
                                     OP_FCEIL, OP_FTRUNC, OP_FROUND, OP_FRINT};
static const enum op float_order_ops[] = {OP_FSUB, OP_FADD, OP_FMIN, OP_FMAX};
static const enum op float_tests1[] = {OP_FISNAN, OP_FISINF, OP_FSIGN};
static const enum op float_tests[] = {OP_FLT, OP_FLE, OP_FEQ, OP_EQ};

#define PICK(p, array) (array)[rng_below(&(p)->rng, sizeof(array) / sizeof *(array))]
#define PICK_VEC(p, v) (v).data[rng_below(&(p)->rng, (v).len)]

static double special_float(struct problem *p) {
    static const double values[] = {0.0,   -0.0,  1.0,      -1.0,      0.5, 3.0, 1e30,
                                    -1e30, 1e-42, INFINITY, -INFINITY, NAN, 2.5, 100.0};
    return PICK(p, values);
}

static term_t float_const(struct problem *p, double value) {
    return p->real == SORT_F32 ? term_f32(&p->ts, (float)value) : term_f64(&p->ts, value);
}

static void add_var(struct problem *p, sort_t sort) {
    term_t t = term_var(&p->ts, "v", sort, rng_below(&p->rng, 2));
    size_t v = p->n_vars++;
    p->domain[v].n = 0;
    if (sort_is_float(sort)) {
        for (size_t i = 0, n = 1 + rng_below(&p->rng, N_FLOATS); i < n; i++)
            p->domain[v].values[p->domain[v].n++] =
                term_get(&p->ts, float_const(p, special_float(p)))->payload;
        vec_push(&p->floats, t);
        return;
    }
    for (uint64_t i = 0; i < (uint64_t)1 << sort_width(sort); i++)
        p->domain[v].values[p->domain[v].n++] = i;
    if (sort == SORT_BOOL)
        vec_push(&p->bools, t);
    else
        vec_push(&p->ints, t);
}

/* Problems of one kind are mostly comparisons, differences and choices. */
static term_t random_bool(struct problem *p) {
    switch (p->of_order ? 4 + rng_below(&p->rng, 5) : rng_below(&p->rng, 9)) {
    case 0:
        return term_not(&p->ts, PICK_VEC(p, p->bools));
    case 1:
        return term_op2(&p->ts, OP_XOR, PICK_VEC(p, p->bools), PICK_VEC(p, p->bools));
    case 2:
        return term_and(&p->ts, PICK_VEC(p, p->bools), PICK_VEC(p, p->bools));
    case 3:
        return term_or(&p->ts, PICK_VEC(p, p->bools), PICK_VEC(p, p->bools));
    case 4:
        return term_ite(&p->ts, PICK_VEC(p, p->bools), PICK_VEC(p, p->bools),
                        PICK_VEC(p, p->bools));
    case 5:
        return term_eq(&p->ts, PICK_VEC(p, p->bools), PICK_VEC(p, p->bools));
    case 6:
        return term_op1(&p->ts, PICK(p, float_tests1), PICK_VEC(p, p->floats));
    case 7:
        return term_op2(&p->ts, PICK(p, float_tests), PICK_VEC(p, p->floats),
                        PICK_VEC(p, p->floats));
    default:
        return term_op2(&p->ts, PICK(p, int_tests), PICK_VEC(p, p->ints), PICK_VEC(p, p->ints));
    }
}

/* an operation in a wider sort, cut to the width again */
static term_t random_wide(struct problem *p) {
    static const enum op extend[] = {OP_ZEXT, OP_SEXT};
    sort_t wide = (sort_t)(p->width + 1 + rng_below(&p->rng, 3));
    term_t a = term_cast(&p->ts, PICK(p, extend), wide, PICK_VEC(p, p->ints));
    term_t b = term_cast(&p->ts, PICK(p, extend), wide, PICK_VEC(p, p->ints));
    return term_cast(&p->ts, OP_TRUNC, p->width, term_op2(&p->ts, PICK(p, int_ops), a, b));
}

static term_t random_int(struct problem *p) {
    static const enum op order_ops[] = {OP_ADD, OP_SUB};
    switch (p->of_order ? rng_below(&p->rng, 2) * 5 + 1 : rng_below(&p->rng, 8)) {
    case 0:
        return term_int(&p->ts, p->width, (int64_t)rng_below(&p->rng, 16));
    case 1:
        return term_ite(&p->ts, PICK_VEC(p, p->bools), PICK_VEC(p, p->ints), PICK_VEC(p, p->ints));
    case 2:
        return random_wide(p);
    case 3:
        return term_cast(&p->ts, OP_B2I, p->width, PICK_VEC(p, p->bools));
    case 4:
        return term_cast(&p->ts, rng_below(&p->rng, 2) ? OP_F2S : OP_F2U, p->width,
                         PICK_VEC(p, p->floats));
    default:
        return term_op2(&p->ts, p->of_order ? PICK(p, order_ops) : PICK(p, int_ops),
                        PICK_VEC(p, p->ints), PICK_VEC(p, p->ints));
    }
}

static term_t random_float(struct problem *p) {
    switch (p->of_order ? rng_below(&p->rng, 2) * 5 + 1 : rng_below(&p->rng, 8)) {
    case 2:
        return term_cast(&p->ts, rng_below(&p->rng, 2) ? OP_S2F : OP_U2F, p->real,
                         PICK_VEC(p, p->ints));
    case 3:
    case 4:
        return term_op1(&p->ts, PICK(p, float_ops1), PICK_VEC(p, p->floats));
    case 0:
        return float_const(p, special_float(p));
    case 1:
        return term_ite(&p->ts, PICK_VEC(p, p->bools), PICK_VEC(p, p->floats),
                        PICK_VEC(p, p->floats));
    default:
        return term_op2(&p->ts, p->of_order ? PICK(p, float_order_ops) : PICK(p, float_ops),
                        PICK_VEC(p, p->floats), PICK_VEC(p, p->floats));
    }
}

static void make_terms(struct problem *p) {
    p->of_order = rng_below(&p->rng, 2);
    p->width = (sort_t)(2 + rng_below(&p->rng, 3));
    p->real = rng_below(&p->rng, 2) ? SORT_F32 : SORT_F64;
    for (size_t i = 0, n = 1 + rng_below(&p->rng, 3); i < n; i++)
        add_var(p, SORT_BOOL);
    for (size_t i = 0, n = 1 + rng_below(&p->rng, 2); i < n; i++)
        add_var(p, p->width);
    for (size_t i = 0, n = 1 + rng_below(&p->rng, 2); i < n; i++)
        add_var(p, p->real);
    for (size_t i = 0, n = 3 + rng_below(&p->rng, 25); i < n; i++) {
        uint64_t kind = rng_below(&p->rng, 4);
        term_t t = kind == 0 ? random_int(p) : kind == 1 ? random_float(p) : random_bool(p);
        if (kind == 0)
            vec_push(&p->ints, t);
        else if (kind == 1)
            vec_push(&p->floats, t);
        else
            vec_push(&p->bools, t);
    }
}

static void enumerate(struct problem *p) {
    VEC(term_t) roots = {0};
    vec_append(&roots, p->bools.data, p->bools.len);
    vec_append(&roots, p->ints.data, p->ints.len);
    vec_append(&roots, p->floats.data, p->floats.len);
    p->n_terms = p->ts.nodes.len;
    p->n_points = 1;
    for (size_t v = 0; v < p->n_vars; v++)
        p->n_points *= p->domain[v].n;
    p->values = mem_zalloc(p->n_points * p->n_terms, sizeof *p->values);
    p->alive = mem_alloc(p->n_points);
    memset(p->alive, true, p->n_points);
    for (size_t i = 0; i < p->n_points; i++) {
        uint64_t point[MAX_VARS];
        size_t rest = i;
        for (size_t v = 0; v < p->n_vars; v++) {
            point[v] = p->domain[v].values[rest % p->domain[v].n];
            rest /= p->domain[v].n;
        }
        term_eval(&p->ts, roots.data, roots.len, point, p->values + i * p->n_terms);
    }
    vec_free(&roots);
}

/* The solver's sources take only the values of their domains. */
static void restrict_floats(struct problem *p) {
    for (size_t v = 0; v < p->n_vars; v++) {
        struct term_var *var = &p->ts.vars.data[v];
        if (!sort_is_float(var->sort))
            continue;
        term_t any = term_bool(&p->ts, false);
        for (size_t i = 0; i < p->domain[v].n; i++)
            any = term_or(
                &p->ts, any,
                term_eq(&p->ts, var->term, term_const(&p->ts, var->sort, p->domain[v].values[i])));
        svar b = solver_encode(p->s, p->frame, any);
        solver_add_clause(p->s, (struct slit[]){slit_true(b)}, 1);
    }
}

static void problem_open(struct problem *p, uint64_t seed, struct solver_knobs knobs, bool proof) {
    *p = (struct problem){0};
    rng_init(&p->rng, seed);
    terms_init(&p->ts);
    make_terms(p);
    enumerate(p);
    p->s = solver_new(&(struct solver_options){.seed = seed, .log_proof = proof});
    p->s->knobs = knobs;
    p->frame = solver_frame_new(p->s, &p->ts);
    restrict_floats(p);
}

static void problem_close(struct problem *p) {
    solver_free(p->s);
    terms_free(&p->ts);
    vec_free(&p->bools);
    vec_free(&p->ints);
    vec_free(&p->floats);
    mem_free(p->values);
    mem_free(p->alive);
}

/* A literal of the solver, and what it says about a term. */
struct claim {
    struct slit lit;
    term_t term;
    sort_t sort;
    bool is_signed, about_nan;
};

static bool claim_holds(const struct problem *p, const struct claim *c, size_t point) {
    uint64_t bits = p->values[point * p->n_terms + c->term];
    int64_t at = ordinal_of(c->sort, c->is_signed, bits);
    if (c->about_nan)
        at = bits_are_nan(c->sort, bits);
    return c->lit.ge ? at >= c->lit.ordinal : at <= c->lit.ordinal;
}

static bool pick_term(struct problem *p, term_t *t) {
    switch (rng_below(&p->rng, 4)) {
    case 0:
        *t = PICK_VEC(p, p->ints);
        return true;
    case 1:
        *t = PICK_VEC(p, p->floats);
        return true;
    default:
        *t = PICK_VEC(p, p->bools);
        return true;
    }
}

static struct claim random_claim(struct problem *p) {
    struct claim c = {0};
    for (;;) {
        pick_term(p, &c.term);
        svar v = solver_encode(p->s, p->frame, c.term);
        svar nan = solver_nan(p->s, v);
        c.sort = term_sort(&p->ts, c.term);
        c.is_signed = solver_is_signed(p->s, v);
        uint64_t bits = p->values[rng_below(&p->rng, p->n_points) * p->n_terms + c.term];
        c.lit = (struct slit){v, rng_below(&p->rng, 2),
                              ordinal_of(c.sort, c.is_signed, bits) +
                                  (int64_t)rng_below(&p->rng, 3) - 1};
        if (!nan)
            return c;
        c.about_nan = true;
        c.lit = rng_below(&p->rng, 2) ? slit_true(nan) : slit_false(nan);
        return c;
    }
}

static bool satisfiable(const struct problem *p, const struct claim *claims, size_t n) {
    for (size_t i = 0; i < p->n_points; i++) {
        bool all = p->alive[i];
        for (size_t k = 0; k < n && all; k++)
            all = claim_holds(p, &claims[k], i);
        if (all)
            return true;
    }
    return false;
}

static void add_random_clause(struct problem *p) {
    struct claim claims[3];
    struct slit lits[3];
    size_t n = 1 + rng_below(&p->rng, 3);
    for (size_t k = 0; k < n; k++) {
        claims[k] = random_claim(p);
        lits[k] = claims[k].lit;
    }
    for (size_t i = 0; i < p->n_points; i++) {
        bool any = false;
        for (size_t k = 0; k < n; k++)
            any |= claim_holds(p, &claims[k], i);
        p->alive[i] &= any;
    }
    bool ok = solver_add_clause(p->s, lits, n);
    TEST_ASSERT_TRUE(ok || !satisfiable(p, NULL, 0));
}

static size_t model_point(const struct problem *p) {
    size_t point = 0, factor = 1;
    for (size_t v = 0; v < p->n_vars; v++) {
        const struct term_var *var = &p->ts.vars.data[v];
        svar x = solver_encoded(p->frame, var->term);
        size_t i = 0;
        if (x) {
            uint64_t bits = solver_value(p->s, x);
            while (i < p->domain[v].n && p->domain[v].values[i] != bits)
                i++;
            TEST_ASSERT_TRUE_MESSAGE(i < p->domain[v].n, "a value outside of its domain");
        }
        point += i * factor;
        factor *= p->domain[v].n;
    }
    return point;
}

static void check_model(const struct problem *p, const struct claim *claims, size_t n) {
    size_t point = model_point(p);
    TEST_ASSERT_TRUE_MESSAGE(p->alive[point], "the model breaks a clause");
    for (size_t k = 0; k < n; k++)
        TEST_ASSERT_TRUE_MESSAGE(claim_holds(p, &claims[k], point),
                                 "the model breaks an assumption");
}

static bool same_lit(struct slit a, struct slit b) {
    return a.var == b.var && a.ge == b.ge && a.ordinal == b.ordinal;
}

static size_t proof_steps;

/* The proof ends in the negated core, or in a part of it. */
static void check_final_step(const struct problem *p, const struct slit *core, size_t n_core) {
    const struct proof *proof = solver_proof(p->s);
    if (!proof)
        return;
    TEST_ASSERT_TRUE(proof->final);
    const struct proof_step *end = proof_step_at(proof, proof->final);
    for (size_t i = 0; i < end->n_lits; i++) {
        size_t k = 0;
        struct slit l = proof->lits.data[end->first_lit + i];
        while (k < n_core && !same_lit(slit_negate(core[k]), l))
            k++;
        TEST_ASSERT_TRUE_MESSAGE(k < n_core, "the proof does not end in the core");
    }
    proof_steps += check_proof(p->s);
}

static void check_core(const struct problem *p, const struct claim *claims, size_t n) {
    size_t n_core;
    const struct slit *core = solver_core(p->s, &n_core);
    struct claim used[8];
    TEST_ASSERT_TRUE(n_core <= n);
    for (size_t i = 0; i < n_core; i++) {
        size_t k = 0;
        while (k < n && !same_lit(claims[k].lit, core[i]))
            k++;
        TEST_ASSERT_TRUE_MESSAGE(k < n, "the core has a literal that was not assumed");
        used[i] = claims[k];
    }
    TEST_ASSERT_FALSE_MESSAGE(satisfiable(p, used, n_core), "the core is satisfiable");
    check_final_step(p, core, n_core);
    if (n_core == 0)
        return;
    struct slit weak = solver_core_weakest(p->s);
    TEST_ASSERT_TRUE(weak.var == core[0].var && weak.ge == core[0].ge);
    TEST_ASSERT_TRUE(weak.ge ? weak.ordinal <= core[0].ordinal : weak.ordinal >= core[0].ordinal);
    used[0].lit = weak;
    TEST_ASSERT_FALSE_MESSAGE(satisfiable(p, used, n_core), "the weakened core is satisfiable");
}

static enum solver_result query(struct problem *p) {
    struct claim claims[6];
    struct slit lits[6];
    size_t n = rng_below(&p->rng, 7);
    for (size_t k = 0; k < n; k++) {
        claims[k] = random_claim(p);
        lits[k] = claims[k].lit;
    }
    enum solver_result result = SOLVER_UNKNOWN;
    for (uint64_t tries = rng_below(&p->rng, 4); tries > 0 && !result; tries--)
        result = solver_solve(p->s, lits, n, 1 + rng_below(&p->rng, 60)); /* to be gone on with */
    if (!result)
        result = solver_solve(p->s, lits, n, EFFORT);
    char seed[40];
    snprintf(seed, sizeof seed, "seed %lu", p->s->options.seed);
    TEST_ASSERT_EQUAL_INT_MESSAGE(satisfiable(p, claims, n) ? SOLVER_SAT : SOLVER_UNSAT, result,
                                  seed);
    if (result == SOLVER_SAT)
        check_model(p, claims, n);
    else
        check_core(p, claims, n);
    return result;
}

static void run(uint64_t from, uint64_t to, struct solver_knobs knobs, bool proof) {
    uint64_t sat = 0, unsat = 0, conflicts = 0;
    for (uint64_t seed = from; seed < to; seed++) {
        struct problem p;
        problem_open(&p, seed, knobs, proof);
        for (int i = 0; i < 8; i++) {
            solver_set_partition(p.s, (uint32_t)i);
            if (query(&p) == SOLVER_SAT)
                sat++;
            else
                unsat++;
            if (i % 2)
                add_random_clause(&p);
        }
        conflicts += solver_stats(p.s)->conflicts;
        problem_close(&p);
    }
    printf("%lu sat, %lu unsat, %lu conflicts\n", sat, unsat, conflicts);
    TEST_ASSERT_TRUE(sat > (to - from) && unsat > (to - from));
}

static uint64_t scale(void) {
    const char *text = getenv("GK_TEST_SCALE");
    return text ? strtoull(text, NULL, 10) : 1;
}

static void test_answers_are_those_of_enumeration(void) {
    run(1, 3000 * scale(), solver_default_knobs, false);
}

static void test_answers_with_hostile_settings(void) {
    struct solver_knobs knobs = {
        .restart_every = 1, .reduce_first = 3, .reduce_step = 1, .max_trials = 0, .check = true};
    run(1000000, 1000000 + 200 * scale(), knobs, false);
    knobs.restart_every = 2;
    knobs.max_trials = 3;
    run(2000000, 2000000 + 200 * scale(), knobs, false);
}

static void test_answers_with_proofs(void) {
    run(3000000, 3000000 + 1000 * scale(), solver_default_knobs, true);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_answers_are_those_of_enumeration);
    RUN_TEST(test_answers_with_hostile_settings);
    RUN_TEST(test_answers_with_proofs);
    return UNITY_END();
}
