/* Linear filters and integrators: x' = a x + t with |a| < 1 stays within sup |t| / (1 - |a|).
 *
 * The step is read as a linear form in x, with ranges for coefficient and rest; the rest comes from
 * the bounds of inputs and of other cells. The arithmetic here is ordinary and guides only: each
 * limit, with some room for rounding, is a candidate that has to be inductive like any other.
 */
#include "engines/houdini/houdini.h"

#include "base/mem.h"

#include <math.h>

struct span {
    double lo, hi;
};

/* value = a x + t, for all values in these spans; not `linear`: anything. */
struct form {
    struct span a, t;
    bool linear;
};

struct filter {
    const struct houdini *h;
    term_t x;
    struct form *forms; /* one a term */
    bool *mark;
};

static struct span span_add(struct span p, struct span q) {
    return (struct span){p.lo + q.lo, p.hi + q.hi};
}

static struct span span_neg(struct span p) {
    return (struct span){-p.hi, -p.lo};
}

static struct span span_mul(struct span p, struct span q) {
    double c[4] = {p.lo * q.lo, p.lo * q.hi, p.hi * q.lo, p.hi * q.hi};
    return (struct span){fmin(fmin(c[0], c[1]), fmin(c[2], c[3])),
                         fmax(fmax(c[0], c[1]), fmax(c[2], c[3]))};
}

static struct span span_join(struct span p, struct span q) {
    assert(p.lo <= p.hi && q.lo <= q.hi);
    return (struct span){fmin(p.lo, q.lo), fmax(p.hi, q.hi)};
}

static bool is_constant(struct form f) {
    return f.linear && f.a.lo == 0 && f.a.hi == 0;
}

static double number(sort_t sort, bool is_signed, int64_t ordinal) {
    uint64_t bits = ordinal_bits(sort, is_signed, ordinal);
    if (sort == SORT_F32)
        return (double)bits_f32(bits);
    if (sort == SORT_F64)
        return bits_f64(bits);
    return is_signed ? (double)ordinal : (double)bits;
}

static struct form form_of_range(sort_t sort, bool is_signed, struct range r) {
    assert(sort != SORT_NONE);
    struct form f = {.linear = r.num && r.lo <= r.hi};
    if (f.linear)
        f.t = (struct span){number(sort, is_signed, r.lo), number(sort, is_signed, r.hi)};
    f.linear = f.linear && isfinite(f.t.lo) && isfinite(f.t.hi);
    return f;
}

/* An input has the bounds that step_ok gives it. */
static struct range range_of_input(const struct houdini *h, term_t var) {
    const struct term_var *v =
        &houdini_system(h)->terms->vars.data[term_get(houdini_system(h)->terms, var)->payload];
    struct range r = range_full(v->sort, v->is_signed);
    svar s = solver_encoded(h->from_any.steps.data[0], var);
    if (!s)
        return r;
    svar nan = solver_nan(h->step, s);
    r.nan = nan && solver_max(h->step, nan) == 1;
    r.lo = solver_min(h->step, s);
    r.hi = solver_max(h->step, s);
    return r;
}

static struct form form_of_variable(const struct filter *f, term_t t) {
    assert(term_get(houdini_system(f->h)->terms, t)->op == OP_VAR);
    const struct system *sys = houdini_system(f->h);
    const struct term *term = term_get(sys->terms, t);
    bool is_signed = sys->terms->vars.data[term->payload].is_signed;
    if (t == f->x)
        return (struct form){{1, 1}, {0, 0}, true};
    for (uint32_t i = 0; i < sys->cells.len; i++)
        if (sys->cells.data[i].var == t)
            return form_of_range(term->sort, is_signed, chains_range(f->h, i));
    return form_of_range(term->sort, is_signed, range_of_input(f->h, t));
}

static struct form multiply(struct form p, struct form q) {
    if (!is_constant(q)) {
        struct form swap = p;
        p = q;
        q = swap;
    }
    if (!is_constant(q) || !p.linear)
        return (struct form){0};
    return (struct form){span_mul(p.a, q.t), span_mul(p.t, q.t), true};
}

/* Integer division cuts off less than one. */
static struct form divide(struct form p, struct form q, bool cut) {
    if (!is_constant(q) || (q.t.lo <= 0 && q.t.hi >= 0))
        return (struct form){0};
    assert(q.t.lo * q.t.hi > 0);
    struct form inverse = {.t = {1 / q.t.hi, 1 / q.t.lo}, .linear = true};
    struct form r = multiply(p, inverse);
    if (cut)
        r.t = (struct span){r.t.lo - 1, r.t.hi + 1};
    return r;
}

static struct form add(struct form p, struct form q, bool minus) {
    if (!p.linear || !q.linear)
        return (struct form){0};
    return (struct form){span_add(p.a, minus ? span_neg(q.a) : q.a),
                         span_add(p.t, minus ? span_neg(q.t) : q.t), true};
}

static struct form join(struct form p, struct form q) {
    if (!p.linear || !q.linear)
        return (struct form){0};
    return (struct form){span_join(p.a, q.a), span_join(p.t, q.t), true};
}

static struct form shifted(struct form p, struct form q, bool left) {
    if (!is_constant(q) || q.t.lo != q.t.hi || q.t.lo < 0 || q.t.lo > 62)
        return (struct form){0};
    assert(p.a.lo <= p.a.hi || !p.linear);
    double power = ldexp(1, (int)q.t.lo);
    struct form factor = {.t = {power, power}, .linear = true};
    return left ? multiply(p, factor) : divide(p, factor, true);
}

