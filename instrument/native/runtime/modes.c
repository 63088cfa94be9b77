/* modes: combinations of the cells that take few values: charts, flags.
 *
 * A state is new when it shows a cell with a value, or two cells near each other in the program
 * with a pair of values, for the first time; as long as there are few such cells in all, also when
 * the combination of all of them is new. (All of many would be new nearly always.)
 *
 * `last` is what was seen at the last look: what has not changed since then need not be looked up,
 * even if the search has jumped to another state meanwhile.
 */
#include "search.h"

#include <assert.h>

enum { MODE_VALUES = 8, NEAR = 4, FEW_CELLS = 20, NO_VALUE = 255 };
enum { CAPACITY = 1 << 16, MOST_KEYS = CAPACITY / 2, MOST_WHOLE = 4096 };

struct modes {
    uint64_t *keys; /* hash set, 0 is free */
    uint32_t n_keys, n_whole;
    uint32_t *cells; /* the present small ones, in order */
    uint32_t n_cells;
    uint8_t *now, *last; /* by cell; NO_VALUE for those that are not small */
};

struct modes *modes_new(void) {
    struct modes *m = child_alloc(sizeof *m);
    m->keys = child_alloc(CAPACITY * sizeof *m->keys);
    m->cells = child_alloc(gk_cell_count * sizeof *m->cells);
    m->now = child_alloc(gk_cell_count);
    m->last = child_alloc(gk_cell_count);
    for (unsigned i = 0; i < gk_cell_count; i++)
        m->last[i] = NO_VALUE;
    return m;
}

static uint64_t mixed(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* True when the key was not there; it is afterwards, if there is room. */
static bool add_key(struct modes *m, uint64_t key) {
    uint32_t at = (uint32_t)(key >> 16) % CAPACITY;
    key += key == 0;
    for (; m->keys[at]; at = (at + 1) % CAPACITY)
        if (m->keys[at] == key)
            return false;
    if (m->n_keys >= MOST_KEYS)
        return false;
    m->keys[at] = key;
    m->n_keys++;
    return true;
}

static bool is_small(const struct search *s, uint32_t cell) {
    const struct marks *marks = &s->marks[cell];
    enum gk_type type = gk_cells[cell].type;
    return type != GK_FLOAT && type != GK_POINTER && marks->seen &&
           (uint64_t)marks->high.ordinal - (uint64_t)marks->low.ordinal < MODE_VALUES;
}

static void read_cells(struct search *s, struct modes *m) {
    m->n_cells = 0;
    for (unsigned i = 0; i < gk_cell_count; i++) {
        m->now[i] = NO_VALUE;
        if (!is_small(s, i))
            continue;
        int64_t ordinal = value_ordinal(gk_cells[i].type, gk_cells[i].bits, child_cell(i));
        m->now[i] = (uint8_t)(ordinal - s->marks[i].low.ordinal);
        m->cells[m->n_cells++] = i;
        assert(m->now[i] < MODE_VALUES);
    }
}

/* The value itself, not its distance from the lowest: that may move. */
static uint64_t cell_key(const struct search *s, const struct modes *m, uint32_t cell) {
    uint64_t ordinal = (uint64_t)s->marks[cell].low.ordinal + m->now[cell];
    return mixed(mixed(0x2545f4914f6cdd1du, cell), ordinal);
}

/* The cell by itself, and with each of those that stand shortly before it. */
static bool look_near(const struct search *s, struct modes *m, uint32_t place) {
    uint32_t cell = m->cells[place];
    bool changed = m->now[cell] != m->last[cell];
    bool found = changed && add_key(m, cell_key(s, m, cell));
    for (uint32_t k = 1; k <= NEAR && k <= place; k++) {
        uint32_t other = m->cells[place - k];
        if (changed || m->now[other] != m->last[other])
            found |= add_key(m, mixed(cell_key(s, m, cell), cell_key(s, m, other)));
    }
    return found;
}

static bool look_whole(const struct search *s, struct modes *m) {
    uint64_t key = 1;
    if (m->n_cells > FEW_CELLS || m->n_whole >= MOST_WHOLE)
        return false;
    for (uint32_t i = 0; i < m->n_cells; i++)
        key = mixed(key, cell_key(s, m, m->cells[i]));
    bool found = add_key(m, key);
    m->n_whole += found;
    return found;
}

bool modes_look(struct search *s) {
    struct modes *m = s->modes;
    read_cells(s, m);
    bool found = look_whole(s, m);
    for (uint32_t place = 0; place < m->n_cells; place++)
        found |= look_near(s, m, place);
    for (unsigned i = 0; i < gk_cell_count; i++)
        m->last[i] = m->now[i];
    return found;
}
