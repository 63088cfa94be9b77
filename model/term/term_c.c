/* One function for each family of sorts; casts are written only where C's promotions would read
 * another view. */
#include "model/term/term_c.h"

#include "model/term/simplify.h"
#include "model/term/value.h"

enum { DEPTH_MOST = 24 };

struct c_printer {
    const struct terms *ts;
    const struct c_leaves *leaves;
    struct str *out;
    int depth;
};

static bool print_bool(struct c_printer *p, term_t t);
static bool print_int(struct c_printer *p, term_t t, bool is_signed);
static bool print_float(struct c_printer *p, term_t t);

static bool in_order(const struct terms *ts, term_t var) {
    return ts->vars.data[term_bits(ts, var)].is_signed;
}

/* ---- pieces ---- */

static const char *int_type(sort_t sort, bool is_signed) {
    switch (sort) {
    case 8:
        return is_signed ? "signed char" : "unsigned char";
    case 16:
        return is_signed ? "short" : "unsigned short";
    case 32:
        return is_signed ? "int" : "unsigned int";
    case 64:
        return is_signed ? "long long" : "unsigned long long";
    default:
        return NULL;
    }
}

/* Before and behind an expression of up to 64 bits that is to be cut to the width of `sort`. */
static void open_wrap(struct c_printer *p, sort_t sort, bool is_signed) {
    const char *type = int_type(sort, is_signed);
    if (type)
        str_addf(p->out, "(%s)(", type);
    else if (is_signed)
        str_add(p->out, "((long long)((unsigned long long)(");
    else
        str_add(p->out, "((unsigned long long)(");
}

static void close_wrap(struct c_printer *p, sort_t sort, bool is_signed) {
    assert(sort >= 1 && sort <= 64);
    if (int_type(sort, is_signed))
        str_add(p->out, ")");
    else if (is_signed)
        str_addf(p->out, ") << %d) >> %d)", 64 - sort, 64 - sort);
    else
        str_addf(p->out, ") & 0x%llxull)", (1ull << sort) - 1);
}

static bool print_leaf(struct c_printer *p, term_t t) {
    return p->leaves->print(p->leaves->context, t, p->out);
}

/* "(a OP b)", each side by its own printer. */
static bool print_pair(struct c_printer *p, const char *op, term_t a, term_t b,
                       bool (*print)(struct c_printer *, term_t)) {
    str_add(p->out, "(");
    if (!print(p, a))
        return false;
    str_addf(p->out, " %s ", op);
    if (!print(p, b))
        return false;
    str_add(p->out, ")");
    return true;
}

static bool print_int_pair(struct c_printer *p, const char *op, term_t a, term_t b,
                           bool is_signed) {
    str_add(p->out, "(");
    if (!print_int(p, a, is_signed))
        return false;
    str_addf(p->out, " %s ", op);
    if (!print_int(p, b, is_signed))
        return false;
    str_add(p->out, ")");
    return true;
}

static bool print_any(struct c_printer *p, term_t t, bool is_signed) {
    sort_t sort = term_sort(p->ts, t);
    return sort == SORT_BOOL     ? print_bool(p, t)
           : sort_is_float(sort) ? print_float(p, t)
                                 : print_int(p, t, is_signed);
}

static bool print_choice(struct c_printer *p, const struct term *n, bool is_signed) {
    str_add(p->out, "(");
    if (!print_bool(p, n->arg[0]))
        return false;
    str_add(p->out, " ? ");
    if (!print_any(p, n->arg[1], is_signed))
        return false;
    str_add(p->out, " : ");
    if (!print_any(p, n->arg[2], is_signed))
        return false;
    str_add(p->out, ")");
    return true;
}

/* ---- Booleans ---- */

/* Equal in either view: in that of a variable that is compared, so that it needs no cast. */
static bool view_of_pair(const struct terms *ts, term_t a, term_t b) {
    if (term_is(ts, a, OP_VAR))
        return in_order(ts, a);
    return term_is(ts, b, OP_VAR) && in_order(ts, b);
}

/* Identity of floats: the zeros differ, every NaN is the same. */
static bool print_same_float(struct c_printer *p, term_t a, term_t b) {
    struct str x = {0}, y = {0};
    struct c_printer first = *p, second = *p;
    first.out = &x;
    second.out = &y;
    bool ok = print_float(&first, a) && print_float(&second, b);
    const char *sx = str_text(&x), *sy = str_text(&y);
    if (ok)
        str_addf(p->out,
                 "((%s == %s && !__builtin_signbit(%s) == !__builtin_signbit(%s)) || "
                 "(%s != %s && %s != %s))",
                 sx, sy, sx, sy, sx, sx, sy, sy);
    str_free(&x);
    str_free(&y);
    return ok;
}

