/* engine: IC3IA as a row of engines.def, one target after the other. Its predicates are cells of
 * the system before they are asked about: a proof names those that its clauses have
 * (model/system/derive.h).
 */
#include "engines/engine.h"

#include "base/mem.h"
#include "engines/ia/ia.h"
#include "engines/invariant/trim.h"
#include "model/system/derive.h"
#include "model/system/machine.h"

#include <assert.h>

struct ia_engine {
    struct engine_input input;
    struct ia *ia; /* of the target at hand, or NULL */
    size_t next;
    bool left_open; /* some target could not be decided */
};

static void *ia_engine_open(const struct engine_input *input) {
    struct ia_engine *e = mem_zalloc(1, sizeof *e);
    e->input = *input;
    return e;
}

static void close_target(struct ia_engine *e) {
    if (e->ia)
        ia_close(e->ia);
    e->ia = NULL;
}

static void ia_engine_close(void *state) {
    struct ia_engine *e = state;
    close_target(e);
    mem_free(e);
}

static void open_target(struct ia_engine *e) {
    assert(!e->ia && e->next < e->input.n_targets);
    bool z3 = e->input.options.knobs.ia_solver != 0;
    struct ia_options options = {.knobs = &e->input.options.knobs,
                                 .lemmas = e->input.lemmas,
                                 .back_end = z3 ? QUERY_Z3 : QUERY_ICP,
                                 .seed = e->input.options.seed,
                                 .window = e->input.window};
    e->ia = ia_open(e->input.sys, e->input.targets[e->next], &options);
}

/* A predicate, or its negation, as a bound on its cell. */
static struct bound predicate_bound(struct system *sys, term_t literal) {
    bool negated = term_get(sys->terms, literal)->op == OP_NOT;
    term_t is = negated ? term_get(sys->terms, literal)->arg[0] : literal;
    uint32_t cell = system_cell_of(sys, is);
    if (cell == NONE)
        cell = system_derive(sys, is, false);
    assert(term_sort(sys->terms, sys->cells.data[cell].var) == SORT_BOOL);
    return (struct bound){cell, negated ? BOUND_LE : BOUND_GE, negated ? 0 : 1};
}

static void report_dead(struct ia_engine *e) {
    struct fact fact = {.kind = FACT_DEAD, .target = e->input.targets[e->next]};
    struct clause lits = {0};
    invariant_init(&fact.invariant);
    if (e->input.lemmas && e->input.lemmas->k <= 1)
        invariant_copy(&fact.invariant, e->input.lemmas);
    fact.invariant.k = 1;
    for (size_t c = 0; c < ia_clause_count(e->ia); c++) {
        size_t n;
        const term_t *clause = ia_clause(e->ia, c, &n);
        vec_clear(&lits);
        for (size_t i = 0; i < n; i++)
            vec_push(&lits, predicate_bound(e->input.sys, clause[i]));
        invariant_add(&fact.invariant, lits.data, lits.len);
    }
    vec_clear(&fact.invariant.targets);
    vec_push(&fact.invariant.targets, fact.target);
    invariant_trim(e->input.sys, &fact.invariant, e->input.options.seed, NULL);
    engine_report(&e->input, &fact);
    vec_free(&lits);
    fact_free(&fact);
}

static uint64_t input_bits(const struct ia_engine *e, uint32_t step, size_t input) {
    return term_get(e->input.sys->terms, ia_input(e->ia, step, input))->payload;
}

/* False: the run rests on a value that C leaves open, or on an enclosure. */
static bool report_hit(struct ia_engine *e) {
    const struct system *sys = e->input.sys;
    struct fact fact = {.kind = FACT_HIT, .target = e->input.targets[e->next]};
    uint32_t n = ia_steps(e->ia);
    trace_init(&fact.trace, sys, n);
    for (size_t i = 0; i < sys->inputs.len; i++) {
        if (sys->inputs.data[i].at_init)
            fact.trace.init.data[i] = input_bits(e, 0, i);
        for (uint32_t j = 0; !sys->inputs.data[i].at_init && j < n; j++)
            fact.trace.values.data[j * sys->inputs.len + i] = input_bits(e, j + 1, i);
    }
    bool hits = trace_hits(sys, &fact.trace, fact.target);
    if (hits)
        engine_report(&e->input, &fact);
    fact_free(&fact);
    return hits;
}

static void finish_target(struct ia_engine *e, enum ia_status status) {
    if (status == IA_SAFE)
        report_dead(e);
    else if (status != IA_HIT || !report_hit(e))
        e->left_open = true;
    close_target(e);
    e->next++;
}

static enum engine_status ia_engine_step(void *state, uint64_t ticks) {
    struct ia_engine *e = state;
    uint64_t used = 0;
    while (e->next < e->input.n_targets) {
        if (used >= ticks)
            return ENGINE_MORE;
        if (!e->ia)
            open_target(e);
        uint64_t before = ia_stats(e->ia).ticks;
        enum ia_status status = ia_step(e->ia, ticks - used);
        used += ia_stats(e->ia).ticks - before + 1;
        if (status != IA_MORE)
            finish_target(e, status);
    }
    return e->left_open ? ENGINE_GAVE_UP : ENGINE_DONE;
}

const struct engine engine_ia = {
    .open = ia_engine_open,
    .step = ia_engine_step,
    .close = ia_engine_close,
};
