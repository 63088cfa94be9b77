/* The calls of a test: steps that set and show the same are one line. */
#include "app/export/test_text.h"

#include "base/decimal.h"
#include "instrument/inputs/layout.h"
#include "instrument/inputs/ranges.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LISTED_CHANGES = 400,    /* of outputs; more of them go into a digest */
    ALL_COMPARED = 100000,   /* steps; of longer runs only the first and last ones are compared: */
    COMPARED_AT_ENDS = 4000, /* what outputs should be takes a run for every few thousand steps */
};

static void float_constant(double value, bool single, struct str *out) {
    const char *suffix = single ? "F" : "";
    if (isnan(value)) {
        str_addf(out, "__builtin_nan%s(\"\")", single ? "f" : "");
        return;
    }
    if (isinf(value)) {
        str_addf(out, "%s__builtin_inf%s()", value < 0 ? "-" : "", single ? "f" : "");
        return;
    }
    decimal_constant(value, single, out);
    str_add(out, suffix);
}

void value_constant(const struct module_var *v, uint64_t bits, struct str *out) {
    if (v->type == TYPE_FLOAT && v->bits == 32) {
        uint32_t pattern = (uint32_t)bits;
        float value;
        memcpy(&value, &pattern, sizeof value);
        float_constant((double)value, true, out);
    } else if (v->type == TYPE_FLOAT) {
        double value;
        memcpy(&value, &bits, sizeof value);
        float_constant(value, false, out);
    } else {
        range_constant((struct scalar){v->type, v->bits}, bits, out);
    }
}

struct body {
    struct runs *runs;
    const struct run *run;
    struct playback play;
    struct test_needs *needs;
    struct str *out;
    size_t event;         /* the next one */
    VEC(uint64_t) inputs; /* as set now */
    VEC(uint64_t) wanted; /* state cells, as expected now */
    uint32_t waiting;     /* steps not yet written */
    bool folding;         /* those go into a digest */
    bool expecting;       /* outputs are compared */
    bool passing;         /* through the middle of a long run */
    uint64_t digest;
    struct str settings; /* in front of the next steps */
};

/* ---- writing ---- */

static void flush(struct body *b) {
    assert(!b->folding || (b->expecting && b->waiting > 0));
    if (b->waiting && b->folding)
        str_addf(b->out, "    gk_steps_digest(%" PRIu32 "UL, 0x%" PRIx64 "ULL);\n", b->waiting,
                 b->digest);
    else if (b->waiting && b->expecting)
        str_addf(b->out, "    gk_steps(%" PRIu32 "UL);\n", b->waiting);
    else if (b->waiting == 1)
        str_add(b->out, "    gk_run();\n");
    else if (b->waiting)
        str_addf(b->out,
                 "    for (unsigned long i = 0; i < %" PRIu32 "UL; i++)\n        gk_run();\n",
                 b->waiting);
    b->needs->digest |= b->waiting > 0 && b->folding;
    b->needs->steps |= b->waiting > 0 && !b->folding && b->expecting;
    b->waiting = 0;
    b->folding = false;
}

static void assign(struct body *b, const char *name, const struct module_var *v, uint64_t bits) {
    assert(name && v->type != TYPE_POINTER);
    if (!units_mention(b->runs, name))
        return;
    str_addf(&b->settings, "    %s = ", name);
    value_constant(v, bits, &b->settings);
    str_add(&b->settings, ";\n");
}

/* Settings for `step`: what runs before them is written first. */
static void write_settings(struct body *b, uint32_t step) {
    if (b->settings.len == 0)
        return;
    flush(b);
    if (step > 0)
        str_addf(b->out, "\n    /* step %" PRIu32 " */\n", step);
    str_addn(b->out, b->settings.data, b->settings.len);
    str_clear(&b->settings);
}

/* ---- inputs and outputs ---- */

