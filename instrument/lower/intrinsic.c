/* llvm.* functions that clang makes of builtins and of struct assignments. */
#include "instrument/lower/execute.h"

#include "instrument/lower/access.h"
#include "instrument/lower/lowering.h"

/* ---- integers ---- */

static value_t pick(struct lowering *lw, const struct call *call, enum op less, bool least) {
    struct scalar a = lower_argument(lw, call, 0), b = lower_argument(lw, call, 1);
    term_t cond = term_op2(lw->ts, less, a.term, b.term);
    term_t t =
        least ? term_ite(lw->ts, cond, a.term, b.term) : term_ite(lw->ts, cond, b.term, a.term);
    return value_scalar(lw, (struct scalar){t, taint_or(lw, a.taint, b.taint)});
}

static value_t absolute_value(struct lowering *lw, const struct call *call) {
    struct scalar a = lower_argument(lw, call, 0);
    term_t zero = term_int(lw->ts, term_sort(lw->ts, a.term), 0);
    term_t negative = term_op2(lw->ts, OP_SLT, a.term, zero);
    a.term = term_ite(lw->ts, negative, term_op2(lw->ts, OP_SUB, zero, a.term), a.term);
    return value_scalar(lw, a);
}

static term_t bit_at(struct lowering *lw, term_t x, int bit) {
    sort_t width = term_sort(lw->ts, x);
    term_t shifted = term_op2(lw->ts, OP_LSHR, x, term_int(lw->ts, width, bit));
    term_t low = term_op2(lw->ts, OP_BAND, shifted, term_int(lw->ts, width, 1));
    return low;
}

static value_t count_ones(struct lowering *lw, const struct call *call) {
    struct scalar a = lower_argument(lw, call, 0);
    sort_t width = term_sort(lw->ts, a.term);
    term_t sum = term_int(lw->ts, width, 0);
    for (int i = 0; i < width; i++)
        sum = term_op2(lw->ts, OP_ADD, sum, bit_at(lw, a.term, i));
    return value_scalar(lw, (struct scalar){sum, a.taint});
}

/* Zeros before the first one, from the top or from the bottom; for zero the width, or (flag) any.
 */
static value_t count_zeros(struct lowering *lw, const struct call *call, bool from_top) {
    struct scalar a = lower_argument(lw, call, 0);
    struct scalar flag = lower_argument(lw, call, 1);
    sort_t width = term_sort(lw->ts, a.term);
    term_t zero = term_int(lw->ts, width, 0);
    term_t count = term_int(lw->ts, width, width);
    if (term_is_true(lw->ts, flag.term)) {
        term_t is_zero = lower_decide(lw, term_eq(lw->ts, a.term, zero));
        if (!term_is_false(lw->ts, is_zero)) {
            count = lower_fresh(lw, width, is_zero, "count_of_zero");
            a.taint = taint_or(lw, a.taint, is_zero);
        }
    }
    for (int i = 0; i < width; i++) {
        int bit = from_top ? i : width - 1 - i;
        term_t set = term_not(lw->ts, term_eq(lw->ts, bit_at(lw, a.term, bit), zero));
        term_t here = term_int(lw->ts, width, width - 1 - i);
        count = term_ite(lw->ts, set, here, count);
    }
    return value_scalar(lw, (struct scalar){count, a.taint});
}

static value_t swap_bytes(struct lowering *lw, const struct call *call) {
    struct scalar a = lower_argument(lw, call, 0);
    uint32_t size = term_sort(lw->ts, a.term) / 8u;
    struct part parts[8];
    value_t v = value_scalar(lw, a);
    for (uint32_t i = 0; i < size; i++)
        parts[i] = (struct part){value_extract(lw, v, size * 8, (size - 1 - i) * 8, 8), 8};
    return value_scalar(lw, value_as(lw, value_join(lw, parts, size), term_sort(lw->ts, a.term)));
}

