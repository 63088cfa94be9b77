/* In the child: for each dead goal the least set of promises and clauses that keeps it dead, by
 * leaving out one after the other (engines/invariant/reason.h); goals that imply a dead one go
 * upstream first. In the parent: rows, in the order of the records. */
#include "app/because/because.h"

#include "app/because/core.h"
#include "app/because/keepers.h"
#include "app/because/part.h"
#include "app/because/words.h"
#include "app/run/attempt/attempt.h"
#include "app/run/task.h"
#include "app/run/budget.h"
#include "app/because/what_if.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum {
    REASON_TICKS = 4000000, /* for one goal: about a quarter of a second */
    MOST_NAMED = 3,
    MOST_SECONDS = 60,
};

/* A dead probe with its proof as the database has it. */
struct dead {
    uint32_t probe;
    const char *proof; /* text of the invariant */
};

/* A goal's own reason. */
struct answer {
    const char *class;
    struct str text, cause; /* the sentence; equal for goals with the same reason */
    struct str invariant;   /* what is left of the proof, over the freed system */
    struct str direct;      /* of that, what the sentence names */
    uint32_t k;
    VEC(bool) needed; /* by promise */
    bool known;
};

/* Some of the state is in it. */
struct state_answer {
    struct answer answer;
    struct dead dead;
};

struct because {
    VEC(struct dead) dead;
    VEC(const char *) assumes; /* by goal: the labels that it has now */
    unsigned freedom;          /* in the model that is being asked */
    struct arena arena;
    struct cores cores;              /* in the child: of the model that is being asked */
    VEC(struct state_answer) states; /* the same */
    struct known known;              /* before the child begins */
    struct core_taken taken;         /* in the parent */
};

static void because_free(void *payload) {
    struct because *b = payload;
    vec_free(&b->dead);
    vec_free(&b->assumes);
    arena_free(&b->arena);
    known_free(&b->known);
    core_taken_free(&b->taken);
    mem_free(b);
}

/* ---- whose death is the reason ---- */

static bool is_dead(const struct session *s, uint32_t goal) {
    return s->probes.data[s->woven.goals.list.data[goal].probe].status == STATUS_DEAD;
}

static uint32_t probe_of(const struct session *s, uint32_t goal) {
    return s->woven.goals.list.data[goal].probe;
}

/* A goal of probe a is hit only in runs that hit one of probe b. */
static bool implies(const struct session *s, uint32_t a, uint32_t b) {
    const struct goals *goals = &s->woven.goals;
    for (size_t i = 0; i < goals->implications.len; i++)
        if (probe_of(s, goals->implications.data[i].a) == a &&
            probe_of(s, goals->implications.data[i].b) == b)
            return true;
    return false;
}

/* The dead goal that everybody passes on the way to this one, the first there is; itself if none.
 * Goals that are hit together do not explain each other, but share what explains them. */
static uint32_t upstream(const struct session *s, uint32_t goal) {
    const struct goals *goals = &s->woven.goals;
    for (size_t hops = 0; hops < goals->list.len; hops++) {
        uint32_t next = goal, probe = probe_of(s, goal);
        for (size_t i = 0; i < goals->implications.len; i++) {
            struct implication m = goals->implications.data[i];
            if (probe_of(s, m.a) == probe && probe_of(s, m.b) != probe && is_dead(s, m.b) &&
                !implies(s, probe_of(s, m.b), probe))
                next = m.b;
        }
        if (next == goal)
            break;
        goal = next;
    }
    return goal;
}

/* ---- one goal's own reason, in the child ---- */

static void answer_free(struct answer *a) {
    str_free(&a->text);
    str_free(&a->cause);
    str_free(&a->invariant);
    str_free(&a->direct);
    vec_free(&a->needed);
}

