/* Thresholds of a program: see thresholds.h. */
#include "engines/thresholds.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static void add_near(struct ordinals *out, int64_t value, int64_t min, int64_t max) {
    assert(min <= value && value <= max);
    for (int64_t d = -1; d <= 1; d++)
        if ((d >= 0 || value > min) && (d <= 0 || value < max))
            vec_push(out, value + d);
}

static void add_number(struct ordinals *out, sort_t sort, bool is_signed, double value) {
    if (sort == SORT_F32)
        vec_push(out, ordinal_of(sort, is_signed, f32_bits((float)value)));
    else if (sort == SORT_F64)
        vec_push(out, ordinal_of(sort, is_signed, f64_bits(value)));
}

/* Floats: a little and a lot more than the constant, for what rounding and gains add. */
static void add_around_float(struct ordinals *out, sort_t sort, double c) {
    static const double factors[] = {1 + 0x1p-20, 1 + 0x1p-10, 1.125, 2, 4, 16, 256};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        add_number(out, sort, true, c * factors[i]);
        add_number(out, sort, true, -c * factors[i]);
    }
    add_number(out, sort, true, -c);
}

static void add_constant(struct ordinals *out, const struct terms *ts, term_t t, sort_t sort,
                         bool is_signed) {
    const struct term *term = term_get(ts, t);
    if (term->op != OP_CONST || term->sort != sort || bits_are_nan(sort, term->payload))
        return;
    int64_t value = ordinal_of(sort, is_signed, term->payload);
    add_near(out, value, ordinal_min(sort, is_signed), ordinal_max(sort, is_signed));
    if (sort_is_float(sort))
        add_around_float(out, sort,
                         sort == SORT_F32 ? (double)bits_f32(term->payload)
                                          : bits_f64(term->payload));
}

static void add_powers(struct ordinals *out, sort_t sort, bool is_signed) {
    int64_t max = ordinal_max(sort, is_signed), min = ordinal_min(sort, is_signed);
    if (sort_is_float(sort)) {
        for (int e = -20; e <= 120; e += 4) {
            add_number(out, sort, is_signed, ldexp(1.0, e));
            add_number(out, sort, is_signed, -ldexp(1.0, e));
        }
        vec_push(out, max - 1); /* finite */
        vec_push(out, min + 1);
        vec_push(out, 0);
        return;
    }
    for (int b = 0; b < 63; b++)
        if ((INT64_C(1) << b) - 1 < max) {
            vec_push(out, (INT64_C(1) << b) - 1);
            if (is_signed)
                vec_push(out, -(INT64_C(1) << b));
        }
}

static void sort_unique(struct ordinals *out) {
    if (out->len > 1)
        qsort(out->data, out->len, sizeof *out->data, by_value);
    size_t kept = 0;
    for (size_t i = 0; i < out->len; i++)
        if (kept == 0 || out->data[kept - 1] != out->data[i])
            out->data[kept++] = out->data[i];
    assert(kept <= out->len);
    out->len = kept;
}

void thresholds_below(const struct terms *ts, const term_t *roots, size_t n, sort_t sort,
                      bool is_signed, struct ordinals *out) {
    bool *mark = mem_zalloc(ts->nodes.len, sizeof *mark);
    term_mark(ts, roots, n, mark);
    for (term_t i = 1; i < ts->nodes.len; i++)
        if (mark[i])
            add_constant(out, ts, i, sort, is_signed);
    add_powers(out, sort, is_signed);
    mem_free(mark);
    sort_unique(out);
}

void thresholds_init(struct thresholds *t, const struct system *sys, const uint32_t *targets,
                     size_t n) {
    assert(sys->terms);
    *t = (struct thresholds){.sys = sys};
    for (size_t i = 0; i < sys->cells.len; i++)
        vec_push(&t->roots, sys->cells.data[i].next);
    vec_push(&t->roots, sys->step_ok);
    for (size_t i = 0; i < n; i++)
        vec_push(&t->roots, sys->targets.data[targets[i]].hit);
}

void thresholds_free(struct thresholds *t) {
    for (size_t s = 0; s <= SORT_F64; s++)
        for (size_t g = 0; g < 2; g++)
            vec_free(&t->by_sort[s][g]);
    vec_free(&t->roots);
}

const struct ordinals *thresholds_of(struct thresholds *t, sort_t sort, bool is_signed) {
    assert(sort <= SORT_F64);
    struct ordinals *all = &t->by_sort[sort][is_signed];
    if (all->len == 0 && sort == SORT_BOOL) {
        vec_push(all, 0);
        vec_push(all, 1);
    } else if (all->len == 0) {
        thresholds_below(t->sys->terms, t->roots.data, t->roots.len, sort, is_signed, all);
    }
    return all;
}
