#include "random_system.h"

#include "model/term/simplify.h"

struct maker {
    struct random_system *r;
    struct terms *ts;
    struct rng rng;
    struct random_options options;
    VEC(term_t) scope; /* variables that the expression may read */
};

static uint64_t below(struct maker *m, uint64_t n) {
    return rng_below(&m->rng, n);
}

static sort_t random_sort(struct maker *m) {
    switch (below(m, m->options.floats ? 7 : 5)) {
    case 0:
    case 1:
        return SORT_BOOL;
    case 2:
        return 2;
    case 3:
        return 3;
    case 4:
        return 4;
    default:
        return SORT_F32;
    }
}

/* ---- expressions ---- */

static uint64_t random_float(struct maker *m) {
    static const float values[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, 2.0f, 3.0f, 0.1f, 1e30f, 1e-40f};
    switch (below(m, 12)) {
    case 0:
        return below(m, 2) ? 0x7f800000u : 0x7fc00000u;
    case 1:
        return f32_bits(values[below(m, 10)]) + below(m, 3);
    default:
        return f32_bits(values[below(m, 7)]);
    }
}

static term_t random_const(struct maker *m, sort_t sort) {
    if (sort == SORT_F32)
        return term_const(m->ts, sort, random_float(m));
    return term_const(m->ts, sort, below(m, (uint64_t)1 << sort_width(sort)));
}

static term_t leaf(struct maker *m, sort_t sort) {
    size_t n = m->scope.len, start = n ? below(m, n) : 0;
    for (size_t i = 0; i < n && below(m, 8); i++) {
        term_t v = m->scope.data[(start + i) % n];
        if (term_sort(m->ts, v) == sort)
            return v;
    }
    return random_const(m, sort);
}

static term_t expression(struct maker *m, sort_t sort, uint32_t depth);

static term_t binary(struct maker *m, enum op op, sort_t sort, uint32_t depth) {
    term_t a = expression(m, sort, depth - 1), b = expression(m, sort, depth - 1);
    return term_op2(m->ts, op, a, b);
}

static term_t bool_expression(struct maker *m, uint32_t depth) {
    static const enum op int_orders[] = {OP_EQ, OP_ULT, OP_ULE, OP_SLT, OP_SLE};
    static const enum op float_orders[] = {OP_EQ, OP_FEQ, OP_FLT, OP_FLE};
    static const enum op classes[] = {OP_FISNAN, OP_FISINF, OP_FSIGN};
    switch (below(m, m->options.floats ? 9 : 7)) {
    case 0:
        return term_not(m->ts, expression(m, SORT_BOOL, depth - 1));
    case 1:
        return binary(m, OP_AND, SORT_BOOL, depth);
    case 2:
        return binary(m, OP_OR, SORT_BOOL, depth);
    case 3:
        return binary(m, below(m, 2) ? OP_XOR : OP_EQ, SORT_BOOL, depth);
    case 7:
        return binary(m, float_orders[below(m, 4)], SORT_F32, depth);
    case 8:
        return term_op1(m->ts, classes[below(m, 3)], expression(m, SORT_F32, depth - 1));
    default:
        return binary(m, int_orders[below(m, 5)], (sort_t)(2 + below(m, 3)), depth);
    }
}

static term_t resized(struct maker *m, sort_t sort, uint32_t depth) {
    sort_t from = (sort_t)(2 + below(m, 3));
    term_t a = expression(m, from, depth - 1);
    if (from > sort)
        return term_cast(m->ts, OP_TRUNC, sort, a);
    return term_cast(m->ts, below(m, 2) ? OP_ZEXT : OP_SEXT, sort, a);
}

static term_t table_expression(struct maker *m, sort_t sort, uint32_t depth) {
    uint64_t values[8];
    size_t len = 2 + below(m, 6);
    for (size_t i = 0; i < len; i++)
        values[i] = term_bits(m->ts, random_const(m, sort));
    uint32_t table = term_add_table(m->ts, sort, values, len);
    return term_table_at(m->ts, table, expression(m, 3, depth - 1));
}

static term_t int_expression(struct maker *m, sort_t sort, uint32_t depth) {
    switch (below(m, 6)) {
    case 0:
        return resized(m, sort, depth);
    case 1:
        return term_cast(m->ts, OP_B2I, sort, expression(m, SORT_BOOL, depth - 1));
    case 2:
        if (!m->options.floats)
            return table_expression(m, sort, depth);
        return term_cast(m->ts, below(m, 2) ? OP_F2S : OP_F2U, sort,
                         expression(m, SORT_F32, depth - 1));
    default:
        return binary(m, OP_ADD + below(m, OP_BXOR - OP_ADD + 1), sort, depth);
    }
}

