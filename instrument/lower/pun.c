/* pun: floats whose bits are looked at, by a union, a pointer, memcpy() or signbit().
 *
 * The bits of a number are those of its format. Those of a NaN are left open by C: x86 sets the
 * sign where others do not, and operations choose between the patterns of their operands. They are
 * unspecified, but one pattern of a NaN, and the same for whoever looks later at the same object or
 * register: the first look leaves a punned value there. Copies that were made before, results of
 * operations, and what is kept for the next step, may have others; natively they sometimes do.
 */
#include "instrument/lower/instruction.h"

#include "instrument/lower/lowering.h"

/* The parts of a format as integers. */
struct format {
    sort_t width;
    term_t exponent, quiet, fraction;
};

static struct format format_of(struct lowering *lw, sort_t sort) {
    bool single = sort == SORT_F32;
    struct format f = {.width = (sort_t)sort_width(sort)};
    assert(sort_is_float(sort));
    f.exponent = term_const(lw->ts, f.width, single ? 0x7f800000 : 0x7ff0000000000000);
    f.quiet = term_const(lw->ts, f.width, single ? 0x7fc00000 : 0x7ff8000000000000);
    f.fraction = term_const(lw->ts, f.width, single ? 0x007fffff : 0x000fffffffffffff);
    return f;
}

/* Any pattern of a NaN: the exponent all ones, the fraction not zero. */
static term_t any_nan(struct lowering *lw, sort_t sort, term_t nan) {
    struct format f = format_of(lw, sort);
    term_t any = lower_fresh(lw, f.width, nan, "nan_bits");
    term_t zero = term_const(lw->ts, f.width, 0);
    term_t infinite = term_eq(lw->ts, term_op2(lw->ts, OP_BAND, any, f.fraction), zero);
    return term_op2(lw->ts, OP_BOR, any, term_ite(lw->ts, infinite, f.quiet, f.exponent));
}

term_t pun_bits(struct lowering *lw, term_t x, term_t *nan) {
    sort_t sort = term_sort(lw->ts, x);
    term_t bits = term_cast(lw->ts, OP_F2BITS, (sort_t)sort_width(sort), x);
    *nan = lower_decide(lw, term_op1(lw->ts, OP_FISNAN, x));
    if (term_is_false(lw->ts, *nan))
        return bits;
    return term_ite(lw->ts, *nan, any_nan(lw, sort, *nan), bits);
}

struct scalar pun_float(const struct lowering *lw, value_t v) {
    struct scalar s = {0, 0};
    if (value_is_plain(v))
        s.term = v;
    else if (value_is(lw, v, VALUE_TAINTED))
        s = (struct scalar){value_special(lw, v)->term, value_special(lw, v)->taint};
    return s.term && sort_is_float(term_sort(lw->ts, s.term)) ? s : (struct scalar){0, 0};
}

static value_t add_punned(struct lowering *lw, struct scalar x, term_t bits) {
    struct special s = {.kind = VALUE_PUNNED, .term = x.term, .taint = x.taint, .bits = bits};
    assert(sort_is_float(term_sort(lw->ts, x.term)) && sort_is_int(term_sort(lw->ts, bits)));
    vec_push(&lw->values.specials, s);
    return (value_t)(lw->values.specials.len - 1) | VALUE_SPECIAL;
}

value_t value_punned(struct lowering *lw, value_t v) {
    struct scalar s = pun_float(lw, v);
    term_t nan;
    if (!s.term)
        return v;
    term_t bits = pun_bits(lw, s.term, &nan);
    return term_is_false(lw->ts, nan) ? v : add_punned(lw, s, bits);
}

value_t value_unpunned(struct lowering *lw, value_t v) {
    if (!value_is(lw, v, VALUE_PUNNED))
        return v;
    const struct special *s = value_special(lw, v);
    return value_scalar(lw, (struct scalar){s->term, s->taint});
}

value_t pun_register(struct lowering *lw, struct frame *frame, LLVMValueRef operand, value_t v) {
    LLVMValueKind kind = LLVMGetValueKind(operand);
    v = value_punned(lw, v);
    if (kind == LLVMInstructionValueKind || kind == LLVMArgumentValueKind)
        frame->values[lower_function_slot(frame->fn, operand)] = v;
    return v;
}

/* ---- the sign ---- */

/* signbit(), which clang writes as one comparison of the bits: 1 where gcc has other numbers. What
 * is kept as a _Bool is 1 in both. */
bool pun_is_signbit(LLVMValueRef number) {
    if (lower_sort(LLVMTypeOf(number)) != 32)
        return false;
    LLVMValueRef test = LLVMIsAZExtInst(number) ? LLVMGetOperand(number, 0) : NULL;
    if (!test || !LLVMIsAICmpInst(test) || LLVMGetICmpPredicate(test) != LLVMIntSLT)
        return false;
    LLVMValueRef bits = LLVMGetOperand(test, 0), limit = LLVMGetOperand(test, 1);
    return LLVMIsABitCastInst(bits) &&
           sort_is_float(lower_sort(LLVMTypeOf(LLVMGetOperand(bits, 0)))) &&
           LLVMIsAConstantInt(limit) && LLVMConstIntGetZExtValue(limit) == 0;
}

struct scalar pun_signbit(struct lowering *lw, struct scalar negative, sort_t sort) {
    struct terms *ts = lw->ts;
    term_t zero = term_int(ts, sort, 0);
    term_t some = lower_fresh(lw, sort, negative.term, "sign");
    term_t set = term_ite(ts, term_eq(ts, some, zero), term_int(ts, sort, 1), some);
    return (struct scalar){term_ite(ts, negative.term, set, zero),
                           taint_or(lw, negative.taint, negative.term)};
}

/* x with the sign that `opcode` gives it when its other operand is this constant. */
static term_t with_sign(struct lowering *lw, LLVMOpcode opcode, term_t x, uint64_t constant) {
    uint64_t sign = UINT64_C(1) << (sort_width(term_sort(lw->ts, x)) - 1);
    if (opcode == LLVMAnd && constant == sign - 1)
        return term_op1(lw->ts, OP_FABS, x);
    if (opcode == LLVMOr && constant == sign)
        return term_op1(lw->ts, OP_FNEG, term_op1(lw->ts, OP_FABS, x));
    return opcode == LLVMXor && constant == sign ? term_op1(lw->ts, OP_FNEG, x) : 0;
}

static enum op bit_op(LLVMOpcode opcode) {
    return opcode == LLVMAnd ? OP_BAND : opcode == LLVMOr ? OP_BOR : OP_BXOR;
}

value_t pun_sign(struct lowering *lw, LLVMOpcode opcode, value_t a, value_t b) {
    bool seen = value_is(lw, a, VALUE_PUNNED);
    struct scalar x = pun_float(lw, seen ? value_unpunned(lw, a) : a);
    if (!x.term || !value_is_plain(b) || !term_is_const(lw->ts, b))
        return VALUE_NONE;
    x.term = with_sign(lw, opcode, x.term, term_get(lw->ts, b)->payload);
    if (!x.term || !seen)
        return x.term ? value_scalar(lw, x) : VALUE_NONE;
    return add_punned(lw, x, term_op2(lw->ts, bit_op(opcode), value_special(lw, a)->bits, b));
}