/* Integers are taken not to wrap; where they do, the candidate fails. */
static struct form form_of(const struct filter *f, term_t t) {
    const struct terms *ts = houdini_system(f->h)->terms;
    const struct term *term = term_get(ts, t);
    const struct form *arg[3] = {0};
    for (int i = 0; i < term->arity; i++)
        arg[i] = &f->forms[term->arg[i]];
    switch (term->op) {
    case OP_VAR:
        return form_of_variable(f, t);
    case OP_CONST:
        return bits_are_nan(term->sort, term->payload)
                   ? (struct form){0}
                   : form_of_range(term->sort, true,
                                   range_of_bits(term->sort, true, term->payload));
    case OP_ADD:
    case OP_FADD:
        return add(*arg[0], *arg[1], false);
    case OP_SUB:
    case OP_FSUB:
        return add(*arg[0], *arg[1], true);
    case OP_MUL:
    case OP_FMUL:
        return multiply(*arg[0], *arg[1]);
    case OP_SDIV:
    case OP_UDIV:
    case OP_FDIV:
        return divide(*arg[0], *arg[1], term->op != OP_FDIV);
    case OP_SHL:
    case OP_ASHR:
    case OP_LSHR:
        return shifted(*arg[0], *arg[1], term->op == OP_SHL);
    case OP_ITE:
        return join(*arg[1], *arg[2]);
    case OP_FNEG:
        return add((struct form){.linear = true}, *arg[0], true);
    case OP_ZEXT:
    case OP_SEXT:
    case OP_TRUNC:
    case OP_F2F:
    case OP_S2F:
    case OP_U2F:
        return *arg[0];
    default:
        return (struct form){0};
    }
}

/* Where numbers overflow nothing is known. */
static struct form if_finite(struct form f) {
    f.linear =
        f.linear && isfinite(f.a.lo) && isfinite(f.a.hi) && isfinite(f.t.lo) && isfinite(f.t.hi);
    return f;
}

static struct form form_of_next(struct filter *f, uint32_t cell) {
    const struct system *sys = houdini_system(f->h);
    size_t n = sys->terms->nodes.len;
    memset(f->mark, 0, n * sizeof *f->mark);
    f->x = sys->cells.data[cell].var;
    term_mark(sys->terms, &sys->cells.data[cell].next, 1, f->mark);
    for (term_t t = 1; t < n; t++)
        if (f->mark[t])
            f->forms[t] = if_finite(form_of(f, t));
    return f->forms[sys->cells.data[cell].next];
}

static int64_t ordinal_near(sort_t sort, bool is_signed, double value) {
    if (sort == SORT_F32)
        return ordinal_of(sort, is_signed, f32_bits((float)value));
    if (sort == SORT_F64)
        return ordinal_of(sort, is_signed, f64_bits(value));
    double min = number(sort, is_signed, ordinal_min(sort, is_signed));
    double max = number(sort, is_signed, ordinal_max(sort, is_signed));
    value = value < 0 ? floor(value) : ceil(value);
    if (value <= min)
        return ordinal_min(sort, is_signed);
    if (value >= max)
        return ordinal_max(sort, is_signed);
    return ordinal_of(sort, is_signed,
                      value < 0 ? (uint64_t)(int64_t)value & (UINT64_MAX >> (64 - sort))
                                : (uint64_t)value);
}

static bool try_limit(struct houdini *h, uint32_t cell, double limit) {
    assert(limit >= 0);
    static const double room[] = {1 + 0x1p-12, 1 + 0x1p-5, 1.25, 2};
    const struct term_var *var = houdini_var(h, cell);
    for (size_t i = 0; i < sizeof room / sizeof *room; i++) {
        struct range now = chains_range(h, cell);
        int64_t low = ordinal_near(var->sort, var->is_signed, -limit * room[i]);
        int64_t high = ordinal_near(var->sort, var->is_signed, limit * room[i]);
        if (settle_try(h, cell, low < now.lo ? now.lo : low, high > now.hi ? now.hi : high))
            return true;
    }
    return false;
}

static bool try_cell(struct filter *f, struct houdini *h, uint32_t cell) {
    const struct term_var *var = houdini_var(h, cell);
    if (var->sort == SORT_BOOL)
        return false;
    struct form form = form_of_next(f, cell);
    double a = fmax(fabs(form.a.lo), fabs(form.a.hi));
    double t = fmax(fabs(form.t.lo), fabs(form.t.hi));
    bool is_filter = form.linear && a > 0 && a < 1 && isfinite(t);
    return is_filter && try_limit(h, cell, t / (1 - a));
}

/* Filters feed filters: what one has gained may give the next its limit. */
void filters_try(struct houdini *h) {
    const struct system *sys = houdini_system(h);
    struct filter f = {.h = h};
    f.forms = mem_zalloc(sys->terms->nodes.len, sizeof *f.forms);
    f.mark = mem_zalloc(sys->terms->nodes.len, sizeof *f.mark);
    bool better = true;
    for (int round = 0; round < 3 && better; round++) {
        better = false;
        for (uint32_t i = 0; i < sys->cells.len; i++)
            better |= try_cell(&f, h, i);
    }
    mem_free(f.forms);
    mem_free(f.mark);
}
