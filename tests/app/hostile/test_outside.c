/* What a project file and its sources name lies below the project's root, or the user has said so.
 */
#include "folder.h"

#include "base/sandbox/sandbox.h"

#include "unity.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void setUp(void) {
    folder_open();
}

void tearDown(void) {
    folder_close();
}

static const char source[] = "unsigned char in, out;\n"
                             "void step(void) { if (in > 3) out = 1; }\n";

static void put_project(const char *keys) {
    put("p/src/m.c", source);
    put("p/goalkeeper.json", arena_printf(&arena,
                                          "{\"step\": \"step\", \"inputs\": [{\"name\": \"in\"}],\n"
                                          " %s}\n",
                                          keys));
}

static void expect_run(const char *options, int code, const char *words) {
    run_tool(arena_printf(&arena, "run p --goals-only %s", options), NULL);
    expect_end(code, words);
}

static void expect_refused(const char *keys, const char *named) {
    put_project(keys);
    expect_run("", 2, "p/goalkeeper.json:2:");
    TEST_ASSERT_TRUE_MESSAGE(
        says(&r.err,
             arena_printf(&arena, "'%s' lies outside of the project, whose root is ", named)),
        str_text(&r.err));
    TEST_ASSERT_TRUE(says(&r.err, "--allow-outside"));
    TEST_ASSERT_FALSE(file_exists(path("p/goalkeeper.db")));
    expect_run("--allow-outside", 0, NULL);
    TEST_ASSERT_EQUAL_INT(0, unlink(path("p/goalkeeper.db")));
}

static void test_a_project_file_names_what_is_below_its_root(void) {
    put("m.c", source);
    put("other/h.h", "#define H 1\n");
    put("other/compile_commands.json", "[]\n");
    expect_refused("\"sources\": [\"../m.c\"]", "../m.c");
    expect_refused(arena_printf(&arena, "\"sources\": [\"%s\"]", path("m.c")), path("m.c"));
    expect_refused("\"sources\": [\"src/m.c\"], \"include_dirs\": [\"src\", \"../other\"]",
                   "../other");
    expect_refused("\"sources\": [\"src/m.c\"], \"cflags\": [\"-DX\", \"-I../other\"]", "../other");
    expect_refused("\"sources\": [\"src/m.c\"], \"cflags\": [\"-include\", \"../other/h.h\"]",
                   "../other/h.h");
    expect_refused("\"sources\": [\"src/m.c\"], \"path_map\": {\"C:/x\": \"../other\"}",
                   "../other");
    expect_refused("\"sources\": [\"src/m.c\"], \"compile_commands\": "
                   "\"../other/compile_commands.json\"",
                   "../other/compile_commands.json");
}

static void test_links_are_followed(void) {
    put("m.c", source);
    put_project("");
    TEST_ASSERT_EQUAL_INT(0, symlink("../../m.c", path("p/src/link.c")));
    expect_refused("\"sources\": [\"src/link.c\"]", "src/link.c");
    TEST_ASSERT_EQUAL_INT(0, symlink("../new.db", path("p/goalkeeper.db")));
    put_project("\"sources\": [\"src/m.c\"]");
    expect_run("", 2, "'goalkeeper.db' lies outside of the project");
    TEST_ASSERT_FALSE(file_exists(path("new.db")));
    expect_run("--db mine.db", 0, NULL);
}

static void test_a_repository_is_one_project(void) {
    put("m.c", source);
    TEST_ASSERT_EQUAL_INT(0, mkdir(path(".git"), 0700));
    put_project("\"sources\": [\"../m.c\"]");
    expect_run("", 0, NULL);
    TEST_ASSERT_EQUAL_INT(0, mkdir(path("p/.git"), 0700));
    expect_run("", 2, "lies outside of the project");
    const char *environment[] = {"GOALKEEPER_ALLOW_OUTSIDE=1", NULL};
    run_tool("run p --goals-only", environment);
    expect_end(0, NULL);
}

