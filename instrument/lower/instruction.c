/* The meaning of each instruction, where C leaves nothing open: the operators of
 * model/term/ops.def. Where it does: division traps are requirements on the run, over-wide shifts
 * and float to integer conversions out of range give a fresh value under the condition that they
 * happen. */
#include "instrument/lower/instruction.h"

#include "base/bug.h"
#include "instrument/lower/pack.h"
#include "instrument/lower/lowering.h"
#include "instrument/lower/execute.h"

#include <math.h>

value_t lower_operand(struct lowering *lw, struct frame *frame, LLVMValueRef v) {
    LLVMValueKind kind = LLVMGetValueKind(v);
    if (kind != LLVMInstructionValueKind && kind != LLVMArgumentValueKind)
        return lower_constant(lw, v);
    value_t value = frame->values[lower_function_slot(frame->fn, v)];
    assert(value);
    return value;
}

static struct scalar scalar_operand(struct lowering *lw, struct frame *frame, LLVMValueRef v,
                                    unsigned i) {
    LLVMValueRef operand = LLVMGetOperand(v, i);
    return value_as(lw, lower_operand(lw, frame, operand), lower_sort(LLVMTypeOf(operand)));
}

static value_t op1(struct lowering *lw, enum op op, struct scalar a) {
    return value_scalar(lw, (struct scalar){term_op1(lw->ts, op, a.term), a.taint});
}

static value_t op2(struct lowering *lw, enum op op, struct scalar a, struct scalar b) {
    return value_scalar(
        lw, (struct scalar){term_op2(lw->ts, op, a.term, b.term), taint_or(lw, a.taint, b.taint)});
}

static value_t cast(struct lowering *lw, enum op op, sort_t to, struct scalar a) {
    if (term_sort(lw->ts, a.term) == to)
        return value_scalar(lw, a);
    return value_scalar(lw, (struct scalar){term_cast(lw->ts, op, to, a.term), a.taint});
}

/* In the mode of the moment; a cast has no b. */
static value_t rounded(struct lowering *lw, enum op op, sort_t to, struct scalar a,
                       struct scalar b) {
    struct rounding_task task = {.op = op, .sort = to, .n = b.term ? 2 : 1, .args = {a, b}};
    return value_scalar(lw, lower_round(lw, task));
}

/* ---- integers ---- */

static term_t int_of(struct lowering *lw, term_t like, int64_t value) {
    return term_int(lw->ts, term_sort(lw->ts, like), value);
}

/* Ends the run where the divisor is zero, or where the quotient does not fit: x86 traps there. When
 * it is free to go on: where there is a quotient, else 0. */
static term_t require_divisible(struct lowering *lw, struct scalar a, struct scalar b,
                                bool is_signed) {
    sort_t width = term_sort(lw->ts, b.term);
    struct scalar fine = {term_not(lw->ts, term_eq(lw->ts, b.term, int_of(lw, b.term, 0))),
                          b.taint};
    if (is_signed) {
        int64_t least = ordinal_min(width, true);
        term_t minimum = term_eq(lw->ts, a.term, int_of(lw, a.term, least));
        term_t minus_one = term_eq(lw->ts, b.term, int_of(lw, b.term, -1));
        term_t fits = term_not(lw->ts, term_and(lw->ts, minimum, minus_one));
        fine.term = term_and(lw->ts, fine.term, fits);
        fine.taint = taint_or(lw, fine.taint, a.taint);
    }
    return lower_end_unless(lw, fine, "division", true) ? fine.term : 0;
}

static value_t division(struct lowering *lw, enum op op, struct scalar a, struct scalar b) {
    term_t fine = require_divisible(lw, a, b, op == OP_SDIV || op == OP_SREM);
    value_t v = op2(lw, op, a, b);
    if (!fine)
        return v;
    sort_t sort = term_sort(lw->ts, a.term);
    return value_ite(lw, fine, v, lower_fresh(lw, sort, term_not(lw->ts, fine), "quotient"));
}

