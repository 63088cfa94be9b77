/* The terms of step and targets are walked once; each form that is found becomes a derived cell,
 * unless it has too many leaves. */
#include "engines/candidates.h"

#include "base/mem.h"
#include "model/term/simplify.h"
#include "model/term/term_c.h"

enum { LEAVES_MOST = 16 };

struct candidates {
    struct system *sys;
    size_t n_plain; /* cells that were there before */
    size_t until;   /* cells.len at which there are enough */
    VEC(bool) mark; /* [term] below the roots */
};

static void add_root(struct terms *ts, struct candidates *r, term_t t) {
    if (t)
        term_mark(ts, &t, 1, r->mark.data);
}

static void mark_program(struct candidates *r, bool targets) {
    struct system *sys = r->sys;
    for (size_t i = 0; targets && i < sys->targets.len; i++)
        add_root(sys->terms, r, sys->targets.data[i].hit);
    for (size_t i = 0; !targets && i < r->n_plain; i++)
        add_root(sys->terms, r, sys->cells.data[i].next);
    add_root(sys->terms, r, targets ? 0 : sys->step_ok);
}

/* Two things are compared, neither of them a constant: boxes say the rest. */
static bool is_relation(const struct terms *ts, term_t t) {
    const struct term *n = term_get(ts, t);
    return op_is_comparison(n->op) && !term_is_const(ts, n->arg[0]) &&
           !term_is_const(ts, n->arg[1]) && term_sort(ts, n->arg[0]) != SORT_BOOL;
}

/* It can be shown to people, and what certificates say of it is C. */
static bool has_form(struct terms *ts, term_t t) {
    struct str text = {0};
    bool has = term_print(ts, t, false, &text);
    str_free(&text);
    return has;
}

static void derive(struct candidates *r, term_t t) {
    struct terms *ts = r->sys->terms;
    if (r->sys->cells.len < r->until && !term_is_const(ts, t) && system_can_derive(r->sys, t) &&
        has_form(ts, t))
        system_derive(r->sys, t, false);
}

static void derive_comparisons(struct candidates *r) {
    struct terms *ts = r->sys->terms;
    term_t n = (term_t)r->mark.len;
    for (term_t t = 1; t < n; t++)
        if (r->mark.data[t] && is_relation(ts, t))
            derive(r, t);
}

/* A cell that no step changes. */
static bool is_limit(const struct candidates *r, term_t t) {
    for (size_t i = 0; i < r->n_plain; i++)
        if (r->sys->cells.data[i].var == t)
            return r->sys->cells.data[i].next == t;
    return false;
}

/* What counts up while i < n, n fixed, never passes n: n < i is never true. */
static void derive_limits(struct candidates *r) {
    struct terms *ts = r->sys->terms;
    term_t n = (term_t)r->mark.len;
    for (term_t t = 1; t < n; t++) {
        enum op op = term_get(ts, t)->op;
        bool strict = op == OP_SLT || op == OP_ULT || op == OP_FLT;
        if (!r->mark.data[t] || !strict || !is_relation(ts, t))
            continue;
        term_t low = term_arg(ts, t, 0), high = term_arg(ts, t, 1);
        if (is_limit(r, low) || is_limit(r, high))
            derive(r, term_op2(ts, op, high, low));
    }
}

static term_t at_most(struct terms *ts, const struct term_var *order, term_t x, term_t y) {
    enum op op = sort_is_float(order->sort) ? OP_FLE : order->is_signed ? OP_SLE : OP_ULE;
    return term_op2(ts, op, x, y);
}

static void derive_pair(struct candidates *r, uint32_t x, uint32_t y) {
    const struct system *sys = r->sys;
    term_t a = sys->cells.data[x].var, b = sys->cells.data[y].var;
    struct term_var order = sys->terms->vars.data[term_bits(sys->terms, a)];
    const struct term_var *other = &sys->terms->vars.data[term_bits(sys->terms, b)];
    if (x == y || order.sort != other->sort || order.is_signed != other->is_signed ||
        order.sort == SORT_BOOL)
        return;
    derive(r, at_most(r->sys->terms, &order, a, b));
    derive(r, at_most(r->sys->terms, &order, b, a));
}

