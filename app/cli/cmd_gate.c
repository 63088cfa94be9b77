/* gate: passes (0) or fails (1) a CI job, prints why; 5 when evidence contradicts the ledger. */
#include "app/cli/gate_options.h"
#include "app/cli/one.h"
#include "app/fleet/databases.h"
#include "app/fleet/several.h"
#include "app/project/changes.h"
#include "app/project/ledger.h"
#include "app/project/repository.h"
#include "base/bug.h"
#include "report/gate/gate.h"

#include <stdio.h>

static bool make_gate(const struct options *o, struct gate *gate, struct err *err) {
    bool asks = false;
    if (!gate_options(o, gate, &asks, err))
        return false;
    if (asks || o->baseline)
        return true;
    err_set(err, ERR_USAGE, "gate: nothing to check");
    return err_remedy(err, "for example: --min mcdc=100 --unjustified-dead 0 --max-open 0");
}

static int check(const char *format, const struct gate *gate, struct report_data *data,
                 struct str *out) {
    struct gate_outcome outcome = {0};
    gate_check(gate, data, &outcome);
    if (!gate_print(format, data, &outcome, out))
        bug("a format of the table of options is not in gate_formats.def: %s", format);
    int code = outcome.alarm ? ERR_EVIDENCE : outcome.passed ? 0 : ERR_GATE;
    gate_outcome_free(&outcome);
    return code;
}

/* A gate about what is not the code any more says nothing. */
static bool is_fresh(const struct options *o, struct store *db, struct err *err) {
    struct arena arena = {0};
    const char *changed = NULL;
    bool ok = input_changes_text(db, &arena, &changed, err);
    if (ok && changed && o->stale_ok) {
        log_warning(o->log, "%s", changed);
    } else if (ok && changed) {
        ok = err_set(err, ERR_USAGE, "%s", changed);
        err_remedy(err, "goalkeeper run, then the gate again; or accept it with --stale-ok");
    }
    arena_free(&arena);
    return ok;
}

int gate_one(const struct options *o, struct str *out) {
    struct err err = {0};
    struct store *db = NULL;
    struct ledger ledger = {0};
    struct report_data data = {0};
    struct arena arena = {0};
    struct report_origin origin;
    struct report_view view = {.four_eyes = o->four_eyes, .origin = &origin};
    struct baseline baseline = {0};
    struct gate gate = {0};
    bool ok = make_gate(o, &gate, &err) && store_open(&db, options_database(o), STORE_READ, &err) &&
              is_fresh(o, db, &err) && repository_of(db, o->root, &arena, &origin, &err) &&
              ledger_view(&ledger, db, &view, &err) && report_load(&data, db, &view, &err) &&
              (!o->baseline || baseline_read(&baseline, o->baseline, &view, &err));
    gate.baseline = o->baseline ? &baseline : NULL;
    int code = ok ? check(o->gate_format, &gate, &data, out) : command_fail(&err);
    report_unload(&data);
    baseline_free(&baseline);
    ledger_close(&ledger);
    vec_free(&gate.minimums);
    store_close(db);
    arena_free(&arena);
    return code;
}

int cmd_gate(const struct options *o) {
    struct str text = {0};
    if (databases_several(o))
        return several_gate(o);
    int code = gate_one(o, &text);
    fputs(str_text(&text), stdout);
    str_free(&text);
    return code;
}
