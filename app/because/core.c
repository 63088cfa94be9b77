/* The harness asks for inputs by their numbers and assumes their ranges at once, where it is called
 * `gk_value`; what the user has assumed stands as `(condition) ? 1 : 0` behind all inputs. So the
 * text of the program shows all promises, and no other one has to be woven. */
#include "app/because/core.h"

#include "app/audit/audit.h"
#include "app/because/words.h"
#include "app/run/attempt/attempt.h"
#include "app/run/batch.h"
#include "app/run/task.h"
#include "app/run/verdict.h"
#include "instrument/cbmc/obligation.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { FOLLOW_TICKS = 400000 }; /* as much as a small part of a reason */
enum { CBMC_CPU_SECONDS = 10, ALL_CPU_SECONDS = 20, BUSY = 4 };

/* ---- the program ---- */

struct writer {
    const struct freed *f;
    const bool *needed;
    unsigned first;
    uint32_t input; /* the last that was asked for */
    uint32_t assumptions;
    bool in_step;
    struct str *out;
};

/* The number of a promise that is needed; 0: it is not. */
static unsigned number_of(const struct writer *w, enum promised_kind kind, uint32_t index,
                          const struct promised **what) {
    unsigned number = w->first;
    for (size_t i = 0; i < w->f->what.len; i++) {
        const struct promised *p = &w->f->what.data[i];
        if (w->needed[i] && p->kind == kind && p->index == index) {
            if (what)
                *what = p;
            return number;
        }
        number += w->needed[i];
    }
    return 0;
}

/* "gk_input_u8(7U)": its length; 0: it is none. */
static size_t input_at(const char *text, uint32_t *input) {
    size_t n = strlen("gk_input_");
    n += strspn(text + n, "bifu0123456789");
    char *end;
    if (text[n] != '(' || !isdigit((unsigned char)text[n + 1]))
        return 0;
    *input = (uint32_t)strtoul(text + n + 1, &end, 10);
    return str_starts(end, "U)") ? (size_t)(end - text) + 2 : 0;
}

static size_t write_input(struct writer *w, const char *text) {
    const struct promised *value = NULL;
    size_t len = input_at(text, &w->input);
    if (len == 0)
        return 0;
    unsigned number = number_of(w, PROMISED_VALUE, w->input, &value);
    if (number) {
        str_addf(w->out, "(GK_DROP == %u ? ", number);
        str_addn(w->out, text, len);
        str_add(w->out, " : ");
        obligation_value(w->out, &w->f->woven->module.inputs.data[w->input], value->bits);
        str_addc(w->out, ')');
    } else
        str_addn(w->out, text, len);
    return len;
}

static size_t write_assume(struct writer *w, const char *text) {
    size_t name = strlen("gk_assume(");
    const char *end = strstr(text, ");\n");
    if (!end)
        return 0;
    const char *value = strstr(text, "gk_value");
    bool range = value && value < end;
    uint32_t all = (uint32_t)w->f->woven->module.assumptions.len, index = w->input;
    if (!range)
        index = w->in_step && w->assumptions < all ? w->assumptions++ : all;
    unsigned number = number_of(w, range ? PROMISED_RANGE : PROMISED_ASSUMPTION, index, NULL);
    if (number)
        str_addf(w->out, "gk_assume(gk_kept(%u, ", number);
    else
        str_add(w->out, "(void)(");
    str_addn(w->out, text + name, (size_t)(end - text) - name);
    str_add(w->out, number ? "))" : ")");
    return (size_t)(end - text) + 1;
}

