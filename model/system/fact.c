/* Text in lines (model/term/reader.h); lifting renames cells, inputs and targets of a slice. */
#include "model/system/fact.h"

#include "model/system/derive.h"
#include "model/system/text.h"
#include "model/term/simplify.h"

static const char *const kind_names[] = {"hit", "dead", "bound", "lemma"};

void fact_init(struct fact *fact, enum fact_kind kind) {
    assert(kind <= FACT_LEMMA);
    *fact = (struct fact){.kind = kind, .target = NONE};
    invariant_init(&fact->invariant);
}

void fact_free(struct fact *fact) {
    trace_free(&fact->trace);
    invariant_free(&fact->invariant);
}

/* ---- from a slice to its system ---- */

static void lift_inputs(const struct slice *slice, const uint64_t *from, uint64_t *to) {
    assert(slice->input_map.len == slice->sys.inputs.len);
    for (size_t i = 0; i < slice->input_map.len; i++)
        to[slice->input_map.data[i]] = from[i];
}

static void lift_trace(struct trace *to, const struct trace *from, const struct slice *slice,
                       const struct system *sys) {
    assert(from->n_inputs == slice->input_map.len);
    trace_init(to, sys, from->n_steps);
    lift_inputs(slice, from->init.data, to->init.data);
    for (uint32_t j = 0; j < from->n_steps && from->n_inputs > 0; j++)
        lift_inputs(slice, from->values.data + (size_t)j * from->n_inputs,
                    to->values.data + (size_t)j * to->n_inputs);
}

static uint32_t lift_derived(const struct slice *slice, uint32_t cell, struct system *sys) {
    const struct cell *derived = &slice->sys.cells.data[cell];
    assert(derived->is && "every cell of a slice is one of its system");
    const struct term_var *var = &sys->terms->vars.data[term_bits(sys->terms, derived->var)];
    return system_derive(sys, derived->is, var->is_signed);
}

static void lift_invariant(struct invariant *to, const struct invariant *from,
                           const struct slice *slice, struct system *sys) {
    VEC(uint32_t) map = {0};
    assert(slice->cell_map.len <= slice->sys.cells.len);
    for (uint32_t i = 0; i < slice->sys.cells.len; i++)
        vec_push(&map, i < slice->cell_map.len ? slice->cell_map.data[i] : NONE);
    invariant_copy(to, from);
    for (size_t i = 0; i < to->clauses.len; i++) {
        for (size_t l = 0; l < to->clauses.data[i].len; l++) {
            uint32_t cell = to->clauses.data[i].data[l].cell;
            if (map.data[cell] == NONE)
                map.data[cell] = lift_derived(slice, cell, sys);
        }
        clause_map(&to->clauses.data[i], map.data);
    }
    vec_free(&map);
    for (size_t i = 0; i < to->targets.len; i++) {
        assert(to->targets.data[i] < slice->target_map.len);
        to->targets.data[i] = slice->target_map.data[to->targets.data[i]];
    }
}

void fact_lift(struct fact *to, const struct fact *from, const struct slice *slice,
               struct system *sys) {
    fact_init(to, from->kind);
    to->depth = from->depth;
    if (from->kind == FACT_HIT || from->kind == FACT_BOUND) {
        assert(from->target < slice->target_map.len);
        to->target = slice->target_map.data[from->target];
    }
    if (from->kind == FACT_HIT)
        lift_trace(&to->trace, &from->trace, slice, sys);
    if (from->kind == FACT_DEAD || from->kind == FACT_LEMMA)
        lift_invariant(&to->invariant, &from->invariant, slice, sys);
}

/* ---- text ---- */

void fact_write(const struct fact *fact, const struct system *sys, struct str *out) {
    assert(fact->kind <= FACT_LEMMA);
    str_addf(out, "fact 1 %s", kind_names[fact->kind]);
    if (fact->kind == FACT_HIT || fact->kind == FACT_BOUND) {
        str_addf(out, " t%u ", fact->target);
        name_print(sys->targets.data[fact->target].name, out);
    }
    if (fact->kind == FACT_BOUND)
        str_addf(out, " depth %u", fact->depth);
    str_addc(out, '\n');
    if (fact->kind == FACT_HIT)
        trace_write(&fact->trace, sys, out);
    if (fact->kind == FACT_DEAD || fact->kind == FACT_LEMMA)
        invariant_write(&fact->invariant, sys, out);
}

static bool read_kind(struct reader *r, enum fact_kind *kind) {
    for (size_t k = 0; k < sizeof kind_names / sizeof *kind_names; k++)
        if (reader_accept(r, kind_names[k])) {
            *kind = (enum fact_kind)k;
            return true;
        }
    return reader_fail(r, "expected one of hit, dead, bound, lemma");
}

static bool read_fact(struct fact *fact, struct system *sys, struct reader *r) {
    if (!reader_header(r, "fact") || !read_kind(r, &fact->kind))
        return false;
    if ((fact->kind == FACT_HIT || fact->kind == FACT_BOUND) &&
        (!reader_index(r, 't', "a target", sys->targets.len, &fact->target) ||
         !reader_same_name(r, "target", sys->targets.data[fact->target].name)))
        return false;
    if (fact->kind == FACT_BOUND &&
        (!reader_expect(r, "depth") || !reader_u32(r, "a depth", &fact->depth)))
        return false;
    if (!reader_done(r))
        return false;
    if (fact->kind == FACT_HIT)
        return trace_read_from(&fact->trace, sys, r);
    return fact->kind == FACT_BOUND || invariant_read_from(&fact->invariant, sys, r);
}

bool fact_read(struct fact *fact, struct system *sys, const char *text, struct err *err) {
    struct reader r;
    fact_init(fact, FACT_BOUND);
    reader_init(&r, text, "fact", err);
    bool ok = read_fact(fact, sys, &r) && reader_end(&r);
    reader_free(&r);
    if (!ok)
        fact_free(fact);
    return ok;
}
