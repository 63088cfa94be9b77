/* native_internal: what native and simulate share. */
#ifndef INSTRUMENT_NATIVE_INTERNAL_H
#define INSTRUMENT_NATIVE_INTERNAL_H

#include "instrument/native.h"
#include "instrument/native_build.h"
#include "instrument/native_process.h"

struct native {
    struct native_program program;
    struct str dir, executable;
    bool own_dir;
    struct native_process process;
};

/* Puts a run into the shared memory, ready for GK_REPLAY or GK_IMPORT. */
bool process_place_run(struct native_process *process, const struct native_run *run,
                       struct err *err);

/* The next place for `count` items of `size` bytes, aligned; for laying out the shared memory. */
uint64_t process_place(uint64_t *next, uint64_t count, uint64_t size);

void process_init(struct native_process *process, const struct native_program *program,
                  const char *executable);

#endif
