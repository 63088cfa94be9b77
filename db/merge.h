/* merge: databases of one woven program, joined into one. `goalkeeper merge` and the end of every
 * array of shards.
 *
 *     struct merged m = {0};
 *     if (!store_merge("all.db", paths, n, &m, err))
 *         return false;                       // refused: err says what differs; all.db is
 * untouched if (m.alarms.len > 0) …                 // verdicts that contradict: exit code 5
 *     merged_free(&m);
 *
 * The rules of store_verdict(), as a function of the set of inputs: their order changes nothing.
 *
 *     decided beats open; of two bounds the higher one counts; of two proofs the one that more, and
 *     stronger, checkers have accepted; of two runs the shorter one.
 *     reachable against dead, and a run against a bound that says there is none: an alarm with both
 *     sides. A goal that is both reachable and dead becomes open: nobody knows which one is right.
 *
 * Evidence is told by its content, so what many inputs have in common is stored once; goals keep
 * their numbers, witnesses and proofs are numbered anew in the order of the goals. Attempts,
 * alarms, limitations and warnings are those of all inputs. Nothing is checked here but that the
 * parts fit: `goalkeeper audit` re-checks what the result says.
 *
 * `out` is written beside and renamed, under its writer's lock; what it holds already is one more
 * input, so a merge that was killed, or is done twice, loses and changes nothing. Verdicts on a
 * program as it was before it changed (store_earlier()) stay behind.
 */
#ifndef DB_MERGE_H
#define DB_MERGE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

#include <stddef.h>
#include <stdint.h>

struct merge_alarm {
    int64_t goal;
    const char *file, *text;
    int64_t line;
};

struct merged {
    struct arena arena;
    size_t inputs, goals, reachable, dead, open;
    VEC(struct merge_alarm) alarms; /* of the inputs, too */
};

bool store_merge(const char *out, const char *const *in, size_t n, struct merged *merged,
                 struct err *err);
void merged_free(struct merged *merged);

#endif
