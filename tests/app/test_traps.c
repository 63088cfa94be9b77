/* What gives wrong verdicts without a fault of anybody's: a project that leaves out inputs, a
 * source file that was forgotten. Each is said where the user looks: init, run, status, verdict,
 * report. */
#include "folder.h"

#include "unity.h"

#include <string.h>

void setUp(void) {
    folder_open();
}
void tearDown(void) {
    folder_close();
}

static void run(const char *line, int code, const char *words) {
    run_tool(line, NULL);
    expect_end(code, words);
}

/* Everything is initialised, as hand-written code does it. */
static void test_initialised_inputs(void) {
    put("m.c", "float Speed = 20.F; /* MIN/MAX: 0 .. 80 */\n"
               "unsigned char Mode = 1; /* MIN/MAX: 0 .. 3 */\n"
               "int Out = 0;\n"
               "void m_step(void) { if (Speed > 30.F) Out = 1; if (Mode == 2) Out = 2;\n"
               "  if (Speed > 100.F) Out = 3; }\n");
    run("init m.c", 0, NULL);
    expect_out("input Speed: 0 .. 80");
    expect_out("input Mode: 0 .. 3");
    expect_out("move the entry");
    run("run --seconds 60", 0, NULL);
    TEST_ASSERT_FALSE(says(&r.err, "warning"));
    TEST_ASSERT_EQUAL_INT64(0, number_in("goalkeeper.db", "SELECT count(*) FROM warning"));
    TEST_ASSERT_EQUAL_INT64(0, number_in("goalkeeper.db", "SELECT count(*) FROM goal_status "
                                                          "WHERE line = 4 AND status <> "
                                                          "'reachable'"));
    TEST_ASSERT_EQUAL_INT64(/* a dead verdict names the range that it needs */
                            1, number_in("goalkeeper.db",
                                         "SELECT count(*) > 0 AND min(assumes LIKE '%Speed in [%') "
                                         "FROM goal_status WHERE status = 'dead'"));
}

/* The same with a project that keeps them at what they start with. */
static void test_constants_make_dead_what_is_not(void) {
    put("m.c", "float Speed = 20.F; int Out = 0, Free;\n"
               "void m_step(void) { if (Speed > 30.F) { Out = 1; if (Out) Out = 2; }\n"
               "  if (Free) Out = 4; }\n");
    put("goalkeeper.json", "{\"sources\": [\"m.c\"], \"step\": \"m_step\", \"inputs\": [],\n"
                           " \"parameters\": [{\"name\": \"Speed\", \"mode\": \"fixed\"}]}\n");
    run("run --seconds 60", 0, "goals of coverage are dead, more than a third");
    TEST_ASSERT_TRUE(says(&r.err, "taken as inputs: Free"));
    run("status", 0, NULL);
    expect_out("Warnings:");
    expect_out("more than a third");
    expect_out("taken as inputs: Free");
    run("report -o out --format html,markdown", 0, NULL);
    struct str page = {0};
    TEST_ASSERT_TRUE(file_read(path("out/index.html"), &page, &err));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&page), "more than a third"));
    str_free(&page);
}

/* Everything is decided inside: that is said, and what simulation does there is no mistake. */
static void test_no_inputs(void) {
    put("n.c", "static unsigned char n; int Out;\n"
               "void n_step(void) { n++; if (n == 7) Out = 1; if (n > 255) Out = 2; }\n");
    run("init n.c", 0, NULL);
    expect_out("no inputs and no parameters: every step does the same");
    run("run --seconds 60", 0, "the module has no inputs: nothing comes from outside");
    TEST_ASSERT_FALSE_MESSAGE(says(&r.err, "ended with"), str_text(&r.err));
    run("status", 0, NULL);
    expect_out("the module has no inputs");
    TEST_ASSERT_EQUAL_INT64(1, number_in("goalkeeper.db", "SELECT count(*) FROM goal_status WHERE "
                                                          "text = 'Out = 2;' AND status = 'dead'"));
}

