/* A run gets a value for each input that the engine left out, is replayed natively, and counts for
 * all that it hits there. A proof is split into what it says of overruns and of goals; the latter
 * wait until the overruns are excluded. */
#include "app/run/evidence.h"
#include "app/run/budget.h"
#include "app/run/basis.h"
#include "app/run/verdict.h"

#include <string.h>

/* Steps of a witness whose state is kept: all of a short one, of a long one the end and samples. */
enum { FULL_STEPS = 2000, TAIL_STEPS = 200, SAMPLES = 500, MOST_TRACED = 4 << 20 };

void probe_tried(struct probe *p, const char *engine, const char *outcome) {
    struct str entry = {0};
    str_addf(&entry, "%s: %s", engine, outcome);
    if (!strstr(str_text(&p->tried), str_text(&entry)))
        str_addf(&p->tried, "%s%s", p->tried.len ? "; " : "", str_text(&entry));
    str_free(&entry);
}

/* ---- runs ---- */

static bool keep_step(uint32_t step, uint32_t n_steps) {
    return n_steps <= FULL_STEPS || step + TAIL_STEPS >= n_steps || step % (n_steps / SAMPLES) == 0;
}

/* Where a run and the state of a module are large, only its end is recorded. */
static struct native_run traced_run(const struct session *s, const struct witness *w) {
    size_t cells = s->woven.module.state.len + s->woven.goals.n_probes / 8 + 1;
    uint32_t most = cells < MOST_TRACED ? (uint32_t)(MOST_TRACED / cells) : 1;
    uint32_t steps = w->steps < most ? w->steps : most;
    return (struct native_run){.events = &w->events,
                               .n_steps = w->steps,
                               .trace_from = w->steps - steps,
                               .trace_steps = steps};
}

static void take_cells(struct witness *w, const struct native_run *run,
                       const struct native_result *result, const bool *keep) {
    VEC(uint64_t) last = {0};
    vec_resize_zero(&last, result->n_cells);
    for (uint32_t c = 0; c < result->init_cells.len; c++) {
        last.data[c] = result->init_cells.data[c];
        if (keep[c])
            vec_push(&w->cells, (struct witness_cell){UINT32_MAX, c, last.data[c]});
    }
    for (uint32_t j = 0; j < result->traced; j++) {
        uint32_t step = run->trace_from + j;
        const uint64_t *cells = &result->cells.data[(size_t)j * result->n_cells];
        for (uint32_t c = 0; keep_step(step, w->steps) && c < result->n_cells; c++)
            if (keep[c] && cells[c] != last.data[c]) {
                vec_push(&w->cells, (struct witness_cell){step, c, cells[c]});
                last.data[c] = cells[c];
            }
    }
    vec_free(&last);
}

/* The state along the run, where it changes, for people: what can influence the goals, or all when
 * that is not known. In a large module that is a small part. */
static bool trace_cells(struct session *s, struct witness *w, const uint32_t *probes, size_t n,
                        struct err *err) {
    struct native_result result = {0};
    struct native_run run = traced_run(s, w);
    VEC(bool) keep = {0};
    vec_resize_zero(&keep, s->woven.module.state.len + 1);
    if (!session_cone(s, probes, n, keep.data))
        memset(keep.data, true, keep.len);
    bool ok = native_replay(simulate_zero(s->simulation), &run, &result, err);
    assert(!ok || result.n_cells < keep.len);
    if (ok)
        take_cells(w, &run, &result, keep.data);
    vec_free(&keep);
    native_result_free(&result);
    return ok;
}

static int64_t store_scenario(struct session *s, const char *engine,
                              const struct scenario *scenario, const uint32_t *probes, size_t n,
                              struct err *err) {
    struct witness w = {.steps = scenario->n_steps, .engine = engine};
    vec_append(&w.events, scenario->events.data, scenario->events.len);
    int64_t id = trace_cells(s, &w, probes, n, err) ? store_witness(s->db, &w, err) : 0;
    witness_free(&w);
    return id;
}

