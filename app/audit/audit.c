/* A certificate is asked of CBMC in forms, from the cheapest: few iterations of inner loops first,
 * guards of the program's own ends only when the bare form fails. What CBMC leaves open a fresh
 * solver answers on the model. A stored certificate is written again, byte for byte, before it is
 * believed. */
#include "app/audit/audit.h"
#include "app/audit/bitwuzla.h"

#include "base/file.h"
#include "base/mem.h"
#include "engines/candidates.h"
#include "engines/horn/btor2_write.h"
#include "engines/invariant/trim.h"
#include "engines/z3/check.h"
#include "instrument/cbmc/cbmc.h"
#include "instrument/cbmc/certificate.h"
#include "instrument/cbmc/task.h"
#include "instrument/weave/guards.h"
#include "model/system/choice.h"
#include "model/system/slicer.h"

#include <stdlib.h>
#include <string.h>

enum { FEW_ITERATIONS = 16, FEWER_BY = 8, SOLVER_TICKS = 100000000 };

/* How a certificate is asked. CBMC follows each loop at most as far as the model did, and one time
 * more to see that it ends; a proof may need less, where loops end because of the invariant. Only a
 * few proofs need that runs end at a division by zero and the like. */
struct form {
    unsigned unwind;
    bool guarded, refutable;
};

static struct form first_form(const struct audit_proof *proof) {
    unsigned full = proof->lowered->iterations + 2;
    return (struct form){.unwind = full < FEW_ITERATIONS ? full : FEW_ITERATIONS};
}

/* What is worth asking after this answer; false: nothing is. */
static bool next_form(const struct audit_proof *proof, enum cbmc_answer answer, struct form *form) {
    unsigned full = proof->lowered->iterations + 2;
    if (answer == CBMC_UNWIND && form->unwind < full) {
        form->unwind = form->unwind * FEWER_BY < full ? form->unwind * FEWER_BY : full;
        return true;
    }
    if (answer != CBMC_FAILED || form->guarded)
        return false;
    form->guarded = true;
    return guards_present(proof->woven);
}

static bool write_certificate(const struct audit_proof *proof, struct form form, struct str *text,
                              struct err *err) {
    struct certificate c = {
        .base = {.woven = proof->woven,
                 .module = proof->module,
                 .sys = proof->sys,
                 .pointers = proof->lowered->pointers.data,
                 .n_pointers = proof->lowered->pointers.len,
                 .state = proof->lowered->state.data,
                 .invariant = proof->invariant,
                 .elements = proof->elements},
        .probes = proof->probes,
        .n_probes = proof->n_probes,
        .assumes = proof->assumes,
        .claims = proof->claims,
        .guarded = form.guarded,
        .refutable = form.refutable,
        .unwind = form.unwind,
    };
    assert(form.unwind > 0);
    str_clear(text);
    if (certificate_write(&c, text, err))
        return true;
    str_clear(text);
    return false;
}

static enum cbmc_answer ask_cbmc(const struct audit_proof *proof, const char *path,
                                 const struct str *certificate, unsigned unwind,
                                 struct str *detail) {
    struct cbmc_run run = {.cbmc = proof->cbmc,
                           .file = path,
                           .ilp32 = proof->module->ilp32,
                           .char_is_unsigned = !proof->module->char_is_signed,
                           .unwind = unwind,
                           .seconds = proof->cbmc_seconds,
                           .cpu_seconds = proof->cbmc_cpu_seconds,
                           .memory_mb = proof->memory_mb};
    struct err err = {0};
    enum cbmc_answer answer = CBMC_NO_ANSWER;
    str_clear(detail);
    if (file_write(path, certificate->data, certificate->len, &err))
        answer = cbmc_verify(&run, detail);
    else
        str_add(detail, str_text(&err.message));
    err_clear(&err);
    return answer;
}

/* What CBMC has found and confirms itself counts only if it refutes the same with a false assertion
 * added: one that confirms everything would not. */
