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

/* The term without what widens and narrows it. */
static term_t bare(const struct terms *ts, term_t t) {
    const struct term *node = term_get(ts, t);
    while (node->op == OP_ZEXT || node->op == OP_SEXT || node->op == OP_TRUNC) {
        t = node->arg[0];
        node = term_get(ts, t);
    }
    return t;
}

/* Is it set to itself and a constant in some step? */
static bool is_counter(const struct system *sys, const struct cell *cell) {
    struct terms *ts = sys->terms;
    VEC(bool) mark = {0};
    bool found = false;
    if (cell->is || !sort_is_int(term_sort(ts, cell->var)))
        return false;
    vec_resize_zero(&mark, ts->nodes.len);
    (void)term_mark(ts, &cell->next, 1, mark.data);
    for (term_t t = 1; t < ts->nodes.len && !found; t++)
        if (mark.data[t] && (term_get(ts, t)->op == OP_ADD || term_get(ts, t)->op == OP_SUB)) {
            const term_t *arg = term_get(ts, t)->arg;
            found = (bare(ts, arg[0]) == cell->var && term_is_const(ts, arg[1])) ||
                    (bare(ts, arg[1]) == cell->var && term_is_const(ts, arg[0]));
        }
    vec_free(&mark);
    return found;
}

/* Of the state that the goal depends on: its counters, else all of it. */
static const char *name_state(const struct session *s, const struct probe *p, struct str *text) {
    struct slice slice;
    size_t counters = 0, cells = 0;
    slice_make(&slice, session_system(s), &p->target, 1);
    for (size_t pass = 0; pass < 2 && cells == 0 && counters == 0; pass++)
        for (size_t i = 0; i < slice.sys.cells.len; i++) {
            bool counter = pass == 0 && is_counter(&slice.sys, &slice.sys.cells.data[i]);
            counters += counter;
            cells += pass == 1;
            if ((counter && counters <= MOST_NAMED) || (pass == 1 && cells <= MOST_NAMED))
                str_addf(text, "%s%s", text->len ? ", " : "", slice.sys.cells.data[i].name);
        }
    if (counters + cells > MOST_NAMED)
        str_addf(text, " and %zu more", counters + cells - MOST_NAMED);
    slice_free(&slice);
    return counters > 0 ? "counter" : cells > 1 ? "relation" : "budget";
}

/* What it waits for, in a word (docs/semantics.md), and what would help most. */
static const char *add_lever(const struct session *s, const struct probe *p, struct str *text) {
    struct str names = {0};
    const char *class = "budget";
    if (!s->has_model && s->no_time)
        str_add(text, "more time (--seconds): the run ended before it had a model");
    else if (!s->has_model) {
        class = "construct";
        str_add(text, "the module could not be modelled: see the warnings of the run");
    } else if (p->target == NONE) {
        class = "construct";
        str_add(text, "the goal is not in the model");
    } else if (!session_overruns_dead(s)) {
        name_overruns(s, &names);
        class = strstr(str_text(&names), "no body") ? "missing body"
                : strstr(str_text(&names), "loop")  ? "loop"
                                                    : "construct";
        str_addf(text, "the model ends where this may be reached: %s", str_text(&names));
    } else if (name_free_inputs(s, p, &names) > 0) {
        class = "range";
        str_addf(text, "ranges of the inputs that have none: %s", str_text(&names));
    } else {
        class = name_state(s, p, &names);
        str_add(text, "more time (--goal-seconds, --seconds), or narrower ranges of its inputs");
        if (!str_same(class, "budget"))
            str_addf(text, "; it depends on %s %s",
                     str_same(class, "counter") ? "what counts in" : "how these go together:",
                     str_text(&names));
    }
    str_free(&names);
    return class;
}

static bool explain_goal(struct session *s, uint32_t goal, const struct probe *p, struct err *err) {
    struct str text = {0}, lever = {0};
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
    if (p->tried.len)
        str_addf(&text, "tried %s; ", str_text(&p->tried));
    else
        str_add(&text, "no engine has come to it yet; ");
    const char *class = add_lever(s, p, &lever);
    str_addf(&text, "waits for: %s; lever: %s", class, str_text(&lever));
    const char *left = shard_reason(s, p);
    v.reason = unsupported ? unsupported : left ? left : str_text(&text);
    bool ok = store_verdict(s->db, &v, err);
    str_free(&lever);
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
