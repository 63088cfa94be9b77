/* What the rows of a relaxation are made of (relax.h): for each variable its value as a sum over
 * leaves. Built anew when constraints were added; a variable's arguments are older than it is, so
 * one pass in the order of numbers does it. Errors come from what is known at level 0. */
#include "engines/solver/relations/linear.h"
#include "engines/solver/relations/relax_parts.h"

#include <math.h>

enum { MAX_TERMS = 48, MAX_DEPTH = 60, MAX_ALL_TERMS = 1 << 21 };
#define GREATEST 0x1p100

const struct relax_form *relax_form_of(const struct relax *r, svar v) {
    assert(v < r->forms.len && r->forms.data[v].n > 0);
    return &r->forms.data[v];
}

static bool is_sum(const struct relax *r, svar v) {
    return v < r->forms.len && r->forms.data[v].known;
}

static void form_leaf(struct relax *r, svar v) {
    struct relax_form *f = &r->forms.data[v];
    *f = (struct relax_form){.first = (uint32_t)r->terms.len, .n = 1};
    vec_push(&r->terms, (struct relax_term){v, 1, 1});
}

/* Adds a term to the form that ends the list. */
static bool term_add(struct relax *r, struct relax_form *f, struct relax_term term) {
    for (uint32_t i = f->first; i < f->first + f->n; i++) {
        struct relax_term *t = &r->terms.data[i];
        if (t->leaf != term.leaf)
            continue;
        t->coef += term.coef;
        t->weight += term.weight;
        return true;
    }
    if (f->n == MAX_TERMS)
        return false;
    vec_push(&r->terms, term);
    f->n++;
    return true;
}

/* Adds k * v, k known to within `weight` roundings. */
static bool form_add(struct relax *r, struct relax_form *f, svar v, double k, double weight) {
    struct relax_form of = r->forms.data[v];
    double most = fabs(k) + weight;
    for (uint32_t i = of.first; i < of.first + of.n; i++) {
        struct relax_term t = r->terms.data[i];
        if (!term_add(r, f, (struct relax_term){t.leaf, k * t.coef, most * t.weight}))
            return false;
    }
    f->constant += k * of.constant;
    f->weight += most * of.weight;
    f->error += most * of.error * (1 + 0x1p-40);
    if (of.known && of.depth + 1 > f->depth)
        f->depth = (uint8_t)(of.depth + 1);
    return f->depth < MAX_DEPTH;
}

static bool form_finite(const struct relax *r, const struct relax_form *f) {
    double most = f->weight + f->error;
    for (uint32_t i = f->first; i < f->first + f->n; i++)
        most += r->terms.data[i].weight;
    return most < GREATEST;
}

static bool form_step(struct solver *s, struct relax *r, const struct linear *one, svar v) {
    struct relax_form f = {.first = (uint32_t)r->terms.len, .known = true};
    f.error = linear_step_error(s, one);
    f.constant = one->constant;
    f.weight = one->constant_weight + fabs(one->constant);
    bool fine = f.error < GREATEST && r->terms.len < MAX_ALL_TERMS;
    for (int i = 0; i < one->n_leaves && fine; i++)
        fine = form_add(r, &f, one->var[i + 1], one->coef[i + 1], one->weight[i + 1]);
    s->stats.ticks += 1 + f.n / 8;
    if (fine && f.n > 0 && form_finite(r, &f))
        r->forms.data[v] = f;
    else
        vec_truncate(&r->terms, f.first);
    return is_sum(r, v);
}

static void form_make(struct solver *s, struct relax *r, svar v) {
    struct linear one;
    sort_t sort = s->sort.data[v];
    if (sort == SORT_BOOL || sort == SORT_NONE)
        return;
    if (s->base.data[2 * v] != ~s->base.data[2 * v + 1] && linear_step(s, v, &one) &&
        form_step(s, r, &one, v))
        return;
    form_leaf(r, v);
}

/* ---- which rows may be worth it ---- */