/* Values of parameters are both promises and clauses: they are named once, with the promises. */
static bool is_promised(const struct part *p, const struct freed *f, const struct answer *a,
                        const struct clause *c) {
    if (c->len != 1)
        return false;
    const struct cell *cell = &p->slice.sys.cells.data[c->data[0].cell];
    for (size_t i = 0; i < f->sys.inputs.len; i++)
        for (size_t k = 0; k < f->what.len; k++)
            if (f->sys.inputs.data[i].var == cell->init && a->needed.data[k] &&
                f->what.data[k].kind == PROMISED_VALUE &&
                f->what.data[k].index == f->sys.inputs.data[i].module_input)
                return true;
    return false;
}

struct list {
    struct str *out;
    size_t n;
};

static void next_item(struct list *l) {
    str_add(l->out, l->n++ ? ", " : "");
}

static void name_promises(struct list *l, const struct freed *f, const struct answer *a,
                          enum promised_kind kind) {
    for (size_t i = 0; i < f->what.len; i++)
        if (a->needed.data[i] && f->what.data[i].kind == kind) {
            next_item(l);
            words_promise(f, f->what.data[i], l->out);
        }
}

/* Together with a later bound of the same cell, which is then named, too. */
static void name_clause(struct list *l, const struct part *p, const struct freed *f,
                        const struct reason *r, size_t i, bool *named) {
    const struct clauses *all = &p->inv.clauses;
    const struct clause *c = &all->data[r->direct.data[i]];
    next_item(l);
    for (size_t k = i + 1; k < r->direct.len; k++)
        if (!named[k] &&
            words_between(f, &p->slice.sys, c, &all->data[r->direct.data[k]], l->out)) {
            named[k] = true;
            return;
        }
    words_clause(f, &p->slice.sys, c, l->out);
}

/* Those that exclude the goal at once; what keeps them is in the proof. */
static void name_clauses(struct list *l, const struct part *p, const struct freed *f,
                         const struct answer *a, const struct reason *r) {
    size_t shown = 0, left = 0;
    VEC(bool) named = {0};
    vec_resize_zero(&named, r->direct.len + 1);
    for (size_t i = 0; i < r->direct.len; i++) {
        if (named.data[i] || is_promised(p, f, a, &p->inv.clauses.data[r->direct.data[i]]))
            continue;
        if (shown++ < MOST_NAMED)
            name_clause(l, p, f, r, i, named.data);
        else
            left++;
    }
    if (left > 0)
        str_addf(l->out, " and %zu more of its state", left);
    vec_free(&named);
}

static bool has_kind(const struct freed *f, const struct answer *a, enum promised_kind kind) {
    for (size_t i = 0; i < f->what.len; i++)
        if (a->needed.data[i] && f->what.data[i].kind == kind)
            return true;
    return false;
}

static void describe(struct answer *a, const struct part *p, const struct freed *f,
                     const struct reason *r) {
    bool values = has_kind(f, a, PROMISED_VALUE), state = false;
    struct list l = {.out = &a->text};
    for (size_t i = 0; i < r->clauses.len; i++)
        state |= !is_promised(p, f, a, &p->inv.clauses.data[r->clauses.data[i]]);
    bool ranges = has_kind(f, a, PROMISED_RANGE) || has_kind(f, a, PROMISED_ASSUMPTION) ||
                  has_kind(f, a, PROMISED_END);
    a->class = values ? "calibration" : state ? "state" : ranges ? "range" : "step";
    str_add(&a->text, values ? "dead for this calibration: " : "dead because ");
    name_promises(&l, f, a, PROMISED_VALUE);
    name_clauses(&l, p, f, a, r);
    name_promises(&l, f, a, PROMISED_RANGE);
    name_promises(&l, f, a, PROMISED_ASSUMPTION);
    name_promises(&l, f, a, PROMISED_END);
    if (l.n == 0)
        str_add(&a->text, "it contradicts what comes before it in the same step, whatever the "
                          "state and the inputs");
}

/* The same elements are the same cause; what needs none has its place for one. */
static void name_cause(struct answer *a, const struct part *p, const struct reason *r,
                       const struct goal *g) {
    str_addf(&a->cause, "%s;", a->class);
    for (size_t i = 0; i < r->clauses.len; i++) {
        clause_print(&p->inv.clauses.data[r->clauses.data[i]], &p->slice.sys, &a->cause);
        str_addc(&a->cause, ';');
    }
    for (size_t i = 0; i < r->promises.len; i++)
        str_addf(&a->cause, "p%u;", p->promise_map.data[r->promises.data[i]]);
    if (r->clauses.len + r->promises.len == 0)
        str_addf(&a->cause, "%s:%d", g->file, g->line);
}

