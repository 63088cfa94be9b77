#include "formula.h"

#include "base/mem.h"
#include "model/term/eval.h"
#include "model/term/round.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define ONE_OF(f, array) (array)[rng_below(&(f)->rng, COUNT(array))]

static bool chance(struct formula *f, uint64_t of) {
    return rng_below(&f->rng, of) == 0;
}

/* A term of the sort with this index, often one of the newest. */
static term_t pick(struct formula *f, int i) {
    const struct pool *pool = &f->pool[i];
    size_t n = pool->len, recent = n > 5 && chance(f, 2) ? n - 5 : 0;
    return pool->data[recent + rng_below(&f->rng, n - recent)];
}
static term_t pick_bool(struct formula *f) {
    return pick(f, 0);
}
static int some_int(struct formula *f) {
    return 1 + (int)rng_below(&f->rng, (uint64_t)f->n_ints);
}
static int some_float(struct formula *f) {
    int first = 1 + f->n_ints;
    return first + (int)rng_below(&f->rng, (uint64_t)(f->n_sorts - first));
}

/* ---- constants ---- */

static uint64_t int_bits(struct formula *f, sort_t width) {
    uint64_t power = (uint64_t)1 << rng_below(&f->rng, width), small = rng_below(&f->rng, 5) - 2;
    uint64_t mask = UINT64_MAX >> (64 - width);
    switch (rng_below(&f->rng, 4)) {
    case 0:
        return small & mask;
    case 1:
        return (power + small) & mask;
    case 2:
        return rng_below(&f->rng, 200) & mask;
    default:
        return rng_next(&f->rng) & mask;
    }
}

static uint64_t float_bits(struct formula *f, sort_t sort) {
    static const double plain[] = {0.0, -0.0, 1.0, -1.0, 0.5, 0.1, 255.0, -128.0, 65535.5, 1e9};
    double v = ONE_OF(f, plain);
    switch (rng_below(&f->rng, 8)) {
    case 0:
        v = (double)(int64_t)rng_next(&f->rng) * 0x1p-60;
        break;
    case 1:
        v = (double)(int64_t)rng_next(&f->rng) * 0x1p-45;
        break;
    case 2:
        v = (double)rng_below(&f->rng, 40) - 20;
        break;
    case 3: {
        static const double rare[] = {
            __builtin_inf(), -__builtin_inf(), __builtin_nan(""), 1e-310, 1e-40, 3e38, 1.7e308};
        v = ONE_OF(f, rare);
        break;
    }
    }
    if (v != v)
        return sort == SORT_F32 ? 0x7fc00000 : 0x7ff8000000000000;
    return sort == SORT_F32 ? f32_bits((float)v) : f64_bits(v);
}

static uint64_t constant_bits(struct formula *f, sort_t sort) {
    if (sort == SORT_BOOL)
        return rng_below(&f->rng, 2);
    return sort_is_int(sort) ? int_bits(f, sort) : float_bits(f, sort);
}

static term_t constant(struct formula *f, int i) {
    return term_const(&f->ts, f->sort[i], constant_bits(f, f->sort[i]));
}

/* ---- operators ---- */

static term_t element(struct formula *f, int i) {
    uint64_t values[20];
    size_t n = 2 + rng_below(&f->rng, COUNT(values) - 2);
    for (size_t k = 0; k < n; k++)
        values[k] = constant_bits(f, f->sort[i]);
    return term_table_at(&f->ts, term_add_table(&f->ts, f->sort[i], values, n),
                         pick(f, some_int(f)));
}

static term_t division(struct formula *f, int i) {
    static const enum op ops[] = {OP_UDIV, OP_SDIV, OP_UREM, OP_SREM};
    term_t by = f->sort[i] <= 16 && chance(f, 2) ? pick(f, i) : constant(f, i);
    return term_op2(&f->ts, ONE_OF(f, ops), pick(f, i), by);
}

static term_t shift(struct formula *f, int i) {
    static const enum op ops[] = {OP_SHL, OP_LSHR, OP_ASHR};
    term_t by =
        chance(f, 3) ? pick(f, i) : term_const(&f->ts, f->sort[i], rng_below(&f->rng, f->sort[i]));
    return term_op2(&f->ts, ONE_OF(f, ops), pick(f, i), by);
}

/* from another width, a float or a Bool */
static term_t to_int(struct formula *f, int i) {
    sort_t to = f->sort[i];
    int from = some_int(f);
    if (chance(f, 5))
        return term_cast(&f->ts, OP_B2I, to, pick_bool(f));
    if (chance(f, 2))
        return term_cast(&f->ts, chance(f, 2) ? OP_F2S : OP_F2U, to, pick(f, some_float(f)));
    if (f->sort[from] > to)
        return term_cast(&f->ts, OP_TRUNC, to, pick(f, from));
    if (f->sort[from] < to)
        return term_cast(&f->ts, chance(f, 2) ? OP_ZEXT : OP_SEXT, to, pick(f, from));
    from = some_float(f);
    bool same_size = sort_width(f->sort[from]) == to;
    return same_size && f->profile != FORMULA_SMT ? term_cast(&f->ts, OP_F2BITS, to, pick(f, from))
                                                  : constant(f, i);
}

