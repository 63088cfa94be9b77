/* Every gate passes on a good little tree and fails on one with a single fault, naming the place.
 */
#include "gate.h"

#include "base/child.h"
#include "base/file.h"

#include "unity.h"

#include <string.h>

static struct str root;
static struct err err;
static struct arena arena;
static struct findings found;
static bool exceptions;

void setUp(void) {
    TEST_ASSERT_TRUE(file_temp_dir(&root, &err));
}
void tearDown(void) {
    file_remove_tree(str_text(&root));
    str_free(&root);
    str_free(&found.text);
    arena_free(&arena);
}

static void put(const char *path, const char *text) {
    const char *full = path_join(&arena, str_text(&root), path);
    TEST_ASSERT_TRUE_MESSAGE(file_make_dirs(path_dir(&arena, full), &err), str_text(&err.message));
    TEST_ASSERT_TRUE(file_write(full, text, strlen(text), &err));
}

static const char *repeat(const char *line, int n) {
    struct str s = {0};
    for (int i = 0; i < n; i++)
        str_add(&s, line);
    const char *copy = arena_strdup(&arena, str_text(&s));
    str_free(&s);
    return copy;
}

static int run(const char *gate) {
    struct tree tree;
    str_clear(&found.text);
    tree_load(&tree, str_text(&root), str_text(&root));
    tree.exceptions = exceptions;
    for (int i = 0; i < n_gates; i++) {
        if (!str_same(gates[i].name, gate))
            continue;
        found = (struct findings){.tree = &tree, .gate = gate, .text = found.text};
        gates[i].check(&tree, &found);
        findings_check_allowed(&found);
        tree_free(&tree);
        return found.count;
    }
    TEST_FAIL_MESSAGE(gate);
    return 0;
}

static void expect(const char *gate, const char *finding_text) {
    TEST_ASSERT_GREATER_THAN_INT_MESSAGE(0, run(gate), gate);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&found.text), finding_text),
                                 str_text(&found.text));
}

static const char good_header[] = "/* x: a good header.\n"
                                  " * It says what it is for. */\n"
                                  "#ifndef BASE_X_H\n"
                                  "#define BASE_X_H\n\n"
                                  "int x_next(int x); /* the one behind */\n\n"
                                  "#endif\n";
static const char good_source[] = "#include \"base/x.h\"\n\n"
                                  "#include <assert.h>\n\n"
                                  "int x_next(int x) {\n"
                                  "    assert(x < 100 && \"no } { atoi( in texts\");\n"
                                  "    return x > 9 ? x_next(0) : x + 1; /* strcpy( sprintf( */\n"
                                  "}\n";

static void put_good(void) {
    put("base/x.h", good_header);
    put("base/x.c", good_source);
    put("README.md", "# A project\n");
    put("base/README.md", repeat("About base.\n", 10));
    put(".clang-format", "BasedOnStyle: LLVM\nIndentWidth: 4\n");
}

static void test_a_good_tree_passes_every_gate(void) {
    put_good();
    for (int i = 0; i < n_gates; i++) {
        run(gates[i].name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE("", str_text(&found.text), gates[i].name);
    }
}

static void test_function_length(void) {
    const char *body = repeat("    x++;\n", 100);
    put("base/x.c", arena_printf(&arena, "int f(int x) {\n%s}\n", body));
    expect("function_length", "base/x.c:1: [function_length] f has 102 lines");
    TEST_ASSERT_NOT_NULL(strstr(str_text(&found.text), "median function length 102"));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&found.text), "90 % of functions within 102"));
    put("base/x.c", arena_printf(&arena, "int f(int x) {\n%s}\n", repeat("    x++;\n", 98)));
    run("function_length");
    TEST_ASSERT_NULL(strstr(str_text(&found.text), "f has"));
}

static void test_functions_are_found_in_spite_of_noise(void) {
    put("base/x.c", arena_printf(&arena,
                                 "#define OPEN {\nstatic const char *const t[] = {\"a\", \"}\"};\n"
                                 "struct s {\n%s};\n"
                                 "static int\nlong_one(int (*g)(int),\n    int x) {\n"
                                 "    char c = '}'; /* } */\n%s}\n",
                                 repeat("    int a;\n", 120), repeat("    x++;\n", 120)));
    expect("function_length", "long_one has 123 lines");
    TEST_ASSERT_EQUAL_INT(3, found.count); /* the function, the median, the 90 % */
}

