/* print: terms as an SMT-LIB 2 script, for comparison with other solvers.
 *
 *     struct str out = {0};
 *     print_smt(&ts, &root, 1, &out);      // declares, asserts each root, (check-sat)
 *
 * Every subterm is printed once, as a definition. Operators without an SMT-LIB meaning
 * (libm) make it return false.
 */
#ifndef ENGINES_SMTLIB_PRINT_H
#define ENGINES_SMTLIB_PRINT_H

#include "base/str.h"
#include "model/term/term.h"

bool print_smt(const struct terms *ts, const term_t *roots, size_t n, struct str *out);

/* (define-fun name ((v1 sort) …) Bool body): the variables are parameters. Others in the body are
 * bound by a quantifier: for all their values. */
bool print_smt_function(const struct terms *ts, const char *name, const term_t *params, size_t n,
                        term_t body, struct str *out);

#endif
