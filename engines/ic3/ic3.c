/* The main loop of IC3, "ICP and IC3" II-C and III-E.
 *
 * Bad states are those from which the target is hit after exactly `suffix` further clean steps; the
 * base case excludes hits within suffix + 1 steps. When obligations multiply without a new frame,
 * the run starts again with a longer suffix and a doubled limit; what was proved for all times is
 * kept. Where the question for bad states alone takes a great part of the budget, the suffix is too
 * long for the solver: the run starts again with a shorter one, for good.
 */
#include "engines/ic3/ic3.h"

#include "base/mem.h"
#include "engines/invariant/trim.h"

enum {
    MAX_BOUNCES = 20,
    ACTIVE_BOUNCES = 2, /* an obligation that came back so often deserves better lemmas */
    MAX_SUFFIX = 12,
    MAX_UNROLLED = 1000,
    HARD_PART = 8,       /* of what is left may one question for bad states take, */
    HARD_TICKS = 300000, /* or so many ticks */
    SHARE_PART = 16,     /* of the ticks go to what is kept of a run without answer */
};

/* IC3_TICKS: interrupted; another call goes on where this one stopped. */
enum ic3_answer { IC3_GOING_ON, IC3_BLOCKED, IC3_HIT, IC3_DEAD, IC3_STUCK, IC3_TICKS, IC3_RESTART };

static enum ic3_answer out_or(const struct ic3 *c, enum ic3_answer answer) {
    return c->out_of_ticks ? IC3_TICKS : answer;
}

/* Asks for bad states; notes when that is too hard with this suffix. */
static enum solver_result ask_bad(struct ic3 *c, const struct slits *before,
                                  const struct slits *lits) {
    uint64_t until = c->until, now = frames_ticks(c);
    uint64_t part = now < until ? (until - now) / HARD_PART : 0;
    part = part > HARD_TICKS ? part : HARD_TICKS;
    bool limited = c->knobs.abort_restart && !c->knobs.restart_at_frame && c->suffix > 0 &&
                   now < until && part < until - now;
    if (limited)
        c->until = now + part;
    enum solver_result result = frames_solve(c, &c->bad, before, lits);
    c->hard = limited && result == SOLVER_UNKNOWN && frames_ticks(c) < until;
    if (c->hard)
        c->out_of_ticks = false;
    c->until = until;
    return result;
}

/* A state of F_top from which the suffix hits the target; it becomes an obligation. */
static enum solver_result find_bad(struct ic3 *c, uint32_t *obligation) {
    struct frame_solver *f = &c->bad;
    term_t hit = c->sys->targets.data[c->target].hit;
    struct slits before = {0}, lits = {0};
    assert(f->unroll.steps.len == c->suffix + 1 && "the suffix has its steps");
    for (size_t l = f->level_active.len; l-- > c->top;)
        vec_push(&before, slit_true(f->level_active.data[l]));
    for (uint32_t j = 0; j < c->suffix; j++)
        vec_push(&lits, slit_false(unroll_term(&f->unroll, j, hit)));
    vec_push(&lits, slit_true(unroll_term(&f->unroll, c->suffix, hit)));
    enum solver_result result = ask_bad(c, &before, &lits);
    if (result == SOLVER_SAT) {
        struct cube cube = {0};
        frame_solver_state(f, &cube);
        uint64_t *inputs = model_inputs(c, &f->unroll, c->suffix + 1);
        lift(c, &cube, inputs, c->suffix + 1, NULL);
        *obligation = obligation_add(c, &cube, c->top, NONE, inputs, c->suffix + 1);
    }
    vec_free(&before);
    vec_free(&lits);
    return result;
}

/* An initial state in the cube of an obligation is the beginning of a counterexample. */
static enum ic3_answer check_initial(struct ic3 *c, uint32_t index) {
    assert(index < c->obligations.len);
    enum solver_result meets = meets_initial(c, &c->obligations.data[index].cube);
    if (meets == SOLVER_UNSAT)
        return IC3_GOING_ON;
    if (meets == SOLVER_UNKNOWN)
        return IC3_TICKS;
    return report_counterexample(c, &c->start.unroll, 0, index) ? IC3_HIT : IC3_STUCK;
}

