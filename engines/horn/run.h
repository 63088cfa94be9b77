/* run: a transition system decided, by several methods in turns: runs from the start (BMC), k-
 * induction, IC3IA. The one that has had the least effort is next; what one finds ends the run.
 * They look at the core of the system (core.h), in large steps where it is a program (large.h),
 * with small words for cells of few ranges (regions.h), and know an invariant of it that was
 * guessed (guess.h).
 *
 *     struct horn_run *run = horn_run_open(&horn, &options);
 *     while (horn_run_step(run, ticks) == HORN_OPEN) …
 *     horn_check(&horn, horn_run_answer(run), &what)
 *     horn_run_close(run);
 */
#ifndef ENGINES_HORN_RUN_H
#define ENGINES_HORN_RUN_H

#include "engines/horn/answer.h"
#include "engines/ia/ia.h"

struct horn_run_options {
    const struct engine_knobs *knobs;
    uint64_t seed;
    double deadline; /* of clock_seconds(), 0: none; what is found by then is checked without it */
};

struct horn_run;

struct horn_run *horn_run_open(struct horn *horn, const struct horn_run_options *options);
void horn_run_close(struct horn_run *run);

/* Goes on with about so much effort, some more where questions are hard. */
enum horn_verdict horn_run_step(struct horn_run *run, uint64_t ticks);
/* No method has anything more to say. */
bool horn_run_is_over(const struct horn_run *run);
const struct horn_answer *horn_run_answer(const struct horn_run *run);

uint64_t horn_run_ticks(const struct horn_run *run);
struct ia_stats horn_run_stats(const struct horn_run *run); /* of IC3IA */
const char *horn_run_method(const struct horn_run *run);    /* what has decided it */
/* The system that is looked at, whose steps are up to `span` of those of the one that was read. */
const struct system *horn_run_system(const struct horn_run *run, uint32_t *span);

#endif
