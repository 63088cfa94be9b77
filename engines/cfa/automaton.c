/* From a system to an automaton: one of its cells says where the run is. Lowering makes such a cell
 * when it keeps loops; else a cell serves that only takes a few values, as a state machine has. */
#include "engines/cfa/ic3cfa.h"

#include "base/mem.h"
#include "model/term/simplify.h"

#include <stdlib.h>

enum { LOOPS_MOST = 4096, LEAST_VALUES = 3 };

VEC_STRUCT(values, uint64_t);

/* ---- the cell ---- */

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void add_value(struct values *values, uint64_t bits) {
    for (size_t i = 0; i < values->len; i++)
        if (values->data[i] == bits)
            return;
    vec_push(values, bits);
}

/* The constants that a choice is made of; `self` adds none. False: there is something else. */
static bool list_leaves(const struct terms *ts, term_t t, term_t self, size_t most,
                        struct values *values) {
    struct cube stack = {0};
    struct map seen = {0};
    bool only = true;
    vec_push(&stack, t);
    while (stack.len > 0 && only) {
        const struct term *node = term_get(ts, vec_pop(&stack));
        for (int i = 1; node->op == OP_ITE && i < 3; i++)
            if (!map_get(&seen, node->arg[i])) {
                map_put(&seen, node->arg[i], 1);
                vec_push(&stack, node->arg[i]);
            }
        if (node->op == OP_CONST)
            add_value(values, node->payload);
        else
            only = node->op == OP_ITE || (node->op == OP_VAR && node == term_get(ts, self));
        only &= values->len <= most;
    }
    map_free(&seen);
    vec_free(&stack);
    return only;
}

static bool cell_values(const struct system *sys, uint32_t cell, size_t most,
                        struct values *values) {
    assert(cell < sys->cells.len);
    const struct cell *c = &sys->cells.data[cell];
    vec_clear(values);
    if (c->is || !sort_is_int(term_sort(sys->terms, c->var)) ||
        !list_leaves(sys->terms, c->init, 0, most, values) ||
        !list_leaves(sys->terms, c->next, c->var, most, values) || values->len == 0)
        return false;
    qsort(values->data, values->len, sizeof *values->data, by_value);
    return true;
}

static bool keeps_loops(const struct cell *cell) {
    return strcmp(cell->name, CFA_PLACE) == 0 || strcmp(cell->name, "pc") == 0;
}

uint32_t automaton_cell(const struct system *sys, uint32_t most) {
    struct values values = {0};
    uint32_t best = NONE;
    size_t n = LEAST_VALUES - 1;
    for (uint32_t i = 0; i < sys->cells.len; i++) {
        if (keeps_loops(&sys->cells.data[i]) && cell_values(sys, i, LOOPS_MOST, &values)) {
            best = i;
            break;
        }
        if (cell_values(sys, i, most, &values) && values.len > n) {
            best = i;
            n = values.len;
        }
    }
    vec_free(&values);
    return best;
}

/* ---- the automaton ---- */

static void split_at(struct ic3cfa *c) {
    struct values values = {0};
    VEC(struct cfa_place) places = {0};
    bool ok = cell_values(c->sys, c->pc, LOOPS_MOST, &values);
    assert(ok);
    for (size_t i = 0; ok && i < values.len; i++)
        vec_push(&places, (struct cfa_place){CFA_LOOP, c->sys->cells.data[c->pc].name});
    cfa_from_located(&c->cfa, c->sys, c->pc, places.data, values.data, values.len);
    vec_resize_zero(&c->places, values.len + 1);
    for (size_t i = 0; i < values.len; i++)
        c->places.data[i + 1].value = values.data[i];
    vec_free(&values);
    vec_free(&places);
}

static void note_inputs(struct ic3cfa *c) {
    vec_resize_zero(&c->is_input, c->ts->vars.len);
    for (size_t i = 0; i < c->cfa.inputs.len; i++)
        c->is_input.data[term_bits(c->ts, c->cfa.inputs.data[i].var)] = true;
}

void automaton_open(struct ic3cfa *c) {
    c->pc = automaton_cell(c->sys, c->knobs.cfa_values);
    if (c->pc == NONE) {
        cfa_from_system(&c->cfa, c->sys);
        vec_resize_zero(&c->places, c->cfa.locations.len);
    } else {
        split_at(c);
    }
    note_inputs(c);
    for (uint32_t e = 0; e < c->cfa.edges.len; e++)
        vec_push(&c->places.data[c->cfa.edges.data[e].to].in, e);
    vec_resize_zero(&c->map, c->ts->vars.len);
    for (uint32_t l = 0; l < c->places.len; l++)
        place_open(c, l);
}

void automaton_close(struct ic3cfa *c) {
    for (size_t l = 0; l < c->places.len; l++) {
        struct place *p = &c->places.data[l];
        place_close(c, p);
        for (size_t i = 0; i < p->blocked.len; i++)
            vec_free(&p->blocked.data[i].cube);
        vec_free(&p->blocked);
        vec_free(&p->in);
    }
    vec_free(&c->places);
    vec_free(&c->is_input);
    vec_free(&c->map);
    recall_free(c);
    map_free(&c->wep);
    cfa_free(&c->cfa);
}
