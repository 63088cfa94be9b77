/* flags: which flags for compilers a project may name, see flags.def.
 *
 * They say what the C means and where its headers lie. A project file may come from somebody else,
 * and must not make a compiler load code or write files. */
#ifndef COVERAGE_FLAGS_H
#define COVERAGE_FLAGS_H

#include "base/err.h"
#include "base/texts.h"

bool flags_check(const struct texts *flags, struct err *err);
/* The file or folder that a flag names, attached or as the next flag (`before`: the one in front of
 * it, or NULL); NULL: none. */
const char *flags_path(const char *before, const char *flag);

#endif
