/* Derived cells: what they say along runs, as text, in slices; terms as C against evaluation. */
#include "base/child.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/rng.h"
#include "model/system/slicer.h"
#include "model/system/derive.h"
#include "model/system/fact.h"
#include "model/system/machine.h"
#include "model/term/eval.h"
#include "model/term/term_c.h"
#include "model/term/value.h"

#include "random_system.h"
#include "unity.h"

#include <string.h>

static struct terms ts;
static struct system sys;
static term_t lo, hi, f, g, flag;

static term_t add_cell(const char *name, sort_t sort, bool is_signed) {
    struct cell cell = {.name = name, .init = term_const(&ts, sort, 0)};
    cell.var = cell.next = term_var(&ts, name, sort, is_signed);
    vec_push(&sys.cells, cell);
    return cell.var;
}

void setUp(void) {
    terms_init(&ts);
    system_init(&sys, &ts);
    lo = add_cell("lo", 16, true);
    hi = add_cell("hi", 16, true);
    f = add_cell("f", SORT_F32, true);
    g = add_cell("g", SORT_F32, true);
    flag = add_cell("flag", SORT_BOOL, false);
}

void tearDown(void) {
    system_free(&sys);
    terms_free(&ts);
}

static void expect_name(const char *name, term_t is, bool is_signed) {
    uint32_t cell = system_derive(&sys, is, is_signed);
    TEST_ASSERT_EQUAL_STRING(name, sys.cells.data[cell].name);
    check_system(&sys);
}

static term_t wide(term_t x) {
    return term_cast(&ts, OP_SEXT, 17, x);
}

static void test_names(void) {
    expect_name("lo <= hi", term_op2(&ts, OP_SLE, lo, hi), false);
    expect_name("f < g", term_op2(&ts, OP_FLT, f, g), false);
    expect_name("(long long)lo - hi", term_op2(&ts, OP_SUB, wide(lo), wide(hi)), true);
    expect_name("flag && ((unsigned short)(lo) < (unsigned short)(hi))",
                term_and(&ts, flag, term_op2(&ts, OP_ULT, lo, hi)), false);
}

static void test_one_cell_a_term(void) {
    size_t before = sys.cells.len;
    uint32_t first = system_derive(&sys, term_op2(&ts, OP_SLE, lo, hi), false);
    TEST_ASSERT_EQUAL_UINT32(before, first);
    TEST_ASSERT_EQUAL_UINT32(first, system_derive(&sys, term_op2(&ts, OP_SLE, lo, hi), false));
    TEST_ASSERT_EQUAL_UINT32(0, system_derive(&sys, lo, true));
    /* of a derived cell: of what that is */
    term_t of = term_and(&ts, sys.cells.data[first].var, flag);
    uint32_t second = system_derive(&sys, of, false);
    TEST_ASSERT_EQUAL_STRING("flag && (lo <= hi)", sys.cells.data[second].name);
    check_system(&sys);
}

static void test_inputs_are_no_cells(void) {
    struct sys_input input = {.name = "u", .var = term_var(&ts, "u", 16, true)};
    vec_push(&sys.inputs, input);
    TEST_ASSERT_FALSE(system_can_derive(&sys, term_op2(&ts, OP_SLE, lo, input.var)));
    TEST_ASSERT_FALSE(system_can_derive(&sys, term_int(&ts, 16, 3)));
    TEST_ASSERT_TRUE(system_can_derive(&sys, term_op2(&ts, OP_SLE, lo, hi)));
}

/* ---- random systems ---- */

static term_t any_relation(struct random_system *r, struct rng *rng) {
    size_t n = r->sys.cells.len;
    const struct cell *x = &r->sys.cells.data[rng_below(rng, n)];
    const struct cell *y = &r->sys.cells.data[rng_below(rng, n)];
    sort_t sort = term_sort(&r->terms, x->var);
    if (x == y || sort != term_sort(&r->terms, y->var))
        return 0;
    if (sort == SORT_BOOL)
        return term_op2(&r->terms, OP_XOR, x->var, y->var);
    if (sort_is_float(sort))
        return term_op2(&r->terms, rng_below(rng, 2) ? OP_FLT : OP_FADD, x->var, y->var);
    return term_op2(&r->terms, rng_below(rng, 2) ? OP_ULE : OP_SUB, x->var, y->var);
}

static void derive_some(struct random_system *r, struct rng *rng) {
    for (int i = 0; i < 6; i++) {
        term_t is = any_relation(r, rng);
        if (is && system_can_derive(&r->sys, is))
            system_derive(&r->sys, is, rng_below(rng, 2));
    }
    check_system(&r->sys);
}