static value_t shift(struct lowering *lw, enum op op, struct scalar a, struct scalar b) {
    sort_t width = term_sort(lw->ts, a.term);
    term_t result = term_op2(lw->ts, op, a.term, b.term);
    term_t taint = taint_or(lw, a.taint, b.taint);
    term_t limit = int_of(lw, b.term, width);
    term_t wide = lower_decide(lw, term_op2(lw->ts, OP_ULE, limit, b.term));
    if (term_is_false(lw->ts, wide))
        return value_scalar(lw, (struct scalar){result, taint});
    term_t any = lower_fresh(lw, width, wide, "shift");
    return value_scalar(
        lw, (struct scalar){term_ite(lw->ts, wide, any, result), taint_or(lw, taint, wide)});
}

static value_t bool_binary(struct lowering *lw, LLVMOpcode opcode, struct scalar a,
                           struct scalar b) {
    switch (opcode) {
    case LLVMAnd:
    case LLVMMul:
        return op2(lw, OP_AND, a, b);
    case LLVMOr:
        return op2(lw, OP_OR, a, b);
    case LLVMXor:
    case LLVMAdd:
    case LLVMSub:
        return op2(lw, OP_XOR, a, b);
    default:
        lower_give_up(lw, "this operation on _Bool is not supported");
        return VALUE_UNDEF;
    }
}

static enum op binary_op(LLVMOpcode opcode) {
    switch (opcode) {
    case LLVMAdd:
        return OP_ADD;
    case LLVMSub:
        return OP_SUB;
    case LLVMMul:
        return OP_MUL;
    case LLVMUDiv:
        return OP_UDIV;
    case LLVMSDiv:
        return OP_SDIV;
    case LLVMURem:
        return OP_UREM;
    case LLVMSRem:
        return OP_SREM;
    case LLVMShl:
        return OP_SHL;
    case LLVMLShr:
        return OP_LSHR;
    case LLVMAShr:
        return OP_ASHR;
    case LLVMAnd:
        return OP_BAND;
    case LLVMOr:
        return OP_BOR;
    case LLVMXor:
        return OP_BXOR;
    case LLVMFAdd:
        return OP_FADD;
    case LLVMFSub:
        return OP_FSUB;
    case LLVMFMul:
        return OP_FMUL;
    case LLVMFDiv:
        return OP_FDIV;
    default:
        assert(opcode == LLVMFRem);
        return OP_FMOD;
    }
}

/* Addresses held in integer registers: sums and differences stay addresses. */
static value_t address_arithmetic(struct lowering *lw, struct frame *frame, LLVMValueRef v,
                                  LLVMOpcode opcode) {
    value_t a = lower_operand(lw, frame, LLVMGetOperand(v, 0));
    value_t b = lower_operand(lw, frame, LLVMGetOperand(v, 1));
    bool left = value_is(lw, a, VALUE_POINTER), right = value_is(lw, b, VALUE_POINTER);
    if (!left && !right)
        return VALUE_NONE;
    if (opcode == LLVMSub && left && right)
        return value_scalar(lw, pointer_difference(lw, a, b));
    if (opcode == LLVMAdd && left != right) {
        value_t pointer = left ? a : b;
        struct scalar index = value_as(lw, left ? b : a, lower_pointer_sort(lw));
        return pointer_add(lw, pointer, index, 1);
    }
    if (opcode == LLVMSub && left) {
        struct scalar index = value_as(lw, b, lower_pointer_sort(lw));
        index.term = term_op2(lw->ts, OP_SUB, int_of(lw, index.term, 0), index.term);
        return pointer_add(lw, a, index, 1);
    }
    return VALUE_NONE;
}

