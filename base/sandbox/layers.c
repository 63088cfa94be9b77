/* What a kernel does not have is left out, and the callers say so; what it has must hold. Rules of
 * Landlock are rights below a folder, and only those that its version knows may be named. The
 * filters of seccomp are for the 64-bit and the 32-bit ABI alike. */
#include "base/sandbox/layers.h"

#include "base/stop.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- files ---- */

/* What headers of older systems do not name yet. */
enum { NET_ALL = 3, SCOPED_ALL = 3 };

struct ruleset {
    uint64_t files, net, scoped;
};

static struct ruleset everything(int abi) {
    static const unsigned bits[] = {0, 13, 14, 15, 15, 16}; /* rights on files, by version */
    unsigned known = sizeof bits / sizeof *bits - 1;
    struct ruleset rules = {(UINT64_C(1) << bits[(unsigned)abi < known ? (unsigned)abi : known]) -
                                1,
                            abi >= 4 ? NET_ALL : 0, abi >= 6 ? SCOPED_ALL : 0};
    return rules;
}

static const uint64_t reading =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
static const uint64_t device_calls = UINT64_C(1) << 15; /* LANDLOCK_ACCESS_FS_IOCTL_DEV */

static int make_rules(uint64_t left_alone) {
    int abi = stop_at(STOP_SANDBOX_FILES) ? 0
                                          : (int)syscall(SYS_landlock_create_ruleset, NULL, 0,
                                                         LANDLOCK_CREATE_RULESET_VERSION);
    struct ruleset all = everything(abi > 0 ? abi : 0);
    all.files &= ~left_alone;
    size_t size = abi >= 6 ? sizeof all : abi >= 4 ? 2 * sizeof all.files : sizeof all.files;
    return abi > 0 ? (int)syscall(SYS_landlock_create_ruleset, &all, size, 0) : -1;
}

int layers_rules(void) {
    return make_rules(0);
}

int layers_write_rules(void) {
    return make_rules(reading | device_calls);
}

void layers_allow(int rules, int fd, uint64_t rights) {
    assert(rules >= 0 && rights != 0);
    struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = fd};
    syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

void layers_allow_path(int rules, const char *path, uint64_t rights) {
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return;
    layers_allow(rules, fd, rights);
    close(fd);
}

/* All that version 1 knows, but devices. A right that the kernel does not know spoils the rule, and
 * so do rights on the content of folders for a file. */
void layers_allow_writes(int rules, const char *path) {
    const uint64_t devices =
        LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SOCK;
    const uint64_t cut = UINT64_C(1) << 14; /* LANDLOCK_ACCESS_FS_TRUNCATE, since version 3 */
    struct stat info;
    bool is_file = stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
    uint64_t all =
        is_file ? LANDLOCK_ACCESS_FS_WRITE_FILE : ((UINT64_C(1) << 13) - 1) & ~devices & ~reading;
    layers_allow_path(rules, path, all);
    layers_allow_path(rules, path, all | cut);
}

/* ---- system calls ---- */

/* Kernels that lack filters do not know the action either. */
static bool has_filters(void) {
    uint32_t action = SECCOMP_RET_TRAP;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0 &&
           !stop_at(STOP_SANDBOX_CALLS);
}

static bool both_abis(scmp_filter_ctx filter) {
#ifdef __x86_64__
    return seccomp_arch_add(filter, SCMP_ARCH_X86) == 0;
#else
    return filter != NULL;
#endif
}

scmp_filter_ctx layers_filter(uint32_t answer) {
    scmp_filter_ctx filter = has_filters() ? seccomp_init(answer) : NULL;
    if (filter && both_abis(filter))
        return filter;
    if (filter)
        seccomp_release(filter);
    return NULL;
}

bool layers_call(scmp_filter_ctx filter, uint32_t answer, const char *name) {
    assert(filter && name);
    int number = seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR)
        return true;
    int failed = seccomp_rule_add(filter, answer, number, 0);
    return failed == 0 || failed == -EEXIST || failed == -EDOM;
}

static const char *const refused[] = {
    "socket",
    "socketpair",
    "socketcall",
    "connect",
    "bind",
    "listen",
    "accept",
    "accept4",
    "sendto",
    "sendmsg",
    "sendmmsg",
    "pidfd_open",
    "pidfd_getfd",
    "pidfd_send_signal",
    "mount",
    "umount2",
    "pivot_root",
    "chroot",
    "bpf",
    "perf_event_open",
    "keyctl",
    "add_key",
    "request_key",
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    "userfaultfd",
    "init_module",
    "finit_module",
    "kexec_load",
    "kexec_file_load",
    "mount_setattr",
    "fsmount",
    "fspick",
    "fsconfig",
    "chown",
    "fchown",
    "lchown",
    "fchownat",
    "setxattr",
    "lsetxattr",
    "fsetxattr",
    "shmget",
    "msgget",
    "semget",
    "open_by_handle_at",
    "fsopen",
    "open_tree",
    "move_mount",
};

/* Text that is pushed into a terminal is a command of the user's to his shell. */
static bool refuse_typing(scmp_filter_ctx filter) {
    static const unsigned requests[] = {TIOCSTI, TIOCLINUX};
    const uint64_t low = UINT32_MAX; /* the kernel looks at no more of it */
    bool good = true;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        good &= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
                                 SCMP_A1(SCMP_CMP_MASKED_EQ, low, requests[i])) == 0;
    return good;
}

bool layers_refuse(scmp_filter_ctx filter) {
    bool good = refuse_typing(filter);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        good &= layers_call(filter, SCMP_ACT_ERRNO(EPERM), refused[i]);
    return good;
}
