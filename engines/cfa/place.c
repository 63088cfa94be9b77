/* A location at work. Questions are asked in the variables before the edge (WEP-based inductivity,
 * paper, Def. 15): the literals of the cube after it are terms over them, so one solver a location
 * serves all edges that leave it, and what is learned of one serves the others. */
#include "engines/cfa/ic3cfa.h"

#include "base/mem.h"
#include "model/term/simplify.h"

enum { TEMPORARIES_MAX = 1500 };

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

static void assert_lemmas(struct ic3cfa *c, struct place *p) {
    for (size_t i = 0; i < c->known.clauses.len; i++)
        query_assert(p->query, p->frame, lemma_here(c, p, &c->known.clauses.data[i]), 0);
}

void place_new_top(struct place *p) {
    vec_push(&p->level_active, query_activation(p->query));
}

void place_open(struct ic3cfa *c, uint32_t place) {
    struct place *p = &c->places.data[place];
    p->query = query_open(c->ts, &(struct query_options){c->knobs.cfa_solver ? QUERY_Z3 : QUERY_ICP,
                                                         c->input->options.seed});
    p->frame = query_frame(p->query);
    p->temporaries = 0;
    p->once = 0;
    vec_clear(&p->level_active);
    if (place > 0)
        assert_lemmas(c, p);
    for (uint32_t level = 0; level <= c->top; level++)
        place_new_top(p);
    for (size_t i = 0; i < p->blocked.len; i++)
        place_exclude(p, &p->blocked.data[i].cube, p->blocked.data[i].level);
}

void place_close(struct ic3cfa *c, struct place *p) {
    assert(p->query);
    c->ticks_before += query_ticks(p->query);
    query_close(p->query);
    p->query = NULL;
}

void place_rebuild_if_worn(struct ic3cfa *c, uint32_t place) {
    struct place *p = &c->places.data[place];
    if (p->temporaries < TEMPORARIES_MAX)
        return;
    place_close(c, p);
    place_open(c, place);
}

/* Where `when` is assumed the state is not in the cube. */
static void exclude(struct place *p, const struct cube *cube, qlit when) {
    struct qlits clause = {0};
    vec_push(&clause, -when);
    for (size_t i = 0; i < cube->len; i++)
        vec_push(&clause, -query_literal(p->query, p->frame, cube->data[i]));
    query_clause(p->query, clause.data, clause.len);
    vec_free(&clause);
}

void place_exclude(struct place *p, const struct cube *cube, uint32_t level) {
    assert(level > 0 && level < p->level_active.len);
    exclude(p, cube, p->level_active.data[level]);
}

uint64_t places_ticks(const struct ic3cfa *c) {
    uint64_t ticks = c->ticks_before + c->walked;
    for (size_t i = 0; i < c->places.len; i++)
        ticks += query_ticks(c->places.data[i].query);
    return ticks;
}

/* ---- questions ---- */

static void assume(struct ic3cfa *c, qlit lit, uint32_t literal) {
    assert(lit && c->last.lits.len == c->last.literal.len);
    vec_push(&c->last.lits, lit);
    vec_push(&c->last.literal, literal);
}

static void assume_term(struct ic3cfa *c, struct place *p, term_t t, uint32_t literal) {
    assume(c, query_literal(p->query, p->frame, t), literal);
}

static enum solver_result solve(struct ic3cfa *c, struct place *p) {
    uint64_t now = places_ticks(c);
    enum solver_result result = SOLVER_UNKNOWN;
    if (now < c->until)
        result = query_solve(p->query, c->last.lits.data, c->last.lits.len, c->until - now);
    c->out_of_ticks |= result == SOLVER_UNKNOWN;
    return result;
}

static void begin(struct ic3cfa *c, struct place *p, uint32_t level) {
    vec_clear(&c->last.lits);
    vec_clear(&c->last.literal);
    if (p->once)
        query_clause(p->query, (qlit[]){-p->once}, 1);
    p->once = 0;
    for (size_t l = p->level_active.len; l-- > level;)
        assume(c, p->level_active.data[l], NONE);
}

static enum solver_result never(struct ic3cfa *c, uint32_t literal) {
    vec_clear(&c->last.lits);
    vec_clear(&c->last.literal);
    vec_push(&c->last.literal, literal); /* the core */
    return SOLVER_UNSAT;
}

enum solver_result place_ask(struct ic3cfa *c, uint32_t edge, uint32_t level,
                             const struct cube *cube, const struct cube *except) {
    const struct cfa_edge *e = &c->cfa.edges.data[edge];
    struct place *p = &c->places.data[e->from];
    assert(level > 0 || e->from == 0);
    begin(c, p, level);
    c->last.edge = edge;
    assume_term(c, p, e->guard, NONE);
    if (except && except->len > 0 && e->from == e->to) {
        exclude(p, except, p->once = query_activation(p->query));
        assume(c, p->once, NONE);
        p->temporaries++;
    }
    for (uint32_t i = 0; i < cube->len; i++) {
        term_t before = wep(c, edge, cube->data[i]);
        if (term_is_false(c->ts, before))
            return never(c, i);
        if (!term_is_true(c->ts, before))
            assume_term(c, p, before, i);
    }
    return solve(c, p);
}

void place_core(const struct ic3cfa *c, size_t n, bool *used) {
    memset(used, 0, n * sizeof *used);
    if (c->last.lits.len == 0) { /* one literal was enough */
        used[c->last.literal.data[0]] = true;
        return;
    }
    size_t len;
    const struct place *p = &c->places.data[c->cfa.edges.data[c->last.edge].from];
    const qlit *core = query_core(p->query, &len);
    for (size_t k = 0; k < len; k++)
        for (size_t i = 0; i < c->last.lits.len; i++)
            if (c->last.lits.data[i] == core[k]) {
                if (c->last.literal.data[i] != NONE)
                    used[c->last.literal.data[i]] = true;
                break;
            }
}

enum solver_result place_meets(struct ic3cfa *c, uint32_t place, uint32_t level,
                               const term_t *conditions, size_t n) {
    struct place *p = &c->places.data[place];
    begin(c, p, level);
    for (size_t i = 0; i < n; i++)
        assume_term(c, p, conditions[i], NONE);
    return solve(c, p);
}

/* Variables that the question does not mention may have any value. */
void place_model(struct ic3cfa *c, uint32_t place, const term_t *roots, size_t n) {
    const struct place *p = &c->places.data[place];
    size_t len = c->ts->nodes.len;
    bool *mark = mem_zalloc(len, sizeof *mark);
    term_mark(c->ts, roots, n, mark);
    vec_clear(&c->var_values);
    vec_resize_zero(&c->var_values, c->ts->vars.len);
    for (size_t v = 0; v < c->var_values.len; v++) {
        term_t var = c->ts->vars.data[v].term;
        if (var < len && mark[var])
            c->var_values.data[v] = term_bits(c->ts, query_value(p->query, p->frame, var));
    }
    mem_free(mark);
}
