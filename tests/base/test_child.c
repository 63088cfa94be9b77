/* Child processes: every way to end, floods in both directions, groups, no zombies. */
#include "base/child.h"
#include "base/log.h"
#include "base/stop.h"

#include "unity.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct child_result result;
static struct err err;

void setUp(void) {
}
void tearDown(void) {
    child_result_free(&result);
    err_clear(&err);
    TEST_ASSERT_EQUAL_INT(-1, waitpid(-1, NULL, WNOHANG)); /* nothing is left to reap */
    TEST_ASSERT_EQUAL_INT(ECHILD, errno);
}

static const char *shell(const char *script, struct child_spec *spec) {
    static const char *argv[4];
    argv[0] = "sh", argv[1] = "-c", argv[2] = script, argv[3] = NULL;
    spec->argv = argv;
    TEST_ASSERT_TRUE(child_run(spec, &result, &err));
    return str_text(&result.out);
}

static void test_output_errors_and_exit_code(void) {
    struct child_spec spec = {0};
    TEST_ASSERT_EQUAL_STRING("out\n", shell("echo out; echo bad >&2; exit 3", &spec));
    TEST_ASSERT_EQUAL_STRING("bad\n", str_text(&result.err));
    TEST_ASSERT_EQUAL_INT(CHILD_EXITED, result.end);
    TEST_ASSERT_EQUAL_INT(3, result.code);
    struct str text = {0};
    child_end_text(&spec, &result, &text);
    TEST_ASSERT_EQUAL_STRING("exit code 3", str_text(&text));
    str_free(&text);
}

static void test_flood_both_ways_does_not_block(void) {
    size_t size = 3 << 20;
    char *input = malloc(size);
    memset(input, 'x', size);
    struct child_spec spec = {.input = input, .input_size = size};
    shell("cat; head -c 3000000 /dev/zero >&2", &spec);
    TEST_ASSERT_EQUAL_size_t(size, result.out.len);
    TEST_ASSERT_EQUAL_MEMORY(input, result.out.data, size);
    TEST_ASSERT_EQUAL_size_t(3000000, result.err.len);
    free(input);
}

static void test_input_that_nobody_reads(void) {
    char input[100000] = {0};
    struct child_spec spec = {.input = input, .input_size = sizeof input};
    shell("exit 0", &spec);
    TEST_ASSERT_EQUAL_INT(CHILD_EXITED, result.end);
}

static void test_empty_stdin_is_at_its_end(void) {
    struct child_spec spec = {.wall_seconds = 60};
    TEST_ASSERT_EQUAL_STRING("0\n", shell("wc -c", &spec));
}

static void test_missing_program(void) {
    const char *argv[] = {"no-such-program-at-all", NULL};
    struct child_spec spec = {.argv = argv};
    TEST_ASSERT_FALSE(child_run(&spec, &result, &err));
    TEST_ASSERT_EQUAL_STRING("cannot start no-such-program-at-all: No such file or directory",
                             str_text(&err.message));
}

static void test_missing_folder(void) {
    const char *argv[] = {"true", NULL};
    struct child_spec spec = {.argv = argv, .dir = "/no/such/folder"};
    TEST_ASSERT_FALSE(child_run(&spec, &result, &err));
}

static void test_folder_and_environment(void) {
    const char *environment[] = {"GK_TEST_A=1 2", "HOME", NULL};
    struct child_spec spec = {.dir = "/", .environment = environment};
    TEST_ASSERT_EQUAL_STRING("/|1 2|gone\n", shell("echo \"$PWD|$GK_TEST_A|${HOME-gone}\"", &spec));
    TEST_ASSERT_NULL(getenv("GK_TEST_A"));
}

static void test_wall_limit(void) {
    struct child_spec spec = {.wall_seconds = 0.2};
    shell("echo begun; sleep 1000", &spec);
    TEST_ASSERT_EQUAL_INT(CHILD_TIMEOUT, result.end);
    TEST_ASSERT_EQUAL_STRING("begun\n", str_text(&result.out));
}

static void test_cpu_limit(void) {
    struct child_spec spec = {.cpu_seconds = 1, .wall_seconds = 600};
    shell("while :; do :; done", &spec);
    TEST_ASSERT_EQUAL_INT(CHILD_CPU, result.end);
}

static void test_output_limit(void) {
    struct child_spec spec = {.output_bytes = 1000000, .wall_seconds = 600};
    shell("yes", &spec);
    TEST_ASSERT_EQUAL_INT(CHILD_OUTPUT, result.end);
    TEST_ASSERT_LESS_OR_EQUAL_size_t(1000000, result.out.len);
}

/* Through a volatile pointer, else compilers leave out what nobody reads. */
static int eat_memory(void *context) {
    (void)context;
    do {
        char *volatile block = malloc(1 << 20);
        if (block)
            memset(block, 1, 1 << 20);
    } while (usleep(500) == 0);
    return 1;
}

static void test_memory_limit(void) {
    struct child_spec spec = {.body = eat_memory, .memory_mb = 200, .wall_seconds = 600};
    TEST_ASSERT_TRUE(child_run(&spec, &result, &err));
    TEST_ASSERT_EQUAL_INT(CHILD_MEMORY, result.end);
    TEST_ASSERT_GREATER_THAN_UINT64(100, result.peak_mb);
}

