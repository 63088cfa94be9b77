/* bench pathological: sources that nobody writes by hand, each in three sizes: how listing and
 * lowering grow.
 *
 *     build/bench/pathological [KIND…]
 *
 * For n, 2n and 4n parts of a kind (pathological.def) `goalkeeper run` lists the goals, and makes
 * the model of them (--dump-model); seconds are CPU time of the program and of all that it starts.
 * The exponent is that of the last doubling: 1 is linear. A source may be refused, which is said
 * with the exit code. An internal error, a signal, or more than MOST_SECONDS is a failure of the
 * benchmark.
 */
#include "base/arena.h"
#include "base/child.h"
#include "base/file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIZES = 3, MOST_SECONDS = 120 };

static const struct kind {
    const char *name;
    unsigned n;
    const char *head, *part, *middle, *other_part, *tail;
} kinds[] = {
#define KIND(name, n, head, part, middle, other_part, tail)                                        \
    {#name, n, head, part, middle, other_part, tail},
#include "bench/pathological.def"
#undef KIND
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- sources ---- */

static void add(struct str *out, const char *text, unsigned i) {
    for (; *text; text++)
        if (*text == '@')
            str_addf(out, "%u", i);
        else if (*text == '$')
            str_addf(out, "%u", i + 1);
        else
            str_addc(out, *text);
}

static void write_source(const struct kind *kind, unsigned n, struct str *out) {
    add(out, kind->head, n);
    for (unsigned i = 0; i < n; i++)
        add(out, kind->part, i);
    add(out, kind->middle, n);
    for (unsigned i = 0; i < n; i++)
        add(out, kind->other_part, i);
    add(out, kind->tail, n);
}

/* ---- a run ---- */

struct answer {
    double seconds;
    int code; /* -1: it did not end by itself */
};

static struct answer run(const char *dir, const char *what, const char *file) {
    const char *argv[] = {GK_PROGRAM, "run",  "m.c", "--step", "step", "--quiet",
                          "--db",     "m.db", what,  file,     NULL};
    struct child_spec spec = {.argv = argv, .dir = dir, .cpu_seconds = MOST_SECONDS};
    struct child_result r;
    struct arena arena = {0};
    struct err err = {0};
    struct answer a = {0, -1};
    file_remove_tree(path_join(&arena, dir, "m.db"));
    file_remove_tree(path_join(&arena, dir, "model"));
    if (child_run(&spec, &r, &err)) {
        a = (struct answer){r.cpu_seconds, r.end == CHILD_EXITED ? r.code : -1};
        child_result_free(&r);
    }
    err_clear(&err);
    arena_free(&arena);
    return a;
}

static bool is_answer(struct answer a) {
    return a.code == 0 || a.code == 2 || a.code == 3;
}

static void print(const struct answer answers[SIZES]) {
    for (int i = 0; i < SIZES; i++)
        if (answers[i].code == 0)
            printf(" %.2f |", answers[i].seconds);
        else
            printf(" %.2f, exit %d |", answers[i].seconds, answers[i].code);
    printf(" %.1f |", log2(answers[SIZES - 1].seconds / answers[SIZES - 2].seconds));
}

static bool measure(const struct kind *kind, const char *dir) {
    struct answer lists[SIZES], models[SIZES];
    struct arena arena = {0};
    struct err err = {0};
    bool good = true;
    for (int i = 0; i < SIZES; i++) {
        struct str text = {0};
        write_source(kind, kind->n << i, &text);
        good &= file_write(path_join(&arena, dir, "m.c"), str_text(&text), text.len, &err);
        str_free(&text);
        lists[i] = run(dir, "--goals-only", NULL);
        models[i] = run(dir, "--dump-model", "model");
        good &= is_answer(lists[i]) && is_answer(models[i]);
    }
    printf("| %s | %u |", kind->name, kind->n);
    print(lists);
    print(models);
    printf("%s\n", good ? "" : " FAILURE");
    fflush(stdout);
    err_clear(&err);
    arena_free(&arena);
    return good;
}

static bool is_wanted(const char *name, int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (str_same(argv[i], name))
            return true;
    return argc == 1;
}

int main(int argc, char **argv) {
    struct str dir = {0};
    struct err err = {0};
    bool good = true;
    if (!file_temp_dir(&dir, &err)) {
        err_print(&err);
        return 2;
    }
    printf("| kind | n | list n | 2n | 4n | exponent | model n | 2n | 4n | exponent |\n"
           "|---|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < KINDS; i++)
        if (is_wanted(kinds[i].name, argc, argv))
            good &= measure(&kinds[i], str_text(&dir));
    file_remove_tree(str_text(&dir));
    str_free(&dir);
    return !good;
}
