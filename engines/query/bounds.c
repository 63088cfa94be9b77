/* bounds: a number that only bounds speak of is given up, after Loos and Weispfenning: it lies just
 * above its greatest lower bound in the model, so that one is above the other lower bounds and
 * below all upper ones. Where there is one bound on a side, that is all there is to say. */
#include "engines/query/projection.h"

#include "model/term/number.h"
#include "model/term/simplify.h"

#include <assert.h>

/* var <= limit, or >=; `strict`: not equal either. */
struct limit {
    term_t at; /* a sum without the variable */
    bool strict, upper;
};
VEC_STRUCT(limits, struct limit);

/* literal is: sum - c <= 0, or < 0, once turned round where it is negated. */
static void read_literal(struct projection *p, term_t literal, struct sum *sum, bool *strict) {
    struct terms *ts = p->ts;
    bool negated = term_is(ts, literal, OP_NOT);
    term_t atom = negated ? term_arg(ts, literal, 0) : literal;
    term_t left = term_arg(ts, atom, 0), right = term_arg(ts, atom, 1);
    bool turned = negated;
    if (term_is(ts, atom, OP_EQ)) /* different: on which side? */
        turned = !projection_true(p, term_op2(ts, OP_NLE, left, right));
    *strict = negated;
    mpq_t one;
    mpq_init(one);
    mpq_set_si(one, turned ? -1 : 1, 1);
    sum_add(ts, sum, left, one);
    mpq_neg(one, one);
    sum_add(ts, sum, right, one);
    if (*strict && term_sort(ts, left) == SORT_INTEGER) {
        mpq_set_si(one, 1, 1);
        mpq_add(sum->constant, sum->constant, one);
        *strict = false;
    }
    mpq_clear(one);
    sum_tidy(sum);
}

/* False: the variable occurs in another way than as a bound. */
static bool add_limit(struct projection *p, term_t var, term_t literal, struct limits *limits) {
    struct terms *ts = p->ts;
    assert(sort_is_number(term_sort(ts, var)));
    bool negated = term_is(ts, literal, OP_NOT), strict;
    term_t atom = negated ? term_arg(ts, literal, 0) : literal;
    sort_t sort = term_sort(ts, var);
    if (!term_is(ts, atom, OP_NLE) && !(negated && term_is(ts, atom, OP_EQ)))
        return false;
    struct sum sum;
    sum_init(&sum);
    read_literal(p, literal, &sum, &strict);
    mpq_srcptr factor = sum_factor(&sum, var);
    bool fits = factor && (sort == SORT_REAL || (mpz_cmpabs_ui(mpq_numref(factor), 1) == 0 &&
                                                 mpz_cmp_ui(mpq_denref(factor), 1) == 0));
    if (fits) {
        struct limit limit = {.strict = strict, .upper = mpq_sgn(factor) > 0};
        mpq_t scale;
        mpq_init(scale);
        mpq_inv(scale, factor);
        mpq_neg(scale, scale);
        sum_scale(&sum, scale); /* -var + limit */
        mpq_set_si(scale, 1, 1);
        sum_add(ts, &sum, var, scale);
        limit.at = sum_term(ts, sort, &sum);
        mpq_clear(scale);
        vec_push(limits, limit);
    }
    sum_free(&sum);
    return fits;
}

/* below <= above, or < */
static void demand(struct projection *p, term_t below, term_t above, bool strict) {
    struct terms *ts = p->ts;
    vec_push(&p->todo, strict ? term_not(ts, term_op2(ts, OP_NLE, above, below))
                              : term_op2(ts, OP_NLE, below, above));
}

static bool value_below(struct projection *p, term_t a, term_t b) {
    return !projection_true(p, term_op2(p->ts, OP_NLE, b, a));
}

/* The bound of a side that is nearest in the model; among equals a strict one. */
static size_t nearest(struct projection *p, const struct limits *limits, bool upper) {
    size_t best = limits->len;
    for (size_t i = 0; i < limits->len; i++) {
        const struct limit *l = &limits->data[i], *b = &limits->data[best];
        if (l->upper != upper)
            continue;
        if (best == limits->len ||
            (upper ? value_below(p, l->at, b->at) : value_below(p, b->at, l->at)) ||
            (l->strict && !b->strict && projection_value(p, l->at) == projection_value(p, b->at)))
            best = i;
    }
    return best;
}

/* It is `best` that the variable is next to. */
static void stand_next_to(struct projection *p, const struct limits *limits, size_t best) {
    assert(best < limits->len);
    struct limit b = limits->data[best];
    for (size_t i = 0; i < limits->len; i++) {
        struct limit l = limits->data[i];
        if (i == best)
            continue;
        bool strict = l.upper == b.upper ? l.strict && !b.strict : l.strict || b.strict;
        bool b_below = l.upper == b.upper ? b.upper : l.upper;
        demand(p, b_below ? b.at : l.at, b_below ? l.at : b.at, strict);
    }
}

bool projection_drop_number(struct projection *p, term_t var) {
    struct limits limits = {0};
    struct query_terms kept = {0};
    size_t uppers = 0;
    bool ok = true;
    assert(projection_gone(p, var) && p->todo.len == 0);
    for (size_t i = 0; i < p->literals.len && ok; i++) {
        term_t literal = p->literals.data[i];
        bool negated = term_is(p->ts, literal, OP_NOT);
        term_t atom = negated ? term_arg(p->ts, literal, 0) : literal;
        struct sum sum;
        sum_init(&sum);
        if (term_get(p->ts, atom)->arity == 2 &&
            term_sort(p->ts, term_arg(p->ts, atom, 0)) == term_sort(p->ts, var))
            read_literal(p, literal, &sum, &(bool){false});
        bool here = sum_factor(&sum, var) != NULL;
        sum_free(&sum);
        if (!here)
            vec_push(&kept, literal);
        else if ((ok = add_limit(p, var, literal, &limits)))
            uppers += vec_last(&limits).upper;
    }
    ok = ok && limits.len > 0; /* else it is below some other operator */
    if (ok) {
        struct query_terms old = p->literals;
        p->literals = kept;
        kept = old;
        size_t lowers = limits.len - uppers;
        if (uppers && lowers)
            stand_next_to(p, &limits, nearest(p, &limits, uppers < lowers));
    }
    vec_free(&kept);
    vec_free(&limits);
    return ok;
}
