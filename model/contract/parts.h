/* parts: what the contractor files share. Not for use outside contract*.c.
 *
 * Integers are sets on the circle of bit patterns: a range of either view is an arc, sums and
 * differences of arcs are arcs, and an arc met with a range of either view is exact (up to two
 * pieces, joined). `wide` holds every value of every view and the exact results of + and -.
 */
#ifndef MODEL_CONTRACT_PARTS_H
#define MODEL_CONTRACT_PARTS_H

#include "model/contract/contract.h"

#include <assert.h>

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

/* One family of operators: the values that operand `which` may have. contract() meets them with
 * r[which]. Operands are not empty. */
struct range contract_logic(const struct prim *p, const struct range r[4], int which);
struct range contract_arith(const struct prim *p, const struct range r[4], int which);
struct range contract_divide(const struct prim *p, const struct range r[4], int which);
struct range contract_shift(const struct prim *p, const struct range r[4], int which);
struct range contract_bits(const struct prim *p, const struct range r[4], int which);
struct range contract_resize(const struct prim *p, const struct range r[4], int which);
struct range contract_f32(const struct prim *p, const struct range r[4], int which);
struct range contract_f64(const struct prim *p, const struct range r[4], int which);
struct range contract_fcompare(const struct prim *p, const struct range r[4], int which);
struct range contract_sign(const struct prim *p, const struct range r[4], int which);
struct range contract_cast(const struct prim *p, const struct range r[4], int which);
struct range contract_table(const struct prim *p, const struct range r[4], int which);
struct range contract_libm2(const struct prim *p, const struct range r[4], int which);
struct range contract_libm(const struct prim *p, const struct range r[4], int which);

/* ---- one view of an integer ---- */

static inline uint64_t int_mask(sort_t width) {
    assert(sort_is_int(width));
    return UINT64_MAX >> (64 - width);
}
/* the least value of the view, as a number */
static inline wide view_min(sort_t width, bool is_signed) {
    return is_signed ? -((wide)1 << (width - 1)) : 0;
}
static inline wide view_max(sort_t width, bool is_signed) {
    return view_min(width, is_signed) + int_mask(width);
}
/* value = ordinal + offset: only unsigned 64 bit is shifted */
static inline wide view_offset(sort_t width, bool is_signed) {
    return width == 64 && !is_signed ? (wide)1 << 63 : 0;
}

/* ---- arcs ---- */

/* The patterns start, start + 1, … start + span, modulo 2^width. Never empty. */
struct arc {
    uint64_t start, span;
};

/* The numbers lo..hi; empty when lo > hi. */
struct span {
    wide lo, hi;
};

static inline struct span operand_span(const struct prim *p, const struct range *r, int i) {
    wide offset = view_offset(p->sort[i], p->is_signed[i]);
    assert(r[i].num);
    return (struct span){r[i].lo + offset, r[i].hi + offset};
}

static inline struct arc operand_arc(const struct prim *p, const struct range *r, int i) {
    struct span s = operand_span(p, r, i);
    return (struct arc){(uint64_t)s.lo & int_mask(p->sort[i]), (uint64_t)(s.hi - s.lo)};
}

/* The arc as numbers of a view: one or two spans, ascending. */
static inline int arc_spans(struct arc a, sort_t width, bool is_signed, struct span out[2]) {
    uint64_t mask = int_mask(width);
    wide min = view_min(width, is_signed), max = view_max(width, is_signed);
    wide from = min + (wide)((a.start - (uint64_t)min) & mask), to = from + a.span;
    if (to <= max) {
        out[0] = (struct span){from, to};
        return 1;
    }
    out[0] = (struct span){min, to - (wide)mask - 1};
    out[1] = (struct span){from, max};
    return 2;
}

static inline struct span arc_hull(struct arc a, sort_t width, bool is_signed) {
    struct span s[2];
    int n = arc_spans(a, width, is_signed, s);
    return (struct span){s[0].lo, s[n - 1].hi};
}

/* The values of operand i as spans of a view, and their hull. */
static inline int view_spans(const struct prim *p, const struct range *r, int i, bool is_signed,
                             struct span out[2]) {
    return arc_spans(operand_arc(p, r, i), p->sort[i], is_signed, out);
}
static inline struct span view_hull(const struct prim *p, const struct range *r, int i,
                                    bool is_signed) {
    return arc_hull(operand_arc(p, r, i), p->sort[i], is_signed);
}

/* r[i] without what is outside the arc. */
static inline struct range meet_arc(const struct prim *p, const struct range *r, int i,
                                    struct arc a) {
    struct span s[2];
    wide offset = view_offset(p->sort[i], p->is_signed[i]);
    int n = arc_spans(a, p->sort[i], p->is_signed[i], s);
    struct range out = range_empty();
    for (int k = 0; k < n; k++) {
        struct range piece =
            range_between((int64_t)(s[k].lo - offset), (int64_t)(s[k].hi - offset));
        out = range_join(out, range_meet(r[i], piece));
    }
    return out;
}

/* r[i] without what is outside lo..hi, taken modulo 2^width. */
static inline struct range meet_span(const struct prim *p, const struct range *r, int i, wide lo,
                                     wide hi) {
    uint64_t mask = int_mask(p->sort[i]);
    if (lo > hi)
        return range_empty();
    if ((uwide)hi - (uwide)lo >= mask)
        return r[i];
    return meet_arc(p, r, i, (struct arc){(uint64_t)lo & mask, (uint64_t)(hi - lo)});
}

/* Is some value of lo..hi (modulo 2^width) in r[i]? */
static inline bool hits_span(const struct prim *p, const struct range *r, int i, wide lo, wide hi) {
    return meet_span(p, r, i, lo, hi).num;
}

/* The hull of the values of r[i] whose low `width` bits are in the arc: exact. */
struct range meet_low_bits(const struct prim *p, const struct range *r, int i, struct arc low,
                           sort_t width);

/* ---- bools ---- */

static inline bool may_be(struct range r, int64_t ordinal) {
    return range_has(r, ordinal);
}
static inline struct range bool_range(bool may_be_false, bool may_be_true) {
    return range_between(may_be_false ? 0 : 1, may_be_true ? 1 : 0);
}

/* ---- floats ---- */

/* Ordinals that treat both zeros as one value: order of keys is IEEE order. */
static inline int64_t float_key(int64_t ordinal) {
    return ordinal < 0 ? ordinal + 1 : ordinal;
}
static inline int64_t float_key_least(int64_t key) {
    return key <= 0 ? key - 1 : key;
}
static inline int64_t float_key_greatest(int64_t key) {
    return key < 0 ? key - 1 : key;
}
static inline int64_t float_inf(sort_t sort) {
    assert(sort_is_float(sort));
    return sort == SORT_F32 ? 0x7f800000 : 0x7ff0000000000000;
}

#endif
