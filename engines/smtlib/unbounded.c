/* unbounded: the theories Ints and Reals as far as they are linear, where `options.numbers` asks
 * for them (engines/horn): the solver itself knows no such numbers. */
#include "engines/smtlib/parts.h"

#include "model/term/number.h"

#include <assert.h>

bool smt_unbounded_literal(struct smt *smt, const mpq_t value, bool whole, struct smt_value *out) {
    sort_t sort = whole ? SORT_INTEGER : SORT_REAL;
    assert(smt->options.numbers);
    *out = (struct smt_value){.sort = smt_sort_of(sort)};
    out->term = term_number_q(&smt->terms, sort, value);
    return true;
}

/* Whole constants stand for reals, too, where the other arguments are. */
static bool common_sort(struct smt_call *c, term_t *terms, sort_t *sort) {
    struct terms *ts = smt_terms(c);
    assert(c->smt->options.numbers && c->n > 0);
    *sort = SORT_INTEGER;
    for (uint32_t i = 0; i < c->n; i++) {
        if (!smt_expect(c, i, SMT_NUMBER))
            return false;
        terms[i] = c->args[i].term;
        if (term_sort(ts, terms[i]) == SORT_REAL)
            *sort = SORT_REAL;
    }
    for (uint32_t i = 0; i < c->n; i++) {
        if (term_sort(ts, terms[i]) == *sort)
            continue;
        if (!term_is_const(ts, terms[i]))
            return smt_fail(c, "arguments have different sorts");
        terms[i] = term_number(ts, SORT_REAL, term_number_text(ts, terms[i]));
    }
    return true;
}

static term_t times(struct terms *ts, term_t t, long factor) {
    mpq_t q;
    mpq_init(q);
    mpq_set_si(q, factor, 1);
    term_t number = term_number_q(ts, term_sort(ts, t), q);
    mpq_clear(q);
    return term_op2(ts, OP_NMUL, number, t);
}

/* x / c for a constant c */
static bool quotient(struct smt_call *c, sort_t sort, const term_t *terms, struct smt_value *out) {
    struct terms *ts = smt_terms(c);
    assert(c->n >= 2 && sort_is_number(sort));
    term_t by = terms[1], over = terms[0];
    if (c->n != 2 || !term_is_const(ts, by))
        return smt_lack(out, "division by what is not constant");
    if (sort != SORT_REAL) { /* a fraction of whole constants is a real number */
        if (!term_is_const(ts, over))
            return smt_fail(c, "arguments must be Real");
        over = term_number(ts, SORT_REAL, term_number_text(ts, over));
    }
    mpq_t q;
    mpq_init(q);
    term_number_value(ts, by, q);
    bool zero = mpq_sgn(q) == 0;
    if (!zero) {
        mpq_inv(q, q);
        term_t t = term_op2(ts, OP_NMUL, term_number_q(ts, SORT_REAL, q), over);
        smt_give(c, out, t);
    }
    mpq_clear(q);
    return !zero || smt_fail(c, "division by zero");
}

static bool arithmetic(struct smt_call *c, struct smt_value *out, term_t *terms) {
    struct terms *ts = smt_terms(c);
    sort_t sort;
    if (!common_sort(c, terms, &sort))
        return false;
    if (c->row->detail == '/')
        return quotient(c, sort, terms, out);
    term_t t = c->n == 1 && c->row->detail == '-' ? times(ts, terms[0], -1) : terms[0];
    for (uint32_t i = 1; i < c->n; i++) {
        if (c->row->detail == '*') {
            if (!term_is_const(ts, t) && !term_is_const(ts, terms[i]))
                return smt_lack(out, "products of variables that are no bit-vectors");
            t = term_op2(ts, OP_NMUL, t, terms[i]);
        } else {
            term_t next = c->row->detail == '-' ? times(ts, terms[i], -1) : terms[i];
            t = term_op2(ts, OP_NADD, t, next);
        }
    }
    return smt_give(c, out, t);
}

/* <, <=, >, >= in a row: detail is 2 for the strict ones, 1 more for those turned round */
static bool comparison(struct smt_call *c, struct smt_value *out, term_t *terms) {
    struct terms *ts = smt_terms(c);
    sort_t sort;
    if (!common_sort(c, terms, &sort))
        return false;
    bool strict = c->row->detail & 2, turned = c->row->detail & 1;
    term_t all = term_bool(ts, true);
    for (uint32_t i = 0; i + 1 < c->n; i++) {
        term_t a = terms[turned ? i + 1 : i], b = terms[turned ? i : i + 1];
        term_t one = strict ? term_not(ts, term_op2(ts, OP_NLE, b, a)) : term_op2(ts, OP_NLE, a, b);
        all = term_and(ts, all, one);
    }
    return smt_give(c, out, all);
}

static bool with_terms(struct smt_call *c, struct smt_value *out,
                       bool (*build)(struct smt_call *, struct smt_value *, term_t *)) {
    term_t *terms = mem_zalloc(c->n, sizeof *terms);
    bool ok = build(c, out, terms);
    mem_free(terms);
    return ok;
}

bool smt_unbounded_arithmetic(struct smt_call *c, struct smt_value *out) {
    return with_terms(c, out, arithmetic);
}

static bool compare(struct smt_call *c, struct smt_value *out) {
    if (!c->smt->options.numbers)
        return smt_lack(out, "real arithmetic");
    return with_terms(c, out, comparison);
}

static bool to_real(struct smt_call *c, struct smt_value *out) {
    struct terms *ts = smt_terms(c);
    if (!c->smt->options.numbers)
        return smt_lack(out, "real arithmetic");
    if (!smt_expect(c, 0, SMT_NUMBER))
        return false;
    term_t t = c->args[0].term;
    if (term_sort(ts, t) == SORT_REAL)
        return smt_give(c, out, t);
    if (!term_is_const(ts, t))
        return smt_lack(out, "integers that become reals");
    return smt_give(c, out, term_number(ts, SORT_REAL, term_number_text(ts, t)));
}

const struct smt_builtin smt_unbounded_rows[] = {
    {"<=", 0, 2, MANY, compare, 0}, {">=", 0, 2, MANY, compare, 1},   {"<", 0, 2, MANY, compare, 2},
    {">", 0, 2, MANY, compare, 3},  {"to_real", 0, 1, 1, to_real, 0},
};
const uint32_t smt_unbounded_count = sizeof smt_unbounded_rows / sizeof *smt_unbounded_rows;
