/* Exported tests of programs that are made to be difficult: names that no shell likes, inputs of
 * every kind, several units. They compile without warnings, pass, and fail when the program is
 * changed. */
#include "folder.h"

#include "unity.h"

#include <stdio.h>
#include <string.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

void setUp(void) {
    folder_open();
}
void tearDown(void) {
    folder_close();
}

static void goalkeeper(const char *line, const char *where) {
    child_result_free(&r);
    r = run_program(line, NULL, where);
}

static void goalkeeper_ok(const char *line, const char *where) {
    goalkeeper(line, where);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
}

static int make(const char *where, const char *const *words) {
    VEC(const char *) argv = {0};
    vec_push(&argv, "make");
    vec_push(&argv, "CFLAGS=-Wall -Wextra -Werror");
    for (; *words; words++)
        vec_push(&argv, *words);
    vec_push(&argv, NULL);
    struct child_spec spec = {.argv = argv.data, .dir = where, .wall_seconds = 300};
    child_result_free(&r);
    TEST_ASSERT_TRUE(child_run(&spec, &r, &err));
    TEST_ASSERT_EQUAL_INT(CHILD_EXITED, r.end);
    vec_free(&argv);
    return r.code;
}

#define MAKE(where, ...) make(where, (const char *const[]){__VA_ARGS__, NULL})

static void expect_pass(int code) {
    if (code != 0)
        fprintf(stderr, "%.3000s%.3000s\n", str_text(&r.out), str_text(&r.err));
    TEST_ASSERT_EQUAL_INT(0, code);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, " tests, 0 failed"), str_text(&r.out));
    TEST_ASSERT_FALSE_MESSAGE(says(&r.out, "\n0 tests"), str_text(&r.out));
}

static void replace_in(const char *name, const char *from, const char *to) {
    struct str text = {0}, changed = {0};
    TEST_ASSERT_TRUE(file_read(path(name), &text, &err));
    const char *at = strstr(str_text(&text), from);
    TEST_ASSERT_NOT_NULL_MESSAGE(at, from);
    str_addn(&changed, text.data, (size_t)(at - text.data));
    str_addf(&changed, "%s%s", to, at + strlen(from));
    TEST_ASSERT_TRUE(file_write(path(name), str_text(&changed), changed.len, &err));
    str_free(&text);
    str_free(&changed);
}

/* ---- every kind of input, in a place that no shell likes ---- */

#define PLACE "it's \"a\" $HOME #1 \\dir"
#define SOURCE "my 'own' $file.c"

static const char everything[] =
    "typedef struct { unsigned mode : 3; unsigned rest : 13; } flags_t;\n"
    "typedef struct { short x; flags_t flags; } item_t;\n"
    "extern float Sensor(int channel, short *raw);\n" /* a stub */
    "extern int (*Callback)(int);\n"                  /* null or not */
    "extern const short Limit;\n"                     /* declared only, const */
    "extern signed char Boot;\n"                      /* read by the init function, too */
    "const float Gain = 2.0F;\n"                      /* const, set by the test */
    "static const volatile int Offset = 1;\n"         /* static, const */
    "volatile unsigned short Port;\n"                 /* hardware */
    "item_t Items[2]; unsigned long long Wide; double Ratio; float Mean; _Bool On;\n"
    "int Total; flags_t State; signed char Small;\n"
    "void start(int first) { Total = first; State.mode = 5; On = 0; Mean = 0.0F;\n"
    "    State.rest = Boot == 77; }\n"
    "int step(short delta, const item_t *item) {\n"
    "    static short old; short raw = 0;\n"
    "    float f = Sensor(3, &raw);\n"
    "    if (raw > 100 && f > 1.5F) { State.mode++; }\n"
    "    if (Callback) { Small = -5; }\n"
    "    if (delta > Limit) { Total += delta; }\n"
    "    if (item->flags.mode == 6) { Items[1].x = (short)(item->x + 1); }\n"
    "    if (State.rest && Boot == 2) { Small = 3; }\n"
    "    if (Gain > 3.0F && Offset > 3) { Wide = 0xFFFFFFFFFFFFFFF0ULL; }\n"
    "    if (Port & 0x10) { On = !On; } if (Port > 300 && Port < 200) { Small = 9; }\n"
    "    Mean = (Mean + f) / 2.0F; Ratio = (double)Mean / (double)old;\n" /* 0 / 0 is a NaN */
    "    old = delta;\n"
    "    return Total;\n"
    "}\n"
    "int main(void) { return 0; }\n";

static const char everything_json[] =
    "{\"sources\": [\"" SOURCE "\"], \"step\": \"step\", \"init\": [\"start\"],\n"
    "\"defines\": [\"UNUSED=\\\"it's\\\"\"],\n"
    "\"inputs\": [{\"name\": \"delta\", \"min\": -50, \"max\": 50}],\n"
    "\"parameters\": [{\"name\": \"Gain\", \"mode\": \"range\", \"min\": 1, \"max\": 4},\n"
    "  {\"name\": \"Offset\", \"mode\": \"range\", \"min\": 0, \"max\": 10}]}\n";

