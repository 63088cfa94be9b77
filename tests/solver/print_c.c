#include "print_c.h"

#include "base/mem.h"

/* ---- types and constants ---- */

static int holder(sort_t width) {
    return width <= 8 ? 8 : width <= 16 ? 16 : width <= 32 ? 32 : 64;
}

static void add_type(sort_t sort, struct str *out) {
    if (sort == SORT_BOOL)
        str_add(out, "_Bool");
    else if (sort_is_float(sort))
        str_add(out, sort == SORT_F32 ? "float" : "double");
    else
        str_addf(out, "u%d", holder(sort));
}

static void add_const(sort_t sort, uint64_t bits, struct str *out) {
    double v = sort == SORT_F32 ? (double)bits_f32(bits) : bits_f64(bits);
    if (!sort_is_float(sort))
        str_addf(out, "%lluu%s", (unsigned long long)bits, sort_width(sort) > 32 ? "ll" : "");
    else if (bits_are_nan(sort, bits))
        str_add(out, "(0.0f / 0.0f)");
    else if (v - v != 0)
        str_add(out, v > 0 ? "(1.0f / 0.0f)" : "(-1.0f / 0.0f)");
    else
        str_addf(out, "(%a%s)", v, sort == SORT_F32 ? "f" : "");
}

/* a value of a variable: t7 */
static const char *ref(const struct terms *ts, term_t t, struct str *out) {
    const struct term *term = term_get(ts, t);
    str_clear(out);
    if (term->op == OP_CONST)
        add_const(term->sort, term->payload, out);
    else
        str_addf(out, "t%u", t);
    return str_text(out);
}

/* The signed value of an unsigned one, in 64 bits. */
static void add_signed(const char *x, sort_t width, struct str *out) {
    str_addf(out, "((s64)((u64)%s << %d) >> %d)", x, 64 - width, 64 - width);
}

/* ---- operators ---- */

static const char *const infix[OP_COUNT] = {
    [OP_AND] = "&",  [OP_OR] = "|",   [OP_XOR] = "^",  [OP_ADD] = "+",  [OP_SUB] = "-",
    [OP_MUL] = "*",  [OP_BAND] = "&", [OP_BOR] = "|",  [OP_BXOR] = "^", [OP_ULT] = "<",
    [OP_ULE] = "<=", [OP_FADD] = "+", [OP_FSUB] = "-", [OP_FMUL] = "*", [OP_FDIV] = "/",
    [OP_FEQ] = "==", [OP_FLT] = "<",  [OP_FLE] = "<=",
};

static const char *const functions[OP_COUNT] = {
    [OP_FABS] = "fabs",    [OP_FSQRT] = "sqrt",   [OP_FFLOOR] = "floor", [OP_FCEIL] = "ceil",
    [OP_FTRUNC] = "trunc", [OP_FROUND] = "round", [OP_FRINT] = "rint",
};

struct names {
    struct str x, y, z; /* the arguments */
};

static bool add_division(const struct term *t, const char *x, const char *y, struct str *out) {
    struct str a = {0}, b = {0};
    add_signed(x, t->sort, &a);
    add_signed(y, t->sort, &b);
    if (t->op == OP_UDIV)
        str_addf(out, "%s == 0 ? ~(u64)0 : (u64)%s / %s", y, x, y);
    else if (t->op == OP_UREM)
        str_addf(out, "%s == 0 ? %s : %s %% %s", y, x, x, y);
    else if (t->op == OP_SDIV)
        str_addf(out, "%s == 0 ? (%s < 0 ? 1 : ~(u64)0) : %s == -1 ? 0 - (u64)%s : (u64)(%s / %s)",
                 y, str_text(&a), str_text(&b), x, str_text(&a), str_text(&b));
    else
        str_addf(out, "%s == 0 ? (u64)%s : %s == -1 ? 0 : (u64)(%s %% %s)", y, x, str_text(&b),
                 str_text(&a), str_text(&b));
    str_free(&a);
    str_free(&b);
    return true;
}

static bool add_shift(const struct term *t, const char *x, const char *y, struct str *out) {
    if (t->op == OP_ASHR) {
        add_signed(x, t->sort, out);
        str_addf(out, " >> (%s >= %d ? 63 : %s)", y, t->sort, y);
        return true;
    }
    str_addf(out, "%s >= %d ? 0 : (u64)%s %s %s", y, t->sort, x, t->op == OP_SHL ? "<<" : ">>", y);
    return true;
}

