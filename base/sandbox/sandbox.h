/* sandbox: a process for machine code that nobody has looked at.
 *
 * What strangers have written (a program under test, its constructors, machine code in an array)
 * can compute, and write to the descriptors that it is given. It cannot open a file for writing,
 * reach the network, start or signal a process, or raise its limits. All of that is in force before
 * its first instruction: it is set up between clone and exec. Layers, each of which holds alone:
 *
 *   limits       of memory, files, processes, descriptors; nothing is ever dumped
 *   privileges   none can be gained (no_new_privs)
 *   calls        seccomp, for the 64-bit and the 32-bit ABI alike: sandbox.def
 *   files        Landlock: nothing but the program itself and the system's libraries can be opened,
 *                those for reading only; no TCP, no signals and sockets to others
 *   spaces       namespaces of its own for users, processes, network, IPC and mounts
 *
 * Kernels and containers may lack the last three: what cannot be had is left out, and `in_force`
 * says so. A layer that this kernel has, and that fails all the same, is an error.
 *
 *     struct sandbox box;
 *     sandbox_open(&box, executable);
 *     struct sandbox_start start = {.fds = fds, .n_fds = 3, .memory_mb = 2048};
 *     pid_t pid = sandbox_start(&box, &start, err);       // 0: not started
 *     sandbox_close(&box);
 */
#ifndef BASE_SANDBOX_H
#define BASE_SANDBOX_H

#include "base/err.h"
#include "base/str.h"

#include <stdint.h>
#include <sys/types.h>

enum {
    SANDBOX_LIMITS = 1,
    SANDBOX_PRIVILEGES = 2,
    SANDBOX_CALLS = 4,
    SANDBOX_FILES = 8,
    SANDBOX_SPACES = 16,
    SANDBOX_ALL = 31
};

struct sock_filter;

struct sandbox {
    const char *executable; /* borrowed */
    bool family;            /* it may have children, and reads files beside it */
    int program;            /* the same, open; -1: it cannot be opened */
    int why;                /* errno of that */
    int rules;              /* Landlock's, -1: there are none */
    struct sock_filter *calls;
    unsigned n_calls;
};

/* Prepares once what is used for each start. */
void sandbox_open(struct sandbox *box, const char *executable);
void sandbox_open_family(struct sandbox *box, const char *executable);
void sandbox_close(struct sandbox *box); /* also of one that is zeroed */

struct sandbox_start {
    const int *fds; /* they become 3, 4, … in the child; each is SANDBOX_FIRST_FD or more */
    unsigned n_fds;
    uint64_t memory_mb, stack_mb;
    unsigned in_force; /* answer */
};
enum { SANDBOX_FIRST_FD = 16 };

/* In a process group of its own, killed when the thread that has called this ends; standard streams
 * are /dev/null, nothing else is inherited, the environment is empty. */
pid_t sandbox_start(const struct sandbox *box, struct sandbox_start *start, struct err *err);

/* In a process that was forked for it, with its descriptors in place: becomes the program, which
 * gets this environment. `keep` becomes 3 (-1: nothing does). Comes back, with errno, when it
 * cannot. */
void sandbox_become(const struct sandbox *box, int keep, const char *const *environment);

/* The layers that a program is started with here: tried with one that does nothing. */
unsigned sandbox_layers(void);
void sandbox_describe(unsigned layers, struct str *text); /* "limits, no new privileges, …" */

#endif
