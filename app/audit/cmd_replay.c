/* replay: runs the witness of a goal natively, from reset, and prints what happened: a table with a
 * line for each input that is set and each variable that changes, in physical values where the
 * scaling is known. Step 0 is before the init functions. */
#include "app/cli/command.h"
#include "app/audit/evidence_file.h"
#include "db/rows.h"
#include "instrument/syntax/sort.h"
#include "instrument/native/scenario.h"
#include "model/term/value.h"

#include <stdio.h>

enum { MAX_ROWS = 60 }; /* of a long run: its first and last steps that changed something */

struct replay {
    struct evidence_file file;
    struct arena arena;
    struct witness witness;
    uint32_t probe;
    struct native_result result, end; /* the first steps, and of a long run the last ones */
    uint32_t end_from;                /* the first step of the end; 0: all are among the first */
};

static void show_raw(const struct module_var *v, uint64_t bits, struct str *text) {
    value_print(var_sort(v), v->type == TYPE_SIGNED, bits, text);
}

/* In the unit that the generator's comment gives. */
static void show_value(const struct module_var *v, uint64_t bits, struct str *text) {
    if (!var_is_scaled(v)) {
        show_raw(v, bits, text);
        return;
    }
    var_add_physical(v, bits, text);
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

/* What the end changes is told by the step before it. */
static bool execute(struct replay *r, struct err *err) {
    uint32_t n = r->witness.steps;
    struct native *native = native_open(&r->file.program, NATIVE_ZERO, err);
    struct native_run run = {.events = &r->witness.events,
                             .n_steps = n,
                             .fresh = true,
                             .trace_steps = n <= MAX_ROWS ? n : MAX_ROWS / 2};
    bool ok = native && native_replay(native, &run, &r->result, err);
    if (n > MAX_ROWS) {
        r->end_from = n - MAX_ROWS / 2;
        run.trace_from = r->end_from - 1;
        run.trace_steps = MAX_ROWS / 2 + 1;
        ok = ok && native_replay(native, &run, &r->end, err);
    }
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

/* ---- the table ---- */

/* A line a value that is set or has changed. */
struct row {
    const char *step, *what, *variable, *value, *raw; /* raw: "" where it is the value */
};

enum { COLUMNS = 5 };

struct table {
    VEC(struct row) rows;
    bool scaled;
};

static const char *kept(struct replay *r, struct str *text) {
    const char *copy = arena_strdup(&r->arena, str_text(text));
    str_free(text);
    return copy;
}

static void add_row(struct replay *r, struct table *t, const char *step, const char *what,
                    const struct module_var *v, uint64_t bits) {
    struct str value = {0}, raw = {0};
    show_value(v, bits, &value);
    if (var_is_scaled(v))
        show_raw(v, bits, &raw);
    t->scaled |= var_is_scaled(v);
    struct row row = {step, what, v->path, kept(r, &value), kept(r, &raw)};
    vec_push(&t->rows, row);
}

static void add_inputs(struct replay *r, struct table *t, const char *name, uint32_t step) {
    for (size_t i = 0; i < r->witness.events.len; i++) {
        const struct input_event *e = &r->witness.events.data[i];
        if (e->step == step && e->input < r->file.module.inputs.len)
            add_row(r, t, name, "input", &r->file.module.inputs.data[e->input], e->bits);
    }
}

static void add_changes(struct replay *r, struct table *t, const char *name, const uint64_t *cells,
                        const uint64_t *before) {
    for (int outputs = 0; outputs < 2; outputs++)
        for (uint32_t c = 0; c < r->result.n_cells; c++) {
            const struct module_var *v = &r->file.module.state.data[c];
            if (cells[c] != before[c] && v->role == (outputs ? VAR_OUTPUT : VAR_STATE))
                add_row(r, t, name, outputs ? "output" : "state", v, cells[c]);
        }
}

static void add_skipped(struct replay *r, struct table *t, uint32_t *skipped) {
    struct row row = {"…", arena_printf(&r->arena, "%u steps", *skipped), "", "", ""};
    if (*skipped)
        vec_push(&t->rows, row);
    *skipped = 0;
}

static void add_step(struct replay *r, struct table *t, uint32_t step, const uint64_t *cells,
                     const uint64_t *before, bool is_hit) {
    const char *name = arena_printf(&r->arena, "%u", step + 1);
    struct row hit = {name, "goal", "", "is hit", ""};
    add_inputs(r, t, name, step);
    add_changes(r, t, name, cells, before);
    if (is_hit)
        vec_push(&t->rows, hit);
}

/* The recorded steps of a part of the run, whose first one is `from`. */
static void add_part(struct replay *r, struct table *t, const struct native_result *part,
                     uint32_t from, const uint64_t *before, uint32_t *skipped) {
    for (uint32_t j = before ? 0 : 1; j < part->traced; j++) {
        const uint64_t *cells = part->cells.data + (size_t)j * part->n_cells;
        if (j > 0)
            before = cells - part->n_cells;
        if (eventful(r, from + j, cells, before)) {
            add_skipped(r, t, skipped);
            add_step(r, t, from + j, cells, before,
                     part->hits.data[(size_t)j * r->file.n_probes + r->probe]);
        } else {
            ++*skipped;
        }
    }
}

static void add_steps(struct replay *r, struct table *t) {
    uint32_t skipped = 0;
    add_inputs(r, t, "0", UINT32_MAX);
    add_part(r, t, &r->result, 0, r->result.init_cells.data, &skipped);
    if (r->end_from > 0 && r->end.traced > 0) {
        skipped += r->end_from - r->result.traced;
        add_part(r, t, &r->end, r->end_from - 1, NULL, &skipped);
    }
    add_skipped(r, t, &skipped);
}

static int width_of(const char *text) {
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

static const char *cell(const struct row *row, int column) {
    const char *const cells[COLUMNS] = {row->step, row->what, row->variable, row->value, row->raw};
    return cells[column];
}

/* Numbers to the right, names to the left; the last column ends the line. */
static void print_row(const struct table *t, const struct row *row, const int *width) {
    int columns = t->scaled ? COLUMNS : COLUMNS - 1;
    for (int c = 0; c < columns; c++) {
        const char *text = cell(row, c);
        int pad = width[c] - width_of(text);
        bool right = c == 0 || c >= 3;
        printf("%s%*s%s%*s", c ? "  " : "", right ? pad : 0, "", text, right ? 0 : pad, "");
    }
    putchar('\n');
}

static void print_trace(struct replay *r) {
    static const struct row heading = {"step", "what", "variable", "value", "raw"};
    struct table t = {0};
    int width[COLUMNS];
    add_steps(r, &t);
    for (int c = 0; c < COLUMNS; c++) {
        width[c] = width_of(cell(&heading, c));
        for (size_t i = 0; i < t.rows.len; i++) {
            int w = width_of(cell(&t.rows.data[i], c));
            width[c] = w > width[c] ? w : width[c];
        }
    }
    print_row(&t, &heading, width);
    for (size_t i = 0; i < t.rows.len; i++)
        print_row(&t, &t.rows.data[i], width);
    vec_free(&t.rows);
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
    native_result_free(&r.end);
    witness_free(&r.witness);
    evidence_file_close(&r.file);
    arena_free(&r.arena);
    return ok ? 0 : command_fail(&err);
}
