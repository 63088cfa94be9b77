/* Native builds and the model: what the engines need. */
#include "app/run/session.h"
#include "app/loops.h"
#include "app/run/resume.h"
#include "base/child.h"
#include "base/mem.h"
#include "base/tool.h"
#include "engines/unroll.h"

#include <string.h>

enum {
    SAME_SHARDS = 2, /* of a deterministic run */
    VACUITY_TICKS = 20000000,
    VACUITY_SECONDS = 20,
    CONTRADICTORY = 42 /* exit code */
};

static bool build_native(struct session *s) {
    struct err err = {0};
    s->program = (struct native_program){.woven = str_text(&s->woven.text),
                                         .module = &s->woven.module,
                                         .n_probes = s->woven.goals.n_probes,
                                         .spare = s->woven.goals.spare.data,
                                         .n_spare = s->woven.goals.spare.len,
                                         .stop = session_must_end,
                                         .stop_context = s};
    /* how many there are is part of what simulation finds */
    struct simulate_options options = {.seed = s->project.seed,
                                       .shards = s->options->deterministic ? SAME_SHARDS : s->jobs,
                                       .stop = session_must_end,
                                       .stop_context = s};
    s->simulation = simulate_open(&s->program, &options, &err);
    if (!s->simulation && !session_must_end(s)) {
        log_warning(s->log, "no native build, so nothing can be shown to be reachable: %s",
                    str_text(&err.message));
        if (err.remedy.len)
            log_note(s->log, "  %s", str_text(&err.remedy));
    }
    err_clear(&err);
    return s->simulation != NULL;
}

static bool build_model(struct session *s) {
    struct err err = {0};
    struct lower_options options = {
        .n_probes = s->woven.goals.n_probes, .stop = session_must_end, .stop_context = s};
    loops_ask(&options);
    terms_init(&s->terms);
    system_init(&s->sys, &s->terms);
    if (lower(str_text(&s->woven.text), &s->woven.module, &options, &s->sys, &s->lowered, &err))
        return true;
    log_warning(s->log, "no model, so nothing can be proved dead: %s", str_text(&err.message));
    if (err.remedy.len)
        log_note(s->log, "  %s", str_text(&err.remedy));
    err_clear(&err);
    system_free(&s->sys);
    terms_free(&s->terms);
    return false;
}

static void connect_targets(struct session *s) {
    for (uint32_t t = 0; t < s->sys.targets.len; t++) {
        const struct target *target = &s->sys.targets.data[t];
        uint32_t probe = target->id;
        if (target->kind == TARGET_OVERRUN) {
            probe = (uint32_t)s->probes.len;
            vec_push(&s->probes, (struct probe){.overrun = true, .bound = -1});
        }
        assert(probe < s->probes.len);
        s->probes.data[probe].target = t;
        vec_push(&s->target_probe, probe);
    }
}

/* A probe that clang has left out of the bitcode, as code behind a constant condition: never hit.
 */
static void add_missing_targets(struct session *s) {
    for (uint32_t p = 0; p < s->woven.goals.n_probes; p++) {
        if (s->probes.data[p].target != NONE || s->probes.data[p].goals.len == 0)
            continue;
        struct target target = {.kind = TARGET_GOAL,
                                .id = p,
                                .name = "left out by the compiler",
                                .hit = term_bool(&s->terms, false)};
        s->probes.data[p].target = (uint32_t)s->sys.targets.len;
        vec_push(&s->sys.targets, target);
        vec_push(&s->target_probe, p);
    }
}

/* Some step ends, or goes on where the model cannot follow. */
static term_t some_step(struct session *s) {
    term_t some = s->sys.step_ok;
    for (size_t i = 0; i < s->sys.overruns.len; i++)
        some = term_or(&s->terms, some, s->sys.targets.data[s->sys.overruns.data[i]].hit);
    return some;
}

/* In a child, so that neither time nor memory can get out of hand. */
static int seek_first_step(void *context) {
    struct session *s = context;
    struct solver *solver = solver_new(&(struct solver_options){.seed = 1});
    struct unroll u;
    unroll_init(&u, &s->sys, solver, UNROLL_FROM_INIT, NULL);
    unroll_to(&u, 0);
    struct slit ok = slit_true(unroll_term(&u, 0, some_step(s)));
    bool contradictory = solver_solve(solver, &ok, 1, VACUITY_TICKS) == SOLVER_UNSAT;
    unroll_free(&u);
    solver_free(solver);
    return contradictory ? CONTRADICTORY : 0;
}

/* Contradictory ranges or constraints would make everything dead. Not knowing is no contradiction:
 * a module of which nothing can be reached shows it by its verdicts. */
static bool check_vacuity(struct session *s, struct err *err) {
    double left = s->project.total_seconds - session_elapsed(s);
    struct child_spec spec = {.body = seek_first_step,
                              .context = s,
                              .wall_seconds = left < VACUITY_SECONDS ? left : VACUITY_SECONDS,
                              .memory_mb = s->project.memory_mb};
    struct child_result result = {0};
    if (left <= 0)
        return true;
    if (!child_run(&spec, &result, err))
        return false;
    bool contradictory = result.end == CHILD_EXITED && result.code == CONTRADICTORY;
    child_result_free(&result);
    if (!contradictory)
        return true;
    err_set(err, ERR_USAGE,
            "no input satisfies all ranges and assumptions: the first step never "
            "ends");
    return err_remedy(err, "check 'inputs', 'parameters' and 'assumptions' of the project file: "
                           "everything would count as dead");
}

/* Its answers count only after it has shown that it can tell true from false. */
static bool open_cbmc(struct session *s) {
    struct str why = {0};
    const char *program = tool_cbmc(&s->arena);
    bool ok = cbmc_open(&s->cbmc, program, &why);
    if (!ok && program)
        log_warning(s->log, "CBMC is not used: %s", str_text(&why));
    else if (!ok)
        log_note(s->log, "without CBMC: proofs are checked by a second run of our own solver");
    else
        log_detail(s->log, "CBMC %s (%s)", s->cbmc.version, program);
    str_free(&why);
    return ok;
}

bool session_prepare(struct session *s, struct err *err) {
    s->has_cbmc = open_cbmc(s);
    s->has_native = build_native(s);
    s->has_model = !session_must_end(s) && build_model(s);
    s->no_time = session_must_end(s);
    if (s->has_model) {
        connect_targets(s);
        session_connect_cells(s);
        add_missing_targets(s);
        for (size_t i = 0; i < s->lowered.limitations.len; i++)
            if (!store_limitation(s->db, &s->lowered.limitations.data[i], err))
                return false;
        if (!check_vacuity(s, err))
            return false;
    }
    if (!resume_verdicts(s, err))
        return false;
    return !s->has_model || !s->has_cbmc || !session_overruns_dead(s) || resume_unconfirmed(s, err);
}
