/* dialect: words of other compilers and of analysers, which are to be left out before clang parses.
 *
 * Production code holds words like __far or __interrupt, and directives like
 * `__ASTREE_modify((x; [0, 1]));`. They are no C, but say nothing about the values of the program.
 * dialect_defines() finds those of dialect.def in a preprocessed text and writes the macros that
 * neutralise them. A word that the project's "defines" mention is left to the project.
 *
 *     struct texts defines = {0};
 *     dialect_defines(text, len, &project->defines, &arena, &defines);
 *     // "__far=", "__ASTREE_modify(...)="
 *     vec_free(&defines);
 */
#ifndef INSTRUMENT_SYNTAX_DIALECT_H
#define INSTRUMENT_SYNTAX_DIALECT_H

#include "base/arena.h"
#include "base/texts.h"

#include <stddef.h>

/* Appends each macro once, in the order in which the words occur. Texts live in the arena. */
void dialect_defines(const char *text, size_t len, const struct texts *own, struct arena *arena,
                     struct texts *defines);

#endif
