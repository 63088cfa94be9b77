/* Conversions between the kinds, and the choice between two values by a condition, which is made
 * piece by piece where both are packs of the same shape. */
#include "instrument/lower/value.h"

#include "instrument/lower/lowering.h"

void values_init(struct values *values) {
    *values = (struct values){0};
    vec_push(&values->specials, (struct special){.kind = VALUE_IS_UNDEF});
}

void values_free(struct values *values) {
    vec_free(&values->specials);
    vec_free(&values->pointees);
    vec_free(&values->parts);
}

bool value_is_plain(value_t v) {
    return v && !(v & VALUE_SPECIAL);
}

const struct special *value_special(const struct lowering *lw, value_t v) {
    assert(v & VALUE_SPECIAL);
    return &lw->values.specials.data[v & ~VALUE_SPECIAL];
}

bool value_is(const struct lowering *lw, value_t v, enum value_kind kind) {
    return (v & VALUE_SPECIAL) && value_special(lw, v)->kind == kind;
}

static value_t add_special(struct lowering *lw, struct special s) {
    vec_push(&lw->values.specials, s);
    return (value_t)(lw->values.specials.len - 1) | VALUE_SPECIAL;
}

struct scalar scalar_plain(term_t t) {
    return (struct scalar){t, 0};
}

term_t taint_or(struct lowering *lw, term_t a, term_t b) {
    if (!a || !b || a == b)
        return a ? a : b;
    return term_or(lw->ts, a, b);
}

static term_t taint_ite(struct lowering *lw, term_t cond, term_t a, term_t b) {
    if (a == b)
        return a;
    term_t no = term_bool(lw->ts, false);
    return term_ite(lw->ts, cond, a ? a : no, b ? b : no);
}

value_t value_scalar(struct lowering *lw, struct scalar s) {
    assert(s.term);
    if (!s.taint || term_is_false(lw->ts, s.taint))
        return s.term;
    return add_special(lw,
                       (struct special){.kind = VALUE_TAINTED, .term = s.term, .taint = s.taint});
}

/* ---- groups ---- */

static value_t add_parts(struct lowering *lw, enum value_kind kind, const struct part *parts,
                         size_t n) {
    struct special s = {.kind = kind, .first = (uint32_t)lw->values.parts.len, .n = (uint32_t)n};
    vec_append(&lw->values.parts, parts, n);
    return add_special(lw, s);
}

struct part value_part(const struct lowering *lw, value_t v, uint32_t i) {
    const struct special *s = value_special(lw, v);
    assert(i < s->n);
    return lw->values.parts.data[s->first + i];
}

value_t value_group(struct lowering *lw, const value_t *members, size_t n) {
    struct part_list parts = {0};
    for (size_t i = 0; i < n; i++)
        vec_push(&parts, (struct part){members[i], 0});
    value_t group = add_parts(lw, VALUE_GROUP, parts.data, n);
    vec_free(&parts);
    return group;
}

value_t value_member(struct lowering *lw, value_t v, uint32_t member) {
    if (v == VALUE_UNDEF)
        return VALUE_UNDEF;
    assert(value_is(lw, v, VALUE_GROUP));
    return value_part(lw, v, member).value;
}

value_t value_with_member(struct lowering *lw, value_t v, uint32_t n, uint32_t member, value_t to) {
    struct part_list parts = {0};
    assert(member < n);
    for (uint32_t i = 0; i < n; i++)
        vec_push(&parts, (struct part){i == member ? to : value_member(lw, v, i), 0});
    value_t group = add_parts(lw, VALUE_GROUP, parts.data, n);
    vec_free(&parts);
    return group;
}

/* ---- scalars ---- */

static term_t int_resize(struct lowering *lw, term_t t, sort_t to) {
    sort_t from = term_sort(lw->ts, t);
    assert(sort_is_int(from) && sort_is_int(to));
    if (from == to)
        return t;
    return term_cast(lw->ts, from < to ? OP_ZEXT : OP_TRUNC, to, t);
}

