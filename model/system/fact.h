/* fact: what an engine has found out. Facts are claims; only the audit turns them into verdicts. */
#ifndef MODEL_SYSTEM_FACT_H
#define MODEL_SYSTEM_FACT_H

#include "model/system/invariant.h"
#include "model/system/trace.h"

enum fact_kind {
    FACT_HIT,   /* `trace` hits `target` in its last step */
    FACT_DEAD,  /* `invariant` proves invariant.targets dead */
    FACT_BOUND, /* `target` is not hit within `depth` steps (0: not during initialisation) */
    FACT_LEMMA, /* `invariant` is inductive, it proves no target: for the other engines */
};

struct fact {
    enum fact_kind kind;
    uint32_t target;
    uint32_t depth;
    struct trace trace;
    struct invariant invariant;
};

void fact_init(struct fact *fact, enum fact_kind kind); /* empty, target NONE */
void fact_free(struct fact *fact);
/* The fact about `sys` that a fact about its slice stands for: `to` is filled, `from` unchanged.
 * Inputs that the slice does not know are zero; derived cells that `sys` does not have are added.
 */
void fact_lift(struct fact *to, const struct fact *from, const struct slice *slice,
               struct system *sys);
void fact_write(const struct fact *fact, const struct system *sys, struct str *out);
bool fact_read(struct fact *fact, struct system *sys, const char *text, struct err *err);

#endif
