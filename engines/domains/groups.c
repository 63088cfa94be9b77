/* Which cells may be related: those that one comparison, or the next value of one cell, adds up;
 * those that a target compares, and these with all that their next values add up: `k` falls from
 * where `n` was left while `j` rises, and `j < n && k < 1` names two of the three. */
#include "engines/domains/domains.h"

#include "base/mem.h"
#include "model/system/derive.h"
#include "model/term/simplify.h"

enum { VISITS_MOST = 400, GROUPS_MOST = 256 };

struct finder {
    const struct system *sys;
    struct groups *out;
    VEC(uint32_t) cell_of; /* [variable] its plain integer cell, NONE */
    VEC(uint32_t) stamp;   /* [term] the last walk that was here */
    VEC(term_t) stack;
    uint32_t walk;
};

static void visit(struct finder *f, term_t t) {
    assert(t && t < f->stamp.len);
    if (f->stamp.data[t] == f->walk)
        return;
    f->stamp.data[t] = f->walk;
    vec_push(&f->stack, t);
}

/* A cell is in the sum if a change of it changes the sum by a multiple. */
static void visit_arguments(struct finder *f, term_t t) {
    const struct term *n = term_get(f->sys->terms, t);
    switch (n->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_BAND:
    case OP_BOR:
    case OP_BXOR:
        visit(f, n->arg[0]);
        visit(f, n->arg[1]);
        break;
    case OP_ITE:
        visit(f, n->arg[1]);
        visit(f, n->arg[2]);
        break;
    case OP_ZEXT:
    case OP_SEXT:
    case OP_TRUNC:
        visit(f, n->arg[0]);
        break;
    default:
        break;
    }
}

static bool group_add(struct group *g, uint32_t cell) {
    size_t at = g->n;
    assert(cell != NONE && g->n <= GROUP_MOST);
    for (size_t i = 0; i < g->n; i++)
        if (g->cell[i] == cell)
            return true;
    if (g->n == GROUP_MOST)
        return false;
    for (; at > 0 && g->cell[at - 1] > cell; at--)
        g->cell[at] = g->cell[at - 1];
    g->cell[at] = cell;
    g->n++;
    return true;
}

/* False: more than a group can hold. */
static bool collect(struct finder *f, term_t root, struct group *g) {
    bool fits = true;
    if (!sort_is_int(term_sort(f->sys->terms, root)))
        return true;
    visit(f, root);
    for (int visits = 0; f->stack.len > 0 && fits; visits++) {
        term_t t = vec_pop(&f->stack);
        const struct term *n = term_get(f->sys->terms, t);
        visit_arguments(f, t);
        if (n->op == OP_VAR && f->cell_of.data[n->payload] != NONE)
            fits = group_add(g, f->cell_of.data[n->payload]);
        fits &= visits < VISITS_MOST;
    }
    vec_clear(&f->stack);
    return fits;
}

static void note_group(struct finder *f, const struct group *g) {
    if (g->n == 0 || f->out->len == GROUPS_MOST)
        return;
    for (size_t i = 0; i < f->out->len; i++) {
        const struct group *old = &f->out->data[i];
        if (old->n == g->n && memcmp(old->cell, g->cell, g->n * sizeof *g->cell) == 0)
            return;
    }
    vec_push(f->out, *g);
}

static void group_of_comparison(struct finder *f, const struct term *n) {
    assert(op_is_comparison(n->op));
    struct group g = {0};
    f->walk++;
    if (collect(f, n->arg[0], &g) && collect(f, n->arg[1], &g))
        note_group(f, &g);
}

static void group_of_cell(struct finder *f, uint32_t cell) {
    struct group g = {0};
    f->walk++;
    if (f->cell_of.data[term_bits(f->sys->terms, f->sys->cells.data[cell].var)] == NONE)
        return;
    group_add(&g, cell);
    if (collect(f, f->sys->cells.data[cell].next, &g))
        note_group(f, &g);
}

/* All that one target compares: `r < 0 && p == q` needs what holds of the three. */
static void group_of_target(struct finder *f, term_t hit) {
    const struct terms *ts = f->sys->terms;
    struct group g = {0};
    bool *mark = mem_zalloc(ts->nodes.len, sizeof *mark), fits = true;
    f->walk++;
    term_mark(ts, &hit, 1, mark);
    for (term_t t = 1; t <= hit && fits; t++)
        if (mark[t] && op_is_comparison(term_get(ts, t)->op))
            fits = collect(f, term_arg(ts, t, 0), &g) && collect(f, term_arg(ts, t, 1), &g);
    if (fits)
        note_group(f, &g);
    struct group wider = g;
    for (size_t i = 0; i < g.n && fits; i++)
        fits = collect(f, f->sys->cells.data[g.cell[i]].next, &wider);
    if (fits)
        note_group(f, &wider);
    mem_free(mark);
}

static void mark_program(const struct system *sys, bool *mark) {
    for (size_t i = 0; i < sys->targets.len; i++)
        term_mark(sys->terms, &sys->targets.data[i].hit, 1, mark);
    for (size_t i = 0; i < sys->cells.len; i++)
        if (!sys->cells.data[i].is)
            term_mark(sys->terms, &sys->cells.data[i].next, 1, mark);
}

void groups_find(const struct system *sys, struct groups *out) {
    struct finder f = {.sys = sys, .out = out};
    size_t n = sys->terms->nodes.len;
    bool *mark = mem_zalloc(n, sizeof *mark);
    vec_resize_zero(&f.stamp, n);
    for (size_t i = 0; i < sys->terms->vars.len; i++)
        vec_push(&f.cell_of, NONE);
    for (uint32_t i = 0; i < sys->cells.len; i++)
        if (!sys->cells.data[i].is && sort_is_int(term_sort(sys->terms, sys->cells.data[i].var)))
            f.cell_of.data[term_bits(sys->terms, sys->cells.data[i].var)] = i;
    mark_program(sys, mark);
    for (term_t t = 1; t < n; t++)
        if (mark[t] && op_is_comparison(term_get(sys->terms, t)->op))
            group_of_comparison(&f, term_get(sys->terms, t));
    for (uint32_t i = 0; i < sys->cells.len; i++)
        group_of_cell(&f, i);
    for (size_t i = 0; i < sys->targets.len && f.out->len < GROUPS_MOST; i++)
        group_of_target(&f, sys->targets.data[i].hit);
    mem_free(mark);
    vec_free(&f.cell_of);
    vec_free(&f.stamp);
    vec_free(&f.stack);
}
