/* The equations of the present bounds, and what contradicts them: see modular.h. */
#include "engines/solver/relations/modular.h"
#include "engines/solver/clause.h"
#include "engines/solver/cone.h"
#include "engines/solver/record.h"
#include "engines/solver/relations/howell.h"

enum { MAX_ROWS = 320, MAX_COLUMNS = 320, MAX_GUARDS = 5 };
/* The pause after a run, in times of its cost: after a contradiction, and at most otherwise. It
 * goes on from question to question, for they are alike. */
enum { COST_SHARE = 1, MOST_SHARE = 32 };

/* sum of coef * var + constant = 0 modulo 2^width, while the guards hold */
struct equation {
    int n, width, n_guards;
    svar var[3];
    uint64_t coef[3], constant;
    struct lit guard[MAX_GUARDS];
};
VEC_STRUCT(equations, struct equation);

/* low <= high in one of the two orders of integers, while the guard holds */
struct at_most {
    svar low, high;
    bool is_signed;
    struct lit guard;
};

struct modular {
    struct equations active;
    VEC(struct at_most) orders;
    struct map order_of;           /* by hash of an order: its place + 1 */
    struct ids columns, column_of; /* unknowns; by variable: place + 1 */
    struct lits blame;
    VEC(bool) from;
    VEC(uint64_t) test;
};

bool modular_due(const struct solver *s) {
    return s->stats.ticks >= s->modular_at && !recording(s);
}

/* ---- which constraints ---- */

static bool is_equation(const struct prim *kind) {
    switch (kind->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_BAND:
    case OP_BOR:
    case OP_BXOR:
    case OP_TRUNC:
    case OP_ZEXT:
    case OP_SEXT:
        return true;
    case OP_ITE:
    case OP_EQ:
    case OP_ULT:
    case OP_ULE:
    case OP_SLT:
    case OP_SLE:
        return sort_is_int(kind->sort[2]);
    default:
        return false;
    }
}

/* Also those that say that two variables differ. */
static void list_equations(struct solver *s) {
    for (size_t prim = s->equations_of ? s->equations_of : 1; prim < s->prims.len; prim++) {
        const struct prim_use *use = &s->prims.data[prim];
        if (!prim_is_form(use) && is_equation(&s->kinds.data[use->kind]))
            vec_push(&s->equations, (uint32_t)prim);
    }
    s->equations_of = s->prims.len;
}

/* ---- equations ---- */

static int width_of(const struct solver *s, svar v) {
    assert(sort_is_int(s->sort.data[v]));
    return s->sort.data[v];
}

static uint64_t bits_of(const struct solver *s, svar v) {
    assert(var_fixed(s, v));
    return ordinal_bits(s->sort.data[v], s->flags.data[v] & VAR_SIGNED, var_lo(s, v));
}

static void guard_add(struct equation *e, struct lit l) {
    assert(e->n_guards < MAX_GUARDS);
    e->guard[e->n_guards++] = l;
}

static void guard_fixed(const struct solver *s, struct equation *e, svar v) {
    guard_add(e, lit_ge(v, var_lo(s, v)));
    guard_add(e, lit_le(v, var_hi(s, v)));
}

static void term_add(struct equation *e, svar v, uint64_t coef) {
    assert(e->n < 3);
    e->var[e->n] = v;
    e->coef[e->n++] = coef;
}

/* z - x = 0 modulo 2^width */
static bool same_bits(struct equation *e, svar z, svar x, int width) {
    assert(e->n == 0 && width <= 64);
    term_add(e, z, 1);
    term_add(e, x, UINT64_MAX);
    e->width = width;
    return width > 0;
}

static int low_ones(uint64_t c) {
    return ~c ? __builtin_ctzll(~c) : 64;
}

static int low_zeros(uint64_t c) {
    return c ? __builtin_ctzll(c) : 64;
}

