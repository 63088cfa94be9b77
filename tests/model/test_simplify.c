/* Every rule against evaluation: random small terms are built twice, through the simplifying
 * constructors and as bare nodes, and must have equal values for corner and random inputs. The
 * decoded form that machines run is held against the same values. */
#include "base/mem.h"
#include "base/rng.h"
#include "base/str.h"
#include "model/term/eval.h"
#include "model/term/machine_code.h"
#include "model/term/simplify.h"

#include "unity.h"

#include <float.h>

enum { VARS_A_SORT = 3, GROWTH = 50, ASSIGNMENTS = 40, ROUNDS = 1000 };

static const sort_t sorts[] = {SORT_BOOL, 1, 3, 8, 16, 25, 32, 54, 64, SORT_F32, SORT_F64};
enum { SORTS = sizeof sorts / sizeof *sorts };

/* The sorts that take part: few widths make casts meet their inverse. */
static const sort_t few[] = {SORT_BOOL, 8, 32, SORT_F32, SORT_F64};
static const sort_t *active = sorts;
static size_t active_count = SORTS;

struct pair {
    term_t simple, bare;
};

static struct terms ts;
static struct rng rng;
static VEC(struct pair) pool[SORT_F64 + 1];
static uint32_t tables[SORT_F64 + 1];

void setUp(void) {
    terms_init(&ts);
    rng_init(&rng, 2024);
}
void tearDown(void) {
    for (int s = 0; s <= SORT_F64; s++)
        vec_free(&pool[s]);
    terms_free(&ts);
}

static uint64_t below(uint64_t n) {
    return rng_below(&rng, n);
}

/* ---- values ---- */

static uint64_t random_f32(void) {
    static const float corners[] = {0.0f,    1.0f,    2.0f,         0.5f,       3.0f,   0.1f,
                                    1e10f,   FLT_MAX, FLT_MIN,      1e-45f,     255.0f, 256.0f,
                                    65535.f, 32767.f, 2147483648.f, 16777216.f, 1.5f,   2.5f,
                                    9.2e18f, 1.8e19f, 8388609.f};
    switch (below(8)) {
    case 0:
        return below(2) ? 0x7f800000u : 0xff800000u;
    case 1:
        return 0x7fc00000u;
    case 2:
        return rng_next(&rng) & 0xffffffffu;
    case 3:
        return f32_bits((float)(int)below(20) - 10);
    default: {
        uint64_t bits = f32_bits(corners[below(sizeof corners / sizeof *corners)]);
        return bits ^ (below(2) << 31);
    }
    }
}

static uint64_t random_f64(void) {
    static const double corners[] = {0.1, 1e-310, DBL_MAX, DBL_MIN, 4294967295.0, 1.0 / 3, 1e300};
    switch (below(5)) {
    case 0:
        return rng_next(&rng);
    case 1:
        return f64_bits(corners[below(sizeof corners / sizeof *corners)]);
    default:
        return f64_bits((double)bits_f32(random_f32()));
    }
}

static uint64_t random_int(sort_t width) {
    uint64_t mask = int_mask(width), one = 1;
    switch (below(6)) {
    case 0:
        return below(4) & mask;
    case 1:
        return (0 - below(4)) & mask;
    case 2:
        return ((one << (width - 1)) + below(3) - 1) & mask;
    case 3:
        return ((one << below(width)) + below(3) - 1) & mask;
    case 4:
        return below(width + 3) & mask;
    default:
        return rng_next(&rng) & mask;
    }
}

/* Constants made lately: they and their neighbours are worth another look. */
static uint64_t notable[8];

static uint64_t random_bits(sort_t sort) {
    if (sort == SORT_BOOL)
        return below(2);
    if (below(3) == 0) {
        uint64_t mask = ~(uint64_t)0 >> (64 - sort_width(sort));
        return bits_canonical(sort, (notable[below(8)] + below(3) - 1) & mask);
    }
    if (sort == SORT_F32)
        return bits_canonical(sort, random_f32());
    return sort == SORT_F64 ? bits_canonical(sort, random_f64()) : random_int(sort);
}

