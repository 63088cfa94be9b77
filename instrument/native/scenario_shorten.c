/* scenario_shorten: greedy simplification, each trial is a run from reset.
 *
 * Steps first, because what follows gets cheaper with every step less: from the beginning, then
 * groups of inputs, whole inputs, at the rests between changes, then any blocks of halving size
 * (ddmin); then changes of inputs, the same way; then values. Within the block of steps that is
 * taken out, the inputs end with the values they would have had.
 */
#include "instrument/native/scenario.h"

#include "base/mem.h"
#include "instrument/syntax/sort.h"
#include "model/term/ordinal.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 32, ENDLESS_COST = 50000 /* steps */ };

struct shortening {
    struct native *native;
    const struct module *module;
    struct scenario *best;
    struct scenario trial;
    uint32_t probe;
    uint64_t left; /* steps that may still be executed */
    struct native_result result;
    struct err *err;
    bool failed; /* a run could not be carried out */
};

static bool affordable(const struct shortening *s) {
    return !s->failed && s->left > 0;
}

/* The step in which the trial hits the probe, NATIVE_NEVER if it does not. */
static uint32_t attempt(struct shortening *s) {
    struct native_run run = {.events = &s->trial.events, .n_steps = s->trial.n_steps};
    run.stop_at_hit = true;
    run.stop_probe = s->probe;
    if (!native_replay(s->native, &run, &s->result, s->err)) {
        s->failed = true;
        return NATIVE_NEVER;
    }
    /* a run is not free either, nor is what it takes to make and to read it */
    uint64_t cost = s->result.steps_done + 100u + s->trial.events.len / 8;
    cost += s->result.end == NATIVE_ENDLESS ? ENDLESS_COST : 0;
    s->left -= cost < s->left ? cost : s->left;
    const struct native_hit *hit = &s->result.first_hit.data[s->probe];
    return hit->tainted ? NATIVE_NEVER : hit->step;
}

/* Ends the scenario with the step that hits. */
static void cut(struct scenario *scenario, uint32_t step) {
    scenario->n_steps = step == NATIVE_INIT ? 0 : step + 1;
    size_t n = scenario->events.len;
    while (n > 0 && scenario->events.data[n - 1].step != NATIVE_INIT &&
           scenario->events.data[n - 1].step >= scenario->n_steps)
        n--;
    vec_truncate(&scenario->events, n);
}

/* Keeps the trial if it still hits. */
static bool accept(struct shortening *s) {
    uint32_t step = attempt(s);
    if (step == NATIVE_NEVER)
        return false;
    cut(&s->trial, step);
    struct scenario old = *s->best;
    *s->best = s->trial;
    s->trial = old;
    return true;
}

static bool read_many_times(const struct shortening *s, uint32_t input) {
    enum var_role role = s->module->inputs.data[input].role;
    return role == VAR_VOLATILE || role == VAR_STUB;
}

/* Adds an event; a second one of the same input before the same step replaces the first. */
static void add_event(struct shortening *s, struct input_event event) {
    struct input_events *events = &s->trial.events;
    if (!read_many_times(s, event.input))
        for (size_t i = events->len; i-- > 0 && events->data[i].step == event.step;)
            if (events->data[i].input == event.input) {
                events->data[i].bits = event.bits;
                return;
            }
    vec_push(events, event);
}

/* The best scenario without the steps from .. to-1. */
static void leave_steps_out(struct shortening *s, uint32_t from, uint32_t to) {
    vec_clear(&s->trial.events);
    s->trial.n_steps = s->best->n_steps - (to - from);
    for (size_t i = 0; i < s->best->events.len; i++) {
        struct input_event event = s->best->events.data[i];
        bool inside = event.step != NATIVE_INIT && event.step >= from && event.step < to;
        if (inside && read_many_times(s, event.input))
            continue;
        if (inside)
            event.step = from;
        else if (event.step != NATIVE_INIT && event.step >= to)
            event.step -= to - from;
        add_event(s, event);
    }
}

/* Takes out as much as possible of the steps that start at `from` and are at most `most`, by blocks
 * of halving size. */
