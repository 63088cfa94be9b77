/* Elimination: see howell.h. All arithmetic wraps at 2^64, on purpose. */
#include "engines/solver/relations/howell.h"

#include "base/mem.h"

void howell_init(struct howell *h, size_t columns, size_t given) {
    *h = (struct howell){.columns = columns, .width = columns + 1 + given};
    vec_resize_zero(&h->pivot_of, columns + 1);
}

void howell_free(struct howell *h) {
    vec_free(&h->cells);
    vec_free(&h->pivot_of);
}

static size_t row_count(const struct howell *h) {
    return h->cells.len / h->width;
}

static uint64_t *row_at(const struct howell *h, size_t i) {
    assert(i < row_count(h));
    return h->cells.data + i * h->width;
}

static uint64_t *row_new(struct howell *h) {
    vec_resize_zero(&h->cells, h->cells.len + h->width);
    return row_at(h, row_count(h) - 1);
}

uint64_t *howell_row(struct howell *h) {
    assert(h->columns + 1 + h->given < h->width);
    uint64_t *row = row_new(h);
    row[h->columns + 1 + h->given++] = 1;
    return row;
}

/* By Newton: each round doubles the bits that are right, three are to begin with. */
static uint64_t inverse(uint64_t odd) {
    assert(odd & 1);
    uint64_t x = odd;
    for (int i = 0; i < 5; i++)
        x *= 2 - odd * x;
    return x;
}

static void scale(struct howell *h, uint64_t *row, uint64_t by) {
    assert(by != 0);
    for (size_t i = 0; i < h->width; i++)
        row[i] *= by;
    h->effort += h->width;
}

static void subtract(struct howell *h, uint64_t *from, const uint64_t *row, uint64_t times) {
    for (size_t i = 0; i < h->width; i++)
        from[i] -= times * row[i];
    h->effort += h->width;
}

static int valuation(uint64_t a) {
    return a ? __builtin_ctzll(a) : 64;
}

/* The row below the pivots whose coefficient has the fewest factors of two. */
static size_t choose_pivot(const struct howell *h, size_t column, const bool *done) {
    size_t best = row_count(h);
    int least = 64;
    for (size_t i = 0; i < row_count(h); i++) {
        int v = valuation(row_at(h, i)[column]);
        if (done[i] || v >= least)
            continue;
        least = v;
        best = i;
    }
    return best;
}

static void eliminate(struct howell *h, size_t column, size_t pivot, const bool *done) {
    const uint64_t *row = row_at(h, pivot);
    int v = valuation(row[column]);
    assert(row[column] == (uint64_t)1 << v && !done[pivot]);
    for (size_t i = 0; i < row_count(h); i++)
        if (i != pivot && !done[i] && row_at(h, i)[column])
            subtract(h, row_at(h, i), row, row_at(h, i)[column] >> v);
}

/* What the pivot's row says when its unknown has been multiplied away. */
static void add_remainder(struct howell *h, size_t pivot, int v) {
    uint64_t *rest = row_new(h);
    assert(v > 0 && v < 64);
    memcpy(rest, row_at(h, pivot), h->width * sizeof *rest);
    scale(h, rest, (uint64_t)1 << (64 - v));
}

void howell_solve(struct howell *h) {
    size_t most = row_count(h) + h->columns;
    assert(row_count(h) == h->given && h->width == h->columns + 1 + h->given);
    bool *done = mem_zalloc(most + 1, sizeof *done);
    for (size_t column = 0; column < h->columns; column++) {
        size_t pivot = choose_pivot(h, column, done);
        h->effort += row_count(h);
        if (pivot == row_count(h))
            continue;
        uint64_t *row = row_at(h, pivot);
        int v = valuation(row[column]);
        scale(h, row, inverse(row[column] >> v));
        if (v > 0)
            add_remainder(h, pivot, v);
        eliminate(h, column, pivot, done);
        done[pivot] = true;
        h->pivot_of.data[column] = (uint32_t)pivot + 1;
    }
    assert(row_count(h) <= most);
    mem_free(done);
}

static void note_origin(const struct howell *h, const uint64_t *row, bool *from) {
    for (size_t i = 0; i < h->given; i++)
        from[i] |= row[h->columns + 1 + i] != 0;
}

static bool has_unknown(const struct howell *h, const uint64_t *row) {
    for (size_t i = 0; i < h->columns; i++)
        if (row[i])
            return true;
    return false;
}

bool howell_combination(const struct howell *h, size_t *at, uint64_t *multipliers) {
    for (; *at < row_count(h); ++*at) {
        const uint64_t *row = row_at(h, *at);
        if (has_unknown(h, row))
            continue;
        memcpy(multipliers, row + h->columns + 1, h->given * sizeof *multipliers);
        ++*at;
        return true;
    }
    return false;
}

const uint64_t *howell_pivot(const struct howell *h, size_t column) {
    assert(column < h->columns);
    uint32_t row = h->pivot_of.data[column];
    return row ? row_at(h, row - 1) : NULL;
}

bool howell_contradiction(const struct howell *h, bool *from) {
    for (size_t i = 0; i < row_count(h); i++) {
        const uint64_t *row = row_at(h, i);
        if (row[h->columns] == 0 || has_unknown(h, row))
            continue;
        note_origin(h, row, from);
        return true;
    }
    return false;
}

bool howell_reduce(struct howell *h, uint64_t *test, bool *from) {
    uint64_t *work = row_new(h); /* leaves again below */
    memcpy(work, test, (h->columns + 1) * sizeof *work);
    bool all = true;
    assert(h->pivot_of.len == h->columns + 1);
    for (size_t column = 0; column < h->columns && all; column++) {
        uint32_t pivot = h->pivot_of.data[column];
        if (!work[column])
            continue;
        const uint64_t *row = pivot ? row_at(h, pivot - 1) : NULL;
        all = row && valuation(work[column]) >= valuation(row[column]);
        if (all)
            subtract(h, work, row, work[column] >> valuation(row[column]));
    }
    memcpy(test, work, (h->columns + 1) * sizeof *work);
    if (all)
        note_origin(h, work, from);
    vec_truncate(&h->cells, h->cells.len - h->width);
    return all;
}
