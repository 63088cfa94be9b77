/* A transition system as an automaton. */
#include "model/system/cfa.h"

#include "model/term/simplify.h"

/* The step boundary is the only location besides the start. */

enum { START = 0, BOUNDARY = 1 };

static void add_hit(struct cfa *cfa, uint32_t location, size_t target, term_t hit) {
    assert(target < cfa->targets.len);
    if (hit && !term_is_false(cfa->terms, hit))
        vec_push(&cfa->hits, (struct cfa_hit){location, (uint32_t)target, hit});
}

static void take_edges(struct cfa *cfa, const struct system *sys) {
    uint32_t init = cfa_add_edge(cfa, START, BOUNDARY, sys->init_ok);
    uint32_t step = cfa_add_edge(cfa, BOUNDARY, BOUNDARY, sys->step_ok);
    for (uint32_t i = 0; i < sys->cells.len; i++) {
        const struct cell *c = &sys->cells.data[i];
        vec_push(&cfa->cells, (struct cfa_cell){c->name, c->var});
        cfa_assign(cfa, init, i, c->init);
        if (c->next != c->var)
            cfa_assign(cfa, step, i, c->next);
    }
}

void cfa_from_system(struct cfa *cfa, const struct system *sys) {
    cfa_init(cfa, sys->terms);
    cfa->name = sys->name;
    uint32_t boundary = cfa_add_location(cfa, CFA_STEP, "step");
    assert(boundary == BOUNDARY);
    cfa->locations.data[START].unspecified = sys->init_unspecified;
    cfa->locations.data[boundary].unspecified = sys->unspecified;
    for (uint32_t i = 0; i < sys->inputs.len; i++) {
        struct sys_input in = sys->inputs.data[i];
        vec_push(&cfa->inputs,
                 (struct cfa_input){in.name, in.var, in.guard, in.module_input,
                                    in.at_init ? START : BOUNDARY, in.unspecified, i});
    }
    take_edges(cfa, sys);
    for (size_t i = 0; i < sys->targets.len; i++) {
        struct target t = sys->targets.data[i];
        vec_push(&cfa->targets, (struct cfa_target){t.kind, t.id, t.name});
        add_hit(cfa, START, i, t.init_hit);
        add_hit(cfa, BOUNDARY, i, t.hit);
    }
    check_cfa(cfa);
}
