/* bits: and, or, xor of integers, exact in all directions.
 *
 * The bits of x, y and z are chosen together from the highest down. While a number so far equals
 * the prefix of its lower (upper) bound it is "held" by that bound and may not go below (above)
 * it; six such flags make 64 states, and a set of states is one 64-bit word. Going up from the
 * lowest bit, `alive` says from which states the rest can be completed; going down greedily then
 * gives the least and the greatest value of the operand that is part of a solution. That subsumes
 * the bounds of Hacker's Delight 4-3 and known bits, in both directions. A mask of low bits, the
 * most common case, is a remainder and needs no such walk.
 *
 * Numbers are taken with the sign bit flipped in signed views, so that their order is that of
 * unsigned numbers.
 */
#include "model/contract/parts.h"

enum { HELD_ALL = 63, BOUNDS = 6 };

/* For each flag, the states in which it is set; bounds are x.lo, x.hi, y.lo, y.hi, z.lo, z.hi. */
static const uint64_t held[BOUNDS] = {
    0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
    0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000,
};

/* What one place does to the states: for each flag and each bit of its number, the states that
 * stay, and those that let go of the flag; the others die. */
struct place {
    uint64_t stay[BOUNDS][2], let_go[BOUNDS][2];
};

struct problem {
    enum op op;
    int width; /* places that are not settled, from the lowest */
    uint64_t bound[BOUNDS];
    uint64_t flip[3]; /* x, y, z: the sign bit in a signed view */
    struct place places[64];
    uint64_t alive[65];
};

static void place_init(struct place *c, const uint64_t bound[BOUNDS], int at) {
    assert(0 <= at && at < 64);
    for (int k = 0; k < BOUNDS; k++) {
        int at_bound = (int)(bound[k] >> at & 1), beside = 1 - at_bound;
        /* lower bounds are even: above one is free, below it is dead */
        bool beside_is_inside = k % 2 ? beside < at_bound : beside > at_bound;
        c->stay[k][at_bound] = ~(uint64_t)0;
        c->let_go[k][at_bound] = 0;
        c->stay[k][beside] = ~held[k];
        c->let_go[k][beside] = beside_is_inside ? held[k] : 0;
    }
}

/* The bit of z, all three as flipped numbers. */
static int result_bit(const struct problem *q, int at, int x, int y) {
    int flip_x = (int)(q->flip[0] >> at & 1), flip_y = (int)(q->flip[1] >> at & 1);
    int flip_z = (int)(q->flip[2] >> at & 1);
    x ^= flip_x;
    y ^= flip_y;
    return (q->op == OP_BAND ? x & y : q->op == OP_BOR ? x | y : x ^ y) ^ flip_z;
}

/* One flag, forwards and backwards. */
static inline uint64_t pass(const struct place *c, uint64_t s, int k, int bit) {
    return (s & c->stay[k][bit]) | (s & c->let_go[k][bit]) >> (1 << k);
}
static inline uint64_t unpass(const struct place *c, uint64_t s, int k, int bit) {
    return (s & c->stay[k][bit]) | (s << (1 << k) & c->let_go[k][bit]);
}

/* The states after the place where x, y and z have these bits, from the states before it. */
static uint64_t advance(const struct place *c, uint64_t s, int x, int y, int z) {
    s = pass(c, pass(c, s, 0, x), 1, x);
    s = pass(c, pass(c, s, 2, y), 3, y);
    return pass(c, pass(c, s, 4, z), 5, z);
}

/* The states before a place from which `s` can be reached. Passes are taken one number after the
 * other, as they commute with unions: of z for each bit, of y for each pair, then of x. */
static uint64_t retreat(const struct problem *q, int at, uint64_t s) {
    const struct place *c = &q->places[at];
    uint64_t z[2], before = 0;
    for (int bit = 0; bit < 2; bit++)
        z[bit] = unpass(c, unpass(c, s, 4, bit), 5, bit);
    for (int x = 0; x < 2; x++) {
        uint64_t t = 0;
        for (int y = 0; y < 2; y++)
            t |= unpass(c, unpass(c, z[result_bit(q, at, x, y)], 2, y), 3, y);
        before |= unpass(c, unpass(c, t, 0, x), 1, x);
    }
    return before;
}

/* alive[i]: the states from which places i-1..0 can be completed. */
static void find_alive(struct problem *q) {
    q->alive[0] = ~(uint64_t)0;
    for (int at = 0; at < q->width; at++) {
        place_init(&q->places[at], q->bound, at);
        q->alive[at + 1] = retreat(q, at, q->alive[at]);
    }
}

/* The states after a place where operand i (x, y or z) has this bit. */
static uint64_t choose(const struct problem *q, int at, int i, int bit, uint64_t states) {
    assert(0 <= i && i <= 2);
    uint64_t next = 0;
    for (int x = 0; x < 2; x++)
        for (int y = 0; y < 2; y++) {
            int z = result_bit(q, at, x, y);
            if (bit == (i == 0 ? x : i == 1 ? y : z))
                next |= advance(&q->places[at], states, x, y, z);
        }
    return next & q->alive[at];
}

