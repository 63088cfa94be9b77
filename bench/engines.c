/* bench engines: the table of "ICP and IC3", one row per engine or a configuration of ic3.
 *
 *     build/bench/engines [-s SECONDS] [-t TICKS] [-c SECONDS] [-n STEPS] [-S SEED] [-m GOALS]
 *                         [-g ROUNDS] [-j JOBS] [-v] [-u] [ROW…]
 *
 * Goals come from the samples and from generated modules of growing size (generate_module.h, from
 * seed -S on), at least half of them need an invariant over the state. Every goal is given to every
 * row alone, in a process of its own, with limits on ticks, CPU time and memory; nothing is known
 * beforehand. CBMC is asked of every eighth goal, with a CPU limit of its own (-c); simulation
 * looks for all goals of a module at once, so many steps (-n). A portfolio counts what any of its
 * members has solved, with the least time of those; a growing one gives what is left to the provers
 * again, with four and with sixteen times the ticks, as a run does (or so many rounds, -g). -v
 * prints one line a goal, -u the goals that the portfolio leaves, -m takes only goals whose
 * MODULE:LINE contains a text. Exit code 1: two rows contradict each other or what is known of a
 * goal.
 */
#include "bench/engines.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MEMORY_MB = 2048, GROWTH = 4, CBMC_EVERY = 8 };

struct row {
    const char *name, *engine;
    const char *settings; /* knobs, separated by spaces */
    bool single;          /* one of the provers that portfolios and "unique" are about */
};

#define PAPER "ic3.preset=paper" /* no more than "ICP and IC3" says */

static const struct row rows[] = {
    {"simulation", "simulate", "", true},
    {"bmc", "bmc", "", true},
    {"k-induction", "kind", "", true},
    {"houdini", "houdini", "", true},
    {"interpolation", "itp", "", true},
    {"cbmc-kind, 1 goal in 8", "cbmc-kind", "", true},
    {"ic3 ind2 +abort", "ic3", "", true},
    {"ic3 ind0 -bg -gentr", "ic3",
     "ind=0 no-abort no-bound-generalisation no-gentr no-interval-lifting", false},
    {"ic3 ind0 -gentr", "ic3", "ind=0 no-abort no-gentr no-interval-lifting", false},
    {"ic3 ind0 +ld", "ic3", "ind=0 no-abort literal-dropping", false},
    {"ic3 ind0", "ic3", "ind=0 no-abort", false},
    {"ic3 ind0 +abort", "ic3", "ind=0", false},
    {"ic3 ind1", "ic3", "ind=1 no-abort", false},
    {"ic3 ind1 +abort", "ic3", "ind=1", false},
    {"ic3 ind2", "ic3", "no-abort", false},
    {"ic3 ind3", "ic3", "ind=3 no-abort", false},
    {"ic3 ind3 +abort", "ic3", "ind=3", false},
    {"ic3 ind4", "ic3", "ind=4 no-abort", false},
    {"ic3 ind4 +abort", "ic3", "ind=4", false},
    {"ic3 -interval-lifting", "ic3", "no-interval-lifting", false},
    {"ic3 -activity-order", "ic3", "no-activity-order", false},
    {"ic3 -ctg", "ic3", "ctg-limit=0", false},
    {"ic3 -share-lemmas", "ic3", "no-share-lemmas", false},
    {"ic3 -raise", "ic3", "no-raise", false},
    {"ic3 -stretch", "ic3", "no-stretch", false},
    {"ic3 -cone", "ic3", "no-cone", false},
    {"ic3 -remember", "ic3", "no-remember", false},
    {"ic3 -weak-cores", "ic3", "no-weak-cores", false},
    {"ic3 +restart-at-frame", "ic3", "restart-at-frame", false},
    {"ic3 +shuffle-first", "ic3", "shuffle-first", false},
    {"ic3 +shuffle-lift", "ic3", "shuffle-lift", false},
    {"ic3 ind0 +abort +clean-steps", "ic3", "ind=0 clean-steps", false},
    {"paper ind0 -bg -gentr", "ic3", PAPER " ind=0 no-abort no-bound-generalisation no-gentr",
     false},
    {"paper ind0 -gentr", "ic3", PAPER " ind=0 no-abort no-gentr", false},
    {"paper ind0", "ic3", PAPER " ind=0 no-abort", false},
    {"paper ind0 +ld", "ic3", PAPER " ind=0 no-abort literal-dropping", false},
    {"paper ind0 +abort", "ic3", PAPER " ind=0", false},
    {"paper ind1", "ic3", PAPER " ind=1 no-abort", false},
    {"paper ind1 +abort", "ic3", PAPER " ind=1", false},
    {"paper ind2", "ic3", PAPER " no-abort", false},
    {"paper ind2 +abort", "ic3", PAPER, false},
    {"paper ind3", "ic3", PAPER " ind=3 no-abort", false},
    {"paper ind3 +abort", "ic3", PAPER " ind=3", false},
    {"paper ind4", "ic3", PAPER " ind=4 no-abort", false},
    {"paper ind4 +abort", "ic3", PAPER " ind=4", false},
};
enum { ROWS = sizeof rows / sizeof *rows };

