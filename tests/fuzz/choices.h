/* choices: the random decisions of a generator, as a list that can be replayed and shrunk.
 *
 * A generator asks choose(c, n) for every decision; 0 must be the simplest answer. What it makes is
 * a function of the answers, so a failing product is made smaller by shrinking the list: answers
 * are cut out or lowered, and past the end of the list every answer is 0. */
#ifndef TESTS_FUZZ_CHOICES_H
#define TESTS_FUZZ_CHOICES_H

#include "base/rng.h"
#include "base/vec.h"

#include <stdbool.h>

VEC_STRUCT(answers, uint64_t);

struct choices {
    struct rng rng;
    struct answers list; /* given so far, or to be replayed */
    size_t next;
    bool replay;
};

void choices_random(struct choices *c, uint64_t seed);
void choices_replay(struct choices *c, const struct answers *list);
void choices_free(struct choices *c);
uint64_t choose(struct choices *c, uint64_t n); /* 0 .. n-1 */

/* Makes the list smaller while still_fails(context, list) holds; it holds at first. `tries` limits
 * how often it is asked. */
typedef bool fails_with(void *context, const struct answers *list);
void choices_shrink(struct answers *list, fails_with *still_fails, void *context, unsigned tries);

#endif