static bool same_bits(sort_t sort, uint64_t a, uint64_t b) {
    return a == b || (bits_are_nan(sort, a) && bits_are_nan(sort, b));
}

/* In every state of a run a derived cell has the value of its term. */
static size_t check_state(const struct random_system *r, const struct machine *m) {
    const struct terms *terms = &r->terms;
    uint64_t *values = mem_zalloc(terms->nodes.len, sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i < r->sys.cells.len; i++) {
        const struct cell *c = &r->sys.cells.data[i];
        if (!c->is)
            continue;
        term_eval(terms, &c->is, 1, m->var_values.data, values);
        TEST_ASSERT_TRUE(same_bits(term_sort(terms, c->is), values[c->is], m->cells.data[i]));
        n++;
    }
    mem_free(values);
    return n;
}

static size_t run_derived(uint64_t seed) {
    struct random_system r;
    struct rng rng;
    struct machine m;
    size_t n = 0;
    random_system_make(&r, &(struct random_options){.seed = seed, .floats = seed % 2});
    rng_init(&rng, seed);
    derive_some(&r, &rng);
    uint64_t *in = mem_zalloc(r.sys.inputs.len + 1, sizeof *in);
    machine_init(&m, &r.sys);
    for (int run = 0; run < 4; run++) {
        random_inputs(&r, &rng, in);
        machine_reset(&m, in);
        for (int step = 0; step < 6 && !m.ended; step++) {
            n += check_state(&r, &m);
            random_inputs(&r, &rng, in);
            machine_step(&m, in);
        }
    }
    machine_free(&m);
    mem_free(in);
    random_system_free(&r);
    return n;
}

static void test_they_follow_the_run(void) {
    size_t n = 0;
    for (uint64_t seed = 0; seed < 400; seed++)
        n += run_derived(seed);
    TEST_ASSERT_GREATER_THAN_size_t(2000, n);
}

/* ---- text ---- */

static void some_fact(struct fact *fact) {
    uint32_t p = system_derive(&sys, term_op2(&ts, OP_FLE, f, g), false);
    uint32_t d = system_derive(&sys, term_op2(&ts, OP_SUB, wide(lo), wide(hi)), true);
    fact_init(fact, FACT_LEMMA);
    invariant_add(&fact->invariant,
                  (struct bound[]){{p, BOUND_GE, 1}, {0, BOUND_LE, -3}, {d, BOUND_LE, -7}}, 3);
    invariant_add(&fact->invariant, (struct bound[]){{p, BOUND_LE, 0}}, 1);
}

/* A reader whose system does not have the derived cells gets them. */
static void test_text(void) {
    struct fact fact, back;
    struct str text = {0}, again = {0};
    struct err err = {0};
    some_fact(&fact);
    fact_write(&fact, &sys, &text);
    sys.cells.len = 5;
    TEST_ASSERT_TRUE_MESSAGE(fact_read(&back, &sys, str_text(&text), &err), str_text(&err.message));
    TEST_ASSERT_EQUAL_size_t(7, sys.cells.len);
    check_system(&sys);
    fact_write(&back, &sys, &again);
    TEST_ASSERT_EQUAL_STRING(str_text(&text), str_text(&again));
    str_clear(&again);
    clause_print(&back.invariant.clauses.data[0], &sys, &again);
    TEST_ASSERT_EQUAL_STRING("f <= g || lo <= -3 || (long long)lo - hi <= -7", str_text(&again));
    str_clear(&again);
    clause_print(&back.invariant.clauses.data[1], &sys, &again);
    TEST_ASSERT_EQUAL_STRING("!(f <= g)", str_text(&again));
    fact_free(&fact);
    fact_free(&back);
    str_free(&text);
    str_free(&again);
}

static void expect_refused(const char *body, const char *message) {
    struct str text = {0};
    struct invariant inv;
    struct err err = {0};
    str_addf(&text, "invariant 1 k 1\n%send\n", body);
    TEST_ASSERT_FALSE(invariant_read(&inv, &sys, str_text(&text), &err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&err.message), message), str_text(&err.message));
    err_clear(&err);
    str_free(&text);
}

static void test_bad_text(void) {
    expect_refused("t1 given i16 9 \"lo\"\n", "there are only");
    expect_refused("t1 given i8 0 \"lo\"\n", "another sort");
    expect_refused("t1 given i16 0 \"up\"\n", "called 'lo'");
    expect_refused("t1 const i16 3\nderived t1 signed\n", "a term over cells");
    expect_refused("clause d0 \"x\" >= 1\n", "there are only 0");
}

