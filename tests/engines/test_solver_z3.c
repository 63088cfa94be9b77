/* The solver beside Z3 on random formulas that are too large to enumerate: 32-bit integers, floats,
 * casts between them. Both must agree wherever both answer. Needs `z3`; ignored without it.
 *
 * GK_TEST_SCALE=100 runs a hundred times as many formulas. */
#include "base/rng.h"
#include "base/str.h"
#include "engines/solver/print_smt.h"
#include "engines/solver/solver.h"
#include "model/eval.h"

#include "unity.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void setUp(void) {
}
void tearDown(void) {
}

VEC_STRUCT(pool, term_t);

struct formula {
    struct terms ts;
    struct rng rng;
    struct pool bools, ints, floats, roots;
    sort_t width, real;
};

#define ONE_OF(f, ...)                                                                             \
    ((enum op[]){                                                                                  \
        __VA_ARGS__})[rng_below(&(f)->rng, sizeof((enum op[]){__VA_ARGS__}) / sizeof(enum op))]

static term_t pick(struct formula *f, const struct pool *pool) {
    size_t n = pool->len, recent = n > 6 && rng_below(&f->rng, 2) ? n - 6 : 0;
    return pool->data[recent + rng_below(&f->rng, n - recent)];
}

static term_t random_int(struct formula *f) {
    struct terms *ts = &f->ts;
    term_t a = pick(f, &f->ints), b = pick(f, &f->ints);
    switch (rng_below(&f->rng, 8)) {
    case 0:
        return term_int(ts, f->width, (int64_t)rng_next(&f->rng) >> (32 + rng_below(&f->rng, 30)));
    case 1:
        return term_ite(ts, pick(f, &f->bools), a, b);
    case 2:
        return term_cast(ts, ONE_OF(f, OP_F2S, OP_F2U), f->width, pick(f, &f->floats));
    case 3:
        return term_op2(ts, ONE_OF(f, OP_SHL, OP_LSHR, OP_ASHR), a,
                        term_int(ts, f->width, (int64_t)rng_below(&f->rng, f->width)));
    case 4:
        return term_op2(ts, ONE_OF(f, OP_UDIV, OP_SDIV, OP_UREM, OP_SREM), a,
                        term_int(ts, f->width, 1 + (int64_t)rng_below(&f->rng, 100)));
    case 5:
        return term_op2(ts, ONE_OF(f, OP_BAND, OP_BOR, OP_BXOR, OP_MUL), a, b);
    default:
        return term_op2(ts, ONE_OF(f, OP_ADD, OP_SUB), a, b);
    }
}

static term_t float_const(struct formula *f) {
    double x = (double)(int64_t)rng_next(&f->rng) * (rng_below(&f->rng, 2) ? 0x1p-60 : 0x1p-53);
    if (rng_below(&f->rng, 4) == 0)
        x = (double)rng_below(&f->rng, 20) - 10;
    return f->real == SORT_F32 ? term_f32(&f->ts, (float)x) : term_f64(&f->ts, x);
}

static term_t random_float(struct formula *f) {
    struct terms *ts = &f->ts;
    term_t a = pick(f, &f->floats), b = pick(f, &f->floats);
    switch (rng_below(&f->rng, 9)) {
    case 0:
        return float_const(f);
    case 1:
        return term_ite(ts, pick(f, &f->bools), a, b);
    case 2:
        return term_cast(ts, ONE_OF(f, OP_S2F, OP_U2F), f->real, pick(f, &f->ints));
    case 3:
        return term_op1(ts, ONE_OF(f, OP_FNEG, OP_FABS, OP_FSQRT, OP_FFLOOR, OP_FROUND), a);
    case 4:
        return term_op2(ts, ONE_OF(f, OP_FMUL, OP_FDIV), a, float_const(f));
    case 5:
        return term_op2(ts, ONE_OF(f, OP_FMUL, OP_FDIV), a, b);
    default:
        return term_op2(ts, ONE_OF(f, OP_FADD, OP_FSUB), a, b);
    }
}

static term_t random_bool(struct formula *f) {
    struct terms *ts = &f->ts;
    switch (rng_below(&f->rng, 6)) {
    case 0:
        return term_not(ts, pick(f, &f->bools));
    case 1:
        return term_op2(ts, ONE_OF(f, OP_AND, OP_OR, OP_XOR), pick(f, &f->bools),
                        pick(f, &f->bools));
    case 2:
    case 3:
        return term_op2(ts, ONE_OF(f, OP_FLT, OP_FLE, OP_FEQ), pick(f, &f->floats),
                        pick(f, &f->floats));
    default:
        return term_op2(ts, ONE_OF(f, OP_SLT, OP_SLE, OP_ULT, OP_EQ), pick(f, &f->ints),
                        pick(f, &f->ints));
    }
}

