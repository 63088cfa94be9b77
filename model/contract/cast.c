/* cast: between floats, integers and bit patterns. All exact.
 *
 * Conversions round monotonously, so both directions are the search of contract/search.h over the
 * real conversion. Results have gaps (a double that is no float, a fraction that is no integer):
 * the argument is narrowed first, so that the bounds of the result are attained. Float to integer
 * has three parts: below the range of the integer, within it (monotone), above it; outside and NaN
 * give 0.
 */
#include "model/contract/parts.h"

#include "model/contract/search.h"
#include "model/term/round.h"

#include <math.h>

static double float_at(sort_t sort, int64_t ordinal) {
    uint64_t bits = ordinal_bits(sort, false, ordinal);
    return sort == SORT_F32 ? (double)bits_f32(bits) : bits_f64(bits);
}

static int64_t float_ordinal(sort_t sort, double value) {
    return ordinal_of(sort, false, sort == SORT_F32 ? f32_bits((float)value) : f64_bits(value));
}

/* ---- float to float ---- */

static int64_t resized(const void *context, int64_t x) {
    const struct prim *p = context;
    if (p->op == OP_F2F)
        return float_ordinal(p->sort[0], float_at(p->sort[1], x));
    uint64_t bits = ordinal_bits(p->sort[1], false, x);
    return ordinal_of(p->sort[0], false, eval_rounded_op(p->op, p->sort[0], p->sort[1], &bits));
}

static struct range float_to_float(const struct prim *p, const struct range *r, int which) {
    struct rising f = {resized, p};
    struct range x = range_empty();
    if (r[0].num && r[1].num)
        x = rising_back(f, r[0], r[1], float_ordinal(p->sort[1], float_at(p->sort[0], r[0].lo)),
                        float_ordinal(p->sort[1], float_at(p->sort[0], r[0].hi)));
    if (which == 0 && x.num)
        x = rising_forward(f, x);
    x.nan = r[0].nan && r[1].nan;
    return x;
}

/* ---- integer to float ---- */

/* Numbers of a view as int64: what is above INT64_MAX is shifted like an ordinal. */
struct view {
    const struct prim *p;
    bool is_signed;
    wide offset;
};

static struct view view_of(const struct prim *p, int i, bool is_signed) {
    return (struct view){p, is_signed, view_offset(p->sort[i], is_signed)};
}

static double view_double(const struct view *v, int64_t x) {
    return v->offset ? (double)(uint64_t)(x + v->offset) : (double)x;
}

static int64_t from_int(const void *context, int64_t x) {
    const struct view *v = context;
    if (v->p->sort[0] == SORT_F64)
        return ordinal_of(SORT_F64, false, f64_bits(view_double(v, x)));
    float value = v->offset ? (float)(uint64_t)(x + v->offset) : (float)x;
    return ordinal_of(SORT_F32, false, f32_bits(value));
}

/* The number of the view nearest to a float, for guesses. */
static int64_t near_int(const struct view *v, int i, double value) {
    assert(sort_is_int(v->p->sort[i]));
    double least = (double)view_min(v->p->sort[i], v->is_signed);
    double most = (double)view_max(v->p->sort[i], v->is_signed);
    if (!(value > least))
        return (int64_t)(view_min(v->p->sort[i], v->is_signed) - v->offset);
    if (!(value < most))
        return (int64_t)(view_max(v->p->sort[i], v->is_signed) - v->offset);
    return (int64_t)((wide)value - v->offset);
}

static struct range int_to_float(const struct prim *p, const struct range *r, int which) {
    struct view v = view_of(p, 1, p->op == OP_S2F);
    struct rising f = {from_int, &v};
    struct range out = range_empty();
    struct span s[2];
    int n = r[0].num ? view_spans(p, r, 1, v.is_signed, s) : 0;
    for (int i = 0; i < n; i++) {
        struct range x = range_between((int64_t)(s[i].lo - v.offset), //
                                       (int64_t)(s[i].hi - v.offset));
        x = rising_back(f, r[0], x, near_int(&v, 1, float_at(p->sort[0], r[0].lo)),
                        near_int(&v, 1, float_at(p->sort[0], r[0].hi)));
        if (x.num)
            out = range_join(out, which == 0 ? rising_forward(f, x)
                                             : meet_span(p, r, 1, x.lo + v.offset, //
                                                         x.hi + v.offset));
    }
    return out;
}

/* ---- float to integer ---- */

/* Toward zero; the argument is in range. */
static int64_t to_int(const void *context, int64_t x) {
    const struct view *v = context;
    double value = trunc(float_at(v->p->sort[1], x));
    if (v->offset)
        return (int64_t)((uint64_t)value - ((uint64_t)1 << 63));
    return (int64_t)value;
}

/* The floats whose truncation fits: from above min - 1 to below 2^k. */
static struct range fitting(const struct view *v) {
    assert(sort_is_float(v->p->sort[1]) && sort_is_int(v->p->sort[0]));
    sort_t from = v->p->sort[1], to = v->p->sort[0];
    double min = (double)view_min(to, v->is_signed), end = ldexp(1, to - v->is_signed);
    double below = from == SORT_F32 ? (double)(float)(min - 1) : min - 1;
    int64_t first = min - below == 1 ? float_ordinal(from, below) + 1 : float_ordinal(from, min);
    return range_between(first, float_ordinal(from, end) - 1);
}

