/* Linear filters and integrators: x' = a x + t with |a| < 1 stays within sup |t| / (1 - |a|).
 *
 * The step is read as a choice of linear forms in x, with ranges for coefficient and rest; the rest
 * comes from the bounds of inputs and of other cells. The arithmetic here is ordinary and guides
 * only: each limit, with some room for rounding, is a candidate that has to be inductive like any
 * other. So NaN is left out, and branches that hold or move x without pulling it anywhere are.
 */
#include "engines/houdini/houdini.h"

#include "base/mem.h"

#include <math.h>

struct span {
    double lo, hi;
};

/* a x + t, for all values in these spans */
struct line {
    struct span a, t;
};

enum { MAX_LINES = 6 };

/* The value is on one of these lines; none: it may be anything. */
struct form {
    size_t n;
    struct line lines[MAX_LINES];
};

struct filter {
    const struct houdini *h;
    term_t x;
    struct form *forms; /* one per term */
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

static double number(sort_t sort, bool is_signed, int64_t ordinal) {
    assert(ordinal >= ordinal_min(sort, is_signed) && ordinal <= ordinal_max(sort, is_signed));
    uint64_t bits = ordinal_bits(sort, is_signed, ordinal);
    if (sort == SORT_F32)
        return (double)bits_f32(bits);
    if (sort == SORT_F64)
        return bits_f64(bits);
    return is_signed ? (double)ordinal : (double)bits;
}

/* ---- forms ---- */

static struct form form_of_span(struct span t) {
    assert(t.lo <= t.hi);
    return (struct form){.n = 1, .lines[0].t = t};
}

static struct form form_of_range(sort_t sort, bool is_signed, struct range r) {
    assert(sort != SORT_NONE);
    if (!r.num || r.lo > r.hi)
        return (struct form){0};
    return form_of_span(
        (struct span){number(sort, is_signed, r.lo), number(sort, is_signed, r.hi)});
}

static bool is_constant(const struct form *f) {
    for (size_t i = 0; i < f->n; i++)
        if (f->lines[i].a.lo != 0 || f->lines[i].a.hi != 0)
            return false;
    return f->n > 0;
}

/* All values of a form without x. */
static struct span values_of(const struct form *f) {
    assert(is_constant(f));
    struct span all = f->lines[0].t;
    for (size_t i = 1; i < f->n; i++)
        all = span_join(all, f->lines[i].t);
    return all;
}

/* At most so many lines: the last one takes in what is too much. */
static void form_narrow(struct form *f, size_t most) {
    assert(most > 0);
    for (; f->n > most; f->n--) {
        struct line *last = &f->lines[most - 1], *gone = &f->lines[f->n - 1];
        *last = (struct line){span_join(last->a, gone->a), span_join(last->t, gone->t)};
    }
}

static void form_add(struct form *f, struct line l) {
    assert(f->n < MAX_LINES);
    f->lines[f->n++] = l;
}

static struct form join(struct form p, struct form q) {
    if (p.n == 0 || q.n == 0)
        return (struct form){0};
    if (p.n + q.n > MAX_LINES) {
        form_narrow(&p, MAX_LINES / 2);
        form_narrow(&q, MAX_LINES / 2);
    }
    for (size_t i = 0; i < q.n; i++)
        form_add(&p, q.lines[i]);
    return p;
}

static struct line line_add(struct line p, struct line q) {
    return (struct line){span_add(p.a, q.a), span_add(p.t, q.t)};
}

/* q has no x. */
static struct line line_mul(struct line p, struct line q) {
    assert(q.a.lo == 0 && q.a.hi == 0);
    return (struct line){span_mul(p.a, q.t), span_mul(p.t, q.t)};
}

static struct form combine(struct form p, struct form q,
                           struct line (*of)(struct line, struct line)) {
    struct form r = {0};
    while (p.n * q.n > MAX_LINES)
        form_narrow(p.n > q.n ? &p : &q, (p.n > q.n ? p.n : q.n) - 1);
    for (size_t i = 0; i < p.n; i++)
        for (size_t k = 0; k < q.n; k++)
            form_add(&r, of(p.lines[i], q.lines[k]));
    return r;
}

static struct form multiply(struct form p, struct form q) {
    if (is_constant(&q))
        return combine(p, q, line_mul);
    return is_constant(&p) ? combine(q, p, line_mul) : (struct form){0};
}

static struct form negated(struct form p) {
    for (size_t i = 0; i < p.n; i++)
        p.lines[i] = (struct line){span_neg(p.lines[i].a), span_neg(p.lines[i].t)};
    return p;
}

static struct form divide(struct form p, struct form q) {
    if (!is_constant(&q))
        return (struct form){0};
    struct span by = values_of(&q);
    if (by.lo <= 0 && by.hi >= 0)
        return (struct form){0};
    assert(by.lo * by.hi >= 0);
    return combine(p, form_of_span((struct span){1 / by.hi, 1 / by.lo}), line_mul);
}

/* Whole numbers are cut off: towards zero, or downwards. */
static struct form cut(struct form p, bool downwards) {
    return combine(p, form_of_span((struct span){-1, downwards ? 0 : 1}), line_add);
}

static struct form shifted(struct form p, struct form q, bool left) {
    if (!is_constant(&q))
        return (struct form){0};
    struct span by = values_of(&q);
    if (by.lo != by.hi || by.lo < 0 || by.lo > 62)
        return (struct form){0};
    double power = ldexp(1, (int)by.lo);
    struct form factor = form_of_span((struct span){power, power});
    return left ? multiply(p, factor) : cut(divide(p, factor), true);
}

/* ---- terms ---- */

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
        return (struct form){.n = 1, .lines[0].a = {1, 1}};
    for (uint32_t i = 0; i < sys->cells.len; i++)
        if (sys->cells.data[i].var == t)
            return form_of_range(term->sort, is_signed, chains_range(f->h, i));
    return form_of_range(term->sort, is_signed, range_of_input(f->h, t));
}

