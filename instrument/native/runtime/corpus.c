/* corpus: the entries, what makes one worth keeping, and which one the next run starts from.
 *
 * Worth keeping: a probe not seen before; a *mark*, a cell further up or down than ever (counters
 * and integrators are climbed by that); a *mode* (modes.c). A champion that is beaten gives its
 * snapshot up, so marks cost a constant.
 */
#include "search.h"

#include <assert.h>
#include <string.h>

enum { MOST_BYTES = 256 << 20, RECENT = 24 };

static void live_add(struct search *s, uint32_t index) {
    if (s->n_live == s->cap_live) {
        uint32_t cap = s->cap_live ? 2 * s->cap_live : 256;
        uint32_t *live = child_alloc(cap * sizeof *live);
        memcpy(live, s->live, s->n_live * sizeof *live);
        child_free(s->live);
        s->live = live;
        s->cap_live = cap;
    }
    s->entries[index].live_at = s->n_live;
    s->live[s->n_live++] = index;
}

/* Keeps the order: recent entries are those at the end. */
static void live_remove(struct search *s, uint32_t index) {
    uint32_t at = s->entries[index].live_at;
    assert(s->live[at] == index);
    s->n_live--;
    for (; at < s->n_live; at++) {
        s->live[at] = s->live[at + 1];
        s->entries[s->live[at]].live_at = at;
    }
}

static void release(struct search *s, uint32_t index) {
    struct entry *entry = &s->entries[index];
    assert(entry->reasons > 0);
    if (--entry->reasons > 0 || !entry->state)
        return;
    child_free(entry->state);
    child_free(entry->inputs);
    child_free(entry->rows);
    entry->state = NULL;
    entry->inputs = NULL;
    entry->rows = NULL;
    live_remove(s, index);
}

static struct entry *new_entry(struct search *s) {
    if (s->n_entries == s->cap_entries) {
        uint32_t cap = s->cap_entries ? 2 * s->cap_entries : 256;
        struct entry *entries = child_alloc(cap * sizeof *entries);
        memcpy(entries, s->entries, s->n_entries * sizeof *entries);
        child_free(s->entries);
        s->entries = entries;
        s->cap_entries = cap;
    }
    return &s->entries[s->n_entries++];
}

static void take_snapshot(struct search *s, struct entry *entry) {
    entry->state = child_alloc(s->child->state_size);
    child_save(entry->state);
    entry->inputs = child_alloc(gk_n_inputs * sizeof *entry->inputs);
    for (unsigned id = 0; id < gk_n_inputs; id++)
        entry->inputs[id] = gk_channels[id].bits;
    if (s->n_many == 0)
        return;
    entry->rows = child_alloc(gk_n_inputs * sizeof *entry->rows);
    memcpy(entry->rows, s->rows, gk_n_inputs * sizeof *entry->rows);
}

static void find_habits(const struct search *s, struct entry *entry) {
    for (uint32_t i = entry->events.len; i-- > 0 && entry->n_habits < MOST_HABITS;) {
        uint32_t id = entry->events.data[i].input;
        const struct gk_input *in = &s->inputs[id];
        bool again = in->at_init || in->many;
        for (uint32_t k = 0; k < entry->n_habits; k++)
            again |= entry->habits[k].input == id;
        if (again)
            continue;
        double delta = value_number(in->type, in->bits, gk_channels[id].bits) -
                       value_number(in->type, in->bits, s->begin[id]);
        entry->habits[entry->n_habits++] = (struct habit){id, delta};
    }
}

static void note_beginning(struct search *s) {
    for (unsigned id = 0; id < gk_n_inputs; id++)
        s->begin[id] = gk_channels[id].bits;
}

uint32_t corpus_add(struct search *s, bool with_state) {
    struct entry *entry = new_entry(s);
    uint32_t index = (uint32_t)(entry - s->entries);
    entry->parent = s->from;
    entry->depth = s->now;
    entry->reasons = 1;
    for (uint32_t i = 0; i < s->events.len; i++)
        events_push(&entry->events, s->events.data[i]);
    find_habits(s, entry);
    note_beginning(s);
    if (with_state) {
        take_snapshot(s, entry);
        live_add(s, index);
    }
    s->from = index;
    s->events.len = 0;
    return index;
}

void corpus_load(struct search *s, uint32_t index) {
    const struct entry *entry = &s->entries[index];
    assert(entry->state);
    child_restore(entry->state);
    for (unsigned id = 0; id < gk_n_inputs; id++)
        gk_channels[id] = (struct gk_channel){entry->inputs[id], s->inputs[id].many, 0};
    if (entry->rows)
        memcpy(s->rows, entry->rows, gk_n_inputs * sizeof *entry->rows);
    note_beginning(s);
    s->from = index;
    s->now = entry->depth;
    s->events.len = 0;
    s->n_fresh = 0;
}

