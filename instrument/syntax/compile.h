/* compile: clang at work, which may hang, be killed, or outlast the run that waits for it.
 *
 *     struct compile how = {.what = "a model of the module", .total_seconds = 60, .stop = stop};
 *     struct child_spec spec = {.argv = argv, .wall_seconds = compile_seconds(&how, size)};
 *     struct child *child = child_start(&spec, err);
 *     if (!child || !compile_finish(child, &spec, &how, &result, err))
 *         return false;                       // err says what became of it
 *     … result.code, result.out, result.err: clang has ended by itself
 */
#ifndef INSTRUMENT_SYNTAX_COMPILE_H
#define INSTRUMENT_SYNTAX_COMPILE_H

#include "base/child.h"

struct compile {
    const char *what;            /* that is made, for messages: "the program for simulation" */
    double total_seconds;        /* of the run that waits, 0: no limit */
    bool (*stop)(void *context); /* asked while clang works: true ends that. Or NULL */
    void *stop_context;
};

/* What a text of so many bytes may take: many times what it needs on a busy machine, but no more
 * than half of the run (or ten seconds), so that one tool that hangs leaves time for the others. */
double compile_seconds(const struct compile *how, size_t bytes);

/* Waits for the end and frees the child. False when clang did not end by itself; the result is
 * freed then. */
bool compile_finish(struct child *child, const struct child_spec *spec, const struct compile *how,
                    struct child_result *result, struct err *err);

#endif
