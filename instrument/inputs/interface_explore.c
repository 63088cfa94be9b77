/* Everything about the interface that is found out before anything is written. */
#include "instrument/inputs/interface_parts.h"

#include <assert.h>

bool interface_explore(struct interface *in, struct err *err) {
    assert(in->scan.units && in->cells.len == 0);
    return interface_find_entries(in, err) && interface_make_arguments(in, err) &&
           interface_make_pointees(in, err) && interface_collect_cells(in, err) &&
           interface_decide_roles(in, err) && interface_find_volatiles(in, err);
}

void interface_release(struct interface *in) {
    for (size_t i = 0; i < in->volatiles.len; i++)
        vec_free(&in->volatiles.data[i].reads);
    vec_free(&in->volatiles);
    vec_free(&in->notes);
    map_free(&in->note_of);
    vec_free(&in->opaque_reads);
    vec_free(&in->init);
    vec_free(&in->arguments);
    vec_free(&in->cells);
    vec_free(&in->made);
    vec_free(&in->stub_texts);
    vec_free(&in->regions);
    str_free(&in->front);
    scan_free(&in->scan);
    arena_free(&in->arena);
}