/* ---- terms ---- */

static struct pair pick(sort_t sort) {
    size_t len = pool[sort].len;
    if (len == 0 || below(4) == 0) {
        uint64_t bits = random_bits(sort);
        notable[below(8)] = bits;
        term_t c = term_const(&ts, sort, bits);
        return (struct pair){c, c};
    }
    size_t recent = len > 6 && below(2) ? len - 6 : 0;
    return pool[sort].data[recent + below(len - recent)];
}

static sort_t pick_sort(char letter) {
    for (;;) {
        sort_t s = active[below(active_count)];
        if (letter == 'x' || (letter == 'b' && s == SORT_BOOL) ||
            (letter == 'i' && sort_is_int(s)) || (letter == 'f' && sort_is_float(s)))
            return s;
    }
}

static struct pair grow_cast(enum op op) {
    sort_t from = pick_sort(op_table[op].args[0]), to;
    struct pair a = pick(from);
    int tries = 0;
    do
        to = active[below(active_count)];
    while (term_args_fault(&ts, op, to, &a.simple) && ++tries < 50);
    if (term_args_fault(&ts, op, to, &a.simple))
        return a;
    return (struct pair){term_cast(&ts, op, to, a.simple), term_node(&ts, op, to, &a.bare, 0)};
}

static struct pair grow_table(void) {
    sort_t sort = active[below(active_count)];
    struct pair i = pick(pick_sort('i'));
    return (struct pair){term_table_at(&ts, tables[sort], i.simple),
                         term_node(&ts, OP_TABLE, sort, &i.bare, tables[sort])};
}

static struct pair grow_op(enum op op) {
    const struct op_info *info = &op_table[op];
    sort_t common = SORT_NONE;
    struct pair a[3] = {{0}};
    for (int i = 0; i < info->arity; i++) {
        sort_t s = info->args[i] == 'b' ? SORT_BOOL : common;
        if (s == SORT_NONE)
            s = common = pick_sort(info->args[i]);
        a[i] = i && below(6) == 0 && term_sort(&ts, a[i - 1].bare) == s ? a[i - 1] : pick(s);
    }
    term_t bare[3] = {a[0].bare, a[1].bare, a[2].bare};
    sort_t sort = info->result == 'b' ? SORT_BOOL : term_sort(&ts, bare[info->arity - 1]);
    struct pair p = {0, term_node(&ts, op, sort, bare, 0)};
    if (info->arity == 1)
        p.simple = term_op1(&ts, op, a[0].simple);
    else if (info->arity == 2)
        p.simple = term_op2(&ts, op, a[0].simple, a[1].simple);
    else
        p.simple = term_op3(&ts, op, a[0].simple, a[1].simple, a[2].simple);
    return p;
}

static struct pair grow(const enum op *ops, size_t n) {
    enum op op = ops[below(n)];
    if (op == OP_TABLE)
        return grow_table();
    return op_table[op].result == 'p' ? grow_cast(op) : grow_op(op);
}

static void plant(void) {
    check_terms(&ts);
    terms_free(&ts);
    terms_init(&ts);
    for (int s = 0; s < SORTS; s++) {
        vec_clear(&pool[sorts[s]]);
        for (int i = 0; i < VARS_A_SORT; i++) {
            term_t v = term_var(&ts, "v", sorts[s], true);
            vec_push(&pool[sorts[s]], (struct pair){v, v});
        }
        uint64_t values[4];
        for (int i = 0; i < 4; i++)
            values[i] = random_bits(sorts[s]);
        tables[sorts[s]] = term_add_table(&ts, sorts[s], values, 1 + below(4));
    }
}

/* ---- the property ---- */

static void show(term_t t, struct str *out) {
    const struct term *n = term_get(&ts, t);
    str_addf(out, "  %u = %s:%s", t, op_table[n->op].text, sort_name(n->sort));
    if (n->arity == 0)
        str_addf(out, " %#llx", (unsigned long long)n->payload);
    for (int i = 0; i < n->arity; i++)
        str_addf(out, " %u", n->arg[i]);
    str_addc(out, '\n');
}