static value_t scalar_binary(struct lowering *lw, LLVMOpcode opcode, struct scalar a,
                             struct scalar b) {
    enum op op = binary_op(opcode);
    if (term_sort(lw->ts, a.term) == SORT_BOOL)
        return bool_binary(lw, opcode, a, b);
    switch (op) {
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM:
        return division(lw, op, a, b);
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
        return shift(lw, op, a, b);
    case OP_FADD:
    case OP_FSUB:
    case OP_FMUL:
    case OP_FDIV:
        return rounded(lw, op, term_sort(lw->ts, a.term), a, b);
    default:
        return op2(lw, op, a, b);
    }
}

static value_t vector_binary(struct lowering *lw, struct frame *frame, LLVMValueRef v,
                             LLVMOpcode opcode) {
    LLVMTypeRef type = LLVMTypeOf(v);
    sort_t sort = lower_sort(LLVMGetElementType(type));
    value_t a = lower_operand(lw, frame, LLVMGetOperand(v, 0));
    value_t b = lower_operand(lw, frame, LLVMGetOperand(v, 1));
    VEC(value_t) lanes = {0};
    for (unsigned i = 0; i < LLVMGetVectorSize(type); i++)
        vec_push(&lanes, scalar_binary(lw, opcode, value_as(lw, value_member(lw, a, i), sort),
                                       value_as(lw, value_member(lw, b, i), sort)));
    value_t group = value_group(lw, lanes.data, lanes.len);
    vec_free(&lanes);
    return group;
}

static value_t binary(struct lowering *lw, struct frame *frame, LLVMValueRef v, LLVMOpcode opcode) {
    LLVMTypeRef type = LLVMTypeOf(v);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
        lower_sort(LLVMGetElementType(type)) != SORT_NONE)
        return vector_binary(lw, frame, v, opcode);
    if (lower_sort(type) == SORT_NONE) {
        lower_give_up(lw, "arithmetic on this type is not supported");
        return VALUE_UNDEF;
    }
    value_t special = address_arithmetic(lw, frame, v, opcode);
    if (!special)
        special = pack_binary(lw, opcode, lower_operand(lw, frame, LLVMGetOperand(v, 0)),
                              lower_operand(lw, frame, LLVMGetOperand(v, 1)), lower_sort(type));
    if (!special && sort_is_int(lower_sort(type)))
        special = pun_sign(lw, opcode, lower_operand(lw, frame, LLVMGetOperand(v, 0)),
                           lower_operand(lw, frame, LLVMGetOperand(v, 1)));
    if (special)
        return special;
    return scalar_binary(lw, opcode, scalar_operand(lw, frame, v, 0),
                         scalar_operand(lw, frame, v, 1));
}

/* ---- comparisons ---- */

static struct scalar negated(struct lowering *lw, struct scalar s) {
    return (struct scalar){term_not(lw->ts, s.term), s.taint};
}

static struct scalar compare_pointers(struct lowering *lw, LLVMIntPredicate predicate, value_t a,
                                      value_t b) {
    a = pointer_of(lw, a);
    b = pointer_of(lw, b);
    switch (predicate) {
    case LLVMIntEQ:
        return pointer_equal(lw, a, b);
    case LLVMIntNE:
        return negated(lw, pointer_equal(lw, a, b));
    case LLVMIntULT:
    case LLVMIntSLT:
        return pointer_less(lw, a, b);
    case LLVMIntUGT:
    case LLVMIntSGT:
        return pointer_less(lw, b, a);
    case LLVMIntULE:
    case LLVMIntSLE:
        return negated(lw, pointer_less(lw, b, a));
    default:
        return negated(lw, pointer_less(lw, a, b));
    }
}

