/* Static inline functions of headers that nothing here uses: libraries bring dozens of them into
 * every unit, and none is part of the module. */
#include "instrument/goals/idle.h"

#include "base/file.h"
#include "base/mem.h"

#include <assert.h>

static const struct function *function_of(const struct callgraph *graph, uint32_t f) {
    const struct callgraph_function *c = &graph->functions.data[f];
    return &graph->trees[c->unit].functions.data[c->index];
}

static bool is_header(const char *file) {
    return str_ends(file, ".h") || str_ends(file, ".H") || str_ends(file, ".hpp") ||
           str_ends(file, ".inl") || str_ends(file, ".inc");
}

/* Unless somebody calls it: that shows later. */
static bool may_be_idle(const struct callgraph *graph, uint32_t f) {
    const struct function *d = function_of(graph, f);
    return d->is_static && clang_Cursor_isFunctionInlined(d->cursor) && is_header(d->place.file) &&
           !graph->functions.data[f].address_taken;
}

static void say(const struct function *d, struct goals *goals) {
    struct limitation limitation = {
        .file = arena_strdup(&goals->arena, d->place.file),
        .line = d->place.line,
        .col = d->place.col,
        .function = arena_strdup(&goals->arena, d->name),
        .text = "static inline in a header, and nothing in the sources calls it: it has no goals"};
    vec_push(&goals->limitations, limitation);
}

bool *idle_find(const struct callgraph *graph, struct goals *goals) {
    size_t n = graph->functions.len;
    bool *idle = mem_zalloc(n + 1, sizeof *idle);
    VEC(uint32_t) used = {0};
    for (uint32_t f = 0; f < n; f++) {
        idle[f] = may_be_idle(graph, f);
        if (!idle[f])
            vec_push(&used, f);
    }
    while (used.len > 0) { /* what a used function calls is used */
        const struct callgraph_function *f = &graph->functions.data[vec_pop(&used)];
        for (size_t i = 0; i < f->calls.len; i++) {
            uint32_t called = f->calls.data[i].function;
            if (called != NO_FUNCTION && idle[called]) {
                idle[called] = false;
                vec_push(&used, called);
            }
        }
    }
    for (uint32_t f = 0; f < n; f++)
        if (idle[f])
            say(function_of(graph, f), goals);
    vec_free(&used);
    return idle;
}
