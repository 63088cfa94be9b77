/* text: what the readers of traces, invariants and facts share (model/term/reader.h does the
 * words).
 *
 * An item of a system is written with its index and its name, `c3 "pid::X_xi"`: the name is for
 * people and guards against a text that was made for another system. */
#ifndef MODEL_SYSTEM_TEXT_H
#define MODEL_SYSTEM_TEXT_H

#include "model/system/invariant.h"
#include "model/term/reader.h"
#include "model/system/trace.h"

/* The parts of larger texts; on failure the result is to be freed by the caller. */
bool trace_read_from(struct trace *trace, const struct system *sys, struct reader *r);
bool invariant_read_from(struct invariant *inv, struct system *sys, struct reader *r);

#endif
