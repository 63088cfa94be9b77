/* selftest: is the floating-point environment the one that the contractors rely on?
 *
 * Contractors evaluate the program's own operations on the hardware. That is exact only with
 * rounding to nearest, subnormals kept (no flush to zero, neither of results nor of operands), no
 * excess precision, no contraction of a * b + c, correctly rounded division and square root, and a
 * compiler that leaves out no rounding, neither of one number nor of two neighbours.
 * A library loaded before main(), a compiler or its flags can break each of these.
 *
 *     struct err err = {0};
 *     if (!selftest_float(&err))
 *         return err_print(&err), err.code;
 */
#ifndef MODEL_CONTRACT_SELFTEST_H
#define MODEL_CONTRACT_SELFTEST_H

#include "base/err.h"

/* Run once at the start, before any engine; false says in `err` what is wrong. */
bool selftest_float(struct err *err);

#endif
