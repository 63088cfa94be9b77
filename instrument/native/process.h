/* process: a process that runs a native build, and the memory shared with it.
 *
 * The protocol is in instrument/native/runtime/shared.h. Between two commands the process waits; it
 * ends when its parent does. A process that has died or been killed is started anew by the next
 * process_ready(). It is in a process group of its own, so Ctrl-C on a terminal is the parent's to
 * answer. The program in it is a stranger: it runs in a sandbox, and what it writes into the shared
 * memory is not believed further than that it is there.
 */
#ifndef INSTRUMENT_NATIVE_PROCESS_H
#define INSTRUMENT_NATIVE_PROCESS_H

#include "base/err.h"
#include "base/sandbox/sandbox.h"
#include "instrument/native/runtime/shared.h"

#include <stdbool.h>
#include <sys/types.h>

struct native_process {
    const char *executable; /* borrowed */
    uint32_t step_ms, memory_mb;
    struct sandbox box; /* made by the first start */
    int end_signal;     /* that has ended the last one; 0: none, or it was not looked at */
    pid_t pid;          /* 0: none is running */
    int command_fd, answer_fd, shared_fd;
    struct gk_shared *shared; /* mapped as long as the struct lives, NULL before the first start */
    uint32_t n_probes, n_cells; /* as its parent knows them, as all below: nothing that it could
                                 * change says where to read, and how much */
    struct gk_replay placed;    /* the run that it carries out, or has carried out last */
    uint64_t reserved;          /* the data area before this offset is not for runs; 0: none */
    bool ended_outside;         /* the last one was killed by somebody: no fault of the program */
    bool cut_off;               /* by us, because `cut` wanted it */
    bool broken;                /* its memory is not what its runtime works with; it stays so */
    bool used;                  /* it has carried out a command */
    bool busy;                  /* a command is under way */
    /* asked while a command is waited for: true lets it go on for about a second; searches are told
     * to end. Or NULL */
    bool (*cut)(void *context);
    void *cut_context;
};

/* One is running afterwards; with `fresh` it has carried out nothing yet. Never again after one
 * whose runtime has failed: `err` says so. */
bool process_ready(struct native_process *process, bool fresh, struct err *err);

/* Sends a command / waits until it is carried out. False when the process has died meanwhile, stood
 * still for too long, or was cut off, and was killed: the shared memory is as it left it. */
bool process_send(struct native_process *process, char command);
bool process_wait(struct native_process *process);

/* CPU time that the present process has used; 0 when there is none. */
double process_cpu_seconds(const struct native_process *process);

void process_kill(struct native_process *process); /* the memory stays */
void process_free(struct native_process *process);

uint64_t process_size(void); /* of the shared memory */
void *process_data(const struct native_process *process, uint64_t offset);

#endif
