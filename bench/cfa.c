/* bench cfa: the configurations of "IC3 software model checking", table 1, on verification tasks.
 *
 *     build/bench/cfa [--seconds N] [--every N] [--lemmas] [--program FILE] DIR...
 *
 * Reads .yml files (SV-COMP) below each DIR, has `goalkeeper run --verify --dump-model` make the
 * model of each task, and runs the engine `cfa` alone on it, once for each configuration, in a
 * child with N seconds of CPU (default 20). --every N: only each N-th task. --lemmas: after
 * houdini, as in a run. Prints a line of CSV for each run (configuration, task, expected, answer,
 * seconds), from which scatter plots are made, and solved, true, false and time by configuration.
 * Answers are those of the model: nothing is replayed or re-checked here. Exit code 1 when one is
 * wrong. */
#include "suites_tasks.h"

#include "base/child.h"
#include "base/file.h"
#include "engines/candidates.h"
#include "engines/engine.h"
#include "model/system/machine.h"
#include "system_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOUDINI_TICKS = 20000000, MODEL_SECONDS = 60, MEMORY_MB = 3000, CONFIGURATIONS = 13 };
enum verdict { OPEN, TRUE, FALSE }; /* exit codes of children */

#define PLAIN "no-cfa-relative no-cfa-wep no-cfa-precubes no-cfa-cache no-cfa-cache-lower "
static const struct {
    const char *name, *knobs;
} configurations[CONFIGURATIONS] = {
    {"A none", PLAIN "no-cfa-reuse cfa-generalise=0"},
    {"B multi", PLAIN "no-cfa-reuse cfa-generalise=1"},
    {"C single", PLAIN "no-cfa-reuse"},
    {"D large first", PLAIN "no-cfa-reuse cfa-order=1"},
    {"E any order", PLAIN "no-cfa-reuse cfa-order=2"},
    {"F baseline", PLAIN},
    {"G preconditions", "no-cfa-relative no-cfa-precubes no-cfa-cache no-cfa-cache-lower"},
    {"H pre-cubes", "no-cfa-relative no-cfa-wep no-cfa-cache no-cfa-cache-lower"},
    {"I upper bounds", "no-cfa-relative no-cfa-wep no-cfa-precubes no-cfa-cache-lower"},
    {"J lower bounds, too", "no-cfa-relative no-cfa-wep no-cfa-precubes"},
    {"L all", "no-cfa-relative"},
    {"M semantic subsumption", "no-cfa-relative cfa-subsume"},
    {"with relative induction", ""},
};

struct sum {
    unsigned n[3], wrong;
    double seconds;
};

struct bench {
    const char *program;
    unsigned seconds, every;
    bool lemmas;
    struct arena arena;
    struct tasks tasks;
    struct str dir, path; /* of the model at hand */
    struct sum sums[CONFIGURATIONS];
};

/* ---- in the child ---- */

struct run {
    const struct bench *bench;
    const char *knobs;
    struct terms ts;
    struct system sys;
    struct invariant lemmas;
    bool hit, *dead;
};

static void take(void *context, const struct fact *fact) {
    struct run *r = context;
    const struct invariant *inv = &fact->invariant;
    if (fact->kind == FACT_HIT && fact->target == 0)
        r->hit |= trace_hits(&r->sys, &fact->trace, 0);
    for (size_t i = 0; fact->kind == FACT_DEAD && i < inv->targets.len; i++)
        r->dead[inv->targets.data[i]] = true;
    for (size_t i = 0; fact->kind == FACT_LEMMA && i < inv->clauses.len; i++)
        if (!invariant_has(&r->lemmas, &inv->clauses.data[i]))
            invariant_add(&r->lemmas, inv->clauses.data[i].data, inv->clauses.data[i].len);
}

static void run_engine(struct run *r, const char *name, const uint32_t *targets, size_t n,
                       uint64_t ticks) {
    struct err err = {0};
    struct engine_input input = {.sys = &r->sys,
                                 .targets = targets,
                                 .n_targets = n,
                                 .lemmas = &r->lemmas,
                                 .report = take,
                                 .context = r};
    input.options.seed = 1;
    input.options.knobs = knobs_default;
    if (!knobs_set_all(&input.options.knobs, r->knobs, &err))
        exit(EXIT_FAILURE + 8);
    const struct engine *engine = engine_find(name)->engine;
    void *state = engine->open(&input);
    engine->step(state, ticks);
    engine->close(state);
}

static enum verdict decide(struct run *r) {
    size_t n = r->sys.targets.len, dead = 0;
    uint32_t all[64];
    r->dead = arena_array(&r->sys.arena, bool, n + 1);
    if (n > 64)
        return OPEN;
    for (uint32_t t = 0; t < n; t++)
        all[t] = t;
    if (r->bench->lemmas) {
        candidates_derive(&r->sys, CANDIDATES_MOST);
        run_engine(r, "houdini", all, n, HOUDINI_TICKS);
    }
    for (uint32_t t = 0; t < n && !r->hit; t++)
        if (!r->dead[t])
            run_engine(r, "cfa", &t, 1, UINT64_MAX / 4);
    for (uint32_t t = 0; t < n; t++)
        dead += r->dead[t];
    return r->hit ? FALSE : dead == n ? TRUE : OPEN;
}

