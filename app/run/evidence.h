/* evidence: from what was found to a verdict: replay and check first, then store. */
#ifndef APP_RUN_EVIDENCE_H
#define APP_RUN_EVIDENCE_H

#include "app/run/session.h"
#include "instrument/native/scenario.h"

/* Inputs that are said to hit a probe (NONE: whatever they hit). They are completed, replayed in
 * fresh processes, and credited to every open probe that they hit without unspecified values.
 * *credited grows by the number of probes. A run that does not hit is noted, and that is all. */
bool evidence_run(struct session *s, const char *engine, struct scenario *scenario, uint32_t probe,
                  double seconds, uint32_t *credited, struct err *err);
/* An input that the scenario leaves out is held at a value in its range. */
void evidence_complete(const struct module *module, struct scenario *scenario);
/* A scenario that is already confirmed. */
bool evidence_scenario(struct session *s, const char *engine, const struct scenario *scenario,
                       double seconds, uint32_t *credited, struct err *err);

/* A proof over the whole system: queues its check. Takes over what the invariant owns. */
void evidence_proof(struct session *s, const char *engine, struct invariant *invariant,
                    uint64_t ticks, double seconds);

/* The program under test crashed, ran forever …: said once, with the inputs. */
void evidence_crash(struct session *s, const struct simulate_crash *crash);

void probe_tried(struct probe *p, const char *engine, const char *outcome);

#endif