static void show_cone(term_t t, const uint64_t *values, struct str *out) {
    bool *mark = mem_zalloc(ts.nodes.len, sizeof *mark);
    term_mark(&ts, &t, 1, mark);
    for (term_t u = 1; u <= t; u++)
        if (mark[u]) {
            show(u, out);
            str_addf(out, "      is %#llx\n", (unsigned long long)values[u]);
        }
    mem_free(mark);
}

static void compare(struct pair p, const uint64_t *values) {
    if (values[p.simple] == values[p.bare])
        return;
    struct str message = {0};
    str_add(&message, "bare:\n");
    show_cone(p.bare, values, &message);
    str_add(&message, "simple:\n");
    show_cone(p.simple, values, &message);
    printf("%s", str_text(&message));
    TEST_FAIL_MESSAGE("a simplified term has another value");
}

/* What is known of its bits is true of its value. */
static void check_bits(term_t t, const uint64_t *values) {
    struct known_bits known = term_known_bits(&ts, t);
    TEST_ASSERT_EQUAL_HEX64(0, known.zeros & known.ones);
    TEST_ASSERT_EQUAL_HEX64(0, values[t] & known.zeros);
    TEST_ASSERT_EQUAL_HEX64(known.ones, values[t] & known.ones);
}

static void check_values(const struct pair *pairs, size_t n) {
    VEC(term_t) roots = {0};
    for (size_t i = 0; i < n; i++) {
        vec_push(&roots, pairs[i].simple);
        vec_push(&roots, pairs[i].bare);
    }
    uint64_t *values = mem_zalloc(ts.nodes.len, sizeof *values);
    uint64_t *again = mem_zalloc(ts.nodes.len, sizeof *again);
    uint64_t *vars = mem_zalloc(ts.vars.len, sizeof *vars);
    struct machine_code *code = machine_code_new(&ts, roots.data, roots.len, again);
    for (int a = 0; a < ASSIGNMENTS; a++) {
        for (size_t v = 0; v < ts.vars.len; v++)
            vars[v] = random_bits(ts.vars.data[v].sort);
        term_eval(&ts, roots.data, roots.len, vars, values);
        machine_code_run(code, vars, again);
        TEST_ASSERT_EQUAL_HEX64_ARRAY(values, again, ts.nodes.len);
        for (size_t i = 0; i < n; i++) {
            compare(pairs[i], values);
            check_bits(pairs[i].bare, values);
        }
    }
    machine_code_free(code);
    mem_free(values);
    mem_free(again);
    mem_free(vars);
    vec_free(&roots);
}

static void check_family(const enum op *ops, size_t n, int rounds) {
    for (int round = 0; round < rounds; round++) {
        struct pair made[GROWTH];
        plant();
        for (int i = 0; i < GROWTH; i++) {
            made[i] = grow(ops, n);
            TEST_ASSERT_EQUAL(term_sort(&ts, made[i].bare), term_sort(&ts, made[i].simple));
            vec_push(&pool[term_sort(&ts, made[i].bare)], made[i]);
        }
        check_values(made, GROWTH);
    }
}

static void check_row(enum op first, enum op last, int rounds) {
    enum op ops[OP_COUNT];
    size_t n = 0;
    for (enum op op = first; op <= last; op++)
        ops[n++] = op;
    check_family(ops, n, rounds);
}

static void test_all_operators_together(void) {
    check_row(OP_NOT, OP_HYPOT, ROUNDS);
}

static void test_bool_and_choice(void) {
    check_row(OP_NOT, OP_EQ, ROUNDS);
}

static void test_integers(void) {
    check_row(OP_ITE, OP_B2I, ROUNDS);
}

static void test_floats(void) {
    check_row(OP_FADD, OP_FSIGN, ROUNDS);
}

static void test_casts(void) {
    check_row(OP_FMIN, OP_TABLE, ROUNDS);
    check_row(OP_ULT, OP_FDIV, ROUNDS);
}

