/* fixture: the original program made ready for tests of its own: without probes, not woven.
 *
 * A test includes the original source files. For each unit the fixture has the text that stands
 * behind its #include: what the sources only declare, the stubs, the objects behind pointers that
 * the environment sets, and
 *
 *     void gk_parameters_<unit>(void);  // pointers, and parameters: gk_in_<path>
 *     void gk_early_<unit>(void);       // assigns gk_in_<path> to the inputs that init reads
 *     void gk_inputs_<unit>(void);      // assigns gk_in_<path> to the inputs of the unit
 *     void gk_outputs_<unit>(void);     // gk_check_<type>("path", is, gk_want_<path>) for each
 *     void gk_init_<n>(void);           // calls the n-th init function
 *     void gk_step(void);               // calls the step function
 *
 * <unit> counts from 1; a function that would do nothing is left out. The test defines gk_in_… and
 * gk_want_…, calls these functions in the order of the woven gk_init and gk_step, and defines
 * gk_check_<type>() and gk_next_<type>(id): what a stub gets for an input when it asks for it.
 *
 *     struct fixture_names names = {0};
 *     fixture_names(&names, module);     // the same names wherever they are asked for
 *     use(names.inputs.data[id], names.state.data[cell]);
 *
 * What cannot be set from outside without changing the program is in `limits`; a test of a run that
 * depends on such an input cannot be written.
 */
#ifndef INSTRUMENT_WEAVE_FIXTURE_H
#define INSTRUMENT_WEAVE_FIXTURE_H

#include "base/arena.h"
#include "base/str.h"
#include "base/texts.h"
#include "coverage/module.h"

struct fixture_unit {
    const char *source; /* as the project names it: relative to its directory, or absolute */
    struct texts flags; /* of the compiler, to be used in the project's directory */
    const char *before; /* text in front of the #include: "" or directives */
    const char *behind;
};

/* A volatile variable that can give another value at each read: its name becomes a macro. */
struct fixture_volatile {
    uint32_t input, unit; /* where it is defined */
    const char *name;
    const char *behind; /* stands behind the #include of that unit, after #undef */
};

struct fixture_limit {
    uint32_t input;
    const char *why;
};

struct fixture {
    struct arena arena;
    const char *dir; /* of the project, absolute */
    VEC(struct fixture_unit) units;
    VEC(struct fixture_volatile) volatiles;
    VEC(struct fixture_limit) limits;
};

void fixture_free(struct fixture *fixture);

/* C identifiers, unique: "gk_in_Bus_Speed", and "gk_want_Tab_3" for cells of role VAR_OUTPUT. */
struct fixture_names {
    struct arena arena;
    struct texts inputs; /* by input id */
    struct texts state;  /* by state cell; NULL for those that are no output */
};
void fixture_names_make(struct fixture_names *names, const struct module *module);
void fixture_names_free(struct fixture_names *names);

#endif
