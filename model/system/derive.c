/* Terms that define cells are small, the DAG is not: walks cost as much as the term is large. */
#include "model/system/derive.h"

#include "model/term/simplify.h"
#include "model/term/term_c.h"

VEC_STRUCT(term_list, term_t);

/* All terms below `t`, arguments first. */
static void list_below(const struct terms *ts, term_t t, struct term_list *order) {
    struct term_list stack = {0};
    struct map seen = {0};
    vec_push(&stack, t);
    while (stack.len > 0) {
        term_t at = vec_last(&stack);
        const struct term *n = term_get(ts, at);
        size_t before = stack.len;
        for (int i = 0; i < n->arity && !map_get(&seen, at); i++)
            if (!map_get(&seen, n->arg[i]))
                vec_push(&stack, n->arg[i]);
        if (stack.len > before)
            continue;
        (void)vec_pop(&stack);
        if (!map_get(&seen, at))
            vec_push(order, at);
        map_put(&seen, at, 1);
    }
    map_free(&seen);
    vec_free(&stack);
}

uint32_t system_cell_of(const struct system *sys, term_t var) {
    for (uint32_t i = 0; i < sys->cells.len; i++)
        if (sys->cells.data[i].var == var)
            return i;
    return NONE;
}

/* ---- what a term reads ---- */

/* The cells below a term; false when it reads something else. */
static bool cells_below(const struct system *sys, term_t t, struct term_list *cells) {
    struct term_list order = {0};
    bool only_cells = true;
    list_below(sys->terms, t, &order);
    for (size_t i = 0; i < order.len; i++) {
        if (!term_is(sys->terms, order.data[i], OP_VAR))
            continue;
        uint32_t cell = system_cell_of(sys, order.data[i]);
        only_cells &= cell != NONE;
        if (cell != NONE)
            vec_push(cells, cell);
    }
    vec_free(&order);
    return only_cells;
}

static size_t count_marked(const struct system *sys, uint32_t cell, const bool *marked,
                           size_t *all) {
    struct term_list cells = {0};
    term_t is = sys->cells.data[cell].is;
    size_t n = 0;
    cells_below(sys, is ? is : sys->cells.data[cell].var, &cells);
    for (size_t i = 0; i < cells.len; i++)
        n += marked[cells.data[i]];
    *all = cells.len;
    vec_free(&cells);
    return n;
}

bool cell_within(const struct system *sys, uint32_t cell, const bool *marked) {
    size_t all;
    return count_marked(sys, cell, marked, &all) == all;
}

bool cell_touches(const struct system *sys, uint32_t cell, const bool *marked) {
    size_t all;
    return count_marked(sys, cell, marked, &all) > 0;
}

/* ---- a new cell ---- */

enum view { VIEW_PLAIN, VIEW_INIT, VIEW_NEXT };

static term_t cell_view(const struct system *sys, uint32_t cell, enum view view) {
    const struct cell *c = &sys->cells.data[cell];
    if (view == VIEW_PLAIN)
        return c->is ? c->is : c->var;
    return view == VIEW_INIT ? c->init : c->next;
}

/* The term with each cell replaced by what it is, was at first, or will be next. */
static term_t view_of(const struct system *sys, term_t t, enum view view) {
    struct terms *ts = sys->terms;
    struct term_list order = {0};
    struct map now = {0};
    list_below(ts, t, &order);
    for (size_t i = 0; i < order.len; i++) {
        term_t at = order.data[i], args[3] = {0};
        struct term n = *term_get(ts, at);
        for (int a = 0; a < n.arity; a++)
            args[a] = *map_get(&now, n.arg[a]);
        term_t to = n.op == OP_VAR ? cell_view(sys, system_cell_of(sys, at), view)
                                   : term_rebuild(ts, at, args);
        map_put(&now, at, to);
    }
    term_t result = *map_get(&now, t);
    map_free(&now);
    vec_free(&order);
    return result;
}

bool system_can_derive(const struct system *sys, term_t is) {
    struct term_list cells = {0};
    bool can = cells_below(sys, is, &cells);
    vec_free(&cells);
    return can && !term_is(sys->terms, view_of(sys, is, VIEW_PLAIN), OP_CONST);
}

/* "lo <= hi": without the parentheses around it all, where they are a pair. */
static const char *name_of(struct system *sys, term_t is, bool is_signed) {
    struct str text = {0};
    if (!term_print(sys->terms, is, is_signed, &text)) {
        str_clear(&text);
        str_addf(&text, "derived %zu", sys->cells.len);
    }
    char *name = arena_strdup(&sys->arena, str_text(&text));
    str_free(&text);
    int depth = 0;
    size_t close = 0;
    for (; name[close]; close++) {
        depth += (name[close] == '(') - (name[close] == ')');
        if (depth == 0)
            break;
    }
    if (name[0] != '(' || name[close] == '\0' || name[close + 1] != '\0')
        return name;
    name[close] = '\0';
    return name + 1;
}

uint32_t system_derive(struct system *sys, term_t is, bool is_signed) {
    assert(system_can_derive(sys, is));
    struct terms *ts = sys->terms;
    term_t plain = view_of(sys, is, VIEW_PLAIN);
    if (term_is(ts, plain, OP_VAR))
        return system_cell_of(sys, plain);
    for (uint32_t i = 0; i < sys->cells.len; i++)
        if (sys->cells.data[i].is == plain &&
            ts->vars.data[term_bits(ts, sys->cells.data[i].var)].is_signed == is_signed)
            return i;
    struct cell cell = {.is = plain};
    assert(!term_is(ts, plain, OP_CONST));
    cell.name = name_of(sys, plain, is_signed);
    cell.init = view_of(sys, plain, VIEW_INIT);
    cell.next = view_of(sys, plain, VIEW_NEXT);
    cell.var = term_var(ts, cell.name, term_sort(ts, plain), is_signed);
    vec_push(&sys->cells, cell);
    return (uint32_t)sys->cells.len - 1;
}
