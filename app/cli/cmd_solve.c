/* solve: the interval solver on an SMT-LIB 2 script. Answers go to stdout as the standard has them,
 * reasons for `unknown` and, with --verbose, the effort to stderr. */
#include "app/cli/command.h"
#include "app/cli/solve_horn.h"
#include "base/file.h"
#include "engines/horn/horn.h"
#include "engines/smtlib/smt.h"

#include <signal.h>
#include <sys/time.h>

static struct smt *running; /* for the signal handler */

static void on_alarm(int signal) {
    (void)signal;
    if (running)
        smt_interrupt(running);
}

/* After that many seconds checks answer `unknown`. */
static void set_limit(double seconds) {
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    struct itimerval timer = {.it_value = {.tv_sec = (time_t)seconds}};
    timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6);
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void print_effort(struct log *log, const struct solver_stats *s, double seconds) {
    double per = seconds > 0 ? 1 / seconds : 0;
    log_detail(log, "%.3f s, %llu checks, %llu restarts, %llu learned clauses", seconds,
               (unsigned long long)s->solves, (unsigned long long)s->restarts,
               (unsigned long long)s->learned);
    log_detail(log, "%llu contractor calls (%.0f a second)", (unsigned long long)solver_calls(s),
               (double)solver_calls(s) * per);
    log_detail(log, "%llu conflicts (%.0f a second)", (unsigned long long)s->conflicts,
               (double)s->conflicts * per);
    log_detail(log, "%llu decisions, %llu propagations", (unsigned long long)s->decisions,
               (unsigned long long)s->propagations);
}

static bool run(struct smt *smt, const struct options *o, struct err *err) {
    struct str out = {0};
    double start = clock_seconds();
    enum smt_step step;
    do {
        step = smt_step(smt, &out, err);
        fputs(str_text(&out), stdout);
        fflush(stdout);
        if (smt_reason(smt) && str_starts(str_text(&out), "unknown"))
            log_warning(o->log, "unknown: %s", smt_reason(smt));
        str_clear(&out);
    } while (step == SMT_MORE);
    str_free(&out);
    print_effort(o->log, smt_stats(smt), clock_seconds() - start);
    return step == SMT_END;
}

int cmd_solve(const struct options *o) {
    struct err err = {0};
    struct str text = {0};
    struct smt_options options = {
        .file = o->arguments.data[0], .seed = o->seed, .check_proofs = GK_CHECK_PROOFS};
    bool ok = file_read(options.file, &text, &err);
    if (ok && horn_form(str_text(&text), text.len) != HORN_NONE) {
        ok = solve_horn(o, options.file, str_text(&text), text.len, &err);
    } else if (ok) {
        running = smt_new(&options, str_text(&text), text.len);
        if (o->seconds > 0)
            set_limit(o->seconds);
        ok = run(running, o, &err);
        struct smt *done = running;
        running = NULL;
        smt_free(done);
    }
    str_free(&text);
    return ok ? 0 : command_fail(&err);
}