static bool print_equal(struct c_printer *p, const struct term *n) {
    sort_t sort = term_sort(p->ts, n->arg[0]);
    if (sort == SORT_BOOL)
        return print_pair(p, "==", n->arg[0], n->arg[1], print_bool);
    if (sort_is_float(sort))
        return print_same_float(p, n->arg[0], n->arg[1]);
    return print_int_pair(p, "==", n->arg[0], n->arg[1], view_of_pair(p->ts, n->arg[0], n->arg[1]));
}

static bool print_of_float(struct c_printer *p, const char *before, const char *behind, term_t t) {
    str_add(p->out, before);
    bool ok = print_float(p, t);
    str_add(p->out, behind);
    return ok;
}

/* The opposite comparison of integers; floats have none, NaN fails both. */
static bool print_negation(struct c_printer *p, term_t t) {
    const struct term *n = term_get(p->ts, t);
    if (n->op == OP_ULT || n->op == OP_SLT)
        return print_int_pair(p, "<=", n->arg[1], n->arg[0], n->op == OP_SLT);
    if (n->op == OP_ULE || n->op == OP_SLE)
        return print_int_pair(p, "<", n->arg[1], n->arg[0], n->op == OP_SLE);
    str_add(p->out, "!");
    return print_bool(p, t);
}

static bool print_bool_op(struct c_printer *p, const struct term *n) {
    switch (n->op) {
    case OP_NOT:
        return print_negation(p, n->arg[0]);
    case OP_AND:
        return print_pair(p, "&&", n->arg[0], n->arg[1], print_bool);
    case OP_OR:
        return print_pair(p, "||", n->arg[0], n->arg[1], print_bool);
    case OP_XOR:
        return print_pair(p, "!=", n->arg[0], n->arg[1], print_bool);
    case OP_ITE:
        return print_choice(p, n, false);
    case OP_EQ:
        return print_equal(p, n);
    case OP_ULT:
    case OP_SLT:
        return print_int_pair(p, "<", n->arg[0], n->arg[1], n->op == OP_SLT);
    case OP_ULE:
    case OP_SLE:
        return print_int_pair(p, "<=", n->arg[0], n->arg[1], n->op == OP_SLE);
    case OP_FEQ:
        return print_pair(p, "==", n->arg[0], n->arg[1], print_float);
    case OP_FLT:
        return print_pair(p, "<", n->arg[0], n->arg[1], print_float);
    case OP_FLE:
        return print_pair(p, "<=", n->arg[0], n->arg[1], print_float);
    case OP_FISNAN:
        return print_of_float(p, "__builtin_isnan(", ")", n->arg[0]);
    case OP_FISINF:
        return print_of_float(p, "__builtin_isinf(", ")", n->arg[0]);
    default:
        return false;
    }
}

static bool print_bool(struct c_printer *p, term_t t) {
    const struct term *n = term_get(p->ts, t);
    bool ok = ++p->depth <= DEPTH_MOST;
    if (ok && n->op == OP_VAR)
        ok = print_leaf(p, t);
    else if (ok && n->op == OP_CONST)
        str_add(p->out, n->payload ? "1" : "0");
    else
        ok = ok && print_bool_op(p, n);
    p->depth--;
    return ok;
}

/* ---- integers ---- */

static void print_int_const(struct c_printer *p, sort_t sort, bool is_signed, uint64_t bits) {
    int64_t value = is_signed ? ordinal_of(sort, true, bits) : 0;
    bool is_long = is_signed ? value > INT32_MAX || value <= INT32_MIN : bits > UINT32_MAX;
    if (is_signed && value == INT64_MIN)
        str_add(p->out, "(-0x7fffffffffffffffll - 1)");
    else if (is_signed)
        str_addf(p->out, value < 0 ? "(%lld%s)" : "%lld%s", (long long)value, is_long ? "ll" : "");
    else
        str_addf(p->out, "%llu%s", (unsigned long long)bits,
                 is_long                          ? "ull"
                 : bits > INT32_MAX || sort >= 32 ? "u"
                                                  : "");
}

