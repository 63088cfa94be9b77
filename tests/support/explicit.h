/* explicit: exhaustive search over concrete states, the oracle for engines.
 *
 * Breadth first over all reachable states and all inputs of the given domains, with the machine of
 * model/system/machine.h. Gives for every target the least number of steps that hits it: k means a
 * trace of k steps, the hit in the last one; 0 during initialisation.
 */
#ifndef TESTS_SUPPORT_EXPLICIT_H
#define TESTS_SUPPORT_EXPLICIT_H

#include "random_system.h"

struct explicit_result {
    bool complete;         /* the search ended within the limit: NONE below means unreachable */
    size_t states;         /* distinct ones met */
    VEC(uint64_t) cells;   /* of all those states, sys.cells.len values each */
    VEC(uint32_t) depth;   /* one per target: least depth of any hit, NONE if there is none */
    VEC(uint32_t) defined; /* the same for hits of runs that use no unspecified value */
};

/* `max_steps` bounds the number of machine steps taken. */
void explicit_search(const struct random_system *r, uint64_t max_steps,
                     struct explicit_result *result);
void explicit_free(struct explicit_result *result);

#endif
