/* join: was this goal hit by what was measured? */
#ifndef APP_OVERLAY_JOIN_H
#define APP_OVERLAY_JOIN_H

#include "app/overlay/measured.h"
#include "db/store.h"

enum hit { HIT_UNKNOWN, HIT_NO, HIT_YES };

struct joined_goal {
    uint32_t goal; /* index, as in db/store.h */
    enum hit hit;
};
VEC_STRUCT(joined, struct joined_goal);

/* All goals of coverage of the database, in their order. */
bool join(struct store *db, const struct measured *m, struct joined *out, struct err *err);

#endif
