/* ia: `goalkeeper solve` on transition systems as Horn clauses, beside Spacer of Z3, as the tables
 * of the paper on IC3IA.
 *
 *     ./dev bench ia [--seconds 20] [--every 1] [--answers FILE] [--no-spacer] FOLDER…
 *
 * FOLDER has .smt2 files, and its name is the name of a row. Spacer is what the program z3 does.
 * FILE has lines `group/file TAB safe|unsafe`. Each system is decided in a child process of its
 * own, by both, with the same limit on CPU seconds. `contradicts` must stay 0: answers that differ
 * from the known one, or from each other's.
 */
#include "base/child.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "engines/horn/run.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SLICE = 1000000, MEMORY_MB = 3000 };

struct result {
    char answer; /* s safe, u unsafe, - none */
    char method; /* r runs from the start, k k-induction, p predicates */
    double seconds;
    struct ia_stats stats;
};

struct options {
    double seconds;
    unsigned every;
    bool spacer;
    struct str answers;
};

VEC_STRUCT(results, struct result);

static double cpu_seconds(void) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_utime.tv_sec + (double)u.ru_utime.tv_usec * 1e-6;
}

/* ---- in the child ---- */

static struct result run_ia(const char *path, const struct str *text) {
    struct result r = {.answer = '-'};
    struct err err = {0};
    struct horn horn;
    const char *what;
    if (!horn_read(&horn, path, str_text(text), text->len, &err)) {
        err_print(&err);
        r.answer = 'e';
        return r;
    }
    struct horn_run_options options = {.knobs = &knobs_default, .seed = 1};
    struct horn_run *run = horn_run_open(&horn, &options);
    enum horn_verdict verdict = HORN_OPEN;
    while (!horn_run_is_over(run))
        verdict = horn_run_step(run, SLICE);
    r.answer = verdict == HORN_SAFE ? 's' : verdict == HORN_UNSAFE ? 'u' : '-';
    if (verdict != HORN_OPEN && !horn_check(&horn, horn_run_answer(run), &what))
        r.answer = 'e';
    r.method = horn_run_method(run)[0];
    r.stats = horn_run_stats(run);
    return r;
}

/* ---- in the parent ---- */

static struct result in_child(const char *path, const struct str *text, double seconds) {
    struct result r = {.answer = '-', .seconds = seconds};
    struct rlimit cpu = {(rlim_t)seconds, (rlim_t)seconds + 1};
    struct rlimit memory = {(rlim_t)MEMORY_MB << 20, (rlim_t)MEMORY_MB << 20};
    int ends[2];
    if (pipe(ends) != 0)
        abort();
    pid_t pid = fork();
    if (pid == 0) {
        setrlimit(RLIMIT_CPU, &cpu);
        setrlimit(RLIMIT_AS, &memory);
        r = run_ia(path, text);
        r.seconds = cpu_seconds();
        _exit(write(ends[1], &r, sizeof r) == sizeof r ? 0 : 1);
    }
    close(ends[1]);
    struct result got;
    if (read(ends[0], &got, sizeof got) == sizeof got)
        r = got;
    close(ends[0]);
    waitpid(pid, NULL, 0);
    return r;
}

/* The program z3, as people start it: the library's own reader is slower with the same text. */
static struct result run_spacer(const char *path, double seconds) {
    struct result r = {.answer = '-'};
    const char *argv[] = {"z3", path, NULL};
    struct child_spec spec = {.argv = argv, .cpu_seconds = seconds, .memory_mb = MEMORY_MB};
    struct child_result said;
    struct err err = {0};
    if (!child_run(&spec, &said, &err)) {
        err_print(&err);
        exit(2);
    }
    if (strncmp(str_text(&said.out), "sat", 3) == 0)
        r.answer = 's';
    else if (strncmp(str_text(&said.out), "unsat", 5) == 0)
        r.answer = 'u';
    r.seconds = said.cpu_seconds;
    child_result_free(&said);
    return r;
}

/* What is known of a file, '-' if nothing. */
static char known_answer(const struct options *o, const char *group, const char *name) {
    struct str line = {0};
    str_addf(&line, "%s/%s\t", group, name);
    const char *at = o->answers.len ? strstr(str_text(&o->answers), str_text(&line)) : NULL;
    const char *word = at ? at + line.len : "";
    char known = strncmp(word, "safe", 4) == 0 ? 's' : strncmp(word, "unsafe", 6) == 0 ? 'u' : '-';
    str_free(&line);
    return known;
}

struct row {
    size_t files, solved, safe, spacer, wrong, spacer_wrong;
    size_t by[3]; /* runs, k-induction, predicates */
    double seconds, spacer_seconds;
    struct results all; /* decided by predicates */
};

static bool is_answer(char c) {
    return c == 's' || c == 'u';
}

