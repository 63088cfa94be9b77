/* A volatile object first holds one value over each step; where the witness then misses goals of
 * its own, objects that a test can give several values in a step get them, and the run is replayed
 * once more. */
#include "app/export/runs.h"

#include "app/export/fixture_file.h"
#include "db/rows.h"

#include <assert.h>
#include <string.h>

/* ---- what the database holds ---- */

static bool load_goals(struct runs *runs, struct err *err) {
    struct rows *r = rows_open(runs->file.db,
                               "SELECT id, witness, probe, kind, text, file, function, line, "
                               "coalesce(value, -1) FROM goal WHERE status = 'reachable' "
                               "ORDER BY id",
                               err);
    while (rows_next(r)) {
        struct run_goal g = {.id = rows_int(r, 0), .witness = rows_int(r, 1)};
        g.probe = (uint32_t)rows_int(r, 2);
        g.kind = arena_strdup(&runs->arena, rows_text(r, 3));
        g.text = arena_strdup(&runs->arena, rows_text(r, 4));
        g.file = arena_strdup(&runs->arena, rows_text(r, 5));
        g.function = arena_strdup(&runs->arena, rows_text(r, 6));
        g.line = (int)rows_int(r, 7);
        g.value = (int)rows_int(r, 8);
        vec_push(&runs->goals, g);
    }
    return rows_close(r, err);
}

/* ---- inputs as a test can give them ---- */

static const char *limit_of(const struct runs *runs, uint32_t input) {
    assert(input < runs->file.module.inputs.len);
    for (size_t i = 0; i < runs->fixture.limits.len; i++)
        if (runs->fixture.limits.data[i].input == input)
            return runs->fixture.limits.data[i].why;
    return NULL;
}

static bool is_volatile(const struct runs *runs, uint32_t input) {
    return input < runs->file.module.inputs.len &&
           runs->file.module.inputs.data[input].role == VAR_VOLATILE;
}

bool run_has_many(const struct run *run, uint32_t input) {
    for (size_t i = 0; i < run->many.len; i++)
        if (run->many.data[i] == input)
            return true;
    return false;
}

static bool is_held(const struct runs *runs, const struct run *run, uint32_t input) {
    return is_volatile(runs, input) && !run_has_many(run, input);
}

/* Volatile objects keep one value for the whole step: the first that the witness gives. An event in
 * every step, because a value that nobody asks for is dropped, but a variable keeps it. */
static void hold_volatiles(const struct runs *runs, struct run *run) {
    struct input_events held = {0}, *events = &run->scenario.events;
    uint32_t steps = run->scenario.n_steps;
    size_t n = runs->file.module.inputs.len, at = 0;
    VEC(uint64_t) present = {0};
    VEC(bool) given = {0};
    vec_resize_zero(&present, n);
    for (uint32_t j = UINT32_MAX; j == UINT32_MAX || j < steps; j++) {
        vec_clear(&given);
        vec_resize_zero(&given, n);
        for (; at < events->len && events->data[at].step == j; at++) {
            struct input_event e = events->data[at];
            assert(e.input < n);
            if (!is_held(runs, run, e.input))
                vec_push(&held, e);
            else if (!given.data[e.input])
                present.data[e.input] = e.bits;
            given.data[e.input] = true;
        }
        for (uint32_t id = 0; id < n; id++)
            if (is_held(runs, run, id))
                vec_push(&held, (struct input_event){j, id, present.data[id]});
    }
    vec_free(&present);
    vec_free(&given);
    vec_free(events);
    *events = held;
}

static bool any_volatile(const struct runs *runs) {
    for (uint32_t id = 0; id < runs->file.module.inputs.len; id++)
        if (is_volatile(runs, id))
            return true;
    return false;
}

/* The same inputs, but those that a test cannot set are at the one or the other end. */
static void bend(const struct runs *runs, const struct scenario *from, bool high,
                 struct input_events *to) {
    assert(to->len == 0);
    size_t at = 0;
    for (uint32_t j = UINT32_MAX; j == UINT32_MAX || j < from->n_steps; j++) {
        for (; at < from->events.len && from->events.data[at].step == j; at++)
            if (!limit_of(runs, from->events.data[at].input))
                vec_push(to, from->events.data[at]);
        for (size_t i = 0; i < runs->fixture.limits.len; i++) {
            uint32_t id = runs->fixture.limits.data[i].input;
            const struct module_var *v = &runs->file.module.inputs.data[id];
            vec_push(to, (struct input_event){j, id, high ? v->max : v->min});
        }
    }
}

static void keep_common_hits(struct scenario *s, const struct scenario *other) {
    assert(s->n_steps == other->n_steps);
    size_t n = 0;
    for (size_t i = 0; i < s->hits.len; i++) {
        const struct probe_hit *hit = scenario_hits(other, s->hits.data[i].probe);
        if (hit && hit->step == s->hits.data[i].step)
            s->hits.data[n++] = s->hits.data[i];
    }
    vec_truncate(&s->hits, n);
}