static void shorten_stretch(struct shortening *s, uint32_t from, uint32_t most) {
    uint32_t size = most;
    while (size > 0 && affordable(s) && s->best->n_steps > 0) {
        uint32_t last = s->best->n_steps - 1; /* the step that hits stays */
        if (from >= last)
            return;
        if (size > most || size > last - from) {
            size = most < last - from ? most : last - from;
            continue;
        }
        leave_steps_out(s, from, from + size);
        if (accept(s))
            most -= size;
        else
            size /= 2;
    }
}

/* The inputs rest between events: a long rest is often longer than needed. From the end, so that
 * the places of what is still to come do not move. */
static void shorten_rests(struct shortening *s) {
    uint32_t end = s->best->n_steps;
    for (size_t i = s->best->events.len; i-- > 0 && affordable(s);) {
        if (i >= s->best->events.len || s->best->events.data[i].step == NATIVE_INIT)
            continue;
        uint32_t from = s->best->events.data[i].step;
        if (end > from + 1)
            shorten_stretch(s, from + 1, end - from - 1);
        end = from;
    }
}

/* Backwards: the last steps have the best chance to be needed only by themselves. */
static void shorten_steps(struct shortening *s) {
    for (uint32_t size = s->best->n_steps / 2; size > 0 && affordable(s); size /= 2) {
        uint32_t to = s->best->n_steps > 0 ? s->best->n_steps - 1 : 0;
        while (to >= size && affordable(s)) {
            leave_steps_out(s, to - size, to);
            bool shorter = accept(s);
            uint32_t end = s->best->n_steps > 0 ? s->best->n_steps - 1 : 0;
            to = shorter && end < to - size ? end : to - size;
        }
    }
}

static bool is_first_value(const struct input_event *event) {
    return event->step == NATIVE_INIT || event->step == 0;
}

/* The best scenario without the events from .. to-1, except those that start an input. */
static bool leave_events_out(struct shortening *s, size_t from, size_t to) {
    bool any = false;
    vec_clear(&s->trial.events);
    s->trial.n_steps = s->best->n_steps;
    for (size_t i = 0; i < s->best->events.len; i++) {
        const struct input_event *event = &s->best->events.data[i];
        bool out = i >= from && i < to && !is_first_value(event);
        if (!out)
            vec_push(&s->trial.events, *event);
        any |= out;
    }
    return any;
}

/* Some inputs, by number, and steps: `to` and `last` are not among them. */
struct stretch {
    uint32_t first, last, from, to;
};

/* The best scenario in which these inputs rest in these steps. */
static bool hold_inputs(struct shortening *s, const struct stretch *rest) {
    bool any = false;
    vec_clear(&s->trial.events);
    s->trial.n_steps = s->best->n_steps;
    for (size_t i = 0; i < s->best->events.len; i++) {
        const struct input_event *event = &s->best->events.data[i];
        bool out = event->input >= rest->first && event->input < rest->last &&
                   !is_first_value(event) && event->step >= rest->from && event->step < rest->to;
        if (!out)
            vec_push(&s->trial.events, *event);
        any |= out;
    }
    return any;
}

/* Most inputs of a large module have nothing to do with the probe: all are held for the whole run,
 * then those that cannot be in halves, down to pairs. */
static void hold_groups(struct shortening *s) {
    uint32_t n = (uint32_t)s->module->inputs.len;
    for (uint32_t size = n; size > 1 && affordable(s);
         size = (size + 1) / 2 < size ? (size + 1) / 2 : 1)
        for (uint32_t first = 0; first < n && affordable(s); first += size) {
            struct stretch rest = {first, size < n - first ? first + size : n, 0, s->best->n_steps};
            if (hold_inputs(s, &rest))
                accept(s);
        }
}

/* moves[i]: input i has more values than its first. */
static void find_moving(const struct shortening *s, bool *moves) {
    memset(moves, 0, s->module->inputs.len);
    for (size_t i = 0; i < s->best->events.len; i++)
        if (!is_first_value(&s->best->events.data[i]))
            moves[s->best->events.data[i].input] = true;
}

static void hold_parts(struct shortening *s, uint32_t input, uint32_t parts) {
    for (uint32_t part = 0; part < parts && affordable(s); part++) {
        uint64_t steps = s->best->n_steps;
        struct stretch rest = {input, input + 1, (uint32_t)(steps * part / parts),
                               (uint32_t)(steps * (part + 1) / parts)};
        if (hold_inputs(s, &rest))
            accept(s);
    }
}

