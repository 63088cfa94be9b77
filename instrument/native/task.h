/* task: a verification task as machine code: does the program reach its error with these values?
 *
 * The task is compiled with a small host (instrument/native/runtime/task.c) that hands out the
 * values of
 * __VERIFIER_nondet_*(), and of uninitialised scalars, in the order in which the program asks for
 * them. Two builds: in one arrays and structs start at 0, in the other with a pattern. The error
 * counts as reached when it is in both; a division by zero, a null pointer, an index out of bounds,
 * a shift by too much or a conversion out of range ends the run.
 *
 *     struct task_native native;
 *     if (!task_native_open(&native, text, ilp32, err))
 *         return false;
 *     struct task_values values = {0};
 *     bool reached = false;
 *     if (task_native_search(&native, 1, 1000, 5.0, &values, &reached, err) && reached)
 *         task_native_replay(&native, &values, 5.0, &reached, err);
 *     task_native_close(&native);
 */
#ifndef INSTRUMENT_NATIVE_TASK_H
#define INSTRUMENT_NATIVE_TASK_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

#include <stdint.h>

VEC_STRUCT(task_values, uint64_t); /* bits, in the order of the program */

struct task_native {
    struct str dir; /* of the builds, removed when it is closed */
    bool ilp32;
    double total_seconds;
    size_t bytes; /* of the text */
};

struct task_source {
    const char *text; /* C, as clang takes it */
    bool ilp32;
    const char *const *clang_args; /* more of them, NULL-terminated, or NULL */
    double total_seconds;          /* of the run that waits for clang, 0: no limit */
};

bool task_native_open(struct task_native *native, const struct task_source *source,
                      struct err *err);
void task_native_close(struct task_native *native);

/* On success `values` are those that were used. False only when a run was not possible. */
bool task_native_replay(const struct task_native *native, struct task_values *values,
                        double seconds, bool *reached, struct err *err);
/* Random values, until the first build reaches its error, the runs are done or the time is over.
 * What is found is still to be replayed. */
bool task_native_search(const struct task_native *native, uint64_t seed, uint32_t runs,
                        double seconds, struct task_values *values, bool *reached, struct err *err);

#endif
