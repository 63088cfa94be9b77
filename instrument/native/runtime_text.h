/* runtime_text: the sources of the runtime (runtime/), which this program carries along. */
#ifndef INSTRUMENT_NATIVE_RUNTIME_TEXT_H
#define INSTRUMENT_NATIVE_RUNTIME_TEXT_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>

/* Writes them to `dir`: the headers, or all and runtime.c, one unit in which functions have names
 * that no program has. */
bool runtime_write_headers(const char *dir, struct err *err);
bool runtime_write(const char *dir, struct err *err);

/* "runtime-ilp32-0123456789abcdef.o": the name of what is made of them, with their hash and that of
 * the flags. */
const char *runtime_object_name(const char *model, const char *flags, struct arena *arena);

#endif
