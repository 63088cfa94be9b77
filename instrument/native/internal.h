/* internal: what native and simulate share. */
#ifndef INSTRUMENT_NATIVE_INTERNAL_H
#define INSTRUMENT_NATIVE_INTERNAL_H

#include "instrument/native/native.h"
#include "instrument/native/build.h"
#include "instrument/native/process.h"
#include "instrument/native/task.h"

struct native {
    struct native_program program;
    struct str dir;
    bool own_dir;
    struct native_build build;
    struct native_process process;
    struct native *positive; /* NULL until native_positive() */
    struct native *gcc;      /* NULL until native_gcc() */
    bool gcc_tried;
    struct native_odds odds;
    enum native_kind kind;
    struct task_native task; /* instead of build and process, where the module is a task */
};

/* native_open() in two steps, so that several can be compiled at once. Both free on failure. */
struct native *native_start(const struct native_program *program, enum native_kind kind,
                            struct err *err);
struct native *native_finish(struct native *native, struct err *err); /* NULL is passed on */

/* Puts a run into the shared memory, ready for GK_REPLAY or GK_IMPORT. */
bool process_place_run(struct native_process *process, const struct native_run *run,
                       struct err *err);

/* The next place for `count` items of `size` bytes, aligned; for laying out the shared memory. */
uint64_t process_place(uint64_t *next, uint64_t count, uint64_t size);

void process_init(struct native_process *process, const struct native_program *program,
                  const char *executable);

#endif
