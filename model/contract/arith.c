/* arith: sums, differences, products and order of integers.
 *
 * Sums and differences are exact on arcs. Products are computed exactly in 128 bit and cut into
 * windows t = z + k * 2^w; a constant factor is inverted exactly by a Euclidean search for the
 * first multiple that lands in a residue window, whatever the number of windows.
 */
#include "model/contract/parts.h"

/* ---- sum and difference ---- */

/* {a + b} and {a - b}; the span saturates at the whole circle. */
static struct arc arc_add(struct arc a, struct arc b, uint64_t mask) {
    assert(a.span <= mask && b.span <= mask);
    uint64_t span = a.span > mask - b.span ? mask : a.span + b.span;
    return (struct arc){(a.start + b.start) & mask, span};
}
static struct arc arc_sub(struct arc a, struct arc b, uint64_t mask) {
    assert(a.span <= mask && b.span <= mask);
    uint64_t span = a.span > mask - b.span ? mask : a.span + b.span;
    return (struct arc){(a.start - b.start - b.span) & mask, span};
}

static struct range sum(const struct prim *p, const struct range *r, int which) {
    uint64_t mask = int_mask(p->sort[0]);
    struct arc a = operand_arc(p, r, which == 0 ? 1 : 0);
    struct arc b = operand_arc(p, r, which == 2 ? 1 : 2);
    return meet_arc(p, r, which, which == 0 ? arc_add(a, b, mask) : arc_sub(a, b, mask));
}

/* z = x - y: x = z + y, y = x - z */
static struct range difference(const struct prim *p, const struct range *r, int which) {
    uint64_t mask = int_mask(p->sort[0]);
    if (which == 1)
        return meet_arc(p, r, 1, arc_add(operand_arc(p, r, 0), operand_arc(p, r, 2), mask));
    return meet_arc(p, r, which,
                    arc_sub(operand_arc(p, r, 1), operand_arc(p, r, which == 0 ? 2 : 0), mask));
}

/* ---- product ---- */

static bool fits_64(struct span s) {
    return s.lo >= INT64_MIN && s.hi <= INT64_MAX;
}

/* The hull of {a * b}; false when it does not fit 128 bit. */
static bool span_mul(struct span a, struct span b, struct span *out) {
    assert(a.lo <= a.hi && b.lo <= b.hi);
    wide c[4];
    if (fits_64(a) && fits_64(b)) {
        c[0] = (wide)(int64_t)a.lo * (int64_t)b.lo;
        c[1] = (wide)(int64_t)a.lo * (int64_t)b.hi;
        c[2] = (wide)(int64_t)a.hi * (int64_t)b.lo;
        c[3] = (wide)(int64_t)a.hi * (int64_t)b.hi;
    } else if (__builtin_mul_overflow(a.lo, b.lo, &c[0]) ||
               __builtin_mul_overflow(a.lo, b.hi, &c[1]) ||
               __builtin_mul_overflow(a.hi, b.lo, &c[2]) ||
               __builtin_mul_overflow(a.hi, b.hi, &c[3])) {
        return false;
    }
    *out = (struct span){c[0], c[0]};
    for (int i = 1; i < 4; i++) {
        out->lo = c[i] < out->lo ? c[i] : out->lo;
        out->hi = c[i] > out->hi ? c[i] : out->hi;
    }
    return true;
}

/* The operand in its own view, then in the other one where that differs. */
static int both_views(const struct prim *p, const struct range *r, int i, struct span out[2]) {
    out[0] = operand_span(p, r, i);
    out[1] = view_hull(p, r, i, !p->is_signed[i]);
    return out[0].lo == out[1].lo && out[0].hi == out[1].hi ? 1 : 2;
}

/* Each pair of views gives the same pattern by another exact product: all of them hold. */
static struct range product(const struct prim *p, const struct range *r) {
    struct span a[2], b[2], t;
    int na = both_views(p, r, 1, a), nb = both_views(p, r, 2, b);
    struct range met = r[0];
    for (int i = 0; i < na; i++)
        for (int k = 0; k < nb && met.num; k++)
            if (span_mul(a[i], b[k], &t))
                met = meet_span(p, &met, 0, t.lo, t.hi);
    return met;
}

#define NEVER (~(uwide)0)

/* The least k >= 0 with l <= a * k mod m <= r, for 0 < l <= r < m and a < m; NEVER if none.
 * One step of Euclid's algorithm a level, so at most 93 levels for m = 2^64. */
static uwide first_multiple(uwide a, uwide m, uwide l, uwide r) {
    assert(a < m && 0 < l && l <= r && r < m);
    if (a == 0)
        return NEVER;
    uwide k = (l + a - 1) / a;
    if (k * a <= r)
        return k;
    /* no multiple of a lies in [l, r], so their negated residues keep their order */
    uwide wraps = first_multiple(m % a, a, (a - r % a) % a, (a - l % a) % a);
    return wraps == NEVER ? NEVER : (l + m * wraps + a - 1) / a;
}

/* The least k >= 0 such that from + k * step (mod 2^w) is in the arc. */
static uwide steps_to_arc(uint64_t from, uint64_t step, struct arc target, uint64_t mask) {
    uint64_t ahead = (target.start - from) & mask;
    if (ahead == 0 || ahead > mask - target.span)
        return 0;
    return first_multiple(step & mask, (uwide)mask + 1, ahead, (uwide)ahead + target.span);
}

