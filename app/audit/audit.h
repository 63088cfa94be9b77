/* audit: stands between what engines claim and what becomes a verdict. It shares no code with the
 * engines' search: witnesses run natively, invariants are re-checked by CBMC on the woven C, or,
 * when CBMC is missing or does not answer in time, by a fresh solver on the model.
 *
 * A proof about goals must exclude the model's overruns, too, whoever checks it: beyond them the
 * model says nothing about the program.
 *
 * Checks may take long; callers run them in child processes.
 */
#ifndef APP_AUDIT_AUDIT_H
#define APP_AUDIT_AUDIT_H

#include "base/err.h"
#include "coverage/module.h"
#include "instrument/cbmc/cbmc.h"
#include "instrument/lower/lower.h"
#include "model/system/invariant.h"

enum audit_answer { AUDIT_CONFIRMED, AUDIT_REFUTED, AUDIT_UNDECIDED };

struct audit_result {
    enum audit_answer answer;
    const char *checked_by; /* "cbmc", "solver" when confirmed */
    struct str detail;      /* what was run, what it said */
};

struct audit_proof {
    const char *woven; /* the woven C */
    const struct module *module;
    const struct lowered *lowered;     /* pointers of the state */
    const struct system *sys;          /* the model */
    const struct invariant *invariant; /* over sys: clauses, k, targets; excludes all overruns */
    const uint32_t *probes;            /* the probes it is claimed to prove dead (gk_hit numbers) */
    size_t n_probes;                   /* 0: the proof is about overruns */
    const char *assumes, *claims;      /* for the reader; may be NULL */
    unsigned elements;                 /* > 0: the certificate can leave out each (obligation.h) */
    bool by_cbmc;                      /* found by CBMC: the solver is asked first */
    const struct cbmc *cbmc;           /* NULL: there is none */
    double cbmc_seconds, cbmc_cpu_seconds; /* 0: no limit */
    uint64_t memory_mb;
};

/* `certificate` becomes one self-contained C file (instrument/cbmc/certificate.h), empty when the
 * proof cannot be written as C or is about overruns alone (n_probes is 0). */
void audit_check_proof(const struct audit_proof *proof, struct str *certificate,
                       struct audit_result *result);
/* CBMC takes one possibility where C leaves several (model/system/choice.h): such a proof it may
 * refute, but it cannot stand in for the solver. */
bool audit_has_choice(const struct audit_proof *proof);
/* The same by CBMC alone (which must be there): when it does not answer, that is undecided. */
void audit_check_by_cbmc(const struct audit_proof *proof, struct str *certificate,
                         struct audit_result *result);
/* The check by a fresh solver alone, on the part of the model that the invariant speaks of; it says
 * nothing about overruns that are not among the targets. `what` names the obligation that is not
 * met. `ticks` limits each of its questions, 0: the default. */
enum audit_answer audit_by_solver(const struct system *sys, const struct invariant *invariant,
                                  uint64_t ticks, struct str *what);
enum { AUDIT_Z3_ALONE = 3000000 }; /* effort of a question to Z3 where CBMC is not asked, too */
/* The same by Z3, whose effort is counted in its own way (engines/z3/check.h). Where floating point
 * is in play (`floats`) its word alone is not enough. */
enum audit_answer audit_by_z3(const struct system *sys, const struct invariant *invariant,
                              unsigned effort, bool *floats, struct str *what);
/* The same by Bitwuzla, a question an obligation. `what` may also say why there is no answer. */
struct bitwuzla;
struct bitwuzla_limits;
enum audit_answer audit_by_bitwuzla(const struct bitwuzla *bitwuzla, const struct system *sys,
                                    const struct invariant *invariant,
                                    const struct bitwuzla_limits *limits, struct str *what);
/* The obligations of a proof as SMT-LIB text, a question each, for any solver; false: they cannot
 * be said exactly. */
struct z3_obligations;
bool audit_write_obligations(const struct system *sys, const struct invariant *invariant,
                             const char *status, struct arena *names, struct z3_obligations *out);
/* The proof as a transition system in BTOR2; false: it is not about integers alone. */
bool audit_write_btor2(const struct system *sys, const struct invariant *invariant,
                       struct str *out);
/* The certificate without any check; empty when the proof cannot be written as C. */
void audit_write_certificate(const struct audit_proof *proof, struct str *certificate);
/* Is this, behind its head, what is written for the proof? It may claim more goals than asked. */
bool audit_is_certificate(const struct audit_proof *proof, const char *stored);
void audit_result_free(struct audit_result *result);

#endif
