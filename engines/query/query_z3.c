/* query_z3: Z3 behind query.h. Assumptions are Boolean constants, as its cores want them; effort is
 * its own count (rlimit), so that a busy machine makes no difference. */
#include "engines/query/back_end.h"

#include "base/log.h"
#include "base/mem.h"
#include "engines/z3/translate.h"
#include "model/term/number.h"

#include <assert.h>
#include <string.h>

struct z3 {
    struct terms *terms;
    struct z3_translation z;
    Z3_solver solver;
    Z3_params params;
    Z3_model model;       /* of the last answer, NULL: none */
    VEC(Z3_ast) literals; /* literal i is a constant, never that of 0 */
    VEC(Z3_ast) asserted;
    VEC(Z3_ast) scratch;
    uint64_t ticks;
    uint64_t paid;    /* gates of z that have been asked about */
    uint64_t refused; /* effort that was too little for them */
    double deadline;
};

static bool only_bits(const struct terms *ts) {
    bool bits = true;
    for (size_t i = 0; i < ts->vars.len; i++)
        bits &= ts->vars.data[i].sort <= SORT_BOOL;
    return bits;
}

/* Z3 has a faster solver where all is bit-vectors; of its two for numbers the older one is quicker
 * with many short questions. */
static void start_solver(struct z3 *s) {
    Z3_context c = s->z.context;
    bool bits = only_bits(s->terms);
    s->solver =
        bits ? Z3_mk_solver_for_logic(c, Z3_mk_string_symbol(c, "QF_BV")) : Z3_mk_simple_solver(c);
    Z3_solver_inc_ref(c, s->solver);
    if (!bits)
        Z3_params_set_uint(c, s->params, Z3_mk_string_symbol(c, "arith.solver"), 2);
    Z3_solver_set_params(c, s->solver, s->params);
}

static void *z3_open(struct query *q) {
    struct z3 *s = mem_zalloc(1, sizeof *s);
    s->terms = q->terms;
    s->deadline = q->options.deadline;
    z3_translation_init(&s->z, q->terms);
    Z3_context c = s->z.context;
    s->params = Z3_mk_params(c);
    Z3_params_inc_ref(c, s->params);
    Z3_params_set_uint(c, s->params, Z3_mk_string_symbol(c, "random_seed"),
                       (unsigned)(q->options.seed & 0x7fffffff));
    start_solver(s);
    vec_push(&s->literals, NULL);
    return s;
}

static void forget_model(struct z3 *s) {
    if (s->model)
        Z3_model_dec_ref(s->z.context, s->model);
    s->model = NULL;
}

static void z3_close(void *solver) {
    struct z3 *s = solver;
    forget_model(s);
    Z3_params_dec_ref(s->z.context, s->params);
    Z3_solver_dec_ref(s->z.context, s->solver);
    z3_translation_free(&s->z);
    vec_free(&s->literals);
    vec_free(&s->scratch);
    vec_free(&s->asserted);
    mem_free(s);
}

static uint32_t z3_frame(void *solver) {
    struct z3 *s = solver;
    z3_frame_new(&s->z);
    return (uint32_t)s->z.frames.len - 1;
}

static Z3_ast z3_term(struct z3 *s, uint32_t frame, term_t t) {
    assert(frame < s->z.frames.len);
    struct z3_frame *f = s->z.frames.data[frame];
    z3_encode(&s->z, f, &t, 1);
    return z3_encoded(f, t);
}

static void z3_bind(void *solver, uint32_t frame, term_t var, uint32_t from, term_t value) {
    struct z3 *s = solver;
    z3_frame_bind(&s->z, s->z.frames.data[frame], var, z3_term(s, from, value));
}

static qlit z3_activation(void *solver) {
    struct z3 *s = solver;
    Z3_context c = s->z.context;
    vec_push(&s->literals, Z3_mk_fresh_const(c, "l", Z3_mk_bool_sort(c)));
    return (qlit)s->literals.len - 1;
}

