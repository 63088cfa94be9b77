/* The values that a cell takes: from its initial ones the step is executed on each value, with all
 * other cells and inputs anywhere within their bounds, until nothing new comes. A choice whose
 * condition is open is taken both ways, one after the other, so that `up ? x + 0.1 : x - 0.1` has
 * two results and not what lies between them; and a cell that the result is made of takes each of
 * its own values.
 *
 * A ramp that moves by constants has hundreds or thousands of values. What lies close together is
 * joined, and what goes on being joined grows to the end of its bounds at once (widening): a
 * counter from 0 to 60,000 has no gaps worth finding.
 *
 * Nothing sound rests on the set: values.c asks the solver.
 */
#include "engines/domains/domains.h"

#include "model/system/derive.h"

enum {
    PIECES_MOST = 8192,
    GROWTH_MOST = 40,    /* joins until a piece is widened */
    TERM_TICKS = 8,      /* to execute a term, in ticks of the solver */
    WORK_MOST = 6000000, /* ticks for one cell */
    WORK_IN_ALL = 100000000,
    DEPTH_MOST = 8, /* cells that are made of cells */
};

/* Something open that is taken in each of its ways: a condition, or a cell that has a set. */
struct turn {
    uint32_t node;
    const struct value_set *set; /* NULL: a condition, false first */
    size_t at;
};

enum { MATTERS_NOT, MATTERS_IN_CONDITIONS, MATTERS };

struct closure {
    struct domains *d;
    uint32_t cell;
    struct range box;     /* what the lemmas leave the cell */
    struct forward code;  /* of its next value, or of its first one */
    uint32_t root, pivot; /* nodes; pivot: the cell itself, NONE where its value is not read */
    VEC(struct range) start, value;     /* [node] of variables; of all */
    VEC(const struct value_set *) sets; /* [node] of cells, NULL: none */
    VEC(bool) reads_pivot, forced;      /* [node]; has its value from a turn */
    VEC(uint8_t) matters;               /* [node] in the way taken */
    VEC(struct turn) turns;
    struct pieces todo;
    struct value_set *out;
    VEC(uint32_t) grown; /* [piece] how often it was joined */
    uint64_t work;
};

/* ---- the set ---- */

