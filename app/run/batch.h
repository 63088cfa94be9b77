/* batch: proofs that are checked, or stored, as one: one invariant, one certificate.
 *
 * The invariant of a batch has the clauses and targets of its claims and what excludes the
 * overruns, so that it stands alone. The union of invariants is an invariant, and a larger k proves
 * no less: a batch whose claims hold one by one holds.
 *
 *     struct batch b = {0};
 *     batch_init(&b);
 *     batch_take(&b, s, &s->proofs.waiting, &limits, session_is_open); // moves claims out of the
 * queue … b.invariant, b.probes … batch_free(&b);
 */
#ifndef APP_RUN_BATCH_H
#define APP_RUN_BATCH_H

#include "app/audit/audit.h"
#include "app/run/session.h"

struct batch {
    struct claims claims;
    /* made from the claims */
    struct invariant invariant;
    VEC(uint32_t) probes;
    VEC(uint32_t) claim_of; /* one per probe: index of the claim that it comes from */
};

/* How much goes into one. */
struct batch_limits {
    size_t targets, clauses;
};

void batch_init(struct batch *b);
void batch_free(struct batch *b);

/* Moves the first claim of the queue and all that go with it into the empty batch; drops those on
 * the way that nobody `wants` any more. */
void batch_take(struct batch *b, const struct session *s, struct claims *queue,
                const struct batch_limits *limits, bool (*wants)(const struct session *, uint32_t));
/* Adds to each claim the open goals that cannot be hit without one of its own. */
void batch_add_implied(struct batch *b, const struct session *s);
/* Invariant and probes from the claims that there are. */
void batch_join(struct batch *b, const struct session *s);

bool batch_by_cbmc(const struct batch *b);  /* found by CBMC */
bool batch_overruns(const struct batch *b); /* about overruns, not about goals */

/* The question that a batch is for those who check it. `claims` is a text for the certificate. */
struct audit_proof batch_question(const struct batch *b, struct session *s, const char *claims);
/* The goals in the words of the user, a line each, for the head of the certificate. */
void batch_describe(const struct batch *b, const struct session *s, struct str *out);
/* The certificate of the batch for this program, without asking anybody. */
void batch_certificate(const struct batch *b, struct session *s, struct str *out);
/* In the child that has asked: what the parent needs of each answer. */
void batch_record(const struct str *certificate, const struct audit_result *result);
/* Stores it as a proof; its row, 0 on failure. */
int64_t batch_store(const struct batch *b, struct session *s, const char *certificate,
                    struct err *err);
/* Its check has failed: said, and stored with both sides; its goals are open again. */
bool batch_alarm(const struct batch *b, struct session *s, const char *certificate,
                 const char *detail, struct err *err);

#endif
