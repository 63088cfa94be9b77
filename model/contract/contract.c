/* contract: the one entry, and the table that says which family knows an operator. */
#include "model/contract/parts.h"

typedef struct range contractor(const struct prim *p, const struct range r[4], int which);

/* Arithmetic on floats is compiled twice, from one text: the sort picks the instance. */
static struct range contract_float(const struct prim *p, const struct range r[4], int which) {
    return p->sort[1] == SORT_F32 ? contract_f32(p, r, which) : contract_f64(p, r, which);
}

static contractor *const families[OP_COUNT] = {
    [OP_NOT] = contract_logic,       [OP_AND] = contract_logic,
    [OP_OR] = contract_logic,        [OP_XOR] = contract_logic,
    [OP_ITE] = contract_logic,       [OP_EQ] = contract_logic,
    [OP_ADD] = contract_arith,       [OP_SUB] = contract_arith,
    [OP_MUL] = contract_arith,       [OP_UDIV] = contract_divide,
    [OP_SDIV] = contract_divide,     [OP_UREM] = contract_divide,
    [OP_SREM] = contract_divide,     [OP_SHL] = contract_shift,
    [OP_LSHR] = contract_shift,      [OP_ASHR] = contract_shift,
    [OP_BAND] = contract_bits,       [OP_BOR] = contract_bits,
    [OP_BXOR] = contract_bits,       [OP_ULT] = contract_arith,
    [OP_ULE] = contract_arith,       [OP_SLT] = contract_arith,
    [OP_SLE] = contract_arith,       [OP_ZEXT] = contract_resize,
    [OP_SEXT] = contract_resize,     [OP_TRUNC] = contract_resize,
    [OP_B2I] = contract_resize,      [OP_FADD] = contract_float,
    [OP_FSUB] = contract_float,      [OP_FMUL] = contract_float,
    [OP_FDIV] = contract_float,      [OP_FMA] = contract_float,
    [OP_FMOD] = contract_float,      [OP_FREM] = contract_float,
    [OP_FADDZ] = contract_float,     [OP_FADDA] = contract_float,
    [OP_FADDN] = contract_float,     [OP_FMULZ] = contract_float,
    [OP_FMULA] = contract_float,     [OP_FMULN] = contract_float,
    [OP_FDIVZ] = contract_float,     [OP_FDIVA] = contract_float,
    [OP_FDIVN] = contract_float,     [OP_FMAZ] = contract_float,
    [OP_FMAA] = contract_float,      [OP_FMAN] = contract_float,
    [OP_FSQRTZ] = contract_float,    [OP_FSQRTA] = contract_float,
    [OP_F2FZ] = contract_cast,       [OP_F2FA] = contract_cast,
    [OP_F2FN] = contract_cast,       [OP_FSQRT] = contract_float,
    [OP_FFLOOR] = contract_float,    [OP_FCEIL] = contract_float,
    [OP_FTRUNC] = contract_float,    [OP_FROUND] = contract_float,
    [OP_FRINT] = contract_float,     [OP_FEQ] = contract_fcompare,
    [OP_FLT] = contract_fcompare,    [OP_FLE] = contract_fcompare,
    [OP_FISNAN] = contract_fcompare, [OP_FISINF] = contract_fcompare,
    [OP_FSIGN] = contract_fcompare,  [OP_FNEG] = contract_sign,
    [OP_FABS] = contract_sign,       [OP_FCOPYSIGN] = contract_sign,
    [OP_FMIN] = contract_sign,       [OP_FMAX] = contract_sign,
    [OP_F2F] = contract_cast,        [OP_S2F] = contract_cast,
    [OP_U2F] = contract_cast,        [OP_F2S] = contract_cast,
    [OP_F2U] = contract_cast,        [OP_BITS2F] = contract_cast,
    [OP_F2BITS] = contract_cast,     [OP_TABLE] = contract_table,
    [OP_SIN] = contract_libm,        [OP_COS] = contract_libm,
    [OP_TAN] = contract_libm,        [OP_ASIN] = contract_libm,
    [OP_ACOS] = contract_libm,       [OP_ATAN] = contract_libm,
    [OP_SINH] = contract_libm,       [OP_COSH] = contract_libm,
    [OP_TANH] = contract_libm,       [OP_EXP] = contract_libm,
    [OP_EXP2] = contract_libm,       [OP_EXPM1] = contract_libm,
    [OP_LOG] = contract_libm,        [OP_LOG2] = contract_libm,
    [OP_LOG10] = contract_libm,      [OP_LOG1P] = contract_libm,
    [OP_CBRT] = contract_libm,       [OP_ATAN2] = contract_libm2,
    [OP_POW] = contract_libm2,       [OP_HYPOT] = contract_libm2,
};

bool contract(const struct prim *p, const struct range r[4], int which, struct range *out) {
    assert(0 <= which && which < 4 && p->sort[which] != SORT_NONE);
    contractor *family = families[p->op];
    for (int i = 0; i < 4 && p->sort[i] != SORT_NONE; i++) {
        assert(!r[i].num || r[i].lo <= r[i].hi);
        if (range_is_empty(r[i])) {
            *out = range_empty();
            return !range_is_empty(r[which]);
        }
    }
    *out = family ? range_meet(r[which], family(p, r, which)) : r[which];
    return !range_same(*out, r[which]);
}
