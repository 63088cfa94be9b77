/* range: a set of values of one sort, seen through ordinals (model/term/ordinal.h).
 *
 * `num`: every number whose ordinal is in [lo, hi] belongs to the set; `nan`: NaN belongs to it.
 * With `num` false the bounds mean nothing; with both false the set is empty. Bools and integers
 * are never NaN. Invariant: num implies lo <= hi.
 *
 *     struct range r = range_between(-3, 5);
 *     r = range_meet(r, range_point(7));   // now empty
 */
#ifndef MODEL_TERM_RANGE_H
#define MODEL_TERM_RANGE_H

#include "model/term/ordinal.h"

struct range {
    int64_t lo, hi;
    bool num;
    bool nan;
};

static inline struct range range_empty(void) {
    return (struct range){0, 0, false, false};
}
static inline struct range range_only_nan(void) {
    return (struct range){0, 0, false, true};
}
/* empty when lo > hi */
static inline struct range range_between(int64_t lo, int64_t hi) {
    return lo <= hi ? (struct range){lo, hi, true, false} : range_empty();
}
static inline struct range range_point(int64_t at) {
    return (struct range){at, at, true, false};
}
static inline bool range_is_empty(struct range r) {
    return !r.num && !r.nan;
}
/* exactly one value (NaN counts as one) */
static inline bool range_is_point(struct range r) {
    return r.num ? !r.nan && r.lo == r.hi : r.nan;
}
static inline bool range_has(struct range r, int64_t ordinal) {
    return r.num && r.lo <= ordinal && ordinal <= r.hi;
}
static inline bool range_same(struct range a, struct range b) {
    return a.num == b.num && a.nan == b.nan && (!a.num || (a.lo == b.lo && a.hi == b.hi));
}
static inline bool range_inside(struct range a, struct range b) {
    return (!a.nan || b.nan) && (!a.num || (b.num && b.lo <= a.lo && a.hi <= b.hi));
}
static inline struct range range_meet(struct range a, struct range b) {
    int64_t lo = a.lo > b.lo ? a.lo : b.lo, hi = a.hi < b.hi ? a.hi : b.hi;
    bool num = a.num && b.num && lo <= hi;
    return (struct range){num ? lo : 0, num ? hi : 0, num, a.nan && b.nan};
}
/* the smallest range that holds both */
static inline struct range range_join(struct range a, struct range b) {
    bool nan = a.nan || b.nan;
    if (!a.num || !b.num) {
        struct range r = a.num ? a : b;
        r.nan = nan;
        return r;
    }
    return (struct range){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi, true, nan};
}

/* All values of a sort, and all numbers of it. */
struct range range_full(sort_t sort, bool is_signed);
struct range range_numbers(sort_t sort, bool is_signed);
/* One value given by its bits. */
struct range range_of_bits(sort_t sort, bool is_signed, uint64_t bits);
bool range_has_bits(struct range r, sort_t sort, bool is_signed, uint64_t bits);

#endif
