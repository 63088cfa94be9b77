/* Predecessors of a cube along an edge with choices, paper, Def. 14: of the choice-free paths of
 * the edge the model of the solver takes one. Of an OR or a choice the conditions that make it so
 * become literals; what is left is free of choices. Other paths are asked for when this one is
 * blocked. */
#include "engines/cfa/ic3cfa.h"

#include "base/mem.h"
#include "model/term/eval.h"
#include "model/term/simplify.h"

enum { PASSES_MAX = 8, NODES_A_TICK = 32 };

struct splitter {
    struct ic3cfa *c;
    struct terms *ts;
    size_t len;  /* nodes before the walk */
    bool *wants; /* by term: a Boolean as a condition, others for their value */
    term_t *now; /* by term: without choices */
    struct cube *out;
};

static bool holds(const struct splitter *s, term_t t) {
    assert(t < s->len && term_sort(s->ts, t) == SORT_BOOL);
    return s->c->values.data[t] != 0;
}

/* Of a conjunction that is false one argument is enough. */
static void want_one(struct splitter *s, const struct term *node, bool value) {
    int first = holds(s, node->arg[0]) == value, second = holds(s, node->arg[1]) == value;
    assert(first || second);
    if ((first && s->wants[node->arg[0]]) || (second && s->wants[node->arg[1]]))
        return;
    bool take_second = second && (!first || node->arg[1] < node->arg[0]);
    s->wants[node->arg[take_second]] = true;
}

static void want_below(struct splitter *s, term_t t) {
    struct term node = *term_get(s->ts, t);
    if (node.op == OP_ITE) {
        s->wants[node.arg[0]] = true;
        s->wants[node.arg[holds(s, node.arg[0]) ? 1 : 2]] = true;
    } else if ((node.op == OP_AND || node.op == OP_OR) && holds(s, t) == (node.op == OP_OR)) {
        want_one(s, &node, node.op == OP_OR);
    } else {
        for (int i = 0; i < node.arity; i++)
            s->wants[node.arg[i]] = true;
    }
}

static void add_literal(struct splitter *s, term_t atom, bool value) {
    term_t literal = value ? atom : term_not(s->ts, atom);
    if (!term_is_true(s->ts, literal))
        vec_push(s->out, literal);
}

/* Booleans become what they are; atoms are noted on the way. */
static void rebuild_bool(struct splitter *s, term_t t) {
    struct term node = *term_get(s->ts, t);
    bool atom = node.op == OP_VAR ||
                (node.arity > 0 && node.op != OP_ITE && term_sort(s->ts, node.arg[0]) != SORT_BOOL);
    if (atom) {
        term_t args[3] = {0};
        for (int i = 0; i < node.arity; i++)
            args[i] = s->now[node.arg[i]];
        add_literal(s, term_rebuild(s->ts, t, args), holds(s, t));
    }
    s->now[t] = term_bool(s->ts, holds(s, t));
}

static void rebuild(struct splitter *s, term_t t) {
    struct term node = *term_get(s->ts, t);
    if (node.sort == SORT_BOOL) {
        rebuild_bool(s, t);
    } else if (node.op == OP_ITE) {
        s->now[t] = s->now[node.arg[holds(s, node.arg[0]) ? 1 : 2]];
        assert(s->now[t] && "arguments come first");
    } else {
        term_t args[3] = {0};
        for (int i = 0; i < node.arity; i++)
            args[i] = s->now[node.arg[i]];
        s->now[t] = term_rebuild(s->ts, t, args);
    }
}

static void walk(struct splitter *s, const term_t *roots, size_t n) {
    for (size_t i = 0; i < n; i++)
        s->wants[roots[i]] = true;
    for (size_t t = s->len; t-- > 1;)
        if (s->wants[t])
            want_below(s, (term_t)t);
    for (term_t t = 1; t < s->len; t++)
        if (s->wants[t])
            rebuild(s, t);
}

static bool evaluate(struct ic3cfa *c, const term_t *roots, size_t n) {
    vec_resize_zero(&c->values, c->ts->nodes.len);
    term_eval(c->ts, roots, n, c->var_values.data, c->values.data);
    c->walked += c->ts->nodes.len / NODES_A_TICK;
    WINDOW_ADD(c->input->window, stats.own_ticks, c->ts->nodes.len / NODES_A_TICK);
    for (size_t i = 0; i < n; i++)
        if (!c->values.data[roots[i]])
            return false;
    return true;
}

/* The constructors may have made a choice of an atom. */
static bool has_choice(const struct terms *ts, const struct cube *cube) {
    for (size_t i = 0; i < cube->len; i++) {
        term_t t = cube->data[i];
        if (term_is(ts, t, OP_NOT))
            t = term_arg(ts, t, 0);
        if (term_is(ts, t, OP_AND) || term_is(ts, t, OP_OR) || term_is(ts, t, OP_XOR) ||
            term_is(ts, t, OP_ITE))
            return true;
    }
    return false;
}

static bool one_pass(struct ic3cfa *c, const term_t *roots, size_t n, struct cube *cube) {
    if (!evaluate(c, roots, n))
        return false;
    struct splitter s = {.c = c, .ts = c->ts, .len = c->ts->nodes.len, .out = cube};
    s.wants = mem_zalloc(s.len, sizeof *s.wants);
    s.now = mem_zalloc(s.len, sizeof *s.now);
    walk(&s, roots, n);
    mem_free(s.wants);
    mem_free(s.now);
    return true;
}

bool precube(struct ic3cfa *c, const term_t *roots, size_t n, struct cube *cube) {
    bool ok = one_pass(c, roots, n, cube);
    for (int pass = 0; ok && pass < PASSES_MAX && has_choice(c->ts, cube); pass++) {
        struct cube again = {0};
        cube_sort(cube);
        ok = one_pass(c, cube->data, cube->len, &again);
        vec_free(cube);
        *cube = again;
    }
    cube_sort(cube);
    return ok;
}
