/* cases: of each disjunction the cases, one after the other. What one of them defines and another
 * does not is a new variable there. */
#include "engines/horn/cases.h"

#include "base/mem.h"
#include "model/term/simplify.h"

#include <assert.h>

enum { MOST_CASES = 400, MOST_DEPTH = 20, MOST_NODES = 300000 };

/* One case: what it defines, and what is left of it. */
struct one_case {
    struct definitions d;
    term_t rest;
    struct horn_terms parts; /* of what is left */
    term_t when;             /* it is the one */
};
VEC_STRUCT(all_cases, struct one_case);

static term_t find(struct definitions *d, term_t holds, int depth);

/* The parts of a disjunction, down to what is none. */
static void split_cases(struct terms *ts, term_t holds, struct horn_terms *cases) {
    assert(cases->len == 0);
    definitions_split(ts, term_not(ts, holds), cases);
    for (size_t i = 0; i < cases->len; i++)
        cases->data[i] = term_not(ts, cases->data[i]);
}

/* Does it speak of a variable that could be taken out? */
static bool is_of_use(const struct definitions *d, term_t holds) {
    const struct terms *ts = d->ts;
    struct horn_terms stack = {0};
    struct map seen = {0};
    bool found = false;
    vec_push(&stack, holds);
    while (stack.len > 0 && !found) {
        term_t t = vec_pop(&stack);
        const struct term *n = term_get(ts, t);
        if (map_get(&seen, t))
            continue;
        map_put(&seen, t, 1);
        found = n->op == OP_VAR && n->payload < d->may.len && d->may.data[n->payload] &&
                !d->value.data[n->payload];
        for (int a = 0; a < n->arity; a++)
            vec_push(&stack, n->arg[a]);
    }
    map_free(&seen);
    vec_free(&stack);
    return found;
}

/* ---- cases that exclude each other ---- */

/* What parts of a case say: each is known, and of a term that equals a constant, which. */
static void note_parts(struct terms *ts, term_t rest, struct map *known, struct map *constants) {
    struct horn_terms parts = {0};
    definitions_split(ts, rest, &parts);
    for (size_t i = 0; i < parts.len; i++) {
        term_t part = parts.data[i];
        map_put(known, part, 1);
        if (term_is(ts, part, OP_EQ) && term_is_const(ts, term_arg(ts, part, 1)))
            map_put(constants, term_arg(ts, part, 0), term_arg(ts, part, 1));
    }
    vec_free(&parts);
}

static bool exclude(struct terms *ts, const struct map *known, const struct map *constants,
                    const struct horn_terms *other) {
    for (size_t i = 0; i < other->len; i++) {
        term_t part = other->data[i];
        if (map_get(known, term_not(ts, part)))
            return true;
        if (!term_is(ts, part, OP_EQ) || !term_is_const(ts, term_arg(ts, part, 1)))
            continue;
        const uint32_t *value = map_get(constants, term_arg(ts, part, 0));
        if (value && *value != term_arg(ts, part, 1))
            return true;
    }
    return false;
}

/* Does none of the others hold where this one does, as far as their parts say? */
static bool is_alone(struct terms *ts, const struct all_cases *all, size_t at) {
    struct map known = {0}, constants = {0};
    bool alone = true;
    assert(at < all->len);
    note_parts(ts, all->data[at].rest, &known, &constants);
    for (size_t k = 0; k < all->len && alone; k++)
        alone = k == at || exclude(ts, &known, &constants, &all->data[k].parts);
    map_free(&known);
    map_free(&constants);
    return alone;
}

/* Cases that parts tell apart; true where one of those holds. */
static term_t choose_alone(struct terms *ts, struct all_cases *all) {
    term_t alone = term_bool(ts, false);
    for (size_t i = 0; i < all->len; i++)
        definitions_split(ts, all->data[i].rest, &all->data[i].parts);
    for (size_t i = 0; i < all->len; i++) {
        struct one_case *c = &all->data[i];
        c->when = is_alone(ts, all, i) ? c->rest : 0;
        if (c->when)
            alone = term_or(ts, alone, c->when);
    }
    return alone;
}

/* By case, the condition under which it is the one; where parts do not tell them apart, new
 * variables do, one less than there are such cases. What holds then, too. */
static term_t choose(struct terms *ts, struct all_cases *all) {
    term_t free = term_not(ts, choose_alone(ts, all)), rest = term_bool(ts, false);
    struct one_case *open = NULL;
    for (size_t i = 0; i < all->len; i++) {
        if (all->data[i].when)
            continue;
        if (open) {
            term_t way = term_var(ts, "way", SORT_BOOL, false);
            open->when = term_and(ts, free, way);
            free = term_and(ts, free, term_not(ts, way));
        }
        open = &all->data[i];
    }
    if (open)
        open->when = free;
    for (size_t i = 0; i < all->len; i++)
        rest = term_or(ts, rest, term_and(ts, all->data[i].when, all->data[i].rest));
    return rest;
}

/* ---- all of them as one ---- */