static enum ic3_answer add_predecessor(struct ic3 *c, uint32_t index, struct frame_solver *used) {
    const struct obligation *o = &c->obligations.data[index];
    assert(o->level >= 1 && o->level <= c->top);
    uint32_t level = o->level - 1;
    if (level == 0)
        return report_counterexample(c, &used->unroll, 1, index) ? IC3_HIT : IC3_STUCK;
    struct cube cube = {0};
    frame_solver_state(used, &cube);
    uint64_t *inputs = model_inputs(c, &used->unroll, 1);
    lift(c, &cube, inputs, 1, &o->cube);
    uint32_t added = obligation_add(c, &cube, level, index, inputs, 1);
    enum ic3_answer answer = check_initial(c, added);
    if (answer != IC3_GOING_ON)
        return out_or(c, answer);
    obligation_enqueue(c, added);
    obligation_enqueue(c, index);
    return IC3_GOING_ON;
}

/* The lemma goes as high as it holds; the obligation comes back one level above. Whether it holds
 * for ever is asked again when the question was interrupted, but once only. */
static enum ic3_answer add_lemma(struct ic3 *c, struct cube *cube, uint32_t level, uint32_t index) {
    assert(level >= 1 && level <= c->top && !c->out_of_ticks);
    struct obligation *o = &c->obligations.data[index];
    if (raise_lemma(c, cube, &o->cube))
        return IC3_GOING_ON;
    if (c->out_of_ticks && !o->asked_again) {
        o->asked_again = true;
        return IC3_TICKS;
    }
    while (level < c->top && holds_at(c, cube, level + 1))
        level++;
    if (!c->out_of_ticks)
        stretch(c, cube, level);
    c->out_of_ticks = false; /* the lemma itself is proved; the loop will notice again */
    frames_add(c, cube, level);
    if (level < c->top && o->bounces++ < MAX_BOUNCES) {
        o->level = level + 1;
        obligation_enqueue(c, index);
    }
    return IC3_GOING_ON;
}

static enum ic3_answer block(struct ic3 *c, uint32_t index) {
    const struct obligation *o = &c->obligations.data[index];
    if (frames_blocked(c, &o->cube, o->level))
        return IC3_GOING_ON;
    frames_rebuild_if_worn(c);
    struct slits before = {0};
    struct literals next = {0};
    struct cube cube = {0};
    struct frame_solver *used;
    uint32_t level = o->level;
    enum ic3_answer answer = IC3_GOING_ON;
    enum solver_result result = frames_relative(c, &o->cube, level, &before, &next, &used);
    if (result == SOLVER_SAT) {
        answer = add_predecessor(c, index, used);
    } else if (result == SOLVER_UNSAT) {
        vec_append(&cube, o->cube.data, o->cube.len);
        struct blocked blocked = {&cube,   level, 0,   o->bounces >= ACTIVE_BOUNCES,
                                  &before, &next, used};
        generalise(c, &blocked);
    }
    frames_relative_done(c, &before, &next, used);
    if (c->out_of_ticks)
        answer = IC3_TICKS;
    else if (result == SOLVER_UNSAT)
        answer = add_lemma(c, &cube, level, index);
    vec_free(&cube);
    return answer;
}

/* An obligation that was interrupted comes back. */
static enum ic3_answer block_all(struct ic3 *c) {
    uint32_t index;
    while (obligation_next(c, &index)) {
        if (c->knobs.abort_restart && c->suffix < c->longest && ++c->processed > c->limit)
            return IC3_RESTART;
        enum ic3_answer answer = block(c, index);
        if (answer == IC3_TICKS)
            obligation_enqueue(c, index);
        if (answer != IC3_GOING_ON)
            return answer;
    }
    return IC3_BLOCKED;
}