static term_t random_int(struct formula *f, int i) {
    static const enum op bitwise[] = {OP_BAND, OP_BOR, OP_BXOR};
    static const enum op sums[] = {OP_ADD, OP_SUB};
    term_t a = pick(f, i), b = pick(f, i);
    switch (rng_below(&f->rng, 12)) {
    case 0:
        return constant(f, i);
    case 1:
        return term_ite(&f->ts, pick_bool(f), a, b);
    case 2:
    case 3:
        return to_int(f, i);
    case 4:
        return shift(f, i);
    case 5:
        return division(f, i);
    case 6:
        return term_op2(&f->ts, ONE_OF(f, bitwise), a, b);
    case 7:
        return term_op2(&f->ts, OP_MUL, a, f->sort[i] <= 16 ? b : constant(f, i));
    case 8:
        return element(f, i);
    default:
        return term_op2(&f->ts, ONE_OF(f, sums), a, b);
    }
}

static term_t unary_float(struct formula *f, term_t a) {
    static const enum op ops[] = {OP_FNEG,   OP_FABS,   OP_FFLOOR, OP_FCEIL,
                                  OP_FTRUNC, OP_FROUND, OP_FSQRT,  OP_FRINT};
    return term_op1(&f->ts, ONE_OF(f, ops), a);
}

/* from the other format, an integer, a bit pattern */
static term_t to_float(struct formula *f, int i) {
    static const enum op ops[] = {OP_S2F, OP_U2F}, casts[] = {OP_F2FZ, OP_F2FA, OP_F2FN};
    int from = some_float(f), bits = some_int(f);
    if (from != i)
        return term_cast(&f->ts,
                         f->profile == FORMULA_ALL && chance(f, 3) ? ONE_OF(f, casts) : OP_F2F,
                         f->sort[i], pick(f, from));
    if (f->sort[bits] == sort_width(f->sort[i]) && chance(f, 3))
        return term_cast(&f->ts, OP_BITS2F, f->sort[i], pick(f, bits));
    return term_cast(&f->ts, ONE_OF(f, ops), f->sort[i], pick(f, bits));
}

static term_t rounded_otherwise(struct formula *f, term_t a, term_t b, term_t c) {
    static const enum op ops[] = {OP_FADD, OP_FMUL, OP_FDIV, OP_FMA, OP_FSQRT};
    enum op op = op_rounded(ONE_OF(f, ops), "ZAN"[rng_below(&f->rng, 3)]);
    return op_table[op].arity == 1   ? term_op1(&f->ts, op, a)
           : op_table[op].arity == 2 ? term_op2(&f->ts, op, a, b)
                                     : term_op3(&f->ts, op, a, b, c);
}

static term_t rare_float(struct formula *f, term_t a, term_t b, int i) {
    static const enum op two[] = {OP_FMIN, OP_FMAX, OP_FCOPYSIGN}, rest[] = {OP_FMOD, OP_FREM};
    if (f->profile == FORMULA_SMT)
        return chance(f, 2) ? unary_float(f, a) : element(f, i);
    if (f->profile == FORMULA_C || !chance(f, 3))
        return term_op2(&f->ts, ONE_OF(f, two), a, b);
    if (chance(f, 3))
        return rounded_otherwise(f, a, b, pick(f, i));
    return chance(f, 2) ? term_op3(&f->ts, OP_FMA, a, b, pick(f, i))
                        : term_op2(&f->ts, ONE_OF(f, rest), a, b);
}

static term_t random_float(struct formula *f, int i) {
    static const enum op sums[] = {OP_FADD, OP_FSUB}, products[] = {OP_FMUL, OP_FDIV};
    term_t a = pick(f, i), b = pick(f, i);
    switch (rng_below(&f->rng, 12)) {
    case 0:
        return constant(f, i);
    case 1:
        return term_ite(&f->ts, pick_bool(f), a, b);
    case 2:
    case 3:
        return to_float(f, i);
    case 4:
        return unary_float(f, a);
    case 5:
    case 6:
        return rare_float(f, a, b, i);
    case 7:
        return element(f, i);
    case 8:
        return term_op2(&f->ts, ONE_OF(f, products), a,
                        f->sort[i] == SORT_F32 && chance(f, 4) ? b : constant(f, i));
    default:
        return term_op2(&f->ts, ONE_OF(f, sums), a, b);
    }
}