/* The least and the greatest that exact arithmetic can give. */
static void exact_range(const struct terms *ts, const struct term *n, bool is_signed,
                        __int128 *least, __int128 *most) {
    struct int_bounds a = term_int_bounds(ts, n->arg[0]), b = term_int_bounds(ts, n->arg[1]);
    __int128 x[2] = {is_signed ? a.slo : (__int128)a.ulo, is_signed ? a.shi : (__int128)a.uhi};
    __int128 y[2] = {is_signed ? b.slo : (__int128)b.ulo, is_signed ? b.shi : (__int128)b.uhi};
    for (int i = 0; i < 4; i++) {
        __int128 u = x[i & 1], v = y[i >> 1];
        __int128 z = n->op == OP_ADD ? u + v : n->op == OP_SUB ? u - v : u * v;
        *least = i == 0 || z < *least ? z : *least;
        *most = i == 0 || z > *most ? z : *most;
    }
}

static bool never_wraps(const struct terms *ts, const struct term *n, bool is_signed) {
    if (n->sort > 63)
        return false;
    __int128 least, most, size = (__int128)1 << n->sort;
    exact_range(ts, n, is_signed, &least, &most);
    return is_signed ? least >= -(size / 2) && most < size / 2 : least >= 0 && most < size;
}

/* Computed with 64 bits, then cut to the width unless it always fits. */
static bool print_arithmetic(struct c_printer *p, const struct term *n, bool is_signed) {
    const char *op = n->op == OP_ADD ? "+" : n->op == OP_SUB ? "-" : "*";
    bool fits = never_wraps(p->ts, n, is_signed), wide = !fits && n->sort > 32;
    if (fits)
        str_add(p->out, "(");
    else
        open_wrap(p, n->sort, is_signed);
    str_add(p->out, wide ? "(unsigned long long)" : "(long long)");
    if (!print_int(p, n->arg[0], is_signed && !wide))
        return false;
    str_addf(p->out, " %s %s", op, wide ? "(unsigned long long)" : "");
    if (!print_int(p, n->arg[1], is_signed && !wide))
        return false;
    if (fits)
        str_add(p->out, ")");
    else
        close_wrap(p, n->sort, is_signed);
    return true;
}

static bool print_shift(struct c_printer *p, const struct term *n, bool is_signed) {
    uint64_t by = term_bits(p->ts, n->arg[1]);
    if (!term_is(p->ts, n->arg[1], OP_CONST) || by >= n->sort)
        return false;
    open_wrap(p, n->sort, is_signed);
    str_add(p->out, n->op == OP_ASHR ? "(long long)" : "(unsigned long long)");
    if (!print_int(p, n->arg[0], n->op == OP_ASHR))
        return false;
    str_addf(p->out, " %s %llu", n->op == OP_SHL ? "<<" : ">>", (unsigned long long)by);
    close_wrap(p, n->sort, is_signed);
    return true;
}

/* An argument of another width, or in the other view. */
static bool print_resized(struct c_printer *p, sort_t sort, bool is_signed, term_t arg,
                          bool arg_signed) {
    open_wrap(p, sort, is_signed);
    bool ok = print_int(p, arg, arg_signed);
    close_wrap(p, sort, is_signed);
    return ok;
}

static bool print_int_leaf(struct c_printer *p, term_t t, bool is_signed) {
    if (in_order(p->ts, t) == is_signed)
        return print_leaf(p, t);
    open_wrap(p, term_sort(p->ts, t), is_signed);
    bool ok = print_leaf(p, t);
    close_wrap(p, term_sort(p->ts, t), is_signed);
    return ok;
}

static bool print_int_op(struct c_printer *p, const struct term *n, bool is_signed) {
    switch (n->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
        return print_arithmetic(p, n, is_signed);
    case OP_BAND:
        return print_int_pair(p, "&", n->arg[0], n->arg[1], is_signed);
    case OP_BOR:
        return print_int_pair(p, "|", n->arg[0], n->arg[1], is_signed);
    case OP_BXOR:
        return print_int_pair(p, "^", n->arg[0], n->arg[1], is_signed);
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
        return print_shift(p, n, is_signed);
    case OP_ZEXT: /* the same number */
        return print_int(p, n->arg[0], false);
    case OP_SEXT:
        return is_signed ? print_int(p, n->arg[0], true)
                         : print_resized(p, n->sort, false, n->arg[0], true);
    case OP_TRUNC:
        return print_resized(p, n->sort, is_signed, n->arg[0], false);
    case OP_ITE:
        return print_choice(p, n, is_signed);
    case OP_B2I:
        if (n->sort == 1 && is_signed) /* true is -1 there */
            return false;
        str_add(p->out, "(");
        if (!print_bool(p, n->arg[0]))
            return false;
        str_add(p->out, " ? 1 : 0)");
        return true;
    default:
        return false;
    }
}

