/* verify: see verify.h. */
#include "app/verify/verify.h"

#include "base/file.h"
#include "base/map.h"
#include "db/rows.h"
#include "instrument/syntax/source_map.h"
#include "instrument/syntax/task_calls.h"

#include <stdio.h>
#include <string.h>

enum { VALUES_SHOWN = 40 };

/* ---- the task as a module ---- */

/* What stands at the place of the goal: its first call, or the beginning. */
static struct goal make_goal(struct woven *woven, const char *file) {
    const char *text = str_text(&woven->text);
    struct task_calls calls = {0};
    struct source_map map = {0};
    task_calls_find(&calls, text);
    source_map_build(&map, text, woven->text.len, file, NULL, NULL);
    const struct task_call *error = task_calls_first_error(&calls);
    struct place place = source_map_place(&map, error ? error->begin : 0);
    struct arena *arena = &woven->goals.arena;
    struct goal goal = {.key = hash_text("error of a verification task"),
                        .kind = GOAL_call,
                        .value = -1,
                        .file = arena_strdup(arena, place.file),
                        .line = place.line,
                        .col = place.col,
                        .end_line = place.line,
                        .end_col = place.col,
                        .function = "main",
                        .text = "error",
                        .decision = -1,
                        .condition = -1};
    if (error)
        goal.text = arena_strndup(arena, text + error->begin, error->end - error->begin);
    else
        goal.reason = "the task calls neither reach_error() nor an assertion, so there is no error "
                      "to reach";
    const struct task_call *foreign = task_calls_first_foreign(&calls);
    if (foreign)
        goal.reason = arena_printf(arena, "%.*s() means something to another verifier only",
                                   (int)(foreign->end - foreign->begin), text + foreign->begin);
    goal.end_col += (int)strlen(goal.text);
    source_map_free(&map);
    vec_free(&calls);
    return goal;
}

static void describe(const struct project *project, struct module *module) {
    struct module_var value = {.path = "value",
                               .c_expr = "",
                               .role = VAR_STUB,
                               .type = TYPE_UNSIGNED,
                               .bits = 64,
                               .lsb = 1,
                               .max = UINT64_MAX,
                               .range_from = "task"};
    module->name = project->name;
    module->step = "main";
    module->ilp32 = project->ilp32;
    module->char_is_signed = project->char_is_signed;
    module->task = true;
    vec_push(&module->inputs, value);
}

bool verify_weave(const struct project *project, struct woven *woven, struct err *err) {
    assert(project->sources.len == 1 && woven->text.len == 0);
    const char *file = project->sources.data[0];
    bool ok = weave_task(project, file, woven, err);
    if (ok) {
        vec_push(&woven->goals.list, make_goal(woven, file));
        woven->goals.n_probes = 1;
        describe(project, &woven->module);
    }
    return ok;
}

/* ---- the verdict ---- */

/* The rows of a query of one column, each behind `head`. */
static bool print_lines(struct store *db, const char *sql, const char *head, struct err *err) {
    struct rows *r = rows_open(db, sql, err);
    while (rows_next(r))
        printf("%s%s\n", head, rows_text(r, 0));
    return rows_close(r, err);
}

static bool print_values(struct store *db, struct err *err) {
    struct rows *r = rows_open(
        db, "SELECT e.bits FROM goal g JOIN witness_event e USING (witness) ORDER BY e.number",
        err);
    size_t n = 0;
    printf("values:");
    for (; rows_next(r); n++)
        if (n < VALUES_SHOWN)
            printf(" 0x%llx", (unsigned long long)rows_int(r, 0));
    if (n > VALUES_SHOWN)
        printf(" … (%zu in all)", n);
    printf("%s\n", n ? "" : " none");
    return rows_close(r, err);
}

bool verify_print(struct store *db, struct err *err) {
    return print_lines(db, "SELECT status FROM goal_status", "verdict: ", err) &&
           print_lines(db, "SELECT engine FROM goal_status WHERE status <> 'open'",
                       "engine: ", err) &&
           print_lines(db, "SELECT checked_by FROM goal_status WHERE status <> 'open'",
                       "checked by: ", err) &&
           print_lines(db, "SELECT depth FROM goal_status WHERE status <> 'open'",
                       "depth: ", err) &&
           print_lines(db, "SELECT reason FROM goal_status WHERE status = 'open'",
                       "reason: ", err) &&
           print_lines(db, "SELECT text FROM invariant_clause ORDER BY clause",
                       "invariant: ", err) &&
           (rows_single_int(db, "SELECT count(*) FROM goal WHERE witness NOT NULL") == 0 ||
            print_values(db, err));
}