static value_t funnel_shift(struct lowering *lw, const struct call *call, bool left) {
    struct scalar high = lower_argument(lw, call, 0), low = lower_argument(lw, call, 1);
    struct scalar by = lower_argument(lw, call, 2);
    sort_t width = term_sort(lw->ts, by.term);
    term_t n = term_op2(lw->ts, OP_UREM, by.term, term_int(lw->ts, width, width));
    term_t rest = term_op2(lw->ts, OP_SUB, term_int(lw->ts, width, width), n);
    /* a shift by the whole width gives 0, as the operators define it */
    term_t a = term_op2(lw->ts, OP_SHL, high.term, left ? n : rest);
    term_t b = term_op2(lw->ts, OP_LSHR, low.term, left ? rest : n);
    term_t taint = taint_or(lw, taint_or(lw, high.taint, low.taint), by.taint);
    return value_scalar(lw, (struct scalar){term_op2(lw->ts, OP_BOR, a, b), taint});
}

static term_t is_below(struct lowering *lw, term_t a, term_t b, bool is_signed) {
    return term_op2(lw->ts, is_signed ? OP_SLT : OP_ULT, a, b);
}

/* Where no number is wide enough for the exact result: a sum is on the wrong side of an operand,
 * and a product does not give back its factor. */
static term_t overflows(struct lowering *lw, enum op op, bool is_signed, term_t a, term_t b,
                        term_t cut) {
    struct terms *ts = lw->ts;
    sort_t width = term_sort(ts, a);
    term_t zero = term_int(ts, width, 0), all = term_int(ts, width, -1);
    term_t negative = is_signed ? term_op2(ts, OP_SLT, b, zero) : term_bool(ts, false);
    if (op == OP_ADD) /* a + b < a, unless b is negative */
        return term_not(ts, term_eq(ts, is_below(lw, cut, a, is_signed), negative));
    if (op == OP_SUB)
        return term_not(ts, term_eq(ts, is_below(lw, a, cut, is_signed), negative));
    term_t back = term_op2(ts, is_signed ? OP_SDIV : OP_UDIV, cut, b);
    term_t lost =
        term_and(ts, term_not(ts, term_eq(ts, b, zero)), term_not(ts, term_eq(ts, back, a)));
    if (!is_signed)
        return lost;
    term_t least = term_int(ts, width, INT64_MIN >> (64 - width));
    term_t minus = term_eq(ts, b, all);
    return term_ite(ts, minus, term_eq(ts, a, least), lost);
}

/* op on numbers one bit wider (twice as wide for a product): the result fits exactly when cutting
 * it to the width and extending it again gives it back. */
static term_t exceeds(struct lowering *lw, enum op op, bool is_signed, term_t a, term_t b,
                      term_t cut) {
    sort_t width = term_sort(lw->ts, a);
    int wide = op == OP_MUL ? 2 * width : width + 1;
    if (wide > SORT_INT_MAX)
        return overflows(lw, op, is_signed, a, b, cut);
    enum op extend = is_signed ? OP_SEXT : OP_ZEXT;
    term_t x = term_cast(lw->ts, extend, (sort_t)wide, a);
    term_t y = term_cast(lw->ts, extend, (sort_t)wide, b);
    term_t exact = term_op2(lw->ts, op, x, y);
    term_t back = term_cast(lw->ts, extend, (sort_t)wide, cut);
    return term_not(lw->ts, term_eq(lw->ts, back, exact));
}

static value_t with_overflow(struct lowering *lw, const struct call *call, enum op op,
                             bool is_signed) {
    struct scalar a = lower_argument(lw, call, 0), b = lower_argument(lw, call, 1);
    if (!sort_is_int(term_sort(lw->ts, a.term))) {
        lower_give_up(lw, "an overflow check on more than 64 bits is not supported");
        return VALUE_UNDEF;
    }
    term_t cut = term_op2(lw->ts, op, a.term, b.term);
    term_t over = exceeds(lw, op, is_signed, a.term, b.term, cut);
    term_t taint = taint_or(lw, a.taint, b.taint);
    value_t members[2] = {value_scalar(lw, (struct scalar){cut, taint}),
                          value_scalar(lw, (struct scalar){over, taint})};
    return value_group(lw, members, 2);
}

/* ---- floats ---- */

enum { CLASS_BITS = 10 };

