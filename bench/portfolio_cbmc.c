/* The harness and the run of `cbmc --cover mcdc`, see portfolio.h.
 *
 * CBMC gets every unit preprocessed with its own flags, so that it sees the program that we see. A
 * volatile variable is assigned once a step; what functions without a body return is CBMC's own
 * choice, without ranges. */
#include "bench/portfolio.h"

#include "app/project/read.h"
#include "base/child.h"
#include "base/file.h"
#include "base/tool.h"
#include "instrument/syntax/sort.h"
#include "instrument/syntax/preprocess.h"
#include "instrument/weave/weave.h"
#include "model/term/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WALL_FACTOR = 6, MEMORY_MB = 8192 };

struct harness {
    struct arena arena;
    struct project project;
    struct woven woven;
    struct texts files; /* what CBMC is given */
};

static const char *type_of(const struct module_var *v) {
    static const char *const ints[2][4] = {
        {"unsigned char", "unsigned short", "unsigned int", "unsigned long long"},
        {"signed char", "signed short", "signed int", "signed long long"}};
    int log = v->bits <= 8 ? 0 : v->bits <= 16 ? 1 : v->bits <= 32 ? 2 : 3;
    if (v->type == TYPE_FLOAT)
        return v->bits == 32 ? "float" : "double";
    return v->type == TYPE_BOOL ? "_Bool" : ints[v->type == TYPE_SIGNED][log];
}

static void add_bound(struct str *out, const struct module_var *v, uint64_t bits) {
    value_print(var_sort(v), v->type == TYPE_SIGNED, bits, out);
}

/* Any value of the range; through a pointer, for parameters are constants. */
static void add_choice(struct str *out, const struct module_var *v, size_t number) {
    const char *type = type_of(v);
    str_addf(out, "    { %s gk_nondet_%zu(void), value = gk_nondet_%zu();", type, number, number);
    if (v->has_range) {
        str_add(out, " __CPROVER_assume(value >= ");
        add_bound(out, v, v->min);
        str_add(out, " && value <= ");
        add_bound(out, v, v->max);
        str_add(out, ");");
    }
    str_addf(out, " *(%s *)&%s = value; }\n", type, v->path);
}

/* By a plain name: no static local, no function. */
static bool can_be_assigned(const struct module_var *v) {
    return v->path[strcspn(v->path, ":()* ")] == '\0';
}

/* Files of several units cannot be one: their types and statics meet. So each unit chooses what it
 * defines itself, in functions of its own behind its text. */
static size_t unit_of(const struct project *p, const struct module_var *v) {
    for (size_t i = 0; i < p->sources.len; i++)
        if (v->file && strcmp(v->file, p->sources.data[i]) == 0)
            return i;
    return 0;
}

static void add_choices(const struct harness *h, size_t unit, bool constants, struct str *out) {
    const struct module *m = &h->woven.module;
    str_addf(out, "\nvoid gk_choose_%s_%zu(void) {\n", constants ? "constants" : "inputs", unit);
    for (size_t i = 0; i < m->inputs.len; i++) {
        const struct module_var *v = &m->inputs.data[i];
        bool mine =
            constants ? v->role == VAR_PARAMETER : v->role == VAR_INPUT || v->role == VAR_VOLATILE;
        if (mine && can_be_assigned(v) && unit_of(&h->project, v) == unit)
            add_choice(out, v, i);
    }
    str_add(out, "}\n");
}

static bool write_file(struct harness *h, const char *dir, const char *name, const struct str *text,
                       struct err *err) {
    char *path = path_join(&h->arena, dir, name);
    vec_push(&h->files, path);
    return file_write(path, text->data, text->len, err);
}

/* Words of gcc that clang lets headers define: CBMC knows them as gcc does. */
static const char own_words[] = "#define _Float32 gk_Float32\n#define _Float64 gk_Float64\n"
                                "#define _Float32x gk_Float32x\n#define _Float64x gk_Float64x\n";

/* The text as its own flags make it: those of the project and of compile_commands.json. */
static bool write_unit(struct harness *h, const char *dir, size_t unit, struct err *err) {
    struct str text = {0};
    struct texts args = {0};
    str_add(&text, own_words);
    bool ok = preprocess(&h->project, h->project.sources.data[unit], &h->arena, &args, &text, err);
    if (ok) {
        add_choices(h, unit, true, &text);
        add_choices(h, unit, false, &text);
        ok = write_file(h, dir, arena_printf(&h->arena, "unit%zu.c", unit), &text, err);
    }
    vec_free(&args);
    str_free(&text);
    return ok;
}

static void add_calls(const struct project *p, const char *what, struct str *out) {
    for (size_t i = 0; i < p->sources.len; i++)
        str_addf(out, "    void gk_choose_%s_%zu(void); gk_choose_%s_%zu();\n", what, i, what, i);
}