static void test_file_length(void) {
    put("base/x.c", repeat("\n", 801));
    expect("file_length", "base/x.c: [file_length] 801 lines");
    put("base/x.c", repeat("\n", 800));
    TEST_ASSERT_EQUAL_INT(0, run("file_length"));
}

static void test_line_length(void) {
    put("base/x.c", arena_printf(&arena, "\n/* %s */\n", repeat("x", 95)));
    expect("line_length", "base/x.c:2: [line_length] 101 columns");
    put("base/x.c", arena_printf(&arena, "\n/* %s */\n", repeat("\xc3\xa9", 94)));
    TEST_ASSERT_EQUAL_INT(0, run("line_length"));
}

static void test_layers(void) {
    put("base/x.c", "#include \"model/term/term.h\"\n");
    expect("layers", "base/x.c:1: [layers] base/ must not include model/term/term.h");
    put("base/x.c", "");
    put("engines/x.c", "#include \"base/x.h\"\n#include \"coverage/goal.h\"\n");
    expect("layers", "engines/x.c:2: [layers] engines/ must not include coverage/goal.h");
    put("engines/x.c", "#include <sqlite3.h>\n");
    expect("layers", "engines/ must not include sqlite3.h");
    put("engines/x.c", "");
    put("report/x.c", "#include \"engines/engine.h\"\n");
    expect("layers", "report/ must not include engines/engine.h");
    put("report/x.c", "#include \"tests/help.h\"\n");
    expect("layers", "production code includes tests/help.h");
    put("report/x.c", "#include \"db/store.h\"\n");
    TEST_ASSERT_EQUAL_INT(0, run("layers"));
}

static void test_layers_of_rooms(void) {
    put("model/term/x.c", "#include \"model/system/x.h\"\n");
    expect("layers", "model/term/x.c:1: [layers] model/term/ must not include model/system/x.h");
    put("model/term/x.c", "");
    put("model/system/x.c", "#include \"model/term/x.h\"\n#include \"base/x.h\"\n");
    put("engines/ic3/x.c", "#include \"engines/solver/x.h\"\n#include \"model/term/x.h\"\n");
    TEST_ASSERT_EQUAL_INT(0, run("layers"));
    put("instrument/lower/x.c", "#include <clang-c/Index.h>\n");
    expect("layers", "instrument/lower/ must not include clang-c/Index.h");
}

static void test_knots(void) {
    put("base/a.h", "#include \"base/b.h\"\n");
    put("base/b.c", "#include \"base/c.h\"\n");
    put("base/b.h", "");
    put("base/c.h", "#include \"base/a.h\"\n");
    TEST_ASSERT_EQUAL_INT(0, run("knots"));
    put("base/c.h", "#include \"base/d.h\"\n");
    put("base/d.h", "#include \"base/a.h\"\n");
    expect("knots",
           "base/a: [knots] a knot of 4 modules that include each other, at most 3: b c d");
}

static void test_rooms(void) {
    const char *lines = "a line\na line\na line\na line\na line\n";
    put("base/x.c", "");
    expect("rooms", "base: [rooms] no README.md");
    put("base/README.md", lines);
    expect("rooms", "base/README.md: [rooms] 5 lines, between 10 and 30");
    put("base/README.md", arena_printf(&arena, "%s%s", lines, lines));
    TEST_ASSERT_EQUAL_INT(0, run("rooms"));
    for (int i = 0; i < 49; i++)
        put(arena_printf(&arena, "base/x%d.c", i), "");
    expect("rooms", "base: [rooms] 51 files, at most 50");
}

static void test_headers(void) {
    put_good();
    put("base/y.h", "/* y: needs somebody else's size_t. */\nsize_t y(void);\n");
    expect("headers", "base/y.h:2");
}

static void test_comments(void) {
    put("base/x.h", "#ifndef X\n#define X\n/* a */\n#endif\n");
    expect("comments", "base/x.h:1: [comments] the header does not open");
    put("base/x.h", arena_printf(&arena, "/* x */\n%s", repeat("int a;\n", 9)));
    expect("comments", "10 % of the lines");
    put("base/x.h", "/* x */\n");
    put("base/x.c", repeat("int a;\n", 100));
    TEST_ASSERT_EQUAL_INT(0, run("comments"));
    put("base/x.c", repeat("int a;\n", 101));
    expect("comments", "base/x.c:1: [comments] a file of more than 100 lines");
    put("base/x.c", arena_printf(&arena, "/* x */\n%s", repeat("int a;\n", 101)));
    TEST_ASSERT_EQUAL_INT(0, run("comments"));
}

