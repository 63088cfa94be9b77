/* expand: the states between which the large steps go are computed; small steps from one to the
 * next are asked for, fewest first. */
#include "engines/horn/expand.h"

#include "engines/query/query.h"
#include "model/term/simplify.h"

#include <assert.h>

struct expansion {
    const struct large *large;
    const struct system *sys;
    struct query *q;          /* frame j: after j small steps */
    struct horn_terms values; /* by variable: values in the run of large steps */
    struct horn_terms state;  /* by cell of `sys` */
    struct horn_terms inputs; /* of small steps */
    struct qlits on;          /* by frame but the last: there is a step from it */
    uint32_t frames, states;
};

static void set(struct expansion *x, term_t var, term_t value) {
    x->values.data[term_bits(x->sys->terms, var)] = value;
}

/* Inputs of the start, step 0, or of a state, in the run of large steps. */
static void read_inputs(struct expansion *x, const struct horn_terms *run, uint32_t step) {
    const struct system *sys = &x->large->sys;
    for (size_t i = 0; i < sys->inputs.len; i++)
        if (sys->inputs.data[i].at_init == (step == 0))
            set(x, sys->inputs.data[i].var, run->data[step * sys->inputs.len + i]);
}

static void substitute_large(const struct expansion *x, struct horn_terms *terms) {
    term_substitute(x->sys->terms, x->values.data, x->values.len, terms->data, terms->len);
}

/* The next state of the run of large steps. */
static void step_large(struct expansion *x) {
    const struct system *sys = &x->large->sys;
    struct horn_terms next = {0};
    for (size_t i = 0; i < sys->cells.len; i++)
        vec_push(&next, sys->cells.data[i].next);
    substitute_large(x, &next);
    for (size_t i = 0; i < sys->cells.len; i++)
        set(x, sys->cells.data[i].var, next.data[i]);
    vec_free(&next);
}

/* What an input is that the large run does not have. */
static term_t value_or_any(const struct expansion *x, term_t var) {
    term_t value = x->values.data[term_bits(x->sys->terms, var)];
    return value ? value : core_any(x->sys->terms, term_sort(x->sys->terms, var));
}

/* Inputs of the start, or of the last state. */
static void copy_inputs(struct expansion *x, bool at_init) {
    for (size_t i = 0; i < x->sys->inputs.len; i++) {
        const struct sys_input *input = &x->sys->inputs.data[i];
        vec_push(&x->inputs, input->at_init == at_init ? value_or_any(x, input->var) : 0);
    }
}

static void start(struct expansion *x) {
    copy_inputs(x, true);
    for (size_t i = 0; i < x->sys->inputs.len; i++)
        if (x->sys->inputs.data[i].at_init)
            set(x, x->sys->inputs.data[i].var, x->inputs.data[i]);
    for (size_t i = 0; i < x->sys->cells.len; i++)
        vec_push(&x->state, x->sys->cells.data[i].init);
    substitute_large(x, &x->state);
    for (size_t i = 0; i < x->sys->cells.len; i++)
        set(x, x->sys->cells.data[i].var, x->state.data[i]);
}

static void grow(struct expansion *x) {
    uint32_t frame = query_frame(x->q);
    assert(frame == x->frames);
    x->frames++;
    if (frame == 0)
        return;
    vec_push(&x->on, query_activation(x->q));
    query_assert(x->q, frame - 1, x->sys->step_ok, vec_last(&x->on));
    for (size_t i = 0; i < x->sys->cells.len; i++)
        query_bind(x->q, frame, x->sys->cells.data[i].var, frame - 1, x->sys->cells.data[i].next);
}

static void assume(struct expansion *x, uint32_t frame, term_t var, term_t value,
                   struct qlits *ask) {
    vec_push(ask, query_literal(x->q, frame, term_eq(x->sys->terms, var, value)));
}

static void read_steps(struct expansion *x, uint32_t n) {
    assert(n > 0 && n < x->frames);
    for (uint32_t j = 0; j < n; j++)
        for (size_t i = 0; i < x->sys->inputs.len; i++) {
            const struct sys_input *input = &x->sys->inputs.data[i];
            vec_push(&x->inputs, input->at_init ? 0 : query_value(x->q, j, input->var));
        }
    for (size_t i = 0; i < x->sys->cells.len; i++)
        x->state.data[i] = query_value(x->q, n, x->sys->cells.data[i].var);
    x->states += n;
}

/* Small steps to the state in which the run of large steps is. */
static bool reach(struct expansion *x) {
    const struct system *large = &x->large->sys;
    assert(x->state.len == x->sys->cells.len);
    for (uint32_t n = 1; n <= x->large->span; n++) {
        struct qlits ask = {0};
        while (x->frames <= n)
            grow(x);
        vec_append(&ask, x->on.data, n);
        for (size_t i = 0; i < x->sys->cells.len; i++)
            assume(x, 0, x->sys->cells.data[i].var, x->state.data[i], &ask);
        for (size_t i = 0; i < large->cells.len; i++) {
            term_t var = large->cells.data[i].var;
            assume(x, n, var, x->values.data[term_bits(x->sys->terms, var)], &ask);
        }
        enum solver_result said = query_solve(x->q, ask.data, ask.len, 0);
        vec_free(&ask);
        if (said == SOLVER_SAT) {
            read_steps(x, n);
            return true;
        }
    }
    return false;
}

bool large_expand(const struct large *large, const struct system *sys, struct horn_terms *inputs,
                  uint32_t *states) {
    struct expansion x = {.large = large, .sys = sys};
    bool ok = true;
    x.q = query_open(sys->terms, &(struct query_options){.back_end = QUERY_Z3});
    vec_resize_zero(&x.values, sys->terms->vars.len);
    read_inputs(&x, inputs, 0);
    start(&x);
    for (uint32_t step = 1; step < *states && ok; step++) {
        read_inputs(&x, inputs, step);
        step_large(&x);
        ok = reach(&x);
    }
    if (*states > 0) {
        read_inputs(&x, inputs, *states);
        copy_inputs(&x, false);
        x.states++;
    }
    vec_clear(inputs);
    vec_append(inputs, x.inputs.data, x.inputs.len);
    *states = x.states;
    query_close(x.q);
    vec_free(&x.values);
    vec_free(&x.state);
    vec_free(&x.inputs);
    vec_free(&x.on);
    return ok;
}
