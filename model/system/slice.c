/* Cone of influence: start from what the targets read, add the next and initial terms of every cell
 * met, until nothing new is met.
 *
 * Of the constraints (the conjuncts of step_ok and init_ok, what must not be unspecified) a slice
 * has those that its variables have to do with. Two constraints belong together when their own
 * cones share a variable; a slice that meets a variable of such a component has all of it. The
 * others speak of other variables only: without them proofs hold (there are more runs), and a trace
 * extends to the system as long as the others can be met by themselves.
 *
 * Nothing here is cleared for each slice: a term has been seen when its mark is that of the round.
 */
#include "model/system/slicer.h"

#include "base/mem.h"
#include "model/term/simplify.h"

#include <stdlib.h>

enum part_of { STEP_OK, INIT_OK, UNSPECIFIED, INIT_UNSPECIFIED, PARTS };

/* ---- constraints ---- */

static void split(struct slicer *s, enum part_of of, term_t whole) {
    VEC(term_t) todo = {0};
    const enum op joint = of == STEP_OK || of == INIT_OK ? OP_AND : OP_OR;
    vec_push(&todo, whole);
    while (todo.len > 0) {
        term_t t = vec_pop(&todo);
        const struct term *n = term_get(s->sys->terms, t);
        if (n->op == joint) {
            vec_push(&todo, n->arg[1]);
            vec_push(&todo, n->arg[0]);
        } else {
            vec_push(&s->parts, (struct slice_part){.of = (uint8_t)of, .term = t});
        }
    }
    vec_free(&todo);
}

static uint32_t root_of(struct slicer *s, uint32_t part) {
    uint32_t root = part;
    while (s->parts.data[root].component != root)
        root = s->parts.data[root].component;
    for (uint32_t next; part != root; part = next) {
        next = s->parts.data[part].component;
        s->parts.data[part].component = root;
    }
    return root;
}

static void push_new(struct slicer *s, uint32_t *owner, uint32_t part, term_t t) {
    if (!t || term_is_const(s->sys->terms, t))
        return;
    if (owner[t] == NONE) {
        owner[t] = part;
        vec_push(&s->stack, t);
    } else {
        s->parts.data[root_of(s, owner[t])].component = root_of(s, part);
    }
}

/* The cone of one constraint; what another one has met before makes them one component. */
static void walk_part(struct slicer *s, uint32_t *owner, uint32_t part) {
    const struct system *sys = s->sys;
    push_new(s, owner, part, s->parts.data[part].term);
    while (s->stack.len > 0) {
        struct term n = *term_get(sys->terms, vec_pop(&s->stack));
        for (int i = 0; i < n.arity; i++)
            push_new(s, owner, part, n.arg[i]);
        if (n.op != OP_VAR)
            continue;
        s->part_at.data[n.payload] = part;
        if (s->cell_at.data[n.payload] != NONE) {
            const struct cell *cell = &sys->cells.data[s->cell_at.data[n.payload]];
            push_new(s, owner, part, cell->next);
            push_new(s, owner, part, cell->init);
            push_new(s, owner, part, cell->is);
        }
    }
}

static void find_components(struct slicer *s) {
    size_t n = s->sys->terms->nodes.len;
    uint32_t *owner = mem_alloc((n + 1) * sizeof *owner);
    for (size_t t = 0; t < n; t++)
        owner[t] = NONE;
    for (uint32_t p = 0; p < s->parts.len; p++)
        s->parts.data[p].component = p;
    for (uint32_t p = 0; p < s->parts.len; p++)
        walk_part(s, owner, p);
    for (uint32_t p = 0; p < s->parts.len; p++) {
        uint32_t root = root_of(s, p);
        s->parts.data[p].next = s->parts.data[root].first;
        s->parts.data[root].first = p + 1;
    }
    mem_free(owner);
}

/* ---- open ---- */

static void note_whole(struct slicer *s) {
    const struct system *sys = s->sys;
    s->whole[STEP_OK] = sys->step_ok;
    s->whole[INIT_OK] = sys->init_ok;
    s->whole[UNSPECIFIED] = sys->unspecified;
    s->whole[INIT_UNSPECIFIED] = sys->init_unspecified;
    s->n_cells = sys->cells.len;
}

