/* Invariants:
 *   1. spans[t] is known for every term below spans.len, and holds every value of term t on every
 *      run that keeps the assumptions.
 *   2. Signed and unsigned bounds of an integer agree where they can (tidy()).
 *   3. Floating-point bounds are computed by the operation itself at the corners: rounding to
 *      nearest is monotone.
 */
#include "instrument/lower/range.h"

#include <math.h>

enum { NARROW_DEPTH = 8 };

void ranges_init(struct ranges *ranges, const struct terms *ts) {
    *ranges = (struct ranges){.ts = ts};
}

void ranges_free(struct ranges *ranges) {
    vec_free(&ranges->spans);
}

static uint64_t mask_of(sort_t width) {
    return width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}
static int64_t signed_max(sort_t width) {
    return (int64_t)(mask_of(width) >> 1);
}
static int64_t signed_min(sort_t width) {
    return -signed_max(width) - 1;
}
static int64_t as_signed(sort_t width, uint64_t bits) {
    return (int64_t)(bits << (64 - width)) >> (64 - width);
}

static struct span full(sort_t sort) {
    struct span s = {0};
    if (sort == SORT_BOOL)
        s.can_be[0] = s.can_be[1] = true;
    else if (sort_is_float(sort))
        s.lo = -INFINITY, s.hi = INFINITY, s.nan = true;
    else
        s.slo = signed_min(sort), s.shi = signed_max(sort), s.uhi = mask_of(sort);
    return s;
}

/* Each view of an integer narrows the other where no sign lies between. */
static struct span tidy(sort_t width, struct span s) {
    uint64_t mask = mask_of(width), top = (uint64_t)signed_max(width);
    if (s.slo >= 0 || s.shi < 0) {
        uint64_t lo = (uint64_t)s.slo & mask, hi = (uint64_t)s.shi & mask;
        s.ulo = lo > s.ulo ? lo : s.ulo;
        s.uhi = hi < s.uhi ? hi : s.uhi;
    }
    if (s.uhi <= top || s.ulo > top) {
        int64_t lo = as_signed(width, s.ulo), hi = as_signed(width, s.uhi);
        s.slo = lo > s.slo ? lo : s.slo;
        s.shi = hi < s.shi ? hi : s.shi;
    }
    return s;
}

static struct span from_unsigned(sort_t width, uint64_t lo, uint64_t hi) {
    struct span s = full(width);
    s.ulo = lo;
    s.uhi = hi;
    return tidy(width, s);
}

static struct span from_signed(sort_t width, int64_t lo, int64_t hi) {
    struct span s = full(width);
    s.slo = lo;
    s.shi = hi;
    return tidy(width, s);
}

static struct span truth(bool can_be_false, bool can_be_true) {
    struct span s = {0};
    s.can_be[0] = can_be_false;
    s.can_be[1] = can_be_true;
    return s;
}

static struct span floats(double lo, double hi, bool nan) {
    struct span s = {0};
    s.lo = lo;
    s.hi = hi;
    s.nan = nan;
    return s;
}

static struct span join(sort_t sort, struct span a, struct span b) {
    if (sort == SORT_BOOL)
        return truth(a.can_be[0] || b.can_be[0], a.can_be[1] || b.can_be[1]);
    if (sort_is_float(sort))
        return floats(fmin(a.lo, b.lo), fmax(a.hi, b.hi), a.nan || b.nan);
    struct span s = {0};
    s.slo = a.slo < b.slo ? a.slo : b.slo;
    s.shi = a.shi > b.shi ? a.shi : b.shi;
    s.ulo = a.ulo < b.ulo ? a.ulo : b.ulo;
    s.uhi = a.uhi > b.uhi ? a.uhi : b.uhi;
    return s;
}

static struct span of_bits(sort_t sort, uint64_t bits) {
    if (sort == SORT_BOOL)
        return truth(!bits, bits);
    if (!sort_is_float(sort))
        return from_unsigned(sort, bits, bits);
    double value = sort == SORT_F32 ? (double)bits_f32(bits) : bits_f64(bits);
    return isnan(value) ? full(sort) : floats(value, value, false);
}

/* ---- integers ---- */

struct corners {
    int64_t s[4];
    uint64_t u[4];
    bool s_ok, u_ok; /* no corner overflows */
};

