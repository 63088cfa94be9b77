/* A binary heap with the place of every member: see heap.h. */
#include "engines/solver/heap.h"

static bool before(const double *activity, svar a, svar b) {
    return activity[a] > activity[b] || (activity[a] == activity[b] && a < b);
}

static void put(struct heap *h, size_t at, svar v) {
    assert(at < h->order.len && v < h->cap);
    h->order.data[at] = v;
    h->place[v] = (uint32_t)at + 1;
}

static void sift_up(struct heap *h, const double *activity, size_t at) {
    svar v = h->order.data[at];
    while (at > 0 && before(activity, v, h->order.data[(at - 1) / 2])) {
        put(h, at, h->order.data[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    put(h, at, v);
}

static void sift_down(struct heap *h, const double *activity, size_t at) {
    svar v = h->order.data[at];
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= h->order.len)
            break;
        if (child + 1 < h->order.len &&
            before(activity, h->order.data[child + 1], h->order.data[child]))
            child++;
        if (!before(activity, h->order.data[child], v))
            break;
        put(h, at, h->order.data[child]);
        at = child;
    }
    put(h, at, v);
}

void heap_add(struct heap *h, const double *activity, svar v) {
    assert(!heap_has(h, v));
    if (v >= h->cap) {
        size_t old = h->cap;
        h->cap = v + 1 > 2 * old ? v + 1 : 2 * old;
        h->place = mem_realloc(h->place, h->cap * sizeof *h->place);
        memset(h->place + old, 0, (h->cap - old) * sizeof *h->place);
    }
    vec_push(&h->order, v);
    sift_up(h, activity, h->order.len - 1);
}

void heap_raise(struct heap *h, const double *activity, svar v) {
    assert(heap_has(h, v));
    sift_up(h, activity, h->place[v] - 1);
}

svar heap_pop(struct heap *h, const double *activity) {
    assert(h->order.len > 0);
    svar top = h->order.data[0], last = vec_pop(&h->order);
    h->place[top] = 0;
    if (h->order.len) {
        h->order.data[0] = last;
        sift_down(h, activity, 0);
    }
    return top;
}

void heap_free(struct heap *h) {
    vec_free(&h->order);
    mem_free(h->place);
    h->place = NULL;
    h->cap = 0;
}
