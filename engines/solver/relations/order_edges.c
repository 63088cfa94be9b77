/* What each primitive constraint says about order: see order.h.
 *
 * A float edge needs its ends not to be NaN. A comparison that is true gives that; choices, FABS
 * and roundings pass it on, as their result is NaN exactly when their argument is; the others carry
 * it as a guard. An integer sum gives an edge only where it cannot wrap on that side. */
#include "engines/solver/relations/order.h"
#include "engines/solver/clause.h"
#include "engines/solver/prims.h"
#include "engines/solver/vars.h"

enum { SIGNED = 0, UNSIGNED = 1, MAX_WIDTH = 48 };

static uint32_t node_of(svar v, int order) {
    assert(v && (order == SIGNED || order == UNSIGNED));
    return 2 * v + (uint32_t)order;
}

static void order_watch_add(struct solver *s, struct lit l, uint32_t edge) {
    assert(l.vs < s->bound.len && edge);
    struct order *o = &s->order;
    if (l.vs >= o->watching.len)
        vec_resize_zero(&o->watching, s->bound.len);
    vec_push(&o->watching.data[l.vs], (struct order_watch){l.bound, edge});
}

static void nodes_grow(struct solver *s) {
    struct order *o = &s->order;
    size_t n = 2 * ((size_t)s->n_vars + 1);
    vec_resize_zero(&o->head, n);
    vec_resize_zero(&o->seen, n);
    vec_resize_zero(&o->via, n);
    vec_resize_zero(&o->distance, n);
    if (o->edges.len == 0)
        vec_resize_zero(&o->edges, 1);
}

/* An edge under construction: guards that hold at level 0 are left out. */
struct draft_edge {
    struct order_edge edge;
    bool impossible;
};

static struct draft_edge edge_draft(uint32_t from, uint32_t to, int64_t weight) {
    return (struct draft_edge){.edge = {.from = from, .to = to, .weight = weight}};
}

static void edge_guard(const struct solver *s, struct draft_edge *d, struct lit l) {
    assert(d->edge.n_guards <= 3);
    if (s->base.data[l.vs] >= l.bound)
        return;
    if (s->base.data[l.vs ^ 1] > ~l.bound || d->edge.n_guards == 3)
        d->impossible = true;
    else
        d->edge.guard[d->edge.n_guards++] = l;
}

static void edge_guard_number(const struct solver *s, struct draft_edge *d, svar v) {
    if (s->nan.data[v])
        edge_guard(s, d, lit_le(s->nan.data[v], 0));
}

static uint32_t edge_add(struct solver *s, const struct draft_edge *d) {
    assert(d->edge.from < 2 * ((size_t)s->n_vars + 1) && d->edge.to < 2 * ((size_t)s->n_vars + 1));
    struct order *o = &s->order;
    if (d->impossible || d->edge.from == d->edge.to)
        return 0;
    nodes_grow(s);
    uint32_t id = (uint32_t)o->edges.len;
    vec_push(&o->edges, d->edge);
    o->edges.data[id].next = o->head.data[d->edge.from];
    o->head.data[d->edge.from] = id;
    for (int i = 0; i < d->edge.n_guards; i++)
        order_watch_add(s, d->edge.guard[i], id);
    vec_push(&o->noted, id);
    return id;
}

static void add_edge(struct solver *s, uint32_t from, uint32_t to, int64_t weight) {
    struct draft_edge d = edge_draft(from, to, weight);
    edge_add(s, &d);
}

static void add_guarded(struct solver *s, uint32_t from, uint32_t to, int64_t weight,
                        struct lit guard, svar number) {
    struct draft_edge d = edge_draft(from, to, weight);
    edge_guard(s, &d, guard);
    edge_guard_number(s, &d, number);
    edge_add(s, &d);
}

/* ---- both orders of an integer ---- */

static int view_of(const struct solver *s, svar v) {
    return s->flags.data[v] & VAR_SIGNED ? SIGNED : UNSIGNED;
}

/* It has one value in both: it is not negative, or not above what is negative as signed. */
static struct lit fits_both(const struct solver *s, svar v) {
    sort_t sort = s->sort.data[v];
    assert(sort_is_int(sort));
    if (view_of(s, v) == SIGNED)
        return lit_ge(v, 0);
    return lit_le(v, ordinal_of(sort, false, ordinal_bits(sort, true, ordinal_max(sort, true))));
}

