/* regions: cells of which only a few ranges of values matter, as small words.
 *
 * Cells that are only copied, chosen from, given constants or inputs, and compared with constants
 * (what a state machine, a lock or a flag is kept in, as a number) can be told apart by those
 * comparisons alone. All values with the same answers are one region, and the cell becomes the
 * number of its region: a word of a few bits in place of a number, or of a word of 32.
 *
 *     x = 0, x = 3, x <= 7      0: x = 0   1: x = 3   2: another up to 7   3: the rest
 *
 * Exact: states whose cells are in the same regions can do the same. So an invariant of the small
 * system is one of the system, and a run of it one of the system with a value of each region.
 */
#ifndef ENGINES_HORN_REGIONS_H
#define ENGINES_HORN_REGIONS_H

#include "engines/horn/definitions.h"
#include "model/system/system.h"

struct regions {
    const struct system *whole;
    struct system sys;       /* shares terms and names */
    struct horn_terms is;    /* by variable: what it is, over cells of `whole`; 0: itself */
    struct horn_terms small; /* by variable of `whole`: what stands for it, 0: itself */
    VEC(struct region_values *) values; /* by variable: of small ones, NULL: it is none */
    VEC(struct region_values *) all;
};

/* False: there are no such cells; nothing is to be freed. */
bool regions_make(struct regions *r, const struct system *whole);
void regions_free(struct regions *r);

/* A condition on cells of `sys` as one on those of `whole`. */
term_t regions_lift(const struct regions *r, term_t condition);
/* Inputs of a run of `sys`, of the start and of each state, become those of `whole`. */
void regions_lift_run(const struct regions *r, struct horn_terms *inputs, uint32_t states);

#endif