static enum cbmc_answer doubt(const struct audit_proof *proof, const char *path, struct form form,
                              struct str *detail) {
    struct str text = {0}, said = {0};
    struct err err = {0};
    form.refutable = true;
    bool refuted = write_certificate(proof, form, &text, &err) &&
                   ask_cbmc(proof, path, &text, form.unwind, &said) == CBMC_FAILED;
    if (!refuted)
        str_addf(detail, "; but with a false assertion added: %s", str_text(&said));
    err_clear(&err);
    str_free(&text);
    str_free(&said);
    return refuted ? CBMC_SUCCESSFUL : CBMC_NO_ANSWER;
}

/* ---- verification tasks ---- */

/* The whole program, and nothing of the proof: an answer is one about the task itself. Where loops
 * were cut, their ends are unknown, and one look at a few iterations has to do. */
static struct cbmc_run task_run(const struct audit_proof *proof) {
    unsigned full = proof->lowered->iterations + 2;
    bool cut = proof->lowered->places.len > 0;
    return (struct cbmc_run){.cbmc = proof->cbmc,
                             .ilp32 = proof->module->ilp32,
                             .char_is_unsigned = !proof->module->char_is_signed,
                             .unwind = cut || full < FEW_ITERATIONS ? FEW_ITERATIONS : full,
                             .seconds = proof->cbmc_seconds,
                             .cpu_seconds = proof->cbmc_cpu_seconds,
                             .memory_mb = proof->memory_mb};
}

static void write_task(const struct audit_proof *proof, unsigned unwind, struct str *text) {
    str_clear(text);
    str_addf(text,
             "/* Written by Goalkeeper: a verification task for CBMC.\n *\n"
             " * Claim: the error, property \"gk 0\", can never be reached.\n"
             " * Check: cbmc --no-standard-checks %s%s --unwind %u --unwinding-assertions FILE\n"
             " * must answer VERIFICATION SUCCESSFUL.\n */\n",
             proof->module->ilp32 ? "--32" : "--64",
             proof->module->char_is_signed ? "" : " --unsigned-char", unwind);
    cbmc_task_write(proof->woven, text);
}

/* Only what CBMC has confirmed is a certificate. */
static enum cbmc_answer certify_task(const struct audit_proof *proof, bool ask, struct str *text,
                                     struct str *detail) {
    struct cbmc_run run = task_run(proof);
    enum cbmc_answer answer = CBMC_NO_ANSWER;
    str_clear(text);
    if (!ask || !proof->cbmc)
        str_add(detail, "not used");
    else
        answer = cbmc_task_verify(&run, proof->woven, detail);
    if (answer == CBMC_SUCCESSFUL)
        write_task(proof, run.unwind, text);
    return answer;
}

static bool is_task_text(const struct audit_proof *proof, const char *stored) {
    const char *unwind = strstr(stored, "--unwind ");
    struct str text = {0};
    write_task(proof, unwind ? (unsigned)strtoul(unwind + 9, NULL, 10) : 0, &text);
    bool same = str_same(str_text(&text), stored);
    str_free(&text);
    return same;
}

/* ---- modules ---- */

static enum cbmc_answer ask_forms(const struct audit_proof *proof, const char *path,
                                  struct str *certificate, struct str *detail, struct err *err) {
    struct form form = first_form(proof), last;
    enum cbmc_answer answer;
    do {
        last = form;
        answer = ask_cbmc(proof, path, certificate, form.unwind, detail);
    } while (next_form(proof, answer, &form) && write_certificate(proof, form, certificate, err));
    return answer == CBMC_SUCCESSFUL && proof->by_cbmc ? doubt(proof, path, last, detail) : answer;
}

/* The certificate in the form that is confirmed, or the last one that was tried. */
static enum cbmc_answer certify(const struct audit_proof *proof, bool ask, struct str *certificate,
                                struct str *detail) {
    struct str dir = {0}, path = {0};
    struct err err = {0};
    enum cbmc_answer answer = CBMC_NO_ANSWER;
    if (proof->module->task)
        return certify_task(proof, ask, certificate, detail);
    bool ok = write_certificate(proof, first_form(proof), certificate, &err);
    if (ok && (!proof->cbmc || !ask))
        str_add(detail, "not used");
    else if (ok && file_temp_dir(&dir, &err)) {
        str_addf(&path, "%s/certificate.c", str_text(&dir));
        answer = ask_forms(proof, str_text(&path), certificate, detail, &err);
        file_remove_tree(str_text(&dir));
    }
    str_add(detail, str_text(&err.message));
    err_clear(&err);
    str_free(&dir);
    str_free(&path);
    return answer;
}

