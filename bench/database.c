/* bench database: how long a large database takes to answer.
 *
 *     build/bench/database [GOALS]        default: 50000
 *
 * Fills a database with made-up goals, a third of them reachable, and runs the commands of the
 * program on it, each in a process of its own as a user would. The target is half a second each.
 */
#include "base/child.h"
#include "base/file.h"
#include "base/log.h"
#include "db/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { A_FUNCTION = 100, A_FILE = 2500 }; /* goals */

static void make_goals(struct goals *goals, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        struct goal goal = {
            .key = 0x9e3779b97f4a7c15u * (i + 1),
            .kind = (enum goal_kind)(i % (GOAL_mcdc + 1)),
            .value = (int8_t)(criteria[i % (GOAL_mcdc + 1)].has_value ? (int)(i & 1) : -1),
            .probe = i,
            .file = arena_printf(&goals->arena, "src/unit%u.c", i / A_FILE),
            .line = (int)(i % A_FILE) + 1,
            .col = 5,
            .function = arena_printf(&goals->arena, "Sa%u_Step", i / A_FUNCTION),
            .text = "(Sa1_Speed > 20.0F) && Sa1_Enable",
            .decision = -1,
            .condition = -1};
        vec_push(&goals->list, goal);
    }
    goals->n_probes = n;
}

static bool fill(struct store *db, const struct goals *goals, struct err *err) {
    struct module module = {.name = "made_up", .step = "step"};
    struct witness witness = {.steps = 1, .engine = "simulate"};
    bool ok = store_module(db, goals, &module, err) && store_begin(db, err);
    for (uint32_t i = 0; ok && i < goals->list.len; i += 3) {
        struct verdict v = VERDICT_INIT;
        v.goal = i;
        v.status = STATUS_REACHABLE;
        v.engine = "simulate";
        v.witness = store_witness(db, &witness, err);
        v.checked_by = "replay";
        ok = v.witness != 0 && store_verdict(db, &v, err);
    }
    return ok && store_commit(db, err);
}

static bool measure(const char *const *argv, struct err *err) {
    struct child_spec spec = {.argv = argv, .wall_seconds = 60, .output_bytes = 64 << 20};
    struct child_result result = {0};
    double start = clock_seconds();
    bool ok = child_run(&spec, &result, err);
    double seconds = clock_seconds() - start;
    if (ok && (result.end != CHILD_EXITED || result.code != 0))
        ok = err_set(err, ERR_INTERNAL, "%s failed:\n%s", argv[1], str_text(&result.err));
    printf("%.3f s %8zu bytes ", seconds, result.out.len);
    for (size_t i = 1; argv[i]; i++)
        printf(" %s", i == 2 ? "DB" : argv[i]);
    printf("\n");
    child_result_free(&result);
    return ok;
}

static bool measure_all(const char *path, struct err *err) {
    const char *const status[] = {GK_PROGRAM, "status", path, NULL};
    const char *const function[] = {GK_PROGRAM, "query", path, "--function", "Sa77_Step", NULL};
    const char *const kind[] = {GK_PROGRAM, "query",    path,   "--kind",
                                "mcdc",     "--status", "open", NULL};
    const char *const line[] = {GK_PROGRAM,    "query",  path, "--file",
                                "src/unit3.c", "--line", "17", NULL};
    const char *const all[] = {GK_PROGRAM, "query", path, "--format", "json", NULL};
    return measure(status, err) && measure(function, err) && measure(kind, err) &&
           measure(line, err) && measure(all, err);
}

int main(int argc, char **argv) {
    struct err err = {0};
    struct goals goals = {0};
    struct store *db = NULL;
    struct str dir = {0}, path = {0};
    long n = argc > 1 ? strtol(argv[1], NULL, 10) : 50000;
    make_goals(&goals, n > 0 ? (uint32_t)n : 1);
    bool ok = file_temp_dir(&dir, &err);
    str_addf(&path, "%s/goalkeeper.db", str_text(&dir));
    double start = clock_seconds();
    ok = ok && store_open(&db, str_text(&path), STORE_CREATE, &err) && fill(db, &goals, &err);
    printf("%.3f s, of them %.3f s of CPU, to store %zu goals\n", clock_seconds() - start,
           (double)clock() / CLOCKS_PER_SEC, goals.list.len);
    store_close(db);
    ok = ok && measure_all(str_text(&path), &err);
    if (!ok)
        err_print(&err);
    err_clear(&err);
    file_remove_tree(str_text(&dir));
    goals_free(&goals);
    str_free(&dir);
    str_free(&path);
    return ok ? 0 : 1;
}
