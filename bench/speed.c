/* speed: the native runner against a loop that somebody would write by hand. */
#include "bench/bench.h"

#include "base/child.h"
#include "base/file.h"
#include "base/log.h"
#include "base/rng.h"
#include "instrument/syntax/sort.h"
#include "instrument/native/simulate_values.h"
#include "model/term/ordinal.h"

#include <stdlib.h>

/* Inputs that rest for 1 .. 1000 steps, uniform in their ranges. */
static uint64_t random_value(struct rng *rng, const struct module_var *var) {
    uint64_t min, max;
    values_range(var, &min, &max);
    if (var->type == TYPE_FLOAT && var->bits == 32) {
        float low = bits_f32(min), high = bits_f32(max);
        return f32_bits(low + (float)rng_unit(rng) * (high - low));
    }
    if (var->type == TYPE_FLOAT) {
        double low = bits_f64(min), high = bits_f64(max);
        return f64_bits(low + rng_unit(rng) * (high - low));
    }
    sort_t sort = var_sort(var);
    bool is_signed = var->type == TYPE_SIGNED;
    int64_t low = ordinal_of(sort, is_signed, min), high = ordinal_of(sort, is_signed, max);
    uint64_t size = (uint64_t)high - (uint64_t)low + 1;
    uint64_t offset = size ? rng_below(rng, size) : rng_next(rng);
    return ordinal_bits(sort, is_signed, (int64_t)((uint64_t)low + offset));
}

static void record(const struct subject *subject, uint32_t steps, struct input_events *events) {
    struct rng rng;
    size_t n = subject->woven.module.inputs.len;
    uint32_t *next = calloc(n + 1, sizeof *next);
    rng_init(&rng, 1);
    for (size_t i = 0; i < n; i++) {
        const struct module_var *var = &subject->woven.module.inputs.data[i];
        if (var->role == VAR_PARAMETER)
            vec_push(events, (struct input_event){NATIVE_INIT, (uint32_t)i, var->min});
    }
    for (uint32_t step = 0; step < steps; step++)
        for (size_t i = 0; i < n; i++) {
            const struct module_var *var = &subject->woven.module.inputs.data[i];
            if (var->role != VAR_INPUT || next[i] > step)
                continue;
            vec_push(events, (struct input_event){step, (uint32_t)i, random_value(&rng, var)});
            next[i] = step + 1 + (uint32_t)rng_below(&rng, 1000);
        }
    free(next);
}

/* The type as the standard names it, and "unsigned long" for what a header calls so on ILP32. */
static const char *c_type(const struct module_var *var) {
    if (var->type == TYPE_FLOAT)
        return var->bits == 32 ? "float" : "double";
    if (var->type == TYPE_BOOL)
        return "_Bool";
    switch (var->bits) {
    case 8:
        return var->type == TYPE_SIGNED ? "signed char" : "unsigned char";
    case 16:
        return var->type == TYPE_SIGNED ? "short" : "unsigned short";
    case 32:
        return var->type == TYPE_SIGNED ? "int" : "unsigned";
    default:
        return var->type == TYPE_SIGNED ? "long long" : "unsigned long long";
    }
}

static bool is_plain_name(const char *path) {
    return path[strcspn(path, ".[:")] == '\0';
}

/* Does every input have a plain name? Else the loop includes the (single) source for the types. */
static bool needs_source(const struct module *module) {
    for (size_t i = 0; i < module->inputs.len; i++)
        if (module->inputs.data[i].role == VAR_INPUT && !is_plain_name(module->inputs.data[i].path))
            return true;
    return false;
}

static void write_inputs(const struct module *module, bool declare, struct str *out) {
    for (size_t i = 0; i < module->inputs.len; i++) {
        const struct module_var *var = &module->inputs.data[i];
        if (var->role == VAR_INPUT && declare)
            str_addf(out, "extern %s %s;\n", c_type(var), var->path);
        else if (var->role == VAR_INPUT)
            str_addf(out, "        case %zu: memcpy((void *)&%s, &e[at].bits, sizeof %s); break;\n",
                     i, var->path, var->path);
    }
}

