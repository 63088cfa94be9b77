/* Cheap bounds of integer terms, for rules that need "fits" or "is not negative". */
#include "model/term/simplify.h"

enum { LEVELS = 4, TABLE_SCAN = 64 };

static struct int_bounds full_bounds(sort_t width) {
    assert(sort_is_int(width));
    int64_t smax = (int64_t)(int_mask(width) >> 1);
    return (struct int_bounds){0, int_mask(width), -smax - 1, smax};
}

/* Each view tells something about the other where the order of values is the same. */
static struct int_bounds meet_views(struct int_bounds b, sort_t width) {
    uint64_t smax = int_mask(width) >> 1;
    if (b.uhi <= smax) {
        b.slo = b.slo > (int64_t)b.ulo ? b.slo : (int64_t)b.ulo;
        b.shi = b.shi < (int64_t)b.uhi ? b.shi : (int64_t)b.uhi;
    }
    if (b.slo >= 0) {
        b.ulo = b.ulo > (uint64_t)b.slo ? b.ulo : (uint64_t)b.slo;
        b.uhi = b.uhi < (uint64_t)b.shi ? b.uhi : (uint64_t)b.shi;
    }
    return b;
}

static struct int_bounds unsigned_bounds(sort_t width, uint64_t lo, uint64_t hi) {
    assert(lo <= hi && hi <= int_mask(width));
    struct int_bounds b = full_bounds(width);
    b.ulo = lo;
    b.uhi = hi;
    return b;
}

static struct int_bounds signed_bounds(sort_t width, int64_t lo, int64_t hi) {
    assert(lo <= hi && int_signed(width, (uint64_t)lo) == lo);
    struct int_bounds b = full_bounds(width);
    b.slo = lo;
    b.shi = hi;
    return b;
}

static struct int_bounds join_bounds(struct int_bounds a, struct int_bounds b) {
    a.ulo = a.ulo < b.ulo ? a.ulo : b.ulo;
    a.uhi = a.uhi > b.uhi ? a.uhi : b.uhi;
    a.slo = a.slo < b.slo ? a.slo : b.slo;
    a.shi = a.shi > b.shi ? a.shi : b.shi;
    return a;
}

static struct int_bounds table_bounds(const struct terms *ts, const struct term *node) {
    assert(node->op == OP_TABLE);
    const struct term_table *table = &ts->tables.data[node->payload];
    if (table->len > TABLE_SCAN)
        return full_bounds(node->sort);
    struct int_bounds b = {UINT64_MAX, 0, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < table->len; i++) {
        uint64_t u = table->values[i];
        int64_t s = int_signed(node->sort, u);
        b = join_bounds(b, (struct int_bounds){u, u, s, s});
    }
    return b;
}

static struct int_bounds trunc_bounds(sort_t width, struct int_bounds a) {
    struct int_bounds b = full_bounds(width);
    if (a.uhi <= b.uhi) {
        b.ulo = a.ulo;
        b.uhi = a.uhi;
    }
    if (a.slo >= b.slo && a.shi <= b.shi) {
        b.slo = a.slo;
        b.shi = a.shi;
    }
    return b;
}

static struct int_bounds add_bounds(sort_t width, struct int_bounds x, struct int_bounds y) {
    assert(x.ulo <= x.uhi && y.ulo <= y.uhi);
    struct int_bounds b = full_bounds(width);
    uint64_t uhi;
    if (!__builtin_add_overflow(x.uhi, y.uhi, &uhi) && uhi <= b.uhi) {
        b.ulo = x.ulo + y.ulo;
        b.uhi = uhi;
    }
    int64_t slo, shi;
    if (!__builtin_add_overflow(x.slo, y.slo, &slo) &&
        !__builtin_add_overflow(x.shi, y.shi, &shi) && slo >= b.slo && shi <= b.shi) {
        b.slo = slo;
        b.shi = shi;
    }
    return b;
}

static struct int_bounds mul_bounds(sort_t width, struct int_bounds x, struct int_bounds y) {
    assert(x.ulo <= x.uhi && y.ulo <= y.uhi);
    uint64_t uhi;
    if (__builtin_mul_overflow(x.uhi, y.uhi, &uhi) || uhi > int_mask(width))
        return full_bounds(width);
    return unsigned_bounds(width, x.ulo * y.ulo, uhi);
}

/* a op c for constant c */
static struct int_bounds const_op_bounds(enum op op, sort_t width, struct int_bounds a,
                                         uint64_t c) {
    assert(a.ulo <= a.uhi && a.slo <= a.shi);
    switch (op) {
    case OP_BAND:
        return unsigned_bounds(width, 0, a.uhi < c ? a.uhi : c);
    case OP_LSHR:
        return c >= width ? unsigned_bounds(width, 0, 0)
                          : unsigned_bounds(width, a.ulo >> c, a.uhi >> c);
    case OP_ASHR:
        return signed_bounds(width, a.slo >> (c < 63 ? c : 63), a.shi >> (c < 63 ? c : 63));
    case OP_UDIV:
        return c ? unsigned_bounds(width, a.ulo / c, a.uhi / c) : full_bounds(width);
    case OP_UREM:
        return c ? unsigned_bounds(width, 0, a.uhi < c ? a.uhi : c - 1) : a;
    default:
        return full_bounds(width);
    }
}

static struct int_bounds bounds_at(const struct terms *ts, term_t t, int levels) {
    const struct term *n = term_get(ts, t);
    struct int_bounds b = full_bounds(n->sort);
    if (n->op == OP_CONST) {
        int64_t s = int_signed(n->sort, n->payload);
        return (struct int_bounds){n->payload, n->payload, s, s};
    }
    if (levels == 0)
        return b;
    switch (n->op) {
    case OP_ZEXT:
        b = bounds_at(ts, n->arg[0], levels - 1);
        b = n->sort > term_sort(ts, n->arg[0]) ? unsigned_bounds(n->sort, b.ulo, b.uhi) : b;
        break;
    case OP_SEXT:
        b = bounds_at(ts, n->arg[0], levels - 1);
        b = signed_bounds(n->sort, b.slo, b.shi);
        break;
    case OP_TRUNC:
        b = trunc_bounds(n->sort, bounds_at(ts, n->arg[0], levels - 1));
        break;
    case OP_B2I:
        b = unsigned_bounds(n->sort, 0, 1);
        break;
    case OP_ITE:
        b = join_bounds(bounds_at(ts, n->arg[1], levels - 1), bounds_at(ts, n->arg[2], levels - 1));
        break;
    case OP_ADD:
        b = add_bounds(n->sort, bounds_at(ts, n->arg[0], levels - 1),
                       bounds_at(ts, n->arg[1], levels - 1));
        break;
    case OP_MUL:
        b = mul_bounds(n->sort, bounds_at(ts, n->arg[0], levels - 1),
                       bounds_at(ts, n->arg[1], levels - 1));
        break;
    case OP_TABLE:
        b = table_bounds(ts, n);
        break;
    default:
        if (n->arity == 2 && term_is_const(ts, n->arg[1]))
            b = const_op_bounds(n->op, n->sort, bounds_at(ts, n->arg[0], levels - 1),
                                term_bits(ts, n->arg[1]));
    }
    return meet_views(b, n->sort);
}

struct int_bounds term_int_bounds(const struct terms *ts, term_t t) {
    assert(sort_is_int(term_sort(ts, t)));
    struct int_bounds b = bounds_at(ts, t, LEVELS);
    assert(b.ulo <= b.uhi && b.slo <= b.shi);
    return b;
}