/* Class i of llvm.is.fpclass, from 2 on: from -inf to +inf. */
static term_t float_class(struct lowering *lw, term_t x, int i) {
    static const uint64_t lowest_normal[] = {0x00800000, 0x0010000000000000};
    struct terms *ts = lw->ts;
    sort_t sort = term_sort(ts, x);
    term_t size = term_op1(ts, OP_FABS, x);
    term_t zero = term_const(ts, sort, 0);
    term_t normal = term_const(ts, sort, lowest_normal[sort == SORT_F64]);
    term_t infinite = term_op1(ts, OP_FISINF, x);
    term_t is_zero = term_op2(ts, OP_FEQ, x, zero);
    term_t tiny = term_op2(ts, OP_FLT, size, normal);
    assert(i >= 2);
    bool negative = i < 6;
    int kind = negative ? i - 2 : 9 - i; /* 0 infinite, 1 normal, 2 subnormal, 3 zero */
    term_t sign = term_op1(ts, OP_FSIGN, x);
    term_t side = negative ? sign : term_not(ts, sign);
    term_t number = term_not(ts, term_op1(ts, OP_FISNAN, x));
    term_t is_kind = infinite;
    if (kind == 1)
        is_kind = term_and(ts, term_not(ts, infinite), term_not(ts, tiny));
    else if (kind == 2)
        is_kind = term_and(ts, tiny, term_not(ts, is_zero));
    else if (kind == 3)
        is_kind = is_zero;
    return term_and(ts, number, term_and(ts, side, is_kind));
}

/* Signalling NaNs are not told from quiet ones: asked for one kind alone, any answer is possible.
 */
static value_t is_class(struct lowering *lw, const struct call *call) {
    if (lower_sort(LLVMTypeOf(LLVMGetOperand(call->instruction, 0))) == SORT_NONE) {
        lower_give_up(lw, "a question about a long double is not supported");
        return VALUE_UNDEF;
    }
    struct scalar x = lower_argument(lw, call, 0);
    uint64_t mask = LLVMConstIntGetZExtValue(LLVMGetOperand(call->instruction, 1));
    term_t any = term_bool(lw->ts, false);
    for (int i = 2; i < CLASS_BITS; i++)
        if (mask >> i & 1)
            any = term_or(lw->ts, any, float_class(lw, x.term, i));
    term_t nan = lower_decide(lw, term_op1(lw->ts, OP_FISNAN, x.term));
    if ((mask & 3) == 3) {
        any = term_or(lw->ts, any, nan);
    } else if ((mask & 3) != 0 && !term_is_false(lw->ts, nan)) {
        term_t kind = lower_fresh(lw, SORT_BOOL, nan, "kind_of_nan");
        any = term_or(lw->ts, any, term_and(lw->ts, nan, kind));
        x.taint = taint_or(lw, x.taint, nan);
    }
    return value_scalar(lw, (struct scalar){any, x.taint});
}

/* ---- memory ---- */

static value_t block_operation(struct lowering *lw, const struct call *call, bool fill) {
    struct scalar size = lower_argument(lw, call, 2);
    if (!term_is_const(lw->ts, size.term)) {
        lower_give_up(lw, "a block of memory of variable size is not supported");
        return VALUE_UNDEF;
    }
    uint64_t n = term_get(lw->ts, size.term)->payload;
    if (fill)
        lower_fill(lw, call->args[0],
                   LLVMIsUndef(LLVMGetOperand(call->instruction, 1)) ? VALUE_UNDEF : call->args[1],
                   n);
    else
        lower_copy(lw, call->args[0], call->args[1], n);
    return VALUE_UNDEF;
}

/* ---- by name ---- */

/* What a compiler can tell of an expression depends on how hard it looks. */
static value_t what_compilers_see(struct lowering *lw, const struct call *call) {
    term_t yes = term_bool(lw->ts, true);
    term_t any = lower_fresh(lw, lower_sort(call->type), yes, "seen_by_compiler");
    return value_scalar(lw, (struct scalar){any, yes});
}

