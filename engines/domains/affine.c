/* Linear equations modulo powers of two: the least affine space that holds all initial states of a
 * group of cells and is kept by every step, found from below (Reps, Sagiv and Yorsh's symbolic
 * abstraction; Elder, Lim, Sharma, Andersen and Reps, "Abstract Domains of Affine Relations"). The
 * states of the sample span a space; what is orthogonal to it are the equations that they satisfy.
 * A step that breaks one of them gives another state, and the space grows; its height is limited,
 * so this ends. An equation that is too hard to decide is given up.
 *
 *     s = 2 * x             p - q - r = 0 modulo 2^32        head - tail - fill = 0 modulo 8
 *
 * Cells are taken as integers in their own view, narrower ones extended, wider ones cut off, modulo
 * 2^width for the width of each cell of the group. A coefficient's power of two goes to the
 * modulus: 2^31 * x = 2^31 modulo 2^32 says that x is odd. With a guard there is a space for each
 * of its values: "where the mode is 1, x = y".
 */
#include "engines/domains/domains.h"

#include "base/mem.h"
#include "engines/solver/relations/howell.h"
#include "model/system/derive.h"
#include "model/system/machine.h"
#include "model/term/simplify.h"
#include "model/term/term_c.h"

enum {
    QUESTION_TICKS = 100000,
    PARTS_MOST = 4,
    GUARDS_MOST = 3,
    EQUATIONS_MOST = 12,
    ROUNDS_MOST = 100,
    POINTS_FIRST = 24, /* of the sample, each outside the space so far */
};

struct equation {
    uint64_t coef[GROUP_MOST], value;
    sort_t width;
    term_t sum;
    svar active; /* asserts it before the step */
};

/* The states where the guard has one value. */
struct part {
    int64_t guard_value;
    VEC(uint64_t) points; /* group.n numbers each */
    VEC(struct equation) equations;
};

struct affine {
    struct domains *d;
    const struct group *group;
    sort_t width;
    uint32_t guard; /* NONE: one part */
    size_t n_parts;
    struct part parts[PARTS_MOST];
    VEC(struct equation) hopeless;
    struct machine machine; /* made when it is needed */
};

/* ---- the space ---- */

static uint64_t mask_of(sort_t width) {
    assert(width >= 1 && width <= 64);
    return UINT64_MAX >> (64 - width);
}

static uint64_t number_of(const struct term_var *v, uint64_t bits) {
    assert(sort_is_int(v->sort));
    return v->is_signed ? (uint64_t)ordinal_of(v->sort, true, bits) : bits;
}

static uint64_t sum_at(const struct equation *e, size_t n, const uint64_t *point) {
    assert(n >= 1 && n <= GROUP_MOST);
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += e->coef[i] * point[i];
    return sum & mask_of(e->width);
}

static bool within(const struct affine *a, const struct part *p, const uint64_t *point) {
    for (size_t i = 0; i < p->equations.len; i++)
        if (sum_at(&p->equations.data[i], a->group->n, point) != p->equations.data[i].value)
            return false;
    return p->points.len > 0;
}

/* What is orthogonal to all differences of points, as rows modulo 2^width. */
static void orthogonal(const struct affine *a, const struct part *p, struct howell *out) {
    size_t n = a->group->n, m = p->points.len / n - 1, at = 0, kept = 0;
    uint64_t unit = (uint64_t)1 << (64 - a->width);
    VEC(uint64_t) all = {0};
    uint64_t multipliers[GROUP_MOST];
    struct howell h;
    howell_init(&h, m, n);
    for (size_t j = 0; j < n; j++) {
        uint64_t *row = howell_row(&h);
        for (size_t k = 0; k < m; k++)
            row[k] = unit * (p->points.data[(k + 1) * n + j] - p->points.data[j]);
    }
    howell_solve(&h);
    for (; howell_combination(&h, &at, multipliers); kept++)
        vec_append(&all, multipliers, n);
    howell_init(out, n, kept);
    for (size_t k = 0; k < kept; k++) {
        uint64_t *row = howell_row(out);
        for (size_t j = 0; j < n; j++)
            row[j] = unit * all.data[k * n + j];
    }
    howell_solve(out);
    howell_free(&h);
    vec_free(&all);
}

/* So many factors of two are in all coefficients. */
static int common_twos(const uint64_t *row, size_t n) {
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++)
        all |= row[i];
    return all ? __builtin_ctzll(all) : 64;
}

