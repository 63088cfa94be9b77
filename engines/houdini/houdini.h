/* houdini: inductive bounds and implications for all goals at once (internal to engines/houdini).
 *
 *     houdini.c     the engine: phases, what is reported
 *     chains.c      candidates: bounds a cell may keep, strongest first
 *     settle.c      the fixpoint: weaken what a step can break; strengthen what was skipped
 *     filter.c      limits of linear filters and integrators, from their coefficients
 *     relate.c      sums of two counters: "one has fallen as far as the other has risen"
 *
 * Each cell has, on each side, a chain of candidate bounds: program constants and their neighbours,
 * powers of two, the ends of the type. Bounds of floats are claimed of numbers only; that a float
 * is a number at all is a claim of its own. All chains start at the strongest bound that the
 * initial states and what simulation has seen allow. A bound that some step from a state within all
 * current bounds violates gives way to a weaker one, until nothing is violated. A chain that gives
 * way often takes larger and larger strides (widening); what was skipped is tried again at the end
 * (narrowing). Then chains with a guard follow: "where this flag or mode has this value, that cell
 * is within this bound", down to "it never has this value". Last come bounds on sums of two
 * counters; what is known by then has been reported.
 *
 * Invariants:
 *   1. All initial states satisfy every current bound once settle_from_init() has seen its chain,
 *      and every value from `refuted` on.
 *   2. A value before `refuted` fails: some step from states that satisfied stronger bounds breaks
 *      it (or the question was too hard). Strides go too far, and what failed because of another
 *      chain's may hold once that is back: so it is tried again when bounds that the chain reads
 *      have been sharpened.
 *   3. A chain with checked != 0 whose support has not moved since is inductive relative to all
 *      current bounds. When all are (settled == chains.len), their conjunction is inductive.
 *   4. What was kept (settle_keep()) is inductive by itself: it is asserted for good, and only
 *      stronger values take its place; what has to give way again stops there.
 */
#ifndef ENGINES_HOUDINI_HOUDINI_H
#define ENGINES_HOUDINI_HOUDINI_H

#include "engines/engine.h"
#include "engines/thresholds.h"
#include "engines/unroll.h"
#include "model/term/range.h"

VEC_STRUCT(cell_list, uint32_t);

struct chain {
    uint32_t cell;
    bool ge;
    uint32_t guard; /* the bound is claimed only where this cell is guard_value; NONE: always */
    int64_t guard_value;
    uint32_t other; /* with other_factor: of factor * cell + other_factor * other */
    int16_t factor, other_factor;
    bool number; /* the claim is "not NaN"; values holds one that means nothing */
    uint8_t n_escapes;
    struct bound escape[2]; /* only where none of these holds: a counter that has come to its end */
    struct ordinals values; /* strongest first; past the end: no bound */
    size_t now, refuted;    /* refuted <= now */
    uint32_t moves;         /* how often it gave way to a step */
    svar active;            /* asserts the current value in step 0; 0: not yet */
    svar kept;              /* `active` when that was asserted for good; 0: never */
    size_t kept_at;         /* and `now` */
    uint64_t moved;         /* stamp of its last change */
    uint64_t checked;       /* stamp at which it was found inductive; 0: not yet */
    uint64_t narrowed;      /* stamp at which stronger values were last tried; 0: never */
    VEC(uint32_t) support;  /* chains its induction rests on */
};

enum houdini_phase {
    HOUDINI_START,
    HOUDINI_BOXES,  /* settling bounds */
    HOUDINI_NARROW, /* strengthening them again */
    HOUDINI_FILTERS,
    HOUDINI_GUARDED, /* settling bounds under guards */
    HOUDINI_SHARPEN, /* strengthening those */
    HOUDINI_TELL,
    HOUDINI_RELATED, /* settling sums */
    HOUDINI_MODES,   /* settling sums under guards */
    HOUDINI_TIGHTEN, /* strengthening those */
    HOUDINI_FINISHED
};

