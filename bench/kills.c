/* bench kills: runs that are killed at random moments, again and again, until they are done.
 *
 *     build/bench/kills [-n KILLS] [-t SECONDS] [-r SEED] [DIR…]
 *
 * Default: 200 kills over small samples; with -t no more are begun after so many seconds of wall
 * clock a module. Runs that end before their kill count as no kill. After each kill the database
 * must be sound, every verdict that was there must still be there, and no goal may have changed
 * sides; when enough has been killed the run must end with what a run without kills ends with. Exit
 * code 1: something was lost.
 */
#include "base/child.h"
#include "base/file.h"
#include "base/log.h"
#include "base/rng.h"
#include "base/tool.h"
#include "db/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct kills {
    struct arena arena;
    struct rng rng;
    char *program;
    struct str dir;
    unsigned faults;
    double seconds; /* for the kills of a module; 0: no limit */
};

static void fault(struct kills *k, const char *module, const char *what) {
    k->faults++;
    printf("%s: %s\n", module, what);
}

/* One letter a goal, in order; NULL when there is no database yet. */
static char *letters(struct kills *k, const char *db, const char *module) {
    struct store *store = NULL;
    struct err err = {0};
    struct str text = {0};
    if (!file_exists(db) || !store_open(&store, db, STORE_READ, &err)) {
        err_clear(&err); /* killed while its tables were made */
        return NULL;
    }
    struct rows *rows = rows_open(store,
                                  "SELECT substr(status, 1, 1) FROM goal_status "
                                  "ORDER BY goal_id",
                                  &err);
    while (rows_next(rows))
        str_add(&text, rows_text(rows, 0));
    if (!rows_close(rows, &err))
        fault(k, module, str_text(&err.message));
    if (rows_single_int(store, "SELECT count(*) = 1 AND max(integrity_check) = 'ok' FROM "
                               "pragma_integrity_check") != 1)
        fault(k, module, "the database is damaged");
    store_close(store);
    err_clear(&err);
    char *copy = arena_strdup(&k->arena, str_text(&text));
    str_free(&text);
    return copy;
}

static void compare(struct kills *k, const char *module, const char *before, const char *after) {
    if (!before || !*before)
        return;
    if (!after || strlen(before) != strlen(after)) {
        fault(k, module, "goals were lost");
        return;
    }
    for (size_t i = 0; before[i]; i++)
        if (before[i] != 'o' && before[i] != after[i])
            fault(k, module, "a verdict was lost");
}

/* Seconds that it took; killed after `seconds` (0: not at all), or done before. */
static double run(struct kills *k, const char *module, const char *project, const char *db,
                  double seconds, bool *killed) {
    const char *argv[] = {k->program, "run", "-q", "--db", db, project, NULL};
    struct child_spec spec = {.argv = argv, .wall_seconds = seconds};
    struct child_result result = {0};
    struct err err = {0};
    if (!child_run(&spec, &result, &err) || (result.end == CHILD_EXITED && result.code != 0))
        fault(k, module, result.err.len ? str_text(&result.err) : str_text(&err.message));
    double took = result.wall_seconds;
    *killed = result.end == CHILD_TIMEOUT;
    child_result_free(&result);
    err_clear(&err);
    return took;
}

static void remove_database(struct kills *k, const char *db) {
    static const char *const ends[] = {"", "-wal", "-shm", "-lock"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        unlink(arena_printf(&k->arena, "%s%s", db, ends[i]));
}

static void kill_runs_of(struct kills *k, const char *project, unsigned times) {
    const char *module = path_base(project);
    char *db = arena_printf(&k->arena, "%s/%s.db", str_text(&k->dir), module);
    char *whole_db = arena_printf(&k->arena, "%s/%s.whole.db", str_text(&k->dir), module);
    bool killed;
    double start = clock_seconds(), whole = run(k, module, project, whole_db, 0, &killed);
    const char *wanted = letters(k, whole_db, module), *before = NULL;
    unsigned kills = 0, ended = 0;
    while (kills < times && (k->seconds <= 0 || clock_seconds() - start < k->seconds)) {
        double seconds = 0.01 + whole * (double)rng_below(&k->rng, 1000) / 1000;
        run(k, module, project, db, seconds, &killed);
        kills += killed;
        ended += !killed;
        const char *after = letters(k, db, module);
        compare(k, module, before, after);
        before = after ? after : before;
        if (before && !strchr(before, 'o') && *before) { /* done: from the start again */
            compare(k, module, wanted, before);
            remove_database(k, db);
            before = NULL;
        }
    }
    run(k, module, project, db, 0, &killed);
    compare(k, module, wanted, letters(k, db, module));
    printf("%-16s %u kills, %u runs ended before, a whole run takes %.1f s, %u faults so far\n",
           module, kills, ended, whole, k->faults);
    fflush(stdout);
}

int main(int argc, char **argv) {
    struct kills k = {0};
    struct err err = {0};
    unsigned times = 200;
    uint64_t seed = 1;
    for (int c; (c = getopt(argc, argv, "n:r:t:")) != -1;)
        if (c == 'n')
            times = (unsigned)strtoul(optarg, NULL, 10);
        else if (c == 't')
            k.seconds = strtod(optarg, NULL);
        else if (c == 'r')
            seed = strtoull(optarg, NULL, 10);
        else
            return 2;
    rng_init(&k.rng, seed);
    k.program = path_join(&k.arena, tool_own_dir(&k.arena), "../goalkeeper");
    if (!file_temp_dir(&k.dir, &err)) {
        err_print(&err);
        return 2;
    }
    unsigned n = (unsigned)(argc - optind);
    for (int i = optind; i < argc; i++)
        kill_runs_of(&k, argv[i], times / n);
    if (n == 0) {
        kill_runs_of(&k, GK_SOURCE_DIR "/samples/pid_fixed", times / 2);
        kill_runs_of(&k, GK_SOURCE_DIR "/samples/cruise_control", times - times / 2);
    }
    file_remove_tree(str_text(&k.dir));
    str_free(&k.dir);
    arena_free(&k.arena);
    return k.faults ? 1 : 0;
}
