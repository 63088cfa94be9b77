/* fuzz_lower: random programs, model against native build, until a difference is found.
 *
 *   fuzz_lower [--seed N] [--count N] [--runs N] [--steps N] [--keep FILE] [--loops N]
 *
 * With --loops N the model with its loops kept after N iterations is compared with the model that
 * has them unrolled, instead of the model with the native build.
 *
 * Without --count it runs without end. A failing program is shrunk and written to FILE
 * (default: fuzz_lower_failure.c). Exit code 1 after a difference. */
#include "differential.h"
#include "kept.h"
#include "program.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>

struct session {
    struct str dir;
    uint64_t seed, count;
    uint32_t runs, steps;
    uint32_t loops; /* 0: against the native build */
    const char *keep;
    struct differential_result total;
};

static bool check(const struct session *s, const struct program *p, uint64_t seed,
                  struct differential_result *result, struct err *err) {
    struct differential d = {.text = str_text(&p->text),
                             .module = (struct module *)&p->module,
                             .n_probes = p->n_probes,
                             .dir = str_text(&s->dir),
                             .runs = s->runs,
                             .steps = s->steps,
                             .seed = seed,
                             .traps_end = false};
    struct kept_result kept;
    if (!s->loops)
        return differential_run(&d, result, err);
    bool ok = kept_run(&d, s->loops, &kept, err);
    *result = (struct differential_result){
        .steps = kept.steps, .cells = kept.locations, .open_runs = kept.open_runs};
    return ok;
}

struct shrinking {
    const struct session *s;
    uint64_t seed;
    bool ilp32;
    enum err_code code;
};

static bool still_fails(void *context, const struct answers *list) {
    struct shrinking *sh = context;
    struct choices c;
    struct program p;
    struct differential_result result;
    struct err err = {0};
    choices_replay(&c, list);
    program_make(&p, &c, sh->ilp32);
    bool fails = !check(sh->s, &p, sh->seed, &result, &err) && err.code == sh->code;
    program_free(&p);
    choices_free(&c);
    err_clear(&err);
    return fails;
}

static void report(const struct session *s, struct choices *c, uint64_t seed, bool ilp32,
                   struct err *err) {
    printf("seed %llu (%s): %s\nshrinking ...\n", (unsigned long long)seed,
           ilp32 ? "ilp32" : "lp64", str_text(&err->message));
    fflush(stdout);
    struct shrinking sh = {s, seed, ilp32, err->code};
    struct program p;
    struct choices small;
    struct differential_result result;
    struct err again = {0};
    choices_shrink(&c->list, still_fails, &sh, 400);
    choices_replay(&small, &c->list);
    program_make(&p, &small, ilp32);
    check(s, &p, seed, &result, &again);
    printf("%s\nthe program is in %s\n", str_text(&again.message), s->keep);
    file_write(s->keep, p.text.data, p.text.len, &again);
    err_clear(&again);
    program_free(&p);
    choices_free(&small);
}

static bool one_program(struct session *s, uint64_t seed) {
    struct choices c;
    struct program p;
    struct differential_result result = {0};
    struct err err = {0};
    bool ilp32 = seed % 4 != 3;
    choices_random(&c, seed);
    program_make(&p, &c, ilp32);
    bool ok = check(s, &p, seed, &result, &err);
    if (!ok)
        report(s, &c, seed, ilp32, &err);
    s->total.steps += result.steps;
    s->total.hits += result.hits;
    s->total.open_runs += result.open_runs;
    s->total.ended_runs += result.ended_runs;
    s->total.overruns += result.overruns;
    s->total.terms += result.terms;
    program_free(&p);
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
        else if (str_same(argv[i], "--runs"))
            s->runs = (uint32_t)number;
        else if (str_same(argv[i], "--steps"))
            s->steps = (uint32_t)number;
        else if (str_same(argv[i], "--loops"))
            s->loops = (uint32_t)number;
        else if (str_same(argv[i], "--keep"))
            s->keep = argv[i + 1];
    }
}

int main(int argc, char **argv) {
    struct session s = {.seed = 1, .runs = 8, .steps = 20, .keep = "fuzz_lower_failure.c"};
    struct err err = {0};
    uint64_t done = 0;
    bool ok = true;
    read_options(&s, argc, argv);
    if (!file_temp_dir(&s.dir, &err)) {
        err_print(&err);
        return 2;
    }
    for (; ok && (s.count == 0 || done < s.count); done++)
        ok = one_program(&s, s.seed + done);
    printf("%llu programs, %llu steps compared, %llu hits, %u runs left open, %u ended, "
           "%u overruns, %zu terms\n",
           (unsigned long long)done, (unsigned long long)s.total.steps,
           (unsigned long long)s.total.hits, s.total.open_runs, s.total.ended_runs,
           s.total.overruns, s.total.terms);
    file_remove_tree(str_text(&s.dir));
    str_free(&s.dir);
    return ok ? 0 : 1;
}