static Z3_ast z3_ast(const struct z3 *s, qlit lit) {
    uint32_t i = (uint32_t)(lit < 0 ? -lit : lit);
    assert(i > 0 && i < s->literals.len);
    Z3_ast atom = s->literals.data[i];
    return lit < 0 ? Z3_mk_not(s->z.context, atom) : atom;
}

static void z3_add(struct z3 *s, Z3_ast holds) {
    forget_model(s);
    vec_push(&s->asserted, holds);
    Z3_solver_assert(s->z.context, s->solver, holds);
}

static qlit z3_literal(void *solver, uint32_t frame, term_t t) {
    struct z3 *s = solver;
    Z3_ast value = z3_term(s, frame, t);
    qlit made = z3_activation(s);
    z3_add(s, Z3_mk_iff(s->z.context, z3_ast(s, made), value));
    return made;
}

static void z3_hold(void *solver, uint32_t frame, term_t t, qlit when) {
    struct z3 *s = solver;
    Z3_ast value = z3_term(s, frame, t);
    z3_add(s, when ? Z3_mk_implies(s->z.context, z3_ast(s, when), value) : value);
}

static void z3_clause(void *solver, const qlit *lits, size_t n) {
    struct z3 *s = solver;
    vec_clear(&s->scratch);
    for (size_t i = 0; i < n; i++)
        vec_push(&s->scratch, z3_ast(s, lits[i]));
    z3_add(s, Z3_mk_or(s->z.context, (unsigned)n, s->scratch.data));
}

/* The count of effort that the statistics of the last question end with. */
static uint64_t z3_effort(struct z3 *s) {
    Z3_context c = s->z.context;
    Z3_stats stats = Z3_solver_get_statistics(c, s->solver);
    uint64_t effort = 0;
    Z3_stats_inc_ref(c, stats);
    for (unsigned i = 0; i < Z3_stats_size(c, stats); i++)
        if (strcmp(Z3_stats_get_key(c, stats, i), "rlimit count") == 0)
            effort = Z3_stats_get_uint_value(c, stats, i);
    Z3_stats_dec_ref(c, stats);
    return effort;
}

static void z3_read_core(struct z3 *s, const qlit *assumed, size_t n, struct qlits *core) {
    Z3_context c = s->z.context;
    Z3_ast_vector failed = Z3_solver_get_unsat_core(c, s->solver);
    Z3_ast_vector_inc_ref(c, failed);
    for (unsigned f = 0; f < Z3_ast_vector_size(c, failed); f++)
        for (size_t i = 0; i < n; i++)
            if (Z3_is_eq_ast(c, Z3_ast_vector_get(c, failed, f), s->scratch.data[i])) {
                vec_push(core, assumed[i]);
                break;
            }
    Z3_ast_vector_dec_ref(c, failed);
}

/* A question that was broken off may have lost assertions on their way into the solver, and answers
 * with models of the rest from then on: a new one gets them all. */
static void start_again(struct z3 *s) {
    Z3_solver_dec_ref(s->z.context, s->solver);
    start_solver(s);
    for (size_t i = 0; i < s->asserted.len; i++)
        Z3_solver_assert(s->z.context, s->solver, s->asserted.data[i]);
}

static unsigned milliseconds_left(const struct z3 *s) {
    double left = (s->deadline - clock_seconds()) * 1000;
    return left < 1 ? 1 : left < 1e9 ? (unsigned)left : 1000000000;
}

/* Circuits that were not made yet count as effort. False: they are more than what is left, and that
 * is gone. */
static bool pay_for_circuits(struct z3 *s, uint64_t *ticks) {
    assert(s->z.gates >= s->paid);
    uint64_t price = s->z.gates - s->paid;
    if (*ticks > 0 && price >= *ticks) {
        s->refused += *ticks;
        return false;
    }
    s->paid = s->z.gates;
    *ticks -= *ticks > 0 ? price : 0;
    return true;
}

