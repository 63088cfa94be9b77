/* fuzz_modules: C modules with mutations, through listing, weave, compilers and lowering.
 *
 *   fuzz_modules [--seed N] [--count N] [FILE.c …]      without files: the samples
 *
 * `goalkeeper run --dump-model` must accept each, or refuse it with a place and words: exit code 0,
 * 2 or 3, no signal, no internal error, and no more CPU time than MOST_SECONDS. A source that is
 * answered in another way stays as fuzz_modules_failure.c, and the exit code is 1. The step
 * function of a file is its last one; headers lie beside it or in folders with the usual names.
 * Without --count it runs without end. */
#include "base/child.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/option.h"
#include "mutate.h"

#include <ctype.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SECONDS = 60, STEP_NAME = 120 };

struct source {
    char path[PATH_MAX]; /* absolute */
    char step[STEP_NAME];
    struct str text;
};
VEC_STRUCT(sources, struct source);

struct tally {
    uint64_t codes[4];
    double cpu_seconds;
};

/* ---- sources ---- */

/* The name in front of the parentheses that end before `at`; false: there are none. */
static bool name_before(const char *text, const char *at, char name[STEP_NAME]) {
    int depth = 0;
    while (at > text && isspace((unsigned char)at[-1]))
        at--;
    if (at == text || at[-1] != ')')
        return false;
    do
        depth += *--at == ')' ? 1 : *at == '(' ? -1 : 0;
    while (at > text && depth > 0);
    while (at > text && isspace((unsigned char)at[-1]))
        at--;
    const char *end = at;
    while (at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_'))
        at--;
    snprintf(name, STEP_NAME, "%.*s", (int)(end - at), at);
    return end > at;
}

/* The last function. */
static void find_step(struct source *s) {
    const char *text = str_text(&s->text);
    char name[STEP_NAME];
    int depth = 0;
    for (const char *at = text; *at; at++) {
        if (*at == '{' && depth == 0 && name_before(text, at, name))
            memcpy(s->step, name, sizeof name);
        depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
    }
}

static bool add_source(struct sources *sources, const char *path) {
    struct err err = {0};
    struct source s = {.path = ""};
    if (!file_read(path, &s.text, &err) || !realpath(path, s.path)) {
        err_print(&err);
        err_clear(&err);
        return false;
    }
    find_step(&s);
    if (s.step[0] == '\0' || s.text.len == 0)
        str_free(&s.text);
    else
        vec_push(sources, s);
    return true;
}

static void add_samples(struct sources *sources) {
    glob_t found = {0};
    glob(GK_SOURCE_DIR "/samples/*/*.c", 0, NULL, &found);
    glob(GK_SOURCE_DIR "/samples/*/*/*.c", GLOB_APPEND, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++)
        add_source(sources, found.gl_pathv[i]);
    globfree(&found);
}

/* ---- one of them ---- */

static const char *fault_of(const struct child_result *r) {
    if (r->end == CHILD_CPU)
        return "it takes too long";
    if (r->end != CHILD_EXITED)
        return "it does not end by itself";
    if (r->code != 0 && r->code != 2 && r->code != 3)
        return "a wrong exit code";
    if (r->code != 0 && !strstr(str_text(&r->err), "error: "))
        return "refused without a word";
    return NULL;
}

static void report(uint64_t seed, const char *fault, const struct child_result *r,
                   const struct str *text) {
    struct err err = {0};
    printf("seed %llu: %s (code %d)\n%s", (unsigned long long)seed, fault, r->code,
           str_text(&r->err));
    if (!file_write("fuzz_modules_failure.c", str_text(text), text->len, &err))
        err_print(&err);
    err_clear(&err);
}

static bool try_text(const struct source *s, const struct str *text, const char *dir, uint64_t seed,
                     struct tally *tally) {
    struct arena arena = {0};
    struct err err = {0};
    struct child_result r = {0};
    const char *from = path_dir(&arena, s->path);
    const char *argv[] = {GK_BINARY_DIR "/goalkeeper",
                          "run",
                          "m.c",
                          "--step",
                          s->step,
                          "--quiet",
                          "--no-cache",
                          "--db",
                          "m.db",
                          "--dump-model",
                          "model",
                          "-I",
                          from,
                          "-I",
                          path_join(&arena, from, "inc"),
                          "-I",
                          path_join(&arena, from, "include"),
                          "-I",
                          path_join(&arena, from, "../inc"),
                          "-I",
                          path_join(&arena, from, "../include"),
                          NULL};
    struct child_spec spec = {
        .argv = argv, .dir = dir, .cpu_seconds = MOST_SECONDS, .wall_seconds = 20 * MOST_SECONDS};
    file_remove_tree(path_join(&arena, dir, "m.db"));
    file_remove_tree(path_join(&arena, dir, "model"));
    bool started = file_write(path_join(&arena, dir, "m.c"), str_text(text), text->len, &err) &&
                   child_run(&spec, &r, &err);
    const char *fault = started ? fault_of(&r) : "it cannot be started";
    if (fault)
        report(seed, fault, &r, text);
    else
        tally->codes[r.code]++;
    tally->cpu_seconds += r.cpu_seconds;
    child_result_free(&r);
    err_clear(&err);
    arena_free(&arena);
    return !fault;
}

static bool try_seed(const struct sources *sources, const char *dir, uint64_t seed,
                     struct tally *tally) {
    struct rng rng;
    struct str text = {0};
    rng_init(&rng, seed);
    const struct source *s = &sources->data[rng_below(&rng, sources->len)];
    const struct source *other = &sources->data[rng_below(&rng, sources->len)];
    mutate(str_text(&s->text), str_text(&other->text), &rng, &text);
    bool good = try_text(s, &text, dir, seed, tally);
    str_free(&text);
    return good;
}

static int run(const struct sources *sources, const char *dir, uint64_t seed, uint64_t count) {
    struct tally t = {0};
    bool good = true;
    for (uint64_t i = 0; good && (count == 0 || i < count); i++)
        good = try_seed(sources, dir, seed + i, &t);
    printf("%llu listed and lowered, %llu refused as a project, %llu as a source; %.1f CPU s\n",
           (unsigned long long)t.codes[0], (unsigned long long)t.codes[2],
           (unsigned long long)t.codes[3], t.cpu_seconds);
    return !good || t.codes[0] == 0;
}

int main(int argc, char **argv) {
    uint64_t seed = 1, count = 0;
    struct sources sources = {0};
    struct str dir = {0};
    struct err err = {0};
    bool good = true;
    for (int i = 1; good && i < argc; i++) {
        bool is_seed = str_same(argv[i], "--seed"), is_count = str_same(argv[i], "--count");
        if (is_seed || is_count)
            good = i + 1 < argc && parse_count(argv[++i], is_seed ? &seed : &count);
        else
            good = add_source(&sources, argv[i]);
    }
    if (good && sources.len == 0)
        add_samples(&sources);
    if (!good || sources.len == 0 || !file_temp_dir(&dir, &err))
        return 2;
    int code = run(&sources, str_text(&dir), seed, count);
    file_remove_tree(str_text(&dir));
    str_free(&dir);
    for (size_t i = 0; i < sources.len; i++)
        str_free(&sources.data[i].text);
    vec_free(&sources);
    return code;
}
