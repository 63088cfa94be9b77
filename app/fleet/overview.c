#include "app/fleet/overview.h"

#include "app/project/ledger.h"
#include "base/file.h"

static const char *baseline_of(struct overview *v, const struct options *o,
                               const struct database *db) {
    if (!o->baseline)
        return NULL;
    const char *json =
        arena_printf(&v->databases.arena, "%s/%s/goalkeeper.json", o->baseline, db->folder);
    if (file_exists(json))
        return json;
    const struct database *before = databases_named(&v->before, db->name);
    if (!before)
        log_note(o->log, "%s: not in the baseline, so all of it is new", db->name);
    return before ? before->path : "";
}

static bool read_baselines(struct overview *v, const struct options *o, struct err *err) {
    if (!o->baseline)
        return true;
    if (!file_is_dir(o->baseline)) {
        err_set(err, ERR_USAGE, "%s: the baseline of several modules is a folder", o->baseline);
        return err_remedy(err, "name one with their earlier databases, or with an earlier report "
                               "of format json");
    }
    struct err none = {0};
    databases_below(&v->before, o->baseline, NULL, &none);
    err_clear(&none);
    return true;
}

static bool add_row(struct overview *v, const struct options *o, size_t i, struct err *err) {
    const struct database *db = &v->databases.list.data[i];
    struct store *store = NULL;
    struct ledger ledger = {0};
    struct report_data data = {0};
    struct report_view view = {.four_eyes = o->four_eyes};
    struct baseline baseline = {0};
    const char *before = baseline_of(v, o, db);
    vec_push(&v->baselines, before);
    bool ok = store_open(&store, db->path, STORE_READ, err) &&
              ledger_view(&ledger, store, &view, err) && report_load(&data, store, &view, err) &&
              (!before || baseline_read(&baseline, before, &view, err));
    if (ok)
        component_add(&v->component, db->name, db->path, &data, before ? &baseline : NULL);
    report_unload(&data);
    baseline_free(&baseline);
    ledger_close(&ledger);
    store_close(store);
    return ok;
}

bool overview_make(struct overview *v, const struct options *o, struct err *err) {
    bool ok = databases_list(&v->databases, o, err) && read_baselines(v, o, err);
    for (size_t i = 0; ok && i < v->databases.list.len; i++)
        ok = add_row(v, o, i, err);
    assert(!ok || v->component.rows.len == v->databases.list.len);
    return ok;
}

struct options overview_options(const struct overview *v, const struct options *o, size_t module) {
    struct options one = *o;
    assert(module < v->databases.list.len);
    one.arguments = (struct texts){0};
    one.db = v->databases.list.data[module].path;
    one.baseline = v->baselines.data[module];
    return one;
}

void overview_free(struct overview *v) {
    component_free(&v->component);
    vec_free(&v->baselines);
    databases_free(&v->databases);
    databases_free(&v->before);
}