static struct scalar to_int(struct lowering *lw, struct scalar s, sort_t to) {
    sort_t from = term_sort(lw->ts, s.term);
    if (from == SORT_BOOL)
        return (struct scalar){term_cast(lw->ts, OP_B2I, to, s.term), s.taint};
    if (sort_is_float(from)) {
        term_t nan;
        s.term = pun_bits(lw, s.term, &nan);
        s.taint = taint_or(lw, s.taint, nan);
    }
    return (struct scalar){int_resize(lw, s.term, to), s.taint};
}

static struct scalar low_bit(struct lowering *lw, struct scalar s) {
    const struct term *t = term_get(lw->ts, s.term);
    if (t->op == OP_B2I)
        return (struct scalar){t->arg[0], s.taint};
    term_t bit = int_resize(lw, s.term, 1);
    return (struct scalar){term_eq(lw->ts, bit, term_int(lw->ts, 1, 1)), s.taint};
}

static struct scalar scalar_to(struct lowering *lw, struct scalar s, sort_t to) {
    sort_t from = term_sort(lw->ts, s.term);
    if (from == to)
        return s;
    if (sort_is_int(to))
        return to_int(lw, s, to);
    if (to == SORT_BOOL)
        return low_bit(lw, to_int(lw, s, sort_is_float(from) ? (sort_t)sort_width(from) : from));
    struct scalar bits = to_int(lw, s, (sort_t)sort_width(to));
    return (struct scalar){term_cast(lw->ts, OP_BITS2F, to, bits.term), bits.taint};
}

uint32_t value_bits(const struct lowering *lw, value_t pack) {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < value_special(lw, pack)->n; i++)
        bits += value_part(lw, pack, i).bits;
    return bits;
}

static bool is_zero(const struct lowering *lw, value_t v) {
    return value_is_plain(v) && term_is_const(lw->ts, v) && term_get(lw->ts, v)->payload == 0;
}

/* Parts of a pack as one number, the first part lowest. */
static struct scalar pack_number(struct lowering *lw, value_t v) {
    uint32_t n = value_special(lw, v)->n, bits = value_bits(lw, v), shift = 0;
    assert(bits <= SORT_INT_MAX);
    struct scalar all = {0, 0};
    for (uint32_t i = 0; i < n; i++) {
        struct part p = value_part(lw, v, i);
        uint32_t at = shift;
        shift += p.bits;
        if (is_zero(lw, p.value))
            continue;
        struct scalar x = value_as(lw, p.value, (sort_t)p.bits);
        term_t wide = int_resize(lw, x.term, (sort_t)bits);
        if (at)
            wide = term_op2(lw->ts, OP_SHL, wide, term_int(lw->ts, (sort_t)bits, at));
        all.term = all.term ? term_op2(lw->ts, OP_BOR, all.term, wide) : wide;
        all.taint = taint_or(lw, all.taint, x.taint);
    }
    if (!all.term)
        all.term = term_int(lw->ts, (sort_t)bits, 0);
    return all;
}

static struct scalar punned_as(struct lowering *lw, struct special s, sort_t sort) {
    assert(s.kind == VALUE_PUNNED);
    if (term_sort(lw->ts, s.term) == sort)
        return (struct scalar){s.term, s.taint};
    term_t nan = term_op1(lw->ts, OP_FISNAN, s.term);
    return scalar_to(lw, (struct scalar){s.bits, taint_or(lw, s.taint, nan)}, sort);
}