static void report_dead(struct ic3 *c, uint32_t level) {
    assert(c->queue.len == 0 && "nothing is left to block");
    struct fact fact = {.kind = FACT_DEAD, .target = c->target};
    invariant_init(&fact.invariant);
    invariant_copy(&fact.invariant, c->known);
    vec_clear(&fact.invariant.targets);
    vec_push(&fact.invariant.targets, c->target);
    fact.invariant.k = c->suffix + 1;
    frames_proof(c, level, &fact.invariant);
    invariant_trim(c->sys, &fact.invariant, c->input->options.seed, NULL);
    for (size_t i = 0; c->knobs.share_infinite && i < fact.invariant.clauses.len; i++)
        invariant_add(c->known, fact.invariant.clauses.data[i].data,
                      fact.invariant.clauses.data[i].len);
    engine_report(c->input, &fact);
    fact_free(&fact);
}

/* The next bad state becomes an obligation; IC3_BLOCKED: there is none in the top frame. */
static enum ic3_answer next_bad(struct ic3 *c) {
    uint32_t bad;
    assert(c->queue.len == 0 && !c->pushing);
    enum solver_result result = find_bad(c, &bad);
    if (c->hard)
        return IC3_RESTART;
    if (result != SOLVER_SAT)
        return result == SOLVER_UNSAT ? IC3_BLOCKED : IC3_TICKS;
    enum ic3_answer answer = check_initial(c, bad);
    if (answer == IC3_GOING_ON)
        obligation_enqueue(c, bad);
    return answer;
}

static enum ic3_answer push_all(struct ic3 *c) {
    uint32_t level;
    c->pushing = true;
    if (frames_push(c, &level)) {
        report_dead(c, level);
        return IC3_DEAD;
    }
    c->pushing = c->out_of_ticks;
    return c->out_of_ticks ? IC3_TICKS : IC3_GOING_ON;
}

/* Frames grow until an answer is found, the run has to start again or is interrupted. */
static enum ic3_answer run_frames(struct ic3 *c) {
    enum ic3_answer answer = c->pushing ? push_all(c) : IC3_GOING_ON;
    while (answer == IC3_GOING_ON) {
        if (c->queue.len > 0)
            answer = block_all(c);
        if (answer == IC3_BLOCKED || answer == IC3_GOING_ON)
            answer = next_bad(c);
        if (answer == IC3_BLOCKED) {
            frames_new_top(c);
            c->processed = 0;
            answer = push_all(c);
        }
    }
    return answer;
}

static void forget_run(struct ic3 *c) {
    if (!c->running)
        return;
    frames_close(c);
    for (size_t i = 0; i < c->obligations.len; i++)
        vec_free(&c->obligations.data[i].cube);
    vec_clear(&c->obligations);
    vec_clear(&c->queue);
    arena_free(&c->arena);
    c->processed = 0;
    c->running = c->pushing = false;
}

static uint64_t ic3_ticks(const struct ic3 *c) {
    return frames_ticks(c) + bmc_ticks(c->base);
}

static enum ic3_answer base_case(struct ic3 *c, uint64_t until) {
    while (bmc_depth(c->base) < c->suffix + 1) {
        uint64_t now = ic3_ticks(c);
        if (now >= until || bmc_deepen(c->base, until - now) == ENGINE_MORE)
            return IC3_TICKS;
        if (bmc_count_open(c->base) == 0)
            return IC3_HIT;
    }
    return bmc_is_sure(c->base, 0) ? IC3_GOING_ON : IC3_STUCK;
}

static void target_open(struct ic3 *c, const struct engine_input *input, uint32_t target,
                        struct invariant *known) {
    struct engine_input single = *input;
    *c = (struct ic3){.sys = input->sys,
                      .input = input,
                      .knobs = input->options.knobs,
                      .target = target,
                      .known = known,
                      .suffix = input->options.knobs.suffix,
                      .limit = input->options.knobs.abort_after,
                      .longest = input->options.knobs.restart_at_frame ? MAX_UNROLLED : MAX_SUFFIX};
    single.targets = &c->target;
    single.n_targets = 1;
    single.lemmas = known;
    c->base = bmc_open(&single);
    rng_init(&c->rng, input->options.seed + target);
}

