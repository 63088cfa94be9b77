/* range: cheap bounds of terms, to decide conditions while the program is executed.
 *
 * Bounds of a term follow from the bounds of its arguments by the contract of its operator
 * (model/contract); each is computed once. Bounds of variables come from assumptions that hold on
 * every run (declared ranges). For a condition at a certain place, ranges_narrow() also uses a
 * literal that holds there.
 */
#ifndef INSTRUMENT_LOWER_RANGE_H
#define INSTRUMENT_LOWER_RANGE_H

#include "model/term/range.h"
#include "model/term/term.h"

/* All values that a term can take. An integer's are bounded as unsigned and as signed numbers at
 * once; of another sort both are the same. Never empty: a contradiction leaves what was known. */
struct views {
    struct range u, s; /* ordinals (model/term/ordinal.h) */
};

struct ranges {
    const struct terms *ts;
    VEC(struct views) views;
};

void ranges_init(struct ranges *ranges, const struct terms *ts);
void ranges_free(struct ranges *ranges);

struct views ranges_at(struct ranges *ranges, term_t t);
/* What t can be if its arguments are these. */
struct views ranges_of_node(struct ranges *ranges, term_t t, const struct views *args);
/* The literal holds on every run from here on: narrows the variables it compares. Nothing above
 * them may have been asked for yet, or it keeps the wider bounds. */
void ranges_assume(struct ranges *ranges, term_t literal);
/* Narrows `views`, what `t` can be, by a literal that has this value. */
void ranges_narrow(struct ranges *ranges, term_t literal, bool truth, term_t t,
                   struct views *views);

#endif
