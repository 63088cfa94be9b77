/* pack: operations on packs that only move bits, so that bit-fields stay apart.
 *
 * Reading and writing a bit-field is a mask, a shift and an or on the whole word. Done piece by
 * piece on a pack, each field keeps a term of its own, and a word of fields is never put together.
 */
#ifndef INSTRUMENT_LOWER_PACK_H
#define INSTRUMENT_LOWER_PACK_H

#include "instrument/lower/value.h"

#include <llvm-c/Core.h>

/* a op b on `bits` bits; VALUE_NONE when neither is a pack, or the operation does more than move.
 */
value_t pack_binary(struct lowering *lw, LLVMOpcode opcode, value_t a, value_t b, uint32_t bits);
/* The pack v, `from` bits wide, cut or extended to `to` bits; VALUE_NONE when v is no pack. */
value_t pack_resize(struct lowering *lw, LLVMOpcode opcode, value_t v, uint32_t from, uint32_t to);

#endif
