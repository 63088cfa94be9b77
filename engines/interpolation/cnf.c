/* Clause sets: see cnf.h. */
#include "engines/interpolation/cnf.h"

#include "base/bug.h"

#include <stdlib.h>

void cnf_free(struct cnf *cnf) {
    for (size_t i = 0; i < cnf->clauses.len; i++)
        vec_free(&cnf->clauses.data[i]);
    vec_free(&cnf->clauses);
}

void cnf_copy(struct cnf *to, const struct cnf *from) {
    assert(to->clauses.len == 0);
    for (size_t i = 0; i < from->clauses.len; i++) {
        struct slits clause = {0};
        vec_append(&clause, from->clauses.data[i].data, from->clauses.data[i].len);
        vec_push(&to->clauses, clause);
    }
}

static int side_order(const void *a, const void *b) {
    const struct slit *x = a, *y = b;
    if (x->var != y->var)
        return x->var < y->var ? -1 : 1;
    return (int)x->ge - (int)y->ge;
}

/* a implies b, for literals of one side */
static bool lit_implies(struct slit a, struct slit b) {
    assert(side_order(&a, &b) == 0);
    return a.ge ? a.ordinal >= b.ordinal : a.ordinal <= b.ordinal;
}

/* Sorted, one literal a side. False: the clause is true in itself. */
static bool clause_normalise(struct slits *c) {
    size_t n = 0;
    if (c->len > 1)
        qsort(c->data, c->len, sizeof *c->data, side_order);
    for (size_t i = 0; i < c->len; i++) {
        struct slit l = c->data[i];
        if (n && side_order(&c->data[n - 1], &l) == 0) {
            if (lit_implies(c->data[n - 1], l))
                c->data[n - 1] = l;
        } else {
            c->data[n++] = l;
        }
        const struct slit *lower = n > 1 ? &c->data[n - 2] : NULL, *last = &c->data[n - 1];
        if (lower && lower->var == last->var && lower->ordinal >= last->ordinal - 1)
            return false; /* x <= 7 or x >= 8 */
    }
    c->len = n;
    return true;
}

/* Every literal of a implies one of b. */
static bool clause_implies(const struct slits *a, const struct slits *b) {
    size_t k = 0;
    if (a->len > b->len)
        return false;
    for (size_t i = 0; i < a->len; i++, k++) {
        while (k < b->len && side_order(&b->data[k], &a->data[i]) < 0)
            k++;
        if (k == b->len || side_order(&b->data[k], &a->data[i]) != 0 ||
            !lit_implies(a->data[i], b->data[k]))
            return false;
    }
    return true;
}

static void drop_implied(struct cnf *cnf, const struct slits *by) {
    size_t n = 0;
    for (size_t i = 0; i < cnf->clauses.len; i++)
        if (clause_implies(by, &cnf->clauses.data[i]))
            vec_free(&cnf->clauses.data[i]);
        else
            cnf->clauses.data[n++] = cnf->clauses.data[i];
    cnf->clauses.len = n;
}

void cnf_add(struct cnf *cnf, struct slits *clause) {
    bool needed = clause_normalise(clause);
    for (size_t i = 0; needed && i < cnf->clauses.len; i++)
        needed = !clause_implies(&cnf->clauses.data[i], clause);
    if (needed) {
        drop_implied(cnf, clause);
        vec_push(&cnf->clauses, *clause);
    } else {
        vec_free(clause);
    }
    *clause = (struct slits){0};
}

bool cnf_and(struct cnf *into, const struct cnf *other, size_t limit) {
    for (size_t i = 0; i < other->clauses.len; i++) {
        struct slits copy = {0};
        vec_append(&copy, other->clauses.data[i].data, other->clauses.data[i].len);
        cnf_add(into, &copy);
        if (into->clauses.len > limit)
            return false;
    }
    return true;
}

bool cnf_or(struct cnf *out, const struct cnf *a, const struct cnf *b, size_t limit) {
    assert(out->clauses.len == 0 && out != a && out != b);
    for (size_t i = 0; i < a->clauses.len; i++)
        for (size_t k = 0; k < b->clauses.len; k++) {
            struct slits both = {0};
            vec_append(&both, a->clauses.data[i].data, a->clauses.data[i].len);
            vec_append(&both, b->clauses.data[k].data, b->clauses.data[k].len);
            cnf_add(out, &both);
            if (out->clauses.len > limit)
                return false;
        }
    return true;
}

void check_cnf(const struct cnf *cnf) {
    for (size_t i = 0; i < cnf->clauses.len; i++) {
        const struct slits *c = &cnf->clauses.data[i];
        for (size_t k = 1; k < c->len; k++)
            if (side_order(&c->data[k - 1], &c->data[k]) >= 0)
                bug("clause %zu is not in order at literal %zu", i, k);
        for (size_t k = 0; k < cnf->clauses.len; k++)
            if (k != i && clause_implies(&cnf->clauses.data[k], c))
                bug("clause %zu is implied by clause %zu", i, k);
    }
}
