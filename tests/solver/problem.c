#include "problem.h"

#include "engines/solver/proof.h"
#include "model/term/eval.h"

#include <math.h>
#include <string.h>

enum {
    EFFORT = 10000000, /* ticks: more than any of these small problems needs */
    N_FLOATS = 8,
    MAX_CLAIMS = 6
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
        uint64_t point[PROBLEM_VARS];
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

void problem_open(struct problem *p, uint64_t seed, struct solver_knobs knobs, bool proof) {
    *p = (struct problem){0};
    rng_init(&p->rng, seed);
    terms_init(&p->ts);
    make_terms(p);
    enumerate(p);
    p->s = solver_new(
        &(struct solver_options){.seed = seed, .log_proof = proof, .cone = !proof && seed % 2});
    p->s->knobs = knobs;
    p->frame = solver_frame_new(p->s, &p->ts);
    restrict_floats(p);
}

void problem_close(struct problem *p) {
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

static term_t pick_term(struct problem *p) {
    switch (rng_below(&p->rng, 4)) {
    case 0:
        return PICK_VEC(p, p->ints);
    case 1:
        return PICK_VEC(p, p->floats);
    default:
        return PICK_VEC(p, p->bools);
    }
}

static struct claim random_claim(struct problem *p) {
    struct claim c = {.term = pick_term(p)};
    svar v = solver_encode(p->s, p->frame, c.term), nan = solver_nan(p->s, v);
    c.sort = term_sort(&p->ts, c.term);
    c.is_signed = solver_is_signed(p->s, v);
    uint64_t bits = p->values[rng_below(&p->rng, p->n_points) * p->n_terms + c.term];
    int64_t near = ordinal_of(c.sort, c.is_signed, bits) + (int64_t)rng_below(&p->rng, 3) - 1;
    c.lit = (struct slit){v, rng_below(&p->rng, 2), near};
    if (nan) {
        c.about_nan = true;
        c.lit = rng_below(&p->rng, 2) ? slit_true(nan) : slit_false(nan);
    }
    return c;
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

static const char *add_random_clause(struct problem *p) {
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
    if (!solver_add_clause(p->s, lits, n) && satisfiable(p, NULL, 0))
        return "a clause makes the formula false that does not";
    return NULL;
}

/* The point of the model; false: one of its values is outside of its domain. */
static bool model_point(const struct problem *p, size_t *point) {
    size_t factor = 1;
    *point = 0;
    for (size_t v = 0; v < p->n_vars; v++) {
        svar x = solver_encoded(p->frame, p->ts.vars.data[v].term);
        size_t i = 0;
        if (x) {
            uint64_t bits = solver_value(p->s, x);
            while (i < p->domain[v].n && p->domain[v].values[i] != bits)
                i++;
            if (i == p->domain[v].n)
                return false;
        }
        *point += i * factor;
        factor *= p->domain[v].n;
    }
    return true;
}

static const char *judge_model(const struct problem *p, const struct claim *claims, size_t n) {
    size_t point;
    if (!model_point(p, &point))
        return "the model has a value outside of its domain";
    if (!p->alive[point])
        return "the model breaks a clause";
    for (size_t k = 0; k < n; k++)
        if (!claim_holds(p, &claims[k], point))
            return "the model breaks an assumption";
    return NULL;
}

static bool same_lit(struct slit a, struct slit b) {
    return a.var == b.var && a.ge == b.ge && a.ordinal == b.ordinal;
}

/* The proof ends in the negated core, or in a part of it; its steps are checked. */
static const char *judge_proof(const struct problem *p, const struct slit *core, size_t n_core,
                               struct problem_counts *counts) {
    const struct proof *proof = solver_proof(p->s);
    if (!proof)
        return NULL;
    if (!proof->final)
        return "the proof has no end";
    const struct proof_step *end = proof_step_at(proof, proof->final);
    for (size_t i = 0; i < end->n_lits; i++) {
        size_t k = 0;
        struct slit l = proof->lits.data[end->first_lit + i];
        while (k < n_core && !same_lit(slit_negate(core[k]), l))
            k++;
        if (k == n_core)
            return "the proof does not end in the core";
    }
    counts->proof_steps += check_proof(p->s);
    return NULL;
}

static const char *judge_core(const struct problem *p, const struct claim *claims, size_t n,
                              struct problem_counts *counts) {
    size_t n_core;
    const struct slit *core = solver_core(p->s, &n_core);
    struct claim used[MAX_CLAIMS];
    if (n_core > n)
        return "the core is larger than the assumptions";
    for (size_t i = 0; i < n_core; i++) {
        size_t k = 0;
        while (k < n && !same_lit(claims[k].lit, core[i]))
            k++;
        if (k == n)
            return "the core has a literal that was not assumed";
        used[i] = claims[k];
    }
    if (satisfiable(p, used, n_core))
        return "the core is satisfiable";
    const char *fault = judge_proof(p, core, n_core, counts);
    if (fault || n_core == 0)
        return fault;
    struct slit weak = solver_core_weakest(p->s);
    if (weak.var != core[0].var || weak.ge != core[0].ge ||
        (weak.ge ? weak.ordinal > core[0].ordinal : weak.ordinal < core[0].ordinal))
        return "the weakened core is not weaker";
    used[0].lit = weak;
    return satisfiable(p, used, n_core) ? "the weakened core is satisfiable" : NULL;
}

/* Often it is stopped a few times before it is let through. */
static enum solver_result answer(struct problem *p, const struct slit *lits, size_t n) {
    enum solver_result result = SOLVER_UNKNOWN;
    for (uint64_t tries = rng_below(&p->rng, 4); tries > 0 && !result; tries--)
        result = solver_solve(p->s, lits, n, 1 + rng_below(&p->rng, 60));
    return result ? result : solver_solve(p->s, lits, n, EFFORT);
}

static const char *query(struct problem *p, struct problem_counts *counts) {
    struct claim claims[MAX_CLAIMS];
    struct slit lits[MAX_CLAIMS];
    size_t n = rng_below(&p->rng, MAX_CLAIMS + 1);
    for (size_t k = 0; k < n; k++) {
        claims[k] = random_claim(p);
        lits[k] = claims[k].lit;
    }
    enum solver_result result = answer(p, lits, n);
    if (result == SOLVER_UNKNOWN)
        return "no answer";
    bool sat = result == SOLVER_SAT;
    if (satisfiable(p, claims, n) != sat)
        return sat ? "sat, but no point satisfies it" : "unsat, but a point satisfies it";
    counts->sat += sat;
    counts->unsat += !sat;
    return sat ? judge_model(p, claims, n) : judge_core(p, claims, n, counts);
}

const char *problem_run(struct problem *p, struct problem_counts *counts) {
    const char *fault = NULL;
    for (uint32_t i = 0; i < PROBLEM_QUERIES && !fault; i++) {
        solver_set_partition(p->s, i);
        fault = query(p, counts);
        if (!fault && i % 2)
            fault = add_random_clause(p);
    }
    counts->conflicts += solver_stats(p->s)->conflicts;
    return fault;
}
