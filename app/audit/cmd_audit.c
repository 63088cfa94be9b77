/* audit: re-checks the evidence of every verdict from the database alone.
 *
 * Witnesses run natively in fresh processes and must hit their goals in the step they claim. Proofs
 * are read back, turned into certificates anew from the stored program, and checked by CBMC, else
 * by a fresh solver; Bitwuzla is asked, too, where it is. What the database says about a proof is
 * compared with what the proof says. */
#include "app/audit/audit.h"
#include "app/cli/build_id.h"
#include "app/cli/command.h"
#include "app/audit/again.h"
#include "app/audit/evidence_file.h"
#include "app/audit/opinions.h"
#include "app/audit/reasons.h"
#include "app/audit/signature.h"
#include "app/audit/trial.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "base/tool.h"
#include "db/form.h"
#include "db/seal.h"
#include "engines/engine.h"
#include "db/rows.h"
#include "instrument/cbmc/meaning.h"
#include "instrument/native/scenario.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum {
    CBMC_SECONDS = 120,
    WITNESS_SECONDS = 1800, /* builds and steps take what they take */
};

/* A goal as far as the audit is concerned. */
struct claimed {
    int64_t goal, depth;
    uint32_t probe;
};
VEC_STRUCT(claimed_list, struct claimed);

/* A proof that has been read, for the trial of all of them. */
struct kept_proof {
    struct invariant inv;
    struct claimed_list claims;
    VEC(uint32_t) probes;
};

struct auditor {
    const struct options *options;
    struct evidence_file file;
    struct arena arena;
    struct native *zero, *pattern;
    double replay_until; /* when a replay is cut off, 0: never */
    bool in_time;        /* the present witness has been replayed as a whole */
    struct evidence_model model;
    int64_t only; /* goal, 0: all */
    unsigned checked, failed, undecided;
    bool listed; /* goals and program are what the sources give */
    struct cbmc cbmc;
    bool has_cbmc;
    struct opinions opinions;
    VEC(struct kept_proof) proofs;
    bool about_places; /* some of them: what holds inside of a step cannot be tried */
};

static void fail(struct auditor *a, int64_t goal, const char *what) {
    printf("goal %lld: %s\n", (long long)goal, what);
    a->failed++;
}

static void undecided(struct auditor *a, int64_t goal, const char *what) {
    printf("goal %lld: %s\n", (long long)goal, what);
    a->undecided++;
}

/* Goals whose evidence is this row of `witness` or `proof`. */
static bool load_claims(struct auditor *a, const char *column, int64_t id, struct claimed_list *out,
                        struct err *err) {
    const char *sql = arena_printf(&a->arena,
                                   "SELECT id, coalesce(depth, -1), probe FROM goal WHERE %s = ?1 "
                                   "AND (?2 = 0 OR id = ?2)",
                                   column);
    struct rows *r = rows_open(a->file.db, sql, err);
    rows_bind_int(r, 1, id);
    rows_bind_int(r, 2, a->only);
    while (rows_next(r))
        vec_push(out, (struct claimed){rows_int(r, 0), rows_int(r, 1), (uint32_t)rows_int(r, 2)});
    return rows_close(r, err);
}

static bool load_ids(struct auditor *a, const char *column, struct claimed_list *out,
                     struct err *err) {
    const char *sql = arena_printf(&a->arena,
                                   "SELECT DISTINCT %s FROM goal WHERE %s NOT NULL AND "
                                   "(?1 = 0 OR id = ?1) ORDER BY 1",
                                   column, column);
    struct rows *r = rows_open(a->file.db, sql, err);
    rows_bind_int(r, 1, a->only);
    while (rows_next(r))
        vec_push(out, (struct claimed){.goal = rows_int(r, 0)});
    return rows_close(r, err);
}

/* ---- verdicts without evidence ---- */