/* The least (prefer = 0) or greatest (1) value of operand i in a solution; there is one. */
static uint64_t extreme(const struct problem *q, int i, int prefer) {
    assert(q->alive[q->width] >> HELD_ALL);
    uint64_t value = 0, states = (uint64_t)1 << HELD_ALL;
    for (int at = q->width - 1; at >= 0; at--) {
        if (states & 1) /* nothing is held any more: the rest is free */
            return prefer ? value | (((uint64_t)2 << at) - 1) : value;
        int bit = prefer;
        uint64_t next = choose(q, at, i, bit, states);
        if (!next) {
            bit = !bit;
            next = choose(q, at, i, bit, states);
        }
        assert(next);
        states = next;
        value |= (uint64_t)bit << at;
    }
    return value;
}

/* Drops the leading places where lower and upper bounds agree for all three numbers; false when
 * the bits there are no solution. */
static bool settle_prefix(struct problem *q) {
    for (; q->width > 0; q->width--) {
        int at = q->width - 1, bit[BOUNDS];
        for (int k = 0; k < BOUNDS; k++)
            bit[k] = (int)(q->bound[k] >> at & 1);
        if (bit[0] != bit[1] || bit[2] != bit[3] || bit[4] != bit[5])
            return true;
        if (bit[4] != result_bit(q, at, bit[0], bit[2]))
            return false;
    }
    return true;
}

/* ---- masks ---- */

/* The argument of an AND that is the constant 2^k - 1, 0 < k < width; 0 when none is. */
static int low_mask(const struct prim *p, const struct range *r, int *k) {
    for (int i = 1; i <= 2 && p->op == OP_BAND; i++) {
        uint64_t m = operand_arc(p, r, i).start;
        if (r[i].lo == r[i].hi && m != 0 && (m & (m + 1)) == 0 && m != int_mask(p->sort[0])) {
            *k = __builtin_popcountll(m);
            return i;
        }
    }
    return 0;
}

/* z = x mod 2^k, the argument x being operand `of`. */
static struct range modulo(const struct prim *p, const struct range *r, int of, int k) {
    struct arc x = operand_arc(p, r, of);
    uint64_t mask = int_mask((sort_t)k);
    struct span s[2];
    struct range out = range_empty();
    x.start &= mask;
    x.span = x.span < mask ? x.span : mask;
    for (int i = 0, n = arc_spans(x, (sort_t)k, false, s); i < n; i++)
        out = range_join(out, meet_span(p, r, 0, s[i].lo, s[i].hi));
    return out;
}

/* The values of x for which x mod 2^k is a value of z. */
static struct range modulo_of(const struct prim *p, const struct range *r, int of, int k) {
    struct span z[2];
    struct range out = range_empty();
    for (int i = 0, n = view_spans(p, r, 0, false, z); i < n; i++) {
        wide top = (wide)int_mask((sort_t)k), hi = z[i].hi < top ? z[i].hi : top;
        if (z[i].lo > hi)
            continue;
        struct arc low = {(uint64_t)z[i].lo, (uint64_t)(hi - z[i].lo)};
        out = range_join(out, meet_low_bits(p, r, of, low, (sort_t)k));
    }
    return out;
}

static struct range mask_low(const struct prim *p, const struct range *r, int which, int mask,
                             int k) {
    if (which == 0)
        return modulo(p, r, 3 - mask, k);
    if (which != mask)
        return modulo_of(p, r, which, k);
    return modulo(p, r, 3 - mask, k).num ? r[which] : range_empty();
}

static bool is_whole(const struct prim *p, const struct range *r, int i) {
    return (uint64_t)r[i].hi - (uint64_t)r[i].lo == int_mask(p->sort[i]);
}

struct range contract_bits(const struct prim *p, const struct range r[4], int which) {
    assert(0 <= which && which <= 2);
    static const int operand[3] = {1, 2, 0};
    struct problem q;
    int k, mask = low_mask(p, r, &k);
    if (which != 0 && is_whole(p, r, 0)) /* the operators are total */
        return r[which];
    if (mask)
        return mask_low(p, r, which, mask, k);
    q.op = p->op;
    q.width = p->sort[0];
    for (int i = 0; i < 3; i++) {
        wide min = view_min(p->sort[0], p->is_signed[operand[i]]);
        struct span s = operand_span(p, r, operand[i]);
        q.bound[2 * i] = (uint64_t)(s.lo - min);
        q.bound[2 * i + 1] = (uint64_t)(s.hi - min);
        q.flip[i] = (uint64_t)-min;
    }
    if (!settle_prefix(&q))
        return range_empty();
    find_alive(&q);
    if (!(q.alive[q.width] >> HELD_ALL))
        return range_empty();
    int i = which == 0 ? 2 : which - 1;
    uint64_t settled = q.width == 64 ? 0 : q.bound[2 * i] >> q.width << q.width;
    wide base =
        view_min(p->sort[0], p->is_signed[which]) - view_offset(p->sort[0], p->is_signed[which]);
    return range_between((int64_t)(base + (settled | extreme(&q, i, 0))),
                         (int64_t)(base + (settled | extreme(&q, i, 1))));
}
