/* compile: see compile.h. */
#include "instrument/syntax/compile.h"

#include <assert.h>

enum { LEAST_SECONDS = 60, BYTES_A_SECOND = 5000, LEAST_SHARE = 10 };

static const double look_seconds = 0.2;

double compile_seconds(const struct compile *how, size_t bytes) {
    double enough = LEAST_SECONDS + (double)bytes / BYTES_A_SECOND;
    double share = how->total_seconds / 2;
    assert(how->total_seconds >= 0);
    if (how->total_seconds <= 0)
        return enough;
    share = share < LEAST_SHARE ? LEAST_SHARE : share;
    return share < enough ? share : enough;
}

static bool too_much(const struct child_spec *spec, const struct compile *how, struct err *err) {
    err_set(err, ERR_SOURCE, "clang writes more than %llu MB while it makes %s",
            (unsigned long long)(spec->output_bytes >> 20), how->what);
    return err_remedy(err, "are there macros that double what others expand to?");
}

/* The source is not to blame. */
static bool ended_badly(const struct child_spec *spec, const struct compile *how,
                        const struct child_result *result, struct err *err) {
    struct str end = {0};
    assert(result->end != CHILD_RUNNING && result->end != CHILD_EXITED);
    if (result->end == CHILD_OUTPUT)
        return too_much(spec, how, err);
    child_end_text(spec, result, &end);
    err_set(err, ERR_USAGE, "clang did not end by itself while it made %s: %s", how->what,
            str_text(&end));
    str_free(&end);
    if (result->end != CHILD_TIMEOUT)
        return err_remedy(err, "run again; 'goalkeeper doctor' checks clang");
    if (spec->wall_seconds < LEAST_SECONDS)
        return err_remedy(err, "'goalkeeper doctor' shows whether clang hangs; on a busy machine a "
                               "longer --seconds leaves it more time: it gets half of that");
    return err_remedy(err, "'goalkeeper doctor' shows whether clang hangs; it had many times what "
                           "a text of this size needs");
}

bool compile_finish(struct child *child, const struct child_spec *spec, const struct compile *how,
                    struct child_result *result, struct err *err) {
    assert(child && how->what);
    for (bool stopped = false; !child_ended(child);) {
        children_wait(&child, 1, look_seconds);
        if (!stopped && how->stop && how->stop(how->stop_context)) {
            child_stop(child);
            stopped = true;
        }
    }
    child_finish(child, result);
    if (result->end == CHILD_EXITED)
        return true;
    ended_badly(spec, how, result, err);
    child_result_free(result);
    return false;
}