/* What a term may be equal to: the leaves of its choices. */
static size_t list_leaves(const struct terms *ts, term_t t, term_t leaves[LEAVES_MOST]) {
    term_t stack[LEAVES_MOST] = {t};
    size_t n = 0, height = 1;
    while (height > 0 && n < LEAVES_MOST) {
        term_t at = stack[--height];
        if (!term_is(ts, at, OP_ITE))
            leaves[n++] = at;
        else if (height + 2 <= LEAVES_MOST) {
            stack[height++] = term_arg(ts, at, 2);
            stack[height++] = term_arg(ts, at, 1);
        }
    }
    return n;
}

/* A cell that becomes i where ext(i) is k: it is less wide than k. */
static void derive_widened(struct candidates *r, uint32_t cell, term_t x, term_t k,
                           bool is_signed) {
    struct terms *ts = r->sys->terms;
    const struct term *n = term_get(ts, x);
    enum op le = is_signed ? OP_SLE : OP_ULE;
    term_t wide = term_cast(ts, (enum op)n->op, n->sort, r->sys->cells.data[cell].var);
    derive(r, term_op2(ts, le, wide, k));
    derive(r, term_op2(ts, le, k, wide));
}

/* What becomes x where x is k may be k from then on. */
static void derive_stored(struct candidates *r, term_t x, term_t k, bool is_signed) {
    struct system *sys = r->sys;
    term_t leaves[LEAVES_MOST], narrow = 0;
    uint32_t limit = system_cell_of(sys, k);
    if (term_is(sys->terms, x, OP_SEXT) || term_is(sys->terms, x, OP_ZEXT))
        narrow = term_arg(sys->terms, x, 0);
    for (uint32_t i = 0; i < r->n_plain && limit != NONE; i++) {
        term_t var = sys->cells.data[i].var;
        size_t n = list_leaves(sys->terms, sys->cells.data[i].next, leaves);
        for (size_t j = 0; j < n && var != x && var != narrow; j++) {
            if (leaves[j] == x)
                derive_pair(r, i, limit);
            else if (leaves[j] == narrow)
                derive_widened(r, i, x, k, is_signed);
            else
                continue;
            break;
        }
    }
}

/* Where it is asked whether x is a fixed k, what happens there has happened to all that x has
 * passed. */
static void derive_passed(struct candidates *r) {
    struct terms *ts = r->sys->terms;
    term_t n = (term_t)r->mark.len;
    for (term_t t = 1; t < n; t++) {
        if (!r->mark.data[t] || !term_is(ts, t, OP_EQ) || !is_relation(ts, t))
            continue;
        term_t a = term_arg(ts, t, 0), b = term_arg(ts, t, 1);
        if (is_limit(r, a) == is_limit(r, b) || !sort_is_int(term_sort(ts, a)))
            continue;
        term_t k = is_limit(r, a) ? a : b, x = k == a ? b : a;
        bool is_signed = ts->vars.data[term_bits(ts, k)].is_signed; /* k is a variable */
        enum op op = is_signed ? OP_SLE : OP_ULE;
        derive(r, term_op2(ts, op, x, k));
        derive(r, term_op2(ts, op, k, x));
        derive_stored(r, x, k, is_signed);
    }
}

/* ---- copies ---- */

static void derive_copies(struct candidates *r, uint32_t cell) {
    const struct system *sys = r->sys;
    term_t leaves[LEAVES_MOST];
    size_t n = list_leaves(sys->terms, sys->cells.data[cell].next, leaves);
    for (uint32_t y = 0; y < r->n_plain; y++)
        for (size_t i = 0; y != cell && i < n; i++)
            if (leaves[i] == sys->cells.data[y].var ||
                (!term_is_const(sys->terms, leaves[i]) && leaves[i] == sys->cells.data[y].next)) {
                derive_pair(r, cell, y);
                break;
            }
}

void candidates_derive(struct system *sys, size_t most) {
    struct candidates r = {.sys = sys, .n_plain = sys->cells.len, .until = sys->cells.len + most};
    assert(sys->terms->nodes.len > 0);
    vec_resize_zero(&r.mark, sys->terms->nodes.len);
    mark_program(&r, true);
    derive_comparisons(&r);
    mark_program(&r, false);
    derive_comparisons(&r);
    derive_limits(&r);
    derive_passed(&r);
    for (uint32_t i = 0; i < r.n_plain && sys->cells.len < r.until; i++)
        derive_copies(&r, i);
    vec_free(&r.mark);
}