unsigned core_program(const struct freed *f, const bool *needed, unsigned first, struct str *out) {
    struct writer w = {.f = f, .needed = needed, .first = first, .input = NONE, .out = out};
    unsigned n = 0;
    for (const char *at = str_text(&f->woven->text), *next; *at; at = next) {
        next = strstr(at + 1, "gk_");
        size_t done = 0;
        if (str_starts(at, "gk_input_"))
            done = write_input(&w, at);
        else if (str_starts(at, "gk_assume(") && at[-1] == ' ' && at[-2] == ' ')
            done = write_assume(&w, at);
        w.in_step |= str_starts(at, "gk_step(void) {");
        if (done)
            next = at + done;
        else if (!next)
            next = at + strlen(at);
        if (!done)
            str_addn(out, at, (size_t)(next - at));
    }
    for (size_t i = 0; i < f->what.len; i++)
        n += needed[i];
    return n;
}

/* ---- in the child ---- */

static bool same_core(const struct core *a, const struct core *b) {
    assert(a->needed.len == b->needed.len);
    return a->k == b->k && str_same(a->invariant, b->invariant) &&
           memcmp(a->needed.data, b->needed.data, a->needed.len * sizeof *a->needed.data) == 0;
}

void cores_note(struct cores *cores, const struct core *core, uint32_t probe) {
    for (size_t i = 0; i < cores->list.len; i++)
        if (same_core(&cores->list.data[i], core)) {
            vec_push(&cores->list.data[i].probes, probe);
            return;
        }
    struct core own = {.k = core->k, .invariant = arena_strdup(&cores->arena, core->invariant)};
    vec_push(&own.probes, probe);
    vec_append(&own.needed, core->needed.data, core->needed.len);
    vec_push(&cores->list, own);
}

void cores_free(struct cores *cores) {
    for (size_t i = 0; i < cores->list.len; i++) {
        vec_free(&cores->list.data[i].probes);
        vec_free(&cores->list.data[i].needed);
    }
    vec_free(&cores->list);
    arena_free(&cores->arena);
}

static void name_needed(const struct freed *f, const struct core *core, struct str *out) {
    for (size_t i = 0; i < f->what.len; i++)
        if (core->needed.data[i]) {
            str_add(out, out->len ? "; " : "");
            words_label(f, f->what.data[i], out);
        }
}

static void name_goals(const struct core *core, const struct session *s, struct str *out) {
    struct batch batch;
    batch_init(&batch);
    vec_append(&batch.probes, core->probes.data, core->probes.len);
    batch_describe(&batch, s, out);
    batch_free(&batch);
}

static void find_targets(const struct freed *f, const struct core *core, struct invariant *inv) {
    for (uint32_t t = 0; t < f->sys.targets.len; t++)
        for (size_t i = 0; i < core->probes.len; i++)
            if (f->sys.targets.data[t].kind == TARGET_GOAL &&
                f->sys.targets.data[t].id == core->probes.data[i])
                vec_push(&inv->targets, t);
    vec_append(&inv->targets, f->sys.overruns.data, f->sys.overruns.len);
}

static void record_clauses(const struct audit_proof *question) {
    for (size_t i = 0; i < question->invariant->clauses.len; i++) {
        struct str text = {0};
        clause_print(&question->invariant->clauses.data[i], question->sys, &text);
        task_record(RECORD_coreclause, str_text(&text), text.len);
        str_free(&text);
    }
}

static void record(const struct core *core, const struct audit_proof *question,
                   const struct str *certificate, const char *by) {
    struct str probes = {0};
    for (size_t i = 0; i < core->probes.len; i++)
        str_addf(&probes, " %u", core->probes.data[i]);
    task_recordf(RECORD_core, "%u%s", core->k, str_text(&probes));
    task_recordf(RECORD_coreby, "%s", by);
    task_record(RECORD_coreinvariant, core->invariant, strlen(core->invariant));
    record_clauses(question);
    task_record(RECORD_corecertificate, str_text(certificate), certificate->len);
    str_free(&probes);
}

/* The core as an invariant that excludes its probes and the overruns; false: it cannot be read. */
static bool read_core(const struct core *core, struct freed *f, struct invariant *inv) {
    struct err err = {0};
    bool ok = invariant_read(inv, &f->sys, core->invariant, &err);
    vec_clear(&inv->targets);
    inv->k = core->k;
    if (ok)
        find_targets(f, core, inv);
    err_clear(&err);
    return ok;
}

