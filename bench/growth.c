/* bench growth: what a run costs as modules grow, phase by phase.
 *
 *     build/bench/growth [LINES [SECONDS]]      default: up to 1000 lines, 600 CPU seconds a run
 *
 * Three shapes of generated modules: blocks that do not know each other, a chain in which each
 * reads what the one before left, and a mixture. Sizes double from 250 lines on. Seconds are CPU
 * time of all processes with one job: listing goals alone, the whole run into a new database, the
 * same command again, the HTML report. At the end of a shape the exponents between its first and
 * its last size: 1 is linear.
 */
#include "base/file.h"
#include "bench/folder_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { LEAST_LINES = 250, PHASES = 5 };

static const char *const phases[PHASES] = {"goals", "run", "again", "report", "MB"};

struct sizes {
    unsigned lines;
    double cost[PHASES];
};

static double megabytes(const char *dir) {
    struct arena arena = {0};
    struct stat info = {0};
    stat(path_join(&arena, dir, "a.db"), &info);
    arena_free(&arena);
    return (double)info.st_size / 1048576;
}

static bool measure(enum generate_shape shape, const char *seconds, struct sizes *s,
                    struct err *err) {
    struct generated g;
    struct str dir = {0};
    generate_module(&g, &(struct generate_options){.seed = 1, .lines = s->lines, .shape = shape});
    bool ok = file_temp_dir(&dir, err) && folder_write(str_text(&dir), &g.source, &g.project, err);
    if (ok) {
        struct arena arena = {0};
        const char *run = arena_printf(
            &arena, "run --quiet --no-cache --db a.db -j 1 --seconds 100000 --cpu-seconds %s .",
            seconds);
        s->cost[0] = folder_run(str_text(&dir), "run --quiet --goals-only --db b.db .", NULL);
        s->cost[1] = folder_run(str_text(&dir), run, NULL);
        s->cost[2] = folder_run(str_text(&dir), run, NULL);
        s->cost[3] = folder_run(str_text(&dir), "report a.db -o out --format html", NULL);
        s->cost[4] = megabytes(str_text(&dir));
        printf("| %u | %lld | %lld |", s->lines,
               (long long)folder_number(str_text(&dir), "SELECT count(*) FROM goal_status"),
               (long long)folder_number(str_text(&dir),
                                        "SELECT count(*) FROM goal_status WHERE status = 'open'"));
        for (int p = 0; p < PHASES; p++)
            printf(" %.2f |", s->cost[p]);
        printf("\n");
        fflush(stdout);
        arena_free(&arena);
        file_remove_tree(str_text(&dir));
    }
    str_free(&dir);
    generated_free(&g);
    return ok;
}

static void print_exponents(const struct sizes *first, const struct sizes *last) {
    double times = log((double)last->lines / first->lines);
    printf("| exponent | | |");
    for (int p = 0; p < PHASES; p++)
        if (first->cost[p] > 0 && last->cost[p] > 0 && times > 0)
            printf(" %.2f |", log(last->cost[p] / first->cost[p]) / times);
        else
            printf(" |");
    printf("\n");
}

int main(int argc, char **argv) {
    static const char *const names[] = {"mixed", "blocks", "chain"};
    unsigned most = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1000;
    const char *seconds = argc > 2 ? argv[2] : "600";
    struct err err = {0};
    for (int shape = 0; shape < 3; shape++) {
        struct sizes first = {0}, last = {0};
        printf("\n| %s | goals | open |", names[shape]);
        for (int p = 0; p < PHASES; p++)
            printf(" %s |", phases[p]);
        printf("\n|---|---:|---:|---:|---:|---:|---:|---:|\n");
        for (unsigned lines = LEAST_LINES; lines <= most; lines *= 2) {
            last.lines = lines;
            if (!measure((enum generate_shape)shape, seconds, &last, &err)) {
                err_print(&err);
                return 1;
            }
            if (!first.lines)
                first = last;
        }
        print_exponents(&first, &last);
    }
    return 0;
}
