/* basis: what a verdict rests on, and the part of the model that a probe depends on. */
#ifndef APP_RUN_BASIS_H
#define APP_RUN_BASIS_H

#include "app/run/session.h"

/* Ranges, stubs and constraints that a proof about these probes rests on, in the arena; "" when
 * none. */
const char *session_assumes(struct session *s, const uint32_t *probes, size_t n);
/* What a run to the probe rests on: functions without a body whose results it depends on; NULL. */
const char *session_run_assumes(struct session *s, uint32_t probe);
/* The part of the model that these targets of it depend on. */
void session_slice(const struct session *s, struct slice *slice, const uint32_t *targets, size_t n);
/* Numbers that say nothing of what a slice means change with every input and goal before it: out.
 */
void system_forget_numbers(struct system *sys);
/* Hash of the part of the model that the probe depends on. */
const char *session_slice_hash(struct session *s, uint32_t probe);

#endif
