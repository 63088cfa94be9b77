/* What a confined child may do, and what not. */
#include "base/child.h"
#include "base/sandbox/confine.h"
#include "base/log.h"
#include "base/sandbox/sandbox.h"

#include "scratch.h"
#include "unity.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void setUp(void) {
    scratch_open();
}

void tearDown(void) {
    scratch_close();
}

static const char *in_dir(const char *name) {
    const char *file = path(name);
    TEST_ASSERT_TRUE(file_make_dirs(path_dir(&arena, file), &err));
    return file;
}

struct attempt {
    struct confine confine;
    const char *mine, *theirs, *out, *elsewhere;
};

static bool opens(const char *path, int flags) {
    int fd = open(path, flags | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* What should work. */
static int good_ones(void *context) {
    const struct attempt *a = context;
    if (!confine_enter(&a->confine, "/bin/sh"))
        return 1;
    return !opens(a->mine, O_RDONLY)                          ? 2
           : !opens(a->out, O_WRONLY | O_CREAT)               ? 3
           : unlink(a->out) != 0                              ? 4
           : !opens("/usr", O_RDONLY)                         ? 5
           : !opens("/dev/null", O_WRONLY)                    ? 6
           : strcmp(getenv("TMPDIR"), a->confine.writes) != 0 ? 7
                                                              : 0;
}

/* Each line: must fail. */
static int bad_files(void *context) {
    const struct attempt *a = context;
    if (!confine_enter(&a->confine, "/bin/sh"))
        return 1;
    return opens(a->theirs, O_RDONLY)                ? 2
           : opens(a->mine, O_WRONLY)                ? 3
           : opens(a->elsewhere, O_WRONLY | O_CREAT) ? 4
           : mkdir(a->elsewhere, 0700) == 0          ? 5
           : unlink(a->theirs) == 0                  ? 6
           : rename(a->theirs, a->out) == 0          ? 7
           : opens("/proc/1/environ", O_RDONLY)      ? 8
           : opens("/etc/passwd", O_RDONLY)          ? 9
                                                     : 0;
}

static int bad_calls(void *context) {
    const struct attempt *a = context;
    if (!confine_enter(&a->confine, "/bin/sh"))
        return 1;
    return socket(AF_INET, SOCK_STREAM, 0) >= 0 || errno != EPERM ? 2
           : socket(AF_UNIX, SOCK_DGRAM, 0) >= 0                  ? 3
           : setsid() >= 0                                        ? 4
           : setpgid(0, 0) == 0                                   ? 5
           : ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0           ? 6
                                                                  : 0;
}

static void expect_code(int code, int (*body)(void *), struct attempt *a) {
    struct child_spec spec = {.body = body, .context = a, .wall_seconds = 60};
    struct child_result r;
    TEST_ASSERT_TRUE(child_run(&spec, &r, &err));
    TEST_ASSERT_EQUAL_INT(CHILD_EXITED, r.end);
    TEST_ASSERT_EQUAL_INT_MESSAGE(code, r.code, str_text(&r.err));
    child_result_free(&r);
}

static void test_what_it_may_and_may_not(void) {
    const char *reads[] = {path_dir(&arena, put("mine/a", "text")), NULL};
    struct attempt a = {.mine = put("mine/a", "text"),
                        .theirs = put("theirs/b", "text"),
                        .out = in_dir("out/c"),
                        .elsewhere = in_dir("d")};
    a.confine = (struct confine){.reads = reads, .writes = path_dir(&arena, a.out)};
    unsigned layers = sandbox_layers();
    expect_code(0, good_ones, &a);
    if (layers & SANDBOX_FILES)
        expect_code(0, bad_files, &a);
    if (layers & SANDBOX_CALLS)
        expect_code(0, bad_calls, &a);
    a.confine.reads = NULL; /* everything */
    if (layers & SANDBOX_FILES)
        expect_code(2, bad_files, &a);
}

/* A program is found, started and killed as without. */
static void test_programs(void) {
    const char *reads[] = {NULL};
    const struct confine confine = {.reads = reads, .writes = str_text(&dir)};
    const char *argv[] = {"sh", "-c", "echo $TMPDIR; cat >/dev/null; sleep 0; echo x >$TMPDIR/x",
                          NULL};
    struct child_spec spec = {.argv = argv, .confine = &confine, .wall_seconds = 60};
    struct child_result r;
    TEST_ASSERT_TRUE_MESSAGE(child_run(&spec, &r, &err), str_text(&err.message));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    TEST_ASSERT_EQUAL_STRING_LEN(str_text(&dir), str_text(&r.out), dir.len);
    TEST_ASSERT_TRUE(file_exists(path("x")));
    child_result_free(&r);
    const char *missing[] = {"/no/such/program", NULL};
    spec.argv = missing;
    TEST_ASSERT_FALSE(child_run(&spec, &r, &err));
}

/* ---- many processes ---- */

enum { NOBODY = 65534, NO_NAMESPACES = 77, WANTED = 500 };

/* Of nobody, for root's are not counted. The group is killed with the first of them. */
static int multiplies(void *context) {
    const struct confine *confine = context;
    int made = 0;
    if (geteuid() == 0 && setresuid(NOBODY, NOBODY, NOBODY) != 0)
        return 1;
    pid_t tries = fork();
    if (tries == 0)
        _exit(unshare(CLONE_NEWUSER) == 0 ? 0 : NO_NAMESPACES);
    int status = 0;
    waitpid(tries, &status, 0);
    if (status != 0)
        return NO_NAMESPACES;
    if (!confine_enter(confine, "/bin/sh"))
        return 2;
    for (; made < WANTED; made++) {
        pid_t pid = fork();
        if (pid == 0)
            for (;;)
                pause();
        if (pid < 0)
            break;
    }
    return made > 8 && made < WANTED ? 0 : 3;
}

static void test_processes_are_counted(void) {
    struct confine confine = {.reads = NULL};
    struct child_spec spec = {.body = multiplies, .context = &confine, .wall_seconds = 60};
    struct child_result r;
    TEST_ASSERT_TRUE(child_run(&spec, &r, &err));
    int code = r.code;
    child_result_free(&r);
    if (code == NO_NAMESPACES)
        TEST_IGNORE_MESSAGE("no namespaces for users here");
    TEST_ASSERT_EQUAL_INT(0, code);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_what_it_may_and_may_not);
    RUN_TEST(test_programs);
    RUN_TEST(test_processes_are_counted);
    return UNITY_END();
}
