/* Between clone and exec the child shares the memory of its parent, which stands still meanwhile
 * (as posix_spawn does it): a copy of its page tables would cost more than all layers. So the child
 * makes only system calls, and what it writes is for its parent: the layers in force, or what
 * failed.
 *
 * The filter lets execveat() pass for descriptor PROGRAM_FD only, which the exec closes. */
#include "base/sandbox/sandbox.h"

#include "base/file.h"
#include "base/sandbox/layers.h"
#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROGRAM_FD = 15, STACK_SIZE = 64 << 10, MOST_DESCRIPTORS = 64, ALL_SIGNALS = 64 };
enum { MOST_FAMILY = 16, MOST_RESULT = 64 << 20 };

#define SPACES (CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWNS)

/* ---- system calls ---- */

/* Files may be opened for reading; Landlock says which. */
static bool add_open(scmp_filter_ctx filter, int call, unsigned flags_at) {
    static const unsigned writes[] = {O_WRONLY, O_RDWR, O_CREAT};
    const unsigned none = O_ACCMODE | O_CREAT | O_TRUNC;
    bool good = seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 1,
                                 SCMP_CMP(flags_at, SCMP_CMP_MASKED_EQ, none, 0)) == 0;
    for (size_t i = 0; i < sizeof writes / sizeof *writes; i++)
        good &= seccomp_rule_add(filter, SCMP_ACT_TRAP, call, 1,
                                 SCMP_CMP(flags_at, SCMP_CMP_MASKED_EQ, writes[i], writes[i])) == 0;
    return good;
}

/* Children, not namespaces. */
static bool add_clone(scmp_filter_ctx filter, bool family) {
    const unsigned spaces = SPACES | CLONE_NEWUTS | CLONE_NEWCGROUP;
    if (!family)
        return seccomp_rule_add(filter, SCMP_ACT_TRAP, SCMP_SYS(clone), 0) == 0;
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
                            SCMP_A0(SCMP_CMP_MASKED_EQ, spaces, 0)) == 0;
}

static bool add_calls(scmp_filter_ctx filter, bool family) {
    bool good = true;
#define CALL(name) good &= layers_call(filter, SCMP_ACT_ALLOW, name);
#define FAMILY(name) good &= layers_call(filter, family ? SCMP_ACT_ALLOW : SCMP_ACT_TRAP, name);
#define FORBIDDEN(name) good &= layers_call(filter, SCMP_ACT_TRAP, name);
#include "base/sandbox/sandbox.def"
#undef CALL
#undef FAMILY
#undef FORBIDDEN
    good &= add_clone(filter, family);
    good &= add_open(filter, SCMP_SYS(openat), 2) && add_open(filter, SCMP_SYS(open), 1);
    good &= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(execveat), 2,
                             SCMP_A0(SCMP_CMP_EQ, PROGRAM_FD),
                             SCMP_A4(SCMP_CMP_EQ, AT_EMPTY_PATH)) == 0;
    good &= seccomp_rule_add(filter, SCMP_ACT_TRAP, SCMP_SYS(execveat), 1,
                             SCMP_A0(SCMP_CMP_NE, PROGRAM_FD)) == 0;
    good &= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1,
                             SCMP_A0(SCMP_CMP_EQ, 0)) == 0;
    return good;
}

/* libseccomp writes what it has made into a descriptor. */
static void export_calls(struct sandbox *box, scmp_filter_ctx filter) {
    int fd = memfd_create("filter", MFD_CLOEXEC);
    if (fd < 0)
        return;
    off_t size = seccomp_export_bpf(filter, fd) == 0 ? lseek(fd, 0, SEEK_END) : 0;
    if (size > 0) {
        box->calls = mem_zalloc((size_t)size, 1);
        bool whole = pread(fd, box->calls, (size_t)size, 0) == size;
        box->n_calls = whole ? (unsigned)((size_t)size / sizeof *box->calls) : 0;
    }
    close(fd);
}

static void make_calls(struct sandbox *box) {
    scmp_filter_ctx filter = layers_filter(SCMP_ACT_ERRNO(EPERM));
    if (filter && add_calls(filter, box->family))
        export_calls(box, filter);
    if (filter)
        seccomp_release(filter);
}

/* ---- files ---- */

/* Away from the numbers that the child uses. */
static int moved(int fd) {
    int to = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, SANDBOX_FIRST_FD);
    if (fd >= 0)
        close(fd);
    return to;
}

