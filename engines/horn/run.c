/* run: turns. A method that cannot answer its question with the effort of a turn gets a longer one
 * the next time: turns grow with what it has had. */
#include "engines/horn/run.h"

#include "base/mem.h"
#include "engines/horn/large.h"
#include "engines/horn/expand.h"
#include "engines/horn/guess.h"
#include "engines/horn/induction.h"
#include "engines/horn/regions.h"

#include <assert.h>

enum lane { LANE_RUNS, LANE_STEPS, LANE_IA, LANES };
enum { LEAST_TURN = 200000, GUESS_TICKS = 24000000 };

struct horn_run {
    struct horn *horn;
    struct core core;
    struct large large;
    bool has_places; /* `large` is made */
    bool in_large;   /* it is its system that is looked at, else that of the core */
    struct regions regions;
    bool in_regions;    /* of that one, it is the small system */
    struct system *sys; /* the one that is */
    term_t lemma;       /* an invariant of it */
    struct induction *induction;
    struct ia *ia;
    bool over[LANES]; /* it has nothing more to say */
    uint64_t share[LANES];
    struct horn_answer answer;
    enum lane decided;
};

/* What can be guessed and holds for ever is a constraint from then on. */
static void strengthen(struct horn_run *run, const struct query_options *how) {
    struct terms *ts = run->horn->sys.terms;
    struct target *target = &run->sys->targets.data[0];
    struct horn_terms places = {0};
    if (run->in_large)
        vec_append(&places, run->large.at.data, run->large.at.len);
    else if (run->has_places)
        vec_append(&places, run->large.every.data, run->large.every.len);
    else
        vec_push(&places, term_bool(ts, true));
    run->lemma = guess_invariant(run->sys, &places, how, GUESS_TICKS);
    run->sys->step_ok = term_and(ts, run->sys->step_ok, run->lemma);
    target->hit = term_and(ts, target->hit, run->lemma);
    vec_free(&places);
}

struct horn_run *horn_run_open(struct horn *horn, const struct horn_run_options *options) {
    struct horn_run *run = mem_zalloc(1, sizeof *run);
    struct query_options how = {QUERY_Z3, options->seed, options->deadline};
    run->horn = horn;
    core_make(&run->core, &horn->sys);
    run->has_places = large_make(&run->large, &run->core.sys, &how);
    run->in_large = run->has_places && run->large.worthwhile;
    run->sys = run->in_large ? &run->large.sys : &run->core.sys;
    run->in_regions = regions_make(&run->regions, run->sys);
    if (run->in_regions)
        run->sys = &run->regions.sys;
    strengthen(run, &how);
    run->induction = induction_open(run->sys, &how);
    struct ia_options ia = {.knobs = options->knobs,
                            .back_end = QUERY_Z3,
                            .seed = options->seed,
                            .deadline = options->deadline,
                            .runs_elsewhere = true};
    run->ia = ia_open(run->sys, 0, &ia);
    run->share[LANE_RUNS] = run->share[LANE_STEPS] = 1;
    run->share[LANE_IA] = 3;
    return run;
}

void horn_run_close(struct horn_run *run) {
    ia_close(run->ia);
    induction_close(run->induction);
    if (run->in_regions)
        regions_free(&run->regions);
    if (run->has_places)
        large_free(&run->large);
    core_free(&run->core);
    horn_answer_free(&run->answer);
    mem_free(run);
}

static uint64_t lane_ticks(const struct horn_run *run, enum lane lane) {
    if (lane == LANE_IA)
        return ia_stats(run->ia).ticks;
    return induction_ticks(run->induction, lane == LANE_RUNS ? INDUCTION_RUNS : INDUCTION_STEPS);
}

/* ---- answers ---- */

static term_t run_input(const struct horn_run *run, enum lane lane, uint32_t step, size_t input) {
    return lane == LANE_IA ? ia_input(run->ia, step, input)
                           : induction_input(run->induction, step, input);
}

/* A run of the system that was looked at, as one of the system that was read. */
static void note_run(struct horn_run *run, enum lane lane, uint32_t states) {
    struct horn_terms inputs = {0};
    assert(run->answer.verdict == HORN_OPEN);
    for (uint32_t step = 0; step <= states; step++)
        for (size_t i = 0; i < run->sys->inputs.len; i++)
            vec_push(&inputs, run_input(run, lane, step, i));
    if (run->in_regions)
        regions_lift_run(&run->regions, &inputs, states);
    if (!run->in_large || large_expand(&run->large, &run->core.sys, &inputs, &states))
        horn_lift_run(&run->answer, &run->core, &inputs, states);
    vec_free(&inputs);
}

/* What is said of the system that is looked at, of the one that it was made of. */
static void lift_invariant(struct horn_run *run) {
    struct terms *ts = run->horn->sys.terms;
    struct horn_answer *a = &run->answer;
    assert(a->verdict == HORN_SAFE);
    if (run->in_regions)
        a->invariant = regions_lift(&run->regions, a->invariant);
    a->invariant = term_and(ts, run->core.equations, a->invariant);
}