/* A mask leaves low bits alone; all ones turn them all around: z = -1 - x. */
static bool mask_equation(const struct solver *s, enum op op, const svar *v, struct equation *e) {
    int at = var_fixed(s, v[2]) ? 2 : 1;
    if (!var_fixed(s, v[at])) {
        if (op != OP_BXOR)
            return false;
        same_bits(e, v[0], v[1], 1);
        term_add(e, v[2], UINT64_MAX);
        return true;
    }
    svar x = v[3 - at];
    uint64_t c = bits_of(s, v[at]), ones = UINT64_MAX >> (64 - width_of(s, x));
    guard_fixed(s, e, v[at]);
    int width = op == OP_BAND ? low_ones(c) : low_zeros(c);
    if (op != OP_BXOR || c != ones)
        return same_bits(e, v[0], x, width < width_of(s, x) ? width : width_of(s, x));
    term_add(e, v[0], 1);
    term_add(e, x, 1);
    e->constant = 1;
    e->width = width_of(s, x);
    return true;
}

static bool product_equation(const struct solver *s, const svar *v, struct equation *e) {
    int at = var_fixed(s, v[2]) ? 2 : 1;
    if (!var_fixed(s, v[at]))
        return false;
    guard_fixed(s, e, v[at]);
    same_bits(e, v[0], v[3 - at], width_of(s, v[0]));
    e->coef[1] = 0 - bits_of(s, v[at]);
    return true;
}

/* What is not negative keeps its value, what is gets ones in front. */
static bool extension_equation(const struct solver *s, const svar *v, struct equation *e) {
    int from = width_of(s, v[1]), to = width_of(s, v[0]);
    bool is_signed = s->flags.data[v[1]] & VAR_SIGNED;
    int64_t half = from < 64 ? (int64_t)1 << (from - 1) : 0;
    same_bits(e, v[0], v[1], to == from ? 64 : from);
    if (is_signed && var_lo(s, v[1]) >= 0)
        guard_add(e, lit_ge(v[1], 0));
    else if (!is_signed && from < 64 && var_hi(s, v[1]) < half)
        guard_add(e, lit_le(v[1], half - 1));
    else
        return true;
    e->width = 64;
    return true;
}

static bool choice_equation(const struct solver *s, const svar *v, struct equation *e) {
    if (!var_fixed(s, v[1]))
        return false;
    bool yes = var_lo(s, v[1]) == 1;
    guard_add(e, yes ? lit_ge(v[1], 1) : lit_le(v[1], 0));
    return same_bits(e, v[0], v[yes ? 2 : 3], 64);
}

static bool equation_of(const struct solver *s, const struct prim_use *use, struct equation *e) {
    const svar *v = use->var;
    enum op op = s->kinds.data[use->kind].op;
    *e = (struct equation){0};
    switch (op) {
    case OP_ADD:
    case OP_SUB:
        same_bits(e, v[0], v[1], width_of(s, v[0]));
        term_add(e, v[2], op == OP_ADD ? UINT64_MAX : 1);
        return true;
    case OP_MUL:
        return product_equation(s, v, e);
    case OP_BAND:
    case OP_BOR:
    case OP_BXOR:
        return mask_equation(s, op, v, e);
    case OP_TRUNC:
        return same_bits(e, v[0], v[1], width_of(s, v[0]));
    case OP_ZEXT:
        return same_bits(e, v[0], v[1], 64);
    case OP_SEXT:
        return extension_equation(s, v, e);
    case OP_ITE:
        return choice_equation(s, v, e);
    case OP_EQ:
        if (var_lo(s, v[0]) == 0)
            return false;
        guard_add(e, lit_ge(v[0], 1));
        return same_bits(e, v[1], v[2], 64);
    default:
        return false;
    }
}

/* Of fixed variables the value is put in. False: nothing unknown is left, propagation sees to it.
 */
static bool put_in_values(const struct solver *s, struct equation *e) {
    bool open = false;
    assert(e->n > 0 && e->width >= 1 && e->width <= 64);
    for (int i = 0; i < e->n; i++) {
        if (!var_fixed(s, e->var[i])) {
            open = true;
            continue;
        }
        e->constant += e->coef[i] * bits_of(s, e->var[i]);
        e->coef[i] = 0;
    }
    return open;
}