/* ---- slices ---- */

static void test_facts_of_a_slice(void) {
    struct slice slice;
    struct fact fact, lifted;
    struct target target = {.name = "t", .hit = term_op2(&ts, OP_SLE, lo, hi)};
    vec_push(&sys.targets, target);
    slice_make(&slice, &sys, (uint32_t[]){0}, 1);
    TEST_ASSERT_EQUAL_size_t(2, slice.sys.cells.len);
    uint32_t p = system_derive(&slice.sys, target.hit, false);
    fact_init(&fact, FACT_DEAD);
    vec_push(&fact.invariant.targets, 0);
    invariant_add(&fact.invariant, (struct bound[]){{p, BOUND_LE, 0}, {1, BOUND_GE, 4}}, 2);
    fact_lift(&lifted, &fact, &slice, &sys);
    TEST_ASSERT_EQUAL_size_t(6, sys.cells.len);
    TEST_ASSERT_EQUAL_UINT32(5, lifted.invariant.clauses.data[0].data[0].cell);
    TEST_ASSERT_EQUAL_UINT32(1, lifted.invariant.clauses.data[0].data[1].cell);
    check_system(&sys);
    fact_free(&fact);
    fact_free(&lifted);
    slice_free(&slice);
    /* a slice that is made with a derived cell has what that reads */
    struct slicer slicer;
    slicer_open(&slicer, &sys);
    slicer_make(&slicer, &slice, &(struct slice_wish){.cells = (uint32_t[]){5}, .n_cells = 1});
    slicer_close(&slicer);
    TEST_ASSERT_EQUAL_size_t(3, slice.sys.cells.len);
    check_system(&slice.sys);
    slice_free(&slice);
}

/* ---- terms as C ---- */

enum { N_TERMS = 400, N_VALUES = 12 };

static const sort_t int_sorts[] = {8, 16, 32, 64};

struct c_test {
    struct terms terms;
    struct rng rng;
    VEC(term_t) vars;
};

static term_t any_var(struct c_test *c, sort_t sort) {
    for (;;) {
        term_t v = c->vars.data[rng_below(&c->rng, c->vars.len)];
        if (term_sort(&c->terms, v) == sort)
            return v;
    }
}

static term_t any_term(struct c_test *c, sort_t sort, int depth);

static term_t any_bool(struct c_test *c, int depth) {
    static const enum op ints[] = {OP_ULT, OP_ULE, OP_SLT, OP_SLE, OP_EQ};
    static const enum op floats[] = {OP_FLT, OP_FLE, OP_FEQ, OP_EQ};
    sort_t of = int_sorts[rng_below(&c->rng, 4)];
    sort_t format = rng_below(&c->rng, 2) ? SORT_F32 : SORT_F64;
    switch (rng_below(&c->rng, 5)) {
    case 0:
        return term_not(&c->terms, any_term(c, SORT_BOOL, depth));
    case 1:
        return term_op2(&c->terms, rng_below(&c->rng, 2) ? OP_AND : OP_XOR,
                        any_term(c, SORT_BOOL, depth), any_term(c, SORT_BOOL, depth));
    case 2:
        return term_op2(&c->terms, floats[rng_below(&c->rng, 4)], any_term(c, format, depth),
                        any_term(c, format, depth));
    case 3:
        return term_op1(&c->terms, rng_below(&c->rng, 2) ? OP_FISNAN : OP_FISINF,
                        any_term(c, format, depth));
    default:
        return term_op2(&c->terms, ints[rng_below(&c->rng, 5)], any_term(c, of, depth),
                        any_term(c, of, depth));
    }
}

