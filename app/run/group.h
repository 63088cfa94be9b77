/* group: probes whose slices have the same cells; an engine works on them together.
 *
 * Order: small slices first, then by rank. A goal has a higher rank than the goals that everybody
 * passes who hits it: dominators come first, whose proofs settle what they dominate. An engine that
 * looks for hits takes a group from its end, where a hit covers the most.
 */
#ifndef APP_RUN_GROUP_H
#define APP_RUN_GROUP_H

#include "app/run/session.h"

struct group {
    VEC(uint32_t) probes;
    uint64_t hash;
    size_t size; /* cells of the slice */
    uint32_t rank;
    uint64_t gave_up; /* bit per engine of the schedule: it cannot do any more for this group */
};
VEC_STRUCT(groups, struct group);

/* Of all open probes that are in the model. */
void groups_make(struct groups *groups, const struct session *s);
/* Probes that are not open any more leave their groups. */
void groups_drop_decided(struct groups *groups, const struct session *s);
void groups_free(struct groups *groups);

#endif
