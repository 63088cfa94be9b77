/* Each obligation is the negation of what must hold, asked with unsat expected; variables of each
 * state are a frame of their own (translate.h). */
#include "engines/z3/check.h"

#include "engines/z3/translate.h"

#include <assert.h>
#include <stdio.h>

enum { DEEPEST = 64 };

VEC_STRUCT(asts, Z3_ast);
VEC_STRUCT(roots, term_t);

/* One question: what is asserted has no solution. */
struct question {
    const struct system *sys;
    const struct invariant *inv;
    struct z3_translation z;
    struct asts asserted;
};

static void question_init(struct question *q, const struct system *sys,
                          const struct invariant *inv) {
    *q = (struct question){.sys = sys, .inv = inv};
    z3_translation_init(&q->z, sys->terms);
}

static void hold(struct question *q, Z3_ast condition) {
    vec_push(&q->asserted, condition);
}

static Z3_ast any_of(struct question *q, const struct asts *list) {
    if (list->len == 0) /* not every solver reads "(or)" */
        return Z3_mk_false(q->z.context);
    return list->len == 1 ? list->data[0] : Z3_mk_or(q->z.context, (unsigned)list->len, list->data);
}

/* ---- clauses: not by terms, for those are made and simplified by what is checked here ---- */

static const struct term_var *var_of(const struct system *sys, uint32_t cell) {
    return &sys->terms->vars.data[term_get(sys->terms, sys->cells.data[cell].var)->payload];
}

static Z3_ast truth(struct question *q, bool value) {
    return value ? Z3_mk_true(q->z.context) : Z3_mk_false(q->z.context);
}

static Z3_ast pair(struct question *q, bool all, Z3_ast a, Z3_ast b) {
    Z3_ast args[] = {a, b};
    return all ? Z3_mk_and(q->z.context, 2, args) : Z3_mk_or(q->z.context, 2, args);
}

/* -0 is ordinal -1, +0 is 0, and a NaN counts as 0. */
static Z3_ast float_bound(struct question *q, Z3_ast x, sort_t sort, struct bound b) {
    Z3_context c = q->z.context;
    Z3_ast v = z3_value(&q->z, sort, ordinal_bits(sort, true, b.ordinal));
    bool ge = b.kind == BOUND_GE, nan_holds = ge ? 0 >= b.ordinal : 0 <= b.ordinal;
    Z3_ast holds = ge ? Z3_mk_fpa_geq(c, x, v) : Z3_mk_fpa_leq(c, x, v);
    if (ge && b.ordinal == 0)
        holds = pair(q, true, holds, Z3_mk_not(c, Z3_mk_fpa_is_negative(c, x)));
    if (!ge && b.ordinal == -1)
        holds = pair(q, true, holds, Z3_mk_fpa_is_negative(c, x));
    return nan_holds ? pair(q, false, Z3_mk_fpa_is_nan(c, x), holds) : holds;
}

static Z3_ast int_bound(struct question *q, Z3_ast x, const struct term_var *var, struct bound b) {
    Z3_context c = q->z.context;
    bool ge = b.kind == BOUND_GE;
    assert(ge || b.kind == BOUND_LE);
    if (var->sort == SORT_BOOL)
        return ge ? x : Z3_mk_not(c, x);
    Z3_ast v = z3_value(&q->z, var->sort, ordinal_bits(var->sort, var->is_signed, b.ordinal));
    if (var->is_signed)
        return ge ? Z3_mk_bvsge(c, x, v) : Z3_mk_bvsle(c, x, v);
    return ge ? Z3_mk_bvuge(c, x, v) : Z3_mk_bvule(c, x, v);
}

static Z3_ast product(struct question *q, Z3_ast x, const struct term_var *var, int factor) {
    Z3_context c = q->z.context;
    unsigned more = 64u - var->sort;
    assert(sort_is_int(var->sort) && var->sort <= 32);
    Z3_ast wide = var->is_signed ? Z3_mk_sign_ext(c, more, x) : Z3_mk_zero_ext(c, more, x);
    return Z3_mk_bvmul(c, wide, z3_value(&q->z, 64, (uint64_t)(int64_t)factor));
}

