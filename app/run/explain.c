/* Why open goals are open: what was tried, how far it got, and what would help most. */
#include "app/run/session.h"

static const char *lever(const struct session *s, const struct probe *p) {
    if (!s->has_model)
        return "the module could not be modelled: see the warnings of the run";
    if (p->target == NONE)
        return "the goal is not in the model";
    if (!session_overruns_dead(s))
        return "a loop limit or an unsupported construct may be reached: see 'limitations'";
    return "more time (--goal-seconds, --seconds), or narrower ranges of its inputs";
}

static bool explain_goal(struct session *s, uint32_t goal, const struct probe *p, struct err *err) {
    struct str text = {0};
    struct verdict v = VERDICT_INIT;
    v.goal = goal;
    if (p->bound >= 0)
        str_addf(&text, "not reached within %lld steps; ", (long long)p->bound);
    str_addf(&text, "tried %s; lever: %s", p->tried.len ? str_text(&p->tried) : "nothing",
             lever(s, p));
    v.reason = str_text(&text);
    bool ok = store_verdict(s->db, &v, err);
    str_free(&text);
    return ok;
}

bool session_explain_open(struct session *s, struct err *err) {
    bool ok = store_begin(s->db, err);
    for (size_t i = 0; ok && i < s->probes.len; i++) {
        const struct probe *p = &s->probes.data[i];
        for (size_t g = 0; ok && p->status == STATUS_OPEN && g < p->goals.len; g++)
            ok = explain_goal(s, p->goals.data[g], p, err);
    }
    return ok && store_commit(s->db, err);
}
