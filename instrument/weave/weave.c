/* The order is that of the rooms: units are read, the interface is found, goals are listed, and
 * the edits of each unit are applied to its text. */
#include "instrument/weave/weave.h"

#include "base/mem.h"
#include "instrument/weave/constructors.h"
#include "instrument/weave/enums.h"
#include "instrument/weave/guards.h"
#include "instrument/goals/implications.h"
#include "instrument/weave/interface.h"
#include "instrument/weave/orders.h"
#include "instrument/syntax/preprocess.h"
#include "instrument/syntax/task_calls.h"
#include "instrument/goals/listing.h"

#include <assert.h>

static const char prologue[] = "#ifndef GK_HOST\n"
                               "extern void gk_hit(unsigned probe);\n"
                               "extern void gk_assume(int condition);\n"
                               "extern float gk_input_f32(unsigned id);\n"
                               "extern double gk_input_f64(unsigned id);\n"
                               "extern _Bool gk_input_b(unsigned id);\n"
                               "extern signed char gk_input_i8(unsigned id);\n"
                               "extern unsigned char gk_input_u8(unsigned id);\n"
                               "extern short gk_input_i16(unsigned id);\n"
                               "extern unsigned short gk_input_u16(unsigned id);\n"
                               "extern int gk_input_i32(unsigned id);\n"
                               "extern unsigned gk_input_u32(unsigned id);\n"
                               "extern long long gk_input_i64(unsigned id);\n"
                               "extern unsigned long long gk_input_u64(unsigned id);\n"
                               "#endif\n";

/* The C library names these types itself for compilers that do not know them, as clang; for those
 * that do they are keywords. */
static const char type_names[] = "#define _Float32 gk_Float32\n"
                                 "#define _Float64 gk_Float64\n"
                                 "#define _Float32x gk_Float32x\n"
                                 "#define _Float64x gk_Float64x\n"
                                 "#define _Float128 gk_Float128\n";

struct weaving {
    size_t n;
    struct unit *units;
    struct tree *trees;
    struct edits *edits; /* one per unit */
    struct callgraph graph;
};

static bool weaving_open(struct weaving *w, const struct project *project, struct goals *goals,
                         struct err *err) {
    size_t n = project->sources.len;
    w->units = mem_zalloc(n + 1, sizeof *w->units);
    w->trees = mem_zalloc(n + 1, sizeof *w->trees);
    w->edits = mem_zalloc(n + 1, sizeof *w->edits);
    for (; w->n < n; w->n++) {
        if (!unit_open(&w->units[w->n], project, project->sources.data[w->n], err))
            return false;
        tree_build(&w->trees[w->n], &w->units[w->n], (uint32_t)w->n);
    }
    callgraph_build(&w->graph, w->trees, w->n, goals);
    return true;
}

static void weaving_close(struct weaving *w) {
    callgraph_free(&w->graph);
    for (size_t i = 0; i < w->n; i++) {
        tree_free(&w->trees[i]);
        edits_free(&w->edits[i]);
        unit_close(&w->units[i]);
    }
    mem_free(w->units);
    mem_free(w->trees);
    mem_free(w->edits);
}

/* Each file once, in the order of the first line that comes from it. */
static void list_files(const struct weaving *w, struct woven *woven) {
    struct intern seen = {0};
    for (size_t u = 0; u < w->n; u++) {
        const struct source_map *map = &w->units[u].map;
        for (size_t i = 0; i < map->lines.len; i++) {
            const struct source_line *line = &map->lines.data[i];
            const char *name = intern_text(&map->files, line->file);
            size_t before = seen.texts.len;
            if (!line->system && intern_id(&seen, name) == before)
                vec_push(&woven->files, arena_strdup(&woven->arena, name));
        }
    }
    intern_free(&seen);
}

static void add_unit(struct weaving *w, size_t i, struct str *text) {
    edits_apply(&w->edits[i], w->units[i].text, w->units[i].len, text);
    str_addc(text, '\n');
}

bool weave(const struct project *project, struct woven *woven, struct err *err) {
    assert(woven->text.len == 0);
    struct weaving w = {0};
    struct str harness = {0};
    bool good = weaving_open(&w, project, &woven->goals, err);
    for (size_t i = 0; good && i < w.n; i++)
        good = constructors_take(project, &w.units[i], &w.edits[i], err);
    if (good) {
        for (size_t i = 0; i < w.n; i++) { /* outermost: what a probe reports comes first */
            guards_add(&w.trees[i], &w.edits[i]);
            enums_mark(&w.units[i], &w.edits[i]);
        }
        list_files(&w, woven);
        goals_list(project, w.trees, &w.graph, w.edits, &woven->goals);
        implications_finish(&woven->goals, &w.graph, project);
        good = interface_weave(project, w.units, w.n, w.edits, &woven->module, &harness,
                               &woven->goals, &woven->fixture, err);
    }
    if (good) {
        str_add(&woven->text, prologue);
        str_add(&woven->text, type_names);
        for (size_t i = 0; i < w.n; i++)
            add_unit(&w, i, &woven->text);
        str_addn(&woven->text, str_text(&harness), harness.len);
        good = w.n == 1 || interface_check_fit(&w.units[0], &woven->text, err);
    }
    str_free(&harness);
    weaving_close(&w);
    if (!good)
        woven_free(woven);
    return good;
}

/* What the names of inputs say of their type counts where nothing else does. */
static void declare_inputs(const char *file, struct woven *woven) {
    struct str text = {0};
    task_calls_declare(str_text(&woven->text), &text);
    if (text.len > 0) {
        vec_push(
            &woven->goals.limitations,
            ((struct limitation){.file = arena_strdup(&woven->goals.arena, file),
                                 .function = "",
                                 .text = arena_printf(&woven->goals.arena,
                                                      "called without a declaration, taken as: %s",
                                                      str_text(&text))}));
        str_addc(&text, '\n');
        str_addn(&text, str_text(&woven->text), woven->text.len);
        str_clear(&woven->text);
        str_addn(&woven->text, str_text(&text), text.len);
    }
    str_free(&text);
}

bool weave_task(const struct project *project, const char *file, struct woven *woven,
                struct err *err) {
    struct unit unit = {0};
    struct edits edits = {0};
    struct arena arena = {0};
    struct texts args = {0};
    struct err why = {0};
    bool read = unit_open(&unit, project, file, &why), ok = true;
    if (read) {
        orders_doubt(&unit, &edits, &woven->goals);
        edits_apply(&edits, unit.text, unit.len, &woven->text);
        unit_close(&unit);
    } else {
        ok = preprocess(project, file, &arena, &args, &woven->text, err);
        vec_push(
            &woven->goals.limitations,
            ((struct limitation){.file = arena_strdup(&woven->goals.arena, file),
                                 .function = "",
                                 .text = arena_printf(&woven->goals.arena,
                                                      "orders of evaluation are not compared: %s",
                                                      str_text(&why.message))}));
    }
    if (ok)
        declare_inputs(file, woven);
    err_clear(&why);
    edits_free(&edits);
    vec_free(&args);
    arena_free(&arena);
    return ok;
}

void woven_free(struct woven *woven) {
    str_free(&woven->text);
    goals_free(&woven->goals);
    module_free(&woven->module);
    fixture_free(&woven->fixture);
    vec_free(&woven->files);
    arena_free(&woven->arena);
}
