/* What is blocked at the locations as one invariant of the system: at location l the clause of a
 * cube is `pc < l or pc > l or not cube`. Literals that are no bounds become derived cells. */
#include "engines/cfa/ic3cfa.h"

#include "engines/invariant/trim.h"
#include "model/system/derive.h"
#include "model/term/simplify.h"

#include <stdlib.h>

/* ---- literals ---- */

static bool signed_var(const struct terms *ts, term_t var) {
    return ts->vars.data[term_bits(ts, var)].is_signed;
}

/* The negation of a literal, which is or is not the Boolean term `t`. */
static void add_negated(struct ic3cfa *c, term_t t, bool positive, struct clause *out) {
    assert(term_sort(c->ts, t) == SORT_BOOL);
    uint32_t cell = system_derive(c->sys, t, false);
    vec_push(out, positive ? (struct bound){.cell = cell, .kind = BOUND_LE, .ordinal = 0}
                           : (struct bound){.cell = cell, .kind = BOUND_GE, .ordinal = 1});
}

static void add_bound(struct clause *out, uint32_t cell, enum bound_kind kind, int64_t ordinal) {
    vec_push(out, (struct bound){.cell = cell, .kind = (uint8_t)kind, .ordinal = ordinal});
}

/* `cell op constant` as a bound, where it is one that has a negation. */
static bool as_bound(const struct ic3cfa *c, const struct term *n, struct bound *b) {
    const struct terms *ts = c->ts;
    bool is_signed = n->op == OP_SLT || n->op == OP_SLE;
    bool strict = n->op == OP_ULT || n->op == OP_SLT;
    if (!is_signed && !strict && n->op != OP_ULE)
        return false;
    bool left = term_is(ts, n->arg[0], OP_VAR);
    term_t var = n->arg[!left], constant = n->arg[left];
    if (!term_is(ts, var, OP_VAR) || !term_is(ts, constant, OP_CONST) ||
        signed_var(ts, var) != is_signed)
        return false;
    sort_t sort = term_sort(ts, var);
    int64_t at = ordinal_of(sort, is_signed, term_bits(ts, constant));
    if (at <= ordinal_min(sort, is_signed) + 1 || at >= ordinal_max(sort, is_signed) - 1)
        return false;
    *b = (struct bound){.cell = system_cell_of(c->sys, var),
                        .kind = left ? BOUND_LE : BOUND_GE,
                        .ordinal = at + (strict ? (left ? -1 : 1) : 0)};
    return true;
}

static void add_literal(struct ic3cfa *c, term_t literal, struct clause *out) {
    bool positive = !term_is(c->ts, literal, OP_NOT);
    term_t t = positive ? literal : term_arg(c->ts, literal, 0);
    struct term node = *term_get(c->ts, t);
    struct bound b;
    if (as_bound(c, &node, &b))
        vec_push(out, positive ? bound_negate(b) : b);
    else
        add_negated(c, t, positive, out);
}

/* ---- clauses ---- */

static int64_t place_ordinal(const struct ic3cfa *c, uint64_t value) {
    assert(c->pc != NONE);
    term_t var = c->sys->cells.data[c->pc].var;
    return ordinal_of(term_sort(c->ts, var), signed_var(c->ts, var), value);
}

static void add_elsewhere(const struct ic3cfa *c, const struct place *p, struct clause *out) {
    if (c->pc == NONE)
        return;
    term_t var = c->sys->cells.data[c->pc].var;
    sort_t sort = term_sort(c->ts, var);
    bool is_signed = signed_var(c->ts, var);
    int64_t at = place_ordinal(c, p->value);
    if (at > ordinal_min(sort, is_signed))
        add_bound(out, c->pc, BOUND_LE, at - 1);
    if (at < ordinal_max(sort, is_signed))
        add_bound(out, c->pc, BOUND_GE, at + 1);
}

static void add_cube(struct ic3cfa *c, const struct place *p, const struct cube *cube,
                     struct invariant *inv) {
    struct clause clause = {0};
    add_elsewhere(c, p, &clause);
    for (size_t i = 0; i < cube->len; i++)
        add_literal(c, cube->data[i], &clause);
    invariant_add(inv, clause.data, clause.len);
    vec_free(&clause);
}

static int by_ordinal(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The run is at one of the locations. */
static void add_somewhere(const struct ic3cfa *c, struct invariant *inv) {
    VEC(int64_t) at = {0};
    for (size_t l = 1; c->pc != NONE && l < c->places.len; l++)
        vec_push(&at, place_ordinal(c, c->places.data[l].value));
    if (at.len > 1)
        qsort(at.data, at.len, sizeof *at.data, by_ordinal);
    for (size_t i = 0; i < at.len; i++) {
        struct bound least = {.cell = c->pc, .kind = BOUND_GE, .ordinal = at.data[i]};
        struct bound most = {.cell = c->pc, .kind = BOUND_LE, .ordinal = at.data[i]};
        if (i == 0)
            invariant_add(inv, &least, 1);
        if (i + 1 == at.len)
            invariant_add(inv, &most, 1);
        else if (at.data[i + 1] > at.data[i] + 1)
            invariant_add(inv,
                          (struct bound[]){
                              most, {.cell = c->pc, .kind = BOUND_GE, .ordinal = at.data[i + 1]}},
                          2);
    }
    vec_free(&at);
}

void report_dead(struct ic3cfa *c, uint32_t level) {
    struct fact fact = {.kind = FACT_DEAD, .target = c->target};
    invariant_init(&fact.invariant);
    invariant_copy(&fact.invariant, &c->known);
    vec_clear(&fact.invariant.targets);
    vec_push(&fact.invariant.targets, c->target);
    fact.invariant.k = 1;
    add_somewhere(c, &fact.invariant);
    for (size_t l = 1; l < c->places.len; l++) {
        const struct place *p = &c->places.data[l];
        for (size_t i = 0; i < p->blocked.len; i++)
            if (p->blocked.data[i].level > level)
                add_cube(c, p, &p->blocked.data[i].cube, &fact.invariant);
    }
    invariant_tidy(&fact.invariant, c->sys);
    invariant_trim(c->sys, &fact.invariant, c->input->options.seed, NULL);
    engine_report(c->input, &fact);
    fact_free(&fact);
}
