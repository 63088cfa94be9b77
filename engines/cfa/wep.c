/* Weakest existential preconditions of literals, paper, Def. 3: an edge is a guard and a parallel
 * assignment, so they are one substitution (Lemma 4: literal by literal). */
#include "engines/cfa/ic3cfa.h"

#include "model/term/simplify.h"

enum { NODES_A_TICK = 32 };

static term_t *slot(struct ic3cfa *c, uint32_t cell) {
    assert(cell < c->cfa.cells.len);
    return &c->map.data[term_bits(c->ts, c->cfa.cells.data[cell].var)];
}

term_t wep(struct ic3cfa *c, uint32_t edge, term_t literal) {
    uint64_t key = (uint64_t)edge << 32 | literal;
    const uint32_t *known = map_get(&c->wep, key);
    if (known)
        return *known;
    const struct cfa_edge *e = &c->cfa.edges.data[edge];
    assert(edge < c->cfa.edges.len && term_sort(c->ts, literal) == SORT_BOOL);
    for (size_t i = 0; i < e->assigns.len; i++)
        *slot(c, e->assigns.data[i].cell) = e->assigns.data[i].value;
    term_t result = literal;
    term_substitute(c->ts, c->map.data, c->map.len, &result, 1);
    c->walked += literal / NODES_A_TICK;
    WINDOW_ADD(c->input->window, stats.own_ticks, literal / NODES_A_TICK);
    for (size_t i = 0; i < e->assigns.len; i++)
        *slot(c, e->assigns.data[i].cell) = 0;
    map_put(&c->wep, key, result);
    return result;
}