static void formula_make(struct formula *f, uint64_t seed) {
    *f = (struct formula){.width = 32, .real = SORT_F32};
    rng_init(&f->rng, seed);
    terms_init(&f->ts);
    f->width = rng_below(&f->rng, 2) ? 16 : 32;
    f->real = rng_below(&f->rng, 4) ? SORT_F32 : SORT_F64;
    for (int i = 0; i < 2; i++) {
        vec_push(&f->bools, term_var(&f->ts, "b", SORT_BOOL, false));
        vec_push(&f->ints, term_var(&f->ts, "i", f->width, rng_below(&f->rng, 2)));
        vec_push(&f->floats, term_var(&f->ts, "f", f->real, true));
    }
    for (size_t i = 0, n = 8 + rng_below(&f->rng, 20); i < n; i++) {
        uint64_t kind = rng_below(&f->rng, 3);
        term_t t = kind == 0 ? random_int(f) : kind == 1 ? random_float(f) : random_bool(f);
        struct pool *pool = kind == 0 ? &f->ints : kind == 1 ? &f->floats : &f->bools;
        vec_push(pool, t);
    }
    for (size_t i = 0, n = 1 + rng_below(&f->rng, 4); i < n; i++) {
        term_t t = random_bool(f);
        vec_push(&f->roots, t);
    }
}

static void formula_free(struct formula *f) {
    terms_free(&f->ts);
    vec_free(&f->bools);
    vec_free(&f->ints);
    vec_free(&f->floats);
    vec_free(&f->roots);
}

static enum solver_result ask_z3(const struct formula *f, const char *path) {
    struct str text = {0}, command = {0};
    char line[64] = "";
    TEST_ASSERT_TRUE(print_smt(&f->ts, f->roots.data, f->roots.len, &text));
    FILE *file = fopen(path, "w");
    TEST_ASSERT_NOT_NULL(file);
    fputs(str_text(&text), file);
    fclose(file);
    str_addf(&command, "z3 -T:5 %s", path);
    FILE *pipe = popen(str_text(&command), "r");
    TEST_ASSERT_NOT_NULL(pipe);
    if (fgets(line, sizeof line, pipe))
        line[strcspn(line, "\n")] = 0;
    pclose(pipe);
    str_free(&text);
    str_free(&command);
    return str_same(line, "sat")     ? SOLVER_SAT
           : str_same(line, "unsat") ? SOLVER_UNSAT
                                     : SOLVER_UNKNOWN;
}

static void check_model(const struct formula *f, const struct solver *s,
                        const struct frame *frame) {
    uint64_t *values = calloc(f->ts.nodes.len, sizeof *values), vars[8] = {0};
    for (size_t v = 0; v < f->ts.vars.len; v++) {
        svar x = solver_encoded(frame, f->ts.vars.data[v].term);
        vars[v] = x ? solver_value(s, x) : 0;
    }
    term_eval(&f->ts, f->roots.data, f->roots.len, vars, values);
    for (size_t i = 0; i < f->roots.len; i++)
        TEST_ASSERT_TRUE_MESSAGE(values[f->roots.data[i]], "the model is wrong");
    free(values);
}

static enum solver_result ask_own(const struct formula *f, uint64_t seed) {
    struct solver *s = solver_new(&(struct solver_options){.seed = seed});
    struct frame *frame = solver_frame_new(s, &f->ts);
    for (size_t i = 0; i < f->roots.len; i++) {
        svar v = solver_encode(s, frame, f->roots.data[i]);
        solver_add_clause(s, (struct slit[]){slit_true(v)}, 1);
    }
    enum solver_result result = solver_solve(s, NULL, 0, 3000000);
    if (result == SOLVER_SAT)
        check_model(f, s, frame);
    solver_free(s);
    return result;
}

static bool have_z3(void) {
    char line[64];
    FILE *pipe = popen("z3 --version 2>&1", "r");
    bool have = pipe && fgets(line, sizeof line, pipe) && str_starts(line, "Z3");
    if (pipe)
        pclose(pipe);
    return have;
}

static void test_no_answer_contradicts_z3(void) {
    const char *text = getenv("GK_TEST_SCALE");
    uint64_t n = 20 * (text ? strtoull(text, NULL, 10) : 1);
    size_t both = 0, sat = 0, own_only = 0, z3_only = 0;
    char path[] = "/tmp/gk_z3_XXXXXX";
    if (!have_z3())
        TEST_IGNORE_MESSAGE("z3 is not installed");
    int fd = mkstemp(path);
    TEST_ASSERT_TRUE(fd >= 0);
    close(fd);
    for (uint64_t seed = 1; seed <= n; seed++) {
        struct formula f;
        char message[40];
        formula_make(&f, seed);
        enum solver_result own = ask_own(&f, seed), z3 = ask_z3(&f, path);
        snprintf(message, sizeof message, "seed %lu", seed);
        if (own && z3)
            TEST_ASSERT_EQUAL_INT_MESSAGE(z3, own, message);
        both += own && z3;
        sat += own == SOLVER_SAT;
        own_only += own && !z3;
        z3_only += z3 && !own;
        formula_free(&f);
    }
    unlink(path);
    printf("both %zu, sat %zu, only own %zu, only z3 %zu\n", both, sat, own_only, z3_only);
    TEST_ASSERT_TRUE(both > n / 2);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_no_answer_contradicts_z3);
    return UNITY_END();
}