static bool confirm(struct runs *runs, struct scenario *s, struct err *err) {
    bool ok = scenario_confirm(runs->zero, runs->pattern, s, err);
    for (int high = 0; ok && high < 2 && runs->fixture.limits.len > 0; high++) {
        struct scenario bent = {.n_steps = s->n_steps};
        bend(runs, s, high, &bent.events);
        ok = scenario_confirm(runs->zero, runs->pattern, &bent, err);
        keep_common_hits(s, &bent);
        scenario_free(&bent);
    }
    return ok;
}

bool run_hits(const struct run *run, uint32_t probe) {
    return scenario_hits(&run->scenario, probe) != NULL;
}

const struct run *runs_find(const struct runs *runs, int64_t witness) {
    for (size_t i = 0; i < runs->list.len; i++)
        if (runs->list.data[i].witness == witness)
            return &runs->list.data[i];
    return NULL;
}

const struct run *runs_test_of(const struct runs *runs, int64_t witness, uint32_t probe) {
    const struct run *own = runs_find(runs, witness);
    if (own && !own->problem && run_hits(own, probe))
        return own;
    for (size_t i = 0; i < runs->list.len; i++)
        if (!runs->list.data[i].problem && run_hits(&runs->list.data[i], probe))
            return &runs->list.data[i];
    return NULL;
}

/* A witness is worth a test when it still hits a goal that rests on it. */
static void judge(struct runs *runs, struct run *run) {
    assert(run->witness > 0 && !run->problem);
    size_t hit = 0;
    run->missed = 0;
    for (size_t i = 0; i < runs->goals.len; i++) {
        bool hits = run_hits(run, runs->goals.data[i].probe);
        hit += runs->goals.data[i].witness == run->witness && hits;
        run->missed += runs->goals.data[i].witness == run->witness && !hits;
    }
    if (hit > 0)
        return;
    struct str why = {0};
    for (size_t i = 0; i < runs->fixture.limits.len; i++)
        str_addf(&why, "%s'%s': %s", i ? "; " : "",
                 runs->file.module.inputs.data[runs->fixture.limits.data[i].input].path,
                 runs->fixture.limits.data[i].why);
    run->problem =
        runs->fixture.limits.len
            ? arena_printf(&runs->arena, "it depends on what a test cannot set: %s", str_text(&why))
            : "a volatile object has to change its value within a step";
    str_free(&why);
}

static bool check_events(const struct runs *runs, int64_t id, const struct witness *w,
                         struct err *err) {
    for (size_t i = 0; i < w->events.len; i++)
        if (w->events.data[i].input >= runs->file.module.inputs.len)
            return err_set(err, ERR_EVIDENCE, "%s: witness %lld sets an input that does not exist",
                           store_path(runs->file.db), (long long)id);
    return true;
}

/* Volatile inputs with several values in one step, as far as a test can give them. */
static void find_many(const struct runs *runs, const struct witness *w, struct run *run) {
    for (size_t v = 0; v < runs->fixture.volatiles.len; v++) {
        uint32_t id = runs->fixture.volatiles.data[v].input, step = 0;
        bool seen = false, several = false;
        for (size_t i = 0; i < w->events.len; i++) {
            if (w->events.data[i].input != id)
                continue;
            several |= seen && w->events.data[i].step == step;
            seen = true;
            step = w->events.data[i].step;
        }
        if (several)
            vec_push(&run->many, id);
    }
}

/* Replays the witness as a test would give it. */
static bool try_run(struct runs *runs, const struct witness *w, struct run *run, struct err *err) {
    assert(w->steps > 0 || w->events.len == 0 || w->events.data[0].step == NATIVE_INIT);
    vec_clear(&run->scenario.events);
    vec_append(&run->scenario.events, w->events.data, w->events.len);
    run->scenario.n_steps = w->steps;
    run->problem = NULL;
    if (any_volatile(runs))
        hold_volatiles(runs, run);
    if (!confirm(runs, &run->scenario, err))
        return false;
    judge(runs, run);
    return true;
}

static bool load_run(struct runs *runs, int64_t id, struct err *err) {
    struct witness w = {0};
    struct run run = {.witness = id};
    bool ok = store_get_witness(runs->file.db, id, &w, &runs->arena) ||
              err_set(err, ERR_EVIDENCE, "%s: there is no witness %lld, but goals rest on it",
                      store_path(runs->file.db), (long long)id);
    run.engine = w.engine;
    ok = ok && check_events(runs, id, &w, err) && try_run(runs, &w, &run, err);
    if (ok && run.missed > 0) {
        find_many(runs, &w, &run);
        ok = run.many.len == 0 || try_run(runs, &w, &run, err);
    }
    witness_free(&w);
    vec_push(&runs->list, run);
    return ok;
}

static bool load_runs(struct runs *runs, struct err *err) {
    struct rows *r = rows_open(runs->file.db,
                               "SELECT DISTINCT witness FROM goal WHERE status = 'reachable' "
                               "ORDER BY witness",
                               err);
    bool ok = true;
    while (ok && rows_next(r))
        ok = load_run(runs, rows_int(r, 0), err);
    return rows_close(r, err) && ok;
}

