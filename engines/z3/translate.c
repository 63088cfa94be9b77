/* One switch a family of operators; a node is translated after its arguments, from an explicit
 * stack. */
#include "engines/z3/translate.h"

#include "base/mem.h"
#include "model/term/round.h"

#include <assert.h>
#include <string.h>

/* Z3 reports mistakes to a handler that would end the program; they are looked for at the end.
 * Without memory it gives no expression, and none of those above it could be made. */
static void ignore_error(Z3_context context, Z3_error_code code) {
    (void)context;
    if (code == Z3_MEMOUT_FAIL)
        mem_exhausted("more for Z3");
}

void z3_translation_init(struct z3_translation *z, const struct terms *terms) {
    Z3_config config = Z3_mk_config();
    *z = (struct z3_translation){.terms = terms};
    z->context = Z3_mk_context(config);
    Z3_del_config(config);
    if (!z->context)
        mem_exhausted("more for Z3");
    Z3_set_error_handler(z->context, ignore_error);
}

void z3_expect_memory(Z3_context context, Z3_solver solver) {
    if (strstr(Z3_solver_get_reason_unknown(context, solver), "memory"))
        mem_exhausted("more for Z3");
}

void z3_translation_free(struct z3_translation *z) {
    for (size_t i = 0; i < z->frames.len; i++)
        vec_free(&z->frames.data[i]->of_term);
    vec_free(&z->frames);
    arena_free(&z->arena);
    vec_free(&z->todo);
    Z3_del_context(z->context);
}

struct z3_frame *z3_frame_new(struct z3_translation *z) {
    struct z3_frame *frame = arena_alloc(&z->arena, sizeof *frame);
    vec_push(&z->frames, frame);
    return frame;
}

static Z3_ast known(const struct z3_frame *frame, term_t t) {
    return t < frame->of_term.len ? frame->of_term.data[t] : NULL;
}

static void note(struct z3_translation *z, struct z3_frame *frame, term_t t, Z3_ast value) {
    assert(t < z->terms->nodes.len && !known(frame, t));
    if (t >= frame->of_term.len)
        vec_resize_zero(&frame->of_term, z->terms->nodes.len);
    frame->of_term.data[t] = value;
}

void z3_frame_bind(struct z3_translation *z, struct z3_frame *frame, term_t var, Z3_ast value) {
    assert(term_get(z->terms, var)->op == OP_VAR);
    note(z, frame, var, value);
}

/* ---- sorts and values ---- */

static Z3_sort sort_of(struct z3_translation *z, sort_t sort) {
    if (sort == SORT_BOOL)
        return Z3_mk_bool_sort(z->context);
    if (sort == SORT_F32)
        return Z3_mk_fpa_sort_single(z->context);
    if (sort == SORT_F64)
        return Z3_mk_fpa_sort_double(z->context);
    if (sort_is_number(sort))
        return sort == SORT_REAL ? Z3_mk_real_sort(z->context) : Z3_mk_int_sort(z->context);
    return Z3_mk_bv_sort(z->context, sort);
}

Z3_ast z3_value(struct z3_translation *z, sort_t sort, uint64_t bits) {
    if (sort == SORT_BOOL)
        return bits ? Z3_mk_true(z->context) : Z3_mk_false(z->context);
    if (!sort_is_float(sort))
        return Z3_mk_unsigned_int64(z->context, bits, sort_of(z, sort));
    if (bits_are_nan(sort, bits))
        return Z3_mk_fpa_nan(z->context, sort_of(z, sort));
    Z3_sort bv = Z3_mk_bv_sort(z->context, (unsigned)sort_width(sort));
    return Z3_mk_fpa_to_fp_bv(z->context, Z3_mk_unsigned_int64(z->context, bits, bv),
                              sort_of(z, sort));
}

static Z3_ast unknown(struct z3_translation *z, sort_t sort) {
    return Z3_mk_fresh_const(z->context, "x", sort_of(z, sort));
}

static Z3_ast inexact(struct z3_translation *z, sort_t sort) {
    z->approximated = true;
    return unknown(z, sort);
}

static Z3_ast both(struct z3_translation *z, Z3_ast a, Z3_ast b) {
    Z3_ast args[] = {a, b};
    return Z3_mk_and(z->context, 2, args);
}

/* ---- operators ---- */