static bool print_int(struct c_printer *p, term_t t, bool is_signed) {
    const struct term *n = term_get(p->ts, t);
    bool ok = ++p->depth <= DEPTH_MOST;
    if (ok && n->op == OP_VAR)
        ok = print_int_leaf(p, t, is_signed);
    else if (ok && n->op == OP_CONST)
        print_int_const(p, n->sort, is_signed, n->payload);
    else
        ok = ok && print_int_op(p, n, is_signed);
    p->depth--;
    return ok;
}

/* ---- floats ---- */

static void print_float_const(struct c_printer *p, sort_t sort, uint64_t bits) {
    struct str value = {0};
    if (bits_are_nan(sort, bits)) {
        str_add(p->out, sort == SORT_F32 ? "__builtin_nanf(\"\")" : "__builtin_nan(\"\")");
        return;
    }
    value_print(sort, true, bits, &value);
    const char *text = str_text(&value);
    if (str_ends(text, "inf"))
        str_add(p->out, *text == '-' ? "(-__builtin_inf())" : "__builtin_inf()");
    else
        str_addf(p->out, "%s%s%s", text, strpbrk(text, ".pe") ? "" : ".0",
                 sort == SORT_F32 ? "f" : "");
    str_free(&value);
}

/* A float operation is rounded to its own format. */
static bool print_float_pair(struct c_printer *p, const struct term *n, const char *op) {
    str_add(p->out, n->sort == SORT_F32 ? "(float)" : "");
    return print_pair(p, op, n->arg[0], n->arg[1], print_float);
}

static bool print_float_op(struct c_printer *p, const struct term *n) {
    const char *format = n->sort == SORT_F32 ? "(float)" : "(double)";
    switch (n->op) {
    case OP_FADD:
        return print_float_pair(p, n, "+");
    case OP_FSUB:
        return print_float_pair(p, n, "-");
    case OP_FMUL:
        return print_float_pair(p, n, "*");
    case OP_FDIV:
        return print_float_pair(p, n, "/");
    case OP_FNEG:
        return print_of_float(p, "(-", ")", n->arg[0]);
    case OP_FABS:
        return print_of_float(p, n->sort == SORT_F32 ? "__builtin_fabsf(" : "__builtin_fabs(", ")",
                              n->arg[0]);
    case OP_F2F:
        return print_of_float(p, format, "", n->arg[0]);
    case OP_S2F:
    case OP_U2F:
        str_add(p->out, format);
        str_add(p->out, "(");
        if (!print_int(p, n->arg[0], n->op == OP_S2F))
            return false;
        str_add(p->out, ")");
        return true;
    case OP_ITE:
        return print_choice(p, n, false);
    default:
        return false;
    }
}

static bool print_float(struct c_printer *p, term_t t) {
    const struct term *n = term_get(p->ts, t);
    bool ok = ++p->depth <= DEPTH_MOST;
    if (ok && n->op == OP_VAR)
        ok = print_leaf(p, t);
    else if (ok && n->op == OP_CONST)
        print_float_const(p, n->sort, n->payload);
    else
        ok = ok && print_float_op(p, n);
    p->depth--;
    return ok;
}

/* ---- whole terms ---- */

bool term_to_c(const struct terms *ts, term_t t, bool is_signed, const struct c_leaves *leaves,
               struct str *out) {
    assert(t > 0 && t < ts->nodes.len);
    struct c_printer p = {ts, leaves, out, 0};
    return print_any(&p, t, is_signed);
}

static bool print_name(void *context, term_t var, struct str *out) {
    const struct terms *ts = context;
    assert(term_is(ts, var, OP_VAR));
    str_add(out, ts->vars.data[term_bits(ts, var)].name);
    return true;
}

bool term_print(struct terms *ts, term_t t, bool is_signed, struct str *out) {
    struct c_leaves leaves = {print_name, ts};
    return term_to_c(ts, t, is_signed, &leaves, out);
}
