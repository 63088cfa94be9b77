#include "model/invariant.h"

#include "base/bug.h"
#include "model/simplify.h"

/* The ordinal of NaN where a literal is asked about one (model/ordinal.h). */
enum { NAN_ORDINAL = 0 };

static const struct term_var *cell_var(const struct system *sys, uint32_t cell) {
    assert(cell < sys->cells.len);
    return &sys->terms->vars.data[term_bits(sys->terms, sys->cells.data[cell].var)];
}

struct bound bound_negate(struct bound b) {
    switch (b.kind) {
    case BOUND_GE:
        assert(b.ordinal != INT64_MIN);
        return (struct bound){b.cell, BOUND_LE, b.ordinal - 1};
    case BOUND_LE:
        assert(b.ordinal != INT64_MAX);
        return (struct bound){b.cell, BOUND_GE, b.ordinal + 1};
    case BOUND_NAN:
        return (struct bound){b.cell, BOUND_NOT_NAN, 0};
    case BOUND_NOT_NAN:
        return (struct bound){b.cell, BOUND_NAN, 0};
    default:
        bug("no bound has the kind %d", b.kind);
    }
}

bool bound_holds(struct bound b, sort_t sort, bool is_signed, uint64_t bits) {
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

bool clause_holds(const struct clause *c, const struct system *sys, const uint64_t *cells) {
    for (size_t i = 0; i < c->len; i++) {
        const struct term_var *var = cell_var(sys, c->data[i].cell);
        if (bound_holds(c->data[i], var->sort, var->is_signed, cells[c->data[i].cell]))
            return true;
    }
    return false;
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

void invariant_copy(struct invariant *to, const struct invariant *from) {
    assert(from->k >= 1 && to != from);
    invariant_init(to);
    to->k = from->k;
    for (size_t i = 0; i < from->clauses.len; i++)
        invariant_add(to, from->clauses.data[i].data, from->clauses.data[i].len);
    vec_append(&to->targets, from->targets.data, from->targets.len);
}