/* TargetLink's class CAL: a volatile that nobody changes while the program runs. */
static void test_calibration_keeps_its_value(void) {
    put("cal.h", "typedef struct { unsigned char Low, High; } band;\n"
                 "extern const volatile unsigned char Limit; extern const volatile band Band;\n");
    put("cal.c", "#include \"cal.h\"\nconst volatile unsigned char Limit = 40;\n"
                 "const volatile band Band = {10, 90};\n");
    put("c.c", "#include \"cal.h\"\nunsigned char In; int Out;\n"
               "static const volatile short Gain = 3;\n"
               "static int of(const volatile band *b) { return b->High; }\n"
               "void c_step(void) { Out = In > Limit; if (Limit > 40) Out = 2;\n"
               "  if (Band.Low == 11) Out = 3; if (of(&Band) != 90) Out = 4;\n"
               "  if (Gain < 3) Out = 5; if (In == Band.High) Out = 6; }\n");
    run("init c.c cal.c", 0, NULL);
    expect_out("parameter (fixed) Limit\n    const: keeps its initialiser");
    expect_out("parameter (fixed) Band\n");
    run("run --seconds 60 --require-complete", 0, NULL);
    for (int i = 2; i <= 6; i++)
        TEST_ASSERT_EQUAL_INT64_MESSAGE(
            i < 6,
            number_in("goalkeeper.db",
                      arena_printf(&arena,
                                   "SELECT status = 'dead' FROM goal_status WHERE text = "
                                   "'Out = %d;'",
                                   i)),
            "calibration");
}

/* What only the initialisation reads decides all that comes later. */
static void test_parameters_of_the_initialisation(void) {
    put("p.c", "unsigned char Start, In; int Out; static unsigned char mode;\n"
               "void p_init(void) { mode = Start; }\n"
               "void p_step(void) { if (In > 3 && mode == 2) Out = 1; }\n");
    run("init p.c", 0, NULL);
    expect_out("parameter (range) Start: 0 .. 255\n    read by init functions only, and never "
               "written");
    run("run --seconds 60 --require-complete", 0, NULL);
    TEST_ASSERT_EQUAL_INT64(0, number_in("goalkeeper.db", "SELECT count(*) FROM goal_status WHERE "
                                                          "status <> 'reachable'"));
}

static const char caller[] = "unsigned char Get(void); int Out; unsigned char In;\n"
                             "void step(void) { if (Get() == 7) Out = 1; if (In == 3) Out = 2;\n"
                             "  if (In > 3 && In < 4) Out = 3; }\n";

static void test_a_forgotten_source(void) {
    put("a.c", caller);
    run("init a.c", 0, NULL);
    expect_out("'Get' is called and has no body");
    run("run --seconds 60", 0, "add the sources that define them): Get");
    run("status", 0, NULL);
    expect_out("add the sources that define them): Get");
    static const char rests[] = "SELECT count(*) FROM goal_status WHERE assumes LIKE "
                                "'%Get returns anything%' AND kind = 'branch'";
    TEST_ASSERT_EQUAL_INT64(2, number_in("goalkeeper.db", rests));
    TEST_ASSERT_EQUAL_INT64(
        0, number_in("goalkeeper.db", "SELECT count(*) FROM goal_status WHERE text LIKE 'In %' AND "
                                      "assumes LIKE '%Get returns%'"));
    /* what others define may write to what others can name: each proof says so */
    TEST_ASSERT_EQUAL_INT64(0, number_in("goalkeeper.db", "SELECT count(*) FROM goal_status WHERE "
                                                          "status = 'dead' AND assumes NOT LIKE "
                                                          "'%Get changes no variable of the "
                                                          "module%'"));
    TEST_ASSERT_GREATER_THAN(0, number_in("goalkeeper.db", "SELECT count(*) FROM goal_status WHERE "
                                                           "status = 'dead'"));
    run("query --kind branch", 0, NULL);
    expect_out("Get returns anything");
    /* with the source nothing rests on it any more, and the goal is dead */
    put("b.c", "unsigned char Get(void) { return 3; }\n");
    file_remove_tree(path("goalkeeper.json"));
    run("init a.c b.c --step step", 0, NULL);
    run("run --seconds 60", 0, NULL);
    TEST_ASSERT_FALSE(says(&r.err, "without a body"));
    TEST_ASSERT_EQUAL_INT64(0, number_in("goalkeeper.db", rests));
    TEST_ASSERT_EQUAL_INT64(1, number_in("goalkeeper.db",
                                         "SELECT status = 'dead' FROM goal_status WHERE text = "
                                         "'Out = 1;'"));
}

