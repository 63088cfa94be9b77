/* project: equalities first, then bounds of numbers, then values. */
#include "engines/query/projection.h"

#include "model/term/number.h"
#include "model/term/simplify.h"

#include <assert.h>

static uint64_t index_of(const struct projection *p, term_t var) {
    return term_get(p->ts, var)->payload;
}

static bool to_give_up(const struct projection *p, term_t t) {
    uint64_t i = index_of(p, t);
    return term_is(p->ts, t, OP_VAR) && (i >= p->in->n_keep || !p->in->keep[i]);
}

static term_t instead_of(const struct projection *p, term_t var) {
    uint64_t i = index_of(p, var);
    return i < p->instead.len ? p->instead.data[i] : 0;
}

bool projection_gone(const struct projection *p, term_t t) {
    return to_give_up(p, t) && !instead_of(p, t);
}

static void put_instead(struct projection *p, term_t var, term_t value) {
    assert(projection_gone(p, var) && term_sort(p->ts, var) == term_sort(p->ts, value));
    if (index_of(p, var) >= p->instead.len)
        vec_resize_zero(&p->instead, p->ts->vars.len);
    p->instead.data[index_of(p, var)] = value;
}

/* ---- below a literal ---- */

/* Some variable to be given up below t, other than `but`; 0: none. */
static term_t gone_below(struct projection *p, term_t root) {
    struct map seen = {0};
    size_t base = p->stack.len;
    term_t found = 0;
    vec_push(&p->stack, root);
    while (p->stack.len > base && !found) {
        term_t t = vec_pop(&p->stack);
        const struct term *n = term_get(p->ts, t);
        if (map_get(&seen, t))
            continue;
        map_put(&seen, t, 1);
        if (n->op == OP_VAR && to_give_up(p, t))
            found = t;
        for (int a = 0; a < n->arity; a++)
            vec_push(&p->stack, n->arg[a]);
    }
    vec_truncate(&p->stack, base);
    map_free(&seen);
    return found;
}

static bool occurs(struct projection *p, term_t var, term_t root) {
    struct map seen = {0};
    size_t base = p->stack.len;
    bool found = false;
    vec_push(&p->stack, root);
    while (p->stack.len > base && !found) {
        term_t t = vec_pop(&p->stack);
        const struct term *n = term_get(p->ts, t);
        found = t == var;
        for (int a = 0; !map_get(&seen, t) && a < n->arity; a++)
            vec_push(&p->stack, n->arg[a]);
        map_put(&seen, t, 1);
    }
    vec_truncate(&p->stack, base);
    map_free(&seen);
    return found;
}

/* The term with what stands for its variables. */
static term_t rewritten(struct projection *p, term_t root) {
    struct map now = {0};
    size_t base = p->stack.len;
    vec_push(&p->stack, root);
    while (p->stack.len > base) {
        term_t t = vec_last(&p->stack), args[3] = {0};
        struct term n = *term_get(p->ts, t);
        size_t before = p->stack.len;
        for (int a = 0; a < n.arity; a++) {
            term_t *done = map_get(&now, n.arg[a]);
            if (!done)
                vec_push(&p->stack, n.arg[a]);
            args[a] = done ? *done : 0;
        }
        if (p->stack.len > before)
            continue;
        (void)vec_pop(&p->stack);
        bool replaced = n.op == OP_VAR && to_give_up(p, t) && instead_of(p, t);
        map_put(&now, t, replaced ? instead_of(p, t) : term_rebuild(p->ts, t, args));
    }
    term_t result = *map_get(&now, root);
    map_free(&now);
    return result;
}

/* ---- equalities ---- */

/* The side of x + y, x - y, x ^ y to solve for, and what the other side becomes. */
static term_t isolate(struct projection *p, term_t t, term_t *other) {
    struct terms *ts = p->ts;
    struct term n = *term_get(ts, t);
    if (n.op != OP_ADD && n.op != OP_SUB && n.op != OP_BXOR)
        return 0;
    bool second = !gone_below(p, n.arg[0]);
    term_t rest = n.arg[second ? 0 : 1], inner = n.arg[second ? 1 : 0];
    if (n.op == OP_BXOR)
        *other = term_op2(ts, OP_BXOR, *other, rest);
    else if (n.op == OP_ADD)
        *other = term_op2(ts, OP_SUB, *other, rest);
    else
        *other = second ? term_op2(ts, OP_SUB, rest, *other) : term_op2(ts, OP_ADD, *other, rest);
    return inner;
}