/* Few operators make the patterns of rules that look two levels deep. */
#define CHECK(...)                                                                                 \
    check_family((enum op[]){__VA_ARGS__}, sizeof((enum op[]){__VA_ARGS__}) / sizeof(enum op),     \
                 ROUNDS)

static void test_few_operators_on_integers(void) {
    active = few;
    active_count = sizeof few / sizeof *few;
    CHECK(OP_TRUNC, OP_SEXT, OP_ZEXT, OP_LSHR, OP_ASHR, OP_BAND, OP_ITE);
    CHECK(OP_B2I, OP_BAND, OP_BOR, OP_BXOR);
    CHECK(OP_NOT, OP_AND, OP_OR, OP_EQ, OP_ULT, OP_SLT);
    CHECK(OP_NOT, OP_AND, OP_OR, OP_EQ, OP_FLT, OP_FEQ);
    CHECK(OP_SHL, OP_LSHR, OP_BAND);
    active = sorts;
    active_count = SORTS;
    CHECK(OP_ADD, OP_SUB, OP_EQ, OP_MUL, OP_SLT);
    CHECK(OP_ADD, OP_SUB, OP_EQ, OP_SHL, OP_AND, OP_OR, OP_NOT);
    CHECK(OP_ADD, OP_SUB, OP_EQ, OP_ITE);
    CHECK(OP_ADD, OP_ITE, OP_ULT, OP_SLT, OP_EQ);
    CHECK(OP_SHL, OP_LSHR, OP_ASHR, OP_MUL, OP_BAND);
    CHECK(OP_SHL, OP_ASHR, OP_TRUNC, OP_SEXT);
    CHECK(OP_TRUNC, OP_SEXT, OP_ZEXT, OP_ITE, OP_ULT, OP_SLT);
    CHECK(OP_B2I, OP_EQ, OP_ULT, OP_SLT, OP_BXOR, OP_BAND, OP_BOR);
    CHECK(OP_ITE, OP_ULE, OP_SLE, OP_EQ, OP_NOT);
    CHECK(OP_UDIV, OP_SDIV, OP_UREM, OP_SREM, OP_ZEXT, OP_SEXT);
    CHECK(OP_TABLE, OP_ZEXT, OP_ULT, OP_SLT, OP_EQ);
}

static void test_few_operators_on_floats(void) {
    CHECK(OP_FNEG, OP_EQ, OP_FLT, OP_FLE, OP_FEQ);
    CHECK(OP_FNEG, OP_FADD, OP_FSUB, OP_FMUL, OP_FDIV);
    CHECK(OP_F2F, OP_FADD, OP_FSUB, OP_FMUL, OP_FDIV, OP_FSQRT);
    CHECK(OP_FADD, OP_FSUB, OP_ITE, OP_FLT, OP_FLE, OP_FEQ, OP_EQ);
    CHECK(OP_F2F, OP_FLT, OP_FLE, OP_FEQ, OP_ITE);
    CHECK(OP_F2F, OP_F2FZ, OP_F2FA, OP_F2FN, OP_S2F, OP_ITE, OP_FNEG);
    CHECK(OP_S2F, OP_U2F, OP_F2F, OP_F2S, OP_F2U, OP_TRUNC);
    CHECK(OP_S2F, OP_U2F, OP_ZEXT, OP_SEXT, OP_FISNAN, OP_FISINF, OP_FSIGN, OP_FABS);
    CHECK(OP_FISNAN, OP_FABS, OP_FMIN, OP_FMAX, OP_FCOPYSIGN, OP_BITS2F, OP_F2BITS);
}

