/* declared: the range that a comment or the project file declares for a variable. */
#ifndef INSTRUMENT_INPUTS_DECLARED_H
#define INSTRUMENT_INPUTS_DECLARED_H

#include "coverage/project.h"
#include "instrument/syntax/unit.h"

/* What the generator's comment, or the project file, declares about a variable: for the goals of
 * kind `range`. Raw values as C constants of the variable's type, NULL when unlimited. */
struct declared_range {
    const char *min, *max; /* in `arena` */
};
bool interface_declared_range(const struct project *project, const struct unit *unit,
                              CXCursor variable, struct arena *arena,
                              struct declared_range *range); /* false: nothing declared */

#endif
