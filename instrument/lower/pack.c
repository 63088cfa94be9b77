/* Each operation is tried as a movement of parts; where it is none, the pack is put together and
 * the operation done on the whole word. */
#include "instrument/lower/pack.h"

#include "instrument/lower/lowering.h"

enum { FIELD_DEPTH = 6 };

static value_t number(struct lowering *lw, uint32_t bits, uint64_t value) {
    return term_int(lw->ts, (sort_t)bits, (int64_t)value);
}

static bool is_number(const struct lowering *lw, value_t v, uint64_t *bits) {
    if (!value_is_plain(v) || !term_is_const(lw->ts, v) || !sort_is_int(term_sort(lw->ts, v)))
        return false;
    *bits = term_get(lw->ts, v)->payload;
    return true;
}

/* ---- numbers that are a field at a place, with zeros around ---- */

/* Appends the parts of a value; zeros join zeros before them. A seam between two stretches of zeros
 * would cut the field that comes to lie there. */
static void add_parts_of(struct lowering *lw, value_t v, uint32_t bits, struct part_list *out) {
    uint32_t n = value_is(lw, v, VALUE_PACK) ? value_special(lw, v)->n : 1;
    for (uint32_t i = 0; i < n; i++) {
        struct part p = value_is(lw, v, VALUE_PACK) ? value_part(lw, v, i) : (struct part){v, bits};
        struct part *last = out->len ? &vec_last(out) : NULL;
        uint64_t low, high;
        if (last && last->bits + p.bits <= 64 && is_number(lw, last->value, &low) && low == 0 &&
            is_number(lw, p.value, &high) && high == 0) {
            last->bits += p.bits;
            last->value = number(lw, last->bits, 0);
        } else {
            vec_push(out, p);
        }
    }
}

static value_t join_two(struct lowering *lw, value_t low, uint32_t low_bits, value_t high,
                        uint32_t high_bits) {
    struct part_list parts = {0};
    add_parts_of(lw, low, low_bits, &parts);
    add_parts_of(lw, high, high_bits, &parts);
    value_t v = value_join(lw, parts.data, parts.len);
    vec_free(&parts);
    return v;
}

static value_t moved(struct lowering *lw, value_t v, uint32_t bits, uint32_t by, bool up) {
    if (by == 0)
        return v;
    value_t zeros = number(lw, by, 0);
    return up ? join_two(lw, zeros, by, value_extract(lw, v, bits, 0, bits - by), bits - by)
              : join_two(lw, value_extract(lw, v, bits, by, bits - by), bits - by, zeros, by);
}

static bool low_mask(uint64_t mask, uint32_t *bits) {
    *bits = mask ? 64 - (uint32_t)__builtin_clzll(mask) : 0;
    return mask && (mask & (mask + 1)) == 0;
}

/* The term as a pack when it is a masked, shifted or extended number; else the term. */
static value_t field_form(struct lowering *lw, term_t t, int depth) {
    const struct term node = *term_get(lw->ts, t);
    uint32_t bits = node.sort, low;
    uint64_t n;
    if (depth == 0 || node.arity == 0)
        return t;
    if (node.op == OP_ZEXT) {
        uint32_t from = term_sort(lw->ts, node.arg[0]);
        value_t inner = field_form(lw, node.arg[0], depth - 1);
        return join_two(lw, inner, from, number(lw, bits - from, 0), bits - from);
    }
    if (node.arity != 2 || !is_number(lw, node.arg[1], &n))
        return t;
    if (node.op == OP_BAND && low_mask(n, &low) && low < bits)
        return join_two(lw, value_extract(lw, node.arg[0], bits, 0, low), low,
                        number(lw, bits - low, 0), bits - low);
    bool power = node.op == OP_MUL && n && (n & (n - 1)) == 0;
    uint64_t by = power ? (uint64_t)__builtin_ctzll(n) : n;
    if ((power || node.op == OP_SHL || node.op == OP_LSHR) && by < bits)
        return moved(lw, field_form(lw, node.arg[0], depth - 1), bits, (uint32_t)by,
                     node.op != OP_LSHR);
    return t;
}

/* ---- bit by bit ---- */

