/* value: what a register or a memory cell holds during symbolic execution.
 *
 * A value_t is the index of a term (a plain scalar, the common case), or, with the top bit set, the
 * index of a special value:
 *
 *   undef     nothing was stored yet; every use gives a fresh unspecified term
 *   tainted   a scalar term that depends on unspecified values where `taint` is true
 *   punned    a float of which somebody has seen the bits: the bits of a NaN, which C leaves open,
 *             stay the same from then on
 *   pointer   a set of pointees; exactly one of their conditions holds
 *   pack      numbers and pointers side by side (members of a struct, bit-fields of a word), not
 * yet read as one number group     the members of a first-class struct or a vector
 *
 * Values are immutable. Bits of integers are little-endian in memory.
 */
#ifndef INSTRUMENT_LOWER_VALUE_H
#define INSTRUMENT_LOWER_VALUE_H

#include "model/term/term.h"

struct lowering;

typedef uint32_t value_t;
#define VALUE_NONE 0u
#define VALUE_SPECIAL 0x80000000u
#define VALUE_UNDEF VALUE_SPECIAL /* the first special value */

enum value_kind {
    VALUE_IS_UNDEF,
    VALUE_TAINTED,
    VALUE_PUNNED,
    VALUE_POINTER,
    VALUE_PACK,
    VALUE_GROUP
};

struct special {
    enum value_kind kind;
    term_t term, taint; /* taint: also of pointers; 0 is false */
    term_t bits;        /* of a punned float, as an integer */
    uint32_t first, n;  /* in pointees, or in parts */
};

/* One object a pointer may point to, at offset + index * scale bytes. An array inside a struct has
 * bounds of its own: those of the pointer lo .. hi where they are known, else a condition on the
 * index. C gives no meaning to an access outside them. */
struct pointee {
    term_t cond;
    uint32_t object;
    int64_t offset;
    term_t index; /* of pointer width; 0: none */
    int64_t scale;
    int64_t lo, hi; /* bytes of the object that may be accessed; hi 0: all */
    term_t valid;   /* must hold for an access; 0: nothing */
};

struct part {
    value_t value;
    uint32_t bits; /* 0 in groups */
};

/* A scalar and when it may not be relied upon. */
struct scalar {
    term_t term;
    term_t taint; /* 0 is false */
};

struct values {
    VEC(struct special) specials;
    VEC(struct pointee) pointees;
    VEC(struct part) parts;
};
VEC_STRUCT(pointee_list, struct pointee);
VEC_STRUCT(part_list, struct part);

void values_init(struct values *values);
void values_free(struct values *values);

bool value_is(const struct lowering *lw, value_t v, enum value_kind kind);
const struct special *value_special(const struct lowering *lw, value_t v);
bool value_same(const struct lowering *lw, value_t a, value_t b);
bool value_is_plain(value_t v); /* a term */

value_t value_scalar(struct lowering *lw, struct scalar s);
value_t value_group(struct lowering *lw, const value_t *members, size_t n);
value_t value_member(struct lowering *lw, value_t v, uint32_t member); /* undef gives undef */
/* group with one member replaced; `n` members when it is undef so far */
value_t value_with_member(struct lowering *lw, value_t v, uint32_t n, uint32_t member, value_t to);

/* Floats whose bits are looked at, by a union, a pointer, memcpy() or signbit(); lower/pun.c. A
 * float that may be NaN becomes one with bits that stay the same; other values stay as they are.
 * And back. */
value_t value_punned(struct lowering *lw, value_t v);
value_t value_unpunned(struct lowering *lw, value_t v);
/* A plain or tainted float; term 0 for other values. */
struct scalar pun_float(const struct lowering *lw, value_t v);
/* The bits of x, new ones where it is NaN: `nan` says where. */
term_t pun_bits(struct lowering *lw, term_t x, term_t *nan);

/* Reads a value as a scalar of a sort: a number as a float by its bits, a pack as one number … */
struct scalar value_as(struct lowering *lw, value_t v, sort_t sort);
term_t taint_or(struct lowering *lw, term_t a, term_t b);

/* Memory order, counted in bits: `bits` at `offset` of a value of `total`; and side by side. */
value_t value_extract(struct lowering *lw, value_t v, uint32_t total, uint32_t offset,
                      uint32_t bits);
value_t value_join(struct lowering *lw, const struct part *parts, size_t n);
struct part value_part(const struct lowering *lw, value_t v, uint32_t i);
uint32_t value_bits(const struct lowering *lw, value_t pack);
/* Cuts two numbers of the same width, one of them a pack, at the same places. */
bool value_align(struct lowering *lw, value_t *a, value_t *b);

value_t value_ite(struct lowering *lw, term_t cond, value_t a, value_t b);

#endif