static Z3_ast integer(struct z3_translation *z, enum op op, Z3_ast a, Z3_ast b) {
    Z3_context c = z->context;
    switch (op) {
    case OP_ADD:
        return Z3_mk_bvadd(c, a, b);
    case OP_SUB:
        return Z3_mk_bvsub(c, a, b);
    case OP_MUL:
        return Z3_mk_bvmul(c, a, b);
    case OP_UDIV:
        return Z3_mk_bvudiv(c, a, b);
    case OP_SDIV:
        return Z3_mk_bvsdiv(c, a, b);
    case OP_UREM:
        return Z3_mk_bvurem(c, a, b);
    case OP_SREM:
        return Z3_mk_bvsrem(c, a, b);
    case OP_SHL:
        return Z3_mk_bvshl(c, a, b);
    case OP_LSHR:
        return Z3_mk_bvlshr(c, a, b);
    case OP_ASHR:
        return Z3_mk_bvashr(c, a, b);
    case OP_BAND:
        return Z3_mk_bvand(c, a, b);
    case OP_BOR:
        return Z3_mk_bvor(c, a, b);
    case OP_BXOR:
        return Z3_mk_bvxor(c, a, b);
    case OP_ULT:
        return Z3_mk_bvult(c, a, b);
    case OP_ULE:
        return Z3_mk_bvule(c, a, b);
    case OP_SLT:
        return Z3_mk_bvslt(c, a, b);
    case OP_SLE:
        return Z3_mk_bvsle(c, a, b);
    default:
        return NULL;
    }
}

static Z3_ast logical(struct z3_translation *z, enum op op, const Z3_ast *arg) {
    Z3_context c = z->context;
    switch (op) {
    case OP_NOT:
        return Z3_mk_not(c, arg[0]);
    case OP_AND:
        return Z3_mk_and(c, 2, arg);
    case OP_OR:
        return Z3_mk_or(c, 2, arg);
    case OP_XOR:
        return Z3_mk_xor(c, arg[0], arg[1]);
    case OP_ITE:
        return Z3_mk_ite(c, arg[0], arg[1], arg[2]);
    case OP_EQ:
        return Z3_mk_eq(c, arg[0], arg[1]);
    default:
        return NULL;
    }
}

static Z3_ast unbounded(struct z3_translation *z, enum op op, const Z3_ast *arg) {
    Z3_context c = z->context;
    switch (op) {
    case OP_NADD:
        return Z3_mk_add(c, 2, arg);
    case OP_NMUL:
        return Z3_mk_mul(c, 2, arg);
    case OP_NLE:
        return Z3_mk_le(c, arg[0], arg[1]);
    default:
        return NULL;
    }
}

static Z3_ast resized(struct z3_translation *z, const struct term *t, Z3_ast a) {
    unsigned from = (unsigned)sort_width(term_sort(z->terms, t->arg[0])), to = t->sort;
    assert(a && t->arity >= 1 && from <= 64);
    switch (t->op) {
    case OP_ZEXT:
        return Z3_mk_zero_ext(z->context, to - from, a);
    case OP_SEXT:
        return Z3_mk_sign_ext(z->context, to - from, a);
    case OP_TRUNC:
        return Z3_mk_extract(z->context, to - 1, 0, a);
    case OP_B2I:
        return Z3_mk_ite(z->context, a, z3_value(z, t->sort, 1), z3_value(z, t->sort, 0));
    default:
        return NULL;
    }
}

/* ---- floating point ---- */

/* C: the other one if one is a NaN; of two zeros the negative one is the smaller. */
static Z3_ast least(struct z3_translation *z, Z3_ast a, Z3_ast b, bool max) {
    Z3_context c = z->context;
    Z3_ast first = max ? Z3_mk_fpa_lt(c, b, a) : Z3_mk_fpa_lt(c, a, b);
    Z3_ast second = max ? Z3_mk_fpa_lt(c, a, b) : Z3_mk_fpa_lt(c, b, a);
    Z3_ast tie = max ? Z3_mk_ite(c, Z3_mk_fpa_is_negative(c, a), b, a)
                     : Z3_mk_ite(c, Z3_mk_fpa_is_negative(c, a), a, b);
    Z3_ast number = Z3_mk_ite(c, first, a, Z3_mk_ite(c, second, b, tie));
    number = Z3_mk_ite(c, Z3_mk_fpa_is_nan(c, b), a, number);
    return Z3_mk_ite(c, Z3_mk_fpa_is_nan(c, a), b, number);
}

