/* text: what the readers of traces, invariants and facts share (model/system/reader.h does the
 * words).
 *
 * An item of a system is written with its index and its name, `c3 "pid::X_xi"`: the name is for
 * people and guards against a text that was made for another system. */
#ifndef MODEL_SYSTEM_TEXT_H
#define MODEL_SYSTEM_TEXT_H

#include "model/system/invariant.h"
#include "model/system/reader.h"
#include "model/system/trace.h"

/* A word like `c3`: the letter and an index below `count`. */
bool reader_index(struct reader *r, char letter, const char *what, size_t count, uint32_t *index);
bool reader_same_name(struct reader *r, const char *what, const char *name);
bool reader_end(struct reader *r); /* fails unless nothing follows */

/* The parts of larger texts; on failure the result is to be freed by the caller. */
bool trace_read_from(struct trace *trace, const struct system *sys, struct reader *r);
bool invariant_read_from(struct invariant *inv, const struct system *sys, struct reader *r);

#endif
