/* gate: passes (0) or fails (1) a CI job, prints why. */
#include "app/command.h"
#include "report/gate.h"

#include <stdio.h>

static bool make_gate(const struct options *o, struct gate *gate, struct err *err) {
    for (size_t i = 0; i < o->min.len; i++) {
        struct gate_minimum m;
        if (!gate_parse_minimum(o->min.data[i], &m, err))
            return false;
        vec_push(&gate->minimums, m);
    }
    gate->max_open = option_given(o, OPT_max_open) ? o->max_open : GATE_ANY;
    gate->max_dead = option_given(o, OPT_max_dead) ? o->max_dead : GATE_ANY;
    gate->unjustified_dead = option_given(o, OPT_unjustified_dead) ? o->unjustified_dead : GATE_ANY;
    bool asks = gate->minimums.len || gate->max_open != GATE_ANY || gate->max_dead != GATE_ANY ||
                gate->unjustified_dead != GATE_ANY || o->baseline;
    if (asks)
        return true;
    err_set(err, ERR_USAGE, "gate: nothing to check");
    return err_remedy(err, "for example: --min mcdc=100 --unjustified-dead 0 --max-open 0");
}

static bool load(const char *path, struct store **db, struct report_data *data, struct err *err) {
    return store_open(db, path, STORE_READ, err) && report_load(data, *db, NULL, err);
}

static int check(struct gate *gate, struct report_data *data) {
    struct str text = {0};
    bool passed = gate_check(gate, data, &text);
    fputs(str_text(&text), stdout);
    puts(passed ? "gate passed" : "gate failed");
    str_free(&text);
    return passed ? 0 : ERR_GATE;
}

int cmd_gate(const struct options *o) {
    struct err err = {0};
    struct store *db = NULL, *old = NULL;
    struct report_data data = {0}, baseline = {0};
    struct gate gate = {0};
    bool ok = make_gate(o, &gate, &err) && load(options_database(o), &db, &data, &err);
    if (ok && o->baseline) {
        ok = load(o->baseline, &old, &baseline, &err);
        gate.baseline = &baseline;
    }
    int code = ok ? check(&gate, &data) : command_fail(&err);
    report_unload(&data);
    report_unload(&baseline);
    vec_free(&gate.minimums);
    store_close(db);
    store_close(old);
    return code;
}
