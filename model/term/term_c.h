/* term_c: a term as a C expression with exactly its value, for names, reports and certificates.
 *
 * Every integer is printed in one of two views, `is_signed` or not, as an expression that has just
 * this value in C; casts stand only where C would read the operands otherwise. Operators that have
 * no short form in C (division by a variable, conversions that may be out of range …) have none
 * here.
 */
#ifndef MODEL_TERM_TERM_C_H
#define MODEL_TERM_TERM_C_H

#include "base/str.h"
#include "model/term/term.h"

/* Prints a variable as a C expression of its own type; false: it has no name in C. */
struct c_leaves {
    bool (*print)(void *context, term_t var, struct str *out);
    void *context;
};

/* False when the term, or something below it, has no C form or is nested too deeply: then what was
 * added to `out` is of no use. */
bool term_to_c(const struct terms *ts, term_t t, bool is_signed, const struct c_leaves *leaves,
               struct str *out);

/* The same with the names of the variables, for people. */
bool term_print(struct terms *ts, term_t t, bool is_signed, struct str *out);

#endif
