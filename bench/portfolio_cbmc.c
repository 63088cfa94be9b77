/* The harness and the run of `cbmc --cover mcdc`, see portfolio.h. */
#include "bench/portfolio.h"

#include "app/project_read.h"
#include "base/child.h"
#include "base/file.h"
#include "base/tool.h"
#include "instrument/weave.h"
#include "model/value.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct harness {
    struct arena arena;
    struct project project;
    struct woven woven;
    struct str text;
};

static const char *type_of(const struct module_var *v) {
    static const char *const ints[2][4] = {
        {"unsigned char", "unsigned short", "unsigned int", "unsigned long long"},
        {"signed char", "signed short", "signed int", "signed long long"}};
    int log = v->bits <= 8 ? 0 : v->bits <= 16 ? 1 : v->bits <= 32 ? 2 : 3;
    if (v->type == 'f')
        return v->bits == 32 ? "float" : "double";
    return v->type == 'b' ? "_Bool" : ints[v->type == 'i'][log];
}

static void add_bound(struct str *out, const struct module_var *v, uint64_t bits) {
    sort_t sort = v->type == 'f'   ? (v->bits == 32 ? SORT_F32 : SORT_F64)
                  : v->type == 'b' ? SORT_BOOL
                                   : v->bits;
    value_print(sort, v->type == 'i', bits, out);
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

static void add_choices(struct harness *h, enum var_role role) {
    for (size_t i = 0; i < h->woven.module.inputs.len; i++)
        if (h->woven.module.inputs.data[i].role == role)
            add_choice(&h->text, &h->woven.module.inputs.data[i], i);
}

static bool can_be_assigned(const struct module *m) {
    for (size_t i = 0; i < m->inputs.len; i++)
        if ((m->inputs.data[i].role != VAR_INPUT && m->inputs.data[i].role != VAR_PARAMETER) ||
            strchr(m->inputs.data[i].path, ':'))
            return false;
    return true;
}

static bool write_harness(struct harness *h, unsigned depth) {
    const struct project *p = &h->project;
    if (!can_be_assigned(&h->woven.module))
        return false;
    for (size_t i = 0; i < p->sources.len; i++)
        str_addf(&h->text, "#include \"%s\"\n", path_join(&h->arena, p->dir, p->sources.data[i]));
    str_add(&h->text, "void gk_main(void) {\n");
    add_choices(h, VAR_PARAMETER);
    for (size_t i = 0; i < p->init.len; i++)
        str_addf(&h->text, "    %s();\n", p->init.data[i]);
    for (unsigned step = 0; step < depth; step++) {
        add_choices(h, VAR_INPUT);
        str_addf(&h->text, "    %s();\n", p->step);
    }
    str_add(&h->text, "}\n");
    return true;
}

static char *find_cbmc(struct arena *arena) {
    char *cbmc = tool_cbmc(arena);
    if (cbmc)
        return cbmc;
    cbmc = path_join(arena, tool_own_dir(arena), "../prefix/bin/cbmc");
    return file_exists(cbmc) ? cbmc : NULL;
}

/* "[pid.coverage.7] file … line 60 function pid MC/DC …: SATISFIED"; the harness has conditions of
 * its own, they do not count. */
static void read_answer(const struct child_result *result, struct outcome *o) {
    for (const char *line = str_text(&result->out); line; line = strchr(line, '\n')) {
        line += *line == '\n';
        size_t length = strcspn(line, "\n");
        const char *mark = strstr(line, ".coverage.");
        if (*line != '[' || !mark || mark > line + length || strncmp(line, "[gk_main.", 9) == 0)
            continue;
        bool covered = length > 9 && strncmp(line + length - 9, "SATISFIED", 9) == 0;
        o->goals++;
        o->reachable += covered;
        o->open += !covered;
    }
    if (o->goals == 0)
        o->note = result->end == CHILD_TIMEOUT ? "  time is up, no answer" : "  no answer";
}

static bool ask(struct harness *h, const char *file, double seconds, struct outcome *o) {
    struct texts argv = {0};
    struct child_result result = {0};
    struct err err = {0};
    const char *fixed[] = {find_cbmc(&h->arena),
                           file,
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
        return false;
    vec_append(&argv, fixed, sizeof fixed / sizeof *fixed);
    for (size_t i = 0; i < h->project.include_dirs.len; i++) {
        vec_push(&argv, "-I");
        vec_push(&argv, path_join(&h->arena, h->project.dir, h->project.include_dirs.data[i]));
    }
    for (size_t i = 0; i < h->project.defines.len; i++)
        vec_push(&argv, arena_printf(&h->arena, "-D%s", h->project.defines.data[i]));
    vec_push(&argv, NULL);
    struct child_spec spec = {.argv = argv.data, .wall_seconds = seconds, .memory_mb = 8192};
    bool ok = child_run(&spec, &result, &err);
    if (ok) {
        o->seconds = result.wall_seconds;
        o->cpu_seconds = result.cpu_seconds;
        o->peak_mb = (int64_t)result.peak_mb;
        read_answer(&result, o);
    }
    vec_free(&argv);
    child_result_free(&result);
    err_clear(&err);
    return ok;
}

bool cover_by_cbmc(const char *dir, unsigned depth, double seconds, struct outcome *outcome) {
    struct harness h = {0};
    struct str temp = {0};
    struct err err = {0};
    *outcome = (struct outcome){0};
    char absolute[PATH_MAX]; /* the harness includes the sources from somewhere else */
    bool ok = realpath(dir, absolute) &&
              project_read(path_join(&h.arena, absolute, "goalkeeper.json"), &h.project, &err) &&
              weave(&h.project, &h.woven, &err) && file_temp_dir(&temp, &err);
    if (ok) {
        char *file = path_join(&h.arena, str_text(&temp), "harness.c");
        ok = write_harness(&h, depth) && file_write(file, h.text.data, h.text.len, &err) &&
             ask(&h, file, seconds, outcome);
        file_remove_tree(str_text(&temp));
    }
    str_free(&temp);
    str_free(&h.text);
    woven_free(&h.woven);
    project_free(&h.project);
    arena_free(&h.arena);
    err_clear(&err);
    return ok;
}
