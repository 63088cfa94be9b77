/* attempt: the kinds of tasks a schedule starts. */
#ifndef APP_RUN_ATTEMPT_H
#define APP_RUN_ATTEMPT_H

#include "app/run/task.h"
#include "engines/engine.h"

/* A model engine on the slice of these probes. */
struct task *attempt_engine(struct session *s, const struct engine_row *row, const uint32_t *probes,
                            size_t n, uint64_t ticks);

/* The check of a proof: over the cells of the whole system, its targets those claimed dead. Takes
 * the invariant over. */
struct task *attempt_check(struct session *s, const char *engine, struct invariant *invariant,
                           uint64_t ticks, double seconds);

#endif