/* static const data that the events are; a program that prints its own rate. */
static void write_loop(const struct subject *subject, uint32_t steps, bool include,
                       struct str *out) {
    const struct module *module = &subject->woven.module;
    if (include) {
        char *dir = realpath(subject->project.dir, NULL);
        str_addf(out, "#include \"%s/%s\"\n", dir, subject->project.sources.data[0]);
        free(dir);
    }
    str_add(out, "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
                 "#include <time.h>\n");
    if (!include)
        write_inputs(module, true, out);
    for (size_t i = 0; i < module->init.len && !include; i++)
        str_addf(out, "extern void %s(void);\n", module->init.data[i]);
    if (!include)
        str_addf(out, "extern void %s(void);\n", module->step);
    str_add(out, "struct event { unsigned step, input; unsigned long long bits; };\n"
                 "int main(int argc, char **argv) {\n"
                 "    FILE *f = fopen(argv[1], \"rb\"); unsigned n = atoi(argv[2]), at = 0;\n"
                 "    struct event *e = malloc((n + 1) * sizeof *e); struct timespec a, b;\n"
                 "    if (fread(e, sizeof *e, n, f) != n) return 1;\n"
                 "    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);\n");
    for (size_t i = 0; i < module->init.len; i++)
        str_addf(out, "    %s();\n", module->init.data[i]);
    str_addf(out,
             "    while (at < n && e[at].step == -1u) at++;\n"
             "    for (unsigned step = 0; step < %uu; step++) {\n"
             "        for (; at < n && e[at].step == step; at++) switch (e[at].input) {\n",
             steps);
    write_inputs(module, false, out);
    str_addf(out,
             "        }\n        %s();\n    }\n"
             "    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);\n"
             "    printf(\"%%.9f\\n\", (b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) * 1e-9);\n"
             "    return 0;\n}\n",
             module->step);
}

static bool build_loop(const struct subject *subject, uint32_t steps, struct arena *arena,
                       const char **executable, struct err *err) {
    const struct project *project = &subject->project;
    bool include = needs_source(&subject->woven.module);
    if (include && project->sources.len > 1)
        return err_set(err, ERR_USAGE, "no loop for inputs inside structures of several sources");
    struct str text = {0};
    VEC(const char *) sources = {0};
    char *loop = path_join(arena, str_text(&subject->dir), "loop.c");
    write_loop(subject, steps, include, &text);
    vec_push(&sources, loop);
    for (size_t i = 0; !include && i < project->sources.len; i++)
        vec_push(&sources, path_join(arena, project->dir, project->sources.data[i]));
    vec_push(&sources, NULL);
    *executable = path_join(arena, str_text(&subject->dir), "loop");
    /* multi_unit takes a define from its compile_commands.json */
    bool ok = file_write(loop, text.data, text.len, err) &&
              bench_compile(
                  subject,
                  project->ilp32
                      ? "-m32 -msse2 -mfpmath=sse -O2 -w -fno-pic -no-pie -DWITH_TACHO -std=gnu11"
                      : "-O2 -w -DWITH_TACHO -std=gnu11",
                  sources.data, *executable, err);
    vec_free(&sources);
    str_free(&text);
    return ok;
}

static bool run_loop(const char *executable, const char *file, size_t n_events, double *seconds,
                     struct err *err) {
    char count[32];
    snprintf(count, sizeof count, "%zu", n_events);
    const char *argv[] = {executable, file, count, NULL};
    struct child_spec spec = {.argv = argv, .wall_seconds = 300};
    struct child_result result = {0};
    if (!child_run(&spec, &result, err))
        return false;
    bool ok = result.end == CHILD_EXITED && result.code == 0;
    *seconds = strtod(str_text(&result.out), NULL);
    child_result_free(&result);
    return ok || err_set(err, ERR_INTERNAL, "the loop did not run to its end");
}

static bool run_native(const struct subject *subject, const bool *known,
                       const struct input_events *events, uint32_t steps, double *seconds,
                       struct err *err) {
    struct native_program program = subject_program(subject);
    program.known = known;
    struct native *native = native_open(&program, NATIVE_FAST, err);
    if (!native)
        return false;
    struct native_run run = {.events = events, .n_steps = steps};
    struct native_result result = {0};
    double before = native_cpu_seconds(native);
    bool ok = native_replay(native, &run, &result, err);
    *seconds = native_cpu_seconds(native) - before;
    if (ok && result.end != NATIVE_RAN)
        ok = err_set(err, ERR_INTERNAL, "the run ended early: %s in step %u",
                     native_end_text(result.end), result.end_step);
    native_result_free(&result);
    native_close(native);
    return ok;
}

bool speed_measure(const struct subject *subject, uint32_t steps, struct speeds *speeds,
                   struct err *err) {
    struct arena arena = {0};
    struct input_events events = {0};
    const char *executable = NULL;
    double all = 0, known = 0, loop = 0;
    char *file = path_join(&arena, str_text(&subject->dir), "events");
    record(subject, steps, &events);
    bool ok = build_loop(subject, steps, &arena, &executable, err) &&
              file_write(file, events.data, events.len * sizeof *events.data, err) &&
              run_loop(executable, file, events.len, &loop, err) &&
              run_native(subject, NULL, &events, steps, &all, err) &&
              run_native(subject, subject->known, &events, steps, &known, err);
    *speeds = (struct speeds){steps / all, steps / known, steps / loop};
    vec_free(&events);
    arena_free(&arena);
    return ok;
}