static Z3_ast rounded(struct z3_translation *z, enum op op, Z3_ast a) {
    Z3_context c = z->context;
    switch (op) {
    case OP_FFLOOR:
        return Z3_mk_fpa_round_to_integral(c, Z3_mk_fpa_rtn(c), a);
    case OP_FCEIL:
        return Z3_mk_fpa_round_to_integral(c, Z3_mk_fpa_rtp(c), a);
    case OP_FTRUNC:
        return Z3_mk_fpa_round_to_integral(c, Z3_mk_fpa_rtz(c), a);
    case OP_FROUND:
        return Z3_mk_fpa_round_to_integral(c, Z3_mk_fpa_rna(c), a);
    case OP_FRINT:
        return Z3_mk_fpa_round_to_integral(c, Z3_mk_fpa_rne(c), a);
    default:
        return NULL;
    }
}

/* NULL when the operator does not round. */
static Z3_ast by_mode(struct z3_translation *z, enum op op, sort_t to, Z3_ast mode,
                      const Z3_ast *arg) {
    Z3_context c = z->context;
    switch (op) {
    case OP_FADD:
        return Z3_mk_fpa_add(c, mode, arg[0], arg[1]);
    case OP_FSUB:
        return Z3_mk_fpa_sub(c, mode, arg[0], arg[1]);
    case OP_FMUL:
        return Z3_mk_fpa_mul(c, mode, arg[0], arg[1]);
    case OP_FDIV:
        return Z3_mk_fpa_div(c, mode, arg[0], arg[1]);
    case OP_FMA:
        return Z3_mk_fpa_fma(c, mode, arg[0], arg[1], arg[2]);
    case OP_FSQRT:
        return Z3_mk_fpa_sqrt(c, mode, arg[0]);
    case OP_F2F:
        return Z3_mk_fpa_to_fp_float(c, mode, arg[0], sort_of(z, to));
    default:
        return NULL;
    }
}

/* Away from zero, which is no mode of Z3: up where that is positive, down where that is negative.
 */
static Z3_ast away(struct z3_translation *z, enum op op, sort_t to, const Z3_ast *arg) {
    Z3_context c = z->context;
    Z3_ast up = by_mode(z, op, to, Z3_mk_fpa_rtp(c), arg);
    Z3_ast down = by_mode(z, op, to, Z3_mk_fpa_rtn(c), arg);
    Z3_ast zero = Z3_mk_fpa_zero(c, Z3_get_sort(c, up), false);
    Z3_ast falls = both(z, Z3_mk_not(c, Z3_mk_fpa_gt(c, up, zero)), Z3_mk_fpa_lt(c, down, zero));
    return Z3_mk_ite(c, falls, down, up);
}

static Z3_ast rounded_otherwise(struct z3_translation *z, enum op op, sort_t to,
                                const Z3_ast *arg) {
    struct op_rounding o = op_rounding(op);
    assert(o.how == 'Z' || o.how == 'A' || o.how == 'N');
    if (o.how == 'A')
        return away(z, o.nearest, to, arg);
    Z3_ast mode = o.how == 'Z' ? Z3_mk_fpa_rtz(z->context) : Z3_mk_fpa_rna(z->context);
    return by_mode(z, o.nearest, to, mode, arg);
}

static Z3_ast arithmetic(struct z3_translation *z, const struct term *t, const Z3_ast *arg) {
    Z3_context c = z->context;
    enum op op = (enum op)t->op;
    if (op_rounds_otherwise(op))
        return rounded_otherwise(z, op, t->sort, arg);
    Z3_ast nearest = by_mode(z, op, t->sort, Z3_mk_fpa_rne(c), arg);
    if (nearest)
        return nearest;
    switch (op) {
    case OP_FNEG:
        return Z3_mk_fpa_neg(c, arg[0]);
    case OP_FABS:
        return Z3_mk_fpa_abs(c, arg[0]);
    case OP_FMIN:
        return least(z, arg[0], arg[1], false);
    case OP_FMAX:
        return least(z, arg[0], arg[1], true);
    default:
        return rounded(z, op, arg[0]);
    }
}

