/* Relations by cases become values, and nothing is lost or added: all solutions are compared. */
#include "engines/horn/cases.h"
#include "model/term/simplify.h"

#include "unity.h"

void setUp(void) {
}
void tearDown(void) {
}

enum { WIDTH = 2, VALUES = 1 << WIDTH };

struct relation {
    struct terms ts;
    term_t c, x, y, z; /* y and z are to be taken out */
};

static void open_relation(struct relation *r) {
    terms_init(&r->ts);
    r->c = term_var(&r->ts, "c", SORT_BOOL, false);
    r->x = term_var(&r->ts, "x", WIDTH, false);
    r->y = term_var(&r->ts, "y", WIDTH, false);
    r->z = term_var(&r->ts, "z", WIDTH, false);
}

static term_t word(struct relation *r, int value) {
    return term_int(&r->ts, WIDTH, value);
}

static term_t is(struct relation *r, term_t a, term_t b) {
    return term_eq(&r->ts, a, b);
}

static term_t plus(struct relation *r, term_t a, int b) {
    return term_op2(&r->ts, OP_ADD, a, word(r, b));
}

/* Bit c, x, y, z of the mask: such a solution is there. Values of the four under all values of all
 * variables. */
static void solutions(struct relation *r, const term_t four[4], term_t holds, bool *there) {
    size_t n = r->ts.vars.len;
    VEC(unsigned) at = {0};
    VEC(term_t) map = {0};
    vec_resize_zero(&at, n);
    vec_resize_zero(&map, n);
    for (bool more = true; more;) {
        term_t all[5] = {four[0], four[1], four[2], four[3], holds};
        for (size_t v = 0; v < n; v++)
            map.data[v] = term_const(&r->ts, r->ts.vars.data[v].sort, at.data[v]);
        term_substitute(&r->ts, map.data, n, all, 5);
        TEST_ASSERT_TRUE(term_is_const(&r->ts, all[4]));
        size_t index = 0;
        for (int i = 0; i < 4; i++)
            index = index * VALUES + term_bits(&r->ts, all[i]);
        there[index] |= term_is_true(&r->ts, all[4]);
        more = false;
        for (size_t v = 0; v < n && !more; v++) {
            bool boolean = r->ts.vars.data[v].sort == SORT_BOOL;
            more = at.data[v] + 1 < (boolean ? 2U : (unsigned)VALUES);
            at.data[v] = more ? at.data[v] + 1 : 0;
        }
    }
    vec_free(&at);
    vec_free(&map);
}

/* y and z leave, and the solutions stay. Frees the relation. */
static void check(struct relation *r, term_t holds, size_t most_new) {
    bool before[VALUES * VALUES * VALUES * VALUES] = {0};
    bool after[VALUES * VALUES * VALUES * VALUES] = {0};
    term_t four[4] = {r->c, r->x, r->y, r->z};
    size_t n = r->ts.vars.len;
    struct definitions d;
    solutions(r, four, holds, before);
    definitions_init(&d, &r->ts);
    d.may.data[term_bits(&r->ts, r->y)] = d.may.data[term_bits(&r->ts, r->z)] = true;
    term_t rest = cases_find(&d, holds);
    for (int i = 2; i < 4; i++) {
        term_t value = d.value.data[term_bits(&r->ts, four[i])];
        TEST_ASSERT_TRUE(value);
        four[i] = value;
    }
    TEST_ASSERT_LESS_OR_EQUAL(most_new, r->ts.vars.len - n);
    solutions(r, four, rest, after);
    TEST_ASSERT_EQUAL_MEMORY(before, after, sizeof before);
    definitions_free(&d);
    terms_free(&r->ts);
}

/* c and y = x + 1 and z = x, or not c and y = 0 and z = y + 2 */
static void test_cases_that_exclude_each_other(void) {
    struct relation r;
    open_relation(&r);
    term_t a = term_and(&r.ts, is(&r, r.y, plus(&r, r.x, 1)), is(&r, r.z, r.x));
    term_t b = term_and(&r.ts, is(&r, r.y, word(&r, 0)), is(&r, r.z, plus(&r, r.y, 2)));
    check(&r, term_or(&r.ts, term_and(&r.ts, r.c, a), term_and(&r.ts, term_not(&r.ts, r.c), b)), 0);
}

/* x = 1 and y = z, z = 3, or x = 2 and y = 0 with any z, or x = 0 and z = 0 with any y */
static void test_what_a_case_leaves_open(void) {
    struct relation r;
    open_relation(&r);
    term_t one = term_and(&r.ts, is(&r, r.y, r.z), is(&r, r.z, word(&r, 3)));
    term_t a = term_and(&r.ts, is(&r, r.x, word(&r, 1)), one);
    term_t b = term_and(&r.ts, is(&r, r.x, word(&r, 2)), is(&r, r.y, word(&r, 0)));
    term_t c = term_and(&r.ts, is(&r, r.x, word(&r, 0)), is(&r, r.z, word(&r, 0)));
    check(&r, term_or(&r.ts, term_or(&r.ts, a, b), c), 2);
}

/* Both may hold: y is x or x + 1, whatever c is. */
static void test_cases_at_once(void) {
    struct relation r;
    open_relation(&r);
    term_t a = term_and(&r.ts, is(&r, r.y, r.x), is(&r, r.z, r.x));
    term_t b = term_and(&r.ts, is(&r, r.y, plus(&r, r.x, 1)), is(&r, r.z, word(&r, 1)));
    term_t c = term_and(&r.ts, r.c, term_and(&r.ts, is(&r, r.y, word(&r, 2)), is(&r, r.z, r.y)));
    check(&r, term_or(&r.ts, term_or(&r.ts, a, b), c), 2);
}

/* Two statements, the second the same after either case of the first: (A or B) and then
 * (y = 0 and z = 1, or not y = 0 and z = 2). Written as paths. */
static void test_paths_that_come_together(void) {
    struct relation r;
    open_relation(&r);
    term_t zero = is(&r, r.y, word(&r, 0));
    term_t then = term_or(&r.ts, term_and(&r.ts, zero, is(&r, r.z, word(&r, 1))),
                          term_and(&r.ts, term_not(&r.ts, zero), is(&r, r.z, word(&r, 2))));
    term_t a = term_and(&r.ts, is(&r, r.y, r.x), then);
    term_t b = term_and(&r.ts, is(&r, r.y, plus(&r, r.x, 3)), then);
    check(&r, term_or(&r.ts, term_and(&r.ts, r.c, a), term_and(&r.ts, term_not(&r.ts, r.c), b)), 3);
}

/* No case can hold: y + 1 = y. */
static void test_no_case(void) {
    struct relation r;
    open_relation(&r);
    struct definitions d;
    term_t a = term_and(&r.ts, r.c, is(&r, r.y, word(&r, 1)));
    term_t b = term_and(&r.ts, r.c, is(&r, r.y, word(&r, 2)));
    term_t never = term_not(&r.ts, r.c);
    definitions_init(&d, &r.ts);
    d.may.data[term_bits(&r.ts, r.y)] = true;
    d.may.data[term_bits(&r.ts, r.c)] = true;
    term_t rest = cases_find(&d, term_and(&r.ts, term_or(&r.ts, a, b), never));
    TEST_ASSERT_TRUE(term_is_false(&r.ts, rest));
    definitions_free(&d);
    terms_free(&r.ts);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_cases_that_exclude_each_other);
    RUN_TEST(test_what_a_case_leaves_open);
    RUN_TEST(test_cases_at_once);
    RUN_TEST(test_paths_that_come_together);
    RUN_TEST(test_no_case);
    return UNITY_END();
}
