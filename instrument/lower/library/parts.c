/* Functions of <math.h> that take a float apart or put one together, exactly: frexp, ldexp, scalbn,
 * scalbln, modf, nextafter, logb, ilogb, remquo, nan.
 *
 * Where the standard leaves a result open (the exponent of an infinity, the quotient of remquo
 * beyond its last bits, ilogb of zero) it is any value. Only ldexp and its like round, once. */
#include "instrument/lower/execute.h"

#include "instrument/lower/access.h"
#include "instrument/lower/lowering.h"

#include <float.h>
#include <math.h>

/* A float and the parts of its bits. */
struct parts {
    struct lowering *lw;
    struct terms *ts;
    sort_t sort, width;
    int mantissa, bias; /* bits of the fraction, of an exponent 0 */
    struct scalar x;
    term_t zero, infinite, nan;
};

static term_t real(const struct parts *p, double value) {
    return p->sort == SORT_F32 ? term_f32(p->ts, (float)value) : term_f64(p->ts, value);
}

static term_t number(const struct parts *p, int64_t value) {
    return term_int(p->ts, p->width, value);
}

static struct parts parts_of(struct lowering *lw, const struct call *call, uint32_t argument) {
    struct parts p = {.lw = lw, .ts = lw->ts, .x = lower_argument(lw, call, argument)};
    p.sort = term_sort(lw->ts, p.x.term);
    assert(sort_is_float(p.sort));
    p.width = (sort_t)sort_width(p.sort);
    p.mantissa = p.sort == SORT_F32 ? FLT_MANT_DIG - 1 : DBL_MANT_DIG - 1;
    p.bias = p.sort == SORT_F32 ? FLT_MAX_EXP - 1 : DBL_MAX_EXP - 1;
    p.zero = term_op2(lw->ts, OP_FEQ, p.x.term, real(&p, 0));
    p.infinite = term_op1(lw->ts, OP_FISINF, p.x.term);
    p.nan = term_op1(lw->ts, OP_FISNAN, p.x.term);
    return p;
}

static term_t bits_of(const struct parts *p, term_t x) {
    return term_cast(p->ts, OP_F2BITS, p->width, x);
}

static term_t exponent_mask(const struct parts *p) {
    return number(p, (int64_t)(2 * p->bias + 1) << p->mantissa);
}

static term_t other_bits(const struct parts *p) {
    return number(p, ~((int64_t)(2 * p->bias + 1) << p->mantissa));
}

/* The exponent's field, as it stands in the bits. */
static term_t exponent_field(const struct parts *p, term_t bits) {
    term_t field = term_op2(p->ts, OP_BAND, bits, exponent_mask(p));
    return term_op2(p->ts, OP_LSHR, field, number(p, p->mantissa));
}

/* x as a normal number `y`, and the exponent e of x = ± 1.f * 2^e, for neither 0, infinity nor NaN.
 */
static term_t normal_exponent(const struct parts *p, term_t *y) {
    double least = p->sort == SORT_F32 ? FLT_MIN : DBL_MIN;
    int up = p->mantissa + 2;
    term_t size = term_op1(p->ts, OP_FABS, p->x.term);
    term_t small = term_op2(p->ts, OP_FLT, size, real(p, least));
    term_t scaled = term_op2(p->ts, OP_FMUL, p->x.term, real(p, ldexp(1, up)));
    *y = term_ite(p->ts, small, scaled, p->x.term);
    term_t moved = term_ite(p->ts, small, number(p, p->bias + up), number(p, p->bias));
    return term_op2(p->ts, OP_SUB, exponent_field(p, bits_of(p, *y)), moved);
}

static term_t as_int(const struct parts *p, term_t t, sort_t to) {
    return value_as(p->lw, t, to).term;
}

static term_t special(const struct parts *p) {
    return term_or(p->ts, p->zero, term_or(p->ts, p->infinite, p->nan));
}

/* `known` where `cond` does not hold, else any value. */
static struct scalar or_any(const struct parts *p, term_t cond, term_t known, const char *what) {
    term_t open = lower_decide(p->lw, cond);
    assert(sort_is_int(term_sort(p->ts, known)));
    if (term_is_false(p->ts, open))
        return (struct scalar){known, p->x.taint};
    term_t any = lower_fresh(p->lw, term_sort(p->ts, known), open, what);
    return (struct scalar){term_ite(p->ts, open, any, known), taint_or(p->lw, p->x.taint, open)};
}

static void store_through(struct lowering *lw, const struct call *call, uint32_t i,
                          LLVMTypeRef type, struct scalar s) {
    lower_store(lw, pointer_of(lw, call->args[i]), type, value_scalar(lw, s));
}

static value_t result_of(const struct parts *p, term_t t) {
    assert(term_sort(p->ts, t) == p->sort);
    return value_scalar(p->lw, (struct scalar){t, p->x.taint});
}

