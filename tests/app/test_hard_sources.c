/* Sources that never end, or are larger and deeper than anybody writes: each costs its own goals or
 * a message, never the run, the machine's time or the program. */
#include "folder.h"

#include "unity.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void setUp(void) {
    folder_open();
}

void tearDown(void) {
    folder_close();
}

/* ---- endless ---- */

static const char endless[] = "typedef unsigned char uint8; typedef unsigned short uint16;\n"
                              "uint8 fault; uint16 speed; uint16 out;\n"
                              "static uint8 seen;\n"
                              "static void error_handler(void) { while (1) { } }\n"
                              "void step(void) {\n"
                              "    if (speed > 100) out = 1; else out = 2;\n"
                              "    if (fault == 77) { seen = 1; error_handler(); out = 9; }\n"
                              "    if (seen) out = 3;\n"
                              "}\n";

static int64_t goals(const char *where) {
    return number_in("goalkeeper.db",
                     arena_printf(&arena, "SELECT count(*) FROM goal_status WHERE %s", where));
}

static void test_an_error_handler_that_never_ends(void) {
    put("m.c", endless);
    run_tool("run m.c --step step --seconds 3 -j 1", NULL);
    expect_end(0, NULL);
    run_tool("run m.c --step step --seconds 100 -j 1 --criteria function,statement", NULL);
    expect_end(0, "endless loop");
    TEST_ASSERT_EQUAL_INT64(2, goals("kind = 'function' AND status = 'reachable'"));
    TEST_ASSERT_EQUAL_INT64(1, goals("text LIKE 'while%' AND status = 'reachable'"));
    TEST_ASSERT_EQUAL_INT64(1, goals("text = 'seen = 1;' AND status = 'reachable'"));
    TEST_ASSERT_EQUAL_INT64(0, goals("text = 'out = 9;' AND status = 'reachable'"));
    TEST_ASSERT_EQUAL_INT64(0, goals("text = 'out = 3;' AND status = 'reachable'"));
    run_tool("audit", NULL);
    expect_end(0, NULL);
}

/* Instructions, registers and constraints of another machine keep open what runs after them and
 * nothing else; what says all that it writes keeps nothing open. */
static void test_assembly_of_another_machine(void) {
    put("m.c", "unsigned char in, out; static unsigned count;\n"
               "__asm__(\".export m, .text\");\n"
               "static void lock(void) { __asm__(\"cpsid i\" : : : \"memory\"); }\n"
               "void step(void) {\n"
               "    register unsigned r __asm__(\"r0\") = 0;\n"
               "    lock();\n"
               "    __asm__ volatile(\"mfcr %0, 0xFE2C\" : \"=d\"(count) : : \"d15\");\n"
               "    if (in > 3) out = 1;\n"
               "    if (in > 9 && in < 5) out = 2;\n"
               "    if (in == 77) {\n"
               "        __asm__ volatile(\"mov r0, %0\" : : \"r\"(&out) : \"r0\", \"memory\");\n"
               "        if (in > 3) out = 4;\n"
               "    }\n"
               "    out += r;\n"
               "}\n");
    run_tool("run m.c --step step --seconds 100 -j 1 --criteria function,statement", NULL);
    expect_end(0,
               "illegal instruction (or assembly of another machine) in step 1 (inputs: in = 77)");
    TEST_ASSERT_EQUAL_INT64(12, goals("status = 'reachable'"));
    TEST_ASSERT_EQUAL_INT64(3, goals("status = 'open' AND line > 8"));
    TEST_ASSERT_EQUAL_INT64(15, goals("1"));
    run_tool("audit", NULL);
    expect_end(0, NULL);
}

/* No proof shows that assembly does what it says, and none that of another file does no more. */
static void test_assembly_is_believed(void) {
    put("m.c", "unsigned char in, out; static unsigned count;\n"
               "__asm__(\"\");\n"
               "static void quiet(void) { __asm__(\"\" : : : \"memory\"); }\n"
               "static void tick(void) { __asm__(\"\" : \"=r\"(count)); }\n"
               "static unsigned unused(void) { __asm__(\"\" : \"=r\"(count)); return count; }\n"
               "void step(void) {\n"
               "    quiet(); tick();\n"
               "    if (in > 9 && in < 5) out = 2;\n"
               "    if (in > 3) out = 1;\n"
               "}\n");
    run_tool("run m.c --step step --seconds 100 -j 1 --criteria statement", NULL);
    expect_end(0, NULL);
    static const char assembly[] = "assumes = 'the assembly in tick writes its outputs only; the "
                                   "assembly outside of functions changes no variable of the "
                                   "module'";
    TEST_ASSERT_EQUAL_INT64(1, goals(arena_printf(&arena,
                                                  "text = 'out = 2;' AND status = 'dead' "
                                                  "AND %s",
                                                  assembly)));
    TEST_ASSERT_EQUAL_INT64(1, number_in("goalkeeper.db",
                                         "SELECT count(*) FROM limitation WHERE line = 2 AND text "
                                         "LIKE 'assembly outside of functions: %'"));
    TEST_ASSERT_EQUAL_INT64(2, number_in("goalkeeper.db",
                                         "SELECT count(*) FROM limitation WHERE line IN (4, 5) AND "
                                         "text LIKE 'inline assembly: it is believed %'"));
    TEST_ASSERT_EQUAL_INT64(3, number_in("goalkeeper.db", "SELECT count(*) FROM limitation"));
    run_tool("audit", NULL);
    expect_end(0, NULL);
}