static term_t compare_ints(struct lowering *lw, LLVMIntPredicate predicate, term_t a, term_t b) {
    struct terms *ts = lw->ts;
    switch (predicate) {
    case LLVMIntEQ:
        return term_eq(ts, a, b);
    case LLVMIntNE:
        return term_not(ts, term_eq(ts, a, b));
    case LLVMIntUGT:
        return term_op2(ts, OP_ULT, b, a);
    case LLVMIntUGE:
        return term_op2(ts, OP_ULE, b, a);
    case LLVMIntULT:
        return term_op2(ts, OP_ULT, a, b);
    case LLVMIntULE:
        return term_op2(ts, OP_ULE, a, b);
    case LLVMIntSGT:
        return term_op2(ts, OP_SLT, b, a);
    case LLVMIntSGE:
        return term_op2(ts, OP_SLE, b, a);
    case LLVMIntSLT:
        return term_op2(ts, OP_SLT, a, b);
    default:
        assert(predicate == LLVMIntSLE);
        return term_op2(ts, OP_SLE, a, b);
    }
}

/* signbit() as a condition: nobody asks which number it is. */
static value_t signbit_as_condition(struct lowering *lw, struct frame *frame, LLVMValueRef v) {
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(v);
    LLVMValueRef number = LLVMGetOperand(v, 0), limit = LLVMGetOperand(v, 1);
    if ((predicate != LLVMIntEQ && predicate != LLVMIntNE) || !LLVMIsAConstantInt(limit) ||
        LLVMConstIntGetZExtValue(limit) != 0 || !pun_is_signbit(number))
        return VALUE_NONE;
    struct scalar negative = scalar_operand(lw, frame, number, 0);
    return value_scalar(lw, predicate == LLVMIntNE ? negative : negated(lw, negative));
}

static value_t icmp(struct lowering *lw, struct frame *frame, LLVMValueRef v) {
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(v);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(v, 0));
    value_t sign = signbit_as_condition(lw, frame, v);
    if (sign)
        return sign;
    value_t a = lower_operand(lw, frame, LLVMGetOperand(v, 0));
    value_t b = lower_operand(lw, frame, LLVMGetOperand(v, 1));
    if (value_is(lw, a, VALUE_POINTER) || value_is(lw, b, VALUE_POINTER) ||
        LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return value_scalar(lw, compare_pointers(lw, predicate, a, b));
    if (lower_sort(type) == SORT_NONE) {
        lower_give_up(lw, "a comparison of this type is not supported");
        return VALUE_UNDEF;
    }
    struct scalar x = value_as(lw, a, lower_sort(type)), y = value_as(lw, b, lower_sort(type));
    term_t taint = taint_or(lw, x.taint, y.taint);
    bool equality = predicate == LLVMIntEQ || predicate == LLVMIntNE;
    if (term_sort(lw->ts, x.term) == SORT_BOOL && !equality) {
        x = value_as(lw, x.term, 1);
        y = value_as(lw, y.term, 1);
    }
    return value_scalar(lw, (struct scalar){compare_ints(lw, predicate, x.term, y.term), taint});
}

static term_t unordered(struct lowering *lw, term_t a, term_t b) {
    return term_or(lw->ts, term_op1(lw->ts, OP_FISNAN, a), term_op1(lw->ts, OP_FISNAN, b));
}

static term_t less_or_greater(struct lowering *lw, term_t a, term_t b) {
    return term_or(lw->ts, term_op2(lw->ts, OP_FLT, a, b), term_op2(lw->ts, OP_FLT, b, a));
}

