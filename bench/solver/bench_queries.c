/* queries: what proof engines ask about the samples, beside other SMT solvers, in one run.
 *
 *     queries [-s SECONDS] [-l MTICKS] [-n GOALS] [-v] [SAMPLE…]
 *
 * From every sample some goals, evenly spread (-n, default 6); for each of them "hit in step 1, 5,
 * 20 from the initial states" and "hit after 0, 1, 2, 5 clean steps from any state". Every query is
 * put to a fresh solver of ours, and as an SMT-LIB file to z3 and bitwuzla where those are
 * installed. Limits: processor seconds for the others (default 5), million ticks for us (default
 * 20). Times are processor time, ours with the encoding, theirs without what an empty problem takes
 * them; all are counted as at least 1 ms. An unsolved query counts as the time that was spent on
 * it. -v prints one line a query.
 *
 * Exit code 5: two answers contradict each other.
 */
#include "base/log.h"
#include "app/project/read.h"
#include "base/file.h"
#include "engines/smtlib/print.h"
#include "engines/solver/solver.h"
#include "instrument/lower/lower.h"
#include "instrument/weave/weave.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

struct rival {
    const char *name, *version;
    bool present;
    double start_up;     /* seconds for an empty problem */
    double log_ratio[2]; /* its time to ours: without floats, with floats */
    size_t n[2], solved[2];
};

struct bench {
    double seconds, mticks;
    uint32_t goals;
    bool verbose;
    struct str file;
    size_t queries, own_solved, wrong, unprintable;
    double own_time;
    struct solver_stats effort;
    uint64_t calls; /* of contractors */
};

static struct rival rivals[] = {
    {.name = "z3", .version = "z3 --version"},
    {.name = "bitwuzla", .version = "bitwuzla --version"},
};
enum { RIVALS = sizeof rivals / sizeof *rivals };

VEC_STRUCT(roots, term_t);

struct query {
    const char *sample, *kind;
    uint32_t depth, target;
    bool from_init;
};

/* ---- unrolling, over terms ---- */

static size_t var_index(const struct system *sys, term_t var) {
    return term_get(sys->terms, var)->payload;
}

static void free_inputs(struct system *sys, term_t *map, bool at_init) {
    for (size_t i = 0; i < sys->inputs.len; i++) {
        term_t var = sys->inputs.data[i].var;
        const struct term_var *v = &sys->terms->vars.data[var_index(sys, var)];
        if (sys->inputs.data[i].at_init == at_init)
            map[var_index(sys, var)] =
                term_var(sys->terms, "input", term_sort(sys->terms, var), v->is_signed);
    }
}

static void set_cells(struct system *sys, term_t *map, const term_t *values) {
    for (size_t i = 0; i < sys->cells.len; i++)
        map[var_index(sys, sys->cells.data[i].var)] = values[i];
}

static void first_state(struct system *sys, bool from_init, term_t *map, size_t n_map,
                        struct roots *state, struct roots *out) {
    for (size_t i = 0; i < sys->cells.len; i++) {
        const struct cell *cell = &sys->cells.data[i];
        const struct term_var *v = &sys->terms->vars.data[var_index(sys, cell->var)];
        sort_t sort = term_sort(sys->terms, cell->var);
        term_t t = from_init ? cell->init : term_var(sys->terms, "cell", sort, v->is_signed);
        vec_push(state, t);
    }
    if (!from_init)
        return;
    free_inputs(sys, map, true);
    term_t ok = sys->init_ok;
    term_substitute(sys->terms, map, n_map, &ok, 1);
    term_substitute(sys->terms, map, n_map, state->data, state->len);
    vec_push(out, ok);
}

static void unroll(struct system *sys, const struct query *q, struct roots *out) {
    size_t n_map = sys->terms->vars.len;
    term_t *map = calloc(n_map, sizeof *map);
    struct roots state = {0};
    first_state(sys, q->from_init, map, n_map, &state, out);
    for (uint32_t step = 0;; step++) {
        term_t now[2] = {sys->targets.data[q->target].hit, sys->step_ok};
        free_inputs(sys, map, false);
        set_cells(sys, map, state.data);
        term_substitute(sys->terms, map, n_map, now, 2);
        vec_push(out, step == q->depth ? now[0] : now[1]);
        if (step == q->depth)
            break;
        if (!q->from_init)
            vec_push(out, term_not(sys->terms, now[0]));
        for (size_t i = 0; i < sys->cells.len; i++)
            state.data[i] = sys->cells.data[i].next;
        term_substitute(sys->terms, map, n_map, state.data, state.len);
    }
    vec_free(&state);
    free(map);
}

static bool has_floats(const struct terms *ts, const struct roots *roots) {
    bool *mark = calloc(ts->nodes.len, sizeof *mark), found = false;
    term_mark(ts, roots->data, roots->len, mark);
    for (term_t t = 1; t < ts->nodes.len; t++)
        found |= mark[t] && sort_is_float(term_sort(ts, t));
    free(mark);
    return found;
}