static bool has_no_effect(const char *name) {
    static const char *const prefixes[] = {
        "lifetime.",     "dbg.",     "donothing",  "stacksave",
        "stackrestore",  "prefetch", "invariant.", "experimental.noalias",
        "var.annotation"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (str_starts(name, prefixes[i]))
            return true;
    return false;
}

struct overflow_row {
    const char *prefix;
    enum op op;
    bool is_signed;
};

static value_t overflow_intrinsic(struct lowering *lw, const struct call *call, const char *name) {
    static const struct overflow_row checks[] = {
        {"sadd.with.overflow", OP_ADD, true}, {"uadd.with.overflow", OP_ADD, false},
        {"ssub.with.overflow", OP_SUB, true}, {"usub.with.overflow", OP_SUB, false},
        {"smul.with.overflow", OP_MUL, true}, {"umul.with.overflow", OP_MUL, false},
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (str_starts(name, checks[i].prefix))
            return with_overflow(lw, call, checks[i].op, checks[i].is_signed);
    return VALUE_NONE;
}

static value_t int_intrinsic(struct lowering *lw, const struct call *call, const char *name) {
    if (str_starts(name, "smax."))
        return pick(lw, call, OP_SLT, false);
    if (str_starts(name, "smin."))
        return pick(lw, call, OP_SLT, true);
    if (str_starts(name, "umax."))
        return pick(lw, call, OP_ULT, false);
    if (str_starts(name, "umin."))
        return pick(lw, call, OP_ULT, true);
    if (str_starts(name, "abs."))
        return absolute_value(lw, call);
    if (str_starts(name, "ctpop."))
        return count_ones(lw, call);
    if (str_starts(name, "ctlz."))
        return count_zeros(lw, call, true);
    if (str_starts(name, "cttz."))
        return count_zeros(lw, call, false);
    if (str_starts(name, "bswap."))
        return swap_bytes(lw, call);
    if (str_starts(name, "fshl.") || str_starts(name, "fshr."))
        return funnel_shift(lw, call, str_starts(name, "fshl."));
    return overflow_intrinsic(lw, call, name);
}

/* fmuladd may be fused or not; contraction is off, so it is not. */
static value_t multiply_add(struct lowering *lw, const struct call *call) {
    struct scalar a = lower_argument(lw, call, 0), b = lower_argument(lw, call, 1);
    struct scalar c = lower_argument(lw, call, 2);
    sort_t sort = term_sort(lw->ts, a.term);
    struct scalar product = lower_round(lw, (struct rounding_task){OP_FMUL, sort, 2, {a, b}});
    return value_scalar(lw,
                        lower_round(lw, (struct rounding_task){OP_FADD, sort, 2, {product, c}}));
}

static value_t other_intrinsic(struct lowering *lw, const struct call *call, const char *name) {
    if (str_starts(name, "memcpy.") || str_starts(name, "memmove."))
        return block_operation(lw, call, false);
    if (str_starts(name, "memset."))
        return block_operation(lw, call, true);
    if (str_starts(name, "expect."))
        return call->args[0];
    if (str_starts(name, "is.constant.") || str_starts(name, "objectsize."))
        return what_compilers_see(lw, call);
    if (str_starts(name, "is.fpclass."))
        return is_class(lw, call);
    if (str_starts(name, "lrint.") || str_starts(name, "llrint.") || str_starts(name, "lround.") ||
        str_starts(name, "llround."))
        return lower_nearest_int(lw, call, strstr(name, "rint."));
    if (str_starts(name, "fmuladd."))
        return multiply_add(lw, call);
    if (str_same(name, "assume")) {
        lower_require(lw, lower_argument(lw, call, 0));
        return VALUE_UNDEF;
    }
    if (str_same(name, "trap") || str_starts(name, "ubsantrap")) {
        struct scalar never = scalar_plain(term_bool(lw->ts, false));
        (void)lower_end_unless(lw, never, "trap", false);
        return VALUE_UNDEF;
    }
    return lower_float_mode_intrinsic(lw, name);
}

value_t lower_intrinsic(struct lowering *lw, const struct call *call) {
    const char *name = call->name + strlen("llvm.");
    if (has_no_effect(name))
        return VALUE_UNDEF;
    value_t v = other_intrinsic(lw, call, name);
    if (!v && LLVMGetTypeKind(call->type) != LLVMVectorTypeKind)
        v = int_intrinsic(lw, call, name);
    if (!v)
        v = lower_float_intrinsic(lw, call, name);
    if (v)
        return v;
    lower_give_up(lw, "the builtin behind '%s' is not supported", call->name);
    return VALUE_UNDEF;
}
