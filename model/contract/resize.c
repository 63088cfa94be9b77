/* resize: integers to another width, and bools to integers. All exact. */
#include "model/contract/parts.h"

/* Values keep their number in the view of the extension. */
static struct range extend(const struct prim *p, const struct range *r, int which) {
    assert(p->sort[0] >= p->sort[1]);
    bool is_signed = p->op == OP_SEXT;
    struct span s[2];
    struct range out = range_empty();
    int n = view_spans(p, r, 1 - which, is_signed, s);
    wide min = view_min(p->sort[which], is_signed), max = view_max(p->sort[which], is_signed);
    for (int i = 0; i < n; i++) {
        wide lo = s[i].lo > min ? s[i].lo : min, hi = s[i].hi < max ? s[i].hi : max;
        out = range_join(out, meet_span(p, r, which, lo, hi));
    }
    return out;
}

struct range meet_low_bits(const struct prim *p, const struct range *r, int i, struct arc low,
                           sort_t width) {
    assert(width <= p->sort[i] && r[i].num);
    uint64_t mask = int_mask(width);
    uint64_t lo = (uint64_t)r[i].lo, hi = (uint64_t)r[i].hi, count = hi - lo;
    uint64_t offset = (uint64_t)view_offset(p->sort[i], p->is_signed[i]);
    uint64_t above = (lo + offset - low.start) & mask, below = (hi + offset - low.start) & mask;
    uint64_t up = above <= low.span ? 0 : mask - above + 1;
    uint64_t down = below <= low.span ? 0 : below - low.span;
    if (up > count || down > count)
        return range_empty();
    return range_between((int64_t)(lo + up), (int64_t)(hi - down));
}

static struct range truncate_low(const struct prim *p, const struct range *r, int which) {
    assert(p->sort[0] <= p->sort[1]);
    if (which == 1)
        return meet_low_bits(p, r, 1, operand_arc(p, r, 0), p->sort[0]);
    struct span x = operand_span(p, r, 1);
    return meet_span(p, r, 0, x.lo, x.hi);
}

static struct range bool_to_int(const struct prim *p, const struct range *r, int which) {
    bool zero = may_be(r[1], 0) && hits_span(p, r, 0, 0, 0);
    bool one = may_be(r[1], 1) && hits_span(p, r, 0, 1, 1);
    if (which == 1)
        return bool_range(zero, one);
    return range_join(zero ? meet_span(p, r, 0, 0, 0) : range_empty(),
                      one ? meet_span(p, r, 0, 1, 1) : range_empty());
}

struct range contract_resize(const struct prim *p, const struct range r[4], int which) {
    if (p->op == OP_B2I)
        return bool_to_int(p, r, which);
    return p->op == OP_TRUNC ? truncate_low(p, r, which) : extend(p, r, which);
}
