/* goalkeeper init: the file it writes is one that the program reads, and it overwrites nothing. */
#include "app/project/read.h"
#include "folder.h"

#include "unity.h"

#include <string.h>

void setUp(void) {
    folder_open();
}
void tearDown(void) {
    folder_close();
}

static void run(const char *line, int code) {
    run_tool(line, NULL);
    expect_end(code, NULL);
}

static const char source[] =
    "#include \"types.h\"\n"
    "uint8 in; /* \xfc\"ber\\ LSB: 1 OFF: 0 MIN/MAX: 0 .. 9 */ uint8 out; const int Kp = LIMIT;\n"
    "void RESTART_ctrl(void) { out = 0; } void ctrl(void) { if (in > Kp) out++; }\n";

static void read_back(const char *name, struct project *project) {
    bool good = project_read(path(name), project, &err);
    TEST_ASSERT_TRUE_MESSAGE(good, str_text(&err.message));
}

static void test_written_file_is_read(void) {
    put("src/ctrl.c", source);
    put("inc/types.h", "typedef unsigned char uint8;\n");
    run("init -I inc -D LIMIT=3 --target lp64 --char unsigned src/ctrl.c", 0);
    TEST_ASSERT_TRUE(says(&r.out, "step function ctrl\n"));
    TEST_ASSERT_TRUE(says(&r.out, "init function RESTART_ctrl\n"));
    TEST_ASSERT_TRUE(says(&r.out, "input in: 0 .. 9\n"));
    TEST_ASSERT_TRUE(says(&r.out, "comment at src/ctrl.c:2"));
    struct project project;
    read_back("goalkeeper.json", &project);
    TEST_ASSERT_EQUAL_STRING("ctrl", project.step);
    TEST_ASSERT_EQUAL_STRING("src/ctrl.c", project.sources.data[0]);
    TEST_ASSERT_EQUAL_STRING("inc", project.include_dirs.data[0]);
    TEST_ASSERT_EQUAL_STRING("LIMIT=3", project.defines.data[0]);
    TEST_ASSERT_FALSE(project.ilp32 || project.char_is_signed);
    TEST_ASSERT_EQUAL_size_t(2, project.vars.len);
    TEST_ASSERT_EQUAL_STRING("9", project.vars.data[0].max_text);
    TEST_ASSERT_TRUE(project.vars.data[1].is_parameter);
    project_free(&project);
}

static void test_paths_start_at_the_project_file(void) {
    put("src/ctrl.c", source);
    put("src/types.h", "typedef unsigned char uint8;\n");
    put("out/deep/keep", "");
    run("init -D LIMIT=3 -o out/deep/p.json src/ctrl.c", 0);
    struct project project;
    read_back("out/deep/p.json", &project);
    TEST_ASSERT_EQUAL_STRING("../../src/ctrl.c", project.sources.data[0]);
    project_free(&project);
}

static void test_to_the_terminal(void) {
    put("a.c", "int in, out; void step(void) { out = in; }\n");
    run("init -o - a.c", 0);
    TEST_ASSERT_EQUAL_CHAR('{', str_text(&r.out)[0]);
    TEST_ASSERT_TRUE(says(&r.err, "step function step\n"));
    TEST_ASSERT_FALSE(file_exists(path("goalkeeper.json")));
}

static void test_never_overwrites_what_others_wrote(void) {
    put("a.c", "int in, out; void step(void) { out = in; }\n");
    run("init a.c", 0);
    run("init a.c", 0); /* ours, untouched */
    struct str text = {0};
    TEST_ASSERT_TRUE(file_read(path("goalkeeper.json"), &text, &err));
    char *edited = strstr(text.data, "2147483647");
    TEST_ASSERT_NOT_NULL(edited);
    edited[0] = '1';
    put("goalkeeper.json", text.data);
    run("init a.c", 2);
    TEST_ASSERT_TRUE(says(&r.err, "somebody else wrote or edited it"));
    TEST_ASSERT_TRUE(says(&r.err, "-o"));
    put("goalkeeper.json", "{}\n");
    run("init a.c", 2);
    str_clear(&text);
    TEST_ASSERT_TRUE(file_read(path("goalkeeper.json"), &text, &err));
    TEST_ASSERT_EQUAL_STRING("{}\n", text.data);
    str_free(&text);
}

