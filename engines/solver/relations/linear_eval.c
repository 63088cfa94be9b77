/* Evaluating linear forms in doubles. Every sum is widened by SLACK times the sum of absolute
 * values, which is more than the rounding errors of at most MAX_OPERANDS terms and of their
 * coefficients (each the result of fewer than 32 roundings). All steps are monotone in the
 * operands' bounds, so wider operands never give a narrower result. */
#include "engines/solver/relations/linear_parts.h"
#include "engines/solver/vars.h"

#include <math.h>

int linear_operands(const struct linear *form) {
    return 1 + form->n_leaves + form->n_mids + form->n_guards;
}

static double value_of(sort_t sort, bool is_signed, int64_t ordinal) {
    if (!sort_is_float(sort))
        return (double)ordinal;
    uint64_t bits = ordinal_bits(sort, is_signed, ordinal);
    return sort == SORT_F32 ? (double)bits_f32(bits) : bits_f64(bits);
}

double linear_value(const struct solver *s, svar v, int64_t ordinal) {
    return value_of(s->sort.data[v], s->flags.data[v] & VAR_SIGNED, ordinal);
}

struct span linear_span(const struct solver *s, svar v, struct range r) {
    bool is_signed = s->flags.data[v] & VAR_SIGNED;
    sort_t sort = s->sort.data[v];
    return (struct span){value_of(sort, is_signed, r.lo), value_of(sort, is_signed, r.hi)};
}

double span_magnitude(struct span x) {
    return fmax(fabs(x.lo), fabs(x.hi));
}

struct span span_times(struct span x, double k) {
    return k < 0 ? (struct span){k * x.hi, k * x.lo} : (struct span){k * x.lo, k * x.hi};
}

struct span linear_sort_span(const struct solver *s, svar v) {
    bool is_signed = s->flags.data[v] & VAR_SIGNED;
    sort_t sort = s->sort.data[v];
    return (struct span){(double)ordinal_min(sort, is_signed),
                         (double)ordinal_max(sort, is_signed)};
}

bool span_inside(struct span x, double lo, double hi) {
    return x.lo >= lo && x.hi <= hi;
}

/* The values that an integer argument may have when the operator reads its bits signed, or
 * unsigned, are those of its own order. */
static bool reads_as_is(const struct solver *s, enum op op, svar arg, struct span x) {
    double top = ldexp(1, s->sort.data[arg] - 1);
    switch (op) {
    case OP_ZEXT:
    case OP_LSHR:
    case OP_UDIV:
    case OP_U2F:
        return x.lo >= 0;
    case OP_SEXT:
    case OP_ASHR:
    case OP_SDIV:
    case OP_S2F:
        return x.hi < top;
    default:
        return true;
    }
}

static struct span ideal(enum op op, struct span a, struct span b) {
    switch (op) {
    case OP_ADD:
        return (struct span){a.lo + b.lo, a.hi + b.hi};
    case OP_SUB:
        return (struct span){a.lo - b.hi, a.hi - b.lo};
    case OP_MUL:
    case OP_SHL:
        return span_times(a, b.lo);
    default:
        return a;
    }
}

/* Numbers below 2 * 2^e that are rounded to floats move by at most half of the distance of floats
 * from 2^e on; `most` is the greatest result. */
double linear_half_unit(sort_t sort, double most) {
    double power = bits_f64(f64_bits(most) & 0x7ff0000000000000u);
    return sort == SORT_F32 ? power * 0x1p-24 + 0x1p-149 : power * 0x1p-53 + 0x1p-1074;
}

/* x is a float near x + y, so x + y is rounded by at most |y|, and the other way round. It cannot
 * overflow when one argument is finite and the other less than half a unit of the greatest float;
 * and should that other one be infinite, z would be NaN, or a leaf with a coefficient infinite. */
static double lesser_argument(sort_t sort, const struct span arg[2]) {
    double lesser = fmin(span_magnitude(arg[0]), span_magnitude(arg[1]));
    return lesser < (sort == SORT_F32 ? 0x1p102 : 0x1p968) ? lesser : INFINITY;
}

/* What a cast to integer keeps as it is, of the values that the order of its result has. */
static struct span cast_limits(enum op op, sort_t to, struct span order) {
    double top = ldexp(1, op == OP_F2S ? to - 1 : to), bottom = op == OP_F2S ? -top : 0;
    return (struct span){fmax(order.lo, bottom), fmin(order.hi, top - 1) * (1 - 0x1p-50)};
}