static void corner(enum op op, sort_t width, struct corners *c, int i, int64_t sa, int64_t sb,
                   uint64_t ua, uint64_t ub) {
    bool s_over, u_over;
    if (op == OP_ADD) {
        s_over = __builtin_add_overflow(sa, sb, &c->s[i]);
        u_over = __builtin_add_overflow(ua, ub, &c->u[i]);
    } else if (op == OP_SUB) {
        s_over = __builtin_sub_overflow(sa, sb, &c->s[i]);
        u_over = __builtin_sub_overflow(ua, ub, &c->u[i]);
    } else {
        s_over = __builtin_mul_overflow(sa, sb, &c->s[i]);
        u_over = __builtin_mul_overflow(ua, ub, &c->u[i]);
    }
    c->s_ok &= !s_over && c->s[i] >= signed_min(width) && c->s[i] <= signed_max(width);
    c->u_ok &= !u_over && c->u[i] <= mask_of(width);
}

static struct span arithmetic(enum op op, sort_t width, struct span a, struct span b) {
    struct corners c = {.s_ok = true, .u_ok = true};
    for (int i = 0; i < 4; i++)
        corner(op, width, &c, i, i & 1 ? a.shi : a.slo, i & 2 ? b.shi : b.slo,
               i & 1 ? a.uhi : a.ulo, i & 2 ? b.uhi : b.ulo);
    struct span s = full(width);
    if (c.s_ok) {
        s.slo = s.shi = c.s[0];
        for (int i = 1; i < 4; i++) {
            s.slo = c.s[i] < s.slo ? c.s[i] : s.slo;
            s.shi = c.s[i] > s.shi ? c.s[i] : s.shi;
        }
    }
    if (c.u_ok) {
        s.ulo = s.uhi = c.u[0];
        for (int i = 1; i < 4; i++) {
            s.ulo = c.u[i] < s.ulo ? c.u[i] : s.ulo;
            s.uhi = c.u[i] > s.uhi ? c.u[i] : s.uhi;
        }
    }
    return tidy(width, s);
}

static struct span division(enum op op, sort_t width, struct span a, struct span b) {
    if ((op == OP_UDIV || op == OP_UREM) && b.ulo == 0)
        return full(width);
    if ((op == OP_SDIV || op == OP_SREM) && b.slo <= 0)
        return full(width);
    int64_t most = b.shi - 1;
    switch (op) {
    case OP_UDIV:
        return from_unsigned(width, a.ulo / b.uhi, a.uhi / b.ulo);
    case OP_UREM:
        return from_unsigned(width, 0, a.uhi < b.uhi - 1 ? a.uhi : b.uhi - 1);
    case OP_SDIV:
        return from_signed(width, a.slo / (a.slo < 0 ? b.slo : b.shi),
                           a.shi / (a.shi < 0 ? b.shi : b.slo));
    default:
        return from_signed(width, a.slo >= 0 ? 0 : (a.slo > -most ? a.slo : -most),
                           a.shi <= 0 ? 0 : (a.shi < most ? a.shi : most));
    }
}

static struct span shift(enum op op, sort_t width, struct span a, struct span b) {
    if (b.ulo != b.uhi || b.uhi >= width) {
        if (op == OP_LSHR)
            return from_unsigned(width, 0, a.uhi);
        if (op == OP_ASHR)
            return from_signed(width, a.slo < 0 ? a.slo : 0, a.shi >= 0 ? a.shi : -1);
        return full(width);
    }
    int n = (int)b.ulo;
    if (op == OP_LSHR)
        return from_unsigned(width, a.ulo >> n, a.uhi >> n);
    if (op == OP_ASHR)
        return from_signed(width, a.slo >> n, a.shi >> n);
    uint64_t factor = UINT64_C(1) << n;
    return arithmetic(OP_MUL, width, a, from_unsigned(64, factor, factor));
}

static uint64_t all_bits_of(uint64_t x) {
    for (int n = 1; n < 64; n *= 2)
        x |= x >> n;
    return x;
}

static struct span bitwise(enum op op, sort_t width, struct span a, struct span b) {
    uint64_t least = a.uhi < b.uhi ? a.uhi : b.uhi;
    uint64_t most = all_bits_of(a.uhi | b.uhi);
    if (op == OP_BAND)
        return from_unsigned(width, 0, least);
    if (op == OP_BXOR)
        return from_unsigned(width, 0, most);
    return from_unsigned(width, a.ulo > b.ulo ? a.ulo : b.ulo, most);
}

static struct span int_op(enum op op, sort_t width, struct span a, struct span b) {
    switch (op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
        return arithmetic(op, width, a, b);
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM:
        return division(op, width, a, b);
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
        return shift(op, width, a, b);
    default:
        return bitwise(op, width, a, b);
    }
}