static void test_a_difficult_program(void) {
    const char *place = path(PLACE);
    TEST_ASSERT_EQUAL_INT(0, mkdir(place, 0777));
    put(PLACE "/" SOURCE, everything);
    put(PLACE "/goalkeeper.json", everything_json);
    goalkeeper_ok("run --db x.db --engines simulate --deterministic", place);
    goalkeeper_ok("query x.db --kind condition --status open --format csv", place);
    TEST_ASSERT_FALSE_MESSAGE(says(&r.out, "Offset"), str_text(&r.out)); /* all are reached */
    TEST_ASSERT_FALSE_MESSAGE(says(&r.out, "Boot"), str_text(&r.out));
    goalkeeper_ok("export x.db -o out --tests plain,unity,csv", place);
    TEST_ASSERT_FALSE_MESSAGE(says(&r.err, "no test"), str_text(&r.err));
    const char *plain = path(PLACE "/out/plain"), *unity = path(PLACE "/out/unity");
    expect_pass(MAKE(plain, "check", "CC=gcc"));
    expect_pass(MAKE(unity, "suite", "CC=clang-19")); /* Unity is found */
    TEST_ASSERT_EQUAL_INT(2, MAKE(unity, "clean", "suite", "UNITY="));
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "make UNITY_DIR=FOLDER"), str_text(&r.err));
    /* what is found and what is named are two places, not one by accident */
    TEST_ASSERT_EQUAL_INT(0, mkdir(path("own unity"), 0700));
    const char *copy[] = {"cp",
                          GK_UNITY_DIR "/unity.c",
                          GK_UNITY_DIR "/unity.h",
                          GK_UNITY_DIR "/unity_internals.h",
                          path("own unity"),
                          NULL};
    struct child_spec spec = {.argv = copy, .wall_seconds = 60};
    child_result_free(&r);
    TEST_ASSERT_TRUE(child_run(&spec, &r, &err));
    const char *named = arena_printf(&arena, "UNITY_DIR=%s", path("own unity"));
    expect_pass(MAKE(unity, "clean", "suite", named));
    MAKE(unity, named, "--eval=where:;@echo $(UNITY)", "where");
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "own unity"), str_text(&r.out));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, MAKE(plain, "coverage"), str_text(&r.err));

    /* elsewhere */
    TEST_ASSERT_EQUAL_INT(0, rename(path(PLACE "/" SOURCE), path(SOURCE)));
    expect_pass(MAKE(plain, "clean", "suite", arena_printf(&arena, "PROJECT=%s", str_text(&dir))));

    /* a program that does something else */
    replace_in(SOURCE, "item->x + 1", "item->x + 2");
    TEST_ASSERT_NOT_EQUAL(
        0, MAKE(plain, "clean", "suite", arena_printf(&arena, "PROJECT=%s", str_text(&dir))));
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "Items[1].x is "), str_text(&r.out));
}

/* ---- several units ---- */

static const char unit_a[] = "typedef struct { int v; } mine;\n"
                             "static mine X; int In; int Out;\n"
                             "static int twice(int v) { X.v += v; return 2 * v; }\n"
                             "extern int other(int v); extern int Other_Out;\n"
                             "void step(void) { Out = twice(In);\n"
                             "    if (other(Out) > 40) { Out = -X.v; } }\n";
static const char unit_b[] = "typedef struct { float v; } mine;\n"
                             "static mine X; int Other_Out; unsigned char Other_In;\n"
                             "static int twice(int v) { return v + v; }\n"
                             "int other(int v) { X.v += 0.5F;\n"
                             "    if (Other_In > 3) { Other_Out = twice(v) + (int)X.v; }\n"
                             "    return Other_Out; }\n";

static void test_several_units(void) {
    put("a.c", unit_a);
    put("b.c", unit_b);
    put("goalkeeper.json", "{\"sources\": [\"a.c\", \"b.c\"], \"step\": \"step\",\n"
                           "\"inputs\": [{\"name\": \"In\", \"min\": 0, \"max\": 30}]}\n");
    const char *where = str_text(&dir);
    goalkeeper_ok("run --db x.db --engines simulate --deterministic", where);
    goalkeeper_ok("export x.db -o out", where); /* plain tests, when nothing is said */
    TEST_ASSERT_FALSE(file_exists(path("out/csv")));
    expect_pass(MAKE(path("out/plain"), "check", "CC=gcc"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, MAKE(path("out/plain"), "coverage"), str_text(&r.err));
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "b.c"), str_text(&r.out));
    replace_in("b.c", "v + v", "v + v + 1");
    TEST_ASSERT_NOT_EQUAL(0, MAKE(path("out/plain"), "clean", "suite"));
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "Other_Out is "), str_text(&r.out));
}