static bool solve_side(struct projection *p, term_t t, term_t other) {
    enum { DEEPEST = 12 };
    for (int depth = 0; depth < DEEPEST && t; depth++) {
        if (projection_gone(p, t) && !occurs(p, t, other)) {
            put_instead(p, t, other);
            return true;
        }
        t = isolate(p, t, &other);
    }
    return false;
}

/* sum = c, for a number in it that can be divided out */
static bool solve_sum(struct projection *p, term_t sum, term_t c) {
    sort_t sort = term_sort(p->ts, c);
    assert(sort_is_number(sort));
    struct sum all;
    mpq_t one;
    bool solved = false;
    sum_init(&all);
    mpq_init(one);
    mpq_set_si(one, 1, 1);
    sum_add(p->ts, &all, sum, one);
    mpq_set_si(one, -1, 1);
    sum_add(p->ts, &all, c, one);
    sum_tidy(&all);
    for (size_t i = 0; i < all.parts.len && !solved; i++) {
        mpq_ptr f = all.parts.data[i].factor;
        bool unit = mpz_cmpabs_ui(mpq_numref(f), 1) == 0 && mpz_cmp_ui(mpq_denref(f), 1) == 0;
        term_t var = all.parts.data[i].atom;
        if (!projection_gone(p, var) || (sort == SORT_INTEGER && !unit))
            continue;
        mpq_inv(one, f);
        mpq_neg(one, one);
        mpq_set_si(f, 0, 1);
        sum_scale(&all, one);
        put_instead(p, var, sum_term(p->ts, sort, &all));
        solved = true;
    }
    mpq_clear(one);
    sum_free(&all);
    return solved;
}

/* False: it is no equation for a variable that is to be given up. */
static bool solve(struct projection *p, term_t literal) {
    struct terms *ts = p->ts;
    bool negated = term_is(ts, literal, OP_NOT);
    term_t atom = negated ? term_arg(ts, literal, 0) : literal;
    struct term n = *term_get(ts, atom);
    if (n.op == OP_VAR && projection_gone(p, atom)) {
        put_instead(p, atom, term_bool(ts, !negated));
        return true;
    }
    if (n.op != OP_EQ && n.op != OP_XOR)
        return false;
    sort_t sort = term_sort(ts, n.arg[0]);
    if (sort == SORT_BOOL) {
        bool same = (n.op == OP_EQ) != negated;
        term_t a = same ? n.arg[0] : term_not(ts, n.arg[0]);
        term_t b = same ? n.arg[1] : term_not(ts, n.arg[1]);
        return solve_side(p, n.arg[0], b) || solve_side(p, n.arg[1], a);
    }
    if (negated)
        return false;
    if (sort_is_number(sort))
        return solve_sum(p, n.arg[0], n.arg[1]);
    return solve_side(p, n.arg[0], n.arg[1]) || solve_side(p, n.arg[1], n.arg[0]);
}

/* Each literal once: what was solved leaves, what changed is broken down again. */
static bool sweep(struct projection *p) {
    struct query_terms old = p->literals;
    bool changed = false;
    assert(p->todo.len == 0 && p->stack.len == 0);
    p->literals = (struct query_terms){0};
    map_clear(&p->known);
    for (size_t i = 0; i < old.len; i++) {
        term_t t = rewritten(p, old.data[i]);
        if (t == old.data[i] && solve(p, t)) {
            changed = true;
            continue;
        }
        changed |= t != old.data[i];
        vec_push(&p->todo, t);
    }
    vec_free(&old);
    projection_break(p);
    return changed;
}

/* ---- the rest ---- */

static term_t some_gone(struct projection *p) {
    term_t found = 0;
    for (size_t i = 0; i < p->literals.len && !found; i++)
        found = gone_below(p, p->literals.data[i]);
    return found;
}

static void give_up(struct projection *p, term_t var) {
    assert(projection_gone(p, var));
    if (sort_is_number(term_sort(p->ts, var)) && projection_drop_number(p, var))
        projection_break(p);
    else
        put_instead(p, var, projection_value(p, var));
}

bool project(const struct projection_input *in, const term_t *roots, size_t n,
             struct query_terms *literals) {
    struct projection p = {.in = in, .ts = in->terms};
    vec_append(&p.todo, roots, n);
    projection_break(&p);
    for (;;) {
        while (!p.failed && sweep(&p))
            ;
        term_t var = p.failed ? 0 : some_gone(&p);
        if (!var)
            break;
        give_up(&p, var);
    }
    vec_append(literals, p.literals.data, p.failed ? 0 : p.literals.len);
    vec_free(&p.value);
    vec_free(&p.instead);
    vec_free(&p.todo);
    vec_free(&p.literals);
    vec_free(&p.stack);
    map_free(&p.known);
    map_free(&p.resolved);
    return !p.failed;
}
