/* run: turns. A method that cannot answer its question with the effort of a turn gets a longer one
 * the next time: turns grow with what it has had. */
#include "engines/horn/run.h"

#include "base/mem.h"
#include "engines/horn/induction.h"

#include <assert.h>

enum lane { LANE_RUNS, LANE_STEPS, LANE_IA, LANES };
enum { LEAST_TURN = 200000 };

struct horn_run {
    struct horn *horn;
    struct core core;
    struct induction *induction;
    struct ia *ia;
    bool over[LANES]; /* it has nothing more to say */
    uint64_t share[LANES];
    struct horn_answer answer;
    enum lane decided;
};

struct horn_run *horn_run_open(struct horn *horn, const struct horn_run_options *options) {
    struct horn_run *run = mem_zalloc(1, sizeof *run);
    run->horn = horn;
    core_make(&run->core, &horn->sys);
    run->induction = induction_open(&run->core.sys, options->seed);
    struct ia_options ia = {.knobs = options->knobs,
                            .back_end = QUERY_Z3,
                            .seed = options->seed,
                            .runs_elsewhere = true};
    run->ia = ia_open(&run->core.sys, 0, &ia);
    run->share[LANE_RUNS] = run->share[LANE_STEPS] = 1;
    run->share[LANE_IA] = 2;
    return run;
}

void horn_run_close(struct horn_run *run) {
    ia_close(run->ia);
    induction_close(run->induction);
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

static term_t ia_value(void *context, uint32_t step, size_t input) {
    const struct horn_run *run = context;
    return ia_input(run->ia, step, input);
}

static term_t induction_value(void *context, uint32_t step, size_t input) {
    const struct horn_run *run = context;
    return induction_input(run->induction, step, input);
}

static void note_ia(struct horn_run *run, enum ia_status status) {
    struct terms *ts = run->horn->sys.terms;
    struct horn_answer *a = &run->answer;
    assert(a->verdict == HORN_OPEN);
    if (status == IA_HIT) {
        *a = (struct horn_answer){.verdict = HORN_UNSAFE, .states = ia_steps(run->ia)};
        horn_lift_run(a, &run->core, ia_value, run);
    } else if (status == IA_SAFE) {
        *a = (struct horn_answer){.verdict = HORN_SAFE, .invariant = run->core.equations};
        for (size_t c = 0; c < ia_clause_count(run->ia); c++) {
            size_t n;
            const term_t *lits = ia_clause(run->ia, c, &n);
            term_t clause = term_bool(ts, false);
            for (size_t i = 0; i < n; i++)
                clause = term_or(ts, clause, lits[i]);
            a->invariant = term_and(ts, a->invariant, clause);
        }
    }
}

static void note_induction(struct horn_run *run, enum induction_status status) {
    struct horn_answer *a = &run->answer;
    assert(a->verdict == HORN_OPEN);
    if (status == INDUCTION_HIT) {
        a->verdict = HORN_UNSAFE;
        a->states = induction_depth(run->induction);
        horn_lift_run(a, &run->core, induction_value, run);
    } else if (status == INDUCTION_SAFE) {
        a->verdict = HORN_SAFE;
        a->invariant = run->core.equations;
        a->k = induction_depth(run->induction);
    }
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
        run->over[lane] = said == INDUCTION_MORE && lane_ticks(run, lane) == before;
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

const struct core *horn_run_core(const struct horn_run *run) {
    return &run->core;
}