static term_t float_expression(struct maker *m, uint32_t depth) {
    static const enum op unary[] = {OP_FNEG,  OP_FABS,   OP_FSQRT,  OP_FFLOOR,
                                    OP_FCEIL, OP_FTRUNC, OP_FROUND, OP_FRINT};
    static const enum op two[] = {OP_FADD, OP_FSUB, OP_FMUL,     OP_FDIV,
                                  OP_FMIN, OP_FMAX, OP_FCOPYSIGN};
    switch (below(m, 4)) {
    case 0:
        return term_op1(m->ts, unary[below(m, 8)], expression(m, SORT_F32, depth - 1));
    case 1:
        return term_cast(m->ts, below(m, 2) ? OP_S2F : OP_U2F, SORT_F32,
                         expression(m, (sort_t)(2 + below(m, 3)), depth - 1));
    default:
        return binary(m, two[below(m, 7)], SORT_F32, depth);
    }
}

/* Recursion is bounded by the depth asked for. */
static term_t expression(struct maker *m, sort_t sort, uint32_t depth) {
    if (depth == 0 || below(m, 5) == 0)
        return leaf(m, sort);
    if (below(m, 4) == 0) {
        term_t c = expression(m, SORT_BOOL, depth - 1), a = expression(m, sort, depth - 1);
        return term_ite(m->ts, c, a, expression(m, sort, depth - 1));
    }
    if (sort == SORT_BOOL)
        return bool_expression(m, depth);
    return sort == SORT_F32 ? float_expression(m, depth) : int_expression(m, sort, depth);
}

/* ---- inputs ---- */

static term_t at_least(struct terms *ts, term_t x, uint64_t low) {
    return term_op2(ts, OP_FLE, term_const(ts, SORT_F32, low), x);
}

/* A few neighbouring floats, now and then NaN too. Returns the condition that holds exactly there;
 * the interval avoids zero, which has two patterns. */
static term_t float_domain(struct maker *m, term_t x, struct domain *d) {
    static const float starts[] = {1.0f, 0.5f, -2.0f, 100.0f, 1e-40f, -0.1f};
    uint64_t low = f32_bits(starts[below(m, 6)]);
    d->len = 1 + below(m, 5);
    for (size_t i = 0; i < d->len; i++)
        d->values[i] = low + i;
    uint64_t high = low + d->len - 1;
    bool negative = low >> 31;
    term_t ok =
        term_and(m->ts, at_least(m->ts, x, negative ? high : low),
                 term_op2(m->ts, OP_FLE, x, term_const(m->ts, SORT_F32, negative ? low : high)));
    if (below(m, 3))
        return ok;
    d->values[d->len++] = 0x7fc00000u;
    return term_or(m->ts, term_op1(m->ts, OP_FISNAN, x), ok);
}

static term_t random_domain(struct maker *m, term_t x, struct domain *d) {
    sort_t sort = term_sort(m->ts, x);
    *d = (struct domain){.len = 0};
    if (sort == SORT_F32)
        return float_domain(m, x, d);
    d->len = (size_t)1 << sort_width(sort);
    for (size_t i = 0; i < d->len; i++)
        d->values[i] = i;
    if (sort == SORT_BOOL || below(m, 2))
        return term_bool(m->ts, true);
    d->len = 1 + below(m, d->len - 1); /* the values below a limit */
    return term_op2(m->ts, OP_ULT, x, term_int(m->ts, sort, (int64_t)d->len));
}

/* Adds an input, returns the condition that it is in its domain. */
static term_t add_input(struct maker *m, sort_t sort, bool at_init) {
    struct system *sys = &m->r->sys;
    const char *name = arena_printf(&sys->arena, "%s%zu", at_init ? "p" : "in", sys->inputs.len);
    struct sys_input in = {.name = name, .at_init = at_init};
    in.var = term_var(m->ts, name, sort, below(m, 2));
    in.unspecified = m->options.unspecified && below(m, 4) == 0;
    in.module_input = in.unspecified ? NONE : (uint32_t)sys->inputs.len;
    struct domain d;
    term_t ok = random_domain(m, in.var, &d);
    vec_push(&sys->inputs, in);
    vec_push(&m->r->domains, d);
    return ok;
}

static term_t add_inputs(struct maker *m, bool at_init) {
    term_t ok = term_bool(m->ts, true);
    uint64_t n = below(m, (at_init ? 2 : m->options.max_inputs) + 1);
    for (uint64_t i = 0; i < n; i++)
        ok = term_and(m->ts, ok, add_input(m, random_sort(m), at_init));
    return ok;
}

/* ---- the system ---- */

static void set_scope(struct maker *m, bool at_init) {
    const struct system *sys = &m->r->sys;
    vec_clear(&m->scope);
    for (size_t i = 0; i < sys->cells.len && !at_init; i++)
        vec_push(&m->scope, sys->cells.data[i].var);
    for (size_t i = 0; i < sys->inputs.len; i++)
        if (sys->inputs.data[i].at_init == at_init)
            vec_push(&m->scope, sys->inputs.data[i].var);
}

