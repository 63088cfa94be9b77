/* Bounds as terms are written over the cell's variable, sums in a width in which nothing wraps. */
#include "model/system/invariant.h"

#include "base/bug.h"
#include "model/term/simplify.h"

#include <stdlib.h>

/* The ordinal of NaN where a literal is asked about one (model/term/ordinal.h). */
enum { NAN_ORDINAL = 0 };

static const struct term_var *cell_var(const struct system *sys, uint32_t cell) {
    assert(cell < sys->cells.len);
    return &sys->terms->vars.data[term_bits(sys->terms, sys->cells.data[cell].var)];
}

struct bound bound_negate(struct bound b) {
    switch (b.kind) {
    case BOUND_GE:
        assert(b.ordinal != INT64_MIN);
        b.kind = BOUND_LE;
        b.ordinal--;
        return b;
    case BOUND_LE:
        assert(b.ordinal != INT64_MAX);
        b.kind = BOUND_GE;
        b.ordinal++;
        return b;
    case BOUND_NAN:
        return (struct bound){b.cell, BOUND_NOT_NAN, 0};
    case BOUND_NOT_NAN:
        return (struct bound){b.cell, BOUND_NAN, 0};
    default:
        bug("no bound has the kind %d", b.kind);
    }
}

bool bound_same(struct bound a, struct bound b) {
    return a.cell == b.cell && a.kind == b.kind && a.ordinal == b.ordinal && a.other == b.other &&
           a.factor == b.factor && a.other_factor == b.other_factor;
}

bool clause_same(const struct clause *a, const struct clause *b) {
    bool same = a->len == b->len;
    for (size_t i = 0; same && i < a->len; i++)
        same = bound_same(a->data[i], b->data[i]);
    return same;
}

bool bound_holds(struct bound b, sort_t sort, bool is_signed, uint64_t bits) {
    assert(!bound_is_sum(b));
    switch (b.kind) {
    case BOUND_GE:
        return ordinal_of(sort, is_signed, bits) >= b.ordinal;
    case BOUND_LE:
        return ordinal_of(sort, is_signed, bits) <= b.ordinal;
    case BOUND_NAN:
        return bits_are_nan(sort, bits);
    case BOUND_NOT_NAN:
        return !bits_are_nan(sort, bits);
    default:
        bug("no bound has the kind %d", b.kind);
    }
}

static bool sum_holds(struct bound b, const struct system *sys, const uint64_t *cells) {
    assert(bound_sum_valid(sys, b));
    const struct term_var *x = cell_var(sys, b.cell), *y = cell_var(sys, b.other);
    int64_t sum = b.factor * ordinal_of(x->sort, x->is_signed, cells[b.cell]) +
                  b.other_factor * ordinal_of(y->sort, y->is_signed, cells[b.other]);
    return b.kind == BOUND_GE ? sum >= b.ordinal : sum <= b.ordinal;
}

bool clause_holds(const struct clause *c, const struct system *sys, const uint64_t *cells) {
    for (size_t i = 0; i < c->len; i++) {
        struct bound b = c->data[i];
        const struct term_var *var = cell_var(sys, b.cell);
        if (bound_is_sum(b) ? sum_holds(b, sys, cells)
                            : bound_holds(b, var->sort, var->is_signed, cells[b.cell]))
            return true;
    }
    return false;
}

bool clause_map(struct clause *c, const uint32_t *cells) {
    for (size_t i = 0; i < c->len; i++) {
        struct bound *b = &c->data[i];
        b->cell = cells[b->cell];
        if (bound_is_sum(*b))
            b->other = cells[b->other];
        if (b->cell == NONE || (bound_is_sum(*b) && b->other == NONE))
            return false;
    }
    return true;
}

/* ---- sums ---- */

bool bound_can_sum(const struct system *sys, uint32_t cell) {
    sort_t sort = cell_var(sys, cell)->sort;
    return sort_is_int(sort) && sort <= 32;
}

static bool factor_valid(int factor) {
    return factor != 0 && factor >= -BOUND_FACTOR_MAX && factor <= BOUND_FACTOR_MAX;
}

