/* Runs with a cache: programs that search come out of it, what confirms is always made anew, and
 * the verdicts are those of a run without one. */
#include "base/file.h"
#include "base/tool.h"
#include "db/rows.h"
#include "run_program.h"

#include "unity.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

static struct str dir;
static struct arena arena;
static struct err err;

void setUp(void) {
    TEST_ASSERT_TRUE(file_temp_dir(&dir, &err));
}
void tearDown(void) {
    file_remove_tree(str_text(&dir));
    str_free(&dir);
    err_clear(&err);
    arena_free(&arena);
}

static const char *path(const char *name) {
    return path_join(&arena, str_text(&dir), name);
}

static void put(const char *name, const char *text) {
    TEST_ASSERT_TRUE(file_write(path(name), text, strlen(text), &err));
}

/* Goals that a run has reached; `log` gets a line for each call of clang. */
static int64_t run(const char *options) {
    const char *environment[] = {arena_printf(&arena, "GOALKEEPER_CLANG=%s", path("clang")), NULL};
    file_remove_tree(path("t.db"));
    put("log", "");
    struct child_result r = run_program(
        arena_printf(&arena, "run --db %s --engines simulate --seconds 60 --step step %s %s",
                     path("t.db"), options, path("t.c")),
        environment, NULL);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    child_result_free(&r);
    struct store *db = NULL;
    TEST_ASSERT_TRUE(store_open(&db, path("t.db"), STORE_READ, &err));
    int64_t n = rows_single_int(db, "SELECT count(*) FROM goal WHERE status = 'reachable'");
    store_close(db);
    return n;
}

static bool compiled(const char *flag) {
    struct str log = {0};
    TEST_ASSERT_TRUE(file_read(path("log"), &log, &err));
    bool yes = says(&log, flag);
    str_free(&log);
    return yes;
}

/* Files in the cache; each gets `damage` as its content unless that is NULL. */
static int kept(const char *damage) {
    int n = 0;
    DIR *d = opendir(path("cache"));
    for (const struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.' && ++n && damage)
            put(arena_printf(&arena, "cache/%s", e->d_name), damage);
    if (d)
        closedir(d);
    return n;
}

#define FAST "-DGK_FAST"
#define CONFIRMS "-fsanitize=address"

static void test_runs_with_a_cache(void) {
    const char *with = arena_printf(&arena, "--cache %s", path("cache"));
    put("t.c", "unsigned char in;\nunsigned char out;\nvoid step(void)\n{\n"
               "    if (in > 7) {\n        out = 1;\n    }\n}\n");
    put("clang", arena_printf(&arena, "#!/bin/sh\necho \"$@\" >> %s\nexec %s \"$@\"\n", path("log"),
                              tool_clang(&arena)));
    TEST_ASSERT_EQUAL_INT(0, chmod(path("clang"), 0755));
    int64_t reached = run(arena_printf(&arena, "--no-cache %s", with));
    TEST_ASSERT_GREATER_THAN_INT64(0, reached);
    TEST_ASSERT_EQUAL_INT(0, kept(NULL));
    TEST_ASSERT_EQUAL_INT64(reached, run(with));
    TEST_ASSERT_TRUE(compiled(FAST) && compiled(CONFIRMS));
    TEST_ASSERT_GREATER_OR_EQUAL_INT(2, kept(NULL));
    TEST_ASSERT_EQUAL_INT64(reached, run(with));
    TEST_ASSERT_TRUE(!compiled(FAST) && compiled(CONFIRMS));
    kept("nonsense");
    TEST_ASSERT_EQUAL_INT64(reached, run(with));
    TEST_ASSERT_TRUE(compiled(FAST));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_runs_with_a_cache);
    return UNITY_END();
}
