/* solve_horn: Horn clauses with one predicate, by IC3IA. `sat`: there is such a predicate, the
 * property holds; `unsat`: a run breaks it. Both are checked before they are said. */
#include "app/cli/solve_horn.h"

#include "engines/horn/answer.h"

enum { SLICE = 4000000 };

static void print_stats(const struct options *o, const struct ia *ia, double seconds) {
    struct ia_stats s = ia_stats(ia);
    log_detail(o->log, "%.2f s, %u frames, %llu refinements, %llu queries, %llu predicates",
               seconds, s.frames, (unsigned long long)s.refinements, (unsigned long long)s.queries,
               (unsigned long long)s.predicates);
    log_detail(o->log, "%llu obligations, %llu clauses, %llu ticks",
               (unsigned long long)s.obligations, (unsigned long long)s.clauses,
               (unsigned long long)s.ticks);
}

static bool print_answer(const struct options *o, struct horn *horn, const struct ia *ia,
                         enum ia_status status, struct err *err) {
    struct str out = {0};
    const char *what = "the trace";
    bool good = true;
    if (status == IA_SAFE)
        good = horn_check_invariant(horn, ia, &what);
    else if (status == IA_HIT)
        good = horn_check_trace(horn, ia);
    if (!good)
        return err_set(err, ERR_EVIDENCE, "the answer does not pass its own check: %s", what);
    puts(status == IA_SAFE ? "sat" : status == IA_HIT ? "unsat" : "unknown");
    if (o->print_invariant && status == IA_SAFE)
        horn_print_invariant(horn, ia, &out);
    else if (o->print_invariant && status == IA_HIT)
        horn_print_trace(horn, ia, &out);
    fputs(str_text(&out), stdout);
    str_free(&out);
    return true;
}

static bool decide(const struct options *o, struct horn *horn, struct err *err) {
    struct engine_knobs knobs;
    if (!options_knobs(o, NULL, &knobs, err))
        return false;
    struct ia_options options = {.knobs = &knobs, .back_end = QUERY_Z3, .seed = o->seed};
    double start = clock_seconds();
    struct ia *ia = ia_open(&horn->sys, 0, &options);
    enum ia_status status = IA_MORE;
    while (status == IA_MORE && (o->seconds <= 0 || clock_seconds() - start < o->seconds))
        status = ia_step(ia, SLICE + ia_stats(ia).ticks / 2); /* hard questions want more */
    if (status == IA_MORE)
        log_warning(o->log, "unknown: the time is over");
    else if (status == IA_GAVE_UP)
        log_warning(o->log, "unknown: no predicates were found that exclude a spurious path");
    bool ok = print_answer(o, horn, ia, status, err);
    print_stats(o, ia, clock_seconds() - start);
    ia_close(ia);
    return ok;
}

bool solve_horn(const struct options *o, const char *file, const char *text, size_t len,
                struct err *err) {
    struct horn horn;
    bool ok = horn_read(&horn, file, text, len, err) && decide(o, &horn, err);
    horn_free(&horn);
    return ok;
}
