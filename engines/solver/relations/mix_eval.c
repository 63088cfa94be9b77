/* Evaluating mixes: see mix.h. As in linear_eval.c each sum is widened by SLACK times what was
 * added, and every step is monotone in the operands' bounds: more points of the grid give a wider
 * hull, and the other steps are sums and products of spans. */
#include "engines/solver/relations/linear_parts.h"
#include "engines/solver/relations/mix.h"
#include "engines/solver/propagate.h"

#include <math.h>

static struct span span_product(struct span x, struct span y) {
    struct span a = span_times(x, y.lo), b = span_times(x, y.hi);
    return (struct span){fmin(a.lo, b.lo), fmax(a.hi, b.hi)};
}

static void span_add(struct span *x, struct span y) {
    x->lo += y.lo;
    x->hi += y.hi;
}

static double clamp(const struct mix *mix, double w) {
    return fmin(fmax(w, mix->at[0]), mix->at[MIX_POINTS - 1]);
}

/* Beyond twice the grid nothing is gained. */
static bool weight_near(const struct mix *mix, struct span w) {
    double top = mix->at[MIX_POINTS - 1];
    return w.lo >= -top && w.hi <= 2 * top;
}

bool mix_awake(const struct solver *s, const struct mix *mix) {
    svar v = mix->base.var[mix->n_operands - 1];
    return weight_near(mix, linear_span(s, v, var_range(s, v)));
}

static bool all_numbers(const struct mix *mix, const struct range *r) {
    for (int i = 1; i < mix->n_operands; i++)
        if (r[i].nan || !r[i].num)
            return false;
    return r[0].num;
}

/* What has been added up, and how much it may have lost to rounding, in units of SLACK. */
struct total {
    struct span sum;
    double weight;
};

static struct span sum_at(const struct mix *mix, const struct span *x, int point) {
    const double *coef = mix->coef[point];
    struct span sum = {coef[0], coef[0]};
    for (int i = 1; i <= mix->base.n_leaves; i++)
        if (coef[i] != 0)
            span_add(&sum, span_times(x[i], coef[i]));
    return sum;
}

/* Between the points of the grid around the weight. */
static void add_hull(const struct mix *mix, const struct span *x, struct span w, struct total *t) {
    int first = 0, last = MIX_POINTS - 1;
    assert(w.lo <= w.hi && mix->at[first] == 0);
    struct span hull = {INFINITY, -INFINITY};
    while (first < last && mix->at[first + 1] <= w.lo)
        first++;
    while (last > first && mix->at[last - 1] >= w.hi)
        last--;
    for (int point = first; point <= last; point++) {
        struct span sum = sum_at(mix, x, point);
        hull = (struct span){fmin(hull.lo, sum.lo), fmax(hull.hi, sum.hi)};
    }
    span_add(&t->sum, hull); /* no number when one overflowed: the weight is infinite then */
    t->weight += mix->most[0] + mix->doubt[0];
    for (int i = 1; i <= mix->base.n_leaves; i++)
        t->weight += (mix->most[i] + mix->doubt[i]) * span_magnitude(x[i]);
}

/* What the weight has beyond the grid. */
static void add_excess(const struct mix *mix, const struct span *x, struct span w,
                       struct total *t) {
    struct span excess = {w.lo - clamp(mix, w.lo), w.hi - clamp(mix, w.hi)};
    if (excess.lo == 0 && excess.hi == 0)
        return;
    assert(excess.lo <= excess.hi && weight_near(mix, w));
    struct span rise = {mix->slope[0], mix->slope[0]};
    for (int i = 1; i <= mix->base.n_leaves; i++)
        if (mix->slope[i] != 0)
            span_add(&rise, span_times(x[i], mix->slope[i]));
    span_add(&t->sum, span_product(excess, rise));
    /* The weight is at most twice the top: the doubts of the grid count twice more. */
    t->weight *= 3;
}

static struct span operand_span(const struct solver *s, const struct mix *mix,
                                const struct linear_mid *mid, int k, const struct range *r) {
    int i = mid->arg[k];
    return i >= 0 ? linear_span(s, mix->base.var[i], r[i])
                  : (struct span){mid->constant[k], mid->constant[k]};
}

/* The error of a product of two variables; other steps are those of linear forms. */
static bool mid_error(const struct solver *s, const struct mix *mix, int m, int at,
                      const struct range *r, struct span *error) {
    const struct linear_mid *mid = &mix->base.mid[m];
    assert(m <= mix->base.n_mids && at < mix->n_operands - 1);
    svar v = mix->base.var[at];
    bool product = (mid->op == OP_MUL || mid->op == OP_FMUL) && mid->arg[1] >= 0;
    if (!product)
        return linear_mid_error(s, &mix->base, mid, v, r, r[at], error);
    if (mid->op == OP_FMUL) {
        double half = linear_half_unit(s->sort.data[v], span_magnitude(linear_span(s, v, r[at])));
        *error = (struct span){-half, half};
        return isfinite(half);
    }
    struct span limits = linear_sort_span(s, v);
    struct span whole =
        span_product(operand_span(s, mix, mid, 0, r), operand_span(s, mix, mid, 1, r));
    *error = (struct span){0, 0};
    return span_inside(whole, limits.lo, limits.hi);
}

static bool add_errors(const struct solver *s, const struct mix *mix, const struct range *r,
                       struct span w, struct total *t) {
    for (int m = 1; m <= mix->base.n_mids; m++) {
        const struct mix_share *share = &mix->share[m];
        struct span error, factor = span_times(w, share->slope), by = {1, 1};
        if (!mid_error(s, mix, m, mix->base.n_leaves + m, r, &error))
            return false;
        if (share->by)
            by = linear_span(s, mix->base.var[share->by], r[share->by]);
        double most = fabs(share->constant) + fabs(share->slope) * span_magnitude(w) + share->doubt;
        factor.lo += share->constant;
        factor.hi += share->constant;
        t->weight += most * span_magnitude(error) * span_magnitude(by);
        span_add(&t->sum, span_product(span_product(error, factor), by));
    }
    return isfinite(t->weight);
}

static struct range narrowed(const struct solver *s, const struct mix *mix, const struct range *r) {
    struct span x[MIX_LEAVES + 1], error = {0, 0};
    int last = mix->n_operands - 1;
    struct span w = linear_span(s, mix->base.var[last], r[last]);
    struct total t = {{0, 0}, 0};
    bool rounded = mix->base.mid[0].error == MID_ROUND;
    if (!weight_near(mix, w))
        return r[0];
    for (int i = 1; i <= mix->base.n_leaves; i++) {
        x[i] = linear_span(s, mix->base.var[i], r[i]);
        if (!isfinite(span_magnitude(x[i])))
            return r[0];
    }
    add_hull(mix, x, w, &t);
    add_excess(mix, x, w, &t);
    if (!add_errors(s, mix, r, w, &t) || (!rounded && !mid_error(s, mix, 0, 0, r, &error)))
        return r[0];
    span_add(&t.sum, error);
    double slack = SLACK * (t.weight + 1e-300);
    struct span values = {t.sum.lo - slack, t.sum.hi + slack};
    return range_meet(r[0], linear_values_in(s, mix->base.var[0], values, rounded));
}

bool mix_contract(const struct solver *s, const struct mix *mix, const struct range *r,
                  struct range *out) {
    assert(mix->n_operands == mix->base.n_leaves + mix->base.n_mids + 2);
    *out = r[0];
    if (!all_numbers(mix, r))
        return false;
    *out = narrowed(s, mix, r);
    out->nan = r[0].nan;
    return !range_same(*out, r[0]);
}