enum { INNER = 1, OUTER = 2, RELEVANT = 4 };

/* Who uses a sum only for other sums needs no row: its bounds follow. */
static void mark_uses(const struct solver *s, const struct relax *r, uint8_t *marks) {
    for (uint32_t prim = 1; prim < s->prims.len; prim++) {
        const struct prim_use *use = &s->prims.data[prim];
        if (prim_is_form(use))
            continue;
        bool inner = s->definition.data[use->var[0]] == prim && is_sum(r, use->var[0]);
        for (int i = inner ? 1 : 0; i < 4; i++)
            if (use->var[i] && s->definition.data[use->var[i]] != prim)
                marks[use->var[i]] |= inner ? INNER : OUTER;
    }
    for (svar v = 1; v <= s->n_vars; v++)
        for (uint32_t i = 0; is_sum(r, v) && i < r->forms.data[v].n; i++)
            marks[r->terms.data[r->forms.data[v].first + i].leaf] |= RELEVANT;
}

/* Both ends of an edge are in the order that their variables have. */
static bool node_usable(const struct solver *s, uint32_t node) {
    svar v = node / 2;
    sort_t sort = s->sort.data[v];
    if (sort == SORT_BOOL || s->base.data[2 * v] == ~s->base.data[2 * v + 1])
        return false;
    return !sort_is_int(sort) || (sort <= 48 && (node & 1) == !(s->flags.data[v] & VAR_SIGNED));
}

static void add_edges(const struct solver *s, struct relax *r, const uint8_t *marks) {
    for (uint32_t i = 1; i < s->order.edges.len; i++) {
        const struct order_edge *e = &s->order.edges.data[i];
        svar from = e->from / 2, to = e->to / 2;
        if (e->moving || !node_usable(s, e->from) || !node_usable(s, e->to))
            continue;
        if (is_sum(r, from) || is_sum(r, to) || (marks[from] & marks[to] & RELEVANT))
            vec_push(&r->rows, (struct relax_row){RELAX_EDGE, i});
    }
}

void relax_build(struct solver *s) {
    struct relax *r = s->relax;
    vec_clear(&r->terms);
    vec_clear(&r->forms);
    vec_clear(&r->rows);
    vec_resize_zero(&r->forms, (size_t)s->n_vars + 1);
    for (svar v = 1; v <= s->n_vars; v++)
        form_make(s, r, v);
    uint8_t *marks = mem_zalloc((size_t)s->n_vars + 1, 1);
    mark_uses(s, r, marks);
    for (svar v = 1; v <= s->n_vars; v++)
        if (is_sum(r, v) && marks[v] != INNER && marks[v] != (INNER | RELEVANT)) {
            vec_push(&r->rows, (struct relax_row){RELAX_LOWER, v});
            vec_push(&r->rows, (struct relax_row){RELAX_UPPER, v});
        }
    add_edges(s, r, marks);
    mem_free(marks);
    s->stats.ticks += s->prims.len / 4 + s->order.edges.len / 16;
    r->built_for = s->prims.len;
}

struct relax_side relax_side_of(const struct solver *s, struct relax_row row) {
    const struct relax *r = s->relax;
    if (row.kind == RELAX_EDGE) {
        const struct order_edge *e = &s->order.edges.data[row.of];
        svar from = e->from / 2, to = e->to / 2;
        double weight = sort_is_int(s->sort.data[from]) ? (double)e->weight : 0;
        double errors = relax_form_of(r, from)->error + relax_form_of(r, to)->error;
        return (struct relax_side){
            .form = {from, to}, .sign = {1, -1}, .slack = weight + errors * (1 + 0x1p-50)};
    }
    double sign = row.kind == RELAX_UPPER ? 1 : -1;
    return (struct relax_side){.form = {row.of, 0},
                               .sign = {sign, 0},
                               .own = row.of,
                               .own_sign = -sign,
                               .slack = relax_form_of(r, row.of)->error};
}