struct scalar value_as(struct lowering *lw, value_t v, sort_t sort) {
    assert(v && sort != SORT_NONE);
    if (value_is_plain(v))
        return scalar_to(lw, scalar_plain(v), sort);
    const struct special *s = value_special(lw, v);
    term_t yes = term_bool(lw->ts, true);
    switch (s->kind) {
    case VALUE_TAINTED:
        return scalar_to(lw, (struct scalar){s->term, s->taint}, sort);
    case VALUE_PUNNED:
        return punned_as(lw, *s, sort);
    case VALUE_PACK:
        return scalar_to(lw, pack_number(lw, v), sort);
    case VALUE_POINTER:
        lower_note(lw, "a pointer is used as a number: its value counts as unknown");
        return (struct scalar){lower_fresh(lw, sort, yes, "address"), yes};
    case VALUE_IS_UNDEF:
    case VALUE_GROUP:
        break;
    }
    assert(s->kind == VALUE_IS_UNDEF);
    return (struct scalar){lower_fresh(lw, sort, yes, "uninitialised"), indeterminate_taint(lw)};
}

/* ---- bytes in memory ---- */

static value_t extract_number(struct lowering *lw, value_t v, uint32_t total, uint32_t offset,
                              uint32_t bits) {
    struct scalar s = value_as(lw, v, (sort_t)total);
    term_t at = term_int(lw->ts, (sort_t)total, offset);
    term_t low = offset ? term_op2(lw->ts, OP_LSHR, s.term, at) : s.term;
    return value_scalar(lw, (struct scalar){int_resize(lw, low, (sort_t)bits), s.taint});
}

static value_t extract_parts(struct lowering *lw, value_t v, uint32_t offset, uint32_t bits) {
    struct part_list found = {0};
    uint32_t n = value_special(lw, v)->n, at = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct part p = value_part(lw, v, i);
        uint32_t from = at > offset ? at : offset;
        uint32_t to = at + p.bits < offset + bits ? at + p.bits : offset + bits;
        if (from < to)
            vec_push(&found, (struct part){value_extract(lw, p.value, p.bits, from - at, to - from),
                                           to - from});
        at += p.bits;
    }
    value_t joined = value_join(lw, found.data, found.len);
    vec_free(&found);
    return joined;
}

value_t value_extract(struct lowering *lw, value_t v, uint32_t total, uint32_t offset,
                      uint32_t bits) {
    assert(bits && offset + bits <= total);
    if (bits == total || v == VALUE_UNDEF)
        return v;
    if (value_is(lw, v, VALUE_PACK))
        return extract_parts(lw, v, offset, bits);
    return extract_number(lw, v, total, offset, bits);
}

static void flatten(const struct lowering *lw, struct part p, struct part_list *out) {
    if (!value_is(lw, p.value, VALUE_PACK)) {
        vec_push(out, p);
        return;
    }
    for (uint32_t i = 0; i < value_special(lw, p.value)->n; i++)
        vec_push(out, value_part(lw, p.value, i)); /* packs never hold packs */
}

value_t value_join(struct lowering *lw, const struct part *parts, size_t n) {
    assert(n > 0);
    if (n == 1)
        return parts[0].value;
    struct part_list flat = {0};
    bool undef = true;
    for (size_t i = 0; i < n; i++) {
        flatten(lw, parts[i], &flat);
        undef &= parts[i].value == VALUE_UNDEF;
    }
    value_t joined = undef ? VALUE_UNDEF : add_parts(lw, VALUE_PACK, flat.data, flat.len);
    vec_free(&flat);
    return joined;
}

static sort_t natural_sort(struct lowering *lw, value_t v) {
    if (value_is_plain(v))
        return term_sort(lw->ts, v);
    const struct special *s = value_special(lw, v);
    if (s->kind == VALUE_TAINTED || s->kind == VALUE_PUNNED)
        return term_sort(lw->ts, s->term);
    if (s->kind != VALUE_PACK)
        return SORT_NONE;
    return (sort_t)value_bits(lw, v);
}