/* Whatever is under way, it ends: one that is deaf to the signal is killed long before its time is
 * up, which has another code. */
static void expect_stop_after(const char *seconds) {
    const char *argv[] = {"timeout", "--preserve-status",
                          "-s",      "TERM",
                          "-k",      "200",
                          seconds,   GK_BINARY_DIR "/goalkeeper",
                          "run",     "m.c",
                          "--step",  "step",
                          "--quiet", "--seconds",
                          "1000",    "-j",
                          "1",       NULL};
    struct child_spec spec = {.argv = argv, .dir = str_text(&dir)};
    child_result_free(&r);
    TEST_ASSERT_TRUE(child_run(&spec, &r, &err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(128 + 15, r.code, seconds);
}

static void test_a_signal_is_obeyed(void) {
    put("m.c", endless);
    expect_stop_after("1");
    expect_stop_after("4");
}

/* A step that ends, but late: what does not fit into the time is not waited for. */
static void test_steps_that_take_long(void) {
    put("m.c", "unsigned in; volatile unsigned x;\n"
               "void step(void) { for (unsigned i = 0; i < 30000000u; i++) x = x + 1;\n"
               "    if (in == 5) x = 1; }\n");
    expect_stop_after("4");
}

/* It never comes to its first step, and is not started again and again. */
static void test_a_start_that_never_ends(void) {
    put("m.c", "unsigned char in, mark;\nvoid step(void) { if (in == 3) mark = 3; }\n"
               "static void before(void) { for (;;) ; }\n"
               "void (*keep)(void) = before;\n"
               "__asm__(\".section .init_array,\\\"aw\\\"\\n.long before\\n.text\");\n");
    expect_stop_after("3");
}

static void test_constructors(void) {
    put("m.c", "int in, x; static int early;\n"
               "__attribute__((constructor)) static void before(void) { early = 3; }\n"
               "void step(void) { if (in > early) x = early; }\n");
    run_tool("run m.c --step step --seconds 20", NULL);
    expect_end(3, "m.c:2:");
    expect_end(3, "'before' is a constructor");
    run_tool("run m.c --step step --init before --seconds 20", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT64(0, goals("status <> 'reachable'"));
    put("d.c", "int in, x;\n__attribute__((__destructor__)) void after(void) { x = 3; }\n"
               "void step(void) { x = in; }\n");
    run_tool("run d.c --step step --seconds 20", NULL);
    expect_end(3, "'after' is a destructor");
    put("t.c", "int in, x;\nstatic void before(void) { x = 3; }\nvoid step(void) { x = in; }\n"
               "static void (*const table[])(void)\n"
               "    __attribute__((used, section(\".init_array.101\"))) = {before};\n");
    run_tool("run t.c --step step --seconds 20", NULL);
    expect_end(3, "t.c:5:");
    expect_end(3, "functions of this table run before");
}

/* ---- deep and long ---- */

static const char *repeated(const char *text, int n) {
    struct str all = {0};
    for (int i = 0; i < n; i++)
        str_add(&all, text);
    const char *kept = arena_strdup(&arena, str_text(&all));
    str_free(&all);
    return kept;
}

static void list_goals(const char *body) {
    put("m.c", arena_printf(&arena, "unsigned in; int x;\nvoid step(void) {\n%s }\n", body));
    run_tool("run m.c --step step --goals-only --db n.db --quiet", NULL);
}

static void expect_too_deep(const char *body) {
    list_goals(body);
    expect_end(3, "m.c:3:");
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "levels deep") || says(&r.err, "tokens"),
                             str_text(&r.err));
}

static void test_what_is_nested_too_deep_has_a_place(void) {
    expect_too_deep(arena_printf(&arena, "x = %s 1;", repeated("in + ", 20000)));
    expect_too_deep(arena_printf(&arena, "x = %s 1;", repeated("in + ", 3000)));
    expect_too_deep(arena_printf(&arena, "x = %s in;", repeated("~", 20000)));
    expect_too_deep(arena_printf(&arena, "x = %s 1;", repeated("in ? 2 : ", 20000)));
    expect_too_deep(arena_printf(&arena, "%s x = 1;", repeated("if (in) x = 2; else ", 20000)));
    expect_too_deep(arena_printf(&arena, "%s x = 1;", repeated("if (in) ", 20000)));
    expect_too_deep(arena_printf(&arena, "x = %s in;", repeated("(int)", 20000)));
    expect_too_deep(arena_printf(&arena, "int y%s; x = in;", repeated("[1]", 40000)));
}

static void test_what_is_nested_deep_is_read(void) {
    list_goals(arena_printf(&arena, "x = %s 1;", repeated("in + ", 900)));
    expect_end(0, NULL);
    list_goals(arena_printf(&arena, "x = %s in;", repeated("~", 1900)));
    expect_end(0, NULL);
    list_goals(arena_printf(&arena, "%s x = 1;", repeated("if (in) x = 2; else ", 900)));
    expect_end(0, NULL);
    /* compilers read it as well */
    put("d.c", arena_printf(&arena, "unsigned in; int x;\nvoid step(void) { x = %sin%s; }\n",
                            repeated("(", 1900), repeated(")", 1900)));
    run_tool("run d.c --step step --dump-model model --db d.db --quiet", NULL);
    expect_end(0, NULL);
    /* much text, but flat */
    list_goals(arena_printf(&arena, "static const int t[] = {%s 1}; x = t[in %% 3u];",
                            repeated("(1 + 2), -3, ", 20000)));
    expect_end(0, NULL);
}

static double listing_seconds(int ifs, const char *between) {
    struct str body = {0};
    for (int i = 0; i < ifs; i++)
        str_addf(&body, "if (in == %d) x = %d;%s", i, i, between);
    list_goals(str_text(&body));
    str_free(&body);
    expect_end(0, NULL);
    return r.cpu_seconds;
}

/* Half a second each; one line was as slow as the square of its length, half a minute. */
static void test_a_line_may_be_long(void) {
    double lines = listing_seconds(5000, "\n"), line = listing_seconds(5000, " ");
    TEST_ASSERT_TRUE_MESSAGE(line < 4 * lines + 1, "a long line takes longer than many");
}

static void test_macros_that_explode(void) {
    struct str text = {0};
    for (int i = 0; i < 40; i++)
        str_addf(&text, "#define A%d A%d A%d A%d A%d A%d A%d A%d A%d\n", i, i + 1, i + 1, i + 1,
                 i + 1, i + 1, i + 1, i + 1, i + 1);
    str_add(&text, "#define A40 +long_name_that_is_repeated_for_ever_and_ever_and_ever_and_ever\n"
                   "int in, x; void step(void) { x = in A0; }\n");
    put("m.c", str_text(&text));
    str_free(&text);
    run_tool("run m.c --step step --goals-only", NULL);
    expect_end(3, "clang writes more than");
}

/* ---- no files ---- */

/* Words with which those who work on clang try what it does when it crashes. */
static void test_what_crashes_the_parser(void) {
    put("m.c", "int in, x;\n#pragma clang __debug parser_crash\nvoid step(void) { x = in; }\n");
    const char *usual = getenv("ASAN_OPTIONS"), *without = "detect_leaks=0"; /* of what was read */
    char *kept = strdup(usual ? usual : "");
    setenv("ASAN_OPTIONS", without, 1);
    run_tool("run m.c --step step --goals-only", NULL);
    setenv("ASAN_OPTIONS", kept, 1);
    free(kept);
    expect_end(3, "'m.c': libclang crashes when it reads this");
}

/* No file that the user may read and that is none of the project's. */
static void test_settings_of_the_machine_are_no_sources(void) {
    put("goalkeeper.json", "{ \"sources\": [\"m.c\"], \"step\": \"step\",\n"
                           "  \"inputs\": [{\"name\": \"in\"}] }\n");
    put("m.c", "int in, x;\n#include \"/etc/passwd\"\nvoid step(void) { x = in; }\n");
    run_tool("run --goals-only", NULL);
    TEST_ASSERT_EQUAL_INT_MESSAGE(3, r.code, str_text(&r.err));
    TEST_ASSERT_FALSE_MESSAGE(says(&r.err, "root:"), str_text(&r.err));
}

static void test_sources_that_are_no_files(void) {
    TEST_ASSERT_EQUAL_INT(0, mkfifo(path("pipe.c"), 0600));
    run_tool("run pipe.c --step step", NULL);
    expect_end(3, "this is a pipe or a device");
    run_tool("init pipe.c -o -", NULL);
    expect_end(3, "this is a pipe or a device");
    run_tool("run /dev/zero --step step", NULL);
    expect_end(3, "this is a pipe or a device");
    put("empty/readme", "");
    run_tool("init empty -o -", NULL);
    expect_end(2, "there is no C file in this folder or below");
    run_tool("run empty pipe.c --step step", NULL);
    expect_end(2, "this is a folder");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_an_error_handler_that_never_ends);
    RUN_TEST(test_assembly_of_another_machine);
    RUN_TEST(test_assembly_is_believed);
    RUN_TEST(test_a_signal_is_obeyed);
    RUN_TEST(test_steps_that_take_long);
    RUN_TEST(test_a_start_that_never_ends);
    RUN_TEST(test_constructors);
    RUN_TEST(test_what_is_nested_too_deep_has_a_place);
    RUN_TEST(test_what_is_nested_deep_is_read);
    RUN_TEST(test_a_line_may_be_long);
    RUN_TEST(test_macros_that_explode);
    RUN_TEST(test_what_crashes_the_parser);
    RUN_TEST(test_settings_of_the_machine_are_no_sources);
    RUN_TEST(test_sources_that_are_no_files);
    return UNITY_END();
}
