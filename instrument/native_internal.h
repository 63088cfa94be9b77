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
bool native_place_replay(struct native *native, const struct native_run *run, struct err *err);

#endif
