/* tell: what engines that find one invariant for all targets report of it.
 *
 *     bool all = tell_dead(&input, &inv, dead);    // targets that it proves, each with what it
 * needs tell_lemma(&input, &inv);                    // the whole, for others
 */
#ifndef ENGINES_INVARIANT_TELL_H
#define ENGINES_INVARIANT_TELL_H

#include "engines/engine.h"

/* Reports the targets that an inductive invariant excludes, with a trimmed proof each; dead[i] says
 * what has been reported of input->targets[i]. True: all are. */
bool tell_dead(const struct engine_input *input, const struct invariant *inv, bool *dead);
/* Reports it as a lemma if it says anything and passes the check: others rest on it. */
void tell_lemma(const struct engine_input *input, const struct invariant *inv);

#endif
