/* bench portfolio: goals, verdicts and seconds of whole runs, beside `cbmc --cover mcdc` and beside
 * each engine alone.
 *
 *     build/bench/portfolio [-s SECONDS] [-c SECONDS] [-j JOBS] [-d DEPTHS] [-a] [-A SECONDS]
 *                           [-g LINES,…] [DIR…]
 *
 *     -s, --seconds        limit of a run (300; 0: skip)
 *     -c, --cbmc-seconds   limit of CBMC for a module and depth, CPU time (600; 0: skip)
 *     -d, --depths         steps of CBMC's harness (1,3,10)
 *     -a, --alone          each engine alone, too: without simulation, without the other ones
 *     -A, --alone-seconds  limit of such a run (60)
 *     -g, --generated      modules generated with so many lines (for example 500,2000,8000)
 *     -j, --jobs           child processes of a run (0: one per core)
 *
 * Without DIR: all samples. One line per run of Goalkeeper (memory is the peak of the parent,
 * ms/goal is CPU time of all processes), one line a depth of CBMC: its own count of MC/DC goals,
 * how many it covers; "open" is what it does not cover, for it proves nothing dead. At the end the
 * sums over all modules; >= where a run was cut short by its limit. */
#include "app/project/read.h"
#include "base/child.h"
#include "base/file.h"
#include "base/tool.h"
#include "bench/generate_module.h"
#include "bench/portfolio.h"
#include "db/rows.h"
#include "engines/engine.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* All runs of one kind, "goalkeeper" or "cbmc depth 3". */
struct sum {
    const char *by;
    struct outcome all;
    unsigned modules, unanswered;
};

struct bench {
    double seconds, cbmc_seconds, alone_seconds;
    const char *jobs, *depths, *sizes;
    bool alone;
    struct str dir; /* for databases and generated modules */
    VEC(struct sum) sums;
    struct arena arena;
};

static void print_head(void) {
    printf("%-16s %-14s %6s %9s %5s %5s %8s   %8s %7s %8s\n", "module", "by", "goals", "reachable",
           "dead", "open", "seconds", "CPU s", "MB", "ms/goal");
}

static void print_line(const char *module, const char *by, const struct outcome *o) {
    printf("%-16s %-14s %6lld %9lld %5lld %5lld %8.1f %s%8.1f %7lld %8.1f%s\n", module, by,
           (long long)o->goals, (long long)o->reachable, (long long)o->dead, (long long)o->open,
           o->seconds, o->cut ? ">=" : "  ", o->cpu_seconds, (long long)o->peak_mb,
           o->goals ? 1000 * o->cpu_seconds / (double)o->goals : 0.0, o->note);
    fflush(stdout);
}

static struct sum *sum_of(struct bench *b, const char *by) {
    for (size_t i = 0; i < b->sums.len; i++)
        if (strcmp(b->sums.data[i].by, by) == 0)
            return &b->sums.data[i];
    vec_push(&b->sums, (struct sum){.by = arena_strdup(&b->arena, by)});
    return &b->sums.data[b->sums.len - 1];
}

static void report(struct bench *b, const char *module, const char *by, const struct outcome *o) {
    struct sum *sum = sum_of(b, by);
    struct outcome *all = &sum->all;
    all->goals += o->goals;
    all->reachable += o->reachable;
    all->dead += o->dead;
    all->open += o->open;
    all->seconds += o->seconds;
    all->cpu_seconds += o->cpu_seconds;
    all->cut = all->cut || o->cut;
    all->peak_mb = o->peak_mb > all->peak_mb ? o->peak_mb : all->peak_mb;
    sum->modules++;
    sum->unanswered += o->goals == 0;
    print_line(module, by, o);
}

static void print_sums(struct bench *b) {
    putchar('\n');
    for (size_t i = 0; i < b->sums.len; i++) {
        struct sum *s = &b->sums.data[i];
        if (s->unanswered)
            snprintf(s->all.note, sizeof s->all.note, "  %u without an answer", s->unanswered);
        print_line(arena_printf(&b->arena, "sum of %u", s->modules), s->by, &s->all);
    }
}

/* ---- Goalkeeper ---- */

static void read_database(const char *path, struct outcome *o) {
    struct store *db = NULL;
    struct err err = {0};
    if (!store_open(&db, path, STORE_READ, &err)) {
        snprintf(o->note, sizeof o->note, "  no database");
        err_clear(&err);
        return;
    }
    o->goals = rows_single_int(db, "SELECT count(*) FROM goal_status");
    o->reachable = rows_single_int(db, "SELECT count(*) FROM goal_status WHERE status = "
                                       "'reachable'");
    o->dead = rows_single_int(db, "SELECT count(*) FROM goal_status WHERE status = 'dead'");
    o->open = rows_single_int(db, "SELECT count(*) FROM goal_status WHERE status = 'open'");
    o->peak_mb = rows_single_int(db, "SELECT value FROM run_info WHERE key = 'peak_mb'");
    if (rows_single_int(db, "SELECT count(*) FROM goal_status WHERE status <> 'open' AND "
                            "checked_by IS NULL") > 0)
        snprintf(o->note, sizeof o->note, "  UNCHECKED VERDICTS");
    store_close(db);
}

