/* guess: a project description made up from sources alone, with the reason of each guess.
 *
 * The step function is the one that most signs speak for: a RESTART_ or _initialize function that
 * goes with it, the name of the model in the header of the file, the name of the file, words like
 * "step", and that nobody calls it. Everything else follows from there: see interface_parts.h.
 *
 *     struct guess guess = {0};
 *     if (!guess_project(&project, &guess, err))      // sources, flags; step and init if known
 *         return false;
 *     for (size_t i = 0; i < guess.vars.len; i++)
 *         printf("%s: %s\n", guess.vars.data[i].name, guess.vars.data[i].why);
 *     guess_free(&guess);
 */
#ifndef INSTRUMENT_INPUTS_GUESS_H
#define INSTRUMENT_INPUTS_GUESS_H

#include "base/arena.h"
#include "base/err.h"
#include "coverage/project.h"
#include "instrument/inputs/range_table.h"

struct guess_function {
    const char *name, *why;
};

struct guess_var {
    const char *name; /* as the project file takes it */
    bool is_parameter, range_mode;
    const char *min, *max; /* as numbers of JSON; NULL: that of the type */
    const char *why;
    bool any_float;   /* nothing is known of its range */
    const char *what; /* then: `why` without a word about the range */
};

struct guess {
    struct arena arena;
    const struct texts *steps;  /* set by the caller: the step function calls these; NULL */
    struct range_table *ranges; /* set by the caller: they come before comments; NULL */
    struct guess_function step;
    VEC(struct guess_function) init;
    VEC(struct guess_var) vars;
    VEC(const char *) notes; /* what the user must know or decide */
};

bool guess_project(const struct project *project, struct guess *guess, struct err *err);
void guess_free(struct guess *guess);

#endif