/* An integer that is divided by k has a multiple of 1 / k to lose. */
static double greatest_loss(const struct linear_mid *mid) {
    bool is_cast = mid->op == OP_F2S || mid->op == OP_F2U;
    assert(is_cast || (mid->constant[1] > 0 && mid->constant[1] <= 1));
    return is_cast ? 1 : 1 - mid->constant[1];
}

bool linear_mid_error(const struct solver *s, const struct linear *f, const struct linear_mid *mid,
                      svar v, const struct range *r, struct range rv, struct span *error) {
    struct span arg[2];
    for (int k = 0; k < 2; k++)
        arg[k] = mid->arg[k] >= 0 ? linear_span(s, f->var[mid->arg[k]], r[mid->arg[k]])
                                  : (struct span){mid->constant[k], mid->constant[k]};
    if (mid->arg[0] >= 0 && !reads_as_is(s, (enum op)mid->op, f->var[mid->arg[0]], arg[0]))
        return false;
    *error = (struct span){0, 0};
    if (mid->error == MID_ROUND) {
        double half = linear_half_unit(s->sort.data[v], span_magnitude(linear_span(s, v, rv)));
        if (mid->op == OP_FADD || mid->op == OP_FSUB)
            half = fmin(half, lesser_argument(s->sort.data[v], arg));
        *error = (struct span){-half, half};
        return isfinite(half);
    }
    struct span limits = linear_sort_span(s, v), whole = ideal((enum op)mid->op, arg[0], arg[1]);
    if (mid->error == MID_EXACT)
        return sort_is_float(s->sort.data[v]) || span_inside(whole, limits.lo, limits.hi);
    if (mid->op == OP_F2S || mid->op == OP_F2U)
        limits = cast_limits((enum op)mid->op, s->sort.data[v], limits);
    /* The result may be read in another order than the operator has: -1 as the greatest number. */
    if (!span_inside(span_times(arg[0], mid->constant[1]), limits.lo, limits.hi))
        return false;
    double most = greatest_loss(mid);
    if (mid->error == MID_FLOOR || arg[0].lo >= 0)
        *error = (struct span){-most, 0};
    else
        *error = (struct span){-most, most};
    return true;
}

double linear_step_error(const struct solver *s, const struct linear *one) {
    struct range r[MAX_OPERANDS];
    struct span error;
    assert(one->n_mids == 0 && one->n_guards == 0);
    for (int i = 0; i <= one->n_leaves; i++) {
        r[i] = var_known_range(s, one->var[i]);
        if (r[i].nan || !r[i].num)
            return INFINITY;
    }
    if (!isfinite(span_magnitude(linear_span(s, one->var[0], r[0]))) ||
        !linear_mid_error(s, one, &one->mid[0], one->var[0], r, r[0], &error))
        return INFINITY;
    return span_magnitude(error);
}

static bool guards_hold(const struct linear *f, const struct range *r) {
    int first = 1 + f->n_leaves + f->n_mids;
    for (int g = 0; g < f->n_guards; g++)
        if (r[first + g].lo != f->guard[g] || r[first + g].hi != f->guard[g])
            return false;
    return true;
}

bool linear_awake(const struct solver *s, const struct linear *f) {
    const svar *guards = f->var + 1 + f->n_leaves + f->n_mids;
    for (int g = 0; g < f->n_guards; g++)
        if (var_lo(s, guards[g]) != f->guard[g] || var_hi(s, guards[g]) != f->guard[g])
            return false;
    return true;
}

static bool all_numbers(const struct linear *f, const struct range *r) {
    for (int i = 1; i < 1 + f->n_leaves + f->n_mids; i++)
        if (r[i].nan || !r[i].num)
            return false;
    return r[0].num;
}

/* The sum of all but leaf `without` and the error of z itself; *weight collects the magnitudes of
 * what was added and the doubts about coefficients. Not finite: nothing can be said. */
static bool sum_parts(const struct solver *s, const struct linear *f, const struct range *r,
                      int without, struct span *sum, double *weight) {
    *sum = (struct span){f->constant, f->constant};
    *weight = f->constant_weight;
    for (int i = 1; i <= f->n_leaves; i++) {
        struct span x = linear_span(s, f->var[i], r[i]);
        if (f->weight[i] != 0)
            *weight += f->weight[i] * span_magnitude(x);
        if (i == without || f->coef[i] == 0)
            continue;
        struct span part = span_times(x, f->coef[i]);
        *weight += span_magnitude(part);
        sum->lo += part.lo;
        sum->hi += part.hi;
    }
    for (int m = 1; m <= f->n_mids; m++) {
        struct span error;
        int at = f->n_leaves + m;
        if (!linear_mid_error(s, f, &f->mid[m], f->var[at], r, r[at], &error))
            return false;
        error = span_times(error, f->mid[m].coef);
        *weight += span_magnitude(error);
        sum->lo += error.lo;
        sum->hi += error.hi;
    }
    return isfinite(*weight);
}

