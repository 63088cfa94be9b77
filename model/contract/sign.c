/* sign: float operators that only move or order values: -x, |x|, copysign, min, max.
 *
 * They round nothing, so ordinals say all: -x is ~x, and min and max order the zeros. Exact.
 */
#include "model/contract/parts.h"

static struct range numbers_from(struct range r, int64_t lo) {
    return r.num ? range_between(r.lo > lo ? r.lo : lo, r.hi) : range_empty();
}
static struct range numbers_to(struct range r, int64_t hi) {
    return r.num ? range_between(r.lo, r.hi < hi ? r.hi : hi) : range_empty();
}
static struct range mirrored(struct range r) {
    return (struct range){~r.hi, ~r.lo, r.num, r.nan};
}
static struct range with_nan(struct range r, bool nan) {
    r.nan = nan;
    return r;
}

/* The numbers of z or -z: candidates for an argument of |.|. */
static struct range either_sign(struct range x, struct range magnitude) {
    return range_join(range_meet(x, magnitude), range_meet(x, mirrored(magnitude)));
}

static struct range magnitudes(struct range x) {
    return range_join(numbers_from(x, 0), mirrored(numbers_to(x, -1)));
}

static struct range absolute(const struct range *r, int which) {
    if (which == 0)
        return with_nan(magnitudes(r[1]), r[1].nan);
    return with_nan(either_sign(r[1], numbers_from(r[0], 0)), r[0].nan && r[1].nan);
}

/* z has the magnitude of x and the sign of y; a NaN y counts as positive. */
static struct range copysign_of(const struct range *r, int which) {
    assert(0 <= which && which <= 2);
    struct range x = r[1], y = r[2], magnitude = magnitudes(x);
    struct range minus = numbers_to(y, -1), plus = with_nan(numbers_from(y, 0), y.nan);
    if (which == 0) {
        struct range z_plus = range_meet(r[0], magnitude);
        struct range z_minus = range_meet(r[0], mirrored(magnitude));
        struct range z = range_join(range_is_empty(plus) ? range_empty() : z_plus,
                                    range_is_empty(minus) ? range_empty() : z_minus);
        return with_nan(z, x.nan);
    }
    struct range z_plus = numbers_from(r[0], 0), z_minus = mirrored(numbers_to(r[0], -1));
    if (which == 1) {
        struct range z = range_join(range_is_empty(plus) ? range_empty() : z_plus,
                                    range_is_empty(minus) ? range_empty() : z_minus);
        return with_nan(either_sign(x, z), x.nan && r[0].nan);
    }
    bool nan = x.nan && r[0].nan; /* then the sign of y is free */
    return range_join(nan || range_meet(magnitude, z_plus).num ? plus : range_empty(),
                      nan || range_meet(magnitude, z_minus).num ? minus : range_empty());
}

/* min(x, y) where a NaN gives the other one; for the argument x. Three ways for a number x:
 * it is the result, y is not below; it is the result, y is NaN; y is the result, x not below. */
static struct range least_back(struct range z, struct range x, struct range y) {
    assert(!range_is_empty(x) && !range_is_empty(y));
    struct range out = range_empty(), shared = range_meet(y, z), is_z = range_meet(x, z);
    if (y.num)
        out = numbers_to(is_z, y.hi);
    if (y.nan)
        out = range_join(out, with_nan(is_z, false));
    if (shared.num)
        out = range_join(out, numbers_from(x, shared.lo));
    out.nan = x.nan && !range_is_empty(shared);
    return out;
}

/* The parts have gaps between them, so each is met with the result before they are joined. */
static struct range least(const struct range *r, int which) {
    struct range x = r[1], y = r[2], z = range_empty();
    if (which != 0)
        return least_back(r[0], r[which], r[3 - which]);
    if (x.num && y.num)
        z = range_meet(r[0], range_between(x.lo < y.lo ? x.lo : y.lo, x.hi < y.hi ? x.hi : y.hi));
    if (x.nan)
        z = range_join(z, range_meet(r[0], with_nan(y, false)));
    if (y.nan)
        z = range_join(z, range_meet(r[0], with_nan(x, false)));
    return with_nan(z, x.nan && y.nan);
}

/* max(x, y) is -min(-x, -y), and ordinals mirror exactly */
static struct range greatest(const struct range *r, int which) {
    struct range m[3] = {mirrored(r[0]), mirrored(r[1]), mirrored(r[2])};
    return mirrored(least(m, which));
}

struct range contract_sign(const struct prim *p, const struct range r[4], int which) {
    switch (p->op) {
    case OP_FNEG:
        return mirrored(r[1 - which]);
    case OP_FABS:
        return absolute(r, which);
    case OP_FCOPYSIGN:
        return copysign_of(r, which);
    case OP_FMIN:
        return least(r, which);
    default:
        assert(p->op == OP_FMAX);
        return greatest(r, which);
    }
}