/* Every pair of comparisons of a 3-bit term with constants, joined by AND and OR. */
static void check_atoms(term_t x, enum op op, enum op other, uint64_t c, uint64_t d,
                        uint64_t nots) {
    term_t a = term_op2(&ts, op, x, term_const(&ts, 3, c));
    term_t b = term_op2(&ts, other, x, term_const(&ts, 3, d));
    a = nots & 1 ? term_not(&ts, a) : a;
    b = nots & 2 ? term_not(&ts, b) : b;
    term_t roots[2] = {term_and(&ts, a, b), term_or(&ts, a, b)};
    uint64_t *values = mem_zalloc(ts.nodes.len, sizeof *values);
    for (uint64_t v = 0; v < 8; v++) {
        bool p = term_eval_op(op, SORT_BOOL, 3, (uint64_t[]){v, c}) != (nots & 1);
        bool q = term_eval_op(other, SORT_BOOL, 3, (uint64_t[]){v, d}) != (nots >> 1);
        term_eval(&ts, roots, 2, &v, values);
        TEST_ASSERT_EQUAL(p && q, values[roots[0]]);
        TEST_ASSERT_EQUAL(p || q, values[roots[1]]);
    }
    mem_free(values);
}

static void test_pairs_of_comparisons_exhaustively(void) {
    static const enum op ops[] = {OP_EQ, OP_ULT, OP_ULE, OP_SLT, OP_SLE};
    term_t x = term_var(&ts, "x", 3, true);
    for (int i = 0; i < 25; i++)
        for (uint64_t c = 0; c < 8; c++)
            for (uint64_t d = 0; d < 8; d++)
                for (uint64_t nots = 0; nots < 4; nots++)
                    check_atoms(x, ops[i / 5], ops[i % 5], c, d, nots);
}

/* ---- equalities ---- */

static term_t sum(term_t a, int64_t c) {
    return term_op2(&ts, OP_ADD, a, term_int(&ts, 32, c));
}

/* What needs no solver: everything that cancels, and equalities that exclude each other. */
static void test_equalities_fold(void) {
    term_t x = term_var(&ts, "x", 32, true), y = term_var(&ts, "y", 32, true);
    term_t z = term_var(&ts, "z", 32, true), c = term_var(&ts, "c", SORT_BOOL, false);
    term_t xy = term_op2(&ts, OP_SUB, x, y), yx = term_op2(&ts, OP_SUB, y, x);
    term_t five = term_int(&ts, 32, 5), no = term_bool(&ts, false), yes = term_bool(&ts, true);
    TEST_ASSERT_EQUAL(no, term_eq(&ts, sum(y, 1), y));
    TEST_ASSERT_EQUAL(no, term_eq(&ts, term_ite(&ts, c, sum(y, 1), sum(y, -1)), y));
    TEST_ASSERT_EQUAL(no, term_and(&ts, term_eq(&ts, xy, five), term_eq(&ts, yx, five)));
    TEST_ASSERT_EQUAL(term_eq(&ts, xy, five), term_and(&ts, term_eq(&ts, xy, five),
                                                       term_eq(&ts, yx, term_int(&ts, 32, -5))));
    TEST_ASSERT_EQUAL(yes, term_or(&ts, term_not(&ts, term_eq(&ts, x, sum(y, 1))),
                                   term_not(&ts, term_eq(&ts, y, sum(x, 1)))));
    term_t others =
        term_and(&ts, term_and(&ts, c, term_eq(&ts, xy, five)), term_op2(&ts, OP_SLT, z, x));
    TEST_ASSERT_EQUAL(no, term_and(&ts, others, term_eq(&ts, yx, five)));
    TEST_ASSERT_EQUAL(others, term_and(&ts, others, term_not(&ts, term_eq(&ts, x, y))));
    TEST_ASSERT_EQUAL(term_or(&ts, c, term_eq(&ts, x, y)), term_eq(&ts, x, term_ite(&ts, c, x, y)));
    TEST_ASSERT_EQUAL(no, term_and(&ts, term_op2(&ts, OP_SLT, term_ite(&ts, c, x, y), x), c));
    TEST_ASSERT_EQUAL(term_eq(&ts, x, y), term_eq(&ts, sum(term_op2(&ts, OP_ADD, x, z), 7),
                                                  term_op2(&ts, OP_ADD, sum(y, 3), sum(z, 4))));
    term_t twice = term_op2(&ts, OP_ADD, x, x), shifted = term_op2(&ts, OP_SHL, y, five);
    TEST_ASSERT_EQUAL(yes, term_eq(&ts, twice, term_op2(&ts, OP_MUL, x, term_int(&ts, 32, 2))));
    TEST_ASSERT_EQUAL(no, term_eq(&ts, sum(twice, 1), shifted)); /* odd and even */
}

