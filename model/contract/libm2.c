/* libm2: pow, atan2 and hypot, by the envelopes of contract/enclose.h.
 *
 * Signs are taken off first; on magnitudes the functions are monotone in each argument, so that
 * corners give the hull. The points where that fails (0^0, inf^0 …) are joined one by one.
 * Arguments are narrowed only where it is simple: hypot by its result, pow with a constant
 * exponent.
 */
#include "model/contract/enclose.h"
#include "model/contract/search.h"

#include <math.h>

static int64_t ordinal_near(sort_t sort, double value) {
    return ordinal_of(sort, false, sort == SORT_F32 ? f32_bits((float)value) : f64_bits(value));
}

static double value_at(sort_t sort, int64_t ordinal) {
    uint64_t bits = ordinal_bits(sort, false, ordinal);
    return sort == SORT_F32 ? (double)bits_f32(bits) : bits_f64(bits);
}

/* The magnitudes of the numbers with this sign. */
static bool part(struct range r, bool negative, struct range *out) {
    r.nan = false;
    *out = range_meet(r, negative ? range_between(INT64_MIN, -1) : range_between(0, INT64_MAX));
    if (negative && out->num)
        *out = range_between(~out->hi, ~out->lo);
    return out->num;
}

static struct range with_sign(struct range r, bool negative) {
    return negative && r.num ? range_between(~r.hi, ~r.lo) : r;
}

/* The hull of the envelopes at the four corners. */
static struct range corners(const struct prim *p, struct range x, struct range y) {
    assert(x.num && y.num);
    struct range out = range_empty();
    for (int i = 0; i < 4; i++) {
        int64_t at[2] = {i & 1 ? x.hi : x.lo, i & 2 ? y.hi : y.lo};
        out = range_join(out, range_between(enclose(p, at, false), enclose(p, at, true)));
    }
    return out;
}

/* ---- hypot ---- */

static bool has_inf(const struct prim *p, struct range r) {
    int64_t inf = float_inf(p->sort[1]);
    return range_has(r, inf) || range_has(r, ~inf);
}

static struct range magnitudes(struct range r) {
    struct range plus, minus;
    bool has_plus = part(r, false, &plus), has_minus = part(r, true, &minus);
    return range_join(has_plus ? plus : range_empty(), has_minus ? minus : range_empty());
}

/* |x| is at most the result, but for the error; an infinite argument hides NaN beside it. */
static struct range hypot_side(const struct prim *p, const struct range *r, int which) {
    assert(which == 1 || which == 2);
    int64_t inf = float_inf(p->sort[1]);
    bool hidden = has_inf(p, r[3 - which]) && range_has(r[0], inf);
    if (r[0].nan || hidden)
        return r[which];
    if (!r[0].num || r[0].hi < 0)
        return range_empty();
    int64_t most = r[0].hi < inf - 2 * ENCLOSE_ULPS ? r[0].hi + ENCLOSE_ULPS + 1 : inf;
    return range_meet(r[which], range_between(~most, most));
}

static struct range hypot_of(const struct prim *p, const struct range *r, int which) {
    struct range x = magnitudes(r[1]), y = magnitudes(r[2]), out = range_empty();
    if (which != 0)
        return hypot_side(p, r, which);
    if (x.num && y.num)
        out = corners(p, x, y);
    if (has_inf(p, r[1]) || has_inf(p, r[2]))
        out = range_join(out, range_point(float_inf(p->sort[1])));
    out.nan = r[1].nan || r[2].nan;
    return out;
}

/* ---- atan2 ---- */

/* y first. Within a quadrant the angle is monotone in each; both signs of y mirror. */
static struct range angle(const struct prim *p, const struct range *r, int which) {
    struct range out = range_empty(), x, y;
    if (which != 0)
        return r[which];
    for (int signs = 0; signs < 4; signs++)
        if (part(r[1], signs & 1, &y) && part(r[2], signs >> 1, &x))
            out = range_join(out, with_sign(corners(p, y, with_sign(x, signs >> 1)), signs & 1));
    out.nan = r[1].nan || r[2].nan;
    return out;
}

/* ---- pow ---- */