/* ---- solving ---- */

static double at_least_1ms(double seconds) {
    return seconds < 1e-3 ? 1e-3 : seconds;
}

static enum solver_result solve_own(struct bench *b, const struct terms *ts,
                                    const struct roots *roots) {
    struct solver *s = solver_new(&(struct solver_options){.seed = 1});
    struct frame *f = solver_frame_new(s, ts);
    for (size_t i = 0; i < roots->len; i++) {
        struct slit root = slit_true(solver_encode(s, f, roots->data[i]));
        solver_add_clause(s, &root, 1);
    }
    enum solver_result result = solver_solve(s, NULL, 0, (uint64_t)(b->mticks * 1e6));
    b->effort.conflicts += solver_stats(s)->conflicts;
    b->calls += solver_calls(solver_stats(s));
    solver_free(s);
    return result;
}

static bool first_line(const char *command, char *line, int size) {
    FILE *pipe = popen(command, "r");
    bool got = pipe && fgets(line, size, pipe);
    if (pipe)
        pclose(pipe);
    return got;
}

static enum solver_result solve_rival(const struct bench *b, const struct rival *r) {
    struct str command = {0};
    char line[64] = "";
    /* The clock is only a backstop: the machine may be busy. */
    str_addf(&command, "ulimit -t %.0f; timeout %.0f %s %s 2>/dev/null", ceil(b->seconds),
             20 * b->seconds + 20, r->name, str_text(&b->file));
    first_line(str_text(&command), line, sizeof line);
    str_free(&command);
    return str_starts(line, "sat")     ? SOLVER_SAT
           : str_starts(line, "unsat") ? SOLVER_UNSAT
                                       : SOLVER_UNKNOWN;
}

static const char *name_of(enum solver_result r) {
    return r == SOLVER_SAT ? "sat" : r == SOLVER_UNSAT ? "unsat" : "open";
}

static bool write_query(const struct bench *b, const struct terms *ts, const struct roots *roots) {
    struct str text = {0};
    struct err err = {0};
    bool ok = print_smt(ts, roots->data, roots->len, &text) &&
              file_write(str_text(&b->file), text.data, text.len, &err);
    str_free(&text);
    return ok;
}

static void compare(struct bench *b, struct rival *r, bool floats, enum solver_result own,
                    double own_time) {
    if (!r->present)
        return;
    double start = clock_cpu(RUSAGE_CHILDREN);
    enum solver_result result = solve_rival(b, r);
    double took = clock_cpu(RUSAGE_CHILDREN) - start - r->start_up;
    bool wrong = own && result && own != result;
    if (b->verbose)
        printf("  %s %-5s %8.3f%s", r->name, name_of(result), took, wrong ? "  WRONG" : "");
    b->wrong += wrong;
    r->n[floats]++;
    r->solved[floats] += result != SOLVER_UNKNOWN;
    r->log_ratio[floats] += log(at_least_1ms(took) / at_least_1ms(own_time));
}

static void run_query(struct bench *b, struct system *sys, const struct query *q) {
    struct roots roots = {0};
    unroll(sys, q, &roots);
    double start = clock_cpu(RUSAGE_SELF);
    enum solver_result own = solve_own(b, sys->terms, &roots);
    double own_time = clock_cpu(RUSAGE_SELF) - start;
    bool floats = has_floats(sys->terms, &roots), printed = write_query(b, sys->terms, &roots);
    b->queries++;
    b->own_solved += own != SOLVER_UNKNOWN;
    b->own_time += own_time;
    b->unprintable += !printed;
    if (b->verbose)
        printf("%-15s t%-4u %s%-3u %s own %-5s %8.3f", q->sample, q->target, q->kind, q->depth,
               floats ? "float" : "     ", name_of(own), own_time);
    for (size_t i = 0; i < RIVALS && printed; i++)
        compare(b, &rivals[i], floats, own, own_time);
    if (b->verbose)
        printf("\n");
    fflush(stdout);
    vec_free(&roots);
}

static void run_goal(struct bench *b, struct system *sys, const char *sample, uint32_t target) {
    static const struct query kinds[] = {
        {.kind = "bmc", .depth = 0, .from_init = true},
        {.kind = "bmc", .depth = 4, .from_init = true},
        {.kind = "bmc", .depth = 19, .from_init = true},
        {.kind = "ind", .depth = 0},
        {.kind = "ind", .depth = 1},
        {.kind = "ind", .depth = 2},
        {.kind = "ind", .depth = 5},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct slice slice; /* terms of one query are of no use to the next */
        struct query q = kinds[i];
        slice_make(&slice, sys, &target, 1);
        q.sample = sample;
        for (uint32_t t = 0; t < slice.target_map.len; t++)
            if (slice.target_map.data[t] == target)
                q.target = t;
        run_query(b, &slice.sys, &q);
        slice_free(&slice);
    }
}