static void make_rules(struct sandbox *box) {
    static const char *const libraries[] = {"/lib",     "/lib32",     "/lib64",     "/libx32",
                                            "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32"};
    static const char *const lists[] = {"/etc/ld.so.cache", "/etc/ld.so.preload"};
    static const char *const loaders[] = {"/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux.so.2",
                                          "/lib/ld-linux-x86-64.so.2"};
    const uint64_t read = LANDLOCK_ACCESS_FS_READ_FILE, run = read | LANDLOCK_ACCESS_FS_EXECUTE;
    box->rules = moved(layers_rules());
    if (box->rules < 0)
        return;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        layers_allow_path(box->rules, libraries[i], read);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        layers_allow_path(box->rules, lists[i], read);
    for (size_t i = 0; i < sizeof loaders / sizeof *loaders; i++)
        layers_allow_path(box->rules, loaders[i], run);
    layers_allow(box->rules, box->program, run);
    if (box->family) {
        struct arena arena = {0};
        layers_allow_path(box->rules, path_dir(&arena, box->executable), read);
        arena_free(&arena);
    }
}

/* ---- once ---- */

static void prepare(struct sandbox *box) {
    int program = open(box->executable, O_PATH | O_CLOEXEC);
    box->why = program < 0 ? errno : 0;
    box->program = moved(program);
    make_rules(box);
    make_calls(box);
}

void sandbox_open(struct sandbox *box, const char *executable) {
    *box = (struct sandbox){.executable = executable, .rules = -1};
    prepare(box);
}

void sandbox_open_family(struct sandbox *box, const char *executable) {
    *box = (struct sandbox){.executable = executable, .family = true, .rules = -1};
    prepare(box);
}

void sandbox_close(struct sandbox *box) {
    if (!box->executable)
        return;
    if (box->program >= 0)
        close(box->program);
    if (box->rules >= 0)
        close(box->rules);
    mem_free(box->calls);
    *box = (struct sandbox){0};
}

/* ---- in the child, which shares our memory ---- */

struct birth {
    const struct sandbox *box;
    struct sandbox_start *start;
    int null;
    volatile int failed; /* errno */
};

static void limit(int resource, uint64_t most) {
    struct rlimit now, wanted = {(rlim_t)most, (rlim_t)most};
    if (getrlimit(resource, &now) == 0 && now.rlim_max < wanted.rlim_max)
        wanted.rlim_cur = wanted.rlim_max = now.rlim_max;
    setrlimit(resource, &wanted);
}

static void set_limits(const struct sandbox_start *start) {
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_NPROC, 0);
    limit(RLIMIT_MEMLOCK, 0);
    limit(RLIMIT_MSGQUEUE, 0);
    limit(RLIMIT_NOFILE, MOST_DESCRIPTORS);
    if (start->stack_mb > 0)
        limit(RLIMIT_STACK, start->stack_mb << 20);
    if (start->memory_mb > 0)
        limit(RLIMIT_AS, start->memory_mb << 20);
}

static bool place_descriptors(const struct birth *b) {
    for (int i = 0; i < 3; i++)
        if (dup2(b->null, i) < 0)
            return false;
    for (unsigned i = 0; i < b->start->n_fds; i++)
        if (dup2(b->start->fds[i], 3 + (int)i) < 0)
            return false;
    return dup3(b->box->program, PROGRAM_FD, O_CLOEXEC) == PROGRAM_FD;
}

/* Old kernels, and filters of containers, do not know the call for it. */
static void close_range_later(unsigned first, unsigned last) {
    struct rlimit most;
    if (syscall(SYS_close_range, first, last, CLOSE_RANGE_CLOEXEC) == 0 ||
        getrlimit(RLIMIT_NOFILE, &most))
        return;
    for (unsigned fd = first; fd <= last && fd < most.rlim_cur; fd++)
        fcntl((int)fd, F_SETFD, FD_CLOEXEC);
}

/* With the exec: Landlock's is used before. */
static void close_others(unsigned first) {
    close_range_later(first, PROGRAM_FD - 1);
    close_range_later(PROGRAM_FD + 1, ~0u);
}

static void reset_signals(void) {
    struct sigaction normal = {.sa_handler = SIG_DFL};
    for (int s = 1; s <= ALL_SIGNALS; s++)
        sigaction(s, &normal, NULL);
}

static bool restrict_calls(const struct sandbox *box) {
    struct sock_fprog program = {.len = (unsigned short)box->n_calls, .filter = box->calls};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                   &program) == 0 ||
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

/* The filter comes last: what comes before it needs calls that it forbids. What was prepared must
 * hold; the layers that do are the answer, 0 when one does not. */
