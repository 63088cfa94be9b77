/* What gcc makes of the program, against the verdicts.
 *
 * The model, CBMC and clang could agree on a meaning that the user's program does not have. Every
 * witness is replayed by a build of gcc as well, and what such a run hits beyond the builds of
 * clang cannot be dead: a dead verdict holds for every choice that C leaves open. */
#include "app/run/session.h"
#include "app/run/verdict.h"

const struct native_odd *session_odd(const struct session *s, const struct probe *p) {
    if (!s->simulation)
        return NULL;
    const struct native_odds *odds = native_odds(simulate_pattern(s->simulation));
    for (size_t i = 0; i < odds->len; i++)
        if (&s->probes.data[odds->data[i].probe] == p)
            return &odds->data[i];
    return NULL;
}

static int64_t store_run_of(struct session *s, const struct native_odd *odd, struct err *err) {
    struct witness w = {.steps = odd->step == NATIVE_INIT ? 0 : odd->step + 1, .engine = "gcc"};
    for (size_t i = 0; i < odd->events.len; i++)
        if (odd->events.data[i].step + 1 <= w.steps)
            vec_push(&w.events, odd->events.data[i]);
    int64_t id = store_witness(s->db, &w, err);
    witness_free(&w);
    return id;
}

static bool alarm_on(struct session *s, const struct native_odd *odd, struct err *err) {
    struct str text = {0};
    int64_t witness = store_run_of(s, odd, err);
    native_step_describe(odd->step, &s->woven.module, &odd->events, &text);
    log_error(s->log, "a goal that is proved to be dead is hit by the build of gcc %s",
              str_text(&text));
    str_free(&text);
    return witness && session_alarm(s, odd->probe, "the build of gcc hits a goal that is dead",
                                    witness, 0, err);
}

bool session_compare_compilers(struct session *s, struct err *err) {
    bool ok = true;
    if (!s->simulation)
        return true;
    const struct native_odds *odds = native_odds(simulate_pattern(s->simulation));
    for (size_t i = 0; ok && i < odds->len; i++) {
        const struct probe *p = &s->probes.data[odds->data[i].probe];
        if (p->status == STATUS_DEAD && p->goals.len > 0)
            ok = alarm_on(s, &odds->data[i], err);
    }
    return ok;
}
