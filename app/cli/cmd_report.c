/* report: renders the database, several formats in one call. */
#include "app/cli/gate_options.h"
#include "app/cli/one.h"
#include "app/cli/pdf.h"
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

/* The formats as report_write() knows them: html as one document is "document", and a PDF is that
 * as Chromium prints it. */
static bool split_formats(const struct options *o, struct texts *formats) {
    bool pdf = false, document = false;
    for (size_t i = 0; i < o->formats.len; i++) {
        const char *name = o->formats.data[i];
        bool is_pdf = str_same(name, "pdf"), is_document = o->single && str_same(name, "html");
        pdf |= is_pdf;
        document |= is_pdf || is_document;
        if (!is_pdf && !is_document)
            vec_push(formats, name);
    }
    if (document)
        vec_push(formats, "document");
    return pdf;
}

int report_one(const struct options *o) {
    struct err err = {0};
    struct store *db = NULL;
    struct ledger ledger = {0};
    struct arena arena = {0};
    struct report_origin origin;
    struct texts formats = {0};
    struct gate gate = {0};
    bool judges = false;
    bool pdf = split_formats(o, &formats);
    struct report_options options = {.dir = o->output,
                                     .formats = formats.data,
                                     .n_formats = formats.len,
                                     .lcov_unreachable = o->lcov_unreachable,
                                     .baseline = o->baseline,
                                     .view = {.four_eyes = o->four_eyes, .origin = &origin}};
    bool ok = o->output || err_set(&err, ERR_USAGE, "report: where to? Give a folder with -o PATH");
    ok = ok && gate_options(o, &gate, &judges, &err);
    options.gate = judges ? &gate : NULL;
    ok = ok && store_open(&db, options_database(o), STORE_READ, &err) &&
         repository_of(db, o->root, &arena, &origin, &err) &&
         ledger_view(&ledger, db, &options.view, &err) &&
         look_for_changes(o, db, &arena, &options.view, &err) && report_write(db, &options, &err) &&
         (!pdf || pdf_print(o->output, &err));
    vec_free(&formats);
    vec_free(&gate.minimums);
    ledger_close(&ledger);
    store_close(db);
    arena_free(&arena);
    return ok ? 0 : command_fail(&err);
}

int cmd_report(const struct options *o) {
    return databases_several(o) ? several_report(o) : report_one(o);
}