static bool has_views(const struct solver *s, svar v) {
    uint32_t from = node_of(v, SIGNED), to = node_of(v, UNSIGNED);
    for (uint32_t i = from < s->order.head.len ? s->order.head.data[from] : 0; i;
         i = s->order.edges.data[i].next)
        if (s->order.edges.data[i].to == to)
            return true;
    return false;
}

static void add_views(struct solver *s, svar v) {
    if (has_views(s, v))
        return;
    for (int up = 0; up < 2; up++) {
        struct draft_edge d =
            edge_draft(node_of(v, up ? SIGNED : UNSIGNED), node_of(v, up ? UNSIGNED : SIGNED), 0);
        edge_guard(s, &d, fits_both(s, v));
        edge_add(s, &d);
    }
}

static bool is_in_both(const struct solver *s, svar v) {
    if (!sort_is_int(s->sort.data[v]))
        return false;
    struct lit fits = fits_both(s, v);
    return s->base.data[fits.vs] >= fits.bound;
}

/* What has bounds in one order and is compared in the other. */
static void add_views_compared(struct solver *s, enum op op, svar v) {
    bool crossed =
        view_of(s, v) == SIGNED ? op == OP_ULT || op == OP_ULE : op == OP_SLT || op == OP_SLE;
    if (crossed)
        add_views(s, v);
}

/* ---- comparisons ---- */

static void add_less(struct solver *s, svar b, svar x, svar y, int order, bool strict) {
    assert(s->sort.data[b] == SORT_BOOL && s->sort.data[x] == s->sort.data[y]);
    struct draft_edge yes = edge_draft(node_of(x, order), node_of(y, order), strict ? -1 : 0);
    struct draft_edge no = edge_draft(node_of(y, order), node_of(x, order), strict ? 0 : -1);
    edge_guard(s, &yes, lit_ge(b, 1));
    edge_guard(s, &no, lit_le(b, 0));
    edge_guard_number(s, &no, x);
    edge_guard_number(s, &no, y);
    edge_add(s, &yes);
    edge_add(s, &no);
}

static void add_equal(struct solver *s, struct lit guard, svar x, svar y) {
    assert(s->sort.data[x] == s->sort.data[y]);
    int orders = sort_is_int(s->sort.data[x]) ? 2 : 1;
    for (int order = 0; order < orders; order++) {
        struct draft_edge up = edge_draft(node_of(x, order), node_of(y, order), 0), down = up;
        down.edge.from = up.edge.to;
        down.edge.to = up.edge.from;
        edge_guard(s, &up, guard);
        edge_guard(s, &down, guard);
        edge_add(s, &up);
        edge_add(s, &down);
    }
}

/* ---- integer sums ---- */

/* to - from <= what holds of side vs; triggers where that bound changes its sign */
static void add_moving(struct solver *s, svar from, svar to, uint32_t vs, bool may, int order) {
    struct draft_edge d = edge_draft(node_of(from, order), node_of(to, order), 0);
    if (!may)
        return;
    d.edge.moving = 1;
    d.edge.weight_vs = vs;
    uint32_t id = edge_add(s, &d);
    if (id == 0)
        return;
    order_watch_add(s, vs & 1 ? lit_le(vs / 2, 0) : lit_ge(vs / 2, 0), id);
    order_watch_add(s, vs & 1 ? lit_le(vs / 2, -1) : lit_ge(vs / 2, 1), id);
}

/* a + b = c over the integers as far as it does not wrap below, above */
static void add_sum(struct solver *s, svar a, svar b, svar c, bool below, bool above, int order) {
    add_moving(s, c, a, side_hi(b), below, order);
    add_moving(s, c, b, side_hi(a), below, order);
    add_moving(s, a, c, side_lo(b), above, order);
    add_moving(s, b, c, side_lo(a), above, order);
}

static int64_t base_lo(const struct solver *s, svar v) {
    return s->base.data[2 * v];
}
static int64_t base_hi(const struct solver *s, svar v) {
    return ~s->base.data[2 * v + 1];
}

/* z = x + by where the guard holds. */
static void add_step(struct solver *s, svar z, svar x, int64_t by, struct lit guard, int order) {
    add_guarded(s, node_of(z, order), node_of(x, order), by, guard, z);
    add_guarded(s, node_of(x, order), node_of(z, order), -by, guard, z);
}

