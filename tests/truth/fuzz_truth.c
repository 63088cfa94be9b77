/* fuzz_truth: random modules, the verdicts of `goalkeeper run` against the module's own source
 * compiled by gcc and by clang, until one is wrong.
 *
 *   fuzz_truth [--seed N] [--count N] [--seconds N] [--cpu-seconds N] [--engines A,B] [--with
 * FEATURE,…] [--without …]
 *              [--builds N] [--test-builds N] [--test-every N] [--steps N] [--shrink TRIES]
 *              [--keep DIR] [--dir DIR] [--program FILE] [--verbose 1] [--go-on 1] [--forge 1]
 *
 * Without --count it runs without end. --seconds, --cpu-seconds: for each run of Goalkeeper.
 * --with, --without: features of features.def that every module gets, or none. --builds: how many
 * of the four builds of the oracle are made;
 * --test-builds: how many the exported tests get, of every N-th module (--test-every); they take
 * turns. --steps: of the search of the oracle. A module with a wrong verdict is shrunk and left in
 * DIR (default: fuzz_truth_failure): `plain` is the module with its database, `oracle` the same
 * with probes. --dir: where to work; the last module stays there. --go-on: keeps each failure as
 * it is in a folder of its own, DIR-<seed>, and goes on. Exit code 1 after a wrong verdict or a
 * run that failed.
 *
 * --forge is for the test of this program: the oracle is forged, in the three ways of oracle.h by
 * turns, so that good verdicts look wrong; exit code 0 when that was noticed each time. */
#include "oracle.h"
#include "verdicts.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>

struct session {
    struct verdict_options verdicts;
    const char *dir, *keep, *steps;
    uint64_t seed, count, verbose, tries, forge, go_on, failures;
    uint64_t builds, test_builds, test_every;
    uint32_t with, without;
    enum forgery forged;
    struct verdict_totals total;
    uint64_t states, steps_done, complete;
};

struct shrinking {
    const struct session *s;
    enum err_code code;
};

static bool check(const struct session *s, struct choices *c, const char *dir, struct oracle *o,
                  struct verdict_totals *totals, struct err *err) {
    struct sample sample;
    struct arena arena = {0};
    sample_make(&sample, c, s->with, s->without);
    *o = (struct oracle){.dir = dir, .steps = s->steps, .forged = s->forged};
    o->builds = (unsigned)s->builds;
    o->first = s->verdicts.first_build;
    bool ok = oracle_write(&sample, dir, &arena, err) && oracle_run(&sample, o, &arena, err) &&
              (o->ended == 0 || /* no step ends, or begins: Goalkeeper refuses such a module */
               verdicts_check(&sample, o, &s->verdicts, totals, &arena, err));
    sample_free(&sample);
    arena_free(&arena);
    return ok;
}

static bool still_fails(void *context, const struct answers *list) {
    struct shrinking *sh = context;
    struct choices c;
    struct oracle o;
    struct verdict_totals ignored = {0};
    struct err err = {0};
    choices_replay(&c, list);
    bool fails = !check(sh->s, &c, sh->s->dir, &o, &ignored, &err) && err.code == sh->code;
    choices_free(&c);
    err_clear(&err);
    return fails;
}

static void report(struct session *s, struct choices *c, uint64_t seed, struct err *err) {
    printf("seed %llu: %s\n", (unsigned long long)seed, str_text(&err->message));
    fflush(stdout);
    struct shrinking sh = {s, err->code};
    struct str keep = {0};
    struct oracle o;
    struct verdict_totals ignored = {0};
    struct choices small;
    struct err again = {0};
    str_add(&keep, s->keep);
    if (s->go_on)
        str_addf(&keep, "-%llu", (unsigned long long)seed);
    else
        choices_shrink(&c->list, still_fails, &sh, (unsigned)s->tries);
    choices_replay(&small, &c->list);
    if (file_make_dirs(str_text(&keep), &again) &&
        !check(s, &small, str_text(&keep), &o, &ignored, &again))
        printf("%s\nthe module is in %s\n", str_text(&again.message), str_text(&keep));
    choices_free(&small);
    err_clear(&again);
    str_free(&keep);
}

static bool one_module(struct session *s, uint64_t seed) {
    struct choices c;
    struct oracle o;
    struct err err = {0};
    choices_random(&c, seed);
    s->forged = s->forge ? HONEST + 1 + (enum forgery)(seed % (FORGERIES - 1)) : HONEST;
    s->verdicts.first_build = (unsigned)(seed % BUILDS);
    s->verdicts.test_builds = (unsigned)(seed % s->test_every ? 0 : s->test_builds);
    bool ok = check(s, &c, s->dir, &o, &s->total, &err);
    if (!ok && s->forge)
        printf("seed %llu: noticed: %s\n", (unsigned long long)seed, str_text(&err.message));
    else if (!ok)
        report(s, &c, seed, &err);
    else if (s->verbose)
        printf("seed %llu: %llu goals, %llu tests, %llu open so far%s\n", (unsigned long long)seed,
               (unsigned long long)s->total.goals, (unsigned long long)s->total.tests,
               (unsigned long long)(s->total.open_reachable + s->total.open_unseen),
               o.complete ? ", complete" : "");
    fflush(stdout);
    s->states += o.states;
    s->steps_done += o.steps_done;
    s->complete += o.complete;
    s->failures += !ok && (!s->forge || err.code == ERR_EVIDENCE);
    choices_free(&c);
    err_clear(&err);
    return ok;
}

