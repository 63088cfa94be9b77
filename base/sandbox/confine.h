/* confine: compilers and checkers at work on what strangers have written.
 *
 * They are trusted programs with a long list of system calls, and a file that they read may be made
 * to fool them: `#include "/home/user/.ssh/id_rsa"`, an error in the compiler itself. So a child
 * with `confine` (base/child.h) has no network, no way into other processes or out of its process
 * group, gains no privileges, reads the system's software and what is named here, and writes below
 * one folder. seccomp and Landlock do it (base/sandbox/layers.h), as far as the kernel has them.
 *
 *     const char *reads[] = {root, NULL};
 *     struct confine confine = {.reads = reads, .writes = dir};
 *     struct child_spec spec = {.argv = argv, .confine = &confine, …};
 */
#ifndef BASE_CONFINE_H
#define BASE_CONFINE_H

#include <stdbool.h>

/* Where they are counted: not root's, and not without namespaces of users. */
enum { CONFINE_PROCESSES = 64 };

struct confine {
    const char *const
        *reads;         /* files, and folders with all below; ends with NULL. NULL: anything */
    const char *writes; /* a folder, its folder for temporary files; NULL: nowhere */
};

/* In a child that is about to become `program`. False, with errno: a layer that is there failed. */
bool confine_enter(const struct confine *confine, const char *program);

#endif
