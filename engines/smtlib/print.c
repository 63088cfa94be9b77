/* Terms as SMT-LIB 2: see smtlib/print.h. Names: `v<index>` for variables, `t<index>` for the rest.
 */
#include "engines/smtlib/print.h"
#include "base/mem.h"
#include "engines/smtlib/parts.h"
#include "model/term/number.h"
#include "model/term/round.h"

#include <assert.h>

static const char *const names[OP_COUNT] = {
    [OP_NOT] = "not",
    [OP_AND] = "and",
    [OP_OR] = "or",
    [OP_XOR] = "xor",
    [OP_ITE] = "ite",
    [OP_EQ] = "=",
    [OP_ADD] = "bvadd",
    [OP_SUB] = "bvsub",
    [OP_MUL] = "bvmul",
    [OP_UDIV] = "bvudiv",
    [OP_SDIV] = "bvsdiv",
    [OP_UREM] = "bvurem",
    [OP_SREM] = "bvsrem",
    [OP_SHL] = "bvshl",
    [OP_LSHR] = "bvlshr",
    [OP_ASHR] = "bvashr",
    [OP_BAND] = "bvand",
    [OP_BOR] = "bvor",
    [OP_BXOR] = "bvxor",
    [OP_ULT] = "bvult",
    [OP_ULE] = "bvule",
    [OP_SLT] = "bvslt",
    [OP_SLE] = "bvsle",
    [OP_FADD] = "fp.add RNE",
    [OP_FSUB] = "fp.sub RNE",
    [OP_FMUL] = "fp.mul RNE",
    [OP_FDIV] = "fp.div RNE",
    [OP_FMA] = "fp.fma RNE",
    [OP_FREM] = "fp.rem",
    [OP_FNEG] = "fp.neg",
    [OP_FABS] = "fp.abs",
    [OP_FSQRT] = "fp.sqrt RNE",
    [OP_FFLOOR] = "fp.roundToIntegral RTN",
    [OP_FCEIL] = "fp.roundToIntegral RTP",
    [OP_FTRUNC] = "fp.roundToIntegral RTZ",
    [OP_FROUND] = "fp.roundToIntegral RNA",
    [OP_FRINT] = "fp.roundToIntegral RNE",
    [OP_FEQ] = "fp.eq",
    [OP_FLT] = "fp.lt",
    [OP_FLE] = "fp.leq",
    [OP_FISNAN] = "fp.isNaN",
    [OP_FISINF] = "fp.isInfinite",
    [OP_NADD] = "+",
    [OP_NMUL] = "*",
    [OP_NLE] = "<=",
};

static void print_sort(sort_t sort, struct str *out) {
    if (sort == SORT_BOOL)
        str_add(out, "Bool");
    else if (sort_is_number(sort))
        str_add(out, sort == SORT_REAL ? "Real" : "Int");
    else if (sort_is_float(sort))
        str_add(out, sort == SORT_F32 ? "(_ FloatingPoint 8 24)" : "(_ FloatingPoint 11 53)");
    else
        str_addf(out, "(_ BitVec %d)", sort);
}

static void print_bits(uint64_t bits, int width, struct str *out) {
    assert(0 < width && width <= 64);
    str_add(out, "#b");
    for (int i = width - 1; i >= 0; i--)
        str_addc(out, bits >> i & 1 ? '1' : '0');
}

static void print_const(sort_t sort, uint64_t bits, struct str *out) {
    if (sort == SORT_BOOL) {
        str_add(out, bits ? "true" : "false");
        return;
    }
    if (sort_is_float(sort)) {
        str_addf(out, "((_ to_fp %s) ", sort == SORT_F32 ? "8 24" : "11 53");
        print_bits(bits, sort_width(sort), out);
        str_addc(out, ')');
        return;
    }
    print_bits(bits, sort, out);
}

/* -1/3 as (- (/ 1.0 3.0)) */
static void print_number(const struct terms *ts, term_t t, struct str *out) {
    const char *text = term_number_text(ts, t), *point = term_sort(ts, t) == SORT_REAL ? ".0" : "";
    bool negative = text[0] == '-';
    const char *top = text + negative, *slash = strchr(top, '/');
    str_add(out, negative ? "(- " : "");
    if (slash)
        str_addf(out, "(/ %.*s.0 %s.0)", (int)(slash - top), top, slash + 1);
    else
        str_addf(out, "%s%s", top, point);
    str_add(out, negative ? ")" : "");
}

static void print_ref(const struct terms *ts, term_t t, struct str *out) {
    assert(t && t < ts->nodes.len);
    const struct term *term = term_get(ts, t);
    if (term->op == OP_CONST && sort_is_number(term->sort))
        print_number(ts, t, out);
    else if (term->op == OP_CONST)
        print_const(term->sort, term->payload, out);
    else
        str_addf(out, term->op == OP_VAR ? "v%u" : "t%u", t);
}

