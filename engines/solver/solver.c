/* The outside of the solver: variables, clauses, answers. */
#include "engines/solver/solver.h"
#include "engines/solver/clause.h"
#include "engines/solver/cone.h"
#include "engines/solver/decide.h"
#include "engines/solver/heap.h"
#include "engines/solver/relations/order.h"
#include "engines/solver/propagate.h"
#include "engines/solver/record.h"
#include "engines/solver/relations/relax.h"
#include "engines/solver/trail.h"
#include "engines/solver/vars.h"

const struct solver_knobs solver_default_knobs = {.reduce_first = 2000,
                                                  .reduce_step = 300,
                                                  .max_trials = 32,
                                                  .relax_first = 20000,
                                                  .walk_first = 200000};

struct slit slit_negate(struct slit lit) {
    assert(lit.ordinal != (lit.ge ? INT64_MIN : INT64_MAX));
    return slit_of(lit_not(lit_of(lit)));
}

struct solver *solver_new(const struct solver_options *options) {
    struct solver *s = mem_zalloc(1, sizeof *s);
    s->options = *options;
    s->knobs = solver_default_knobs;
    s->ok = true;
    rng_init(&s->rng, options->seed);
    s->activity_step = 1;
    s->mode_length = 1000;
    vec_resize_zero(&s->arena, 1);
    vec_resize_zero(&s->trail, 1);
    s->clause_head = 1;
    vec_resize_zero(&s->gates, 1);
    vec_resize_zero(&s->prims, 1);
    if (options->log_proof)
        record_open(s);
    vars_init(s);
    s->truth = var_new(s, SORT_BOOL, false, range_point(1));
    return s;
}

static void frames_free(struct solver *s) {
    for (size_t i = 0; i < s->frames.len; i++) {
        vec_free(&s->frames.data[i]->memo);
        mem_free(s->frames.data[i]);
    }
    for (size_t i = 0; i < s->shapes.len; i++) {
        vec_free(&s->shapes.data[i]->view);
        mem_free(s->shapes.data[i]);
    }
    for (size_t i = 0; i < s->tables.len; i++)
        mem_free(s->tables.data[i]);
    vec_free(&s->frames);
    vec_free(&s->shapes);
    vec_free(&s->tables);
}

static void search_free(struct solver *s) {
    vec_free(&s->trail);
    vec_free(&s->level_start);
    vec_free(&s->arena);
    vec_free(&s->problem);
    vec_free(&s->learned);
    vec_free(&s->needed);
    vec_free(&s->redundant);
    vec_free(&s->explained);
    vec_free(&s->clause_lits);
    vec_free(&s->level_stamp);
    heap_free(&s->atoms);
    heap_free(&s->numbers);
    vec_free(&s->assumptions);
    vec_free(&s->core);
    vec_free(&s->model);
    vec_free(&s->model_nan);
    vec_free(&s->outside);
    vec_free(&s->cone_stack);
}

static void prims_free(struct solver *s) {
    vec_free(&s->kinds);
    map_free(&s->kind_index);
    vec_free(&s->prims);
    for (size_t i = 0; i < s->linears.len; i++)
        mem_free(s->linears.data[i]);
    vec_free(&s->linears);
    for (size_t i = 0; i < s->mixes.len; i++)
        mem_free(s->mixes.data[i]);
    vec_free(&s->mixes);
    map_free(&s->prim_index);
    map_free(&s->gate_index);
    vec_free(&s->gates);
    for (int q = 0; q < N_QUEUES; q++)
        agenda_free(&s->agenda[q]);
    map_free(&s->constants);
    vec_free(&s->equations);
}

void solver_free(struct solver *s) {
    if (!s)
        return;
    search_tell(s);
    frames_free(s);
    search_free(s);
    prims_free(s);
    order_free(s);
    relax_free(s);
    record_close(s);
    vars_free(s);
    mem_free(s);
}

/* ---- variables ---- */

svar solver_new_var(struct solver *s, sort_t sort, bool is_signed) {
    svar v = var_new(s, sort, is_signed, range_full(sort, is_signed));
    decide_source(s, v);
    return v;
}

svar solver_new_bool(struct solver *s) {
    return solver_new_var(s, SORT_BOOL, false);
}

svar solver_nan(const struct solver *s, svar var) {
    assert(var && var <= s->n_vars);
    svar nan = s->nan.data[var];
    return nan && ~s->base.data[2 * nan + 1] > 0 ? nan : 0;
}

bool solver_is_signed(const struct solver *s, svar var) {
    assert(var && var <= s->n_vars);
    return s->flags.data[var] & VAR_SIGNED;
}

sort_t solver_sort(const struct solver *s, svar var) {
    assert(var && var <= s->n_vars);
    return s->sort.data[var];
}

int64_t solver_min(const struct solver *s, svar var) {
    assert(var && var <= s->n_vars);
    return s->base.data[2 * var];
}

int64_t solver_max(const struct solver *s, svar var) {
    assert(var && var <= s->n_vars);
    return ~s->base.data[2 * var + 1];
}

/* ---- clauses ---- */

bool solver_add_clause(struct solver *s, const struct slit *lits, size_t n) {
    for (size_t i = 0; i < n; i++)
        cone_keep(s, lits[i].var);
    return solver_add_lemma(s, lits, n);
}

bool solver_add_lemma(struct solver *s, const struct slit *lits, size_t n) {
    struct lits copy = {0};
    assert(level_of(s) == 0);
    for (size_t i = 0; i < n; i++) {
        assert(lits[i].var && lits[i].var <= s->n_vars);
        vec_push(&copy, lit_of(lits[i]));
    }
    clause_add(s, copy.data, copy.len);
    vec_free(&copy);
    return solver_settle(s);
}

void solver_set_partition(struct solver *s, uint32_t partition) {
    s->partition = partition;
}

/* ---- answers ---- */

const struct slit *solver_core(const struct solver *s, size_t *n) {
    *n = s->core.len;
    return s->core.data;
}

struct slit solver_core_weakest(const struct solver *s) {
    assert(s->core.len > 0);
    return s->weakest;
}

int64_t solver_value_ordinal(const struct solver *s, svar var) {
    assert(var && var < s->model.len);
    return s->model.data[var];
}

bool solver_value_nan(const struct solver *s, svar var) {
    assert(var && var < s->model.len);
    return s->model_nan.data[var];
}

uint64_t solver_value(const struct solver *s, svar var) {
    sort_t sort = solver_sort(s, var);
    if (solver_value_nan(s, var))
        return sort == SORT_F32 ? 0x7fc00000u : 0x7ff8000000000000u;
    return ordinal_bits(sort, solver_is_signed(s, var), solver_value_ordinal(s, var));
}

void solver_interrupt(struct solver *s) {
    s->interrupted = 1;
}

uint64_t solver_calls(const struct solver_stats *stats) {
    return stats->calls_int + stats->calls_float + stats->calls_linear + stats->calls_mix;
}

const struct solver_stats *solver_stats(const struct solver *s) {
    return &s->stats;
}
