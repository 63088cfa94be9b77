/* search: the parent's commands and the run. See search.h for the method. */
#include "search.h"

#include <assert.h>
#include <string.h>

enum { MOST_EVENTS = 200000, FIRST_LOOK = 4, MOST_CRASHES = 4 };
/* A step without end costs as much as others in a few tenths of a second. The first ones are waited
 * for longer: a step that takes long is rare, and one that never ends comes again. */
enum { ENDLESS_COST = 20000, STACK_COST = 5000, LEAST_PATIENCE_MS = 40, MOST_HALVINGS = 4 };
/* Looks are also when an end is obeyed: some tenths of a second apart at most. */
enum { LONGEST_LOOK = 1 << 24 };
/* A step of a climb costs a small part of another, for no value is drawn. Climbs begin when what is
 * near has been found, and are allowed so many steps for each other one: there are cells that count
 * always. Late, little else is left to do. */
enum { CLIMB_STEPS = 16, CLIMBS = 8, LEAST_CLIMB = 1 << 16 };
enum { FIRST_CLIMB = 8 << 20, CLIMB_SHARE = 8, LATE_CLIMB = 64 << 20, LATE_SHARE = 32 };
enum { SHORT_RUN = 16, BURST_STEPS = 16384, BURST_COST = 8, BUSY_HOLD = 16, BUSY_RUN = 2048 };

/* The probes hit since the last time. In which step, only a replay can tell: at the latest in the
 * one that is running, or has just ended. */
static void collect_hits(struct search *s) {
    uint32_t step = s->child->shared->step;
    if (memcmp(gk_hits, s->seen, gk_n_probes) == 0)
        return;
    for (uint32_t probe = 0; probe < gk_n_probes; probe++)
        if (gk_hits[probe] && !s->seen[probe]) {
            s->seen[probe] = 1;
            s->fresh[s->n_fresh++] = (struct gk_found){probe, GK_NONE, step, GK_RAN};
        }
    assert(s->n_fresh <= gk_n_probes);
}

static void search_refill(struct gk_child *child, unsigned id) {
    signals_read(child->search, id);
}

static void begin(struct search *s) {
    struct gk_child *child = s->child;
    child->refill = search_refill;
    child->strict = true;
    child->unspecified = GK_DEFINED;
    child->shared->runs++;
}

/* Each kind of crash is reported a few times only; and a run left because of an unspecified value,
 * which may have hit what is not watched just before. */
static void note_crash(struct search *s) {
    enum gk_end end = s->child->end;
    bool invalid = end == GK_ASSUMPTION && s->child->unspecified == GK_DEFINED;
    uint32_t most = end == GK_ENDLESS ? 1 : MOST_CRASHES; /* each is run again by every build */
    if (end == GK_RAN || invalid || s->crashes[end]++ >= most)
        return;
    s->fresh[s->n_fresh++] = (struct gk_found){GK_NONE, GK_NONE, s->child->shared->step, end};
}

/* A search that goes through the same endless loop again and again must get on. */
static void be_patient(const struct search *s) {
    uint32_t patience = s->child->shared->step_ms >> s->endless;
    guard_patience(s->child, patience > LEAST_PATIENCE_MS ? patience : LEAST_PATIENCE_MS);
}

/* Steps that take far longer than others count as many: endless ones, and calls without end, which
 * fill the stack. */
static void note_endless(struct search *s) {
    if (s->child->end == GK_STACK)
        s->shared->steps += STACK_COST;
    if (s->child->end != GK_ENDLESS)
        return;
    s->shared->steps += ENDLESS_COST;
    s->endless = least(s->endless + 1, MOST_HALVINGS);
    be_patient(s);
}

/* The inputs of step 0; those that were set for the initialisation may change or not. */
static void set_first_inputs(struct search *s) {
    for (unsigned id = 0; id < gk_n_inputs; id++) {
        if (s->inputs[id].at_init || s->inputs[id].many)
            continue;
        if (!s->inputs[id].early)
            signals_record(s, id);
        else if (random_below(s, 2))
            signals_set(s, id, value_draw(s, id));
    }
}

