/* Sums of two counters: see houdini.h.
 *
 * A counter of errors that falls while a counter of good messages rises, two timers of different
 * speed: what relates them is a bound on factor * x + other_factor * y, with factors that make the
 * sum stand still in the steps in which both count. Steps are read off the next states: what can be
 * added to the cell on some path. Where a counter has come to its end the sum may grow, so each
 * claim is also made with the exceptions "unless x is at its end", "unless y is"; and where nothing
 * of that holds in general, for each value of a mode. All of this only proposes: settle.c decides.
 */
#include "engines/houdini/houdini.h"

#include "base/mem.h"

#include <stdlib.h>

enum {
    MAX_STEPS = 6,
    MAX_SUMS = 240,      /* chains without guard */
    MAX_MODE_SUMS = 240, /* with guard */
    MAX_LIMITS = 96,     /* a chain */
    MAX_KEPT = 24,
    SUM_TICKS = 8000000,
    IMPLIED_TICKS = 20000,
};

/* ---- what is added to a counter ---- */

struct steps {
    int n;
    int32_t by[MAX_STEPS];
};

/* A term is x plus one of `counted`, or one of `alone`; what does not fit is left out. */
struct reach {
    struct steps counted, alone;
};

struct counter {
    uint32_t cell;
    struct steps steps;
};
VEC_STRUCT(counters, struct counter);

static void steps_add(struct steps *s, int64_t by) {
    if (by < -BOUND_FACTOR_MAX || by > BOUND_FACTOR_MAX || s->n == MAX_STEPS)
        return;
    for (int i = 0; i < s->n; i++)
        if (s->by[i] == by)
            return;
    s->by[s->n++] = (int32_t)by;
}

static void steps_join(struct steps *s, const struct steps *more) {
    for (int i = 0; i < more->n; i++)
        steps_add(s, more->by[i]);
}

static void steps_sum(struct steps *s, const struct steps *a, const struct steps *b, int sign) {
    assert(sign == 1 || sign == -1);
    for (int i = 0; i < a->n; i++)
        for (int k = 0; k < b->n; k++)
            steps_add(s, a->by[i] + (int64_t)sign * b->by[k]);
}

static void reach_join(struct reach *r, const struct reach *more) {
    steps_join(&r->counted, &more->counted);
    steps_join(&r->alone, &more->alone);
}

static struct reach reach_of(const struct terms *ts, term_t t, term_t x, const struct reach *all) {
    const struct term *term = term_get(ts, t);
    const struct reach *a = &all[term->arg[0]], *b = &all[term->arg[1]];
    struct reach r = {0};
    switch (term->op) {
    case OP_VAR:
        if (t == x)
            steps_add(&r.counted, 0);
        break;
    case OP_CONST:
        if (sort_is_int(term->sort))
            steps_add(&r.alone, ordinal_of(term->sort, true, term->payload));
        break;
    case OP_ITE:
        r = *b;
        reach_join(&r, &all[term->arg[2]]);
        break;
    case OP_TRUNC:
    case OP_ZEXT:
    case OP_SEXT:
        r = *a;
        break;
    case OP_ADD:
        steps_sum(&r.counted, &b->counted, &a->alone, 1);
        steps_sum(&r.counted, &a->counted, &b->alone, 1);
        steps_sum(&r.alone, &a->alone, &b->alone, 1);
        break;
    case OP_SUB:
        steps_sum(&r.counted, &a->counted, &b->alone, -1);
        steps_sum(&r.alone, &a->alone, &b->alone, -1);
        break;
    default:
        break;
    }
    return r;
}

static struct steps steps_of_cell(const struct houdini *h, uint32_t cell, struct reach *all,
                                  bool *mark) {
    const struct system *sys = houdini_system(h);
    size_t n = sys->terms->nodes.len;
    term_t next = sys->cells.data[cell].next;
    struct steps steps = {0};
    memset(mark, 0, n * sizeof *mark);
    term_mark(sys->terms, &next, 1, mark);
    for (term_t t = 1; t <= next; t++)
        if (mark[t])
            all[t] = reach_of(sys->terms, t, sys->cells.data[cell].var, all);
    for (int i = 0; i < all[next].counted.n; i++)
        if (all[next].counted.by[i] != 0)
            steps_add(&steps, all[next].counted.by[i]);
    return steps;
}

