/* child: processes that cannot hurt their parent.
 *
 * Every child gets a process group of its own, limits on CPU time, wall time, memory and output,
 * and is killed as a group (with whatever it started) when a limit is passed, when it ends, and
 * when the parent dies. It is always reaped. Its output is read while it runs, so neither side can
 * block the other.
 *
 *     const char *argv[] = {"cbmc", "--version", NULL};
 *     struct child_spec spec = {.argv = argv, .wall_seconds = 10};
 *     struct child_result result;
 *     if (!child_run(&spec, &result, err))        // false only when it could not be started
 *         return false;
 *     if (result.end == CHILD_EXITED && result.code == 0)
 *         use(str_text(&result.out));
 *     child_result_free(&result);
 *
 * Several at once (a scheduler): child_start() each, children_wait() until one is child_ended(),
 * then child_finish() that one. Instead of a program a child may run a function (`body`) in a fork
 * of this process: same limits, same reporting; a crash in it is only its own.
 */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include "base/err.h"
#include "base/str.h"

#include <stdint.h>
#include <sys/types.h>

struct child_spec {
    const char *const *argv;    /* NULL-terminated; argv[0] is looked up in PATH */
    int (*body)(void *context); /* or this: writes to fd 1 and 2, returns the exit code */
    void *context;              /* for body and on_output */
    const struct sandbox *box;  /* instead of argv: its program, in it; `keep` becomes 3 there. It
                                 * gets nothing of the parent's environment */
    int keep;
    const struct confine *confine; /* with argv: what it may do; NULL: all */
    const char *dir;               /* working folder, NULL: the parent's */
    const char *const
        *environment;  /* "NAME=value" added to the parent's, "NAME" removed; or NULL */
    const void *input; /* stdin; nothing: /dev/null */
    size_t input_size;
    double wall_seconds, cpu_seconds; /* 0: no limit; CPU is rounded up to seconds */
    uint64_t memory_mb;               /* resident memory of the child; 0: no limit */
    uint64_t output_bytes;            /* stdout and stderr together; 0: no limit */
    /* NULL: output is collected in the result. Else called with each piece (fd is 1 or 2), which
     * is then not kept; returning false kills the child (CHILD_STOPPED). */
    bool (*on_output)(void *context, int fd, const char *data, size_t size);
};

enum child_end {
    CHILD_RUNNING,
    CHILD_EXITED,    /* by itself: code is its exit status */
    CHILD_SIGNALLED, /* crashed or was killed by somebody else: code is the signal */
    CHILD_TIMEOUT,   /* wall_seconds passed */
    CHILD_CPU,       /* cpu_seconds used */
    CHILD_MEMORY,    /* memory_mb passed */
    CHILD_OUTPUT,    /* output_bytes passed */
    CHILD_STOPPED,   /* by child_stop() or on_output */
};

struct child_result {
    enum child_end end;
    int code;
    struct str out, err; /* whole lines or not, NULs possible: len counts */
    double wall_seconds, cpu_seconds;
    uint64_t peak_mb;
};

struct child; /* a running or ended child, not yet finished */

bool child_run(const struct child_spec *spec, struct child_result *result, struct err *err);

/* The spec is copied, what it points to must live until child_finish. NULL: not started. */
struct child *child_start(const struct child_spec *spec, struct err *err);
bool child_ended(const struct child *child);
void child_stop(struct child *child); /* kills the group; finish it afterwards */
/* Serves output and limits of all until one has ended or the time has passed; true: one has. */
bool children_wait(struct child *const *children, size_t n, double seconds);
/* Waits for the end, fills the result (the caller frees it), and frees the child. */
void child_finish(struct child *child, struct child_result *result);

void child_result_free(struct child_result *result);
/* "exit code 3", "killed by signal 11 (Segmentation fault)", "time limit of 60 s", … */
void child_end_text(const struct child_spec *spec, const struct child_result *result,
                    struct str *text);

#endif
