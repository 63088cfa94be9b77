/* simulate_values: what is worth giving to an input.
 *
 * The numbers written in the program, those it compares with first ("hot"), each with its
 * neighbours (±1, ±1 ulp), as far as they lie in the range of the input.
 */
#ifndef INSTRUMENT_NATIVE_SIMULATE_VALUES_H
#define INSTRUMENT_NATIVE_SIMULATE_VALUES_H

#include "base/vec.h"
#include "coverage/module.h"

struct literal {
    double value;
    bool hot;
};
VEC_STRUCT(literals, struct literal);

/* The numeric literals of a woven text; signs included, each value once, hot ones first. Nothing of
 * the tables for the native runner, and no number that is an argument of a gk_ function. */
void literals_read(struct literals *literals, const char *woven);

VEC_STRUCT(values, uint64_t);

/* Appends the values for one input; returns how many of them are hot (they come first). */
uint32_t values_for(const struct literals *literals, const struct module_var *var,
                    struct values *values);

/* The range of an input: declared, or that of its type (no NaN, no infinity). */
void values_range(const struct module_var *var, uint64_t *min, uint64_t *max);

#endif