/* Where `condition` has this truth, a value that it compares with a constant is limited. */
static struct form within(const struct filter *f, term_t t, term_t condition, bool truth) {
    const struct terms *ts = houdini_system(f->h)->terms;
    const struct term *c = term_get(ts, condition);
    struct form form = f->forms[t];
    assert(term_sort(ts, condition) == SORT_BOOL && f->mark[t]);
    for (; c->op == OP_NOT; truth = !truth)
        c = term_get(ts, c->arg[0]);
    bool compares = c->op == OP_SLT || c->op == OP_SLE || c->op == OP_ULT || c->op == OP_ULE ||
                    c->op == OP_FLT || c->op == OP_FLE;
    bool left = compares && c->arg[0] == t, right = compares && c->arg[1] == t;
    if (left == right || !is_constant(&form) || !is_constant(&f->forms[c->arg[left]]))
        return form;
    struct span than = values_of(&f->forms[c->arg[left]]), all = values_of(&form);
    if (left == truth)
        all.hi = fmin(all.hi, than.hi);
    else
        all.lo = fmax(all.lo, than.lo);
    return all.lo <= all.hi ? form_of_span(all) : (struct form){0};
}

/* The filter is of natural numbers, as far as is known. */
static bool never_negative(const struct filter *f) {
    assert(term_get(houdini_system(f->h)->terms, f->x)->op == OP_VAR);
    const struct system *sys = houdini_system(f->h);
    for (uint32_t i = 0; i < sys->cells.len; i++)
        if (sys->cells.data[i].var == f->x)
            return sort_is_int(houdini_var(f->h, i)->sort) && houdini_var(f->h, i)->is_signed &&
                   chains_range(f->h, i).lo >= 0;
    return false;
}

