/* search: gallop from a guess, then bisect. */
#include "model/contract/search.h"

#include <assert.h>

/* f(x) >= bound, or f(x) > bound */
struct edge {
    struct rising f;
    int64_t bound;
    bool strict;
};

static bool edge_passed(const struct edge *e, int64_t x) {
    int64_t z = e->f.at(e->f.context, x);
    return e->strict ? z > e->bound : z >= e->bound;
}

/* The edge is not passed at `before` and is at `after`: the first place where it is. */
static int64_t edge_first(const struct edge *e, int64_t before, int64_t after, int64_t guess) {
    uint64_t lo = 0, hi = (uint64_t)after - (uint64_t)before, step = 1;
    uint64_t at = guess > before ? (uint64_t)guess - (uint64_t)before : 1;
    assert(before < after);
    at = at < hi ? at : hi - 1;
    while (hi - lo > 1) {
        if (at <= lo || at >= hi)
            at = lo + (hi - lo) / 2;
        if (edge_passed(e, (int64_t)((uint64_t)before + at))) {
            hi = at;
            at = step < hi - lo ? at - step : lo;
        } else {
            lo = at;
            at = step < hi - lo ? at + step : hi;
        }
        step *= 2;
    }
    return (int64_t)((uint64_t)before + hi);
}

struct range rising_forward(struct rising f, struct range x) {
    assert(x.num);
    return range_between(f.at(f.context, x.lo), f.at(f.context, x.hi));
}

struct range rising_back(struct rising f, struct range z, struct range x, int64_t guess_lo,
                         int64_t guess_hi) {
    struct edge enter = {f, z.lo, false}, leave = {f, z.hi, true};
    if (!z.num || !x.num || !edge_passed(&enter, x.hi) || edge_passed(&leave, x.lo))
        return range_empty();
    if (!edge_passed(&enter, x.lo))
        x.lo = edge_first(&enter, x.lo, x.hi, guess_lo);
    if (edge_passed(&leave, x.lo))
        return range_empty();
    if (edge_passed(&leave, x.hi))
        x.hi = edge_first(&leave, x.lo, x.hi, guess_hi) - 1;
    return range_between(x.lo, x.hi);
}