static bool write_main(struct harness *h, const char *dir, unsigned depth, struct err *err) {
    const struct project *p = &h->project;
    struct str text = {0};
    str_add(&text, "void gk_main(void) {\n");
    add_calls(p, "constants", &text);
    for (size_t i = 0; i < p->init.len; i++)
        str_addf(&text, "    void %s(void); %s();\n", p->init.data[i], p->init.data[i]);
    for (unsigned step = 0; step < depth; step++) {
        add_calls(p, "inputs", &text);
        str_addf(&text, "    void %s(void); %s();\n", p->step, p->step);
    }
    str_add(&text, "}\n");
    bool ok = write_file(h, dir, "main.c", &text, err);
    str_free(&text);
    return ok;
}

static bool write_harness(struct harness *h, const char *dir, unsigned depth, struct err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < h->project.sources.len; i++)
        ok = write_unit(h, dir, i, err);
    return ok && write_main(h, dir, depth, err);
}

static char *find_cbmc(struct arena *arena) {
    char *cbmc = tool_cbmc(arena);
    if (cbmc)
        return cbmc;
    cbmc = path_join(arena, tool_own_dir(arena), "../prefix/bin/cbmc");
    return file_exists(cbmc) ? cbmc : NULL;
}

/* The last line of what it says. */
static void add_reason(const struct child_result *result, struct outcome *o) {
    const char *said = str_text(&result->err), *line = said;
    for (const char *p = said; (p = strchr(p, '\n')) && p[1]; p++)
        if (memcmp(p + 1, "CONVERSION ERROR", 16) != 0)
            line = p + 1;
    if (result->end == CHILD_MEMORY)
        line = "memory is full";
    snprintf(o->note, sizeof o->note, "  no answer: %.*s", (int)strcspn(line, "\n"), line);
}

/* "[pid.coverage.7] file … line 60 function pid MC/DC …: SATISFIED"; the harness (gk_…) has
 * conditions of its own, they do not count. */
static void read_answer(const struct child_result *result, struct outcome *o) {
    for (const char *line = str_text(&result->out); line; line = strchr(line, '\n')) {
        line += *line == '\n';
        size_t length = strcspn(line, "\n");
        const char *mark = strstr(line, ".coverage.");
        if (*line != '[' || !mark || mark > line + length || strncmp(line, "[gk_", 4) == 0)
            continue;
        bool covered = length > 9 && strncmp(line + length - 9, "SATISFIED", 9) == 0;
        o->goals++;
        o->reachable += covered;
        o->open += !covered;
    }
    o->cut = result->end == CHILD_TIMEOUT || result->end == CHILD_CPU;
    if (o->goals == 0 && o->cut)
        snprintf(o->note, sizeof o->note, "  time is up, no answer");
    else if (o->goals == 0)
        add_reason(result, o);
}

static bool ask(struct harness *h, double seconds, struct outcome *o, struct err *err) {
    struct texts argv = {0};
    struct child_result result = {0};
    const char *fixed[] = {find_cbmc(&h->arena),
                           "--function",
                           "gk_main",
                           "--cover",
                           "mcdc",
                           "--no-standard-checks",
                           "--unwind",
                           "32",
                           h->project.ilp32 ? "--32" : "--64",
                           h->project.char_is_signed ? "--slice-formula" : "--unsigned-char"};
    if (!fixed[0])
        return err_set(err, ERR_USAGE, "CBMC is not installed");
    vec_append(&argv, fixed, sizeof fixed / sizeof *fixed);
    vec_append(&argv, h->files.data, h->files.len);
    vec_push(&argv, NULL);
    /* Other work on the machine may not make it look slower: its CPU time is limited. */
    struct child_spec spec = {.argv = argv.data,
                              .cpu_seconds = seconds,
                              .wall_seconds = WALL_FACTOR * seconds,
                              .memory_mb = MEMORY_MB};
    bool ok = child_run(&spec, &result, err);
    if (ok) {
        o->seconds = result.wall_seconds;
        o->cpu_seconds = result.cpu_seconds;
        o->peak_mb = (int64_t)result.peak_mb;
        read_answer(&result, o);
    }
    vec_free(&argv);
    child_result_free(&result);
    return ok;
}

bool cover_by_cbmc(const char *dir, unsigned depth, double seconds, struct outcome *outcome) {
    struct harness h = {0};
    struct str temp = {0};
    struct err err = {0};
    *outcome = (struct outcome){0};
    bool ok = project_read(path_join(&h.arena, dir, "goalkeeper.json"), &h.project, &err) &&
              weave(&h.project, &h.woven, &err) && file_temp_dir(&temp, &err) &&
              write_harness(&h, str_text(&temp), depth, &err) && ask(&h, seconds, outcome, &err);
    if (!ok)
        err_print(&err);
    if (temp.len)
        file_remove_tree(str_text(&temp));
    str_free(&temp);
    vec_free(&h.files);
    woven_free(&h.woven);
    project_free(&h.project);
    arena_free(&h.arena);
    err_clear(&err);
    return ok;
}
