/* The sandbox: a program tries what must not be possible, in both ABIs and before main, and says
 * over its pipe what was. */
#include "base/child.h"
#include "base/sandbox/layers.h"
#include "base/sandbox/sandbox.h"

#include "scratch.h"
#include "unity.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

void setUp(void) {
    scratch_open();
}
void tearDown(void) {
    scratch_close();
}

/* Each attempt gives '.' when it failed and its letter when not; forbidden calls raise a signal. */
static const char hostile[] =
    "#define _GNU_SOURCE\n"
    "#include <arpa/inet.h>\n#include <fcntl.h>\n#include <signal.h>\n#include <stdlib.h>\n"
    "#include <string.h>\n#include <sys/mman.h>\n#include <sys/prctl.h>\n#include <sys/ptrace.h>\n"
    "#include <sys/resource.h>\n#include <sys/socket.h>\n#include <sys/syscall.h>\n"
    "#include <sys/wait.h>\n#include <unistd.h>\n"
    "static char said[64]; static int n, signals;\n"
    "#include <ucontext.h>\n"
    "static void on_signal(int s, siginfo_t *i, void *c) {\n"
    "    ((ucontext_t *)c)->uc_mcontext.gregs[sizeof(long) == 8 ? 13 : 11] = -1;\n" /* eax */
    "    signals++;\n"
    "}\n"
    "static void say(char c, int done) { said[n++] = done ? c : '.'; }\n"
    "static int child(long pid) { if (pid == 0) _exit(0); return pid > 0; }\n"
    "static int grows(void) {\n"
    "    for (int i = 0; i < 64; i++) {\n"
    "        char *p = mmap(0, 64 << 20, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);\n"
    "        if (p == MAP_FAILED) return 0;\n"
    "    }\n"
    "    return 1;\n"
    "}\n"
    "__attribute__((constructor)) static void attack(void) {\n"
    "    char *const argv[] = {\"true\", 0};\n"
    "    struct rlimit much = {RLIM_INFINITY, RLIM_INFINITY};\n"
    "    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9)};\n"
    "    struct sigaction a = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};\n"
    "    sigaction(SIGSYS, &a, 0);\n"
    "    say('w', open(PLACE \"/made\", O_WRONLY | O_CREAT, 0600) >= 0);\n"
    "    say('W', open(PLACE \"/there\", O_RDWR) >= 0);\n"
    "    say('t', open(PLACE \"/there\", O_RDONLY | O_TRUNC) >= 0);\n"
    "    say('r', open(PLACE \"/there\", O_RDONLY) >= 0);\n"
    "    say('p', open(\"/etc/passwd\", O_RDONLY) >= 0);\n"
    "    say('P', open(\"/proc/self/environ\", O_RDONLY) >= 0);\n"
    "    say('u', unlink(PLACE \"/there\") == 0);\n"
    "    say('m', mkdir(PLACE \"/folder\", 0700) == 0);\n"
    "    say('n', rename(PLACE \"/there\", PLACE \"/gone\") == 0);\n"
    "    int s = socket(AF_INET, SOCK_STREAM, 0);\n"
    "    say('s', s >= 0);\n"
    "    say('c', connect(s, (struct sockaddr *)&to, sizeof to) == 0);\n"
    "    say('U', socket(AF_UNIX, SOCK_DGRAM, 0) >= 0);\n"
    "    say('f', child(fork()));\n"
    "    say('F', child(syscall(SYS_fork)));\n"
    "    say('v', child(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)));\n"
    "    say('k', kill(getppid(), 0) == 0);\n"
    "    say('K', kill(PARENT, 0) == 0);\n"
    "    say('g', syscall(SYS_tgkill, PARENT, PARENT, 0) == 0);\n"
    "    say('d', ptrace(PTRACE_ATTACH, PARENT, 0, 0) == 0);\n"
    "    say('l', setrlimit(RLIMIT_FSIZE, &much) == 0);\n"
    "    say('a', grows());\n"
    "    say('T', ftruncate(3, 1 << 20) == 0);\n"
    "    say('q', prctl(PR_SET_PDEATHSIG, 0) == 0);\n"
    "    say('z', usleep(1) == 0);\n"
    "#ifdef __x86_64__\n"
    "    long old;\n" /* the same kernel by the 32-bit door: fork, and kill */
    "    __asm__ volatile(\"int $0x80\" : \"=a\"(old) : \"a\"(2) : \"memory\", \"r8\", \"r9\",\n"
    "                     \"r10\", \"r11\");\n"
    "    say('3', child((int)old));\n"
    "    __asm__ volatile(\"int $0x80\" : \"=a\"(old) : \"a\"(37), \"b\"(PARENT), \"c\"(0)\n"
    "                     : \"memory\", \"r8\", \"r9\", \"r10\", \"r11\");\n"
    "    say('4', (int)old == 0);\n"
    "#endif\n"
    "    say('x', execv(\"/bin/true\", argv) == 0);\n"
    "    said[n++] = signals > 8 ? 'S' : '-';\n"
    "    said[n++] = '\\n';\n"
    "    write(4, said, n);\n"
    "}\n"
    "int main(void) { write(4, \"main\\n\", 5); return 0; }\n";

