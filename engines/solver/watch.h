/* watch: the clauses that look at one side of a variable.
 *
 * A watch is to be visited when the bound of its side passes `at`. A Boolean has one such place; a
 * number may have thousands, of which a step passes few. So the list of a number is sorted by place
 * in front, with a short unsorted tail of newcomers that is merged in when it has grown too long.
 * A watch that leaves the sorted part leaves a hole (clause 0) until then.
 */
#ifndef ENGINES_SOLVER_WATCH_H
#define ENGINES_SOLVER_WATCH_H

#include "engines/solver/core.h"

static inline void watch_add(struct solver *s, struct lit l, struct lit blocker, cref_t clause) {
    assert(l.bound != INT64_MIN);
    vec_push(&s->watching.data[l.vs ^ 1], (struct watch){-l.bound, blocker, clause});
}

/* The first place of the sorted part that lies above `old`. */
size_t watch_first_above(const struct watches *list, int64_t old);
/* Merges the tail when it is too long; not while the list is being visited. */
void watch_tidy(struct watches *list);
void watch_clear(struct watches *list); /* keeps the memory */

#endif
