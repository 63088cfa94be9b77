/* task: a verification task as machine code: does the program reach its error with these values?
 *
 * The task is compiled with a small host (instrument/native/runtime/task.c) that hands out the
 * values of
 * __VERIFIER_nondet_*(), and of uninitialised scalars, in the order in which the program asks for
 * them. Two builds: in one arrays and structs start at 0, in the other with a pattern. The error
 * counts as reached when it is in both; a division by zero, a null pointer, an index out of bounds,
 * a shift by too much or a conversion out of range ends the run.
 *
 * It takes the place of the woven program behind struct native (native.h): a run's events are the
 * values, one per step; a hit comes in the step of the last value that was used.
 */
#ifndef INSTRUMENT_NATIVE_TASK_H
#define INSTRUMENT_NATIVE_TASK_H

#include "base/err.h"
#include "instrument/native/program.h"

VEC_STRUCT(task_values, uint64_t); /* bits, in the order of the program */

/* Arrays, structs and undefined variables start at 0, or with a pattern. */
enum task_build { TASK_ZERO, TASK_PATTERN, TASK_SEARCH, TASK_BUILDS };

/* The builds of a task in a folder, which several may share. */
struct task_native {
    const char *dir;
    const struct native_program *program;
};

/* Makes the bitcode of all builds, unless it is there; executables when they are needed first.
 * Nothing needs to be freed. */
bool task_native_open(struct task_native *native, const struct native_program *program,
                      const char *dir, struct err *err);

/* A call in the file of main(); line 0: of no call there, such as a local that was never set. */
struct task_place {
    unsigned line, column;
};
VEC_STRUCT(task_places, struct task_place);

/* On success `values` are those that were used. False only when a run was not possible. */
bool task_native_replay(const struct task_native *native, enum task_build build,
                        struct task_values *values, bool *reached, struct err *err);
/* The same; where each of these values was asked for, and at the end the call of the error. */
bool task_native_places(const struct task_native *native, enum task_build build,
                        struct task_values *values, struct task_places *places, bool *reached,
                        struct err *err);
/* Random values, until the build for it reaches its error, the runs are done or their CPU time is
 * over. What is found is still to be replayed. */
struct task_search {
    uint64_t seed;
    uint32_t runs, milliseconds;
    bool is_long; /* one run may take long, also where most are cut off */
};
bool task_native_search(const struct task_native *native, const struct task_search *search,
                        struct task_values *values, bool *reached, struct err *err);

#endif
