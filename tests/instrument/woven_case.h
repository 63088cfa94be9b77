/* woven_case: C text in, module and woven program out, for tests of the interface. */
#ifndef TESTS_WOVEN_CASE_H
#define TESTS_WOVEN_CASE_H

#include "base/child.h"
#include "base/file.h"
#include "base/tool.h"
#include "instrument/weave/weave.h"

#include "unity.h"

#include <string.h>

struct woven_case {
    struct arena arena;
    struct str dir;
    struct project project;
    struct woven woven;
    struct err err;
};

static void case_open(struct woven_case *c) {
    struct err err = {0};
    *c = (struct woven_case){0};
    TEST_ASSERT_TRUE(file_temp_dir(&c->dir, &err));
    project_defaults(&c->project);
    c->project.dir = str_text(&c->dir);
    c->project.step = "step";
}

static void case_close(struct woven_case *c) {
    file_remove_tree(str_text(&c->dir));
    str_free(&c->dir);
    woven_free(&c->woven);
    project_free(&c->project);
    err_clear(&c->err);
    arena_free(&c->arena);
}

static inline void case_source(struct woven_case *c, const char *name, const char *text) {
    struct err err = {0};
    const char *path = arena_printf(&c->arena, "%s/%s", str_text(&c->dir), name);
    TEST_ASSERT_TRUE(file_write(path, text, strlen(text), &err));
    vec_push(&c->project.sources, arena_strdup(&c->arena, name));
}

static inline struct project_var *case_var(struct woven_case *c, const char *name, const char *min,
                                           const char *max) {
    struct project_var var = {.name = name, .min_text = min, .max_text = max};
    var.has_min = min != NULL;
    var.has_max = max != NULL;
    vec_push(&c->project.vars, var);
    return &vec_last(&c->project.vars);
}

static inline void case_parameter(struct woven_case *c, const char *name, bool range,
                                  const char *min, const char *max) {
    struct project_var *var = case_var(c, name, min, max);
    var->is_parameter = true;
    var->range_mode = range;
}

static inline void case_weave(struct woven_case *c) {
    bool good = weave(&c->project, &c->woven, &c->err);
    TEST_ASSERT_TRUE_MESSAGE(good, str_text(&c->err.message));
}

static inline void case_fails(struct woven_case *c, const char *message, const char *remedy) {
    TEST_ASSERT_FALSE(weave(&c->project, &c->woven, &c->err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&c->err.message), message),
                                 str_text(&c->err.message));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&c->err.remedy), remedy),
                                 str_text(&c->err.remedy));
}

static inline const struct module_var *case_input(const struct woven_case *c, const char *path) {
    for (size_t i = 0; i < c->woven.module.inputs.len; i++)
        if (str_same(c->woven.module.inputs.data[i].path, path))
            return &c->woven.module.inputs.data[i];
    return NULL;
}

static inline const struct module_var *case_state(const struct woven_case *c, const char *path) {
    for (size_t i = 0; i < c->woven.module.state.len; i++)
        if (str_same(c->woven.module.state.data[i].path, path))
            return &c->woven.module.state.data[i];
    return NULL;
}

static inline bool case_says(const struct woven_case *c, const char *text) {
    for (size_t i = 0; i < c->woven.goals.limitations.len; i++)
        if (strstr(c->woven.goals.limitations.data[i].text, text))
            return true;
    return false;
}

/* Runs a program in the folder of the case. */
static inline struct child_result case_run(struct woven_case *c, const char *const *argv) {
    struct child_spec spec = {.argv = argv, .dir = str_text(&c->dir), .wall_seconds = 120};
    struct child_result result = {0};
    struct err err = {0};
    TEST_ASSERT_TRUE_MESSAGE(child_run(&spec, &result, &err), argv[0]);
    return result;
}

static inline void case_runs_well(struct woven_case *c, const char *const *argv) {
    struct child_result result = case_run(c, argv);
    bool good = result.end == CHILD_EXITED && result.code == 0 && result.err.len == 0;
    const char *message =
        arena_printf(&c->arena, "%s %s: %.2000s", argv[0], argv[1], str_text(&result.err));
    child_result_free(&result);
    TEST_ASSERT_TRUE_MESSAGE(good, message);
}

/* The woven program compiles without a warning by gcc and clang, for its data model. */
static inline void case_compiles(struct woven_case *c) {
    struct err err = {0};
    const char *path = arena_printf(&c->arena, "%s/woven.c", str_text(&c->dir));
    TEST_ASSERT_TRUE(file_write(path, c->woven.text.data, c->woven.text.len, &err));
    const char *compilers[] = {tool_cc(&c->arena), tool_clang(&c->arena)};
    const char *model = c->project.ilp32 ? "-m32" : "-m64";
    for (size_t i = 0; i < 2; i++) {
        TEST_ASSERT_NOT_NULL(compilers[i]);
        const char *argv[] = {compilers[i], model,     "-std=gnu11", "-Wall",
                              "-Werror",    "-fwrapv", "-c",         "-DGK_NATIVE",
                              "-o",         "woven.o", "woven.c",    NULL};
        case_runs_well(c, argv);
    }
}

/* Both data models; CBMC takes it, where there is one. The case is left woven for 32 bits. */
static inline void case_weave_and_compile(struct woven_case *c) {
    c->project.ilp32 = false;
    case_weave(c);
    case_compiles(c);
    woven_free(&c->woven);
    c->woven = (struct woven){0};
    c->project.ilp32 = true;
    case_weave(c);
    case_compiles(c);
    const char *cbmc = tool_cbmc(&c->arena);
    if (!cbmc)
        return;
    const char *argv[] = {cbmc, "--32", "--show-goto-functions", "woven.c", NULL};
    struct child_result result = case_run(c, argv);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, result.code, str_text(&result.err));
    child_result_free(&result);
}

#endif