static void find_counters(const struct houdini *h, struct counters *out) {
    const struct system *sys = houdini_system(h);
    struct reach *all = mem_zalloc(sys->terms->nodes.len, sizeof *all);
    bool *mark = mem_zalloc(sys->terms->nodes.len, sizeof *mark);
    for (uint32_t i = 0; i < sys->cells.len; i++) {
        struct range box = chains_range(h, i);
        struct counter c = {.cell = i};
        if (!bound_can_sum(sys, i) || !h->used.data[i] || box.hi - box.lo < 2)
            continue;
        c.steps = steps_of_cell(h, i, all, mark);
        if (c.steps.n > 0)
            vec_push(out, c);
    }
    mem_free(all);
    mem_free(mark);
}

/* ---- limits to try ---- */

static int64_t sum_at(const struct chain *c, int64_t x, int64_t y) {
    return c->factor * x + c->other_factor * y;
}

static int ascending(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void thresholds_in_box(const struct houdini *h, uint32_t cell, struct ordinals *out) {
    struct range box = chains_range(h, cell);
    for (int side = 0; side < 2; side++) {
        const struct chain *c = &h->chains.data[2 * (size_t)cell + (size_t)side];
        assert(c->cell == cell && chain_is_box(c));
        for (size_t i = 0; i < c->values.len; i++)
            if (range_has(box, c->values.data[i]))
                vec_push(out, c->values.data[i]);
    }
    vec_push(out, box.lo);
    vec_push(out, box.hi);
}

static void limits_with(const struct chain *c, const struct ordinals *x, struct range y, bool swap,
                        struct ordinals *out) {
    assert(y.num && y.lo <= y.hi);
    for (size_t i = 0; i < x->len; i++) {
        vec_push(out, swap ? sum_at(c, y.lo, x->data[i]) : sum_at(c, x->data[i], y.lo));
        vec_push(out, swap ? sum_at(c, y.hi, x->data[i]) : sum_at(c, x->data[i], y.hi));
    }
}

/* The strongest first; none that the boxes imply. */
static void choose_limits(struct chain *c, struct ordinals *all, int64_t trivial) {
    qsort(all->data, all->len, sizeof *all->data, ascending);
    size_t stride = 1 + all->len / MAX_LIMITS;
    for (size_t i = 0; i < all->len; i += i < MAX_LIMITS / 2 ? 1 : stride) {
        int64_t value = all->data[c->ge ? all->len - 1 - i : i];
        bool repeated = c->values.len > 0 && vec_last(&c->values) == value;
        if (!repeated && (c->ge ? value > trivial : value < trivial))
            vec_push(&c->values, value);
    }
}

static void set_limits(const struct houdini *h, struct chain *c) {
    struct ordinals x = {0}, y = {0}, all = {0};
    struct range box = chains_range(h, c->cell), other = chains_range(h, c->other);
    assert(chain_is_sum(c) && c->factor > 0);
    thresholds_in_box(h, c->cell, &x);
    thresholds_in_box(h, c->other, &y);
    limits_with(c, &x, other, false, &all);
    limits_with(c, &y, box, true, &all);
    int64_t far_y = (c->other_factor > 0) == c->ge ? other.lo : other.hi;
    choose_limits(c, &all, sum_at(c, c->ge ? box.lo : box.hi, far_y));
    vec_free(&x);
    vec_free(&y);
    vec_free(&all);
}

/* ---- chains ---- */

/* `cell` is at the end where its part of the sum gives way no more. */
static void add_escape(const struct houdini *h, struct chain *c, uint32_t cell, int factor) {
    struct range box = chains_range(h, cell);
    bool at_top = (factor > 0) == c->ge;
    assert(c->n_escapes < 2 && factor != 0);
    c->escape[c->n_escapes++] = (struct bound){
        .cell = cell, .kind = at_top ? BOUND_GE : BOUND_LE, .ordinal = at_top ? box.hi : box.lo};
}

enum { UNLESS_CELL = 1, UNLESS_OTHER = 2, EXCEPTIONS = 4 };

static void push_sum(struct houdini *h, struct chain chain, unsigned exceptions) {
    assert(exceptions < EXCEPTIONS && chain.values.len == 0);
    if (exceptions & UNLESS_CELL)
        add_escape(h, &chain, chain.cell, chain.factor);
    if (exceptions & UNLESS_OTHER)
        add_escape(h, &chain, chain.other, chain.other_factor);
    set_limits(h, &chain);
    vec_push(&h->chains, chain);
}

static void push_sums(struct houdini *h, const struct chain *like) {
    for (int ge = 0; ge < 2; ge++)
        for (unsigned exceptions = 0; exceptions < EXCEPTIONS; exceptions++) {
            struct chain chain = *like;
            chain.ge = ge;
            if (h->chains.len < h->first_sum + MAX_SUMS)
                push_sum(h, chain, exceptions);
        }
}

static int divisor(int a, int b) {
    while (b) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return abs(a);
}

static bool has_sum(const struct houdini *h, const struct chain *like) {
    for (size_t i = h->first_sum; i < h->chains.len; i++) {
        const struct chain *c = &h->chains.data[i];
        if (c->cell == like->cell && c->other == like->other && c->factor == like->factor &&
            c->other_factor == like->other_factor)
            return true;
    }
    return false;
}

/* The sums that stand still where x and y count in the same step. */
static void push_pair(struct houdini *h, const struct counter *x, const struct counter *y) {
    assert(x->cell != y->cell);
    for (int i = 0; i < x->steps.n; i++)
        for (int k = 0; k < y->steps.n; k++) {
            int a = y->steps.by[k], b = -x->steps.by[i], d = divisor(a, b);
            d = a < 0 ? -d : d;
            struct chain like = {.cell = x->cell, .other = y->cell, .guard = NONE};
            like.factor = (int16_t)(a / d);
            like.other_factor = (int16_t)(b / d);
            if (!has_sum(h, &like))
                push_sums(h, &like);
        }
}

/* Their steps depend on something that both read. */
static bool move_together(const struct houdini *h, uint32_t x, uint32_t y) {
    const struct system *sys = houdini_system(h);
    size_t n = sys->terms->nodes.len;
    bool *mark[2] = {mem_zalloc(n, sizeof(bool)), mem_zalloc(n, sizeof(bool))}, together = false;
    term_mark(sys->terms, &sys->cells.data[x].next, 1, mark[0]);
    term_mark(sys->terms, &sys->cells.data[y].next, 1, mark[1]);
    for (term_t t = 1; t < n && !together; t++)
        together = mark[0][t] && mark[1][t] && term_sort(sys->terms, t) == SORT_BOOL &&
                   !term_is_const(sys->terms, t);
    mem_free(mark[0]);
    mem_free(mark[1]);
    return together;
}

void sums_of_counters(struct houdini *h) {
    struct counters counters = {0};
    h->first_sum = h->chains.len;
    h->sums_until = solver_stats(h->step)->ticks + SUM_TICKS;
    find_counters(h, &counters);
    /* Neighbours first: what belongs together is declared together. */
    for (size_t apart = 1; apart < counters.len; apart++)
        for (size_t i = 0; i + apart < counters.len; i++) {
            const struct counter *x = &counters.data[i], *y = &counters.data[i + apart];
            if (h->chains.len < h->first_sum + MAX_SUMS && move_together(h, x->cell, y->cell))
                push_pair(h, x, y);
        }
    vec_free(&counters);
    settle_from_init(h, h->first_sum);
    h->cursor = 0;
}

static bool same_sum(const struct chain *a, const struct chain *b) {
    return a->cell == b->cell && a->other == b->other && a->factor == b->factor &&
           a->other_factor == b->other_factor && a->ge == b->ge;
}

static void push_modes(struct houdini *h, const struct chain *like, size_t first) {
    const struct system *sys = houdini_system(h);
    for (uint32_t g = 0; g < sys->cells.len; g++) {
        if (g == like->cell || g == like->other || !chains_can_guard(h, g) ||
            !(chains_related(h, g, like->cell) || chains_related(h, g, like->other)))
            continue;
        struct range values = chains_range(h, g);
        for (int64_t v = values.lo; v <= values.hi; v++)
            for (unsigned all = 0; all < 2 && h->chains.len < first + MAX_MODE_SUMS; all++) {
                struct chain chain = {.cell = like->cell,
                                      .other = like->other,
                                      .factor = like->factor,
                                      .other_factor = like->other_factor,
                                      .ge = like->ge,
                                      .guard = g,
                                      .guard_value = v};
                push_sum(h, chain, all ? UNLESS_CELL | UNLESS_OTHER : 0);
            }
    }
}

void sums_with_guards(struct houdini *h) {
    size_t end = h->chains.len;
    for (size_t i = h->first_sum; i < end; i++) {
        bool first = i == h->first_sum || !same_sum(&h->chains.data[i], &h->chains.data[i - 1]);
        bool any = false;
        for (size_t k = i; k < end && same_sum(&h->chains.data[i], &h->chains.data[k]); k++)
            any |= chain_has_bound(&h->chains.data[k]);
        struct chain like = h->chains.data[i];
        if (first && !any)
            push_modes(h, &like, end);
    }
    settle_from_init(h, end);
    h->cursor = 0;
}

/* ---- what is worth keeping ---- */

static bool escapes_within(const struct chain *few, const struct chain *many) {
    for (int i = 0; i < few->n_escapes; i++) {
        bool found = false;
        for (int k = 0; k < many->n_escapes; k++)
            found |= bound_same(few->escape[i], many->escape[k]);
        if (!found)
            return false;
    }
    return true;
}

static bool implies(const struct chain *a, const struct chain *b) {
    if (!chain_has_bound(a) || !same_sum(a, b) || !escapes_within(a, b) ||
        (a->guard != NONE && (a->guard != b->guard || a->guard_value != b->guard_value)))
        return false;
    int64_t x = chain_bound(a).ordinal, y = chain_bound(b).ordinal;
    return a->ge ? x >= y : x <= y;
}

static void drop(struct chain *c) {
    c->now = c->refuted = c->values.len;
}

/* It says no more than bounds of single cells do. */
static bool is_implied(struct houdini *h, const struct chain *c) {
    struct slits assume = {0};
    struct clause clause = {0};
    assert(h->first_sum > 0 && chain_is_sum(c));
    for (size_t i = 0; i < h->first_sum; i++)
        if (h->chains.data[i].active && chain_has_bound(&h->chains.data[i]))
            vec_push(&assume, slit_true(h->chains.data[i].active));
    chain_clause(h, c, &clause);
    bool possible = unroll_negated(&h->from_any, 0, &clause, &assume);
    bool implied =
        !possible || solver_solve(h->step, assume.data, assume.len, IMPLIED_TICKS) == SOLVER_UNSAT;
    vec_free(&assume);
    vec_free(&clause);
    return implied;
}

void sums_prune(struct houdini *h) {
    size_t kept = 0;
    for (size_t i = h->first_sum; i < h->chains.len; i++)
        if (chain_has_bound(&h->chains.data[i]) && is_implied(h, &h->chains.data[i]))
            drop(&h->chains.data[i]);
    for (size_t i = h->first_sum; i < h->chains.len; i++) {
        struct chain *c = &h->chains.data[i];
        for (size_t k = h->first_sum; k < h->chains.len && chain_has_bound(c); k++)
            if (k != i && implies(&h->chains.data[k], c))
                drop(c);
        kept += chain_has_bound(c);
    }
    h->too_many_sums = kept > MAX_KEPT;
}

bool sums_survive(const struct houdini *h) {
    for (size_t i = h->first_sum; h->first_sum > 0 && i < h->chains.len; i++)
        if (chain_has_bound(&h->chains.data[i]))
            return true;
    return false;
}
