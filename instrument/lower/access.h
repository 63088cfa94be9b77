/* access: loads, stores and copies through pointers.
 *
 * An access outside every object ends the run. An access through a symbolic index reaches all
 * elements that the index may select: a load chooses among their values (a table when all are
 * constants), a store changes each of them under a condition.
 */
#ifndef INSTRUMENT_LOWER_ACCESS_H
#define INSTRUMENT_LOWER_ACCESS_H

#include "instrument/lower/layout.h"
#include "instrument/lower/value.h"

enum { SPOTS_MAX = 1 << 16 }; /* cells that an access may reach; beyond, it is given up */

value_t lower_load(struct lowering *lw, value_t pointer, LLVMTypeRef type);
void lower_store(struct lowering *lw, value_t pointer, LLVMTypeRef type, value_t v);
void lower_copy(struct lowering *lw, value_t to, value_t from, uint64_t size);
void lower_fill(struct lowering *lw, value_t to, value_t byte, uint64_t size);

/* Raw bytes of one object, in bounds. */
value_t lower_read(struct lowering *lw, uint32_t object, uint64_t offset, uint32_t size);
void lower_write(struct lowering *lw, uint32_t object, uint64_t offset, uint32_t size, value_t v);

/* Large arrays of tasks, of which one element is followed (lower/summary.c). */
bool summary_wanted(struct lowering *lw, uint32_t object, uint32_t reached); /* by an access */
bool summary_is(const struct lowering *lw, uint32_t object);
void summaries_begin(struct lowering *lw);      /* of a run: which element */
term_t summaries_followed(struct lowering *lw); /* it was what was read last of each of them */
void summary_forget(struct lowering *lw, uint32_t object); /* a new life begins */
typedef value_t summary_read(struct lowering *lw, uint32_t object, uint64_t offset,
                             LLVMTypeRef type);
typedef void summary_write(struct lowering *lw, uint32_t object, uint64_t offset, LLVMTypeRef type,
                           value_t v);
value_t summary_load(struct lowering *lw, const struct pointee *p, LLVMTypeRef type,
                     summary_read *read);
void summary_store(struct lowering *lw, const struct pointee *p, LLVMTypeRef type, value_t v,
                   summary_read *read, summary_write *write);
/* False: not of whole elements. */
bool summary_fill(struct lowering *lw, const struct pointee *p, value_t byte, uint64_t size);

/* A raw value as a register of a type, first-class structs and vectors as groups. */
value_t lower_typed(struct lowering *lw, value_t raw, LLVMTypeRef type);

#endif