/* How far a coefficient is from 0, either side. */
static uint64_t size_of(uint64_t coef) {
    return coef < 0 - coef ? coef : 0 - coef;
}

/* A row may take away what later ones say: where that makes its coefficient smaller. */
static void reduce_row(const struct howell *h, uint64_t *row, size_t from) {
    assert(from >= 1 && from <= h->columns);
    for (size_t column = from; column < h->columns; column++) {
        const uint64_t *by = howell_pivot(h, column);
        if (!by || !row[column])
            continue;
        uint64_t times = row[column] >> __builtin_ctzll(by[column]);
        if (size_of(row[column] - times * by[column]) >= size_of(row[column]))
            continue;
        for (size_t i = column; i < h->columns; i++)
            row[i] -= times * by[i];
    }
}

static term_t resized(const struct domains *d, uint32_t cell, sort_t width) {
    const struct term_var v = *domains_var(d, cell);
    if (v.sort == width)
        return v.term;
    enum op op = v.sort > width ? OP_TRUNC : v.is_signed ? OP_SEXT : OP_ZEXT;
    return term_cast(domains_system(d)->terms, op, width, v.term);
}

/* Positive coefficients first, so that the sum reads like one. */
static term_t sum_term(const struct affine *a, const struct equation *e) {
    struct terms *ts = domains_system(a->d)->terms;
    term_t sum = term_int(ts, e->width, 0);
    for (int negative = 0; negative < 2; negative++)
        for (size_t i = 0; i < a->group->n; i++) {
            int64_t k =
                e->coef[i] > 1 ? ordinal_of(e->width, true, e->coef[i]) : (int64_t)e->coef[i];
            if (k == 0 || (k < 0) != negative)
                continue;
            term_t x = resized(a->d, a->group->cell[i], e->width);
            uint64_t by = negative ? 0 - (uint64_t)k : (uint64_t)k;
            x = term_op2(ts, OP_MUL, x, term_int(ts, e->width, (int64_t)by));
            sum = term_op2(ts, negative ? OP_SUB : OP_ADD, sum, x);
        }
    return sum;
}

/* Equations read better when they begin with a plus. */
static int leading_sign(const uint64_t *row, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (row[i])
            return row[i] >> 63 ? -1 : 1;
    return 1;
}

static bool is_hopeless(const struct affine *a, const struct equation *e) {
    for (size_t i = 0; i < a->hopeless.len; i++)
        if (a->hopeless.data[i].sum == e->sum && a->hopeless.data[i].value == e->value)
            return true;
    return false;
}

static void equation_add(struct affine *a, struct part *p, const uint64_t *row) {
    struct equation e = {0};
    size_t n = a->group->n;
    assert(p->points.len >= n);
    int twos = common_twos(row, n);
    if (twos == 64 || p->equations.len == EQUATIONS_MOST)
        return;
    int signum = leading_sign(row, n);
    e.width = (sort_t)(64 - twos); /* rows are multiples of 2^(64 - width of the space) */
    for (size_t i = 0; i < n; i++)
        e.coef[i] = (signum < 0 ? 0 - row[i] : row[i]) >> twos;
    e.value = sum_at(&e, n, p->points.data);
    e.sum = sum_term(a, &e);
    if (!term_is_const(domains_system(a->d)->terms, e.sum) && !is_hopeless(a, &e))
        vec_push(&p->equations, e);
}

static void find_equations(struct affine *a, struct part *p) {
    struct howell h;
    uint64_t row[GROUP_MOST];
    assert(p->points.len >= a->group->n);
    vec_clear(&p->equations);
    orthogonal(a, p, &h);
    for (size_t column = 0; column < a->group->n; column++) {
        if (!howell_pivot(&h, column))
            continue;
        memcpy(row, howell_pivot(&h, column), a->group->n * sizeof *row);
        reduce_row(&h, row, column + 1);
        equation_add(a, p, row);
    }
    howell_free(&h);
}

static bool add_point(struct affine *a, struct part *p, const uint64_t *point) {
    assert(p >= a->parts && p < a->parts + a->n_parts);
    if (within(a, p, point))
        return false;
    vec_append(&p->points, point, a->group->n);
    find_equations(a, p);
    return true;
}

static struct part *part_of(struct affine *a, int64_t guard_value) {
    for (size_t i = 0; i < a->n_parts; i++)
        if (a->guard == NONE || a->parts[i].guard_value == guard_value)
            return &a->parts[i];
    return NULL;
}