/* x in r[which] with factor * x in r[0], exactly. */
static struct range divide_constant(const struct prim *p, const struct range *r, int which,
                                    uint64_t factor) {
    uint64_t mask = int_mask(p->sort[0]);
    struct arc z = operand_arc(p, r, 0);
    uint64_t least = (uint64_t)r[which].lo * factor, greatest = (uint64_t)r[which].hi * factor;
    if (view_offset(p->sort[which], p->is_signed[which]) != 0) {
        least += factor << 63;
        greatest += factor << 63;
    }
    uwide width = (uint64_t)r[which].hi - (uint64_t)r[which].lo;
    uwide up = steps_to_arc(least & mask, factor, z, mask);
    uwide down = steps_to_arc(greatest & mask, -factor, z, mask);
    if (up > width || down > width)
        return range_empty();
    return range_between((int64_t)((uint64_t)r[which].lo + (uint64_t)up),
                         (int64_t)((uint64_t)r[which].hi - (uint64_t)down));
}

static wide floor_div(wide a, wide b) {
    assert(b > 0);
    return a / b - (a % b < 0);
}
static wide ceil_div(wide a, wide b) {
    assert(b > 0);
    return a / b + (a % b > 0);
}

/* The numbers x with x * y in t for some y in `y`, which does not hold 0. */
static struct span unscale(struct span t, struct span y) {
    assert((y.lo > 0 || y.hi < 0) && t.lo <= t.hi);
    if (y.hi < 0) {
        y = (struct span){-y.hi, -y.lo};
        t = (struct span){-t.hi, -t.lo};
    }
    return (struct span){t.lo > 0 ? ceil_div(t.lo, y.hi) : ceil_div(t.lo, y.lo),
                         t.hi >= 0 ? floor_div(t.hi, y.lo) : floor_div(t.hi, y.hi)};
}

/* x in r[which] with x * y in t (exact products) for some y of r[other]. */
static struct range divide_window(const struct prim *p, const struct range *r, int which,
                                  struct span t) {
    assert(which == 1 || which == 2);
    struct span x = operand_span(p, r, which), y = operand_span(p, r, 3 - which);
    struct span parts[2] = {{y.lo, y.hi < -1 ? y.hi : -1}, {y.lo > 1 ? y.lo : 1, y.hi}};
    struct range out = range_empty();
    if (y.lo <= 0 && 0 <= y.hi && t.lo <= 0 && 0 <= t.hi)
        return r[which];
    for (int i = 0; i < 2; i++)
        if (parts[i].lo <= parts[i].hi) {
            struct span s = unscale(t, parts[i]);
            wide offset = view_offset(p->sort[which], p->is_signed[which]);
            s.lo = s.lo < x.lo ? x.lo : s.lo;
            s.hi = s.hi > x.hi ? x.hi : s.hi;
            if (s.lo <= s.hi)
                out = range_join(out, range_between((int64_t)(s.lo - offset), //
                                                    (int64_t)(s.hi - offset)));
        }
    return out;
}

enum { WINDOWS_MAX = 8 };

static struct range divide_range(const struct prim *p, const struct range *r, int which) {
    struct span z = operand_span(p, r, 0), t;
    wide turn = (wide)1 << p->sort[0];
    if (!span_mul(operand_span(p, r, 1), operand_span(p, r, 2), &t))
        return r[which];
    /* headroom so that z + k * turn and the negations of unscale() cannot overflow */
    if (t.hi >= (wide)1 << 125 || t.lo <= -((wide)1 << 125))
        return r[which];
    wide first = ceil_div(t.lo - z.hi, turn), last = floor_div(t.hi - z.lo, turn);
    struct range out = range_empty();
    if (last - first >= WINDOWS_MAX)
        return r[which];
    for (wide k = first; k <= last; k++)
        out = range_join(
            out, divide_window(p, r, which, (struct span){z.lo + k * turn, z.hi + k * turn}));
    return out;
}

static struct range multiply(const struct prim *p, const struct range *r, int which) {
    if (which == 0)
        return product(p, r);
    if (r[3 - which].lo == r[3 - which].hi)
        return divide_constant(p, r, which, operand_arc(p, r, 3 - which).start);
    return divide_range(p, r, which);
}

/* ---- order ---- */

/* a < b or a <= b, in the view that the operator names. */
static struct range order(const struct prim *p, const struct range *r, int which) {
    bool is_signed = p->op == OP_SLT || p->op == OP_SLE;
    int strict = p->op == OP_ULT || p->op == OP_SLT;
    sort_t width = p->sort[1];
    struct span a = view_hull(p, r, 1, is_signed), b = view_hull(p, r, 2, is_signed);
    if (which == 0)
        return bool_range(a.hi + strict > b.lo, a.lo + strict <= b.hi);
    wide min = view_min(width, is_signed), max = view_max(width, is_signed);
    struct range holds = range_empty(), fails = range_empty();
    if (may_be(r[0], 1))
        holds = which == 1 ? meet_span(p, r, 1, min, b.hi - strict)
                           : meet_span(p, r, 2, a.lo + strict, max);
    if (may_be(r[0], 0))
        fails = which == 1 ? meet_span(p, r, 1, b.lo + 1 - strict, max)
                           : meet_span(p, r, 2, min, a.hi - 1 + strict);
    return range_join(holds, fails);
}

struct range contract_arith(const struct prim *p, const struct range r[4], int which) {
    switch (p->op) {
    case OP_ADD:
        return sum(p, r, which);
    case OP_SUB:
        return difference(p, r, which);
    case OP_MUL:
        return multiply(p, r, which);
    default:
        return order(p, r, which);
    }
}
