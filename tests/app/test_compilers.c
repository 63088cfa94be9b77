/* A compiler that disagrees with the model, with CBMC and with clang is noticed. It is made: a gcc
 * that gets another number to compare with. */
#include "base/tool.h"
#include "folder.h"

#include "unity.h"

#include <sys/stat.h>

void setUp(void) {
    folder_open();
}
void tearDown(void) {
    folder_close();
}

static void run_with_compiler(const char *change) {
    put("gcc", arena_printf(&arena,
                            "#!/bin/sh\n"
                            "for f; do case $f in *.c) sed -i '%s' \"$f\";; esac; done\n"
                            "exec %s \"$@\"\n",
                            change, tool_cc(&arena)));
    TEST_ASSERT_EQUAL_INT(0, chmod(path("gcc"), 0755));
    put("m.c", "unsigned char in, out;\n"
               "void step(void) {\n"
               "    if (in > 5) out = 1;\n"
               "    if (in + 7 > 900) out = 2;\n"
               "}\n");
    put("goalkeeper.json", "{\"name\": \"m\", \"sources\": [\"m.c\"], \"step\": \"step\", "
                           "\"criteria\": [\"branch\"]}\n");
    const char *const settings[] = {arena_printf(&arena, "GOALKEEPER_CC=%s", path("gcc")), NULL};
    run_tool("run --engines simulate,houdini,kind --seconds 60 --db m.db", settings);
}

static void test_a_hit_of_a_dead_goal_is_an_alarm(void) {
    run_with_compiler("s/900/5/");
    expect_end(5, "hit by the build of gcc in step 1 (inputs: in = ");
    TEST_ASSERT_EQUAL_INT64(
        0, number_in("m.db", "SELECT count(*) FROM goal_status WHERE status = 'dead'"));
    TEST_ASSERT_EQUAL_INT64(1, number_in("m.db", "SELECT count(*) FROM alarm WHERE witness > 0"));
    TEST_ASSERT_EQUAL_INT64(
        1, number_in("m.db", "SELECT count(*) FROM goal_status WHERE line = 4 AND value = 1 AND "
                             "status = 'open' AND reason LIKE '%a build by gcc reaches it%'"));
}

static void test_agreement_is_none(void) {
    run_with_compiler("s/nothing/else/");
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT64(
        1, number_in("m.db", "SELECT count(*) FROM goal_status WHERE status = 'dead'"));
}

int main(void) {
    UNITY_BEGIN();
    if (tool_cc(&arena)) {
        RUN_TEST(test_a_hit_of_a_dead_goal_is_an_alarm);
        RUN_TEST(test_agreement_is_none);
    }
    return UNITY_END();
}
