/* limitations: constructs whose effect the analysis does not know.
 *
 * Each is listed with its place and what to do about it; the function it stands in gets a reason,
 * which its goals carry: they stay open. Other functions are analysed as ever, and so are functions
 * with a GNU expression or _Generic: the model knows these, only the goals inside are missing. */
#ifndef INSTRUMENT_GOALS_LIMITATIONS_H
#define INSTRUMENT_GOALS_LIMITATIONS_H

#include "instrument/goals/callgraph.h"

void limitations_find(struct callgraph *graph, struct goals *goals);

#endif
