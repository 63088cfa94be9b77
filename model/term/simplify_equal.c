/* Rules for equalities of integer sums, which wrap around, and of choices.
 *
 * Both sides of an equality are read as one sum, modulo 2^width: a constant and leaves with
 * factors. What cancels is dropped; a sum without leaves is decided, and so is one whose factors
 * share a power of two that does not divide the constant. Two such sums that differ by their
 * constant alone exclude each other. Sums beyond a few leaves stay as they are. */
#include "model/term/simplify.h"

enum { LEAVES = 8, VISITS = 24 };

struct sum {
    sort_t width;
    int n, seen; /* seen: leaves and constants, before those of one leaf were put together */
    term_t leaf[LEAVES];
    uint64_t factor[LEAVES];
    uint64_t constant;
};

static bool add_leaf(struct sum *s, term_t t, uint64_t factor) {
    int i = 0;
    while (i < s->n && s->leaf[i] != t)
        i++;
    if (i == LEAVES)
        return false;
    if (i == s->n) {
        s->leaf[s->n] = t;
        s->factor[s->n++] = 0;
    }
    s->factor[i] += factor;
    s->seen++;
    return true;
}

struct summand {
    term_t term;
    uint64_t factor;
};

/* Splits a sum, a difference or a constant multiple into at most two summands; how many. */
static int split(const struct terms *ts, struct summand x, struct summand part[2]) {
    const struct term *t = term_get(ts, x.term);
    bool scaled = (t->op == OP_MUL || t->op == OP_SHL) && term_is_const(ts, t->arg[1]);
    uint64_t c = scaled ? term_bits(ts, t->arg[1]) : 0;
    if (t->op == OP_ADD || t->op == OP_SUB) {
        part[0] = (struct summand){t->arg[0], x.factor};
        part[1] = (struct summand){t->arg[1], t->op == OP_ADD ? x.factor : 0 - x.factor};
        return 2;
    }
    if (!scaled || (t->op == OP_SHL && c >= t->sort))
        return 0;
    part[0] = (struct summand){t->arg[0], t->op == OP_SHL ? x.factor << c : x.factor * c};
    return 1;
}

static bool add_term(const struct terms *ts, struct sum *s, term_t t, uint64_t factor) {
    struct summand todo[VISITS + 2] = {{t, factor}};
    int n = 1;
    for (int visits = 0; n > 0; visits++) {
        struct summand x = todo[--n];
        if (visits == VISITS)
            return false;
        if (term_is_const(ts, x.term)) {
            s->constant += x.factor * term_bits(ts, x.term);
            s->seen += 1;
            continue;
        }
        int parts = split(ts, x, todo + n);
        n += parts;
        if (parts == 0 && !add_leaf(s, x.term, x.factor))
            return false;
    }
    return true;
}

/* a - b; false when it has too many parts. */
static bool difference(const struct terms *ts, term_t a, term_t b, struct sum *s) {
    *s = (struct sum){.width = term_sort(ts, a)};
    assert(sort_is_int(s->width) && term_sort(ts, b) == s->width);
    if (!add_term(ts, s, a, 1) || !add_term(ts, s, b, UINT64_MAX))
        return false;
    int kept = 0;
    for (int i = 0; i < s->n; i++) {
        s->leaf[kept] = s->leaf[i];
        s->factor[kept] = s->factor[i] & int_mask(s->width);
        kept += s->factor[kept] != 0;
    }
    s->n = kept;
    s->constant &= int_mask(s->width);
    return true;
}

/* ---- one equality ---- */

/* The largest power of two that divides all factors divides everything but, perhaps, the constant.
 */
static bool is_impossible(const struct sum *s) {
    uint64_t all = 0;
    for (int i = 0; i < s->n; i++)
        all |= s->factor[i];
    uint64_t lowest = all & (0 - all);
    return s->n == 0 ? s->constant != 0 : (s->constant & (lowest - 1)) != 0;
}

static term_t plus(struct terms *ts, term_t sum, term_t t) {
    return sum ? term_op2(ts, OP_ADD, sum, t) : t;
}

/* Leaves with a negative factor, and the constant, go to the right. */
static term_t equation(struct terms *ts, const struct sum *s) {
    term_t side[2] = {0, 0};
    uint64_t sign = (int_mask(s->width) >> 1) + 1;
    for (int i = 0; i < s->n; i++) {
        bool right = s->factor[i] >= sign && s->factor[i] != sign;
        uint64_t factor = right ? 0 - s->factor[i] : s->factor[i];
        term_t c = term_int(ts, s->width, (int64_t)factor);
        side[right] = plus(ts, side[right], term_op2(ts, OP_MUL, s->leaf[i], c));
    }
    uint64_t constant = side[0] ? 0 - s->constant : s->constant;
    int to = side[0] != 0;
    if (constant || !side[to])
        side[to] = plus(ts, side[to], term_int(ts, s->width, (int64_t)constant));
    return term_eq(ts, side[0], side[1]);
}

static bool is_sum(const struct terms *ts, term_t t) {
    struct summand part[2];
    return split(ts, (struct summand){t, 1}, part) > 0;
}

term_t simplify_equal_sums(struct terms *ts, term_t a, term_t b) {
    struct sum s;
    if ((!is_sum(ts, a) && !is_sum(ts, b)) || !difference(ts, a, b, &s))
        return 0;
    if (is_impossible(&s))
        return term_bool(ts, false);
    if (s.n == 0)
        return term_bool(ts, true);
    return s.seen > s.n + (s.constant != 0) ? equation(ts, &s) : 0;
}

/* ---- choices ---- */

