/* fcompare: IEEE comparisons and classification of floats. All exact.
 *
 * Both zeros are one value: ordinals are mapped to keys, and a bound never falls between them.
 */
#include "model/contract/parts.h"

/* The numbers of `r` with key >= `key`, or <= `key`. */
static struct range from_key(struct range r, int64_t key) {
    int64_t lo = float_key_least(key);
    return r.num ? range_between(r.lo > lo ? r.lo : lo, r.hi) : range_empty();
}
static struct range to_key(struct range r, int64_t key) {
    int64_t hi = float_key_greatest(key);
    return r.num ? range_between(r.lo, r.hi < hi ? r.hi : hi) : range_empty();
}

static struct range only_nan(struct range r) {
    return r.nan ? range_only_nan() : range_empty();
}

/* x < y, x <= y */
static struct range less(const struct prim *p, const struct range *r, int which) {
    assert(p->sort[1] == p->sort[2] && sort_is_float(p->sort[1]));
    struct range x = r[1], y = r[2], holds = range_empty(), fails = range_empty();
    int strict = p->op == OP_FLT;
    bool both = x.num && y.num;
    if (which == 0)
        return bool_range(x.nan || y.nan || float_key(x.hi) + strict > float_key(y.lo),
                          both && float_key(x.lo) + strict <= float_key(y.hi));
    struct range other = r[3 - which];
    if (may_be(r[0], 1) && both)
        holds = which == 1 ? to_key(x, float_key(y.hi) - strict)
                           : from_key(y, float_key(x.lo) + strict);
    if (may_be(r[0], 0)) {
        if (other.nan)
            return r[which];
        fails = which == 1 ? from_key(x, float_key(y.lo) + 1 - strict)
                           : to_key(y, float_key(x.hi) - 1 + strict);
        fails = range_join(fails, only_nan(r[which]));
    }
    return range_join(holds, fails);
}

/* x without the numbers of one key, where a range can say that */
static struct range without_key(struct range x, int64_t key) {
    struct range below = to_key(x, key - 1), above = from_key(x, key + 1);
    return range_join(range_join(below, above), only_nan(x));
}

static struct range equal(const struct range *r, int which) {
    assert(0 <= which && which <= 2);
    struct range x = r[1], y = r[2];
    bool both = x.num && y.num;
    bool meet = both && float_key(x.lo) <= float_key(y.hi) && float_key(y.lo) <= float_key(x.hi);
    bool points = both && float_key(x.lo) == float_key(x.hi) && float_key(y.lo) == float_key(y.hi);
    if (which == 0)
        return bool_range(x.nan || y.nan || !(meet && points), meet);
    struct range self = r[which], other = r[3 - which], out = range_empty();
    if (may_be(r[0], 1) && meet)
        out = from_key(to_key(self, float_key(other.hi)), float_key(other.lo));
    if (may_be(r[0], 0)) {
        bool point = !other.nan && float_key(other.lo) == float_key(other.hi);
        out = range_join(out, point ? without_key(self, float_key(other.lo)) : self);
    }
    return out;
}

/* Joins what may be true of r[1] with what may be false, as the Boolean result allows. */
static struct range classify(const struct range *r, int which, struct range yes, struct range no) {
    assert(which == 0 || which == 1);
    if (which == 0)
        return bool_range(!range_is_empty(no), !range_is_empty(yes));
    return range_join(may_be(r[0], 1) ? yes : range_empty(), may_be(r[0], 0) ? no : range_empty());
}

struct range contract_fcompare(const struct prim *p, const struct range r[4], int which) {
    struct range x = r[1];
    struct range numbers = x.num ? range_between(x.lo, x.hi) : range_empty();
    int64_t inf = float_inf(p->sort[1]);
    switch (p->op) {
    case OP_FEQ:
        return equal(r, which);
    case OP_FISNAN:
        return classify(r, which, only_nan(x), numbers);
    case OP_FISINF:
        return classify(
            r, which, range_join(to_key(numbers, float_key(~inf)), from_key(numbers, inf)),
            range_join(range_meet(numbers, range_between(~inf + 1, inf - 1)), only_nan(x)));
    case OP_FSIGN:
        return classify(r, which, range_meet(numbers, range_between(INT64_MIN, -1)),
                        range_join(range_meet(numbers, range_between(0, INT64_MAX)), only_nan(x)));
    default:
        return less(p, r, which);
    }
}
