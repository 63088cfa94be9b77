/* A folder of files, one a question or one a proof, and a Makefile that asks a solver. */
#include "app/export/obligations.h"

#include "app/audit/audit.h"
#include "app/audit/evidence_file.h"
#include "base/file.h"
#include "db/rows.h"
#include "engines/z3/check.h"

#include <string.h>

struct writer {
    struct arena arena;
    struct evidence_file file;
    struct evidence_model model;
    const char *folder;
    struct log *log;
    enum obligations_as as;
    struct str names; /* of all files, for the Makefile */
};

static void close_all(struct writer *w) {
    evidence_model_free(&w->model);
    evidence_file_close(&w->file);
    str_free(&w->names);
    arena_free(&w->arena);
}

/* The goals that rest on the proof, and the ends of the model. */
static bool set_targets(struct writer *w, int64_t proof, struct invariant *inv, struct err *err) {
    struct rows *r = rows_open(
        w->file.db, "SELECT DISTINCT probe FROM goal WHERE status = 'dead' AND proof = ?1", err);
    rows_bind_int(r, 1, proof);
    vec_clear(&inv->targets);
    while (rows_next(r)) {
        uint32_t t = evidence_model_target(&w->model, (uint32_t)rows_int(r, 0));
        if (t != NONE)
            vec_push(&inv->targets, t);
    }
    vec_append(&inv->targets, w->model.sys.overruns.data, w->model.sys.overruns.len);
    return rows_close(r, err);
}

static bool write_question(struct writer *w, int64_t proof, const struct z3_obligation *o,
                           struct err *err) {
    struct str text = {0};
    const char *name = arena_printf(&w->arena, "proof_%lld_%s.smt2", (long long)proof, o->name);
    str_addf(&text, "; Written by Goalkeeper: %s of proof %lld, must be unsat\n%s", o->name,
             (long long)proof, str_text(&o->text));
    str_addf(&w->names, " %s", name);
    bool ok = file_write_ours(path_join(&w->arena, w->folder, name), str_text(&text), text.len,
                              "oalkeeper", err);
    str_free(&text);
    return ok;
}

static bool write_questions(struct writer *w, int64_t id, const struct invariant *inv,
                            struct err *err) {
    struct z3_obligations all = {0};
    bool ok = true;
    if (!audit_write_obligations(&w->model.sys, inv, "unsat", &w->arena, &all))
        log_warning(w->log, "proof %lld cannot be said exactly in SMT-LIB", (long long)id);
    else
        for (size_t i = 0; ok && i < all.len; i++)
            ok = write_question(w, id, &all.data[i], err);
    for (size_t i = 0; i < all.len; i++)
        str_free(&all.data[i].text);
    vec_free(&all);
    return ok;
}

static bool write_system(struct writer *w, int64_t id, const struct invariant *inv,
                         struct err *err) {
    struct str text = {0};
    bool ok = true;
    str_addf(&text, "; " FILE_MARK ": proof %lld, %zu clauses, induction over %u steps\n",
             (long long)id, inv->clauses.len, inv->k);
    if (!audit_write_btor2(&w->model.sys, inv, &text))
        log_warning(w->log, "proof %lld is not about integers alone: not in BTOR2", (long long)id);
    else {
        const char *name = arena_printf(&w->arena, "proof_%lld.btor2", (long long)id);
        str_addf(&w->names, " %s", name);
        ok = file_write_ours(path_join(&w->arena, w->folder, name), text.data, text.len, FILE_MARK,
                             err);
    }
    str_free(&text);
    return ok;
}

static bool write_proof(struct writer *w, int64_t id, const struct proof *proof, struct err *err) {
    struct invariant inv;
    bool loops = evidence_file_keeps_loops(&w->file, proof);
    invariant_init(&inv);
    bool ok = evidence_model_make(&w->model, &w->file, loops, err) &&
              invariant_read(&inv, &w->model.sys, proof->invariant, err) &&
              set_targets(w, id, &inv, err) &&
              (w->as == OBLIGATIONS_SMT2 ? write_questions : write_system)(w, id, &inv, err);
    invariant_free(&inv);
    return ok;
}

static bool write_proofs(struct writer *w, struct err *err) {
    struct rows *r = rows_open(
        w->file.db, "SELECT DISTINCT proof FROM goal WHERE status = 'dead' ORDER BY 1", err);
    bool ok = r != NULL;
    while (ok && rows_next(r)) {
        struct proof proof = {0};
        if (store_get_proof(w->file.db, rows_int(r, 0), &proof, &w->arena))
            ok = write_proof(w, rows_int(r, 0), &proof, err);
        proof_free(&proof);
    }
    return rows_close(r, err) && ok;
}

static bool write_makefile(struct writer *w, struct err *err) {
    static const struct {
        const char *solver, *extension, *answer, *what;
    } kinds[] = {
        [OBLIGATIONS_SMT2] = {"z3", "smt2", "unsat",
                              "a solver for SMT-LIB 2; each answer must be unsat"},
        [OBLIGATIONS_BTOR2] = {"goalkeeper solve", "btor2", "safe",
                               "a model checker; each answer must be safe"},
    };
    const char *extension = kinds[w->as].extension;
    const char *text =
        arena_printf(&w->arena,
                     "# Written by Goalkeeper: asks %s.\nSOLVER = %s\nQUESTIONS =%s\n\n"
                     "check: $(QUESTIONS:.%s=.checked)\n\n"
                     "%%.checked: %%.%s\n\t$(SOLVER) $< | grep -qx %s\n\n.PHONY: check\n",
                     kinds[w->as].what, kinds[w->as].solver, str_text(&w->names), extension,
                     extension, kinds[w->as].answer);
    return file_write_ours(path_join(&w->arena, w->folder, "Makefile"), text, strlen(text),
                           "oalkeeper", err);
}

bool obligations_export(const char *database, enum obligations_as as, const char *folder,
                        struct log *log, struct err *err) {
    struct writer w = {.folder = folder, .log = log, .as = as};
    bool ok = evidence_file_open(&w.file, database, STORE_READ, err);
    if (ok && w.file.module.task)
        ok = err_set(err, ERR_USAGE,
                     "the proof of a verification task is not written as SMT-LIB or BTOR2");
    ok = ok && write_proofs(&w, err) && write_makefile(&w, err);
    close_all(&w);
    return ok;
}
