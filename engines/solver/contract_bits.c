/* contract_bits: and, or, xor of integers, exact in all directions.
 *
 * The bits of x, y and z are chosen together from the highest down. While a number so far equals
 * the prefix of its lower (upper) bound it is "held" by that bound and may not go below (above)
 * it; six such flags make 64 states, and a set of states is one 64-bit word. Going up from the
 * lowest bit, `alive` says from which states the rest can be completed; going down greedily then
 * gives the least and the greatest value of the operand that is part of a solution. That subsumes
 * the bounds of Hacker's Delight 4-3 and known bits, in both directions.
 *
 * Numbers are taken with the sign bit flipped in signed views, so that their order is that of
 * unsigned numbers.
 */
#include "engines/solver/contract_parts.h"

enum { HELD_ALL = 63, BOUNDS = 6 };

/* For each flag, the states in which it is set; bounds are x.lo, x.hi, y.lo, y.hi, z.lo, z.hi. */
static const uint64_t held[BOUNDS] = {
    0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
    0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000,
};

struct problem {
    enum op op;
    int width;
    uint64_t bound[BOUNDS];
    uint64_t flip[3]; /* x, y, z: the sign bit in a signed view */
};

/* The bits of x, y and z at one place, and those of the bounds. */
struct place {
    int bit[3], bound[BOUNDS];
};

static bool apply(enum op op, bool x, bool y) {
    return op == OP_BAND ? x && y : op == OP_BOR ? x || y : x != y;
}

static struct place place_at(const struct problem *q, int at, int x, int y) {
    struct place c;
    int flip[3];
    for (int i = 0; i < 3; i++)
        flip[i] = (int)(q->flip[i] >> at & 1);
    c.bit[0] = x;
    c.bit[1] = y;
    c.bit[2] = (int)apply(q->op, x != flip[0], y != flip[1]) ^ flip[2];
    for (int k = 0; k < BOUNDS; k++)
        c.bound[k] = (int)(q->bound[k] >> at & 1);
    return c;
}

/* Beyond the bound (lower bounds are even), or let go by it. */
static int beyond(const struct place *c, int k) {
    int step = c->bit[k / 2] - c->bound[k];
    return k % 2 ? step : -step;
}

/* The states after the place, from the states before it. */
static uint64_t advance(const struct place *c, uint64_t states) {
    for (int k = 0; k < BOUNDS && states; k++) {
        int step = beyond(c, k);
        if (step > 0)
            states &= ~held[k];
        else if (step < 0)
            states = (states & ~held[k]) | (states & held[k]) >> (1 << k);
    }
    return states;
}

/* The states before the place from which `states` can be reached. */
static uint64_t retreat(const struct place *c, uint64_t states) {
    for (int k = 0; k < BOUNDS && states; k++) {
        int step = beyond(c, k);
        if (step > 0)
            states &= ~held[k];
        else if (step < 0)
            states = (states & ~held[k]) | (states & ~held[k]) << (1 << k);
    }
    return states;
}

/* alive[i]: the states from which places i-1..0 can be completed. */
static void find_alive(const struct problem *q, uint64_t alive[65]) {
    alive[0] = ~(uint64_t)0;
    for (int at = 0; at < q->width; at++) {
        alive[at + 1] = 0;
        for (int xy = 0; xy < 4; xy++) {
            struct place c = place_at(q, at, xy & 1, xy >> 1);
            alive[at + 1] |= retreat(&c, alive[at]);
        }
    }
}

/* The states after a place where operand i has this bit. */
static uint64_t choose(const struct problem *q, int at, int i, int bit, uint64_t states) {
    uint64_t next = 0;
    for (int xy = 0; xy < 4; xy++) {
        struct place c = place_at(q, at, xy & 1, xy >> 1);
        if (c.bit[i] == bit)
            next |= advance(&c, states);
    }
    return next;
}

/* The least (prefer = 0) or greatest (1) value of operand i in a solution; there is one. */
static uint64_t extreme(const struct problem *q, const uint64_t alive[65], int i, int prefer) {
    uint64_t value = 0, states = (uint64_t)1 << HELD_ALL;
    for (int at = q->width - 1; at >= 0; at--) {
        if (states & 1) /* nothing is held any more: the rest is free */
            return prefer ? value | (((uint64_t)2 << at) - 1) : value;
        int bit = prefer;
        uint64_t next = choose(q, at, i, bit, states) & alive[at];
        if (!next) {
            bit = !bit;
            next = choose(q, at, i, bit, states) & alive[at];
        }
        assert(next);
        states = next;
        value |= (uint64_t)bit << at;
    }
    return value;
}

static bool is_whole(const struct prim *p, const struct range *r, int i) {
    return (uint64_t)r[i].hi - (uint64_t)r[i].lo == int_mask(p->sort[i]);
}

struct range contract_bits(const struct prim *p, const struct range r[4], int which) {
    static const int operand[3] = {1, 2, 0};
    struct problem q = {.op = p->op, .width = p->sort[0]};
    uint64_t alive[65];
    if (which != 0 && is_whole(p, r, 0)) /* the operators are total */
        return r[which];
    for (int i = 0; i < 3; i++) {
        wide min = view_min(p->sort[0], p->is_signed[operand[i]]);
        struct span s = operand_span(p, r, operand[i]);
        q.bound[2 * i] = (uint64_t)(s.lo - min);
        q.bound[2 * i + 1] = (uint64_t)(s.hi - min);
        q.flip[i] = (uint64_t)-min;
    }
    find_alive(&q, alive);
    if (!(alive[q.width] >> HELD_ALL))
        return range_empty();
    int i = which == 0 ? 2 : which - 1;
    wide base =
        view_min(p->sort[0], p->is_signed[which]) - view_offset(p->sort[0], p->is_signed[which]);
    return range_between((int64_t)(base + extreme(&q, alive, i, 0)),
                         (int64_t)(base + extreme(&q, alive, i, 1)));
}
