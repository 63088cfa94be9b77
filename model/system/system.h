/* system: a module as a transition system. Engines know this and nothing of C.
 *
 *   cells      the state; each has an initial term (over init inputs) and a next-state term (over
 *              cells and step inputs). Derived cells (derive.h) are terms over other cells
 *   inputs     variables that are free in every step, or once at the start (`at_init`)
 *   init_ok    over init inputs: the assumptions on the initial state hold, init ran to its end
 *   step_ok    over cells and step inputs: assumptions hold and the step ran to its end
 *   targets    over cells and step inputs: the goal is hit in the step taken from this state
 *              (`hit`), or over init inputs: hit during initialisation (`init_hit`). Both hold by
 *              themselves, also where step_ok or init_ok is false (the run ends after the hit)
 *
 * A run: choose init inputs with init_ok; cells := init; then repeat: choose step inputs;
 * targets whose `hit` is true are hit; if step_ok, cells := next, else the run ends there.
 * So: BMC_k = I(s0) and for j < k: step_ok(sj,ij), s(j+1) = next(sj,ij), and hit(sk,ik).
 *
 * `unspecified` (over cells and step inputs) is true in a step that used a value which C leaves
 * open. Proofs ignore it; traces must keep it false to be worth a replay.
 *
 * A goal is dead only if every target listed in `overruns` is dead too.
 */
#ifndef MODEL_SYSTEM_SYSTEM_H
#define MODEL_SYSTEM_SYSTEM_H

#include "base/err.h"
#include "base/str.h"
#include "model/term/term.h"

#define NONE UINT32_MAX

struct cell {
    const char *name; /* C path: "buffer[3].value", "pid::X_xi" */
    term_t var;
    term_t init;
    term_t next;
    term_t is; /* a derived cell: always this term over cells before it that are not; else 0 */
};

struct sys_input {
    const char *name;
    term_t var;
    term_t guard;          /* Boolean term: the value is consumed in this step (true if 0) */
    uint32_t module_input; /* id of gk_input_*(id), NONE when unspecified */
    bool at_init;
    bool unspecified; /* C leaves the value open; a trace may not depend on it */
};

/* A cell that was found to be constant, or always equal to another one, and taken out: kept so that
 * witnesses can still show it. */
struct folded {
    const char *name;
    term_t var;       /* occurs in no term of the system any more */
    uint64_t bits;    /* its value if `same_as` is NONE */
    uint32_t same_as; /* index of the cell it always equals */
};

enum target_kind { TARGET_GOAL, TARGET_OVERRUN };

struct target {
    enum target_kind kind;
    uint32_t id; /* TARGET_GOAL: the number given to gk_hit */
    const char *name;
    term_t hit;
    term_t init_hit; /* 0 = never */
};

struct system {
    const char *name;
    struct terms *terms;
    VEC(struct cell) cells;
    VEC(struct sys_input) inputs; /* in the order in which a step consumes them */
    VEC(struct target) targets;
    term_t init_ok, step_ok;
    term_t unspecified, init_unspecified;
    VEC(uint32_t) overruns; /* targets of kind OVERRUN: every proof needs them dead */
    VEC(struct folded) folded;
    struct arena arena; /* names */
};

/* An empty system: init_ok and step_ok true, unspecified false. Names in a system outlive it: they
 * are literals or copies in its arena made by system_name(). */
void system_init(struct system *sys, struct terms *terms);
void system_free(struct system *sys);        /* not the terms */
void check_system(const struct system *sys); /* sorts, scoping of variables; bug() when broken */
bool system_fault(const struct system *sys, struct str *fault); /* the same, as a text */
const char *system_name(struct system *sys, const char *name);

/* Takes out cells that keep a constant initial value, and cells that always equal an earlier one;
 * they go to `folded`. Returns how many. Indices of the remaining cells change. */
size_t system_fold_constants(struct system *sys);

/* The part of the system that can influence these targets, with the constraints (step_ok, init_ok,
 * unspecified) that have to do with it (slice.c; many slices of one system: slicer.h). Shares the
 * terms and the names. `cell_map[i]`, `input_map[i]`, `target_map[i]` give the index in `sys` of
 * the slice's i-th cell, input and target. A trace of the slice extends to a trace of the system
 * whatever the other inputs are, as long as they meet the other constraints; an invariant of the
 * slice is one of the system: fact_lift() in model/system/fact.h. Inputs of a slice have no guard:
 * what a run consumes is asked of the whole system. Derived cells that a slice gets later stand
 * behind those of cell_map. */
struct slice {
    struct system sys;
    VEC(uint32_t) cell_map, input_map, target_map;
    uint64_t hash; /* equal for slices with the same cells */
};
void slice_make(struct slice *slice, const struct system *sys, const uint32_t *targets, size_t n);
void slice_free(struct slice *slice);
/* The inputs that the targets themselves depend on, constraints left out: used[i] is set for
 * sys->inputs[i]. */
void slice_inputs(const struct system *sys, const uint32_t *targets, size_t n, bool *used);

/* All that the system is, as text (model/system/system_text.c). */
void system_write(const struct system *sys, struct str *out);

#endif