bool bound_sum_valid(const struct system *sys, struct bound b) {
    return bound_is_sum(b) && (b.kind == BOUND_GE || b.kind == BOUND_LE) && b.cell != b.other &&
           b.cell < sys->cells.len && b.other < sys->cells.len && bound_can_sum(sys, b.cell) &&
           bound_can_sum(sys, b.other) && b.factor > 0 && factor_valid(b.factor) &&
           factor_valid(b.other_factor);
}

/* Bits that hold |factor| times any value of the cell, either sign. */
static sort_t product_width(const struct term_var *var, int factor) {
    int width = var->sort + 1;
    for (int f = abs(factor); f > 1; f = (f + 1) / 2)
        width++;
    return (sort_t)width;
}

static term_t product(struct terms *ts, const struct term_var *var, int factor, sort_t sort) {
    term_t x = term_cast(ts, var->is_signed ? OP_SEXT : OP_ZEXT, sort, var->term);
    return factor == 1 ? x : term_op2(ts, OP_MUL, x, term_int(ts, sort, factor));
}

term_t bound_sum(const struct system *sys, struct bound b) {
    assert(bound_sum_valid(sys, b));
    struct term_var x = *cell_var(sys, b.cell), y = *cell_var(sys, b.other);
    sort_t wx = product_width(&x, b.factor), wy = product_width(&y, b.other_factor);
    sort_t sort = (sort_t)((wx > wy ? wx : wy) + 1);
    term_t first = product(sys->terms, &x, b.factor, sort);
    term_t second = product(sys->terms, &y, abs(b.other_factor), sort);
    return term_op2(sys->terms, b.other_factor < 0 ? OP_SUB : OP_ADD, first, second);
}

/* ---- what types alone say ---- */

static void add_product_range(const struct term_var *var, int factor, int64_t *least,
                              int64_t *most) {
    int64_t a = factor * ordinal_min(var->sort, var->is_signed);
    int64_t b = factor * ordinal_max(var->sort, var->is_signed);
    *least += a < b ? a : b;
    *most += a < b ? b : a;
}

enum bound_truth bound_truth(const struct system *sys, struct bound b) {
    const struct term_var *var = cell_var(sys, b.cell);
    int64_t least = 0, most = 0;
    if (b.kind == BOUND_NAN || b.kind == BOUND_NOT_NAN) {
        if (sort_is_float(var->sort))
            return BOUND_OPEN;
        return b.kind == BOUND_NAN ? BOUND_NEVER : BOUND_ALWAYS;
    }
    if (bound_is_sum(b)) {
        assert(bound_sum_valid(sys, b));
        add_product_range(var, b.factor, &least, &most);
        add_product_range(cell_var(sys, b.other), b.other_factor, &least, &most);
    } else {
        least = ordinal_min(var->sort, var->is_signed);
        most = ordinal_max(var->sort, var->is_signed);
    }
    bool ge = b.kind == BOUND_GE;
    if (ge ? b.ordinal <= least : b.ordinal >= most)
        return BOUND_ALWAYS;
    return (ge ? b.ordinal > most : b.ordinal < least) ? BOUND_NEVER : BOUND_OPEN;
}

/* ---- as terms ---- */

/* x >= v for floats, v not NaN, with -0 below +0 and NaN in the place of +0. */
static term_t float_at_least(struct terms *ts, term_t x, int64_t ordinal) {
    assert(sort_is_float(term_sort(ts, x)));
    sort_t sort = term_sort(ts, x);
    term_t v = term_const(ts, sort, ordinal_bits(sort, true, ordinal));
    if (ordinal == NAN_ORDINAL)
        return term_not(ts, term_op1(ts, OP_FSIGN, x));
    if (ordinal > NAN_ORDINAL)
        return term_op2(ts, OP_FLE, v, x);
    return term_not(ts, term_op2(ts, OP_FLT, x, v));
}