static void take(struct row *row, struct result ia, struct result spacer, char known) {
    bool both = is_answer(ia.answer) && is_answer(spacer.answer) && ia.answer != spacer.answer;
    row->files++;
    row->solved += is_answer(ia.answer);
    row->safe += ia.answer == 's';
    row->spacer += is_answer(spacer.answer);
    row->wrong += ia.answer == 'e' ||
                  (is_answer(ia.answer) && is_answer(known) && ia.answer != known) ||
                  (both && !is_answer(known));
    row->spacer_wrong += is_answer(spacer.answer) && is_answer(known) && spacer.answer != known;
    if (is_answer(ia.answer)) {
        row->seconds += ia.seconds;
        row->by[ia.method == 'r' ? 0 : ia.method == 'k' ? 1 : 2]++;
        if (ia.method == 'p')
            vec_push(&row->all, ia);
    }
    row->spacer_seconds += is_answer(spacer.answer) ? spacer.seconds : 0;
}

static void do_file(const struct options *o, const char *folder, const char *group,
                    const char *name, struct row *row) {
    struct str path = {0}, text = {0};
    struct err err = {0};
    str_addf(&path, "%s/%s", folder, name);
    if (!file_read(str_text(&path), &text, &err)) {
        err_print(&err);
        exit(2);
    }
    struct result spacer = {.answer = '-'};
    struct result ia = in_child(str_text(&path), &text, o->seconds);
    if (o->spacer)
        spacer = run_spacer(str_text(&path), o->seconds);
    char known = known_answer(o, group, name);
    printf("  %-50s %c %c %6.2f  %c %6.2f  %c  %4llu %6llu %4llu\n", name, ia.answer,
           ia.method ? ia.method : '-', ia.seconds, spacer.answer, spacer.seconds, known,
           (unsigned long long)ia.stats.refinements, (unsigned long long)ia.stats.queries,
           (unsigned long long)ia.stats.predicates);
    fflush(stdout);
    take(row, ia, spacer, known);
    str_free(&path);
    str_free(&text);
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_script(const struct dirent *entry) {
    size_t n = strlen(entry->d_name);
    return n > 5 && strcmp(entry->d_name + n - 5, ".smt2") == 0;
}

static int by_number(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static uint64_t median(const struct results *all, size_t offset) {
    VEC(uint64_t) numbers = {0};
    for (size_t i = 0; i < all->len; i++)
        vec_push(&numbers, *(const uint64_t *)((const char *)&all->data[i].stats + offset));
    if (numbers.len == 0)
        return 0;
    qsort(numbers.data, numbers.len, sizeof *numbers.data, by_number);
    uint64_t middle = numbers.data[numbers.len / 2];
    vec_free(&numbers);
    return middle;
}

static void do_folder(const struct options *o, const char *folder, struct str *table) {
    struct dirent **names;
    struct row row = {0};
    const char *slash = strrchr(folder, '/'), *group = slash ? slash + 1 : folder;
    int n = scandir(folder, &names, is_script, by_name);
    printf("%s: solve, method, seconds, spacer, seconds, known, refinements, queries, predicates\n",
           group);
    for (int i = 0; i < n; i++) {
        if ((unsigned)i % o->every == o->every / 2)
            do_file(o, folder, group, names[i]->d_name, &row);
        free(names[i]);
    }
    if (n >= 0)
        free(names);
    str_addf(table,
             "| %s | %zu | %zu (%zu safe) | %zu, %zu, %zu | %.0f | %zu | %.0f | %zu | %zu | %llu | "
             "%llu | %llu |\n",
             group, row.files, row.solved, row.safe, row.by[0], row.by[1], row.by[2], row.seconds,
             row.spacer, row.spacer_seconds, row.wrong, row.spacer_wrong,
             (unsigned long long)median(&row.all, offsetof(struct ia_stats, refinements)),
             (unsigned long long)median(&row.all, offsetof(struct ia_stats, queries)),
             (unsigned long long)median(&row.all, offsetof(struct ia_stats, predicates)));
    vec_free(&row.all);
}

int main(int argc, char **argv) {
    struct options o = {.seconds = 20, .every = 1, .spacer = true};
    struct str table = {0};
    struct err err = {0};
    signal(SIGPIPE, SIG_IGN);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
            o.seconds = strtod(argv[++i], NULL);
        else if (strcmp(argv[i], "--every") == 0 && i + 1 < argc)
            o.every = (unsigned)strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--no-spacer") == 0)
            o.spacer = false;
        else if (strcmp(argv[i], "--answers") == 0 && i + 1 < argc) {
            if (!file_read(argv[++i], &o.answers, &err)) {
                err_print(&err);
                return 2;
            }
        } else
            do_folder(&o, argv[i], &table);
    }
    printf("\n| group | files | solve | runs, k-induction, predicates | s | Spacer | s | solve "
           "contradicts "
           "| Spacer contradicts | refinements | queries | predicates |\n"
           "|---|---|---|---|---|---|---|---|---|---|---|---|\n%s",
           str_text(&table));
    str_free(&table);
    str_free(&o.answers);
    return 0;
}