static void test_asserts(void) {
    put("model/x/x.c", arena_printf(&arena, "%s%s%s", repeat("int a; /* assert( */\n", 100),
                                    repeat("#include <assert.h>\n", 50), repeat("bug();\n", 50)));
    expect("asserts", "model/x: [asserts] 0 asserts in 200 lines");
    put("model/x/x.c",
        arena_printf(&arena, "%s%s", repeat("int a;\n", 196), repeat("assert(a);\n", 4)));
    TEST_ASSERT_EQUAL_INT(0, run("asserts"));
    put("app/overlay/x.c",
        arena_printf(&arena, "%s%s", repeat("int a;\n", 80), repeat("assert(a);\n", 20)));
    expect("asserts", "app/overlay: [asserts] 198 asserts per 1000 lines: raise its row");
}

static void test_conditionals(void) {
    put("base/x.c", "#ifdef A\n#elif B\n#endif\n");
    expect("conditionals", "base/x.c:1");
    put("base/x.c", arena_printf(&arena, "#ifdef A\n#endif\n%s", repeat("\n", 332)));
    TEST_ASSERT_EQUAL_INT(0, run("conditionals"));
}

static void test_banned(void) {
    put("base/x.c", "int f(char *s) {\n    return atoi(s);\n}\n");
    expect("banned", "base/x.c:2: [banned] atoi is banned; use parse_count");
    put("base/x.c", "int f(char *s, char *t) {\n    return sscanf(s, \"%d %s\", &a, t);\n}\n");
    expect("banned", "base/x.c:2: [banned] scanf without a width");
    put("base/x.c", "int f(char *s) {\n    return sscanf(s, \"%d %9s\", &a, t) + my_atoi(s);\n}\n");
    TEST_ASSERT_EQUAL_INT(0, run("banned"));
}

static void test_rows(void) {
    put("app/cli/options.def", "/* OPTION(comment) */\nOPTION(one, FLAG)\nOPTION(two, FLAG)\n");
    put("app/cmd_x.c",
        "int cmd_x(const struct options *o) {\n    return o->one_more + o->two;\n}\n");
    expect("rows", "app/cli/options.def:2: [rows] nobody uses the row one");
    TEST_ASSERT_EQUAL_INT(1, found.count);
    put("app/cli/options.def", "");
    put("app/cli/commands.def", "COMMAND(x, \"\")\nCOMMAND(y, \"\")\n");
    expect("rows", "app/cli/commands.def:2: [rows] nobody uses the row y");
    put("app/cli/commands.def", "");
    put("base/stop.def", "STOP(HERE, \"\")\n");
    expect("rows", "nobody uses the row HERE");
    put("base/stop.def", "");
    put("engines/stats.def", "STAT(steps, \"\")\nSTAT(hits, \"\")\n");
    put("engines/x.c", "void f(struct s *s) {\n    s->hits++;\n}\n");
    expect("rows", "engines/stats.def:1: [rows] nobody uses the row steps");
    TEST_ASSERT_EQUAL_INT(1, found.count);
}

static void test_reached(void) {
    put("base/x.h", "/* x */\nint x_used(int a);\nint x_tested(int a);\nvoid x_of_row(void);\n");
    put("base/x.c", "int x_used(int a) {\n    return a;\n}\n"
                    "int x_tested(int a) { /* x_tested() */\n    return x_used(a);\n}\n"
                    "void x_of_row(void) {\n}\n#define ROW(name) x_of_##name\n");
    put("tests/base/test_x.c", "void test(void) {\n    x_tested(1);\n}\n");
    expect("reached", "base/x.h:3: [reached] no program calls x_tested()");
    TEST_ASSERT_EQUAL_INT(1, found.count);
}

static void test_examples(void) {
    put("base/x.h", "/* x.\n"
                    " *     x_set(&x, (a, b), \"c,\"); // and x_set()\n"
                    " *     x_set(&x,\n"
                    " *           1);\n"
                    " *     x_print(1, 2, 3); x.x_set(); x_set(…);\n"
                    " * x_set() is no example */\n"
                    "void x_set(struct x *x, int a,\n           int b);\n"
                    "void x_print(int a, ...);\n");
    expect("examples", "base/x.h:3: [examples] the example calls x_set() with 2 arguments");
    TEST_ASSERT_EQUAL_INT(1, found.count);
}

