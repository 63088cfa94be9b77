/* mutate: a C source with tokens and lines cut, repeated, exchanged for others of their kind, or
 * taken from another source, so that most of what comes out is nearly C.
 *
 *     struct str out = {0};
 *     mutate(str_text(&module), str_text(&other), &rng, &out);
 */
#ifndef TESTS_FUZZ_MUTATE_H
#define TESTS_FUZZ_MUTATE_H

#include "base/rng.h"
#include "base/str.h"

/* Appends one source made of `text`; `other` may be the same. */
void mutate(const char *text, const char *other, struct rng *rng, struct str *out);

#endif
