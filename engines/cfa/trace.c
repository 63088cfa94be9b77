/* The counterexample path (paper, 4.3): locations and edges are those of the obligations; the state
 * and the inputs of each step are found on the way, for a cube says only what has to hold. */
#include "engines/cfa/ic3cfa.h"

#include "model/system/machine.h"
#include "model/term/eval.h"
#include "model/term/simplify.h"

/* The run is there, so that what finding it has left is no limit; yet its inputs can be hard to
 * find. */
enum { RUN_TICKS = 2000000 };

struct path {
    struct ic3cfa *c;
    struct trace trace;
    VEC(uint64_t) state; /* by cell of the automaton */
};

/* The inputs of the location, as the last model has them. */
static void take_inputs(struct path *p, uint32_t place, uint32_t step) {
    const struct ic3cfa *c = p->c;
    for (size_t i = 0; i < c->cfa.inputs.len; i++) {
        const struct cfa_input *in = &c->cfa.inputs.data[i];
        uint64_t bits = c->var_values.data[term_bits(c->ts, in->var)];
        if (in->location != place)
            continue;
        assert(in->source < p->trace.n_inputs);
        if (place == 0)
            p->trace.init.data[in->source] = bits;
        else
            p->trace.values.data[(size_t)step * p->trace.n_inputs + in->source] = bits;
    }
}

/* Along the edge, from the state and the inputs of the last model. */
static void take_edge(struct path *p, uint32_t edge) {
    struct ic3cfa *c = p->c;
    const struct cfa_edge *e = &c->cfa.edges.data[edge];
    assert(edge < c->cfa.edges.len && p->state.len == c->cfa.cells.len);
    struct cube values = {0};
    for (size_t i = 0; i < e->assigns.len; i++)
        vec_push(&values, e->assigns.data[i].value);
    vec_resize_zero(&c->values, c->ts->nodes.len);
    term_eval(c->ts, values.data, values.len, c->var_values.data, c->values.data);
    for (size_t i = 0; i < e->assigns.len; i++)
        p->state.data[e->assigns.data[i].cell] = c->values.data[values.data[i]];
    vec_free(&values);
}

/* Inputs with which a run goes on from here; those that C leaves open matter if they must. */
static bool find_inputs(struct path *p, const struct obligation *o) {
    struct ic3cfa *c = p->c;
    struct cube roots = {0};
    block_conditions(c, o->at, o->parent, o->via, &roots);
    for (size_t i = 0; i < p->state.len; i++) {
        term_t var = c->cfa.cells.data[i].var;
        term_t is = term_const(c->ts, term_sort(c->ts, var), p->state.data[i]);
        vec_push(&roots, term_eq(c->ts, var, is));
    }
    term_t open = c->cfa.locations.data[o->at].unspecified;
    vec_push(&roots, open ? term_not(c->ts, open) : term_bool(c->ts, true));
    bool found = place_meets(c, o->at, c->top + 1, roots.data, roots.len) == SOLVER_SAT;
    if (found)
        place_model(c, o->at, roots.data, roots.len);
    vec_free(&roots);
    if (!found)
        return false;
    for (size_t i = 0; i < p->state.len; i++)
        c->var_values.data[term_bits(c->ts, c->cfa.cells.data[i].var)] = p->state.data[i];
    return true;
}

static uint32_t chain_steps(const struct ic3cfa *c, uint32_t first) {
    uint32_t n = 0;
    for (uint32_t at = first; at != NONE; at = c->obligations.data[at].parent)
        n += c->obligations.data[at].at > 0;
    return n;
}

static bool follow(struct path *p, uint32_t first) {
    struct ic3cfa *c = p->c;
    uint32_t step = 0;
    assert(first < c->obligations.len);
    for (uint32_t at = first; at != NONE; at = c->obligations.data[at].parent) {
        struct obligation o = c->obligations.data[at];
        if (at != first && !find_inputs(p, &o))
            return false;
        take_inputs(p, o.at, step);
        step += o.at > 0;
        if (o.parent != NONE)
            take_edge(p, o.via);
    }
    return true;
}

bool report_hit(struct ic3cfa *c, uint32_t first) {
    struct fact fact = {.kind = FACT_HIT, .target = c->target};
    struct path p = {.c = c};
    assert(c->obligations.data[first].at == 0);
    trace_init(&p.trace, c->sys, chain_steps(c, first));
    vec_resize_zero(&p.state, c->cfa.cells.len);
    uint64_t until = c->until;
    c->until = places_ticks(c) + RUN_TICKS;
    bool ok = follow(&p, first) && trace_hits(c->sys, &p.trace, c->target);
    c->until = until;
    if (ok) {
        fact.trace = p.trace;
        engine_report(c->input, &fact);
    }
    trace_free(&p.trace);
    vec_free(&p.state);
    return ok;
}