static bool run_sample(struct bench *b, const char *sample, struct err *err) {
    struct str path = {0};
    struct project project = {0};
    struct woven woven = {0};
    struct terms terms;
    struct system sys;
    struct lowered lowered = {0};
    struct lower_options options = {0};
    str_addf(&path, "%s/samples/%s/goalkeeper.json", GK_SOURCE_DIR, sample);
    bool ok = project_read(str_text(&path), &project, err) && weave(&project, &woven, err);
    str_free(&path);
    if (!ok)
        return false;
    options.n_probes = woven.goals.n_probes;
    terms_init(&terms);
    system_init(&sys, &terms);
    ok = lower(str_text(&woven.text), &woven.module, &options, &sys, &lowered, err);
    size_t n = ok ? sys.targets.len : 0, step = n / b->goals ? n / b->goals : 1;
    for (size_t t = step / 2; t < n; t += step)
        run_goal(b, &sys, sample, (uint32_t)t);
    if (ok)
        lowered_free(&lowered);
    system_free(&sys);
    terms_free(&terms);
    woven_free(&woven);
    project_free(&project);
    return ok;
}

static void measure_start_up(const struct bench *b, struct rival *r) {
    static const char empty[] = "(set-logic QF_BV)\n(check-sat)\n";
    struct err err = {0};
    file_write(str_text(&b->file), empty, sizeof empty - 1, &err);
    for (int i = 0; i < 3; i++) {
        double start = clock_cpu(RUSAGE_CHILDREN);
        solve_rival(b, r);
        double took = clock_cpu(RUSAGE_CHILDREN) - start;
        r->start_up = i == 0 || took < r->start_up ? took : r->start_up;
    }
}

static void find_rivals(const struct bench *b) {
    char line[128];
    for (size_t i = 0; i < RIVALS; i++) {
        struct str command = {0};
        str_addf(&command, "%s 2>/dev/null", rivals[i].version);
        rivals[i].present = first_line(str_text(&command), line, sizeof line);
        if (rivals[i].present)
            measure_start_up(b, &rivals[i]);
        printf("%s: %s", rivals[i].name, rivals[i].present ? line : "not installed, left out\n");
        str_free(&command);
    }
}

static void print_sums(const struct bench *b) {
    printf("\n%zu queries, solved by us: %zu in %.1f s; %.0f contractor calls and %.0f conflicts a "
           "second\n",
           b->queries, b->own_solved, b->own_time, (double)b->calls / at_least_1ms(b->own_time),
           (double)b->effort.conflicts / at_least_1ms(b->own_time));
    if (b->unprintable)
        printf("%zu of them have no form in SMT-LIB and were not compared\n", b->unprintable);
    for (size_t i = 0; i < RIVALS; i++)
        for (int floats = 1; floats >= 0 && rivals[i].present; floats--)
            if (rivals[i].n[floats])
                printf("%s, queries %s floats: solves %zu of %zu, takes %.1f times our time "
                       "(geometric mean)\n",
                       rivals[i].name, floats ? "with" : "without", rivals[i].solved[floats],
                       rivals[i].n[floats],
                       exp(rivals[i].log_ratio[floats] / (double)rivals[i].n[floats]));
    if (b->wrong)
        printf("%zu CONTRADICTIONS\n", b->wrong);
}

static bool run_all(struct bench *b, char **names, int n, struct err *err) {
    static const char *const samples[] = {"door_debounce", "pid_fixed",   "cruise_control",
                                          "lane_assist",   "battery_soc", "can_guard",
                                          "multi_unit"};
    for (size_t i = 0; n == 0 && i < sizeof samples / sizeof *samples; i++)
        if (!run_sample(b, samples[i], err))
            return false;
    for (int i = 0; i < n; i++)
        if (!run_sample(b, names[i], err))
            return false;
    return true;
}

int main(int argc, char **argv) {
    struct bench b = {.seconds = 5, .mticks = 20, .goals = 6};
    struct err err = {0};
    struct str dir = {0};
    for (int c; (c = getopt(argc, argv, "s:l:n:v")) != -1;) {
        if (c == 's')
            b.seconds = strtod(optarg, NULL);
        else if (c == 'l')
            b.mticks = strtod(optarg, NULL);
        else if (c == 'n')
            b.goals = (uint32_t)strtoul(optarg, NULL, 10);
        else if (c == 'v')
            b.verbose = true;
        else
            return 2;
    }
    b.goals += b.goals == 0;
    bool ok = file_temp_dir(&dir, &err);
    if (ok) {
        str_addf(&b.file, "%s/query.smt2", str_text(&dir));
        find_rivals(&b);
        ok = run_all(&b, argv + optind, argc - optind, &err);
        file_remove_tree(str_text(&dir));
    }
    if (ok)
        print_sums(&b);
    else
        err_print(&err);
    str_free(&b.file);
    str_free(&dir);
    return !ok ? 1 : b.wrong ? 5 : 0;
}
