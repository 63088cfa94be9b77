/* live: which arguments and registers of a function are still used, block by block.
 *
 * A value is live at the start of a block when some way from there leads to a use of it without
 * passing its definition. Phis are live at the start of their own block. A use by a phi counts at
 * the end of the block that it comes from.
 *
 *     const struct live *live = lower_live_of(f);           // made when first asked for
 *     if (lower_live_at(live, block, slot)) …
 */
#ifndef INSTRUMENT_LOWER_LIVE_H
#define INSTRUMENT_LOWER_LIVE_H

#include "instrument/lower/function.h"

struct live {
    size_t words;   /* of one block */
    uint64_t *bits; /* one per value, block after block */
};

const struct live *lower_live_of(struct lower_function *f);
void lower_live_free(struct live *live); /* NULL is allowed */
bool lower_live_at(const struct live *live, uint32_t block, uint32_t slot);

#endif
