/* Masking MC/DC against its definition: an evaluated condition is credited iff the conditions that
 * were not evaluated can be chosen so that flipping it changes the outcome. */
#include "base/rng.h"
#include "base/str.h"
#include "coverage/goal.h"
#include "coverage/unique_cause.h"

#include "unity.h"

#include <string.h>

void setUp(void) {
}
void tearDown(void) {
}

enum { MOST = 6 };

/* A random expression as a tree, independent of the parser under test. */
struct expression {
    char op; /* 'c', '!', '&', '|' */
    int condition;
    struct expression *a, *b;
};

static struct expression *make(struct arena *arena, struct rng *rng, int *next, int budget) {
    struct expression *e = arena_new(arena, struct expression);
    uint64_t kind = rng_below(rng, 8);
    if (budget <= 1 && kind >= 2) {
        e->op = 'c';
        e->condition = (*next)++;
    } else if (kind < 2) {
        e->op = '!';
        e->a = make(arena, rng, next, budget);
    } else {
        int left = 1 + (int)rng_below(rng, (uint64_t)budget - 1);
        e->op = kind < 5 ? '&' : '|';
        e->a = make(arena, rng, next, left);
        e->b = make(arena, rng, next, budget - left);
    }
    return e;
}

static void print(const struct expression *e, struct str *text) {
    if (e->op == 'c') {
        str_addf(text, "%d", e->condition);
    } else if (e->op == '!') {
        str_addc(text, '!');
        print(e->a, text);
    } else {
        str_addc(text, '(');
        print(e->a, text);
        str_add(text, e->op == '&' ? "&&" : "||");
        print(e->b, text);
        str_addc(text, ')');
    }
}

/* `seen`, when given, is told which conditions were evaluated. */
static bool evaluate(const struct expression *e, const bool *value, bool *seen) {
    bool left;
    switch (e->op) {
    case 'c':
        if (seen)
            seen[e->condition] = true;
        return value[e->condition];
    case '!':
        return !evaluate(e->a, value, seen);
    default:
        left = evaluate(e->a, value, seen);
        return left == (e->op == '&') ? evaluate(e->b, value, seen) : left;
    }
}

static bool decides(const struct expression *e, const bool *value, const bool *seen, int c, int n) {
    for (unsigned others = 0; others < 1u << n; others++) {
        bool with[MOST], without[MOST];
        for (int i = 0; i < n; i++)
            with[i] = without[i] = seen[i] ? value[i] : (others >> i) & 1;
        without[c] = !with[c];
        if (evaluate(e, with, NULL) != evaluate(e, without, NULL))
            return true;
    }
    return false;
}

/* From values of all conditions: the same row, with its outcome. */
static void expect_row(const struct decision *d, const struct expression *e, const bool *value,
                       const int8_t *shown, const bool *credited) {
    int8_t all[MOST];
    bool own[MOST], seen[MOST];
    for (int i = 0; i < d->n_conditions; i++)
        all[i] = value[i];
    TEST_ASSERT_EQUAL_MESSAGE(evaluate(e, value, seen), mcdc_credit(d, all, own), d->structure);
    TEST_ASSERT_EQUAL_MEMORY(shown, all, (size_t)d->n_conditions);
    TEST_ASSERT_EQUAL_MEMORY(credited, own, (size_t)d->n_conditions);
}

static void check_all_rows(const struct expression *e, int n) {
    struct str text = {0};
    print(e, &text);
    struct decision d = {.n_conditions = n, .structure = str_text(&text)};
    for (unsigned row = 0; row < 1u << n; row++) {
        bool value[MOST], seen[MOST] = {0}, credited[MOST];
        int8_t shown[MOST];
        for (int i = 0; i < n; i++)
            value[i] = (row >> i) & 1;
        evaluate(e, value, seen);
        for (int i = 0; i < n; i++)
            shown[i] = seen[i] ? value[i] : -1;
        memset(credited, 1, sizeof credited);
        mcdc_credit(&d, shown, credited);
        for (int i = 0; i < n; i++)
            TEST_ASSERT_EQUAL_MESSAGE(seen[i] && decides(e, value, seen, i, n), credited[i],
                                      d.structure);
        expect_row(&d, e, value, shown, credited);
    }
    str_free(&text);
}

