/* Runs with a cache: programs that search come out of it, what confirms is always made anew, and
 * the verdicts are those of a run without one. */
#include "base/tool.h"
#include "folder.h"

#include "unity.h"

#include <dirent.h>
#include <sys/stat.h>

void setUp(void) {
    folder_open();
}
void tearDown(void) {
    folder_close();
}

/* Goals that a run has reached; -1: it failed. Compilers write nothing but what they make, so that
 * one that refuses to make something tells whether it was asked to. */
static int64_t run(const char *options, const char *refused) {
    const char *environment[] = {arena_printf(&arena, "GOALKEEPER_CLANG=%s", path("clang")), NULL};
    file_remove_tree(path("t.db"));
    put("refused", refused);
    run_tool(arena_printf(&arena,
                          "run --db t.db --engines simulate --seconds 60 --step step %s t.c",
                          options),
             environment);
    return r.code == 0 ? number_in("t.db", "SELECT count(*) FROM goal WHERE status = 'reachable'")
                       : -1;
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
