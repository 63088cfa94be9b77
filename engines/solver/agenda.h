/* agenda: a set of small numbers, taken out in sweeps up and down like an elevator.
 *
 * Constraints are numbered with arguments before results. An upward sweep runs each constraint
 * after everything it depends on, a downward sweep carries results back to arguments, so a change
 * crosses a deep formula in one sweep where a queue would visit it many times.
 */
#ifndef ENGINES_SOLVER_AGENDA_H
#define ENGINES_SOLVER_AGENDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct agenda {
    uint64_t *bits;    /* the members */
    uint64_t *summary; /* which words of `bits` are not zero */
    size_t n_words;    /* of bits; a multiple of 64 */
    uint32_t at;       /* where the elevator is */
    bool down;
};

void agenda_add(struct agenda *a, uint32_t number);   /* no matter whether it is in already */
bool agenda_next(struct agenda *a, uint32_t *number); /* takes one out; false: empty */
void agenda_clear(struct agenda *a);
void agenda_free(struct agenda *a);

#endif