/* What is left by powers of two, of all numbers of 8 bits, is the low bits. */
static void test_remainders_of_powers_of_two(void) {
    term_t x = term_var(&ts, "x", 8, true), zero = term_int(&ts, 8, 0);
    for (int n = 0; n < 8; n++) {
        term_t by = term_int(&ts, 8, (int64_t)1 << n);
        term_t low = term_op2(&ts, OP_BAND, x, term_int(&ts, 8, ((int64_t)1 << n) - 1));
        term_t roots[] = {term_op2(&ts, OP_UREM, x, by),
                          term_eq(&ts, term_op2(&ts, OP_SREM, x, by), zero)};
        TEST_ASSERT_EQUAL(low, roots[0]);
        TEST_ASSERT_EQUAL(term_eq(&ts, low, zero), roots[1]);
        uint64_t *values = mem_zalloc(ts.nodes.len, sizeof *values);
        for (uint64_t v = 0; v < 256; v++) {
            uint64_t args[] = {v, (uint64_t)1 << n};
            term_eval(&ts, roots, 2, &v, values);
            TEST_ASSERT_EQUAL(term_eval_op(OP_UREM, 8, 8, args), values[roots[0]]);
            TEST_ASSERT_EQUAL(term_eval_op(OP_SREM, 8, 8, args) == 0, values[roots[1]]);
        }
        mem_free(values);
    }
}

static void test_float_equalities_fold(void) {
    term_t f = term_var(&ts, "f", SORT_F32, true);
    term_t number = term_not(&ts, term_op1(&ts, OP_FISNAN, f));
    term_t zero = term_f32(&ts, 0.0f), two = term_f32(&ts, 2.0f);
    TEST_ASSERT_EQUAL(number, term_op2(&ts, OP_FEQ, term_op2(&ts, OP_FADD, zero, f), f));
    TEST_ASSERT_EQUAL(term_op2(&ts, OP_FMUL, two, f), term_op2(&ts, OP_FADD, f, f));
    TEST_ASSERT_NOT_EQUAL(f, term_op2(&ts, OP_FADD, zero, f)); /* -0 + 0 is +0 */
}

/* Twenty-two flags, none of which is bit 3; one that is makes the difference. */
static void test_masks_fold(void) {
    term_t eight = term_int(&ts, 32, 8), all = term_int(&ts, 32, 0);
    term_t others = term_int(&ts, 32, 247), x = 0;
    for (int i = 0; i < 22; i++) {
        term_t flag = term_cast(&ts, OP_ZEXT, 32, term_var(&ts, "flag", 8, false));
        x = term_op2(&ts, OP_BAND, flag, others);
        all = term_op2(&ts, OP_BOR, all, x);
    }
    TEST_ASSERT_EQUAL(term_int(&ts, 32, 0), term_op2(&ts, OP_BAND, all, eight));
    term_t one = term_cast(&ts, OP_ZEXT, 32, term_var(&ts, "one", 8, false));
    term_t bit = term_op2(&ts, OP_BAND, one, eight);
    all = term_op2(&ts, OP_BOR, all, one);
    TEST_ASSERT_EQUAL(bit, term_op2(&ts, OP_BAND, all, eight));
    TEST_ASSERT_EQUAL(term_bool(&ts, false), term_eq(&ts, term_op2(&ts, OP_BOR, all, eight), x));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_bool_and_choice);
    RUN_TEST(test_integers);
    RUN_TEST(test_floats);
    RUN_TEST(test_casts);
    RUN_TEST(test_few_operators_on_integers);
    RUN_TEST(test_few_operators_on_floats);
    RUN_TEST(test_pairs_of_comparisons_exhaustively);
    RUN_TEST(test_all_operators_together);
    RUN_TEST(test_equalities_fold);
    RUN_TEST(test_remainders_of_powers_of_two);
    RUN_TEST(test_float_equalities_fold);
    RUN_TEST(test_masks_fold);
    return UNITY_END();
}