static void columns_add(struct modular *m, const struct equation *e) {
    assert(e->n <= 3);
    for (int i = 0; i < e->n; i++)
        if (e->coef[i] && !m->column_of.data[e->var[i]]) {
            vec_push(&m->columns, e->var[i]);
            m->column_of.data[e->var[i]] = (uint32_t)m->columns.len;
        }
}

/* ---- x <= y and y <= x ---- */

static bool order_of(const struct solver *s, const struct prim_use *use, struct at_most *out) {
    enum op op = s->kinds.data[use->kind].op;
    bool strict = op == OP_ULT || op == OP_SLT, holds = var_lo(s, use->var[0]) == 1;
    if (!(strict || op == OP_ULE || op == OP_SLE) || !var_fixed(s, use->var[0]) ||
        var_fixed(s, use->var[1]) || var_fixed(s, use->var[2]) || strict == holds)
        return false;
    *out = (struct at_most){.low = use->var[strict ? 2 : 1],
                            .high = use->var[strict ? 1 : 2],
                            .is_signed = op == OP_SLT || op == OP_SLE};
    out->guard = holds ? lit_ge(use->var[0], 1) : lit_le(use->var[0], 0);
    return true;
}

static uint64_t order_hash(const struct at_most *o, bool turned) {
    uint64_t low = turned ? o->high : o->low, high = turned ? o->low : o->high;
    return hash_mix(low << 1 | o->is_signed, high);
}

/* An order whose other direction is known too is an equation. */
static void add_order(struct modular *m, const struct at_most *o) {
    const uint32_t *known = map_get(&m->order_of, order_hash(o, true));
    const struct at_most *other = known ? &m->orders.data[*known - 1] : NULL;
    assert(o->low != o->high);
    if (other && other->low == o->high && other->high == o->low &&
        other->is_signed == o->is_signed) {
        struct equation e = {0};
        guard_add(&e, o->guard);
        guard_add(&e, other->guard);
        same_bits(&e, o->low, o->high, 64);
        vec_push(&m->active, e);
        columns_add(m, &e);
    }
    vec_push(&m->orders, *o);
    map_put(&m->order_of, order_hash(o, false), (uint32_t)m->orders.len);
}

/* False: too many, or none. */
static bool pick_equations(struct solver *s, struct modular *m) {
    bool fits = true;
    vec_resize_zero(&m->column_of, (size_t)s->n_vars + 1);
    for (size_t i = 0; i < s->equations.len && fits; i++) {
        const struct prim_use *use = &s->prims.data[s->equations.data[i]];
        struct equation e;
        struct at_most order;
        if (cone_has(s, use->var[0]) && order_of(s, use, &order) && order.low != order.high)
            add_order(m, &order);
        if (!cone_has(s, use->var[0]) || !equation_of(s, use, &e) || !put_in_values(s, &e))
            continue;
        vec_push(&m->active, e);
        columns_add(m, &e);
        fits = m->active.len <= MAX_ROWS && m->columns.len <= MAX_COLUMNS;
    }
    s->stats.ticks += s->equations.len / 4 + s->n_vars / 32;
    return fits && m->active.len > 0;
}

static void fill(struct howell *h, const struct modular *m) {
    for (size_t i = 0; i < m->active.len; i++) {
        const struct equation *e = &m->active.data[i];
        uint64_t *row = howell_row(h), unit = (uint64_t)1 << (64 - e->width);
        for (int k = 0; k < e->n; k++)
            if (e->coef[k])
                row[m->column_of.data[e->var[k]] - 1] += unit * e->coef[k];
        row[h->columns] = unit * e->constant;
    }
}

/* ---- contradictions ---- */

static void blame_lit(const struct solver *s, struct lits *out, struct lit l) {
    if (s->base.data[l.vs] < l.bound)
        vec_push(out, lit_not(l));
}

static void blame_fixed(const struct solver *s, struct lits *out, svar v) {
    assert(var_fixed(s, v));
    blame_lit(s, out, lit_ge(v, var_lo(s, v)));
    blame_lit(s, out, lit_le(v, var_hi(s, v)));
}

