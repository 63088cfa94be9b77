/* Terms: hash-consing, substitution, marking, depth. */
#include "base/mem.h"
#include "model/term/eval.h"
#include "model/term/simplify.h"

#include "unity.h"

static struct terms ts;

void setUp(void) {
    terms_init(&ts);
}
void tearDown(void) {
    check_terms(&ts);
    terms_free(&ts);
}

static void test_equal_terms_have_equal_indices(void) {
    term_t x = term_var(&ts, "x", 32, true), y = term_var(&ts, "y", 32, true);
    term_t a = term_op2(&ts, OP_ADD, x, y), b = term_op2(&ts, OP_ADD, y, x);
    TEST_ASSERT_EQUAL_UINT32(a, b);
    TEST_ASSERT_EQUAL_UINT32(term_int(&ts, 32, -1), term_const(&ts, 32, 0xffffffffu));
    TEST_ASSERT_NOT_EQUAL(term_var(&ts, "x", 32, true), x);
}

static void test_patterns_of_unoptimised_bitcode_vanish(void) {
    term_t p = term_var(&ts, "p", SORT_BOOL, false), q = term_var(&ts, "q", SORT_BOOL, false);
    term_t wide = term_cast(&ts, OP_ZEXT, 32, term_cast(&ts, OP_B2I, 8, p));
    term_t zero = term_int(&ts, 32, 0);
    TEST_ASSERT_EQUAL_UINT32(p, term_not(&ts, term_eq(&ts, wide, zero)));
    TEST_ASSERT_EQUAL_UINT32(term_not(&ts, p), term_eq(&ts, wide, zero));
    term_t both = term_op2(&ts, OP_BAND, wide, term_cast(&ts, OP_B2I, 32, q));
    TEST_ASSERT_EQUAL_UINT32(term_and(&ts, p, q), term_op2(&ts, OP_SLT, zero, both));
    term_t x = term_var(&ts, "x", 16, true);
    term_t back = term_cast(&ts, OP_TRUNC, 16, term_cast(&ts, OP_SEXT, 32, x));
    TEST_ASSERT_EQUAL_UINT32(x, back);
    term_t less = term_op2(&ts, OP_SLT, term_cast(&ts, OP_SEXT, 32, x), term_int(&ts, 32, 7));
    TEST_ASSERT_EQUAL_UINT32(term_op2(&ts, OP_SLT, x, term_int(&ts, 16, 7)), less);
}

static void test_what_fits_is_not_cut(void) {
    term_t y = term_var(&ts, "y", 32, true), by = term_int(&ts, 32, 24);
    term_t high = term_op2(&ts, OP_LSHR, y, by), low = term_cast(&ts, OP_TRUNC, 8, high);
    TEST_ASSERT_EQUAL_UINT32(high, term_cast(&ts, OP_ZEXT, 32, low));
    TEST_ASSERT_NOT_EQUAL(high, term_cast(&ts, OP_SEXT, 32, low));
    high = term_op2(&ts, OP_ASHR, y, by);
    low = term_cast(&ts, OP_TRUNC, 8, high);
    TEST_ASSERT_EQUAL_UINT32(high, term_cast(&ts, OP_SEXT, 32, low));
    TEST_ASSERT_NOT_EQUAL(high, term_cast(&ts, OP_ZEXT, 32, low));
    low = term_cast(&ts, OP_TRUNC, 7, high);
    TEST_ASSERT_NOT_EQUAL(high, term_cast(&ts, OP_SEXT, 32, low));
}

/* A switch over many values compared with one of them is the condition of that case. */
/* The second bit of a square is never set, nor is that above its factors of four. */
static void test_bits_of_squares(void) {
    term_t x = term_var(&ts, "x", 32, false), four = term_int(&ts, 32, 4);
    term_t square = term_op2(&ts, OP_MUL, x, x);
    TEST_ASSERT_EQUAL(term_int(&ts, 32, 0), term_op2(&ts, OP_BAND, square, term_int(&ts, 32, 2)));
    term_t fours = term_op2(&ts, OP_MUL, x, four);
    struct known_bits k = term_known_bits(&ts, term_op2(&ts, OP_MUL, fours, fours));
    TEST_ASSERT_EQUAL_HEX64(0x2f, k.zeros);
    TEST_ASSERT_EQUAL_HEX64(0, k.ones);
}

