/* address: what clang calls at each access to memory in the build NATIVE_PATTERN.
 *
 * Code that walks through a table by a pointer may leave it; what it reads there differs from one
 * build to the next, so nothing behind such an access counts. Clang's address instrumentation puts
 * a gap behind each global object and, told to use calls, leaves the check to these functions: no
 * shadow memory, no library. An access that touches a gap ends the run.
 *
 * Invariant: `spans` is sorted by address and the spans do not overlap, once sort_spans() has run.
 */
#include "child.h"

#include <stdlib.h>
#include <string.h>

/* As clang lays it out; only the first three matter here. */
struct asan_global {
    uintptr_t begin, size, size_with_gap;
    uintptr_t name, unit, dynamic, place, indicator;
};

struct span {
    uintptr_t begin, end, gap_end;
};

struct spans {
    struct span *data;
    size_t len;
    bool sorted;
};

static struct spans spans;

void __asan_register_elf_globals(uintptr_t *flag, struct asan_global *from,
                                 struct asan_global *to) {
    (void)flag;
    size_t n = (size_t)(to - from);
    struct span *all = child_alloc((spans.len + n) * sizeof *all);
    if (spans.len)
        memcpy(all, spans.data, spans.len * sizeof *all);
    for (size_t i = 0; i < n; i++) {
        uintptr_t begin = from[i].begin;
        all[spans.len + i] =
            (struct span){begin, begin + from[i].size, begin + from[i].size_with_gap};
    }
    child_free(spans.data);
    spans = (struct spans){all, spans.len + n, false};
}

static int by_address(const void *a, const void *b) {
    const struct span *x = a, *y = b;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static void sort_spans(void) {
    if (spans.len > 1)
        qsort(spans.data, spans.len, sizeof *spans.data, by_address);
    spans.sorted = true;
}

/* The last span that begins at or before the address. */
static const struct span *find_span(uintptr_t address) {
    size_t low = 0, high = spans.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (spans.data[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &spans.data[low - 1] : NULL;
}

static void check(const volatile void *at, size_t size) {
    uintptr_t address = (uintptr_t)at;
    if (!gk_child.guarded || size == 0)
        return;
    if (!spans.sorted)
        sort_spans();
    const struct span *span = find_span(address + size - 1);
    if (span && address < span->gap_end && address + size > span->end)
        guard_leave(GK_BOUNDS, address);
}

#define ACCESS(size)                                                                               \
    void __asan_load##size(void *at) {                                                             \
        check(at, size);                                                                           \
    }                                                                                              \
    void __asan_store##size(void *at) {                                                            \
        check(at, size);                                                                           \
    }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

void __asan_loadN(void *at, size_t size) {
    check(at, size);
}
void __asan_storeN(void *at, size_t size) {
    check(at, size);
}
void *__asan_memcpy(void *to, const void *from, size_t size) {
    check(to, size);
    check(from, size);
    return memcpy(to, from, size);
}
void *__asan_memmove(void *to, const void *from, size_t size) {
    check(to, size);
    check(from, size);
    return memmove(to, from, size);
}
void *__asan_memset(void *to, int byte, size_t size) {
    check(to, size);
    return memset(to, byte, size);
}

void __asan_init(void) {
}
void __asan_version_mismatch_check_v8(void) {
}
void __asan_unregister_elf_globals(uintptr_t *flag, void *from, void *to) {
    (void)flag;
    (void)from;
    (void)to;
}
void __asan_handle_no_return(void) {
}