struct bench {
    struct bench_set set;
    struct result *results; /* [row * goals + goal]; one more row: what growing budgets solve */
    bool wanted[ROWS];
    double seconds;
    uint64_t seed, steps;
    const char *only;
    struct attempt_limits limits;
    struct cbmc cbmc;
    int jobs, rounds;
    bool verbose, unsolved;
};

static bool runs_cbmc(const struct row *row) {
    return str_same(row->engine, "cbmc-kind");
}

static bool simulates(const struct row *row) {
    return str_same(row->engine, "simulate");
}

static double limit_of(const struct bench *b, size_t row) {
    if (simulates(&rows[row]))
        return HUGE_VAL;
    return runs_cbmc(&rows[row]) ? b->limits.cbmc_seconds : b->seconds;
}

/* ---- attempts, each in a child ---- */

static int attempt(const struct bench *b, const struct row *row, const struct bench_goal *goal,
                   struct result *result) {
    if (runs_cbmc(row)) /* with limits on its own children */
        return attempt_cbmc_kind(goal, &b->limits, result) ? 0 : 2;
    struct rlimit memory = {(rlim_t)MEMORY_MB << 20, (rlim_t)MEMORY_MB << 20};
    struct rlimit cpu = {(rlim_t)b->seconds + 1, (rlim_t)b->seconds + 2};
    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_CPU, &cpu);
    return attempt_model(row->engine, row->settings, goal, &b->limits, result) ? 0 : 2;
}

/* Budgets that grow by four from round to round, as in a run, until some prover has an answer. */
static int attempt_grown(const struct bench *b, const struct bench_goal *goal,
                         struct result *result) {
    struct attempt_limits limits = b->limits;
    for (int round = 1; round <= b->rounds; round++) {
        limits.ticks *= GROWTH;
        for (size_t r = 0; r < ROWS && !result->verdict; r++)
            if (rows[r].single && b->wanted[r] && engine_find(rows[r].engine)->engine)
                attempt_model(rows[r].engine, rows[r].settings, goal, &limits, result);
    }
    return 0;
}

static pid_t start_attempt(const struct bench *b, size_t row, size_t goal) {
    fflush(NULL);
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    const struct bench_goal *g = &b->set.goals.data[goal];
    struct result *result = &b->results[row * b->set.goals.len + goal];
    _exit(row == ROWS ? attempt_grown(b, g, result) : attempt(b, &rows[row], g, result));
}

static bool wait_one(int *running) {
    int status;
    pid_t pid = wait(&status);
    *running -= pid > 0;
    return pid <= 0 || !WIFSIGNALED(status) || WTERMSIG(status) == SIGXCPU;
}

