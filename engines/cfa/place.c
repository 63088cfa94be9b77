/* A location at work. Questions are asked in the variables before the edge (WEP-based inductivity,
 * paper, Def. 15): the literals of the cube after it are terms over them, so one solver a location
 * serves all edges that leave it, and what is learned of one serves the others. The other form (16)
 * is there to compare with: the literals themselves, in a frame of the states behind the edge.
 *
 * Our solver is asked first. What it does not answer soon goes to Z3, which is opened when that
 * first happens: comparisons of sums that may wrap are hard for bounds, and easy for bits. */
#include "engines/cfa/ic3cfa.h"

#include "base/mem.h"
#include "model/term/simplify.h"

enum { TEMPORARIES_MAX = 1500, PATIENCE_LEAST = 1000, PATIENCE = 20000 };

/* ---- opening ---- */

/* At this location, and over plain cells: derived ones are not part of its frame. */
static term_t lemma_here(struct ic3cfa *c, const struct place *p, const struct clause *lemma) {
    term_t holds = clause_term(c->sys, lemma);
    vec_resize_zero(&c->map, c->ts->vars.len);
    for (uint32_t i = 0; i < c->sys->cells.len; i++) {
        const struct cell *cell = &c->sys->cells.data[i];
        term_t *to = &c->map.data[term_bits(c->ts, cell->var)];
        *to = i == c->pc ? term_const(c->ts, term_sort(c->ts, cell->var), p->value) : cell->is;
    }
    term_substitute(c->ts, c->map.data, c->map.len, &holds, 1);
    for (uint32_t i = 0; i < c->sys->cells.len; i++)
        c->map.data[term_bits(c->ts, c->sys->cells.data[i].var)] = 0;
    return holds;
}

static void new_top(struct asker *a) {
    vec_push(&a->level_active, query_activation(a->query));
}

/* Where `when` is assumed the state is not in the cube. */
static void exclude(struct asker *a, const struct cube *cube, qlit when) {
    struct qlits clause = {0};
    vec_push(&clause, -when);
    for (size_t i = 0; i < cube->len; i++)
        vec_push(&clause, -query_literal(a->query, a->frame, cube->data[i]));
    query_clause(a->query, clause.data, clause.len);
    vec_free(&clause);
}

static void asker_open(struct ic3cfa *c, uint32_t place, enum query_back_end back_end) {
    struct place *p = &c->places.data[place];
    struct asker *a = &p->askers[back_end];
    struct query_options how = {.back_end = back_end,
                                .seed = c->input->options.seed,
                                .total = window_solver(c->input->window)};
    a->query = query_open(c->ts, &how);
    a->frame = query_frame(a->query);
    a->temporaries = 0;
    a->once = 0;
    vec_clear(&a->level_active);
    vec_clear(&a->behind);
    for (size_t i = 0; place > 0 && i < c->known.clauses.len; i++)
        query_assert(a->query, a->frame, lemma_here(c, p, &c->known.clauses.data[i]), 0);
    for (uint32_t level = 0; level <= c->top; level++)
        new_top(a);
    for (size_t i = 0; i < p->blocked.len; i++)
        exclude(a, &p->blocked.data[i].cube, a->level_active.data[p->blocked.data[i].level]);
}

static void asker_close(struct ic3cfa *c, struct asker *a) {
    if (!a->query)
        return;
    c->ticks_before += query_ticks(a->query);
    query_close(a->query);
    a->query = NULL;
}

void place_open(struct ic3cfa *c, uint32_t place) {
    c->places.data[place].patience = PATIENCE;
    if (c->knobs.cfa_solver != 2)
        asker_open(c, place, QUERY_ICP);
}

void place_close(struct ic3cfa *c, struct place *p) {
    for (int i = 0; i < ASKERS; i++) {
        asker_close(c, &p->askers[i]);
        vec_free(&p->askers[i].level_active);
        vec_free(&p->askers[i].behind);
    }
}

