#include "app/run/session.h"

#include "app/cli/build_id.h"
#include "app/export/fixture_file.h"
#include "app/run/interrupt.h"
#include "app/run/policy.h"
#include "app/run/resume.h"
#include "app/run/task.h"
#include "app/verify/verify.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "coverage/place.h"
#include "db/seal.h"
#include "model/term/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { ENDS_NAMED = 3 };

const struct system *session_system(const struct session *s) {
    return &s->sys;
}

void session_warn(const struct session *s, const char *consequence, struct err *why) {
    assert(why->code != ERR_NONE);
    log_warning(s->log, "%s: %s", consequence, str_text(&why->message));
    if (why->remedy.len)
        log_note(s->log, "  %s", str_text(&why->remedy));
    err_clear(why);
}

double session_elapsed(const struct session *s) {
    return clock_seconds() - s->started;
}

static double seconds_of(int who) {
    struct rusage u = {0};
    getrusage(who, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

/* Of this process and of those that have ended; a process that searches tells its own. */
double session_cpu(const struct session *s) {
    double searching = s->has_native ? simulate_statistics(s->simulation).cpu_seconds : 0;
    return seconds_of(RUSAGE_SELF) + seconds_of(RUSAGE_CHILDREN) + searching;
}

void session_phase(struct session *s, enum phase phase) {
    phases_enter(&s->phases, phase, session_cpu(s));
}

static double cpu_left(const struct session *s) {
    return s->options->cpu_seconds - session_cpu(s);
}

static double clock_left(const struct session *s) {
    return s->project.total_seconds - session_elapsed(s);
}

bool session_short_of_cpu(const struct session *s) {
    return s->options->cpu_seconds > 0 && cpu_left(s) < clock_left(s);
}

double session_left(const struct session *s) {
    double left = session_short_of_cpu(s) ? cpu_left(s) : clock_left(s);
    return left > 0 ? left : 0;
}

double session_total(const struct session *s) {
    double total = s->project.total_seconds, cpu = s->options->cpu_seconds;
    return cpu > 0 && cpu < total ? cpu : total;
}

bool session_must_end(void *session) {
    return interrupted() || session_left(session) <= 0;
}

bool session_must_cut(void *session) {
    const struct session *s = session;
    return interrupted() || clock_left(s) < -policy_reserve(s->project.total_seconds);
}

bool session_wants(const struct session *s, const char *engine) {
    for (size_t i = 0; i < s->project.engines.len; i++)
        if (str_same(s->project.engines.data[i], engine))
            return true;
    return s->project.engines.len == 0;
}

bool session_may_decide(const struct session *s, uint32_t probe) {
    const struct probe *p = &s->probes.data[probe];
    return p->status == STATUS_OPEN && !p->held && !p->alarmed && !p->lost;
}

static bool is_elsewhere(const struct session *s, const struct probe *p) {
    return s->shards > 0 && p->shard > 0 && p->shard != s->shard;
}

bool session_is_open(const struct session *s, uint32_t probe) {
    return session_may_decide(s, probe) && !is_elsewhere(s, &s->probes.data[probe]);
}

size_t session_left_open(const struct session *s) {
    size_t count = 0;
    for (size_t i = 0; i < s->probes.len; i++)
        if (s->probes.data[i].status == STATUS_OPEN && !is_elsewhere(s, &s->probes.data[i]))
            count += s->probes.data[i].goals.len;
    return count;
}

bool session_can_decide(const struct session *s, uint32_t probe) {
    const struct probe *p = &s->probes.data[probe];
    for (size_t i = 0; i < p->goals.len; i++)
        if (!s->woven.goals.list.data[p->goals.data[i]].reason)
            return !p->alarmed;
    return p->overrun;
}

bool session_decided(const struct session *s) {
    for (uint32_t i = 0; i < s->probes.len; i++) {
        const struct probe *p = &s->probes.data[i];
        if (p->status == STATUS_OPEN && !p->overrun && !is_elsewhere(s, p) &&
            session_can_decide(s, i))
            return false;
    }
    return true;
}

size_t session_count(const struct session *s, enum status status) {
    size_t count = 0;
    for (size_t i = 0; i < s->probes.len; i++)
        if (s->probes.data[i].status == status)
            count += s->probes.data[i].goals.len;
    return count;
}

static void make_probes(struct session *s) {
    vec_resize_zero(&s->probes, s->woven.goals.n_probes);
    for (size_t i = 0; i < s->probes.len; i++) {
        s->probes.data[i].target = NONE;
        s->probes.data[i].bound = -1;
    }
    for (uint32_t g = 0; g < s->woven.goals.list.len; g++) {
        struct probe *p = &s->probes.data[s->woven.goals.list.data[g].probe];
        vec_push(&p->goals, g);
    }
}

static bool is_source(const struct session *s, const char *name) {
    for (size_t i = 0; i < s->project.sources.len; i++)
        if (str_same(s->project.sources.data[i], name))
            return true;
    return false;
}

static bool has_goals(const struct session *s, const char *name) {
    for (size_t i = 0; i < s->woven.goals.list.len; i++)
        if (str_same(s->woven.goals.list.data[i].file, name))
            return true;
    return false;
}

/* A file that the run has read, and its hash; `kept`: as what it is kept whole, NULL: it is not.
 * Markers of preprocessed text may name files that are not here, or are none of theirs. */
static bool store_file(struct session *s, const char *kept, const char *name, struct err *err) {
    char *path = path_join(&s->arena, s->project.dir, name);
    struct str text = {0};
    struct err ignored = {0};
    bool ok = true;
    if (place_allows(&s->project, name) && file_exists(path) && !file_is_dir(path) &&
        file_read(path, &text, &ignored)) {
        char hash[SHA256_HEX];
        sha256_hex(str_text(&text), text.len, hash);
        ok = store_info(s->db, arena_printf(&s->arena, "sha256:%s", name), hash, err) &&
             (!kept || store_artifact(s->db, arena_printf(&s->arena, "%s:%s", kept, name),
                                      text.data, text.len, err));
    }
    err_clear(&ignored);
    str_free(&text);
    return ok;
}

/* Sources, headers, the project file: what input_changes() compares later (app/project/changes.h),
 * and what audit lists again (app/audit/again.h). */
static bool store_files(struct session *s, struct err *err) {
    const char *slash = strrchr(s->project.file, '/');
    char *here = realpath(s->project.dir, NULL);
    bool ok = store_forget_info(s->db, "sha256:", err) &&
              store_forget_artifacts(s->db, "source:", err) &&
              store_forget_artifacts(s->db, "header:", err) &&
              store_info(s->db, "project_dir", here ? here : "", err) &&
              store_info(s->db, "listed_with", options_on_top(s->options, &s->arena), err);
    for (size_t i = 0; ok && i < s->project.sources.len; i++)
        ok = store_file(s, "source", s->project.sources.data[i], err);
    for (size_t i = 0; ok && i < s->woven.files.len; i++) {
        const char *name = s->woven.files.data[i];
        if (!is_source(s, name))
            ok = store_file(s, has_goals(s, name) ? "source" : "header", name, err);
    }
    if (ok && *s->project.file)
        ok = store_file(s, NULL, slash ? slash + 1 : s->project.file, err);
    if (ok && s->project.compile_commands)
        ok = store_file(s, "header", s->project.compile_commands, err);
    free(here);
    return ok;
}

static bool store_project(struct session *s, struct err *err) {
    struct str text = {0};
    bool ok = !*s->project.file || file_read(s->project.file, &text, err);
    ok = ok && store_artifact(s->db, "project.json", text.data, text.len, err);
    str_free(&text);
    return ok;
}

/* "branch,mcdc": a criterion without goals is told from one that nobody asked for. */
static const char *criteria_asked(struct session *s) {
    const char *names = "";
    for (int k = 0; k < GOAL_KINDS; k++)
        if (s->project.criteria[k])
            names = arena_printf(&s->arena, "%s%s%s", names, *names ? "," : "", criteria[k].name);
    return names;
}

static bool store_run(struct session *s, struct err *err) {
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    return store_info(s->db, "tool_version", GK_VERSION, err) &&
           store_info(s->db, "tool_build", build_id(&s->arena), err) &&
           store_info(s->db, "name", s->project.name, err) &&
           store_info(s->db, "asil", s->project.asil, err) &&
           store_info(s->db, "mcdc", s->project.mcdc_unique_cause ? "unique-cause" : "masking",
                      err) &&
           store_info(s->db, "criteria", criteria_asked(s), err) &&
           store_info(s->db, "target", s->project.ilp32 ? "ilp32" : "lp64", err) &&
           store_info(s->db, "char", s->project.char_is_signed ? "signed" : "unsigned", err) &&
           store_info(s->db, "step", s->project.step, err) &&
           store_info(s->db, "form", s->woven.module.task ? "task" : "module", err) &&
           store_info(s->db, "host", host, err) && store_project(s, err) && store_files(s, err) &&
           store_warnings(s->db, &s->woven.module, err) &&
           (s->woven.module.task || fixture_store(s->db, &s->woven.fixture, err));
}

static bool open_database(struct session *s, struct err *err) {
    char *path = options_run_database(s->options, &s->project);
    if (s->woven.module.task && !s->options->db) {
        if (!file_temp_dir(&s->scratch, err))
            return false;
        path = path_join(&s->arena, str_text(&s->scratch), "task.db");
    }
    if (!store_open(&s->db, path, STORE_CREATE, err))
        return false;
    return store_begin(s->db, err) && seal_remove(s->db, err) && resume_goals(s, err) &&
           store_run(s, err) && store_commit(s->db, err);
}

bool session_open(struct session *s, const struct options *o, struct err *err) {
    *s = (struct session){.options = o, .log = o->log, .started = clock_seconds()};
    invariant_init(&s->lemmas);
    invariant_init(&s->ground);
    phases_begin(&s->phases);
    if (o->trace && !events_open(s->events = &s->trace, o->trace, err))
        return false;
    log_phase(s->log, "reading the sources");
    s->confirming = str_same(o->confirm, "only")    ? CONFIRM_ONLY
                    : str_same(o->confirm, "later") ? CONFIRM_LATER
                                                    : CONFIRM_BESIDE;
    if (!options_shard(o, &s->shard, &s->shards, err) || !options_knobs(o, NULL, &s->knobs, err) ||
        !options_project(o, &s->project, err) ||
        !options_knobs(o, &s->project.engine_options, &s->knobs, err) ||
        !(o->verify ? verify_weave : weave)(&s->project, &s->woven, err))
        return false;
    make_probes(s);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    s->jobs = s->project.jobs ? s->project.jobs : cores > 0 ? (unsigned)cores : 1;
    return open_database(s, err);
}

static void claims_free(struct claims *claims) {
    for (size_t i = 0; i < claims->len; i++)
        invariant_free(&claims->data[i].invariant);
    vec_free(claims);
}

void session_close(struct session *s) {
    for (size_t i = 0; i < s->probes.len; i++) {
        vec_free(&s->probes.data[i].goals);
        str_free(&s->probes.data[i].tried);
    }
    vec_free(&s->probes);
    vec_free(&s->target_probe);
    vec_free(&s->cell_of_state);
    vec_free(&s->earlier);
    claims_free(&s->claims);
    claims_free(&s->unconfirmed);
    claims_free(&s->held);
    invariant_free(&s->ground);
    mem_free(s->seen);
    mem_free(s->choice);
    invariant_free(&s->lemmas);
    simulate_close(s->simulation);
    if (s->has_model) {
        lowered_free(&s->lowered);
        slicer_close(s->slicer);
        mem_free(s->slicer);
        system_free(&s->sys);
        terms_free(&s->terms);
    }
    store_close(s->db);
    if (s->events)
        events_close(s->events);
    if (s->scratch.len)
        file_remove_tree(str_text(&s->scratch));
    str_free(&s->scratch);
    woven_free(&s->woven);
    project_free(&s->project);
    arena_free(&s->arena);
}

/* ---- verdicts ---- */

/* What cannot be analysed is never called dead. */
static bool may_get(const struct session *s, uint32_t goal, enum status status) {
    return status != STATUS_DEAD || !s->woven.goals.list.data[goal].reason;
}

static void tell_verdict(const struct session *s, uint32_t probe, const struct verdict *v) {
    const struct probe *p = &s->probes.data[probe];
    struct str fields = {0};
    str_addf(&fields, "\"verdict\":\"%s\",\"depth\":%lld,\"goals\":[",
             v->status == STATUS_DEAD ? "dead" : "reachable", (long long)v->depth);
    for (size_t i = 0; i < p->goals.len; i++)
        str_addf(&fields, "%s%u", i ? "," : "", p->goals.data[i]);
    str_add(&fields, "]");
    events_write(s->events, 0, v->engine, "verdict", str_text(&fields));
    str_free(&fields);
}

/* All goals of a probe or none: a run that goes on takes the verdict of one for that of all. The
 * two sides of a contradiction stay. */
static bool put(struct session *s, uint32_t probe, struct verdict v, struct err *err) {
    if (s->events && v.status != STATUS_OPEN)
        tell_verdict(s, probe, &v);
    struct probe *p = &s->probes.data[probe];
    bool own, ok = store_enter(s->db, &own, err);
    for (size_t i = 0; ok && i < p->goals.len; i++) {
        v.goal = p->goals.data[i];
        if (!may_get(s, v.goal, v.status))
            continue;
        ok = store_verdict(s->db, &v, err);
    }
    bool contradicts = !ok && err->code == ERR_EVIDENCE;
    s->alarmed |= contradicts;
    ok = store_leave(s->db, own, ok || contradicts, err) && ok;
    if (ok && v.status != STATUS_OPEN)
        p->status = v.status;
    return ok;
}

static struct verdict verdict_of(const struct finding *f) {
    struct verdict v = VERDICT_INIT;
    v.engine = f->engine;
    v.checked_by = f->checked_by;
    v.assumes = f->assumes;
    v.depth = f->depth;
    v.ticks = f->ticks;
    v.seconds = f->seconds;
    v.slice_hash = f->slice_hash;
    return v;
}

bool session_reachable(struct session *s, uint32_t probe, const struct finding *f,
                       struct err *err) {
    struct verdict v = verdict_of(f);
    v.status = STATUS_REACHABLE;
    v.witness = f->evidence;
    return put(s, probe, v, err);
}

/* Not behind an alarm: another proof of the same may have been under way when it came. */
bool session_dead(struct session *s, uint32_t probe, const struct finding *f, struct err *err) {
    struct verdict v = verdict_of(f);
    if (s->probes.data[probe].alarmed)
        return true;
    v.status = STATUS_DEAD;
    v.proof = f->evidence;
    return put(s, probe, v, err);
}

/* Not of a verification task: engines count iterations of its loop, a replay the values that it
 * asks for, and the two must not be compared. */
static bool put_bound(struct session *s, uint32_t probe, struct err *err) {
    struct verdict v = VERDICT_INIT;
    if (s->woven.module.task)
        return true;
    v.bound = s->probes.data[probe].bound;
    v.engine = s->probes.data[probe].bound_by;
    assert(session_overruns_dead(s));
    return put(s, probe, v, err);
}

bool session_bound(struct session *s, const char *engine, uint32_t probe, int64_t bound,
                   struct err *err) {
    struct probe *p = &s->probes.data[probe];
    if (bound <= p->bound)
        return true;
    p->bound = bound;
    p->bound_by = engine;
    return !session_overruns_dead(s) || put_bound(s, probe, err);
}

bool session_alarm(struct session *s, uint32_t probe, const char *text, int64_t witness,
                   int64_t proof, struct err *err) {
    struct probe *p = &s->probes.data[probe];
    s->alarmed = true;
    p->alarmed = true;
    p->status = STATUS_OPEN;
    for (size_t i = 0; i < p->goals.len; i++)
        if (!store_alarm(s->db, p->goals.data[i], text, witness, proof, err))
            return false;
    return true;
}

bool session_overruns_dead(const struct session *s) {
    for (size_t i = s->woven.goals.n_probes; i < s->probes.len; i++)
        if (s->probes.data[i].status != STATUS_DEAD)
            return false;
    return true;
}

void session_lose_overruns(struct session *s) {
    for (size_t i = s->woven.goals.n_probes; i < s->probes.len; i++)
        s->probes.data[i].lost = s->probes.data[i].status == STATUS_OPEN;
}

bool session_overruns_lost(const struct session *s) {
    for (size_t i = s->woven.goals.n_probes; i < s->probes.len; i++)
        if (s->probes.data[i].lost)
            return true;
    return false;
}

/* What was proved about the model now holds for the program. */
static bool release(struct session *s, struct err *err) {
    bool ok = true;
    for (uint32_t i = 0; ok && i < s->probes.len; i++) {
        struct probe *p = &s->probes.data[i];
        p->held = false;
        ok = p->status != STATUS_OPEN || p->bound < 0 || put_bound(s, i, err);
    }
    vec_append(&s->claims, s->held.data, s->held.len);
    vec_clear(&s->held);
    return ok && (!s->has_cbmc || resume_unconfirmed(s, err));
}

bool session_overruns_proved(struct session *s, const struct invariant *proof, struct err *err) {
    if (session_overruns_dead(s))
        return true;
    for (size_t i = 0; i < proof->clauses.len; i++)
        invariant_add(&s->ground, proof->clauses.data[i].data, proof->clauses.data[i].len);
    for (size_t i = 0; i < proof->targets.len; i++) {
        struct probe *p = &s->probes.data[s->target_probe.data[proof->targets.data[i]]];
        assert(p->overrun);
        if (p->status != STATUS_DEAD)
            vec_push(&s->ground.targets, proof->targets.data[i]);
        p->status = STATUS_DEAD;
    }
    if (proof->k > s->ground.k)
        s->ground.k = proof->k;
    return !session_overruns_dead(s) || release(s, err);
}

/* ---- what a verdict rests on ---- */

static void add_range(struct str *out, const struct module_var *v) {
    sort_t sort = v->type == 'f'   ? (v->bits == 32 ? SORT_F32 : SORT_F64)
                  : v->type == 'b' ? SORT_BOOL
                                   : v->bits;
    str_addf(out, "%s%s in [", out->len ? "; " : "", v->path);
    value_print(sort, v->type == 'i', v->min, out);
    str_add(out, ", ");
    value_print(sort, v->type == 'i', v->max, out);
    str_add(out, "]");
}

/* A function without a body, once for all that it returns and writes: "f()", "*f()", "f::p[2]". */
static void add_stub(struct str *out, const struct module_var *v, struct intern *named) {
    const char *path = v->path + strspn(v->path, "*");
    size_t len = strcspn(path, "(:"), before = named->texts.len;
    struct str name = {0};
    str_addn(&name, path, len);
    if (intern_id(named, str_text(&name)) == before)
        str_addf(out, "%s%s returns anything", out->len ? "; " : "", str_text(&name));
    str_free(&name);
}

VEC_STRUCT(indices, uint32_t);

static bool targets_of(struct session *s, const uint32_t *probes, size_t n, struct indices *out) {
    bool known = s->has_model;
    for (size_t i = 0; known && i < n; i++) {
        known = s->probes.data[probes[i]].target != NONE;
        vec_push(out, s->probes.data[probes[i]].target);
    }
    return known;
}

/* The stubs whose results decide whether the probes are hit; all when that is not known. */
static void add_stubs(struct session *s, const struct indices *targets, bool known,
                      struct str *out) {
    const struct module *m = &s->woven.module;
    VEC(bool) used = {0};
    struct intern named = {0};
    vec_resize_zero(&used, s->sys.inputs.len + 1);
    if (known)
        slice_inputs(session_system(s), targets->data, targets->len, used.data);
    for (size_t i = 0; known && i < s->sys.inputs.len; i++) {
        uint32_t id = s->sys.inputs.data[i].module_input;
        if (used.data[i] && id != NONE && m->inputs.data[id].role == VAR_STUB)
            add_stub(out, &m->inputs.data[id], &named);
    }
    for (size_t i = 0; !known && i < m->inputs.len; i++)
        if (m->inputs.data[i].role == VAR_STUB)
            add_stub(out, &m->inputs.data[i], &named);
    intern_free(&named);
    vec_free(&used);
}

/* Of all inputs that constraints speak of: the model has been simplified with them, so that it does
 * not show any more which of them a proof needs. */
static void add_ranges(struct session *s, const struct indices *targets, struct str *out) {
    struct slice slice;
    struct map seen = {0};
    slicer_make(s->slicer, &slice,
                &(struct slice_wish){
                    .targets = targets->data, .n_targets = targets->len, .all_constraints = true});
    for (size_t i = 0; i < slice.sys.inputs.len; i++) {
        uint32_t id = slice.sys.inputs.data[i].module_input;
        if (id == NONE || map_get(&seen, id))
            continue;
        map_put(&seen, id, 1);
        if (s->woven.module.inputs.data[id].has_range)
            add_range(out, &s->woven.module.inputs.data[id]);
    }
    map_free(&seen);
    slice_free(&slice);
}

/* Which of them a proof needs is found out later (app/because); until then it may be any. */
static void add_ends(const struct session *s, struct str *out) {
    size_t n = s->lowered.ends.len;
    for (size_t i = 0; i < n && n <= ENDS_NAMED; i++) {
        str_add(out, out->len ? "; " : "");
        lowered_end_label(&s->lowered.ends.data[i], out);
    }
    if (n > ENDS_NAMED)
        str_addf(out, "%s" LOWERED_END_LABEL "%zu places", out->len ? "; " : "", n);
}

const char *session_assumes(struct session *s, const uint32_t *probes, size_t n) {
    struct indices targets = {0};
    struct str out = {0};
    bool known = targets_of(s, probes, n, &targets);
    add_stubs(s, &targets, known, &out);
    if (known)
        add_ranges(s, &targets, &out);
    if (known && !s->woven.module.task)
        add_ends(s, &out);
    for (size_t i = 0; i < s->woven.module.assumptions.len; i++)
        str_addf(&out, "%s%s", out.len ? "; " : "", s->woven.module.assumptions.data[i]);
    const char *text = arena_strdup(&s->arena, str_text(&out));
    str_free(&out);
    vec_free(&targets);
    return text;
}

/* Values of a run are in their ranges, so wider ranges leave it what it is. */
const char *session_run_assumes(struct session *s, uint32_t probe) {
    struct indices targets = {0};
    struct str out = {0};
    bool known = targets_of(s, &probe, 1, &targets);
    add_stubs(s, &targets, known, &out);
    const char *text = out.len ? arena_strdup(&s->arena, str_text(&out)) : NULL;
    str_free(&out);
    vec_free(&targets);
    return text;
}

void session_slice(const struct session *s, struct slice *slice, const uint32_t *targets,
                   size_t n) {
    slicer_make(s->slicer, slice,
                &(struct slice_wish){
                    .targets = targets, .n_targets = n, .all_constraints = s->all_constraints});
}

/* Numbers that say nothing of what the slice means change with every input and goal before it. */
static void forget_numbers(struct system *sys) {
    for (size_t i = 0; i < sys->inputs.len; i++)
        sys->inputs.data[i].module_input = NONE;
    for (size_t i = 0; i < sys->targets.len; i++) {
        sys->targets.data[i].id = 0;
        sys->targets.data[i].name = "";
    }
}

const char *session_slice_hash(struct session *s, uint32_t probe) {
    const struct probe *p = &s->probes.data[probe];
    if (p->target == NONE)
        return NULL;
    struct slice slice;
    struct str text = {0};
    VEC(uint32_t) targets = {0};
    vec_push(&targets, p->target);
    vec_append(&targets, s->sys.overruns.data, s->sys.overruns.len); /* every proof rests on them */
    slicer_make(s->slicer, &slice,
                &(struct slice_wish){.targets = targets.data, .n_targets = targets.len});
    vec_free(&targets);
    forget_numbers(&slice.sys);
    system_write(&slice.sys, &text);
    char hash[SHA256_HEX];
    sha256_hex(str_text(&text), text.len, hash);
    str_free(&text);
    slice_free(&slice);
    return arena_strdup(&s->arena, hash);
}