static bool add_order(enum op op, sort_t width, const char *x, const char *y, struct str *out) {
    add_signed(x, width, out);
    str_add(out, op == OP_SLT ? " < " : " <= ");
    add_signed(y, width, out);
    return true;
}

/* One value and its sign, or both no number. */
static bool add_equal(sort_t sort, const char *x, const char *y, struct str *out) {
    if (!sort_is_float(sort))
        str_addf(out, "%s == %s", x, y);
    else
        str_addf(out, "(%s != %s && %s != %s) || (%s == %s && NEGATIVE(%s) == NEGATIVE(%s))", x, x,
                 y, y, x, y, x, y);
    return true;
}

static bool add_float(const struct term *t, const char *x, const char *y, struct str *out) {
    bool max = t->op == OP_FMAX;
    switch (t->op) {
    case OP_FNEG:
        str_addf(out, "-%s", x);
        return true;
    case OP_FMIN:
    case OP_FMAX: /* a zero with the sign that was asked for is the smaller or the larger one */
        str_addf(out, "%s != %s || %s %s %s || (%s == %s && %sNEGATIVE(%s)) ? %s : %s", x, x, y,
                 max ? ">" : "<", x, x, y, max ? "!" : "", y, y, x);
        return true;
    case OP_FCOPYSIGN:
        str_addf(out, "(%s == %s && NEGATIVE(%s)) == NEGATIVE(%s) ? %s : -%s", y, y, y, x, x, x);
        return true;
    case OP_FISNAN:
        str_addf(out, "%s != %s", x, x);
        return true;
    case OP_FISINF:
        str_addf(out, "%s == %s && %s - %s != 0", x, x, x, x);
        return true;
    case OP_FSIGN:
        str_addf(out, "%s == %s && NEGATIVE(%s)", x, x, x);
        return true;
    default:
        return false;
    }
}

/* ---- casts ---- */

/* toward zero; 0 when the result does not fit */
static void add_to_int(const struct term *t, sort_t from, const char *x, struct str *out) {
    bool is_signed = t->op == OP_F2S;
    const char *suffix = from == SORT_F32 ? "f" : "";
    double top = 1;
    for (int i = 0; i < t->sort - is_signed; i++)
        top *= 2;
    str_addf(out, "trunc%s(%s) >= %a%s && trunc%s(%s) < %a%s ? ", suffix, x, is_signed ? -top : 0.0,
             suffix, suffix, x, top, suffix);
    str_addf(out, "(u64)(%s)%s : 0", is_signed ? "s64" : "u64", x);
}

static bool add_cast(const struct term *t, sort_t from, const char *x, struct str *out) {
    switch (t->op) {
    case OP_ZEXT:
    case OP_TRUNC:
    case OP_B2I:
    case OP_F2F:
    case OP_U2F:
        str_add(out, x);
        return true;
    case OP_SEXT:
    case OP_S2F:
        add_signed(x, from, out);
        return true;
    case OP_F2S:
    case OP_F2U:
        add_to_int(t, from, x, out);
        return true;
    case OP_BITS2F:
        str_addf(out, "((union bits%d){.bits = %s}).value", from, x);
        return true;
    case OP_F2BITS:
        str_addf(out, "%s != %s ? %s : ((union bits%d){.value = %s}).bits", x, x,
                 t->sort == 32 ? "0x7fc00000u" : "0x7ff8000000000000ull", t->sort, x);
        return true;
    default:
        return false;
    }
}

/* ---- definitions ---- */

static bool add_value(const struct terms *ts, const struct term *t, const char *x, const char *y,
                      const char *z, struct str *out) {
    sort_t from = t->arity ? term_sort(ts, t->arg[t->arity - 1]) : SORT_NONE;
    if (infix[t->op])
        return str_addf(out, "%s %s %s", x, infix[t->op], y), true;
    if (functions[t->op])
        return str_addf(out, "%s%s(%s)", functions[t->op], from == SORT_F32 ? "f" : "", x), true;
    switch (t->op) {
    case OP_NOT:
        return str_addf(out, "!%s", x), true;
    case OP_ITE:
        return str_addf(out, "%s ? %s : %s", x, y, z), true;
    case OP_EQ:
        return add_equal(from, x, y, out);
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM:
        return add_division(t, x, y, out);
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
        return add_shift(t, x, y, out);
    case OP_SLT:
    case OP_SLE:
        return add_order(t->op, from, x, y, out);
    case OP_TABLE: {
        size_t last = ts->tables.data[t->payload].len - 1;
        return str_addf(out, "table%u[%s < %zu ? %s : %zu]", (unsigned)t->payload, x, last, x,
                        last),
               true;
    }
    default:
        return add_float(t, x, y, out) || add_cast(t, from, x, out);
    }
}

