/* bench engines: the table of "ICP and IC3", one row an engine or a configuration of ic3.
 *
 *     build/bench/engines [-s SECONDS] [-t TICKS] [-j JOBS] [-v] [ROW…]
 *
 * Goals come from the samples and from generated modules of growing size (generate_module.h), about
 * half of them need an invariant over the state. Every goal is given to every row alone, in a
 * process of its own, with limits on ticks, time and memory; nothing is known beforehand. A
 * portfolio counts what any of its members has solved, with the least time of those. -v prints one
 * line a goal. Exit code 1: two rows contradict each other or what is known of a goal.
 */
#include "app/project_read.h"
#include "base/file.h"
#include "base/log.h"
#include "bench/generate_module.h"
#include "engines/engine.h"
#include "instrument/lower.h"
#include "instrument/weave.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SAMPLE_GOALS = 16, MEMORY_MB = 2048, MAX_ROWS = 40 };

struct row {
    const char *name, *engine;
    const char *settings; /* knobs, separated by spaces */
    bool single;          /* one of the provers that portfolios and "unique" are about */
};

static const struct row rows[] = {
    {"bmc", "bmc", "", true},
    {"k-induction", "kind", "", true},
    {"houdini", "houdini", "", true},
    {"interpolation", "itp", "", true},
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
};
enum { ROWS = sizeof rows / sizeof *rows };

struct bench_module {
    struct project project;
    struct woven woven;
    struct terms terms;
    struct system sys;
    struct lowered lowered;
    const char *name;
    unsigned lines;
};

struct bench_goal {
    struct bench_module *module;
    uint32_t target;
    enum truth truth;
    bool needs_state;
    int line;
};

/* In memory that all processes share. */
struct result {
    enum truth verdict; /* TRUTH_UNKNOWN: unsolved */
    double seconds;
    uint64_t ticks;
};

struct bench {
    struct arena arena;
    struct str dir;
    VEC(struct bench_module *) modules;
    VEC(struct bench_goal) goals;
    struct result *results; /* [row * goals + goal] */
    bool wanted[ROWS];
    double seconds;
    uint64_t ticks;
    int jobs;
    bool verbose;
};

/* ---- goals ---- */

static struct bench_module *open_module(struct bench *b, const char *dir, struct err *err) {
    struct bench_module *m = arena_array(&b->arena, struct bench_module, 1);
    struct lower_options options = {0};
    if (!project_read(path_join(&b->arena, dir, "goalkeeper.json"), &m->project, err) ||
        !weave(&m->project, &m->woven, err))
        return NULL;
    options.n_probes = m->woven.goals.n_probes;
    terms_init(&m->terms);
    system_init(&m->sys, &m->terms);
    if (!lower(str_text(&m->woven.text), &m->woven.module, &options, &m->sys, &m->lowered, err))
        return NULL;
    vec_push(&b->modules, m);
    return m;
}

static uint32_t target_of(const struct bench_module *m, uint32_t probe) {
    for (uint32_t t = 0; t < m->sys.targets.len; t++)
        if (m->sys.targets.data[t].kind == TARGET_GOAL && m->sys.targets.data[t].id == probe)
            return t;
    return NONE;
}

static bool add_generated(struct bench *b, unsigned lines, uint64_t seed, struct err *err) {
    struct generated g;
    const char *dir =
        arena_printf(&b->arena, "%s/%u-%llu", str_text(&b->dir), lines, (unsigned long long)seed);
    generate_module(&g, &(struct generate_options){.seed = seed, .lines = lines});
    bool ok = file_make_dirs(dir, err) &&
              file_write(path_join(&b->arena, dir, "module.c"), g.source.data, g.source.len, err) &&
              file_write(path_join(&b->arena, dir, "goalkeeper.json"), g.project.data,
                         g.project.len, err);
    struct bench_module *m = ok ? open_module(b, dir, err) : NULL;
    for (size_t i = 0; m && i < g.goals.len; i++)
        for (size_t k = 0; k < m->woven.goals.list.len; k++) {
            const struct goal *goal = &m->woven.goals.list.data[k];
            if (goal->kind != GOAL_statement || goal->line != g.goals.data[i].line)
                continue;
            struct bench_goal one = {m, target_of(m, goal->probe), g.goals.data[i].truth,
                                     g.goals.data[i].needs_state, goal->line};
            vec_push(&b->goals, one);
            break;
        }
    if (m) {
        m->name = arena_printf(&b->arena, "generated %u/%llu", lines, (unsigned long long)seed);
        m->lines = lines;
    }
    generated_free(&g);
    return m != NULL;
}

