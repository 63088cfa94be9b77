/* cells: which memory cells are state, and as what they appear in the system.
 *
 * The plan is an optimistic guess that grows: a cell is a constant until a run changes it, a number
 * in the sort of its type until a run stores something else, a pointer to the objects it was seen
 * to point to. A run that contradicts the plan extends it and is repeated. When a run agrees with
 * the plan, the plan holds by induction over the steps: cells outside it keep their initial value.
 */
#ifndef INSTRUMENT_LOWER_CELLS_H
#define INSTRUMENT_LOWER_CELLS_H

#include "instrument/lower/cut.h"
#include "instrument/lower/layout.h"
#include "instrument/lower/value.h"

/* One object that a pointer cell can point to, at offset + moving part * scale. */
struct shape_target {
    uint32_t object;
    int64_t offset;
    int64_t scale;  /* 0: always at offset */
    int64_t lo, hi; /* as in struct pointee */
};

/* Bits of a word that are one bit-field, or lie between bit-fields (path NULL). */
struct plan_field {
    uint32_t offset, bits;
    const char *path; /* of module.state */
    bool is_signed;
};

struct plan_cell {
    bool changes;
    bool as_bits;                   /* a float cell that also holds integers (union) */
    bool is_bool;                   /* a _Bool of module.state … */
    bool any_byte;                  /* … that was seen to hold other numbers than 0 and 1 */
    VEC(struct shape_target) shape; /* of a pointer */
    VEC(struct plan_field) fields;  /* a word of bit-fields: all its bits, ascending */
};

/* A place where a task asks for memory, reached through certain calls. */
struct plan_heap {
    uint64_t key;
    LLVMTypeRef type; /* what was seen to lie at the start of it, NULL: nothing yet */
};

struct lower_plan {
    VEC(struct plan_cell) cells; /* by number of the global cell */
    VEC(struct plan_heap) heaps;
    VEC(uint32_t) summaries; /* objects of which one element is followed */
    bool frees;              /* some of it is given back */
    uint64_t heap_cells;     /* of all objects that were asked for */
    VEC(struct location) locations;
    VEC(struct static_local) locals;
    struct arena arena;
    bool seeded;
    bool grown; /* during this run */
};

/* A changing cell in one run: its variables at the start of the step. A number has one; a pointer
 * has one that says which target of the shape, and perhaps one for its moving part; a word of
 * bit-fields has one per field. */
struct state_cell {
    uint32_t cell, n_vars;
    term_t *vars;
    value_t value;
};

/* Where a variable of module.state lies; offset -1: nowhere (a bit-field). */
struct state_place {
    uint32_t object;
    int64_t offset;
};

struct state {
    VEC(struct state_cell) cells;
    VEC(uint32_t) of_cell;          /* index in cells + 1; 0: not (yet) there */
    VEC(value_t) initial;           /* of global cells, after gk_init */
    VEC(const char *) names;        /* of global cells, NULL: not in module.state */
    VEC(bool) is_signed, listed;    /* listed: part of something in module.state */
    VEC(struct state_place) places; /* of module.state */
};

void lower_plan_free(struct lower_plan *plan);
void state_free(struct state *state);

/* Before gk_init: sizes, names. After it: initial values; cells with other than one become part of
 * the plan. Before gk_step, in the first run: cells that stores obviously reach join the plan. */
void lower_state_prepare(struct lowering *lw);
void lower_state_begin(struct lowering *lw);
/* After gk_step: compares what happened with the plan. */
void lower_state_compare(struct lowering *lw);

value_t lower_state_value(struct lowering *lw, uint32_t cell);
/* The variables of a cell that changes, made when first asked for. */
const struct state_cell *lower_state_cell(struct lowering *lw, uint32_t cell);
/* A value of that cell as its variables have it: n_vars scalars in the arena of the run. */
struct scalar *lower_state_encode(struct lowering *lw, const struct state_cell *s, value_t v);
/* The cell is a word of bit-fields; a field of module.state lies at these bits. Fields that overlap
 * are left together. */
void lower_state_add_field(struct lowering *lw, uint32_t cell, struct plan_field field);
const char *lower_cell_name(struct lowering *lw, uint32_t cell);
struct cell_place lower_cell_place(const struct lowering *lw, uint32_t cell);

#endif