/* All of it, then halves, quarters and so on: ramps and noise go by that at once. */
static void shorten_inputs(struct shortening *s) {
    bool *moves = mem_zalloc(s->module->inputs.len + 1, sizeof *moves);
    for (uint32_t parts = 1; parts <= MOST_PARTS; parts *= 2) {
        find_moving(s, moves);
        for (uint32_t input = 0; input < s->module->inputs.len; input++)
            if (moves[input])
                hold_parts(s, input, parts);
    }
    mem_free(moves);
}

static void shorten_events(struct shortening *s) {
    for (size_t size = s->best->events.len; size > 0 && affordable(s); size /= 2) {
        size_t to = s->best->events.len;
        while (to > 0 && affordable(s)) {
            size_t from = to > size ? to - size : 0;
            if (leave_events_out(s, from, to))
                accept(s);
            to = from < s->best->events.len ? from : s->best->events.len;
        }
    }
}

static bool in_range(const struct module_var *var, uint64_t bits) {
    sort_t sort = var_sort(var);
    bool is_signed = var->type == TYPE_SIGNED;
    if (!var->has_range)
        return !bits_are_nan(sort, bits);
    int64_t at = ordinal_of(sort, is_signed, bits);
    return at >= ordinal_of(sort, is_signed, var->min) &&
           at <= ordinal_of(sort, is_signed, var->max);
}

/* `bits` with so many significant decimal digits. */
static uint64_t rounded(const struct module_var *var, uint64_t bits, int digits) {
    char text[64];
    if (var->type == TYPE_FLOAT) {
        double value = var->bits == 32 ? (double)bits_f32(bits) : bits_f64(bits);
        snprintf(text, sizeof text, "%.*g", digits, value);
        return var->bits == 32 ? f32_bits(strtof(text, NULL)) : f64_bits(strtod(text, NULL));
    }
    bool negative = var->type == TYPE_SIGNED && (bits >> (var->bits - 1) & 1);
    uint64_t mask = var->bits == 64 ? UINT64_MAX : ((uint64_t)1 << var->bits) - 1;
    uint64_t size = negative ? -bits & mask : bits, power = 1;
    for (uint64_t rest = size; rest >= 10; rest /= 10)
        power *= 10;
    for (int i = 1; i < digits && power > 1; i++)
        power /= 10;
    size = size / power * power;
    return (negative ? -size : size) & mask;
}

static bool try_value(struct shortening *s, size_t at, uint64_t bits) {
    const struct module_var *var = &s->module->inputs.data[s->best->events.data[at].input];
    if (bits == s->best->events.data[at].bits)
        return true; /* as round as that already */
    if (!in_range(var, bits) || !affordable(s))
        return false;
    scenario_copy(&s->trial, s->best);
    s->trial.events.data[at].bits = bits;
    return accept(s);
}

static void round_value(struct shortening *s, size_t at) {
    const struct input_event event = s->best->events.data[at];
    const struct module_var *var = &s->module->inputs.data[event.input];
    bool done = try_value(s, at, 0);
    for (int digits = 1; !done && digits <= 4; digits++)
        done = at >= s->best->events.len || try_value(s, at, rounded(var, event.bits, digits));
}

/* Accepting may cut the scenario, so the number of events is read anew each time. */
static void round_values(struct shortening *s) {
    for (size_t at = 0; at < s->best->events.len && affordable(s); at++)
        round_value(s, at);
}

bool scenario_shorten(struct native *zero, struct scenario *scenario, uint32_t probe,
                      uint64_t *steps, struct err *err) {
    struct shortening s = {.native = zero, .best = scenario, .probe = probe, .err = err};
    s.module = native_module(zero);
    s.left = *steps + scenario->n_steps; /* the first attempt is in any case */
    vec_clear(&scenario->hits);
    scenario_copy(&s.trial, scenario);
    if (accept(&s)) {
        shorten_stretch(&s, 0, scenario->n_steps);
        hold_groups(&s);
        shorten_inputs(&s);
        shorten_rests(&s);
        shorten_steps(&s);
        shorten_events(&s);
        round_values(&s);
    }
    *steps = s.left < *steps ? s.left : *steps;
    scenario_free(&s.trial);
    native_result_free(&s.result);
    return !s.failed;
}