static term_t int_at_least(struct terms *ts, term_t x, bool is_signed, int64_t ordinal) {
    assert(!sort_is_float(term_sort(ts, x)));
    sort_t sort = term_sort(ts, x);
    if (sort == SORT_BOOL)
        return x; /* x >= 1, the only bound inside the range */
    term_t v = term_const(ts, sort, ordinal_bits(sort, is_signed, ordinal));
    return term_op2(ts, is_signed ? OP_SLE : OP_ULE, v, x);
}

static term_t at_least(struct terms *ts, const struct term_var *var, int64_t ordinal) {
    term_t x = var->term;
    if (ordinal <= ordinal_min(var->sort, var->is_signed))
        return term_bool(ts, true);
    if (ordinal > ordinal_max(var->sort, var->is_signed))
        return term_bool(ts, false);
    if (sort_is_float(var->sort))
        return float_at_least(ts, x, ordinal);
    return int_at_least(ts, x, var->is_signed, ordinal);
}

term_t bound_term(struct system *sys, struct bound b) {
    assert(b.kind <= BOUND_NOT_NAN);
    struct terms *ts = sys->terms;
    struct term_var var = *cell_var(sys, b.cell);
    if (bound_is_sum(b)) {
        term_t sum = bound_sum(sys, b);
        var = (struct term_var){"", term_sort(ts, sum), true, sum};
    }
    if (b.kind == BOUND_GE)
        return at_least(ts, &var, b.ordinal);
    if (b.kind == BOUND_LE && b.ordinal == INT64_MAX)
        return term_bool(ts, true);
    if (b.kind == BOUND_LE)
        return term_not(ts, at_least(ts, &var, b.ordinal + 1));
    if (!sort_is_float(var.sort))
        return term_bool(ts, b.kind == BOUND_NOT_NAN);
    term_t nan = term_op1(ts, OP_FISNAN, var.term);
    return b.kind == BOUND_NAN ? nan : term_not(ts, nan);
}

term_t clause_term(struct system *sys, const struct clause *c) {
    term_t result = term_bool(sys->terms, false);
    for (size_t i = 0; i < c->len; i++)
        result = term_or(sys->terms, result, bound_term(sys, c->data[i]));
    return result;
}

/* ---- invariants ---- */

void invariant_init(struct invariant *inv) {
    *inv = (struct invariant){.k = 1};
}

void invariant_free(struct invariant *inv) {
    for (size_t i = 0; i < inv->clauses.len; i++)
        vec_free(&inv->clauses.data[i]);
    vec_free(&inv->clauses);
    vec_free(&inv->targets);
}

void invariant_add(struct invariant *inv, const struct bound *lits, size_t n) {
    assert(lits || n == 0);
    struct clause clause = {0};
    vec_append(&clause, lits, n);
    vec_push(&inv->clauses, clause);
}

bool invariant_has(const struct invariant *inv, const struct clause *c) {
    for (size_t i = 0; i < inv->clauses.len; i++)
        if (clause_same(&inv->clauses.data[i], c))
            return true;
    return false;
}

/* Without the bounds that never hold; false: one always does. */
static bool tidy_clause(struct clause *c, const struct system *sys) {
    size_t kept = 0;
    for (size_t i = 0; i < c->len; i++) {
        enum bound_truth truth = bound_truth(sys, c->data[i]);
        if (truth == BOUND_ALWAYS)
            return false;
        if (truth == BOUND_OPEN)
            c->data[kept++] = c->data[i];
    }
    c->len = kept;
    return true;
}

void invariant_tidy(struct invariant *inv, const struct system *sys) {
    size_t kept = 0;
    for (size_t i = 0; i < inv->clauses.len; i++)
        if (tidy_clause(&inv->clauses.data[i], sys))
            inv->clauses.data[kept++] = inv->clauses.data[i];
        else
            vec_free(&inv->clauses.data[i]);
    inv->clauses.len = kept;
}

void invariant_copy(struct invariant *to, const struct invariant *from) {
    assert(from->k >= 1 && to != from);
    invariant_init(to);
    to->k = from->k;
    for (size_t i = 0; i < from->clauses.len; i++)
        invariant_add(to, from->clauses.data[i].data, from->clauses.data[i].len);
    vec_append(&to->targets, from->targets.data, from->targets.len);
}