static void add_sample(struct affine *a) {
    const struct sample *s = &a->d->sample;
    uint64_t point[GROUP_MOST];
    for (size_t i = 0; i < sample_count(s); i++) {
        const uint64_t *state = s->bits.data + i * s->cells;
        const struct term_var *g = a->guard == NONE ? NULL : domains_var(a->d, a->guard);
        struct part *p = part_of(a, g ? ordinal_of(g->sort, g->is_signed, state[a->guard]) : 0);
        for (size_t k = 0; k < a->group->n; k++)
            point[k] = number_of(domains_var(a->d, a->group->cell[k]), state[a->group->cell[k]]);
        if (p && p->points.len / a->group->n < POINTS_FIRST)
            add_point(a, p, point);
    }
}

/* ---- questions ---- */

static bool guard_literals(const struct affine *a, struct unroll *u, uint32_t step, int64_t value,
                           struct slits *out) {
    for (int side = 0; side < 2 && a->guard != NONE; side++) {
        struct bound b = {a->guard, side ? BOUND_LE : BOUND_GE, value};
        struct slit lit;
        bool truth;
        if (unroll_bound(u, step, b, &lit, &truth))
            vec_push(out, lit);
        else if (!truth)
            return false;
    }
    return true;
}

/* The sum is above (or below) the value of the equation; false: it cannot be. */
static bool beside(struct unroll *u, uint32_t step, const struct equation *e, bool above,
                   struct slit *out) {
    svar v = unroll_term(u, step, e->sum);
    bool is_signed = solver_is_signed(u->solver, v);
    int64_t at = ordinal_of(e->width, is_signed, e->value);
    if (at == (above ? ordinal_max(e->width, is_signed) : ordinal_min(e->width, is_signed)))
        return false;
    *out = above ? slit_ge(v, at + 1) : slit_le(v, at - 1);
    return true;
}

static void assert_equation(struct affine *a, const struct part *p, struct equation *e) {
    assert(!e->active && e->sum);
    struct unroll *u = &a->d->from_any;
    struct slits clause = {0}, guard = {0};
    e->active = solver_new_bool(u->solver);
    vec_push(&clause, slit_false(e->active));
    bool possible = guard_literals(a, u, 0, p->guard_value, &guard);
    for (size_t i = 0; i < guard.len; i++)
        vec_push(&clause, slit_negate(guard.data[i]));
    for (int above = 0; above < 2 && possible; above++) {
        struct slit lit;
        if (!beside(u, 0, e, above, &lit))
            continue;
        vec_push(&clause, slit_negate(lit));
        solver_add_clause(u->solver, clause.data, clause.len);
        clause.len--;
    }
    vec_free(&clause);
    vec_free(&guard);
}

static void assume_all(struct affine *a, struct slits *out) {
    for (size_t i = 0; i < a->n_parts; i++)
        for (size_t k = 0; k < a->parts[i].equations.len; k++) {
            struct equation *e = &a->parts[i].equations.data[k];
            if (!e->active)
                assert_equation(a, &a->parts[i], e);
            vec_push(out, slit_true(e->active));
        }
}

/* Executes what the solver's model begins: of what did not matter it may say anything. */
static void execute(struct affine *a, bool initially) {
    const struct system *sys = domains_system(a->d);
    struct machine *m = &a->machine;
    struct unroll *u = initially ? &a->d->from_init : &a->d->from_any;
    VEC(uint64_t) inputs = {0};
    if (!m->sys)
        machine_init(m, sys);
    for (size_t i = 0; i < sys->inputs.len; i++) {
        svar v = solver_encoded(initially ? u->init : u->steps.data[0], sys->inputs.data[i].var);
        vec_push(&inputs, v ? solver_value(u->solver, v) : 0);
    }
    for (size_t i = 0; i < sys->cells.len && !initially; i++) {
        term_t var = sys->cells.data[i].var;
        m->cells.data[i] = unroll_value(u, 0, var);
        m->var_values.data[term_get(sys->terms, var)->payload] = m->cells.data[i];
    }
    vec_push(&inputs, 0);
    m->ended = false;
    if (initially)
        machine_reset(m, inputs.data);
    else
        machine_step(m, inputs.data);
    vec_free(&inputs);
}

/* The state that the solver has found. False: it is none of this part, or not new. */
static bool take_state(struct affine *a, struct part *p, bool initially) {
    uint64_t point[GROUP_MOST];
    execute(a, initially);
    const uint64_t *state = a->machine.cells.data;
    const struct term_var *g = a->guard == NONE ? NULL : domains_var(a->d, a->guard);
    if (a->machine.ended ||
        (g && ordinal_of(g->sort, g->is_signed, state[a->guard]) != p->guard_value))
        return false;
    for (size_t k = 0; k < a->group->n; k++)
        point[k] = number_of(domains_var(a->d, a->group->cell[k]), state[a->group->cell[k]]);
    return add_point(a, p, point);
}

