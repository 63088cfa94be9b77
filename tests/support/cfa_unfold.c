/* An automaton as a transition system: one step is one edge, a cell `pc` says where the run is. */
#include "cfa_text.h"

#include "model/term/simplify.h"

enum { START = 0 };

struct unfolding {
    const struct cfa *cfa;
    struct system *sys;
    struct terms *ts;
    term_t pc; /* 0 when there is one location only */
};

static sort_t pc_sort(const struct cfa *cfa) {
    assert(cfa->locations.len > 1);
    sort_t width = 1;
    while (((size_t)1 << width) < cfa->locations.len - 1)
        width++;
    return width;
}

static term_t pc_value(const struct unfolding *u, uint32_t location) {
    assert(location > 0);
    return term_int(u->ts, pc_sort(u->cfa), location - 1);
}

static term_t at_location(const struct unfolding *u, uint32_t location) {
    assert(location < u->cfa->locations.len);
    if (location == START || !u->pc)
        return term_bool(u->ts, true);
    return term_eq(u->ts, u->pc, pc_value(u, location));
}

static term_t assigned(const struct cfa_edge *edge, uint32_t cell, term_t otherwise) {
    for (size_t i = 0; i < edge->assigns.len; i++)
        if (edge->assigns.data[i].cell == cell)
            return edge->assigns.data[i].value;
    return otherwise;
}

/* Adds the edges from the start to the initial values, all others to the next values. */
static void unfold_edge(struct unfolding *u, const struct cfa_edge *edge) {
    assert(edge->to != START);
    struct system *sys = u->sys;
    struct terms *ts = u->ts;
    bool initial = edge->from == START;
    term_t taken = term_and(ts, at_location(u, edge->from), edge->guard);
    for (uint32_t i = 0; i < sys->cells.len; i++) {
        struct cell *c = &sys->cells.data[i];
        term_t *place = initial ? &c->init : &c->next;
        term_t value = c->var == u->pc && u->pc ? pc_value(u, edge->to) : assigned(edge, i, c->var);
        *place = term_ite(ts, taken, value, *place);
    }
    term_t *ok = initial ? &sys->init_ok : &sys->step_ok;
    *ok = term_or(ts, *ok, taken);
}

static void unfold_cells(struct unfolding *u) {
    const struct cfa *cfa = u->cfa;
    for (size_t i = 0; i < cfa->cells.len; i++) {
        struct cfa_cell c = cfa->cells.data[i];
        term_t zero = term_const(u->ts, term_sort(u->ts, c.var), 0);
        vec_push(&u->sys->cells, (struct cell){c.name, c.var, zero, c.var});
    }
    if (cfa->locations.len <= 2)
        return;
    sort_t sort = pc_sort(cfa);
    u->pc = term_var(u->ts, "pc", sort, false);
    vec_push(&u->sys->cells, (struct cell){"pc", u->pc, term_int(u->ts, sort, 0), u->pc});
}

static void unfold_inputs(struct unfolding *u) {
    for (size_t i = 0; i < u->cfa->inputs.len; i++) {
        struct cfa_input in = u->cfa->inputs.data[i];
        term_t here = at_location(u, in.location);
        term_t guard = in.guard ? term_and(u->ts, here, in.guard) : here;
        vec_push(&u->sys->inputs, (struct sys_input){in.name, in.var, guard, in.module_input,
                                                     in.location == START, in.unspecified});
    }
}

static void unfold_targets(struct unfolding *u) {
    const struct cfa *cfa = u->cfa;
    struct system *sys = u->sys;
    for (size_t i = 0; i < cfa->targets.len; i++) {
        struct cfa_target t = cfa->targets.data[i];
        term_t never = term_bool(u->ts, false);
        if (t.kind == TARGET_OVERRUN)
            vec_push(&sys->overruns, (uint32_t)i);
        vec_push(&sys->targets, (struct target){t.kind, t.id, t.name, never, 0});
    }
    for (size_t h = 0; h < cfa->hits.len; h++) {
        struct cfa_hit hit = cfa->hits.data[h];
        struct target *t = &sys->targets.data[hit.target];
        term_t here = term_and(u->ts, at_location(u, hit.location), hit.hit);
        if (hit.location == START)
            t->init_hit = t->init_hit ? term_or(u->ts, t->init_hit, here) : here;
        else
            t->hit = term_or(u->ts, t->hit, here);
    }
}

static void unfold_unspecified(struct unfolding *u) {
    const struct cfa *cfa = u->cfa;
    for (uint32_t l = 0; l < cfa->locations.len; l++) {
        term_t t = cfa->locations.data[l].unspecified;
        term_t *place = l == START ? &u->sys->init_unspecified : &u->sys->unspecified;
        if (t)
            *place = term_or(u->ts, *place, term_and(u->ts, at_location(u, l), t));
    }
}

void cfa_to_system(const struct cfa *cfa, struct system *sys) {
    struct unfolding u = {.cfa = cfa, .sys = sys, .ts = cfa->terms};
    check_cfa(cfa);
    system_init(sys, cfa->terms);
    sys->name = cfa->name;
    sys->init_ok = sys->step_ok = term_bool(u.ts, false);
    unfold_cells(&u);
    for (size_t e = 0; e < cfa->edges.len; e++)
        unfold_edge(&u, &cfa->edges.data[e]);
    unfold_inputs(&u);
    unfold_targets(&u);
    unfold_unspecified(&u);
    check_system(sys);
}
