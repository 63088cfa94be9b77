/* opinions: what Z3 and Bitwuzla say of proofs that the audit has confirmed.
 *
 * They share no code with what has confirmed them: that they disagree is an alarm, whoever is
 * right. That they leave a proof open is no lack, and only counted.
 *
 *     opinions_open(&o, &arena);                       // says what cannot be asked
 *     if (opinions_ask(&o, &sys, &invariant, checked_by, &against)) … // "Z3 refutes the safety"
 *     opinions_print(&o);
 */
#ifndef APP_AUDIT_OPINIONS_H
#define APP_AUDIT_OPINIONS_H

#include "app/audit/bitwuzla.h"
#include "model/system/invariant.h"

struct opinions {
    struct bitwuzla bitwuzla;
    bool has_bitwuzla;
    uint64_t memory_mb; /* of a process that is asked, 0: no limit */
    unsigned proofs, by_bitwuzla, not_by_bitwuzla, by_z3, not_by_z3;
    unsigned z3_named; /* left open by Z3, which the database names as their checker */
};

void opinions_open(struct opinions *o, struct arena *arena);
/* False: nobody refutes it, else `against` says who does. `checked_by`: what the database says. */
bool opinions_ask(struct opinions *o, const struct system *sys, const struct invariant *inv,
                  const char *checked_by, struct str *against);
void opinions_print(const struct opinions *o);

#endif
