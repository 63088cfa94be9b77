/* layers: what the kernel can forbid a process: files (Landlock) and system calls (seccomp). Where
 * a kernel or a container lacks one, it is left out. Used by sandbox (programs made from user
 * code), confine (compilers) and self (this very process). */
#ifndef BASE_LAYERS_H
#define BASE_LAYERS_H

#include <seccomp.h>
#include <stdbool.h>
#include <stdint.h>

int layers_rules(void);       /* Landlock: nothing is allowed yet; -1: there is none */
int layers_write_rules(void); /* the same for what changes files; reading needs no rule */
void layers_allow(int rules, int fd, uint64_t rights);
void layers_allow_path(int rules, const char *path, uint64_t rights); /* nothing there: nothing */
/* All below a folder may be made, written and removed; of a file, its content. */
void layers_allow_writes(int rules, const char *path);
/* A filter for all ABIs with this answer to calls that it does not name; NULL: there is none. */
scmp_filter_ctx layers_filter(uint32_t answer);
/* One that only a newer libseccomp knows is left out. */
bool layers_call(scmp_filter_ctx filter, uint32_t answer, const char *name);
/* Refuses the network, other processes, the kernel's own interfaces, and to type into the terminal.
 */
bool layers_refuse(scmp_filter_ctx filter);

#endif
