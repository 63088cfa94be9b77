#include "app/audit/evidence_file.h"

#include "app/run/loops.h"
#include "db/rows.h"

#include <stdlib.h>
#include <string.h>

/* What a database says of probes becomes sizes of tables: each stands in the program. */
static bool has_probes(const struct evidence_file *f, const char *path, struct err *err) {
    int64_t most = rows_single_int(f->db, "SELECT max(probe) FROM goal");
    if (most < 0 || (uint64_t)most >= f->woven.len + 1 ||
        rows_single_int(f->db, "SELECT min(probe) FROM goal") < 0)
        return err_set(err, ERR_EVIDENCE, "%s: a goal has a probe that no program has", path);
    if (f->module.task && rows_single_int(f->db, "SELECT count(*) <> 1 OR max(probe) <> 0 "
                                                 "FROM goal"))
        return err_set(err, ERR_EVIDENCE, "%s: a verification task has one goal, not these", path);
    return true;
}

bool evidence_file_open(struct evidence_file *f, const char *path, enum store_mode mode,
                        struct err *err) {
    *f = (struct evidence_file){0};
    if (!store_open(&f->db, path, mode, err) || !store_get_module(f->db, &f->module, err))
        return false;
    if (!store_get_artifact(f->db, "woven.c", &f->woven)) {
        err_set(err, ERR_USAGE, "%s: the database holds no program", path);
        return err_remedy(err, "'goalkeeper run' fills it");
    }
    f->n_probes = (uint32_t)rows_single_int(f->db, "SELECT max(probe) + 1 FROM goal");
    if (!has_probes(f, path, err))
        return false;
    f->program = (struct native_program){
        .woven = str_text(&f->woven), .module = &f->module, .n_probes = f->n_probes};
    return true;
}

void evidence_file_close(struct evidence_file *f) {
    str_free(&f->woven);
    module_free(&f->module);
    store_close(f->db);
}

void evidence_model_free(struct evidence_model *m) {
    if (m->is_made) {
        lowered_free(&m->lowered);
        system_free(&m->sys);
        terms_free(&m->terms);
    }
    *m = (struct evidence_model){0};
}

bool evidence_file_keeps_loops(const struct evidence_file *f, const struct proof *proof) {
    return !f->module.task && strstr(proof->invariant, "\"" LOWER_PLACE "\"");
}

bool evidence_model_make(struct evidence_model *m, const struct evidence_file *f, bool keep_loops,
                         struct err *err) {
    struct lower_options options = {.n_probes = f->n_probes, .keep_loops = keep_loops};
    if (m->is_made && m->keeps_loops == keep_loops)
        return true;
    evidence_model_free(m);
    terms_init(&m->terms);
    system_init(&m->sys, &m->terms);
    loops_ask(&options);
    m->keeps_loops = keep_loops;
    m->is_made = lower(str_text(&f->woven), &f->module, &options, &m->sys, &m->lowered, err);
    if (!m->is_made) {
        system_free(&m->sys);
        terms_free(&m->terms);
    }
    return m->is_made;
}

uint32_t evidence_model_target(const struct evidence_model *m, uint32_t probe) {
    for (uint32_t t = 0; t < m->sys.targets.len; t++)
        if (m->sys.targets.data[t].kind == TARGET_GOAL && m->sys.targets.data[t].id == probe)
            return t;
    return NONE;
}

int64_t evidence_file_goal(struct evidence_file *f, const char *name, struct err *err) {
    struct rows *r =
        rows_open(f->db, "SELECT id FROM goal WHERE key = ?1 OR CAST(id AS TEXT) = ?1", err);
    rows_bind_text(r, 1, name);
    int64_t id = rows_next(r) ? rows_int(r, 0) : 0;
    if (rows_close(r, err) && id == 0) {
        err_set(err, ERR_USAGE, "no goal '%s' in %s", name, store_path(f->db));
        err_remedy(err, "'goalkeeper query' lists goals with numbers and keys");
    }
    return id;
}
