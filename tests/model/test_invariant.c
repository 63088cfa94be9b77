/* Bounds, clauses and invariants: their three readings (as a check on bits, as a term, as text)
 * agree on every kind of value, and negation is complement. */
#include "base/mem.h"
#include "base/rng.h"
#include "model/term/eval.h"
#include "model/system/invariant.h"
#include "model/term/range.h"

#include "unity.h"

#include <math.h>
#include <string.h>

static struct terms ts;
static struct system sys;

static const struct {
    sort_t sort;
    bool is_signed;
} kinds[] = {{SORT_BOOL, false}, {3, true},  {3, false},  {8, true},        {16, false},
             {32, true},         {64, true}, {64, false}, {SORT_F32, true}, {SORT_F64, true}};
enum { KINDS = sizeof kinds / sizeof *kinds };

void setUp(void) {
    terms_init(&ts);
    system_init(&sys, &ts);
    for (int i = 0; i < KINDS; i++) {
        term_t var = term_var(&ts, "x", kinds[i].sort, kinds[i].is_signed);
        term_t zero = term_const(&ts, kinds[i].sort, 0);
        vec_push(&sys.cells, (struct cell){"x", var, zero, var});
    }
    check_system(&sys);
}
void tearDown(void) {
    system_free(&sys);
    terms_free(&ts);
}

static uint64_t some_bits(struct rng *rng, sort_t sort) {
    static const float corners[] = {0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, NAN, 1e-45f};
    if (sort == SORT_F32 && rng_below(rng, 2))
        return f32_bits(corners[rng_below(rng, 8)]) & (rng_below(rng, 4) ? ~0ull : 0x7fffffff);
    if (sort == SORT_F64 && rng_below(rng, 2))
        return f64_bits((double)corners[rng_below(rng, 8)]);
    uint64_t mask = ~0ull >> (64 - sort_width(sort));
    switch (rng_below(rng, 4)) {
    case 0:
        return rng_below(rng, 4) & mask;
    case 1:
        return (0 - rng_below(rng, 4)) & mask;
    case 2:
        return (mask / 2 + rng_below(rng, 3)) & mask;
    default:
        return rng_next(rng) & mask;
    }
}

/* A limit: the ordinal of some value, its neighbour, or an end of the range and beyond. */
static int64_t some_ordinal(struct rng *rng, sort_t sort, bool is_signed) {
    int64_t least = ordinal_min(sort, is_signed), most = ordinal_max(sort, is_signed);
    switch (rng_below(rng, 8)) {
    case 0:
        return least > INT64_MIN ? least - (int64_t)rng_below(rng, 2) : least + 1;
    case 1:
        return most < INT64_MAX ? most + (int64_t)rng_below(rng, 2) : most - 1;
    case 2:
        return (int64_t)rng_below(rng, 3) - (least < 0);
    default:
        return ordinal_of(sort, is_signed, some_bits(rng, sort));
    }
}

static bool term_holds(term_t t, uint32_t cell, uint64_t bits) {
    uint64_t vars[KINDS] = {0}, *values = mem_zalloc(ts.nodes.len, sizeof *values);
    vars[cell] = bits;
    term_eval(&ts, &t, 1, vars, values);
    bool holds = values[t] != 0;
    mem_free(values);
    return holds;
}

static struct bound some_bound(struct rng *rng) {
    struct bound b = {.cell = (uint32_t)rng_below(rng, KINDS)};
    b.kind = (uint8_t)(rng_below(rng, 8) ? rng_below(rng, 2) : 2 + rng_below(rng, 2));
    if (b.kind == BOUND_GE || b.kind == BOUND_LE)
        b.ordinal = some_ordinal(rng, kinds[b.cell].sort, kinds[b.cell].is_signed);
    bool ge_min = b.kind == BOUND_GE && b.ordinal == INT64_MIN;
    bool le_max = b.kind == BOUND_LE && b.ordinal == INT64_MAX;
    b.ordinal += ge_min - le_max; /* those have no complement */
    return b;
}