static struct span int_cast(enum op op, sort_t to, struct span a) {
    if (op == OP_ZEXT)
        return from_unsigned(to, a.ulo, a.uhi);
    if (op == OP_SEXT)
        return from_signed(to, a.slo, a.shi);
    if (a.uhi <= mask_of(to))
        return from_unsigned(to, a.ulo, a.uhi);
    if (a.slo >= signed_min(to) && a.shi <= signed_max(to))
        return from_signed(to, a.slo, a.shi);
    return full(to);
}

/* ---- floats ---- */

static double in_sort(sort_t sort, double value) {
    return sort == SORT_F32 ? (double)(float)value : value;
}

static double float_corner(enum op op, sort_t sort, double a, double b) {
    float x = (float)a, y = (float)b;
    switch (op) {
    case OP_FADD:
        return sort == SORT_F32 ? (double)(x + y) : a + b;
    case OP_FSUB:
        return sort == SORT_F32 ? (double)(x - y) : a - b;
    case OP_FMUL:
        return sort == SORT_F32 ? (double)(x * y) : a * b;
    default:
        return sort == SORT_F32 ? (double)(x / y) : a / b;
    }
}

static struct span float_arithmetic(enum op op, sort_t sort, struct span a, struct span b) {
    if (op == OP_FDIV && b.lo <= 0 && b.hi >= 0)
        return full(sort);
    /* inf times a range around zero is not at a corner */
    if (op == OP_FMUL && (isinf(a.lo) || isinf(a.hi) || isinf(b.lo) || isinf(b.hi)))
        return full(sort);
    struct span s = floats(INFINITY, -INFINITY, a.nan || b.nan);
    for (int i = 0; i < 4; i++) {
        double v = float_corner(op, sort, i & 1 ? a.hi : a.lo, i & 2 ? b.hi : b.lo);
        if (isnan(v))
            return full(sort);
        s.lo = fmin(s.lo, v);
        s.hi = fmax(s.hi, v);
    }
    return s;
}

static double rounded(enum op op, double v) {
    switch (op) {
    case OP_FFLOOR:
        return floor(v);
    case OP_FCEIL:
        return ceil(v);
    case OP_FTRUNC:
        return trunc(v);
    case OP_FROUND:
        return round(v);
    default:
        return rint(v);
    }
}

static struct span float_unary(enum op op, sort_t sort, struct span a) {
    switch (op) {
    case OP_FNEG:
        return floats(-a.hi, -a.lo, a.nan);
    case OP_FABS:
        if (a.lo >= 0)
            return a;
        return floats(a.hi <= 0 ? -a.hi : 0, fmax(-a.lo, a.hi), a.nan);
    case OP_FSQRT:
        return full(sort);
    default:
        return floats(rounded(op, a.lo), rounded(op, a.hi), a.nan);
    }
}

static struct span float_pick(enum op op, struct span a, struct span b) {
    struct span s = floats(fmin(a.lo, b.lo), fmax(a.hi, b.hi), a.nan && b.nan);
    if (op == OP_FMIN && !a.nan && !b.nan)
        s.hi = fmin(a.hi, b.hi);
    if (op == OP_FMAX && !a.nan && !b.nan)
        s.lo = fmax(a.lo, b.lo);
    return s;
}

static struct span int_to_float(enum op op, sort_t to, struct span a) {
    if (op == OP_S2F)
        return to == SORT_F32 ? floats((double)(float)a.slo, (double)(float)a.shi, false)
                              : floats((double)a.slo, (double)a.shi, false);
    return to == SORT_F32 ? floats((double)(float)a.ulo, (double)(float)a.uhi, false)
                          : floats((double)a.ulo, (double)a.uhi, false);
}

static struct span float_to_int(enum op op, sort_t to, struct span a) {
    double low = op == OP_F2S ? -ldexp(1, to - 1) : 0;
    double high = ldexp(1, op == OP_F2S ? to - 1 : to);
    double lo = trunc(a.lo), hi = trunc(a.hi);
    if (a.nan || !(lo >= low) || !(hi < high))
        return full(to);
    return op == OP_F2S ? from_signed(to, (int64_t)lo, (int64_t)hi)
                        : from_unsigned(to, (uint64_t)lo, (uint64_t)hi);
}

/* ---- comparisons ---- */

