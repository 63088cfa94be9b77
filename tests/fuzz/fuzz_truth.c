/* fuzz_truth: random modules, the verdicts of `goalkeeper run` against the truth, until one is
 * wrong.
 *
 *   fuzz_truth [--seed N] [--count N] [--seconds N] [--engines A,B] [--shrink TRIES]
 *              [--keep DIR] [--dir DIR] [--program FILE] [--verbose 1] [--blind 1]
 *
 * Without --count it runs without end. --seconds: for each run of Goalkeeper. A module with a wrong
 * verdict is shrunk and left in DIR (default: fuzz_truth_failure) with its project file, database
 * and marked text. --dir: where to work; the last module stays there. Exit code 1 after a wrong
 * verdict or a run that failed.
 *
 * --blind is for the test of this program: the truth is looked for with one value of each input, so
 * that good verdicts look wrong; exit code 0 when that was noticed. */
#include "truth.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>

struct session {
    struct truth_run run;
    uint64_t seed, count, verbose, tries;
    const char *keep;
    struct truth_result total;
    uint64_t large;
};

struct shrinking {
    const struct session *s;
    bool ilp32;
    enum err_code code;
};

static bool check(const struct truth_run *run, struct choices *c, bool ilp32,
                  struct truth_result *result, struct err *err) {
    struct program p;
    program_make_module(&p, c, ilp32);
    bool ok = truth_compare(run, &p, result, err);
    program_free(&p);
    return ok;
}

static bool still_fails(void *context, const struct answers *list) {
    struct shrinking *sh = context;
    struct choices c;
    struct truth_result result = {0};
    struct err err = {0};
    choices_replay(&c, list);
    bool fails = !check(&sh->s->run, &c, sh->ilp32, &result, &err) && err.code == sh->code;
    choices_free(&c);
    err_clear(&err);
    return fails;
}

static void report(const struct session *s, struct choices *c, uint64_t seed, bool ilp32,
                   struct err *err) {
    printf("seed %llu: %s\nshrinking ...\n", (unsigned long long)seed, str_text(&err->message));
    fflush(stdout);
    struct shrinking sh = {s, ilp32, err->code};
    struct truth_run run = s->run;
    struct truth_result result = {0};
    struct choices small;
    struct err again = {0};
    choices_shrink(&c->list, still_fails, &sh, (unsigned)s->tries);
    choices_replay(&small, &c->list);
    run.dir = s->keep;
    if (file_make_dirs(s->keep, &again) && !check(&run, &small, ilp32, &result, &again))
        printf("%s\nthe module is in %s\n", str_text(&again.message), s->keep);
    choices_free(&small);
    err_clear(&again);
}

static bool one_module(struct session *s, uint64_t seed) {
    struct choices c;
    struct err err = {0};
    bool ilp32 = seed % 4 != 3;
    choices_random(&c, seed);
    bool ok = check(&s->run, &c, ilp32, &s->total, &err);
    if (!ok)
        report(s, &c, seed, ilp32, &err);
    else if (s->verbose)
        printf("seed %llu: %llu goals, %llu states, %llu open so far\n", (unsigned long long)seed,
               (unsigned long long)s->total.goals, (unsigned long long)s->total.states,
               (unsigned long long)(s->total.open_reachable + s->total.open_dead));
    fflush(stdout);
    s->large += s->total.large;
    choices_free(&c);
    err_clear(&err);
    return ok;
}

static void read_options(struct session *s, int argc, char **argv) {
    for (int i = 1; i + 1 < argc; i += 2) {
        uint64_t number = strtoull(argv[i + 1], NULL, 0);
        if (str_same(argv[i], "--seed"))
            s->seed = number;
        else if (str_same(argv[i], "--count"))
            s->count = number;
        else if (str_same(argv[i], "--verbose"))
            s->verbose = number;
        else if (str_same(argv[i], "--blind"))
            s->run.blind = number;
        else if (str_same(argv[i], "--shrink"))
            s->tries = number;
        else if (str_same(argv[i], "--seconds"))
            s->run.seconds = argv[i + 1];
        else if (str_same(argv[i], "--keep"))
            s->keep = argv[i + 1];
        else if (str_same(argv[i], "--engines"))
            s->run.engines = argv[i + 1];
        else if (str_same(argv[i], "--program"))
            s->run.program = argv[i + 1];
        else if (str_same(argv[i], "--dir"))
            s->run.dir = argv[i + 1];
    }
}

static void print_totals(const struct session *s, uint64_t modules) {
    const struct truth_result *t = &s->total;
    printf("%llu modules, %llu of them too large; %llu states, %llu steps; %llu goals compared "
           "(%llu without a mark): %llu reachable, %llu dead, %llu open\n",
           (unsigned long long)modules, (unsigned long long)s->large, (unsigned long long)t->states,
           (unsigned long long)t->steps, (unsigned long long)t->goals,
           (unsigned long long)t->unmarked, (unsigned long long)t->reachable,
           (unsigned long long)t->dead, (unsigned long long)(t->open_reachable + t->open_dead));
}

int main(int argc, char **argv) {
    struct session s = {.seed = 1,
                        .tries = 150,
                        .keep = "fuzz_truth_failure",
                        .run = {.program = GK_BINARY_DIR "/goalkeeper", .seconds = "20"}};
    struct str dir = {0};
    struct err err = {0};
    uint64_t done = 0;
    bool ok = true;
    read_options(&s, argc, argv);
    if (s.run.dir ? !file_make_dirs(s.run.dir, &err) : !file_temp_dir(&dir, &err)) {
        err_print(&err);
        return 2;
    }
    s.run.dir = s.run.dir ? s.run.dir : str_text(&dir);
    for (; ok && (s.count == 0 || done < s.count); done++)
        ok = one_module(&s, s.seed + done);
    print_totals(&s, done);
    if (dir.len)
        file_remove_tree(str_text(&dir));
    str_free(&dir);
    return ok == !s.run.blind && s.total.goals > 0 ? 0 : 1;
}