static void print_to_float(const struct terms *ts, const struct term *t, const char *more,
                           struct str *out) {
    const char *format = t->sort == SORT_F32 ? "8 24" : "11 53";
    str_addf(out, "((_ %s %s)%s ", t->op == OP_U2F ? "to_fp_unsigned" : "to_fp", format, more);
    print_ref(ts, t->arg[0], out);
    str_addc(out, ')');
}

/* Out of range gives 0 in terms and anything in SMT-LIB, so the range is tested first: the greatest
 * float below 2^n truncates into the range, and so does every smaller one. */
static void print_to_int(const struct terms *ts, const struct term *t, struct str *out) {
    assert(sort_is_int(t->sort) && sort_is_float(term_sort(ts, t->arg[0])));
    bool is_signed = t->op == OP_F2S;
    sort_t from = term_sort(ts, t->arg[0]);
    double top = 1;
    for (int i = 0; i < t->sort - is_signed; i++)
        top *= 2;
    str_add(out, "(ite (and (fp.lt ");
    struct str low = {0};
    str_add(&low, "(fp.roundToIntegral RTZ ");
    print_ref(ts, t->arg[0], &low);
    str_add(&low, ")");
    str_addf(out, "%s ", str_text(&low));
    print_const(from, from == SORT_F32 ? f32_bits((float)top) : f64_bits(top), out);
    str_addf(out, ") (fp.geq %s ", str_text(&low));
    double bottom = is_signed ? -top : 0;
    print_const(from, from == SORT_F32 ? f32_bits((float)bottom) : f64_bits(bottom), out);
    str_addf(out, ")) ((_ %s %d) RTZ ", is_signed ? "fp.to_sbv" : "fp.to_ubv", t->sort);
    print_ref(ts, t->arg[0], out);
    str_add(out, ") ");
    print_bits(0, t->sort, out);
    str_addc(out, ')');
    str_free(&low);
}

static bool print_cast(const struct terms *ts, const struct term *t, struct str *out) {
    int from = sort_width(term_sort(ts, t->arg[0]));
    switch (t->op) {
    case OP_ZEXT:
    case OP_SEXT:
        str_addf(out, "((_ %s_extend %d) ", t->op == OP_ZEXT ? "zero" : "sign", t->sort - from);
        print_ref(ts, t->arg[0], out);
        break;
    case OP_TRUNC:
        str_addf(out, "((_ extract %d 0) ", t->sort - 1);
        print_ref(ts, t->arg[0], out);
        break;
    case OP_B2I:
        str_add(out, "(ite ");
        print_ref(ts, t->arg[0], out);
        str_addc(out, ' ');
        print_bits(1, t->sort, out);
        str_addc(out, ' ');
        print_bits(0, t->sort, out);
        break;
    case OP_F2F:
    case OP_S2F:
    case OP_U2F:
        print_to_float(ts, t, " RNE", out);
        return true;
    case OP_BITS2F:
        print_to_float(ts, t, "", out);
        return true;
    case OP_F2S:
    case OP_F2U:
        print_to_int(ts, t, out);
        return true;
    default:
        return false;
    }
    str_addc(out, ')');
    return true;
}

/* Element by element; an index from the length on reads the last one. */
static void print_table(const struct terms *ts, const struct term *t, struct str *out) {
    assert(ts->tables.data[t->payload].len > 0);
    const struct term_table *table = &ts->tables.data[t->payload];
    sort_t index = term_sort(ts, t->arg[0]);
    size_t n = 0;
    for (; n + 1 < table->len && (index >= 63 || n < (size_t)1 << index); n++) {
        str_add(out, "(ite (= ");
        print_ref(ts, t->arg[0], out);
        str_addc(out, ' ');
        print_bits(n, index, out);
        str_add(out, ") ");
        print_const(t->sort, table->values[n], out);
        str_addc(out, ' ');
    }
    print_const(t->sort, table->values[n < table->len ? n : table->len - 1], out);
    for (size_t i = 0; i < n; i++)
        str_addc(out, ')');
}

static void print_in_mode(const struct terms *ts, const struct term *t, const char *mode,
                          struct str *out) {
    enum op nearest = op_rounding((enum op)t->op).nearest;
    if (nearest == OP_F2F) {
        str_addc(out, ' ');
        print_to_float(ts, t, mode, out);
        return;
    }
    const char *name = names[nearest];
    str_addf(out, " (%.*s%s", (int)(strchr(name, ' ') - name), name, mode);
    for (int i = 0; i < t->arity; i++) {
        str_addc(out, ' ');
        print_ref(ts, t->arg[i], out);
    }
    str_addc(out, ')');
}

/* Away from zero is no mode of SMT-LIB: down where that is negative and up is not positive, else
 * up. */
