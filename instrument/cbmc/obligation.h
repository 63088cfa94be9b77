/* obligation: the parts that C files for CBMC are made of: the woven program, any state, clauses.
 *
 * "Any state": all state cells get arbitrary values, pointers any of their objects. What the model
 * takes for constant keeps what the initialisation made it.
 *
 *     str_add(out, obligation_prologue);          // nondet_*(), gk_assume()
 *     … gk_input_*() and gk_hit() as macros …
 *     obligation_woven(&o, true, out);
 *     ok = obligation_any_state(&o, out, err);    // defines gk_any_state()
 *     ok = ok && obligation_clauses(&o, out, "__CPROVER_assume", NULL, err);
 */
#ifndef INSTRUMENT_CBMC_OBLIGATION_H
#define INSTRUMENT_CBMC_OBLIGATION_H

#include "base/err.h"
#include "base/str.h"
#include "coverage/module.h"
#include "instrument/lower/lower.h"
#include "model/system/invariant.h"

struct obligation {
    const char *woven;
    const struct module *module;
    const struct system *sys;               /* whose cells the clauses talk about */
    const struct lowered_pointer *pointers; /* of the state, as the lowering has found them */
    size_t n_pointers;
    const term_t *state; /* module.state over the cells: a constant never changes; may be NULL */
    const struct invariant *invariant;
    unsigned elements; /* > 0: each clause can be left out, as one of so many (gk_kept) */
};

extern const char obligation_prologue[];

/* The woven program as CBMC is to read it: enumerations have the type that clang gives them
 * (instrument/weave/enums.h), and runs end where `guarded` says so (instrument/weave/guards.h). */
void obligation_woven(const struct obligation *o, bool guarded, struct str *out);

/* "i16", "f64", "b": what a variable is called in nondet_* and gk_input_*; `buffer` may be used. */
const char *obligation_suffix(const struct module_var *v, char buffer[16]);
const struct lowered_pointer *obligation_pointer(const struct obligation *o, const char *name,
                                                 size_t len);
/* Object number k that a pointer can point to, as a C expression; a moving one at `offset`. */
void obligation_target(struct str *out, const struct lowered_pointer *p, size_t k,
                       const char *offset);
/* Bytes by which a moving one moves; 0: it does not. */
long long obligation_stride(const struct lowered_pointer *p, size_t k);

/* A value of the variable as a C constant. */
void obligation_value(struct str *out, const struct module_var *v, uint64_t bits);
/* Not a cell of the model: every step leaves state cell i as the initialisation did. */
bool obligation_never_changes(const struct obligation *o, size_t i);

/* "    HOW(clause, "clause 3 WHERE");" for each clause. False (ERR_EVIDENCE) when one speaks of
 * something that has no name in C. */
bool obligation_clauses(const struct obligation *o, struct str *out, const char *how,
                        const char *where, struct err *err);
bool obligation_any_state(const struct obligation *o, struct str *out, struct err *err);
/* Saves what never changes; or asserts that it has not, and that pointers point where they may. */
void obligation_unchanged(const struct obligation *o, struct str *out, bool save);

#endif
