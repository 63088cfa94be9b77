/* fleet status: how far the tasks are, from what they write themselves (task.sh), from the
 * databases that they copy, and, where Slurm runs them, from its queue. */
#include "app/fleet/plan.h"

#include "base/child.h"
#include "base/file.h"
#include "db/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct task_state fleet_task_state(struct arena *arena, const char *dir, const char *module,
                                   const char *task) {
    struct str text = {0};
    struct err ignored = {0};
    struct task_state s = {.state = "waiting", .host = "-", .what = "-"};
    if (file_read(arena_printf(arena, "%s/state/%s/%s", dir, module, task), &text, &ignored) &&
        sscanf(str_text(&text), "%15s %64s %64s %lf", s.state, s.host, s.what, &s.number) < 1)
        snprintf(s.state, sizeof s.state, "waiting");
    err_clear(&ignored);
    str_free(&text);
    return s;
}

/* Jobs that Slurm still knows, a line each: "12_3 R node7 None". */
static void ask_queue(const char *dir, struct arena *arena, struct str *queue) {
    struct str jobs = {0};
    struct err ignored = {0};
    struct child_result result = {0};
    if (file_read(path_join(arena, dir, "jobs"), &jobs, &ignored)) {
        char *list = arena_strndup(arena, str_text(&jobs), strcspn(str_text(&jobs), "\n"));
        for (char *p = list; *p; p++)
            *p = *p == ':' ? ',' : *p;
        const char *argv[] = {"squeue", "-h", "-r", "-o", "%i %t %N %r", "-j", list, NULL};
        struct child_spec spec = {.argv = argv, .wall_seconds = 20};
        if (child_run(&spec, &result, &ignored)) {
            if (result.end == CHILD_EXITED && result.code == 0)
                str_add(queue, str_text(&result.out));
            child_result_free(&result);
        }
    }
    err_clear(&ignored);
    str_free(&jobs);
}

static void print_goals(const char *path) {
    struct store *db = NULL;
    struct err ignored = {0};
    if (store_open(&db, path, STORE_READ, &ignored)) {
        struct rows *r = rows_open(db,
                                   "SELECT count(*), coalesce(sum(status <> 'open'), 0) FROM "
                                   "goal_status",
                                   &ignored);
        if (rows_next(r))
            printf("%lld of %lld decided", (long long)rows_int(r, 1), (long long)rows_int(r, 0));
        rows_close(r, &ignored);
        store_close(db);
    } else {
        printf("no result yet");
    }
    err_clear(&ignored);
}

static void print_task(struct arena *arena, const char *dir, const char *name, bool confirms,
                       const char *shard) {
    char *task = str_same(shard, "-")
                     ? arena_strdup(arena, "all")
                     : arena_printf(arena, "%s%s", confirms ? "confirm-" : "", shard);
    for (char *p = task; *p; p++)
        *p = *p == '/' ? '-' : *p;
    struct task_state s = fleet_task_state(arena, dir, name, task);
    double seconds = str_same(s.state, "running") ? (double)time(NULL) - s.number : s.number;
    const char *part = str_same(shard, "-") ? "" : shard;
    printf("%-24s %-15s %-8s %-12s %7.0f s  ", name,
           confirms ? arena_printf(arena, "confirm %s", part) : part, s.state, s.host, seconds);
    print_goals(arena_printf(arena, "%s/parts/%s/%s.db", dir, name, task));
    if (!str_same(s.state, "running") && !str_same(s.state, "waiting") && !str_same(s.what, "0"))
        printf(", exit code %s", s.what);
    putchar('\n');
}

static bool print_phase(struct arena *arena, const char *dir, int phase, struct err *err) {
    struct str text = {0};
    bool ok = file_read(arena_printf(arena, "%s/tasks-%d", dir, phase), &text, err);
    for (char *line = text.data, *end; ok && line && *line; line = end) {
        end = line + strcspn(line, "\n");
        end += *end ? (*end = '\0', 1) : 0;
        char *project = strchr(line, '\t'), *shard = strrchr(line, '\t');
        if (!project || shard == project)
            continue;
        *project = '\0';
        print_task(arena, dir, line, phase == FLEET_CONFIRMS, shard + 1);
    }
    str_free(&text);
    return ok;
}

bool fleet_status(const char *dir, struct err *err) {
    struct arena arena = {0};
    struct str queue = {0}, code = {0};
    struct err ignored = {0};
    bool ok = file_exists(path_join(&arena, dir, "fleet.conf"));
    if (!ok) {
        err_set(err, ERR_USAGE, "%s: no fleet in this folder", dir);
        err_remedy(err, "name the folder that 'goalkeeper fleet -o FOLDER' has written");
    }
    for (int phase = 1; ok && phase <= FLEET_PHASES; phase++)
        ok = print_phase(&arena, dir, phase, err);
    if (ok) {
        ask_queue(dir, &arena, &queue);
        if (queue.len > 0)
            printf("\nin the queue of Slurm:\n%s", str_text(&queue));
        if (file_read(path_join(&arena, dir, "state/collected"), &code, &ignored))
            printf("\ncollected in %s/results, exit code %s", dir, str_text(&code));
    }
    err_clear(&ignored);
    str_free(&queue);
    str_free(&code);
    arena_free(&arena);
    return ok;
}
