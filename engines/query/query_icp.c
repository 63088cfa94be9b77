/* query_icp: our solver behind query.h. A literal is a Boolean variable of it. */
#include "engines/query/back_end.h"

#include "base/mem.h"
#include "model/term/eval.h"

#include <assert.h>

struct icp {
    struct terms *terms;
    struct solver *solver;
    VEC(struct frame *) frames;
    VEC(svar) vars; /* of literal i, which is never 0 */
    struct slits scratch;
    VEC(uint64_t) var_values, node_values;
};

static void *icp_open(struct query *q) {
    struct icp *s = mem_zalloc(1, sizeof *s);
    s->terms = q->terms;
    s->solver =
        solver_new(&(struct solver_options){.seed = q->options.seed, .total = q->options.total});
    vec_push(&s->vars, 0);
    return s;
}

static void icp_close(void *solver) {
    struct icp *s = solver;
    solver_free(s->solver);
    vec_free(&s->frames);
    vec_free(&s->vars);
    vec_free(&s->scratch);
    vec_free(&s->var_values);
    vec_free(&s->node_values);
    mem_free(s);
}

static uint32_t icp_frame(void *solver) {
    struct icp *s = solver;
    vec_push(&s->frames, solver_frame_new(s->solver, s->terms));
    return (uint32_t)s->frames.len - 1;
}

static void icp_bind(void *solver, uint32_t frame, term_t var, uint32_t from, term_t value) {
    struct icp *s = solver;
    bool is_signed = s->terms->vars.data[term_get(s->terms, var)->payload].is_signed;
    svar bound = solver_encode_as(s->solver, s->frames.data[from], value, is_signed);
    solver_frame_bind(s->solver, s->frames.data[frame], var, bound);
}

static qlit icp_literal_of(struct icp *s, svar v) {
    assert(v != 0 && s->vars.len > 0);
    vec_push(&s->vars, v);
    return (qlit)s->vars.len - 1;
}

static qlit icp_literal(void *solver, uint32_t frame, term_t t) {
    struct icp *s = solver;
    return icp_literal_of(s, solver_encode(s->solver, s->frames.data[frame], t));
}

static qlit icp_activation(void *solver) {
    struct icp *s = solver;
    return icp_literal_of(s, solver_new_bool(s->solver));
}

static struct slit icp_slit(const struct icp *s, qlit lit) {
    uint32_t i = (uint32_t)(lit < 0 ? -lit : lit);
    assert(i > 0 && i < s->vars.len);
    return lit < 0 ? slit_false(s->vars.data[i]) : slit_true(s->vars.data[i]);
}

static void icp_slits(struct icp *s, const qlit *lits, size_t n) {
    vec_clear(&s->scratch);
    for (size_t i = 0; i < n; i++)
        vec_push(&s->scratch, icp_slit(s, lits[i]));
}

static void icp_clause(void *solver, const qlit *lits, size_t n) {
    struct icp *s = solver;
    icp_slits(s, lits, n);
    solver_add_clause(s->solver, s->scratch.data, s->scratch.len);
}

static void icp_hold(void *solver, uint32_t frame, term_t t, qlit when) {
    struct icp *s = solver;
    struct slit lits[2];
    size_t n = 0;
    lits[n++] = slit_true(solver_encode(s->solver, s->frames.data[frame], t));
    if (when)
        lits[n++] = icp_slit(s, -when);
    solver_add_clause(s->solver, lits, n);
}

static bool same(struct slit a, struct slit b) {
    return a.var == b.var && a.ge == b.ge && a.ordinal == b.ordinal;
}

static enum solver_result icp_solve(void *solver, const qlit *assumed, size_t n, uint64_t ticks,
                                    struct qlits *core) {
    struct icp *s = solver;
    size_t n_core = 0;
    icp_slits(s, assumed, n);
    enum solver_result said = solver_solve(s->solver, s->scratch.data, n, ticks);
    const struct slit *failed = said == SOLVER_UNSAT ? solver_core(s->solver, &n_core) : NULL;
    for (size_t c = 0; c < n_core; c++)
        for (size_t i = 0; i < n; i++)
            if (same(failed[c], s->scratch.data[i])) {
                vec_push(core, assumed[i]);
                break;
            }
    assert(core->len == n_core && "cores consist of assumptions");
    return said;
}

static bool icp_holds(void *solver, qlit lit) {
    struct icp *s = solver;
    return solver_value(s->solver, icp_slit(s, lit).var) != 0;
}

/* What was not asked about is free: its sources that no constraint has seen are zero. */
static term_t icp_value(void *solver, uint32_t frame, term_t t) {
    struct icp *s = solver;
    assert(frame < s->frames.len);
    struct frame *f = s->frames.data[frame];
    svar known = solver_encoded(f, t);
    if (known)
        return term_const(s->terms, term_sort(s->terms, t), solver_value(s->solver, known));
    vec_resize_zero(&s->var_values, s->terms->vars.len);
    vec_resize_zero(&s->node_values, s->terms->nodes.len);
    for (size_t i = 0; i < s->terms->vars.len; i++) {
        svar v = solver_encoded(f, s->terms->vars.data[i].term);
        s->var_values.data[i] = v ? solver_value(s->solver, v) : 0;
    }
    term_eval(s->terms, &t, 1, s->var_values.data, s->node_values.data);
    return term_const(s->terms, term_sort(s->terms, t), s->node_values.data[t]);
}

static uint64_t icp_ticks(const void *solver) {
    return solver_stats(((const struct icp *)solver)->solver)->ticks;
}

const struct query_class query_icp = {
    .open = icp_open,
    .close = icp_close,
    .frame = icp_frame,
    .bind = icp_bind,
    .literal = icp_literal,
    .activation = icp_activation,
    .hold = icp_hold,
    .clause = icp_clause,
    .solve = icp_solve,
    .holds = icp_holds,
    .value = icp_value,
    .ticks = icp_ticks,
};