static void test_a_choice_of_constants_compared_is_a_condition(void) {
    term_t x = term_var(&ts, "x", 16, false), state = term_int(&ts, 16, 0);
    for (int i = 1; i <= 200; i++)
        state = term_ite(&ts, term_eq(&ts, x, term_int(&ts, 16, i)), term_int(&ts, 16, 1000 + i),
                         state);
    term_t is_7 = term_eq(&ts, state, term_int(&ts, 16, 1007));
    TEST_ASSERT_TRUE(term_is_false(&ts, term_eq(&ts, state, term_int(&ts, 16, 999))));
    TEST_ASSERT_EQUAL_UINT32(term_eq(&ts, x, term_int(&ts, 16, 7)), is_7);
    uint64_t *values = mem_zalloc(ts.nodes.len, sizeof *values), in = 0;
    for (in = 0; in < 300; in++) {
        term_eval(&ts, &is_7, 1, &in, values);
        TEST_ASSERT_EQUAL_UINT64(in == 7, values[is_7]);
    }
    mem_free(values);
}

static void test_a_condition_and_its_complement_share_their_atom(void) {
    term_t x = term_var(&ts, "x", 16, true), c = term_int(&ts, 16, 5);
    term_t less = term_op2(&ts, OP_SLT, x, c);
    TEST_ASSERT_EQUAL_UINT32(term_not(&ts, less), term_op2(&ts, OP_SLE, c, x));
    TEST_ASSERT_EQUAL_UINT32(less, term_op2(&ts, OP_SLE, x, term_int(&ts, 16, 4)));
    TEST_ASSERT_TRUE(term_is_false(&ts, term_and(&ts, less, term_op2(&ts, OP_SLE, c, x))));
}

static void test_joined_paths_collapse(void) {
    term_t c = term_var(&ts, "c", SORT_BOOL, false), d = term_var(&ts, "d", SORT_BOOL, false);
    term_t then = term_and(&ts, c, d), otherwise = term_and(&ts, term_not(&ts, c), d);
    TEST_ASSERT_EQUAL_UINT32(d, term_or(&ts, then, otherwise));
    term_t x = term_var(&ts, "x", 8, false), y = term_var(&ts, "y", 8, false);
    term_t inner = term_ite(&ts, c, x, y);
    TEST_ASSERT_EQUAL_UINT32(term_ite(&ts, c, x, y), term_ite(&ts, c, inner, y));
    term_t value = term_ite(&ts, c, term_int(&ts, 8, 3), term_int(&ts, 8, 4));
    TEST_ASSERT_EQUAL_UINT32(c, term_eq(&ts, value, term_int(&ts, 8, 3)));
    TEST_ASSERT_TRUE(term_is_false(&ts, term_eq(&ts, value, term_int(&ts, 8, 5))));
}

static void test_substitution_replaces_and_simplifies(void) {
    term_t x = term_var(&ts, "x", 32, true), y = term_var(&ts, "y", 32, true);
    term_t root = term_op2(&ts, OP_ADD, term_op2(&ts, OP_MUL, x, y), term_int(&ts, 32, 1));
    term_t map[2] = {term_int(&ts, 32, 6), term_int(&ts, 32, 7)};
    term_t roots[2] = {root, x};
    term_substitute(&ts, map, 2, roots, 2);
    TEST_ASSERT_EQUAL_UINT32(term_int(&ts, 32, 43), roots[0]);
    TEST_ASSERT_EQUAL_UINT32(map[0], roots[1]);
    term_t keep[1] = {root};
    term_substitute(&ts, (term_t[]){0, 0}, 2, keep, 1);
    TEST_ASSERT_EQUAL_UINT32(root, keep[0]);
}

/* A million nodes in one chain: nothing may recurse. */
static void test_a_million_nodes_deep(void) {
    enum { DEPTH = 1000000 };
    term_t x = term_var(&ts, "x", 32, true), y = term_var(&ts, "y", 32, true), t = x;
    for (int i = 0; i < DEPTH / 2; i++)
        t = term_op2(&ts, OP_ADD, term_op2(&ts, OP_MUL, t, y), x);
    size_t len = ts.nodes.len;
    bool *mark = mem_zalloc(len, sizeof *mark);
    TEST_ASSERT_EQUAL_size_t(DEPTH + 2, term_mark(&ts, &t, 1, mark));
    uint64_t *values = mem_zalloc(len, sizeof *values), vars[2] = {3, 1};
    term_eval(&ts, &t, 1, vars, values);
    TEST_ASSERT_EQUAL_UINT64(3 + 3 * (DEPTH / 2), values[t]);
    term_t root = t;
    term_substitute(&ts, (term_t[]){term_int(&ts, 32, 3), term_int(&ts, 32, 1)}, 2, &root, 1);
    TEST_ASSERT_EQUAL_UINT32(term_int(&ts, 32, 3 + 3 * (DEPTH / 2)), root);
    mem_free(mark);
    mem_free(values);
}

