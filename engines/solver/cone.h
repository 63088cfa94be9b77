/* cone: what a question depends on.
 *
 * Most variables are defined: results of operators and gates, which have a value whatever their
 * arguments are. Only clauses from outside and asserted choices constrain anything. So a question
 * is answered by a model of the *cone*: the variables of its assumptions and of all that is
 * constrained, and everything these are computed from. What lies outside has a value in every model
 * of the cone, and nobody asks for it:
 *
 *   constraints whose result is outside are not run, except at level 0, where what is found stays;
 *   variables outside are not decided.
 *
 * All constraints stay valid, so a contradiction is one whatever was left out. In a step of a large
 * module a question about two cells costs what these two cost.
 *
 *     cone_open(s);                    // for s->assumptions
 *     if (cone_has(s, v)) …
 *
 * Without solver_options.cone every variable is in the cone.
 */
#ifndef ENGINES_SOLVER_CONE_H
#define ENGINES_SOLVER_CONE_H

#include "engines/solver/core.h"

#define CONE_ALWAYS UINT32_MAX

void cone_keep(struct solver *s, svar v); /* v is constrained: in every cone from now on */
void cone_open(struct solver *s);         /* a new question, with its assumptions */

static inline bool cone_has(const struct solver *s, svar v) {
    return !s->options.cone || s->in_cone.data[v] >= s->question;
}

#endif
