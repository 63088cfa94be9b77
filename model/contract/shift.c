/* shift: shifts. Every amount that the range allows is one case: to the left it moves the
 * low bits up, to the right it is a floor division; amounts from the width on are one more case.
 * Exact.
 */
#include "model/contract/parts.h"

/* z = x << amount: the upper bits of z are the low bits of x, its low bits are 0. */
static struct range left(const struct prim *p, const struct range *r, int which, int amount) {
    assert(0 <= amount && amount < p->sort[0]);
    sort_t kept = (sort_t)(p->sort[0] - amount);
    uint64_t mask = int_mask(kept);
    struct arc x = operand_arc(p, r, 1);
    struct span z[2], low[2];
    struct range out = range_empty();
    x.start &= mask;
    x.span = x.span < mask ? x.span : mask;
    int n = view_spans(p, r, 0, false, z), m = arc_spans(x, kept, false, low);
    for (int i = 0; i < n; i++) {
        wide lo = (z[i].lo + ((wide)1 << amount) - 1) >> amount, hi = z[i].hi >> amount;
        if (lo > hi)
            continue;
        if (which == 1) {
            struct arc a = {(uint64_t)lo, (uint64_t)(hi - lo)};
            out = range_join(out, meet_low_bits(p, r, 1, a, kept));
            continue;
        }
        for (int k = 0; k < m; k++) {
            wide from = lo > low[k].lo ? lo : low[k].lo, to = hi < low[k].hi ? hi : low[k].hi;
            if (from <= to)
                out = range_join(out, meet_span(p, r, 0, from << amount, to << amount));
        }
    }
    return out;
}

/* z = floor(x / 2^amount) of the numbers of a view */
static struct range right(const struct prim *p, const struct range *r, int which, int amount) {
    assert(0 <= amount && amount < p->sort[1]);
    bool is_signed = p->op == OP_ASHR;
    wide min = view_min(p->sort[1], is_signed), max = view_max(p->sort[1], is_signed);
    wide unit = (wide)1 << amount;
    struct span s[2];
    struct range out = range_empty();
    int n = view_spans(p, r, 1 - which, is_signed, s);
    for (int i = 0; i < n; i++) {
        wide lo = which == 0 ? s[i].lo >> amount : s[i].lo * unit;
        wide hi = which == 0 ? s[i].hi >> amount : s[i].hi * unit + (unit - 1);
        lo = lo > min ? lo : min;
        hi = hi < max ? hi : max;
        out = range_join(out, meet_span(p, r, which, lo, hi));
    }
    return out;
}

/* What an amount leaves of operand 0 or 1. From the width on nothing is left but the sign. */
static struct range shifted(const struct prim *p, const struct range *r, int which, int amount) {
    bool all = amount >= p->sort[0];
    if (p->op == OP_ASHR)
        return right(p, r, which, all ? p->sort[0] - 1 : amount);
    if (!all)
        return p->op == OP_SHL ? left(p, r, which, amount) : right(p, r, which, amount);
    if (!hits_span(p, r, 0, 0, 0))
        return range_empty();
    return which == 0 ? meet_span(p, r, 0, 0, 0) : r[1];
}

/* Joins the cases of the amounts lo..hi; those from the width on are alike. */
static struct range amounts(const struct prim *p, const struct range *r, int which, wide lo,
                            wide hi) {
    assert(0 <= lo && lo <= hi);
    wide width = p->sort[0];
    struct range out = range_empty();
    for (wide amount = lo; amount <= hi && amount <= width; amount++) {
        struct range case_of = shifted(p, r, which == 1 ? 1 : 0, (int)amount);
        if (case_of.num && which == 2)
            case_of = meet_span(p, r, 2, amount, amount == width ? hi : amount);
        out = range_join(out, case_of);
    }
    if (lo > width)
        out = shifted(p, r, which == 1 ? 1 : 0, (int)width);
    return out;
}

struct range contract_shift(const struct prim *p, const struct range r[4], int which) {
    struct span s[2];
    struct range out = range_empty();
    int n = view_spans(p, r, 2, false, s);
    for (int i = 0; i < n; i++) {
        struct range part = amounts(p, r, which, s[i].lo, s[i].hi);
        if (which == 2 && part.num && s[i].lo > p->sort[0])
            part = meet_span(p, r, 2, s[i].lo, s[i].hi);
        out = range_join(out, part);
    }
    return out;
}
