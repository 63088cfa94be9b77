/* Watch lists: see watch.h. */
#include "engines/solver/watch.h"

#include <stdlib.h>

enum { TAIL = 24 };

size_t watch_first_above(const struct watches *list, int64_t old) {
    size_t from = 0, to = list->sorted;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (list->data[middle].at > old)
            to = middle;
        else
            from = middle + 1;
    }
    return from;
}

static int watch_order(const void *a, const void *b) {
    const struct watch *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->clause < y->clause ? -1 : x->clause > y->clause;
}

static void drop_holes(struct watches *list) {
    size_t n = 0;
    for (size_t i = 0; i < list->sorted; i++)
        if (list->data[i].clause)
            list->data[n++] = list->data[i];
    memmove(list->data + n, list->data + list->sorted,
            (list->len - list->sorted) * sizeof *list->data);
    list->len -= list->sorted - n;
    list->sorted = n;
}

/* Merges from the back; the tail is moved out of the way first. */
static void merge_tail(struct watches *list) {
    assert(list->sorted < list->len);
    size_t n = list->len - list->sorted, i = list->sorted, to = list->len;
    struct watch *tail = mem_alloc(n * sizeof *tail);
    memcpy(tail, list->data + list->sorted, n * sizeof *tail);
    qsort(tail, n, sizeof *tail, watch_order);
    while (n > 0) {
        if (i > 0 && watch_order(&list->data[i - 1], &tail[n - 1]) > 0)
            list->data[--to] = list->data[--i];
        else
            list->data[--to] = tail[--n];
    }
    list->sorted = list->len;
    mem_free(tail);
}

void watch_tidy(struct watches *list) {
    assert(list->sorted <= list->len);
    if (list->len - list->sorted <= TAIL + list->sorted / 8)
        return;
    drop_holes(list);
    merge_tail(list);
}

void watch_clear(struct watches *list) {
    list->len = list->sorted = 0;
}
