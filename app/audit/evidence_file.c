#include "app/audit/evidence_file.h"

#include "db/rows.h"

#include <stdlib.h>
#include <string.h>

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
    f->program = (struct native_program){
        .woven = str_text(&f->woven), .module = &f->module, .n_probes = f->n_probes};
    return true;
}

void evidence_file_close(struct evidence_file *f) {
    str_free(&f->woven);
    module_free(&f->module);
    store_close(f->db);
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
