/* compare: what clang calls at each comparison of integers in the build NATIVE_TRACED.
 *
 * Two uses. The operands are values worth giving to an input: a checksum that was computed is what
 * the received one has to be (Aschermann et al., REDQUEEN: input-to-state correspondence; here an
 * input is moved by the difference, which also serves masked and offset values). And the distance
 * between them, for each comparison by its place in the code: a state from which it has come closer
 * than ever is worth keeping.
 */
#include "search.h"

#include <string.h>

static void remember(struct compared *c, uint64_t value) {
    if (c->values[(c->at - 1) % COMPARED_VALUES] != value)
        c->values[c->at++ % COMPARED_VALUES] = value;
}

/* Half the way at least, so that a comparison comes closer 64 times at most. */
static void note_distance(struct compared *c, uintptr_t place, uint64_t distance) {
    uint64_t *best = &c->closest[(place ^ place >> 12) % COMPARED_PLACES];
    if (*best != 0 && distance >= *best / 2)
        return;
    *best = distance;
    c->closer = true;
}

static void compared(uint64_t a, uint64_t b, uint64_t mask, bool both, const void *place) {
    struct search *s = gk_child.search;
    uint64_t distance = a > b ? a - b : b - a;
    if (!s || (a <= 1 && b <= 1) || distance == 0)
        return;
    s->compared.pairs[s->compared.n_pairs++ % COMPARED_PAIRS] = (struct pair){a, b};
    if (both) {
        remember(&s->compared, a);
        remember(&s->compared, b);
    }
    uint64_t wrapped = -distance & mask; /* -1 and 1 are close too */
    note_distance(&s->compared, (uintptr_t)place, distance < wrapped ? distance : wrapped);
}

#define HERE __builtin_return_address(0)

void __sanitizer_cov_trace_cmp1(uint8_t a, uint8_t b) {
    compared(a, b, UINT8_MAX, true, HERE);
}
void __sanitizer_cov_trace_cmp2(uint16_t a, uint16_t b) {
    compared(a, b, UINT16_MAX, true, HERE);
}
void __sanitizer_cov_trace_cmp4(uint32_t a, uint32_t b) {
    compared(a, b, UINT32_MAX, true, HERE);
}
void __sanitizer_cov_trace_cmp8(uint64_t a, uint64_t b) {
    compared(a, b, UINT64_MAX, true, HERE);
}
void __sanitizer_cov_trace_const_cmp1(uint8_t a, uint8_t b) {
    compared(a, b, UINT8_MAX, false, HERE);
}
void __sanitizer_cov_trace_const_cmp2(uint16_t a, uint16_t b) {
    compared(a, b, UINT16_MAX, false, HERE);
}
void __sanitizer_cov_trace_const_cmp4(uint32_t a, uint32_t b) {
    compared(a, b, UINT32_MAX, false, HERE);
}
void __sanitizer_cov_trace_const_cmp8(uint64_t a, uint64_t b) {
    compared(a, b, UINT64_MAX, false, HERE);
}

/* cases[0]: how many, cases[1]: bits, then the labels; they are in the program's text already. */
void __sanitizer_cov_trace_switch(uint64_t value, const uint64_t *cases) {
    (void)value;
    (void)cases;
}

/* Clang traces comparisons only beside some kind of counters; nobody reads them. */
void __sanitizer_cov_8bit_counters_init(char *start, char *end) {
    (void)start;
    (void)end;
}