static struct span compare(enum op op, sort_t sort, struct span a, struct span b) {
    bool nan = sort_is_float(sort) && (a.nan || b.nan);
    switch (op) {
    case OP_ULT:
        return truth(a.uhi >= b.ulo, a.ulo < b.uhi);
    case OP_ULE:
        return truth(a.uhi > b.ulo, a.ulo <= b.uhi);
    case OP_SLT:
        return truth(a.shi >= b.slo, a.slo < b.shi);
    case OP_SLE:
        return truth(a.shi > b.slo, a.slo <= b.shi);
    case OP_FLT:
        return truth(nan || a.hi >= b.lo, a.lo < b.hi);
    case OP_FLE:
        return truth(nan || a.hi > b.lo, a.lo <= b.hi);
    case OP_FEQ:
        return truth(nan || a.lo != a.hi || b.lo != b.hi || a.lo != b.lo,
                     a.lo <= b.hi && b.lo <= a.hi);
    default:
        break;
    }
    assert(op == OP_EQ);
    if (sort == SORT_BOOL)
        return truth((a.can_be[0] && b.can_be[1]) || (a.can_be[1] && b.can_be[0]),
                     (a.can_be[0] && b.can_be[0]) || (a.can_be[1] && b.can_be[1]));
    if (sort_is_float(sort)) /* zeros differ: only disjoint ranges decide */
        return truth(true, (a.nan && b.nan) || (a.lo <= b.hi && b.lo <= a.hi));
    return truth(a.ulo != a.uhi || b.ulo != b.uhi || a.ulo != b.ulo,
                 a.ulo <= b.uhi && b.ulo <= a.uhi && a.slo <= b.shi && b.slo <= a.shi);
}

static struct span logic(enum op op, struct span a, struct span b) {
    switch (op) {
    case OP_NOT:
        return truth(a.can_be[1], a.can_be[0]);
    case OP_AND:
        return truth(a.can_be[0] || b.can_be[0], a.can_be[1] && b.can_be[1]);
    case OP_OR:
        return truth(a.can_be[0] && b.can_be[0], a.can_be[1] || b.can_be[1]);
    default:
        return truth((a.can_be[0] && b.can_be[0]) || (a.can_be[1] && b.can_be[1]),
                     (a.can_be[0] && b.can_be[1]) || (a.can_be[1] && b.can_be[0]));
    }
}

/* ---- one term ---- */

static struct span table_span(const struct term_table *table, struct span index) {
    size_t last = table->len - 1;
    size_t from = index.ulo < last ? (size_t)index.ulo : last;
    size_t to = index.uhi < last ? (size_t)index.uhi : last;
    struct span s = of_bits(table->sort, table->values[from]);
    for (size_t i = from + 1; i <= to; i++)
        s = join(table->sort, s, of_bits(table->sort, table->values[i]));
    return s;
}

static struct span ite_span(struct ranges *r, const struct term *t, const struct span *args) {
    struct span cond = args[0], a = args[1], b = args[2];
    if (!cond.can_be[0])
        return a;
    if (!cond.can_be[1])
        return b;
    ranges_narrow(r, t->arg[0], true, t->arg[1], &a);
    ranges_narrow(r, t->arg[0], false, t->arg[2], &b);
    return join(t->sort, a, b);
}

struct span ranges_of_node(struct ranges *r, term_t at, const struct span *args) {
    const struct term *t = term_get(r->ts, at);
    struct span a = args[0], b = args[1];
    switch ((enum op)t->op) {
    case OP_CONST:
        return of_bits(t->sort, t->payload);
    case OP_NOT:
    case OP_AND:
    case OP_OR:
    case OP_XOR:
        return logic(t->op, a, b);
    case OP_ITE:
        return ite_span(r, t, args);
    case OP_EQ:
    case OP_ULT:
    case OP_ULE:
    case OP_SLT:
    case OP_SLE:
    case OP_FEQ:
    case OP_FLT:
    case OP_FLE:
        return compare(t->op, term_sort(r->ts, t->arg[0]), a, b);
    case OP_FISNAN:
        return truth(true, a.nan);
    case OP_FISINF:
        return truth(true, isinf(a.lo) || isinf(a.hi));
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM:
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
    case OP_BAND:
    case OP_BOR:
    case OP_BXOR:
        return int_op(t->op, t->sort, a, b);
    case OP_ZEXT:
    case OP_SEXT:
    case OP_TRUNC:
        return int_cast(t->op, t->sort, a);
    case OP_B2I:
        return from_unsigned(t->sort, !a.can_be[0], a.can_be[1]);
    case OP_FADD:
    case OP_FSUB:
    case OP_FMUL:
    case OP_FDIV:
        return float_arithmetic(t->op, t->sort, a, b);
    case OP_FNEG:
    case OP_FABS:
    case OP_FFLOOR:
    case OP_FCEIL:
    case OP_FTRUNC:
    case OP_FROUND:
    case OP_FRINT:
        return float_unary(t->op, t->sort, a);
    case OP_FMIN:
    case OP_FMAX:
        return float_pick(t->op, a, b);
    case OP_F2F:
        return floats(in_sort(t->sort, a.lo), in_sort(t->sort, a.hi), a.nan);
    case OP_S2F:
    case OP_U2F:
        return int_to_float(t->op, t->sort, a);
    case OP_F2S:
    case OP_F2U:
        return float_to_int(t->op, t->sort, a);
    case OP_TABLE:
        return table_span(&r->ts->tables.data[t->payload], a);
    default:
        return full(t->sort);
    }
}