/* The unordered predicates are the negations of the opposite ordered ones. */
static term_t compare_floats(struct lowering *lw, LLVMRealPredicate predicate, term_t a, term_t b) {
    struct terms *ts = lw->ts;
    switch (predicate) {
    case LLVMRealPredicateFalse:
    case LLVMRealPredicateTrue:
        return term_bool(ts, predicate == LLVMRealPredicateTrue);
    case LLVMRealOEQ:
        return term_op2(ts, OP_FEQ, a, b);
    case LLVMRealOGT:
        return term_op2(ts, OP_FLT, b, a);
    case LLVMRealOGE:
        return term_op2(ts, OP_FLE, b, a);
    case LLVMRealOLT:
        return term_op2(ts, OP_FLT, a, b);
    case LLVMRealOLE:
        return term_op2(ts, OP_FLE, a, b);
    case LLVMRealONE:
        return less_or_greater(lw, a, b);
    case LLVMRealORD:
        return term_not(ts, unordered(lw, a, b));
    case LLVMRealUNO:
        return unordered(lw, a, b);
    case LLVMRealUEQ:
        return term_not(ts, less_or_greater(lw, a, b));
    case LLVMRealUGT:
        return term_not(ts, term_op2(ts, OP_FLE, a, b));
    case LLVMRealUGE:
        return term_not(ts, term_op2(ts, OP_FLT, a, b));
    case LLVMRealULT:
        return term_not(ts, term_op2(ts, OP_FLE, b, a));
    case LLVMRealULE:
        return term_not(ts, term_op2(ts, OP_FLT, b, a));
    case LLVMRealUNE:
        return term_not(ts, term_op2(ts, OP_FEQ, a, b));
    }
    bug("unknown comparison %d", (int)predicate);
}

static value_t fcmp(struct lowering *lw, struct frame *frame, LLVMValueRef v) {
    if (lower_sort(LLVMTypeOf(LLVMGetOperand(v, 0))) == SORT_NONE) {
        lower_give_up(lw, "a comparison of this type is not supported");
        return VALUE_UNDEF;
    }
    struct scalar a = scalar_operand(lw, frame, v, 0), b = scalar_operand(lw, frame, v, 1);
    term_t result = compare_floats(lw, LLVMGetFCmpPredicate(v), a.term, b.term);
    return value_scalar(lw, (struct scalar){result, taint_or(lw, a.taint, b.taint)});
}

/* ---- casts ---- */

static struct scalar bool_as_int(struct lowering *lw, struct scalar s) {
    if (term_sort(lw->ts, s.term) == SORT_BOOL)
        s.term = term_cast(lw->ts, OP_B2I, 1, s.term);
    return s;
}

/* The float lies where its truncation fits the integer type: compared with the two neighbours of
 * that interval, both of which are exact in the float's format or replaced by an exact bound. */
static term_t fits_int(struct lowering *lw, term_t x, sort_t to, bool is_signed) {
    sort_t sort = term_sort(lw->ts, x);
    int digits = sort == SORT_F32 ? 24 : 53;
    double least = is_signed ? -ldexp(1, to - 1) : 0, end = ldexp(1, is_signed ? to - 1 : to);
    bool below_is_exact = !is_signed || to <= digits;
    double bound = below_is_exact ? least - 1 : least;
    term_t low = sort == SORT_F32 ? term_f32(lw->ts, (float)bound) : term_f64(lw->ts, bound);
    term_t high = sort == SORT_F32 ? term_f32(lw->ts, (float)end) : term_f64(lw->ts, end);
    term_t above = term_op2(lw->ts, below_is_exact ? OP_FLT : OP_FLE, low, x);
    return term_and(lw->ts, lower_decide(lw, above),
                    lower_decide(lw, term_op2(lw->ts, OP_FLT, x, high)));
}

value_t lower_float_to_int(struct lowering *lw, enum op op, sort_t to, struct scalar a) {
    sort_t width = to == SORT_BOOL ? 1 : to;
    term_t result = term_cast(lw->ts, op, width, a.term);
    term_t fits = fits_int(lw, a.term, width, op == OP_F2S);
    struct scalar s = {result, a.taint};
    if (!term_is_true(lw->ts, fits)) {
        term_t not_fits = term_not(lw->ts, fits);
        term_t any = lower_fresh(lw, width, not_fits, "conversion");
        s.term = term_ite(lw->ts, fits, result, any);
        s.taint = taint_or(lw, a.taint, not_fits);
    }
    return value_scalar(lw, value_as(lw, value_scalar(lw, s), to));
}