static void print_rounded_otherwise(const struct terms *ts, const struct term *t, struct str *out) {
    assert(sort_is_float(t->sort));
    char how = op_rounding((enum op)t->op).how;
    if (how != 'A') {
        struct str text = {0};
        print_in_mode(ts, t, how == 'Z' ? " RTZ" : " RNA", &text);
        str_add(out, str_text(&text) + 1);
        str_free(&text);
        return;
    }
    const char *zero = t->sort == SORT_F32 ? " (_ +zero 8 24)" : " (_ +zero 11 53)";
    str_add(out, "(ite (and (not (fp.gt");
    print_in_mode(ts, t, " RTP", out);
    str_addf(out, "%s)) (fp.lt", zero);
    print_in_mode(ts, t, " RTN", out);
    str_addf(out, "%s))", zero);
    print_in_mode(ts, t, " RTN", out);
    print_in_mode(ts, t, " RTP", out);
    str_addc(out, ')');
}

static bool print_node(const struct terms *ts, const struct term *t, struct str *out) {
    if (t->op == OP_TABLE) {
        print_table(ts, t, out);
        return true;
    }
    if (op_rounds_otherwise(t->op)) {
        print_rounded_otherwise(ts, t, out);
        return true;
    }
    if (!names[t->op])
        return print_cast(ts, t, out);
    str_addf(out, "(%s", names[t->op]);
    for (int i = 0; i < t->arity; i++) {
        str_addc(out, ' ');
        print_ref(ts, t->arg[i], out);
    }
    str_addc(out, ')');
    return true;
}

static bool print_definition(const struct terms *ts, term_t t, struct str *out) {
    const struct term *term = term_get(ts, t);
    if (term->op == OP_CONST)
        return true;
    str_addf(out, "(%s ", term->op == OP_VAR ? "declare-fun" : "define-fun");
    print_ref(ts, t, out);
    str_add(out, " () ");
    print_sort(term->sort, out);
    str_addc(out, ' ');
    bool ok = term->op == OP_VAR || print_node(ts, term, out);
    str_add(out, ")\n");
    return ok;
}

bool print_smt(const struct terms *ts, const term_t *roots, size_t n, struct str *out) {
    bool *mark = mem_zalloc(ts->nodes.len, sizeof *mark), ok = true;
    term_mark(ts, roots, n, mark);
    str_add(out, "(set-logic QF_BVFP)\n");
    for (term_t t = 1; t < ts->nodes.len && ok; t++)
        if (mark[t])
            ok = print_definition(ts, t, out);
    for (size_t i = 0; i < n; i++) {
        str_add(out, "(assert ");
        print_ref(ts, roots[i], out);
        str_add(out, ")\n");
    }
    str_add(out, "(check-sat)\n");
    mem_free(mark);
    return ok;
}

/* The body as nested lets, a term each. */
static bool print_lets(const struct terms *ts, term_t body, struct str *out) {
    bool *mark = mem_zalloc(ts->nodes.len, sizeof *mark), ok = true;
    size_t open = 0;
    term_mark(ts, &body, 1, mark);
    for (term_t t = 1; t <= body && ok; t++) {
        const struct term *term = term_get(ts, t);
        if (!mark[t] || term->op == OP_CONST || term->op == OP_VAR)
            continue;
        str_addf(out, "  (let ((t%u ", t);
        ok = print_node(ts, term, out);
        str_add(out, "))\n");
        open++;
    }
    str_add(out, "  ");
    print_ref(ts, body, out);
    for (; open > 0; open--)
        str_addc(out, ')');
    mem_free(mark);
    return ok;
}

static void print_variable(const struct terms *ts, term_t var, struct str *out) {
    str_addf(out, "(v%u ", var);
    print_sort(term_sort(ts, var), out);
    str_addc(out, ')');
}

/* "(forall (…) " for variables of the body that are no parameters, if there are any. */
static bool print_quantifier(const struct terms *ts, const term_t *params, size_t n, term_t body,
                             struct str *out) {
    bool *mark = mem_zalloc(ts->nodes.len, sizeof *mark), any = false;
    term_mark(ts, &body, 1, mark);
    for (size_t i = 0; i < n; i++)
        mark[params[i]] = false;
    for (size_t v = 0; v < ts->vars.len; v++) {
        if (!mark[ts->vars.data[v].term])
            continue;
        str_add(out, any ? " " : "  (forall (");
        print_variable(ts, ts->vars.data[v].term, out);
        any = true;
    }
    str_add(out, any ? ")\n" : "");
    mem_free(mark);
    return any;
}

bool print_smt_function(const struct terms *ts, const char *name, const term_t *params, size_t n,
                        term_t body, struct str *out) {
    str_add(out, "(define-fun ");
    smt_print_symbol(out, name);
    str_add(out, " (");
    for (size_t i = 0; i < n; i++) {
        str_add(out, i ? " " : "");
        print_variable(ts, params[i], out);
    }
    str_add(out, ") Bool\n");
    bool quantified = print_quantifier(ts, params, n, body, out);
    bool ok = print_lets(ts, body, out);
    str_add(out, quantified ? "))\n" : ")\n");
    return ok;
}
