#include "app/run/evidence.h"

#include <string.h>

/* Steps of a witness whose state is kept: all of a short one, of a long one the end and samples. */
enum { FULL_STEPS = 2000, TAIL_STEPS = 200, SAMPLES = 500 };

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

/* The state along the run, where it changes, for people and for the tests that are exported. */
static bool trace_cells(struct session *s, struct witness *w, struct err *err) {
    struct native_result result = {0};
    struct native_run run = {.events = &w->events, .n_steps = w->steps, .trace_steps = w->steps};
    bool ok = native_replay(simulate_zero(s->simulation), &run, &result, err);
    VEC(uint64_t) last = {0};
    vec_resize_zero(&last, result.n_cells);
    for (uint32_t c = 0; ok && c < result.init_cells.len; c++) {
        last.data[c] = result.init_cells.data[c];
        vec_push(&w->cells, (struct witness_cell){UINT32_MAX, c, last.data[c]});
    }
    for (uint32_t j = 0; ok && j < result.traced; j++)
        for (uint32_t c = 0; keep_step(j, w->steps) && c < result.n_cells; c++) {
            uint64_t bits = result.cells.data[(size_t)j * result.n_cells + c];
            if (bits != last.data[c])
                vec_push(&w->cells, (struct witness_cell){j, c, bits});
            last.data[c] = bits;
        }
    vec_free(&last);
    native_result_free(&result);
    return ok;
}

static int64_t store_scenario(struct session *s, const char *engine,
                              const struct scenario *scenario, struct err *err) {
    struct witness w = {.steps = scenario->n_steps, .engine = engine};
    vec_append(&w.events, scenario->events.data, scenario->events.len);
    int64_t id = trace_cells(s, &w, err) ? store_witness(s->db, &w, err) : 0;
    witness_free(&w);
    return id;
}

static bool wants(const struct session *s, const struct probe_hit *hit) {
    const struct probe *p = &s->probes.data[hit->probe];
    return p->status != STATUS_REACHABLE && p->goals.len > 0;
}

bool evidence_scenario(struct session *s, const char *engine, const struct scenario *scenario,
                       double seconds, uint32_t *credited, struct err *err) {
    int64_t witness = 0;
    if (!store_begin(s->db, err))
        return false;
    for (size_t i = 0; i < scenario->hits.len; i++) {
        const struct probe_hit *hit = &scenario->hits.data[i];
        if (!wants(s, hit))
            continue;
        if (!witness && !(witness = store_scenario(s, engine, scenario, err)))
            break;
        struct finding f = {.engine = engine,
                            .checked_by = "replay",
                            .evidence = witness,
                            .depth = hit->step == NATIVE_INIT ? 0 : (int64_t)hit->step + 1,
                            .seconds = seconds};
        if (!session_reachable(s, hit->probe, &f, err))
            break;
        simulate_know(s->simulation, hit->probe);
        ++*credited;
    }
    return store_commit(s->db, err) && err->code == ERR_NONE;
}

/* An input that the engine left out is held at a value in its range from its first use on. */
static void complete_events(const struct session *s, struct scenario *scenario) {
    struct input_events all = {0}, late = {0};
    for (uint32_t id = 0; id < s->woven.module.inputs.len; id++) {
        const struct module_var *v = &s->woven.module.inputs.data[id];
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

bool evidence_run(struct session *s, const char *engine, struct scenario *scenario, uint32_t probe,
                  double seconds, uint32_t *credited, struct err *err) {
    if (!s->has_native)
        return true;
    complete_events(s, scenario);
    if (!scenario_confirm(simulate_zero(s->simulation), simulate_pattern(s->simulation), scenario,
                          err))
        return false;
    uint32_t before = *credited;
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
        if (s->probes.data[s->target_probe.data[target]].overrun == overrun)
            part.invariant.targets.data[kept++] = target;
    }
    part.invariant.targets.len = kept;
    return part;
}

static void hold(struct session *s, const struct claim *claim) {
    for (size_t i = 0; i < claim->invariant.targets.len; i++)
        s->probes.data[s->target_probe.data[claim->invariant.targets.data[i]]].held = true;
    vec_push(&s->held, *claim);
}

static void queue(struct session *s, struct claim *claim) {
    if (claim->invariant.targets.len == 0)
        invariant_free(&claim->invariant);
    else if (claim->overrun || session_overruns_dead(s))
        vec_push(&s->claims, *claim);
    else
        hold(s, claim);
}

void evidence_proof(struct session *s, const char *engine, struct invariant *invariant,
                    uint64_t ticks, double seconds) {
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
    if (s->crashes_told < 10)
        log_warning(s->log, "the program under test ended with %s", str_text(&text));
    s->crashes_told++;
    str_free(&text);
}