/* A limit near the ends of what the sum can be, or anything around 0. */
static struct bound some_sum(struct rng *rng) {
    static const int16_t factors[] = {1, 2, 3, 7, 4095, BOUND_FACTOR_MAX};
    struct bound b = {.kind = (uint8_t)rng_below(rng, 2)};
    do {
        b.cell = (uint32_t)rng_below(rng, KINDS);
        b.other = (uint32_t)rng_below(rng, KINDS);
        b.factor = factors[rng_below(rng, 6)];
        b.other_factor = factors[rng_below(rng, 6)];
        b.other_factor = rng_below(rng, 2) ? b.other_factor : (int16_t)-b.other_factor;
    } while (!bound_sum_valid(&sys, b));
    b.ordinal = (int64_t)rng_below(rng, 41) - 20;
    if (rng_below(rng, 2))
        b.ordinal =
            b.factor * some_ordinal(rng, kinds[b.cell].sort, kinds[b.cell].is_signed) +
            b.other_factor * some_ordinal(rng, kinds[b.other].sort, kinds[b.other].is_signed);
    return b;
}

static __int128 sum_of(struct bound b, const uint64_t *cells) {
    __int128 x = ordinal_of(kinds[b.cell].sort, kinds[b.cell].is_signed, cells[b.cell]);
    __int128 y = ordinal_of(kinds[b.other].sort, kinds[b.other].is_signed, cells[b.other]);
    return b.factor * x + b.other_factor * y;
}

static void test_sums_are_sums_of_integers(void) {
    struct rng rng;
    rng_init(&rng, 13);
    for (int i = 0; i < 20000; i++) {
        struct bound b = some_sum(&rng), no = bound_negate(b);
        struct clause yes = {&b, 1, 1}, not = {&no, 1, 1};
        uint64_t cells[KINDS];
        for (int k = 0; k < KINDS; k++)
            cells[k] = some_bits(&rng, kinds[k].sort);
        __int128 sum = sum_of(b, cells);
        bool holds = b.kind == BOUND_GE ? sum >= b.ordinal : sum <= b.ordinal;
        TEST_ASSERT_EQUAL(holds, clause_holds(&yes, &sys, cells));
        TEST_ASSERT_EQUAL(!holds, clause_holds(&not, &sys, cells));
        TEST_ASSERT_TRUE(bound_same(b, bound_negate(no)) && !bound_same(b, no));
        term_t terms[2] = {bound_term(&sys, b), bound_term(&sys, no)};
        uint64_t *values = mem_zalloc(ts.nodes.len, sizeof *values);
        term_eval(&ts, terms, 2, cells, values);
        TEST_ASSERT_EQUAL(holds, values[terms[0]] != 0);
        TEST_ASSERT_EQUAL(!holds, values[terms[1]] != 0);
        mem_free(values);
    }
}

/* Cell k of the slice is cell map[k] of the system, for both cells of a sum. */
static void test_clauses_move_between_systems(void) {
    struct bound lits[2] = {{.cell = 1, .kind = BOUND_LE, .ordinal = 2},
                            {.cell = 0, .other = 1, .factor = 1, .other_factor = -2}};
    struct clause c = {lits, 2, 2};
    TEST_ASSERT_TRUE(clause_map(&c, (uint32_t[]){5, 7}));
    TEST_ASSERT_EQUAL_UINT32(7, lits[0].cell);
    TEST_ASSERT_EQUAL_UINT32(5, lits[1].cell);
    TEST_ASSERT_EQUAL_UINT32(7, lits[1].other);
    lits[0].cell = lits[1].cell = 0;
    lits[1].other = 1;
    TEST_ASSERT_FALSE(clause_map(&c, (uint32_t[]){5, NONE}));
}

static void expect_unread(const char *text, const char *fault) {
    struct invariant inv;
    struct err err = {0};
    TEST_ASSERT_FALSE(invariant_read(&inv, &sys, text, &err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&err.message), fault), str_text(&err.message));
    err_clear(&err);
}