static void blame_rows(const struct solver *s, struct modular *m) {
    for (size_t i = 0; i < m->active.len; i++) {
        const struct equation *e = &m->active.data[i];
        if (!m->from.data[i])
            continue;
        for (int k = 0; k < e->n_guards; k++)
            blame_lit(s, &m->blame, e->guard[k]);
        for (int k = 0; k < e->n; k++)
            if (var_fixed(s, e->var[k]))
                blame_fixed(s, &m->blame, e->var[k]);
    }
}

static void test_clear(struct modular *m) {
    assert(m->from.len == m->active.len && m->test.len == m->columns.len + 1);
    memset(m->from.data, 0, m->from.len * sizeof *m->from.data);
    memset(m->test.data, 0, m->test.len * sizeof *m->test.data);
}

static void test_add(const struct solver *s, struct modular *m, svar v, uint64_t coef) {
    if (var_fixed(s, v))
        vec_last(&m->test) += coef * bits_of(s, v);
    else
        m->test.data[m->column_of.data[v] - 1] += coef;
}

static bool has_value(const struct solver *s, const struct modular *m, svar v) {
    return var_fixed(s, v) || (v < m->column_of.len && m->column_of.data[v]);
}

/* x and y differ, says this constraint. */
static bool says_different(const struct solver *s, const struct prim_use *use) {
    switch (s->kinds.data[use->kind].op) {
    case OP_EQ:
    case OP_ULE:
    case OP_SLE:
        return var_hi(s, use->var[0]) == 0;
    case OP_ULT:
    case OP_SLT:
        return var_lo(s, use->var[0]) == 1;
    default:
        return false;
    }
}

/* So many low bits say all about a variable: the others are 0, by its bounds. */
static int bits_needed(const struct solver *s, svar v) {
    int64_t hi = var_hi(s, v);
    bool shifted = width_of(s, v) == 64 && !(s->flags.data[v] & VAR_SIGNED);
    if (var_lo(s, v) < 0 || shifted)
        return width_of(s, v);
    return hi == 0 ? 1 : 64 - __builtin_clzll((uint64_t)hi);
}

static void blame_bits(const struct solver *s, struct lits *out, svar v, int bits) {
    if (bits == width_of(s, v))
        return;
    assert(bits < 64 && var_lo(s, v) >= 0);
    blame_lit(s, out, lit_ge(v, 0));
    blame_lit(s, out, lit_le(v, ((int64_t)1 << bits) - 1));
}

static bool equal_after_all(struct solver *s, struct modular *m, struct howell *h,
                            const struct prim_use *use) {
    svar x = use->var[1], y = use->var[2];
    assert(s->sort.data[x] == s->sort.data[y]);
    if (!has_value(s, m, x) || !has_value(s, m, y) || (var_fixed(s, x) && var_fixed(s, y)))
        return false;
    int xs = bits_needed(s, x), ys = bits_needed(s, y), bits = xs > ys ? xs : ys;
    uint64_t unit = (uint64_t)1 << (64 - bits);
    test_clear(m);
    test_add(s, m, x, unit);
    test_add(s, m, y, 0 - unit);
    if (!howell_reduce(h, m->test.data, m->from.data) || vec_last(&m->test) != 0)
        return false;
    blame_rows(s, m);
    blame_fixed(s, &m->blame, use->var[0]);
    for (int i = 1; i <= 2; i++)
        if (var_fixed(s, use->var[i]))
            blame_fixed(s, &m->blame, use->var[i]);
        else
            blame_bits(s, &m->blame, use->var[i], bits);
    return true;
}

