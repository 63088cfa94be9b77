/* definitions: rounds. In each, equations are picked that do not depend on each other in a circle,
 * and then put into each other and into the rest. */
#include "engines/horn/definitions.h"

#include "model/term/number.h"
#include "model/term/simplify.h"

#include <assert.h>

/* var = value where `guard` holds, 0: everywhere. */
struct candidate {
    uint32_t var;
    term_t value, guard;
    size_t part; /* the conjunct that says so */
};
VEC_STRUCT(candidates, struct candidate);

struct round {
    struct definitions *d;
    struct horn_terms parts;
    struct horn_terms value;  /* by variable: found in this round */
    VEC(bool) used;           /* by part */
    struct candidates halves; /* with a guard, waiting for their other half */
    struct candidates wanted; /* of the part at hand */
    struct map seen;          /* scratch: terms */
    struct horn_terms stack;
    size_t found;
};

void definitions_init(struct definitions *d, struct terms *ts) {
    *d = (struct definitions){.ts = ts};
    vec_resize_zero(&d->may, ts->vars.len);
    vec_resize_zero(&d->value, ts->vars.len);
}

void definitions_free(struct definitions *d) {
    vec_free(&d->may);
    vec_free(&d->value);
}

void definitions_apply(const struct definitions *d, term_t *terms, size_t n) {
    term_substitute(d->ts, d->value.data, d->value.len, terms, n);
}

void definitions_split(struct terms *ts, term_t holds, struct horn_terms *parts) {
    struct horn_terms todo = {0};
    struct map seen = {0};
    vec_push(&todo, holds);
    while (todo.len > 0) {
        term_t t = vec_pop(&todo);
        bool negated = term_is(ts, t, OP_NOT);
        term_t atom = negated ? term_arg(ts, t, 0) : t;
        if (map_get(&seen, t) || term_is_true(ts, t))
            continue;
        map_put(&seen, t, 1);
        if (!term_is(ts, atom, negated ? OP_OR : OP_AND)) {
            vec_push(parts, t);
            continue;
        }
        for (int a = 1; a >= 0; a--) {
            term_t part = term_arg(ts, atom, a);
            vec_push(&todo, negated ? term_not(ts, part) : part);
        }
    }
    map_free(&seen);
    vec_free(&todo);
}

/* ---- what a conjunct says of a variable ---- */

static bool may(const struct round *r, term_t t) {
    const struct definitions *d = r->d;
    if (!term_is(d->ts, t, OP_VAR))
        return false;
    uint64_t var = term_bits(d->ts, t);
    return var < d->may.len && d->may.data[var] && !d->value.data[var] && !r->value.data[var];
}

static void want(struct round *r, term_t var, term_t value, term_t guard, size_t part) {
    assert(term_sort(r->d->ts, var) == term_sort(r->d->ts, value));
    struct candidate c = {(uint32_t)term_bits(r->d->ts, var), value, guard, part};
    vec_push(&r->wanted, c);
}

/* a = b, or not, of Booleans. */
static void want_side(struct round *r, term_t a, term_t b, bool negated, term_t guard,
                      size_t part) {
    struct terms *ts = r->d->ts;
    if (term_is(ts, a, OP_NOT)) {
        a = term_arg(ts, a, 0);
        negated = !negated;
    }
    if (may(r, a))
        want(r, a, negated ? term_not(ts, b) : b, guard, part);
}

/* sum = 0: one of its variables with a factor that can be divided by. */
static void want_sum(struct round *r, term_t equation, term_t guard, size_t part) {
    struct terms *ts = r->d->ts;
    sort_t sort = term_sort(ts, term_arg(ts, equation, 0));
    struct sum sum;
    mpq_t one;
    sum_init(&sum);
    mpq_init(one);
    sum_add_difference(ts, &sum, term_arg(ts, equation, 0), term_arg(ts, equation, 1));
    sum_tidy(&sum);
    for (size_t i = 0; i < sum.parts.len; i++) {
        mpq_srcptr factor = sum.parts.data[i].factor;
        bool fits = sort == SORT_REAL || (mpz_cmpabs_ui(mpq_numref(factor), 1) == 0 &&
                                          mpz_cmp_ui(mpq_denref(factor), 1) == 0);
        term_t var = sum.parts.data[i].atom;
        if (!fits || !may(r, var))
            continue;
        mpq_t scale;
        struct sum rest;
        mpq_init(scale);
        sum_init(&rest);
        mpq_inv(scale, factor);
        mpq_neg(scale, scale);
        mpq_mul(rest.constant, sum.constant, scale);
        for (size_t k = 0; k < sum.parts.len; k++) {
            mpq_mul(one, sum.parts.data[k].factor, scale);
            if (k != i)
                sum_add(ts, &rest, sum.parts.data[k].atom, one);
        }
        want(r, var, sum_term(ts, sort, &rest), guard, part);
        sum_free(&rest);
        mpq_clear(scale);
    }
    mpq_clear(one);
    sum_free(&sum);
}

static void want_literal(struct round *r, term_t literal, term_t guard, size_t part) {
    struct terms *ts = r->d->ts;
    bool negated = term_is(ts, literal, OP_NOT);
    term_t atom = negated ? term_arg(ts, literal, 0) : literal;
    if (may(r, atom)) {
        want(r, atom, term_bool(ts, !negated), guard, part);
        return;
    }
    if (!term_is(ts, atom, OP_EQ))
        return;
    term_t a = term_arg(ts, atom, 0), b = term_arg(ts, atom, 1);
    if (term_sort(ts, a) == SORT_BOOL) {
        want_side(r, a, b, negated, guard, part);
        want_side(r, b, a, negated, guard, part);
    } else if (!negated && sort_is_number(term_sort(ts, a))) {
        want_sum(r, atom, guard, part);
    } else if (!negated) {
        if (may(r, a))
            want(r, a, b, guard, part);
        if (may(r, b))
            want(r, b, a, guard, part);
    }
}