/* Some probes of a sample, evenly spread. */
static bool add_sample(struct bench *b, const char *name, struct err *err) {
    const char *dir = arena_printf(&b->arena, "%s/samples/%s", GK_SOURCE_DIR, name);
    struct bench_module *m = open_module(b, dir, err);
    if (!m)
        return false;
    m->name = name;
    uint32_t n = m->woven.goals.n_probes, step = n / SAMPLE_GOALS ? n / SAMPLE_GOALS : 1;
    for (uint32_t p = step / 2; p < n; p += step) {
        struct bench_goal one = {.module = m, .target = target_of(m, p), .line = (int)p};
        if (one.target != NONE)
            vec_push(&b->goals, one);
    }
    return true;
}

static bool collect(struct bench *b, struct err *err) {
    static const char *const samples[] = {"door_debounce", "pid_fixed",   "cruise_control",
                                          "lane_assist",   "battery_soc", "can_guard",
                                          "multi_unit"};
    static const unsigned sizes[] = {150, 250, 400, 600, 900};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        if (!add_sample(b, samples[i], err))
            return false;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (!add_generated(b, sizes[i], 10 + i, err))
            return false;
    return true;
}

/* ---- one attempt, in a child ---- */

struct attempt {
    struct result *result;
    const struct system *sys;
};

static void take_fact(void *context, const struct fact *fact) {
    struct attempt *a = context;
    if (fact->kind == FACT_HIT)
        a->result->verdict = TRUTH_REACHABLE;
    else if (fact->kind == FACT_DEAD)
        a->result->verdict = TRUTH_DEAD;
}

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool set_knobs(struct engine_knobs *knobs, const char *settings, struct err *err) {
    char word[64];
    *knobs = knobs_default;
    for (int n; sscanf(settings, " %63s%n", word, &n) == 1; settings += n)
        if (!knobs_set(knobs, word, err))
            return false;
    return true;
}

static int attempt(const struct bench *b, const struct row *row, const struct bench_goal *goal,
                   struct result *result) {
    struct err err = {0};
    struct slice slice;
    struct attempt a = {.result = result};
    uint32_t target = 0;
    slice_make(&slice, &goal->module->sys, &goal->target, 1);
    struct engine_input input = {.sys = &slice.sys,
                                 .targets = &target,
                                 .n_targets = 1,
                                 .report = take_fact,
                                 .context = &a,
                                 .options = {.seed = 1}};
    if (!set_knobs(&input.options.knobs, row->settings, &err)) {
        err_print(&err);
        return 2;
    }
    const struct engine *engine = engine_find(row->engine)->engine;
    double start = cpu_seconds();
    void *run = engine->open(&input);
    enum engine_status status = engine->step(run, b->ticks);
    result->seconds = cpu_seconds() - start;
    engine->close(run);
    slice_free(&slice);
    return status == ENGINE_MORE ? 3 : 0;
}

static pid_t start_attempt(const struct bench *b, size_t row, size_t goal) {
    fflush(NULL);
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    struct rlimit memory = {(rlim_t)MEMORY_MB << 20, (rlim_t)MEMORY_MB << 20};
    struct rlimit cpu = {(rlim_t)b->seconds + 1, (rlim_t)b->seconds + 2};
    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_CPU, &cpu);
    struct result *result = &b->results[row * b->goals.len + goal];
    _exit(attempt(b, &rows[row], &b->goals.data[goal], result));
}

/* Every attempt of every wanted row, so many at once. */
static bool run_all(const struct bench *b) {
    int running = 0, status;
    bool crashed = false;
    for (size_t r = 0; r < ROWS; r++)
        for (size_t g = 0; b->wanted[r] && g < b->goals.len; g++) {
            if (running == b->jobs) {
                wait(&status);
                crashed |= WIFSIGNALED(status) && WTERMSIG(status) != SIGXCPU;
                running--;
            }
            running += start_attempt(b, r, g) > 0;
        }
    while (wait(&status) > 0)
        crashed |= WIFSIGNALED(status) && WTERMSIG(status) != SIGXCPU;
    return !crashed;
}

/* ---- the table ---- */