static bool check_statuses(struct auditor *a, struct err *err) {
    struct rows *r =
        rows_open(a->file.db,
                  "SELECT id FROM goal WHERE (?1 = 0 OR id = ?1) AND NOT coalesce(("
                  "(status = 'open' AND witness IS NULL AND proof IS NULL) OR "
                  "(status = 'reachable' AND witness IN (SELECT id FROM witness) AND "
                  "proof IS NULL) OR "
                  "(status = 'dead' AND proof IN (SELECT id FROM proof) AND witness IS "
                  "NULL)), 0)",
                  err);
    rows_bind_int(r, 1, a->only);
    while (rows_next(r))
        fail(a, rows_int(r, 0), "its verdict and its evidence do not fit together");
    if (!rows_close(r, err))
        return false;
    r = rows_open(a->file.db, "SELECT goal, text FROM alarm WHERE ?1 = 0 OR goal = ?1", err);
    rows_bind_int(r, 1, a->only);
    while (rows_next(r))
        fail(a, rows_int(r, 0), rows_text(r, 1));
    return rows_close(r, err);
}

static void check_program(struct auditor *a) {
    char hash[SHA256_HEX];
    char *stored = store_get_info(a->file.db, "woven_sha256");
    sha256_hex(str_text(&a->file.woven), a->file.woven.len, hash);
    bool same = stored && strcmp(stored, hash) == 0;
    mem_free(stored);
    if (same)
        return;
    printf("the program in the database is not the one that was analysed\n");
    a->failed++;
}

/* ---- witnesses ---- */

static bool inputs_exist(const struct auditor *a, const struct witness *w) {
    for (size_t i = 0; i < w->events.len; i++)
        if (w->events.data[i].input >= a->file.module.inputs.len)
            return false;
    return true;
}

static void judge_hits(struct auditor *a, const struct scenario *s,
                       const struct claimed_list *claims) {
    for (size_t i = 0; i < claims->len; i++) {
        const struct claimed *c = &claims->data[i];
        const struct probe_hit *hit = scenario_hits(s, c->probe);
        int64_t depth = !hit ? -1 : hit->step == NATIVE_INIT ? 0 : (int64_t)hit->step + 1;
        a->checked++;
        if (!hit)
            fail(a, c->goal, "its witness does not hit it");
        else if (depth != c->depth)
            fail(a, c->goal, "its witness hits it in another step than the database says");
    }
}

/* As a witness may be of any length, a forged one could keep the audit busy for ever. */
static double seconds_for(const struct auditor *a, double usual) {
    return a->options->goal_seconds > 0 ? a->options->goal_seconds : usual;
}

static bool is_over(void *context) {
    struct auditor *a = context;
    if (a->replay_until > 0 && clock_seconds() > a->replay_until)
        a->in_time = false;
    return !a->in_time;
}

static void limit_replay(struct auditor *a, double seconds) {
    a->replay_until = seconds > 0 ? clock_seconds() + seconds : 0;
    a->in_time = true;
}

/* Of a long run the first steps are not kept, and could not be. */
static struct native_run run_with_cells(const struct witness *w) {
    uint32_t first = w->steps > 0 ? w->steps - 1 : 0;
    for (size_t i = 0; i < w->cells.len; i++)
        if (w->cells.data[i].step < first)
            first = w->cells.data[i].step;
    return (struct native_run){.events = &w->events,
                               .n_steps = w->steps,
                               .trace_from = first,
                               .trace_steps = w->steps - first};
}

/* The state along the run, as it is shown to people. */
static bool check_cells(struct auditor *a, const struct witness *w, int64_t goal, struct err *err) {
    struct native_result result = {0};
    struct native_run run = run_with_cells(w);
    if (w->cells.len > 0 && !native_can_record(a->zero, &run)) {
        fail(a, goal, "its witness shows more states than a run can have");
        return true;
    }
    bool ok = w->cells.len == 0 || native_replay(a->zero, &run, &result, err), same = true;
    for (size_t i = 0; ok && same && a->in_time && i < w->cells.len; i++) {
        const struct witness_cell *c = &w->cells.data[i];
        bool init = c->step == UINT32_MAX;
        size_t at = init ? c->cell : (size_t)(c->step - run.trace_from) * result.n_cells + c->cell;
        same = c->cell < result.n_cells &&
               (init ? at < result.init_cells.len && result.init_cells.data[at] == c->bits
                     : at < result.cells.len && result.cells.data[at] == c->bits);
    }
    if (ok && !same)
        fail(a, goal, "its witness leads to other states than the database says");
    native_result_free(&result);
    return ok;
}