static enum solver_result z3_solve(void *solver, const qlit *assumed, size_t n, uint64_t ticks,
                                   struct qlits *core) {
    struct z3 *s = solver;
    Z3_context c = s->z.context;
    forget_model(s);
    vec_clear(&s->scratch);
    for (size_t i = 0; i < n; i++)
        vec_push(&s->scratch, z3_ast(s, assumed[i]));
    if (!pay_for_circuits(s, &ticks))
        return SOLVER_UNKNOWN;
    unsigned limit = ticks < UINT32_MAX ? (unsigned)ticks : 0;
    Z3_params_set_uint(c, s->params, Z3_mk_string_symbol(c, "rlimit"), limit);
    if (s->deadline > 0)
        Z3_params_set_uint(c, s->params, Z3_mk_string_symbol(c, "timeout"), milliseconds_left(s));
    Z3_solver_set_params(c, s->solver, s->params);
    Z3_lbool said = Z3_L_UNDEF;
    if (Z3_get_error_code(c) == Z3_OK)
        said = Z3_solver_check_assumptions(c, s->solver, (unsigned)n, s->scratch.data);
    bool good = Z3_get_error_code(c) == Z3_OK;
    s->ticks = z3_effort(s);
    if (good && said == Z3_L_UNDEF)
        z3_expect_memory(c, s->solver);
    if (good && said == Z3_L_FALSE) {
        z3_read_core(s, assumed, n, core);
        return SOLVER_UNSAT;
    }
    if (!good || said != Z3_L_TRUE)
        start_again(s);
    if (!good || said != Z3_L_TRUE || s->z.approximated)
        return SOLVER_UNKNOWN;
    s->model = Z3_solver_get_model(c, s->solver);
    Z3_model_inc_ref(c, s->model);
    return SOLVER_SAT;
}

static Z3_ast z3_in_model(struct z3 *s, Z3_ast value) {
    Z3_ast said = NULL;
    assert(s->model);
    Z3_model_eval(s->z.context, s->model, value, true, &said);
    assert(said);
    return said;
}

static bool z3_holds(void *solver, qlit lit) {
    struct z3 *s = solver;
    return Z3_get_bool_value(s->z.context, z3_in_model(s, z3_ast(s, lit))) == Z3_L_TRUE;
}

static uint64_t z3_float_bits(struct z3 *s, sort_t sort, Z3_ast value) {
    Z3_context c = s->z.context;
    uint64_t bits = 0;
    if (Z3_fpa_is_numeral_nan(c, value))
        return sort == SORT_F32 ? 0x7fc00000u : 0x7ff8000000000000u;
    Z3_get_numeral_uint64(c, Z3_simplify(c, Z3_mk_fpa_to_ieee_bv(c, value)), &bits);
    return bits;
}

static term_t z3_value_of(void *solver, uint32_t frame, term_t t) {
    struct z3 *s = solver;
    assert(s->model && "values are those of an answer");
    sort_t sort = term_sort(s->terms, t);
    Z3_ast value = z3_in_model(s, z3_term(s, frame, t));
    uint64_t bits = 0;
    if (sort_is_number(sort))
        return term_number(s->terms, sort, Z3_get_numeral_string(s->z.context, value));
    if (sort == SORT_BOOL)
        bits = Z3_get_bool_value(s->z.context, value) == Z3_L_TRUE;
    else if (sort_is_float(sort))
        bits = z3_float_bits(s, sort, value);
    else if (!Z3_get_numeral_uint64(s->z.context, value, &bits))
        assert(false && "a bit-vector of at most 64 bits has a value");
    return term_const(s->terms, sort, bits);
}

static uint64_t z3_ticks(const void *solver) {
    const struct z3 *s = solver;
    return s->ticks + s->paid + s->refused;
}

const struct query_class query_z3 = {
    .open = z3_open,
    .close = z3_close,
    .frame = z3_frame,
    .bind = z3_bind,
    .literal = z3_literal,
    .activation = z3_activation,
    .hold = z3_hold,
    .clause = z3_clause,
    .solve = z3_solve,
    .holds = z3_holds,
    .value = z3_value_of,
    .ticks = z3_ticks,
};