/* The limits that corners miss: a base of 0 or infinity jumps where the exponent changes sign. */
static struct range power_jumps(const struct prim *p, struct range x, struct range y) {
    assert(x.lo >= 0);
    int64_t inf = float_inf(p->sort[1]);
    struct range out = range_empty();
    bool above = y.hi > 0, below = y.lo < -1, zero = range_has(y, 0) || range_has(y, -1);
    if ((x.lo == 0 && above) || (x.hi == inf && below))
        out = range_join(out, range_point(0));
    if ((x.lo == 0 && below) || (x.hi == inf && above))
        out = range_join(out, range_point(inf));
    if (zero)
        out = range_join(out, range_point(ordinal_near(p->sort[0], 1)));
    return out;
}

static struct range power_magnitude(const struct prim *p, struct range x, struct range y) {
    return range_join(corners(p, x, y), power_jumps(p, x, y));
}

static bool is_integer(double v) {
    return isinf(v) || v == trunc(v);
}

/* A constant integral exponent (infinite ones count): 1 odd, 2 even, else 0. */
static int parity(const struct prim *p, struct range y) {
    double v = y.num && y.lo == y.hi ? value_at(p->sort[2], y.lo) : 0.5;
    if (!is_integer(v))
        return 0;
    return !isinf(v) && fmod(v, 2) != 0 ? 1 : 2;
}

static struct range power_forward(const struct prim *p, const struct range *r) {
    struct range out = range_empty(), x, y = r[2];
    int64_t one = ordinal_near(p->sort[0], 1);
    int integral = parity(p, y);
    bool zero = range_has(y, 0) || range_has(y, -1);
    y.nan = false;
    if (y.num && part(r[1], false, &x))
        out = power_magnitude(p, x, y);
    if (y.num && part(r[1], true, &x)) {
        struct range size = power_magnitude(p, x, y);
        if (integral != 1)
            out = range_join(out, size);
        if (integral != 2)
            out = range_join(out, with_sign(size, true));
        out.nan = integral == 0; /* of a negative number to a fraction */
    }
    if ((r[1].nan && zero) || (r[2].nan && range_has(r[1], one)))
        out = range_join(out, range_point(one));
    out.nan |= r[1].nan || r[2].nan;
    return out;
}

/* One envelope of x^y as a rising function of x >= 0, for a constant y. */
struct power {
    const struct prim *p;
    int64_t y;
    bool above, falls;
};

static int64_t power_at(const void *context, int64_t x) {
    const struct power *e = context;
    int64_t args[2] = {x, e->y};
    int64_t z = enclose(e->p, args, e->above != e->falls);
    return e->falls ? ~z : z;
}

/* The base, for a constant exponent other than 0 and numbers only. */
static struct range power_base(const struct prim *p, const struct range *r) {
    struct range x = r[1], z = r[0];
    bool simple = x.num && !x.nan && x.lo >= 0 && r[2].num && !r[2].nan && r[2].lo == r[2].hi &&
                  !has_inf(p, r[2]) && (r[2].lo > 0 || r[2].lo < -1) && z.num;
    if (!simple)
        return x;
    struct power low = {p, r[2].lo, false, r[2].lo < 0}, high = low;
    high.above = true;
    struct range turned = low.falls ? range_between(~z.hi, ~z.lo) : z;
    double root = 1 / value_at(p->sort[2], r[2].lo);
    int64_t first = ordinal_near(p->sort[1], pow(fabs(value_at(p->sort[0], z.lo)), root));
    int64_t last = ordinal_near(p->sort[1], pow(fabs(value_at(p->sort[0], z.hi)), root));
    x = rising_back((struct rising){power_at, &high}, range_between(turned.lo, INT64_MAX), x,
                    low.falls ? last : first, last);
    if (x.num)
        x = rising_back((struct rising){power_at, &low}, range_between(INT64_MIN, turned.hi), x,
                        first, low.falls ? first : last);
    return x;
}

struct range contract_libm2(const struct prim *p, const struct range r[4], int which) {
    switch (p->op) {
    case OP_HYPOT:
        return hypot_of(p, r, which);
    case OP_ATAN2:
        return angle(p, r, which);
    default:
        assert(p->op == OP_POW);
        return which == 0 ? power_forward(p, r) : which == 1 ? power_base(p, r) : r[2];
    }
}
