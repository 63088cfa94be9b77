/* program: what native builds are made of: a woven program, or a verification task. */
#ifndef INSTRUMENT_NATIVE_PROGRAM_H
#define INSTRUMENT_NATIVE_PROGRAM_H

#include "base/cache.h"
#include "coverage/module.h"

/* What is run. Everything is borrowed and must outlive the native. */
struct native_program {
    const char *woven; /* the woven C text */
    const struct module *module;
    uint32_t n_probes;
    const char *clang;     /* NULL: clang-19, or another clang, found in PATH or LLVM's prefix */
    uint32_t step_ms;      /* CPU time a step may take, 0: 500 */
    uint64_t memory_mb;    /* of the process, 0: 2048 */
    const char *build_dir; /* NULL: a temporary one, removed at the end */
    const bool *known;     /* [n_probes] not wanted from NATIVE_FAST and NATIVE_TRACED; or NULL */
    const uint32_t *spare; /* [n_spare] probes that they need not watch, see struct goals */
    size_t n_spare;
    bool (*stop)(void *context); /* asked while clang compiles: true ends that. Or NULL */
    bool (*cut)(void *context);  /* asked while the program runs: true ends that soon. Or NULL */
    void *stop_context;          /* of both */
    double total_seconds;        /* of the run that waits for it, 0: no limit */
    struct cache cache;          /* for the builds that search, not for those that confirm */
};

#endif