/* z = x + k for a constant: exactly one of two steps, that which wraps and that which does not. */
static void add_steps(struct solver *s, svar z, svar x, int64_t k, int order) {
    sort_t sort = s->sort.data[z];
    assert(sort <= MAX_WIDTH && k != 0);
    int64_t size = (int64_t)1 << sort;
    int64_t min = ordinal_min(sort, order == SIGNED), max = ordinal_max(sort, order == SIGNED);
    if (k > 0) {
        add_step(s, z, x, k, lit_le(x, max - k), order);
        add_step(s, z, x, k - size, lit_ge(x, max - k + 1), order);
    } else {
        add_step(s, z, x, k, lit_ge(x, min - k), order);
        add_step(s, z, x, k + size, lit_le(x, min - k - 1), order);
    }
}

/* z = x + y where y is fixed, in the order that x has bounds in. */
static void add_fixed_sum(struct solver *s, svar z, svar x, svar y) {
    sort_t sort = s->sort.data[z];
    int order = view_of(s, x);
    uint64_t bits = ordinal_bits(sort, view_of(s, y) == SIGNED, base_lo(s, y));
    int64_t k = ordinal_of(sort, order == SIGNED, bits);
    assert(base_lo(s, y) == base_hi(s, y));
    if (k == 0)
        return;
    add_steps(s, z, x, k, order);
    if (view_of(s, z) != order)
        add_views(s, z);
}

static void add_int_sum(struct solver *s, enum op op, svar z, svar x, svar y) {
    assert(s->sort.data[x] == s->sort.data[z] && s->sort.data[y] == s->sort.data[z]);
    sort_t sort = s->sort.data[z];
    int order = view_of(s, z);
    if (sort > MAX_WIDTH)
        return;
    if (op == OP_ADD && base_lo(s, y) == base_hi(s, y))
        add_fixed_sum(s, z, x, y);
    if (view_of(s, x) != order || view_of(s, y) != order)
        return;
    int64_t min = ordinal_min(sort, order == SIGNED), max = ordinal_max(sort, order == SIGNED);
    if (op == OP_ADD)
        add_sum(s, x, y, z, base_lo(s, x) + base_lo(s, y) >= min,
                base_hi(s, x) + base_hi(s, y) <= max, order);
    else /* x = z + y wraps above where x - y wraps below */
        add_sum(s, z, y, x, base_hi(s, x) - base_lo(s, y) <= max,
                base_lo(s, x) - base_hi(s, y) >= min, order);
}

/* ---- other widths: one number, as far as it fits ---- */

static void add_same_number(struct solver *s, svar x, svar y, int order) {
    add_edge(s, node_of(x, order), node_of(y, order), 0);
    add_edge(s, node_of(y, order), node_of(x, order), 0);
}

/* z = x while x is between these, in its own view. */
static void add_same_between(struct solver *s, svar z, svar x, int order, int64_t lo, int64_t hi) {
    for (int up = 0; up < 2; up++) {
        struct draft_edge d = edge_draft(node_of(up ? x : z, order), node_of(up ? z : x, order), 0);
        edge_guard(s, &d, lit_ge(x, lo));
        edge_guard(s, &d, lit_le(x, hi));
        edge_add(s, &d);
    }
}

/* Low bits are never more than the whole. */
static void add_truncation(struct solver *s, svar z, svar x) {
    sort_t sort = s->sort.data[z];
    assert(sort < s->sort.data[x]);
    add_edge(s, node_of(z, UNSIGNED), node_of(x, UNSIGNED), 0);
    add_same_between(s, z, x, UNSIGNED, 0, ordinal_max(sort, false));
    if (view_of(s, x) == SIGNED)
        add_same_between(s, z, x, SIGNED, ordinal_min(sort, true), ordinal_max(sort, true));
}

static void add_width(struct solver *s, enum op op, svar z, svar x) {
    sort_t from = s->sort.data[x], to = s->sort.data[z];
    if (from > MAX_WIDTH || (to > MAX_WIDTH && op == OP_TRUNC) || from == to)
        return;
    if (op == OP_TRUNC)
        add_truncation(s, z, x);
    else
        add_same_number(s, z, x, op == OP_ZEXT ? UNSIGNED : SIGNED);
}

/* ---- floats ---- */

enum { MINUS_ZERO = -1, PLUS_ZERO = 0 };