static const char two_rates[] = "int In, A, B; void Mod_Init(void) { A = 0; }\n"
                                "void Mod_10ms(void) { if (In > 3) A = 1; }\n"
                                "void Mod_100ms(void) { if (A == 1) B = 1; }\n";

static void test_several_step_functions(void) {
    put("a.c", two_rates);
    run("init a.c", 0);
    TEST_ASSERT_TRUE(says(&r.out, "nobody calls Mod_10"));
    TEST_ASSERT_TRUE(says(&r.out, "--steps "));
    run("init a.c --steps Mod_10ms,Mod_100ms -o p.json", 0);
    TEST_ASSERT_FALSE(says(&r.out, "nobody calls"));
    TEST_ASSERT_TRUE(says(&r.out, "input goalkeeper_steps_which: 0 .. 1"));
    struct project project;
    read_back("p.json", &project);
    TEST_ASSERT_EQUAL_STRING("goalkeeper_steps", project.step);
    TEST_ASSERT_EQUAL_STRING("p_steps.c", project.sources.data[1]);
    TEST_ASSERT_EQUAL_STRING("files:p_steps.c", project.exclude.data[0]);
    TEST_ASSERT_EQUAL_STRING("Mod_Init", project.init.data[0]);
    project_free(&project);
    run("run p.json --db p.db --seconds 60", 0);
    TEST_ASSERT_EQUAL_INT64(0, number_in("p.db", "SELECT count(*) FROM goal WHERE status <> "
                                                 "'reachable' OR file = 'p_steps.c'"));
    run("init a.c --steps Mod_10ms,Mod_100ms -o p.json", 0); /* ours, untouched */
    put("p_steps.c", "void goalkeeper_steps(void) {}\n");
    run("init a.c --steps Mod_10ms,Mod_100ms -o p.json", 2);
    TEST_ASSERT_TRUE(says(&r.err, "somebody else wrote or edited it"));
    run("init a.c --steps Mod_10ms,Mod_1s -o q.json", 2);
    TEST_ASSERT_TRUE(says(&r.err, "the sources define no function 'Mod_1s'"));
    put("b.c", "int In; void A(int x) { In = x; } void B(void) { In = 1; }\n");
    run("init b.c --steps A,B -o r.json", 2);
    TEST_ASSERT_TRUE(says(&r.err, "'A' is called with arguments"));
}

static void test_range_of_floats(void) {
    put("a.c", "float In, Free; int n, Out; void step(void) { Out = In > 3.F && Free > n; }\n");
    run("init a.c", 0);
    TEST_ASSERT_TRUE(says(&r.err, "warning: no range is known for In, Free:"));
    run("init a.c --float-range -1e3:2.5", 0);
    TEST_ASSERT_FALSE(says(&r.err, "warning"));
    TEST_ASSERT_TRUE(says(&r.out, "input In: -1000 .. 2.5"));
    TEST_ASSERT_TRUE(says(&r.out, "range: --float-range"));
    struct project project;
    read_back("goalkeeper.json", &project);
    TEST_ASSERT_EQUAL_DOUBLE(-1000.0, project.vars.data[0].min);
    project_free(&project);
    run("init a.c --float-range 5:2", 2);
    run("init a.c --float-range 5", 2);
    TEST_ASSERT_TRUE(says(&r.err, "MIN:MAX"));
}