/* Cuts a value at the places where the parts of `like` begin. */
static value_t cut_like(struct lowering *lw, value_t v, uint32_t total, value_t like) {
    struct part_list pieces = {0};
    uint32_t at = 0;
    for (uint32_t i = 0; i < value_special(lw, like)->n; i++) {
        uint32_t bits = value_part(lw, like, i).bits;
        vec_push(&pieces, (struct part){value_extract(lw, v, total, at, bits), bits});
        at += bits;
    }
    assert(at == total);
    value_t cut = value_join(lw, pieces.data, pieces.len);
    vec_free(&pieces);
    return cut;
}

bool value_align(struct lowering *lw, value_t *a, value_t *b) {
    bool left = value_is(lw, *a, VALUE_PACK), right = value_is(lw, *b, VALUE_PACK);
    uint32_t total = left ? value_bits(lw, *a) : right ? value_bits(lw, *b) : 0;
    sort_t other = left ? natural_sort(lw, *b) : natural_sort(lw, *a);
    if (!total || other == SORT_NONE || (uint32_t)sort_width(other) != total)
        return false;
    if (left)
        *b = cut_like(lw, *b, total, *a);
    if (value_is(lw, *b, VALUE_PACK))
        *a = cut_like(lw, *a, total, *b);
    if (value_is(lw, *a, VALUE_PACK))
        *b = cut_like(lw, *b, total, *a);
    return true;
}

/* ---- comparison and choice ---- */

static bool same_pointees(const struct lowering *lw, const struct special *a,
                          const struct special *b) {
    for (uint32_t i = 0; i < a->n; i++) {
        struct pointee p = lw->values.pointees.data[a->first + i];
        struct pointee q = lw->values.pointees.data[b->first + i];
        if (p.cond != q.cond || p.object != q.object || p.offset != q.offset ||
            p.index != q.index || p.scale != q.scale || p.lo != q.lo || p.hi != q.hi ||
            p.valid != q.valid)
            return false;
    }
    return true;
}

static bool same_parts(const struct lowering *lw, value_t a, value_t b, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        struct part p = value_part(lw, a, i), q = value_part(lw, b, i);
        if (p.bits != q.bits || !value_same(lw, p.value, q.value))
            return false;
    }
    return true;
}

bool value_same(const struct lowering *lw, value_t a, value_t b) {
    if (a == b)
        return true;
    if (!(a & b & VALUE_SPECIAL))
        return false;
    const struct special *x = value_special(lw, a), *y = value_special(lw, b);
    if (x->kind != y->kind || x->term != y->term || x->taint != y->taint || x->bits != y->bits ||
        x->n != y->n)
        return false;
    if (x->kind == VALUE_POINTER)
        return same_pointees(lw, x, y);
    return same_parts(lw, a, b, x->n);
}

static bool same_shape(const struct lowering *lw, value_t a, value_t b) {
    const struct special *x = value_special(lw, a), *y = value_special(lw, b);
    if (x->kind != y->kind || x->n != y->n)
        return false;
    for (uint32_t i = 0; i < x->n; i++)
        if (value_part(lw, a, i).bits != value_part(lw, b, i).bits)
            return false;
    return true;
}

static value_t parts_ite(struct lowering *lw, term_t cond, value_t a, value_t b) {
    enum value_kind kind = value_special(lw, a)->kind;
    uint32_t n = value_special(lw, a)->n;
    struct part_list parts = {0};
    for (uint32_t i = 0; i < n; i++) {
        struct part p = value_part(lw, a, i);
        p.value = value_ite(lw, cond, p.value, value_part(lw, b, i).value);
        vec_push(&parts, p);
    }
    value_t merged = add_parts(lw, kind, parts.data, n);
    vec_free(&parts);
    return merged;
}

/* Two numbers of different sorts in one cell meet as integers: that keeps every bit. */
static sort_t common_sort(struct lowering *lw, value_t a, value_t b) {
    sort_t x = natural_sort(lw, a), y = natural_sort(lw, b);
    if (x == SORT_NONE || y == SORT_NONE)
        return x == SORT_NONE ? y : x;
    if (x == y)
        return x;
    int wide = sort_width(x) > sort_width(y) ? sort_width(x) : sort_width(y);
    return (sort_t)wide;
}

