/* bench blocks: what is decided of each kind of block of generate_hard.def.
 *
 *     build/bench/blocks [-s SECONDS] [-n STEPS] [-S SEED] [-M MODULES] [-l LINES] [-k KIND]
 *                        [-j JOBS] [-x SETTINGS] [-u]
 *
 * Modules are simulated (-n steps each); what is left gets the provers as a run has them: houdini,
 * whose lemmas the others are given, then k-induction, IC3 and interpolation in two rounds, each
 * goal in a process of its own, -s seconds of CPU time in all. One row per kind: goals, reachable,
 * dead, open, wrong, seconds a goal. -u prints each goal that stays open, -k takes one kind only,
 * -x sets knobs. Exit code 1: a verdict is wrong.
 */
#include "bench/engines.h"

#include "base/log.h"
#include "base/mem.h"
#include "engines/candidates.h"
#include "engines/invariant/trim.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_BLOCK_KINDS = 64 };

static const struct turn {
    const char *engine;
    uint64_t ticks;
} turns[] = {
    {"houdini", 24000000}, {"domains", 8000000}, {"kind", 2000000}, {"ic3", 4000000},
    {"itp", 2000000},      {"kind", 8000000},    {"ic3", 16000000}, {"itp", 8000000},
};

struct blocks {
    struct bench_set set;
    struct result *results; /* one per goal, shared by all processes */
    double seconds;
    uint64_t seed, steps;
    unsigned modules, lines;
    const char *kind;
    struct engine_knobs knobs;
    int jobs;
    bool list;
};

/* ---- one goal ---- */

struct trial {
    struct slice slice;
    struct invariant lemmas;
    struct result *result;
};

static void take_fact(void *context, const struct fact *fact) {
    struct trial *t = context;
    if (fact->kind == FACT_HIT)
        t->result->verdict = TRUTH_REACHABLE;
    else if (fact->kind == FACT_DEAD)
        t->result->verdict = TRUTH_DEAD;
    else if (fact->kind == FACT_LEMMA)
        for (size_t i = 0; i < fact->invariant.clauses.len; i++)
            if (!invariant_has(&t->lemmas, &fact->invariant.clauses.data[i]))
                invariant_add(&t->lemmas, fact->invariant.clauses.data[i].data,
                              fact->invariant.clauses.data[i].len);
}

static void take_turn(const struct blocks *b, struct trial *t, const struct turn *turn) {
    uint32_t target = 0;
    const struct engine *e = engine_find(turn->engine)->engine;
    struct invariant known;
    invariant_init(&known);
    invariant_copy(&known, &t->lemmas);
    struct engine_input input = {.sys = &t->slice.sys,
                                 .targets = &target,
                                 .n_targets = 1,
                                 .lemmas = &known,
                                 .report = take_fact,
                                 .context = t,
                                 .options = {.seed = 1, .knobs = b->knobs}};
    void *run = e->open(&input);
    e->step(run, turn->ticks);
    e->close(run);
    invariant_free(&known);
}

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int try_goal(const struct blocks *b, size_t goal) {
    struct rlimit cpu = {(rlim_t)b->seconds, (rlim_t)b->seconds + 1};
    struct trial t = {.result = &b->results[goal]};
    const struct bench_goal *g = &b->set.goals.data[goal];
    double start = cpu_seconds();
    setrlimit(RLIMIT_CPU, &cpu);
    invariant_init(&t.lemmas);
    slice_make(&t.slice, &g->module->sys, &g->target, 1);
    if (b->knobs.relations)
        candidates_derive(&t.slice.sys, CANDIDATES_MOST);
    for (size_t i = 0; i < sizeof turns / sizeof *turns && !t.result->verdict; i++)
        take_turn(b, &t, &turns[i]);
    t.result->seconds = cpu_seconds() - start;
    return 0;
}

/* ---- all of them ---- */

static bool is_asked(const struct blocks *b, size_t goal) {
    return !b->kind || str_same(b->set.goals.data[goal].block, b->kind);
}

static bool wait_one(int *running) {
    int status;
    pid_t pid = wait(&status);
    *running -= pid > 0;
    return pid <= 0 || !WIFSIGNALED(status) || WTERMSIG(status) == SIGXCPU;
}

static bool try_all(const struct blocks *b) {
    int running = 0;
    bool good = true;
    for (size_t g = 0; g < b->set.goals.len; g++) {
        if (!is_asked(b, g) || b->results[g].verdict)
            continue;
        if (running == b->jobs)
            good &= wait_one(&running);
        b->results[g].seconds = b->seconds; /* should the child be stopped */
        fflush(NULL);
        pid_t pid = fork();
        if (pid == 0)
            _exit(try_goal(b, g));
        running += pid > 0;
    }
    while (running > 0)
        good &= wait_one(&running);
    return good;
}

