/* smt: the solver alone on every SMT-LIB 2 file below some folders.
 *
 *     smt [-s SECONDS] [-l MTICKS] PATH...
 *
 * Limits are processor seconds and million ticks a file (default 24 and none), so that other load
 * on the machine does not count. One line per file: answer, time, effort; then what was solved. An
 * answer that contradicts the file's own :status ends the run with exit code 5. compare.py runs
 * other solvers beside this one by the clock.
 */
#define _XOPEN_SOURCE 700 /* nftw */
#include "base/file.h"
#include "base/mem.h"
#include "engines/smtlib/smt.h"

#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

VEC_STRUCT(paths, char *);

static struct paths paths;
static struct smt *running; /* for the signal handler */

static void on_alarm(int signal) {
    (void)signal;
    if (running)
        smt_interrupt(running);
}

static void set_limit(double seconds) {
    struct itimerval timer = {.it_value = {.tv_sec = (time_t)seconds}};
    timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6);
    signal(SIGVTALRM, on_alarm);
    setitimer(ITIMER_VIRTUAL, &timer, NULL);
}

static double cpu_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int add_path(const char *path, const struct stat *stat, int type, struct FTW *at) {
    size_t n = strlen(path);
    (void)stat, (void)at;
    if (type == FTW_F && n > 5 && strcmp(path + n - 5, ".smt2") == 0)
        vec_push(&paths, mem_strdup(path));
    return 0;
}

static int path_order(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

struct tally {
    size_t n, sat, unsat, wrong;
    double seconds;
};

/* The first answer of the script. */
static const char *answer_of(struct smt *smt) {
    struct str out = {0};
    struct err err = {0};
    const char *answer = "error";
    for (enum smt_step step = SMT_MORE; step == SMT_MORE && str_same(answer, "error");) {
        step = smt_step(smt, &out, &err);
        answer = str_starts(str_text(&out), "sat")       ? "sat"
                 : str_starts(str_text(&out), "unsat")   ? "unsat"
                 : str_starts(str_text(&out), "unknown") ? "unknown"
                                                         : "error";
        str_clear(&out);
    }
    str_free(&out);
    return answer;
}

static bool contradicts(const char *text, const char *answer) {
    const char *status = strstr(text, ":status");
    if (!status)
        return false;
    status += strspn(status + 7, " ") + 7;
    return str_same(answer, "sat") ? str_starts(status, "unsat")
                                   : str_same(answer, "unsat") && str_starts(status, "sat");
}

static void run(struct tally *tally, const char *path, double seconds, double mticks) {
    struct str text = {0};
    struct err err = {0};
    if (!file_read(path, &text, &err))
        return;
    struct smt_options options = {.file = path, .ticks = (uint64_t)(mticks * 1e6)};
    double start = cpu_now();
    running = smt_new(&options, str_text(&text), text.len);
    set_limit(seconds);
    const char *answer = answer_of(running), *name = strrchr(path, '/');
    double took = cpu_now() - start;
    struct solver_stats s = *smt_stats(running);
    bool wrong = contradicts(str_text(&text), answer);
    printf("%-36s %-7s %8.3f s %9.3f Mticks %8lu conflicts %8lu decisions %9.3f Mcalls%s\n",
           name ? name + 1 : path, answer, took, (double)s.ticks * 1e-6, s.conflicts, s.decisions,
           (double)solver_calls(&s) * 1e-6, wrong ? "  WRONG" : "");
    fflush(stdout);
    tally->n++;
    tally->sat += str_same(answer, "sat");
    tally->unsat += str_same(answer, "unsat");
    tally->wrong += wrong;
    tally->seconds += took;
    struct smt *done = running;
    running = NULL;
    smt_free(done);
    str_free(&text);
}

int main(int argc, char **argv) {
    double seconds = 24, mticks = 0;
    struct tally tally = {0};
    for (int c; (c = getopt(argc, argv, "s:l:")) != -1;) {
        if (c == 's')
            seconds = strtod(optarg, NULL);
        else if (c == 'l')
            mticks = strtod(optarg, NULL);
        else
            return 2;
    }
    for (int i = optind; i < argc; i++)
        nftw(argv[i], add_path, 16, FTW_PHYS);
    if (paths.len)
        qsort(paths.data, paths.len, sizeof *paths.data, path_order);
    for (size_t i = 0; i < paths.len; i++) {
        run(&tally, paths.data[i], seconds, mticks);
        mem_free(paths.data[i]);
    }
    vec_free(&paths);
    printf("solved %zu of %zu (%zu sat, %zu unsat) in %.1f s; wrong: %zu\n",
           tally.sat + tally.unsat, tally.n, tally.sat, tally.unsat, tally.seconds, tally.wrong);
    return tally.wrong ? 5 : 0;
}