static void note_ia(struct horn_run *run, enum ia_status status) {
    struct terms *ts = run->horn->sys.terms;
    struct horn_answer *a = &run->answer;
    assert(a->verdict == HORN_OPEN);
    if (status == IA_HIT)
        note_run(run, LANE_IA, ia_steps(run->ia));
    if (status != IA_SAFE)
        return;
    *a = (struct horn_answer){.verdict = HORN_SAFE};
    a->invariant = run->lemma;
    if (run->in_large) {
        a->stops = run->large.stops;
        a->span = run->large.span;
    }
    for (size_t c = 0; c < ia_clause_count(run->ia); c++) {
        size_t n;
        const term_t *lits = ia_clause(run->ia, c, &n);
        term_t clause = term_bool(ts, false);
        for (size_t i = 0; i < n; i++)
            clause = term_or(ts, clause, lits[i]);
        a->invariant = term_and(ts, a->invariant, clause);
    }
    lift_invariant(run);
}

/* Does it depend on inputs whether the target is hit? */
static bool reads_input(const struct horn_run *run) {
    const struct system *sys = run->sys;
    bool *mark = mem_zalloc(sys->terms->nodes.len, sizeof *mark), reads = false;
    term_mark(sys->terms, &sys->targets.data[0].hit, 1, mark);
    for (size_t i = 0; i < sys->inputs.len; i++)
        reads |= mark[sys->inputs.data[i].var];
    mem_free(mark);
    return reads;
}

/* k clean steps are followed by one. Large steps are no good for that, unless one clean step is
 * enough: then the property is an invariant itself. */
static void note_induction(struct horn_run *run, enum induction_status status) {
    struct terms *ts = run->horn->sys.terms;
    struct horn_answer *a = &run->answer;
    assert(a->verdict == HORN_OPEN);
    if (status == INDUCTION_HIT)
        note_run(run, LANE_RUNS, induction_depth(run->induction));
    if (status != INDUCTION_SAFE)
        return;
    uint32_t k = induction_depth(run->induction), span = run->in_large ? run->large.span : 1;
    if (span > 1 && (k > 1 || reads_input(run)))
        return;
    *a = (struct horn_answer){.verdict = HORN_SAFE, .k = k};
    a->invariant = run->lemma;
    if (run->in_large)
        a->stops = run->large.stops, a->span = span;
    if (span > 1) {
        a->invariant = term_and(ts, a->invariant, term_not(ts, run->sys->targets.data[0].hit));
        a->k = 0;
    }
    lift_invariant(run);
}

/* ---- turns ---- */

static void turn(struct horn_run *run, enum lane lane, uint64_t ticks) {
    uint64_t before = lane_ticks(run, lane);
    assert(lane < LANES && !run->over[lane] && ticks > 0);
    if (lane == LANE_IA) {
        enum ia_status said = ia_step(run->ia, ticks);
        run->over[lane] = said != IA_MORE;
        note_ia(run, said);
    } else {
        enum induction_lane which = lane == LANE_RUNS ? INDUCTION_RUNS : INDUCTION_STEPS;
        enum induction_status said = induction_step(run->induction, which, ticks);
        note_induction(run, said);
        run->over[lane] = said == INDUCTION_SAFE || lane_ticks(run, lane) == before;
    }
    run->decided = lane;
}

/* The lane that is furthest behind its share, LANES: none is left. */
static enum lane next_lane(const struct horn_run *run) {
    enum lane best = LANES;
    for (enum lane l = 0; l < LANES; l++)
        if (!run->over[l] && (best == LANES || lane_ticks(run, l) / run->share[l] <
                                                   lane_ticks(run, best) / run->share[best]))
            best = l;
    return best;
}

bool horn_run_is_over(const struct horn_run *run) {
    return run->answer.verdict != HORN_OPEN || next_lane(run) == LANES;
}

enum horn_verdict horn_run_step(struct horn_run *run, uint64_t ticks) {
    uint64_t until = horn_run_ticks(run) + ticks;
    while (run->answer.verdict == HORN_OPEN && horn_run_ticks(run) < until) {
        enum lane lane = next_lane(run);
        if (lane == LANES)
            break;
        turn(run, lane, LEAST_TURN * run->share[lane] + lane_ticks(run, lane) / 2);
    }
    return run->answer.verdict;
}

const struct horn_answer *horn_run_answer(const struct horn_run *run) {
    return &run->answer;
}

uint64_t horn_run_ticks(const struct horn_run *run) {
    uint64_t sum = 0;
    for (enum lane l = 0; l < LANES; l++)
        sum += lane_ticks(run, l);
    return sum;
}

struct ia_stats horn_run_stats(const struct horn_run *run) {
    return ia_stats(run->ia);
}

const char *horn_run_method(const struct horn_run *run) {
    static const char *const names[LANES] = {"runs", "k-induction", "predicates"};
    return run->answer.verdict == HORN_OPEN ? "none" : names[run->decided];
}

const struct system *horn_run_system(const struct horn_run *run, uint32_t *span) {
    *span = run->in_large ? run->large.span : 1;
    return run->sys;
}