/* Every attempt of a row, so many at once. */
static bool run_row(const struct bench *b, size_t row,
                    bool (*wanted)(const struct bench *, size_t)) {
    int running = 0;
    bool good = true;
    for (size_t g = 0; g < b->set.goals.len; g++) {
        if (!wanted(b, g))
            continue;
        if (running == b->jobs)
            good &= wait_one(&running);
        running += start_attempt(b, row, g) > 0;
    }
    while (running > 0)
        good &= wait_one(&running);
    return good;
}

/* All probes of a module at once. */
static bool run_simulation(const struct bench *b, size_t row, struct err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < b->set.modules.len; i++) {
        const struct bench_module *m = b->set.modules.data[i];
        bool *known = mem_zalloc(m->woven.goals.n_probes + 1, sizeof *known);
        ok = simulate_module(m, b->steps, known, err);
        for (size_t g = 0; ok && g < b->set.goals.len; g++)
            if (b->set.goals.data[g].module == m && known[b->set.goals.data[g].probe])
                b->results[row * b->set.goals.len + g].verdict = TRUTH_REACHABLE;
        mem_free(known);
    }
    return ok;
}

static bool every_goal(const struct bench *b, size_t goal) {
    return goal < b->set.goals.len;
}

static bool some_goals(const struct bench *b, size_t goal) {
    return every_goal(b, goal) && goal % CBMC_EVERY == 0;
}

static bool run_all(const struct bench *b, struct err *err) {
    bool good = true;
    for (size_t r = 0; r < ROWS; r++)
        if (b->wanted[r])
            good &= simulates(&rows[r])
                        ? run_simulation(b, r, err)
                        : run_row(b, r, runs_cbmc(&rows[r]) ? some_goals : every_goal);
    return good;
}

/* ---- the table ---- */

static const struct result *result_of(const struct bench *b, size_t row, size_t goal) {
    const struct result *r = &b->results[row * b->set.goals.len + goal];
    static const struct result unsolved;
    return r->seconds > limit_of(b, row) ? &unsolved : r;
}

struct line {
    size_t reachable, dead, unsolved, unique;
    double dead_seconds;
};

static void add_result(struct line *line, const struct result *r, bool unique) {
    line->reachable += r->verdict == TRUTH_REACHABLE;
    line->dead += r->verdict == TRUTH_DEAD;
    line->unsolved += r->verdict == TRUTH_UNKNOWN;
    line->unique += unique;
    if (r->verdict == TRUTH_DEAD)
        line->dead_seconds += r->seconds;
}

static void print_line(const char *name, const struct line *line) {
    printf("| %-22s | %5zu | %5zu | %5zu | %5zu | %8.3f |\n", name, line->reachable, line->dead,
           line->unsolved, line->unique, line->dead ? line->dead_seconds / (double)line->dead : 0);
}

/* Dead, and no other single prover says so. The configurations of ic3 count instead of its default.
 */
static bool is_unique(const struct bench *b, size_t row, size_t goal) {
    if (result_of(b, row, goal)->verdict != TRUTH_DEAD)
        return false;
    for (size_t r = 0; r < ROWS; r++) {
        bool same = r == row || (str_same(rows[r].engine, "ic3") && !rows[row].single);
        if (rows[r].single && !same && result_of(b, r, goal)->verdict == TRUTH_DEAD)
            return false;
    }
    return true;
}

static void print_row(const struct bench *b, size_t row) {
    struct line line = {0};
    for (size_t g = 0; g < b->set.goals.len; g++)
        if (!runs_cbmc(&rows[row]) || some_goals(b, g))
            add_result(&line, result_of(b, row, g), is_unique(b, row, g));
    print_line(rows[row].name, &line);
}