static void test_compiled(void) {
    put("base/arena.h", "struct arena { int x; };\n");
    put("base/err.h", "struct err { int x; };\n");
    put("base/str.h", "#pragma once\n#include <stdbool.h>\n#include <stddef.h>\n"
                      "struct str {\n    int x;\n};\n");
    put("base/vec.h", "#include <stdint.h>\n");
    put("base/x.h",
        "/* x\n *\n *     int a = twice(2);     // 4\n *     if (a) …\n *     … and so on …\n"
        " */\nint twice(int x);\n");
    TEST_ASSERT_EQUAL_INT(0, run("compiled"));
    put("base/x.h", "/* x\n *\n *     int a = twice(two);\n */\nint twice(int x);\n");
    expect("compiled", "base/x.h: [compiled] its example does not compile: base/x.h:3:");
}

static void test_format(void) {
    put_good();
    put("base/y.c", "int  f( void );\n");
    expect("format", "base/y.c: not as clang-format-19 lays it out");
}

static void compile(const char *text) {
    put("CMakeFiles/gk_model.dir/model/x.c", text);
    const char *argv[] = {"cc", "-O2", "-fPIC", "-c", "x.c", "-o", "x.c.o", NULL};
    struct child_result result;
    struct child_spec spec = {
        .argv = argv, .dir = path_join(&arena, str_text(&root), "CMakeFiles/gk_model.dir/model")};
    TEST_ASSERT_TRUE(child_run(&spec, &result, &err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, result.code, str_text(&result.err));
    child_result_free(&result);
}

static void test_globals(void) {
    compile("static int counter; int next(void) { return ++counter; }");
    expect("globals", "model/x.c: [globals] 'counter' is a mutable global");
    compile("int next(void) { static int calls = 7; return ++calls; }");
    expect("globals", "'calls' is a mutable global");
    compile("_Thread_local int mine; int next(void) { return ++mine; }");
    expect("globals", "'mine' is a mutable global");
    compile(
        "extern int f(void); int (*const table[])(void) = {f};\n"
        "static const char *const names[] = {\"a\"}; const char *n(int i) { return names[i]; }");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, run("globals"), str_text(&found.text));
}

static void test_words(void) {
    put("base/x.c", "/* As said in issue 7. */\n");
    expect("words", "base/x.c:1: [words] 'issue #'");
    put("base/x.c", "/* A tissue of issues. */\n");
    TEST_ASSERT_EQUAL_INT(0, run("words"));
    put("README.md", "# x\n\nSee ../shared for more.\n");
    expect("words", "README.md:3: [words] '../shared'");
}

static void test_leftovers(void) {
    put("base/x.c", "int a; /* TODO: the rest */\n");
    expect("leftovers", "base/x.c:1: [leftovers] TODO left behind");
    put("base/x.c", "int a;\n    // a = b + 1;\n");
    expect("leftovers", "base/x.c:2: [leftovers] code that was switched off");
    put("base/x.c", "#if 0\nint a;\n#endif\n");
    expect("leftovers", "switched off");
    put("base/x.c", "int a; // TODOs are not words; a sentence.\n// Another one.\n");
    TEST_ASSERT_EQUAL_INT(0, run("leftovers"));
}

static void test_exceptions_must_be_needed(void) {
    put("base/stop.c", "");
    exceptions = true;
    expect("globals", "allow.def excepts 'stop_armed' without need");
    exceptions = false;
    TEST_ASSERT_EQUAL_INT(0, run("globals"));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_exceptions_must_be_needed);
    RUN_TEST(test_a_good_tree_passes_every_gate);
    RUN_TEST(test_function_length);
    RUN_TEST(test_functions_are_found_in_spite_of_noise);
    RUN_TEST(test_file_length);
    RUN_TEST(test_line_length);
    RUN_TEST(test_layers);
    RUN_TEST(test_layers_of_rooms);
    RUN_TEST(test_knots);
    RUN_TEST(test_rooms);
    RUN_TEST(test_headers);
    RUN_TEST(test_comments);
    RUN_TEST(test_asserts);
    RUN_TEST(test_conditionals);
    RUN_TEST(test_banned);
    RUN_TEST(test_rows);
    RUN_TEST(test_reached);
    RUN_TEST(test_examples);
    RUN_TEST(test_compiled);
    RUN_TEST(test_format);
    RUN_TEST(test_globals);
    RUN_TEST(test_words);
    RUN_TEST(test_leftovers);
    return UNITY_END();
}