struct houdini {
    struct engine_input input;
    struct solver *first, *step;
    struct unroll from_init, from_any;
    /* Two per cell: lower at 2i, upper at 2i + 1; one per float: it is a number; then guarded ones.
     */
    VEC(struct chain) chains;
    VEC(uint32_t) number_of;     /* [cell] its chain "not NaN", NONE: no float */
    size_t first_guarded;        /* chains from here on have guards or are sums */
    VEC(struct cell_list) reads; /* [cell] cells that its next state depends on */
    VEC(struct cell_list) tests; /* [cell] Boolean terms that its next state consists of */
    VEC(uint64_t) sharpened;     /* [cell] stamp of the last time a claim on it became stronger */
    VEC(bool) used;              /* [cell] something else than its own next state depends on it */
    VEC(bool) relevant;          /* [cell] for the question under way */
    struct cell_list step_reads; /* cells that step_ok depends on */
    struct {                     /* the pair of guard and cell that is next */
        bool far;
        uint32_t guard, cell;
        size_t end; /* of chains, near ones or far ones */
    } pairs;
    enum houdini_phase phase;
    uint64_t asked; /* questions about a step */
    bool untold;    /* more is kept than has been reported */
    uint64_t stamp;
    size_t cursor;       /* next chain to look at */
    size_t settled;      /* chains in a row that hold */
    uint32_t round;      /* of narrowing */
    bool better;         /* some chain became stronger in it */
    size_t first_sum;    /* chains from here on are sums */
    bool too_many_sums;  /* they would cost other engines more than they tell them */
    uint64_t sums_until; /* ticks at which they have had their share */
    VEC(bool) dead;      /* [index in input.targets] reported */
};

static inline const struct system *houdini_system(const struct houdini *h) {
    return h->input.sys;
}
static inline const struct term_var *houdini_var(const struct houdini *h, uint32_t cell) {
    const struct system *sys = h->input.sys;
    return &sys->terms->vars.data[term_get(sys->terms, sys->cells.data[cell].var)->payload];
}
static inline bool chain_has_bound(const struct chain *c) {
    return c->now < c->values.len;
}
static inline struct bound chain_bound(const struct chain *c) {
    assert(chain_has_bound(c) && (!c->number || c->values.len == 1));
    if (c->number)
        return (struct bound){c->cell, BOUND_NOT_NAN, 0};
    return (struct bound){
        c->cell,        c->ge ? BOUND_GE : BOUND_LE, c->values.data[c->now], c->other, c->factor,
        c->other_factor};
}
static inline bool chain_is_kept(const struct chain *c) {
    return c->active && c->kept == c->active;
}
static inline bool chain_is_sum(const struct chain *c) {
    return c->other_factor != 0;
}
static inline bool chain_is_box(const struct chain *c) {
    return c->guard == NONE && !chain_is_sum(c) && !c->number;
}
/* NaN satisfies it. */
static inline bool chain_or_nan(const struct houdini *h, const struct chain *c) {
    return !c->number && sort_is_float(houdini_var(h, c->cell)->sort);
}

/* chains.c */
void chains_of_cells(struct houdini *h);
/* About so many more; after the boxes are settled. False: there are none. */
bool chains_with_guards(struct houdini *h, size_t most);
void chains_free(struct houdini *h);
/* The claim as a clause, without literals that cannot hold; for a float with "or NaN", whatever is
 * known of that. */
void chain_clause(const struct houdini *h, const struct chain *c, struct clause *out);
bool chains_can_guard(const struct houdini *h, uint32_t cell); /* a flag or mode */
bool chains_related(const struct houdini *h, uint32_t guard, uint32_t cell);
/* What the current bounds leave a cell. */
struct range chains_range(const struct houdini *h, uint32_t cell);

/* settle.c */
void settle_from_init(struct houdini *h, size_t from); /* chains from this one on */
/* Settles chains until all hold (true) or the ticks are used up. */
bool settle(struct houdini *h, uint64_t until);
/* All are settled: they hold whatever else gives way, so questions need not assume them. */
void settle_keep(struct houdini *h);
/* Strengthens chains from this one on; false: the ticks are used up, to be called again. */
bool settle_narrow(struct houdini *h, size_t from, uint64_t until);
/* Both sides of a cell at once, and that it is a number if that helps: kept iff they are inductive
 * with everything else. */
bool settle_try(struct houdini *h, uint32_t cell, int64_t low, int64_t high);

/* relate.c */
void sums_of_counters(struct houdini *h); /* adds chains */
void sums_with_guards(struct houdini *h); /* for what holds in no general form */
void sums_prune(struct houdini *h);       /* drops what others imply, and what is too much */
bool sums_survive(const struct houdini *h);

/* filter.c */
void filters_try(struct houdini *h);

#endif