static void test_credit_is_the_definition(void) {
    struct rng rng;
    struct arena arena = {0};
    rng_init(&rng, 7);
    for (int round = 0; round < 3000; round++) {
        int n = 0;
        struct expression *e = make(&arena, &rng, &n, 1 + (int)rng_below(&rng, MOST));
        check_all_rows(e, n);
        arena_free(&arena);
    }
}

/* Outer parentheses may be missing; && binds stronger. */
static void test_credit_without_parentheses(void) {
    struct decision d = {.n_conditions = 3, .structure = "0||1&&2"};
    bool credited[3];
    int8_t first[] = {1, -1, -1}, second[] = {0, 1, 1}, third[] = {0, 1, 0};
    mcdc_credit(&d, first, credited);
    TEST_ASSERT_TRUE(credited[0] && !credited[1] && !credited[2]);
    mcdc_credit(&d, second, credited);
    TEST_ASSERT_TRUE(!credited[0] && credited[1] && credited[2]);
    mcdc_credit(&d, third, credited);
    TEST_ASSERT_TRUE(credited[0] && !credited[1] && credited[2]);
}

static void add_row(struct goals *goals, const char *text, int value) {
    struct goal goal = {.kind = GOAL_vector, .value = (int8_t)value, .text = text, .condition = -1};
    vec_push(&goals->list, goal);
}

static void test_unique_cause_needs_both_rows(void) {
    struct goals goals = {0};
    struct decision d = {.n_conditions = 2, .structure = "0&&1"};
    vec_push(&goals.decisions, d);
    add_row(&goals, "T T", 1);
    add_row(&goals, "F -", 0);
    add_row(&goals, "T F", 0);
    struct row_pairs pairs = {0};
    unique_cause_pairs(&goals, 0, 1, &pairs);
    TEST_ASSERT_EQUAL_size_t(1, pairs.len);
    TEST_ASSERT_EQUAL_UINT32(0, pairs.data[0].t);
    TEST_ASSERT_EQUAL_UINT32(2, pairs.data[0].f);
    enum row_status status[] = {ROW_REACHABLE, ROW_REACHABLE, ROW_OPEN};
    TEST_ASSERT_EQUAL_INT(ROW_OPEN, unique_cause_status(&pairs, status, NULL));
    status[2] = ROW_DEAD;
    TEST_ASSERT_EQUAL_INT(ROW_DEAD, unique_cause_status(&pairs, status, NULL));
    status[2] = ROW_REACHABLE;
    struct row_pair pair;
    TEST_ASSERT_EQUAL_INT(ROW_REACHABLE, unique_cause_status(&pairs, status, &pair));
    TEST_ASSERT_EQUAL_UINT32(2, pair.f);
    vec_free(&pairs);
    goals_free(&goals);
}

static void test_criteria_are_found_by_name(void) {
    TEST_ASSERT_EQUAL_INT(GOAL_mcdc, criterion_find("mcdc"));
    TEST_ASSERT_EQUAL_INT(-1, criterion_find("mcd"));
    TEST_ASSERT_TRUE(criteria[GOAL_statement].on);
    TEST_ASSERT_FALSE(criteria[GOAL_vector].on);
    TEST_ASSERT_TRUE(criteria[GOAL_div0].robustness);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_credit_is_the_definition);
    RUN_TEST(test_credit_without_parentheses);
    RUN_TEST(test_unique_cause_needs_both_rows);
    RUN_TEST(test_criteria_are_found_by_name);
    return UNITY_END();
}