/* ---- one function each ---- */

/* x = result * 2^exponent, the result in [0.5, 1). */
static value_t take_exponent(struct lowering *lw, const struct call *call) {
    struct parts p = parts_of(lw, call, 0);
    term_t y, e = normal_exponent(&p, &y);
    term_t rest = term_op2(p.ts, OP_BAND, bits_of(&p, y), other_bits(&p));
    term_t half = number(&p, (int64_t)(p.bias - 1) << p.mantissa);
    term_t fraction = term_cast(p.ts, OP_BITS2F, p.sort, term_op2(p.ts, OP_BOR, rest, half));
    term_t exponent = term_op2(p.ts, OP_ADD, as_int(&p, e, 32), term_int(p.ts, 32, 1));
    exponent = term_ite(p.ts, p.zero, term_int(p.ts, 32, 0), exponent);
    term_t open = term_or(p.ts, p.infinite, p.nan);
    store_through(lw, call, 1, LLVMInt32TypeInContext(lw->bc->context),
                  or_any(&p, open, exponent, "exponent"));
    return result_of(&p, term_ite(p.ts, special(&p), p.x.term, fraction));
}

static struct scalar product(const struct parts *p, struct scalar x, double factor) {
    struct scalar y = {real(p, factor), 0};
    return lower_round(p->lw, (struct rounding_task){OP_FMUL, p->sort, 2, {x, y}});
}

/* x * 2^n in at most three products, of which the last alone rounds: the steps down end far enough
 * above the subnormal numbers. */
static struct scalar scale(const struct parts *p, struct scalar x, term_t n) {
    struct terms *ts = p->ts;
    int64_t up = p->bias, down = p->bias - 1 - (p->mantissa + 1);
    assert(term_sort(ts, n) == p->width);
    for (int round = 0; round < 2; round++) {
        term_t high = term_op2(ts, OP_SLT, number(p, up), n);
        term_t low = term_op2(ts, OP_SLT, n, number(p, 1 - p->bias));
        struct scalar raised = product(p, x, ldexp(1, (int)up));
        struct scalar lowered = product(p, x, ldexp(1, -(int)down));
        x.term = term_ite(ts, high, raised.term, term_ite(ts, low, lowered.term, x.term));
        x.taint = raised.taint;
        term_t moved = term_ite(ts, low, number(p, down), number(p, 0));
        n = term_op2(ts, OP_ADD, n, term_ite(ts, high, number(p, -up), moved));
    }
    n = term_ite(ts, term_op2(ts, OP_SLT, number(p, up), n), number(p, up), n);
    n = term_ite(ts, term_op2(ts, OP_SLT, n, number(p, 1 - p->bias)), number(p, 1 - p->bias), n);
    term_t field = term_op2(ts, OP_ADD, n, number(p, p->bias));
    term_t bits = term_op2(ts, OP_SHL, field, number(p, p->mantissa));
    struct scalar power = {term_cast(ts, OP_BITS2F, p->sort, bits), 0};
    return lower_round(p->lw, (struct rounding_task){OP_FMUL, p->sort, 2, {x, power}});
}

static value_t put_exponent(struct lowering *lw, const struct call *call) {
    enum { FAR = 1 << 14 }; /* beyond, the result is the same */
    struct parts p = parts_of(lw, call, 0);
    struct scalar n = lower_argument(lw, call, 1);
    sort_t sort = term_sort(p.ts, n.term);
    term_t most = term_int(p.ts, sort, FAR), least = term_int(p.ts, sort, -FAR);
    n.term = term_ite(p.ts, term_op2(p.ts, OP_SLT, most, n.term), most, n.term);
    n.term = term_ite(p.ts, term_op2(p.ts, OP_SLT, n.term, least), least, n.term);
    if (sort != p.width)
        n.term = term_cast(p.ts, sort < p.width ? OP_SEXT : OP_TRUNC, p.width, n.term);
    p.x.taint = taint_or(lw, p.x.taint, n.taint);
    return value_scalar(lw, scale(&p, p.x, n.term));
}

static value_t take_whole(struct lowering *lw, const struct call *call) {
    struct parts p = parts_of(lw, call, 0);
    term_t whole = term_op1(p.ts, OP_FTRUNC, p.x.term);
    term_t rest = term_op2(p.ts, OP_FSUB, p.x.term, whole);
    rest = term_ite(p.ts, p.infinite, real(&p, 0), rest);
    rest = term_op2(p.ts, OP_FCOPYSIGN, rest, p.x.term);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call->instruction, 0));
    store_through(lw, call, 1, type, (struct scalar){whole, p.x.taint});
    return result_of(&p, term_ite(p.ts, p.nan, p.x.term, rest));
}