static bool check_witness(struct auditor *a, int64_t id, struct err *err) {
    struct witness w = {0};
    struct scenario scenario = {0};
    struct claimed_list claims = {0};
    bool ok = load_claims(a, "witness", id, &claims, err);
    if (ok && (!store_get_witness(a->file.db, id, &w, &a->arena) || !inputs_exist(a, &w))) {
        fail(a, claims.data[0].goal, "its witness cannot be read");
    } else if (ok) {
        limit_replay(a, seconds_for(a, WITNESS_SECONDS));
        scenario.n_steps = w.steps;
        vec_append(&scenario.events, w.events.data, w.events.len);
        ok = scenario_confirm(a->zero, a->pattern, &scenario, err);
        if (ok && a->in_time)
            judge_hits(a, &scenario, &claims);
        ok = ok && check_cells(a, &w, claims.data[0].goal, err);
        for (size_t i = 0; ok && !a->in_time && i < claims.len; i++)
            undecided(a, claims.data[i].goal, "its witness could not be replayed in time");
        if (ok && !store_witness_shows(a->file.db, id, err))
            fail(a, claims.data[0].goal, "its witness shows other values than it has");
        ok = ok && err->code == ERR_NONE;
    }
    scenario_free(&scenario);
    witness_free(&w);
    vec_free(&claims);
    return ok;
}

static bool build_natives(struct auditor *a, struct err *err) {
    a->file.program.cut = is_over;
    a->file.program.stop_context = a;
    if (!a->zero)
        a->zero = native_open(&a->file.program, NATIVE_ZERO, err);
    if (a->zero && !a->pattern)
        a->pattern = native_open(&a->file.program, NATIVE_PATTERN, err);
    return a->pattern != NULL;
}

static void build_by_gcc(struct auditor *a) {
    struct err err = {0};
    if (!native_gcc(a->pattern, &err))
        log_warning(a->options->log,
                    "no build by gcc, so witnesses are replayed by clang alone: %s",
                    str_text(&err.message));
    err_clear(&err);
}

static bool check_witnesses(struct auditor *a, struct err *err) {
    struct claimed_list ids = {0};
    bool ok = load_ids(a, "witness", &ids, err);
    if (ok && ids.len > 0) {
        ok = build_natives(a, err);
        if (ok)
            build_by_gcc(a);
    }
    for (size_t i = 0; ok && i < ids.len; i++) {
        ok = check_witness(a, ids.data[i].goal, err);
        log_progress(a->options->log, "%zu of %zu witnesses replayed", i + 1, ids.len);
    }
    limit_replay(a, 0);
    vec_free(&ids);
    return ok;
}

/* ---- proofs ---- */

/* The claim is what the goals say, not what the proof says of itself. */
static void set_targets(struct auditor *a, struct invariant *inv, const struct claimed_list *claims,
                        struct claimed_list *probes) {
    vec_clear(&inv->targets);
    for (size_t i = 0; i < claims->len; i++) {
        uint32_t t = evidence_model_target(&a->model, claims->data[i].probe);
        bool seen = false;
        for (size_t p = 0; p < probes->len && !seen; p++)
            seen = probes->data[p].probe == claims->data[i].probe;
        if (seen)
            continue;
        vec_push(probes, claims->data[i]);
        if (t != NONE)
            vec_push(&inv->targets, t);
    }
}

static void judge_proof(struct auditor *a, const struct claimed_list *claims,
                        const struct audit_result *result) {
    a->checked += (unsigned)claims->len;
    if (result->answer == AUDIT_CONFIRMED)
        return;
    for (size_t i = 0; i < claims->len; i++) {
        if (result->answer == AUDIT_REFUTED) {
            fail(a, claims->data[i].goal, "its proof is refuted");
        } else {
            undecided(a, claims->data[i].goal,
                      arena_printf(&a->arena, "its proof could not be re-checked in time: %s",
                                   str_text(&result->detail)));
        }
    }
}

/* The clauses as people read them are those of the proof. */
static bool same_clauses(const struct auditor *a, const struct proof *proof,
                         const struct invariant *inv) {
    bool same = proof->clauses.len == inv->clauses.len;
    for (size_t i = 0; same && i < inv->clauses.len; i++) {
        struct str text = {0};
        clause_print(&inv->clauses.data[i], &a->model.sys, &text);
        same = strcmp(str_text(&text), proof->clauses.data[i]) == 0;
        str_free(&text);
    }
    return same;
}