static bool compile(const char *mode, const char *program) {
    const char *source = path("hostile.c");
    const char *place = arena_printf(&arena, "-DPLACE=\"%s\"", str_text(&dir));
    const char *parent = arena_printf(&arena, "-DPARENT=%d", (int)getpid());
    const char *argv[] = {"cc", mode, "-w", place, parent, source, "-o", program, NULL};
    struct child_spec spec = {.argv = argv, .wall_seconds = 100};
    struct child_result result;
    TEST_ASSERT_TRUE(file_write(source, hostile, strlen(hostile), &err));
    TEST_ASSERT_TRUE(child_run(&spec, &result, &err));
    bool made = result.code == 0;
    child_result_free(&result);
    return made;
}

static void expect_harmless(const char *mode) {
    const char *program = path("hostile");
    const char *there = path("there");
    struct sandbox box;
    int out[2], status;
    char said[80] = "";
    struct sandbox_start start = {.fds = (int[2]){-1, -1}, .n_fds = 2, .memory_mb = 512};
    if (!compile(mode, program))
        TEST_IGNORE_MESSAGE("no compiler for that");
    TEST_ASSERT_TRUE(file_write(there, "kept", 4, &err));
    TEST_ASSERT_EQUAL_INT(0, pipe2(out, O_CLOEXEC));
    int high = fcntl(out[1], F_DUPFD_CLOEXEC, SANDBOX_FIRST_FD);
    start.fds = (int[2]){high, high};
    sandbox_open(&box, program);
    pid_t pid = sandbox_start(&box, &start, &err);
    TEST_ASSERT_TRUE_MESSAGE(pid > 0, str_text(&err.message));
    close(out[1]);
    close(high);
    size_t length = 0;
    for (ssize_t n; (n = read(out[0], said + length, sizeof said - 1 - length)) > 0;)
        length += (size_t)n;
    TEST_ASSERT_EQUAL_INT(pid, waitpid(pid, &status, 0));
    sandbox_close(&box);
    close(out[0]);
    TEST_ASSERT_EQUAL_STRING("main\n", strchr(said, '\n') ? strchr(said, '\n') + 1 : said);
    *strchr(said, '\n') = '\0';
    if ((start.in_force & SANDBOX_FILES) == 0) /* what only Landlock forbids */
        for (const char *c = "rpP"; *c; c++)
            if (strchr(said, *c))
                *strchr(said, *c) = '.';
    if ((start.in_force & SANDBOX_CALLS) == 0)
        TEST_IGNORE_MESSAGE("this kernel has no seccomp");
    TEST_ASSERT_EQUAL_STRING_MESSAGE("S", said + strspn(said, "."), said);
    TEST_ASSERT_FALSE(file_exists(path("made")));
    struct str text = {0};
    TEST_ASSERT_TRUE(file_read(there, &text, &err));
    TEST_ASSERT_EQUAL_STRING("kept", str_text(&text));
    str_free(&text);
}

static void test_64_bit_programs(void) {
    expect_harmless("-m64");
}

static void test_32_bit_programs(void) {
    expect_harmless("-m32");
}