/* Clauses of the slice as text about the whole freed system. */
static bool on_whole(const struct invariant *core, const struct part *p, struct freed *f,
                     struct str *out) {
    struct invariant whole;
    struct str text = {0};
    struct err err = {0};
    invariant_init(&whole);
    invariant_write(core, &p->slice.sys, &text);
    bool ok = invariant_read_for(&whole, &f->sys, &p->slice.sys, str_text(&text), &err);
    if (ok) {
        whole.k = core->k;
        invariant_write(&whole, &f->sys, out);
    }
    err_clear(&err);
    str_free(&text);
    invariant_free(&whole);
    return ok;
}

static void keep_core(struct answer *a, const struct part *p, struct freed *f,
                      const struct reason *r) {
    struct invariant core, direct;
    invariant_init(&core);
    invariant_init(&direct);
    for (size_t i = 0; i < r->clauses.len; i++) {
        const struct clause *c = &p->inv.clauses.data[r->clauses.data[i]];
        invariant_add(&core, c->data, c->len);
    }
    for (size_t i = 0; i < r->direct.len; i++) {
        const struct clause *c = &p->inv.clauses.data[r->direct.data[i]];
        if (!is_promised(p, f, a, c))
            invariant_add(&direct, c->data, c->len);
    }
    core.k = p->inv.k;
    if (on_whole(&core, p, f, &a->invariant))
        a->k = core.k;
    if (direct.clauses.len > 0)
        (void)on_whole(&direct, p, f, &a->direct);
    invariant_free(&core);
    invariant_free(&direct);
}

static bool never_hit(const struct freed *f, uint32_t target) {
    const struct target *t = &f->sys.targets.data[target];
    return (t->hit == 0 || term_is_false(&f->terms, t->hit)) &&
           (t->init_hit == 0 || term_is_false(&f->terms, t->init_hit));
}

static void describe_constant(struct answer *a, const struct goal *g) {
    bool function = g->kind == GOAL_function;
    a->class = function ? "uncalled" : "constant";
    a->known = true;
    a->k = 1;
    str_add(&a->invariant, "invariant 1 k 1\nend\n");
    str_addf(&a->cause, "%s;%s:%d", a->class, g->file, g->line);
    if (function)
        str_addf(&a->text, "dead because nothing that can run calls `%s`", g->function);
    else
        str_add(&a->text, "dead because no values of inputs and state satisfy it");
}

static uint32_t target_of(const struct freed *f, uint32_t probe) {
    for (uint32_t t = 0; t < f->sys.targets.len; t++)
        if (f->sys.targets.data[t].kind == TARGET_GOAL && f->sys.targets.data[t].id == probe)
            return t;
    return NONE;
}

static void find_answer(struct answer *a, struct freed *f, const struct session *s,
                        const struct dead *d, uint32_t goal) {
    const struct goal *g = &s->woven.goals.list.data[goal];
    uint32_t target = target_of(f, d->probe);
    struct invariant proof;
    struct err err = {0};
    vec_resize_zero(&a->needed, f->promises.len + 1);
    if (target == NONE || (never_hit(f, target) && f->sys.overruns.len == 0)) {
        describe_constant(a, g);
        return;
    }
    invariant_init(&proof);
    if (invariant_read_for(&proof, &f->sys, session_system(s), d->proof, &err)) {
        struct part p;
        struct reason r;
        vec_clear(&proof.targets);
        vec_push(&proof.targets, target);
        part_open(&p, f, &proof);
        a->known = reason_find(&p.slice.sys, &p.inv, &p.promises, REASON_TICKS, &r);
        for (size_t i = 0; a->known && i < r.promises.len; i++)
            a->needed.data[p.promise_map.data[r.promises.data[i]]] = true;
        if (a->known) {
            describe(a, &p, f, &r);
            name_cause(a, &p, &r, g);
            keep_core(a, &p, f, &r);
        }
        reason_free(&r);
        part_close(&p);
    }
    err_clear(&err);
    invariant_free(&proof);
}

