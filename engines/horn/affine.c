/* affine: what is orthogonal to the differences of the vectors. */
#include "engines/horn/affine.h"

#include "base/mem.h"
#include "model/term/simplify.h"

#include <assert.h>

enum { MOST_BITS = 16 };

static void free_vector(mpq_t *v, size_t n) {
    for (size_t i = 0; i < n; i++)
        mpq_clear(v[i]);
    vec_release(v);
}

static mpq_t *new_vector(size_t n) {
    size_t cap = 0;
    mpq_t *v = vec_grow(NULL, &cap, n, sizeof *v);
    for (size_t i = 0; i < n; i++)
        mpq_init(v[i]);
    return v;
}

/* Row `r` becomes 1 at `col`, the others 0 there. */
static void eliminate(mpq_t **rows, size_t n_rows, size_t r, size_t col, size_t n) {
    mpq_t factor, product;
    assert(r < n_rows && col < n && mpq_sgn(rows[r][col]) != 0);
    mpq_init(factor);
    mpq_init(product);
    mpq_inv(factor, rows[r][col]);
    for (size_t k = 0; k < n; k++)
        mpq_mul(rows[r][k], rows[r][k], factor);
    for (size_t i = 0; i < n_rows; i++) {
        if (i == r || mpq_sgn(rows[i][col]) == 0)
            continue;
        mpq_set(factor, rows[i][col]);
        for (size_t k = 0; k < n; k++) {
            mpq_mul(product, factor, rows[r][k]);
            mpq_sub(rows[i][k], rows[i][k], product);
        }
    }
    mpq_clear(factor);
    mpq_clear(product);
}

/* Reduced rows; pivot[col] is the row that has its 1 there, or SIZE_MAX. */
static void reduce_rows(mpq_t **rows, size_t n_rows, size_t *pivot, size_t n) {
    size_t r = 0;
    for (size_t col = 0; col < n; col++) {
        size_t i = r;
        pivot[col] = SIZE_MAX;
        while (i < n_rows && mpq_sgn(rows[i][col]) == 0)
            i++;
        if (i == n_rows)
            continue;
        mpq_t *row = rows[i];
        rows[i] = rows[r];
        rows[r] = row;
        eliminate(rows, n_rows, r, col, n);
        pivot[col] = r++;
    }
}

/* Programs count and add. Equations with other factors are those of too few samples, and slow to
 * think about. */
static bool fits_program(mpq_srcptr factor) {
    return mpz_sizeinbase(mpq_numref(factor), 2) <= MOST_BITS &&
           mpz_sizeinbase(mpq_denref(factor), 2) <= MOST_BITS;
}

/* The equation for a free column: factors of which each row has the sum 0. */
static void add_equation(struct affine *a, mpq_t **rows, const size_t *pivot, size_t free_col) {
    struct sum sum;
    mpq_t factor, value;
    sum_init(&sum);
    mpq_init(factor);
    mpq_init(value);
    for (size_t col = 0; col < a->numbers->len; col++) {
        if (col == free_col)
            mpq_set_si(factor, 1, 1);
        else
            mpq_set_si(factor, 0, 1);
        if (pivot[col] != SIZE_MAX)
            mpq_neg(factor, rows[pivot[col]][free_col]);
        if (mpq_sgn(factor) == 0)
            continue;
        sum_add(a->ts, &sum, a->numbers->data[col], factor);
        mpq_mul(value, factor, a->samples.data[0][col]);
        mpq_sub(sum.constant, sum.constant, value);
    }
    bool fits = fits_program(sum.constant);
    for (size_t i = 0; i < sum.parts.len; i++)
        fits &= fits_program(sum.parts.data[i].factor);
    term_t t = sum_zero(a->ts, term_sort(a->ts, a->numbers->data[0]), &sum);
    if (fits && !term_is_const(a->ts, t))
        vec_push(&a->equations, t);
    mpq_clear(factor);
    mpq_clear(value);
    sum_free(&sum);
}

/* All equations that the samples meet: what is orthogonal to their differences. */
static void find_equations(struct affine *a) {
    size_t n = a->numbers->len, n_rows = a->samples.len - 1;
    size_t *pivot = mem_zalloc(n, sizeof *pivot);
    VEC(mpq_t *) rows = {0};
    assert(n > 0 && a->samples.len > 0);
    for (size_t i = 0; i < n_rows; i++) {
        mpq_t *row = new_vector(n);
        for (size_t k = 0; k < n; k++)
            mpq_sub(row[k], a->samples.data[i + 1][k], a->samples.data[0][k]);
        vec_push(&rows, row);
    }
    reduce_rows(rows.data, n_rows, pivot, n);
    vec_clear(&a->equations);
    for (size_t col = 0; col < n; col++)
        if (pivot[col] == SIZE_MAX)
            add_equation(a, rows.data, pivot, col);
    for (size_t i = 0; i < n_rows; i++)
        free_vector(rows.data[i], n);
    vec_free(&rows);
    mem_free(pivot);
}

void affine_init(struct affine *a, struct terms *ts, const struct horn_terms *numbers) {
    assert(ts && numbers);
    *a = (struct affine){.ts = ts, .numbers = numbers};
}

void affine_free(struct affine *a) {
    for (size_t i = 0; i < a->samples.len; i++)
        free_vector(a->samples.data[i], a->numbers->len);
    vec_free(&a->samples);
    vec_free(&a->equations);
}

void affine_add(struct affine *a, const struct horn_terms *values) {
    size_t n = a->numbers->len;
    assert(n > 0 && a->samples.len <= n && "what meets the equations is no news");
    mpq_t *sample = new_vector(n);
    for (size_t i = 0; i < n; i++)
        term_number_value(a->ts, values->data[term_bits(a->ts, a->numbers->data[i])], sample[i]);
    vec_push(&a->samples, sample);
    find_equations(a);
}