static struct span span_of(struct ranges *r, term_t at) {
    const struct term *t = term_get(r->ts, at);
    struct span args[3];
    memset(args, 0, sizeof args);
    for (int i = 0; i < t->arity; i++)
        args[i] = r->spans.data[t->arg[i]];
    return ranges_of_node(r, at, args);
}

struct span ranges_at(struct ranges *ranges, term_t t) {
    if (!ranges->spans.len)
        vec_push(&ranges->spans, (struct span){0}); /* no term 0 */
    while (ranges->spans.len <= t) {
        struct span s = span_of(ranges, (term_t)ranges->spans.len);
        vec_push(&ranges->spans, s);
    }
    return ranges->spans.data[t];
}

/* ---- narrowing by literals ---- */

static double step(sort_t sort, double value, double towards) {
    return sort == SORT_F32 ? (double)nextafterf((float)value, (float)towards)
                            : nextafter(value, towards);
}

static void keep_unless_empty(sort_t sort, struct span *span, struct span narrowed) {
    if (sort_is_float(sort) ? narrowed.lo <= narrowed.hi
                            : narrowed.slo <= narrowed.shi && narrowed.ulo <= narrowed.uhi)
        *span = narrowed;
}

/* x < y or x <= y holds between numbers; `span` belongs to x when `left`, else to y. */
static void narrow_order(sort_t sort, bool is_signed, bool strict, bool left, struct span other,
                         struct span *span) {
    struct span s = *span;
    if (sort_is_float(sort)) {
        if (left)
            s.hi = fmin(s.hi, strict ? step(sort, other.hi, -INFINITY) : other.hi);
        else
            s.lo = fmax(s.lo, strict ? step(sort, other.lo, INFINITY) : other.lo);
    } else if (is_signed) {
        if (left && other.shi - strict < s.shi && (other.shi > signed_min(sort) || !strict))
            s.shi = other.shi - strict;
        if (!left && (other.slo < signed_max(sort) || !strict) && other.slo + strict > s.slo)
            s.slo = other.slo + strict;
    } else {
        if (left && (other.uhi > 0 || !strict) && other.uhi - strict < s.uhi)
            s.uhi = other.uhi - strict;
        if (!left && (other.ulo < mask_of(sort) || !strict) && other.ulo + strict > s.ulo)
            s.ulo = other.ulo + strict;
    }
    keep_unless_empty(sort, span, sort_is_float(sort) ? s : tidy(sort, s));
}

static void narrow_equal(sort_t sort, struct span other, struct span *span) {
    struct span s = *span;
    if (sort_is_float(sort)) {
        s.lo = fmax(s.lo, other.lo);
        s.hi = fmin(s.hi, other.hi);
        s.nan = s.nan && other.nan;
    } else {
        s.slo = other.slo > s.slo ? other.slo : s.slo;
        s.shi = other.shi < s.shi ? other.shi : s.shi;
        s.ulo = other.ulo > s.ulo ? other.ulo : s.ulo;
        s.uhi = other.uhi < s.uhi ? other.uhi : s.uhi;
    }
    keep_unless_empty(sort, span, s);
}

static void narrow_unequal(sort_t sort, struct span other, struct span *span) {
    if (sort_is_float(sort) || other.ulo != other.uhi)
        return;
    struct span s = *span;
    s.ulo += s.ulo == other.ulo && s.ulo < s.uhi;
    s.uhi -= s.uhi == other.ulo && s.ulo < s.uhi;
    s.slo += s.slo == other.slo && s.slo < s.shi;
    s.shi -= s.shi == other.slo && s.slo < s.shi;
    *span = s;
}