static value_t bit_cast(struct lowering *lw, struct frame *frame, LLVMValueRef v) {
    LLVMTypeRef to = LLVMTypeOf(v), from = LLVMTypeOf(LLVMGetOperand(v, 0));
    value_t a = lower_operand(lw, frame, LLVMGetOperand(v, 0));
    if (to == from || (LLVMGetTypeKind(to) == LLVMPointerTypeKind))
        return a;
    if (lower_sort(to) == SORT_NONE || lower_sort(from) == SORT_NONE) {
        lower_give_up(lw, "this conversion of a vector is not supported");
        return VALUE_UNDEF;
    }
    if (sort_is_float(lower_sort(from)) && sort_is_int(lower_sort(to)))
        return pun_register(lw, frame, LLVMGetOperand(v, 0), a);
    return value_scalar(lw, value_as(lw, a, lower_sort(to)));
}

static value_t address_cast(struct lowering *lw, struct frame *frame, LLVMValueRef v,
                            LLVMOpcode opcode) {
    value_t a = lower_operand(lw, frame, LLVMGetOperand(v, 0));
    if (opcode == LLVMIntToPtr)
        return pointer_of(lw, a);
    if (lower_sort(LLVMTypeOf(v)) >= lower_pointer_sort(lw))
        return a; /* the register holds the pointer until it is used as a number */
    return value_scalar(lw, value_as(lw, a, lower_sort(LLVMTypeOf(v))));
}

static struct scalar bool_to_int(struct lowering *lw, struct scalar s, sort_t to) {
    if (to != SORT_BOOL)
        s.term = term_cast(lw->ts, OP_B2I, to, s.term);
    return s;
}

/* Widening a pointer's number keeps it a pointer; other casts make it a number. */
static value_t int_cast(struct lowering *lw, struct frame *frame, LLVMValueRef v,
                        LLVMOpcode opcode) {
    sort_t to = lower_sort(LLVMTypeOf(v)), from = lower_sort(LLVMTypeOf(LLVMGetOperand(v, 0)));
    value_t raw = lower_operand(lw, frame, LLVMGetOperand(v, 0));
    if (value_is(lw, raw, VALUE_POINTER) && opcode != LLVMTrunc)
        return raw;
    value_t pack = to != SORT_BOOL ? pack_resize(lw, opcode, raw, from, to) : VALUE_NONE;
    if (pack)
        return pack;
    struct scalar a = value_as(lw, raw, from);
    if (opcode == LLVMTrunc && to == SORT_BOOL)
        return value_scalar(lw, indeterminate_bool(lw, a));
    if (opcode == LLVMTrunc)
        return value_scalar(lw, value_as(lw, value_scalar(lw, a), to));
    if (from == SORT_BOOL && pun_is_signbit(v))
        return value_scalar(lw, pun_signbit(lw, a, to));
    if (from == SORT_BOOL && opcode == LLVMZExt)
        return value_scalar(lw, indeterminate_seen(lw, bool_to_int(lw, a, to)));
    return cast(lw, opcode == LLVMZExt ? OP_ZEXT : OP_SEXT, to, bool_as_int(lw, a));
}

static value_t conversion(struct lowering *lw, struct frame *frame, LLVMValueRef v,
                          LLVMOpcode opcode) {
    sort_t to = lower_sort(LLVMTypeOf(v)), from = lower_sort(LLVMTypeOf(LLVMGetOperand(v, 0)));
    if (to == SORT_NONE || from == SORT_NONE) {
        lower_give_up(lw, "a conversion from or to this type is not supported");
        return VALUE_UNDEF;
    }
    if (opcode == LLVMTrunc || opcode == LLVMZExt || opcode == LLVMSExt)
        return int_cast(lw, frame, v, opcode);
    struct scalar a = scalar_operand(lw, frame, v, 0), none = {0};
    switch (opcode) {
    case LLVMFPToUI:
        return lower_float_to_int(lw, OP_F2U, to, a);
    case LLVMFPToSI:
        return lower_float_to_int(lw, OP_F2S, to, a);
    case LLVMUIToFP:
        return rounded(lw, OP_U2F, to, bool_as_int(lw, a), none);
    case LLVMSIToFP:
        return rounded(lw, OP_S2F, to, bool_as_int(lw, a), none);
    default:
        assert(opcode == LLVMFPTrunc || opcode == LLVMFPExt);
        return rounded(lw, OP_F2F, to, a, none);
    }
}