/* z = x + y: z is above x when y is not negative, below when y is not positive */
static void add_float_shift(struct solver *s, svar z, svar x, svar y) {
    assert(sort_is_float(s->sort.data[z]));
    add_guarded(s, node_of(x, 0), node_of(z, 0), 0, lit_ge(y, MINUS_ZERO), z);
    add_guarded(s, node_of(z, 0), node_of(x, 0), 0, lit_le(y, PLUS_ZERO), z);
}

static void add_float_difference(struct solver *s, svar z, svar x, svar y) {
    assert(sort_is_float(s->sort.data[z]));
    uint32_t a = node_of(x, 0), b = node_of(y, 0);
    add_guarded(s, b, a, -1, lit_ge(z, PLUS_ZERO + 1), z);
    add_guarded(s, b, a, 0, lit_ge(z, MINUS_ZERO), z);
    add_guarded(s, a, b, 0, lit_le(z, PLUS_ZERO), z);
    add_guarded(s, a, b, -1, lit_le(z, MINUS_ZERO - 1), z);
    add_guarded(s, node_of(z, 0), a, 0, lit_ge(y, MINUS_ZERO), z);
    add_guarded(s, a, node_of(z, 0), 0, lit_le(y, PLUS_ZERO), z);
}

static int64_t ordinal_of_one(sort_t sort) {
    assert(sort_is_float(sort));
    return ordinal_of(sort, true, sort == SORT_F32 ? f32_bits(1) : f64_bits(1));
}

/* z = x * k: while k <= 1 it is nearer to zero than x, or beyond zero. */
static void add_float_part(struct solver *s, svar z, svar x, svar k) {
    int64_t one = ordinal_of_one(s->sort.data[z]);
    for (int negative = 0; negative < 2; negative++) {
        uint32_t from = node_of(negative ? x : z, 0), to = node_of(negative ? z : x, 0);
        struct draft_edge d = edge_draft(from, to, 0);
        edge_guard(s, &d, lit_le(k, one));
        edge_guard(s, &d, negative ? lit_le(x, PLUS_ZERO) : lit_ge(x, MINUS_ZERO));
        edge_guard_number(s, &d, z);
        edge_add(s, &d);
    }
}

static void add_extreme(struct solver *s, enum op op, svar z, svar arg) {
    assert(op == OP_FMIN || op == OP_FMAX);
    struct draft_edge d = op == OP_FMIN ? edge_draft(node_of(z, 0), node_of(arg, 0), 0)
                                        : edge_draft(node_of(arg, 0), node_of(z, 0), 0);
    edge_guard_number(s, &d, arg);
    edge_add(s, &d);
}

/* ---- atoms over one pair of variables ---- */

/* How two values can lie to each other. */
enum { REL_LESS = 1, REL_GREATER = 2, REL_SAME = 4, REL_ZEROS = 8, REL_NANS = 16, REL_NAN = 32 };

static int atom_relations(enum op op) {
    switch (op) {
    case OP_FLT:
    case OP_SLT:
    case OP_ULT:
        return REL_LESS;
    case OP_FLE:
        return REL_LESS | REL_SAME | REL_ZEROS;
    case OP_SLE:
    case OP_ULE:
        return REL_LESS | REL_SAME;
    case OP_FEQ:
        return REL_SAME | REL_ZEROS;
    case OP_EQ:
        return REL_SAME | REL_NANS;
    default:
        return 0;
    }
}

static int swap_relations(int mask) {
    int less = mask & REL_LESS, greater = mask & REL_GREATER;
    return (mask & ~(REL_LESS | REL_GREATER)) | (less ? REL_GREATER : 0) | (greater ? REL_LESS : 0);
}

static int possible_relations(const struct solver *s, svar x, svar y) {
    if (!sort_is_float(s->sort.data[x]))
        return REL_LESS | REL_GREATER | REL_SAME;
    int mask = REL_LESS | REL_GREATER | REL_SAME | REL_ZEROS;
    return var_known_range(s, x).nan || var_known_range(s, y).nan ? mask | REL_NANS | REL_NAN
                                                                  : mask;
}

/* The clauses over up to three atoms that no relation satisfies the negation of. A difference that
 * is a number has numbers as its arguments. */