/* ---- steps that do not end ---- */

static const char ending[] = "#include <stdlib.h>\n#include <unistd.h>\n"
                             "unsigned char in; int out; static int n;\n"
                             "static void fatal(void) { exit(3); }\n"
                             "void step(void) {\n"
                             "    n++;\n"
                             "    if (in == 7) { fatal(); }\n"
                             "    if (in == 9 && n > 2) { abort(); }\n"
                             "    if (in == 8) { out = 2; _Exit(1); }\n"
                             "    if (in == 6) { quick_exit(1); }\n"
                             "    if (in == 5) { _exit(1); }\n"
                             "    out = 100 / (in - 4);\n"
                             "}\n";

static void test_steps_that_do_not_end(void) {
    put("m.c", ending);
    put("goalkeeper.json", "{\"sources\": [\"m.c\"], \"step\": \"step\"}\n");
    const char *where = str_text(&dir);
    goalkeeper_ok("run --db x.db --engines simulate --deterministic --criteria statement", where);
    goalkeeper_ok("export x.db -o out --tests plain,unity", where);
    TEST_ASSERT_FALSE_MESSAGE(says(&r.err, "no test"), str_text(&r.err));
    expect_pass(MAKE(path("out/plain"), "check", "CC=gcc"));
    expect_pass(MAKE(path("out/plain"), "clean", "check", "CC=clang-19"));
    expect_pass(MAKE(path("out/unity"), "check", "CC=gcc"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, MAKE(path("out/plain"), "coverage"), str_text(&r.err));
}

/* ---- a volatile object that has to change within a step ---- */

/* All goals rest on the run to the last one: that a test which lets the object keep its value hits
 * the others is not enough. */
static void test_all_goals_of_a_witness_are_hit(void) {
    sqlite3 *db = NULL;
    put("m.c", "volatile unsigned char Port; int out;\n"
               "void step(void) { if (Port < 3) { if (Port > 200) { out = 1; } } }\n");
    put("goalkeeper.json", "{\"sources\": [\"m.c\"], \"step\": \"step\"}\n");
    const char *where = str_text(&dir);
    goalkeeper_ok("run --db x.db --engines simulate,bmc --deterministic --criteria statement",
                  where);
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_open(path("x.db"), &db));
    TEST_ASSERT_EQUAL_INT(
        SQLITE_OK, sqlite3_exec(db,
                                "UPDATE goal SET (witness, depth) = (SELECT witness, depth FROM "
                                "goal WHERE text LIKE 'out = 1%') WHERE status = 'reachable'",
                                NULL, NULL, NULL));
    TEST_ASSERT_GREATER_THAN_INT(2, sqlite3_changes(db));
    sqlite3_close(db);
    goalkeeper_ok("export x.db -o out", where);
    const char *list[] = {"grep", "-l", "define Port", "-r", path("out/plain"), NULL};
    struct child_spec spec = {.argv = list, .wall_seconds = 60};
    child_result_free(&r);
    TEST_ASSERT_TRUE(child_run(&spec, &r, &err));
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "witness_"), "no test lets it change");
    expect_pass(MAKE(path("out/plain"), "check", "CC=gcc"));
}

/* ---- refusals ---- */

static void expect_error(const char *line, const char *message) {
    goalkeeper(line, str_text(&dir));
    TEST_ASSERT_EQUAL_INT_MESSAGE(2, r.code, line);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, message), str_text(&r.err));
}

static void test_refusals(void) {
    put("p.c", "int In, Out; void step(void) { if (In > 3) { Out = 1; } }\n");
    goalkeeper_ok("run p.c --step step --db x.db --engines simulate --deterministic",
                  str_text(&dir));
    expect_error("export x.db", "where to?");
    put("taken", "of the user\n");
    expect_error("export x.db -o taken", "taken");
    expect_error("export x.db -o taken/deeper", "taken");
    TEST_ASSERT_EQUAL_INT(0, mkdir(path("out"), 0777));
    TEST_ASSERT_EQUAL_INT(0, mkdir(path("out/plain"), 0777));
    put("out/plain/Makefile", "all:\n\techo mine\n");
    expect_error("export x.db -o out", "Goalkeeper did not write it");
    expect_error("export x.db -o out --tests plane", "plain");

    /* a database without a description of the sources */
    struct store *db;
    TEST_ASSERT_TRUE(store_open(&db, path("x.db"), STORE_WRITE, &err));
    TEST_ASSERT_TRUE(store_artifact(db, "fixture", "", 0, &err));
    store_close(db);
    expect_error("export x.db -o elsewhere", "goalkeeper run");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_a_difficult_program);
    RUN_TEST(test_several_units);
    RUN_TEST(test_steps_that_do_not_end);
    RUN_TEST(test_all_goals_of_a_witness_are_hit);
    RUN_TEST(test_refusals);
    return UNITY_END();
}
