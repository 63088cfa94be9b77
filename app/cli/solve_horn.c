/* solve_horn: transition systems of others, by several methods in turns. Of Horn clauses `sat`:
 * there is such a predicate, the property holds; `unsat`: a run breaks it. Of VMT and BTOR2, where
 * other tools mean the opposite by these words, `safe` and `unsafe`. Both are checked before they
 * are said. */
#include "app/cli/solve_horn.h"

#include "engines/horn/run.h"

enum { SLICE = 1000000 };

static void print_stats(const struct options *o, const struct horn *horn,
                        const struct horn_run *run, double seconds) {
    struct ia_stats s = horn_run_stats(run);
    uint32_t span;
    const struct system *sys = horn_run_system(run, &span);
    log_detail(o->log, "%.2f s, decided by: %s", seconds, horn_run_method(run));
    log_detail(o->log, "%zu of %zu cells matter, %zu inputs for %zu; a step is up to %u steps",
               sys->cells.len, horn->sys.cells.len, sys->inputs.len, horn->sys.inputs.len, span);
    log_detail(o->log, "predicates: %u frames, %llu refinements, %llu queries, %llu predicates",
               s.frames, (unsigned long long)s.refinements, (unsigned long long)s.queries,
               (unsigned long long)s.predicates);
    log_detail(o->log, "%llu obligations, %llu clauses, %llu ticks of %llu",
               (unsigned long long)s.obligations, (unsigned long long)s.clauses,
               (unsigned long long)s.ticks, (unsigned long long)horn_run_ticks(run));
}

static bool print_answer(const struct options *o, struct horn *horn, const struct horn_run *run,
                         struct err *err) {
    const struct horn_answer *a = horn_run_answer(run);
    struct str out = {0};
    const char *what;
    if (a->verdict == HORN_OPEN) {
        puts("unknown");
        return true;
    }
    if (!horn_check(horn, a, &what))
        return err_set(err, ERR_EVIDENCE, "the answer does not pass its own check: %s", what);
    bool safe = a->verdict == HORN_SAFE, clauses = horn->form == HORN_CLAUSES;
    puts(clauses ? safe ? "sat" : "unsat" : safe ? "safe" : "unsafe");
    if (o->print_invariant)
        horn_print_answer(horn, a, &out);
    fputs(str_text(&out), stdout);
    str_free(&out);
    return true;
}

static bool decide(const struct options *o, struct horn *horn, double start, struct err *err) {
    struct engine_knobs knobs;
    if (!options_knobs(o, NULL, &knobs, err))
        return false;
    struct horn_run_options options = {.knobs = &knobs, .seed = o->seed};
    options.deadline = o->seconds > 0 ? start + o->seconds : 0;
    struct horn_run *run = horn_run_open(horn, &options);
    enum horn_verdict verdict = HORN_OPEN;
    while (!horn_run_is_over(run) && (o->seconds <= 0 || clock_seconds() - start < o->seconds))
        verdict = horn_run_step(run, SLICE);
    if (verdict == HORN_OPEN)
        log_warning(o->log, "unknown: %s",
                    horn_run_is_over(run) ? "no predicates were found that exclude a spurious path"
                                          : "the time is over");
    bool ok = print_answer(o, horn, run, err);
    print_stats(o, horn, run, clock_seconds() - start);
    horn_run_close(run);
    return ok;
}

bool solve_horn(const struct options *o, const char *file, const char *text, size_t len,
                struct err *err) {
    struct horn horn;
    double start = clock_seconds();
    bool ok = horn_read(&horn, file, text, len, err) && decide(o, &horn, start, err);
    horn_free(&horn);
    return ok;
}
