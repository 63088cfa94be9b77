/* bitcode: C text in, LLVM module out, prepared for symbolic execution.
 *
 * clang runs as a child process with flags that give every operation the meaning of DESIGN
 * section 3 (wrapping, no aliasing assumptions, no contraction). Then, and only then:
 *   1. every local scalar is initialised with `freeze undef`, so that no pass can make use of the
 *      fact that reading it early would be undefined;
 *   2. mem2reg and lcssa run. Neither exploits undefined behaviour after (1). Where nobody else
 * runs meanwhile, atomic accesses become loads and stores. Before them, where a verification task
 * jumps into loops, lower-switch and fix-irreducible: these only lead its ways through one head.
 *
 *     struct bitcode bc;
 *     struct bitcode_options options = {.ilp32 = true};
 *     if (!bitcode_compile(&bc, text, &options, err))
 *         return false;
 *     … LLVMGetNamedFunction(bc.module, "gk_step") …
 *     bitcode_free(&bc);
 */
#ifndef INSTRUMENT_LOWER_BITCODE_H
#define INSTRUMENT_LOWER_BITCODE_H

#include "base/err.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

struct bitcode {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetDataRef layout; /* owned by the module */
    bool changes_rounding;    /* and that is to be followed */
};

struct bitcode_options {
    bool ilp32, char_is_signed;
    bool forgets;             /* a local holds any value each time its declaration is reached */
    bool native_tables;       /* define GK_NATIVE: the table of state cells comes along */
    bool one_thread;          /* an atomic access is one like any other */
    bool follows_rounding;    /* the rounding mode: -frounding-math where something changes it */
    bool straightens;         /* jumps into loops become loops with one entry */
    bool keeps_names;         /* values have the names of the text: cells of kept loops have them */
    const char *const *extra; /* more arguments for clang, NULL-terminated, or NULL */
    double total_seconds;     /* these three: see struct compile */
    bool (*stop)(void *context);
    void *stop_context;
};

bool bitcode_compile(struct bitcode *bc, const char *text, const struct bitcode_options *options,
                     struct err *err);
void bitcode_free(struct bitcode *bc);

/* LLVM's own reader ends the process when it does not like what it reads; this one returns NULL.
 * The caller keeps the buffer. */
LLVMModuleRef bitcode_parse(LLVMContextRef context, LLVMMemoryBufferRef buffer, struct err *err);
/* LLVM's own writer ends the process when the disk is full; this one returns false. */
bool bitcode_write(LLVMModuleRef module, const char *path, struct err *err);

#endif
