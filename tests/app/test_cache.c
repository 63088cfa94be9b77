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

/* Goals that a run has reached; -1: it failed. Compilers write nothing but what they make, so that
 * one that refuses to make something tells whether it was asked to. */
static int64_t run(const char *options, const char *refused) {
    const char *environment[] = {arena_printf(&arena, "GOALKEEPER_CLANG=%s", path("clang")), NULL};
    file_remove_tree(path("t.db"));
    put("refused", refused);
    struct child_result r = run_program(
        arena_printf(&arena, "run --db %s --engines simulate --seconds 60 --step step %s %s",
                     path("t.db"), options, path("t.c")),
        environment, NULL);
    int code = r.code;
    child_result_free(&r);
    if (code != 0)
        return -1;
    struct store *db = NULL;
    TEST_ASSERT_TRUE(store_open(&db, path("t.db"), STORE_READ, &err));
    int64_t n = rows_single_int(db, "SELECT count(*) FROM goal WHERE status = 'reachable'");
    store_close(db);
    return n;
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

#define NOTHING "nothing"
#define FAST "-DGK_FAST"
#define CONFIRMS "-fsanitize=address"

static void test_runs_with_a_cache(void) {
    const char *with = arena_printf(&arena, "--cache %s", path("cache"));
    const char *without = arena_printf(&arena, "--no-cache %s", with);
    put("t.c", "unsigned char in;\nunsigned char out;\nvoid step(void)\n{\n"
               "    if (in > 7) {\n        out = 1;\n    }\n}\n");
    put("clang", arena_printf(&arena,
                              "#!/bin/sh\nread word <%s\ncase \" $* \" in *$word*) exit 1 ;; esac\n"
                              "exec %s \"$@\"\n",
                              path("refused"), tool_clang(&arena)));
    TEST_ASSERT_EQUAL_INT(0, chmod(path("clang"), 0755));
    int64_t reached = run(without, NOTHING "\n");
    TEST_ASSERT_GREATER_THAN_INT64(0, reached);
    TEST_ASSERT_LESS_THAN_INT64(reached, run(without, FAST "\n"));
    TEST_ASSERT_EQUAL_INT(0, kept(NULL));
    TEST_ASSERT_EQUAL_INT64(reached, run(with, NOTHING "\n"));
    TEST_ASSERT_GREATER_OR_EQUAL_INT(2, kept(NULL));
    TEST_ASSERT_EQUAL_INT64(reached, run(with, FAST "\n"));
    TEST_ASSERT_LESS_THAN_INT64(reached, run(with, CONFIRMS "\n"));
    kept("nonsense");
    TEST_ASSERT_LESS_THAN_INT64(reached, run(with, FAST "\n"));
    TEST_ASSERT_EQUAL_INT64(reached, run(with, NOTHING "\n"));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_runs_with_a_cache);
    return UNITY_END();
}
