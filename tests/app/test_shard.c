/* Shards: each goal is somebody's, together they are the run on one machine, and each says what it
 * leaves to whom. */
#include "folder.h"

#include "unity.h"

#include <signal.h>
#include <string.h>

void setUp(void) {
    folder_open();
}
void tearDown(void) {
    folder_close();
}

/* Counters that do not know each other: slices to deal. */
static const char source[] = "int in, out;\n"
                             "static int a, b, c;\n"
                             "static void A(void) { if (in > 3) { if (a < 10) a++; } else { a = 0; "
                             "} if (a > 10) out = 1; }\n"
                             "static void B(void) { if (in > 5) { if (b < 20) b++; } else { b = 0; "
                             "} if (b > 20) out = 2; }\n"
                             "static void C(void) { if (in > 7) { if (c < 30) c++; } else { c = 0; "
                             "} if (c > 30) out = 3; }\n"
                             "void step(void) { A(); B(); C(); }\n";

static void make_project(void) {
    put("a.c", source);
    put("goalkeeper.json", "{\"name\": \"a\", \"sources\": [\"a.c\"], \"step\": \"step\",\n"
                           " \"inputs\": [{\"name\": \"in\", \"min\": -5, \"max\": 20}]}\n");
}

static void run(const char *database, const char *options) {
    run_tool(arena_printf(&arena, "run --quiet --deterministic -j 1 --db %s %s", database, options),
             NULL);
    expect_end(0, NULL);
}

static void merge(const char *words) {
    run_tool(arena_printf(&arena, "merge %s", words), NULL);
    expect_end(0, NULL);
}

static int64_t count(const char *database, const char *where) {
    return number_in(database,
                     arena_printf(&arena, "SELECT count(*) FROM goal_status WHERE %s", where));
}

static void test_shards_together_are_the_single_run(void) {
    make_project();
    run("one.db", "");
    run("1.db", "--shard 1/2");
    run("2.db", "--shard 2/2 --require-complete"); /* asks for what is its own */
    TEST_ASSERT_TRUE(count("1.db", "reason = 'left to shard 2 of 2'") > 0);
    TEST_ASSERT_TRUE(count("2.db", "reason = 'left to shard 1 of 2'") > 0);
    merge("all.db 2.db 1.db");
    TEST_ASSERT_EQUAL_STRING(verdicts_in("one.db"), verdicts_in("all.db"));
    TEST_ASSERT_EQUAL_INT64(0, count("all.db", "status = 'open'"));
    TEST_ASSERT_EQUAL_INT64(9, count("all.db", "status = 'dead'"));
}

static void test_a_generated_module_too(void) {
    const char *argv[] = {GK_BINARY_DIR "/bench/generate", str_text(&dir), "100", "1", NULL};
    struct child_spec spec = {.argv = argv, .wall_seconds = 60};
    struct child_result made = {0};
    TEST_ASSERT_TRUE(child_run(&spec, &made, &err) && made.code == 0);
    child_result_free(&made);
    run("one.db", "--goal-seconds 2");
    run("1.db", "--goal-seconds 2 --shard 1/2");
    run("2.db", "--goal-seconds 2 --shard 2/2");
    merge("all.db 1.db 2.db");
    TEST_ASSERT_EQUAL_STRING(verdicts_in("one.db"), verdicts_in("all.db"));
}

/* What was open when the shards began is shared out, what was dead is a lemma for all of them. */
static void test_shards_go_on_from_the_run_before_them(void) {
    make_project();
    run("first.db", "--engines simulate");
    int64_t open = count("first.db", "status = 'open'");
    TEST_ASSERT_TRUE(open >= 9);
    struct str bytes = {0};
    for (int i = 1; i <= 3; i++) {
        const char *name = arena_printf(&arena, "%d.db", i);
        str_clear(&bytes);
        TEST_ASSERT_TRUE(file_read(path("first.db"), &bytes, &err) &&
                         file_write(path(name), bytes.data, bytes.len, &err));
        run(name, arena_printf(&arena, "--engines houdini,kind --shard %d/3", i));
    }
    str_free(&bytes);
    /* three slices, three shards: one each */
    for (int i = 1; i <= 3; i++)
        TEST_ASSERT_EQUAL_INT64(3, count(arena_printf(&arena, "%d.db", i), "status = 'dead'"));
    merge("all.db 1.db 3.db");
    TEST_ASSERT_EQUAL_INT64(3, count("all.db", "status = 'open'"));
    TEST_ASSERT_EQUAL_INT64(
        3, count("all.db", "reason = 'shard 2 of 3 has not come back: nobody has tried it'"));
    merge("all.db 2.db");
    TEST_ASSERT_EQUAL_INT64(0, count("all.db", "status = 'open'"));
}

static void test_a_shard_that_was_ended_goes_on_with_its_own(void) {
    make_project();
    const char *const killed[] = {"GOALKEEPER_STOP=CHILD_START:12", NULL};
    struct child_result ended;
    const char *argv[] = {GK_BINARY_DIR "/goalkeeper",
                          "run",
                          "--quiet",
                          "--deterministic",
                          "-j",
                          "1",
                          "--db",
                          "1.db",
                          "--shard",
                          "1/3",
                          NULL};
    struct child_spec spec = {
        .argv = argv, .environment = killed, .dir = str_text(&dir), .wall_seconds = 100};
    TEST_ASSERT_TRUE(child_run(&spec, &ended, &err));
    TEST_ASSERT_EQUAL_INT(CHILD_SIGNALLED, ended.end);
    child_result_free(&ended);
    TEST_ASSERT_EQUAL_INT64(1, number_in("1.db", "SELECT count(*) FROM run_info WHERE "
                                                 "key = 'shard:1/3' AND value = 'running'"));
    run("1.db", "--shard 1/3");
    run("fresh.db", "--shard 1/3");
    TEST_ASSERT_EQUAL_STRING(verdicts_in("fresh.db"), verdicts_in("1.db"));
    TEST_ASSERT_EQUAL_INT64(1, number_in("1.db", "SELECT count(*) FROM run_info WHERE "
                                                 "key = 'shard:1/3' AND value = 'done'"));
}

static void test_what_is_no_part_of_a_whole_is_refused(void) {
    static const char *const wrong[] = {"0/3", "4/3", "1", "1/", "/3", "1/3x", "-1/3", "1/20000"};
    make_project();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        run_tool(arena_printf(&arena, "run --shard %s", wrong[i]), NULL);
        expect_end(2, "no part of a whole");
    }
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_shards_together_are_the_single_run);
    if (GK_GENERATED) /* the sanitizers have seen all that it runs */
        RUN_TEST(test_a_generated_module_too);
    RUN_TEST(test_shards_go_on_from_the_run_before_them);
    RUN_TEST(test_a_shard_that_was_ended_goes_on_with_its_own);
    RUN_TEST(test_what_is_no_part_of_a_whole_is_refused);
    return UNITY_END();
}
