/* report: renders the database, several formats in one call. */
#include "app/cli/one.h"
#include "app/fleet/databases.h"
#include "app/fleet/several.h"
#include "app/project/changes.h"
#include "app/project/ledger.h"
#include "app/project/repository.h"
#include "report/report.h"

/* Said on the terminal and in the report. */
static bool look_for_changes(const struct options *o, struct store *db, struct arena *arena,
                             struct report_view *view, struct err *err) {
    bool ok = input_changes_text(db, arena, &view->changed, err);
    if (ok && view->changed)
        log_warning(o->log, "%s", view->changed);
    return ok;
}

int report_one(const struct options *o) {
    struct err err = {0};
    struct store *db = NULL;
    struct ledger ledger = {0};
    struct arena arena = {0};
    struct report_origin origin;
    struct report_options options = {.dir = o->output,
                                     .formats = o->formats.data,
                                     .n_formats = o->formats.len,
                                     .lcov_unreachable = o->lcov_unreachable,
                                     .baseline = o->baseline,
                                     .view = {.four_eyes = o->four_eyes, .origin = &origin}};
    bool ok = o->output || err_set(&err, ERR_USAGE, "report: where to? Give a folder with -o PATH");
    ok = ok && store_open(&db, options_database(o), STORE_READ, &err) &&
         repository_of(db, o->root, &arena, &origin, &err) &&
         ledger_view(&ledger, db, &options.view, &err) &&
         look_for_changes(o, db, &arena, &options.view, &err) && report_write(db, &options, &err);
    ledger_close(&ledger);
    store_close(db);
    arena_free(&arena);
    return ok ? 0 : command_fail(&err);
}

int cmd_report(const struct options *o) {
    return databases_several(o) ? several_report(o) : report_one(o);
}
