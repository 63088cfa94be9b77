/* native_build: the woven program and the runtime, compiled and linked by clang.
 *
 * The flags decide what the C means (the table in docs/semantics.md): wrapping overflow, no
 * strict aliasing, no contraction, SSE arithmetic on 32 bit, char as the target has it.
 */
#ifndef INSTRUMENT_NATIVE_BUILD_H
#define INSTRUMENT_NATIVE_BUILD_H

#include "instrument/native.h"

/* Makes `dir`/<kind> from the woven text; appends its path to `executable`. */
bool native_build(const struct native_program *program, enum native_kind kind, const char *dir,
                  struct str *executable, struct err *err);

/* A clang that can be used: `wanted` if it is one, else the best one found; false with a remedy. */
bool native_find_clang(const char *wanted, struct str *path, struct err *err);

#endif