static void give_up(struct affine *a, struct part *p, size_t at) {
    assert(at < p->equations.len);
    vec_push(&a->hopeless, p->equations.data[at]);
    for (size_t i = at; i + 1 < p->equations.len; i++)
        p->equations.data[i] = p->equations.data[i + 1];
    (void)vec_pop(&p->equations);
}

/* Is this equation kept, initially or by a step? False: it has been taken out. */
static bool is_kept(struct affine *a, struct part *p, size_t at, bool initially) {
    struct unroll *u = initially ? &a->d->from_init : &a->d->from_any;
    uint32_t step = initially ? 0 : 1;
    struct slits assume = {0};
    bool kept = true;
    if (!initially)
        assume_all(a, &assume);
    bool possible = guard_literals(a, u, step, p->guard_value, &assume);
    for (int above = 0; above < 2 && kept && possible; above++) {
        struct slit lit;
        if (!beside(u, step, &p->equations.data[at], above, &lit))
            continue;
        vec_push(&assume, lit);
        enum solver_result result =
            solver_solve(u->solver, assume.data, assume.len, QUESTION_TICKS);
        kept = result == SOLVER_UNSAT;
        if (!kept && (result != SOLVER_SAT || !take_state(a, p, initially)))
            give_up(a, p, at);
        assume.len--;
    }
    vec_free(&assume);
    return kept;
}

/* The first state of a part that the sample has none of. */
static bool enters(struct affine *a, struct part *p, bool initially) {
    struct unroll *u = initially ? &a->d->from_init : &a->d->from_any;
    uint32_t step = initially ? 0 : 1;
    struct slits assume = {0};
    if (!initially)
        assume_all(a, &assume);
    bool possible = guard_literals(a, u, step, p->guard_value, &assume) &&
                    solver_solve(u->solver, assume.data, assume.len, QUESTION_TICKS) == SOLVER_SAT;
    possible = possible && take_state(a, p, initially);
    vec_free(&assume);
    return possible;
}

static bool part_holds(struct affine *a, struct part *p) {
    if (p->points.len == 0 && (enters(a, p, true) || enters(a, p, false)))
        return false;
    for (size_t i = 0; i < p->equations.len; i++)
        if (!is_kept(a, p, i, true) || !is_kept(a, p, i, false))
            return false;
    return true;
}

static size_t count_equations(const struct affine *a) {
    size_t n = 0;
    for (size_t i = 0; i < a->n_parts; i++)
        n += a->parts[i].equations.len;
    return n;
}

/* Some equation is left, or some part may still get one. */
static bool may_hold(const struct affine *a) {
    bool empty = false;
    for (size_t i = 0; i < a->n_parts; i++)
        empty |= a->parts[i].points.len == 0;
    return empty || count_equations(a) > 0;
}

/* Until nothing is broken; false: given up. */
static bool settle(struct affine *a) {
    assert(a->n_parts > 0);
    for (int round = 0; round < ROUNDS_MOST && may_hold(a); round++) {
        bool all = true;
        for (size_t i = 0; i < a->n_parts && all; i++)
            all = part_holds(a, &a->parts[i]);
        if (all)
            return true;
    }
    return false;
}

/* ---- what is found ---- */

static void add_clause(struct affine *a, const struct part *p, struct bound b) {
    struct clause c = {0};
    const struct system *sys = domains_system(a->d);
    assert(b.cell < sys->cells.len);
    if (a->guard != NONE) {
        vec_push(&c, (struct bound){a->guard, BOUND_LE, p->guard_value - 1});
        vec_push(&c, (struct bound){a->guard, BOUND_GE, p->guard_value + 1});
    }
    vec_push(&c, b);
    if (bound_truth(sys, b) == BOUND_OPEN && !invariant_has(&a->d->found, &c))
        invariant_add(&a->d->found, c.data, c.len);
    vec_free(&c);
}

static bool has_form(struct terms *ts, term_t t) {
    struct str text = {0};
    bool has = term_print(ts, t, false, &text);
    str_free(&text);
    return has;
}