static value_t next_number(struct lowering *lw, const struct call *call) {
    struct parts p = parts_of(lw, call, 0);
    struct scalar to = lower_argument(lw, call, 1);
    struct terms *ts = p.ts;
    term_t one = number(&p, 1), x = p.x.term, bits = bits_of(&p, x);
    term_t up = term_op2(ts, OP_FLT, x, to.term);
    term_t positive = term_op2(ts, OP_FLT, real(&p, 0), x);
    term_t away = term_eq(ts, up, positive);
    term_t next =
        term_ite(ts, away, term_op2(ts, OP_ADD, bits, one), term_op2(ts, OP_SUB, bits, one));
    term_t moved = term_cast(ts, OP_BITS2F, p.sort, next);
    term_t first = term_op2(ts, OP_FCOPYSIGN, term_cast(ts, OP_BITS2F, p.sort, one), to.term);
    moved = term_ite(ts, p.zero, first, moved);
    moved = term_ite(ts, term_op2(ts, OP_FEQ, x, to.term), to.term, moved);
    moved = term_ite(ts, term_op1(ts, OP_FISNAN, to.term), to.term, moved);
    p.x.taint = taint_or(lw, p.x.taint, to.taint);
    return result_of(&p, term_ite(ts, p.nan, x, moved));
}

static value_t float_exponent(struct lowering *lw, const struct call *call) {
    struct parts p = parts_of(lw, call, 0);
    term_t y, e = normal_exponent(&p, &y);
    term_t exponent = term_cast(p.ts, OP_S2F, p.sort, e);
    exponent = term_ite(p.ts, p.zero, real(&p, -INFINITY), exponent);
    exponent = term_ite(p.ts, p.infinite, real(&p, INFINITY), exponent);
    return result_of(&p, term_ite(p.ts, p.nan, p.x.term, exponent));
}

static value_t int_exponent(struct lowering *lw, const struct call *call) {
    struct parts p = parts_of(lw, call, 0);
    term_t y, e = as_int(&p, normal_exponent(&p, &y), 32);
    e = term_ite(p.ts, p.infinite, term_int(p.ts, 32, INT32_MAX), e);
    return value_scalar(lw, or_any(&p, term_or(p.ts, p.zero, p.nan), e, "exponent"));
}

static value_t remainder_and_quotient(struct lowering *lw, const struct call *call) {
    struct parts p = parts_of(lw, call, 0);
    struct scalar y = lower_argument(lw, call, 1);
    term_t yes = term_bool(p.ts, true);
    struct scalar quotient = or_any(&p, yes, term_int(p.ts, 32, 0), "quotient");
    store_through(lw, call, 2, LLVMInt32TypeInContext(lw->bc->context), quotient);
    p.x.taint = taint_or(lw, p.x.taint, y.taint);
    return result_of(&p, term_op2(p.ts, OP_FREM, p.x.term, y.term));
}

static value_t some_nan(struct lowering *lw, const struct call *call) {
    sort_t sort = lower_sort(call->type);
    return sort == SORT_F32 ? term_f32(lw->ts, NAN) : term_f64(lw->ts, (double)NAN);
}

/* ---- by name ---- */

/* Arguments: f the float of the name, i an integer, p a pointer; then the result. */
struct parts_row {
    const char *name, *arguments;
    char result;
    value_t (*run)(struct lowering *lw, const struct call *call);
};

static const struct parts_row rows[] = {
    {"frexp", "fp", 'f', take_exponent},
    {"ldexp", "fi", 'f', put_exponent},
    {"scalbn", "fi", 'f', put_exponent},
    {"scalbln", "fi", 'f', put_exponent},
    {"modf", "fp", 'f', take_whole},
    {"nextafter", "ff", 'f', next_number},
    {"logb", "f", 'f', float_exponent},
    {"ilogb", "f", 'i', int_exponent},
    {"remquo", "ffp", 'f', remainder_and_quotient},
    {"nan", "p", 'f', some_nan},
};

static bool is_kind(LLVMTypeRef type, char kind, sort_t real) {
    sort_t sort = lower_sort(type);
    if (kind == 'p')
        return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    return kind == 'f' ? sort == real : sort_is_int(sort) && sort >= 32;
}

static bool fits(const struct call *call, const struct parts_row *row, sort_t real) {
    if (call->n_args != strlen(row->arguments) || !is_kind(call->type, row->result, real))
        return false;
    for (uint32_t i = 0; i < call->n_args; i++)
        if (!is_kind(LLVMTypeOf(LLVMGetOperand(call->instruction, i)), row->arguments[i], real))
            return false;
    return true;
}

value_t lower_float_parts(struct lowering *lw, const struct call *call) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t len = strlen(rows[i].name);
        if (strncmp(call->name, rows[i].name, len) != 0)
            continue;
        bool single = str_same(call->name + len, "f");
        if ((single || call->name[len] == '\0') &&
            fits(call, &rows[i], single ? SORT_F32 : SORT_F64))
            return rows[i].run(lw, call);
    }
    return VALUE_NONE;
}