/* The only value that the rows leave to v is outside of its bounds. */
static bool outside_bounds(struct solver *s, struct modular *m, struct howell *h, svar v) {
    int bits = bits_needed(s, v);
    test_clear(m);
    test_add(s, m, v, (uint64_t)1 << (64 - bits));
    if (!howell_reduce(h, m->test.data, m->from.data))
        return false;
    /* the rows are 0, so what is left of unit * v is its value */
    uint64_t number = vec_last(&m->test) >> (64 - bits);
    int64_t value = ordinal_of(s->sort.data[v], s->flags.data[v] & VAR_SIGNED, number);
    if (value >= var_lo(s, v) && value <= var_hi(s, v))
        return false;
    blame_rows(s, m);
    blame_bits(s, &m->blame, v, bits);
    blame_lit(s, &m->blame, value < var_lo(s, v) ? lit_ge(v, value + 1) : lit_le(v, value - 1));
    return true;
}

/* x is below y by their bounds, and equal to it by the rows. */
static bool equal_but_apart(struct solver *s, struct modular *m, struct howell *h, svar x, svar y) {
    bool alike = s->sort.data[x] == s->sort.data[y] &&
                 (s->flags.data[x] & VAR_SIGNED) == (s->flags.data[y] & VAR_SIGNED);
    if (!alike || var_hi(s, x) >= var_lo(s, y))
        return false;
    uint64_t unit = (uint64_t)1 << (64 - width_of(s, x));
    test_clear(m);
    test_add(s, m, x, unit);
    test_add(s, m, y, 0 - unit);
    if (!howell_reduce(h, m->test.data, m->from.data) || vec_last(&m->test) != 0)
        return false;
    blame_rows(s, m);
    blame_lit(s, &m->blame, lit_le(x, var_hi(s, x)));
    blame_lit(s, &m->blame, lit_ge(y, var_hi(s, x) + 1));
    return true;
}

static bool contradicts(struct solver *s, struct modular *m, struct howell *h) {
    if (howell_contradiction(h, m->from.data)) {
        blame_rows(s, m);
        return true;
    }
    for (size_t i = 0; i < s->equations.len; i++) {
        const struct prim_use *use = &s->prims.data[s->equations.data[i]];
        if (cone_has(s, use->var[0]) && says_different(s, use) && equal_after_all(s, m, h, use))
            return true;
    }
    for (size_t i = 0; i < m->columns.len; i++)
        if (outside_bounds(s, m, h, m->columns.data[i]))
            return true;
    for (size_t i = 0; i < m->columns.len; i++)
        for (size_t k = 0; k < m->columns.len; k++)
            if (equal_but_apart(s, m, h, m->columns.data[i], m->columns.data[k]))
                return true;
    return false;
}

static enum relax_result run(struct solver *s, struct modular *m) {
    struct howell h;
    howell_init(&h, m->columns.len, m->active.len);
    vec_resize_zero(&m->from, m->active.len);
    vec_resize_zero(&m->test, m->columns.len + 1);
    fill(&h, m);
    howell_solve(&h);
    bool found = contradicts(s, m, &h);
    s->stats.ticks += h.effort / 64;
    howell_free(&h);
    if (!found)
        return RELAX_NOTHING;
    s->stats.modular_conflicts++;
    return clause_add_lemma(s, &m->blame) ? RELAX_LEMMA : RELAX_CONFLICT;
}

static void modular_free(struct modular *m) {
    vec_free(&m->active);
    vec_free(&m->orders);
    map_free(&m->order_of);
    vec_free(&m->columns);
    vec_free(&m->column_of);
    vec_free(&m->blame);
    vec_free(&m->from);
    vec_free(&m->test);
}

enum relax_result modular_now(struct solver *s) {
    uint64_t start = s->stats.ticks;
    enum relax_result result = RELAX_NOTHING;
    struct modular m = {0};
    if (s->equations_of != s->prims.len)
        list_equations(s);
    if (s->equations.len > 0 && pick_equations(s, &m))
        result = run(s, &m);
    modular_free(&m);
    uint64_t cost = s->stats.ticks - start;
    if (result != RELAX_NOTHING || s->modular_share == 0)
        s->modular_share = COST_SHARE;
    else if (s->modular_share < MOST_SHARE)
        s->modular_share *= 2;
    s->modular_at = s->stats.ticks + s->modular_share * cost;
    return result;
}