/* A gate on yesterday's sources passes what nobody has looked at. */
static void test_changed_inputs(void) {
    put("src/c.c", "#include \"lim.h\"\nint In, Out; void step(void) { if (In > LIM) Out = 1; }\n");
    put("src/lim.h", "#define LIM 3\n");
    put("goalkeeper.json", "{\"sources\": [\"src/c.c\"], \"step\": \"step\", "
                           "\"inputs\": [{\"name\": \"In\"}]}\n");
    run("run --goals-only", 0, NULL);
    run("gate --max-dead 0", 0, NULL);
    run("status", 0, NULL);
    TEST_ASSERT_FALSE(says(&r.out, "changed since the run"));
    put("src/lim.h", "#define LIM 4\n");
    run("gate --max-dead 0", 2, "changed since the run: src/lim.h");
    TEST_ASSERT_TRUE(says(&r.err, "--stale-ok"));
    run("gate --max-dead 0 --stale-ok", 0, "changed since the run: src/lim.h");
    run("status", 0, NULL);
    expect_out("changed since the run: src/lim.h");
    run("report -o out --format markdown", 0, "changed since the run: src/lim.h");
    put("src/c.c", "int In, Out; void step(void) { if (In > 4) Out = 1; }\n");
    put("goalkeeper.json", "{\"sources\": [\"src/c.c\"], \"step\": \"step\"}\n");
    run("gate --max-dead 0", 2, "changed since the run: goalkeeper.json, src/c.c, src/lim.h");
    /* on a machine without the sources there is nothing to compare */
    file_remove_tree(path("src"));
    file_remove_tree(path("goalkeeper.json"));
    run("gate --max-dead 0 goalkeeper.db", 0, NULL);
}

static void test_missing_headers(void) {
    static const struct {
        const char *header, *words;
    } missing[] = {{"dsfxp.h", "dSPACE's fixed-point library"},
                   {"tl_basetypes.h", "TargetLink's base types"},
                   {"TL_Types.h", "TargetLink's types of the data dictionary"},
                   {"sub/rtwtypes.h", "the types of Simulink Coder"},
                   {"Rte_Ctl.h", "the run-time environment that AUTOSAR generates"}};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        put("h.c",
            arena_printf(&arena, "#include \"%s\"\nvoid step(void) {}\n", missing[i].header));
        run("init h.c", 3, missing[i].words);
        TEST_ASSERT_TRUE(says(&r.err, "include_dirs"));
        TEST_ASSERT_TRUE(says(&r.err, "h.c:1:10"));
    }
    put("h.c", "#include \"own.h\"\nvoid step(void) {}\n");
    run("run h.c", 3, "name the directory of the header");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_initialised_inputs);
    RUN_TEST(test_constants_make_dead_what_is_not);
    RUN_TEST(test_no_inputs);
    RUN_TEST(test_calibration_keeps_its_value);
    RUN_TEST(test_parameters_of_the_initialisation);
    RUN_TEST(test_changed_inputs);
    RUN_TEST(test_missing_headers);
    RUN_TEST(test_a_forgotten_source);
    return UNITY_END();
}