static uint32_t features(const char *list) {
    uint32_t bits = 0;
    for (size_t n; *list; list += n + (list[n] == ',')) {
        n = strcspn(list, ",");
        unsigned f = 0;
        while (f < FEATURES && !(strncmp(feature_names[f], list, n) == 0 && !feature_names[f][n]))
            f++;
        if (f == FEATURES) {
            fprintf(stderr, "unknown feature '%.*s'\n", (int)n, list);
            exit(2);
        }
        bits |= 1u << f;
    }
    return bits;
}

static bool take_number(struct session *s, const char *name, uint64_t number) {
    struct {
        const char *name;
        uint64_t *to;
    } rows[] = {{"--seed", &s->seed},
                {"--count", &s->count},
                {"--verbose", &s->verbose},
                {"--forge", &s->forge},
                {"--shrink", &s->tries},
                {"--go-on", &s->go_on},
                {"--builds", &s->builds},
                {"--test-builds", &s->test_builds},
                {"--test-every", &s->test_every}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_same(name, rows[i].name)) {
            *rows[i].to = number;
            return true;
        }
    return false;
}

static bool take_text(struct session *s, const char *name, const char *text) {
    struct {
        const char *name, **to;
    } rows[] = {{"--seconds", &s->verdicts.seconds},
                {"--cpu-seconds", &s->verdicts.cpu_seconds},
                {"--engines", &s->verdicts.engines},
                {"--program", &s->verdicts.program},
                {"--keep", &s->keep},
                {"--dir", &s->dir},
                {"--steps", &s->steps}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_same(name, rows[i].name)) {
            *rows[i].to = text;
            return true;
        }
    return false;
}

static bool read_options(struct session *s, int argc, char **argv) {
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (value && str_same(argv[i], "--without"))
            s->without = features(value);
        else if (value && str_same(argv[i], "--with"))
            s->with = features(value);
        else if (!value || (!take_number(s, argv[i], strtoull(value, NULL, 0)) &&
                            !take_text(s, argv[i], value))) {
            fprintf(stderr, "what is '%s'?\n", argv[i]);
            return false;
        }
    }
    return s->builds >= 1 && s->builds <= BUILDS && s->test_builds <= BUILDS && s->test_every;
}

/* Programs run in folders of their own, so all paths are absolute. */
static bool set_up(struct session *s, struct str *dir, struct arena *arena, struct err *err) {
    char *here = realpath(".", NULL);
    if (!here)
        return err_set(err, ERR_INTERNAL, "the working folder has no path");
    const char *cwd = arena_strdup(arena, here);
    free(here);
    s->keep = path_join(arena, cwd, s->keep);
    if (!s->dir) {
        bool ok = file_temp_dir(dir, err);
        s->dir = str_text(dir);
        return ok;
    }
    s->dir = path_join(arena, cwd, s->dir);
    return file_make_dirs(s->dir, err);
}

static void print_totals(const struct session *s, uint64_t modules) {
    const struct verdict_totals *t = &s->total;
    printf("%llu modules, %llu of them seen completely; %llu states, %llu steps; %llu goals: "
           "%llu reachable, %llu dead, %llu open (%llu of them seen); %llu exported tests\n",
           (unsigned long long)modules, (unsigned long long)s->complete,
           (unsigned long long)s->states, (unsigned long long)s->steps_done,
           (unsigned long long)t->goals, (unsigned long long)t->reachable,
           (unsigned long long)t->dead, (unsigned long long)(t->open_reachable + t->open_unseen),
           (unsigned long long)t->open_reachable, (unsigned long long)t->tests);
}

int main(int argc, char **argv) {
    struct session s = {
        .seed = 1,
        .tries = 150,
        .keep = "fuzz_truth_failure",
        .steps = "40000",
        .verdicts = {.program = GK_BINARY_DIR "/goalkeeper", .seconds = "120", .cpu_seconds = "12"},
        .builds = BUILDS,
        .test_builds = BUILDS,
        .test_every = 1};
    struct str dir = {0};
    struct arena arena = {0};
    struct err err = {0};
    uint64_t done = 0;
    if (!read_options(&s, argc, argv))
        return 2;
    if (!set_up(&s, &dir, &arena, &err)) {
        err_print(&err);
        return 2;
    }
    while ((s.count == 0 || done < s.count) &&
           (one_module(&s, s.seed + done) || s.go_on || s.forge))
        done++;
    print_totals(&s, done);
    if (dir.len)
        file_remove_tree(str_text(&dir));
    str_free(&dir);
    arena_free(&arena);
    return s.failures == (s.forge ? done : 0) && s.total.goals > 0 ? 0 : 1;
}
