/* part: what a proof speaks of, cut out of the freed system. */
#ifndef APP_BECAUSE_PART_H
#define APP_BECAUSE_PART_H

#include "app/because/freed.h"

/* Targets are those of the proof, then the overruns: what the model does not follow. */
struct part {
    struct slice slice;
    struct invariant inv;
    struct promises promises; /* those about the slice; terms are shared */
    VEC(uint32_t) promise_map;
};

/* `proof` and its targets are of the freed system; what follows from values that cells keep is
 * added. */
void part_open(struct part *p, struct freed *f, const struct invariant *proof);
void part_close(struct part *p);

#endif
