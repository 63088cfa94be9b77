/* record: writing the proof while the search runs. Every function does nothing without logging. */
#ifndef ENGINES_SOLVER_RECORD_H
#define ENGINES_SOLVER_RECORD_H

#include "engines/solver/core.h"
#include "engines/solver/proof.h"

struct recorder {
    struct proof proof;
    struct ids unit;    /* by vs: the step with the bound that holds at level 0, or 0 */
    struct ids pending; /* by vs: the step of a unit that is on the trail without a reason */
    struct ids used;    /* sides whose level-0 bound the chain under construction needs */
    struct ids used_stamp;
    uint32_t stamp;
    VEC(struct proof_premise) chain;
};

static inline bool recording(const struct solver *s) {
    return s->recorder != NULL;
}

void record_open(struct solver *s);
void record_close(struct solver *s);

uint32_t record_given(struct solver *s, const struct lit *lits, size_t n);
/* The constraint implies `needed` (vs 0: a contradiction) from lits[from ..], which are true. */
uint32_t record_lemma(struct solver *s, uint32_t prim, struct lit needed, const struct lits *lits,
                      size_t from);
void record_unit(struct solver *s, uint32_t vs, uint32_t step); /* a unit without a reason */

void record_chain_open(struct solver *s);
void record_premise(struct solver *s, uint32_t step, uint32_t vs);
void record_level_zero(struct solver *s, uint32_t vs); /* the bound at level 0 is used */
uint32_t record_chain_close(struct solver *s, const struct lit *lits, size_t n);

void record_commit(struct solver *s); /* units of the level-0 trail, before they become the base */
void record_refute(struct solver *s); /* s->conflict at level 0: the empty clause */
void record_refute_given(struct solver *s, uint32_t step, const struct lit *lits, size_t n);
void record_final(struct solver *s, uint32_t step);

#endif