/* n := c ? 0 : n + 1, unrolled: comparing n with a constant could be undone level by level. */
static void test_rules_do_not_follow_a_pattern_without_end(void) {
    enum { DEPTH = 100000 };
    term_t c = term_var(&ts, "c", SORT_BOOL, false), x = term_var(&ts, "x", 32, true), n = x;
    term_t one = term_int(&ts, 32, 1), three = term_int(&ts, 32, 3);
    for (int i = 0; i < DEPTH; i++) {
        term_t more = term_op2(&ts, OP_ADD, n, one);
        n = term_op2(&ts, OP_BXOR, term_ite(&ts, c, one, more), three);
    }
    size_t before = ts.nodes.len;
    term_t root = term_eq(&ts, n, term_int(&ts, 32, 77));
    TEST_ASSERT_LESS_THAN_size_t(1000, ts.nodes.len - before);
    term_t sign = term_var(&ts, "s", SORT_F32, true), y = sign;
    for (int i = 0; i < DEPTH; i++)
        y = term_op2(&ts, OP_FCOPYSIGN, y, i & 1 ? sign : term_op1(&ts, OP_FSQRT, y));
    y = term_op1(&ts, OP_FABS, y);
    uint64_t *values = mem_zalloc(ts.nodes.len, sizeof *values), vars[3] = {0, 0, 0}, expected = 5;
    vars[1] = expected;
    for (int i = 0; i < DEPTH; i++)
        expected = ((expected + 1) ^ 3) & 0xffffffff;
    term_eval(&ts, (term_t[]){root, n}, 2, vars, values);
    TEST_ASSERT_EQUAL_UINT64(expected, values[n]);
    TEST_ASSERT_EQUAL(expected == 77, values[root]);
    mem_free(values);
}

static void test_tables_fold_and_clamp(void) {
    uint64_t values[3] = {5, 6, 7};
    uint32_t table = term_add_table(&ts, 8, values, 3);
    TEST_ASSERT_EQUAL_UINT32(table, term_add_table(&ts, 8, values, 3));
    TEST_ASSERT_EQUAL_UINT32(term_int(&ts, 8, 6), term_table_at(&ts, table, term_int(&ts, 32, 1)));
    TEST_ASSERT_EQUAL_UINT32(term_int(&ts, 8, 7), term_table_at(&ts, table, term_int(&ts, 32, -1)));
    term_t i = term_var(&ts, "i", 8, false);
    term_t at = term_table_at(&ts, table, term_cast(&ts, OP_ZEXT, 32, i));
    TEST_ASSERT_EQUAL_UINT32(term_table_at(&ts, table, i), at);
    uint64_t cells[2] = {1, 0}, *out = mem_zalloc(ts.nodes.len, sizeof *out);
    for (uint64_t index = 0; index < 256; index++) {
        cells[0] = index;
        term_eval(&ts, &at, 1, cells, out);
        TEST_ASSERT_EQUAL_UINT64(values[index < 3 ? index : 2], out[at]);
    }
    mem_free(out);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_equal_terms_have_equal_indices);
    RUN_TEST(test_patterns_of_unoptimised_bitcode_vanish);
    RUN_TEST(test_what_fits_is_not_cut);
    RUN_TEST(test_bits_of_squares);
    RUN_TEST(test_a_choice_of_constants_compared_is_a_condition);
    RUN_TEST(test_a_condition_and_its_complement_share_their_atom);
    RUN_TEST(test_joined_paths_collapse);
    RUN_TEST(test_substitution_replaces_and_simplifies);
    RUN_TEST(test_a_million_nodes_deep);
    RUN_TEST(test_rules_do_not_follow_a_pattern_without_end);
    RUN_TEST(test_tables_fold_and_clamp);
    return UNITY_END();
}
