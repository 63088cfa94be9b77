#include "engines/invariant/enrich.h"

#include "engines/invariant/trim.h"
#include "model/system/derive.h"

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
    invariant_slice(&slice, sys, inv, false);
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