/* `is_left`: t is the left argument of the comparison, `other` bounds the right one. */
static void narrow_comparison(enum op op, sort_t sort, bool truth_value, bool is_left,
                              struct span other, struct span *span) {
    bool is_float = op == OP_FLT || op == OP_FLE || op == OP_FEQ;
    if (op == OP_EQ || op == OP_FEQ) {
        if (truth_value) {
            narrow_equal(sort, other, span);
            span->nan = span->nan && op == OP_EQ;
        } else {
            narrow_unequal(sort, other, span);
        }
        return;
    }
    bool is_signed = op == OP_SLT || op == OP_SLE;
    bool strict = op == OP_ULT || op == OP_SLT || op == OP_FLT;
    if (is_float && !truth_value && other.nan)
        return; /* nothing follows from a false comparison with NaN */
    if (truth_value)
        narrow_order(sort, is_signed, strict, is_left, other, span);
    else
        narrow_order(sort, is_signed, !strict, !is_left, other, span);
    if (is_float && truth_value)
        span->nan = false;
}

/* The comparison may be about the extension of t to a wider sort. */
static void narrow_argument(struct ranges *r, enum op op, bool truth_value, bool is_left,
                            term_t argument, term_t other, term_t t, struct span *span) {
    const struct term *x = term_get(r->ts, argument);
    struct span bound = ranges_at(r, other);
    if (argument == t) {
        narrow_comparison(op, x->sort, truth_value, is_left, bound, span);
        return;
    }
    if ((x->op != OP_ZEXT && x->op != OP_SEXT) || x->arg[0] != t)
        return;
    struct span wide = int_cast(x->op, x->sort, *span);
    narrow_comparison(op, x->sort, truth_value, is_left, bound, &wide);
    struct span s = *span;
    if (x->op == OP_ZEXT) {
        s.ulo = wide.ulo;
        s.uhi = wide.uhi;
    } else {
        s.slo = wide.slo;
        s.shi = wide.shi;
    }
    keep_unless_empty(term_sort(r->ts, t), span, tidy(term_sort(r->ts, t), s));
}

static void narrow_at(struct ranges *r, term_t literal, bool truth_value, term_t t,
                      struct span *span, int depth) {
    const struct term *c = term_get(r->ts, literal);
    if (depth == 0)
        return;
    switch ((enum op)c->op) {
    case OP_NOT:
        narrow_at(r, c->arg[0], !truth_value, t, span, depth - 1);
        return;
    case OP_AND:
    case OP_OR:
        if ((c->op == OP_AND) != truth_value)
            return;
        narrow_at(r, c->arg[0], truth_value, t, span, depth - 1);
        narrow_at(r, c->arg[1], truth_value, t, span, depth - 1);
        return;
    case OP_FISNAN:
        if (c->arg[0] == t && !truth_value)
            span->nan = false;
        return;
    case OP_EQ:
    case OP_ULT:
    case OP_ULE:
    case OP_SLT:
    case OP_SLE:
    case OP_FEQ:
    case OP_FLT:
    case OP_FLE:
        if (term_sort(r->ts, c->arg[0]) == SORT_BOOL)
            return;
        narrow_argument(r, c->op, truth_value, true, c->arg[0], c->arg[1], t, span);
        narrow_argument(r, c->op, truth_value, false, c->arg[1], c->arg[0], t, span);
        return;
    default:
        return;
    }
}

void ranges_narrow(struct ranges *ranges, term_t literal, bool truth_value, term_t t,
                   struct span *span) {
    if (term_sort(ranges->ts, t) != SORT_BOOL)
        narrow_at(ranges, literal, truth_value, t, span, NARROW_DEPTH);
}

static void assume_at(struct ranges *r, term_t whole, term_t literal, int depth) {
    const struct term *c = term_get(r->ts, literal);
    if (depth == 0)
        return;
    if (c->op == OP_VAR && c->sort != SORT_BOOL)
        ranges_narrow(r, whole, true, literal, &r->spans.data[literal]);
    for (int i = 0; i < c->arity; i++)
        assume_at(r, whole, c->arg[i], depth - 1);
}

void ranges_assume(struct ranges *ranges, term_t literal) {
    (void)ranges_at(ranges, literal);
    assume_at(ranges, literal, literal, NARROW_DEPTH);
}
