/* orders: expressions whose operands C evaluates in any order, woven so that every order is tried.
 *
 * Where two operands of an arithmetic operator or two arguments of a call conflict (see
 * inputs/unordered.h) and C allows just two orders, all operands become variables, and a local that
 * has no value decides which of the two goes first: any value for the model and CBMC, zero,
 * negative and positive in the native builds. So a dead verdict holds for both orders, and a
 * witness has seen both:
 *
 *     two(f(), g())   ->   ({ int gk_o; int gk_first = gk_o < 0; int gk_turn; int gk_0; int gk_1;
 *                             for (gk_turn = 0; gk_turn < 2; gk_turn++) {
 *                                 if (gk_turn == gk_first) gk_0 = (f());
 *                                 if (gk_turn != gk_first) gk_1 = (g()); }
 *                             two(gk_0, gk_1); })
 *
 * All other conflicts are listed as limitations, and a call of gk_unordered(), which does nothing,
 * goes before them: the model takes it for a place that it cannot follow, so no goal is called
 * dead as long as that can be reached.
 */
#ifndef INSTRUMENT_WEAVE_ORDERS_H
#define INSTRUMENT_WEAVE_ORDERS_H

#include "instrument/inputs/interface_parts.h"

/* The interface is explored; edits are added, before names and statics move. */
void orders_weave(struct interface *in);

/* For a verification task, which is not woven: every conflict that main() can come to is listed and
 * doubted. */
void orders_doubt(const struct unit *unit, struct edits *edits, struct goals *goals);

#endif
