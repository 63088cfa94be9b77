/* foreign_assembly: inline assembly for another machine than this one.
 *
 * Code for a control unit holds instructions, registers and constraints of its processor, which
 * clang for this machine refuses: with one such statement no goal of a module could be replayed, or
 * not even its text be parsed. So in a unit with assembly that cannot be compiled here, each
 * statement keeps what it says about C (outputs, inputs, "memory") and loses the rest:
 *
 *     __asm__ volatile("mfcr %0, 0xFE2C" : "=d"(t) : : "d15");
 *     __asm__ volatile("ud2 # not for this machine" : "=g"(t) : :);
 *
 * A native run ends there, as the model does; statements whose outputs say all that they do are
 * woven away (inputs/assembly.h), and so are instructions that change nothing (assembly.def). At
 * file scope the text is left out. `#pragma asm` … `#pragma endasm` is such a statement, and a
 * register that a local is bound to (`register int r __asm__("r0")`) is forgotten.
 *
 *     enum assembly_found found = assembly_find(text, len);
 *     if (found == ASSEMBLY_FOREIGN || (found == ASSEMBLY_SOME && !compiles))
 *         assembly_replace(text, len, &out);       // lines stay where they are
 */
#ifndef INSTRUMENT_SYNTAX_FOREIGN_ASSEMBLY_H
#define INSTRUMENT_SYNTAX_FOREIGN_ASSEMBLY_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

enum assembly_found {
    ASSEMBLY_NONE,
    ASSEMBLY_SOME,    /* a compiler has to be asked */
    ASSEMBLY_FOREIGN, /* no compiler of this machine reads it */
};

/* `text` is preprocessed. */
enum assembly_found assembly_find(const char *text, size_t len);
void assembly_replace(const char *text, size_t len, struct str *out);

/* Is this template one instruction of assembly.def, or none? */
bool assembly_is_quiet(const char *instructions);

#endif