void place_rebuild_if_worn(struct ic3cfa *c, uint32_t place) {
    for (int i = 0; i < ASKERS; i++) {
        struct asker *a = &c->places.data[place].askers[i];
        if (!a->query || a->temporaries < TEMPORARIES_MAX)
            continue;
        asker_close(c, a);
        asker_open(c, place, (enum query_back_end)i);
    }
}

void place_new_top(struct place *p) {
    for (int i = 0; i < ASKERS; i++)
        if (p->askers[i].query)
            new_top(&p->askers[i]);
}

void place_exclude(struct place *p, const struct cube *cube, uint32_t level) {
    p->learned++;
    for (int i = 0; i < ASKERS; i++) {
        struct asker *a = &p->askers[i];
        assert(!a->query || (level > 0 && level < a->level_active.len));
        if (a->query)
            exclude(a, cube, a->level_active.data[level]);
    }
}

uint64_t places_ticks(const struct ic3cfa *c) {
    uint64_t ticks = c->ticks_before + c->walked;
    for (size_t i = 0; i < c->places.len; i++)
        for (int k = 0; k < ASKERS; k++)
            if (c->places.data[i].askers[k].query)
                ticks += query_ticks(c->places.data[i].askers[k].query);
    return ticks;
}

/* ---- questions ---- */

static void begin(struct ic3cfa *c, uint32_t place, uint32_t level, const struct cube *except) {
    assert(place < c->places.len && (place > 0 || !except));
    vec_clear(&c->last.terms);
    vec_clear(&c->last.literal);
    c->last.place = place;
    c->last.level = level;
    c->last.except = except;
    c->last.edge = NONE;
    c->last.never = false;
}

static void assume(struct ic3cfa *c, term_t t, uint32_t literal) {
    assert(c->last.terms.len == c->last.literal.len);
    vec_push(&c->last.terms, t);
    vec_push(&c->last.literal, literal);
}

/* The states behind the edge, as terms of those in front of it. */
static uint32_t frame_behind(struct ic3cfa *c, struct asker *a, uint32_t edge) {
    const struct cfa_edge *e = &c->cfa.edges.data[edge];
    if (a->behind.len == 0)
        vec_resize_zero(&a->behind, c->cfa.edges.len);
    uint32_t *frame = &a->behind.data[edge];
    if (*frame > 0)
        return *frame - 1;
    *frame = query_frame(a->query) + 1;
    for (uint32_t i = 0; i < c->cfa.cells.len; i++) {
        term_t var = c->cfa.cells.data[i].var, value = e->from == 0 ? 0 : var;
        for (size_t k = 0; k < e->assigns.len; k++)
            if (e->assigns.data[k].cell == i)
                value = e->assigns.data[k].value;
        assert(value && "edges of the start assign all cells");
        query_bind(a->query, *frame - 1, var, a->frame, value);
    }
    return *frame - 1;
}

/* The question as assumptions: levels, the clause for this question alone, conditions. */
static void list_assumptions(struct ic3cfa *c, struct asker *a) {
    assert(a->query && c->last.level <= a->level_active.len);
    vec_clear(&c->last.lits);
    if (a->once)
        query_clause(a->query, (qlit[]){-a->once}, 1);
    a->once = 0;
    for (size_t l = a->level_active.len; l-- > c->last.level;)
        vec_push(&c->last.lits, a->level_active.data[l]);
    if (c->last.except) {
        exclude(a, c->last.except, a->once = query_activation(a->query));
        vec_push(&c->last.lits, a->once);
        a->temporaries++;
    }
    c->last.n_before = c->last.lits.len;
    uint32_t behind = c->last.edge == NONE ? a->frame : frame_behind(c, a, c->last.edge);
    for (size_t i = 0; i < c->last.terms.len; i++) {
        uint32_t frame = c->last.literal.data[i] == NONE ? a->frame : behind;
        vec_push(&c->last.lits, query_literal(a->query, frame, c->last.terms.data[i]));
    }
}

