/* checkers: who has accepted the evidence of a verdict, as the set that the column `checked_by`
 * holds: names joined by commas, in the order of checker_names.
 *
 *     checkers_have("cbmc,solver", "cbmc")              // true
 *     checkers_add(&arena, "solver", "z3")              // "z3,solver"
 */
#ifndef DB_CHECKERS_H
#define DB_CHECKERS_H

#include "base/arena.h"

#include <stdbool.h>

/* "replay", "cbmc", "z3", "bitwuzla", "solver"; NULL at the end. */
extern const char *const checker_names[];

bool checkers_have(const char *set, const char *name); /* no set has nothing */
/* The set with this one, or with all of another set, in it. Unknown names are left out. */
const char *checkers_add(struct arena *arena, const char *set, const char *more);

#endif
