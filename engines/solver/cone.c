/* Cones: see cone.h. Marks are numbers of questions, so nothing is ever cleared. */
#include "engines/solver/cone.h"
#include "engines/solver/gate.h"

static void reach(struct solver *s, svar v, uint32_t mark) {
    if (!v || s->in_cone.data[v] >= mark)
        return;
    s->in_cone.data[v] = mark;
    vec_push(&s->cone_stack, v);
}

/* What v is computed from. A NaN flag belongs to the variable before it. */
static void reach_arguments(struct solver *s, svar v, uint32_t mark) {
    uint32_t prim = s->definition.data[v], gate = s->gate_of.data[v];
    reach(s, s->nan.data[v], mark);
    reach(s, s->negations.data[v], mark);
    if (s->nan.data[v - 1] == v)
        reach(s, v - 1, mark);
    for (int i = 1; prim && i < 4; i++)
        reach(s, s->prims.data[prim].var[i], mark);
    for (uint32_t i = 0; gate && i < GATE_ARGS; i++)
        reach(s, s->gates.data[gate + 1 + i] / 2, mark);
}

static void reach_all(struct solver *s, uint32_t mark) {
    while (s->cone_stack.len > 0) {
        svar v = vec_pop(&s->cone_stack);
        s->stats.ticks += s->cone_stack.len % 16 == 0;
        reach_arguments(s, v, mark);
    }
}

void cone_keep(struct solver *s, svar v) {
    if (!s->options.cone)
        return;
    reach(s, v, CONE_ALWAYS);
    reach_all(s, CONE_ALWAYS);
}

void cone_open(struct solver *s) {
    if (!s->options.cone)
        return;
    s->question++;
    assert(s->question < CONE_ALWAYS && s->cone_stack.len == 0);
    for (size_t i = 0; i < s->assumptions.len; i++)
        reach(s, s->assumptions.data[i].vs / 2, s->question);
    reach_all(s, s->question);
}