/* ---- by a fresh solver ---- */

/* The invariant over the cells and targets of a slice that has all of them. */
static void put_on_slice(struct invariant *out, const struct invariant *inv, struct slice *slice,
                         const struct system *sys) {
    invariant_on_slice(out, inv, slice, sys);
    out->k = inv->k;
    for (uint32_t t = 0; t < slice->target_map.len; t++)
        vec_push(&out->targets, t);
    assert(out->clauses.len == inv->clauses.len && out->targets.len == inv->targets.len);
}

/* Where a solver does not see it by the clauses alone, the comparisons that the program makes of
 * their cells become cells, too: nothing more is assumed, but it can split on them. */
static enum solver_result check_on(struct system *sys, const struct invariant *inv, uint64_t ticks,
                                   struct str *what) {
    struct str first = {0};
    enum solver_result said = invariant_check(sys, inv, ticks, &first);
    size_t cells = sys->cells.len;
    if (said == SOLVER_UNKNOWN)
        candidates_derive(sys, CANDIDATES_MOST);
    if (sys->cells.len > cells)
        said = invariant_check(sys, inv, ticks, what);
    else
        str_add(what, str_text(&first));
    str_free(&first);
    return said;
}

static enum solver_result solve_on(const struct system *sys, const struct invariant *invariant,
                                   bool all_constraints, uint64_t ticks, struct str *what) {
    struct slice slice;
    struct invariant inv;
    invariant_init(&inv);
    invariant_slice(&slice, sys, invariant, all_constraints);
    put_on_slice(&inv, invariant, &slice, sys);
    enum solver_result said = check_on(&slice.sys, &inv, ticks ? ticks : SOLVER_TICKS, what);
    invariant_free(&inv);
    slice_free(&slice);
    return said;
}

/* Without constraints on what the proof does not speak of there are more runs: a proof for these is
 * one, and only with all of them it can be refuted. */
enum audit_answer audit_by_solver(const struct system *sys, const struct invariant *invariant,
                                  uint64_t ticks, struct str *what) {
    struct str first = {0};
    enum solver_result said = solve_on(sys, invariant, false, ticks, &first);
    if (said == SOLVER_SAT)
        said = solve_on(sys, invariant, true, ticks, what);
    else
        str_add(what, str_text(&first));
    str_free(&first);
    return said == SOLVER_UNSAT ? AUDIT_CONFIRMED
           : said == SOLVER_SAT ? AUDIT_REFUTED
                                : AUDIT_UNDECIDED;
}

static struct z3_said ask_z3_on(const struct system *sys, const struct invariant *invariant,
                                bool all_constraints, unsigned effort) {
    struct slice slice;
    struct invariant inv;
    invariant_init(&inv);
    invariant_slice(&slice, sys, invariant, all_constraints);
    put_on_slice(&inv, invariant, &slice, sys);
    struct z3_said said = z3_check(&slice.sys, &inv, effort);
    invariant_free(&inv);
    slice_free(&slice);
    return said;
}

enum audit_answer audit_by_z3(const struct system *sys, const struct invariant *invariant,
                              unsigned effort, bool *floats, struct str *what) {
    struct z3_said said = ask_z3_on(sys, invariant, false, effort);
    if (said.answer == Z3_REFUTES)
        said = ask_z3_on(sys, invariant, true, effort);
    if (said.obligation)
        str_add(what, said.obligation);
    *floats = said.floats;
    return said.answer == Z3_CONFIRMS  ? AUDIT_CONFIRMED
           : said.answer == Z3_REFUTES ? AUDIT_REFUTED
                                       : AUDIT_UNDECIDED;
}

bool audit_write_obligations(const struct system *sys, const struct invariant *invariant,
                             const char *status, struct arena *names, struct z3_obligations *out) {
    struct slice slice;
    struct invariant inv;
    invariant_init(&inv);
    invariant_slice(&slice, sys, invariant, true);
    put_on_slice(&inv, invariant, &slice, sys);
    bool ok = z3_write(&slice.sys, &inv, status, names, out);
    invariant_free(&inv);
    slice_free(&slice);
    return ok;
}