static bool simulate_all(const struct blocks *b, struct err *err) {
    bool ok = true;
    for (size_t i = 0; ok && b->steps > 0 && i < b->set.modules.len; i++) {
        const struct bench_module *m = b->set.modules.data[i];
        bool *known = mem_zalloc(m->woven.goals.n_probes + 1, sizeof *known);
        ok = simulate_module(m, b->steps, known, err);
        for (size_t g = 0; ok && g < b->set.goals.len; g++)
            if (b->set.goals.data[g].module == m && known[b->set.goals.data[g].probe])
                b->results[g].verdict = TRUTH_REACHABLE;
        mem_free(known);
    }
    return ok;
}

/* ---- the table ---- */

struct line {
    const char *kind;
    size_t goals, reachable, dead, open, wrong;
    double seconds;
};

static struct line *line_of(struct line *lines, size_t *n, const char *kind) {
    for (size_t i = 0; i < *n; i++)
        if (str_same(lines[i].kind, kind))
            return &lines[i];
    if (*n == MAX_BLOCK_KINDS)
        return &lines[*n - 1];
    lines[*n] = (struct line){.kind = kind};
    return &lines[(*n)++];
}

static void print_line(const struct line *l) {
    printf("| %-16s | %5zu | %5zu | %5zu | %5zu | %5zu | %7.2f |\n", l->kind, l->goals,
           l->reachable, l->dead, l->open, l->wrong, l->goals ? l->seconds / (double)l->goals : 0);
}

static void add_goal(const struct blocks *b, size_t goal, struct line *l) {
    const struct result *r = &b->results[goal];
    enum truth truth = b->set.goals.data[goal].truth;
    l->goals++;
    l->reachable += r->verdict == TRUTH_REACHABLE;
    l->dead += r->verdict == TRUTH_DEAD;
    l->open += r->verdict == TRUTH_UNKNOWN;
    l->wrong += truth && r->verdict && r->verdict != truth;
    l->seconds += r->seconds;
}

static int by_kind(const void *a, const void *b) {
    return strcmp(((const struct line *)a)->kind, ((const struct line *)b)->kind);
}

static size_t print_table(const struct blocks *b) {
    struct line lines[MAX_BLOCK_KINDS], all = {.kind = "all"};
    size_t n = 0;
    for (size_t g = 0; g < b->set.goals.len; g++) {
        const struct bench_goal *goal = &b->set.goals.data[g];
        if (!is_asked(b, g))
            continue;
        add_goal(b, g, line_of(lines, &n, goal->block));
        add_goal(b, g, &all);
        bool wrong = goal->truth && b->results[g].verdict && b->results[g].verdict != goal->truth;
        if (wrong || (b->list && !b->results[g].verdict))
            printf("%s %s:%d %s, %s\n", wrong ? "WRONG" : "open ", goal->module->name, goal->line,
                   goal->block, truth_name(goal->truth));
    }
    printf("| kind             | goals | reach |  dead |  open | wrong |  s/goal |\n"
           "|------------------|------:|------:|------:|------:|------:|--------:|\n");
    qsort(lines, n, sizeof *lines, by_kind);
    for (size_t i = 0; i < n; i++)
        print_line(&lines[i]);
    print_line(&all);
    return all.wrong;
}

/* ---- the program ---- */

static bool read_arguments(struct blocks *b, int argc, char **argv) {
    struct err err = {0};
    bool good = true;
    for (int o; good && (o = getopt(argc, argv, "s:n:S:M:l:k:j:x:u")) != -1;)
        switch (o) {
        case 's':
            b->seconds = strtod(optarg, NULL);
            break;
        case 'n':
            b->steps = strtoull(optarg, NULL, 10);
            break;
        case 'S':
            b->seed = strtoull(optarg, NULL, 10);
            break;
        case 'M':
            b->modules = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 'l':
            b->lines = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 'k':
            b->kind = optarg;
            break;
        case 'j':
            b->jobs = (int)strtol(optarg, NULL, 10);
            break;
        case 'x':
            good = knobs_set_all(&b->knobs, optarg, &err);
            if (!good)
                err_print(&err);
            break;
        case 'u':
            b->list = true;
            break;
        default:
            fprintf(stderr, "usage: blocks [-s SECONDS] [-n STEPS] [-S SEED] [-M MODULES] "
                            "[-l LINES] [-k KIND] [-j JOBS] [-u] [-x SETTINGS]\n");
            good = false;
        }
    b->jobs = b->jobs > 0 ? b->jobs : 1;
    return good;
}

int main(int argc, char **argv) {
    struct blocks b = {.seconds = 10,
                       .seed = 1,
                       .steps = 5000000,
                       .modules = 5,
                       .lines = 1050,
                       .knobs = knobs_default,
                       .jobs = 2};
    struct err err = {0};
    if (!read_arguments(&b, argc, argv))
        return 2;
    bool good = bench_set_hard(&b.set, b.seed, b.modules, b.lines, &err);
    if (good) {
        size_t size = (b.set.goals.len + 1) * sizeof *b.results;
        b.results = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        good = b.results != MAP_FAILED && simulate_all(&b, &err) && try_all(&b);
        good &= print_table(&b) == 0;
        munmap(b.results, size);
    }
    if (err.message.len > 0)
        err_print(&err);
    bench_set_free(&b.set);
    return good ? 0 : 1;
}
