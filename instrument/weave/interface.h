/* interface: what the module looks like from outside, and the harness around it.
 *
 * weave() calls interface_weave once, when all goals are listed and their probes are in `edits`.
 * It fills `module` (inputs, parameters, state), hoists static variables, renames what clashes
 * between the units (statics, and types, enumerators and tags that differ), and writes the harness.
 *
 * The woven file is: the prologue (declarations of gk_hit, gk_assume, gk_input_*; written by
 * weave()), the edited units in the order of the project, then `harness`: stubs, gk_init, gk_step,
 * and the tables under GK_NATIVE. All identifiers that start with gk_ are reserved for the weave;
 * probes use gk_hit and names that start with gk_p. */
#ifndef INSTRUMENT_WEAVE_INTERFACE_H
#define INSTRUMENT_WEAVE_INTERFACE_H

#include "coverage/goal.h"
#include "coverage/module.h"
#include "instrument/syntax/edits.h"
#include "instrument/weave/fixture.h"
#include "instrument/syntax/unit.h"

/* `units` and `edits` have `n` items. What cannot be analysed (calls through unknown function
 * pointers, threads ...) is added to goals->limitations with its place, and the goals it affects
 * get their reason. */
bool interface_weave(const struct project *project, struct unit *units, size_t n,
                     struct edits *edits, struct module *module, struct str *harness,
                     struct goals *goals, struct fixture *fixture, struct err *err);

/* Several units as one text: what they declare differently shows only now. `unit` gives clang's
 * arguments. The error is the user's (ERR_SOURCE), at the place that line markers tell. */
bool interface_check_fit(const struct unit *unit, const struct str *text, struct err *err);

#endif
