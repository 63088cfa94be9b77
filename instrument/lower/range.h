/* range: cheap bounds of terms, to decide conditions while the program is executed.
 *
 * Bounds of a term follow from the bounds of its arguments; each is computed once. Bounds of
 * variables come from assumptions that hold on every run (declared ranges). For a condition at a
 * certain place, ranges_under() also uses a list of literals that hold there.
 */
#ifndef INSTRUMENT_LOWER_RANGE_H
#define INSTRUMENT_LOWER_RANGE_H

#include "model/term/term.h"

/* All values the term can take. Integers have both views; floats lo..hi without NaN, and nan;
 * bools can_be. An empty set does not occur: contradictions leave the range as it was. */
struct span {
    union {
        struct {
            int64_t slo, shi;
            uint64_t ulo, uhi;
        };
        struct {
            double lo, hi;
        };
        bool can_be[2];
    };
    bool nan;
};

struct ranges {
    const struct terms *ts;
    VEC(struct span) spans;
};

void ranges_init(struct ranges *ranges, const struct terms *ts);
void ranges_free(struct ranges *ranges);

struct span ranges_at(struct ranges *ranges, term_t t);
/* The span of t if its arguments have these. */
struct span ranges_of_node(struct ranges *ranges, term_t t, const struct span *args);
/* The literal holds on every run from here on: narrows the variables it compares. Nothing above
 * them may have been asked for yet, or it keeps the wider bounds. */
void ranges_assume(struct ranges *ranges, term_t literal);
/* Narrows `span`, the bounds of `t`, by a literal that holds. */
void ranges_narrow(struct ranges *ranges, term_t literal, bool truth, term_t t, struct span *span);

#endif
