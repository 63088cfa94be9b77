/* keepers: the lines of the program that keep what a reason says of the state.
 *
 * "`count` never exceeds 21" is so because of `if (count < 21)` somewhere. In a model in which each
 * line may decide and store anything, that a line does what it says is a promise; the least of
 * these promises with which the clauses still hold in all states are the lines to name. A constant
 * that is stored is no line's doing: it is within the bounds or it is not.
 */
#ifndef APP_BECAUSE_KEEPERS_H
#define APP_BECAUSE_KEEPERS_H

#include "app/because/freed.h"
#include "base/map.h"

struct keepers {
    const struct session *session;
    const struct system *from; /* that the clauses are about */
    struct freed lines;        /* made when it is first needed */
    bool opened, failed;
    struct map known; /* hash of the clauses -> index in texts, plus 1 */
    VEC(const char *) texts;
    struct arena arena;
};

/* Adds "; kept by m.c:9 and m.c:12", or nothing when that is not found. `direct`: clauses as
 * invariant_write() has them; `proof` of the run's system: it may take all of it to keep them. */
void keepers_name(struct keepers *k, const char *direct, const char *proof, struct str *out);
void keepers_close(struct keepers *k);

#endif
