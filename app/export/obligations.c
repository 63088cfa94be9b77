#include "app/export/obligations.h"

#include "app/audit/audit.h"
#include "app/audit/evidence_file.h"
#include "app/run/loops.h"
#include "base/file.h"
#include "db/rows.h"
#include "engines/z3/check.h"

#include <string.h>

struct writer {
    struct arena arena;
    struct evidence_file file;
    struct terms terms;
    struct system sys;
    struct lowered lowered;
    bool has_model;
    const char *folder;
    struct log *log;
    struct str names; /* of all files, for the Makefile */
};

static bool open_model(struct writer *w, struct err *err) {
    struct lower_options options = {.n_probes = w->file.n_probes};
    loops_ask(&options);
    terms_init(&w->terms);
    system_init(&w->sys, &w->terms);
    w->has_model =
        lower(str_text(&w->file.woven), &w->file.module, &options, &w->sys, &w->lowered, err);
    if (!w->has_model) {
        system_free(&w->sys);
        terms_free(&w->terms);
    }
    return w->has_model;
}

static void close_all(struct writer *w) {
    if (w->has_model) {
        lowered_free(&w->lowered);
        system_free(&w->sys);
        terms_free(&w->terms);
    }
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
    while (rows_next(r))
        for (uint32_t t = 0; t < w->sys.targets.len; t++)
            if (w->sys.targets.data[t].kind == TARGET_GOAL &&
                w->sys.targets.data[t].id == rows_int(r, 0))
                vec_push(&inv->targets, t);
    vec_append(&inv->targets, w->sys.overruns.data, w->sys.overruns.len);
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

static bool write_proof(struct writer *w, int64_t id, const struct proof *proof, struct err *err) {
    struct invariant inv;
    struct z3_obligations all = {0};
    struct err bad = {0};
    invariant_init(&inv);
    bool ok = true;
    if (!invariant_read(&inv, &w->sys, proof->invariant, &bad))
        log_warning(w->log, "proof %lld is about loops that the model keeps: not in SMT-LIB",
                    (long long)id);
    else if (!set_targets(w, id, &inv, err))
        ok = false;
    else if (!audit_write_obligations(&w->sys, &inv, &w->arena, &all))
        log_warning(w->log, "proof %lld cannot be said exactly in SMT-LIB", (long long)id);
    else
        for (size_t i = 0; ok && i < all.len; i++)
            ok = write_question(w, id, &all.data[i], err);
    for (size_t i = 0; i < all.len; i++)
        str_free(&all.data[i].text);
    vec_free(&all);
    err_clear(&bad);
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
    const char *text = arena_printf(
        &w->arena,
        "# Written by Goalkeeper: asks a solver for SMT-LIB 2; each answer must be unsat.\n"
        "SOLVER = z3\nQUESTIONS =%s\n\ncheck: $(QUESTIONS:.smt2=.checked)\n\n"
        "%%.checked: %%.smt2\n\t$(SOLVER) $< | grep -qx unsat\n\n.PHONY: check\n",
        str_text(&w->names));
    return file_write_ours(path_join(&w->arena, w->folder, "Makefile"), text, strlen(text),
                           "oalkeeper", err);
}

bool obligations_export(const char *database, const char *folder, struct log *log,
                        struct err *err) {
    struct writer w = {.folder = folder, .log = log};
    bool ok = evidence_file_open(&w.file, database, STORE_READ, err);
    if (ok && w.file.module.task)
        ok = err_set(err, ERR_USAGE, "the proof of a verification task is not written as SMT-LIB");
    ok = ok && open_model(&w, err) && write_proofs(&w, err) && write_makefile(&w, err);
    close_all(&w);
    return ok;
}