static struct range ints_in(const struct solver *s, svar v, struct span x) {
    bool is_signed = s->flags.data[v] & VAR_SIGNED;
    struct span limits = linear_sort_span(s, v);
    double lo = ceil(fmax(x.lo, limits.lo)), hi = floor(fmin(x.hi, limits.hi));
    if (lo > hi)
        return range_empty();
    return range_meet(range_numbers(s->sort.data[v], is_signed),
                      range_between(lo <= limits.lo ? INT64_MIN : (int64_t)lo,
                                    hi >= limits.hi ? INT64_MAX : (int64_t)hi));
}

static int64_t float_ordinal(sort_t sort, double x) {
    return ordinal_of(sort, true, sort == SORT_F64 ? f64_bits(x) : f32_bits((float)x));
}

/* Zeros are taken whole: -0 at the lower end, +0 at the upper. */
static struct range floats_in(sort_t sort, struct span x, bool rounded) {
    double lo = x.lo, hi = x.hi;
    if (sort == SORT_F32) {
        float from = (float)lo, to = (float)hi;
        if (!rounded && (double)from < x.lo)
            from = nextafterf(from, INFINITY);
        if (!rounded && (double)to > x.hi)
            to = nextafterf(to, -INFINITY);
        lo = (double)from;
        hi = (double)to;
    }
    return range_between(lo == 0 ? -1 : float_ordinal(sort, lo),
                         hi == 0 ? 0 : float_ordinal(sort, hi));
}

struct range linear_values_in(const struct solver *s, svar v, struct span x, bool rounded) {
    sort_t sort = s->sort.data[v];
    bool is_signed = s->flags.data[v] & VAR_SIGNED;
    if (isnan(x.lo) || isnan(x.hi))
        return range_numbers(sort, is_signed);
    if (x.lo > x.hi)
        return range_empty();
    return sort_is_float(sort) ? floats_in(sort, x, rounded) : ints_in(s, v, x);
}

static struct range narrow_result(const struct solver *s, const struct linear *f,
                                  const struct range *r) {
    struct span sum, error;
    double weight;
    bool rounded = f->mid[0].error == MID_ROUND;
    if (!sum_parts(s, f, r, 0, &sum, &weight))
        return r[0];
    if (rounded)
        error = (struct span){0, 0};
    else if (!linear_mid_error(s, f, &f->mid[0], f->var[0], r, r[0], &error))
        return r[0];
    struct span x = {sum.lo + error.lo - SLACK * (weight + 1e-300),
                     sum.hi + error.hi + SLACK * (weight + 1e-300)};
    return range_meet(r[0], linear_values_in(s, f->var[0], x, rounded));
}

static struct range narrow_leaf(const struct solver *s, const struct linear *f,
                                const struct range *r, int which) {
    struct span sum, error, z = linear_span(s, f->var[0], r[0]);
    double weight, k = f->coef[which];
    if (r[0].nan || k == 0 || fabs(k) < f->weight[which] * 0x1p-20)
        return r[which];
    if (!sum_parts(s, f, r, which, &sum, &weight) ||
        !linear_mid_error(s, f, &f->mid[0], f->var[0], r, r[0], &error))
        return r[which];
    weight += span_magnitude(z);
    struct span x = {z.lo - error.hi - sum.hi - SLACK * (weight + 1e-300),
                     z.hi - error.lo - sum.lo + SLACK * (weight + 1e-300)};
    x = span_times(x, 1 / k);
    x.lo -= fabs(x.lo) * SLACK;
    x.hi += fabs(x.hi) * SLACK;
    return range_meet(r[which], linear_values_in(s, f->var[which], x, false));
}

bool linear_contract(const struct solver *s, const struct linear *form, const struct range *r,
                     int which, struct range *out) {
    assert(which <= form->n_leaves);
    *out = r[which];
    if (!all_numbers(form, r) || !guards_hold(form, r))
        return false;
    *out = which == 0 ? narrow_result(s, form, r) : narrow_leaf(s, form, r, which);
    out->nan = r[which].nan;
    return !range_same(*out, r[which]);
}
