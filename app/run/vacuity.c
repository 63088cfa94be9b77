/* vacuity: see vacuity.h. Asked of the solver in a child, so that neither time nor memory can get
 * out of hand; its exit code is the answer. */
#include "app/run/vacuity.h"
#include "app/run/budget.h"

#include "app/run/evidence.h"
#include "base/child.h"
#include "engines/unroll.h"

enum { VACUITY_TICKS = 20000000, VACUITY_SECONDS = 20 };

enum answer { POSSIBLE, NO_START, NO_END_OF_START, NO_STEP, NO_END_OF_STEP };

/* Some step ends, or goes on where the model cannot follow. */
static term_t some_end(struct session *s) {
    term_t some = s->model.sys.step_ok;
    for (size_t i = 0; i < s->model.sys.overruns.len; i++)
        some = term_or(&s->model.terms, some,
                       s->model.sys.targets.data[s->model.sys.overruns.data[i]].hit);
    return some;
}

/* Something is hit: what the user demands of the inputs comes before. */
static term_t some_hit(struct session *s, bool at_start) {
    term_t some = term_bool(&s->model.terms, false);
    for (size_t i = 0; i < s->model.sys.targets.len; i++) {
        const struct target *t = &s->model.sys.targets.data[i];
        term_t hit = at_start ? t->init_hit : t->hit;
        if (hit)
            some = term_or(&s->model.terms, some, hit);
    }
    return some;
}

/* In the first step, or (steps: false) in what comes before it. */
static bool impossible(struct session *s, bool steps, term_t wanted) {
    struct solver *solver = solver_new(&(struct solver_options){.seed = 1});
    struct unroll u;
    unroll_init(&u, &s->model.sys, solver, UNROLL_FROM_INIT, NULL);
    if (steps)
        unroll_to(&u, 0);
    svar v = steps ? unroll_term(&u, 0, wanted) : solver_encode(solver, u.init, wanted);
    struct slit hold = slit_true(v);
    bool no = solver_solve(solver, &hold, 1, VACUITY_TICKS) == SOLVER_UNSAT;
    unroll_free(&u);
    solver_free(solver);
    return no;
}

static int seek_first_step(void *context) {
    struct session *s = context;
    if (!impossible(s, true, some_end(s)))
        return POSSIBLE;
    if (!impossible(s, true, term_bool(&s->model.terms, true)))
        return impossible(s, true, some_hit(s, false)) ? NO_STEP : NO_END_OF_STEP;
    return impossible(s, false, some_hit(s, true)) ? NO_START : NO_END_OF_START;
}

/* " (division by zero in step 1 …)": what the native program does with some inputs. */
static void add_example(struct session *s, struct str *text) {
    struct scenario scenario = {.n_steps = 1};
    struct native_result result = {0};
    struct err ignored = {0};
    evidence_complete(&s->woven.module, &scenario);
    struct native_run run = {.events = &scenario.events, .n_steps = 1};
    if (s->has_native && native_replay(simulate_zero(s->simulation), &run, &result, &ignored) &&
        result.end != NATIVE_RAN && result.end != NATIVE_ASSUMPTION) {
        str_add(text, ": ");
        native_end_describe(&result, &s->woven.module, &scenario.events, text);
    }
    native_result_free(&result);
    scenario_free(&scenario);
    err_clear(&ignored);
}

static bool contradiction(struct err *err) {
    err_set(err, ERR_USAGE,
            "no input satisfies all ranges and assumptions: the first step never begins");
    return err_remedy(err, "check 'inputs', 'parameters' and 'assumptions' of the project file: "
                           "everything would count as dead");
}

static bool no_end(struct session *s, const char *what, struct err *err) {
    struct str text = {0};
    add_example(s, &text);
    err_set(err, ERR_USAGE, "%s never ends, whatever the inputs are%s", what, str_text(&text));
    str_free(&text);
    return err_remedy(err, "what comes behind that place would count as dead: name the functions "
                           "that initialise the module under \"init\", and what is set from "
                           "outside under \"inputs\" or \"parameters\" with its range");
}

static bool explain(struct session *s, int answer, struct err *err) {
    switch (answer) {
    case NO_START:
    case NO_STEP:
        return contradiction(err);
    case NO_END_OF_START:
        return no_end(s, "the initialisation", err);
    case NO_END_OF_STEP:
        return no_end(s, "the first step", err);
    default:
        return true;
    }
}

bool vacuity_check(struct session *s, struct err *err) {
    double left = session_left(s);
    struct child_spec spec = {.body = seek_first_step,
                              .context = s,
                              .wall_seconds = left < VACUITY_SECONDS ? left : VACUITY_SECONDS,
                              .memory_mb = s->project.memory_mb};
    struct child_result result = {0};
    assert(s->model.present);
    if (left <= 0)
        return true;
    if (!child_run(&spec, &result, err))
        return false;
    int answer = result.end == CHILD_EXITED ? result.code : POSSIBLE;
    child_result_free(&result);
    return explain(s, answer, err);
}