static bool holds(const struct core *core, struct freed *f) {
    struct invariant inv;
    struct system restricted;
    struct str what = {0};
    invariant_init(&inv);
    promises_restrict(&restricted, &f->sys, &f->promises, core->needed.data);
    bool ok = read_core(core, f, &inv) &&
              inv.targets.len == core->probes.len + f->sys.overruns.len &&
              audit_by_solver(&restricted, &inv, FOLLOW_TICKS, &what) == AUDIT_CONFIRMED;
    vec_free(&restricted.targets);
    invariant_free(&inv);
    str_free(&what);
    return ok;
}

static bool is_about(const struct core *core, uint32_t probe) {
    for (size_t i = 0; i < core->probes.len; i++)
        if (core->probes.data[i] == probe)
            return true;
    return false;
}

void cores_follow(struct cores *cores, struct freed *f, uint32_t root, uint32_t probe) {
    for (size_t i = 0; i < cores->list.len; i++) {
        struct core *core = &cores->list.data[i];
        if (!is_about(core, root) || is_about(core, probe))
            continue;
        vec_push(&core->probes, probe);
        if (!holds(core, f))
            core->probes.len--;
    }
}

static double cpu_left(double used) {
    double left = ALL_CPU_SECONDS - used;
    return left < CBMC_CPU_SECONDS ? left : CBMC_CPU_SECONDS;
}

/* Only the form in which a certificate is written first can be written again unasked. */
static void note_accepted(const struct audit_proof *question, const struct str *certificate,
                          const char *key) {
    struct str text = {0};
    audit_write_certificate(question, &text);
    if (str_same(str_text(&text), str_text(certificate)))
        task_recordf(RECORD_corekey, "%s", key);
    str_free(&text);
}

/* What CBMC refutes is not stored. */
static void confirm(const struct cores *cores, const struct core *core, struct freed *f,
                    struct audit_proof *question, struct session *s) {
    struct audit_result said = {.answer = AUDIT_UNDECIDED};
    struct str text = {0};
    char key[SHA256_HEX];
    known_key(f, core->needed.data, question->invariant, s, key);
    bool known = s->has_cbmc && known_has(cores->known, key);
    if (s->has_cbmc && !known && question->cbmc_cpu_seconds > 0)
        audit_check_by_cbmc(question, &text, &said);
    else
        audit_write_certificate(question, &text);
    if (known && text.len > 0)
        said.answer = AUDIT_CONFIRMED;
    if (said.answer == AUDIT_CONFIRMED)
        note_accepted(question, &text, key);
    if (said.answer == AUDIT_REFUTED)
        task_recordf(RECORD_detail, "CBMC refutes the reason of probe %u: %s", core->probes.data[0],
                     str_text(&said.detail));
    else if (text.len > 0)
        record(core, question, &text, said.answer == AUDIT_CONFIRMED ? "cbmc" : "solver");
    str_free(&text);
    audit_result_free(&said);
}

static void write_core(const struct cores *cores, const struct core *core, struct freed *f,
                       struct session *s, double cpu) {
    struct invariant inv;
    struct str program = {0}, assumes = {0}, claims = {0};
    invariant_init(&inv);
    if (read_core(core, f, &inv)) {
        name_needed(f, core, &assumes);
        name_goals(core, s, &claims);
        unsigned first = (unsigned)inv.clauses.len + 1;
        unsigned promises = core_program(f, core->needed.data, first, &program);
        struct audit_proof question = {.assumes = str_text(&assumes),
                                       .claims = str_text(&claims),
                                       .woven = str_text(&program),
                                       .module = &f->woven->module,
                                       .lowered = &f->lowered,
                                       .sys = &f->sys,
                                       .invariant = &inv,
                                       .probes = core->probes.data,
                                       .n_probes = core->probes.len,
                                       .elements = first - 1 + promises,
                                       .cbmc = s->has_cbmc ? &s->cbmc : NULL,
                                       .cbmc_seconds = BUSY * cpu,
                                       .cbmc_cpu_seconds = cpu,
                                       .memory_mb = s->project.memory_mb};
        confirm(cores, core, f, &question, s);
    }
    str_free(&assumes);
    str_free(&claims);
    str_free(&program);
    invariant_free(&inv);
}