static void test_crash(void) {
    struct child_spec spec = {0};
    shell("kill -SEGV $$", &spec);
    TEST_ASSERT_EQUAL_INT(CHILD_SIGNALLED, result.end);
    TEST_ASSERT_EQUAL_INT(SIGSEGV, result.code);
}

/* A grandchild that keeps the pipes open must neither delay the end nor survive it. */
static void test_whole_group_dies_with_its_leader(void) {
    struct child_spec spec = {.wall_seconds = 600};
    pid_t straggler = atol(shell("sleep 1000 & echo $!", &spec));
    TEST_ASSERT_EQUAL_INT(CHILD_EXITED, result.end);
    TEST_ASSERT_GREATER_THAN_INT(1, straggler);
    for (int i = 0; i < 2000 && kill(straggler, 0) == 0; i++)
        usleep(5000); /* init reaps it in its own time */
    char state[64], path[64] = {0};
    snprintf(path, sizeof path, "/proc/%d/stat", (int)straggler);
    FILE *f = fopen(path, "r");
    if (!f)
        return;
    TEST_ASSERT_EQUAL_INT(1, fscanf(f, "%*d %*s %63s", state));
    fclose(f);
    TEST_ASSERT_EQUAL_STRING("Z", state); /* dead; who adopted it has not looked yet */
}

static int add_one(void *context) {
    printf("body %d", ++*(int *)context);
    return 7;
}

static void test_body_runs_in_a_fork(void) {
    int value = 41;
    struct child_spec spec = {.body = add_one, .context = &value};
    TEST_ASSERT_TRUE(child_run(&spec, &result, &err));
    TEST_ASSERT_EQUAL_STRING("body 42", str_text(&result.out));
    TEST_ASSERT_EQUAL_INT(7, result.code);
    TEST_ASSERT_EQUAL_INT(41, value);
}

struct seen {
    size_t bytes[3];
    size_t stop_after;
};

static bool on_output(void *context, int fd, const char *data, size_t size) {
    struct seen *seen = context;
    (void)data;
    seen->bytes[fd] += size;
    return !seen->stop_after || seen->bytes[1] < seen->stop_after;
}

static void test_streaming(void) {
    struct seen seen = {0};
    struct child_spec spec = {.on_output = on_output, .context = &seen};
    shell("echo 12345; echo 123 >&2", &spec);
    TEST_ASSERT_EQUAL_size_t(6, seen.bytes[1]);
    TEST_ASSERT_EQUAL_size_t(4, seen.bytes[2]);
    TEST_ASSERT_EQUAL_size_t(0, result.out.len);
}

static void test_streaming_can_stop_the_child(void) {
    struct seen seen = {.stop_after = 10};
    struct child_spec spec = {.on_output = on_output, .context = &seen};
    shell("yes", &spec);
    TEST_ASSERT_EQUAL_INT(CHILD_STOPPED, result.end);
}

static void test_several_children(void) {
    const char *slow[] = {"sleep", "1000", NULL}, *quick[] = {"echo", "hi", NULL};
    struct child_spec a = {.argv = slow}, b = {.argv = quick};
    struct child *children[] = {child_start(&a, &err), child_start(&b, &err)};
    TEST_ASSERT_TRUE(children_wait(children, 2, 600));
    TEST_ASSERT_FALSE(child_ended(children[0]));
    TEST_ASSERT_TRUE(child_ended(children[1]));
    child_finish(children[1], &result);
    TEST_ASSERT_EQUAL_STRING("hi\n", str_text(&result.out));
    child_result_free(&result);
    child_stop(children[0]);
    child_finish(children[0], &result);
    TEST_ASSERT_EQUAL_INT(CHILD_STOPPED, result.end);
}

static void test_start_can_fail_by_injection(void) {
    TEST_ASSERT_TRUE(stop_arm("CHILD_START=fail", &err));
    const char *argv[] = {"true", NULL};
    struct child_spec spec = {.argv = argv};
    TEST_ASSERT_FALSE(child_run(&spec, &result, &err));
    TEST_ASSERT_EQUAL_STRING("cannot start true: Input/output error", str_text(&err.message));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_output_errors_and_exit_code);
    RUN_TEST(test_flood_both_ways_does_not_block);
    RUN_TEST(test_input_that_nobody_reads);
    RUN_TEST(test_empty_stdin_is_at_its_end);
    RUN_TEST(test_missing_program);
    RUN_TEST(test_missing_folder);
    RUN_TEST(test_folder_and_environment);
    RUN_TEST(test_wall_limit);
    RUN_TEST(test_cpu_limit);
    RUN_TEST(test_output_limit);
    RUN_TEST(test_memory_limit);
    RUN_TEST(test_crash);
    RUN_TEST(test_whole_group_dies_with_its_leader);
    RUN_TEST(test_body_runs_in_a_fork);
    RUN_TEST(test_streaming);
    RUN_TEST(test_streaming_can_stop_the_child);
    RUN_TEST(test_several_children);
    RUN_TEST(test_start_can_fail_by_injection);
    return UNITY_END();
}
