/* domains: invariants over several cells, a domain a file (internal to engines/domains).
 *
 *     domains.c   the engine: one domain after the other, what is reported
 *     sample.c    states that random runs of the model have met
 *     groups.c    cells that the program adds up or compares with each other
 *     affine.c    linear equations modulo powers of two
 *     closure.c   the values that a cell takes
 *     values.c    gaps between them, as far as proofs need them
 *
 * Domains add clauses to `found`. Invariant: lemmas and `found` together
 * are inductive, so whatever a domain adds has to be inductive together with both.
 */
#ifndef ENGINES_DOMAINS_DOMAINS_H
#define ENGINES_DOMAINS_DOMAINS_H

#include "engines/engine.h"
#include "engines/forward.h"
#include "engines/unroll.h"

enum { GROUP_MOST = 12 };

/* States, `cells` bit patterns each. */
struct sample {
    size_t cells;
    VEC(uint64_t) bits;
};

struct group {
    size_t n;
    uint32_t cell[GROUP_MOST]; /* ascending */
};
VEC_STRUCT(groups, struct group);

VEC_STRUCT(pieces, struct range);

/* What holds all values of a cell: numbers in pieces, ascending, none touching the next. */
struct value_set {
    struct pieces pieces; /* empty: nothing is known, or there is no gap */
    enum { SET_UNKNOWN, SET_UNDER_WAY, SET_KNOWN } state;
};

struct domains {
    struct engine_input input;
    struct solver *first,
        *step; /* states at the beginning; a step from any state within the lemmas */
    struct unroll from_init, from_any;
    size_t n_cells; /* those that were there when the engine was opened */
    struct sample sample;
    struct groups groups;
    size_t next;                /* group to look at, then target */
    VEC(struct value_set) sets; /* [cell] made when asked for */
    int depth;                  /* of cells made of cells */
    VEC(bool) dead;             /* [index in input.targets] reported */
    uint64_t work;              /* ticks beside those of `step` */
    struct invariant found;
    size_t told; /* clauses of it */
};

static inline struct system *domains_system(const struct domains *d) {
    return d->input.sys;
}
static inline const struct term_var *domains_var(const struct domains *d, uint32_t cell) {
    const struct system *sys = d->input.sys;
    return &sys->terms->vars.data[term_get(sys->terms, sys->cells.data[cell].var)->payload];
}
static inline size_t sample_count(const struct sample *s) {
    return s->cells ? s->bits.len / s->cells : 0;
}

/* domains.c: the lemmas and what has been found, as one invariant without targets. */
void domains_known(const struct domains *d, struct invariant *out);

/* sample.c: runs with random inputs, as far as assumptions allow. */
void sample_take(const struct domains *d, struct sample *out);

/* groups.c: plain integer cells that occur in one sum or comparison, or are added to one. */
void groups_find(const struct system *sys, struct groups *out);

/* affine.c: what holds of a group. */
void affine_group(struct domains *d, const struct group *group);

/* closure.c: the set of a cell; empty when there are no gaps in it, or nothing was found. */
const struct value_set *value_set_of(struct domains *d, uint32_t cell);
size_t value_set_find(const struct value_set *set, int64_t value); /* the first piece not below */

/* values.c: tries to prove a target dead by values that cells do not take; true: reported. */
bool values_target(struct domains *d, uint32_t target);

#endif
