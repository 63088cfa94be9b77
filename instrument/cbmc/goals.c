/* A harness around the woven program in which each probe is a property; the answer is read while
 * CBMC writes it (output.h), and traces only of properties that fail. */
#include "instrument/cbmc/goals.h"

#include "base/file.h"
#include "base/mem.h"

#include <assert.h>
#include <string.h>

static const uint64_t output_limit = UINT64_C(4) << 30;

/* ---- the file ---- */

/* One function an input, whose value shows in the trace under a name of its own. */
static void add_inputs(const struct cbmc_question *q, struct str *out) {
    static const char *const suffixes[] = {"b",   "i8",  "u8",  "i16", "u16", "i32",
                                           "u32", "i64", "u64", "f32", "f64"};
    static const char *const types[] = {
        "_Bool",        "signed char", "unsigned char",      "short", "unsigned short", "int",
        "unsigned int", "long long",   "unsigned long long", "float", "double"};
    char buffer[16];
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        str_addf(out, "#define gk_input_%s(id) gk_take_##id()\n", suffixes[i]);
    for (uint32_t id = 0; id < q->base.module->inputs.len; id++) {
        const char *suffix = obligation_suffix(&q->base.module->inputs.data[id], buffer);
        size_t t = 0;
        while (!str_same(suffixes[t], suffix))
            t++;
        str_addf(out,
                 "static %s gk_take_%uU(void) { %s gk_taken_%u = nondet_%s(); "
                 "return gk_taken_%u; }\n",
                 types[t], id, types[t], id, suffix, id);
    }
}

static void add_probe(const struct cbmc_question *q, uint32_t probe, struct str *out) {
    if (!q->inductive)
        str_addf(out, "static void gk_hit_%u(void) { __CPROVER_assert(0, \"gk %u\"); }\n", probe,
                 probe);
    else
        str_addf(out,
                 "static _Bool gk_was_%u;\nstatic void gk_hit_%u(void) {\n"
                 "    __CPROVER_assert(!gk_last || gk_was_%u, \"gk %u\");\n    gk_was_%u = 1;\n}\n",
                 probe, probe, probe, probe, probe);
}

static void add_probes(const struct cbmc_question *q, struct str *out) {
    bool *asked = mem_zalloc(q->n_probes + 1, sizeof *asked);
    str_add(out, "#define gk_hit(probe) gk_hit_##probe()\n");
    if (q->inductive)
        str_add(out, "static _Bool gk_last; /* the step that counts */\n");
    for (size_t i = 0; i < q->n_asked; i++) {
        assert(q->probes[i] < q->n_probes);
        if (!asked[q->probes[i]])
            add_probe(q, q->probes[i], out);
        asked[q->probes[i]] = true;
    }
    for (uint32_t p = 0; p < q->n_probes; p++)
        if (!asked[p])
            str_addf(out, "#define gk_hit_%u() ((void)0)\n", p);
    mem_free(asked);
}

/* ---- from a state ---- */

bool cbmc_can_start(const struct obligation *base) {
    for (size_t i = 0; i < base->module->state.len; i++)
        if (base->module->state.data[i].type == TYPE_POINTER && !obligation_never_changes(base, i))
            return false;
    return true;
}

static void add_given_state(const struct cbmc_question *q, struct str *out) {
    const struct module *m = q->base.module;
    assert(!q->inductive && q->constants);
    for (size_t i = 0; i < m->inputs.len + m->state.len; i++) {
        bool input = i < m->inputs.len;
        const struct module_var *v = input ? &m->inputs.data[i] : &m->state.data[i - m->inputs.len];
        if (v->type == TYPE_POINTER || (input && v->role != VAR_PARAMETER))
            continue;
        str_addf(out, "    %s = ", v->c_expr);
        obligation_value(out, v, input ? q->constants[i] : q->start[i - m->inputs.len]);
        str_add(out, ";\n");
    }
}

bool cbmc_can_climb(const struct module_var *v) {
    return (v->type == TYPE_SIGNED || v->type == TYPE_UNSIGNED) && v->bits > 1 && v->bits < 64;
}

