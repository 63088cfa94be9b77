/* large: a system whose Boolean cells are a place in a program, with large steps.
 *
 * Programs that are written as transition systems go a statement at a time, and say in a few
 * Boolean cells where they are. The places that can be reached are listed, each pair of them has
 * the relation to itself, which is a guard and assignments more often than not, and places through
 * which no path comes twice without passing another are gone through at once ("large blocks",
 * D. Beyer et al.). Exact, for runs between places that stay: `stops`.
 */
#ifndef ENGINES_HORN_LARGE_H
#define ENGINES_HORN_LARGE_H

#include "engines/horn/definitions.h"
#include "engines/query/query.h"
#include "model/system/system.h"

struct large {
    struct system sys;       /* cells are some of those of the system it was made of */
    term_t stops;            /* over the Boolean cells: where a large step begins and ends */
    term_t places;           /* the same: all places that can be reached, an invariant */
    struct horn_terms at;    /* the stops, one by one */
    struct horn_terms every; /* all places, one by one */
    bool worthwhile;         /* many places have left */
    uint32_t span;           /* the most steps that a large one consists of */
};

/* False: its Boolean cells are no places, or there are too many of them. */
bool large_make(struct large *large, const struct system *sys, const struct query_options *how);
void large_free(struct large *large);

#endif
