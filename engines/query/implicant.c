/* implicant: what of a term's structure makes it true in the model. Nothing recurses on depth. */
#include "engines/query/projection.h"

#include "model/term/simplify.h"

#include <assert.h>

/* ---- values ---- */

static term_t known_value(const struct projection *p, term_t t) {
    return t < p->value.len ? p->value.data[t] : 0;
}

static void note_value(struct projection *p, term_t t, term_t value) {
    assert(!known_value(p, t) && term_sort(p->ts, value) == term_sort(p->ts, t));
    if (t >= p->value.len)
        vec_resize_zero(&p->value, p->ts->nodes.len);
    p->value.data[t] = value;
    p->failed |= !term_is_const(p->ts, value);
}

static void evaluate(struct projection *p, term_t t) {
    struct term n = *term_get(p->ts, t);
    term_t args[3] = {0};
    for (int a = 0; a < n.arity; a++)
        args[a] = known_value(p, n.arg[a]);
    note_value(p, t,
               n.op == OP_VAR     ? p->in->value(p->in->context, t)
               : n.op == OP_CONST ? t
                                  : term_rebuild(p->ts, t, args));
}

term_t projection_value(struct projection *p, term_t root) {
    size_t base = p->stack.len;
    if (known_value(p, root))
        return known_value(p, root);
    vec_push(&p->stack, root);
    while (p->stack.len > base) {
        term_t t = vec_last(&p->stack);
        const struct term *n = term_get(p->ts, t);
        size_t before = p->stack.len;
        for (int a = 0; !known_value(p, t) && a < n->arity; a++)
            if (!known_value(p, n->arg[a]))
                vec_push(&p->stack, n->arg[a]);
        if (p->stack.len > before)
            continue;
        (void)vec_pop(&p->stack);
        if (!known_value(p, t))
            evaluate(p, t);
    }
    return known_value(p, root);
}

bool projection_true(struct projection *p, term_t t) {
    return term_is_true(p->ts, projection_value(p, t));
}

/* ---- choices below an atom ---- */

static term_t as_true(struct projection *p, term_t t) {
    return projection_true(p, t) ? t : term_not(p->ts, t);
}

/* The condition that decides what this term is, 0 if nothing does. */
static term_t condition_of(const struct terms *ts, term_t t) {
    return term_is(ts, t, OP_ITE) || term_is(ts, t, OP_B2I) ? term_arg(ts, t, 0) : 0;
}

static term_t chosen(struct projection *p, term_t t) {
    assert(condition_of(p->ts, t));
    bool yes = projection_true(p, term_arg(p->ts, t, 0));
    if (term_is(p->ts, t, OP_B2I))
        return term_int(p->ts, term_sort(p->ts, t), yes);
    return term_arg(p->ts, t, yes ? 1 : 2);
}

static bool resolve_node(struct projection *p, term_t t) {
    struct term n = *term_get(p->ts, t);
    term_t args[3] = {0};
    bool ready = true;
    if (condition_of(p->ts, t)) {
        term_t other = chosen(p, t), *done = map_get(&p->resolved, other);
        if (!done) {
            vec_push(&p->stack, other);
            return false;
        }
        vec_push(&p->todo, as_true(p, n.arg[0]));
        map_put(&p->resolved, t, *map_get(&p->resolved, other));
        return true;
    }
    for (int a = 0; a < n.arity; a++) {
        term_t *done = map_get(&p->resolved, n.arg[a]);
        if (!done)
            vec_push(&p->stack, n.arg[a]);
        ready &= done != NULL;
        args[a] = done ? *done : 0;
    }
    if (ready)
        map_put(&p->resolved, t, n.arity ? term_rebuild(p->ts, t, args) : t);
    return ready;
}

/* The atom with each choice made; its conditions are to be looked at. */
static term_t resolve(struct projection *p, term_t atom) {
    size_t base = p->stack.len;
    vec_push(&p->stack, atom);
    while (p->stack.len > base) {
        term_t t = vec_last(&p->stack);
        if (map_get(&p->resolved, t) || resolve_node(p, t)) {
            assert(vec_last(&p->stack) == t);
            (void)vec_pop(&p->stack);
        }
    }
    return *map_get(&p->resolved, atom);
}

/* ---- structure ---- */

static void add_literal(struct projection *p, term_t literal) {
    assert(projection_true(p, literal));
    if (!map_get(&p->known, literal))
        vec_push(&p->literals, literal);
    map_put(&p->known, literal, 1);
}

/* One of two that hold: rather what is there already. */
static term_t either(struct projection *p, term_t a, term_t b) {
    if (!projection_true(p, a))
        return b;
    return projection_true(p, b) && map_get(&p->known, b) ? b : a;
}

/* Booleans that are equal, or are not: an equation where one of them is to be given up. */
static void break_equality(struct projection *p, term_t t, term_t a, term_t b) {
    if (projection_gone(p, a) || projection_gone(p, b)) {
        add_literal(p, t);
        return;
    }
    vec_push(&p->todo, as_true(p, a));
    vec_push(&p->todo, as_true(p, b));
}

static void break_atom(struct projection *p, term_t t, term_t atom, bool negated) {
    term_t plain = term_is(p->ts, atom, OP_VAR) ? atom : resolve(p, atom);
    if (plain == atom)
        add_literal(p, t);
    else
        vec_push(&p->todo, negated ? term_not(p->ts, plain) : plain);
}

static void break_one(struct projection *p, term_t t) {
    struct terms *ts = p->ts;
    bool negated = term_is(ts, t, OP_NOT);
    term_t atom = negated ? term_arg(ts, t, 0) : t;
    struct term n = *term_get(ts, atom);
    if (n.op == OP_CONST)
        return;
    if ((n.op == OP_AND && !negated) || (n.op == OP_OR && negated)) {
        vec_push(&p->todo, as_true(p, n.arg[0]));
        vec_push(&p->todo, as_true(p, n.arg[1]));
    } else if (n.op == OP_AND || n.op == OP_OR) {
        term_t a = negated ? term_not(ts, n.arg[0]) : n.arg[0];
        term_t b = negated ? term_not(ts, n.arg[1]) : n.arg[1];
        vec_push(&p->todo, either(p, a, b));
    } else if (n.op == OP_XOR || (n.op == OP_EQ && term_sort(ts, n.arg[0]) == SORT_BOOL)) {
        break_equality(p, t, n.arg[0], n.arg[1]);
    } else if (n.op == OP_ITE) {
        vec_push(&p->todo, as_true(p, n.arg[0]));
        vec_push(&p->todo, as_true(p, chosen(p, atom)));
    } else {
        break_atom(p, t, atom, negated);
    }
}

void projection_break(struct projection *p) {
    while (p->todo.len > 0 && !p->failed) {
        term_t t = vec_pop(&p->todo);
        if (!projection_true(p, t))
            p->failed = true;
        else
            break_one(p, t);
    }
}