/* Factors and cells are so small that nothing wraps in 64 bits. */
static Z3_ast sum_bound(struct question *q, const struct asts *cells, struct bound b) {
    Z3_context c = q->z.context;
    assert(bound_sum_valid(q->sys, b));
    Z3_ast first = product(q, cells->data[b.cell], var_of(q->sys, b.cell), b.factor);
    Z3_ast second = product(q, cells->data[b.other], var_of(q->sys, b.other), b.other_factor);
    Z3_ast sum = Z3_mk_bvadd(c, first, second), v = z3_value(&q->z, 64, (uint64_t)b.ordinal);
    return b.kind == BOUND_GE ? Z3_mk_bvsge(c, sum, v) : Z3_mk_bvsle(c, sum, v);
}

static Z3_ast bound_over(struct question *q, const struct asts *cells, struct bound b) {
    enum bound_truth known = bound_truth(q->sys, b);
    const struct term_var *var = var_of(q->sys, b.cell);
    assert(b.cell < cells->len);
    Z3_ast x = cells->data[b.cell];
    if (known != BOUND_OPEN)
        return truth(q, known == BOUND_ALWAYS);
    if (bound_is_sum(b))
        return sum_bound(q, cells, b);
    if (b.kind == BOUND_NAN)
        return Z3_mk_fpa_is_nan(q->z.context, x);
    if (b.kind == BOUND_NOT_NAN)
        return Z3_mk_not(q->z.context, Z3_mk_fpa_is_nan(q->z.context, x));
    return sort_is_float(var->sort) ? float_bound(q, x, var->sort, b) : int_bound(q, x, var, b);
}

static Z3_ast clause_over(struct question *q, const struct asts *cells, const struct clause *c) {
    struct asts bounds = {0};
    for (size_t i = 0; i < c->len; i++)
        vec_push(&bounds, bound_over(q, cells, c->data[i]));
    Z3_ast any = any_of(q, &bounds);
    vec_free(&bounds);
    return any;
}

static void hold_clauses(struct question *q, const struct asts *cells) {
    for (size_t i = 0; i < q->inv->clauses.len; i++)
        hold(q, clause_over(q, cells, &q->inv->clauses.data[i]));
}

static void break_a_clause(struct question *q, const struct asts *cells) {
    struct asts broken = {0};
    for (size_t i = 0; i < q->inv->clauses.len; i++)
        vec_push(&broken, Z3_mk_not(q->z.context, clause_over(q, cells, &q->inv->clauses.data[i])));
    hold(q, any_of(q, &broken));
    vec_free(&broken);
}

/* ---- states and steps ---- */

/* Derived cells are terms over the others of the same state. */
static void add_derived(struct question *q, struct asts *cells) {
    const struct system *sys = q->sys;
    struct z3_frame *frame = z3_frame_new(&q->z);
    struct roots roots = {0};
    assert(cells->len == sys->cells.len);
    for (size_t i = 0; i < sys->cells.len; i++)
        if (sys->cells.data[i].is)
            vec_push(&roots, sys->cells.data[i].is);
        else
            z3_frame_bind(&q->z, frame, sys->cells.data[i].var, cells->data[i]);
    z3_encode(&q->z, frame, roots.data, roots.len);
    for (size_t i = 0; i < sys->cells.len; i++)
        if (sys->cells.data[i].is)
            cells->data[i] = z3_encoded(frame, sys->cells.data[i].is);
    vec_free(&roots);
}

/* The cells' values as terms of this frame; derived ones wait for add_derived(). */
static void read_cells(struct question *q, struct z3_frame *frame, const struct roots *values,
                       struct asts *cells) {
    vec_clear(cells);
    for (size_t i = 0; i < q->sys->cells.len; i++)
        vec_push(cells, values->data[i] ? z3_encoded(frame, values->data[i]) : NULL);
    add_derived(q, cells);
}

/* What the cells are after the initialisation or after the step of this frame, and its condition
 * for going on, which is asserted. */