static enum solver_result ask(struct ic3cfa *c, enum query_back_end back_end, uint64_t most) {
    struct place *p = &c->places.data[c->last.place];
    struct asker *a = &p->askers[back_end];
    uint64_t now = places_ticks(c), left = now < c->until ? c->until - now : 0;
    if (left == 0)
        return SOLVER_UNKNOWN;
    if (!a->query)
        asker_open(c, c->last.place, back_end);
    list_assumptions(c, a);
    p->answered = back_end;
    return query_solve(a->query, c->last.lits.data, c->last.lits.len, most < left ? most : left);
}

static enum solver_result solve(struct ic3cfa *c) {
    struct place *p = &c->places.data[c->last.place];
    enum solver_result result = SOLVER_UNKNOWN;
    if (c->knobs.cfa_solver != 2)
        result = ask(c, QUERY_ICP, c->knobs.cfa_solver ? p->patience : UINT64_MAX);
    if (result != SOLVER_UNKNOWN)
        p->patience = PATIENCE;
    else if (c->knobs.cfa_solver != 0)
        result = ask(c, QUERY_Z3, UINT64_MAX);
    if (p->answered == QUERY_Z3 && p->patience > PATIENCE_LEAST)
        p->patience /= 2;
    c->out_of_ticks |= result == SOLVER_UNKNOWN;
    return result;
}

enum solver_result place_ask(struct ic3cfa *c, uint32_t edge, uint32_t level,
                             const struct cube *cube, const struct cube *except) {
    const struct cfa_edge *e = &c->cfa.edges.data[edge];
    assert(level > 0 || e->from == 0);
    begin(c, e->from, level, except && except->len > 0 && e->from == e->to ? except : NULL);
    assume(c, e->guard, NONE);
    c->last.edge = c->knobs.cfa_wep ? NONE : edge;
    for (uint32_t i = 0; i < cube->len && !c->knobs.cfa_wep; i++)
        assume(c, cube->data[i], i);
    for (uint32_t i = 0; i < cube->len && c->knobs.cfa_wep; i++) {
        term_t before = wep(c, edge, cube->data[i]);
        if (!term_is_true(c->ts, before))
            assume(c, before, i);
        if (!term_is_false(c->ts, before))
            continue;
        c->last.never = true;
        return SOLVER_UNSAT;
    }
    return solve(c);
}

void place_core(const struct ic3cfa *c, size_t n, bool *used) {
    const struct question *q = &c->last;
    const struct place *p = &c->places.data[q->place];
    assert(q->terms.len > 0 && q->terms.len == q->literal.len);
    size_t len = 0;
    memset(used, 0, n * sizeof *used);
    if (q->never) {
        used[vec_last(&q->literal)] = true;
        return;
    }
    const qlit *core = query_core(p->askers[p->answered].query, &len);
    for (size_t k = 0; k < len; k++)
        for (size_t i = 0; i < q->lits.len; i++)
            if (q->lits.data[i] == core[k]) {
                if (i >= q->n_before && q->literal.data[i - q->n_before] != NONE)
                    used[q->literal.data[i - q->n_before]] = true;
                break;
            }
}

enum solver_result place_meets(struct ic3cfa *c, uint32_t place, uint32_t level,
                               const term_t *conditions, size_t n) {
    begin(c, place, level, NULL);
    for (size_t i = 0; i < n; i++)
        assume(c, conditions[i], NONE);
    return solve(c);
}

/* Variables that the question does not mention may have any value. */
void place_model(struct ic3cfa *c, uint32_t place, const term_t *roots, size_t n) {
    const struct place *p = &c->places.data[place];
    const struct asker *a = &p->askers[p->answered];
    size_t len = c->ts->nodes.len;
    bool *mark = mem_zalloc(len, sizeof *mark);
    term_mark(c->ts, roots, n, mark);
    vec_clear(&c->var_values);
    vec_resize_zero(&c->var_values, c->ts->vars.len);
    for (size_t v = 0; v < c->var_values.len; v++) {
        term_t var = c->ts->vars.data[v].term;
        if (var < len && mark[var])
            c->var_values.data[v] = term_bits(c->ts, query_value(a->query, a->frame, var));
    }
    mem_free(mark);
}
