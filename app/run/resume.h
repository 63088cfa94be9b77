/* resume: what an earlier run has found, and how much of it still holds.
 *
 * The woven program is the same: everything holds. It has changed: goals are matched by key; old
 * witnesses are replayed on the new program and credited to whatever they hit; a dead verdict holds
 * as long as the part of the model that it rests on is the same, text for text. Where that is not,
 * the old proof is tried first (attempt/earlier.c). Until their goals have verdicts again the old
 * ones stay in the database beside them, so that a run that is stopped loses nothing.
 */
#ifndef APP_RUN_RESUME_H
#define APP_RUN_RESUME_H

#include "app/run/session.h"

/* Puts goals and module into the database, inside the caller's transaction. */
bool resume_goals(struct session *s, struct err *err);
/* Every goal that can be is decided, and nobody else could confirm it: there is nothing to build.
 */
bool resume_complete(struct session *s);
/* Once there are native builds: runs again what there was. Then proofs follow (carry.h). */
bool resume_witnesses(struct session *s, struct err *err);
/* How much that and carry_dead() have brought over. */
void resume_count(struct session *s);
/* How many verdicts from before the sources changed hold again: said at the end of a run. */
void resume_tell(const struct session *s);
/* Overruns are proved anew in each run. What an earlier proof says of them is checked, which is
 * quicker than to find it once more; then what waits for CBMC follows. */
bool resume_overruns(struct session *s, struct err *err);
/* Dead goals that CBMC has not confirmed wait for it, those that Bitwuzla has not for that one, as
 * if they had just been proved. */
bool resume_unconfirmed(struct session *s, struct err *err);
/* The overruns among the targets of this confirmed proof are dead; with the last one the above. */
bool resume_released(struct session *s, const struct invariant *proof, struct err *err);

#endif