static void leave(struct question *q, struct z3_frame *frame, bool init, struct asts *cells) {
    struct roots values = {0};
    term_t ok = init ? q->sys->init_ok : q->sys->step_ok;
    for (size_t i = 0; i < q->sys->cells.len; i++) {
        const struct cell *cell = &q->sys->cells.data[i];
        vec_push(&values, cell->is ? 0 : init ? cell->init : cell->next);
    }
    vec_push(&values, ok);
    z3_encode(&q->z, frame, values.data, values.len);
    hold(q, z3_encoded(frame, ok));
    read_cells(q, frame, &values, cells);
    vec_free(&values);
}

/* A frame whose cells have these values. */
static struct z3_frame *enter(struct question *q, const struct asts *cells) {
    struct z3_frame *frame = z3_frame_new(&q->z);
    assert(cells->len == q->sys->cells.len);
    for (size_t i = 0; i < q->sys->cells.len; i++)
        z3_frame_bind(&q->z, frame, q->sys->cells.data[i].var, cells->data[i]);
    return frame;
}

static void any_cells(struct question *q, struct asts *cells) {
    struct z3_frame *frame = z3_frame_new(&q->z);
    struct roots values = {0};
    for (size_t i = 0; i < q->sys->cells.len; i++)
        vec_push(&values, q->sys->cells.data[i].is ? 0 : q->sys->cells.data[i].var);
    z3_encode(&q->z, frame, values.data, values.len);
    read_cells(q, frame, &values, cells);
    vec_free(&values);
}

static Z3_ast some_hit(struct question *q, struct z3_frame *frame, bool init) {
    struct roots roots = {0};
    struct asts hits = {0};
    for (size_t i = 0; i < q->inv->targets.len; i++) {
        const struct target *t = &q->sys->targets.data[q->inv->targets.data[i]];
        if (init ? t->init_hit : t->hit)
            vec_push(&roots, init ? t->init_hit : t->hit);
    }
    z3_encode(&q->z, frame, roots.data, roots.len);
    for (size_t i = 0; i < roots.len; i++)
        vec_push(&hits, z3_encoded(frame, roots.data[i]));
    Z3_ast any = any_of(q, &hits);
    vec_free(&hits);
    vec_free(&roots);
    return any;
}

/* ---- the obligations ---- */

static void ask_initiation(struct question *q, uint32_t unused) {
    struct asts cells = {0};
    (void)unused;
    leave(q, z3_frame_new(&q->z), true, &cells);
    break_a_clause(q, &cells);
    vec_free(&cells);
}

static void ask_consecution(struct question *q, uint32_t unused) {
    struct asts cells = {0};
    (void)unused;
    any_cells(q, &cells);
    hold_clauses(q, &cells);
    leave(q, enter(q, &cells), false, &cells);
    break_a_clause(q, &cells);
    vec_free(&cells);
}

static void ask_safety(struct question *q, uint32_t unused) {
    struct asts cells = {0};
    (void)unused;
    any_cells(q, &cells);
    for (uint32_t j = 0; j < q->inv->k; j++) {
        hold_clauses(q, &cells);
        struct z3_frame *frame = enter(q, &cells);
        Z3_ast hit = some_hit(q, frame, false);
        bool last = j + 1 == q->inv->k;
        hold(q, last ? hit : Z3_mk_not(q->z.context, hit));
        if (!last)
            leave(q, frame, false, &cells);
    }
    vec_free(&cells);
}

static void ask_init_hit(struct question *q, uint32_t unused) {
    (void)unused;
    hold(q, some_hit(q, z3_frame_new(&q->z), true));
}

/* A hit in step `step`, counted from 0, whatever was hit before. */
static void ask_base(struct question *q, uint32_t step) {
    struct asts cells = {0};
    leave(q, z3_frame_new(&q->z), true, &cells);
    for (uint32_t j = 0; j <= step; j++) {
        struct z3_frame *frame = enter(q, &cells);
        if (j == step)
            hold(q, some_hit(q, frame, false));
        else
            leave(q, frame, false, &cells);
    }
    vec_free(&cells);
}

/* ---- answers ---- */

