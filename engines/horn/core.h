/* core: what of a transition system matters to its property, as engines want it.
 *
 *   inputs      that the constraints determine are put in their place: a relation `y = x + 1`
 *               between a cell and its next value becomes the next value
 *   equations   between cells that hold at the start and after each step (Lustre's streams that are
 *               functions of others): one cell of each leaves
 *   cells       that neither the property nor a constraint depends on leave
 *
 * An invariant of the core and the equations is one of the system. A run of the core is one of the
 * system, whose other inputs are computed (horn_lift_run() in answer.h). Engines' findings are
 * checked against the system itself (answer.h), so that nothing rests on what is done here.
 */
#ifndef ENGINES_HORN_CORE_H
#define ENGINES_HORN_CORE_H

#include "engines/horn/definitions.h"
#include "model/system/system.h"

struct core {
    const struct system *whole;
    struct system sys;       /* shares terms, variables and names */
    term_t equations;        /* over the cells of `whole` */
    struct horn_terms input; /* by input of `whole`: over its cells and the inputs of `sys` */
};

void core_make(struct core *core, const struct system *whole);
void core_free(struct core *core);

/* Takes out cells and inputs that the property and the constraints do not depend on. */
void core_cut(struct system *sys);

/* A value for an input that is in no term of the core. */
term_t core_any(struct terms *ts, sort_t sort);

#endif
