/* acsl_contracts: what lets WP prove a program function by function.
 *
 * WP unrolls into one formula what it inlines, which is too much for a whole module. With contracts
 * it looks at each function alone: the clauses and the promises about inputs hold where it is
 * called, and they do when it returns. That is often so, because the code generator gives each
 * state to one function; where it is not, WP does not prove it, and nothing is lost. What is proved
 * is proved, as WP shows what a function demands at each of its calls, and no function goes without
 * a contract.
 */
#ifndef APP_EXPORT_ACSL_CONTRACTS_H
#define APP_EXPORT_ACSL_CONTRACTS_H

#include "base/str.h"

struct acsl_contracts {
    struct str text;  /* for the end of the program, behind the predicate gk_invariant */
    struct str plain; /* ",f,g": functions without parameters and result */
    struct str other; /* ",h": functions that pass values; small ones may be inlined instead */
};

/* The woven program up to `end`; the obligations in ACSL. False, and nothing written: it takes more
 * than one step, or what a function is cannot be told. */
bool acsl_contracts_make(const char *program, const char *end, const char *obligations,
                         struct acsl_contracts *out);
void acsl_contracts_free(struct acsl_contracts *contracts);

/* A condition over pointers without casts; false: it needs them. */
bool acsl_without_casts(const char *condition, size_t len, struct str *out);

#endif
