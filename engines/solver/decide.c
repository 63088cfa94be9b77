/* Decisions. Booleans (the atoms) come first, by activity (VSIDS); when they are all fixed, the
 * sources of the DAG get values or are split; everything else follows by propagation, save results
 * known only by an enclosure and ordinals of NaNs, which a last scan picks up. */
#include "engines/solver/decide.h"
#include "engines/solver/cone.h"
#include "engines/solver/heap.h"

#define ACTIVITY_LIMIT 1e100
#define ACTIVITY_DECAY 0.95

static struct heap *heap_of(struct solver *s, svar v) {
    if (s->sort.data[v] == SORT_BOOL)
        return &s->atoms;
    return s->flags.data[v] & VAR_SOURCE ? &s->numbers : NULL;
}

void decide_new_var(struct solver *s, svar v) {
    struct heap *heap = heap_of(s, v);
    if (heap && !heap_has(heap, v))
        heap_add(heap, s->activity.data, v);
}

void decide_source(struct solver *s, svar v) {
    assert(v && v <= s->n_vars);
    if (s->flags.data[v] & VAR_SOURCE)
        return;
    s->flags.data[v] |= VAR_SOURCE;
    decide_new_var(s, v);
}

void decide_again(struct solver *s, svar v) {
    struct heap *heap = heap_of(s, v);
    if (heap && !heap_has(heap, v))
        heap_add(heap, s->activity.data, v);
    if (!heap && v < s->scan_at)
        s->scan_at = v;
}

static void rescale(struct solver *s) {
    for (size_t v = 0; v < s->activity.len; v++)
        s->activity.data[v] /= ACTIVITY_LIMIT;
    s->activity_step /= ACTIVITY_LIMIT;
}

void decide_bump(struct solver *s, svar v) {
    assert(v && v <= s->n_vars);
    s->activity.data[v] += s->activity_step;
    if (s->activity.data[v] > ACTIVITY_LIMIT)
        rescale(s);
    struct heap *heap = heap_of(s, v);
    if (heap && heap_has(heap, v))
        heap_raise(heap, s->activity.data, v);
}

void decide_decay(struct solver *s) {
    s->activity_step /= ACTIVITY_DECAY;
}

static svar next_open(struct solver *s, struct heap *heap) {
    while (heap->order.len) {
        svar v = heap_pop(heap, s->activity.data);
        if (cone_has(s, v) && !var_fixed(s, v))
            return v;
        if (!cone_has(s, v))
            vec_push(&s->outside, v);
    }
    return 0;
}

void decide_all_again(struct solver *s) {
    while (s->outside.len > 0)
        decide_again(s, vec_pop(&s->outside));
    s->scan_at = 0;
}

bool decide_atoms_done(struct solver *s) {
    svar v = next_open(s, &s->atoms);
    if (v)
        heap_add(&s->atoms, s->activity.data, v);
    return v == 0;
}

static svar next_scanned(struct solver *s) {
    for (; s->scan_at <= s->n_vars; s->scan_at++)
        if (s->scan_at && cone_has(s, s->scan_at) && !var_fixed(s, s->scan_at))
            return s->scan_at;
    return 0;
}

static int64_t middle(int64_t lo, int64_t hi) {
    assert(lo < hi);
    return lo + (int64_t)(((uint64_t)hi - (uint64_t)lo) / 2);
}

/* x := value, in up to two decisions. */
static struct lit toward_value(const struct solver *s, svar v, int64_t value) {
    assert(!var_fixed(s, v));
    int64_t lo = var_lo(s, v), hi = var_hi(s, v);
    value = value < lo ? lo : value > hi ? hi : value;
    return value == lo ? lit_le(v, value) : lit_ge(v, value);
}

/* Half of the domain: around zero first, then in the middle; the half with the last value. */
static struct lit split(const struct solver *s, svar v) {
    assert(!var_fixed(s, v));
    int64_t lo = var_lo(s, v), hi = var_hi(s, v), phase = s->phase.data[v];
    int64_t at = lo < 0 && hi >= 0 ? -1 : middle(lo, hi);
    return phase <= at ? lit_le(v, at) : lit_ge(v, at + 1);
}

bool decide_next(struct solver *s, struct lit *out) {
    svar v = next_open(s, &s->atoms);
    if (v) {
        *out = s->phase.data[v] ? lit_ge(v, 1) : lit_le(v, 0);
        return true;
    }
    v = next_open(s, &s->numbers);
    if (v) {
        *out = s->stable || s->diving ? toward_value(s, v, s->phase.data[v]) : split(s, v);
        if (!heap_has(&s->numbers, v))
            heap_add(&s->numbers, s->activity.data, v);
        return true;
    }
    v = next_scanned(s);
    if (v)
        *out = toward_value(s, v, s->phase.data[v]);
    return v != 0;
}
