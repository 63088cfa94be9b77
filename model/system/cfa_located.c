/* The automaton of a system that says itself where a run is. Every term is specialised to each
 * location: with the location known the parts of other locations vanish from it. */
#include "model/system/cfa.h"

#include "base/mem.h"
#include "model/term/simplify.h"

VEC_STRUCT(term_list, term_t);

struct splitting {
    struct cfa *cfa;
    const struct system *sys;
    struct terms *ts;
    uint32_t pc;            /* the cell */
    const uint64_t *values; /* of it, by location, the first one left out; NULL: its number */
    uint32_t *reader;       /* by input: the location that reads it, 0: none yet */
    term_t *map;            /* by variable: what stands for it at the location at hand */
    size_t map_len;
    struct term_list roots; /* next of all cells, step_ok, unspecified, hits of all targets */
};

static uint64_t var_of(const struct splitting *s, term_t var) {
    return term_bits(s->ts, var);
}

static term_t number(const struct splitting *s, uint32_t location) {
    sort_t sort = term_sort(s->ts, s->sys->cells.data[s->pc].var);
    return term_const(s->ts, sort, s->values ? s->values[location - 1] : location);
}

/* ---- inputs: each location has its own ---- */

/* Does the location ask for it, or read it? Gives its guard there, 0 where it has none. */
static bool wants_input(struct splitting *s, const struct sys_input *in, uint32_t location,
                        const bool *mark, term_t *guard) {
    *guard = in->guard;
    if (in->at_init || location == 0)
        return in->at_init && location == 0;
    if (in->guard)
        term_substitute(s->ts, s->map, s->map_len, guard, 1);
    return mark[in->var] || (in->guard && !term_is_false(s->ts, *guard));
}

static void take_inputs(struct splitting *s, uint32_t location, const bool *mark) {
    for (size_t i = 0; i < s->sys->inputs.len; i++) {
        struct sys_input in = s->sys->inputs.data[i];
        term_t guard;
        if (!wants_input(s, &in, location, mark, &guard))
            continue;
        if (s->reader[i]) { /* read elsewhere, too: a variable of its own */
            bool is_signed = s->ts->vars.data[var_of(s, in.var)].is_signed;
            in.name = arena_printf(&s->cfa->arena, "%s@%u", in.name, location);
            term_t own = term_var(s->ts, in.name, term_sort(s->ts, in.var), is_signed);
            s->map[var_of(s, in.var)] = own;
            in.var = own;
        }
        s->reader[i] = location;
        vec_push(&s->cfa->inputs, (struct cfa_input){in.name, in.var, guard, in.module_input,
                                                     location, in.unspecified, (uint32_t)i});
    }
}

/* ---- one location ---- */

static void list_roots(struct splitting *s) {
    const struct system *sys = s->sys;
    vec_clear(&s->roots);
    for (size_t i = 0; i < sys->cells.len; i++)
        vec_push(&s->roots, sys->cells.data[i].next);
    vec_push(&s->roots, sys->step_ok);
    vec_push(&s->roots, sys->unspecified);
    for (size_t i = 0; i < sys->targets.len; i++)
        vec_push(&s->roots, sys->targets.data[i].hit);
}

/* Marks what the roots read, and what the guards of the inputs among that read. */
static bool *mark_read(struct splitting *s) {
    struct term_list roots = {0};
    vec_append(&roots, s->roots.data, s->roots.len);
    for (size_t i = 0; i < s->sys->inputs.len; i++) {
        term_t guard = s->sys->inputs.data[i].guard;
        if (!guard || s->sys->inputs.data[i].at_init)
            continue;
        term_substitute(s->ts, s->map, s->map_len, &guard, 1);
        if (!term_is_false(s->ts, guard))
            vec_push(&roots, guard);
    }
    bool *mark = mem_zalloc(s->ts->nodes.len, sizeof *mark);
    term_mark(s->ts, roots.data, roots.len, mark);
    vec_free(&roots);
    return mark;
}

static void specialise(struct splitting *s, uint32_t location) {
    term_t pc = s->sys->cells.data[s->pc].var;
    memset(s->map, 0, s->map_len * sizeof *s->map);
    s->map[var_of(s, pc)] = number(s, location);
    list_roots(s);
    term_substitute(s->ts, s->map, s->map_len, s->roots.data, s->roots.len);
    bool *mark = mark_read(s);
    take_inputs(s, location, mark);
    term_substitute(s->ts, s->map, s->map_len, s->roots.data, s->roots.len);
    mem_free(mark);
}