static bool define(const struct terms *ts, term_t t, struct str *out) {
    const struct term *term = term_get(ts, t);
    struct str names[3] = {{0}}, value = {0};
    const char *x[3] = {"", "", ""};
    bool ok = true;
    if (term->op == OP_CONST)
        return true;
    for (int i = 0; i < term->arity; i++)
        x[i] = ref(ts, term->arg[i], &names[i]);
    str_add(out, "    ");
    add_type(term->sort, out);
    str_addf(out, " t%u", t);
    if (term->op == OP_VAR && term->sort == SORT_BOOL)
        str_add(&value,
                "any_u8() & 1"); /* CBMC lets a _Bool of a function without a body be any byte */
    else if (term->op == OP_VAR)
        str_addf(&value, "any_%s%d()", sort_is_float(term->sort) ? "f" : "u",
                 holder((sort_t)sort_width(term->sort)));
    else
        ok = add_value(ts, term, x[0], x[1], x[2], &value);
    if (sort_is_int(term->sort) && term->sort < 64)
        str_addf(out, " = (%s) & %lluu%s;\n", str_text(&value),
                 (unsigned long long)(UINT64_MAX >> (64 - term->sort)),
                 term->sort > 32 ? "ll" : "");
    else
        str_addf(out, " = %s;\n", str_text(&value));
    for (int i = 0; i < 3; i++)
        str_free(&names[i]);
    str_free(&value);
    return ok;
}

static void add_tables(const struct terms *ts, struct str *out) {
    for (size_t i = 0; i < ts->tables.len; i++) {
        const struct term_table *table = &ts->tables.data[i];
        str_add(out, "static const ");
        add_type(table->sort, out);
        str_addf(out, " table%zu[] = {", i);
        for (size_t k = 0; k < table->len; k++) {
            str_add(out, k ? ", " : "");
            add_const(table->sort, table->values[k], out);
        }
        str_add(out, "};\n");
    }
}

static const char prologue[] =
    "typedef unsigned char u8;\ntypedef unsigned short u16;\ntypedef unsigned u32;\n"
    "typedef unsigned long long u64;\ntypedef long long s64;\n"
    "union bits32 { u32 bits; float value; };\nunion bits64 { u64 bits; double value; };\n"
    "float fabsf(float), sqrtf(float), floorf(float), ceilf(float), truncf(float);\n"
    "float roundf(float), rintf(float);\n"
    "double fabs(double), sqrt(double), floor(double), ceil(double), trunc(double);\n"
    "double round(double), rint(double);\n"
    "u8 any_u8(void);\nu16 any_u16(void);\nu32 any_u32(void);\nu64 any_u64(void);\n"
    "float any_f32(void);\ndouble any_f64(void);\n"
    "#define NEGATIVE(x) ((sizeof(x) == 4 ? __CPROVER_signf(x) : __CPROVER_signd(x)) != 0)\n";

bool print_c(const struct terms *ts, const term_t *roots, size_t n, struct str *out) {
    bool *mark = mem_zalloc(ts->nodes.len, sizeof *mark), ok = true;
    term_mark(ts, roots, n, mark);
    str_add(out, prologue);
    add_tables(ts, out);
    str_add(out, "int main(void) {\n");
    for (term_t t = 1; t < ts->nodes.len && ok; t++)
        if (mark[t])
            ok = define(ts, t, out);
    str_add(out, "    __CPROVER_assert(!(1");
    struct str name = {0};
    for (size_t i = 0; i < n; i++)
        str_addf(out, " & %s", ref(ts, roots[i], &name));
    str_add(out, "), \"never all of them\");\n}\n");
    str_free(&name);
    mem_free(mark);
    return ok;
}