static bool wants(const struct session *s, const struct probe_hit *hit) {
    const struct probe *p = &s->probes.data[hit->probe];
    return p->status != STATUS_REACHABLE && p->goals.len > 0;
}

static bool credit(struct session *s, const char *engine, const struct probe_hit *hit,
                   int64_t witness, double seconds, struct err *err) {
    struct finding f = {.engine = engine,
                        .checked_by = "replay",
                        .assumes = session_run_assumes(s, hit->probe),
                        .evidence = witness,
                        .depth = hit->step == NATIVE_INIT ? 0 : (int64_t)hit->step + 1,
                        .seconds = seconds};
    if (!session_reachable(s, hit->probe, &f, err))
        return false;
    simulate_know(s->simulation, hit->probe);
    return true;
}

bool evidence_scenario(struct session *s, const char *engine, const struct scenario *scenario,
                       double seconds, uint32_t *credited, struct err *err) {
    VEC(uint32_t) probes = {0};
    for (size_t i = 0; i < scenario->hits.len; i++)
        if (wants(s, &scenario->hits.data[i]))
            vec_push(&probes, scenario->hits.data[i].probe);
    bool own, ok = store_enter(s->db, &own, err);
    int64_t witness = 0;
    if (ok && probes.len > 0)
        ok = (witness = store_scenario(s, engine, scenario, probes.data, probes.len, err)) != 0;
    for (size_t i = 0; ok && i < scenario->hits.len; i++) {
        if (!wants(s, &scenario->hits.data[i]))
            continue;
        ok = credit(s, engine, &scenario->hits.data[i], witness, seconds, err);
        *credited += ok;
    }
    vec_free(&probes);
    bool contradicts = !ok && err->code == ERR_EVIDENCE; /* both sides stay */
    return store_leave(s->db, own, ok || contradicts, err) && ok;
}

/* An input that the engine left out is held at a value in its range from its first use on. */
void evidence_complete(const struct module *module, struct scenario *scenario) {
    struct input_events all = {0}, late = {0};
    if (module->task)
        return; /* it has one input, which is asked for as often as it happens */
    for (uint32_t id = 0; id < module->inputs.len; id++) {
        const struct module_var *v = &module->inputs.data[id];
        bool known = false;
        for (size_t i = 0; i < scenario->events.len && !known; i++)
            known = scenario->events.data[i].input == id;
        uint64_t bits = v->has_range ? v->min : 0;
        if (!known && v->role != VAR_INPUT)
            vec_push(&all, (struct input_event){UINT32_MAX, id, bits});
        if (!known && v->role != VAR_PARAMETER)
            vec_push(&late, (struct input_event){0, id, bits});
    }
    size_t init = 0;
    while (init < scenario->events.len && scenario->events.data[init].step == UINT32_MAX)
        init++;
    vec_append(&all, scenario->events.data, init);
    vec_append(&all, late.data, late.len);
    vec_append(&all, scenario->events.data + init, scenario->events.len - init);
    vec_free(&late);
    vec_free(&scenario->events);
    scenario->events = all;
}

/* Without the build that is made last no run can be shown any more; what engines prove counts on.
 * With it this run alone was too much. */
static void lose_replay(struct session *s, struct err *why) {
    bool alone = native_has_positive(simulate_pattern(s->simulation));
    s->has_native = alone;
    if (!session_must_end(s))
        session_warn(s,
                     alone ? "a run cannot be replayed"
                           : "no run can be replayed, so nothing more can be shown to be reachable",
                     why);
    err_clear(why);
}

/* The values of a task are its steps. */
static void number_values(struct scenario *scenario) {
    for (uint32_t i = 0; i < scenario->events.len; i++)
        scenario->events.data[i].step = i;
    scenario->n_steps = (uint32_t)scenario->events.len;
}

