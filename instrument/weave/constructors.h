/* constructors: functions that run before or after the program, __attribute__((constructor)), or a
 * table of them in the section .init_array.
 *
 * When they run is the business of start-up code, which no model sees. One that the project names
 * as an init function is called like any other, and loses the attribute in the woven text; any
 * other, and each table, is refused with its place. */
#ifndef INSTRUMENT_WEAVE_CONSTRUCTORS_H
#define INSTRUMENT_WEAVE_CONSTRUCTORS_H

#include "coverage/project.h"
#include "instrument/syntax/edits.h"
#include "instrument/syntax/unit.h"

bool constructors_take(const struct project *project, const struct unit *unit, struct edits *edits,
                       struct err *err);

#endif