/* ---- addresses and groups ---- */

static int64_t element_count(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMArrayTypeKind ? (int64_t)LLVMGetArrayLength2(type) : 0;
}

/* Arrays of one element (or none) at the end of a struct often stand for more. */
static int64_t bounded_array(struct lowering *lw, LLVMTypeRef type) {
    return element_count(type) > 1 ? (int64_t)LLVMABISizeOfType(lw->bc->layout, type) : 0;
}

static value_t element_address(struct lowering *lw, struct frame *frame, LLVMValueRef v) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(v);
    value_t pointer = pointer_of(lw, lower_operand(lw, frame, LLVMGetOperand(v, 0)));
    object_used_as(lw, pointer, type);
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(v); i++) {
        LLVMValueRef operand = LLVMGetOperand(v, i);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned member = (unsigned)LLVMConstIntGetZExtValue(operand);
            int64_t offset = (int64_t)LLVMOffsetOfElement(lw->bc->layout, type, member);
            type = LLVMStructGetTypeAtIndex(type, member);
            pointer = pointer_member(lw, pointer, offset, bounded_array(lw, type));
            continue;
        }
        int64_t count = i > 1 ? element_count(type) : 0;
        if (i > 1)
            type = LLVMGetElementType(type);
        struct scalar index = scalar_operand(lw, frame, v, i);
        int64_t size = (int64_t)LLVMABISizeOfType(lw->bc->layout, type);
        if (i == 1 && term_is_const(lw->ts, index.term) &&
            term_get(lw->ts, index.term)->payload == 0)
            continue;
        pointer = i == 1 ? pointer_add(lw, pointer, index, size)
                         : pointer_element(lw, pointer, index, size, count);
    }
    return pointer;
}

static value_t select_value(struct lowering *lw, struct frame *frame, LLVMValueRef v) {
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(v, 0))) == LLVMVectorTypeKind) {
        lower_give_up(lw, "a choice between vectors is not supported");
        return VALUE_UNDEF;
    }
    struct scalar cond = indeterminate_seen(lw, scalar_operand(lw, frame, v, 0));
    value_t a = lower_operand(lw, frame, LLVMGetOperand(v, 1));
    value_t b = lower_operand(lw, frame, LLVMGetOperand(v, 2));
    lower_use(lw, cond.taint);
    return value_ite(lw, cond.term, a, b);
}

static value_t extract_value(struct lowering *lw, struct frame *frame, LLVMValueRef v) {
    value_t from = lower_operand(lw, frame, LLVMGetOperand(v, 0));
    const unsigned *indices = LLVMGetIndices(v);
    for (unsigned i = 0; i < LLVMGetNumIndices(v); i++)
        from = value_member(lw, from, indices[i]);
    return from == VALUE_UNDEF ? lower_unset(lw, LLVMTypeOf(v)) : from;
}

static uint32_t member_count(LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind:
        return LLVMCountStructElementTypes(type);
    case LLVMVectorTypeKind:
        return LLVMGetVectorSize(type);
    default:
        return (uint32_t)LLVMGetArrayLength2(type);
    }
}

static value_t insert_at(struct lowering *lw, LLVMTypeRef type, value_t group,
                         const unsigned *indices, unsigned n, value_t to) {
    value_t inner = to;
    if (n > 1) {
        LLVMTypeRef below = LLVMGetTypeKind(type) == LLVMStructTypeKind
                                ? LLVMStructGetTypeAtIndex(type, indices[0])
                                : LLVMGetElementType(type);
        value_t member = value_member(lw, group, indices[0]);
        inner = insert_at(lw, below, member, indices + 1, n - 1, to);
    }
    return value_with_member(lw, group, member_count(type), indices[0], inner);
}