/* A comparison of a term with one that is made of it: x + c, or a choice between such. */
static term_t related(struct formula *f, enum op order, int i) {
    term_t x = pick(f, i), y = term_op2(&f->ts, OP_ADD, x, constant(f, i));
    if (chance(f, 2))
        y = term_op2(&f->ts, chance(f, 2) ? OP_ADD : OP_SUB, y, pick(f, i));
    if (chance(f, 2))
        y = term_ite(&f->ts, pick_bool(f), y, chance(f, 2) ? x : pick(f, i));
    return chance(f, 2) ? term_op2(&f->ts, order, x, y) : term_op2(&f->ts, order, y, x);
}

static term_t random_bool(struct formula *f) {
    static const enum op gates[] = {OP_AND, OP_OR, OP_XOR, OP_EQ};
    static const enum op orders[] = {OP_SLT, OP_SLE, OP_ULT, OP_ULE, OP_EQ};
    static const enum op float_orders[] = {OP_FLT, OP_FLE, OP_FEQ, OP_EQ};
    static const enum op classes[] = {OP_FISNAN, OP_FISINF, OP_FSIGN};
    int i = some_int(f), x = some_float(f);
    switch (rng_below(&f->rng, 8)) {
    case 0:
        return term_not(&f->ts, pick_bool(f));
    case 1:
        return term_op2(&f->ts, ONE_OF(f, gates), pick_bool(f), pick_bool(f));
    case 2:
        return term_op1(&f->ts, classes[rng_below(&f->rng, f->profile == FORMULA_SMT ? 2 : 3)],
                        pick(f, x));
    case 3:
    case 4:
        return term_op2(&f->ts, ONE_OF(f, float_orders), pick(f, x),
                        chance(f, 3) ? constant(f, x) : pick(f, x));
    case 5:
        return related(f, chance(f, 2) ? OP_EQ : ONE_OF(f, orders), i);
    default:
        return term_op2(&f->ts, ONE_OF(f, orders), pick(f, i),
                        chance(f, 3) ? constant(f, i) : pick(f, i));
    }
}

/* ---- the whole ---- */

static void choose_sorts(struct formula *f) {
    static const sort_t common[] = {8, 16, 32, 64}, odd[] = {1, 5, 12, 33, 63};
    bool one = f->profile == FORMULA_SMT;
    f->sort[f->n_sorts++] = SORT_BOOL;
    f->n_ints = one ? 1 : 1 + (int)rng_below(&f->rng, 2);
    for (int k = 0; k < f->n_ints; k++)
        f->sort[f->n_sorts++] = chance(f, 6) ? ONE_OF(f, odd) : ONE_OF(f, common);
    bool wide = chance(f, 4);
    f->sort[f->n_sorts++] = wide ? SORT_F64 : SORT_F32;
    if (!one && chance(f, 3))
        f->sort[f->n_sorts++] = wide ? SORT_F32 : SORT_F64;
}

void formula_make(struct formula *f, uint64_t seed, enum formula_profile profile) {
    *f = (struct formula){.profile = profile};
    rng_init(&f->rng, seed);
    terms_init(&f->ts);
    choose_sorts(f);
    for (int i = 0; i < f->n_sorts; i++)
        for (int k = 0; k < 2; k++) {
            term_t v = term_var(&f->ts, "v", f->sort[i], chance(f, 2));
            vec_push(&f->pool[i], v);
        }
    for (size_t n = 8 + rng_below(&f->rng, 20); n > 0; n--) {
        int i = chance(f, 3) ? 0 : chance(f, 2) ? some_int(f) : some_float(f);
        term_t t = i == 0 ? random_bool(f) : i <= f->n_ints ? random_int(f, i) : random_float(f, i);
        vec_push(&f->pool[i], t);
    }
    for (size_t n = 1 + rng_below(&f->rng, 6); n > 0; n--) {
        term_t t = chance(f, 4) ? pick_bool(f) : random_bool(f);
        vec_push(&f->roots, t);
    }
}

void formula_free(struct formula *f) {
    terms_free(&f->ts);
    for (int i = 0; i < f->n_sorts; i++)
        vec_free(&f->pool[i]);
    vec_free(&f->roots);
}

/* ---- our answer ---- */

static const char *judge_model(const struct formula *f, const struct solver *s,
                               const struct frame *frame, const term_t *roots, size_t n) {
    uint64_t *values = mem_zalloc(f->ts.nodes.len, sizeof *values), vars[FORMULA_VARS] = {0};
    bool holds = true;
    for (size_t v = 0; v < f->ts.vars.len; v++) {
        svar x = solver_encoded(frame, f->ts.vars.data[v].term);
        vars[v] = x ? solver_value(s, x) : 0;
    }
    term_eval(&f->ts, roots, n, vars, values);
    for (size_t i = 0; i < n; i++)
        holds &= values[roots[i]] == 1;
    mem_free(values);
    return holds ? NULL : "the model does not satisfy the formula";
}