static void test_what_the_user_names_is_good(void) {
    put("m.c",
        "#include \"h.h\"\nunsigned char in, out;\nvoid step(void) { if (in > H) out = 1; }\n");
    put("other/h.h", "#define H 1\n");
    put("other/compile_commands.json",
        "[{\"directory\": \".\", \"file\": \"../p/src/m.c\", \"command\": \"cc -I. -c m.c\"}]\n");
    put("bad/compile_commands.json",
        "[{\"directory\": \".\", \"file\": \"../p/src/m.c\", \"command\": \"cc -I../other -c "
        "m.c\"}]\n");
    run_tool("run m.c --step step -I other --goals-only", NULL);
    expect_end(0, NULL);
    put_project("\"sources\": [\"src/m.c\"], \"include_dirs\": [\"/usr/include\"]");
    put("p/src/m.c", "#include \"h.h\"\n#include <stdint.h>\nuint8_t in, out;\n"
                     "void step(void) { if (in > H) out = 1; }\n");
    expect_run("-I other", 0, NULL);
    expect_run("--cflag -Iother", 3, "h.h"); /* seen from the project */
    expect_run("--cflag -I../other", 0, NULL);
    expect_run("--compile-commands other/compile_commands.json", 0, NULL);
    expect_run("--compile-commands bad/compile_commands.json", 2, "lies outside of the project");
    expect_run("--compile-commands bad/compile_commands.json --allow-outside", 0, NULL);
}

/* The text of a file that only a line marker names is neither shown nor kept. */
static void test_line_markers_read_nothing_outside(void) {
    put("secret.txt", "the secret\n");
    put_project("\"sources\": [\"src/m.c\"]");
    put("p/src/m.c",
        arena_printf(&arena, "# 1 \"%s\" 1\n%s# 3 \"m.c\" 2\n", path("secret.txt"), source));
    expect_run("", 0, NULL);
    TEST_ASSERT_EQUAL_INT64(0, number_in("p/goalkeeper.db",
                                         "SELECT count(*) FROM artifact WHERE instr(CAST(content "
                                         "AS TEXT), 'the secret')"));
    expect_run("--allow-outside", 0, NULL);
    TEST_ASSERT_EQUAL_INT64(1, number_in("p/goalkeeper.db",
                                         "SELECT count(*) FROM artifact WHERE instr(CAST(content "
                                         "AS TEXT), 'the secret')"));
}

/* What a source includes, and what its assembly takes in, is held to the same. */
static void test_sources_include_nothing_outside(void) {
    if (!(sandbox_layers() & SANDBOX_FILES))
        TEST_IGNORE_MESSAGE("no Landlock");
    put("secret.h", "#define H 1\n");
    put_project("\"sources\": [\"src/m.c\"]");
    put("p/src/m.c", "#include \"../../secret.h\"\nunsigned char in, out;\n"
                     "void step(void) { if (in > H) out = 1; }\n");
    expect_run("", 3, "secret.h");
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "--allow-outside"), str_text(&r.err));
    expect_run("--allow-outside", 0, NULL);
    put("p/src/m.c",
        arena_printf(&arena, "%s__asm__(\".section .rodata\\n.incbin \\\"%s\\\"\\n.text\");\n",
                     source, path("secret.h")));
    run_tool("run p --engines simulate --seconds 20", NULL);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "secret.h"), str_text(&r.err));
    TEST_ASSERT_EQUAL_INT64(
        0, number_in("p/goalkeeper.db", "SELECT count(*) FROM goal WHERE status <> 'open'"));
}

static void test_init_says_it(void) {
    put("m.c", source);
    TEST_ASSERT_EQUAL_INT(0, mkdir(path("p"), 0700));
    run_tool("init m.c -o p/goalkeeper.json", NULL);
    expect_end(0, "--allow-outside");
    run_tool("init m.c", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_FALSE(says(&r.err, "--allow-outside"));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_a_project_file_names_what_is_below_its_root);
    RUN_TEST(test_links_are_followed);
    RUN_TEST(test_a_repository_is_one_project);
    RUN_TEST(test_what_the_user_names_is_good);
    RUN_TEST(test_line_markers_read_nothing_outside);
    RUN_TEST(test_sources_include_nothing_outside);
    RUN_TEST(test_init_says_it);
    return UNITY_END();
}