static Z3_lbool solve(struct question *q, unsigned effort) {
    Z3_context c = q->z.context;
    const char *logic = q->z.floats ? "QF_FPBV" : "QF_BV";
    Z3_solver solver = Z3_mk_solver_for_logic(c, Z3_mk_string_symbol(c, logic));
    Z3_solver_inc_ref(c, solver);
    Z3_params params = Z3_mk_params(c);
    Z3_params_inc_ref(c, params);
    Z3_params_set_uint(c, params, Z3_mk_string_symbol(c, "rlimit"), effort);
    Z3_solver_set_params(c, solver, params);
    for (size_t i = 0; i < q->asserted.len; i++)
        Z3_solver_assert(c, solver, q->asserted.data[i]);
    Z3_lbool said = Z3_get_error_code(c) == Z3_OK ? Z3_solver_check(c, solver) : Z3_L_UNDEF;
    if (Z3_get_error_code(c) != Z3_OK)
        said = Z3_L_UNDEF;
    else if (said == Z3_L_UNDEF)
        z3_expect_memory(c, solver);
    Z3_params_dec_ref(c, params);
    Z3_solver_dec_ref(c, solver);
    return said;
}

struct asking {
    const struct system *sys;
    const struct invariant *inv;
    unsigned effort;
    struct z3_said said;
};

/* False: it is not confirmed, and no more need be asked. */
static bool confirms(struct asking *a, const char *name, void (*ask)(struct question *, uint32_t),
                     uint32_t step) {
    struct question q;
    question_init(&q, a->sys, a->inv);
    ask(&q, step);
    Z3_lbool found = solve(&q, a->effort);
    a->said.floats |= q.z.floats;
    if (found != Z3_L_FALSE) {
        bool sure = found == Z3_L_TRUE && !q.z.approximated;
        a->said.answer = sure ? Z3_REFUTES : Z3_UNDECIDED;
        a->said.obligation = name;
    }
    vec_free(&q.asserted);
    z3_translation_free(&q.z);
    return found == Z3_L_FALSE;
}

struct z3_said z3_check(const struct system *sys, const struct invariant *inv, unsigned effort) {
    struct asking a = {.sys = sys, .inv = inv, .effort = effort};
    assert(inv->k >= 1);
    if (inv->k > DEEPEST)
        return (struct z3_said){Z3_UNDECIDED, "depth", false};
    bool good = confirms(&a, "initiation", ask_initiation, 0) &&
                confirms(&a, "consecution", ask_consecution, 0) &&
                confirms(&a, "safety", ask_safety, 0) && confirms(&a, "base case", ask_init_hit, 0);
    for (uint32_t j = 0; good && j + 1 < inv->k; j++)
        good = confirms(&a, "base case", ask_base, j);
    return a.said;
}

/* ---- as text ---- */

struct writing {
    const struct system *sys;
    const struct invariant *inv;
    const char *status; /* told to the solver */
    struct z3_obligations *out;
    bool exact;
};

static void write(struct writing *w, const char *name, void (*ask)(struct question *, uint32_t),
                  uint32_t step) {
    struct question q;
    struct z3_obligation made = {.name = name};
    question_init(&q, w->sys, w->inv);
    ask(&q, step);
    Z3_context c = q.z.context;
    vec_push(&q.asserted, truth(&q, true)); /* the last one is given apart */
    unsigned n = (unsigned)q.asserted.len - 1;
    const char *text =
        Z3_benchmark_to_smtlib_string(c, name, q.z.floats ? "QF_BVFP" : "QF_BV", w->status, "", n,
                                      q.asserted.data, q.asserted.data[n]);
    w->exact &= !q.z.approximated && Z3_get_error_code(c) == Z3_OK;
    str_add(&made.text, text);
    vec_push(w->out, made);
    vec_free(&q.asserted);
    z3_translation_free(&q.z);
}

bool z3_write(const struct system *sys, const struct invariant *inv, const char *status,
              struct arena *names, struct z3_obligations *out) {
    struct writing w = {.sys = sys, .inv = inv, .status = status, .out = out, .exact = true};
    assert(inv->k >= 1 && out->len == 0);
    if (inv->k > DEEPEST)
        return false;
    write(&w, "initiation", ask_initiation, 0);
    write(&w, "consecution", ask_consecution, 0);
    write(&w, "safety", ask_safety, 0);
    write(&w, "base_case", ask_init_hit, 0);
    for (uint32_t j = 0; j + 1 < inv->k; j++)
        write(&w, arena_printf(names, "base_case_%u", j + 1), ask_base, j);
    return w.exact;
}