/* From the comments of the generator to the query and the report. */
static void test_blocks_of_the_model(void) {
    put("a.c", "/* SUBSYS\n * Sa1        m/Top\n */\nint In, Out;\nvoid Sa1_step(void) {\n"
               "  Out = 0;\n  /* Saturation: Top/Limit */\n  if (In > 3) Out = 1;\n}\n");
    run("run a.c --db a.db --goals-only", 0);
    TEST_ASSERT_TRUE(says(&r.err, "next: goalkeeper run decides the goals; goalkeeper query "));
    run("query a.db --block m/Top/Limit --kind branch,statement --format csv", 0);
    TEST_ASSERT_TRUE(says(&r.out, ",In > 3,1,"));
    TEST_ASSERT_TRUE(says(&r.out, ",m/Top/Limit,"));
    TEST_ASSERT_FALSE(says(&r.out, "Out = 0;"));
    run("query a.db --block m/Top --kind statement", 0); /* with all that is in it */
    TEST_ASSERT_TRUE(says(&r.out, "Out = 0;") && says(&r.out, "Out = 1;"));
    TEST_ASSERT_EQUAL_INT64(1, number_in("a.db", "SELECT (SELECT sum(total) FROM block_summary "
                                                 "WHERE block = 'm') = (SELECT count(*) "
                                                 "FROM goal)"));
    run("report a.db -o out", 0);
    struct str page = {0};
    TEST_ASSERT_TRUE(file_read(path("out/index.html"), &page, &err));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&page), "Coverage by subsystem and block"));
    TEST_ASSERT_NOT_NULL(
        strstr(str_text(&page), "· · <a href=\"goals.html#block=m/Top/Limit\">Limit</a>"));
    str_clear(&page);
    TEST_ASSERT_TRUE(file_read(path("out/goals.html"), &page, &err));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&page), "id=\"filter-block\""));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&page), "type=\"button\">block</button>"));
    str_clear(&page);
    TEST_ASSERT_TRUE(file_read(path("out/goals.js"), &page, &err));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&page), ",\"m/Top/Limit\"]"));
    str_free(&page);
}

static void test_sources_that_do_not_parse(void) {
    put("a.c", "void step(void) { missing_t x; }\n");
    run("init a.c", 3);
    TEST_ASSERT_TRUE(says(&r.err, "a.c:1:19"));
    run("init nothing.c", 2);
    TEST_ASSERT_FALSE(file_exists(path("goalkeeper.json")));
}

/* "Tab", "Door[].Latch" stand for all elements. */
static bool stands_for(const char *name, const char *path) {
    for (; *name && *path; name++, path++) {
        if (*name != *path)
            return false;
        if (*name == '[' && name[1] == ']') {
            name++;
            path += strcspn(path, "]");
        }
    }
    return !*name && (!*path || *path == '[');
}

/* What a person wrote into the project files of the samples is what is guessed. */
static void expect_sample(const char *name, const char *arguments) {
    const char *folder = arena_printf(&arena, "%s/samples/%s", GK_SOURCE_DIR, name);
    const char *file = path(arena_printf(&arena, "%s.json", name));
    child_result_free(&r);
    r = run_program(arena_printf(&arena, "init -o %s %s", file, arguments), NULL, folder);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    struct project ours, theirs;
    read_back(arena_printf(&arena, "%s.json", name), &ours);
    TEST_ASSERT_TRUE(project_read(path_join(&arena, folder, "goalkeeper.json"), &theirs, &err));
    TEST_ASSERT_EQUAL_STRING_MESSAGE(theirs.step, ours.step, name);
    for (size_t i = 0; i < theirs.init.len; i++)
        TEST_ASSERT_EQUAL_STRING_MESSAGE(theirs.init.data[i], ours.init.data[i], name);
    for (size_t i = 0; i < theirs.vars.len; i++) {
        bool found = theirs.vars.data[i].is_parameter;
        for (size_t k = 0; k < ours.vars.len; k++)
            found |= stands_for(ours.vars.data[k].name, theirs.vars.data[i].name);
        TEST_ASSERT_TRUE_MESSAGE(found, theirs.vars.data[i].name);
    }
    project_free(&ours);
    project_free(&theirs);
}

static void test_samples(void) {
    static const char *const single[] = {"pid_fixed",     "cruise_control", "can_guard",
                                         "battery_soc",   "door_debounce",  "awkward",
                                         "injection_map", "service_meter"};
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        expect_sample(single[i], arena_printf(&arena, "%s.c", single[i]));
    expect_sample("lane_assist", "-I include src/lane_assist.c src/lane_assist_cal.c");
    expect_sample("multi_unit", "--compile-commands compile_commands.json src/sensor.c "
                                "src/actuator.c src/thermo.c");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_samples);
    RUN_TEST(test_written_file_is_read);
    RUN_TEST(test_paths_start_at_the_project_file);
    RUN_TEST(test_to_the_terminal);
    RUN_TEST(test_never_overwrites_what_others_wrote);
    RUN_TEST(test_several_step_functions);
    RUN_TEST(test_range_of_floats);
    RUN_TEST(test_blocks_of_the_model);
    RUN_TEST(test_sources_that_do_not_parse);
    return UNITY_END();
}
