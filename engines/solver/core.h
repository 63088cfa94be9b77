/* core: the data of the solver, shared by its files and by nobody else.
 *
 * One variable has two sides: side 0 is its lower bound, side 1 the complement (~) of its upper
 * bound. Complement turns the order around without overflow, so that
 *
 *   every bound only grows while the search descends,
 *   `vs = 2 * var + side` names one of them, bound[vs] is its current value,
 *   the literal {vs, b} says bound[vs] >= b; its negation is {vs ^ 1, -b}.
 *
 * Invariants
 *   1. trail[0] is a sentinel. The entries of one vs form a chain by `prev` (0 ends it) with
 *      strictly growing bounds; trail_at[vs] is its newest entry, bound[vs] that entry's bound, or
 *      base[vs] (what holds at level 0) when the chain is empty.
 *   2. Level 0 leaves nothing on the trail: its entries move into base[] when propagation is done.
 *   3. bound[vs] <= ~bound[vs ^ 1] (no empty domain) for every variable, always: whoever would
 *      make it empty reports a conflict instead.
 *   4. Clauses of two and more literals are watched through two of them. When propagation is
 *      complete, a watched literal that is false has a true literal beside it.
 *   5. A bound says something about numbers only. While nan[v] is true the ordinal of v is free,
 *      so a contractor moves bounds of v only when nan[v] is false or absent.
 */
#ifndef ENGINES_SOLVER_CORE_H
#define ENGINES_SOLVER_CORE_H

#include "base/mem.h"
#include "base/rng.h"
#include "engines/solver/agenda.h"
#include "model/contract/contract.h"
#include "engines/solver/solver.h"

#include <signal.h>

struct lit {
    int64_t bound;
    uint32_t vs;
};
VEC_STRUCT(lits, struct lit);

/* Why an entry is on the trail. 0: a decision. Even: the clause at reason / 2. Odd: the primitive
 * constraint (reason >> 5) moved its operand (reason >> 1 & 15). */
typedef uint32_t reason_t;
typedef uint32_t cref_t; /* index into the clause arena, 0 is none */

struct entry {
    int64_t bound;
    uint32_t vs;
    uint32_t prev;
    reason_t reason;
    uint32_t level;
};

struct clause {
    uint32_t size;
    uint32_t step; /* of the proof */
    uint32_t lbd : 24;
    uint32_t learned : 1;
    uint32_t dead : 1;
    uint32_t used : 2;
    uint32_t partition;
    struct lit lits[];
};

/* The clause becomes interesting when the watching side reaches `at`: then its literal is false. */
struct watch {
    int64_t at;
    struct lit blocker; /* another literal of it: when true there is nothing to do */
    cref_t clause;
};
struct watches {
    struct watch *data;
    size_t len, cap;
    size_t sorted; /* so many in front are in order of their places, see watch.h */
};
VEC_STRUCT(ids, uint32_t);

/* A primitive constraint: kinds[kind] over var[0] = op(var[1] …), or a form over var[0]:
 * linears[var[1]] (KIND_LINEAR, linear.h), mixes[var[1]] (KIND_MIX, mix.h). */
/* As calls are counted. */
enum prim_family { FAMILY_INT, FAMILY_FLOAT, FAMILY_LINEAR, FAMILY_MIX };

struct prim_use {
    svar var[4];
    uint32_t kind;
    uint32_t partition;
    uint32_t cost; /* of running it once, in ticks */
    enum prim_family family;
};
enum { KIND_LINEAR = 1 << 30, KIND_MIX, MAX_OPERANDS = 16 };

static inline bool prim_is_form(const struct prim_use *use) {
    return use->kind >= KIND_LINEAR;
}

/* How an intermediate result of a linear form differs from the ideal one. */
enum mid_error {
    MID_EXACT, /* no error while the ideal result fits the sort */
    MID_ROUND, /* rounded to the float format of the result */
    MID_FLOOR, /* between 0 and 1 less */
    MID_TRUNC, /* less than 1 nearer to zero */
};

struct linear_mid {
    uint8_t op, error;
    int8_t arg[2]; /* operand, or -1: the constant */
    double constant[2];
    double coef; /* of its error in the result, absolute value */
};

struct linear {
    int n_leaves, n_mids, n_guards;
    svar var[MAX_OPERANDS];
    double coef[MAX_OPERANDS];   /* by operand, leaves only */
    double weight[MAX_OPERANDS]; /* how inexact the coefficient is, in units of SLACK; 0 is exact */
    double constant, constant_weight;
    struct linear_mid mid[MAX_OPERANDS]; /* [0] is z, then the mids */
    bool guard[MAX_OPERANDS];            /* value that the guard operand needs; by guard */
};

