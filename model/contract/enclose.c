/* enclose: values of transcendental functions from MPFR, widened. */
#include "model/contract/enclose.h"

#include <math.h>
#include <mpfr.h>

typedef int function1(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t rnd);
typedef int function2(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t rnd);

/* One function: one of the pointers is set. */
static const struct row {
    function1 *f1;
    function2 *f2;
    bool odd;           /* the result has the sign of the first argument */
    double least, most; /* results never leave these */
} rows[OP_COUNT] = {
    [OP_SIN] = {mpfr_sin, NULL, false, -1, 1},
    [OP_COS] = {mpfr_cos, NULL, false, -1, 1},
    [OP_TAN] = {mpfr_tan, NULL, false, -INFINITY, INFINITY},
    [OP_ASIN] = {mpfr_asin, NULL, true, -INFINITY, INFINITY},
    [OP_ACOS] = {mpfr_acos, NULL, false, 0, INFINITY},
    [OP_ATAN] = {mpfr_atan, NULL, true, -INFINITY, INFINITY},
    [OP_SINH] = {mpfr_sinh, NULL, true, -INFINITY, INFINITY},
    [OP_COSH] = {mpfr_cosh, NULL, false, 0, INFINITY},
    [OP_TANH] = {mpfr_tanh, NULL, true, -1, 1},
    [OP_EXP] = {mpfr_exp, NULL, false, 0, INFINITY},
    [OP_EXP2] = {mpfr_exp2, NULL, false, 0, INFINITY},
    [OP_EXPM1] = {mpfr_expm1, NULL, true, -1, INFINITY},
    [OP_LOG] = {mpfr_log, NULL, false, -INFINITY, INFINITY},
    [OP_LOG2] = {mpfr_log2, NULL, false, -INFINITY, INFINITY},
    [OP_LOG10] = {mpfr_log10, NULL, false, -INFINITY, INFINITY},
    [OP_LOG1P] = {mpfr_log1p, NULL, true, -INFINITY, INFINITY},
    [OP_CBRT] = {mpfr_cbrt, NULL, true, -INFINITY, INFINITY},
    [OP_ATAN2] = {NULL, mpfr_atan2, true, -INFINITY, INFINITY},
    [OP_POW] = {NULL, mpfr_pow, false, 0, INFINITY}, /* of a non-negative base */
    [OP_HYPOT] = {NULL, mpfr_hypot, false, 0, INFINITY},
};

static double value_at(sort_t sort, int64_t ordinal) {
    uint64_t bits = ordinal_bits(sort, false, ordinal);
    return sort == SORT_F32 ? (double)bits_f32(bits) : bits_f64(bits);
}

static int64_t ordinal_near(sort_t sort, double value) {
    return ordinal_of(sort, false, sort == SORT_F32 ? f32_bits((float)value) : f64_bits(value));
}

/* The exact value rounded up or down, as an ordinal. */
static int64_t directed(const struct prim *p, const struct row *row, const int64_t *args,
                        mpfr_rnd_t rnd) {
    sort_t sort = p->sort[0];
    mpfr_t x, y, z;
    mpfr_inits2(53, x, y, (mpfr_ptr)NULL);
    mpfr_init2(z, sort == SORT_F32 ? 24 : 53);
    mpfr_set_d(x, value_at(sort, args[0]), MPFR_RNDN);
    if (row->f1) {
        row->f1(z, x, rnd);
    } else {
        mpfr_set_d(y, value_at(sort, args[1]), MPFR_RNDN);
        row->f2(z, x, y, rnd);
    }
    assert(!mpfr_nan_p(z));
    double value = sort == SORT_F32 ? (double)mpfr_get_flt(z, rnd) : mpfr_get_d(z, rnd);
    mpfr_clears(x, y, z, (mpfr_ptr)NULL);
    return ordinal_near(sort, value);
}

static int64_t clamp(int64_t v, int64_t lo, int64_t hi) {
    return v < lo ? lo : v > hi ? hi : v;
}

int64_t enclose(const struct prim *p, const int64_t *args, bool above) {
    const struct row *row = &rows[p->op];
    assert(row->f1 || row->f2);
    int64_t z = directed(p, row, args, above ? MPFR_RNDU : MPFR_RNDD);
    z += above ? ENCLOSE_ULPS : -ENCLOSE_ULPS;
    z = clamp(z, ordinal_near(p->sort[0], row->least), ordinal_near(p->sort[0], row->most));
    if (row->odd)
        z = args[0] >= 0 ? clamp(z, 0, INT64_MAX) : clamp(z, INT64_MIN, -1);
    return z;
}

/* floor(x / pi - shift), with enough bits for any double */
static void half_turns(mpz_t out, double x, bool sine) {
    assert(isfinite(x));
    int exponent;
    mpfr_t v, pi;
    frexp(x, &exponent);
    mpfr_inits2(192 + (exponent > 0 ? exponent : 0), v, pi, (mpfr_ptr)NULL);
    mpfr_const_pi(pi, MPFR_RNDN);
    mpfr_set_d(v, x, MPFR_RNDN);
    mpfr_div(v, v, pi, MPFR_RNDN);
    if (sine)
        mpfr_sub_d(v, v, 0.5, MPFR_RNDN);
    mpfr_get_z(out, v, MPFR_RNDD);
    mpfr_clears(v, pi, (mpfr_ptr)NULL);
}

int enclose_turns(sort_t sort, struct range x, bool sine, bool *rises) {
    mpz_t first, last;
    mpz_inits(first, last, NULL);
    assert(x.num);
    half_turns(first, value_at(sort, x.lo), sine);
    half_turns(last, value_at(sort, x.hi), sine);
    *rises = mpz_odd_p(first) != 0; /* after an even turn comes a descent */
    mpz_sub(last, last, first);
    int turns = mpz_cmp_ui(last, 2) >= 0 ? 2 : (int)mpz_get_ui(last);
    mpz_clears(first, last, NULL);
    return turns;
}