static void add_cells(struct maker *m) {
    struct system *sys = &m->r->sys;
    uint64_t n = 1 + below(m, m->options.max_cells);
    for (uint64_t i = 0; i < n; i++) {
        const char *name = arena_printf(&sys->arena, "x%u", (unsigned)i);
        struct cell c = {.name = name};
        c.var = term_var(m->ts, name, random_sort(m), below(m, 2));
        vec_push(&sys->cells, c);
    }
}

static void define_cells(struct maker *m, bool at_init) {
    struct system *sys = &m->r->sys;
    for (size_t i = 0; i < sys->cells.len; i++) {
        struct cell *c = &sys->cells.data[i];
        sort_t sort = term_sort(m->ts, c->var);
        if (at_init)
            c->init = below(m, 2) ? leaf(m, sort) : expression(m, sort, 1);
        else
            c->next = expression(m, sort, m->options.depth);
    }
}

static void add_targets(struct maker *m, term_t init_domain, term_t step_domain) {
    struct system *sys = &m->r->sys;
    uint64_t n = 1 + below(m, m->options.max_targets);
    for (uint64_t i = 0; i < n; i++) {
        struct target t = {.id = (uint32_t)i};
        t.name = arena_printf(&sys->arena, "goal%u", (unsigned)i);
        if (m->options.overruns && below(m, 4) == 0) {
            t.kind = TARGET_OVERRUN;
            vec_push(&sys->overruns, (uint32_t)i);
        }
        set_scope(m, false);
        t.hit = expression(m, SORT_BOOL, m->options.depth);
        for (uint64_t rare = below(m, 3); rare > 0; rare--)
            t.hit = term_and(m->ts, t.hit, expression(m, SORT_BOOL, 2));
        t.hit = term_and(m->ts, step_domain, t.hit);
        set_scope(m, true);
        if (below(m, 4) == 0)
            t.init_hit = term_and(m->ts, init_domain, expression(m, SORT_BOOL, 2));
        vec_push(&sys->targets, t);
    }
}

static void add_constraints(struct maker *m, term_t init_domain, term_t step_domain) {
    struct system *sys = &m->r->sys;
    set_scope(m, true);
    sys->init_ok = init_domain;
    if (below(m, 4) == 0)
        sys->init_ok = term_and(m->ts, init_domain, expression(m, SORT_BOOL, 1));
    if (m->options.unspecified && below(m, 4) == 0)
        sys->init_unspecified = expression(m, SORT_BOOL, 1);
    set_scope(m, false);
    sys->step_ok = step_domain;
    if (below(m, 3) == 0)
        sys->step_ok = term_and(m->ts, step_domain, expression(m, SORT_BOOL, 2));
    if (m->options.unspecified)
        sys->unspecified = expression(m, SORT_BOOL, 2);
}

static struct random_options with_defaults(const struct random_options *options) {
    struct random_options o = *options;
    o.max_cells = o.max_cells ? o.max_cells : 4;
    o.max_inputs = o.max_inputs ? o.max_inputs : 3;
    o.max_targets = o.max_targets ? o.max_targets : 4;
    o.depth = o.depth ? o.depth : 3;
    return o;
}

void random_system_make(struct random_system *r, const struct random_options *options) {
    *r = (struct random_system){0};
    terms_init(&r->terms);
    system_init(&r->sys, &r->terms);
    struct maker m = {.r = r, .ts = &r->terms, .options = with_defaults(options)};
    rng_init(&m.rng, options->seed);
    r->sys.name = "random";
    add_cells(&m);
    term_t init_domain = add_inputs(&m, true), step_domain = add_inputs(&m, false);
    set_scope(&m, true);
    define_cells(&m, true);
    set_scope(&m, false);
    define_cells(&m, false);
    add_targets(&m, init_domain, step_domain);
    add_constraints(&m, init_domain, step_domain);
    for (size_t t = 0; t < r->sys.targets.len && !options->lone_hits; t++) {
        term_t *hit = &r->sys.targets.data[t].init_hit;
        *hit = *hit ? term_and(m.ts, r->sys.init_ok, *hit) : 0;
    }
    vec_free(&m.scope);
    check_system(&r->sys);
}

void random_system_free(struct random_system *r) {
    vec_free(&r->domains);
    system_free(&r->sys);
    terms_free(&r->terms);
}

void random_inputs(const struct random_system *r, struct rng *rng, uint64_t *values) {
    for (size_t i = 0; i < r->domains.len; i++) {
        const struct domain *d = &r->domains.data[i];
        values[i] = d->values[rng_below(rng, d->len)];
    }
}