static void set_inputs(struct body *b, uint32_t event_step) {
    const struct module *m = &b->runs->file.module;
    const struct input_events *events = &b->run->scenario.events;
    for (; b->event < events->len && events->data[b->event].step == event_step; b->event++) {
        const struct input_event *e = &events->data[b->event];
        assert(e->input < b->inputs.len);
        if (m->inputs.data[e->input].role == VAR_STUB || run_has_many(b->run, e->input) ||
            b->inputs.data[e->input] == e->bits)
            continue;
        b->inputs.data[e->input] = e->bits;
        assign(b, b->runs->names.inputs.data[e->input], &m->inputs.data[e->input], e->bits);
    }
}

static bool shown(const struct body *b, size_t cell) {
    return b->runs->names.state.data[cell] != NULL;
}

static size_t count_changes(const struct body *b, const uint64_t *cells) {
    size_t n = 0;
    for (size_t c = 0; c < b->wanted.len; c++)
        n += shown(b, c) && cells[c] != b->wanted.data[c];
    return n;
}

static void expect(struct body *b, const uint64_t *cells) {
    assert(b->expecting && !b->folding);
    const struct module *m = &b->runs->file.module;
    for (size_t c = 0; c < b->wanted.len; c++) {
        if (!shown(b, c) || cells[c] == b->wanted.data[c])
            continue;
        b->wanted.data[c] = cells[c];
        assign(b, b->runs->names.state.data[c], &m->state.data[c], cells[c]);
    }
}

/* ---- digests: the same as gk_check_<type>() does with them ---- */

static uint64_t carried(const struct module_var *v, uint64_t bits, unsigned *size) {
    struct scalar carrier = scalar_carrier((struct scalar){v->type, v->bits});
    *size = v->type == TYPE_BOOL ? 1 : carrier.bits / 8U;
    if (v->type == TYPE_SIGNED && v->bits < 64)
        return (uint64_t)((int64_t)(bits << (64 - v->bits)) >> (64 - v->bits));
    if (v->type == TYPE_FLOAT && v->bits == 32 && (bits & 0x7fffffff) > 0x7f800000)
        return 0x7fc00000;
    if (v->type == TYPE_FLOAT && v->bits == 64 && (bits & INT64_MAX) > 0x7ff0000000000000)
        return 0x7ff8000000000000;
    return bits;
}

static void fold(struct body *b, const struct module_var *v, uint64_t bits) {
    unsigned size;
    uint64_t value = carried(v, bits, &size);
    assert(size >= 1 && size <= 8);
    for (unsigned i = 0; i < size; i++)
        b->digest = (b->digest ^ ((value >> (8 * i)) & 0xff)) * 0x100000001b3;
}

/* In the order of the checks: unit by unit. */
static void fold_all(struct body *b, const uint64_t *cells) {
    const struct module *m = &b->runs->file.module;
    for (size_t u = 0; u < b->runs->fixture.units.len; u++)
        for (size_t c = 0; c < b->wanted.len; c++)
            if (shown(b, c) &&
                unit_mentions(&b->runs->fixture.units.data[u], b->runs->names.state.data[c]))
                fold(b, &m->state.data[c], cells[c]);
}

/* ---- steps ---- */

static bool fails(const struct err *err) {
    return err->code != ERR_NONE;
}

static bool in_the_middle(const struct body *b, uint32_t step) {
    uint32_t n = b->run->scenario.n_steps;
    return n > ALL_COMPARED && step > COMPARED_AT_ENDS && step <= n - COMPARED_AT_ENDS;
}

/* How often outputs change along the run, up to where they are open; and how it ends. */
static bool survey(struct body *b, size_t *changes, struct err *err) {
    const uint64_t *cells;
    *changes = 0;
    for (uint32_t j = 0; j <= b->run->scenario.n_steps; j++) {
        if (in_the_middle(b, j))
            j = b->run->scenario.n_steps - COMPARED_AT_ENDS + 1;
        if (!(cells = playback_state(&b->play, j, err)))
            break;
        *changes += count_changes(b, cells);
        for (size_t c = 0; c < b->wanted.len; c++)
            b->wanted.data[c] = cells[c];
    }
    for (size_t c = 0; c < b->wanted.len; c++)
        b->wanted.data[c] = 0;
    playback_close(&b->play);
    playback_open(&b->play, b->runs, b->run);
    return !fails(err);
}

