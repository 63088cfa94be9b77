/* f32: the hardware's 32-bit floats, to nearest even and in the other roundings. */
#include "model/contract/parts.h"
#include "model/term/round.h"

#include <math.h>
#include <string.h>

static inline float value_of(int64_t ordinal) {
    int32_t bits = (int32_t)ordinal;
    float value;
    bits ^= (bits >> 31) & INT32_MAX;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline int64_t ordinal_at(float value) {
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits ^ ((bits >> 31) & INT32_MAX);
}

#define F(name) f32_##name
#define F_T float
#define F_FRACTION 23
#define F_INF INT64_C(0x7f800000)
#define F_OF(o) value_of(o)
#define F_ORD(v) ordinal_at(v)
#define F_ADD(a, b) ((a) + (b))
#define F_MUL(a, b) ((a) * (b))
#define F_DIV(a, b) ((a) / (b))
#define F_FMA(a, b, c) fmaf((a), (b), (c))
#define F_MOD(a, b) fmodf((a), (b))
#define F_REM(a, b) remainderf((a), (b))
#define F_SQRT(a) sqrtf(a)
#define F_FLOOR(a) floorf(a)
#define F_CEIL(a) ceilf(a)
#define F_TRUNC(a) truncf(a)
#define F_ROUND(a) roundf(a)
#define F_RINT(a) rintf(a)

#include "model/contract/float.inc"

#define R_T float
#define R_SORT SORT_F32
#define R_BITS(v) f32_bits(v)
#define R_VALUE(bits) bits_f32(bits)
#define R_FRACTION 23
#define R_INF INT64_C(0x7f800000)

#define R(name) f32_zero_##name
#define R_OP(name) OP_##name##Z
#define R_SQRT(a) R(arith)(OP_FSQRTZ, (a), 0, 0)
#include "model/contract/rounded.inc"

#define R(name) f32_away_##name
#define R_OP(name) OP_##name##A
#define R_SQRT(a) R(arith)(OP_FSQRTA, (a), 0, 0)
#include "model/contract/rounded.inc"

#define R(name) f32_half_##name
#define R_OP(name) OP_##name##N
#define R_SQRT(a) sqrtf(a)
#include "model/contract/rounded.inc"

struct range contract_f32(const struct prim *p, const struct range r[4], int which) {
    if (!op_rounds_otherwise(p->op))
        return f32_contract(p->op, r, which);
    struct op_rounding o = op_rounding(p->op);
    return o.how == 'Z'   ? f32_zero_contract(o.nearest, r, which)
           : o.how == 'A' ? f32_away_contract(o.nearest, r, which)
                          : f32_half_contract(o.nearest, r, which);
}