static bool is_current(const struct slicer *s) {
    const struct system *sys = s->sys;
    return s->n_cells == sys->cells.len && s->whole[STEP_OK] == sys->step_ok &&
           s->whole[INIT_OK] == sys->init_ok && s->whole[UNSPECIFIED] == sys->unspecified &&
           s->whole[INIT_UNSPECIFIED] == sys->init_unspecified;
}

static void make_room(struct slicer *s) {
    while (s->cell_at.len < s->sys->terms->vars.len) {
        vec_push(&s->cell_at, NONE);
        vec_push(&s->part_at, NONE);
    }
    while (s->seen.len < s->sys->terms->nodes.len)
        vec_push(&s->seen, 0);
}

static void look_at_system(struct slicer *s) {
    const struct system *sys = s->sys;
    assert(sys->init_ok && sys->step_ok);
    vec_clear(&s->cell_at);
    vec_clear(&s->part_at);
    vec_clear(&s->parts);
    make_room(s);
    for (size_t i = 0; i < sys->cells.len; i++)
        s->cell_at.data[term_bits(sys->terms, sys->cells.data[i].var)] = (uint32_t)i;
    note_whole(s);
    for (int of = 0; of < PARTS; of++)
        split(s, (enum part_of)of, s->whole[of]);
    find_components(s);
}

void slicer_open(struct slicer *s, const struct system *sys) {
    *s = (struct slicer){.sys = sys};
    look_at_system(s);
}

void slicer_close(struct slicer *s) {
    vec_free(&s->cell_at);
    vec_free(&s->part_at);
    vec_free(&s->parts);
    vec_free(&s->seen);
    vec_free(&s->stack);
    vec_free(&s->cells);
}

/* ---- one slice ---- */

static void visit(struct slicer *s, term_t t) {
    assert(t < s->sys->terms->nodes.len);
    if (t && s->seen.data[t] != s->round) {
        s->seen.data[t] = s->round;
        vec_push(&s->stack, t);
    }
}

static void take_component(struct slicer *s, uint32_t part) {
    uint32_t root = root_of(s, part);
    if (s->parts.data[root].taken == s->round)
        return;
    s->parts.data[root].taken = s->round;
    for (uint32_t p = s->parts.data[root].first; p; p = s->parts.data[p - 1].next) {
        s->parts.data[p - 1].wanted = s->round;
        visit(s, s->parts.data[p - 1].term);
    }
}

static void close_cone(struct slicer *s) {
    const struct system *sys = s->sys;
    while (s->stack.len > 0) {
        struct term n = *term_get(sys->terms, vec_pop(&s->stack));
        for (int i = 0; i < n.arity; i++)
            visit(s, n.arg[i]);
        if (n.op != OP_VAR)
            continue;
        if (!s->targets_only && s->part_at.data[n.payload] != NONE)
            take_component(s, s->part_at.data[n.payload]);
        uint32_t cell = s->cell_at.data[n.payload];
        if (cell != NONE) {
            vec_push(&s->cells, cell);
            visit(s, sys->cells.data[cell].next);
            visit(s, sys->cells.data[cell].init);
            visit(s, sys->cells.data[cell].is);
        }
    }
}

static void begin(struct slicer *s) {
    if (!is_current(s))
        look_at_system(s);
    make_room(s);
    vec_clear(&s->cells);
    s->round++;
}

static void take_targets(struct slicer *s, struct slice *slice, const uint32_t *targets, size_t n) {
    for (size_t i = 0; i < n; i++) {
        assert(targets[i] < s->sys->targets.len);
        struct target target = s->sys->targets.data[targets[i]];
        visit(s, target.hit);
        visit(s, target.init_hit);
        if (target.kind == TARGET_OVERRUN)
            vec_push(&slice->sys.overruns, (uint32_t)i);
        vec_push(&slice->sys.targets, target);
        vec_push(&slice->target_map, targets[i]);
    }
}