uint32_t cbmc_climb_number(const struct cbmc_question *q, size_t i, enum cbmc_climb climb) {
    assert(i < q->n_climbers && climb < CBMC_CLIMBS);
    return q->n_probes + (uint32_t)(i * CBMC_CLIMBS) + (uint32_t)climb;
}

static int64_t number_of(const struct module_var *v, uint64_t bits) {
    int shift = 64 - v->bits;
    return v->type == TYPE_SIGNED ? (int64_t)(bits << shift) >> shift
                                  : (int64_t)(bits << shift >> shift);
}

static void add_climb(const struct cbmc_question *q, size_t i, enum cbmc_climb climb, int64_t limit,
                      struct str *out) {
    const struct module_var *v = &q->base.module->state.data[q->climbers[i]];
    str_addf(out, "    __CPROVER_assert(!((long long)%s %s %lldll), \"gk %u\");\n", v->c_expr,
             climb < CBMC_DOWN ? ">=" : "<=", (long long)limit, cbmc_climb_number(q, i, climb));
}

static void add_round_climb(const struct cbmc_question *q, size_t i, enum cbmc_climb climb,
                            struct str *out) {
    str_addf(out,
             "    __CPROVER_assert(!(gk_round && gk_now_%u - gk_then_%u == %dll), \"gk %u\");\n",
             q->climbers[i], q->climbers[i], climb == CBMC_UP_ROUND ? CBMC_ROUND : -CBMC_ROUND,
             cbmc_climb_number(q, i, climb));
}

static void add_climber(const struct cbmc_question *q, size_t i, struct str *out) {
    uint32_t cell = q->climbers[i];
    const struct module_var *v = &q->base.module->state.data[cell];
    int64_t start = number_of(v, q->start[cell]), by = q->steps;
    assert(cbmc_can_climb(v));
    add_climb(q, i, CBMC_UP, start + 1, out);
    add_climb(q, i, CBMC_UP_FAST, start + by, out);
    add_climb(q, i, CBMC_DOWN, start - 1, out);
    add_climb(q, i, CBMC_DOWN_FAST, start - by, out);
    if (q->steps > CBMC_ROUND) {
        add_round_climb(q, i, CBMC_UP_ROUND, out);
        add_round_climb(q, i, CBMC_DOWN_ROUND, out);
    }
}

/* The state as numbers, `then` or `now`. */
static void add_numbers(const struct cbmc_question *q, const char *when, struct str *out) {
    for (size_t i = 0; i < q->base.module->state.len; i++) {
        const struct module_var *v = &q->base.module->state.data[i];
        const char *type = v->type == TYPE_FLOAT ? "double" : "long long";
        if (v->type != TYPE_POINTER)
            str_addf(out, "    %s gk_%s_%zu = (%s)%s;\n", type, when, i, type, v->c_expr);
    }
}

/* Each cell is as it was then, or has moved by one in each step. */
static void add_round(const struct cbmc_question *q, struct str *out) {
    add_numbers(q, "now", out);
    str_add(out, "    _Bool gk_round = 1;\n");
    for (size_t i = 0; i < q->base.module->state.len; i++) {
        const struct module_var *v = &q->base.module->state.data[i];
        if (v->type == TYPE_POINTER)
            continue;
        str_addf(out, "    gk_round = gk_round && (gk_now_%zu == gk_then_%zu", i, i);
        if (cbmc_can_climb(v))
            str_addf(out, " || gk_now_%zu - gk_then_%zu == %d || gk_then_%zu - gk_now_%zu == %d", i,
                     i, CBMC_ROUND, i, i, CBMC_ROUND);
        str_add(out, ");\n");
    }
}

static bool add_start(const struct cbmc_question *q, struct str *out, struct err *err) {
    str_add(out, "int main(void) {\n    gk_init();\n");
    if (q->start)
        add_given_state(q, out);
    if (!q->inductive)
        return true;
    str_add(out, "    gk_any_state();\n");
    return obligation_clauses(&q->base, out, "__CPROVER_assume", NULL, err);
}