/* With all engines (NULL) or with one. */
static void run_goalkeeper(struct bench *b, const char *dir, const char *module, const char *engine,
                           double seconds) {
    struct outcome o = {0};
    struct child_result result = {0};
    struct err err = {0};
    char *program = path_join(&b->arena, tool_own_dir(&b->arena), "../goalkeeper");
    char *db = arena_printf(&b->arena, "%s/run.db", str_text(&b->dir));
    char *limit = arena_printf(&b->arena, "%g", seconds);
    const char *argv[] = {program,
                          "run",
                          "-q",
                          "--seconds",
                          limit,
                          "-j",
                          b->jobs,
                          "--db",
                          db,
                          dir,
                          engine ? "--engines" : NULL,
                          engine,
                          NULL};
    struct child_spec spec = {.argv = argv, .wall_seconds = 2 * seconds + 300};
    unlink(db);
    if (child_run(&spec, &result, &err)) {
        o.seconds = result.wall_seconds;
        o.cpu_seconds = result.cpu_seconds;
        read_database(db, &o);
        o.cut = o.open > 0 && o.seconds >= seconds;
        if (result.end != CHILD_EXITED || result.code != 0)
            snprintf(o.note, sizeof o.note, "  FAILED");
    }
    report(b, module, engine ? engine : "goalkeeper", &o);
    err_clear(&err);
    child_result_free(&result);
}

/* ---- all of them ---- */

static void run_cbmc(struct bench *b, const char *dir, const char *module) {
    for (const char *d = b->depths; *d; d += strcspn(d, ","), d += *d == ',') {
        unsigned depth = (unsigned)strtoul(d, NULL, 10);
        struct outcome o = {0};
        if (depth > 0 && cover_by_cbmc(dir, depth, b->cbmc_seconds, &o))
            report(b, module, arena_printf(&b->arena, "cbmc depth %u", depth), &o);
    }
}

static void run_module(struct bench *b, const char *dir, const char *module) {
    if (b->seconds > 0)
        run_goalkeeper(b, dir, module, NULL, b->seconds);
    for (const struct engine_row *row = engine_rows; b->alone && row->name; row++)
        run_goalkeeper(b, dir, module, row->name, b->alone_seconds);
    if (b->cbmc_seconds > 0)
        run_cbmc(b, dir, module);
}

static void run_generated(struct bench *b, unsigned lines) {
    struct generated g;
    struct err err = {0};
    char *dir = arena_printf(&b->arena, "%s/%u", str_text(&b->dir), lines);
    generate_module(&g, &(struct generate_options){.seed = 1, .lines = lines});
    bool ok =
        file_make_dirs(dir, &err) &&
        file_write(path_join(&b->arena, dir, "module.c"), g.source.data, g.source.len, &err) &&
        file_write(path_join(&b->arena, dir, "goalkeeper.json"), g.project.data, g.project.len,
                   &err);
    if (ok)
        run_module(b, dir, arena_printf(&b->arena, "%u lines", lines));
    else
        err_print(&err);
    err_clear(&err);
    generated_free(&g);
}

static void run_samples(struct bench *b) {
    static const char *const samples[] = {"pid_fixed",  "cruise_control", "door_debounce",
                                          "multi_unit", "lane_assist",    "battery_soc",
                                          "can_guard",  "injection_map",  "awkward"};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        run_module(b, arena_printf(&b->arena, GK_SOURCE_DIR "/samples/%s", samples[i]), samples[i]);
}

static int usage(void) {
    fprintf(stderr, "usage: portfolio [-s SECONDS] [-c SECONDS] [-j JOBS] [-d DEPTHS] [-a] "
                    "[-A SECONDS] [-g LINES,...] [DIR...]\n");
    return 2;
}

static bool read_options(struct bench *b, int argc, char **argv) {
    static const struct option options[] = {{"seconds", required_argument, NULL, 's'},
                                            {"cbmc-seconds", required_argument, NULL, 'c'},
                                            {"jobs", required_argument, NULL, 'j'},
                                            {"depths", required_argument, NULL, 'd'},
                                            {"alone", no_argument, NULL, 'a'},
                                            {"alone-seconds", required_argument, NULL, 'A'},
                                            {"generated", required_argument, NULL, 'g'},
                                            {NULL, 0, NULL, 0}};
    for (int c; (c = getopt_long(argc, argv, "s:c:j:d:aA:g:", options, NULL)) != -1;)
        switch (c) {
        case 's':
            b->seconds = strtod(optarg, NULL);
            break;
        case 'c':
            b->cbmc_seconds = strtod(optarg, NULL);
            break;
        case 'j':
            b->jobs = optarg;
            break;
        case 'd':
            b->depths = optarg;
            break;
        case 'a':
            b->alone = true;
            break;
        case 'A':
            b->alone_seconds = strtod(optarg, NULL);
            break;
        case 'g':
            b->sizes = optarg;
            break;
        default:
            return false;
        }
    return true;
}

int main(int argc, char **argv) {
    struct bench b = {.seconds = 300,
                      .cbmc_seconds = 600,
                      .alone_seconds = 60,
                      .jobs = "0",
                      .depths = "1,3,10",
                      .sizes = ""};
    struct err err = {0};
    if (!read_options(&b, argc, argv))
        return usage();
    if (!file_temp_dir(&b.dir, &err)) {
        err_print(&err);
        return 2;
    }
    print_head();
    for (int i = optind; i < argc; i++)
        run_module(&b, argv[i], path_base(argv[i]));
    if (optind == argc && !*b.sizes)
        run_samples(&b);
    for (const char *s = b.sizes; *s; s += strcspn(s, ","), s += *s == ',')
        run_generated(&b, (unsigned)strtoul(s, NULL, 10));
    print_sums(&b);
    file_remove_tree(str_text(&b.dir));
    str_free(&b.dir);
    vec_free(&b.sums);
    arena_free(&b.arena);
    return 0;
}