/* A float as if its bits had been seen; term 0 for other values. */
static struct special seen_float(struct lowering *lw, value_t v) {
    if (value_is(lw, v, VALUE_PUNNED))
        return *value_special(lw, v);
    struct scalar x = pun_float(lw, v);
    struct special s = {.kind = VALUE_PUNNED, .term = x.term, .taint = x.taint};
    term_t nan;
    if (x.term)
        s.bits = pun_bits(lw, x.term, &nan);
    return s;
}

/* Two floats of one sort, of which somebody has seen the bits of one at least; where nobody has,
 * they are still free to be those that were seen. VALUE_NONE: not such a case. */
static value_t punned_ite(struct lowering *lw, term_t cond, value_t a, value_t b) {
    bool left = value_is(lw, a, VALUE_PUNNED), right = value_is(lw, b, VALUE_PUNNED);
    if ((!left && !right) || natural_sort(lw, a) != natural_sort(lw, b))
        return VALUE_NONE;
    if (left != right) {
        const struct special *seen = value_special(lw, left ? a : b);
        struct scalar other = pun_float(lw, left ? b : a);
        if (seen->term == other.term && seen->taint == other.taint)
            return left ? a : b;
    }
    struct special x = seen_float(lw, a), y = seen_float(lw, b);
    if (!x.term || !y.term)
        return VALUE_NONE;
    x.term = term_ite(lw->ts, cond, x.term, y.term);
    x.taint = taint_ite(lw, cond, x.taint, y.taint);
    x.bits = term_ite(lw->ts, cond, x.bits, y.bits);
    return add_special(lw, x);
}

static value_t numbers_ite(struct lowering *lw, term_t cond, value_t a, value_t b) {
    sort_t sort = common_sort(lw, a, b);
    struct scalar x = value_as(lw, a, sort), y = value_as(lw, b, sort);
    return value_scalar(lw, (struct scalar){term_ite(lw->ts, cond, x.term, y.term),
                                            taint_ite(lw, cond, x.taint, y.taint)});
}

static value_t undef_like(struct lowering *lw, value_t group) {
    struct part_list parts = {0};
    for (uint32_t i = 0; i < value_special(lw, group)->n; i++)
        vec_push(&parts, (struct part){VALUE_UNDEF, value_part(lw, group, i).bits});
    value_t all = add_parts(lw, value_special(lw, group)->kind, parts.data, parts.len);
    vec_free(&parts);
    return all;
}

static bool has_parts(const struct lowering *lw, value_t v) {
    return value_is(lw, v, VALUE_GROUP) || value_is(lw, v, VALUE_PACK);
}

value_t value_ite(struct lowering *lw, term_t cond, value_t a, value_t b) {
    assert(a && b);
    if (value_same(lw, a, b) || term_is_true(lw->ts, cond))
        return a;
    if (term_is_false(lw->ts, cond))
        return b;
    if (value_is(lw, a, VALUE_POINTER) || value_is(lw, b, VALUE_POINTER))
        return pointer_ite(lw, cond, a, b);
    if (a == VALUE_UNDEF && has_parts(lw, b))
        a = undef_like(lw, b);
    if (b == VALUE_UNDEF && has_parts(lw, a))
        b = undef_like(lw, a);
    if (value_is(lw, a, VALUE_PACK) || value_is(lw, b, VALUE_PACK))
        value_align(lw, &a, &b);
    if (has_parts(lw, a) && has_parts(lw, b) && same_shape(lw, a, b))
        return parts_ite(lw, cond, a, b);
    value_t punned = punned_ite(lw, cond, a, b);
    if (punned)
        return punned;
    return numbers_ite(lw, cond, a, b);
}