static void test_broken_sums_are_refused(void) {
    expect_unread("invariant 1 k 1\nclause sum 1 c3 \"x\" 1 c3 \"x\" <= 4\nend\n", "different");
    expect_unread("invariant 1 k 1\nclause sum 1 c3 \"x\" 1 c6 \"x\" <= 4\nend\n", "32 bits");
    expect_unread("invariant 1 k 1\nclause sum 1 c3 \"x\" 1 c8 \"x\" <= 4\nend\n", "integers");
    expect_unread("invariant 1 k 1\nclause sum 1 c3 \"x\" 0 c4 \"x\" <= 4\nend\n", "factors");
    expect_unread("invariant 1 k 1\nclause sum -1 c3 \"x\" 1 c4 \"x\" <= 4\nend\n", "positive");
    expect_unread("invariant 1 k 1\nclause sum 1 c3 \"x\" 5000 c4 \"x\" <= 4\nend\n", "4096");
    expect_unread("invariant 1 k 1\nclause sum 1 c3 \"x\" 1 c4 \"x\"\nend\n", ">=");
}

static void test_bounds_are_their_terms(void) {
    struct rng rng;
    rng_init(&rng, 9);
    for (int i = 0; i < 40000; i++) {
        struct bound b = some_bound(&rng), no = bound_negate(b);
        sort_t sort = kinds[b.cell].sort;
        bool is_signed = kinds[b.cell].is_signed;
        uint64_t bits = some_bits(&rng, sort);
        bool holds = bound_holds(b, sort, is_signed, bits);
        TEST_ASSERT_EQUAL(!holds, bound_holds(no, sort, is_signed, bits));
        TEST_ASSERT_EQUAL(holds, term_holds(bound_term(&sys, b), b.cell, bits));
        TEST_ASSERT_EQUAL(!holds, term_holds(bound_term(&sys, no), b.cell, bits));
        struct bound twice = bound_negate(no);
        TEST_ASSERT_TRUE(twice.kind == b.kind && twice.ordinal == b.ordinal);
    }
}

static void test_clauses_are_disjunctions(void) {
    struct rng rng;
    rng_init(&rng, 10);
    for (int i = 0; i < 5000; i++) {
        struct clause c = {0};
        uint64_t cells[KINDS], *values;
        for (uint64_t n = rng_below(&rng, 4); n > 0; n--)
            vec_push(&c, some_bound(&rng));
        bool any = false;
        for (int k = 0; k < KINDS; k++)
            cells[k] = some_bits(&rng, kinds[k].sort);
        for (size_t l = 0; l < c.len; l++)
            any |= bound_holds(c.data[l], kinds[c.data[l].cell].sort,
                               kinds[c.data[l].cell].is_signed, cells[c.data[l].cell]);
        TEST_ASSERT_EQUAL(any, clause_holds(&c, &sys, cells));
        term_t t = clause_term(&sys, &c);
        values = mem_zalloc(ts.nodes.len, sizeof *values);
        term_eval(&ts, &t, 1, cells, values);
        TEST_ASSERT_EQUAL(any, values[t] != 0);
        mem_free(values);
        vec_free(&c);
    }
}

static void test_invariants_survive_as_text(void) {
    struct rng rng;
    rng_init(&rng, 11);
    for (int i = 0; i < 300; i++) {
        struct invariant inv, copy, back;
        invariant_init(&inv);
        inv.k = 1 + (uint32_t)rng_below(&rng, 3);
        for (uint64_t n = rng_below(&rng, 5); n > 0; n--) {
            struct bound lits[3] = {some_bound(&rng), some_sum(&rng), some_bound(&rng)};
            invariant_add(&inv, lits, rng_below(&rng, 4));
        }
        invariant_copy(&copy, &inv);
        invariant_free(&inv);
        struct str first = {0}, second = {0};
        struct err err = {0};
        invariant_write(&copy, &sys, &first);
        bool ok = invariant_read(&back, &sys, str_text(&first), &err);
        TEST_ASSERT_TRUE_MESSAGE(ok, str_text(&err.message));
        invariant_write(&back, &sys, &second);
        TEST_ASSERT_EQUAL_STRING(str_text(&first), str_text(&second));
        invariant_free(&copy);
        invariant_free(&back);
        str_free(&first);
        str_free(&second);
    }
}

