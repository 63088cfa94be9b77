/* A module with names of the C library: its functions and variables count, not what compilers know
 * of such a name, and the native builds work although they need what the library calls so. */
#include "base/tool.h"
#include "db/rows.h"
#include "run_program.h"

#include "scratch.h"
#include "unity.h"

#include <string.h>

void setUp(void) {
    scratch_open();
}
void tearDown(void) {
    scratch_close();
}

/* Where `out` gets an even number is reached; where it gets an odd one is not. */
static const char module[] =
    "int in, out;\n"
    "float read;\n"
    "unsigned char time;\n"
    "int select(int x);\n"
    "int write(int x) { return x + 1; }\n"
    "static int buf[2] = {5, 6};\n"
    "static int abs(int x) { return x > 2 ? 2 : x; }\n"
    "double floor(double x) { return x + 0.5; }\n"
    "static float fabsf(float x) { return x * 2.0f; }\n"
    "double fmin(double a, double b) { return a + b; }\n"
    "void *memset(void *p, int c, unsigned n) { (void)c; (void)n; return p; }\n"
    "void exit(int code) { out = code; }\n"
    "void step(void)\n{\n"
    "    int large[40] = {1};\n"
    "    if (abs(-in) == -3) out = 2; else if (abs(-in) > 0) out = 3;\n"
    "    if (floor((double)in) == 3.5) out = 4; else if (floor((double)in) == 3.0) out = 5;\n"
    "    if (fabsf((float)in) == 6.0f) out = 6; else if (fabsf((float)in) == 3.0f) out = 7;\n"
    "    if (fmin(2.0, (double)in) == 5.0) out = 8; else if (fmin((double)in, 7.0) == 1.0) out = "
    "9;\n"
    "    memset(buf, 0, sizeof buf);\n"
    "    if (buf[0] == 0) out = 11;\n"
    "    if (write(in) == 4) out = 14; else if (write(in) == 0) out = 13;\n"
    "    read += time;\n"
    "    if (read > 20.0f) out = 16; else if (time == 77) out = 15;\n"
    "    if (select(in) == -77) out = 18;\n"
    "    exit(0);\n"
    "    if (large[in] == 0) out = 12;\n"
    "}\n";

static int64_t count(struct store *db, const char *status, const char *odd) {
    return rows_single_int(db, arena_printf(&arena,
                                            "SELECT count(*) FROM goal WHERE kind = 'statement' AND"
                                            " text LIKE 'out = %%' AND status = '%s' AND"
                                            " substr(text, length(text) - 1, 1) %s"
                                            " ('1', '3', '5', '7', '9')",
                                            status, odd));
}

static void expect_verdicts(const char *cbmc) {
    const char *database = path("t.db");
    const char *environment[] = {arena_printf(&arena, "GOALKEEPER_CBMC=%s", cbmc), NULL};
    put("t.c", module);
    put("goalkeeper.json",
        "{\"name\":\"t\",\"target\":\"ilp32\",\"sources\":[\"t.c\"],\"step\":\"step\","
        "\"inputs\":[{\"name\":\"in\",\"min\":0,\"max\":3},{\"name\":\"time\",\"min\":0,"
        "\"max\":9}],"
        "\"assumptions\":[\"time != 3\"]}");
    struct child_result result = run_program(
        arena_printf(&arena, "run -q --db %s --seconds 60 %s", database, str_text(&dir)),
        environment, NULL);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, result.code, str_text(&result.err));
    child_result_free(&result);
    struct store *db;
    TEST_ASSERT_TRUE_MESSAGE(store_open(&db, database, STORE_READ, &err), str_text(&err.message));
    TEST_ASSERT_EQUAL_INT64_MESSAGE(7, count(db, "dead", "IN"), cbmc);
    TEST_ASSERT_EQUAL_INT64_MESSAGE(0, count(db, "dead", "NOT IN"), cbmc);
    TEST_ASSERT_EQUAL_INT64_MESSAGE(9, count(db, "reachable", "NOT IN"), cbmc);
    TEST_ASSERT_EQUAL_INT64(0, rows_single_int(db, "SELECT count(*) FROM alarm"));
    store_close(db);
}

static void test_bodies_of_the_module_count(void) {
    expect_verdicts("");
}

static void test_cbmc_agrees(void) {
    const char *cbmc = tool_cbmc(&arena);
    if (!cbmc)
        TEST_IGNORE_MESSAGE("there is no CBMC");
    expect_verdicts(cbmc);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_bodies_of_the_module_count);
    RUN_TEST(test_cbmc_agrees);
    int failures = UNITY_END();
    arena_free(&arena);
    return failures;
}
