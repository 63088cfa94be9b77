/* signals: how the inputs move during a run.
 *
 * Most inputs rest during most runs: counters that need an undisturbed signal for thousands of
 * steps are met by that, never by independent values. Hold lengths are log-uniform.
 */
#include "search.h"

#include <assert.h>

enum { LONGEST_RAMP = 1024 };

void events_push(struct events *events, struct gk_event event) {
    if (events->len == events->cap) {
        uint32_t cap = events->cap ? 2 * events->cap : 64;
        struct gk_event *data = child_alloc(cap * sizeof *data);
        for (uint32_t i = 0; i < events->len; i++)
            data[i] = events->data[i];
        child_free(events->data);
        events->data = data;
        events->cap = cap;
    }
    events->data[events->len++] = event;
}

void signals_record(struct search *s, uint32_t id) {
    struct gk_event event = {s->now, id, gk_channels[id].bits};
    events_push(&s->events, event);
}

void signals_set(struct search *s, uint32_t id, uint64_t value) {
    assert(!s->inputs[id].many);
    if (gk_channels[id].bits == value)
        return;
    gk_channels[id].bits = value;
    signals_record(s, id);
}

static uint32_t later(const struct search *s, uint32_t steps) {
    return s->now + steps > s->now ? s->now + steps : FOREVER;
}

static void plan_ramp(struct search *s, uint32_t id, uint32_t longest) {
    const struct gk_input *in = &s->inputs[id];
    struct signal *signal = &s->signals[id];
    uint32_t steps = random_length(s, longest < LONGEST_RAMP ? longest : LONGEST_RAMP);
    double from = value_number(in->type, in->bits, gk_channels[id].bits);
    signal->target = value_number(in->type, in->bits, value_draw(s, id));
    signal->slope = (signal->target - from) / steps;
    signal->next = later(s, 1);
}

static void step_ramp(struct search *s, uint32_t id) {
    const struct gk_input *in = &s->inputs[id];
    struct signal *signal = &s->signals[id];
    double present = value_number(in->type, in->bits, gk_channels[id].bits);
    double moved = present + signal->slope;
    bool there = signal->slope >= 0 ? moved >= signal->target : moved <= signal->target;
    bool stuck = in->type != GK_FLOAT && (int64_t)moved == (int64_t)present;
    signals_set(s, id, value_of_number(in, there || stuck ? signal->target : moved));
    signal->next = there || stuck ? later(s, random_length(s, signal->longest)) : later(s, 1);
    if (there || stuck)
        signal->shape = SHAPE_STEPS;
}

static void step_pulse(struct search *s, uint32_t id) {
    struct signal *signal = &s->signals[id];
    uint64_t other = signal->rest;
    uint32_t length = signal->on;
    signal->rest = gk_channels[id].bits;
    signal->on = signal->off;
    signal->off = length;
    signals_set(s, id, other);
    signal->next = later(s, length);
}

static void plan_one(struct search *s, uint32_t id, uint32_t length) {
    struct signal *signal = &s->signals[id];
    assert(id < gk_n_inputs);
    signal->longest = random_length(s, length);
    signal->shape = SHAPE_STEPS;
    signal->next = s->now;
    switch (random_below(s, 8)) {
    case 0:
        if (s->inputs[id].max - s->inputs[id].min > 8) {
            signal->shape = SHAPE_RAMP;
            plan_ramp(s, id, length);
        }
        break;
    case 1:
    case 2:
        signal->shape = SHAPE_PULSE;
        signal->on = random_length(s, signal->longest);
        signal->off = random_length(s, signal->longest);
        signal->rest = value_draw(s, id);
        break;
    case 3:
    case 4: /* once, then at rest */
        signals_set(s, id, value_draw(s, id));
        signal->next = FOREVER;
        break;
    default:
        break;
    }
}

/* How many of the n inputs move in this run. */
static uint32_t activity(struct search *s, uint32_t n) {
    switch (random_below(s, 8)) {
    case 0:
        return 0;
    case 1:
    case 2:
        return 1;
    case 3:
        return 2;
    case 4:
        return 1 + random_below(s, n);
    case 5:
        return 3;
    default:
        return n;
    }
}

void signals_rest(struct search *s, uint32_t length) {
    for (uint32_t id = 0; id < gk_n_inputs; id++) {
        s->signals[id].next = FOREVER;
        s->signals[id].same = s->signals[id].nth = 0;
        s->signals[id].step = s->now;
        s->signals[id].longest = length;
    }
    s->loop.period = 0;
    reads_plan(s);
}