/* Integers are taken not to wrap; where they do, the candidate fails. */
static struct form form_of(const struct filter *f, term_t t) {
    const struct terms *ts = houdini_system(f->h)->terms;
    const struct term *term = term_get(ts, t);
    const struct form *arg[2] = {&f->forms[term->arg[0]], &f->forms[term->arg[1]]};
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
        return combine(*arg[0], *arg[1], line_add);
    case OP_SUB:
    case OP_FSUB:
        return combine(*arg[0], negated(*arg[1]), line_add);
    case OP_MUL:
    case OP_FMUL:
        return multiply(*arg[0], *arg[1]);
    case OP_FDIV:
        return divide(*arg[0], *arg[1]);
    case OP_SDIV:
    case OP_UDIV:
        return cut(divide(*arg[0], *arg[1]), term->op == OP_UDIV || never_negative(f));
    case OP_SHL:
    case OP_ASHR:
    case OP_LSHR:
        return shifted(*arg[0], *arg[1], term->op == OP_SHL);
    case OP_ITE:
        return join(within(f, term->arg[1], term->arg[0], true),
                    within(f, term->arg[2], term->arg[0], false));
    case OP_FNEG:
        return negated(*arg[0]);
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
static struct form if_known(struct form f) {
    for (size_t i = 0; i < f.n; i++) {
        struct line l = f.lines[i];
        if (!isfinite(l.a.lo) || !isfinite(l.a.hi) || isnan(l.t.lo) || isnan(l.t.hi))
            return (struct form){0};
    }
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
            f->forms[t] = if_known(form_of(f, t));
    return f->forms[sys->cells.data[cell].next];
}

static int64_t ordinal_near(sort_t sort, bool is_signed, double value) {
    if (sort == SORT_F32)
        return ordinal_of(sort, is_signed, f32_bits((float)value));
    if (sort == SORT_F64)
        return ordinal_of(sort, is_signed, f64_bits(value));
    double min = number(sort, is_signed, ordinal_min(sort, is_signed));
    double max = number(sort, is_signed, ordinal_max(sort, is_signed));
    assert(!isfinite(value) || value == floor(value));
    if (value <= min)
        return ordinal_min(sort, is_signed);
    if (value >= max)
        return ordinal_max(sort, is_signed);
    return ordinal_of(sort, is_signed,
                      value < 0 ? (uint64_t)(int64_t)value & (UINT64_MAX >> (64 - sort))
                                : (uint64_t)value);
}

/* ---- limits ---- */

/* Lines that pull x towards something, and where; false: there is another kind, or none of these.
 */
static bool limits_of(const struct form *f, struct span *out) {
    assert(f->n <= MAX_LINES);
    bool pulled = false, turns = false;
    double far = 0;
    *out = (struct span){INFINITY, -INFINITY};
    for (size_t i = 0; i < f->n; i++) {
        struct span a = f->lines[i].a, t = f->lines[i].t;
        if (a.lo == 1 && a.hi == 1)
            continue;
        if (a.lo <= -1 || a.hi >= 1)
            return false;
        turns |= a.lo < 0;
        far = fmax(far, fmax(-t.lo, t.hi) / (1 - fmax(-a.lo, a.hi)));
        out->hi = fmax(out->hi, t.hi / (1 - (t.hi > 0 ? a.hi : a.lo)));
        out->lo = fmin(out->lo, t.lo / (1 - (t.lo < 0 ? a.hi : a.lo)));
        pulled |= a.hi != 0 || a.lo != 0;
    }
    if (turns)
        *out = (struct span){-far, far};
    return pulled && out->lo <= out->hi;
}

/* Initially x may be elsewhere. */
static struct span with_start(const struct houdini *h, uint32_t cell, struct span s) {
    const struct system *sys = houdini_system(h);
    const struct term *init = term_get(sys->terms, sys->cells.data[cell].init);
    const struct term_var *var = houdini_var(h, cell);
    assert(s.lo <= s.hi);
    if (init->op != OP_CONST || bits_are_nan(var->sort, init->payload))
        return s;
    double at =
        number(var->sort, var->is_signed, ordinal_of(var->sort, var->is_signed, init->payload));
    return span_join(s, (struct span){at, at});
}

static bool try_limits(struct houdini *h, uint32_t cell, struct span s) {
    assert(s.lo <= s.hi && cell < houdini_system(h)->cells.len);
    static const double room[] = {0, 0x1p-20, 0x1p-12, 0x1p-5, 0.25, 1};
    const struct term_var *var = houdini_var(h, cell);
    double far = fmax(-s.lo, s.hi);
    for (size_t i = 0; i < sizeof room / sizeof *room; i++) {
        struct range now = chains_range(h, cell);
        double more = isfinite(far) ? far * room[i] : 0;
        bool is_int = sort_is_int(var->sort);
        double lo = is_int ? floor(s.lo - more) : s.lo - more;
        double hi = is_int ? ceil(s.hi + more) : s.hi + more;
        int64_t low = ordinal_near(var->sort, var->is_signed, lo);
        int64_t high = ordinal_near(var->sort, var->is_signed, hi);
        if (settle_try(h, cell, low < now.lo ? now.lo : low, high > now.hi ? now.hi : high))
            return true;
    }
    return false;
}

static bool try_cell(struct filter *f, struct houdini *h, uint32_t cell) {
    struct span limits;
    if (houdini_var(h, cell)->sort == SORT_BOOL)
        return false;
    struct form form = form_of_next(f, cell);
    return limits_of(&form, &limits) && try_limits(h, cell, with_start(h, cell, limits));
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
