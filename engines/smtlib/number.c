/* number: literals in, values out, and the correct rounding of rational numbers to floats. */
#include "engines/smtlib/parts.h"

#include <assert.h>
#include <mpfr.h>

/* ---- rationals ---- */

uint32_t smt_real_new(struct smt *smt) {
    struct smt_real r;
    mpq_init(r.q);
    vec_push(&smt->reals, r);
    return (uint32_t)smt->reals.len - 1;
}

/* 12 or 12.5 */
static void real_from_text(struct smt *smt, const char *text, struct smt_value *out) {
    struct str digits = {0};
    size_t places = 0;
    bool dot = false;
    for (const char *t = text; *t; t++) {
        if (*t == '.') {
            dot = true;
            continue;
        }
        str_addc(&digits, *t);
        places += dot;
    }
    *out = (struct smt_value){.sort = {SMT_REAL, 0, 0}, .real = smt_real_new(smt)};
    mpq_ptr q = smt->reals.data[out->real].q;
    mpz_set_str(mpq_numref(q), str_text(&digits), 10);
    mpz_ui_pow_ui(mpq_denref(q), 10, places);
    mpq_canonicalize(q);
    str_free(&digits);
}

/* The rounding mode of MPFR; ties away from zero has none and is made from toward zero. */
static mpfr_rnd_t rounding(enum rounding_mode rm) {
    static const mpfr_rnd_t modes[] = {MPFR_RNDN, MPFR_RNDZ, MPFR_RNDU, MPFR_RNDD, MPFR_RNDZ};
    return modes[rm];
}

/* The float with that rounding, gradual underflow included, as a double. */
static double round_real(const mpq_t q, sort_t sort, mpfr_rnd_t mode) {
    bool f32 = sort == SORT_F32;
    mpfr_exp_t old_min = mpfr_get_emin(), old_max = mpfr_get_emax();
    mpfr_t x;
    mpfr_init2(x, f32 ? 24 : 53);
    mpfr_set_emin(f32 ? -148 : -1073);
    mpfr_set_emax(f32 ? 128 : 1024);
    int inexact = mpfr_set_q(x, q, mode);
    mpfr_subnormalize(x, inexact, mode);
    double value = mpfr_get_d(x, MPFR_RNDN);
    mpfr_set_emin(old_min);
    mpfr_set_emax(old_max);
    mpfr_clear(x);
    return value;
}

static uint64_t float_bits_of(sort_t sort, double value) {
    return sort == SORT_F32 ? f32_bits((float)value) : f64_bits(value);
}

/* Toward zero, or one further when the distance to that is at least half of the gap. */
static uint64_t round_away(const mpq_t q, sort_t sort) {
    uint64_t bits = float_bits_of(sort, round_real(q, sort, MPFR_RNDZ));
    double low = sort == SORT_F32 ? (double)bits_f32(bits) : bits_f64(bits);
    double high = sort == SORT_F32 ? (double)bits_f32(bits + 1) : bits_f64(bits + 1);
    uint64_t largest = sort == SORT_F32 ? 0x7f7fffff : 0x7fefffffffffffff;
    uint64_t magnitude = bits & (sort == SORT_F32 ? 0x7fffffff : INT64_MAX);
    mpq_t middle, other, size;
    mpq_inits(middle, other, size, NULL);
    mpq_set_d(middle, low);
    if (magnitude == largest) { /* the gap above it is the one below it */
        mpq_set_d(other, sort == SORT_F32 ? (double)bits_f32(bits - 1) : bits_f64(bits - 1));
        mpq_sub(other, middle, other);
        mpq_add(other, middle, other);
    } else {
        mpq_set_d(other, high);
    }
    mpq_add(middle, middle, other);
    mpq_div_2exp(middle, middle, 1);
    mpq_abs(middle, middle);
    mpq_abs(size, q);
    bool up = mpq_cmp(size, middle) >= 0;
    mpq_clears(middle, other, size, NULL);
    return bits + up;
}

uint64_t smt_real_round(const mpq_t q, sort_t sort, enum rounding_mode rm) {
    assert(sort_is_float(sort));
    if (rm == RM_RNA && mpq_sgn(q) != 0)
        return round_away(q, sort);
    return float_bits_of(sort, round_real(q, sort, rounding(rm)));
}

/* ---- bit-vectors ---- */

/* #b…, #x…: `per` bits a digit */
static bool bits_literal(struct smt *smt, const char *digits, uint32_t per, struct smt_value *out) {
    assert(per == 1 || per == 4);
    size_t n = strlen(digits) * per;
    uint64_t bits = 0;
    *out = (struct smt_value){.sort = {SMT_BV, (uint32_t)n, 0}};
    out->why = smt_sort_lack(out->sort);
    if (out->why)
        return true;
    for (const char *t = digits; *t; t++) {
        uint64_t digit = (uint64_t)(*t <= '9' ? *t - '0' : (*t | 32) - 'a' + 10);
        bits = bits << per | digit;
    }
    out->term = term_const(&smt->terms, (sort_t)n, bits);
    return true;
}