/* What some cases define is new in the others. */
static void complete(struct definitions *d, struct all_cases *all) {
    struct terms *ts = d->ts;
    for (size_t v = 0; v < d->value.len; v++) {
        term_t other = 0;
        bool some = false;
        for (size_t i = 0; i < all->len && !some; i++)
            some = all->data[i].d.value.data[v] != 0;
        for (size_t i = 0; i < all->len && some; i++) {
            struct one_case *c = &all->data[i];
            if (c->d.value.data[v])
                continue;
            struct term_var var = ts->vars.data[v];
            if (!other)
                other = term_var(ts, var.name, var.sort, var.is_signed);
            struct horn_terms map = {0};
            vec_resize_zero(&map, d->value.len);
            map.data[v] = other;
            term_substitute(ts, map.data, map.len, c->d.value.data, c->d.value.len);
            term_substitute(ts, map.data, map.len, &c->rest, 1);
            c->d.value.data[v] = other;
            vec_free(&map);
        }
    }
}

/* A choice between the values, the one that most cases have last. */
static term_t chosen(struct terms *ts, const struct all_cases *all, size_t var) {
    struct map count = {0}, when = {0};
    struct horn_terms values = {0};
    term_t most = 0;
    for (size_t i = 0; i < all->len; i++) {
        term_t value = all->data[i].d.value.data[var], own = all->data[i].when;
        const uint32_t *before = map_get(&count, value), *others = map_get(&when, value);
        if (!before)
            vec_push(&values, value);
        own = others ? term_or(ts, *others, own) : own;
        map_put(&count, value, before ? *before + 1 : 1);
        map_put(&when, value, own);
        if (!most || *map_get(&count, value) > *map_get(&count, most))
            most = value;
    }
    term_t all_of_them = most;
    for (size_t i = values.len; i > 0; i--)
        if (values.data[i - 1] != most)
            all_of_them =
                term_ite(ts, *map_get(&when, values.data[i - 1]), values.data[i - 1], all_of_them);
    map_free(&count);
    map_free(&when);
    vec_free(&values);
    return all_of_them;
}

/* Values of the variables, and what is left. */
static term_t combine(struct definitions *d, struct all_cases *all, struct horn_terms *values) {
    assert(all->len > 0);
    complete(d, all);
    term_t rest = choose(d->ts, all);
    vec_append(values, all->data[0].d.value.data, d->value.len);
    for (size_t v = 0; v < values->len; v++)
        if (values->data[v])
            values->data[v] = chosen(d->ts, all, v);
    return rest;
}

static void open_case(const struct definitions *d, struct one_case *c) {
    assert(d->may.len == d->value.len);
    definitions_init(&c->d, d->ts);
    c->d.may.len = c->d.value.len = d->value.len;
    for (size_t v = 0; v < d->value.len; v++)
        c->d.may.data[v] = d->may.data[v] && !d->value.data[v];
}

/* The disjunction is taken apart; what is left of it. */
static term_t find_in(struct definitions *d, const struct horn_terms *cases, int depth,
                      struct horn_terms *values) {
    struct all_cases all = {0};
    for (size_t i = 0; i < cases->len; i++) {
        struct one_case c = {0};
        open_case(d, &c);
        c.rest = find(&c.d, cases->data[i], depth + 1);
        if (term_is_false(d->ts, c.rest))
            definitions_free(&c.d);
        else
            vec_push(&all, c);
    }
    term_t rest = all.len ? combine(d, &all, values) : term_bool(d->ts, false);
    for (size_t i = 0; i < all.len; i++) {
        definitions_free(&all.data[i].d);
        vec_free(&all.data[i].parts);
    }
    vec_free(&all);
    return rest;
}

/* Values that were found go into those before, and into the parts that are left. */
static bool take_values(struct definitions *d, const struct horn_terms *values,
                        struct horn_terms *parts) {
    bool any = false;
    assert(values->len <= d->value.len);
    for (size_t v = 0; v < values->len; v++)
        any |= values->data[v] != 0;
    if (!any)
        return false;
    term_substitute(d->ts, values->data, values->len, d->value.data, d->value.len);
    term_substitute(d->ts, values->data, values->len, parts->data, parts->len);
    for (size_t v = 0; v < values->len; v++)
        if (values->data[v])
            d->value.data[v] = values->data[v];
    return true;
}

/* ---- what cases have in common ---- */

static bool is_disjunction(const struct terms *ts, term_t t) {
    bool negated = term_is(ts, t, OP_NOT);
    return term_is(ts, negated ? term_arg(ts, t, 0) : t, negated ? OP_AND : OP_OR);
}

static bool has_part(struct terms *ts, term_t a_case, term_t part, term_t *others) {
    struct horn_terms parts = {0};
    bool found = false;
    *others = term_bool(ts, true);
    definitions_split(ts, a_case, &parts);
    for (size_t i = 0; i < parts.len; i++) {
        found |= parts.data[i] == part;
        if (parts.data[i] != part)
            *others = term_and(ts, *others, parts.data[i]);
    }
    vec_free(&parts);
    return found;
}