static void relate(struct solver *s, const struct order_atom *const *atoms, int n, int possible) {
    assert(n == 2 || n == 3);
    struct lit lits[6];
    size_t n_nans = 0;
    for (int i = 0; i < n; i++) {
        svar nan = atoms[i]->difference ? s->nan.data[atoms[i]->difference] : 0;
        if (atoms[i]->difference)
            possible &= ~(REL_NAN | REL_NANS);
        if (nan)
            lits[3 + n_nans++] = lit_ge(nan, 1);
    }
    for (int values = 0; values < 1 << n; values++) {
        int left = possible;
        struct lit all[6];
        for (int i = 0; i < n; i++) {
            bool value = values >> i & 1;
            left &= value ? atoms[i]->relations : ~atoms[i]->relations;
            all[i] = value ? lit_not(atoms[i]->yes) : atoms[i]->yes;
        }
        memcpy(all + n, lits + 3, n_nans * sizeof *lits);
        if (!left)
            clause_add(s, all, (size_t)n + n_nans);
    }
}

static bool same_pair(const struct order_atom *a, const struct order_atom *b) {
    return a->x == b->x && a->y == b->y &&
           (a->family == b->family || a->family == 2 || b->family == 2);
}

static void atom_add(struct solver *s, struct order_atom atom) {
    assert(atom.yes.vs && s->sort.data[atom.x] == s->sort.data[atom.y]);
    struct order *o = &s->order;
    svar x = atom.x, y = atom.y;
    if (x > y) {
        atom.x = y;
        atom.y = x;
        atom.relations = swap_relations(atom.relations);
    }
    uint64_t key = hash_mix(atom.x, atom.y);
    const uint32_t *last = map_get(&o->pairs, key);
    atom.prev = last ? *last + 1 : 0;
    int possible = possible_relations(s, x, y);
    for (uint32_t i = atom.prev; i; i = o->atoms.data[i - 1].prev) {
        const struct order_atom *second = &o->atoms.data[i - 1];
        if (!same_pair(&atom, second))
            continue;
        relate(s, (const struct order_atom *[]){&atom, second}, 2, possible);
        for (uint32_t k = second->prev; k; k = o->atoms.data[k - 1].prev)
            if (same_pair(&atom, &o->atoms.data[k - 1]) && same_pair(second, &o->atoms.data[k - 1]))
                relate(s, (const struct order_atom *[]){&atom, second, &o->atoms.data[k - 1]}, 3,
                       possible);
    }
    map_put(&o->pairs, key, (uint32_t)o->atoms.len);
    vec_push(&o->atoms, atom);
}

/* EQ belongs to the signed and to the unsigned order: family 2 of integers. */
static void add_atom(struct solver *s, enum op op, svar b, svar x, svar y) {
    int family = op == OP_EQ ? 2 : op == OP_ULT || op == OP_ULE;
    atom_add(s, (struct order_atom){.yes = lit_ge(b, 1),
                                    .x = x,
                                    .y = y,
                                    .relations = atom_relations(op),
                                    .family = family});
}

/* d = x - y is above zero exactly when x is above y: the difference of two floats is never rounded
 * to zero. */
static void add_difference_signs(struct solver *s, svar d, svar x, svar y) {
    assert(sort_is_float(s->sort.data[d]) && s->sort.data[x] == s->sort.data[d]);
    struct order_atom atom = {.x = x, .y = y, .difference = d};
    atom.yes = lit_ge(d, PLUS_ZERO + 1);
    atom.relations = REL_GREATER;
    atom_add(s, atom);
    atom.yes = lit_le(d, MINUS_ZERO - 1);
    atom.relations = REL_LESS;
    atom_add(s, atom);
}

static bool both_open(const struct solver *s, svar x, svar y) {
    return s->base.data[2 * x] != ~s->base.data[2 * x + 1] &&
           s->base.data[2 * y] != ~s->base.data[2 * y + 1];
}

/* Two integers that are compared, and asked for equality: which of them is less when they are not
 * is an atom, too, and so an edge. */
static void complete_pair(struct solver *s, svar x, svar y, int family) {
    enum op less = family ? OP_ULT : OP_SLT;
    const uint32_t *last = map_get(&s->order.pairs, hash_mix(x < y ? x : y, x < y ? y : x));
    bool equal = false, ordered = false;
    assert(sort_is_int(s->sort.data[x]) && s->sort.data[x] == s->sort.data[y]);
    for (uint32_t i = last ? *last + 1 : 0; i; i = s->order.atoms.data[i - 1].prev) {
        const struct order_atom *a = &s->order.atoms.data[i - 1];
        bool same = (a->x == x && a->y == y) || (a->x == y && a->y == x);
        equal |= same && a->family == 2;
        ordered |= same && a->family == family;
    }
    for (int i = 0; i < 2 && equal && ordered; i++) {
        svar args[3] = {i ? y : x, i ? x : y};
        struct prim kind = prims_kind(s, less, SORT_BOOL, false, NULL, args);
        (void)prims_result(s, &kind, args);
    }
}

