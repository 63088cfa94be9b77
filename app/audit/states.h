/* states: states of a module that satisfy an invariant, drawn at random and at its borders.
 *
 * What an invariant allows is more than what runs come to, and each such state is one that its
 * proof speaks of. A state begins as one that a run has come to; some cells of the invariant get
 * other values (its bounds and their neighbours, constants of the program, ends of the type), and
 * what breaks a clause then is repaired, one literal at a time.
 *
 * Values are bits, one per cell of the system. Only cells that are plain numbers are changed; what
 * else the state holds (pointers) stays as a run has left it.
 */
#ifndef APP_AUDIT_STATES_H
#define APP_AUDIT_STATES_H

#include "base/rng.h"
#include "coverage/module.h"
#include "instrument/native/native.h"
#include "model/system/invariant.h"

/* Where a cell of the system lies in the program. */
enum cell_place {
    PLACE_NONE,      /* nowhere to be seen */
    PLACE_PARAMETER, /* it keeps what an input of module.inputs gives it before step 0 */
    PLACE_SET,       /* in module.state, so it can be seen and changed */
};

struct states {
    const struct system *sys;
    const struct module *module;
    struct rng rng;
    VEC(uint8_t) place;       /* by cell of the system */
    VEC(uint32_t) input_of;   /* by cell: of PLACE_PARAMETER */
    VEC(uint32_t) cell_of;    /* by module.state: the cell whose value it has, NONE */
    VEC(int64_t) constants;   /* of the program, as signed numbers and as ordinals of floats */
    VEC(uint64_t) var_values; /* one per variable */
    VEC(uint64_t) values;     /* one per term */
};

void states_open(struct states *s, const struct system *sys, const struct module *module,
                 uint64_t seed);
void states_close(struct states *s);

/* What is known of an invariant: the cells that can be changed, and bounds by single literals. */
struct focus {
    const struct invariant *inv;
    VEC(uint32_t) cells;
    VEC(int64_t) low, high; /* by cell of the system */
    VEC(uint32_t) derived;  /* cells of the system that are terms over others */
};
/* False: it speaks of what the program does not show. */
bool focus_open(struct focus *f, const struct states *s, const struct invariant *inv);
void focus_close(struct focus *f);

/* Changes `cells` (one per cell of the system, all of them known values); false: no state of the
 * invariant was found from there. */
bool states_draw(struct states *s, const struct focus *f, uint64_t *cells);
/* What derived cells are in this state. */
void states_derive(struct states *s, const struct focus *f, uint64_t *cells);
/* All clauses hold. */
bool states_holds(const struct states *s, const struct invariant *inv, const uint64_t *cells);
/* A value of the input, within its range. */
uint64_t states_input(struct states *s, uint32_t input);
/* From the values of module.state and of parameters to those of the system's cells, and back to
 * what has to be set. */
void states_take(const struct states *s, const uint64_t *state, const uint64_t *inputs,
                 uint64_t *cells);
void states_set(const struct states *s, const uint64_t *cells, struct native_cells *set);

#endif
