/* predicates: the set P. Boolean cells are always among them, so that Booleans are precise (3.4).
 */
#include "engines/ia/core.h"

#include "model/term/simplify.h"

/* A term and its negation are one predicate. */
uint32_t ia_predicate(struct ia *ia, term_t t, bool *is_new) {
    t = term_is(ia->ts, t, OP_NOT) ? term_arg(ia->ts, t, 0) : t;
    uint32_t *known = map_get(&ia->predicate_of, t);
    assert(term_sort(ia->ts, t) == SORT_BOOL && !term_is_const(ia->ts, t));
    *is_new = !known;
    if (known)
        return *known;
    uint32_t made = (uint32_t)ia->predicates.len;
    map_put(&ia->predicate_of, t, made);
    vec_push(&ia->predicates, t);
    vec_push(&ia->activity, 0);
    assert(ia->activity.len == ia->predicates.len);
    return made;
}

term_t ia_term(const struct ia *ia, ia_lit lit) {
    assert(lit / 2 < ia->predicates.len);
    term_t t = ia->predicates.data[lit / 2];
    return lit & 1 ? term_not(ia->ts, t) : t;
}

/* ---- comparisons of the program ---- */

/* What stands for each variable in a predicate over the cells: a cell for itself, and a cell for an
 * input that is its next value; 0: the variable has no place in one. */
static struct query_terms cell_views(const struct ia *ia) {
    struct query_terms view = {0};
    vec_resize_zero(&view, ia->ts->vars.len);
    for (size_t i = 0; i < ia->sys->cells.len; i++) {
        const struct cell *c = &ia->sys->cells.data[i];
        if (c->is)
            continue;
        view.data[term_get(ia->ts, c->var)->payload] = c->var;
        if (term_is(ia->ts, c->next, OP_VAR) && !view.data[term_get(ia->ts, c->next)->payload])
            view.data[term_get(ia->ts, c->next)->payload] = c->var;
    }
    return view;
}

/* 1 where a term can be said of cells, and has no choice in it. */
static void mark_sayable(const struct ia *ia, const struct query_terms *view, bool *sayable,
                         term_t below) {
    for (term_t t = 1; t < below; t++) {
        const struct term *n = term_get(ia->ts, t);
        sayable[t] = n->op != OP_ITE && n->op != OP_B2I;
        if (n->op == OP_VAR)
            sayable[t] = n->payload < view->len && view->data[n->payload] != 0;
        for (int a = 0; a < n->arity; a++)
            sayable[t] = sayable[t] && sayable[n->arg[a]];
    }
}

static bool is_comparison(const struct ia *ia, term_t t) {
    const struct term *n = term_get(ia->ts, t);
    bool compares = op_is_comparison((enum op)n->op) || n->op == OP_NLE;
    return compares && term_sort(ia->ts, n->arg[0]) != SORT_BOOL;
}

static void add_comparisons(struct ia *ia, const term_t *roots, size_t n, size_t most) {
    assert(n > 0 && ia->ts->nodes.len > 1);
    struct terms *ts = ia->ts;
    term_t end = (term_t)ts->nodes.len;
    bool *mark = mem_zalloc(end, sizeof *mark), *sayable = mem_zalloc(end, sizeof *sayable), fresh;
    struct query_terms view = cell_views(ia);
    term_mark(ts, roots, n, mark);
    mark_sayable(ia, &view, sayable, end);
    for (term_t t = 1; t < end && most > 0; t++) {
        if (!mark[t] || !sayable[t] || !is_comparison(ia, t))
            continue;
        term_t said = t;
        term_substitute(ts, view.data, view.len, &said, 1);
        if (term_is_const(ts, said))
            continue;
        ia_predicate(ia, said, &fresh);
        most -= fresh;
    }
    mem_free(mark);
    mem_free(sayable);
    vec_free(&view);
}

/* x <= y for all pairs of numbers, if there are not too many. */
static void add_pairs(struct ia *ia, size_t most) {
    struct query_terms numbers = {0};
    bool fresh;
    for (size_t i = 0; i < ia->sys->cells.len; i++)
        if (sort_is_number(term_sort(ia->ts, ia->sys->cells.data[i].var)))
            vec_push(&numbers, ia->sys->cells.data[i].var);
    for (size_t i = 0; numbers.len <= most && i < numbers.len; i++)
        for (size_t k = 0; k < numbers.len; k++)
            if (i != k && term_sort(ia->ts, numbers.data[i]) == term_sort(ia->ts, numbers.data[k]))
                ia_predicate(ia, term_op2(ia->ts, OP_NLE, numbers.data[i], numbers.data[k]),
                             &fresh);
    vec_free(&numbers);
}

void ia_start(struct ia *ia) {
    struct query_terms roots = {0};
    bool fresh;
    for (size_t i = 0; i < ia->sys->cells.len; i++) {
        const struct cell *c = &ia->sys->cells.data[i];
        if (term_sort(ia->ts, c->var) == SORT_BOOL)
            ia_predicate(ia, c->is ? c->is : c->var, &fresh);
    }
    vec_push(&roots, ia->sys->targets.data[ia->target].hit);
    vec_push(&roots, ia->sys->init_ok);
    if (ia->options.knobs->ia_start)
        add_comparisons(ia, roots.data, roots.len, ia->options.knobs->ia_start);
    vec_push(&roots, ia->sys->step_ok);
    for (size_t i = 0; i < ia->sys->cells.len; i++)
        vec_push(&roots, ia->sys->cells.data[i].next);
    if (ia->options.knobs->ia_start)
        add_comparisons(ia, roots.data, roots.len, ia->options.knobs->ia_start);
    add_pairs(ia, ia->options.knobs->ia_pairs);
    vec_free(&roots);
}
