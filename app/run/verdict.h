/* verdict: what is known of a probe becomes what the database says of its goals.
 *
 * Nothing comes here without evidence that was replayed (a witness) or checked (a proof); the way
 * that it has come by is in schedule.h.
 */
#ifndef APP_RUN_VERDICT_H
#define APP_RUN_VERDICT_H

#include "app/run/session.h"

/* Verdicts on a probe, for all its goals. false: the database failed, or a contradiction. */
struct finding {
    const char *engine, *checked_by, *assumes;
    int64_t evidence; /* row of the witness or proof */
    int64_t depth;
    uint64_t ticks;
    double seconds;
    const char *slice_hash;
};
bool session_reachable(struct session *s, uint32_t probe, const struct finding *f, struct err *err);
bool session_dead(struct session *s, uint32_t probe, const struct finding *f, struct err *err);
bool session_bound(struct session *s, const char *engine, uint32_t probe, int64_t bound,
                   struct err *err);
/* CBMC has accepted the proof, or has found it itself. */
bool session_by_cbmc(const struct verdict *v);
bool session_by_bitwuzla(const struct verdict *v);
/* Who else has accepted the proof of a dead goal: `proof`, a row, if it is another one than before,
 * else 0. */
bool session_rechecked(struct session *s, uint32_t probe, const char *who, int64_t proof,
                       struct err *err);
bool session_alarm(struct session *s, uint32_t probe, const char *text, int64_t witness,
                   int64_t proof, struct err *err);

/* The model ends a run at an overrun (a loop limit, a construct that it cannot follow), so what is
 * proved about the model holds for the program only once all overruns are proved dead; until then
 * no verdict and no bound is stored, and proofs are held. */
bool session_overruns_dead(const struct session *s);
/* One of them is reached in the model, so nothing can be shown to be dead any more, and whether the
 * others can be reached does not matter. */
void session_lose_overruns(struct session *s);
bool session_overruns_lost(const struct session *s);
/* The overruns among the targets of this confirmed proof are dead. The last one sets free what is
 * held. */
bool session_overruns_proved(struct session *s, const struct invariant *proof, struct err *err);

#endif