static unsigned restrict_all(const struct sandbox *box) {
    sigset_t none;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        (box->rules >= 0 && syscall(SYS_landlock_restrict_self, box->rules, 0)))
        return 0;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (box->n_calls > 0 && !restrict_calls(box))
        return 0;
    return SANDBOX_LIMITS | SANDBOX_PRIVILEGES | (box->n_calls > 0 ? SANDBOX_CALLS : 0) |
           (box->rules >= 0 ? SANDBOX_FILES : 0);
}

static void become(const struct sandbox *box, char *const *environment) {
    char *argv[] = {(char *)(uintptr_t)box->executable, NULL};
    syscall(SYS_execveat, PROGRAM_FD, "", argv, environment, AT_EMPTY_PATH);
}

__attribute__((no_sanitize_address)) static int be_born(void *context) {
    struct birth *b = context;
    char *environment[] = {NULL};
    errno = 0;
    setpgid(0, 0);
    reset_signals();
    if (place_descriptors(b)) {
        close_others(3 + b->start->n_fds);
        set_limits(b->start);
        unsigned layers = restrict_all(b->box);
        b->start->in_force |= layers;
        if (layers)
            become(b->box, environment);
    }
    b->failed = errno ? errno : EPERM;
    _exit(127);
}

/* ---- a start ---- */

/* The parent goes on when the child has become the program, or has given up. */
static pid_t bear(struct birth *b, char *stack, int spaces) {
    const int flags = CLONE_VM | CLONE_VFORK | SIGCHLD;
    struct sandbox_start *start = b->start;
    b->failed = 0;
    start->in_force = spaces ? SANDBOX_SPACES : 0;
    pid_t pid = clone(be_born, stack + STACK_SIZE, flags | spaces, b);
    if (pid < 0)
        return pid;
    if (!b->failed)
        return pid;
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    errno = b->failed;
    return -1;
}

/* No handler of ours may run in the child. */
static pid_t bear_undisturbed(struct birth *b, char *stack) {
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    pid_t pid = bear(b, stack, SPACES);
    if (pid < 0)
        pid = bear(b, stack, 0);
    int why = errno;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = why;
    return pid;
}

pid_t sandbox_start(const struct sandbox *box, struct sandbox_start *start, struct err *err) {
    struct birth b = {.box = box, .start = start};
    assert(box->executable && start->n_fds + 3 < PROGRAM_FD);
    b.null = open("/dev/null", O_RDWR | O_CLOEXEC);
    char *stack =
        mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pid_t pid = -1;
    if (b.null >= 0 && stack != MAP_FAILED && box->program >= 0)
        pid = bear_undisturbed(&b, stack);
    int why = box->program < 0 ? box->why : errno;
    if (b.null >= 0)
        close(b.null);
    if (stack != MAP_FAILED)
        munmap(stack, STACK_SIZE);
    if (pid > 0)
        return pid;
    err_set(err, ERR_USAGE, "cannot start the program %s: %s", box->executable, strerror(why));
    return 0;
}

/* ---- a process that is there ---- */

/* Processes are counted for each user namespace: without one, others of the user would count. */
void sandbox_become(const struct sandbox *box, int keep, const char *const *environment) {
    const int spaces = SPACES & ~CLONE_NEWPID;
    assert(box->executable && box->family);
    if (unshare(spaces) == 0)
        limit(RLIMIT_NPROC, MOST_FAMILY);
    limit(RLIMIT_MEMLOCK, 0);
    limit(RLIMIT_MSGQUEUE, 0);
    limit(RLIMIT_FSIZE, MOST_RESULT);
    if (dup3(box->program, PROGRAM_FD, O_CLOEXEC) != PROGRAM_FD ||
        (keep >= 0 && keep != 3 && dup2(keep, 3) != 3) || (keep == 3 && fcntl(3, F_SETFD, 0) < 0))
        return;
    close_others(keep >= 0 ? 4 : 3);
    if (restrict_all(box))
        become(box, (char *const *)(uintptr_t)environment);
}

/* ---- what there is ---- */

unsigned sandbox_layers(void) {
    struct sandbox box;
    struct sandbox_start start = {0};
    struct err ignored = {0};
    sandbox_open(&box, "/bin/true");
    pid_t pid = sandbox_start(&box, &start, &ignored);
    if (pid > 0)
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            ;
    sandbox_close(&box);
    err_clear(&ignored);
    return pid > 0 ? start.in_force : 0;
}

void sandbox_describe(unsigned layers, struct str *text) {
    static const char *const names[] = {"limits", "no new privileges", "seccomp", "Landlock",
                                        "namespaces"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (layers >> i & 1)
            str_addf(text, "%s%s", text->len ? ", " : "", names[i]);
}
