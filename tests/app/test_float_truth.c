/* What floats do natively is what verdicts say: conversions that round, and what the sources change
 * of the arithmetic itself. Each module is analysed as a user does it. */
#include "folder.h"

#include "unity.h"

#include <string.h>

void setUp(void) {
    folder_open();
}
void tearDown(void) {
    folder_close();
}

static void analyse(const char *text) {
    put("m.c", text);
    put("goalkeeper.json", "{\"name\": \"m\", \"sources\": [\"m.c\"], \"step\": \"step\"}\n");
    run_tool("run --seconds 60 --db m.db", NULL);
    expect_end(0, NULL);
}

static int64_t count(const char *where) {
    return number_in("m.db",
                     arena_printf(&arena, "SELECT count(*) FROM goal_status WHERE %s", where));
}

static void expect_status(const char *goal_text, const char *status) {
    const char *where = arena_printf(&arena, "kind = 'statement' AND text = '%s'", goal_text);
    TEST_ASSERT_EQUAL_INT64_MESSAGE(1, count(where), goal_text);
    where = arena_printf(&arena, "%s AND status = '%s'", where, status);
    TEST_ASSERT_EQUAL_INT64_MESSAGE(1, count(where), goal_text);
}

/* ---- conversions ---- */

/* Just above a float lie doubles that become that float. Only a handful of the inputs do: they are
 * found by reasoning, which a lost rounding would forbid. */
static void test_a_number_above_rounds_down(void) {
    analyse("double in; int out;\n"
            "void step(void) {\n"
            "    double d = in + 0.1;\n"
            "    if (d > 1000.25) { if ((float)d == 1000.25f) out = 1; else out = 2; }\n"
            "    if (in > 1.0) { if ((float)in == 1.0f) out = 3; }\n"
            "}\n");
    expect_status("out = 1;", "reachable");
    expect_status("out = 3;", "reachable");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_a_number_above_rounds_down);
    return UNITY_END();
}
