/* bench fleet: what job arrays give, and what they cost.
 *
 *     build/bench/fleet [MODULES [LINES [SHARDS]]]      default: 12 modules, 200 lines, 8 shards
 *
 * 1. Generated modules, each by `goalkeeper run` and all by `goalkeeper fleet` on this machine: CPU
 *    seconds of the tasks beyond those of the runs.
 * 2. A chain of blocks five times as long: the single run against shards, from nothing and after a
 * first task.
 * 3. From these times, as an engine would start them (first come, first served, and the longest
 *    first): 500 modules on so many processors. The other half of the truth is not in it: queues,
 *    shared file systems, slower nodes.
 */
#include "base/file.h"
#include "bench/folder_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLEET = 500, SHARE_OF_LINES = 4, LONGER = 5 };

static const char run_words[] = "run --quiet --no-cache -j 1 --seconds 100000";

VEC_STRUCT(costs, double);

static double sum(const struct costs *c) {
    double all = 0;
    for (size_t i = 0; i < c->len; i++)
        all += c->data[i];
    return all;
}

static int dearest_first(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* ---- as an engine would start them ---- */

/* The time until all jobs have ended, where each goes to the processor that is free first. */
static double makespan(const struct costs *jobs, size_t processors) {
    struct costs free_at = {0};
    double end = 0;
    vec_resize_zero(&free_at, processors);
    for (size_t i = 0; i < jobs->len; i++) {
        size_t first = 0;
        for (size_t p = 1; p < processors; p++)
            if (free_at.data[p] < free_at.data[first])
                first = p;
        free_at.data[first] += jobs->data[i];
        end = free_at.data[first] > end ? free_at.data[first] : end;
    }
    vec_free(&free_at);
    return end;
}

static void print_schedule(const struct costs *jobs) {
    static const size_t processors[] = {1, 2, 64, 256, 1024};
    struct costs sorted = {0};
    vec_append(&sorted, jobs->data, jobs->len);
    qsort(sorted.data, sorted.len, sizeof *sorted.data, dearest_first);
    printf("\n%zu jobs, %.0f CPU s, the longest %.1f s\n\n"
           "| processors | first come: s | idle | longest first: s | idle | speed-up |\n"
           "|---:|---:|---:|---:|---:|---:|\n",
           jobs->len, sum(jobs), sorted.data[0]);
    for (size_t i = 0; i < sizeof processors / sizeof *processors; i++) {
        double n = (double)processors[i], a = makespan(jobs, processors[i]),
               b = makespan(&sorted, processors[i]);
        printf("| %zu | %.1f | %.0f %% | %.1f | %.0f %% | %.1f |\n", processors[i], a,
               100 * (1 - sum(jobs) / (n * a)), b, 100 * (1 - sum(jobs) / (n * b)), sum(jobs) / b);
    }
    vec_free(&sorted);
}

/* ---- modules ---- */

static bool make_module(const char *dir, enum generate_shape shape, uint64_t seed, unsigned lines,
                        struct err *err) {
    struct generated g;
    struct arena arena = {0};
    generate_module(&g, &(struct generate_options){.seed = seed, .lines = lines, .shape = shape});
    bool ok = file_make_dirs(dir, err) && folder_write(dir, &g.source, &g.project, err);
    generated_free(&g);
    arena_free(&arena);
    return ok;
}

static bool measure_modules(const char *dir, unsigned n, unsigned lines, struct costs *costs,
                            struct err *err) {
    struct arena arena = {0};
    bool ok = true;
    for (unsigned i = 0; ok && i < n; i++) {
        const char *module = arena_printf(&arena, "%s/modules/%u", dir, i);
        unsigned size = lines * (1 + i % SHARE_OF_LINES) / 2;
        ok = make_module(module, GENERATE_MIXED, i + 1, size, err);
        if (ok)
            vec_push(costs,
                     folder_run(module, arena_printf(&arena, "%s --db a.db .", run_words), NULL));
    }
    arena_free(&arena);
    return ok;
}

static void measure_array(const char *dir, struct costs *costs) {
    double all =
        folder_run(dir, "fleet --quiet --seconds 100000 -j 1 --report json -o out modules", NULL);
    double task = (all - sum(costs)) / (double)costs->len;
    printf("%zu modules: %.1f CPU s in runs, %.1f as an array with merge and report: %.2f s a task "
           "more\n",
           costs->len, sum(costs), all, task);
    for (size_t i = 0; i < costs->len; i++)
        costs->data[i] += task > 0 ? task : 0;
}

/* ---- shards ---- */

static bool copy(const char *from, const char *to, struct err *err) {
    struct str text = {0};
    bool ok = file_read(from, &text, err) && file_write(to, text.data, text.len, err);
    str_free(&text);
    return ok;
}

static int64_t open_goals(const char *dir) {
    return folder_number(dir, "SELECT count(*) FROM goal_status WHERE status = 'open'");
}

/* Each from a copy of `from`, or from nothing (NULL), then joined into a.db. */
static double run_shards(const char *dir, unsigned shards, const char *from, struct costs *costs,
                         struct err *err) {
    struct arena arena = {0};
    struct str words = {0};
    bool ok = true;
    str_add(&words, "merge --quiet a.db");
    for (unsigned i = 1; ok && i <= shards; i++) {
        const char *db = arena_printf(&arena, "%s/%u.db", dir, i);
        remove(db);
        ok = !from || copy(from, db, err);
        vec_push(costs, folder_run(dir,
                                   arena_printf(&arena, "%s --shard %u/%u --db %u.db .", run_words,
                                                i, shards, i),
                                   NULL));
        str_addf(&words, " %u.db", i);
    }
    remove(path_join(&arena, dir, "a.db"));
    double merge = ok ? folder_run(dir, str_text(&words), NULL) : 0;
    qsort(costs->data, costs->len, sizeof *costs->data, dearest_first);
    str_free(&words);
    arena_free(&arena);
    return merge;
}

static void print_shards(const char *dir, const char *how, double single, double first,
                         const struct costs *costs, double merge) {
    double end = first + costs->data[0] + merge;
    printf("| %s | %.1f | %.1f | %.1f | %.2f | %lld | %.1f | %.2f |\n", how, first, sum(costs),
           costs->data[0], merge, (long long)open_goals(dir), end, single / end);
}

static bool measure_shards(const char *dir, unsigned lines, unsigned shards, struct err *err) {
    struct arena arena = {0};
    struct costs direct = {0}, later = {0};
    const char *at = path_join(&arena, dir, "long"), *from = path_join(&arena, at, "first.db");
    if (!make_module(at, GENERATE_CHAIN, 1, lines, err))
        return false;
    double single = folder_run(at, arena_printf(&arena, "%s --db a.db .", run_words), NULL);
    printf(
        "\nchain of %u lines: single run %.1f CPU s, %lld open; %u shards with a processor each, "
        "CPU s\n\n| | first task | shards | longest | merge | open | end | speed-up |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|\n",
        lines, single, (long long)open_goals(at), shards);
    double merge = run_shards(at, shards, NULL, &direct, err);
    print_shards(at, "direct", single, 0, &direct, merge);
    fflush(stdout);
    double first = folder_run(
        at, arena_printf(&arena, "%s --engines simulate,houdini --db first.db .", run_words), NULL);
    merge = run_shards(at, shards, from, &later, err);
    print_shards(at, "after a first task", single, first, &later, merge);
    vec_free(&direct);
    vec_free(&later);
    arena_free(&arena);
    return err->code == ERR_NONE;
}

int main(int argc, char **argv) {
    unsigned modules = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 12;
    unsigned lines = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 200;
    unsigned shards = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 8;
    struct str dir = {0};
    struct err err = {0};
    struct costs costs = {0}, fleet = {0};
    bool ok = modules > 0 && file_temp_dir(&dir, &err) &&
              measure_modules(str_text(&dir), modules, lines, &costs, &err);
    if (ok) {
        measure_array(str_text(&dir), &costs);
        for (size_t i = 0; i < FLEET; i++)
            vec_push(&fleet, costs.data[i % costs.len]);
        print_schedule(&fleet);
        fflush(stdout);
        ok = measure_shards(str_text(&dir), lines * LONGER, shards, &err);
    }
    if (!ok)
        err_print(&err);
    file_remove_tree(str_text(&dir));
    str_free(&dir);
    vec_free(&costs);
    vec_free(&fleet);
    return ok ? 0 : 1;
}