/* First entry of a way: parameters drawn, initialised, all inputs given a value for step 0. */
static void add_root(struct search *s) {
    struct gk_child *child = s->child;
    child_reset(child);
    s->from = GK_NONE;
    s->now = GK_INIT_STEP;
    s->events.len = s->n_fresh = 0;
    for (unsigned id = 0; id < gk_n_inputs; id++) {
        gk_channels[id].bits = value_draw(s, id);
        gk_channels[id].pending = s->inputs[id].many;
        s->signals[id] = (struct signal){.next = FOREVER, .step = GK_INIT_STEP};
        if (s->inputs[id].at_init || s->inputs[id].early)
            signals_record(s, id);
    }
    reads_begin(s);
    begin(s);
    GUARDED(child, gk_init());
    s->now = 0;
    set_first_inputs(s);
    collect_hits(s);
    note_crash(s);
    note_endless(s);
    if (child->end == GK_RAN)
        s->roots[s->n_roots++] = s->n_entries;
    uint32_t root = corpus_add(s, child->end == GK_RAN);
    corpus_report(s, root, child->end);
}

static void advance(struct search *s, uint32_t to) {
    volatile uint32_t *step = &s->child->shared->step;
    uint32_t now = s->now;
    for (gk_held = 0; now < to; now++) {
        *step = now;
        gk_step();
        gk_held = 1;
    }
    s->now = now;
}

void search_drive(struct search *s, uint32_t end) {
    uint32_t start = s->now;
    s->next_look = s->now + FIRST_LOOK;
    while (s->now < end && s->events.len < MOST_EVENTS && !s->shared->stop) {
        signals_change(s);
        advance(s, least(end, least(signals_next(s), s->next_look)));
        collect_hits(s);
        if (s->n_fresh == 0 && s->now < s->next_look && s->now < end)
            continue;
        corpus_look(s, false);
        if (s->now >= s->next_look)
            s->next_look = s->now + FIRST_LOOK + least((s->now - start) / 4, LONGEST_LOOK);
    }
}

/* The run was left in the middle of a step. Its hits count, its state does not. */
static void left(struct search *s, uint32_t begun) {
    enum gk_end end = s->child->end;
    s->now = s->child->shared->step + 1;
    assert(s->now > begun);
    collect_hits(s);
    note_crash(s);
    note_endless(s);
    if (s->n_fresh > 0)
        corpus_report(s, corpus_add(s, false), end);
}

/* Drawing values costs more than a step. A run in which inputs change all the time is not long. */
static uint32_t affordable_length(const struct search *s, uint32_t length) {
    for (unsigned id = 0; id < gk_n_inputs; id++)
        if (s->signals[id].next != FOREVER && s->signals[id].longest < BUSY_HOLD)
            return least(length, BUSY_RUN);
    return length;
}

/* Returns how long the run shall be, at most `length`. */
static uint32_t make_plan(struct search *s, enum plan plan, uint32_t length) {
    if (plan == PLAN_REPEAT)
        signals_repeat(s);
    else if (plan == PLAN_MATCH)
        signals_match(s);
    else if (plan == PLAN_LOOP)
        loop_plan(s, random_below(s, 2) ? s->from : corpus_pick_champion(s));
    else
        signals_plan(s, length);
    for (unsigned id = 0; id < gk_n_inputs; id++)
        s->tried[id] = gk_channels[id].bits;
    s->compared.n_pairs = 0;
    return affordable_length(s, length);
}

static void run(struct search *s, uint32_t entry, uint32_t length, enum plan plan) {
    struct gk_child *child = s->child;
    corpus_load(s, entry);
    uint32_t begun = s->now;
    begin(s);
    length = make_plan(s, plan, length);
    GUARDED(child, search_drive(s, begun + length));
    if (child->end != GK_RAN)
        left(s, begun);
    s->shared->steps += s->now - begun;
    s->shared->runs++;
}

/* One run of any length. */
static void run_far(struct search *s) {
    uint32_t entry = corpus_pick(s), depth = s->entries[entry].depth;
    uint32_t room = s->shared->max_depth > depth ? s->shared->max_depth - depth : 1;
    uint32_t length = random_length(s, least(s->shared->max_length, room));
    static const enum plan plans[16] = {PLAN_REPEAT, PLAN_REPEAT, PLAN_LOOP, PLAN_LOOP, PLAN_LOOP};
    run(s, entry, length, plans[random_below(s, 16)]);
}

/* Many short runs from one entry, for what needs the right values in one step after the other. */
static void run_near(struct search *s) {
    uint32_t entry = corpus_pick(s);
    uint64_t end = s->shared->steps + BURST_STEPS;
    while (s->shared->steps < end && s->entries[entry].state && s->n_fresh == 0) {
        uint32_t length = random_length(s, SHORT_RUN);
        enum plan plan = random_below(s, 2) ? PLAN_NEW : PLAN_REPEAT;
        if (s->compared.n_pairs > 0 && random_below(s, 4)) {
            plan = PLAN_MATCH;
            length = 1;
        }
        run(s, entry, length, plan);
        s->shared->steps += BURST_COST;
    }
}