static void target_close(struct ic3 *c) {
    forget_run(c);
    bmc_close(c->base);
    vec_free(&c->obligations);
    vec_free(&c->queue);
    vec_free(&c->activity);
    for (size_t i = 0; i < RECENT_SHAPES; i++)
        vec_free(&c->shapes[i]);
}

static void change_suffix(struct ic3 *c) {
    assert(c->hard ? c->suffix > 0 : c->suffix < c->longest);
    if (c->hard) {
        c->longest = --c->suffix;
    } else {
        bool later = c->knobs.restart_at_frame && c->top > c->suffix + 1;
        c->suffix = later ? c->top : c->suffix + 1;
        c->limit *= 2;
    }
    c->hard = false;
    WINDOW_ADD(c->input->window, stats.restarts, 1);
    WINDOW_EVENT(c->input->window, "restart", "\"target\":%u,\"suffix\":%u", c->target, c->suffix);
}

/* Base case, frames, restarts. */
static enum ic3_answer target_run(struct ic3 *c, uint64_t ticks) {
    uint64_t until = ic3_ticks(c) + ticks - ticks / SHARE_PART;
    for (;;) {
        enum ic3_answer answer = c->running ? IC3_GOING_ON : base_case(c, until);
        if (answer != IC3_GOING_ON)
            return answer;
        if (!c->running)
            frames_open(c);
        c->running = true;
        c->out_of_ticks = false;
        c->until = until > bmc_ticks(c->base) ? until - bmc_ticks(c->base) : 0;
        answer = run_frames(c);
        if (answer == IC3_RESTART || answer == IC3_TICKS)
            share_inductive(c, ticks / SHARE_PART);
        if (answer != IC3_RESTART)
            return answer;
        forget_run(c);
        change_suffix(c);
    }
}

/* ---- the engine: targets one after the other, what is proved for one is known to the next ---- */

struct ic3_engine {
    struct engine_input input;
    struct invariant known;
    size_t next;
    bool left_some;
    bool is_open; /* `now` is the run for the next target */
    struct ic3 now;
};

static void *ic3_open(const struct engine_input *input) {
    struct ic3_engine *e = mem_zalloc(1, sizeof *e);
    e->input = *input;
    invariant_init(&e->known);
    if (input->lemmas)
        invariant_copy(&e->known, input->lemmas);
    return e;
}

static void next_target(struct ic3_engine *e) {
    if (e->is_open)
        target_close(&e->now);
    e->is_open = false;
    e->next++;
}

static void ic3_close(void *state) {
    struct ic3_engine *e = state;
    if (e->is_open)
        target_close(&e->now);
    invariant_free(&e->known);
    mem_free(e);
}

/* Each target gets an equal share of what is left of the budget; the last one may go on later. */
static enum engine_status ic3_step(void *state, uint64_t ticks) {
    struct ic3_engine *e = state;
    assert(e->next <= e->input.n_targets);
    while (e->next < e->input.n_targets) {
        uint64_t share = ticks / (e->input.n_targets - e->next);
        if (!e->is_open)
            target_open(&e->now, &e->input, e->input.targets[e->next], &e->known);
        e->is_open = true;
        uint64_t before = ic3_ticks(&e->now);
        enum ic3_answer answer = target_run(&e->now, share);
        uint64_t used = ic3_ticks(&e->now) - before;
        ticks -= used < ticks ? used : ticks;
        if (answer == IC3_TICKS && e->next + 1 == e->input.n_targets)
            return ENGINE_MORE;
        e->left_some |= answer != IC3_HIT && answer != IC3_DEAD;
        next_target(e);
    }
    return e->left_some ? ENGINE_GAVE_UP : ENGINE_DONE;
}

const struct engine engine_ic3 = {
    .open = ic3_open,
    .step = ic3_step,
    .close = ic3_close,
};