bool cbmc_question_write(const struct cbmc_question *q, struct str *out, struct err *err) {
    assert(q->steps > 0 || !q->inductive);
    str_add(out, obligation_prologue);
    add_inputs(q, out);
    add_probes(q, out);
    obligation_woven(&q->base, true, out);
    str_add(out, "\n\n");
    if ((q->inductive && !obligation_any_state(&q->base, out, err)) || !add_start(q, out, err))
        return false;
    for (uint32_t j = 1; j <= q->steps; j++) {
        if (q->inductive && j == q->steps)
            str_add(out, "    gk_last = 1;\n");
        if (q->n_climbers > 0 && j + CBMC_ROUND == q->steps + 1)
            add_numbers(q, "then", out);
        str_add(out, "    gk_step();\n");
    }
    if (q->n_climbers > 0 && q->steps > CBMC_ROUND)
        add_round(q, out);
    for (size_t i = 0; i < q->n_climbers; i++)
        add_climber(q, i, out);
    str_add(out, "    return 0;\n}\n");
    return true;
}

/* ---- the run ---- */

static bool on_output(void *context, int fd, const char *data, size_t size) {
    return fd != 1 || cbmc_output_feed(context, data, size);
}

/* What it says of itself has to fit together. */
static bool consistent(const struct child_result *result, struct cbmc_output *answer) {
    return cbmc_output_end(answer) && result->end == CHILD_EXITED &&
           result->code == (answer->success ? 0 : 10);
}

static bool run_file(const struct cbmc_run *run, const char *path, struct cbmc_output *answer,
                     struct str *detail, struct err *err) {
    char number[16];
    const char *argv[CBMC_ARGUMENTS];
    struct cbmc_run r = *run;
    r.file = path;
    int n = cbmc_arguments(&r, argv, number);
    argv[n++] = "--json-ui";
    argv[n++] = "--trace";
    argv[n] = NULL;
    struct cbmc_confine confine;
    struct child_spec spec = {.argv = argv,
                              .confine = cbmc_confine(&confine, r.file),
                              .wall_seconds = r.seconds,
                              .cpu_seconds = r.cpu_seconds,
                              .memory_mb = r.memory_mb,
                              .output_bytes = output_limit,
                              .on_output = on_output,
                              .context = answer};
    struct child_result result;
    bool ran = child_run(&spec, &result, err);
    arena_free(&confine.arena);
    if (!ran)
        return false;
    bool ok = consistent(&result, answer);
    if (!ok && answer->error.len > 0)
        str_addf(detail, "CBMC: %s", str_text(&answer->error));
    else if (!ok && (result.end == CHILD_EXITED || result.end == CHILD_STOPPED))
        str_addf(detail, "what CBMC printed cannot be understood (exit code %d)", result.code);
    else if (!ok) {
        str_add(detail, "CBMC: ");
        child_end_text(&spec, &result, detail);
    }
    child_result_free(&result);
    return ok;
}

bool cbmc_run_text(const struct cbmc_run *run, const char *program, struct cbmc_output *answer,
                   struct str *detail) {
    struct str dir = {0}, path = {0};
    struct err err = {0};
    cbmc_output_init(answer);
    bool ok = file_temp_dir(&dir, &err);
    if (ok) {
        str_addf(&path, "%s/goals.c", str_text(&dir));
        ok = file_write(str_text(&path), program, strlen(program), &err) &&
             run_file(run, str_text(&path), answer, detail, &err);
        file_remove_tree(str_text(&dir));
    }
    str_add(detail, str_text(&err.message));
    err_clear(&err);
    str_free(&dir);
    str_free(&path);
    return ok;
}

bool cbmc_ask(const struct cbmc_question *q, struct cbmc_output *answer, struct str *detail) {
    struct str text = {0};
    struct err err = {0};
    bool ok = cbmc_question_write(q, &text, &err);
    if (ok)
        ok = cbmc_run_text(&q->run, str_text(&text), answer, detail);
    else
        cbmc_output_init(answer);
    str_add(detail, str_text(&err.message));
    err_clear(&err);
    str_free(&text);
    return ok;
}