static bool is_decided(const struct terms *ts, term_t a, term_t b) {
    struct sum s;
    if (a == b)
        return true;
    return sort_is_int(term_sort(ts, a)) && (is_sum(ts, a) || is_sum(ts, b)) &&
           difference(ts, a, b, &s) && (s.n == 0 || is_impossible(&s));
}

/* op(choice, other), or with the sides exchanged */
static term_t compare_branches(struct terms *ts, enum op op, term_t choice, term_t other,
                               bool exchanged) {
    struct term ite = *term_get(ts, choice);
    term_t result[3] = {ite.arg[0], 0, 0};
    for (int i = 1; i < 3; i++)
        result[i] =
            exchanged ? term_op2(ts, op, other, ite.arg[i]) : term_op2(ts, op, ite.arg[i], other);
    return term_ite(ts, result[0], result[1], result[2]);
}

static bool has_decided_branch(const struct terms *ts, term_t choice, term_t other) {
    return term_is(ts, choice, OP_ITE) && (is_decided(ts, term_arg(ts, choice, 1), other) ||
                                           is_decided(ts, term_arg(ts, choice, 2), other));
}

/* Pushed into the choice, one of the two comparisons is gone. */
term_t simplify_compare_choice(struct terms *ts, enum op op, term_t a, term_t b) {
    if (term_is_const(ts, a) || term_is_const(ts, b))
        return 0;
    if (has_decided_branch(ts, a, b))
        return compare_branches(ts, op, a, b, false);
    return has_decided_branch(ts, b, a) ? compare_branches(ts, op, b, a, true) : 0;
}

/* ---- two equalities ---- */

/* Do the leaves of the two sums agree, when those of one are multiplied by `factor`, 1 or -1? */
static bool same_leaves(const struct sum *p, const struct sum *q, uint64_t factor) {
    if (p->width != q->width || p->n != q->n || p->n == 0)
        return false;
    for (int i = 0; i < p->n; i++) {
        int k = 0;
        while (k < q->n && q->leaf[k] != p->leaf[i])
            k++;
        if (k == q->n || p->factor[i] != (q->factor[k] * factor & int_mask(q->width)))
            return false;
    }
    return true;
}

static bool read_equality(const struct terms *ts, term_t t, bool negated, struct sum *s) {
    if (term_is(ts, t, OP_NOT) != negated)
        return false;
    t = negated ? term_arg(ts, t, 0) : t;
    return term_is(ts, t, OP_EQ) && sort_is_int(term_sort(ts, term_arg(ts, t, 0))) &&
           difference(ts, term_arg(ts, t, 0), term_arg(ts, t, 1), s);
}

/* -1: not of the same leaves; else do both equalities say the same (1), or exclude each other? */
static int same_equality(const struct terms *ts, term_t a, bool a_negated, term_t b,
                         bool b_negated) {
    struct sum p, q;
    if (!read_equality(ts, a, a_negated, &p) || !read_equality(ts, b, b_negated, &q))
        return -1;
    if (same_leaves(&p, &q, 1))
        return p.constant == q.constant;
    if (same_leaves(&p, &q, UINT64_MAX))
        return p.constant == ((0 - q.constant) & int_mask(q.width));
    return -1;
}

static term_t two_equalities(struct terms *ts, enum op op, term_t a, term_t b) {
    assert(op == OP_AND || op == OP_OR);
    bool dual = op == OP_OR; /* of the negations, by de Morgan's laws */
    int both = same_equality(ts, a, dual, b, dual);
    if (both >= 0)
        return both ? a : term_bool(ts, dual);
    int left = same_equality(ts, a, dual, b, !dual);
    if (left >= 0)
        return left ? term_bool(ts, dual) : a; /* u = 1 & u != 1, u = 1 & u != 2 */
    int right = same_equality(ts, a, !dual, b, dual);
    return right < 0 ? 0 : right ? term_bool(ts, dual) : b;
}

/* An equality, or its negation, that says more than which constant a term is. */
static bool is_relation(const struct terms *ts, term_t t) {
    t = term_is(ts, t, OP_NOT) ? term_arg(ts, t, 0) : t;
    return term_is(ts, t, OP_EQ) && sort_is_int(term_sort(ts, term_arg(ts, t, 0))) &&
           (!term_is_const(ts, term_arg(ts, t, 1)) || is_sum(ts, term_arg(ts, t, 0)));
}

/* What one of the operands of the junction `t`, a few levels deep, says of `part`: the constant
 * that both give, or that operand itself when it makes `part` superfluous; 0: nothing. */
static term_t said_within(struct terms *ts, enum op op, term_t t, term_t part, int levels) {
    if (is_relation(ts, t)) {
        term_t both = two_equalities(ts, op, t, part);
        return both && (both == t || term_is_const(ts, both)) ? both : 0;
    }
    if (levels == 0 || !term_is(ts, t, op))
        return 0;
    term_t said = said_within(ts, op, term_arg(ts, t, 0), part, levels - 1);
    return said ? said : said_within(ts, op, term_arg(ts, t, 1), part, levels - 1);
}

term_t simplify_equalities(struct terms *ts, enum op op, term_t a, term_t b) {
    term_t side[2] = {a, b};
    if (is_relation(ts, a) && is_relation(ts, b))
        return two_equalities(ts, op, a, b);
    for (int i = 0; i < 2; i++) {
        term_t part = side[i], rest = side[1 - i];
        term_t said = is_relation(ts, part) ? said_within(ts, op, rest, part, 3) : 0;
        if (said)
            return term_is_const(ts, said) ? said : rest;
    }
    return 0;
}