/* Of what is confirmed. */
static void ask_others(struct auditor *a, const struct invariant *inv,
                       const struct claimed_list *claims, const char *by) {
    struct str against = {0};
    const char *named = store_checked_by(a->file.db, (uint32_t)claims->data[0].goal - 1, &a->arena);
    bool refuted = opinions_ask(&a->opinions, &a->model.sys, inv, named, &against);
    for (size_t i = 0; refuted && i < claims->len; i++)
        fail(a, claims->data[i].goal,
             arena_printf(&a->arena, "its proof is confirmed by %s, and %s", by,
                          str_text(&against)));
    str_free(&against);
}

static void check_certificate(struct auditor *a, const struct proof *proof,
                              const struct invariant *inv, const struct claimed_list *claims,
                              const struct claimed_list *probes) {
    VEC(uint32_t) numbers = {0};
    for (size_t i = 0; i < probes->len; i++)
        vec_push(&numbers, probes->data[i].probe);
    struct audit_proof question = {.woven = str_text(&a->file.woven),
                                   .module = &a->file.module,
                                   .lowered = &a->model.lowered,
                                   .sys = &a->model.sys,
                                   .invariant = inv,
                                   .probes = numbers.data,
                                   .n_probes = numbers.len,
                                   .by_cbmc = engine_is_cbmc(proof->engine),
                                   .cbmc = a->has_cbmc ? &a->cbmc : NULL,
                                   .cbmc_seconds = seconds_for(a, CBMC_SECONDS),
                                   .memory_mb = a->options->memory_mb};
    struct audit_result result = {.answer = AUDIT_UNDECIDED};
    struct str text = {0};
    if (proof->certificate && !audit_is_certificate(&question, proof->certificate))
        fail(a, claims->data[0].goal, "its certificate is not about this proof and this program");
    if (!same_clauses(a, proof, inv))
        fail(a, claims->data[0].goal, "the clauses it shows are not those of its proof");
    audit_check_proof(&question, &text, &result);
    judge_proof(a, claims, &result);
    if (result.answer == AUDIT_CONFIRMED)
        ask_others(a, inv, claims, result.checked_by);
    audit_result_free(&result);
    str_free(&text);
    vec_free(&numbers);
}

static void keep_proof(struct auditor *a, const struct invariant *inv,
                       const struct claimed_list *claims, const struct claimed_list *probes) {
    struct kept_proof kept = {0};
    invariant_init(&kept.inv);
    invariant_copy(&kept.inv, inv);
    vec_append(&kept.claims, claims->data, claims->len);
    for (size_t i = 0; i < probes->len; i++)
        vec_push(&kept.probes, probes->data[i].probe);
    vec_push(&a->proofs, kept);
}

static bool check_proof(struct auditor *a, int64_t id, struct err *err) {
    struct proof proof = {0};
    struct invariant inv;
    struct claimed_list claims = {0}, probes = {0};
    struct err bad = {0};
    invariant_init(&inv);
    bool ok = load_claims(a, "proof", id, &claims, err);
    bool readable = ok && store_get_proof(a->file.db, id, &proof, &a->arena);
    ok = ok && (!readable || evidence_model_make(&a->model, &a->file,
                                                 evidence_file_keeps_loops(&a->file, &proof), err));
    if (ok && (!readable || !invariant_read(&inv, &a->model.sys, proof.invariant, &bad))) {
        fail(a, claims.data[0].goal, "its proof cannot be read");
    } else if (ok && inv.k != proof.k) {
        fail(a, claims.data[0].goal, "its proof has another depth than the database says");
    } else if (ok) {
        set_targets(a, &inv, &claims, &probes);
        check_certificate(a, &proof, &inv, &claims, &probes);
        keep_proof(a, &inv, &claims, &probes);
        a->about_places |= evidence_file_keeps_loops(&a->file, &proof);
    }
    err_clear(&bad);
    invariant_free(&inv);
    proof_free(&proof);
    vec_free(&claims);
    vec_free(&probes);
    return ok;
}

/* Its answers count only after it has shown that it can tell true from false, and reads the C of
 * this program as compilers do. */