static uint64_t climb_room(uint64_t steps) {
    uint64_t room = steps > FIRST_CLIMB ? CLIMB_SHARE * (steps - FIRST_CLIMB) : 0;
    return steps > LATE_CLIMB ? room + LATE_SHARE * (steps - LATE_CLIMB) : room;
}

/* What a champion counts, as far as it goes. */
static void run_on(struct search *s) {
    struct gk_child *child = s->child;
    struct climb climb;
    uint32_t entry;
    uint64_t room = climb_room(s->shared->steps);
    if (room < s->climbed + LEAST_CLIMB || !climb_pick(s, &climb, &entry))
        return;
    corpus_load(s, entry);
    uint32_t begun = s->now, most = s->shared->farthest;
    uint32_t rest = most > begun ? most - begun : 0;
    room = room - s->climbed < rest ? room - s->climbed : rest;
    begin(s);
    if (random_below(s, 2))
        loop_plan(s, entry);
    else
        signals_rest(s, FOREVER);
    GUARDED(child, climb_follow(s, &climb, begun + (uint32_t)room));
    if (child->end != GK_RAN)
        left(s, begun);
    s->climbed += s->now - begun;
    s->shared->steps += (s->now - begun) / CLIMB_STEPS;
    s->shared->runs++;
}

static bool has_choice_at_init(const struct search *s) {
    for (unsigned id = 0; id < gk_n_inputs; id++)
        if (s->inputs[id].at_init || s->inputs[id].many || s->inputs[id].early)
            return true;
    return false;
}

static void report_cells(struct search *s) {
    struct gk_cell_seen *seen = child_data(s->child, s->shared->cells_at);
    for (unsigned i = 0; i < gk_cell_count; i++) {
        const struct marks *marks = &s->marks[i];
        enum gk_type type = gk_cells[i].type;
        unsigned bits = gk_cells[i].bits;
        seen[i].seen = marks->seen;
        seen[i].min = value_of_ordinal(type, bits, marks->low.ordinal);
        seen[i].max = value_of_ordinal(type, bits, marks->high.ordinal);
    }
}

void search_run(struct gk_child *child) {
    struct search *s = child->search;
    uint64_t end = s->shared->steps + s->shared->budget;
    bool more_roots = has_choice_at_init(s);
    s->shared->n_found = 0;
    if (s->n_roots == 0)
        add_root(s);
    while (s->shared->steps < end && !s->shared->stop &&
           s->shared->n_found + gk_n_probes < s->shared->found_room) {
        if (s->n_roots == 0 || (more_roots && s->n_roots < MOST_ROOTS && random_below(s, 64) == 0))
            add_root(s);
        s->shared->steps += s->n_roots == 0; /* so that it ends when no initialisation succeeds */
        if (s->n_roots > 0 && random_below(s, CLIMBS) == 0)
            run_on(s);
        if (s->n_roots > 0 && random_below(s, 2))
            run_far(s);
        else if (s->n_roots > 0)
            run_near(s);
    }
    s->shared->n_entries = s->n_entries;
    report_cells(s);
}

void search_open(struct gk_child *child) {
    struct search *s = child_alloc(sizeof *s);
    assert(!child->search);
    child->search = s;
    s->child = child;
    s->shared = &child->shared->search;
    s->inputs = child_alloc(gk_n_inputs * sizeof *s->inputs);
    memcpy(s->inputs, child_data(child, s->shared->inputs_at), gk_n_inputs * sizeof *s->inputs);
    uint32_t n_values = 0;
    for (unsigned id = 0; id < gk_n_inputs; id++)
        n_values += s->inputs[id].n_values;
    s->values = child_alloc(n_values * sizeof *s->values);
    memcpy(s->values, child_data(child, s->shared->values_at), n_values * sizeof *s->values);
    s->marks = child_alloc(gk_cell_count * sizeof *s->marks);
    for (unsigned i = 0; i < gk_cell_count; i++)
        s->marks[i].high.entry = s->marks[i].low.entry = GK_NONE;
    s->modes = modes_new();
    s->recent = child_alloc(gk_n_inputs * sizeof *s->recent);
    s->signals = child_alloc(gk_n_inputs * sizeof *s->signals);
    reads_open(s);
    s->begin = child_alloc(gk_n_inputs * sizeof *s->begin);
    s->tried = child_alloc(gk_n_inputs * sizeof *s->tried);
    s->fresh = child_alloc((gk_n_probes + 2) * sizeof *s->fresh);
    s->seen = child_alloc(gk_n_probes);
    memset(gk_hits, 0, gk_n_probes);
    random_seed(s, s->shared->seed);
    s->shared->steps = s->shared->runs = 0;
}

