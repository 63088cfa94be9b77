/* Rules for casts: chains collapse, what loses nothing is undone. */
#include "model/term/simplify.h"

/* Can every value of an integer with these bounds be held exactly by the float sort? */
static bool exact_in(sort_t real, struct int_bounds b, bool is_signed) {
    assert(sort_is_float(real) && b.slo <= b.shi && b.ulo <= b.uhi);
    int64_t limit = (int64_t)1 << (real == SORT_F32 ? 24 : 53);
    if (is_signed)
        return b.slo >= -limit && b.shi <= limit;
    return b.uhi <= (uint64_t)limit;
}

/* ---- between integers ---- */

/* A cast of a choice of two constants is the choice of two casts. */
static term_t cast_choice(struct terms *ts, enum op op, sort_t to, term_t a) {
    if (!term_is(ts, a, OP_ITE))
        return 0;
    struct term ite = *term_get(ts, a);
    if (!term_is_const(ts, ite.arg[1]) || !term_is_const(ts, ite.arg[2]))
        return 0;
    term_t x = term_cast(ts, op, to, ite.arg[1]), y = term_cast(ts, op, to, ite.arg[2]);
    return term_ite(ts, ite.arg[0], x, y);
}

static term_t simplify_trunc(struct terms *ts, sort_t to, term_t a) {
    assert(to < term_sort(ts, a));
    struct term node = *term_get(ts, a);
    sort_t from = node.arity ? term_sort(ts, node.arg[0]) : 0;
    switch (node.op) {
    case OP_ZEXT:
    case OP_SEXT:
        return from >= to ? term_cast(ts, OP_TRUNC, to, node.arg[0])
                          : term_cast(ts, node.op, to, node.arg[0]);
    case OP_TRUNC:
    case OP_B2I:
        return term_cast(ts, node.op, to, node.arg[0]);
    case OP_BAND:
        if (term_is_const(ts, node.arg[1]) &&
            (term_bits(ts, node.arg[1]) & int_mask(to)) == int_mask(to))
            return term_cast(ts, OP_TRUNC, to, node.arg[0]);
        return 0;
    default:
        return 0;
    }
}

static term_t simplify_zext(struct terms *ts, sort_t to, term_t a) {
    assert(to > term_sort(ts, a));
    struct term node = *term_get(ts, a);
    if (node.op == OP_ZEXT || node.op == OP_B2I)
        return term_cast(ts, node.op, to, node.arg[0]);
    if (node.op == OP_TRUNC && term_sort(ts, node.arg[0]) == to &&
        term_int_bounds(ts, node.arg[0]).uhi <= int_mask(node.sort))
        return node.arg[0];
    return 0;
}

static term_t simplify_sext(struct terms *ts, sort_t to, term_t a) {
    assert(to > term_sort(ts, a));
    struct term node = *term_get(ts, a);
    if (node.op == OP_SEXT)
        return term_cast(ts, OP_SEXT, to, node.arg[0]);
    if (node.op == OP_B2I && node.sort == 1)
        return term_ite(ts, node.arg[0], term_int(ts, to, -1), term_int(ts, to, 0));
    if (term_int_bounds(ts, a).slo >= 0)
        return term_cast(ts, OP_ZEXT, to, a);
    if (node.op == OP_TRUNC && term_sort(ts, node.arg[0]) == to) {
        struct int_bounds b = term_int_bounds(ts, node.arg[0]);
        int64_t most = (int64_t)(int_mask(node.sort) >> 1);
        if (b.slo >= -most - 1 && b.shi <= most)
            return node.arg[0];
    }
    return 0;
}

/* ---- between integers and floats ---- */

static term_t simplify_int_to_float(struct terms *ts, enum op op, sort_t to, term_t a) {
    assert(sort_is_float(to));
    struct term node = *term_get(ts, a);
    if (node.op == OP_ZEXT && node.sort > term_sort(ts, node.arg[0]))
        return term_cast(ts, OP_U2F, to, node.arg[0]);
    if (node.op == OP_SEXT && op == OP_S2F)
        return term_cast(ts, OP_S2F, to, node.arg[0]);
    if (op == OP_S2F && term_int_bounds(ts, a).slo >= 0)
        return term_cast(ts, OP_U2F, to, a);
    return 0;
}

/* The integer from which the float `a` was made without loss, in `width` bits (value kept modulo
 * 2^width); 0 if there is none, or if it might not fit the target's range. */
