/* Bounded model checking on the freed module with all promises kept but the values that are asked
 * about; its run counts when a native build hits the goal with it. */
#include "app/because/what_if.h"

#include "app/because/words.h"
#include "app/run/evidence.h"
#include "base/mem.h"
#include "engines/engine.h"
#include "instrument/native/scenario.h"
#include "model/system/machine.h"

#include <string.h>

enum {
    TICKS = 2000000, /* for one goal: about an eighth of a second */
    DEPTH = 40,
    MOST_ASKED = 30, /* goals of a module */
    OF_A_CAUSE = 2,
};

void what_if_close(struct what_if *w) {
    native_close(w->native);
    map_free(&w->of_cause);
    w->native = NULL;
}

static void keep_hit(void *context, const struct fact *fact) {
    struct trace *kept = context;
    if (fact->kind != FACT_HIT || kept->n_steps > 0 || fact->trace.n_steps == 0)
        return;
    kept->n_inputs = fact->trace.n_inputs;
    kept->n_steps = fact->trace.n_steps;
    vec_append(&kept->init, fact->trace.init.data, fact->trace.init.len);
    vec_append(&kept->values, fact->trace.values.data, fact->trace.values.len);
}

/* All promises but the values that may differ. */
static bool find_run(struct freed *f, uint32_t target, const bool *needed, struct trace *trace) {
    VEC(bool) kept = {0};
    struct system restricted;
    struct invariant none;
    for (size_t i = 0; i < f->what.len; i++)
        vec_push(&kept, f->what.data[i].kind != PROMISED_VALUE || !needed[i]);
    promises_restrict(&restricted, &f->sys, &f->promises, kept.data);
    invariant_init(&none);
    const struct engine *bmc = engine_find("bmc")->engine;
    struct engine_input input = {.sys = &restricted,
                                 .targets = &target,
                                 .n_targets = 1,
                                 .lemmas = &none,
                                 .options = {.seed = 1, .max_depth = DEPTH, .knobs = knobs_default},
                                 .report = keep_hit,
                                 .context = trace};
    void *run = bmc->open(&input);
    (void)bmc->step(run, TICKS);
    bmc->close(run);
    vec_free(&restricted.targets);
    vec_free(&kept);
    return trace->n_steps > 0;
}

static struct native *build(struct what_if *w) {
    const struct woven *woven = w->freed->woven;
    const struct native_program program = {.woven = str_text(&woven->text),
                                           .module = &woven->module,
                                           .n_probes = woven->goals.n_probes};
    struct err err = {0};
    if (!w->native && !w->no_native)
        w->native = native_open(&program, NATIVE_ZERO, &err);
    w->no_native = !w->native;
    err_clear(&err);
    return w->native;
}

static bool is_hit(struct what_if *w, const struct scenario *s, uint32_t probe) {
    struct native_result result = {0};
    struct err err = {0};
    struct native_run run = {.events = &s->events, .n_steps = s->n_steps, .fresh = true};
    struct native *native = build(w);
    bool hit = native && native_replay(native, &run, &result, &err) &&
               probe < result.first_hit.len && result.first_hit.data[probe].step != NATIVE_NEVER &&
               !result.first_hit.data[probe].tainted;
    native_result_free(&result);
    err_clear(&err);
    return hit;
}

static void name_values(const struct freed *f, const bool *needed, const struct scenario *s,
                        struct str *out) {
    size_t n = 0;
    for (size_t i = 0; i < f->what.len; i++) {
        struct promised what = f->what.data[i];
        for (size_t e = 0; what.kind == PROMISED_VALUE && needed[i] && e < s->events.len; e++) {
            const struct input_event *event = &s->events.data[e];
            if (event->input != what.index || event->step != NATIVE_INIT ||
                event->bits == what.bits)
                continue;
            what.bits = event->bits;
            str_add(out, n++ ? " and " : "with ");
            words_value(f, what, out);
        }
    }
    str_add(out, " it is reachable (replayed)");
}

static bool is_worth_it(struct what_if *w, const char *cause) {
    uint64_t hash = hash_text(cause);
    const uint32_t *asked = map_get(&w->of_cause, hash);
    uint32_t n = asked ? *asked : 0;
    map_put(&w->of_cause, hash, n + 1);
    return !w->no_native && n < OF_A_CAUSE && w->asked++ < MOST_ASKED;
}

bool what_if_ask(struct what_if *w, const char *cause, uint32_t target, uint32_t probe,
                 const bool *needed, struct str *out) {
    struct trace trace;
    struct scenario s = {0};
    if (!is_worth_it(w, cause))
        return false;
    trace_init(&trace, &w->freed->sys, 0);
    vec_clear(&trace.init);
    bool hit = false;
    if (find_run(w->freed, target, needed, &trace)) {
        s.n_steps = trace.n_steps;
        trace_events(&w->freed->sys, &trace, &s.events);
        evidence_complete(&w->freed->woven->module, &s);
        hit = is_hit(w, &s, probe);
        if (hit)
            name_values(w->freed, needed, &s, out);
    }
    scenario_free(&s);
    trace_free(&trace);
    return hit;
}