static void expect_print(struct bound b, const char *text) {
    struct str out = {0};
    bound_print(b, &sys, &out);
    TEST_ASSERT_EQUAL_STRING(text, str_text(&out));
    str_free(&out);
}

static void test_bounds_read_like_the_program(void) {
    expect_print((struct bound){0, BOUND_GE, 1}, "x");
    expect_print((struct bound){0, BOUND_LE, 0}, "!x");
    expect_print((struct bound){3, BOUND_GE, -5}, "x >= -5");
    expect_print((struct bound){4, BOUND_LE, 65000}, "x <= 65000");
    expect_print((struct bound){7, BOUND_GE, INT64_MIN + 3}, "x >= 3");
    int64_t tenth = ordinal_of(SORT_F32, true, f32_bits(0.1f));
    expect_print((struct bound){8, BOUND_GE, tenth}, "x >= 0.1");
    expect_print((struct bound){8, BOUND_LE, tenth + 1}, "x <= 0.10000001");
    expect_print((struct bound){9, BOUND_LE, ordinal_max(SORT_F64, true)}, "x <= inf");
    expect_print((struct bound){9, BOUND_LE, -1}, "x <= -0.0");
    expect_print((struct bound){3, BOUND_LE, 21, 4, 1, 1}, "x + x <= 21");
    expect_print((struct bound){3, BOUND_GE, -5, 4, 2, -3}, "2*x - 3*x >= -5");
    expect_print((struct bound){9, BOUND_NAN, 0}, "isnan(x)");
    expect_print((struct bound){9, BOUND_NOT_NAN, 0}, "!isnan(x)");
}

/* Ranges against sets of values. */
static void test_ranges_are_sets(void) {
    struct rng rng;
    rng_init(&rng, 12);
    for (int i = 0; i < 20000; i++) {
        struct range a =
            range_between((int64_t)rng_below(&rng, 8) - 4, (int64_t)rng_below(&rng, 8) - 4);
        struct range b =
            range_between((int64_t)rng_below(&rng, 8) - 4, (int64_t)rng_below(&rng, 8) - 4);
        a.nan = rng_below(&rng, 2);
        b.nan = rng_below(&rng, 2);
        uint64_t bits = some_bits(&rng, SORT_F32);
        bool in_a = range_has_bits(a, SORT_F32, true, bits);
        bool in_b = range_has_bits(b, SORT_F32, true, bits);
        TEST_ASSERT_EQUAL(in_a && in_b, range_has_bits(range_meet(a, b), SORT_F32, true, bits));
        if (in_a || in_b)
            TEST_ASSERT_TRUE(range_has_bits(range_join(a, b), SORT_F32, true, bits));
        TEST_ASSERT_TRUE(range_inside(a, range_join(a, b)));
        TEST_ASSERT_TRUE(range_inside(range_meet(a, b), b));
        TEST_ASSERT_TRUE(range_has_bits(range_full(SORT_F32, true), SORT_F32, true, bits));
        TEST_ASSERT_TRUE(range_is_point(range_of_bits(SORT_F32, true, bits)));
        TEST_ASSERT_TRUE(range_has_bits(range_of_bits(SORT_F32, true, bits), SORT_F32, true, bits));
    }
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_sums_are_sums_of_integers);
    RUN_TEST(test_clauses_move_between_systems);
    RUN_TEST(test_broken_sums_are_refused);
    RUN_TEST(test_bounds_are_their_terms);
    RUN_TEST(test_clauses_are_disjunctions);
    RUN_TEST(test_invariants_survive_as_text);
    RUN_TEST(test_bounds_read_like_the_program);
    RUN_TEST(test_ranges_are_sets);
    return UNITY_END();
}