/* ---- all of them ---- */

/* Is this the label of the promise, of a value any, as an earlier run may have found another? */
static bool labels(const struct freed *f, struct promised what, const char *text, size_t len) {
    struct str label = {0};
    words_label(f, what, &label);
    const char *value = what.kind == PROMISED_VALUE ? strstr(str_text(&label), " = ") : NULL;
    size_t n = value ? (size_t)(value + 3 - str_text(&label)) : label.len;
    bool same = (value ? len > n : len == n) && memcmp(str_text(&label), text, n) == 0;
    str_free(&label);
    return same;
}

/* Does a promise have this label that the verdict does not need, or names anew? */
static bool is_dropped(const struct freed *f, const struct answer *a, const char *text, size_t len,
                       bool ends) {
    bool dropped = ends && len >= strlen(LOWERED_END_LABEL) && str_starts(text, LOWERED_END_LABEL);
    for (size_t i = 0; !dropped && i < f->what.len; i++) {
        struct promised what = f->what.data[i];
        dropped = (what.kind == PROMISED_VALUE || !a->needed.data[i]) && labels(f, what, text, len);
    }
    return dropped;
}

/* The labels of a verdict without those of promises that it does not need, and with the values of
 * parameters, and the ends of runs, that it does. `ends`: these have been looked at. */
static void new_labels(const struct freed *f, const struct answer *a, const char *had, bool ends,
                       struct str *out) {
    for (const char *p = had; p && *p;) {
        size_t len = strcspn(p, ";");
        if (!is_dropped(f, a, p, len, ends)) {
            str_add(out, out->len ? "; " : "");
            str_addn(out, p, len);
        }
        p += len;
        p += strspn(p, "; ");
    }
    for (size_t i = 0; i < f->what.len; i++) {
        enum promised_kind kind = f->what.data[i].kind;
        if (a->needed.data[i] && (kind == PROMISED_VALUE || kind == PROMISED_END)) {
            str_add(out, out->len ? "; " : "");
            words_label(f, f->what.data[i], out);
        }
    }
}

static void describe_upstream(const struct goal *root, const struct answer *a, struct str *out) {
    static const char opening[] = "dead because ";
    const char *why = str_text(&a->text);
    if (root->kind != GOAL_function)
        str_addf(out, "dead because `%s` in line %d is never %s: ", root->text, root->line,
                 root->value < 0 ? "reached"
                 : root->value   ? "true"
                                 : "false");
    else if (str_same(a->class, "uncalled")) /* which says so itself */
        str_add(out, opening);
    else
        str_addf(out, "dead because `%s` is never called: ", root->function);
    str_add(out, str_starts(why, opening) ? why + strlen(opening) : why + strlen("dead "));
}

static void tell(const struct because *b, const struct freed *f, const struct answer *a,
                 const struct session *s, uint32_t goal, uint32_t root) {
    bool ends = (b->freedom & FREE_ENDS) || f->lowered.ends.len == 0;
    struct str labels = {0}, text = {0};
    if (!a->known) { /* somebody has looked */
        task_recordf(RECORD_because, "%u\t\t\t\t\t", goal);
        return;
    }
    new_labels(f, a, b->assumes.data[goal], ends, &labels);
    if (goal != root)
        describe_upstream(&s->woven.goals.list.data[root], a, &text);
    else
        str_add(&text, str_text(&a->text));
    task_recordf(RECORD_because, "%u\t%s\t%s\t%s\t%s\t%s", goal,
                 goal == root ? a->class : "upstream", str_text(&a->cause), a->class,
                 str_text(&labels), str_text(&text));
    str_free(&labels);
    str_free(&text);
}