/* from <= to + weight while all guards hold; see order.h */
struct order_edge {
    uint32_t from, to; /* nodes */
    uint32_t next;     /* the next edge out of `from`, 0 ends */
    uint8_t n_guards;
    uint8_t moving; /* 0, or 1: the weight is what holds now of side `weight_vs`, see order.c */
    uint32_t weight_vs;
    int64_t weight;
    struct lit guard[3];
};
struct order_watch {
    int64_t at;
    uint32_t edge;
};
VEC_STRUCT(order_watches, struct order_watch);

/* A literal about two variables: true in which relations of x to y. Of a comparison, or the sign of
 * a difference, which says nothing while that is NaN. */
struct order_atom {
    struct lit yes;
    svar x, y, difference;
    int relations, family;
    uint32_t prev; /* the previous atom of this pair, + 1 */
};

struct order {
    VEC(struct order_edge) edges;       /* [0] is unused */
    struct ids head;                    /* by node: its newest edge */
    VEC(struct order_watches) watching; /* by vs */
    struct ids noted;                   /* edges that have come to hold */
    struct ids seen, via, queue;        /* of a search, by node */
    VEC(int64_t) distance;
    uint32_t stamp;
    struct lits blame;
    struct map pairs;
    VEC(struct order_atom) atoms;
};

enum { QUEUE_CHEAP, QUEUE_DEAR, N_QUEUES };

struct heap {
    struct ids order;
    uint32_t *place; /* index in order + 1, 0 when absent; one per variable */
    size_t cap;
};

struct frame {
    const struct solver *solver;
    const struct terms *ts;
    struct shape *shape;
    struct ids memo; /* term -> 2 * svar + negated, 0 when not encoded */
};

/* Signedness of the integer terms of one DAG, decided once for all its frames. */
struct shape {
    const struct terms *ts;
    VEC(uint8_t) view; /* 0 not decided, 1 unsigned, 2 signed */
};

/* Settings that tests turn to reach rare states; the defaults are in solver.c. */
struct solver_knobs {
    uint32_t restart_every; /* conflicts, growing; 0: the normal policy */
    uint32_t reduce_first;  /* conflicts to the first reduction … */
    uint32_t reduce_step;   /* … and how many more each time */
    uint32_t max_trials;    /* contractor calls to weaken one explanation */
    uint32_t relax_first;   /* ticks before the first linear program of a question */
    uint32_t walk_first;    /* ticks before the first local search */
    bool check;             /* run check_solver() after each propagation */
};

extern const struct solver_knobs solver_default_knobs;

struct mix;
struct recorder;
struct relax;

struct solver {
    struct solver_options options;
    struct solver_knobs knobs;
    struct solver_stats stats, told; /* the part that options.total has */
    struct rng rng;
    bool ok; /* false: unsatisfiable whatever the assumptions */
    volatile sig_atomic_t interrupted;
    uint64_t tick_limit;         /* of this solve */
    bool searching;              /* the limit and interruptions count only then */
    uint32_t partition, keeping; /* keeping: see solver_share() */

    /* variables; index 0 is unused */
    uint32_t n_vars;
    VEC(sort_t) sort;
    VEC(uint8_t) flags;    /* VAR_* */
    struct ids nan;        /* companion Boolean or 0 */
    struct ids definition; /* the primitive constraint whose result it is, or 0 */
    VEC(int64_t) bound;    /* by vs, and so are base and trail_at */
    VEC(int64_t) base;
    VEC(int64_t) initial; /* what its sort, or its definition as a constant, says */
    struct ids trail_at;
    VEC(int64_t) phase;           /* last value, ordinal */
    VEC(struct watches) watching; /* by vs: clauses to look at when bound[vs] grows */
    VEC(struct ids) uses;         /* by var: primitive constraints over it */

    /* search state */
    VEC(struct entry) trail;
    struct ids level_start; /* level_start[k]: first trail index of level k + 1 */
    size_t clause_head;     /* next trail entry whose watches are to be visited */

    /* clauses */
    VEC(struct lit) arena; /* clause heads and literals, both 16 bytes */
    struct ids problem, learned;

    /* primitive constraints */
    VEC(struct prim) kinds;
    struct map kind_index;
    VEC(struct prim_use) prims;
    struct map prim_index, gate_index; /* what was built already, by hash */
    struct ids gates;                  /* flat: operator, three literals, result */
    struct ids gate_of;                /* Boolean -> the gate whose result it is, or 0 */
    struct ids negations;              /* Boolean -> the variable that is its negation, or 0 */
    svar truth;                        /* the constant true */
    VEC(struct linear *) linears;
    VEC(struct mix *) mixes;
    struct agenda agenda[N_QUEUES]; /* to be run */
    VEC(uint8_t) slow;     /* by vs: how often in a row a contractor gained almost nothing */
    struct ids slow_since; /* … since this decision */
    struct map constants;  /* (sort, view, bits) -> fixed variable */