/* Two changes of an input before the same step are one. */
struct merge {
    struct gk_event *out;
    uint32_t n, room;
    uint32_t *last; /* [n_inputs] place of its last event, GK_NONE */
};

static void merge_event(struct search *s, struct merge *merge, const struct gk_event *event) {
    uint32_t last = merge->last[event->input];
    if (!s->inputs[event->input].many && last != GK_NONE && merge->out[last].step == event->step) {
        merge->out[last].bits = event->bits;
        return;
    }
    if (merge->n == merge->room) {
        s->shared->failed = 1;
        return;
    }
    merge->last[event->input] = merge->n;
    merge->out[merge->n++] = *event;
}

void search_export(struct gk_child *child) {
    struct search *s = child->search;
    struct gk_search *shared = s->shared;
    uint32_t n = 0, at = shared->entry;
    assert(at < s->n_entries);
    for (uint32_t i = at; i != GK_NONE; i = s->entries[i].parent)
        n++;
    uint32_t *way = child_alloc(n * sizeof *way);
    for (uint32_t i = at, k = n; i != GK_NONE; i = s->entries[i].parent)
        way[--k] = i;
    struct merge merge = {child_data(child, shared->events_at), 0, shared->n_events, NULL};
    merge.last = child_alloc(gk_n_inputs * sizeof *merge.last);
    memset(merge.last, 0xff, gk_n_inputs * sizeof *merge.last);
    shared->failed = 0;
    for (uint32_t k = 0; k < n; k++) {
        const struct events *events = &s->entries[way[k]].events;
        for (uint32_t i = 0; i < events->len; i++)
            merge_event(s, &merge, &events->data[i]);
    }
    shared->n_events = merge.n;
    shared->n_steps = s->entries[at].depth;
    child_free(merge.last);
    child_free(way);
}

static void set_seen(struct search *s, unsigned char value) {
    const uint32_t *probes = child_data(s->child, s->shared->probes_at);
    for (uint32_t i = 0; i < s->shared->n_probes_listed; i++)
        s->seen[probes[i]] = gk_hits[probes[i]] = value;
}

/* The entries that a successor should start with, the best first: champions, then the newest. */
void search_survivors(struct gk_child *child) {
    struct search *s = child->search;
    struct gk_found *out = child_data(child, s->shared->found_at);
    unsigned char *taken = child_alloc(s->n_entries);
    uint32_t n = 0, room = s->shared->found_room;
    for (unsigned i = 0; i < gk_cell_count; i++)
        for (int low = 0; low < 2; low++) {
            uint32_t entry = low ? s->marks[i].low.entry : s->marks[i].high.entry;
            if (entry != GK_NONE && !taken[entry] && n < room) {
                out[n++] = (struct gk_found){GK_NONE, entry, s->entries[entry].depth, GK_RAN};
                taken[entry] = 1;
            }
        }
    for (uint32_t i = s->n_live; i-- > 0 && n < room;)
        if (!taken[s->live[i]])
            out[n++] = (struct gk_found){GK_NONE, s->live[i], s->entries[s->live[i]].depth, GK_RAN};
    s->shared->n_found = n;
    child_free(taken);
}

/* Takes over a way that another process has found: its end becomes an entry. */
void search_import(struct gk_child *child) {
    struct search *s = child->search;
    const struct gk_replay *job = &child->shared->replay;
    replay_run(child);
    be_patient(s);
    memcpy(gk_hits, s->seen, gk_n_probes);
    s->from = GK_NONE;
    s->now = job->steps_done;
    s->events.len = 0;
    const struct gk_event *events = child_data(child, job->events_at);
    for (uint32_t i = 0; i < job->n_events; i++)
        events_push(&s->events, events[i]);
    s->n_fresh = 0;
    if (job->end == GK_RAN && job->unspecified == GK_DEFINED)
        corpus_look(s, true);
}

/* These probes need not be reported / were reported in vain, and are wanted again. */
void search_know(struct gk_child *child) {
    set_seen(child->search, 1);
}

void search_forget(struct gk_child *child) {
    set_seen(child->search, 0);
}