static void open_cbmc(struct auditor *a) {
    struct str why = {0};
    const char *program = tool_cbmc(&a->arena);
    a->has_cbmc = cbmc_open(&a->cbmc, program, &why) &&
                  cbmc_understands(&a->cbmc, &a->file.module, str_text(&a->file.woven), &why);
    if (!a->has_cbmc)
        printf("without CBMC: %s\n", str_text(&why));
    str_free(&why);
}

static bool check_proofs(struct auditor *a, struct err *err) {
    struct claimed_list ids = {0};
    bool ok = load_ids(a, "proof", &ids, err);
    if (ok && ids.len > 0) {
        open_cbmc(a);
        a->opinions.memory_mb = a->options->memory_mb;
        opinions_open(&a->opinions, &a->arena);
    }
    for (size_t i = 0; ok && i < ids.len; i++) {
        ok = check_proof(a, ids.data[i].goal, err);
        log_progress(a->options->log, "%zu of %zu proofs re-checked", i + 1, ids.len);
    }
    opinions_print(&a->opinions);
    vec_free(&ids);
    return ok;
}

/* A verdict does not rest on them: they say why it is one. */
static bool check_reasons(struct auditor *a, struct err *err) {
    struct reasons_question question = {.file = &a->file,
                                        .cbmc = a->has_cbmc ? &a->cbmc : NULL,
                                        .only = a->only,
                                        .seconds = seconds_for(a, CBMC_SECONDS),
                                        .memory_mb = a->options->memory_mb};
    struct reasons_result r = {0};
    bool ok = a->file.module.task || reasons_check(&question, &r, err);
    printf("%s", str_text(&r.text));
    if (r.confirmed + r.failed + r.undecided > 0)
        printf("%u reasons of dead goals confirmed, %u failed, %u not decided in time\n",
               r.confirmed, r.failed, r.undecided);
    a->failed += r.failed;
    a->undecided += r.undecided;
    str_free(&r.text);
    return ok;
}

/* ---- proofs against the compiled program ---- */

static void judge_trial(struct auditor *a, const struct trial_result *r) {
    const struct kept_proof *kept = &a->proofs.data[r->failed ? r->proof : 0];
    for (size_t i = 0; r->failed && i < kept->claims.len; i++)
        fail(a, kept->claims.data[i].goal,
             arena_printf(&a->arena, "its proof fails on the compiled program: %s",
                          str_text(&r->what)));
}

static bool try_proofs(struct auditor *a, struct err *err) {
    struct trial_result r = {0};
    if (a->proofs.len == 0 || a->about_places || a->file.module.task)
        return true;
    if (!build_natives(a, err))
        return false;
    build_by_gcc(a);
    struct native *gcc = native_gcc(a->pattern, err);
    struct trial t = {.sys = &a->model.sys,
                      .module = &a->file.module,
                      .zero = native_again(a->zero, TRIAL_STEP_MS),
                      .pattern = native_again(a->pattern, TRIAL_STEP_MS),
                      .gcc = gcc ? native_again(gcc, TRIAL_STEP_MS) : NULL,
                      .may_end = a->model.lowered.ends.len > 0,
                      .seed = 1,
                      .cpu_seconds =
                          trial_seconds(clock_cpu(RUSAGE_SELF) + clock_cpu(RUSAGE_CHILDREN))};
    for (size_t i = 0; i < a->proofs.len; i++) {
        const struct kept_proof *k = &a->proofs.data[i];
        vec_push(&t.proofs, (struct trial_proof){&k->inv, k->probes.data, k->probes.len});
    }
    bool ok = trial_run(&t, &r, err);
    if (ok)
        judge_trial(a, &r);
    trial_result_free(&r);
    vec_free(&t.proofs);
    native_close(t.zero);
    native_close(t.pattern);
    native_close(t.gcc);
    return ok;
}

static void auditor_free(struct auditor *a) {
    for (size_t i = 0; i < a->proofs.len; i++) {
        invariant_free(&a->proofs.data[i].inv);
        vec_free(&a->proofs.data[i].claims);
        vec_free(&a->proofs.data[i].probes);
    }
    vec_free(&a->proofs);
    native_close(a->zero);
    native_close(a->pattern);
    evidence_model_free(&a->model);
    evidence_file_close(&a->file);
    arena_free(&a->arena);
}

