/* Why open goals are open: what was tried, how far it got, and what would help most. */
#include "app/run/session.h"
#include "app/run/verdict.h"
#include "app/run/shard.h"
#include "base/map.h"
#include "model/system/slicer.h"

enum { MOST_NAMED = 3 }; /* inputs, overruns: a reason is to be read */

/* The places where the model ends that are not proved dead: a loop limit, a construct. */
static void name_overruns(const struct session *s, struct str *text) {
    size_t n = 0;
    for (size_t i = 0; i < s->probes.len; i++) {
        const struct probe *p = &s->probes.data[i];
        if (!p->overrun || p->status == STATUS_DEAD)
            continue;
        if (n++ < MOST_NAMED)
            str_addf(text, "%s%s", n > 1 ? "; " : "", s->model.sys.targets.data[p->target].name);
    }
    if (n > MOST_NAMED)
        str_addf(text, " and %zu more", n - MOST_NAMED);
}

/* It has more values than anybody tries, and nobody has said that it may have them all. */
static bool wants_range(const struct module_var *v) {
    bool wide = v->type == TYPE_FLOAT || v->bits > 16 || v->role == VAR_STUB;
    return wide && !v->has_range && (!v->range_from || str_same(v->range_from, "type"));
}

/* Inputs of the slice that have no range; `stubs`: how many of them are results of functions that
 * have no body. */
static size_t name_free_inputs(const struct session *s, const struct system *slice,
                               struct str *text, size_t *stubs) {
    struct map seen = {0};
    size_t n = 0;
    for (size_t i = 0; i < slice->inputs.len; i++) {
        uint32_t id = slice->inputs.data[i].module_input;
        if (id == NONE || !wants_range(&s->woven.module.inputs.data[id]) || map_get(&seen, id))
            continue;
        map_put(&seen, id, 1);
        *stubs += s->woven.module.inputs.data[id].role == VAR_STUB;
        if (n++ < MOST_NAMED)
            str_addf(text, "%s%s", n > 1 ? ", " : "", s->woven.module.inputs.data[id].path);
    }
    if (n > MOST_NAMED)
        str_addf(text, " and %zu more", n - MOST_NAMED);
    map_free(&seen);
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
static bool counts(const struct system *sys, const struct cell *cell) {
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

/* Asked once of each cell, by its variable: many goals depend on the same ones. */
static bool is_counter(const struct system *sys, const struct cell *cell, struct map *known) {
    const uint32_t *answer = map_get(known, cell->var);
    if (!answer) {
        map_put(known, cell->var, counts(sys, cell));
        answer = map_get(known, cell->var);
    }
    return *answer != 0;
}

/* Of the state in the slice: its counters, else all of it. */
static const char *name_state(const struct system *slice, struct map *known, struct str *text) {
    size_t counters = 0, cells = 0;
    for (size_t pass = 0; pass < 2 && cells == 0 && counters == 0; pass++)
        for (size_t i = 0; i < slice->cells.len; i++) {
            bool counter = pass == 0 && is_counter(slice, &slice->cells.data[i], known);
            counters += counter;
            cells += pass == 1;
            if ((counter && counters <= MOST_NAMED) || (pass == 1 && cells <= MOST_NAMED))
                str_addf(text, "%s%s", text->len ? ", " : "", slice->cells.data[i].name);
        }
    if (counters + cells > MOST_NAMED)
        str_addf(text, " and %zu more", counters + cells - MOST_NAMED);
    return counters > 0 ? "counter" : cells > 1 ? "relation" : "budget";
}

/* By what the goal depends on: no range makes a counter count faster. */
static const char *add_lever_of_slice(const struct session *s, const struct probe *p,
                                      struct map *known, struct str *text) {
    struct str state = {0}, inputs = {0};
    struct slice slice;
    slicer_make(s->model.slicer, &slice,
                &(struct slice_wish){.targets = &p->target, .n_targets = 1});
    const char *class = name_state(&slice.sys, known, &state);
    size_t stubs = 0, n = name_free_inputs(s, &slice.sys, &inputs, &stubs);
    if (n > 0 && n == stubs) {
        class = "missing body";
        str_addf(text, "the sources that define them, or ranges of what they return: %s",
                 str_text(&inputs));
    } else if (n > 0 && !str_same(class, "counter")) {
        class = "range";
        str_addf(text, "ranges of the inputs that have none: %s", str_text(&inputs));
    } else {
        str_add(text, "more time (--goal-seconds, --seconds), or narrower ranges of its inputs");
        if (!str_same(class, "budget"))
            str_addf(text, "; it depends on %s %s",
                     str_same(class, "counter") ? "what counts in" : "how these go together:",
                     str_text(&state));
    }
    slice_free(&slice);
    str_free(&state);
    str_free(&inputs);
    return class;
}

/* What it waits for, in a word (docs/semantics.md), and what would help most. */
static const char *add_lever(const struct session *s, const struct probe *p, struct map *known,
                             struct str *text) {
    struct str names = {0};
    const char *class = "budget";
    if (!s->model.present && s->no_time)
        str_add(text, "more time (--seconds): the run ended before it had a model");
    else if (!s->model.present) {
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
    } else if (p->tried.len == 0 && p->bound < 0) {
        str_add(text, "more time (--seconds), or more engines (--engines): none has come to it");
    } else {
        class = add_lever_of_slice(s, p, known, text);
    }
    str_free(&names);
    return class;
}

/* `waits`: what all goals of the probe wait for. */
static bool explain_goal(struct session *s, uint32_t goal, const struct probe *p, const char *waits,
                         struct err *err) {
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
                 engine_is_cbmc(p->bound_by) ? ", says CBMC alone" : "");
    if (p->tried.len)
        str_addf(&text, "tried %s; ", str_text(&p->tried));
    else
        str_add(&text, "no engine has come to it yet; ");
    str_add(&text, waits);
    const char *left = shard_reason(s, p);
    v.reason = unsupported ? unsupported : left ? left : str_text(&text);
    bool ok = store_verdict(s->db, &v, err);
    str_free(&text);
    return ok;
}

static bool explain_probe(struct session *s, const struct probe *p, struct map *known,
                          struct err *err) {
    struct str lever = {0}, waits = {0};
    bool ok = true;
    const char *class = add_lever(s, p, known, &lever);
    str_addf(&waits, "waits for: %s; lever: %s", class, str_text(&lever));
    for (size_t g = 0; ok && g < p->goals.len; g++)
        ok = explain_goal(s, p->goals.data[g], p, str_text(&waits), err);
    str_free(&lever);
    str_free(&waits);
    return ok;
}

bool session_explain_open(struct session *s, struct err *err) {
    struct map known = {0};
    bool ok = store_begin(s->db, err);
    for (size_t i = 0; ok && i < s->probes.len; i++)
        if (s->probes.data[i].status == STATUS_OPEN && s->probes.data[i].goals.len > 0)
            ok = explain_probe(s, &s->probes.data[i], &known, err);
    map_free(&known);
    return ok && store_commit(s->db, err);
}