/* Where truncation is expected to reach (or, by one more, to leave) a number of the view. */
static int64_t near_float(const struct view *v, int64_t z, int beside) {
    return float_ordinal(v->p->sort[1], view_double(v, z) + beside);
}

/* The floats (which = 1) or integers (0) of the part that fits, for one span of the result. */
static struct range fitting_part(const struct prim *p, const struct range *r, int which,
                                 const struct view *v, struct range x, struct span s) {
    assert(x.num && s.lo <= s.hi);
    struct rising f = {to_int, v};
    struct range z = range_between((int64_t)(s.lo - v->offset), (int64_t)(s.hi - v->offset));
    x = rising_back(f, z, x, near_float(v, z.lo, z.lo + v->offset > 0 ? 0 : -1),
                    near_float(v, z.hi, z.hi + v->offset >= 0 ? 1 : 0));
    if (!x.num || which == 1)
        return x;
    z = rising_forward(f, x);
    return meet_span(p, r, 0, z.lo + v->offset, z.hi + v->offset);
}

static struct range float_to_int(const struct prim *p, const struct range *r, int which) {
    struct view v = view_of(p, 0, p->op == OP_F2S);
    struct range fit = fitting(&v), inside = range_meet(r[1], fit), out = range_empty();
    struct span s[2];
    int n = inside.num ? view_spans(p, r, 0, v.is_signed, s) : 0;
    for (int i = 0; i < n; i++)
        out = range_join(out, fitting_part(p, r, which, &v, range_between(inside.lo, inside.hi), //
                                           s[i]));
    if (range_inside(r[1], fit) || !hits_span(p, r, 0, 0, 0))
        return out;
    if (which == 0)
        return range_join(out, meet_span(p, r, 0, 0, 0));
    out = range_join(out, range_meet(r[1], range_between(INT64_MIN, fit.lo - 1)));
    out = range_join(out, range_meet(r[1], range_between(fit.hi + 1, INT64_MAX)));
    out.nan = r[1].nan;
    return out;
}

/* ---- bit patterns ---- */

/* The pieces on which a pattern is a float: + ascending, - descending, and two of NaN. `f` is the
 * operand that is the float, `i` the integer. */
static struct range bits_of_float(const struct prim *p, const struct range *r, int f, int i) {
    assert(sort_width(p->sort[f]) == p->sort[i]);
    wide inf = float_inf(p->sort[f]), sign = (wide)1 << (p->sort[i] - 1);
    struct range plus = range_meet(r[f], range_between(0, (int64_t)inf));
    struct range minus = range_meet(r[f], range_between(~(int64_t)inf, -1));
    struct range out = range_empty();
    if (plus.num)
        out = meet_span(p, r, i, plus.lo, plus.hi);
    if (minus.num)
        out = range_join(out, meet_span(p, r, i, sign + ~minus.hi, sign + ~minus.lo));
    if (r[f].nan && p->op == OP_F2BITS) { /* the canonical one */
        wide quiet = inf + (inf & -inf) / 2;
        out = range_join(out, meet_span(p, r, i, quiet, quiet));
    } else if (r[f].nan) {
        out = range_join(out, meet_span(p, r, i, inf + 1, sign - 1));
        out = range_join(out, meet_span(p, r, i, sign + inf + 1, 2 * sign - 1));
    }
    return out;
}

static struct range float_of_bits(const struct prim *p, const struct range *r, int f, int i) {
    assert(sort_width(p->sort[f]) == p->sort[i]);
    wide inf = float_inf(p->sort[f]), sign = (wide)1 << (p->sort[i] - 1);
    wide quiet = inf + (inf & -inf) / 2;
    struct range out = range_empty();
    struct span s[2];
    int n = view_spans(p, r, i, false, s);
    for (int k = 0; k < n; k++) {
        struct span x = s[k];
        wide plus_hi = x.hi < inf ? x.hi : inf;
        wide minus_lo = x.lo > sign ? x.lo : sign, minus_hi = x.hi < sign + inf ? x.hi : sign + inf;
        if (x.lo <= plus_hi)
            out = range_join(out, range_meet(r[f], range_between((int64_t)x.lo, (int64_t)plus_hi)));
        if (minus_lo <= minus_hi)
            out = range_join(out, range_meet(r[f], range_between(~(int64_t)(minus_hi - sign),
                                                                 ~(int64_t)(minus_lo - sign))));
        if (p->op == OP_F2BITS)
            out.nan |= r[f].nan && x.lo <= quiet && quiet <= x.hi;
        else
            out.nan |= r[f].nan && ((x.lo < sign && x.hi > inf) || x.hi > sign + inf);
    }
    return out;
}

struct range contract_cast(const struct prim *p, const struct range r[4], int which) {
    switch (p->op) {
    case OP_F2F:
    case OP_F2FZ:
    case OP_F2FA:
    case OP_F2FN:
        return float_to_float(p, r, which);
    case OP_S2F:
    case OP_U2F:
        return int_to_float(p, r, which);
    case OP_F2S:
    case OP_F2U:
        return float_to_int(p, r, which);
    case OP_BITS2F:
        return which == 0 ? float_of_bits(p, r, 0, 1) : bits_of_float(p, r, 0, 1);
    default:
        assert(p->op == OP_F2BITS);
        return which == 1 ? float_of_bits(p, r, 1, 0) : bits_of_float(p, r, 1, 0);
    }
}