static Z3_ast compared(struct z3_translation *z, enum op op, const Z3_ast *arg) {
    Z3_context c = z->context;
    switch (op) {
    case OP_FEQ:
        return Z3_mk_fpa_eq(c, arg[0], arg[1]);
    case OP_FLT:
        return Z3_mk_fpa_lt(c, arg[0], arg[1]);
    case OP_FLE:
        return Z3_mk_fpa_leq(c, arg[0], arg[1]);
    case OP_FISNAN:
        return Z3_mk_fpa_is_nan(c, arg[0]);
    case OP_FISINF:
        return Z3_mk_fpa_is_infinite(c, arg[0]);
    default:
        return NULL;
    }
}

/* Where a NaN is involved its sign and its bits are whatever they are. */
static Z3_ast unless_nan(struct z3_translation *z, sort_t sort, Z3_ast x, Z3_ast number) {
    return Z3_mk_ite(z->context, Z3_mk_fpa_is_nan(z->context, x), inexact(z, sort), number);
}

static Z3_ast copysign_of(struct z3_translation *z, sort_t sort, const Z3_ast *arg) {
    Z3_context c = z->context;
    Z3_ast size = Z3_mk_fpa_abs(c, arg[0]);
    Z3_ast by_sign = Z3_mk_ite(c, Z3_mk_fpa_is_negative(c, arg[1]), Z3_mk_fpa_neg(c, size), size);
    return unless_nan(z, sort, arg[1], by_sign);
}

/* Toward zero; 0 for a NaN and what does not fit. */
static Z3_ast to_integer(struct z3_translation *z, const struct term *t, Z3_ast a) {
    Z3_context c = z->context;
    bool is_signed = t->op == OP_F2S;
    assert(sort_is_int(t->sort) && sort_is_float(term_sort(z->terms, t->arg[0])));
    Z3_sort sort = Z3_get_sort(c, a);
    Z3_ast rtz = Z3_mk_fpa_rtz(c), whole = Z3_mk_fpa_round_to_integral(c, rtz, a);
    double above = 1, below = 0;
    for (int i = 0; i < t->sort - is_signed; i++)
        above *= 2;
    if (is_signed)
        below = -above;
    Z3_ast fits = both(z, Z3_mk_fpa_geq(c, whole, Z3_mk_fpa_numeral_double(c, below, sort)),
                       Z3_mk_fpa_lt(c, whole, Z3_mk_fpa_numeral_double(c, above, sort)));
    Z3_ast value =
        is_signed ? Z3_mk_fpa_to_sbv(c, rtz, a, t->sort) : Z3_mk_fpa_to_ubv(c, rtz, a, t->sort);
    return Z3_mk_ite(c, fits, value, z3_value(z, t->sort, 0));
}

static Z3_ast float_cast(struct z3_translation *z, const struct term *t, const Z3_ast *arg) {
    Z3_context c = z->context;
    Z3_ast rne = Z3_mk_fpa_rne(c);
    switch (t->op) {
    case OP_S2F:
        return Z3_mk_fpa_to_fp_signed(c, rne, arg[0], sort_of(z, t->sort));
    case OP_U2F:
        return Z3_mk_fpa_to_fp_unsigned(c, rne, arg[0], sort_of(z, t->sort));
    case OP_F2S:
    case OP_F2U:
        return to_integer(z, t, arg[0]);
    case OP_BITS2F:
        return Z3_mk_fpa_to_fp_bv(c, arg[0], sort_of(z, t->sort));
    case OP_F2BITS:
        return unless_nan(z, t->sort, arg[0], Z3_mk_fpa_to_ieee_bv(c, arg[0]));
    case OP_FSIGN:
        return unless_nan(z, SORT_BOOL, arg[0], Z3_mk_fpa_is_negative(c, arg[0]));
    case OP_FCOPYSIGN:
        return copysign_of(z, t->sort, arg);
    default:
        return NULL;
    }
}

/* ---- tables ---- */

/* The elements [lo, hi) by halving; an index past the end gives the last one. */
static Z3_ast elements(struct z3_translation *z, const struct term_table *table, Z3_ast index,
                       sort_t sort, size_t lo, size_t hi) {
    assert(lo < hi && hi <= table->len);
    if (hi - lo == 1)
        return z3_value(z, table->sort, table->values[lo]);
    size_t middle = lo + (hi - lo) / 2;
    if (sort < 64 && middle >> sort)
        return elements(z, table, index, sort, lo, middle);
    Z3_ast low = Z3_mk_bvult(z->context, index, z3_value(z, sort, middle));
    return Z3_mk_ite(z->context, low, elements(z, table, index, sort, lo, middle),
                     elements(z, table, index, sort, middle, hi));
}