uint32_t corpus_pick_champion(struct search *s) {
    for (int attempt = 0; gk_cell_count > 0 && attempt < 8; attempt++) {
        const struct marks *marks = &s->marks[random_below(s, gk_cell_count)];
        uint32_t entry = random_below(s, 4) ? marks->high.entry : marks->low.entry;
        if (entry != GK_NONE && s->entries[entry].state)
            return entry;
    }
    return s->live[random_below(s, s->n_live)];
}

static uint32_t pick_unused(struct search *s, uint32_t recent) {
    uint32_t from = recent && s->n_live > recent ? s->n_live - recent : 0, best = GK_NONE;
    for (int attempt = 0; attempt < 4; attempt++) {
        uint32_t index = s->live[from + random_below(s, s->n_live - from)];
        if (best == GK_NONE || s->entries[index].picks < s->entries[best].picks)
            best = index;
    }
    return best;
}

uint32_t corpus_pick(struct search *s) {
    uint32_t dice = random_below(s, 16), index;
    assert(s->n_live > 0);
    if (dice < 6)
        index = corpus_pick_champion(s);
    else if (dice < 11)
        index = pick_unused(s, 0);
    else if (dice < 15)
        index = pick_unused(s, RECENT);
    else
        index = s->roots[random_below(s, s->n_roots)];
    s->entries[index].picks++;
    return index;
}

void corpus_report(struct search *s, uint32_t entry, enum gk_end end) {
    struct gk_search *shared = s->shared;
    struct gk_found *found = child_data(s->child, shared->found_at);
    for (uint32_t i = 0; i < s->n_fresh && shared->n_found < shared->found_room; i++) {
        found[shared->n_found] = s->fresh[i];
        found[shared->n_found].entry = entry;
        found[shared->n_found++].end = end;
    }
    s->n_fresh = 0;
}

/* Is `number` far enough beyond the mark to be worth a new champion? One for integers, and a
 * small part of the range seen so far, so that a wide cell has at most some hundred champions. */
static bool beats(const struct marks *marks, const struct mark *mark, double number, double sign) {
    double least = (marks->high.number - marks->low.number) / 256;
    if (mark->entry == GK_NONE)
        return true;
    return sign * (number - mark->number) > least;
}

static void crown(struct search *s, struct mark *mark, double number, uint32_t entry) {
    if (mark->entry != GK_NONE)
        release(s, mark->entry);
    mark->entry = entry;
    mark->number = number;
}

/* Entry for the present state, made when first needed; each need is a reason to keep it. */
static uint32_t present_entry(struct search *s, uint32_t *present) {
    if (*present == GK_NONE)
        *present = corpus_add(s, true);
    else
        s->entries[*present].reasons++;
    return *present;
}

static void look_at_cell(struct search *s, unsigned index, uint32_t *present) {
    const struct gk_cell *cell = &gk_cells[index];
    struct marks *marks = &s->marks[index];
    if (cell->type == GK_POINTER)
        return;
    uint64_t bits = child_cell(index);
    int64_t ordinal = value_ordinal(cell->type, cell->bits, bits);
    if (marks->seen && ordinal <= marks->high.ordinal && ordinal >= marks->low.ordinal)
        return;
    double number = value_number(cell->type, cell->bits, bits);
    if (number != number)
        return;
    if (!marks->seen || ordinal > marks->high.ordinal) {
        marks->high.ordinal = ordinal;
        if (beats(marks, &marks->high, number, 1))
            crown(s, &marks->high, number, present_entry(s, present));
    }
    if (!marks->seen || ordinal < marks->low.ordinal) {
        marks->low.ordinal = ordinal;
        if (beats(marks, &marks->low, number, -1))
            crown(s, &marks->low, number, present_entry(s, present));
    }
    marks->seen = true;
}

void corpus_look(struct search *s, bool always) {
    uint32_t present = GK_NONE;
    if (always || s->compared.closer)
        present_entry(s, &present);
    s->compared.closer = false;
    if (s->n_fresh > 0)
        corpus_report(s, present_entry(s, &present), GK_RAN);
    for (unsigned i = 0; i < gk_cell_count; i++)
        look_at_cell(s, i, &present);
    if (modes_look(s) && (uint64_t)s->n_live * s->child->state_size < MOST_BYTES)
        present_entry(s, &present);
}
