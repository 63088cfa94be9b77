/* Functions of the C library that make an integer of a float: its class, its sign, the nearest
 * number. Known by their plain names and by those that headers turn them into (__isnanf). */
#include "instrument/lower/execute.h"

#include "instrument/lower/instruction.h"
#include "instrument/lower/lowering.h"

/* The values of <math.h> of the GNU library. */
enum { CLASS_NAN, CLASS_INFINITE, CLASS_ZERO, CLASS_SUBNORMAL, CLASS_NORMAL };

static term_t choose(struct lowering *lw, term_t cond, int64_t yes, int64_t no) {
    assert(term_sort(lw->ts, cond) == SORT_BOOL);
    return term_ite(lw->ts, cond, term_int(lw->ts, 32, yes), term_int(lw->ts, 32, no));
}

static struct scalar is_nan(struct lowering *lw, struct scalar x) {
    return (struct scalar){choose(lw, term_op1(lw->ts, OP_FISNAN, x.term), 1, 0), x.taint};
}

static struct scalar is_infinite(struct lowering *lw, struct scalar x) {
    term_t negative = term_op1(lw->ts, OP_FSIGN, x.term);
    term_t infinite = term_op1(lw->ts, OP_FISINF, x.term);
    term_t sign = choose(lw, negative, -1, 1);
    return (struct scalar){term_ite(lw->ts, infinite, sign, term_int(lw->ts, 32, 0)), x.taint};
}

static struct scalar is_finite(struct lowering *lw, struct scalar x) {
    term_t infinite = term_op1(lw->ts, OP_FISINF, x.term);
    term_t nan = term_op1(lw->ts, OP_FISNAN, x.term);
    return (struct scalar){choose(lw, term_or(lw->ts, infinite, nan), 0, 1), x.taint};
}

static struct scalar class_of(struct lowering *lw, struct scalar x) {
    static const uint64_t lowest_normal[] = {0x00800000, 0x0010000000000000};
    struct terms *ts = lw->ts;
    sort_t sort = term_sort(ts, x.term);
    assert(sort_is_float(sort));
    term_t size = term_op1(ts, OP_FABS, x.term);
    term_t normal = term_const(ts, sort, lowest_normal[sort == SORT_F64]);
    term_t class = choose(lw, term_op2(ts, OP_FLT, size, normal), CLASS_SUBNORMAL, CLASS_NORMAL);
    term_t zero = term_op2(ts, OP_FEQ, x.term, term_const(ts, sort, 0));
    class = term_ite(ts, zero, term_int(ts, 32, CLASS_ZERO), class);
    term_t infinite = term_op1(ts, OP_FISINF, x.term);
    class = term_ite(ts, infinite, term_int(ts, 32, CLASS_INFINITE), class);
    term_t nan = term_op1(ts, OP_FISNAN, x.term);
    return (struct scalar){term_ite(ts, nan, term_int(ts, 32, CLASS_NAN), class), x.taint};
}

/* The top bit; that of a NaN is not determined. */
static struct scalar is_negative(struct lowering *lw, const struct call *call, sort_t sort) {
    struct terms *ts = lw->ts;
    sort_t width = (sort_t)sort_width(sort);
    assert(lw->frames.len > 0 && sort_is_float(sort));
    value_t v = pun_register(lw, vec_last(&lw->frames), LLVMGetOperand(call->instruction, 0),
                             call->args[0]);
    struct scalar x = value_as(lw, v, sort);
    term_t negative = term_op1(ts, OP_FSIGN, x.term);
    if (!value_is(lw, v, VALUE_PUNNED))
        return (struct scalar){negative, x.taint};
    struct scalar bits = value_as(lw, v, width);
    term_t set = term_op2(ts, OP_SLT, bits.term, term_int(ts, width, 0));
    term_t nan = term_op1(ts, OP_FISNAN, x.term);
    return (struct scalar){term_ite(ts, nan, set, negative), bits.taint};
}

static struct scalar sign_bit(struct lowering *lw, const struct call *call, sort_t sort) {
    return pun_signbit(lw, is_negative(lw, call, sort), 32);
}

struct classify_row {
    const char *name;
    struct scalar (*result)(struct lowering *lw, struct scalar x);
};

static const struct classify_row rows[] = {
    {"isnan", is_nan},       {"isinf", is_infinite},   {"finite", is_finite},
    {"isfinite", is_finite}, {"fpclassify", class_of},
};

/* `name` is `row`, perhaps with underscores before it and an f behind it. */
static bool named(const char *name, const char *row, sort_t sort) {
    size_t len = strlen(row);
    name += str_starts(name, "__") ? 2 : 0;
    return strncmp(name, row, len) == 0 && str_same(name + len, sort == SORT_F32 ? "f" : "");
}

value_t lower_nearest_int(struct lowering *lw, const struct call *call, bool in_mode) {
    struct scalar x = lower_argument(lw, call, 0);
    sort_t sort = term_sort(lw->ts, x.term);
    assert(sort_is_float(sort));
    if (in_mode)
        x = lower_round(lw, (struct rounding_task){OP_FRINT, sort, 1, {x}});
    else
        x.term = term_op1(lw->ts, OP_FROUND, x.term);
    return lower_float_to_int(lw, OP_F2S, lower_sort(call->type), x);
}

/* The sort of the only argument, and a result that is an integer; else SORT_NONE. */
static sort_t float_argument(const struct call *call) {
    if (call->n_args != 1 || !sort_is_int(lower_sort(call->type)))
        return SORT_NONE;
    sort_t sort = lower_sort(LLVMTypeOf(LLVMGetOperand(call->instruction, 0)));
    return sort_is_float(sort) ? sort : SORT_NONE;
}

value_t lower_classify(struct lowering *lw, const struct call *call) {
    sort_t to = lower_sort(call->type);
    sort_t sort = float_argument(call);
    if (sort == SORT_NONE)
        return VALUE_NONE;
    if (to == 32 && named(call->name, "signbit", sort))
        return value_scalar(lw, sign_bit(lw, call, sort));
    struct scalar x = lower_argument(lw, call, 0);
    assert(term_sort(lw->ts, x.term) == sort);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (to == 32 && named(call->name, rows[i].name, sort))
            return value_scalar(lw, rows[i].result(lw, x));
    if (named(call->name, "lrint", sort) || named(call->name, "llrint", sort))
        return lower_nearest_int(lw, call, true);
    if (named(call->name, "lround", sort) || named(call->name, "llround", sort))
        return lower_nearest_int(lw, call, false);
    return VALUE_NONE;
}