/* Whole equations, and those that one side of a disjunction is. */
static void want_part(struct round *r, size_t part) {
    struct terms *ts = r->d->ts;
    term_t t = r->parts.data[part];
    assert(!r->used.data[part] && term_sort(ts, t) == SORT_BOOL);
    bool negated = term_is(ts, t, OP_NOT);
    term_t atom = negated ? term_arg(ts, t, 0) : t;
    vec_clear(&r->wanted);
    want_literal(r, t, 0, part);
    if (!term_is(ts, atom, negated ? OP_AND : OP_OR))
        return;
    for (int i = 0; i < 2; i++) {
        term_t guard = term_arg(ts, atom, i), said = term_arg(ts, atom, 1 - i);
        guard = negated ? guard : term_not(ts, guard);
        want_literal(r, negated ? term_not(ts, said) : said, guard, part);
    }
}

/* ---- picking ---- */

static bool depends(struct round *r, term_t root, uint32_t var) {
    struct terms *ts = r->d->ts;
    bool found = false;
    assert(root && var < r->value.len);
    map_clear(&r->seen);
    vec_clear(&r->stack);
    vec_push(&r->stack, root);
    while (r->stack.len > 0 && !found) {
        term_t t = vec_pop(&r->stack);
        const struct term *n = term_get(ts, t);
        if (map_get(&r->seen, t))
            continue;
        map_put(&r->seen, t, 1);
        found = n->op == OP_VAR && n->payload == var;
        if (n->op == OP_VAR && n->payload < r->value.len && r->value.data[n->payload])
            vec_push(&r->stack, r->value.data[n->payload]);
        for (int a = 0; a < n->arity; a++)
            vec_push(&r->stack, n->arg[a]);
    }
    return found;
}

static bool pick(struct round *r, const struct candidate *c) {
    assert(!r->value.data[c->var] && !r->d->value.data[c->var]);
    if (depends(r, c->value, c->var))
        return false;
    r->value.data[c->var] = c->value;
    r->used.data[c->part] = true;
    r->found++;
    return true;
}

/* The other half of a definition by cases is there: both become one. */
static bool pick_half(struct round *r, const struct candidate *c) {
    struct terms *ts = r->d->ts;
    for (size_t i = 0; i < r->halves.len; i++) {
        struct candidate other = r->halves.data[i];
        if (other.var != c->var || !term_opposite(ts, other.guard, c->guard) ||
            r->used.data[other.part])
            continue;
        struct candidate both = *c;
        both.value = term_ite(ts, c->guard, c->value, other.value);
        if (pick(r, &both)) {
            r->used.data[other.part] = true;
            return true;
        }
    }
    vec_push(&r->halves, *c);
    return false;
}

static void pick_from(struct round *r, size_t part) {
    bool picked = false;
    want_part(r, part);
    for (size_t i = 0; i < r->wanted.len && !picked; i++) {
        const struct candidate *c = &r->wanted.data[i];
        picked = c->guard ? pick_half(r, c) : pick(r, c);
    }
}

/* ---- rounds ---- */

/* Values of this round over variables without one: each pass doubles how deep they look. */
static void resolve(struct round *r) {
    struct horn_terms map = {0}, next = {0};
    bool changed = true;
    vec_append(&map, r->value.data, r->value.len);
    while (changed) {
        vec_clear(&next);
        vec_append(&next, map.data, map.len);
        term_substitute(r->d->ts, map.data, map.len, next.data, next.len);
        changed = memcmp(next.data, map.data, map.len * sizeof *map.data) != 0;
        vec_clear(&map);
        vec_append(&map, next.data, next.len);
    }
    vec_clear(&r->value);
    vec_append(&r->value, map.data, map.len);
    vec_free(&map);
    vec_free(&next);
}

static term_t conclude(struct round *r) {
    struct definitions *d = r->d;
    term_t rest = term_bool(d->ts, true);
    assert(r->found > 0 && r->parts.len == r->used.len);
    resolve(r);
    for (size_t i = 0; i < r->parts.len; i++)
        if (!r->used.data[i])
            rest = term_and(d->ts, rest, r->parts.data[i]);
    term_substitute(d->ts, r->value.data, r->value.len, &rest, 1);
    term_substitute(d->ts, r->value.data, r->value.len, d->value.data, d->value.len);
    for (size_t v = 0; v < d->value.len; v++)
        if (r->value.data[v])
            d->value.data[v] = r->value.data[v];
    return rest;
}

static void round_free(struct round *r) {
    vec_free(&r->parts);
    vec_free(&r->value);
    vec_free(&r->used);
    vec_free(&r->halves);
    vec_free(&r->wanted);
    vec_free(&r->stack);
    map_free(&r->seen);
}

term_t definitions_find(struct definitions *d, term_t holds) {
    size_t found;
    assert(term_sort(d->ts, holds) == SORT_BOOL && d->may.len == d->value.len);
    do {
        struct round r = {.d = d};
        definitions_split(d->ts, holds, &r.parts);
        vec_resize_zero(&r.value, d->value.len);
        vec_resize_zero(&r.used, r.parts.len);
        for (size_t i = 0; i < r.parts.len; i++)
            pick_from(&r, i);
        found = r.found;
        if (found > 0)
            holds = conclude(&r);
        round_free(&r);
    } while (found > 0);
    return holds;
}
