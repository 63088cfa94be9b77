/* enums: the integer type that clang gives each enumeration, for a reader that would choose
 * another.
 *
 * Which type an enumeration is, C leaves to the compiler (6.7.2.2p4): gcc and clang take unsigned
 * int where no enumerator is negative, a smaller one when packed; CBMC always takes a signed one.
 * The weave says what clang has chosen in a comment behind the declaration, which nobody minds:
 *
 *     typedef enum { OFF, ON } mode; enum mode2 { A };   ->   typedef enum { OFF, ON }
 *                                                             GK_ENUM_OPEN unsigned int
 * GK_ENUM_CLOSE mode; …
 *
 * enums_spell() writes that type wherever the enumeration is used as a type. Enumerators stay what
 * they are, integer constants of type int:
 *
 *     typedef __typeof__((unsigned int)(enum { OFF, ON })0) mode;   unsigned int request;
 */
#ifndef INSTRUMENT_WEAVE_ENUMS_H
#define INSTRUMENT_WEAVE_ENUMS_H

#include "instrument/syntax/edits.h"
#include "instrument/syntax/unit.h"

void enums_mark(const struct unit *unit, struct edits *edits);

/* Appends the woven text; without marks it stays as it is. */
void enums_spell(const char *woven, size_t len, struct str *out);

#endif
