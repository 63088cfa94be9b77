/* bench suites: verification tasks of public suites, as they are in a checkout.
 *
 *     build/bench/suites [--seconds N | --cpu-seconds N] [--every N] [--only TEXT]
 *         [--program FILE] [-v] DIR...
 *
 * Reads test.desc files (2LS, ESBMC) and .yml files (SV-COMP) below each DIR and runs `goalkeeper
 * run --verify` on every task that asks whether an assertion can fail. Prints right, wrong and open
 * by suite, every wrong one, and with -v why others are open. --seconds: for a task (default 20),
 * --cpu-seconds: CPU time instead, which a busy machine does not take away. --every N: only each
 * N-th task. --only: only tasks whose suite/name contains TEXT. Expectations that are known not to
 * fit are listed in suites_known.def with the reason; they count as neither right nor wrong. Exit
 * code 1 when a verdict is wrong. */
#include "suites_tasks.h"

#include "base/child.h"
#include "base/file.h"
#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum answer { RIGHT_DEAD, RIGHT_REACHABLE, WRONG, OPEN, FAILED, UNASKED, ANSWERS };

struct counts {
    const char *suite;
    unsigned n[ANSWERS];
    double cpu;
};

struct bench {
    const char *program, *only;
    unsigned seconds, every;
    bool verbose, is_cpu;
    struct arena arena;
    struct tasks tasks;
    VEC(struct counts) suites;
};

static struct counts *counts_of(struct bench *b, const char *suite) {
    for (size_t i = 0; i < b->suites.len; i++)
        if (str_same(b->suites.data[i].suite, suite))
            return &b->suites.data[i];
    vec_push(&b->suites, (struct counts){.suite = suite});
    return &b->suites.data[b->suites.len - 1];
}

/* ---- one task ---- */

static void first_line(const char *text, const char *key, char *out, size_t size) {
    const char *at = strstr(text, key);
    at = at ? at + strlen(key) : "";
    snprintf(out, size, "%.*s", (int)strcspn(at, "\n"), at);
}

/* A task without an error to reach asks something else (pointers, leaks, bounds of loops). */
static enum answer judge(const struct task *task, const char *verdict, const char *reason) {
    if (str_same(verdict, "open"))
        return str_starts(reason, "the task calls neither") ? UNASKED : OPEN;
    bool dead = str_same(verdict, "dead");
    if (!dead && !str_same(verdict, "reachable"))
        return FAILED;
    if (dead == (task->expected == EXPECT_DEAD))
        return dead ? RIGHT_DEAD : RIGHT_REACHABLE;
    return task->known ? UNASKED : WRONG;
}

static void tell(const struct bench *b, const struct task *task, enum answer answer,
                 const char *verdict, const char *reason) {
    if (answer == WRONG)
        printf("WRONG   %s/%s is called %s (%s)\n", task->suite, task->name, verdict, task->dir);
    else if (answer == FAILED)
        printf("failed  %s/%s: %.200s\n", task->suite, task->name, reason);
    else if (answer == OPEN && b->verbose)
        printf("open    %s/%s (%s): %.200s\n", task->suite, task->name,
               task->expected == EXPECT_DEAD ? "dead" : "reachable", reason);
    fflush(stdout);
}

static enum answer run_task(struct bench *b, const struct task *task, double *cpu) {
    char seconds[16], verdict[32], reason[256];
    snprintf(seconds, sizeof seconds, "%u", b->seconds);
    const char *argv[] = {b->program,
                          "run",
                          "--quiet",
                          "--verify",
                          "--target",
                          task->ilp32 ? "ilp32" : "lp64",
                          b->is_cpu ? "--cpu-seconds" : "--seconds",
                          seconds,
                          task->file,
                          NULL};
    struct child_spec spec = {
        .argv = argv, .dir = task->dir, .wall_seconds = 120.0 + 4 * b->seconds};
    struct child_result result = {0};
    struct err err = {0};
    enum answer answer = FAILED;
    if (child_run(&spec, &result, &err)) {
        first_line(str_text(&result.out), "verdict: ", verdict, sizeof verdict);
        first_line(str_text(&result.out), "reason: ", reason, sizeof reason);
        answer = judge(task, verdict, reason);
        if (answer == FAILED)
            first_line(str_text(&result.err), "", reason, sizeof reason);
        tell(b, task, answer, verdict, reason);
        *cpu += result.cpu_seconds;
    }
    child_result_free(&result);
    err_clear(&err);
    return answer;
}

static void run_all(struct bench *b) {
    unsigned number = 0;
    for (size_t i = 0; i < b->tasks.len; i++) {
        const struct task *task = &b->tasks.data[i];
        const char *full = arena_printf(&b->arena, "%s/%s", task->suite, task->name);
        if (b->only && !strstr(full, b->only))
            continue;
        struct counts *counts = counts_of(b, task->suite);
        if (task->expected == EXPECT_NOTHING)
            counts->n[UNASKED]++;
        else if (number++ % b->every == 0)
            counts->n[run_task(b, task, &counts->cpu)]++;
    }
}

static unsigned print_counts(const struct bench *b) {
    struct counts all = {.suite = "all"};
    printf("%-28s %6s %10s %6s %6s %7s %8s %8s\n", "suite", "dead", "reachable", "WRONG", "open",
           "failed", "unasked", "CPU s");
    for (size_t i = 0; i <= b->suites.len; i++) {
        const struct counts *c = i < b->suites.len ? &b->suites.data[i] : &all;
        printf("%-28s %6u %10u %6u %6u %7u %8u %8.0f\n", c->suite, c->n[RIGHT_DEAD],
               c->n[RIGHT_REACHABLE], c->n[WRONG], c->n[OPEN], c->n[FAILED], c->n[UNASKED], c->cpu);
        for (unsigned a = 0; c != &all && a < ANSWERS; a++)
            all.n[a] += c->n[a];
        all.cpu += c == &all ? 0 : c->cpu;
    }
    return all.n[WRONG];
}

static bool read_options(struct bench *b, int argc, char **argv, struct err *err) {
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (str_same(argv[i], "-v")) {
            b->verbose = true;
        } else if (argv[i][0] != '-') {
            if (!tasks_find(argv[i], &b->tasks, &b->arena, err))
                return false;
        } else if (!value) {
            return err_set(err, ERR_USAGE, "'%s' needs a value", argv[i]);
        } else {
            b->is_cpu |= str_same(argv[i], "--cpu-seconds");
            if (str_same(argv[i], "--seconds") || str_same(argv[i], "--cpu-seconds"))
                b->seconds = (unsigned)strtoul(value, NULL, 10);
            else if (str_same(argv[i], "--every"))
                b->every = (unsigned)strtoul(value, NULL, 10);
            else if (str_same(argv[i], "--only"))
                b->only = value;
            else if (str_same(argv[i], "--program"))
                b->program = value;
            else
                return err_set(err, ERR_USAGE, "what is '%s'?", argv[i]);
            i++;
        }
    }
    return (b->tasks.len && b->seconds && b->every) ||
           err_set(err, ERR_USAGE, "usage: suites [--seconds N] [--every N] [--only TEXT] DIR...");
}

int main(int argc, char **argv) {
    struct bench b = {.program = GK_PROGRAM, .seconds = 20, .every = 1};
    struct err err = {0};
    if (!read_options(&b, argc, argv, &err)) {
        err_print(&err);
        return 2;
    }
    run_all(&b);
    unsigned wrong = print_counts(&b);
    vec_free(&b.suites);
    vec_free(&b.tasks);
    arena_free(&b.arena);
    return wrong > 0;
}