static void add_comparison(struct solver *s, enum op op, const svar *v) {
    if (!both_open(s, v[1], v[2])) /* bounds say it all */
        return;
    switch (op) {
    case OP_FLT:
    case OP_SLT:
        add_less(s, v[0], v[1], v[2], SIGNED, true);
        break;
    case OP_FLE:
    case OP_SLE:
        add_less(s, v[0], v[1], v[2], SIGNED, false);
        break;
    case OP_ULT:
    case OP_ULE:
        add_less(s, v[0], v[1], v[2], UNSIGNED, op == OP_ULT);
        break;
    default:
        add_equal(s, lit_ge(v[0], 1), v[1], v[2]);
    }
    add_atom(s, op, v[0], v[1], v[2]);
    if (sort_is_int(s->sort.data[v[1]])) {
        add_views_compared(s, op, v[1]);
        add_views_compared(s, op, v[2]);
        complete_pair(s, v[1], v[2], 0);
        complete_pair(s, v[1], v[2], 1);
    }
}

/* The arguments of a difference of floats. */
static const svar *difference_of(const struct solver *s, svar v) {
    uint32_t prim = s->definition.data[v];
    if (!prim || prim_is_form(&s->prims.data[prim]) ||
        s->kinds.data[s->prims.data[prim].kind].op != OP_FSUB)
        return NULL;
    return s->prims.data[prim].var + 1;
}

/* The integer that a float was made from; `op` says how. */
static svar integer_of(const struct solver *s, svar v, enum op *op) {
    uint32_t prim = s->definition.data[v];
    if (!prim || prim_is_form(&s->prims.data[prim]))
        return 0;
    *op = s->kinds.data[s->prims.data[prim].kind].op;
    return *op == OP_S2F || *op == OP_U2F ? s->prims.data[prim].var[1] : 0;
}

/* What x <= y is asked of, so that above / below is at most 1 where below is positive: differences
 * from one point and conversions of integers are monotone. */
static enum op ordered_by(const struct solver *s, svar above, svar below, svar args[2]) {
    const svar *n = difference_of(s, above), *d = difference_of(s, below);
    enum op up = OP_CONST, down = OP_CONST;
    svar i = integer_of(s, above, &up), k = integer_of(s, below, &down);
    args[0] = above;
    args[1] = below;
    if (n && d && n[1] == d[1]) {
        args[0] = n[0];
        args[1] = d[0];
        return both_open(s, n[1], n[1]) ? OP_FLE : OP_CONST;
    }
    if (!i || !k || up != down || s->sort.data[i] != s->sort.data[k])
        return OP_FLE;
    args[0] = i;
    args[1] = k;
    return up == OP_S2F ? OP_SLE : OP_ULE;
}

/* q = above / below. The comparison need not be one of the program. */
static void add_quotient(struct solver *s, svar q, svar above, svar below) {
    svar args[3] = {0};
    enum op op = ordered_by(s, above, below, args);
    if (op == OP_CONST || !both_open(s, args[0], args[1]))
        return;
    struct prim kind = prims_kind(s, op, SORT_BOOL, false, NULL, args);
    svar b = prims_result(s, &kind, args), nan = s->nan.data[q];
    int64_t one = ordinal_of_one(s->sort.data[q]);
    struct lit lits[4] = {lit_le(b, 0), lit_le(below, PLUS_ZERO), lit_le(q, one)};
    if (nan)
        lits[3] = lit_ge(nan, 1);
    clause_add(s, lits, nan ? 4 : 3);
}

/* ---- means ---- */

/* The arguments of a sum of floats. */
static const svar *sum_of(const struct solver *s, svar v) {
    uint32_t prim = s->definition.data[v];
    if (!prim || prim_is_form(&s->prims.data[prim]) ||
        s->kinds.data[s->prims.data[prim].kind].op != OP_FADD)
        return NULL;
    return s->prims.data[prim].var + 1;
}