    struct order order;
    struct relax *relax;            /* NULL before its first use */
    uint64_t relax_at, relax_share; /* when it is due, in ticks; the pause, in times of its cost */
    uint64_t walk_at, walk_budget;  /* ticks: when it is due, and for how long */
    bool relax_deeper;              /* the next time in the middle of the search */
    struct ids equations;           /* constraints that modular.h is about … */
    size_t equations_of;            /* … of the first so many */
    uint64_t modular_at, modular_share;
    bool diving;               /* sources take their preferred values until a conflict */
    uint64_t dive_at, dives;   /* conflicts before the next dive; dives that failed */
    struct recorder *recorder; /* NULL when no proof is logged */
    uint32_t step;             /* of the clause that is created next */

    /* the conflict that propagation found: why, and what it contradicts */
    reason_t conflict;

    /* conflict analysis, by vs */
    VEC(int64_t) need;
    struct ids need_entry; /* 0: nothing is needed of vs */
    VEC(uint8_t) need_listed;
    struct ids needed;    /* the vs to look at and clear; some are needed no more */
    struct ids redundant; /* entries whose need follows from the others */
    struct lits explained, clause_lits;
    struct ids level_stamp;
    uint32_t stamp;

    /* heuristics */
    VEC(double) activity;
    double activity_step;
    struct heap atoms, numbers;
    struct ids scan; /* variables neither in a heap: decided last */
    uint32_t scan_at;
    struct ids in_cone;    /* by var: the last question that depends on it, see cone.h */
    struct ids outside;    /* taken from the heaps although open: not in the cone */
    struct ids cone_stack; /* of a walk */
    uint32_t question;
    double lbd_fast, lbd_slow;
    uint64_t conflicts_at_restart, conflicts_at_reduce, conflicts_at_mode, mode_length;
    uint64_t reductions;
    bool stable;

    /* assumptions and answers */
    struct lits assumptions;
    struct slits core;
    struct slit weakest;
    VEC(int64_t) model;
    VEC(uint8_t) model_nan;

    VEC(struct frame *) frames;
    VEC(struct shape *) shapes;
    VEC(struct term_table *) tables; /* own heads: those in struct terms may move */
};

enum { VAR_SIGNED = 1, VAR_SOURCE = 2, VAR_SHARED = 4 };

static inline uint32_t side_lo(svar v) {
    return 2 * v;
}
static inline uint32_t side_hi(svar v) {
    return 2 * v + 1;
}
static inline struct lit lit_ge(svar v, int64_t ordinal) {
    return (struct lit){ordinal, 2 * v};
}
static inline struct lit lit_le(svar v, int64_t ordinal) {
    return (struct lit){~ordinal, 2 * v + 1};
}
static inline struct lit lit_not(struct lit l) {
    return (struct lit){-l.bound, l.vs ^ 1};
}
static inline struct lit lit_of(struct slit l) {
    return l.ge ? lit_ge(l.var, l.ordinal) : lit_le(l.var, l.ordinal);
}
static inline struct slit slit_of(struct lit l) {
    return (struct slit){l.vs / 2, !(l.vs & 1), l.vs & 1 ? ~l.bound : l.bound};
}
static inline bool lit_true(const struct solver *s, struct lit l) {
    return s->bound.data[l.vs] >= l.bound;
}
static inline bool lit_false(const struct solver *s, struct lit l) {
    return s->bound.data[l.vs ^ 1] > ~l.bound;
}
static inline int64_t var_lo(const struct solver *s, svar v) {
    return s->bound.data[2 * v];
}
static inline int64_t var_hi(const struct solver *s, svar v) {
    return ~s->bound.data[2 * v + 1];
}
static inline bool var_fixed(const struct solver *s, svar v) {
    return var_lo(s, v) == var_hi(s, v);
}
static inline uint32_t level_of(const struct solver *s) {
    return (uint32_t)s->level_start.len;
}
static inline struct clause *clause_at(const struct solver *s, cref_t c) {
    return (struct clause *)(void *)&s->arena.data[c];
}
/* Adds what has been counted since to options.total. */
void search_tell(struct solver *s);

static inline bool out_of_budget(const struct solver *s) {
    return s->searching && (s->interrupted || s->stats.ticks >= s->tick_limit);
}
static inline reason_t reason_clause(cref_t c) {
    return c << 1;
}
static inline reason_t reason_prim(uint32_t prim, int which) {
    return prim << 5 | (uint32_t)which << 1 | 1;
}
static inline uint32_t reason_prim_of(reason_t r) {
    return r >> 5;
}
static inline int reason_which(reason_t r) {
    return (int)(r >> 1 & 15);
}
static inline bool reason_is_prim(reason_t r) {
    return r & 1;
}

#endif
