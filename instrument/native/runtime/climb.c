/* climb: a cell that counts is followed for as long as it does.
 *
 * Runs have lengths that suit everything; a counter of 32 bits, or a float that small values are
 * added to, is far beyond them. From the champion of a cell the inputs rest or go round in a loop.
 * When the cell moves away by the same distance in each of two stretches it counts, and the run
 * goes on in stretches that double, until the cell stands still or something new has been hit. The
 * next climb goes on where this one ends: that is the champion then.
 */
#include "search.h"

#include <assert.h>

/* Long enough for every period of a loop, and for what moves in few of its steps. */
enum { FIRST_STRETCH = 4 * LONGEST_PERIOD };
/* Bits of a cell whose end is not beyond other runs. */
enum { SHORT_CELL = 16 };

static double number_of(const struct climb *climb) {
    const struct gk_cell *cell = &gk_cells[climb->cell];
    return climb->sign * value_number(cell->type, cell->bits, child_cell(climb->cell));
}

bool climb_pick(struct search *s, struct climb *climb, uint32_t *entry) {
    if (gk_cell_count == 0)
        return false;
    climb->cell = random_below(s, gk_cell_count);
    climb->sign = random_below(s, 4) ? 1 : -1;
    if (gk_cells[climb->cell].bits <= SHORT_CELL)
        return false;
    const struct marks *marks = &s->marks[climb->cell];
    *entry = climb->sign > 0 ? marks->high.entry : marks->low.entry;
    return *entry != GK_NONE && s->entries[*entry].state;
}

/* By about the same in both; NaN is no distance. */
static bool counts(double before, double after) {
    double difference = after > before ? after - before : before - after;
    return before > 0 && after > 0 && difference <= before / 8;
}

void climb_follow(struct search *s, const struct climb *climb, uint32_t end) {
    /* whole rounds, so that each stretch has as many */
    uint32_t round = s->loop.period ? s->loop.period : 1;
    uint32_t stretch = FIRST_STRETCH / round * round, known = s->shared->n_found;
    double start = number_of(climb), before, after;
    assert(stretch > 0);
    if (end - s->now < 2 * stretch)
        return;
    search_drive(s, s->now + stretch);
    before = number_of(climb) - start;
    search_drive(s, s->now + stretch);
    after = number_of(climb) - start - before;
    bool on = counts(before, after);
    while (on && s->now < end && s->shared->n_found == known && !s->shared->stop) {
        uint32_t room = end - s->now;
        start = number_of(climb);
        search_drive(s, s->now + least(room, stretch));
        on = number_of(climb) > start;
        stretch = stretch < room / 2 ? 2 * stretch : room;
    }
}
