/* Why open goals are open: what was tried, how far it got, and what would help most. */
#include "app/run/session.h"
#include "app/run/shard.h"

enum { MOST_NAMED = 3 }; /* inputs, overruns: a reason is to be read */

/* The places where the model ends that are not proved dead: a loop limit, a construct. */
static void name_overruns(const struct session *s, struct str *text) {
    size_t n = 0;
    for (size_t i = 0; i < s->probes.len; i++) {
        const struct probe *p = &s->probes.data[i];
        if (!p->overrun || p->status == STATUS_DEAD)
            continue;
        if (n++ < MOST_NAMED)
            str_addf(text, "%s%s", n > 1 ? "; " : "", s->sys.targets.data[p->target].name);
    }
    if (n > MOST_NAMED)
        str_addf(text, " and %zu more", n - MOST_NAMED);
}

/* Nobody has said that it may have any value of its type. */
static bool has_no_range(const struct module_var *v) {
    return !v->has_range && (!v->range_from || str_same(v->range_from, "type"));
}

/* Inputs that the goal depends on and that have no range. */
static size_t name_free_inputs(const struct session *s, const struct probe *p, struct str *text) {
    struct slice slice;
    struct map seen = {0};
    size_t n = 0;
    slice_make(&slice, session_system(s), &p->target, 1);
    for (size_t i = 0; i < slice.sys.inputs.len; i++) {
        uint32_t id = slice.sys.inputs.data[i].module_input;
        if (id == NONE || !has_no_range(&s->woven.module.inputs.data[id]) || map_get(&seen, id))
            continue;
        map_put(&seen, id, 1);
        if (n++ < MOST_NAMED)
            str_addf(text, "%s%s", n > 1 ? ", " : "", s->woven.module.inputs.data[id].path);
    }
    if (n > MOST_NAMED)
        str_addf(text, " and %zu more", n - MOST_NAMED);
    map_free(&seen);
    slice_free(&slice);
    return n;
}

/* What would help most. */
static void add_lever(const struct session *s, const struct probe *p, struct str *text) {
    struct str names = {0};
    if (!s->has_model && s->no_time)
        str_add(text, "more time (--seconds): the run ended before it had a model");
    else if (!s->has_model)
        str_add(text, "the module could not be modelled: see the warnings of the run");
    else if (p->target == NONE)
        str_add(text, "the goal is not in the model");
    else if (!session_overruns_dead(s)) {
        name_overruns(s, &names);
        str_addf(text, "the model ends where this may be reached: %s", str_text(&names));
    } else if (name_free_inputs(s, p, &names) > 0)
        str_addf(text, "ranges of the inputs that have none: %s", str_text(&names));
    else
        str_add(text, "more time (--goal-seconds, --seconds), or narrower ranges of its inputs");
    str_free(&names);
}

static bool explain_goal(struct session *s, uint32_t goal, const struct probe *p, struct err *err) {
    struct str text = {0};
    struct verdict v = VERDICT_INIT;
    v.goal = goal;
    const char *unsupported = s->woven.goals.list.data[goal].reason;
    if (session_odd(s, p))
        str_add(&text,
                "a build by gcc reaches it and builds by clang do not, so it depends on what "
                "compilers may choose; ");
    if (p->held)
        str_add(&text, "proved to be dead as far as the model goes; ");
    else if (p->bound >= 0 && session_overruns_dead(s))
        str_addf(&text, "not reached within %lld steps%s; ", (long long)p->bound,
                 str_starts(p->bound_by ? p->bound_by : "", "cbmc") ? ", says CBMC alone" : "");
    str_addf(&text, "tried %s; lever: ", p->tried.len ? str_text(&p->tried) : "nothing");
    add_lever(s, p, &text);
    const char *left = shard_reason(s, p);
    v.reason = unsupported ? unsupported : left ? left : str_text(&text);
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
