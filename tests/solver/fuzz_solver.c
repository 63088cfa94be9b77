/* fuzz/solver: the solver against what is known to be right, without end or COUNT times.
 *
 *   fuzz/solver [--seed N] [--count N] [--against small|hostile|proofs|fresh|z3|cbmc]
 *
 * small, hostile, proofs: enumeration of small problems, as it is, with settings that make rare
 * states frequent, and with every proof checked. fresh: one solver for many questions against a new
 * one for each. z3, cbmc: large formulas against these (which must be installed). Without
 * --against: all that there are, in turn. Ends with code 1 and the seed at the first wrong answer.
 */
#include "base/option.h"
#include "problem.h"
#include "rivals.h"

#include <stdio.h>

enum { TICKS = 3000000, SECONDS = 10, QUESTIONS = 40 };

struct tally {
    struct problem_counts small;
    uint64_t rounds, compared, sat, large_queries;
};

typedef const char *round_fn(struct rivals *r, uint64_t seed, struct tally *tally);

static const char *small_round(uint64_t seed, struct solver_knobs knobs, bool proof,
                               struct tally *tally) {
    struct problem p;
    problem_open(&p, seed, knobs, proof);
    const char *fault = problem_run(&p, &tally->small);
    problem_close(&p);
    return fault;
}

static const char *small(struct rivals *r, uint64_t seed, struct tally *tally) {
    (void)r;
    return small_round(seed, solver_default_knobs, false, tally);
}

static const char *hostile(struct rivals *r, uint64_t seed, struct tally *tally) {
    (void)r;
    struct solver_knobs knobs = {.restart_every = 1 + seed % 3,
                                 .reduce_first = 2 + seed % 5,
                                 .reduce_step = 1,
                                 .max_trials = seed % 4,
                                 .check = true};
    return small_round(seed, knobs, false, tally);
}

static const char *proofs(struct rivals *r, uint64_t seed, struct tally *tally) {
    (void)r;
    return small_round(seed, solver_default_knobs, true, tally);
}

static const char *fresh(struct rivals *r, uint64_t seed, struct tally *tally) {
    struct formula f;
    int answered = 0;
    (void)r;
    formula_make(&f, seed, FORMULA_ALL);
    const char *fault = formula_solve_subsets(&f, TICKS / 10, QUESTIONS, &answered);
    tally->large_queries += (uint64_t)answered;
    formula_free(&f);
    return fault;
}

static const char *compare(struct rivals *r, uint64_t seed, bool z3, struct tally *tally) {
    struct formula f;
    enum solver_result own, other = SOLVER_UNKNOWN;
    formula_make(&f, seed, z3 ? FORMULA_SMT : FORMULA_C);
    const char *fault = formula_solve(&f, TICKS, &own);
    if (own && !fault)
        other = z3 ? rival_z3(r, &f, SECONDS) : rival_cbmc(r, &f, SECONDS);
    if (own && other && own != other)
        fault = own == SOLVER_SAT ? "we say sat, the other one unsat"
                                  : "we say unsat, the other one sat";
    tally->compared += own && other;
    tally->sat += own && other && own == SOLVER_SAT;
    formula_free(&f);
    return fault;
}

static const char *z3(struct rivals *r, uint64_t seed, struct tally *tally) {
    return compare(r, seed, true, tally);
}

static const char *cbmc(struct rivals *r, uint64_t seed, struct tally *tally) {
    return compare(r, seed, false, tally);
}

/* How often in a turn, so that each gets about the same time. */
static const struct {
    const char *name;
    round_fn *run;
    int share;
} kinds[] = {{"small", small, 200},  {"hostile", hostile, 60},
             {"proofs", proofs, 40}, {"fresh", fresh, 1},
             {"z3", z3, 2},          {"cbmc", cbmc, 2}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static bool usable(const struct rivals *r, round_fn *run) {
    return run == z3 ? r->z3 : run == cbmc ? r->cbmc.program != NULL : true;
}

static void report(const struct tally *t, FILE *out) {
    fprintf(out,
            "%llu rounds: %llu sat and %llu unsat like enumeration, %llu steps of proofs, %llu "
            "questions like a new solver, %llu like another one (%llu sat)\n",
            (unsigned long long)t->rounds, (unsigned long long)t->small.sat,
            (unsigned long long)t->small.unsat, (unsigned long long)t->small.proof_steps,
            (unsigned long long)t->large_queries, (unsigned long long)t->compared,
            (unsigned long long)t->sat);
}

/* One turn: the share of each kind with new seeds; false: something is wrong. */
static bool turn(struct rivals *r, const char *only, uint64_t *seed, uint64_t end,
                 struct tally *tally) {
    for (int k = 0; k < KINDS; k++) {
        if ((only && !str_same(only, kinds[k].name)) || !usable(r, kinds[k].run))
            continue;
        for (int i = 0; i < kinds[k].share && *seed != end; i++, ++*seed) {
            const char *fault = kinds[k].run(r, *seed, tally);
            tally->rounds++;
            if (fault) {
                printf("--against %s --seed %llu --count 1: %s\n", kinds[k].name,
                       (unsigned long long)*seed, fault);
                return false;
            }
        }
    }
    return true;
}

static int run(struct rivals *r, const char *only, uint64_t seed, uint64_t count) {
    struct tally tally = {0};
    uint64_t end = seed + count, said = 0;
    bool ok = true;
    do {
        ok = turn(r, only, &seed, count ? end : 0, &tally);
        if (tally.rounds == said) {
            fprintf(stderr, "fuzz/solver: nothing to compare with: %s\n", only ? only : "none");
            return 2;
        }
        if (tally.rounds - said >= 2000) {
            report(&tally, stderr);
            said = tally.rounds;
        }
    } while (ok && seed != end);
    report(&tally, stdout);
    return ok ? 0 : 1;
}

int main(int argc, char **argv) {
    uint64_t seed = 1, count = 0;
    const char *only = NULL;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (str_same(argv[i], "--against")) {
            only = argv[i + 1];
            continue;
        }
        uint64_t *value = str_same(argv[i], "--seed") ? &seed : &count;
        if (!parse_count(argv[i + 1], value))
            return 2;
    }
    struct rivals r;
    struct err err = {0};
    if (!rivals_open(&r, &err)) {
        err_print(&err);
        return 2;
    }
    int code = run(&r, only, seed, count);
    rivals_close(&r);
    return code;
}
