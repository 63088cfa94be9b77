#include "base/sandbox/self.h"

#include "base/sandbox/layers.h"

#include <errno.h>
#include <linux/landlock.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool restrict_files(const struct self *self) {
    int rules = layers_write_rules();
    if (rules < 0)
        return true;
    layers_allow_writes(rules, "/dev/null");
    for (size_t i = 0; i < self->trees.len; i++)
        layers_allow_writes(rules, self->trees.data[i]);
    for (size_t i = 0; i < self->files.len; i++)
        layers_allow_writes(rules, self->files.data[i]);
    for (size_t i = 0; i < self->sweeps.len; i++)
        layers_allow_path(rules, self->sweeps.data[i], LANDLOCK_ACCESS_FS_REMOVE_FILE);
    for (size_t i = 0; i < self->empties.len; i++)
        layers_allow_path(rules, self->empties.data[i], LANDLOCK_ACCESS_FS_REMOVE_DIR);
    bool good = syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    int why = errno;
    close(rules);
    errno = why;
    return good;
}

/* Children have groups and namespaces of their own, so these calls stay. Who looks for leaks at the
 * end of a sanitized process is its tracer; Landlock lets nobody trace processes outside. */
static bool refuse_others(scmp_filter_ctx filter) {
    static const char *const calls[] = {"setns",
#ifndef __SANITIZE_ADDRESS__
                                        "ptrace", "process_vm_readv", "process_vm_writev"
#endif
    };
    bool good = layers_refuse(filter);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        good &= layers_call(filter, SCMP_ACT_ERRNO(EPERM), calls[i]);
    return good;
}

static bool restrict_calls(void) {
    scmp_filter_ctx filter = layers_filter(SCMP_ACT_ALLOW);
    if (!filter)
        return true;
    int failed = refuse_others(filter) ? seccomp_load(filter) : -EINVAL;
    seccomp_release(filter);
    errno = -failed;
    return failed == 0;
}

bool self_confine(const struct self *self, struct err *err) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && restrict_files(self) && restrict_calls())
        return true;
    return err_set(err, ERR_USAGE, "this process cannot give up its rights: %s", strerror(errno));
}

void self_free(struct self *self) {
    vec_free(&self->trees);
    vec_free(&self->files);
    vec_free(&self->sweeps);
    vec_free(&self->empties);
}
