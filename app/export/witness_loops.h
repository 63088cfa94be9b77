/* witness_loops: what a proof says of global integers, at the loops of a verification task.
 *
 * A clause holds whenever the model stands between two steps, which is at the head of one of its
 * loops. It becomes an invariant of each of them when all its cells are globals by a name that
 * means nothing else anywhere in the file; a loop is named when it is one of main(), its line has
 * one keyword of a loop, and no loop of the file is made by `do` or `goto`.
 */
#ifndef APP_EXPORT_WITNESS_LOOPS_H
#define APP_EXPORT_WITNESS_LOOPS_H

#include "instrument/lower/lower.h"
#include "model/system/invariant.h"

struct witness_loops {
    const char *source; /* the task's file */
    size_t len;
    const char *name; /* of it */
    struct str *out;  /* entries of an invariant set */
};

/* `invariant` as the database has it. */
bool witness_loops_write(const struct witness_loops *w, struct system *sys,
                         const struct lowered *lowered, const char *invariant, struct err *err);

#endif
