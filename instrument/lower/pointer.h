/* pointer: pointers as guarded sets of pointees, and arithmetic on them.
 *
 * A pointer has at most one pointee an object. Pointees that cannot be accessed have objects too:
 * null, an absolute address, an uninitialised pointer, and every function.
 */
#ifndef INSTRUMENT_LOWER_POINTER_H
#define INSTRUMENT_LOWER_POINTER_H

#include "instrument/lower/value.h"

value_t pointer_to(struct lowering *lw, uint32_t object, int64_t offset);
value_t pointer_make(struct lowering *lw, const struct pointee *pointees, size_t n, term_t taint);
value_t pointer_of(struct lowering *lw, value_t v); /* numbers become absolute addresses */
const struct pointee *pointer_pointees(struct lowering *lw, value_t pointer, size_t *n);
term_t pointer_taint(struct lowering *lw, value_t pointer);

/* pointer + index * scale, anywhere in the object or array; index of any width, signed */
value_t pointer_add(struct lowering *lw, value_t pointer, struct scalar index, int64_t scale);
/* The member of a struct at `offset`; `array`: its size when it is an array, else 0. */
value_t pointer_member(struct lowering *lw, value_t pointer, int64_t offset, int64_t array);
/* The element of an array of `count` elements */
value_t pointer_element(struct lowering *lw, value_t pointer, struct scalar index, int64_t scale,
                        int64_t count);
value_t pointer_ite(struct lowering *lw, term_t cond, value_t a, value_t b);

struct scalar pointer_equal(struct lowering *lw, value_t a, value_t b);
struct scalar pointer_less(struct lowering *lw, value_t a, value_t b);       /* a < b */
struct scalar pointer_difference(struct lowering *lw, value_t a, value_t b); /* in bytes */
/* The widest stride that both have, 0 as "any". */
int64_t stride_gcd(int64_t a, int64_t b);

#endif