/* A disjunction that several cases contain, most of them; 0: there is none. */
static term_t shared_part(struct terms *ts, const struct horn_terms *cases) {
    struct map count = {0};
    struct horn_terms parts = {0};
    term_t best = 0;
    uint32_t most = 1;
    for (size_t i = 0; i < cases->len; i++) {
        vec_clear(&parts);
        definitions_split(ts, cases->data[i], &parts);
        for (size_t k = 0; k < parts.len; k++) {
            if (!is_disjunction(ts, parts.data[k]))
                continue;
            const uint32_t *known = map_get(&count, parts.data[k]);
            uint32_t n = known ? *known + 1 : 1;
            map_put(&count, parts.data[k], n);
            if (n > most) {
                most = n;
                best = parts.data[k];
            }
        }
    }
    map_free(&count);
    vec_free(&parts);
    return best;
}

/* Paths through a program that come together go on as one: what follows is looked at once. */
static void share(struct terms *ts, struct horn_terms *cases) {
    term_t part;
    while (cases->len > 1 && (part = shared_part(ts, cases)) != 0) {
        term_t together = term_bool(ts, false), others;
        size_t kept = 0;
        for (size_t i = 0; i < cases->len; i++) {
            term_t one = cases->data[i];
            if (has_part(ts, one, part, &others))
                together = term_or(ts, together, others);
            else
                cases->data[kept++] = one;
        }
        assert(kept + 1 < cases->len && "each time there are fewer");
        cases->data[kept] = term_and(ts, together, part);
        cases->len = kept + 1;
    }
}

/* The disjunction with what its cases share in front. */
static term_t shared_first(struct terms *ts, term_t t) {
    struct horn_terms cases = {0};
    term_t any = term_bool(ts, false);
    split_cases(ts, t, &cases);
    share(ts, &cases);
    for (size_t i = cases.len; i > 0; i--)
        any = term_or(ts, cases.data[i - 1], any);
    vec_free(&cases);
    return any;
}

/* From below, so that what paths share is in front of where they part, too. */
static term_t factor(struct terms *ts, term_t holds) {
    size_t end = ts->nodes.len;
    bool *mark = mem_zalloc(end, sizeof *mark), *inner = mem_zalloc(end, sizeof *inner);
    term_t *now = mem_zalloc(end, sizeof *now), found;
    term_mark(ts, &holds, 1, mark);
    for (term_t t = 1; t < end; t++)
        for (int a = 0; mark[t] && term_is(ts, t, OP_OR) && a < 2; a++)
            inner[term_arg(ts, t, a)] = true;
    for (term_t t = 1; t < end; t++) {
        if (!mark[t])
            continue;
        bool both = term_is(ts, t, OP_AND), either = term_is(ts, t, OP_OR);
        now[t] = t;
        if (both || either) {
            term_t x = now[term_arg(ts, t, 0)], y = now[term_arg(ts, t, 1)];
            now[t] = both ? term_and(ts, x, y) : term_or(ts, x, y);
        }
        if (either && !inner[t])
            now[t] = shared_first(ts, now[t]);
    }
    found = now[holds];
    mem_free(now);
    mem_free(inner);
    mem_free(mark);
    return found;
}

/* The part, if it is a disjunction that defines something, gives way to what is left of it. */
static bool solve_part(struct definitions *d, struct horn_terms *parts, size_t at, int depth) {
    struct horn_terms cases = {0}, values = {0};
    bool taken = false;
    assert(at < parts->len);
    if (is_disjunction(d->ts, parts->data[at]) && is_of_use(d, parts->data[at])) {
        split_cases(d->ts, parts->data[at], &cases);
        share(d->ts, &cases);
    }
    if (cases.len == 1) { /* all share it: a conjunction now */
        size_t before = parts->len;
        definitions_split(d->ts, cases.data[0], parts);
        parts->data[at] = parts->len > before ? vec_pop(parts) : term_bool(d->ts, true);
        taken = true;
    } else if (cases.len > 1 && cases.len <= MOST_CASES && d->ts->nodes.len < MOST_NODES) {
        term_t rest = find_in(d, &cases, depth, &values);
        taken = take_values(d, &values, parts);
        if (taken || term_is_false(d->ts, rest))
            parts->data[at] = rest;
    }
    vec_free(&cases);
    vec_free(&values);
    return taken;
}

static term_t find(struct definitions *d, term_t holds, int depth) {
    struct terms *ts = d->ts;
    bool taken = true;
    holds = definitions_find(d, holds);
    for (int round = 0; taken && depth < MOST_DEPTH && round < MOST_DEPTH; round++) {
        struct horn_terms parts = {0};
        taken = false;
        definitions_split(ts, holds, &parts);
        for (size_t i = 0; i < parts.len; i++)
            taken |= solve_part(d, &parts, i, depth);
        holds = term_bool(ts, true);
        for (size_t i = 0; i < parts.len; i++)
            holds = term_and(ts, holds, parts.data[i]);
        vec_free(&parts);
        if (taken)
            holds = definitions_find(d, holds);
    }
    return holds;
}

term_t cases_find(struct definitions *d, term_t holds) {
    return find(d, factor(d->ts, holds), 0);
}
