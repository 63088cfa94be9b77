/* Rules for a conjunction or disjunction of two atoms about the same term x and constants:
 * x = c decides every other comparison of x, and of two bounds one implies or excludes the other.
 */
#include "model/term/eval.h"
#include "model/term/simplify.h"

/* `op(x, c)`, or its negation */
struct atom {
    bool negated;
    enum op op;
    term_t x, c;
};

static bool read_atom(const struct terms *ts, term_t t, struct atom *atom) {
    atom->negated = term_is(ts, t, OP_NOT);
    const struct term *n = term_get(ts, atom->negated ? term_arg(ts, t, 0) : t);
    bool compares = n->op == OP_EQ || (n->op >= OP_ULT && n->op <= OP_SLE) || n->op == OP_FEQ ||
                    n->op == OP_FLT || n->op == OP_FLE;
    if (!compares || sort_is_number(term_sort(ts, n->arg[0])) || term_is_const(ts, n->arg[0]) ||
        !term_is_const(ts, n->arg[1]))
        return false;
    atom->op = n->op;
    atom->x = n->arg[0];
    atom->c = n->arg[1];
    return true;
}

static bool holds_at(const struct terms *ts, struct atom atom, uint64_t bits) {
    assert(term_is_const(ts, atom.c));
    uint64_t args[2] = {bits, term_bits(ts, atom.c)};
    return term_eval_op(atom.op, SORT_BOOL, term_sort(ts, atom.c), args) != atom.negated;
}

/* (x = c) & b: b is decided. (x != c) | b: likewise. */
static term_t decided_by_equality(struct terms *ts, enum op op, term_t a, struct atom p,
                                  struct atom q) {
    assert(p.x == q.x && (op == OP_AND || op == OP_OR));
    if (p.op != OP_EQ || p.negated != (op == OP_OR))
        return 0;
    bool holds = holds_at(ts, q, term_bits(ts, p.c));
    if (op == OP_AND)
        return holds ? a : term_bool(ts, false);
    return holds ? term_bool(ts, true) : a;
}

/* Both bound x from one side: one of them is weaker. */
static term_t same_side(enum op op, bool negated, term_t a, int64_t c, term_t b, int64_t d) {
    assert(c != d);
    bool smaller = (op == OP_AND) != negated; /* x < c & x < d is x < min(c, d) */
    return (c < d) == smaller ? a : b;
}

/* x < c and x >= d */
static term_t both_sides(struct terms *ts, enum op op, struct atom below, int64_t c, int64_t d) {
    assert(!below.negated);
    sort_t sort = term_sort(ts, below.x);
    if (op == OP_OR)
        return d <= c ? term_bool(ts, true) : 0;
    if (d >= c)
        return term_bool(ts, false);
    if (d != c - 1)
        return 0;
    uint64_t only = ordinal_bits(sort, below.op == OP_SLT, d);
    return term_eq(ts, below.x, term_const(ts, sort, only));
}

static term_t two_bounds(struct terms *ts, enum op op, term_t a, term_t b, struct atom p,
                         struct atom q) {
    if (p.op != q.op || (p.op != OP_ULT && p.op != OP_SLT))
        return 0;
    sort_t sort = term_sort(ts, p.x);
    int64_t c = ordinal_of(sort, p.op == OP_SLT, term_bits(ts, p.c));
    int64_t d = ordinal_of(sort, p.op == OP_SLT, term_bits(ts, q.c));
    if (p.negated == q.negated)
        return same_side(op, p.negated, a, c, b, d);
    return p.negated ? both_sides(ts, op, q, d, c) : both_sides(ts, op, p, c, d);
}

term_t simplify_atoms(struct terms *ts, enum op op, term_t a, term_t b) {
    struct atom p, q;
    if (!read_atom(ts, a, &p) || !read_atom(ts, b, &q) || p.x != q.x)
        return simplify_equalities(ts, op, a, b);
    term_t simple = decided_by_equality(ts, op, a, p, q);
    if (!simple)
        simple = decided_by_equality(ts, op, b, q, p);
    return simple ? simple : two_bounds(ts, op, a, b, p, q);
}
