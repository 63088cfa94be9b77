/* Between the state of the woven program and the cells of the model: they have the same names.
 * Cells that are constant, and state that the model does not have, have no partner. */
#include "app/run/session.h"

#include "base/map.h"
#include "base/mem.h"

#include <string.h>

void session_connect_cells(struct session *s) {
    struct map by_name = {0}; /* the first cell whose name has this hash */
    for (uint32_t i = 0; i < s->model.sys.cells.len; i++) {
        uint64_t hash = hash_text(s->model.sys.cells.data[i].name);
        if (!map_get(&by_name, hash))
            map_put(&by_name, hash, i);
    }
    for (size_t i = 0; i < s->woven.module.state.len; i++) {
        const char *path = s->woven.module.state.data[i].path;
        const uint32_t *cell = map_get(&by_name, hash_text(path));
        bool same = cell && strcmp(s->model.sys.cells.data[*cell].name, path) == 0;
        vec_push(&s->model.cell_of_state, same ? *cell : NONE);
    }
    map_free(&by_name);
    assert(s->model.cell_of_state.len == s->woven.module.state.len);
}

bool session_cone(const struct session *s, const uint32_t *probes, size_t n, bool *keep) {
    VEC(uint32_t) targets = {0};
    VEC(bool) in_cone = {0};
    struct slice slice;
    for (size_t i = 0; s->model.present && i < n; i++)
        if (s->probes.data[probes[i]].target != NONE)
            vec_push(&targets, s->probes.data[probes[i]].target);
    bool known = targets.len == n && n > 0;
    if (known) {
        vec_resize_zero(&in_cone, s->model.sys.cells.len);
        slice_make(&slice, session_system(s), targets.data, targets.len);
        for (size_t i = 0; i < slice.cell_map.len; i++)
            in_cone.data[slice.cell_map.data[i]] = true;
        for (size_t i = 0; i < s->model.cell_of_state.len; i++)
            keep[i] = s->model.cell_of_state.data[i] != NONE &&
                      in_cone.data[s->model.cell_of_state.data[i]];
        slice_free(&slice);
    }
    vec_free(&in_cone);
    vec_free(&targets);
    return known;
}

/* What simulation has met of each cell, in ordinals of the cell. */
void session_look(struct session *s) {
    if (!s->has_native || !s->model.present)
        return;
    const struct simulate_cell *met = simulate_cells(s->simulation);
    mem_free(s->seen);
    s->seen = mem_zalloc(s->model.sys.cells.len + 1, sizeof *s->seen);
    for (size_t i = 0; i < s->woven.module.state.len; i++) {
        uint32_t c = met[i].seen ? s->model.cell_of_state.data[i] : NONE;
        if (c == NONE)
            continue;
        const struct term_var *var =
            &s->model.terms.vars
                 .data[term_get(&s->model.terms, s->model.sys.cells.data[c].var)->payload];
        int64_t lo = ordinal_of(var->sort, var->is_signed, met[i].min);
        int64_t hi = ordinal_of(var->sort, var->is_signed, met[i].max);
        s->seen[c] = (struct cell_seen){.valid = lo <= hi, .lo = lo, .hi = hi};
    }
}
