#include "engines/invariant/enrich.h"

#include "model/system/derive.h"
#include "model/system/slicer.h"

/* What targets and clauses depend on, as a slice. */
static void slice_of(struct slice *slice, const struct system *sys, const struct invariant *inv) {
    struct slicer slicer;
    VEC(uint32_t) cells = {0};
    for (size_t i = 0; i < inv->clauses.len; i++)
        for (size_t b = 0; b < inv->clauses.data[i].len; b++) {
            vec_push(&cells, inv->clauses.data[i].data[b].cell);
            if (bound_is_sum(inv->clauses.data[i].data[b]))
                vec_push(&cells, inv->clauses.data[i].data[b].other);
        }
    slicer_open(&slicer, sys);
    slicer_make(&slicer, slice,
                &(struct slice_wish){.targets = inv->targets.data,
                                     .n_targets = inv->targets.len,
                                     .cells = cells.data,
                                     .n_cells = cells.len});
    slicer_close(&slicer);
    vec_free(&cells);
}

static bool is_about(const struct system *sys, struct slice *slice, const bool *there,
                     const struct clause *c) {
    for (size_t b = 0; b < c->len; b++) {
        const struct cell *cell = &sys->cells.data[c->data[b].cell];
        if (!there[c->data[b].cell] && !(cell->is && system_can_derive(&slice->sys, cell->is)))
            return false;
        if (bound_is_sum(c->data[b]) && !there[c->data[b].other])
            return false;
    }
    return true;
}

size_t invariant_enrich(const struct system *sys, struct invariant *inv,
                        const struct invariant *lemmas, size_t most) {
    struct slice slice;
    VEC(bool) there = {0};
    size_t before = inv->clauses.len;
    slice_of(&slice, sys, inv);
    vec_resize_zero(&there, sys->cells.len);
    for (size_t i = 0; i < slice.cell_map.len; i++)
        there.data[slice.cell_map.data[i]] = true;
    for (size_t i = 0; i < lemmas->clauses.len && inv->clauses.len <= before + most; i++) {
        const struct clause *c = &lemmas->clauses.data[i];
        if (is_about(sys, &slice, there.data, c) && !invariant_has(inv, c))
            invariant_add(inv, c->data, c->len);
    }
    if (inv->clauses.len > before + most)
        invariant_impoverish(inv, inv->clauses.len - before);
    vec_free(&there);
    slice_free(&slice);
    return inv->clauses.len - before;
}

void invariant_impoverish(struct invariant *inv, size_t n) {
    assert(n <= inv->clauses.len);
    for (size_t kept = inv->clauses.len - n; inv->clauses.len > kept;) {
        struct clause last = vec_pop(&inv->clauses);
        vec_free(&last);
    }
}
