/* implications: what a hit on one goal says about others, between functions, and reduced. */
#ifndef INSTRUMENT_GOALS_IMPLICATIONS_H
#define INSTRUMENT_GOALS_IMPLICATIONS_H

#include "coverage/project.h"
#include "instrument/goals/callgraph.h"

/* Adds: a call hits the function it calls (when nothing stops the run on the way), and a function
 * that is called at one place only was hit through that call. Then drops every implication that
 * follows from others. */
void implications_finish(struct goals *goals, const struct callgraph *graph,
                         const struct project *project);

#endif