/* What cannot be said exactly is not asked, so that a solution is a refutation. It is not told
 * which answer is wanted: Bitwuzla ends with an error instead of another one. */
static enum audit_answer ask_each(const struct bitwuzla *b, const struct z3_obligations *all,
                                  const struct bitwuzla_limits *limits, struct str *what) {
    enum bitwuzla_answer said = BITWUZLA_UNSAT;
    assert(all->len > 0);
    for (size_t i = 0; said == BITWUZLA_UNSAT && i < all->len; i++) {
        struct str detail = {0};
        said = bitwuzla_ask(b, &all->data[i].text, limits, &detail);
        if (said != BITWUZLA_UNSAT)
            str_addf(what, "%s%s%s", all->data[i].name, detail.len ? ": " : "", str_text(&detail));
        str_free(&detail);
    }
    return said == BITWUZLA_UNSAT ? AUDIT_CONFIRMED
           : said == BITWUZLA_SAT ? AUDIT_REFUTED
                                  : AUDIT_UNDECIDED;
}

enum audit_answer audit_by_bitwuzla(const struct bitwuzla *b, const struct system *sys,
                                    const struct invariant *invariant,
                                    const struct bitwuzla_limits *limits, struct str *what) {
    struct arena names = {0};
    struct z3_obligations all = {0};
    enum audit_answer answer = AUDIT_UNDECIDED;
    if (audit_write_obligations(sys, invariant, "unknown", &names, &all))
        answer = ask_each(b, &all, limits, what);
    else
        str_add(what, "it cannot be said exactly in SMT-LIB");
    for (size_t i = 0; i < all.len; i++)
        str_free(&all.data[i].text);
    vec_free(&all);
    arena_free(&names);
    return answer;
}

bool audit_write_btor2(const struct system *sys, const struct invariant *invariant,
                       struct str *out) {
    struct slice slice;
    struct invariant inv;
    invariant_init(&inv);
    invariant_slice(&slice, sys, invariant, true);
    put_on_slice(&inv, invariant, &slice, sys);
    bool ok = btor2_write(&slice.sys, &inv, out);
    invariant_free(&inv);
    slice_free(&slice);
    return ok;
}

/* Overruns are not in the C program, and CBMC knows nothing of what the model cannot follow: that
 * they are dead is always checked on the model. */
static bool overruns_confirmed(const struct audit_proof *proof, struct audit_result *result) {
    struct invariant part;
    struct str what = {0};
    if (proof->sys->overruns.len == 0)
        return true;
    invariant_init(&part);
    invariant_copy(&part, proof->invariant);
    vec_clear(&part.targets);
    vec_append(&part.targets, proof->sys->overruns.data, proof->sys->overruns.len);
    enum audit_answer said = audit_by_solver(proof->sys, &part, 0, &what);
    result->answer = said == AUDIT_CONFIRMED ? AUDIT_UNDECIDED : said;
    if (said != AUDIT_CONFIRMED)
        str_addf(&result->detail,
                 "; a loop limit or an unsupported construct is not shown to be "
                 "out of reach (%s)",
                 str_text(&what));
    str_free(&what);
    invariant_free(&part);
    return said == AUDIT_CONFIRMED;
}

bool audit_has_choice(const struct audit_proof *proof) {
    const struct invariant *inv = proof->invariant;
    return choice_in(proof->sys, inv->targets.data, inv->targets.len);
}

static void ask_solver(const struct audit_proof *proof, struct audit_result *result) {
    struct str what = {0};
    uint64_t ticks = proof->by_cbmc ? SOLVER_TICKS / 10 : SOLVER_TICKS; /* first, or last */
    result->answer = audit_by_solver(proof->sys, proof->invariant, ticks, &what);
    if (result->answer == AUDIT_CONFIRMED) {
        result->checked_by = "solver";
        str_add(&result->detail, "; confirmed by a fresh solver");
    } else if (result->answer == AUDIT_REFUTED) {
        str_addf(&result->detail, "; the solver refutes the %s", str_text(&what));
    } else {
        str_addf(&result->detail, "; the solver does not decide the %s in time", str_text(&what));
    }
    str_free(&what);
}

/* ---- by CBMC, then by the solver ---- */