/* Those that were used until the error; what was not given was 0. */
static void fit_values(struct scenario *scenario) {
    if (scenario->hits.len == 0)
        return;
    uint32_t used = scenario->hits.data[0].step + 1; /* NATIVE_INIT: none */
    for (uint32_t i = (uint32_t)scenario->events.len; i < used; i++)
        vec_push(&scenario->events, (struct input_event){i, 0, 0});
    vec_truncate(&scenario->events, used);
    scenario->n_steps = used;
}

bool evidence_run(struct session *s, const char *engine, struct scenario *scenario, uint32_t probe,
                  double seconds, uint32_t *credited, struct err *err) {
    struct err why = {0};
    if (!s->has_native)
        return true;
    evidence_complete(&s->woven.module, scenario);
    if (s->woven.module.task)
        number_values(scenario);
    if (!scenario_confirm(simulate_zero(s->simulation), simulate_pattern(s->simulation), scenario,
                          &why)) {
        lose_replay(s, &why);
        return true;
    }
    uint32_t before = *credited;
    if (s->woven.module.task)
        fit_values(scenario);
    if (!evidence_scenario(s, engine, scenario, seconds, credited, err))
        return false;
    if (*credited == before && probe != NONE && session_is_open(s, probe)) {
        probe_tried(&s->probes.data[probe], engine, "run not confirmed by replay");
        log_detail(s->log, "%s: a run for probe %u was not confirmed by replay", engine, probe);
    }
    /* Where the searches cannot go on from it, nothing is lost. */
    struct err ignored = {0};
    simulate_learn(s->simulation, &scenario->events, scenario->n_steps, &ignored);
    err_clear(&ignored);
    return true;
}

/* ---- proofs ---- */

/* The part of a proof that is about overruns, or about goals. */
static struct claim part_of(const struct session *s, const struct claim *whole, bool overrun) {
    struct claim part = *whole;
    part.overrun = overrun;
    invariant_init(&part.invariant);
    invariant_copy(&part.invariant, &whole->invariant);
    size_t kept = 0;
    for (size_t i = 0; i < whole->invariant.targets.len; i++) {
        uint32_t target = whole->invariant.targets.data[i];
        if (s->probes.data[s->model.target_probe.data[target]].overrun == overrun)
            part.invariant.targets.data[kept++] = target;
    }
    part.invariant.targets.len = kept;
    return part;
}

static void hold(struct session *s, const struct claim *claim) {
    for (size_t i = 0; i < claim->invariant.targets.len; i++)
        s->probes.data[s->model.target_probe.data[claim->invariant.targets.data[i]]].held = true;
    vec_push(&s->proofs.held, *claim);
}

static void queue(struct session *s, struct claim *claim) {
    if (claim->invariant.targets.len == 0)
        invariant_free(&claim->invariant);
    else if (claim->overrun || session_overruns_dead(s))
        vec_push(&s->proofs.waiting, *claim);
    else
        hold(s, claim);
}

void evidence_proof(struct session *s, const char *engine, struct invariant *invariant,
                    uint64_t ticks, double seconds) {
    invariant_tidy(invariant, session_system(s));
    struct claim claim = {
        .engine = engine, .invariant = *invariant, .ticks = ticks, .seconds = seconds};
    struct claim overruns = part_of(s, &claim, true), goals = part_of(s, &claim, false);
    queue(s, &overruns);
    queue(s, &goals);
    invariant_free(invariant);
}

void evidence_crash(struct session *s, const struct simulate_crash *crash) {
    struct native_result result = {.end = crash->end, .end_step = crash->step};
    struct str text = {0};
    native_end_describe(&result, &s->woven.module, &crash->events, &text);
    assert(crash->end < NATIVE_ENDS && NATIVE_ENDS <= 32);
    bool told = s->crashes_told >> crash->end & 1;
    if (!told)
        log_warning(s->log, "the program under test ended with %s", str_text(&text));
    else
        log_detail(s->log, "it ended with %s", str_text(&text));
    s->crashes_told |= UINT32_C(1) << crash->end;
    str_free(&text);
}