static term_t simplify_float_to_int(struct terms *ts, enum op op, sort_t to, term_t a) {
    assert(sort_is_int(to));
    struct term node = *term_get(ts, a);
    if (node.op == OP_F2F && node.sort == SORT_F64)
        return term_cast(ts, op, to, node.arg[0]);
    if (node.op != OP_S2F && node.op != OP_U2F)
        return 0;
    bool was_signed = node.op == OP_S2F;
    struct int_bounds b = term_int_bounds(ts, node.arg[0]);
    if (!exact_in(node.sort, b, was_signed))
        return 0;
    int64_t lo = was_signed ? b.slo : (int64_t)b.ulo, hi = was_signed ? b.shi : (int64_t)b.uhi;
    struct int_bounds fits = {0, int_mask(to), ordinal_min(to, true), ordinal_max(to, true)};
    bool fit =
        op == OP_F2S ? lo >= fits.slo && hi <= fits.shi : lo >= 0 && (uint64_t)hi <= fits.uhi;
    if (!fit)
        return 0;
    if (to <= term_sort(ts, node.arg[0]))
        return term_cast(ts, OP_TRUNC, to, node.arg[0]);
    return term_cast(ts, was_signed ? OP_SEXT : OP_ZEXT, to, node.arg[0]);
}

/* ---- between floats ---- */

/* Rounding to float32 the float64 result of one operation on float32 values is the operation in
 * float32: 53 >= 2 * 24 + 2 digits make the first rounding harmless (Figueroa). */
static term_t round_in_f32(struct terms *ts, struct term node) {
    assert(node.sort == SORT_F64);
    term_t args[2] = {0};
    if (node.op != OP_FADD && node.op != OP_FSUB && node.op != OP_FMUL && node.op != OP_FDIV &&
        node.op != OP_FSQRT)
        return 0;
    for (int i = 0; i < node.arity; i++) {
        struct term arg = *term_get(ts, node.arg[i]);
        if (arg.op == OP_F2F) {
            args[i] = arg.arg[0];
        } else if (arg.op == OP_CONST) {
            term_t narrow = term_cast(ts, OP_F2F, SORT_F32, node.arg[i]);
            if (term_cast(ts, OP_F2F, SORT_F64, narrow) != node.arg[i])
                return 0;
            args[i] = narrow;
        }
        if (!args[i] || term_sort(ts, args[i]) != SORT_F32)
            return 0;
    }
    return node.arity == 1 ? term_op1(ts, node.op, args[0])
                           : term_op2(ts, node.op, args[0], args[1]);
}

static term_t simplify_f2f(struct terms *ts, sort_t to, term_t a) {
    struct term node = *term_get(ts, a);
    if (node.sort == to)
        return a;
    if (node.op == OP_FNEG || node.op == OP_FABS)
        return term_op1(ts, node.op, term_cast(ts, OP_F2F, to, node.arg[0]));
    if (to == SORT_F32 && node.op == OP_F2F && term_sort(ts, node.arg[0]) == SORT_F32)
        return node.arg[0];
    if (node.op == OP_S2F || node.op == OP_U2F) {
        bool is_signed = node.op == OP_S2F;
        if (exact_in(node.sort, term_int_bounds(ts, node.arg[0]), is_signed))
            return term_cast(ts, node.op, to, node.arg[0]);
    }
    return to == SORT_F32 ? round_in_f32(ts, node) : 0;
}

static term_t simplify_reinterpret(struct terms *ts, enum op op, term_t a) {
    struct term node = *term_get(ts, a);
    /* not the other way round: bits2f makes NaNs canonical */
    return op == OP_BITS2F && node.op == OP_F2BITS ? node.arg[0] : 0;
}

static bool between_ints(enum op op) {
    return op == OP_ZEXT || op == OP_SEXT || op == OP_TRUNC;
}

term_t simplify_cast(struct terms *ts, enum op op, sort_t to, term_t a) {
    if (between_ints(op) && term_sort(ts, a) == to)
        return a;
    term_t simple = cast_choice(ts, op, to, a);
    if (simple)
        return simple;
    switch (op) {
    case OP_ZEXT:
        return simplify_zext(ts, to, a);
    case OP_SEXT:
        return simplify_sext(ts, to, a);
    case OP_TRUNC:
        return simplify_trunc(ts, to, a);
    case OP_S2F:
    case OP_U2F:
        return simplify_int_to_float(ts, op, to, a);
    case OP_F2S:
    case OP_F2U:
        return simplify_float_to_int(ts, op, to, a);
    case OP_F2F:
        return simplify_f2f(ts, to, a);
    case OP_F2FZ:
    case OP_F2FA:
    case OP_F2FN: /* nothing is rounded but in going from float64 to float32 */
        return to == SORT_F64 || term_sort(ts, a) == to ? term_cast(ts, OP_F2F, to, a) : 0;
    case OP_BITS2F:
    case OP_F2BITS:
        return simplify_reinterpret(ts, op, a);
    default:
        assert(op == OP_B2I);
        return 0;
    }
}
