/* The engine: Alg. 1 and 2 of the paper, one target after the other. What is blocked at a location
 * holds whatever the target is, so it stays. */
#include "engines/cfa/ic3cfa.h"

#include "base/mem.h"

/* ---- one target ---- */

static void take_hits(struct ic3cfa *c) {
    for (size_t l = 0; l < c->places.len; l++)
        c->places.data[l].hit = 0;
    for (size_t i = 0; i < c->cfa.hits.len; i++)
        if (c->cfa.hits.data[i].target == c->target)
            c->places.data[c->cfa.hits.data[i].location].hit = c->cfa.hits.data[i].hit;
}

/* A state of the top level from which the target is hit becomes an obligation (Alg. 2). */
static enum cfa_answer next_bad(struct ic3cfa *c) {
    assert(c->queue.len == 0 && c->top > 0);
    for (uint32_t l = 1; l < c->places.len; l++) {
        if (!c->places.data[l].hit)
            continue;
        enum solver_result result = place_meets(c, l, c->top, &c->places.data[l].hit, 1);
        if (result == SOLVER_SAT)
            return block_add(c, l, c->top, NONE, NONE);
        if (result == SOLVER_UNKNOWN)
            return CFA_TICKS;
    }
    return CFA_BLOCKED;
}

/* Zero steps: hit during the initialisation. */
static enum cfa_answer check_start(struct ic3cfa *c) {
    if (!c->places.data[0].hit)
        return CFA_GOING_ON;
    enum solver_result result = place_meets(c, 0, 0, &c->places.data[0].hit, 1);
    if (result == SOLVER_SAT)
        return block_add(c, 0, 0, NONE, NONE);
    return result == SOLVER_UNSAT ? CFA_GOING_ON : CFA_TICKS;
}

static enum cfa_answer push(struct ic3cfa *c) {
    uint32_t level;
    if (levels_push(c, &level)) {
        report_dead(c, level);
        return CFA_DEAD;
    }
    if (c->out_of_ticks)
        return CFA_TICKS;
    block_raise(c);
    return CFA_GOING_ON;
}

/* Alg. 1: `top` rises until two levels are equal or a run is found. */
static enum cfa_answer target_run(struct ic3cfa *c, uint64_t ticks) {
    assert(c->places.len > 1 && c->top > 0);
    c->until = places_ticks(c) + ticks;
    c->out_of_ticks = false;
    enum cfa_answer answer = c->started ? CFA_GOING_ON : check_start(c);
    c->started |= answer == CFA_GOING_ON;
    if (answer == CFA_GOING_ON && c->pushed > 0)
        answer = push(c);
    while (answer == CFA_GOING_ON) {
        answer = block_all(c);
        if (answer == CFA_BLOCKED)
            answer = next_bad(c);
        if (answer == CFA_BLOCKED)
            answer = push(c);
    }
    return answer;
}

/* ---- the engine ---- */

struct cfa_engine {
    struct engine_input input;
    struct ic3cfa run;
    size_t next;
    bool left_some;
    bool has_target;
};

static void *engine_open(const struct engine_input *input) {
    struct cfa_engine *e = mem_zalloc(1, sizeof *e);
    struct ic3cfa *c = &e->run;
    e->input = *input;
    *c = (struct ic3cfa){.sys = input->sys,
                         .ts = input->sys->terms,
                         .input = &e->input,
                         .knobs = input->options.knobs,
                         .top = 1};
    invariant_init(&c->known);
    if (input->lemmas)
        invariant_copy(&c->known, input->lemmas);
    rng_init(&c->rng, input->options.seed);
    automaton_open(c);
    return e;
}

static void engine_close(void *state) {
    struct cfa_engine *e = state;
    struct ic3cfa *c = &e->run;
    block_forget(c);
    automaton_close(c);
    invariant_free(&c->known);
    vec_free(&c->obligations);
    vec_free(&c->queue);
    vec_free(&c->done);
    vec_free(&c->var_values);
    vec_free(&c->values);
    vec_free(&c->last.lits);
    vec_free(&c->last.terms);
    vec_free(&c->last.literal);
    mem_free(e);
}

static void next_target(struct cfa_engine *e) {
    block_forget(&e->run);
    e->has_target = false;
    e->next++;
}

static void open_target(struct cfa_engine *e) {
    if (e->has_target)
        return;
    e->run.target = e->input.targets[e->next];
    assert(e->run.target < e->run.cfa.targets.len);
    e->run.started = false;
    e->run.pushed = 0; /* what the last target's top rests on says nothing of this one */
    take_hits(&e->run);
    e->has_target = true;
}

/* Each target gets an equal share of what is left of the budget; the last one may go on later. */
static enum engine_status engine_step(void *state, uint64_t ticks) {
    struct cfa_engine *e = state;
    while (e->next < e->input.n_targets) {
        uint64_t share = ticks / (e->input.n_targets - e->next);
        open_target(e);
        uint64_t before = places_ticks(&e->run);
        enum cfa_answer answer = target_run(&e->run, share);
        uint64_t used = places_ticks(&e->run) - before;
        ticks -= used < ticks ? used : ticks;
        if (answer == CFA_TICKS && e->next + 1 == e->input.n_targets)
            return ENGINE_MORE;
        e->left_some |= answer != CFA_HIT && answer != CFA_DEAD;
        next_target(e);
    }
    return e->left_some ? ENGINE_GAVE_UP : ENGINE_DONE;
}

const struct engine engine_cfa = {
    .open = engine_open,
    .step = engine_step,
    .close = engine_close,
};