static value_t piece_binary(struct lowering *lw, LLVMOpcode opcode, struct part a, struct part b) {
    uint64_t n;
    if (is_number(lw, a.value, &n)) {
        struct part swap = a;
        a = b;
        b = swap;
    }
    sort_t sort = (sort_t)a.bits;
    bool constant = is_number(lw, b.value, &n);
    bool ones = constant && n == (UINT64_MAX >> (64 - a.bits));
    if (constant && opcode == LLVMAnd && (n == 0 || ones))
        return ones ? a.value : b.value;
    if (constant && opcode != LLVMAnd && n == 0)
        return a.value;
    if (ones && opcode == LLVMOr)
        return b.value;
    struct scalar x = value_as(lw, a.value, sort), y = value_as(lw, b.value, sort);
    enum op op = opcode == LLVMAnd ? OP_BAND : opcode == LLVMOr ? OP_BOR : OP_BXOR;
    return value_scalar(
        lw, (struct scalar){term_op2(lw->ts, op, x.term, y.term), taint_or(lw, x.taint, y.taint)});
}

/* A mask is cut where it changes between zeros and ones. */
static value_t cut_mask(struct lowering *lw, uint64_t mask, uint32_t bits) {
    struct part_list parts = {0};
    for (uint32_t at = 0; at < bits;) {
        uint32_t end = at + 1;
        while (end < bits && (mask >> end & 1) == (mask >> at & 1))
            end++;
        vec_push(&parts, (struct part){number(lw, end - at, mask >> at), end - at});
        at = end;
    }
    value_t v = value_join(lw, parts.data, parts.len);
    vec_free(&parts);
    return v;
}

static value_t as_fields(struct lowering *lw, value_t v, uint32_t bits) {
    uint64_t mask;
    if (is_number(lw, v, &mask))
        return cut_mask(lw, mask, bits);
    if (value_is_plain(v) && sort_is_int(term_sort(lw->ts, v)))
        return field_form(lw, v, FIELD_DEPTH);
    return v;
}

static value_t bitwise(struct lowering *lw, LLVMOpcode opcode, value_t a, value_t b,
                       uint32_t bits) {
    a = as_fields(lw, a, bits);
    b = as_fields(lw, b, bits);
    if (!value_align(lw, &a, &b) || !value_is(lw, a, VALUE_PACK))
        return VALUE_NONE;
    struct part_list parts = {0};
    for (uint32_t i = 0; i < value_special(lw, a)->n; i++) {
        struct part p = value_part(lw, a, i);
        p.value = piece_binary(lw, opcode, p, value_part(lw, b, i));
        vec_push(&parts, p);
    }
    value_t v = value_join(lw, parts.data, parts.len);
    vec_free(&parts);
    return v;
}

/* ---- shifts ---- */

/* The topmost part, a number, widened by copies of its sign. */
static value_t shift_signed(struct lowering *lw, value_t v, uint32_t bits, uint32_t by) {
    value_t rest = value_extract(lw, v, bits, by, bits - by);
    uint32_t top_bits = bits - by, low = 0;
    value_t top = rest;
    if (value_is(lw, rest, VALUE_PACK)) {
        struct part last = value_part(lw, rest, value_special(lw, rest)->n - 1);
        top = last.value;
        low = top_bits - last.bits;
        top_bits = last.bits;
    }
    struct scalar s = value_as(lw, top, (sort_t)top_bits);
    s.term = term_cast(lw->ts, OP_SEXT, (sort_t)(top_bits + by), s.term);
    top = value_scalar(lw, s);
    if (!low)
        return top;
    return join_two(lw, value_extract(lw, rest, low + top_bits, 0, low), low, top, top_bits + by);
}

static value_t shift(struct lowering *lw, LLVMOpcode opcode, value_t v, value_t by, uint32_t bits) {
    uint64_t n;
    if (!is_number(lw, by, &n) || n >= bits)
        return VALUE_NONE;
    if (n == 0)
        return v;
    if (opcode == LLVMAShr)
        return shift_signed(lw, v, bits, (uint32_t)n);
    return moved(lw, v, bits, (uint32_t)n, opcode == LLVMShl);
}

value_t pack_binary(struct lowering *lw, LLVMOpcode opcode, value_t a, value_t b, uint32_t bits) {
    bool left = value_is(lw, a, VALUE_PACK), right = value_is(lw, b, VALUE_PACK);
    if (!left && !right)
        return VALUE_NONE;
    switch (opcode) {
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return bitwise(lw, opcode, a, b, bits);
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        return left ? shift(lw, opcode, a, b, bits) : VALUE_NONE;
    default:
        return VALUE_NONE;
    }
}

value_t pack_resize(struct lowering *lw, LLVMOpcode opcode, value_t v, uint32_t from, uint32_t to) {
    if (!value_is(lw, v, VALUE_PACK) || value_bits(lw, v) != from)
        return VALUE_NONE;
    if (opcode == LLVMTrunc)
        return value_extract(lw, v, from, 0, to);
    if (opcode == LLVMZExt)
        return join_two(lw, v, from, number(lw, to - from, 0), to - from);
    return VALUE_NONE;
}