bool runs_open(struct runs *runs, const char *database, struct err *err) {
    *runs = (struct runs){0};
    if (!evidence_file_open(&runs->file, database, STORE_READ, err))
        return false;
    if (runs->file.module.task) {
        err_set(err, ERR_USAGE, "%s holds a verification task, which has no tests", database);
        return err_remedy(err, "'goalkeeper replay' runs its witness");
    }
    if (!fixture_load(runs->file.db, &runs->fixture, err) || !load_goals(runs, err))
        return false;
    fixture_names_make(&runs->names, &runs->file.module);
    assert(runs->names.inputs.len == runs->file.module.inputs.len);
    if (runs->goals.len == 0)
        return true;
    runs->zero = native_open(&runs->file.program, NATIVE_ZERO, err);
    runs->pattern = runs->zero ? native_open(&runs->file.program, NATIVE_PATTERN, err) : NULL;
    return runs->pattern && load_runs(runs, err);
}

static void run_free(struct run *run) {
    scenario_free(&run->scenario);
    vec_free(&run->many);
}

void runs_close(struct runs *runs) {
    for (size_t i = 0; i < runs->list.len; i++)
        run_free(&runs->list.data[i]);
    vec_free(&runs->list);
    vec_free(&runs->goals);
    native_close(runs->zero);
    native_close(runs->pattern);
    fixture_names_free(&runs->names);
    fixture_free(&runs->fixture);
    evidence_file_close(&runs->file);
    arena_free(&runs->arena);
}

/* ---- playback ---- */

enum { AT_ONCE = 4096, BUILDS = 3 };

static struct native *build_of(struct playback *p, size_t variant, struct err *err) {
    return variant == 1   ? p->runs->pattern
           : variant == 2 ? native_positive(p->runs->pattern, err)
                          : p->runs->zero;
}

void playback_open(struct playback *p, struct runs *runs, const struct run *run) {
    *p = (struct playback){.runs = runs, .run = run, .n_variants = BUILDS};
    for (size_t v = 0; v < BUILDS; v++)
        vec_append(&p->events[v], run->scenario.events.data, run->scenario.events.len);
    if (runs->fixture.limits.len == 0)
        return;
    p->n_variants = PLAYBACK_VARIANTS;
    bend(runs, &run->scenario, false, &p->events[BUILDS]);
    bend(runs, &run->scenario, true, &p->events[BUILDS + 1]);
}

static bool play(struct playback *p, uint32_t from, struct err *err) {
    assert(p->n_variants >= BUILDS && p->n_variants <= PLAYBACK_VARIANTS);
    p->from = from;
    p->n = AT_ONCE;
    for (size_t v = 0; v < p->n_variants; v++) {
        struct native_run run = {.events = &p->events[v],
                                 .n_steps = p->run->scenario.n_steps,
                                 .fresh = true,
                                 .trace_from = from,
                                 .trace_steps = AT_ONCE};
        native_result_free(&p->results[v]);
        p->results[v] = (struct native_result){0};
        struct native *native = build_of(p, v, err);
        if (!native || !native_replay(native, &run, &p->results[v], err))
            return false;
    }
    p->end = p->results[0].end;
    return true;
}

/* `step` from 1; 0 is what initialisation leaves. */
static const uint64_t *cells_of(const struct playback *p, size_t variant, uint32_t step) {
    const struct native_result *r = &p->results[variant];
    assert(variant < p->n_variants && r->n_cells == p->runs->names.state.len);
    if (step == 0)
        return r->init_cells.len ? r->init_cells.data : NULL;
    uint32_t row = step - 1 - p->from;
    assert(row < p->n);
    return row < r->traced ? r->cells.data + (size_t)row * r->n_cells : NULL;
}

/* Whether a value that C leaves open has been used by the end of the step. */
static bool unspecified_by(const struct native_result *r, uint32_t step) {
    if (r->unspecified == NATIVE_DEFINED)
        return false;
    return r->unspecified_step == NATIVE_INIT || r->unspecified_step + 1 <= step;
}

static bool agree(const struct playback *p, uint32_t step) {
    const uint64_t *first = cells_of(p, 0, step);
    for (size_t v = 0; v < p->n_variants; v++) {
        const uint64_t *other = cells_of(p, v, step);
        if (!first || !other || unspecified_by(&p->results[v], step))
            return false;
        for (size_t c = 0; c < p->runs->names.state.len; c++)
            if (p->runs->names.state.data[c] && first[c] != other[c])
                return false;
    }
    return true;
}

const uint64_t *playback_state(struct playback *p, uint32_t step, struct err *err) {
    assert(step <= p->run->scenario.n_steps);
    if (p->open)
        return NULL;
    bool here = p->n > 0 && (step == 0 || (step - 1 >= p->from && step - 1 - p->from < p->n));
    if (!here && !play(p, step ? step - 1 : 0, err))
        return NULL;
    p->open = !agree(p, step);
    return p->open ? NULL : cells_of(p, 0, step);
}

void playback_close(struct playback *p) {
    for (size_t v = 0; v < p->n_variants; v++) {
        vec_free(&p->events[v]);
        native_result_free(&p->results[v]);
    }
}