static void stop_expecting(struct body *b, uint32_t step) {
    if (!b->expecting)
        return;
    flush(b);
    str_addf(b->out,
             "\n    /* From step %" PRIu32
             " on outputs depend on values that C leaves open: not compared. */\n",
             step);
    b->expecting = false;
}

static void write_initialisation(struct body *b, struct err *err) {
    set_inputs(b, NATIVE_INIT);
    const uint64_t *cells = playback_state(&b->play, 0, err);
    if (cells)
        expect(b, cells);
    write_settings(b, 0);
    str_add(b->out, "    gk_reset();\n");
    b->needs->outputs = cells != NULL;
    if (cells)
        str_add(b->out, "    gk_outputs();\n");
    else
        stop_expecting(b, 0);
}

static void digest_step(struct body *b, const uint64_t *cells) {
    assert(b->expecting && (b->folding || b->waiting == 0));
    if (b->waiting == 0)
        b->digest = 0xcbf29ce484222325;
    b->folding = true;
    fold_all(b, cells);
    for (size_t c = 0; c < b->wanted.len; c++)
        b->wanted.data[c] = cells[c];
}

/* Steps that are not compared need no look at what they do. */
static void pass_step(struct body *b, uint32_t step) {
    if (!b->passing && b->expecting) {
        flush(b);
        str_addf(b->out,
                 "\n    /* Steps %" PRIu32 " to %" PRIu32 ": run, outputs not compared. */\n", step,
                 b->run->scenario.n_steps - COMPARED_AT_ENDS);
        b->passing = true;
        b->expecting = false;
    }
    set_inputs(b, step - 1);
    write_settings(b, step);
    b->waiting++;
}

static void compare_again(struct body *b) {
    if (!b->passing)
        return;
    flush(b);
    b->passing = false;
    b->expecting = true;
}

static void write_step(struct body *b, uint32_t step, bool digest, struct err *err) {
    assert(step > 0 && step <= b->run->scenario.n_steps);
    compare_again(b);
    const uint64_t *cells = playback_state(&b->play, step, err);
    set_inputs(b, step - 1);
    if (!cells && !fails(err))
        stop_expecting(b, step);
    if (cells && !digest)
        expect(b, cells);
    write_settings(b, step);
    if (cells && digest)
        digest_step(b, cells);
    b->waiting++;
}

bool test_body(struct runs *runs, const struct run *run, struct test_needs *needs, struct str *out,
               struct err *err) {
    struct body b = {.runs = runs, .run = run, .needs = needs, .out = out, .expecting = true};
    size_t changes;
    vec_resize_zero(&b.inputs, runs->file.module.inputs.len);
    vec_resize_zero(&b.wanted, runs->file.module.state.len);
    playback_open(&b.play, runs, run);
    bool ok = survey(&b, &changes, err);
    if (ok)
        write_initialisation(&b, err);
    uint32_t n = run->scenario.n_steps;
    needs->last_step = ok && n > 0 && b.play.end != NATIVE_RAN;
    for (uint32_t j = 1; ok && !fails(err) && j <= n; j++) {
        if (j == n && needs->last_step) {
            stop_expecting(&b, j);
            set_inputs(&b, j - 1);
            write_settings(&b, j);
            str_add(out, "    gk_last_step();\n");
        } else if (in_the_middle(&b, j)) {
            pass_step(&b, j);
        } else {
            write_step(&b, j, changes > LISTED_CHANGES, err);
        }
    }
    flush(&b);
    assert(fails(err) || b.settings.len == 0);
    playback_close(&b.play);
    vec_free(&b.inputs);
    vec_free(&b.wanted);
    str_free(&b.settings);
    return !fails(err);
}
