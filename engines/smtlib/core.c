/* core: the theory Core: Booleans, equality and if-then-else. */
#include "engines/smtlib/parts.h"

#include <assert.h>

static bool all_bool(struct smt_call *c) {
    for (uint32_t i = 0; i < c->n; i++)
        if (!smt_expect(c, i, SMT_BOOL))
            return false;
    return true;
}

static bool constant(struct smt_call *c, struct smt_value *out) {
    return smt_give(c, out, term_bool(smt_terms(c), c->row->detail != 0));
}

static bool negation(struct smt_call *c, struct smt_value *out) {
    return all_bool(c) && smt_give(c, out, term_not(smt_terms(c), c->args[0].term));
}

/* and, or, xor: from the left */
static bool connective(struct smt_call *c, struct smt_value *out) {
    if (!all_bool(c))
        return false;
    term_t t = c->args[0].term;
    for (uint32_t i = 1; i < c->n; i++)
        t = term_op2(smt_terms(c), (enum op)c->row->detail, t, c->args[i].term);
    return smt_give(c, out, t);
}

/* from the right */
static bool implication(struct smt_call *c, struct smt_value *out) {
    if (!all_bool(c))
        return false;
    term_t t = c->args[c->n - 1].term;
    for (uint32_t i = c->n - 1; i > 0; i--)
        t = term_implies(smt_terms(c), c->args[i - 1].term, t);
    return smt_give(c, out, t);
}

/* Reals have no terms, they are known. */
static bool equal_constants(struct smt_call *c, uint32_t i, uint32_t k, bool *same) {
    assert(i < c->n && k < c->n);
    const struct smt_value *x = &c->args[i], *y = &c->args[k];
    if (x->sort.kind == SMT_REAL) {
        *same = mpq_equal(c->smt->reals.data[x->real].q, c->smt->reals.data[y->real].q) != 0;
        return true;
    }
    return false;
}

static term_t equal(struct smt_call *c, uint32_t i, uint32_t k) {
    bool same;
    if (equal_constants(c, i, k, &same))
        return term_bool(smt_terms(c), same);
    return term_eq(smt_terms(c), c->args[i].term, c->args[k].term);
}

static bool equality(struct smt_call *c, struct smt_value *out) {
    assert(c->n >= 2);
    if (!smt_same_sorts(c, 0))
        return false;
    term_t t = term_bool(smt_terms(c), true);
    for (uint32_t i = 0; i + 1 < c->n; i++)
        t = term_and(smt_terms(c), t, equal(c, i, i + 1));
    return smt_give(c, out, t);
}

static bool distinct(struct smt_call *c, struct smt_value *out) {
    if (!smt_same_sorts(c, 0))
        return false;
    term_t t = term_bool(smt_terms(c), true);
    for (uint32_t i = 0; i < c->n; i++)
        for (uint32_t k = i + 1; k < c->n; k++)
            t = term_and(smt_terms(c), t, term_not(smt_terms(c), equal(c, i, k)));
    return smt_give(c, out, t);
}

static bool choice(struct smt_call *c, struct smt_value *out) {
    assert(c->n == 3);
    if (!smt_expect(c, 0, SMT_BOOL) || !smt_same_sorts(c, 1))
        return false;
    term_t t = c->args[0].term;
    if (term_is_true(smt_terms(c), t) || term_is_false(smt_terms(c), t)) {
        *out = c->args[term_is_true(smt_terms(c), t) ? 1 : 2];
        return true;
    }
    if (c->args[1].term == 0)
        return smt_lack(out, "a choice between reals");
    *out = (struct smt_value){c->args[1].sort,
                              term_ite(smt_terms(c), t, c->args[1].term, c->args[2].term)};
    return true;
}

const struct smt_builtin smt_core_rows[] = {
    {"true", 0, 0, 0, constant, 1},        {"false", 0, 0, 0, constant, 0},
    {"not", 0, 1, 1, negation, 0},         {"and", 0, 1, MANY, connective, OP_AND},
    {"or", 0, 1, MANY, connective, OP_OR}, {"xor", 0, 2, MANY, connective, OP_XOR},
    {"=>", 0, 2, MANY, implication, 0},    {"=", 0, 2, MANY, equality, 0},
    {"distinct", 0, 2, MANY, distinct, 0}, {"ite", 0, 3, 3, choice, 0},
};
const uint32_t smt_core_count = sizeof smt_core_rows / sizeof *smt_core_rows;