static struct result portfolio(const struct bench *b, size_t goal, bool with_ic3) {
    struct result best = {0};
    for (size_t r = 0; r < ROWS; r++) {
        const struct result *one = result_of(b, r, goal);
        if (!rows[r].single || (!with_ic3 && str_same(rows[r].engine, "ic3")))
            continue;
        if (one->verdict && (!best.verdict || one->seconds < best.seconds))
            best = *one;
    }
    return best;
}

static struct result portfolio_grown(const struct bench *b, size_t goal) {
    struct result r = portfolio(b, goal, true);
    return r.verdict ? r : b->results[ROWS * b->set.goals.len + goal];
}

static bool is_unsolved(const struct bench *b, size_t goal) {
    return !portfolio(b, goal, true).verdict;
}

static void print_portfolio(const struct bench *b, const char *name, bool with_ic3, bool grown) {
    struct line line = {0};
    for (size_t g = 0; g < b->set.goals.len; g++) {
        struct result r = grown ? portfolio_grown(b, g) : portfolio(b, g, with_ic3);
        add_result(&line, &r, false);
    }
    print_line(name, &line);
}

static void print_goal(const struct bench *b, size_t g) {
    const struct bench_goal *goal = &b->set.goals.data[g];
    printf("%-20s %4d %4u %-10s %-9s %s", goal->module->name, goal->line, goal->probe, goal->block,
           truth_name(goal->truth), goal->needs_state ? "state" : "     ");
    for (size_t r = 0; r < ROWS; r++)
        if (b->wanted[r])
            printf(" %c%.3f", "?rd"[result_of(b, r, g)->verdict], result_of(b, r, g) -> seconds);
    printf("\n");
}

static void print_goals(const struct bench *b) {
    for (size_t g = 0; g < b->set.goals.len; g++)
        if (b->verbose || (b->unsolved && !portfolio_grown(b, g).verdict))
            print_goal(b, g);
}

static bool contradicts(const struct bench *b, size_t g) {
    enum truth said = b->set.goals.data[g].truth;
    for (size_t r = 0; r <= ROWS; r++) {
        enum truth now = b->results[r * b->set.goals.len + g].verdict;
        if (now && said && now != said) {
            printf("WRONG: %s line %d: %s says %s\n", b->set.goals.data[g].module->name,
                   b->set.goals.data[g].line, r < ROWS ? rows[r].name : "the portfolio",
                   truth_name(now));
            return true;
        }
        said = now ? now : said;
    }
    return false;
}

/* Known of generated goals, asked of others once they are known to be dead. */
static size_t count_needing_state(const struct bench *b) {
    size_t count = 0;
    for (size_t g = 0; g < b->set.goals.len; g++) {
        const struct bench_goal *goal = &b->set.goals.data[g];
        count +=
            goal->needs_state || (goal->line == 0 && portfolio_grown(b, g).verdict == TRUTH_DEAD &&
                                  hit_from_some_state(goal));
    }
    return count;
}

static void print_table(const struct bench *b) {
    printf("%zu goals, %zu of them dead but not from every state; limits: %llu ticks, %.1f s, "
           "CBMC %.1f s\n\n",
           b->set.goals.len, count_needing_state(b), (unsigned long long)b->limits.ticks,
           b->seconds, b->limits.cbmc_seconds);
    printf("| %-22s | reach |  dead | unsol | uniqu | s / dead |\n", "");
    printf("|------------------------|------:|------:|------:|------:|---------:|\n");
    for (size_t r = 0; r < ROWS; r++) {
        if (b->wanted[r] && rows[r].single)
            print_row(b, r);
    }
    print_portfolio(b, "portfolio without ic3", false, false);
    print_portfolio(b, "portfolio with ic3", true, false);
    print_portfolio(b, "portfolio, growing", true, true);
    for (size_t r = 0; r < ROWS; r++)
        if (b->wanted[r] && !rows[r].single)
            print_row(b, r);
}

/* ---- the program ---- */