static const struct result *result_of(const struct bench *b, size_t row, size_t goal) {
    const struct result *r = &b->results[row * b->goals.len + goal];
    static const struct result unsolved;
    return r->seconds > b->seconds ? &unsolved : r;
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
    for (size_t g = 0; g < b->goals.len; g++)
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

static void print_portfolio(const struct bench *b, const char *name, bool with_ic3) {
    struct line line = {0};
    for (size_t g = 0; g < b->goals.len; g++) {
        struct result r = portfolio(b, g, with_ic3);
        add_result(&line, &r, false);
    }
    print_line(name, &line);
}

static void print_goals(const struct bench *b) {
    for (size_t g = 0; g < b->goals.len; g++) {
        const struct bench_goal *goal = &b->goals.data[g];
        printf("%-18s %4d %-9s %s", goal->module->name, goal->line, truth_name(goal->truth),
               goal->needs_state ? "state" : "     ");
        for (size_t r = 0; r < ROWS; r++)
            if (b->wanted[r])
                printf(" %c%.3f", "?rd"[result_of(b, r, g)->verdict],
                       result_of(b, r, g) -> seconds);
        printf("\n");
    }
}

static bool contradicts(const struct bench *b, size_t g) {
    enum truth said = b->goals.data[g].truth;
    for (size_t r = 0; r < ROWS; r++) {
        enum truth now = b->results[r * b->goals.len + g].verdict;
        if (now && said && now != said) {
            printf("WRONG: %s line %d: %s says %s\n", b->goals.data[g].module->name,
                   b->goals.data[g].line, rows[r].name, truth_name(now));
            return true;
        }
        said = now ? now : said;
    }
    return false;
}

static void print_table(const struct bench *b) {
    size_t state = 0;
    for (size_t g = 0; g < b->goals.len; g++)
        state += b->goals.data[g].needs_state;
    printf(
        "%zu goals, %zu known to need an invariant over the state; limits: %llu ticks, %.1f s\n\n",
        b->goals.len, state, (unsigned long long)b->ticks, b->seconds);
    printf("| %-22s | reach |  dead | unsol | uniqu | s / dead |\n", "");
    printf("|------------------------|------:|------:|------:|------:|---------:|\n");
    for (size_t r = 0; r < ROWS; r++) {
        if (b->wanted[r] && rows[r].single)
            print_row(b, r);
    }
    print_portfolio(b, "portfolio without ic3", false);
    print_portfolio(b, "portfolio with ic3", true);
    for (size_t r = 0; r < ROWS; r++)
        if (b->wanted[r] && !rows[r].single)
            print_row(b, r);
}

/* ---- the program ---- */

static bool choose_rows(struct bench *b, char **names) {
    for (size_t r = 0; r < ROWS; r++)
        b->wanted[r] = !*names && engine_find(rows[r].engine);
    for (; *names; names++) {
        bool found = false;
        for (size_t r = 0; r < ROWS; r++)
            if (str_same(rows[r].name, *names) && engine_find(rows[r].engine))
                b->wanted[r] = found = true;
        if (!found) {
            fprintf(stderr, "engines: there is no row '%s'\n", *names);
            return false;
        }
    }
    return true;
}

static bool read_arguments(struct bench *b, int argc, char **argv) {
    for (int o; (o = getopt(argc, argv, "s:t:j:v")) != -1;)
        switch (o) {
        case 's':
            b->seconds = strtod(optarg, NULL);
            break;
        case 't':
            b->ticks = strtoull(optarg, NULL, 10);
            break;
        case 'j':
            b->jobs = (int)strtol(optarg, NULL, 10);
            break;
        case 'v':
            b->verbose = true;
            break;
        default:
            fprintf(stderr, "usage: engines [-s SECONDS] [-t TICKS] [-j JOBS] [-v] [ROW...]\n");
            return false;
        }
    b->jobs = b->jobs > 0 ? b->jobs : 1;
    return choose_rows(b, argv + optind);
}

static void close_all(struct bench *b) {
    for (size_t i = 0; i < b->modules.len; i++) {
        struct bench_module *m = b->modules.data[i];
        lowered_free(&m->lowered);
        system_free(&m->sys);
        terms_free(&m->terms);
        woven_free(&m->woven);
        project_free(&m->project);
    }
    file_remove_tree(str_text(&b->dir));
    str_free(&b->dir);
    vec_free(&b->modules);
    vec_free(&b->goals);
    arena_free(&b->arena);
}

int main(int argc, char **argv) {
    struct bench b = {.seconds = 2, .ticks = 4000000, .jobs = 2};
    struct err err = {0};
    if (!read_arguments(&b, argc, argv))
        return 2;
    bool good = file_temp_dir(&b.dir, &err) && collect(&b, &err);
    if (good) {
        size_t size = ROWS * b.goals.len * sizeof *b.results;
        b.results = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        good = b.results != MAP_FAILED && run_all(&b);
        if (!good)
            fprintf(stderr, "engines: an attempt crashed\n");
        if (b.verbose)
            print_goals(&b);
        for (size_t g = 0; g < b.goals.len; g++)
            good &= !contradicts(&b, g);
        print_table(&b);
        munmap(b.results, size);
    } else {
        err_print(&err);
    }
    close_all(&b);
    return good ? 0 : 1;
}