static term_t any_int(struct c_test *c, sort_t sort, int depth) {
    static const enum op ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_BAND, OP_BOR, OP_BXOR};
    static const enum op shifts[] = {OP_SHL, OP_LSHR, OP_ASHR};
    sort_t from = int_sorts[rng_below(&c->rng, 4)];
    switch (rng_below(&c->rng, 6)) {
    case 0:
        return term_op2(&c->terms, shifts[rng_below(&c->rng, 3)], any_term(c, sort, depth),
                        term_int(&c->terms, sort, (int64_t)rng_below(&c->rng, sort)));
    case 1:
        return term_cast(&c->terms, OP_B2I, sort, any_term(c, SORT_BOOL, depth));
    case 2:
        if (from < sort)
            return term_cast(&c->terms, rng_below(&c->rng, 2) ? OP_ZEXT : OP_SEXT, sort,
                             any_term(c, from, depth));
        return from > sort ? term_cast(&c->terms, OP_TRUNC, sort, any_term(c, from, depth))
                           : any_term(c, sort, depth);
    case 3:
        return term_int(&c->terms, sort, (int64_t)rng_next(&c->rng));
    case 4: { /* a sum that cannot overflow, cut again */
        sort_t w = sort < 64 ? sort + 2 : 64;
        term_t a = any_term(c, sort, depth), b = any_term(c, sort, depth);
        if (w == 64)
            return term_op2(&c->terms, OP_SUB, a, b);
        term_t sum = term_op2(&c->terms, OP_SUB, term_cast(&c->terms, OP_SEXT, w, a),
                              term_cast(&c->terms, OP_ZEXT, w, b));
        return term_cast(&c->terms, OP_TRUNC, sort, sum);
    }
    default:
        return term_op2(&c->terms, ops[rng_below(&c->rng, 6)], any_term(c, sort, depth),
                        any_term(c, sort, depth));
    }
}

static term_t any_float(struct c_test *c, sort_t sort, int depth) {
    static const enum op ops[] = {OP_FADD, OP_FSUB, OP_FMUL, OP_FDIV};
    sort_t other = sort == SORT_F32 ? SORT_F64 : SORT_F32;
    switch (rng_below(&c->rng, 5)) {
    case 0:
        return term_op1(&c->terms, rng_below(&c->rng, 2) ? OP_FNEG : OP_FABS,
                        any_term(c, sort, depth));
    case 1:
        return term_cast(&c->terms, OP_F2F, sort, any_term(c, other, depth));
    case 2:
        return term_cast(&c->terms, rng_below(&c->rng, 2) ? OP_S2F : OP_U2F, sort,
                         any_term(c, int_sorts[rng_below(&c->rng, 4)], depth));
    case 3:
        return sort == SORT_F32 ? term_f32(&c->terms, 0.1f) : term_f64(&c->terms, -2.5e10);
    default:
        return term_op2(&c->terms, ops[rng_below(&c->rng, 4)], any_term(c, sort, depth),
                        any_term(c, sort, depth));
    }
}

static term_t any_term(struct c_test *c, sort_t sort, int depth) {
    if (depth == 0 || rng_below(&c->rng, 5) == 0)
        return any_var(c, sort);
    if (rng_below(&c->rng, 6) == 0)
        return term_ite(&c->terms, any_term(c, SORT_BOOL, depth - 1), any_term(c, sort, depth - 1),
                        any_term(c, sort, depth - 1));
    return sort == SORT_BOOL     ? any_bool(c, depth - 1)
           : sort_is_float(sort) ? any_float(c, sort, depth - 1)
                                 : any_int(c, sort, depth - 1);
}

static const char *c_type(sort_t sort, bool is_signed) {
    static const char *const types[2][4] = {
        {"unsigned char", "unsigned short", "unsigned int", "unsigned long long"},
        {"signed char", "short", "int", "long long"}};
    if (sort == SORT_BOOL || sort_is_float(sort))
        return sort == SORT_BOOL ? "_Bool" : sort == SORT_F32 ? "float" : "double";
    return types[is_signed][sort == 8 ? 0 : sort == 16 ? 1 : sort == 32 ? 2 : 3];
}

static void add_vars(struct c_test *c, struct str *text) {
    static const sort_t sorts[] = {SORT_BOOL, 8, 8, 16, 16, 32, 32, 64, 64, SORT_F32, SORT_F64};
    for (size_t i = 0; i < 2 * sizeof sorts / sizeof *sorts; i++) {
        sort_t sort = sorts[i / 2];
        char name[8];
        snprintf(name, sizeof name, "v%zu", i);
        bool is_signed = i / 2 % 2 == 0 || sort_is_float(sort);
        vec_push(&c->vars, term_var(&c->terms, name, sort, is_signed));
        str_addf(text, "static %s %s;\n", c_type(sort, is_signed), name);
    }
}

static uint64_t any_bits(struct rng *rng, sort_t sort) {
    static const float floats[] = {0.0f, -0.0f, 1.0f, -3.5f, 1e30f, 1e-40f, 255.0f, 65536.0f};
    uint64_t mask = ~0ull >> (64 - sort_width(sort));
    float value = floats[rng_below(rng, 8)];
    if (sort == SORT_F32)
        return f32_bits(value);
    if (sort == SORT_F64)
        return f64_bits((double)value);
    return (rng_below(rng, 2) ? rng_next(rng) : rng_below(rng, 5) - 2) & mask;
}

