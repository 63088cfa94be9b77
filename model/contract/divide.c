/* divide: quotients and remainders of integers, with C's truncation and SMT-LIB's zero.
 *
 * Signed operators are unsigned ones on magnitudes with the signs put back, so one routine of
 * floor division on non-negative numbers serves all four. x / 0 and x % 0 are separate points.
 */
#include "model/contract/parts.h"

/* Non-negative numbers; the divisor is at least 1. */
struct division {
    struct span x, y, z;
};

static bool span_meet(struct span *s, wide lo, wide hi) {
    s->lo = s->lo > lo ? s->lo : lo;
    s->hi = s->hi < hi ? s->hi : hi;
    return s->lo <= s->hi;
}

/* z = floor(x / y) */
static bool quotient_of(struct division *d, int which) {
    assert(d->x.lo >= 0 && d->y.lo > 0 && d->z.lo >= 0);
    struct span x = d->x, y = d->y, z = d->z;
    switch (which) {
    case 0:
        return span_meet(&d->z, x.lo / y.hi, x.hi / y.lo);
    case 1: { /* the product is cut to the range before it can overflow: x.hi < 2^64 */
        wide top = z.hi >= x.hi / y.hi + 1 ? x.hi : z.hi * y.hi + y.hi - 1;
        return z.lo <= x.hi / y.lo && span_meet(&d->x, z.lo * y.lo, top);
    }
    default:
        return span_meet(&d->y, x.lo / (z.hi + 1) + 1, z.lo > 0 ? x.hi / z.lo : y.hi);
    }
}

/* The next x at or above x.lo with x % y in z, and the last at or below x.hi; y is one number. */
static bool residues(struct span *x, wide y, struct span z) {
    assert(y > 0 && x->lo >= 0 && x->lo <= x->hi);
    wide up = x->lo % y, down = x->hi % y;
    if (!span_meet(&z, 0, y - 1))
        return false;
    wide lo = x->lo + (up < z.lo ? z.lo - up : up > z.hi ? y - up + z.lo : 0);
    wide hi = x->hi - (down > z.hi ? down - z.hi : down < z.lo ? y - z.hi + down : 0);
    return span_meet(x, lo, hi);
}

/* z = x - q * y for the one quotient q that the whole box has */
static bool remainder_linear(struct division *d, int which, wide q) {
    struct span x = d->x, y = d->y, z = d->z;
    switch (which) {
    case 0:
        return span_meet(&d->z, x.lo - q * y.hi, x.hi - q * y.lo);
    case 1:
        return span_meet(&d->x, z.lo + q * y.lo, z.hi + q * y.hi);
    default:
        if (q == 0)
            return true;
        wide most = x.hi - z.lo, least = x.lo - z.hi;
        return most >= 0 && span_meet(&d->y, least > 0 ? (least + q - 1) / q : 1, most / q);
    }
}

/* z = x mod y */
static bool remainder_of(struct division *d, int which) {
    assert(d->x.lo >= 0 && d->y.lo > 0 && d->z.lo >= 0);
    struct span x = d->x, y = d->y, z = d->z;
    /* z < y, z <= x, and y <= x - z unless z is x itself */
    if (z.lo >= y.hi || z.lo > x.hi)
        return false;
    if (which == 0 && !span_meet(&d->z, 0, x.hi < y.hi - 1 ? x.hi : y.hi - 1))
        return false;
    if (which == 1 && !span_meet(&d->x, z.lo, x.hi))
        return false;
    if (which == 2 && !span_meet(&d->y, z.lo + 1, x.lo > z.hi ? x.hi - z.lo : y.hi))
        return false;
    if (which == 1 && y.lo == y.hi && !residues(&d->x, y.lo, z))
        return false;
    wide q = x.lo / y.hi;
    return q != x.hi / y.lo || remainder_linear(d, which, q);
}

/* ---- signs ---- */

static struct span negated(struct span s) {
    return (struct span){-s.hi, -s.lo};
}