static uint32_t cell_index(const struct splitting *s, size_t i) {
    assert(i != s->pc);
    return (uint32_t)(i < s->pc ? i : i - 1);
}

static void take_edge(struct splitting *s, uint32_t from, uint32_t to) {
    const struct system *sys = s->sys;
    term_t arrives = term_eq(s->ts, s->roots.data[s->pc], number(s, to));
    term_t guard = term_and(s->ts, s->roots.data[sys->cells.len], arrives);
    if (term_is_false(s->ts, guard))
        return;
    uint32_t edge = cfa_add_edge(s->cfa, from, to, guard);
    for (size_t i = 0; i < sys->cells.len; i++)
        if (i != s->pc && s->roots.data[i] != sys->cells.data[i].var)
            cfa_assign(s->cfa, edge, cell_index(s, i), s->roots.data[i]);
}

static void take_hits(struct splitting *s, uint32_t location) {
    size_t first = s->sys->cells.len + 2;
    for (size_t i = 0; i < s->sys->targets.len; i++) {
        term_t hit = s->roots.data[first + i];
        if (!term_is_false(s->ts, hit))
            vec_push(&s->cfa->hits, (struct cfa_hit){location, (uint32_t)i, hit});
    }
}

static void take_location(struct splitting *s, uint32_t location) {
    specialise(s, location);
    s->cfa->locations.data[location].unspecified = s->roots.data[s->sys->cells.len + 1];
    for (uint32_t to = 1; to < s->cfa->locations.len; to++)
        take_edge(s, location, to);
    take_hits(s, location);
}

/* ---- the start ---- */

static void take_start(struct splitting *s) {
    const struct system *sys = s->sys;
    s->cfa->locations.data[0].unspecified = sys->init_unspecified;
    take_inputs(s, 0, NULL);
    for (uint32_t to = 1; to < s->cfa->locations.len; to++) {
        term_t arrives = term_eq(s->ts, sys->cells.data[s->pc].init, number(s, to));
        term_t guard = term_and(s->ts, sys->init_ok, arrives);
        if (term_is_false(s->ts, guard))
            continue;
        uint32_t edge = cfa_add_edge(s->cfa, 0, to, guard);
        for (size_t i = 0; i < sys->cells.len; i++)
            if (i != s->pc)
                cfa_assign(s->cfa, edge, cell_index(s, i), sys->cells.data[i].init);
    }
    for (size_t i = 0; i < sys->targets.len; i++) {
        term_t hit = sys->targets.data[i].init_hit;
        if (hit && !term_is_false(s->ts, hit))
            vec_push(&s->cfa->hits, (struct cfa_hit){0, (uint32_t)i, hit});
    }
}

static void take_names(struct splitting *s, const struct cfa_place *places, size_t n) {
    for (size_t i = 0; i < n; i++)
        (void)cfa_add_location(s->cfa, places[i].kind, places[i].name);
    for (size_t i = 0; i < s->sys->cells.len; i++)
        if (i != s->pc)
            vec_push(&s->cfa->cells,
                     (struct cfa_cell){s->sys->cells.data[i].name, s->sys->cells.data[i].var});
    for (size_t i = 0; i < s->sys->targets.len; i++) {
        struct target t = s->sys->targets.data[i];
        vec_push(&s->cfa->targets, (struct cfa_target){t.kind, t.id, t.name});
    }
}

void cfa_from_located(struct cfa *cfa, const struct system *sys, uint32_t pc,
                      const struct cfa_place *places, const uint64_t *values, size_t n) {
    assert(pc < sys->cells.len && n > 0);
    struct splitting s = {.cfa = cfa, .sys = sys, .ts = sys->terms, .pc = pc, .values = values};
    cfa_init(cfa, sys->terms);
    cfa->name = sys->name;
    s.map_len = s.ts->vars.len;
    s.map = mem_zalloc(s.map_len, sizeof *s.map);
    s.reader = mem_zalloc(sys->inputs.len + 1, sizeof *s.reader);
    take_names(&s, places, n);
    take_start(&s);
    for (uint32_t l = 1; l <= n; l++)
        take_location(&s, l);
    mem_free(s.map);
    mem_free(s.reader);
    vec_free(&s.roots);
    check_cfa(cfa);
}
