/* idle: functions that the module brings along and does not use; they have no goals.
 *
 * A static inline function of a header is idle when no function that is used calls it and nobody
 * takes its address. Each is listed among what is not analysed. */
#ifndef INSTRUMENT_GOALS_IDLE_H
#define INSTRUMENT_GOALS_IDLE_H

#include "instrument/goals/callgraph.h"

/* One flag a function of the graph; mem_free() by the caller. */
bool *idle_find(const struct callgraph *graph, struct goals *goals);

#endif