/* The goal of a probe that explains the others of it best: the function that nobody calls. */
static uint32_t spokesman(const struct session *s, const struct probe *p, const uint32_t *root_of) {
    uint32_t best = NONE;
    for (size_t k = 0; k < p->goals.len; k++) {
        uint32_t g = p->goals.data[k];
        if (root_of[g] == g && (best == NONE || s->woven.goals.list.data[g].kind == GOAL_function))
            best = g;
    }
    return best;
}

static void ask_what_if(struct what_if *w, struct answer *a, uint32_t probe) {
    struct str text = {0};
    if (what_if_ask(w, str_text(&a->cause), target_of(w->freed, probe), probe, a->needed.data,
                    &text))
        str_addf(&a->text, "; %s", str_text(&text));
    str_free(&text);
}

static void tell_all(const struct because *b, const struct freed *f, const struct answer *a,
                     const struct session *s, uint32_t probe, const uint32_t *root_of) {
    for (uint32_t g = 0; g < s->woven.goals.list.len; g++)
        if (root_of[g] != NONE && s->woven.goals.list.data[root_of[g]].probe == probe)
            tell(b, f, a, s, g, root_of[g]);
}

/* One reason for all goals of a probe, and for those that are dead because of them. False: there
 * is none yet. */
static bool explain_probe(struct because *b, struct what_if *w, const struct session *s,
                          const struct dead *d, const uint32_t *root_of) {
    bool last = b->freedom == FREE_RANGES;
    struct freed *f = w->freed;
    uint32_t goal = spokesman(s, &s->probes.data[d->probe], root_of);
    struct answer a = {0};
    if (goal == NONE)
        return true;
    find_answer(&a, f, s, d, goal);
    if (a.known && !last && str_same(a.class, "calibration"))
        ask_what_if(w, &a, d->probe);
    if (a.known && last)
        str_add(&a.text, " (with all constants of the program as they are)");
    if (a.known || last)
        tell_all(b, f, &a, s, d->probe, root_of);
    bool known = a.known;
    if (known && a.k > 0 && !s->model.keeps_loops) { /* what holds in loops has no place in C */
        struct core core = {.invariant = str_text(&a.invariant), .k = a.k};
        vec_append(&core.needed, a.needed.data, a.needed.len);
        cores_note(&b->cores, &core, d->probe);
        vec_free(&core.needed);
    }
    if (known && a.direct.len > 0)
        vec_push(&b->states, (struct state_answer){a, *d});
    else
        answer_free(&a);
    return known;
}

/* Told once more, with the lines that keep what they name. */
static void name_keepers(struct because *b, const struct freed *f, struct session *s,
                         const uint32_t *root_of) {
    struct keepers k = {.session = s, .from = &f->sys};
    for (size_t i = 0; i < b->states.len; i++) {
        struct state_answer *state = &b->states.data[i];
        size_t before = state->answer.text.len;
        keepers_name(&k, str_text(&state->answer.direct), state->dead.proof, &state->answer.text);
        if (state->answer.text.len > before)
            tell_all(b, f, &state->answer, s, state->dead.probe, root_of);
        answer_free(&state->answer);
    }
    vec_free(&b->states);
    keepers_close(&k);
}

/* Goals that are dead because of others are confirmed with them. */
static void take_followers(struct because *b, struct freed *f, const struct session *s,
                           const uint32_t *root_of) {
    for (uint32_t g = 0; g < s->woven.goals.list.len; g++)
        if (root_of[g] != NONE && root_of[g] != g && probe_of(s, root_of[g]) != probe_of(s, g) &&
            target_of(f, probe_of(s, g)) != NONE)
            cores_follow(&b->cores, f, probe_of(s, root_of[g]), probe_of(s, g));
}

/* Those that get no answer are left in the list. */
static void explain_all(struct because *b, struct session *s, const uint32_t *root_of,
                        unsigned freedom) {
    struct freed f;
    struct what_if w = {.freed = &f};
    struct err err = {0};
    size_t left = 0;
    b->freedom = freedom;
    if (!freed_open(&f, s, freedom, &err)) {
        task_recordf(RECORD_detail, "%s", str_text(&err.message));
        err_clear(&err);
        return;
    }
    for (size_t i = 0; i < b->dead.len; i++)
        if (!explain_probe(b, &w, s, &b->dead.data[i], root_of))
            b->dead.data[left++] = b->dead.data[i];
    b->dead.len = left;
    what_if_close(&w);
    if (attempt_reasons_first(s))
        take_followers(b, &f, s, root_of);
    cores_confirm(&b->cores, &f, s);
    cores_free(&b->cores);
    b->cores = (struct cores){.known = &b->known};
    name_keepers(b, &f, s, root_of);
    freed_close(&f);
}