/* The first piece that ends at this value or above. */
size_t value_set_find(const struct value_set *set, int64_t value) {
    size_t low = 0, high = set->pieces.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (set->pieces.data[middle].hi < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void make_room(struct closure *c, size_t at, size_t end, struct range r, uint32_t grown) {
    struct pieces *all = &c->out->pieces;
    size_t n = all->len;
    assert(at <= end && end <= n && n == c->grown.len);
    if (at == end) {
        vec_push(all, r);
        vec_push(&c->grown, grown);
    }
    size_t to = at + 1;
    memmove(all->data + to, all->data + end, (n - end) * sizeof *all->data);
    memmove(c->grown.data + to, c->grown.data + end, (n - end) * sizeof *c->grown.data);
    all->len = c->grown.len = n - (end - at) + 1;
    all->data[at] = r;
    c->grown.data[at] = grown;
}

/* Joins what it touches; what has been joined often grows to the end of the box. */
static void insert(struct closure *c, struct range r) {
    struct pieces *all = &c->out->pieces;
    const struct range *box = &c->box;
    size_t at = value_set_find(c->out, r.lo > box->lo ? r.lo - 1 : r.lo), end = at;
    uint32_t grown = 0;
    struct range now = r;
    for (; end < all->len && (all->data[end].lo <= now.hi || all->data[end].lo - 1 == now.hi);
         end++) {
        if (range_inside(r, all->data[end]))
            return;
        grown = c->grown.data[end] > grown ? c->grown.data[end] : grown;
        now = range_join(now, all->data[end]);
    }
    grown += end > at;
    if (grown > GROWTH_MOST) {
        now.hi = now.hi > all->data[end - 1].hi ? box->hi : now.hi;
        now.lo = now.lo < all->data[at].lo ? box->lo : now.lo;
        while (end < all->len && all->data[end].lo <= now.hi)
            now = range_join(now, all->data[end++]);
        while (at > 0 && all->data[at - 1].hi >= now.lo)
            now = range_join(now, all->data[--at]);
    }
    make_room(c, at, end, now, grown);
    vec_push(&c->todo, now);
}

/* ---- one value ---- */

static bool is_open(struct range r) {
    return r.num && r.lo < r.hi;
}

static void execute(struct closure *c, size_t from) {
    for (size_t i = from; i < c->code.nodes.len; i++) {
        const struct forward_node *n = &c->code.nodes.data[i];
        struct range args[3] = {{0}};
        if (c->forced.data[i])
            continue;
        for (int a = 0; a < n->arity; a++)
            args[a] = c->value.data[n->arg[a]];
        c->value.data[i] = n->arity ? forward_result(n, args) : c->start.data[i];
    }
    c->work += TERM_TICKS * (c->code.nodes.len - from);
}

/* What a node's arguments matter as; what conditions that do not read the cell are made of does
 * not. */
static void pass_on(struct closure *c, size_t i) {
    const struct forward_node *n = &c->code.nodes.data[i];
    bool chooses = n->prim.op == OP_ITE, is_flag = n->prim.sort[0] == SORT_BOOL;
    if (range_is_point(c->value.data[i]) || (is_flag && !c->reads_pivot.data[i]))
        return;
    for (int a = 0; a < n->arity; a++) {
        struct range condition = chooses ? c->value.data[n->arg[0]] : range_empty();
        uint8_t as = is_flag || (chooses && a == 0) ? MATTERS_IN_CONDITIONS : c->matters.data[i];
        bool taken = !chooses || a == 0 || is_open(condition) || condition.lo == (a == 1);
        if (taken && as > c->matters.data[n->arg[a]])
            c->matters.data[n->arg[a]] = as;
    }
}

/* What is open in the way taken: the first condition that chooses, else a cell that the value is
 * made of. */
static bool find_open(struct closure *c, struct turn *turn) {
    *turn = (struct turn){.node = NONE};
    memset(c->matters.data, 0, c->matters.len * sizeof *c->matters.data);
    c->matters.data[c->root] = MATTERS;
    c->work += c->code.nodes.len;
    for (size_t i = c->code.nodes.len; i-- > 0;) {
        const struct forward_node *n = &c->code.nodes.data[i];
        if (c->matters.data[i] == MATTERS_NOT || range_is_point(c->value.data[i]))
            continue;
        pass_on(c, i);
        if (n->prim.op == OP_ITE && is_open(c->value.data[n->arg[0]]) &&
            (turn->set || n->arg[0] < turn->node))
            *turn = (struct turn){.node = n->arg[0]};
        if (turn->node == NONE && c->sets.data[i] && c->matters.data[i] == MATTERS &&
            !c->forced.data[i])
            *turn = (struct turn){(uint32_t)i, c->sets.data[i], 0};
    }
    return turn->node != NONE;
}

static void force(struct closure *c, const struct turn *t) {
    c->forced.data[t->node] = true;
    c->value.data[t->node] = t->set ? t->set->pieces.data[t->at] : range_point((int64_t)t->at);
    execute(c, t->node);
}

/* The next way through the step; false: that was the last. */
static bool turn_on(struct closure *c) {
    uint32_t from = NONE;
    while (c->turns.len > 0) {
        struct turn *t = &vec_last(&c->turns);
        from = t->node < from ? t->node : from;
        c->forced.data[t->node] = false;
        if (++t->at < (t->set ? t->set->pieces.len : 2)) {
            execute(c, from);
            force(c, t);
            return true;
        }
        (void)vec_pop(&c->turns);
    }
    return false;
}

static bool take(struct closure *c) {
    struct range r = c->value.data[c->root];
    const struct term_var *v = domains_var(c->d, c->cell);
    r = forward_view(r, v->sort, c->code.nodes.data[c->root].prim.is_signed[0], v->is_signed);
    r = range_meet(r, c->box);
    if (r.num)
        insert(c, range_between(r.lo, r.hi));
    return !r.nan && c->out->pieces.len <= PIECES_MOST && c->work <= WORK_MOST;
}

/* All ways through the step. False: too many, or the cell may become NaN. */
static bool outcomes(struct closure *c) {
    struct turn turn;
    assert(c->turns.len == 0);
    execute(c, 0);
    do {
        while (find_open(c, &turn)) {
            vec_push(&c->turns, turn);
            force(c, &turn);
        }
        if (!take(c))
            return false;
    } while (turn_on(c));
    return true;
}

/* ---- what is known of the sources ---- */

static struct range source_range(struct unroll *u, struct frame *frame, const struct term_var *v) {
    svar s = solver_encode(u->solver, frame, v->term);
    struct range r = {solver_min(u->solver, s), solver_max(u->solver, s), true,
                      solver_nan(u->solver, s) != 0};
    return forward_view(r, v->sort, solver_is_signed(u->solver, s), v->is_signed);
}

/* The other cells that the next value is made of, as far as little is known of them. */
static const struct value_set *set_of_node(struct closure *c, term_t t) {
    const struct system *sys = domains_system(c->d);
    uint32_t cell = system_cell_of(sys, t);
    if (cell == NONE || cell == c->cell || cell >= c->d->n_cells)
        return NULL;
    const struct value_set *set = value_set_of(c->d, cell);
    return set->pieces.len > 1 ? set : NULL;
}

static void code_open(struct closure *c, struct unroll *u, struct frame *frame, term_t root) {
    const struct system *sys = domains_system(c->d);
    forward_init(&c->code, sys->terms, &root, 1, u->solver);
    c->root = c->code.index.data[root];
    c->pivot = c->code.index.data[sys->cells.data[c->cell].var];
    for (size_t i = 0; i < c->code.nodes.len; i++) {
        const struct forward_node *n = &c->code.nodes.data[i];
        bool is_var = n->prim.op == OP_VAR, reads_pivot = i == c->pivot;
        const struct term_var *vars = sys->terms->vars.data;
        const struct term_var *v = is_var ? &vars[term_get(sys->terms, n->term)->payload] : NULL;
        vec_push(&c->start, v ? source_range(u, frame, v) : n->full);
        vec_push(&c->sets, v ? set_of_node(c, n->term) : NULL);
        for (int a = 0; a < n->arity; a++)
            reads_pivot |= c->reads_pivot.data[n->arg[a]];
        vec_push(&c->reads_pivot, reads_pivot);
    }
    vec_resize_zero(&c->value, c->code.nodes.len);
    vec_resize_zero(&c->forced, c->code.nodes.len);
    vec_resize_zero(&c->matters, c->code.nodes.len);
}

static void code_close(struct closure *c) {
    forward_free(&c->code);
    vec_free(&c->start);
    vec_free(&c->value);
    vec_free(&c->sets);
    vec_free(&c->reads_pivot);
    vec_free(&c->forced);
    vec_free(&c->matters);
}

static bool initial_values(struct closure *c) {
    struct unroll *u = &c->d->from_init;
    code_open(c, u, u->init, domains_system(c->d)->cells.data[c->cell].init);
    bool good = outcomes(c);
    code_close(c);
    return good;
}

static bool close_set(struct closure *c) {
    struct unroll *u = &c->d->from_any;
    bool good = true;
    code_open(c, u, u->steps.data[0], domains_system(c->d)->cells.data[c->cell].next);
    if (c->pivot == NONE)
        good = outcomes(c);
    while (good && c->todo.len > 0) {
        struct range r = vec_pop(&c->todo);
        /* What has been joined since comes again. */
        size_t at = value_set_find(c->out, r.lo);
        if (c->pivot == NONE || !range_same(c->out->pieces.data[at], r))
            continue;
        c->start.data[c->pivot] = r;
        good = outcomes(c);
    }
    code_close(c);
    return good;
}

static void find_set(struct domains *d, uint32_t cell, struct value_set *out) {
    struct closure c = {.d = d, .cell = cell, .out = out};
    assert(cell < d->n_cells && !domains_system(d)->cells.data[cell].is);
    c.box = source_range(&d->from_any, d->from_any.steps.data[0], domains_var(d, cell));
    bool good = initial_values(&c) && close_set(&c) && out->pieces.len > 0;
    d->work += c.work;
    if (good && range_inside(c.box, out->pieces.data[0]))
        good = false; /* no gap */
    if (!good)
        vec_free(&out->pieces);
    vec_free(&c.todo);
    vec_free(&c.turns);
    vec_free(&c.grown);
}

/* One that is being looked for has nothing in it for those that it is made of. */
const struct value_set *value_set_of(struct domains *d, uint32_t cell) {
    struct value_set *set = &d->sets.data[cell];
    static const struct value_set none;
    bool is_number =
        !domains_system(d)->cells.data[cell].is && domains_var(d, cell)->sort != SORT_BOOL;
    if (set->state == SET_UNKNOWN && is_number && d->depth < DEPTH_MOST && d->work < WORK_IN_ALL) {
        set->state = SET_UNDER_WAY;
        d->depth++;
        find_set(d, cell, set);
        d->depth--;
        set->state = SET_KNOWN;
    }
    return set->state == SET_KNOWN ? set : &none;
}
