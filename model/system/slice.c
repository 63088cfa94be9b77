/* Cone of influence: start from what the targets and the constraints read, add the next and
 * initial terms of every cell met, until nothing new is met.
 *
 * All of step_ok and init_ok stays. Without a conjunct proofs would still hold (more runs), but a
 * trace of the slice might not extend to the system. */
#include "model/system/system.h"

#include "base/mem.h"
#include "model/term/simplify.h"

struct cone {
    const struct system *sys;
    uint32_t *owner; /* one a variable: index of the cell, or NONE */
    bool *seen;      /* one a term */
    VEC(term_t) stack;
};

static void visit(struct cone *cone, term_t t) {
    assert(t < cone->sys->terms->nodes.len);
    if (t && !cone->seen[t]) {
        cone->seen[t] = true;
        vec_push(&cone->stack, t);
    }
}

static void find_owners(struct cone *cone) {
    const struct system *sys = cone->sys;
    for (size_t v = 0; v < sys->terms->vars.len; v++)
        cone->owner[v] = NONE;
    for (size_t i = 0; i < sys->cells.len; i++)
        cone->owner[term_bits(sys->terms, sys->cells.data[i].var)] = (uint32_t)i;
}

static void close_cone(struct cone *cone) {
    const struct system *sys = cone->sys;
    while (cone->stack.len > 0) {
        struct term n = *term_get(sys->terms, vec_pop(&cone->stack));
        for (int i = 0; i < n.arity; i++)
            visit(cone, n.arg[i]);
        if (n.op == OP_VAR && cone->owner[n.payload] != NONE) {
            visit(cone, sys->cells.data[cone->owner[n.payload]].next);
            visit(cone, sys->cells.data[cone->owner[n.payload]].init);
            visit(cone, sys->cells.data[cone->owner[n.payload]].is);
        }
    }
}

static void take_targets(struct slice *slice, struct cone *cone, const uint32_t *targets,
                         size_t n) {
    const struct system *sys = cone->sys;
    for (size_t i = 0; i < n; i++) {
        assert(targets[i] < sys->targets.len);
        struct target target = sys->targets.data[targets[i]];
        visit(cone, target.hit);
        visit(cone, target.init_hit);
        if (target.kind == TARGET_OVERRUN)
            vec_push(&slice->sys.overruns, (uint32_t)i);
        vec_push(&slice->sys.targets, target);
        vec_push(&slice->target_map, targets[i]);
    }
}

static void take_constraints(struct slice *slice, struct cone *cone) {
    assert(cone->sys->init_ok && cone->sys->step_ok);
    const struct system *sys = cone->sys;
    slice->sys.init_ok = sys->init_ok;
    slice->sys.step_ok = sys->step_ok;
    slice->sys.unspecified = sys->unspecified;
    slice->sys.init_unspecified = sys->init_unspecified;
    visit(cone, sys->init_ok);
    visit(cone, sys->step_ok);
    visit(cone, sys->unspecified);
    visit(cone, sys->init_unspecified);
}

static void take_state(struct slice *slice, const struct cone *cone) {
    assert(cone->stack.len == 0); /* the cone is closed */
    const struct system *sys = cone->sys;
    slice->hash = hash_mix(0, sys->cells.len);
    for (size_t i = 0; i < sys->cells.len; i++) {
        if (!cone->seen[sys->cells.data[i].var])
            continue;
        vec_push(&slice->sys.cells, sys->cells.data[i]);
        vec_push(&slice->cell_map, (uint32_t)i);
        slice->hash = hash_mix(slice->hash, i);
    }
    for (size_t i = 0; i < sys->inputs.len; i++) {
        struct sys_input in = sys->inputs.data[i];
        if (!cone->seen[in.var])
            continue;
        in.guard = 0;
        vec_push(&slice->sys.inputs, in);
        vec_push(&slice->input_map, (uint32_t)i);
    }
}

void slice_make(struct slice *slice, const struct system *sys, const uint32_t *targets, size_t n) {
    slice_make_with(slice, sys, targets, n, NULL, 0);
}

void slice_make_with(struct slice *slice, const struct system *sys, const uint32_t *targets,
                     size_t n, const uint32_t *cells, size_t n_cells) {
    assert((targets || n == 0) && (cells || n_cells == 0));
    struct cone cone = {.sys = sys};
    *slice = (struct slice){0};
    system_init(&slice->sys, sys->terms);
    slice->sys.name = sys->name;
    cone.owner = mem_alloc((sys->terms->vars.len + 1) * sizeof *cone.owner);
    cone.seen = mem_zalloc(sys->terms->nodes.len, sizeof *cone.seen);
    find_owners(&cone);
    take_targets(slice, &cone, targets, n);
    take_constraints(slice, &cone);
    for (size_t i = 0; i < n_cells; i++)
        visit(&cone, sys->cells.data[cells[i]].var);
    close_cone(&cone);
    take_state(slice, &cone);
    mem_free(cone.owner);
    mem_free(cone.seen);
    vec_free(&cone.stack);
}

void slice_inputs(const struct system *sys, const uint32_t *targets, size_t n, bool *used) {
    struct cone cone = {.sys = sys};
    assert(targets || n == 0);
    cone.owner = mem_alloc((sys->terms->vars.len + 1) * sizeof *cone.owner);
    cone.seen = mem_zalloc(sys->terms->nodes.len, sizeof *cone.seen);
    find_owners(&cone);
    for (size_t i = 0; i < n; i++) {
        visit(&cone, sys->targets.data[targets[i]].hit);
        visit(&cone, sys->targets.data[targets[i]].init_hit);
    }
    close_cone(&cone);
    for (size_t i = 0; i < sys->inputs.len; i++)
        used[i] |= cone.seen[sys->inputs.data[i].var];
    mem_free(cone.owner);
    mem_free(cone.seen);
    vec_free(&cone.stack);
}

void slice_free(struct slice *slice) {
    system_free(&slice->sys);
    vec_free(&slice->cell_map);
    vec_free(&slice->input_map);
    vec_free(&slice->target_map);
}
