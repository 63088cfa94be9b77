/* induction: both conversations are asked one length after the other; what could not be answered
 * with the effort at hand is asked again with the next. */
#include "engines/horn/induction.h"

#include "base/mem.h"
#include "engines/query/query.h"

#include <assert.h>

/* What a question costs that Z3 answers without effort, and a term of one more state. */
enum { QUESTION_TICKS = 100, TERM_TICKS = 10 };

/* Runs of states: frame `first + j` is state j; before it, for runs from the start, frame 0. */
struct lane {
    struct query *q;
    uint32_t first, states;
    uint64_t encoding; /* effort for states */
    uint32_t length;   /* the next question: does state `length` hit? Those before do not */
};

struct induction {
    struct system *sys;
    const struct target *target;
    struct lane runs, steps;
    uint64_t step_terms; /* how many terms a step has */
    bool start_is_clean;
    bool inductive; /* steps.length clean steps are followed by one */
    enum induction_status status;
    uint32_t depth;
    VEC(term_t) inputs;
};

static uint64_t count_terms(const struct system *sys) {
    bool *mark = mem_zalloc(sys->terms->nodes.len, sizeof *mark);
    VEC(term_t) roots = {0};
    vec_push(&roots, sys->step_ok);
    vec_push(&roots, sys->targets.data[0].hit);
    for (size_t i = 0; i < sys->cells.len; i++)
        vec_push(&roots, sys->cells.data[i].next);
    size_t count = term_mark(sys->terms, roots.data, roots.len, mark);
    vec_free(&roots);
    mem_free(mark);
    return count;
}

struct induction *induction_open(struct system *sys, const struct query_options *how) {
    struct induction *run = mem_zalloc(1, sizeof *run);
    run->sys = sys;
    run->target = &sys->targets.data[0];
    run->start_is_clean = !run->target->init_hit;
    run->step_terms = count_terms(sys);
    run->runs.q = query_open(sys->terms, how);
    run->steps.q = query_open(sys->terms, how);
    run->runs.first = query_frame(run->runs.q) + 1;
    return run;
}

void induction_close(struct induction *run) {
    query_close(run->runs.q);
    query_close(run->steps.q);
    vec_free(&run->inputs);
    mem_free(run);
}

/* The next state: what a step, or the start, makes of it. */
static void grow(struct induction *run, enum induction_lane which) {
    struct lane *lane = which == INDUCTION_RUNS ? &run->runs : &run->steps;
    const struct system *sys = run->sys;
    bool starts = lane->states == 0;
    uint32_t frame = query_frame(lane->q), from = frame - 1;
    assert(frame == lane->first + lane->states);
    lane->states++;
    lane->encoding += TERM_TICKS * run->step_terms;
    if (starts && which == INDUCTION_STEPS)
        return;
    query_assert(lane->q, from, starts ? sys->init_ok : sys->step_ok, 0);
    for (size_t i = 0; i < sys->cells.len; i++) {
        const struct cell *c = &sys->cells.data[i];
        query_bind(lane->q, frame, c->var, from, starts ? c->init : c->next);
    }
    if (!starts)
        query_assert(lane->q, from, term_not(sys->terms, run->target->hit), 0);
}

static void read_frame(struct induction *run, uint32_t frame, bool at_init) {
    for (size_t i = 0; i < run->sys->inputs.len; i++) {
        const struct sys_input *input = &run->sys->inputs.data[i];
        bool here = input->at_init == at_init;
        vec_push(&run->inputs, here ? query_value(run->runs.q, frame, input->var) : 0);
    }
}

static void note_hit(struct induction *run, uint32_t states) {
    assert(run->status == INDUCTION_MORE && !run->inputs.len);
    run->status = INDUCTION_HIT;
    run->depth = states;
    read_frame(run, 0, true);
    for (uint32_t j = 0; j < states; j++)
        read_frame(run, run->runs.first + j, false);
    assert(run->inputs.len == (states + 1) * run->sys->inputs.len);
}

/* Both halves of the proof are there. */
static void note_proof(struct induction *run) {
    uint32_t k = run->steps.length;
    bool begins = run->start_is_clean && run->runs.length >= k;
    if (!run->inductive || !begins || run->status != INDUCTION_MORE)
        return;
    run->status = INDUCTION_SAFE;
    run->depth = k;
}

static enum solver_result ask_start(struct induction *run, uint64_t ticks) {
    struct lane *lane = &run->runs;
    qlit hit = query_literal(lane->q, 0, run->target->init_hit);
    enum solver_result said = query_solve(lane->q, &hit, 1, ticks);
    run->start_is_clean = said == SOLVER_UNSAT;
    if (said == SOLVER_SAT)
        note_hit(run, 0);
    return said;
}

static enum solver_result ask(struct induction *run, enum induction_lane which, uint64_t ticks) {
    struct lane *lane = which == INDUCTION_RUNS ? &run->runs : &run->steps;
    if (which == INDUCTION_RUNS && !run->start_is_clean)
        return ask_start(run, ticks);
    while (lane->states <= lane->length)
        grow(run, which);
    qlit hit = query_literal(lane->q, lane->first + lane->length, run->target->hit);
    enum solver_result said = query_solve(lane->q, &hit, 1, ticks);
    if (which == INDUCTION_STEPS)
        run->inductive = said == SOLVER_UNSAT;
    else if (said == SOLVER_SAT)
        note_hit(run, lane->length + 1);
    /* what settles a lane leaves its length */
    lane->length += said == (which == INDUCTION_RUNS ? SOLVER_UNSAT : SOLVER_SAT);
    return said;
}

enum induction_status induction_step(struct induction *run, enum induction_lane lane,
                                     uint64_t ticks) {
    uint64_t until = induction_ticks(run, lane) + ticks;
    while (run->status == INDUCTION_MORE) {
        uint64_t used = induction_ticks(run, lane);
        bool settled = lane == INDUCTION_STEPS && run->inductive;
        if (settled || used >= until || ask(run, lane, until - used) == SOLVER_UNKNOWN)
            break;
        note_proof(run);
    }
    return run->status;
}

/* Long runs of which Z3 sees at once that they do not hit are not for nothing, either. */
uint64_t induction_ticks(const struct induction *run, enum induction_lane which) {
    const struct lane *lane = which == INDUCTION_RUNS ? &run->runs : &run->steps;
    return query_ticks(lane->q) + QUESTION_TICKS * query_questions(lane->q) + lane->encoding;
}

uint32_t induction_depth(const struct induction *run) {
    assert(run->status != INDUCTION_MORE);
    return run->depth;
}

term_t induction_input(const struct induction *run, uint32_t step, size_t input) {
    assert(run->status == INDUCTION_HIT && step <= run->depth);
    return run->inputs.data[step * run->sys->inputs.len + input];
}
