#include "base/sandbox/layers.h"

#include "base/stop.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
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

int layers_rules(void) {
    int abi = stop_at(STOP_SANDBOX_FILES) ? 0
                                          : (int)syscall(SYS_landlock_create_ruleset, NULL, 0,
                                                         LANDLOCK_CREATE_RULESET_VERSION);
    struct ruleset all = everything(abi > 0 ? abi : 0);
    size_t size = abi >= 6 ? sizeof all : abi >= 4 ? 2 * sizeof all.files : sizeof all.files;
    return abi > 0 ? (int)syscall(SYS_landlock_create_ruleset, &all, size, 0) : -1;
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