/* The magnitudes of one sign (zero is positive); false when there is none. */
static bool magnitudes(struct span s, bool negative, struct span *out) {
    *out = negative ? negated(s) : s;
    return span_meet(out, negative, (wide)1 << 64);
}

/* Joins into `out` what a division by a non-zero divisor leaves of operand `which`. */
struct joined {
    const struct prim *p;
    const struct range *r;
    int which;
    struct range out;
};

/* One choice of signs of x and y: the result's patterns are read as +z or -z. */
static void join_signs(struct joined *j, struct span x, struct span y, bool x_neg, bool y_neg) {
    bool is_quotient = j->p->op == OP_UDIV || j->p->op == OP_SDIV;
    bool z_neg = is_quotient ? x_neg != y_neg : x_neg, neg[3] = {z_neg, x_neg, y_neg};
    uint64_t mask = int_mask(j->p->sort[0]);
    struct arc a = operand_arc(j->p, j->r, 0);
    struct span z[2];
    if (z_neg)
        a.start = (0 - a.start - a.span) & mask;
    int n = arc_spans(a, j->p->sort[0], false, z);
    for (int i = 0; i < n; i++) {
        struct division d = {x, y, z[i]};
        if (!(is_quotient ? quotient_of(&d, j->which) : remainder_of(&d, j->which)))
            continue;
        struct span s = j->which == 0 ? d.z : j->which == 1 ? d.x : d.y;
        s = neg[j->which] ? negated(s) : s;
        j->out = range_join(j->out, meet_span(j->p, j->r, j->which, s.lo, s.hi));
    }
}

static void join_divisors(struct joined *j, bool is_signed) {
    struct span xs[2], ys[2], x, y;
    int nx = view_spans(j->p, j->r, 1, is_signed, xs),
        ny = view_spans(j->p, j->r, 2, is_signed, ys);
    for (int i = 0; i < nx; i++)
        for (int k = 0; k < ny; k++)
            for (int signs = 0; signs < 4; signs++)
                if (magnitudes(xs[i], signs & 1, &x) && magnitudes(ys[k], signs >> 1, &y) &&
                    span_meet(&y, 1, y.hi))
                    join_signs(j, x, y, signs & 1, signs >> 1);
}

/* ---- a divisor of zero ---- */

/* The patterns of x for which x op 0 is z = `result`, or the remainder x itself. */
static void join_zero_quotient(struct joined *j, wide x_lo, wide x_hi, wide result) {
    if (!hits_span(j->p, j->r, 1, x_lo, x_hi) || !hits_span(j->p, j->r, 0, result, result))
        return;
    struct span s[3] = {{result, result}, {x_lo, x_hi}, {0, 0}};
    j->out = range_join(j->out, meet_span(j->p, j->r, j->which, s[j->which].lo, s[j->which].hi));
}

static void join_zero(struct joined *j) {
    assert(hits_span(j->p, j->r, 2, 0, 0));
    sort_t width = j->p->sort[0];
    switch (j->p->op) {
    case OP_UDIV:
        join_zero_quotient(j, 0, view_max(width, false), -1);
        break;
    case OP_SDIV:
        join_zero_quotient(j, 0, view_max(width, true), -1);
        join_zero_quotient(j, view_min(width, true), -1, 1);
        break;
    default: {
        struct range same = meet_arc(j->p, j->r, j->which == 2 ? 0 : j->which,
                                     operand_arc(j->p, j->r, j->which == 1 ? 0 : 1));
        if (same.num)
            j->out = range_join(j->out, j->which == 2 ? meet_span(j->p, j->r, 2, 0, 0) : same);
    }
    }
}

struct range contract_divide(const struct prim *p, const struct range r[4], int which) {
    assert(p->sort[0] == p->sort[1] && p->sort[0] == p->sort[2]);
    struct joined j = {p, r, which, range_empty()};
    join_divisors(&j, p->op == OP_SDIV || p->op == OP_SREM);
    if (hits_span(p, r, 2, 0, 0))
        join_zero(&j);
    return j.out;
}