static int because_work(struct task *t) {
    struct because *b = t->payload;
    struct session *s = t->session;
    VEC(uint32_t) root_of = {0};
    for (uint32_t g = 0; g < s->woven.goals.list.len; g++)
        vec_push(&root_of, is_dead(s, g) ? upstream(s, g) : NONE);
    if (s->model.lowered.ends.len > 0)
        explain_all(b, s, root_of.data, FREE_VALUES | FREE_ENDS);
    if (b->dead.len > 0)
        explain_all(b, s, root_of.data, FREE_VALUES);
    if (b->dead.len > 0)
        explain_all(b, s, root_of.data, FREE_RANGES);
    vec_free(&root_of);
    return 0;
}

/* ---- in the parent ---- */

static bool because_take(struct task *t, enum record_kind kind, const char *data, struct err *err) {
    if (kind != RECORD_because)
        return core_take(&((struct because *)t->payload)->taken, t->session, kind, data, err);
    struct arena arena = {0};
    char *copy = arena_strdup(&arena, data), *field[6] = {0};
    for (size_t i = 0; i < 6 && copy; i++)
        field[i] = strsep(&copy, "\t");
    bool ok = true;
    uint32_t goal = field[5] ? (uint32_t)strtoul(field[0], NULL, 10) : NONE;
    if (goal < t->session->woven.goals.list.len && is_dead(t->session, goal)) {
        struct because_row row = {.goal = goal,
                                  .class = field[1],
                                  .cause = field[2],
                                  .cause_class = field[3],
                                  .assumes = field[4],
                                  .text = field[5]};
        ok = store_because(t->session->db, &row, err);
    }
    arena_free(&arena);
    return ok;
}

static bool because_done(struct task *t, struct err *err) {
    struct because *b = t->payload;
    return known_store(&b->taken.accepted, t->session->db, t->result.end == CHILD_EXITED, err);
}

static const struct task_type because_type = {
    .name = "because", .work = because_work, .take = because_take, .done = because_done};

static bool collect(struct because *b, struct session *s, struct err *err) {
    struct stored_verdicts all = {0};
    bool ok = store_verdicts(s->db, &all, &b->arena, err) && known_load(&b->known, s->db, err);
    bool *seen = arena_array(&b->arena, bool, s->probes.len + 1);
    memset(seen, 0, s->probes.len * sizeof *seen);
    for (size_t i = 0; ok && i < all.len; i++) {
        const struct verdict *v = &all.data[i].verdict;
        uint32_t probe = s->woven.goals.list.data[v->goal].probe;
        struct proof proof = {0};
        vec_push(&b->assumes, v->assumes);
        if (v->status != STATUS_DEAD || seen[probe])
            continue;
        seen[probe] = true;
        if (store_get_proof(s->db, v->proof, &proof, &b->arena))
            vec_push(&b->dead, (struct dead){.probe = probe, .proof = proof.invariant});
        proof_free(&proof);
    }
    vec_free(&all);
    return ok;
}

struct task *because_task(struct session *s) {
    struct err err = {0};
    struct because *b = mem_zalloc(1, sizeof *b);
    b->cores.known = &b->known;
    if (s->woven.module.task || !s->model.present || !collect(b, s, &err) || b->dead.len == 0) {
        err_clear(&err);
        because_free(b);
        return NULL;
    }
    struct task *t = task_new(&because_type, s);
    t->payload = b;
    t->free_payload = because_free;
    t->keep = true;
    t->seconds = session_left(s) < MOST_SECONDS ? session_left(s) : MOST_SECONDS;
    return t;
}
