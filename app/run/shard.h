/* shard: the part of a module that one of several runs takes (`run --shard 2/8`).
 *
 * Goals that depend on the same slice of the model go to the same shard, so each question is asked
 * once in all; large slices are dealt first, one to each shard in turn. What is dealt follows from
 * the program and from what was open when the shard began, so shards that begin from the same
 * database, or from none, share out each goal once. The database remembers it, so that a shard that
 * was ended goes on with what it had.
 *
 * A shard is a run like any other: the same woven program, the same simulation, all that it finds
 * counts, whosever goal it is. It only makes no attempts for the goals of the others, and ends
 * without them. `goalkeeper merge` joins the databases. Shards of a run that only confirms
 * (`--confirm only`) share out proofs instead.
 */
#ifndef APP_RUN_SHARD_H
#define APP_RUN_SHARD_H

#include "app/run/session.h"

/* Once there is a model, and before anybody changes it. Nothing for a run that is no shard. */
bool shard_deal(struct session *s, struct err *err);
/* "left to shard 3 of 8", in the arena; NULL: the probe is ours. */
const char *shard_reason(struct session *s, const struct probe *p);
/* Into the database that this shard has begun, or done what it could. */
bool shard_note(struct session *s, bool done, struct err *err);

#endif
