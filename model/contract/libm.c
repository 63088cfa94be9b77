/* libm: transcendental functions of one argument, by the envelopes of contract/enclose.h.
 *
 * A monotone function is narrowed in both directions by searching its envelopes; a wave only where
 * it does not turn within the range. NaN comes from NaN and from outside the domain.
 */
#include "model/contract/enclose.h"
#include "model/contract/search.h"

#include <math.h>

enum shape { RISES, FALLS, EVEN, WAVE, POLES };

static const struct row {
    enum shape shape;
    double from, to;                 /* the domain, ends included */
    double (*inverse)(double value); /* for guesses only */
} rows[OP_COUNT] = {
    [OP_SIN] = {WAVE, -INFINITY, INFINITY, asin},
    [OP_COS] = {WAVE, -INFINITY, INFINITY, acos},
    [OP_TAN] = {POLES, -INFINITY, INFINITY, atan},
    [OP_ASIN] = {RISES, -1, 1, sin},
    [OP_ACOS] = {FALLS, -1, 1, cos},
    [OP_ATAN] = {RISES, -INFINITY, INFINITY, tan},
    [OP_SINH] = {RISES, -INFINITY, INFINITY, asinh},
    [OP_COSH] = {EVEN, -INFINITY, INFINITY, acosh},
    [OP_TANH] = {RISES, -INFINITY, INFINITY, atanh},
    [OP_EXP] = {RISES, -INFINITY, INFINITY, log},
    [OP_EXP2] = {RISES, -INFINITY, INFINITY, log2},
    [OP_EXPM1] = {RISES, -INFINITY, INFINITY, log1p},
    [OP_LOG] = {RISES, -0.0, INFINITY, exp},
    [OP_LOG2] = {RISES, -0.0, INFINITY, exp2},
    [OP_LOG10] = {RISES, -0.0, INFINITY, NULL},
    [OP_LOG1P] = {RISES, -1, INFINITY, expm1},
    [OP_CBRT] = {RISES, -INFINITY, INFINITY, NULL},
};

static int64_t ordinal_near(sort_t sort, double value) {
    return ordinal_of(sort, false, sort == SORT_F32 ? f32_bits((float)value) : f64_bits(value));
}

static struct range domain(const struct prim *p) {
    const struct row *row = &rows[p->op];
    struct range d =
        range_between(ordinal_near(p->sort[1], row->from), ordinal_near(p->sort[1], row->to));
    if (row->shape == WAVE || row->shape == POLES) { /* infinity has no place on the circle */
        d.lo++;
        d.hi--;
    }
    return d;
}

/* One envelope as a rising function: a falling one is turned around by ~. */
struct envelope {
    const struct prim *p;
    bool above, falls;
};

static int64_t envelope_at(const void *context, int64_t x) {
    const struct envelope *e = context;
    int64_t z = enclose(e->p, &x, e->above != e->falls);
    return e->falls ? ~z : z;
}

static struct range mirrored(struct range r) {
    return (struct range){~r.hi, ~r.lo, r.num, false};
}

static struct range mirrored_if(struct range r, bool mirror) {
    return mirror ? mirrored(r) : r;
}

/* {f(x)} on a monotone piece */
static struct range piece_forward(const struct prim *p, struct range x, bool falls) {
    assert(x.num && x.lo <= x.hi);
    struct envelope low = {p, false, falls}, high = {p, true, falls};
    struct range z = range_between(envelope_at(&low, x.lo), envelope_at(&high, x.hi));
    return mirrored_if(z, falls);
}

/* Where f is expected to have the value: NaN and whatever else is odd gives no guess. */
static int64_t guess(const struct prim *p, int64_t z) {
    double (*inverse)(double) = rows[p->op].inverse;
    uint64_t bits = ordinal_bits(p->sort[0], false, z);
    double v = p->sort[0] == SORT_F32 ? (double)bits_f32(bits) : bits_f64(bits);
    v = inverse ? inverse(v) : p->op == OP_CBRT ? v * v * v : pow(10, v);
    return isnan(v) ? 0 : ordinal_near(p->sort[1], v);
}

/* {x : f(x) in z} on a monotone piece */
static struct range piece_back(const struct prim *p, struct range z, struct range x, bool falls) {
    assert(x.num && z.num);
    struct envelope low = {p, false, falls}, high = {p, true, falls};
    struct range turned = mirrored_if(z, falls);
    struct range above = range_between(turned.lo, INT64_MAX);
    struct range below = range_between(INT64_MIN, turned.hi);
    int64_t first = guess(p, falls ? z.hi : z.lo), last = guess(p, falls ? z.lo : z.hi);
    x = rising_back((struct rising){envelope_at, &high}, above, x, first, first);
    return x.num ? rising_back((struct rising){envelope_at, &low}, below, x, last, last) : x;
}

static struct range monotone(const struct prim *p, const struct range *r, int which, struct range x,
                             bool falls) {
    if (!x.num)
        return x;
    return which == 0 ? piece_forward(p, x, falls) : piece_back(p, r[0], x, falls);
}

/* Two mirrored halves */
static struct range even(const struct prim *p, const struct range *r, int which, struct range x) {
    assert(p->op == OP_COSH);
    struct range minus = mirrored(range_meet(x, range_between(INT64_MIN, -1)));
    struct range plus = range_meet(x, range_between(0, INT64_MAX));
    minus = monotone(p, r, which, minus, false);
    return range_join(monotone(p, r, which, plus, false), mirrored_if(minus, which == 1));
}

static struct range wave(const struct prim *p, const struct range *r, int which, struct range x) {
    assert(p->op == OP_SIN || p->op == OP_COS);
    int64_t one = ordinal_near(p->sort[0], 1);
    bool rises;
    int turns = enclose_turns(p->sort[1], x, p->op == OP_SIN, &rises);
    if (turns == 0)
        return monotone(p, r, which, x, !rises);
    if (which == 1)
        return x;
    if (turns > 1)
        return range_between(~one, one);
    struct range ends = range_join(piece_forward(p, range_point(x.lo), false),
                                   piece_forward(p, range_point(x.hi), false));
    return range_join(ends, range_point(rises ? one : ~one));
}

/* Between two poles the tangent rises. */
static struct range poles(const struct prim *p, const struct range *r, int which, struct range x) {
    assert(p->op == OP_TAN);
    bool ignored;
    if (enclose_turns(p->sort[1], x, true, &ignored) == 0)
        return monotone(p, r, which, x, false);
    return which == 1 ? x : range_numbers(p->sort[0], false);
}

/* The numbers: x is inside the domain. */
static struct range numbers(const struct prim *p, const struct range *r, int which,
                            struct range x) {
    if (!x.num || (which == 1 && !r[0].num))
        return range_empty();
    switch (rows[p->op].shape) {
    case RISES:
        return monotone(p, r, which, x, false);
    case FALLS:
        return monotone(p, r, which, x, true);
    case EVEN:
        return even(p, r, which, x);
    case WAVE:
        return wave(p, r, which, x);
    default:
        return poles(p, r, which, x);
    }
}

struct range contract_libm(const struct prim *p, const struct range r[4], int which) {
    struct range d = domain(p), x = r[1];
    struct range outside = range_join(range_meet(x, range_between(INT64_MIN, d.lo - 1)),
                                      range_meet(x, range_between(d.hi + 1, INT64_MAX)));
    x.nan = false;
    struct range out = numbers(p, r, which, range_meet(x, d));
    outside.nan = r[1].nan;
    if (which == 0)
        out.nan = !range_is_empty(outside);
    else if (r[0].nan)
        out = range_join(out, outside);
    return out;
}
