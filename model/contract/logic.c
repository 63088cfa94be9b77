/* logic: connectives by their truth tables, if-then-else, and equality of any sort. */
#include "model/contract/parts.h"

static bool connective(enum op op, bool a, bool b) {
    switch (op) {
    case OP_NOT:
        return !a;
    case OP_AND:
        return a && b;
    case OP_OR:
        return a || b;
    default:
        assert(op == OP_XOR);
        return a != b;
    }
}

/* Every row of the truth table that the ranges allow. */
static struct range truth_table(const struct prim *p, const struct range *r, int which) {
    assert(0 <= which && which <= 2);
    bool seen[2] = {false, false};
    int second = p->op == OP_NOT ? 0 : 1;
    for (int a = 0; a <= 1; a++)
        for (int b = 0; b <= second; b++) {
            int v[3] = {connective(p->op, a, b), a, b};
            if (may_be(r[0], v[0]) && may_be(r[1], a) && (!second || may_be(r[2], b)))
                seen[v[which]] = true;
        }
    return bool_range(seen[0], seen[1]);
}

/* The values that operands `to` and `from` share, as `to` sees them. */
static struct range shared(const struct prim *p, const struct range *r, int to, int from) {
    if (sort_is_int(p->sort[to]) && p->is_signed[to] != p->is_signed[from])
        return meet_arc(p, r, to, operand_arc(p, r, from));
    return range_meet(r[to], r[from]);
}

static struct range choice(const struct prim *p, const struct range *r, int which) {
    assert(0 <= which && which <= 3);
    bool then_fits = may_be(r[1], 1) && !range_is_empty(shared(p, r, 0, 2));
    bool else_fits = may_be(r[1], 0) && !range_is_empty(shared(p, r, 0, 3));
    if (which == 1)
        return bool_range(else_fits, then_fits);
    if (which == 0)
        return range_join(then_fits ? shared(p, r, 0, 2) : range_empty(),
                          else_fits ? shared(p, r, 0, 3) : range_empty());
    bool other_fits = which == 2 ? else_fits : then_fits;
    bool this_fits = which == 2 ? then_fits : else_fits;
    if (other_fits)
        return r[which];
    return this_fits ? shared(p, r, which, 0) : range_empty();
}

/* r[to] without the one value of r[from], where a range can say that. */
static struct range without_point(const struct prim *p, const struct range *r, int to, int from) {
    struct range rest = r[to], point = shared(p, r, to, from);
    if (!range_is_point(r[from]) || range_is_empty(point))
        return rest;
    if (point.nan)
        return rest.num ? range_between(rest.lo, rest.hi) : range_empty();
    if (rest.lo == rest.hi)
        rest.num = false;
    else if (rest.lo == point.lo)
        rest.lo++;
    else if (rest.hi == point.lo)
        rest.hi--;
    return rest;
}

static struct range equality(const struct prim *p, const struct range *r, int which) {
    assert(p->sort[1] == p->sort[2]);
    if (which == 0) {
        bool both_points = range_is_point(r[1]) && range_is_point(r[2]);
        bool share = !range_is_empty(shared(p, r, 1, 2));
        return bool_range(!(both_points && share), share);
    }
    int other = 3 - which;
    struct range same = may_be(r[0], 1) ? shared(p, r, which, other) : range_empty();
    struct range differ = may_be(r[0], 0) ? without_point(p, r, which, other) : range_empty();
    return range_join(same, differ);
}

struct range contract_logic(const struct prim *p, const struct range r[4], int which) {
    if (p->op == OP_ITE)
        return choice(p, r, which);
    if (p->op == OP_EQ)
        return equality(p, r, which);
    return truth_table(p, r, which);
}