/* All when they are wanted; else at least those without a variable. */
static void take_unbound(struct slicer *s, bool all) {
    for (uint32_t p = 0; p < s->parts.len; p++)
        if (all || term_is_const(s->sys->terms, s->parts.data[p].term))
            take_component(s, p);
}

static term_t join(const struct slicer *s, enum part_of of) {
    struct terms *ts = s->sys->terms;
    bool all = true, conjunction = of == STEP_OK || of == INIT_OK;
    term_t joined = term_bool(ts, conjunction);
    for (size_t p = 0; p < s->parts.len; p++)
        if (s->parts.data[p].of == of)
            all &= s->parts.data[p].wanted == s->round;
    if (all)
        return s->whole[of];
    for (size_t p = 0; p < s->parts.len; p++)
        if (s->parts.data[p].of == of && s->parts.data[p].wanted == s->round)
            joined = conjunction ? term_and(ts, joined, s->parts.data[p].term)
                                 : term_or(ts, joined, s->parts.data[p].term);
    return joined;
}

static int ascending(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void take_state(struct slicer *s, struct slice *slice) {
    const struct system *sys = s->sys;
    slice->hash = hash_mix(0, sys->cells.len);
    if (s->cells.len > 1)
        qsort(s->cells.data, s->cells.len, sizeof *s->cells.data, ascending);
    for (size_t i = 0; i < s->cells.len; i++) {
        uint32_t cell = s->cells.data[i];
        vec_push(&slice->sys.cells, sys->cells.data[cell]);
        vec_push(&slice->cell_map, cell);
        slice->hash = hash_mix(slice->hash, cell);
    }
    for (size_t i = 0; i < sys->inputs.len; i++) {
        struct sys_input in = sys->inputs.data[i];
        if (s->seen.data[in.var] != s->round)
            continue;
        in.guard = 0;
        vec_push(&slice->sys.inputs, in);
        vec_push(&slice->input_map, (uint32_t)i);
    }
}

void slicer_make(struct slicer *s, struct slice *slice, const struct slice_wish *wish) {
    const struct system *sys = s->sys;
    assert((wish->targets || wish->n_targets == 0) && (wish->cells || wish->n_cells == 0));
    *slice = (struct slice){0};
    begin(s);
    s->targets_only = false;
    system_init(&slice->sys, sys->terms);
    slice->sys.name = sys->name;
    take_unbound(s, wish->all_constraints);
    take_targets(s, slice, wish->targets, wish->n_targets);
    for (size_t i = 0; i < wish->n_cells; i++)
        visit(s, sys->cells.data[wish->cells[i]].var);
    close_cone(s);
    take_state(s, slice);
    slice->sys.step_ok = join(s, STEP_OK);
    slice->sys.init_ok = join(s, INIT_OK);
    slice->sys.unspecified = join(s, UNSPECIFIED);
    slice->sys.init_unspecified = join(s, INIT_UNSPECIFIED);
}

void slice_make(struct slice *slice, const struct system *sys, const uint32_t *targets, size_t n) {
    struct slicer s;
    slicer_open(&s, sys);
    slicer_make(&s, slice, &(struct slice_wish){.targets = targets, .n_targets = n});
    slicer_close(&s);
}

void slice_inputs(const struct system *sys, const uint32_t *targets, size_t n, bool *used) {
    struct slicer s;
    slicer_open(&s, sys);
    begin(&s);
    s.targets_only = true;
    assert(targets || n == 0);
    for (size_t i = 0; i < n; i++) {
        visit(&s, sys->targets.data[targets[i]].hit);
        visit(&s, sys->targets.data[targets[i]].init_hit);
    }
    close_cone(&s);
    for (size_t i = 0; i < sys->inputs.len; i++)
        used[i] |= s.seen.data[sys->inputs.data[i].var] == s.round;
    slicer_close(&s);
}

void slice_free(struct slice *slice) {
    system_free(&slice->sys);
    vec_free(&slice->cell_map);
    vec_free(&slice->input_map);
    vec_free(&slice->target_map);
}