/* A family may have children, and they are as harmless; it gets no environment but its own. */
static void test_families(void) {
    static const char text[] =
        "#include <stdlib.h>\n#include <stdio.h>\n#include <fcntl.h>\n#include <unistd.h>\n"
        "#include <signal.h>\n#include <sys/socket.h>\n#include <sys/wait.h>\n"
        "int main(void) { signal(SIGSYS, SIG_IGN); if (fork() == 0)\n"
        "    _exit(open(\"made\", O_RDONLY | O_CREAT, 0600) < 0 ? 7 : 8);\n"
        "  int s; wait(&s); FILE *f = fopen(\"there\", \"r\");\n"
        "  return (WIFSIGNALED(s) ? 1 : 0) + (f ? 2 : 0) + (getenv(\"HOME\") ? 4 : 0) +\n"
        "         (getenv(\"OWN\") ? 8 : 0) + (write(3, \"x\", 1) == 1 ? 16 : 0); }\n";
    const char *source = path("f.c"), *environment[] = {"OWN=1", NULL};
    const char *program = path("f");
    const char *argv[] = {"cc", "-w", source, "-o", program, NULL};
    struct child_spec compile = {.argv = argv, .wall_seconds = 100};
    struct child_result result;
    struct sandbox box;
    TEST_ASSERT_TRUE(file_write(source, text, sizeof text - 1, &err));
    TEST_ASSERT_TRUE(file_write(path("there"), "x", 1, &err));
    TEST_ASSERT_TRUE(child_run(&compile, &result, &err));
    child_result_free(&result);
    int keep = open(path("out"), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    sandbox_open_family(&box, program);
    struct child_spec spec = {.box = &box,
                              .keep = keep,
                              .environment = environment,
                              .dir = str_text(&dir),
                              .wall_seconds = 20};
    TEST_ASSERT_TRUE(child_run(&spec, &result, &err));
    TEST_ASSERT_EQUAL_INT(CHILD_EXITED, result.end);
    TEST_ASSERT_EQUAL_INT(1 + 2 + 8 + 16, result.code);
    TEST_ASSERT_FALSE(file_exists(path("made")));
    child_result_free(&result);
    sandbox_close(&box);
    close(keep);
}

static void test_what_cannot_start(void) {
    struct sandbox box;
    struct sandbox_start start = {0};
    const char *text = path("text");
    TEST_ASSERT_TRUE(file_write(text, "no program", 10, &err));
    const char *const programs[] = {text, "/nowhere"};
    for (size_t i = 0; i < 2; i++) {
        sandbox_open(&box, programs[i]);
        TEST_ASSERT_EQUAL_INT(0, sandbox_start(&box, &start, &err));
        TEST_ASSERT_TRUE(strstr(str_text(&err.message), "cannot start"));
        err_clear(&err);
        sandbox_close(&box);
    }
}

/* ---- descriptors of whoever has started us ---- */

enum { LEAK = 40 };

static bool make_leaky(const char *program) {
    static const char text[] = "#include <unistd.h>\n"
                               "int main(void) { return write(40, \"x\", 1) < 0 ? 0 : 5; }\n";
    const char *source = path_join(&arena, str_text(&dir), "l.c");
    const char *argv[] = {"cc", "-w", source, "-o", program, NULL};
    struct child_spec spec = {.argv = argv, .wall_seconds = 100};
    struct child_result r;
    bool made = file_write(source, text, sizeof text - 1, &err) && child_run(&spec, &r, &err) &&
                r.code == 0;
    child_result_free(&r);
    return made;
}

/* The exit code of a program that looks for a descriptor; `old`: as a kernel without
 * close_range(). */
static int look_for_leak(const char *program, bool old) {
    struct sandbox box;
    struct sandbox_start start = {.memory_mb = 512};
    int status = -1;
    scmp_filter_ctx filter = layers_filter(SCMP_ACT_ALLOW);
    if (old &&
        (!layers_call(filter, SCMP_ACT_ERRNO(ENOSYS), "close_range") || seccomp_load(filter)))
        return 77;
    seccomp_release(filter);
    if (dup2(open("/dev/null", O_WRONLY), LEAK) != LEAK)
        return 1;
    sandbox_open(&box, program);
    pid_t pid = sandbox_start(&box, &start, &err);
    bool ended = pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status);
    sandbox_close(&box);
    return ended ? WEXITSTATUS(status) : 2;
}

static void expect_no_leak(const char *program, bool old) {
    int status = 0;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        _exit(look_for_leak(program, old));
    TEST_ASSERT_EQUAL_INT(pid, waitpid(pid, &status, 0));
    TEST_ASSERT_TRUE(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77)
        TEST_IGNORE_MESSAGE("this kernel has no seccomp");
    TEST_ASSERT_EQUAL_INT(0, WEXITSTATUS(status));
}

static void test_nothing_is_inherited(void) {
    const char *program = path_join(&arena, str_text(&dir), "leaky");
    TEST_ASSERT_TRUE(make_leaky(program));
    expect_no_leak(program, false);
    expect_no_leak(program, true);
}

static double seconds_used(void) {
    struct rusage own, children;
    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &children);
    return (double)(own.ru_utime.tv_sec + own.ru_stime.tv_sec + children.ru_utime.tv_sec +
                    children.ru_stime.tv_sec) +
           1e-6 * (double)(own.ru_utime.tv_usec + own.ru_stime.tv_usec + children.ru_utime.tv_usec +
                           children.ru_stime.tv_usec);
}

/* CPU seconds of a hundred starts. */
static double starts(bool open_each) {
    struct sandbox box;
    struct sandbox_start start = {.memory_mb = 512};
    double before = seconds_used();
    sandbox_open(&box, "/bin/true");
    for (int i = 0; i < 100; i++) {
        int status = 1;
        if (open_each && i > 0) {
            sandbox_close(&box);
            sandbox_open(&box, "/bin/true");
        }
        pid_t pid = sandbox_start(&box, &start, &err);
        TEST_ASSERT_TRUE(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
    }
    sandbox_close(&box);
    return seconds_used() - before;
}

/* A run starts hundreds, of the same few programs: what does not change is made once. */
static void test_a_box_is_made_once(void) {
    double one = starts(false), each = starts(true);
    printf("100 starts: %.3f s, %.3f s with a box for each\n", one, each);
    TEST_ASSERT_TRUE(one < each);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_64_bit_programs);
    RUN_TEST(test_32_bit_programs);
    RUN_TEST(test_families);
    RUN_TEST(test_what_cannot_start);
    RUN_TEST(test_nothing_is_inherited);
    RUN_TEST(test_a_box_is_made_once);
    return UNITY_END();
}