void audit_check_by_cbmc(const struct audit_proof *proof, struct str *certificate,
                         struct audit_result *result) {
    struct str said = {0};
    assert(proof->cbmc && proof->n_probes > 0);
    result->answer = AUDIT_UNDECIDED;
    result->checked_by = NULL;
    str_clear(certificate);
    enum cbmc_answer answer = certify(proof, true, certificate, &said);
    str_addf(&result->detail, "CBMC: %s", str_text(&said));
    str_free(&said);
    if (answer == CBMC_SUCCESSFUL) {
        result->answer = AUDIT_CONFIRMED;
        result->checked_by = "cbmc";
    } else if (answer == CBMC_FAILED) {
        result->answer = AUDIT_REFUTED;
    }
}

void audit_write_certificate(const struct audit_proof *proof, struct str *certificate) {
    struct str said = {0};
    certify(proof, false, certificate, &said);
    str_free(&said);
}

void audit_check_proof(const struct audit_proof *proof, struct str *certificate,
                       struct audit_result *result) {
    bool about_goals = proof->n_probes > 0;
    result->answer = AUDIT_UNDECIDED;
    result->checked_by = NULL;
    str_clear(certificate);
    if (about_goals && !overruns_confirmed(proof, result))
        return;
    bool by_model = about_goals && (proof->by_cbmc || audit_has_choice(proof));
    if (by_model)
        ask_solver(proof, result);
    if (about_goals && proof->cbmc && result->answer == AUDIT_UNDECIDED &&
        !audit_has_choice(proof)) {
        audit_check_by_cbmc(proof, certificate, result);
    } else {
        str_add(&result->detail, about_goals ? "CBMC: not used" : "CBMC: overruns are not in C");
        if (about_goals)
            audit_write_certificate(proof, certificate);
    }
    if (result->answer == AUDIT_UNDECIDED && !by_model)
        ask_solver(proof, result);
}

/* ---- a certificate that was stored ---- */

/* What is for the compiler: all but the comment that it begins with. */
static const char *behind_head(const char *certificate) {
    const char *end = str_starts(certificate, "/*") ? strstr(certificate, "*/") : NULL;
    return end ? end : certificate;
}

/* The goals that it claims: the designators of its table. */
static void read_probes(const char *certificate, uint32_t **probes, size_t *n) {
    const char *table = strstr(certificate, "gk_listed["), *at = table ? strchr(table, '{') : NULL,
               *end = at ? strchr(at, '}') : NULL;
    VEC(uint32_t) list = {0};
    while (at && end && (at = strchr(at, '[')) && at < end)
        vec_push(&list, (uint32_t)strtoul(++at, NULL, 10));
    *probes = list.data;
    *n = list.len;
}

static bool includes(const uint32_t *list, size_t n, uint32_t probe) {
    for (size_t i = 0; i < n; i++)
        if (list[i] == probe)
            return true;
    return false;
}

static bool is_written_as(const struct audit_proof *proof, const char *stored, struct form form) {
    struct audit_proof again = *proof;
    struct str text = {0};
    struct err err = {0};
    uint32_t *probes;
    read_probes(behind_head(stored), &probes, &again.n_probes);
    again.probes = probes;
    bool same = again.n_probes > 0;
    for (size_t i = 0; same && i < proof->n_probes; i++)
        same = includes(probes, again.n_probes, proof->probes[i]);
    same = same && write_certificate(&again, form, &text, &err) &&
           strcmp(behind_head(str_text(&text)), behind_head(stored)) == 0;
    mem_free(probes);
    err_clear(&err);
    str_free(&text);
    return same;
}

bool audit_is_certificate(const struct audit_proof *proof, const char *stored) {
    const char *unwind = strstr(stored, "--unwind ");
    struct form form = {.unwind = unwind ? (unsigned)strtoul(unwind + 9, NULL, 10) : 0};
    bool found = false;
    if (proof->module->task)
        return is_task_text(proof, stored);
    for (int way = 0; form.unwind > 0 && !found && way < 2; way++) {
        form.guarded = way;
        found = is_written_as(proof, stored, form);
    }
    return found;
}

void audit_result_free(struct audit_result *result) {
    str_free(&result->detail);
}
