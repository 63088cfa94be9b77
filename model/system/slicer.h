/* slicer: slices of one system, each for no more than its own size.
 *
 *     struct slicer slicer;
 *     slicer_open(&slicer, &sys);
 *     slicer_make(&slicer, &slice, &(struct slice_wish){.targets = &t, .n_targets = 1});
 *     … slice.sys …
 *     slice_free(&slice);
 *     slicer_close(&slicer);
 *
 * The system may get terms and derived cells meanwhile, and outlives it.
 */
#ifndef MODEL_SYSTEM_SLICER_H
#define MODEL_SYSTEM_SLICER_H

#include "model/system/system.h"

/* A conjunct of step_ok or init_ok, or a disjunct of what is unspecified. */
struct slice_part {
    term_t term;
    uint8_t of;
    uint32_t component;     /* another part of it; the root is its own */
    uint32_t first, next;   /* of the root: its first part + 1; the next one + 1 */
    uint32_t taken, wanted; /* rounds */
};

struct slicer {
    const struct system *sys;
    size_t n_cells;        /* of the system when it was looked at */
    term_t whole[4];       /* its constraints then */
    VEC(uint32_t) cell_at; /* by variable: its cell, or NONE */
    VEC(uint32_t) part_at; /* by variable: a constraint that it has to do with, or NONE */
    VEC(struct slice_part) parts;
    VEC(uint32_t) seen; /* by term: the round in which it was */
    uint32_t round;
    bool targets_only; /* no constraints at all */
    VEC(term_t) stack;
    VEC(uint32_t) cells; /* of this slice */
};

struct slice_wish {
    const uint32_t *targets;
    size_t n_targets;
    const uint32_t *cells; /* in it whether they matter or not */
    size_t n_cells;
    bool all_constraints; /* whatever they are about */
};

void slicer_open(struct slicer *slicer, const struct system *sys);
void slicer_close(struct slicer *slicer);
void slicer_make(struct slicer *slicer, struct slice *slice, const struct slice_wish *wish);

#endif