/* (_ bv12 8) */
static bool bv_literal(struct smt *smt, const struct sx *x, struct smt_value *out,
                       struct err *err) {
    const char *digits = x->items[1]->text + 2;
    uint64_t width;
    mpz_t value;
    if (x->n != 3 || !sx_number(x->items[2], &width) || width == 0 || width > UINT32_MAX ||
        digits[strspn(digits, "0123456789")] != 0)
        return sx_error(&smt->reader, x, err, "expected (_ bv<number> <width>)");
    *out = (struct smt_value){.sort = {SMT_BV, (uint32_t)width, 0}};
    out->why = smt_sort_lack(out->sort);
    if (out->why)
        return true;
    mpz_init_set_str(value, digits, 10);
    mpz_fdiv_r_2exp(value, value, width);
    uint64_t bits = mpz_get_ui(value);
    mpz_clear(value);
    out->term = term_const(&smt->terms, (sort_t)width, bits);
    return true;
}

bool smt_literal(struct smt *smt, const struct sx *x, struct smt_value *out, struct err *err) {
    switch (x->kind) {
    case SX_NUMERAL:
    case SX_DECIMAL:
        real_from_text(smt, x->text, out);
        return !smt->options.numbers ||
               smt_unbounded_literal(smt, smt->reals.data[out->real].q, x->kind == SX_NUMERAL, out);
    case SX_HEX:
        return bits_literal(smt, x->text, 4, out);
    case SX_BINARY:
        return bits_literal(smt, x->text, 1, out);
    case SX_LIST:
        return bv_literal(smt, x, out, err);
    case SX_STRING:
        return smt_lack(out, "strings");
    default:
        return sx_error(&smt->reader, x, err, "expected a term");
    }
}

/* ---- printing ---- */

static void print_binary(struct str *out, uint64_t bits, uint32_t high, uint32_t low) {
    assert(low <= high && high < 64);
    str_add(out, "#b");
    for (uint32_t i = high + 1; i > low; i--)
        str_addc(out, bits >> (i - 1) & 1 ? '1' : '0');
}

static void print_float(struct str *out, struct smt_sort s, uint64_t bits) {
    uint32_t width = s.a + s.b, fraction = s.b - 1;
    uint64_t magnitude = bits & ~((uint64_t)1 << (width - 1));
    uint64_t inf = (((uint64_t)1 << s.a) - 1) << fraction;
    char sign = bits >> (width - 1) & 1 ? '-' : '+';
    if (magnitude > inf)
        str_addf(out, "(_ NaN %u %u)", s.a, s.b);
    else if (magnitude == inf)
        str_addf(out, "(_ %coo %u %u)", sign, s.a, s.b);
    else if (magnitude == 0)
        str_addf(out, "(_ %czero %u %u)", sign, s.a, s.b);
    else {
        str_add(out, "(fp ");
        print_binary(out, bits, width - 1, width - 1);
        str_addc(out, ' ');
        print_binary(out, bits, width - 2, fraction);
        str_addc(out, ' ');
        print_binary(out, bits, fraction - 1, 0);
        str_addc(out, ')');
    }
}

void smt_print_value(struct str *out, struct smt_sort s, uint64_t bits) {
    switch (s.kind) {
    case SMT_BOOL:
        str_add(out, bits ? "true" : "false");
        break;
    case SMT_BV:
        if (s.a % 4 == 0)
            str_addf(out, "#x%0*llx", (int)(s.a / 4), (unsigned long long)bits);
        else
            print_binary(out, bits, s.a - 1, 0);
        break;
    case SMT_RM:
        assert(bits < RM_COUNT);
        str_add(out, (const char *const[]){"RNE", "RNA", "RTP", "RTN", "RTZ"}[bits]);
        break;
    default:
        assert(s.kind == SMT_FLOAT);
        print_float(out, s, bits);
    }
}

void smt_print_sort(struct str *out, struct smt_sort s) {
    if (s.kind == SMT_BOOL)
        str_add(out, "Bool");
    else if (s.kind == SMT_BV)
        str_addf(out, "(_ BitVec %u)", s.a);
    else if (s.kind == SMT_RM)
        str_add(out, "RoundingMode");
    else
        str_addf(out, "(_ FloatingPoint %u %u)", s.a, s.b);
}

void smt_print_symbol(struct str *out, const char *name) {
    bool simple = *name && !(*name >= '0' && *name <= '9');
    for (const char *t = name; *t; t++)
        simple &= strchr("~!@$%^&*_-+=<>.?/", *t) != NULL || (*t >= '0' && *t <= '9') ||
                  ((*t | 32) >= 'a' && (*t | 32) <= 'z');
    str_addf(out, simple ? "%s" : "|%s|", name);
}