static Z3_ast table(struct z3_translation *z, const struct term *t, Z3_ast index) {
    enum { LONGEST = 1 << 16 };
    const struct term_table *values = &z->terms->tables.data[t->payload];
    if (values->len == 0 || values->len > LONGEST)
        return inexact(z, t->sort);
    return elements(z, values, index, term_sort(z->terms, t->arg[0]), 0, values->len);
}

/* ---- terms ---- */

/* Z3 makes a circuit of each operation before its own count of effort begins. What multiplies or
 * divides grows with the square of the width, of a float with that of its significand. */
static uint64_t gates(const struct z3_translation *z, const struct term *t) {
    enum { SIGNIFICAND_F32 = 24, SIGNIFICAND_F64 = 53, ROUNDED = 100, SQUARE = 10, DIVIDED = 2 };
    sort_t from = t->arity > 0 ? term_sort(z->terms, t->arg[t->arity - 1]) : t->sort;
    bool floats = sort_is_float(t->sort) || sort_is_float(from);
    bool wide = t->sort == SORT_F64 || from == SORT_F64;
    uint64_t bits = floats              ? (wide ? SIGNIFICAND_F64 : SIGNIFICAND_F32)
                    : sort_is_int(from) ? (uint64_t)from
                                        : 1;
    switch (t->op) {
    case OP_MUL:
    case OP_FMUL:
    case OP_FMA:
        return bits * bits * SQUARE;
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM:
    case OP_FDIV:
    case OP_FSQRT:
        return bits * bits * SQUARE * DIVIDED;
    default:
        return floats && t->sort != SORT_BOOL ? bits * ROUNDED : bits;
    }
}

static Z3_ast encode_node(struct z3_translation *z, const struct term *t, const Z3_ast *arg) {
    assert(t->op < OP_COUNT && t->arity <= 3);
    bool logic = t->op >= OP_NOT && t->op <= OP_EQ;
    if (t->op == OP_CONST && sort_is_number(t->sort))
        return Z3_mk_numeral(z->context, intern_text(&z->terms->numbers, (uint32_t)t->payload),
                             sort_of(z, t->sort));
    if (t->op == OP_CONST)
        return z3_value(z, t->sort, t->payload);
    if (t->op == OP_VAR)
        return unknown(z, t->sort);
    if (t->op == OP_TABLE)
        return table(z, t, arg[0]);
    Z3_ast said =
        logic ? logical(z, (enum op)t->op, arg) : integer(z, (enum op)t->op, arg[0], arg[1]);
    said = said ? said : unbounded(z, (enum op)t->op, arg);
    said = said ? said : resized(z, t, arg[0]);
    if (said)
        return said;
    said = compared(z, (enum op)t->op, arg);
    said = said ? said : float_cast(z, t, arg);
    said = said ? said : arithmetic(z, t, arg);
    return said ? said : inexact(z, t->sort);
}

static void encode_known(struct z3_translation *z, struct z3_frame *frame, term_t i) {
    const struct term *t = term_get(z->terms, i);
    Z3_ast arg[3] = {0};
    for (int a = 0; a < t->arity; a++)
        arg[a] = known(frame, t->arg[a]);
    z->floats |= sort_is_float(t->sort);
    z->gates += gates(z, t);
    note(z, frame, i, encode_node(z, t, arg));
}

/* The arguments that are not encoded yet come first. */
static void encode_below(struct z3_translation *z, struct z3_frame *frame, term_t root) {
    vec_push(&z->todo, root);
    while (z->todo.len > 0) {
        term_t i = vec_last(&z->todo);
        const struct term *t = term_get(z->terms, i);
        size_t before = z->todo.len;
        for (int a = 0; !known(frame, i) && a < t->arity; a++)
            if (!known(frame, t->arg[a]))
                vec_push(&z->todo, t->arg[a]);
        if (z->todo.len > before)
            continue;
        (void)vec_pop(&z->todo);
        if (!known(frame, i))
            encode_known(z, frame, i);
    }
}

void z3_encode(struct z3_translation *z, struct z3_frame *frame, const term_t *roots, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (roots[i] && !known(frame, roots[i]))
            encode_below(z, frame, roots[i]);
}

Z3_ast z3_encoded(const struct z3_frame *frame, term_t root) {
    assert(known(frame, root));
    return known(frame, root);
}
