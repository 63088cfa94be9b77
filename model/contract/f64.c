/* f64: the hardware's 64-bit floats, to nearest even and in the other roundings. */
#include "model/contract/parts.h"
#include "model/term/round.h"

#include <math.h>
#include <string.h>

static inline double value_of(int64_t ordinal) {
    int64_t bits = (int64_t)ordinal;
    double value;
    bits ^= (bits >> 63) & INT64_MAX;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline int64_t ordinal_at(double value) {
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits ^ ((bits >> 63) & INT64_MAX);
}

#define F(name) f64_##name
#define F_T double
#define F_FRACTION 52
#define F_INF INT64_C(0x7ff0000000000000)
#define F_OF(o) value_of(o)
#define F_ORD(v) ordinal_at(v)
#define F_ADD(a, b) ((a) + (b))
#define F_MUL(a, b) ((a) * (b))
#define F_DIV(a, b) ((a) / (b))
#define F_FMA(a, b, c) fma((a), (b), (c))
#define F_MOD(a, b) fmod((a), (b))
#define F_REM(a, b) remainder((a), (b))
#define F_SQRT(a) sqrt(a)
#define F_FLOOR(a) floor(a)
#define F_CEIL(a) ceil(a)
#define F_TRUNC(a) trunc(a)
#define F_ROUND(a) round(a)
#define F_RINT(a) rint(a)

#include "model/contract/float.inc"

#define R_T double
#define R_SORT SORT_F64
#define R_BITS(v) f64_bits(v)
#define R_VALUE(bits) bits_f64(bits)
#define R_FRACTION 52
#define R_INF INT64_C(0x7ff0000000000000)

#define R(name) f64_zero_##name
#define R_OP(name) OP_##name##Z
#define R_SQRT(a) R(arith)(OP_FSQRTZ, (a), 0, 0)
#include "model/contract/rounded.inc"

#define R(name) f64_away_##name
#define R_OP(name) OP_##name##A
#define R_SQRT(a) R(arith)(OP_FSQRTA, (a), 0, 0)
#include "model/contract/rounded.inc"

#define R(name) f64_half_##name
#define R_OP(name) OP_##name##N
#define R_SQRT(a) sqrt(a)
#include "model/contract/rounded.inc"

struct range contract_f64(const struct prim *p, const struct range r[4], int which) {
    if (!op_rounds_otherwise(p->op))
        return f64_contract(p->op, r, which);
    struct op_rounding o = op_rounding(p->op);
    return o.how == 'Z'   ? f64_zero_contract(o.nearest, r, which)
           : o.how == 'A' ? f64_away_contract(o.nearest, r, which)
                          : f64_half_contract(o.nearest, r, which);
}