/* What reports ask must be what is checked here. */
static bool check_form(struct auditor *a, struct err *err) {
    struct str found = {0};
    bool ok = form_check(a->file.db, &found, err);
    if (ok && found.len > 0) {
        printf("the database is not as a run makes it: %s\n", str_text(&found));
        a->failed++;
    }
    str_free(&found);
    return ok;
}

/* Whatever was changed since the run: also what nothing below looks at, such as the line of a goal.
 */
static bool check_seal(struct auditor *a, struct err *err) {
    char sum[SHA256_HEX], *stored = seal_stored(a->file.db);
    bool ok = seal_compute(a->file.db, sum, err);
    if (ok)
        printf("checksum of all that the run has stored: %s%s\n", sum,
               stored ? "" : " (none was stored: the run was not ended, or is an older one)");
    if (ok && stored && !str_same(stored, sum)) {
        printf("the database was changed since the run: it was %s then\n", stored);
        a->failed++;
    }
    mem_free(stored);
    return ok;
}

static bool check_listing(struct auditor *a, struct err *err) {
    struct again_result r = {0};
    bool ok = again_compare(a->file.db, &r, err);
    if (ok)
        printf("%s\n", str_text(&r.text));
    a->failed += ok && r.answer == AGAIN_DIFFERS;
    a->listed = ok && r.answer == AGAIN_SAME;
    again_free(&r);
    return ok;
}

static bool check_signature(const struct options *o, struct err *err) {
    struct str who = {0};
    if (!o->signature && !o->signers)
        return true;
    if (!o->signature || !o->signers)
        return err_set(err, ERR_USAGE, "--signature and --signers belong together");
    bool ok = signature_check(options_database(o), o->signature, o->signers, &who, err);
    if (ok)
        printf("signed by %s\n", str_text(&who));
    str_free(&who);
    return ok;
}

static bool can_record(const struct options *o, struct err *err) {
    if (o->record && o->goal)
        return err_set(err, ERR_USAGE, "--record is about all goals: leave out --goal");
    return true;
}

/* For the title of the report. The checksum says of which state it is. */
static bool record(struct auditor *a, const char *path, struct err *err) {
    struct store *db = NULL;
    char *sum = seal_stored(a->file.db), when[32];
    time_t now = time(NULL);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    const char *text = arena_printf(
        &a->arena,
        "%s: %u verdicts re-checked, %u failed, %u not decided in time; Goalkeeper %s, %s", when,
        a->checked, a->failed, a->undecided, GK_VERSION, build_id(&a->arena));
    bool ok = store_open(&db, path, STORE_WRITE, err) && store_info(db, AUDITED_KEY, text, err) &&
              store_info(db, AUDITED_SUM_KEY, sum ? sum : "", err);
    mem_free(sum);
    store_close(db);
    return ok;
}

/* What could not be checked is no failure, but no confirmation either. */
static int is_incomplete(const struct auditor *a) {
    if (!a->options->require_complete || (a->listed && a->undecided == 0))
        return 0;
    fprintf(stderr, "goalkeeper: not all was checked: %s\n",
            a->undecided ? "evidence was not decided in time"
                         : "goals and program were not made again from the sources");
    return ERR_INCOMPLETE;
}

int cmd_audit(const struct options *o) {
    struct auditor a = {.options = o};
    struct err err = {0};
    bool ok = can_record(o, &err) && check_signature(o, &err) &&
              evidence_file_open(&a.file, options_database(o), STORE_READ, &err);
    if (ok && o->goal)
        ok = (a.only = evidence_file_goal(&a.file, o->goal, &err)) > 0;
    ok = ok && check_form(&a, &err) && check_seal(&a, &err);
    if (ok)
        check_program(&a);
    ok = ok && check_listing(&a, &err) && check_statuses(&a, &err) && check_witnesses(&a, &err) &&
         check_proofs(&a, &err) && check_reasons(&a, &err) && try_proofs(&a, &err);
    log_progress_end(o->log);
    if (ok)
        printf("%u verdicts re-checked, %u failed, %u not decided in time\n", a.checked, a.failed,
               a.undecided);
    ok = ok && (!o->record || record(&a, options_database(o), &err));
    int code = !ok ? command_fail(&err) : a.failed ? ERR_EVIDENCE : is_incomplete(&a);
    auditor_free(&a);
    return code;
}
