/* assembly: inline assembly whose effect is known from what it declares.
 *
 * GCC and clang believe what an asm statement says of itself: it writes its outputs, reads its
 * inputs, touches other memory only where "memory" is clobbered, and goes on behind itself. So
 *
 *     __asm__ volatile("mfspr %0, 268" : "=r"(ticks));
 *
 * is woven as `{ unsigned int gk_asm0; ticks = gk_asm0; }`: any value, as of a local that was never
 * set. That is done where the outputs are automatic variables of the function with numbers in them,
 * and inputs are numbers without effects of their own. Of instructions without operands those are
 * known that change nothing a C program can see (assembly.def). All others are limitations: nothing
 * is known of what they do, and whatever runs after them may be different.
 *
 *     struct assembly known;
 *     if (assembly_read(&tree, id, &known)) …
 *     assembly_free(&known);
 */
#ifndef INSTRUMENT_GOALS_ASSEMBLY_H
#define INSTRUMENT_GOALS_ASSEMBLY_H

#include "instrument/syntax/tree.h"

struct assembly {
    VEC(struct span) outputs; /* each the name of a variable */
    VEC(CXType) types;        /* one per output */
};

/* False: nothing is known of its effect. */
bool assembly_read(const struct tree *tree, node_id id, struct assembly *known);
void assembly_free(struct assembly *known);

#endif
