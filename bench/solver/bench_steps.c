/* steps: BMC and induction queries on the step models, each on a fresh solver, beside Z3.
 *
 *     steps [-z SECONDS] [-l MTICKS] [-d DIR] [MODEL]
 *
 * -z runs `z3` on the same query with that time limit, -l is our own limit in million ticks
 * (default 100), -d keeps the SMT-LIB files. One line a query: answer, time, conflicts, contractor
 * calls a second, Z3's answer and time. The last line is the geometric mean of the ratios of times.
 */
#include "base/mem.h"
#include "base/str.h"
#include "engines/smtlib/print.h"
#include "engines/solver/solver.h"
#include "step_models.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

VEC_STRUCT(roots, term_t);

struct bench {
    double z3_limit, own_limit;
    const char *dir;
    double log_ratio;
    size_t compared, wrong, own_open, z3_open;
};

struct query {
    const char *kind;
    uint32_t depth;
    bool from_init;
    size_t target;
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Sets map[] to the values of one step, and adds what holds in it. */
static void open_step(struct step_model *m, const term_t *state, term_t *map, struct roots *out) {
    for (size_t i = 0; i < m->n_cells; i++)
        map[term_get(&m->ts, m->cell[i])->payload] = state[i];
    for (size_t i = 0; i < m->n_inputs; i++) {
        const struct term *t = term_get(&m->ts, m->input[i]);
        map[t->payload] = term_var(&m->ts, "input", t->sort, true);
    }
    for (size_t i = 0; i < m->n_inputs; i++) {
        term_t ok = m->input_ok[i];
        term_substitute(&m->ts, map, MODEL_CELLS + MODEL_INPUTS, &ok, 1);
        vec_push(out, ok);
    }
}

static void unroll(struct step_model *m, const struct query *q, struct roots *out) {
    term_t state[MODEL_CELLS], map[MODEL_CELLS + MODEL_INPUTS] = {0};
    for (size_t i = 0; i < m->n_cells; i++)
        state[i] =
            q->from_init ? m->init[i] : term_var(&m->ts, "s", term_sort(&m->ts, m->cell[i]), true);
    for (uint32_t step = 0;; step++) {
        open_step(m, state, map, out);
        term_t hit = m->target[q->target];
        term_substitute(&m->ts, map, MODEL_CELLS + MODEL_INPUTS, &hit, 1);
        if (step == q->depth) {
            vec_push(out, hit);
            return;
        }
        if (!q->from_init)
            vec_push(out, term_not(&m->ts, hit));
        memcpy(state, m->next, sizeof state);
        term_substitute(&m->ts, map, MODEL_CELLS + MODEL_INPUTS, state, m->n_cells);
    }
}

static enum solver_result solve_own(const struct bench *b, struct step_model *m,
                                    const struct roots *roots, struct solver_stats *stats) {
    struct solver *s = solver_new(&(struct solver_options){.seed = 1});
    struct frame *f = solver_frame_new(s, &m->ts);
    for (size_t i = 0; i < roots->len; i++) {
        svar v = solver_encode(s, f, roots->data[i]);
        solver_add_clause(s, (struct slit[]){slit_true(v)}, 1);
    }
    enum solver_result result = solver_solve(s, NULL, 0, (uint64_t)(b->own_limit * 1e6));
    *stats = *solver_stats(s);
    solver_free(s);
    return result;
}

static enum solver_result solve_z3(const struct bench *b, struct step_model *m,
                                   const struct roots *roots, const char *path) {
    struct str text = {0}, command = {0};
    char line[64] = "";
    if (!print_smt(&m->ts, roots->data, roots->len, &text))
        return SOLVER_UNKNOWN;
    FILE *file = fopen(path, "w");
    if (!file)
        return SOLVER_UNKNOWN;
    fputs(str_text(&text), file);
    fclose(file);
    str_free(&text);
    if (b->z3_limit <= 0)
        return SOLVER_UNKNOWN;
    str_addf(&command, "z3 -T:%.0f %s", b->z3_limit, path);
    FILE *pipe = popen(str_text(&command), "r");
    if (pipe && fgets(line, sizeof line, pipe))
        line[strcspn(line, "\n")] = 0;
    if (pipe)
        pclose(pipe);
    str_free(&command);
    return str_same(line, "sat")     ? SOLVER_SAT
           : str_same(line, "unsat") ? SOLVER_UNSAT
                                     : SOLVER_UNKNOWN;
}

static const char *result_name(enum solver_result r) {
    return r == SOLVER_SAT ? "sat" : r == SOLVER_UNSAT ? "unsat" : "open";
}

static void run(struct bench *b, struct step_model *m, const struct query *q) {
    struct roots roots = {0};
    struct solver_stats stats;
    struct str path = {0};
    unroll(m, q, &roots);
    double start = now();
    enum solver_result own = solve_own(b, m, &roots, &stats);
    double own_time = now() - start;
    str_addf(&path, "%s/%s_%s%u_%zu.smt2", b->dir, m->name, q->kind, q->depth, q->target);
    printf("%-16s %s%-3u t%zu  %-5s %8.3f s %8lu conflicts %8lu decisions %8.3f Mcalls %5.1f M/s",
           m->name, q->kind, q->depth, q->target, result_name(own), own_time, stats.conflicts,
           stats.decisions, (double)solver_calls(&stats) * 1e-6,
           (double)solver_calls(&stats) * 1e-6 / own_time);
    start = now();
    enum solver_result z3 = solve_z3(b, m, &roots, str_text(&path));
    double z3_time = now() - start;
    if (b->z3_limit > 0) {
        bool wrong = own && z3 && own != z3;
        printf("  z3 %-5s %8.3f s%s", result_name(z3), z3_time, wrong ? "  WRONG" : "");
        b->wrong += wrong;
        b->own_open += !own;
        b->z3_open += !z3;
        b->log_ratio += log(z3_time / own_time);
        b->compared++;
    }
    printf("\n");
    fflush(stdout);
    str_free(&path);
    vec_free(&roots);
}

static void run_model(struct bench *b, size_t index) {
    static const struct query queries[] = {
        {"bmc", 1, true, 0},  {"bmc", 5, true, 0},  {"bmc", 20, true, 0},
        {"ind", 1, false, 0}, {"ind", 2, false, 0}, {"ind", 5, false, 0},
    };
    for (size_t target = 0; target < MODEL_TARGETS; target++)
        for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
            struct step_model m;
            struct query q = queries[i];
            q.target = target;
            step_model_make(index, &m);
            run(b, &m, &q);
            step_model_free(&m);
        }
}

int main(int argc, char **argv) {
    struct bench b = {.own_limit = 100, .dir = "/tmp"};
    for (int c; (c = getopt(argc, argv, "z:l:d:")) != -1;) {
        if (c == 'z')
            b.z3_limit = strtod(optarg, NULL);
        else if (c == 'l')
            b.own_limit = strtod(optarg, NULL);
        else if (c == 'd')
            b.dir = optarg;
        else
            return 2;
    }
    for (size_t i = 0; i < step_model_count(); i++) {
        struct step_model m;
        step_model_make(i, &m);
        bool wanted = optind >= argc || str_same(argv[optind], m.name);
        step_model_free(&m);
        if (wanted)
            run_model(&b, i);
    }
    if (b.compared)
        printf("z3 takes %.1f times as long (geometric mean of %zu), open: own %zu, z3 %zu; wrong: "
               "%zu\n",
               exp(b.log_ratio / (double)b.compared), b.compared, b.own_open, b.z3_open, b.wrong);
    return b.wrong ? 5 : 0;
}
