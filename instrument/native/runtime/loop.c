/* loop: the last steps on the way to an entry, again and again, from there or from another entry.
 *
 * A counter that has climbed to 17 by seventeen right messages in a row climbs to 1,000 by the last
 * sixteen of them, repeated: the alive counter in them comes round. And what keeps one mode going
 * often does so in the next: an entry in a mode that was entered by errors need not find the good
 * messages again. The search guesses the period; each guess costs one run.
 */
#include "search.h"

#include <assert.h>

static uint32_t draw_period(struct search *s) {
    if (random_below(s, 2))
        return (uint32_t)1 << random_below(s, 7);
    return 1 + random_below(s, LONGEST_PERIOD / 2);
}

/* Appends the changes of an entry in steps from `first` on. */
static void take_events(struct search *s, const struct entry *entry, uint32_t first) {
    for (uint32_t i = 0; i < entry->events.len; i++) {
        struct gk_event event = entry->events.data[i];
        const struct gk_input *in = &s->inputs[event.input];
        if (event.step == GK_INIT_STEP || event.step < first || in->many || in->at_init)
            continue;
        event.step -= first;
        events_push(&s->loop.events, event);
    }
}

/* The entries that lead to `source` within the period, the nearest first; each has a step at least
 * or is a root. */
static uint32_t find_way(const struct search *s, uint32_t source, uint32_t first,
                         uint32_t way[LONGEST_PERIOD + 1]) {
    uint32_t n = 0;
    for (uint32_t i = source; i != GK_NONE && n <= LONGEST_PERIOD; i = s->entries[i].parent) {
        if (s->entries[i].depth <= first)
            break;
        way[n++] = i;
    }
    return n;
}

void loop_plan(struct search *s, uint32_t source) {
    const struct entry *entry = &s->entries[source];
    uint32_t period = draw_period(s), way[LONGEST_PERIOD + 1];
    signals_rest(s, 1);
    assert(entry->inputs && s->loop.period == 0);
    if (period > entry->depth)
        return;
    for (uint32_t id = 0; id < gk_n_inputs; id++)
        if (!s->inputs[id].many && !s->inputs[id].at_init)
            signals_set(s, id, entry->inputs[id]);
    uint32_t first = entry->depth - period, n = find_way(s, source, first, way);
    s->loop = (struct loop){.events = s->loop.events, .period = period, .begun = s->now};
    s->loop.events.len = 0;
    while (n > 0)
        take_events(s, &s->entries[way[--n]], first);
}

uint32_t loop_next(const struct search *s) {
    const struct loop *loop = &s->loop;
    if (loop->period == 0 || loop->events.len == 0)
        return FOREVER;
    if (loop->at < loop->events.len)
        return loop->begun + loop->events.data[loop->at].step;
    return loop->begun + loop->period;
}

void loop_change(struct search *s) {
    struct loop *loop = &s->loop;
    while (loop_next(s) <= s->now) {
        if (loop->at == loop->events.len) {
            loop->begun += loop->period;
            loop->at = 0;
            continue;
        }
        const struct gk_event *event = &loop->events.data[loop->at++];
        assert(event->step < loop->period);
        signals_set(s, event->input, event->bits);
    }
}
