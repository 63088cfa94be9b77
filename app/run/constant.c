#include "app/run/attempt/attempt.h"
#include "app/run/budget.h"

#include "app/run/evidence.h"

enum { TOGETHER = 16 }; /* goals of one claim: CBMC has to answer for all of them */

static bool is_false(const struct session *s, term_t t) {
    return t == 0 || term_is_false(&s->model.terms, t);
}

static bool never_hit(const struct session *s, uint32_t probe) {
    const struct probe *p = &s->probes.data[probe];
    if (p->target == NONE || !session_is_open(s, probe) || !session_can_decide(s, probe))
        return false;
    const struct target *t = &s->model.sys.targets.data[p->target];
    return is_false(s, t->hit) && is_false(s, t->init_hit);
}

void constant_claim(struct session *s) {
    struct invariant proof;
    assert(s->model.present);
    invariant_init(&proof);
    for (uint32_t p = 0; p < s->probes.len; p++) {
        if (!never_hit(s, p))
            continue;
        vec_push(&proof.targets, s->probes.data[p].target);
        if (proof.targets.len == TOGETHER) {
            evidence_proof(s, "folding", &proof, 0, session_elapsed(s));
            invariant_init(&proof);
        }
    }
    evidence_proof(s, "folding", &proof, 0, session_elapsed(s));
}
