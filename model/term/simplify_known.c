/* Known bits of integer terms: noted for every node when it is made, from what is known of its
 * arguments, so it costs nothing to ask and depth does not matter. */
#include "model/term/simplify.h"

static const struct known_bits nothing;

static struct known_bits cut(struct known_bits k, sort_t width) {
    uint64_t mask = int_mask(width);
    return (struct known_bits){k.zeros & mask, k.ones & mask};
}

static struct known_bits of_constant(sort_t width, uint64_t value) {
    return cut((struct known_bits){~value, value}, width);
}

/* The lowest bits of both are known up to here, so those of the sum are. */
static struct known_bits of_sum(enum op op, struct known_bits a, struct known_bits b) {
    uint64_t unknown = ~(a.zeros | a.ones) | ~(b.zeros | b.ones);
    uint64_t low = unknown ? (unknown & (0 - unknown)) - 1 : UINT64_MAX;
    uint64_t sum = op == OP_ADD ? a.ones + b.ones : a.ones - b.ones;
    return (struct known_bits){~sum & low, sum & low};
}

/* A product has the factors of two of both. */
static struct known_bits of_product(struct known_bits a, struct known_bits b) {
    uint64_t x = a.zeros, y = b.zeros;
    int twos = (~x ? __builtin_ctzll(~x) : 64) + (~y ? __builtin_ctzll(~y) : 64);
    return (struct known_bits){twos < 64 ? ((uint64_t)1 << twos) - 1 : UINT64_MAX, 0};
}

/* y * y is 0 or 1 modulo 4, and so is the square of 2^n * y modulo 4^(n + 1), times 4^n. */
static struct known_bits of_square(struct known_bits a) {
    struct known_bits k = of_product(a, a);
    int twos = ~k.zeros ? __builtin_ctzll(~k.zeros) : 64;
    assert(twos % 2 == 0);
    if (twos < 63)
        k.zeros |= (uint64_t)2 << twos;
    return k;
}

/* By a power of two: a shift to the left. */
static struct known_bits of_multiple(struct known_bits a, uint64_t by) {
    assert(by && (by & (by - 1)) == 0);
    return (struct known_bits){a.zeros * by | (by - 1), a.ones * by};
}

static struct known_bits of_shift_right(enum op op, struct known_bits a, uint64_t by,
                                        sort_t width) {
    if (by >= width)
        return nothing;
    struct known_bits k = {a.zeros >> by, a.ones >> by};
    uint64_t filled = int_mask(width) & ~(int_mask(width) >> by), top = (uint64_t)1 << (width - 1);
    if (op == OP_LSHR || a.zeros & top)
        k.zeros |= filled;
    else if (a.ones & top)
        k.ones |= filled;
    return k;
}

static struct known_bits of_extension(enum op op, struct known_bits a, sort_t from) {
    uint64_t above = ~int_mask(from), top = (uint64_t)1 << (from - 1);
    if (op == OP_ZEXT || a.zeros & top)
        a.zeros |= above;
    else if (a.ones & top)
        a.ones |= above;
    return a;
}

static struct known_bits of_pair(const struct terms *ts, const struct term *n, struct known_bits a,
                                 struct known_bits b) {
    bool by_const = term_is_const(ts, n->arg[1]);
    uint64_t c = by_const ? term_bits(ts, n->arg[1]) : 0;
    switch (n->op) {
    case OP_BAND:
        return (struct known_bits){a.zeros | b.zeros, a.ones & b.ones};
    case OP_BOR:
        return (struct known_bits){a.zeros & b.zeros, a.ones | b.ones};
    case OP_BXOR:
        return (struct known_bits){(a.zeros & b.zeros) | (a.ones & b.ones),
                                   (a.zeros & b.ones) | (a.ones & b.zeros)};
    case OP_ADD:
    case OP_SUB:
        return of_sum((enum op)n->op, a, b);
    case OP_MUL:
        if (n->arg[0] == n->arg[1])
            return of_square(a);
        return c && (c & (c - 1)) == 0 ? of_multiple(a, c) : of_product(a, b);
    case OP_LSHR:
    case OP_ASHR:
        return by_const ? of_shift_right((enum op)n->op, a, c, n->sort) : nothing;
    default:
        return nothing;
    }
}

static struct known_bits known_of_argument(const struct terms *ts, const struct term *n, int i) {
    return i < n->arity ? term_known_bits(ts, n->arg[i]) : nothing;
}

struct known_bits known_bits_of(const struct terms *ts, const struct term *n) {
    if (!sort_is_int(n->sort))
        return nothing;
    struct known_bits a = known_of_argument(ts, n, 0), b = known_of_argument(ts, n, 1);
    switch (n->op) {
    case OP_CONST:
        return of_constant(n->sort, n->payload);
    case OP_ITE:
        a = known_of_argument(ts, n, 2);
        return (struct known_bits){a.zeros & b.zeros, a.ones & b.ones};
    case OP_B2I:
        return cut((struct known_bits){~(uint64_t)1, 0}, n->sort);
    case OP_ZEXT:
    case OP_SEXT:
        return cut(of_extension((enum op)n->op, a, term_sort(ts, n->arg[0])), n->sort);
    case OP_TRUNC:
        return cut(a, n->sort);
    default:
        return n->arity == 2 ? cut(of_pair(ts, n, a, b), n->sort) : nothing;
    }
}

bool known_bits_value(const struct terms *ts, const struct term *n, uint64_t *value) {
    struct known_bits k = known_bits_of(ts, n);
    assert((k.zeros & k.ones) == 0);
    *value = k.ones;
    return sort_is_int(n->sort) && (k.zeros | k.ones) == int_mask(n->sort);
}