static bool is_number(const struct solver *s, svar v, double value) {
    sort_t sort = s->sort.data[v];
    assert(sort_is_float(sort));
    uint64_t bits = sort == SORT_F32 ? f32_bits((float)value) : f64_bits(value);
    int64_t at = ordinal_of(sort, true, bits);
    return !s->nan.data[v] && base_lo(s, v) == at && base_hi(s, v) == at;
}

/* z = (low + high) / 2 where low <= high: rounding is monotone and doubling and halving again are
 * exact, so low <= z <= high, unless the sum of one with itself overflows. */
static void add_between(struct solver *s, svar z, svar low, svar high) {
    sort_t sort = s->sort.data[z];
    svar args[3] = {low, high};
    int64_t half_most =
        ordinal_of(sort, true, sort == SORT_F32 ? f32_bits(0x1p126F) : f64_bits(0x1p1022));
    struct prim kind = prims_kind(s, OP_FLE, SORT_BOOL, false, NULL, args);
    struct lit ordered = lit_ge(prims_result(s, &kind, args), 1);
    struct draft_edge below = edge_draft(node_of(z, 0), node_of(high, 0), 0);
    struct draft_edge above = edge_draft(node_of(low, 0), node_of(z, 0), 0);
    edge_guard(s, &below, ordered);
    edge_guard(s, &below, lit_le(high, half_most));
    edge_guard_number(s, &below, z);
    edge_guard(s, &above, ordered);
    edge_guard(s, &above, lit_ge(low, -1 - half_most));
    edge_guard_number(s, &above, z);
    edge_add(s, &below);
    edge_add(s, &above);
}

/* z = sum * by, or sum / by */
static void add_mean(struct solver *s, svar z, svar sum, svar by, double half) {
    const svar *args = is_number(s, by, half) ? sum_of(s, sum) : NULL;
    if (!args || args[0] == args[1] || !both_open(s, args[0], args[1]))
        return;
    svar x = args[0], y = args[1];
    add_between(s, z, x, y);
    add_between(s, z, y, x);
}

void order_add(struct solver *s, uint32_t prim) {
    assert(prim && prim < s->prims.len);
    const struct prim_use use = s->prims.data[prim];
    enum op op = s->kinds.data[use.kind].op;
    const svar *v = use.var;
    switch (op) {
    case OP_FLT:
    case OP_FLE:
    case OP_FEQ:
    case OP_SLT:
    case OP_SLE:
    case OP_ULT:
    case OP_ULE:
    case OP_EQ:
        add_comparison(s, op, v);
        break;
    case OP_ITE:
        add_equal(s, lit_ge(v[1], 1), v[0], v[2]);
        add_equal(s, lit_le(v[1], 0), v[0], v[3]);
        break;
    case OP_ADD:
    case OP_SUB:
        add_int_sum(s, op, v[0], v[1], v[2]);
        break;
    case OP_ZEXT:
    case OP_SEXT:
    case OP_TRUNC:
        add_width(s, op, v[0], v[1]);
        break;
    case OP_FADD:
        add_float_shift(s, v[0], v[1], v[2]);
        add_float_shift(s, v[0], v[2], v[1]);
        break;
    case OP_FSUB:
        add_float_difference(s, v[0], v[1], v[2]);
        if (both_open(s, v[1], v[2]))
            add_difference_signs(s, v[0], v[1], v[2]);
        break;
    case OP_FMUL:
        if (both_open(s, v[1], v[2])) {
            add_float_part(s, v[0], v[1], v[2]);
            add_float_part(s, v[0], v[2], v[1]);
        }
        add_mean(s, v[0], v[1], v[2], 0.5);
        add_mean(s, v[0], v[2], v[1], 0.5);
        break;
    case OP_FDIV:
        add_mean(s, v[0], v[1], v[2], 2);
        add_quotient(s, v[0], v[1], v[2]);
        break;
    case OP_FMIN:
    case OP_FMAX:
        add_extreme(s, op, v[0], v[1]);
        add_extreme(s, op, v[0], v[2]);
        break;
    case OP_FABS:
    case OP_FCEIL:
        add_edge(s, node_of(v[1], 0), node_of(v[0], 0), 0);
        break;
    case OP_FFLOOR:
        add_edge(s, node_of(v[0], 0), node_of(v[1], 0), 0);
        break;
    default:
        break;
    }
    if (is_in_both(s, v[0]))
        add_views(s, v[0]);
}