void cores_confirm(const struct cores *cores, struct freed *f, struct session *s) {
    double before = clock_cpu(RUSAGE_CHILDREN);
    for (size_t i = 0; i < cores->list.len; i++)
        write_core(cores, &cores->list.data[i], f, s,
                   cpu_left(clock_cpu(RUSAGE_CHILDREN) - before));
}

/* ---- in the parent ---- */

void core_taken_clear(struct core_taken *taken) {
    struct known accepted = taken->accepted;
    vec_free(&taken->probes);
    vec_free(&taken->clauses);
    str_free(&taken->invariant);
    arena_free(&taken->arena);
    *taken = (struct core_taken){.accepted = accepted};
}

void core_taken_free(struct core_taken *taken) {
    core_taken_clear(taken);
    known_free(&taken->accepted);
}

static void take_probes(struct core_taken *taken, const struct session *s, const char *data) {
    char *end;
    core_taken_clear(taken);
    taken->k = (uint32_t)strtoul(data, &end, 10);
    while (*end == ' ') {
        uint32_t probe = (uint32_t)strtoul(end, &end, 10);
        if (probe < s->probes.len && s->probes.data[probe].status == STATUS_DEAD)
            vec_push(&taken->probes, probe);
    }
}

static bool store_core(const struct core_taken *taken, struct session *s, const char *certificate,
                       struct err *err) {
    bool own, ok = store_enter(s->db, &own, err);
    struct proof proof = {.engine = "because",
                          .k = taken->k,
                          .invariant = str_text(&taken->invariant),
                          .certificate = certificate};
    for (size_t i = 0; i < taken->clauses.len; i++)
        vec_push(&proof.clauses, taken->clauses.data[i]);
    int64_t id = ok ? store_proof(s->db, &proof, err) : 0;
    ok = id > 0;
    for (size_t i = 0; ok && i < taken->probes.len; i++) {
        const struct probe *p = &s->probes.data[taken->probes.data[i]];
        for (size_t g = 0; ok && g < p->goals.len; g++)
            ok = store_reason_proof(s->db, p->goals.data[g], id, taken->checked_by, err);
        if (ok && !p->by_cbmc && attempt_reasons_first(s) && str_same(taken->checked_by, "cbmc"))
            ok = session_rechecked(s, taken->probes.data[i], "cbmc", 0, err);
    }
    proof_free(&proof);
    return store_leave(s->db, own, ok, err) && ok;
}

bool core_take(struct core_taken *taken, struct session *s, enum record_kind kind, const char *data,
               struct err *err) {
    bool ok = true;
    if (kind == RECORD_core)
        take_probes(taken, s, data);
    else if (kind == RECORD_coreby)
        snprintf(taken->checked_by, sizeof taken->checked_by, "%s", data);
    else if (kind == RECORD_coreinvariant)
        str_add(&taken->invariant, data);
    else if (kind == RECORD_coreclause)
        vec_push(&taken->clauses, arena_strdup(&taken->arena, data));
    else if (kind == RECORD_corecertificate) {
        ok = taken->probes.len == 0 || taken->k == 0 || store_core(taken, s, data, err);
        core_taken_clear(taken);
    } else if (kind == RECORD_corekey) {
        known_add(&taken->accepted, data);
    } else if (kind == RECORD_detail) {
        struct err why = {0};
        err_set(&why, ERR_EVIDENCE, "%s", data);
        session_warn(s, "the proof of a reason is not kept; the verdict has a proof of its own",
                     &why);
    }
    return ok;
}
