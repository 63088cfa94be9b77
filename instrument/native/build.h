/* build: the woven program and the runtime, compiled and linked by clang.
 *
 * The flags decide what the C means (the table in docs/semantics.md): wrapping overflow, no
 * strict aliasing, no contraction, SSE arithmetic on 32 bit, char as the target has it.
 */
#ifndef INSTRUMENT_NATIVE_BUILD_H
#define INSTRUMENT_NATIVE_BUILD_H

#include "base/cache.h"
#include "base/sha256.h"
#include "instrument/syntax/compile.h"
#include "instrument/native/native.h"

/* One compilation, possibly under way; zeroed when there is none. */
struct native_build {
    struct arena arena;
    VEC(const char *) argv;
    struct child_spec spec;
    struct child *child;
    const char *executable; /* what it makes, when it has ended well */
    struct compile how;
    size_t bytes; /* of the text */
    struct cache cache;
    char key[SHA256_HEX]; /* in the cache; "": it is not kept */
    bool was_made;        /* it came from there */
};

/* Begins to compile the woven text to `dir`/`name`. Several may run at once, in the same directory
 * under different names. */
bool native_build_start(struct native_build *build, const struct native_program *program,
                        enum native_kind kind, const char *dir, const char *name, struct err *err);
/* Waits until it is done; the executable's path is good until native_build_free(). */
bool native_build_finish(struct native_build *build, struct err *err);
void native_build_free(struct native_build *build); /* stops it if it is under way */

/* The runtime is the same for all programs of a data model, and takes the compiler longer than a
 * module of 200 lines. When Goalkeeper is built it is compiled for both models into a folder
 * `runtime` beside the program, where builds look for it; its name has the hash of texts and flags,
 * so one of another version is never taken. Where there is none each run compiles it. */
bool native_make_runtime(const char *dir, struct err *err);

const char *native_kind_name(enum native_kind kind); /* "fast" */

/* A clang that can be used: `wanted` if it is one, else the best one found; false with a remedy. */
bool native_find_clang(const char *wanted, struct str *path, struct err *err);

#endif
