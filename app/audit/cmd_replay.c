/* replay: runs the witness of a goal natively, from reset, and prints what happened. */
#include "app/cli/command.h"
#include "app/audit/evidence_file.h"
#include "db/rows.h"
#include "instrument/native/scenario.h"
#include "model/term/value.h"

#include <stdio.h>

enum { MAX_ROWS = 60 }; /* of a long run: its first and last steps that changed something */

struct replay {
    struct evidence_file file;
    struct arena arena;
    struct witness witness;
    uint32_t probe;
    struct native_result result;
};

static sort_t var_sort(const struct module_var *v) {
    return v->type == 'f'   ? (v->bits == 32 ? SORT_F32 : SORT_F64)
           : v->type == 'b' ? SORT_BOOL
                            : v->bits;
}

static void print_value(const struct module_var *v, uint64_t bits) {
    struct str text = {0};
    value_print(var_sort(v), v->type == 'i', bits, &text);
    printf("  %s = %s", v->path, str_text(&text));
    str_free(&text);
}

static bool load(struct replay *r, int64_t goal, struct err *err) {
    struct rows *q =
        rows_open(r->file.db, "SELECT witness, probe, status FROM goal WHERE id = ?1", err);
    rows_bind_int(q, 1, goal);
    int64_t id = rows_next(q) ? rows_int(q, 0) : 0;
    r->probe = q ? (uint32_t)rows_int(q, 1) : 0;
    if (!rows_close(q, err))
        return false;
    if (id && store_get_witness(r->file.db, id, &r->witness, &r->arena))
        return true;
    err_set(err, ERR_USAGE, "goal %lld has no witness", (long long)goal);
    return err_remedy(err, "only reachable goals have one: 'goalkeeper query --status reachable'");
}

static bool execute(struct replay *r, struct err *err) {
    struct native *native = native_open(&r->file.program, NATIVE_ZERO, err);
    struct native_run run = {.events = &r->witness.events,
                             .n_steps = r->witness.steps,
                             .fresh = true,
                             .trace_steps = r->witness.steps};
    bool ok = native && native_replay(native, &run, &r->result, err);
    native_close(native);
    return ok;
}

/* Whether anything is worth printing of a step: an input, a state cell, or the goal. */
static bool eventful(const struct replay *r, uint32_t step, const uint64_t *cells,
                     const uint64_t *before) {
    for (size_t i = 0; i < r->witness.events.len; i++)
        if (r->witness.events.data[i].step == step)
            return true;
    for (uint32_t c = 0; c < r->result.n_cells; c++)
        if (cells[c] != before[c])
            return true;
    return false;
}

static void print_inputs(const struct replay *r, uint32_t step) {
    for (size_t i = 0; i < r->witness.events.len; i++) {
        const struct input_event *e = &r->witness.events.data[i];
        if (e->step == step && e->input < r->file.module.inputs.len)
            print_value(&r->file.module.inputs.data[e->input], e->bits);
    }
}

static void print_changes(const struct replay *r, const uint64_t *cells, const uint64_t *before,
                          enum var_role role) {
    for (uint32_t c = 0; c < r->result.n_cells; c++) {
        const struct module_var *v = &r->file.module.state.data[c];
        if (v->role == role && cells[c] != before[c])
            print_value(v, cells[c]);
    }
}

static void print_step(const struct replay *r, uint32_t step, const uint64_t *cells,
                       const uint64_t *before) {
    printf("step %u\n  inputs:", step + 1);
    print_inputs(r, step);
    printf("\n  state:");
    print_changes(r, cells, before, VAR_STATE);
    printf("\n  outputs:");
    print_changes(r, cells, before, VAR_OUTPUT);
    if (r->result.hits.data[(size_t)step * r->file.n_probes + r->probe])
        printf("\n  the goal is hit");
    putchar('\n');
}

static void print_trace(const struct replay *r) {
    const uint64_t *before = r->result.init_cells.data;
    uint32_t skipped = 0;
    printf("before init\n  inputs:");
    print_inputs(r, UINT32_MAX);
    putchar('\n');
    for (uint32_t j = 0; j < r->result.traced; j++) {
        const uint64_t *cells = r->result.cells.data + (size_t)j * r->result.n_cells;
        bool middle = j >= MAX_ROWS / 2 && j + MAX_ROWS / 2 < r->result.traced;
        if (middle || !eventful(r, j, cells, before)) {
            skipped++;
        } else {
            if (skipped)
                printf("… %u steps\n", skipped);
            skipped = 0;
            print_step(r, j, cells, before);
        }
        before = cells;
    }
    if (skipped)
        printf("… %u steps\n", skipped);
}

static bool judge(const struct replay *r, struct err *err) {
    struct native_hit hit = r->result.first_hit.data[r->probe];
    if (hit.step == NATIVE_NEVER || hit.tainted)
        return err_set(err, ERR_EVIDENCE, "the witness does not hit its goal%s",
                       hit.tainted ? " without an unspecified value" : "");
    if (hit.step == NATIVE_INIT)
        printf("The goal is hit during initialisation.\n");
    else
        printf("The goal is hit in step %u.\n", hit.step + 1);
    return true;
}

int cmd_replay(const struct options *o) {
    struct replay r = {0};
    struct err err = {0};
    bool ok = evidence_file_open(&r.file, o->arguments.data[0], STORE_READ, &err);
    int64_t goal = ok ? evidence_file_goal(&r.file, o->arguments.data[1], &err) : 0;
    ok = goal && load(&r, goal, &err) && execute(&r, &err);
    if (ok)
        print_trace(&r);
    ok = ok && judge(&r, &err);
    native_result_free(&r.result);
    witness_free(&r.witness);
    evidence_file_close(&r.file);
    arena_free(&r.arena);
    return ok ? 0 : command_fail(&err);
}
