/* table: element of a constant table by index; past the end counts as the last one. */
#include "model/contract/parts.h"

/* The table's entry as operand 0 sees it. */
static struct range entry_range(const struct prim *p, size_t index) {
    assert(index < p->table->len);
    uint64_t bits = p->table->values[index];
    if (bits_are_nan(p->sort[0], bits))
        return range_only_nan();
    return range_point(ordinal_of(p->sort[0], p->is_signed[0], bits));
}

static bool entry_fits(const struct prim *p, const struct range *r, size_t index) {
    return !range_is_empty(range_meet(r[0], entry_range(p, index)));
}

/* Indices past the end are the last one. */
static struct span clamp(const struct prim *p, struct span s) {
    wide last = (wide)p->table->len - 1;
    return (struct span){s.lo < last ? s.lo : last, s.hi < last ? s.hi : last};
}

static struct range entries(const struct prim *p, const struct range *r, struct span s) {
    struct span c = clamp(p, s);
    struct range out = range_empty();
    for (wide i = c.lo; i <= c.hi; i++)
        out = range_join(out, range_meet(r[0], entry_range(p, (size_t)i)));
    return out;
}

/* The indices of the span without the ends whose entries do not fit. */
static struct range indices(const struct prim *p, const struct range *r, struct span s) {
    assert(0 <= s.lo && s.lo <= s.hi);
    struct span c = clamp(p, s);
    while (c.lo <= c.hi && !entry_fits(p, r, (size_t)c.lo))
        c.lo++;
    while (c.lo <= c.hi && !entry_fits(p, r, (size_t)c.hi))
        c.hi--;
    if (c.lo > c.hi)
        return range_empty();
    bool tail = c.hi == (wide)p->table->len - 1; /* all indices from there on mean this entry */
    return meet_span(p, r, 1, c.lo < s.lo ? s.lo : c.lo, tail ? s.hi : c.hi);
}

struct range contract_table(const struct prim *p, const struct range r[4], int which) {
    struct span s[2];
    struct range out = range_empty();
    int n = view_spans(p, r, 1, false, s);
    assert(p->table && p->table->len > 0);
    for (int i = 0; i < n; i++)
        out = range_join(out, which == 0 ? entries(p, r, s[i]) : indices(p, r, s[i]));
    return out;
}