static void choose_rows(struct bench *b, char **names, bool *good) {
    for (size_t r = 0; r < ROWS; r++)
        b->wanted[r] = !*names;
    for (; *names; names++) {
        bool found = false;
        for (size_t r = 0; r < ROWS; r++)
            if (str_same(rows[r].name, *names))
                b->wanted[r] = found = true;
        if (!found) {
            fprintf(stderr, "engines: there is no row '%s'\n", *names);
            *good = false;
        }
    }
}

static bool wants_cbmc(const struct bench *b) {
    bool wanted = false;
    for (size_t r = 0; r < ROWS; r++)
        wanted |= b->wanted[r] && runs_cbmc(&rows[r]);
    return wanted;
}

/* Rows that run CBMC need one. */
static void find_cbmc(struct bench *b) {
    struct str why = {0};
    if (wants_cbmc(b) && cbmc_open(&b->cbmc, tool_cbmc(&b->set.arena), &why)) {
        b->limits.cbmc = &b->cbmc;
    } else if (wants_cbmc(b)) {
        fprintf(stderr, "engines: no rows of CBMC: %s\n", str_text(&why));
        for (size_t r = 0; r < ROWS; r++)
            b->wanted[r] &= !runs_cbmc(&rows[r]);
    }
    str_free(&why);
}

static bool read_arguments(struct bench *b, int argc, char **argv) {
    bool good = true;
    for (int o; good && (o = getopt(argc, argv, "s:t:c:n:S:m:g:j:vu")) != -1;)
        switch (o) {
        case 's':
            b->seconds = strtod(optarg, NULL);
            break;
        case 't':
            b->limits.ticks = strtoull(optarg, NULL, 10);
            break;
        case 'c':
            b->limits.cbmc_seconds = strtod(optarg, NULL);
            break;
        case 'n':
            b->steps = strtoull(optarg, NULL, 10);
            break;
        case 'S':
            b->seed = strtoull(optarg, NULL, 10);
            break;
        case 'm':
            b->only = optarg;
            break;
        case 'g':
            b->rounds = (int)strtol(optarg, NULL, 10);
            break;
        case 'j':
            b->jobs = (int)strtol(optarg, NULL, 10);
            break;
        case 'v':
            b->verbose = true;
            break;
        case 'u':
            b->unsolved = true;
            break;
        default:
            fprintf(stderr,
                    "usage: engines [-s SECONDS] [-t TICKS] [-c SECONDS] [-n STEPS] [-S SEED] "
                    "[-m GOALS] [-g ROUNDS] [-j JOBS] [-v] [-u] [ROW...]\n");
            good = false;
        }
    b->jobs = b->jobs > 0 ? b->jobs : 1;
    choose_rows(b, argv + optind, &good);
    return good;
}

int main(int argc, char **argv) {
    struct bench b = {.seconds = 2,
                      .seed = 10,
                      .steps = 50000000,
                      .limits = {.ticks = 4000000, .cbmc_seconds = 5, .memory_mb = MEMORY_MB},
                      .jobs = 2,
                      .rounds = 2};
    struct err err = {0};
    if (!read_arguments(&b, argc, argv))
        return 2;
    find_cbmc(&b);
    bool good = bench_set_collect(&b.set, b.seed, b.only, &err);
    if (good) {
        size_t size = (ROWS + 1) * b.set.goals.len * sizeof *b.results;
        b.results = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        good = b.results != MAP_FAILED && run_all(&b, &err) && run_row(&b, ROWS, is_unsolved);
        if (err.message.len > 0)
            err_print(&err);
        else if (!good)
            fprintf(stderr, "engines: an attempt crashed\n");
        print_goals(&b);
        for (size_t g = 0; g < b.set.goals.len; g++)
            good &= !contradicts(&b, g);
        print_table(&b);
        munmap(b.results, size);
    } else {
        err_print(&err);
    }
    bench_set_free(&b.set);
    return good ? 0 : 1;
}
