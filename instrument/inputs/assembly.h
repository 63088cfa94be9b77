/* assembly: inline assembly whose effect is known from what it declares.
 *
 * GCC and clang believe what an asm statement says of itself: it writes its outputs, reads its
 * inputs, touches other memory only where "memory" is clobbered, and goes on behind itself. So
 *
 *     __asm__ volatile("mfspr %0, 268" : "=r"(ticks));
 *
 * is woven as `{ unsigned int gk_asm0; ticks = gk_asm0; }`: any value, as of a local that was never
 * set. That is done where the outputs are variables with numbers in them that are not volatile, and
 * inputs are numbers without effects of their own. Of instructions without operands those are
 * known that change nothing a C program can see (syntax/assembly.def). All others are limitations:
 * nothing is known of what they do, and whatever runs after them may be different.
 *
 *     struct assembly known;
 *     if (assembly_read(unit, cursor, &known)) …
 *     assembly_free(&known);
 */
#ifndef INSTRUMENT_INPUTS_ASSEMBLY_H
#define INSTRUMENT_INPUTS_ASSEMBLY_H

#include "instrument/syntax/unit.h"

struct assembly {
    VEC(struct span) outputs; /* each the name of a variable */
    VEC(CXCursor) variables;  /* the same as expressions */
    bool changes_nothing;     /* an instruction of assembly.def */
};

/* False: nothing is known of its effect. */
bool assembly_read(const struct unit *unit, CXCursor statement, struct assembly *known);
void assembly_free(struct assembly *known);

#endif