/* The present value changed by as much as before; integers start again at the other end. */
static uint64_t repeated(struct search *s, const struct habit *habit) {
    const struct gk_input *in = &s->inputs[habit->input];
    double number = value_number(in->type, in->bits, gk_channels[habit->input].bits);
    double min = value_number(in->type, in->bits, in->min);
    double max = value_number(in->type, in->bits, in->max);
    number += habit->delta;
    if (in->type != GK_FLOAT && number > max)
        number -= max - min + 1;
    if (in->type != GK_FLOAT && number < min)
        number += max - min + 1;
    return value_of_number(in, number);
}

void signals_repeat(struct search *s) {
    const struct entry *entry = &s->entries[s->from];
    signals_rest(s, 1);
    for (uint32_t i = 0; i < entry->n_habits; i++) {
        uint32_t id = entry->habits[i].input;
        uint32_t dice = random_below(s, 8);
        if (dice > 0)
            signals_set(s, id, dice > 3 ? value_draw(s, id) : repeated(s, &entry->habits[i]));
    }
}

/* Preferably an input that has just the value of one side. */
static uint32_t input_like(struct search *s, uint64_t value) {
    uint32_t from = random_below(s, gk_n_inputs);
    for (uint32_t i = 0; i < gk_n_inputs; i++) {
        uint32_t id = (from + i) % gk_n_inputs;
        if (gk_channels[id].bits == value && !s->inputs[id].many && !s->inputs[id].at_init)
            return id;
    }
    return from;
}

static uint64_t moved(const struct gk_input *in, uint64_t value, uint64_t by) {
    uint64_t mask = in->bits == 64 ? UINT64_MAX : ((uint64_t)1 << in->bits) - 1;
    if (in->type == GK_FLOAT)
        return value_of_number(in, value_number(GK_FLOAT, in->bits, value) + (double)(int64_t)by);
    return value_into(in, (value + by) & mask);
}

void signals_match(struct search *s) {
    signals_rest(s, 1);
    if (gk_n_inputs == 0)
        return;
    for (uint32_t id = 0; id < gk_n_inputs; id++)
        if (!s->inputs[id].many && !s->inputs[id].at_init)
            signals_set(s, id, s->tried[id]);
    uint32_t n = least(s->compared.n_pairs, COMPARED_PAIRS);
    struct pair pair =
        s->compared.pairs[(s->compared.n_pairs - 1 - random_below(s, n)) % COMPARED_PAIRS];
    if (random_below(s, 2))
        pair = (struct pair){pair.b, pair.a};
    uint32_t id = random_below(s, 4) ? input_like(s, pair.a) : random_below(s, gk_n_inputs);
    if (!s->inputs[id].many && !s->inputs[id].at_init)
        signals_set(s, id, moved(&s->inputs[id], gk_channels[id].bits, pair.b - pair.a));
}

void signals_plan(struct search *s, uint32_t length) {
    uint32_t n = gk_n_inputs;
    signals_rest(s, length);
    if (n == 0)
        return;
    uint32_t moving = least(activity(s, n), n);
    for (uint32_t i = 0; i < moving; i++) {
        uint32_t id = moving >= n ? i : random_below(s, n);
        if (!s->inputs[id].at_init && !s->inputs[id].many)
            plan_one(s, id, length);
    }
}

uint32_t signals_next(const struct search *s) {
    uint32_t next = FOREVER;
    for (uint32_t id = 0; id < gk_n_inputs; id++)
        if (s->signals[id].next < next)
            next = s->signals[id].next;
    return least(next, loop_next(s));
}

void signals_change(struct search *s) {
    loop_change(s);
    for (uint32_t id = 0; id < gk_n_inputs; id++) {
        struct signal *signal = &s->signals[id];
        if (signal->next > s->now)
            continue;
        if (signal->shape == SHAPE_RAMP) {
            step_ramp(s, id);
        } else if (signal->shape == SHAPE_PULSE) {
            step_pulse(s, id);
        } else {
            signals_set(s, id, value_draw(s, id));
            signal->next = later(s, random_length(s, signal->longest));
        }
        assert(signal->next > s->now);
    }
}

/* A value may change at each read. A change in the middle of a step needs the reads before it as
 * events too, or the replay would give it to the first of them. */
void signals_read(struct search *s, uint32_t id) {
    struct signal *signal = &s->signals[id];
    struct gk_channel *channel = &gk_channels[id];
    s->now = s->child->shared->step;
    if (signal->step != s->now) {
        signal->step = s->now;
        signal->same = signal->nth = 0;
    }
    uint64_t value = reads_next(s, id);
    if (value == channel->bits) {
        signal->same++;
        return;
    }
    for (; signal->same > 0; signal->same--)
        signals_record(s, id);
    channel->bits = value;
    signals_record(s, id);
}