static void tell(struct affine *a, const struct part *p, const struct equation *e) {
    struct system *sys = domains_system(a->d);
    if (!has_form(sys->terms, e->sum) || !system_can_derive(sys, e->sum))
        return;
    uint32_t cell = system_derive(sys, e->sum, false);
    assert(e->active);
    solver_add_clause(a->d->step, (struct slit[]){slit_true(e->active)}, 1); /* for later groups */
    const struct term_var *v = domains_var(a->d, cell);
    int64_t at = ordinal_of(v->sort, v->is_signed, e->value);
    add_clause(a, p, (struct bound){cell, BOUND_GE, at});
    add_clause(a, p, (struct bound){cell, BOUND_LE, at});
}

static void affine_free(struct affine *a) {
    for (size_t i = 0; i < a->n_parts; i++) {
        vec_free(&a->parts[i].points);
        vec_free(&a->parts[i].equations);
    }
    vec_free(&a->hopeless);
    if (a->machine.sys)
        machine_free(&a->machine);
}

static void run(struct affine *a) {
    add_sample(a);
    if (settle(a))
        for (size_t i = 0; i < a->n_parts; i++)
            for (size_t k = 0; k < a->parts[i].equations.len; k++)
                tell(a, &a->parts[i], &a->parts[i].equations.data[k]);
    affine_free(a);
}

/* ---- guards ---- */

/* A flag or mode that the cells read, of few values. */
static bool can_guard(const struct domains *d, uint32_t cell, int64_t *lo, int64_t *hi) {
    const struct term_var *v = domains_var(d, cell);
    svar s = solver_encoded(d->from_any.steps.data[0], domains_system(d)->cells.data[cell].var);
    if (!s || sort_is_float(v->sort) || domains_system(d)->cells.data[cell].is ||
        solver_is_signed(d->step, s) != v->is_signed)
        return false;
    *lo = solver_min(d->step, s);
    *hi = solver_max(d->step, s);
    return *lo < *hi && (uint64_t)*hi - (uint64_t)*lo < PARTS_MOST;
}

static void mark_reads(const struct domains *d, const struct group *g, bool *mark) {
    const struct system *sys = domains_system(d);
    for (size_t i = 0; i < g->n; i++)
        term_mark(sys->terms, &sys->cells.data[g->cell[i]].next, 1, mark);
}

static struct group without(const struct group *g, uint32_t cell) {
    struct group rest = {0};
    for (size_t i = 0; i < g->n; i++)
        if (g->cell[i] != cell)
            rest.cell[rest.n++] = g->cell[i];
    return rest;
}

static void with_guards(struct domains *d, const struct group *g, sort_t width) {
    const struct system *sys = domains_system(d);
    bool *mark = mem_zalloc(sys->terms->nodes.len, sizeof *mark);
    int guards = 0;
    mark_reads(d, g, mark);
    for (uint32_t cell = 0; cell < d->n_cells && guards < GUARDS_MOST; cell++) {
        int64_t lo, hi;
        struct group rest = without(g, cell);
        if (!mark[sys->cells.data[cell].var] || !can_guard(d, cell, &lo, &hi) || rest.n < 2)
            continue;
        struct affine a = {.d = d, .group = &rest, .width = width, .guard = cell};
        a.n_parts = (size_t)(hi - lo) + 1;
        for (size_t i = 0; i < a.n_parts; i++)
            a.parts[i].guard_value = lo + (int64_t)i;
        run(&a);
        guards++;
    }
    mem_free(mark);
}

/* ---- a group ---- */

static void encode_cells(struct domains *d, const struct group *g) {
    for (size_t i = 0; i < g->n; i++) {
        unroll_cell(&d->from_init, 0, g->cell[i]);
        unroll_cell(&d->from_any, 0, g->cell[i]);
        unroll_cell(&d->from_any, 1, g->cell[i]);
    }
}

void affine_group(struct domains *d, const struct group *g) {
    assert(g->n >= 1 && g->n <= GROUP_MOST && g->cell[g->n - 1] < d->n_cells);
    uint64_t done[2] = {0}; /* widths */
    encode_cells(d, g);
    for (size_t i = 0; i < g->n; i++) {
        sort_t width = domains_var(d, g->cell[i])->sort;
        if (done[(width - 1) / 64] >> ((width - 1) % 64) & 1)
            continue;
        done[(width - 1) / 64] |= (uint64_t)1 << ((width - 1) % 64);
        struct affine a = {.d = d, .group = g, .width = width, .guard = NONE, .n_parts = 1};
        size_t before = d->found.clauses.len;
        run(&a);
        if (g->n > 1 && d->found.clauses.len == before)
            with_guards(d, g, width);
    }
}
