/* print_c: the conjunction of terms as a C program for CBMC, which fails its assertion exactly when
 * they can be true together.
 *
 * A second reading of ops.def, shared with nothing else: integers of any width live in the unsigned
 * type that holds them, masked; what C leaves undefined is asked for before.
 *
 *     struct str text = {0};
 *     if (print_c(&ts, roots, n, &text)) …    // false: an operator that has no counterpart there
 */
#ifndef TESTS_SOLVER_PRINT_C_H
#define TESTS_SOLVER_PRINT_C_H

#include "base/str.h"
#include "model/term/term.h"

bool print_c(const struct terms *ts, const term_t *roots, size_t n, struct str *out);

#endif