static int work(void *context) {
    struct run *r = context;
    struct str text = {0};
    struct err err = {0};
    terms_init(&r->ts);
    system_init(&r->sys, &r->ts);
    invariant_init(&r->lemmas);
    if (!file_read(str_text(&r->bench->path), &text, &err) ||
        !system_read(&r->sys, str_text(&text), "model", &err))
        return OPEN;
    return decide(r);
}

/* ---- one task ---- */

static bool make_model(struct bench *b, const struct task *task) {
    const char *argv[] = {b->program,     "run",
                          "--quiet",      "--verify",
                          "--target",     task->ilp32 ? "ilp32" : "lp64",
                          "--dump-model", str_text(&b->path),
                          task->file,     NULL};
    struct child_spec spec = {.argv = argv, .dir = task->dir, .wall_seconds = MODEL_SECONDS};
    struct child_result result = {0};
    struct err err = {0};
    remove(str_text(&b->path));
    bool ok = child_run(&spec, &result, &err) && result.end == CHILD_EXITED && result.code == 0;
    child_result_free(&result);
    err_clear(&err);
    return ok;
}

static void run_configuration(struct bench *b, const struct task *task, int i) {
    static const char *const words[] = {"open", "true", "false"};
    struct run run = {.bench = b, .knobs = configurations[i].knobs};
    struct child_spec spec = {.body = work,
                              .context = &run,
                              .cpu_seconds = b->seconds,
                              .wall_seconds = 30.0 * b->seconds,
                              .memory_mb = MEMORY_MB};
    struct child_result result = {0};
    struct err err = {0};
    enum verdict said = OPEN;
    if (child_run(&spec, &result, &err) && result.end == CHILD_EXITED && result.code <= FALSE)
        said = (enum verdict)result.code;
    enum verdict expected = task->expected == EXPECT_DEAD ? TRUE : FALSE;
    printf("%s,%s/%s,%s,%s,%.2f\n", configurations[i].name, task->suite, task->name,
           words[expected], words[said], result.cpu_seconds);
    fflush(stdout);
    b->sums[i].n[said]++;
    b->sums[i].wrong += said != OPEN && said != expected;
    b->sums[i].seconds += said == OPEN ? 0 : result.cpu_seconds;
    child_result_free(&result);
    err_clear(&err);
}

static void run_all(struct bench *b) {
    unsigned number = 0;
    for (size_t t = 0; t < b->tasks.len; t++) {
        const struct task *task = &b->tasks.data[t];
        if (task->expected == EXPECT_NOTHING || number++ % b->every || !make_model(b, task))
            continue;
        for (int i = 0; i < CONFIGURATIONS; i++)
            run_configuration(b, task, i);
    }
}

static unsigned print_sums(const struct bench *b) {
    unsigned wrong = 0;
    printf("\n%-26s %7s %6s %6s %6s %9s\n", "configuration", "solved", "true", "false", "WRONG",
           "CPU s");
    for (int i = 0; i < CONFIGURATIONS; i++) {
        const struct sum *s = &b->sums[i];
        printf("%-26s %7u %6u %6u %6u %9.1f\n", configurations[i].name, s->n[TRUE] + s->n[FALSE],
               s->n[TRUE], s->n[FALSE], s->wrong, s->seconds);
        wrong += s->wrong;
    }
    return wrong;
}

static bool read_options(struct bench *b, int argc, char **argv, struct err *err) {
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--lemmas") == 0)
            b->lemmas = true;
        else if (strcmp(argv[i], "--seconds") == 0 && ++i)
            b->seconds = (unsigned)strtoul(value, NULL, 10);
        else if (strcmp(argv[i], "--every") == 0 && ++i)
            b->every = (unsigned)strtoul(value, NULL, 10);
        else if (strcmp(argv[i], "--program") == 0 && ++i)
            b->program = value;
        else if (!tasks_find(argv[i], &b->tasks, &b->arena, err))
            return false;
    }
    return (b->seconds && b->every) || err_set(err, ERR_USAGE, "a number must be above 0");
}

int main(int argc, char **argv) {
    struct bench b = {.program = GK_PROGRAM, .seconds = 20, .every = 1};
    struct err err = {0};
    unsigned wrong = 0;
    bool ok = read_options(&b, argc, argv, &err) && file_temp_dir(&b.dir, &err);
    if (ok) {
        str_addf(&b.path, "%s/model.txt", str_text(&b.dir));
        run_all(&b);
        wrong = print_sums(&b);
        file_remove_tree(str_text(&b.dir));
    } else {
        fprintf(stderr, "%s\n", str_text(&err.message));
    }
    err_clear(&err);
    vec_free(&b.tasks);
    str_free(&b.dir);
    str_free(&b.path);
    arena_free(&b.arena);
    return ok && wrong == 0 ? 0 : 1;
}
