/* Landlock decides on files, seccomp on calls, and limits on the size of what is written; all of
 * it is entered by the child itself, just before it becomes the program. */
#include "base/sandbox/confine.h"

#include "base/file.h"
#include "base/sandbox/layers.h"
#include "base/str.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_FILE = 1 << 30, STACK = 256 << 20 };

static const uint64_t read_file = LANDLOCK_ACCESS_FS_READ_FILE,
                      read_any = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
                      run_any = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR |
                                LANDLOCK_ACCESS_FS_EXECUTE;

/* Rights on the content of folders cannot be given on a file. */
static void allow(int rules, const char *path, uint64_t rights) {
    struct stat info;
    bool is_file = stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
    layers_allow_path(rules, path,
                      is_file ? rights & (read_file | LANDLOCK_ACCESS_FS_EXECUTE) : rights);
}

/* A folder of programs, and what is installed with it. */
static void allow_programs(int rules, struct arena *arena, const char *dir) {
    static const char *const beside[] = {"lib", "lib64", "libexec", "include", "share", "usr"};
    assert(rules >= 0);
    if (dir[0] != '/')
        return;
    allow(rules, dir, run_any);
    for (size_t i = 0; str_same(path_base(dir), "bin") && i < sizeof beside / sizeof *beside; i++)
        allow(rules, path_join(arena, path_dir(arena, dir), beside[i]), run_any);
}

static void allow_list(int rules, struct arena *arena, const char *variable) {
    const char *value = getenv(variable);
    char *rest = arena_strdup(arena, value ? value : ""), *dir;
    while ((dir = strsep(&rest, ":")))
        allow_programs(rules, arena, dir);
}

static void allow_program(int rules, struct arena *arena, const char *program) {
    char *real = realpath(program, NULL);
    if (real)
        allow_programs(rules, arena, path_dir(arena, real));
    free(real);
    allow_programs(rules, arena, path_dir(arena, program));
}

static void allow_system(int rules) {
    static const char *const software[] = {"/usr",
                                           "/opt",
                                           "/nix",
                                           "/gnu",
                                           "/bin",
                                           "/sbin",
                                           "/lib",
                                           "/lib32",
                                           "/lib64",
                                           "/libx32",
                                           "/etc/alternatives"};
    static const char *const settings[] = {"/etc/ld.so.cache",  "/etc/ld.so.conf",
                                           "/etc/ld.so.conf.d", "/etc/ld.so.preload",
                                           "/etc/clang",        "/etc/localtime"};
    static const char *const facts[] = {"/dev/zero",     "/dev/urandom",
                                        "/dev/random",   "/proc/cpuinfo",
                                        "/proc/meminfo", "/proc/sys/vm/overcommit_memory"};
    for (size_t i = 0; i < sizeof software / sizeof *software; i++)
        allow(rules, software[i], run_any);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        allow(rules, settings[i], read_any);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        allow(rules, facts[i], read_file);
    layers_allow_path(rules, "/dev/null", read_file | LANDLOCK_ACCESS_FS_WRITE_FILE);
}

static bool restrict_files(const struct confine *c, const char *program) {
    struct arena arena = {0};
    int rules = layers_rules();
    if (rules < 0)
        return true;
    if (!c->reads)
        allow(rules, "/", run_any);
    for (size_t i = 0; c->reads && c->reads[i]; i++)
        allow(rules, c->reads[i], read_any);
    allow_system(rules);
    allow_list(rules, &arena, "PATH");
    allow_list(rules, &arena, "LD_LIBRARY_PATH");
    allow_program(rules, &arena, program);
    if (c->writes) {
        layers_allow_path(rules, c->writes, run_any);
        layers_allow_writes(rules, c->writes);
    }
    bool good = syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    int why = errno;
    close(rules);
    arena_free(&arena);
    errno = why;
    return good;
}

/* The group is what is killed with the child, so nobody leaves it. */
static const char *const forbidden[] = {
    "setsid", "setpgid", "ptrace", "process_vm_readv", "process_vm_writev", "unshare", "setns",
};

static bool restrict_calls(void) {
    scmp_filter_ctx filter = layers_filter(SCMP_ACT_ALLOW);
    if (!filter)
        return true;
    bool good = layers_refuse(filter);
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
        good &= layers_call(filter, SCMP_ACT_ERRNO(EPERM), forbidden[i]);
    int failed = good ? seccomp_load(filter) : -EINVAL;
    seccomp_release(filter);
    errno = -failed;
    return failed == 0;
}

static void limit(int resource, rlim_t most) {
    struct rlimit now, wanted = {most, most};
    if (getrlimit(resource, &now) == 0 && now.rlim_max < wanted.rlim_max)
        wanted.rlim_max = now.rlim_max;
    if (now.rlim_cur < wanted.rlim_cur)
        wanted.rlim_cur = now.rlim_cur;
    setrlimit(resource, &wanted);
}

/* Parsers call themselves for what is nested: the source may be as deep as we accept it. */
static void raise_stack(void) {
    struct rlimit now;
    if (getrlimit(RLIMIT_STACK, &now) || now.rlim_cur == RLIM_INFINITY || now.rlim_cur >= STACK)
        return;
    now.rlim_cur = now.rlim_max < STACK ? now.rlim_max : STACK;
    setrlimit(RLIMIT_STACK, &now);
}

/* Processes are counted for each user namespace: without one of its own, all others of the user
 * would count. The kernel does not count those of root, who would lose access to files of others
 * there. */
static void limit_processes(void) {
    if (geteuid() != 0 && unshare(CLONE_NEWUSER) == 0)
        limit(RLIMIT_NPROC, CONFINE_PROCESSES);
}

bool confine_enter(const struct confine *confine, const char *program) {
    assert(program && program[0]);
    limit(RLIMIT_FSIZE, MOST_FILE);
    limit_processes();
    raise_stack();
    setenv("CCACHE_DISABLE", "1", 1); /* its folder is somewhere else */
    if (confine->writes)
        setenv("TMPDIR", confine->writes, 1);
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && restrict_files(confine, program) &&
           restrict_calls();
}
