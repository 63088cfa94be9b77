/* Obligations: a heap by level, lowest first, younger first among equals (depth first). */
#include "engines/ic3/ic3.h"

#include "model/system/machine.h"

uint32_t obligation_add(struct ic3 *c, struct cube *cube, uint32_t level, uint32_t parent,
                        uint64_t *inputs, uint32_t n_steps) {
    assert(level <= c->top && (parent == NONE || parent < c->obligations.len));
    assert((parent == NONE) == (n_steps == c->suffix + 1 && parent == NONE));
    struct obligation o = {
        .cube = *cube, .level = level, .parent = parent, .inputs = inputs, .n_steps = n_steps};
    WINDOW_ADD(c->input->window, stats.obligations, 1);
    WINDOW_EVENT(c->input->window, "obligation", "\"target\":%u,\"level\":%u,\"bounds\":%zu",
                 c->target, level, cube->len);
    *cube = (struct cube){0};
    vec_push(&c->obligations, o);
    return (uint32_t)c->obligations.len - 1;
}

static bool before(const struct ic3 *c, uint32_t a, uint32_t b) {
    uint32_t x = c->obligations.data[a].level, y = c->obligations.data[b].level;
    return x != y ? x < y : a > b;
}

static void swap(struct ic3 *c, size_t i, size_t j) {
    uint32_t t = c->queue.data[i];
    c->queue.data[i] = c->queue.data[j];
    c->queue.data[j] = t;
}

void obligation_enqueue(struct ic3 *c, uint32_t index) {
    assert(index < c->obligations.len);
    vec_push(&c->queue, index);
    for (size_t i = c->queue.len - 1; i > 0;) {
        size_t up = (i - 1) / 2;
        if (!before(c, c->queue.data[i], c->queue.data[up]))
            break;
        swap(c, i, up);
        i = up;
    }
}

bool obligation_next(struct ic3 *c, uint32_t *index) {
    if (c->queue.len == 0)
        return false;
    *index = c->queue.data[0];
    c->queue.data[0] = vec_last(&c->queue);
    c->queue.len--;
    for (size_t i = 0;;) {
        size_t least = i, left = 2 * i + 1, right = left + 1;
        if (left < c->queue.len && before(c, c->queue.data[left], c->queue.data[least]))
            least = left;
        if (right < c->queue.len && before(c, c->queue.data[right], c->queue.data[least]))
            least = right;
        if (least == i)
            return true;
        swap(c, i, least);
        i = least;
    }
}

uint64_t *model_inputs(struct ic3 *c, const struct unroll *u, uint32_t n_steps) {
    assert(n_steps <= u->steps.len);
    size_t n = c->sys->inputs.len;
    uint64_t *inputs = arena_array(&c->arena, uint64_t, n *n_steps + 1);
    for (uint32_t j = 0; j < n_steps; j++)
        for (size_t i = 0; i < n; i++)
            inputs[j * n + i] = unroll_value(u, j, c->sys->inputs.data[i].var);
    return inputs;
}

bool report_counterexample(struct ic3 *c, struct unroll *u, uint32_t first, uint32_t obligation) {
    assert(obligation < c->obligations.len);
    struct fact fact = {.kind = FACT_HIT, .target = c->target};
    unroll_trace(u, first, &fact.trace);
    size_t n = c->sys->inputs.len;
    for (uint32_t o = obligation; o != NONE; o = c->obligations.data[o].parent) {
        const struct obligation *link = &c->obligations.data[o];
        vec_append(&fact.trace.values, link->inputs, n * link->n_steps);
        fact.trace.n_steps += link->n_steps;
    }
    bool hits = trace_hits(c->sys, &fact.trace, c->target);
    if (hits)
        engine_report(c->input, &fact);
    fact_free(&fact);
    return hits;
}