static const char *solve_fresh(const struct formula *f, const term_t *roots, size_t n,
                               uint64_t ticks, enum solver_result *result,
                               struct solver_stats *stats) {
    struct solver *s = solver_new(&(struct solver_options){.seed = 1});
    struct frame *frame = solver_frame_new(s, &f->ts);
    const char *fault = NULL;
    for (size_t i = 0; i < n; i++) {
        svar v = solver_encode(s, frame, roots[i]);
        solver_add_clause(s, (struct slit[]){slit_true(v)}, 1);
    }
    *result = solver_solve(s, NULL, 0, ticks);
    if (*result == SOLVER_SAT)
        fault = judge_model(f, s, frame, roots, n);
    *stats = *solver_stats(s);
    solver_free(s);
    return fault;
}

const char *formula_solve(const struct formula *f, uint64_t ticks, enum solver_result *result) {
    enum solver_result again;
    struct solver_stats stats, same;
    const char *fault = solve_fresh(f, f->roots.data, f->roots.len, ticks, result, &stats);
    if (!fault)
        fault = solve_fresh(f, f->roots.data, f->roots.len, ticks, &again, &same);
    if (!fault && (again != *result || memcmp(&stats, &same, sizeof stats) != 0))
        fault = "the same solver does something else the second time";
    return fault;
}

/* ---- one solver for many questions ---- */

struct session {
    struct formula *f;
    struct solver *s;
    struct frame *frame;
    uint64_t ticks;
    VEC(term_t) asked; /* the terms that are to hold in this question … */
    struct slits lits; /* … and the assumptions that say so */
};

/* Half of them as they are, half through a clause with an activation literal. */
static void assume(struct session *q, term_t t) {
    svar v = solver_encode(q->s, q->frame, t);
    struct slit lit = slit_true(v);
    if (chance(q->f, 2)) {
        svar on = solver_new_bool(q->s);
        solver_add_clause(q->s, (struct slit[]){slit_false(on), lit}, 2);
        lit = slit_true(on);
    }
    vec_push(&q->asked, t);
    vec_push(&q->lits, lit);
}

static bool same_lit(struct slit a, struct slit b) {
    return a.var == b.var && a.ge == b.ge && a.ordinal == b.ordinal;
}

static const char *judge_core(const struct session *q) {
    size_t n;
    const struct slit *core = solver_core(q->s, &n);
    term_t terms[FORMULA_VARS];
    enum solver_result result;
    struct solver_stats stats;
    if (n > q->lits.len)
        return "the core is larger than the assumptions";
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < q->lits.len && !same_lit(q->lits.data[k], core[i]))
            k++;
        if (k == q->lits.len)
            return "the core has a literal that was not assumed";
        terms[i] = q->asked.data[k];
    }
    const char *fault = solve_fresh(q->f, terms, n, q->ticks, &result, &stats);
    return fault ? fault : result == SOLVER_SAT ? "the core is satisfiable" : NULL;
}

static const char *ask(struct session *q, int *answered) {
    enum solver_result fresh, result = SOLVER_UNKNOWN;
    struct solver_stats stats;
    vec_clear(&q->asked);
    vec_clear(&q->lits);
    for (size_t n = 1 + rng_below(&q->f->rng, 5); n > 0; n--)
        assume(q, chance(q->f, 2) ? pick(q->f, 0) : random_bool(q->f));
    for (uint64_t tries = rng_below(&q->f->rng, 3); tries > 0 && !result; tries--)
        result = solver_solve(q->s, q->lits.data, q->lits.len, 1 + rng_below(&q->f->rng, 300));
    if (!result)
        result = solver_solve(q->s, q->lits.data, q->lits.len, q->ticks);
    const char *fault = solve_fresh(q->f, q->asked.data, q->asked.len, q->ticks, &fresh, &stats);
    if (fault)
        return fault;
    if (result && fresh && result != fresh)
        return "the answer is another one than that of a new solver";
    *answered += result != SOLVER_UNKNOWN;
    if (result == SOLVER_SAT)
        return judge_model(q->f, q->s, q->frame, q->asked.data, q->asked.len);
    return result == SOLVER_UNSAT ? judge_core(q) : NULL;
}

const char *formula_solve_subsets(struct formula *f, uint64_t ticks, int queries, int *answered) {
    struct session q = {.f = f, .ticks = ticks};
    const char *fault = NULL;
    q.s = solver_new(&(struct solver_options){.seed = 1, .cone = true});
    q.frame = solver_frame_new(q.s, &f->ts);
    for (int i = 0; i < queries && !fault; i++)
        fault = ask(&q, answered);
    solver_free(q.s);
    vec_free(&q.asked);
    vec_free(&q.lits);
    return fault;
}