static void set_variable(struct str *text, const char *name, sort_t sort, uint64_t bits) {
    if (sort == SORT_BOOL)
        str_addf(text, "%s=%llu;", name, (unsigned long long)bits);
    else
        str_addf(text, "{unsigned long long b=0x%llxull;__builtin_memcpy(&%s,&b,sizeof %s);}",
                 (unsigned long long)bits, name, name);
}

static void print_checks(struct c_test *c, struct str *text, size_t *n) {
    uint64_t *values = NULL, vars[64];
    for (int k = 0; k < N_TERMS; k++) {
        static const sort_t sorts[] = {SORT_BOOL, SORT_BOOL, 8, 16, 32, 64, SORT_F32, SORT_F64};
        sort_t sort = sorts[rng_below(&c->rng, 8)];
        bool is_signed = rng_below(&c->rng, 2) || sort_is_float(sort);
        term_t t = any_term(c, sort, 4);
        struct str form = {0};
        if (!term_print(&c->terms, t, is_signed, &form)) {
            str_free(&form);
            continue;
        }
        values = mem_realloc(values, c->terms.nodes.len * sizeof *values);
        str_addf(text, "static void t%d(void){\n", k);
        for (int i = 0; i < N_VALUES; i++) {
            for (size_t v = 0; v < c->vars.len; v++) {
                vars[v] = any_bits(&c->rng, term_sort(&c->terms, c->vars.data[v]));
                set_variable(text, c->terms.vars.data[v].name,
                             term_sort(&c->terms, c->vars.data[v]), vars[v]);
            }
            term_eval(&c->terms, &t, 1, vars, values);
            str_addf(text, "\n{%s r=%s;%s e=0;", c_type(sort, is_signed), str_text(&form),
                     c_type(sort, is_signed));
            set_variable(text, "e", sort, values[t]);
            str_addf(text, "if(!(r==e||(r!=r&&e!=e)))bad(%d);}\n", k);
            (*n)++;
        }
        str_add(text, "}\n");
        str_free(&form);
    }
    mem_free(values);
}

static void expect_good(const char *dir, const struct str *text) {
    struct arena arena = {0};
    struct err err = {0};
    struct child_result result = {0};
    const char *c = path_join(&arena, dir, "terms.c"), *program = path_join(&arena, dir, "terms");
    TEST_ASSERT_TRUE(file_write(c, str_text(text), text->len, &err));
    const char *compile[] = {"cc", "-w", "-fwrapv", "-ffp-contract=off", "-o", program, c, NULL};
    struct child_spec spec = {.argv = compile, .wall_seconds = 120};
    TEST_ASSERT_TRUE(child_run(&spec, &result, &err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, result.code, str_text(&result.err));
    child_result_free(&result);
    spec.argv = (const char *[]){program, NULL};
    TEST_ASSERT_TRUE(child_run(&spec, &result, &err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, result.code, str_text(&result.out));
    child_result_free(&result);
    arena_free(&arena);
}

static void test_terms_as_c(void) {
    struct c_test c = {0};
    struct str text = {0}, dir = {0};
    struct err err = {0};
    size_t n = 0;
    terms_init(&c.terms);
    rng_init(&c.rng, 7);
    str_add(&text, "#include <stdio.h>\nstatic int wrong;\n"
                   "static void bad(int k){printf(\"term %d\\n\",k);wrong=1;}\n");
    add_vars(&c, &text);
    print_checks(&c, &text, &n);
    str_add(&text, "int main(void){");
    struct str calls = {0};
    for (int k = 0; k < N_TERMS; k++) {
        char head[32];
        snprintf(head, sizeof head, "static void t%d(void)", k);
        if (strstr(str_text(&text), head))
            str_addf(&calls, "t%d();", k);
    }
    str_addf(&text, "%sreturn wrong;}\n", str_text(&calls));
    TEST_ASSERT_GREATER_THAN_size_t(N_TERMS * N_VALUES / 2, n);
    TEST_ASSERT_TRUE(file_temp_dir(&dir, &err));
    expect_good(str_text(&dir), &text);
    file_remove_tree(str_text(&dir));
    str_free(&dir);
    str_free(&calls);
    str_free(&text);
    vec_free(&c.vars);
    terms_free(&c.terms);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_names);
    RUN_TEST(test_one_cell_a_term);
    RUN_TEST(test_inputs_are_no_cells);
    RUN_TEST(test_they_follow_the_run);
    RUN_TEST(test_text);
    RUN_TEST(test_bad_text);
    RUN_TEST(test_facts_of_a_slice);
    RUN_TEST(test_terms_as_c);
    return UNITY_END();
}