static value_t lane_operation(struct lowering *lw, struct frame *frame, LLVMValueRef v,
                              LLVMOpcode opcode) {
    value_t from = lower_operand(lw, frame, LLVMGetOperand(v, 0));
    LLVMValueRef at = LLVMGetOperand(v, opcode == LLVMExtractElement ? 1 : 2);
    if (!LLVMIsConstant(at)) {
        lower_give_up(lw, "a vector with a variable index is not supported");
        return VALUE_UNDEF;
    }
    uint32_t lane = (uint32_t)LLVMConstIntGetZExtValue(at);
    if (opcode == LLVMExtractElement) {
        value_t member = value_member(lw, from, lane);
        return member == VALUE_UNDEF ? lower_unset(lw, LLVMTypeOf(v)) : member;
    }
    value_t to = lower_operand(lw, frame, LLVMGetOperand(v, 1));
    return value_with_member(lw, from, member_count(LLVMTypeOf(v)), lane, to);
}

static value_t group_operation(struct lowering *lw, struct frame *frame, LLVMValueRef v,
                               LLVMOpcode opcode) {
    switch (opcode) {
    case LLVMExtractValue:
        return extract_value(lw, frame, v);
    case LLVMInsertValue:
        return insert_at(lw, LLVMTypeOf(v), lower_operand(lw, frame, LLVMGetOperand(v, 0)),
                         LLVMGetIndices(v), LLVMGetNumIndices(v),
                         lower_operand(lw, frame, LLVMGetOperand(v, 1)));
    default:
        return lane_operation(lw, frame, v, opcode);
    }
}

/* `freeze undef` is how bitcode.c marks what a local holds before it is assigned. */
static value_t frozen(struct lowering *lw, struct frame *frame, LLVMValueRef v) {
    if (!LLVMIsUndef(LLVMGetOperand(v, 0)))
        return lower_operand(lw, frame, LLVMGetOperand(v, 0));
    if (!LLVMGetFirstUse(v))
        return VALUE_UNDEF;
    value_t any = lower_unset(lw, LLVMTypeOf(v));
    if (lw->options->task && lower_sort(LLVMTypeOf(v)) != SORT_NONE)
        lower_supply(lw);
    return any;
}

static value_t negated_float(struct lowering *lw, struct frame *frame, LLVMValueRef v) {
    if (lower_sort(LLVMTypeOf(v)) != SORT_NONE)
        return op1(lw, OP_FNEG, scalar_operand(lw, frame, v, 0));
    lower_give_up(lw, "arithmetic on this type is not supported");
    return VALUE_UNDEF;
}

value_t lower_operation(struct lowering *lw, struct frame *frame, LLVMValueRef v,
                        LLVMOpcode opcode) {
    switch (opcode) {
    case LLVMAdd:
    case LLVMFAdd:
    case LLVMSub:
    case LLVMFSub:
    case LLVMMul:
    case LLVMFMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMFDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMFRem:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return binary(lw, frame, v, opcode);
    case LLVMFNeg:
        return negated_float(lw, frame, v);
    case LLVMICmp:
        return icmp(lw, frame, v);
    case LLVMFCmp:
        return fcmp(lw, frame, v);
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt:
        return conversion(lw, frame, v, opcode);
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
        return bit_cast(lw, frame, v);
    case LLVMPtrToInt:
    case LLVMIntToPtr:
        return address_cast(lw, frame, v, opcode);
    case LLVMGetElementPtr:
        return element_address(lw, frame, v);
    case LLVMSelect:
        return select_value(lw, frame, v);
    case LLVMExtractValue:
    case LLVMInsertValue:
    case LLVMExtractElement:
    case LLVMInsertElement:
        return group_operation(lw, frame, v, opcode);
    case LLVMFreeze:
        return frozen(lw, frame, v);
    default:
        return VALUE_NONE;
    }
}
