/* Numbers in comments and project files as exact rationals.
 *
 *   product := factor (('*' | '/') factor)*      factor := sign number ('^' sign digits)?
 */
#include "instrument/inputs/ranges.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    LARGEST_EXPONENT = 5000, /* more is a typing error, and would only fill memory */
    LONGEST_NUMBER = 1100,   /* digits: DBL_TRUE_MIN written out */
};

static const char *skip_space(const char *p) {
    while (isspace((unsigned char)*p))
        p++;
    return p;
}

/* value := base^exponent */
static void raise(mpq_t value, long exponent) {
    assert(labs(exponent) <= 2 * LARGEST_EXPONENT + LONGEST_NUMBER);
    unsigned long e = (unsigned long)labs(exponent);
    mpz_pow_ui(mpq_numref(value), mpq_numref(value), e);
    mpz_pow_ui(mpq_denref(value), mpq_denref(value), e);
    if (exponent < 0)
        mpq_inv(value, value);
}

/* Reads "+12"; NULL when there is none or it is out of bounds. */
static const char *read_exponent(const char *p, long *exponent) {
    const char *digits = p + (*p == '+' || *p == '-');
    if (!isdigit((unsigned char)*digits))
        return NULL;
    char *end;
    *exponent = strtol(p, &end, 10);
    return *exponent >= -LARGEST_EXPONENT && *exponent <= LARGEST_EXPONENT ? end : NULL;
}

static void scale_by_ten(mpq_t value, long exponent) {
    mpq_t power;
    mpq_init(power);
    mpq_set_ui(power, 10, 1);
    raise(power, exponent);
    mpq_mul(value, value, power);
    mpq_clear(power);
}

static const char *read_hex(const char *p, mpq_t value) {
    char digits[20] = "";
    size_t len = strspn(p, "0123456789abcdefABCDEF");
    if (len == 0 || len >= sizeof digits)
        return NULL;
    memcpy(digits, p, len);
    mpz_set_str(mpq_numref(value), digits, 16);
    mpz_set_ui(mpq_denref(value), 1);
    return p + len;
}

static const char *read_decimal(const char *p, mpq_t value) {
    char digits[LONGEST_NUMBER + 1];
    size_t len = 0;
    long fraction = 0;
    bool point = false;
    for (; isdigit((unsigned char)*p) || (*p == '.' && !point && p[1] != '.'); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        if (len == LONGEST_NUMBER)
            return NULL;
        digits[len++] = *p;
        fraction += point;
    }
    if (len == 0)
        return NULL;
    digits[len] = '\0';
    mpz_set_str(mpq_numref(value), digits, 10);
    mpz_set_ui(mpq_denref(value), 1);
    long exponent = 0;
    if ((*p == 'e' || *p == 'E') && !(p = read_exponent(p + 1, &exponent)))
        return NULL;
    scale_by_ten(value, exponent - fraction);
    return p;
}

static const char *read_factor(const char *p, mpq_t value) {
    p = skip_space(p);
    bool negative = *p == '-';
    p += *p == '-' || *p == '+';
    bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
    p = hex ? read_hex(p + 2, value) : read_decimal(p, value);
    if (!p)
        return NULL;
    p += strspn(p, "fFuUlL");
    p = skip_space(p);
    if (*p == '^') {
        long exponent;
        p = read_exponent(skip_space(p + 1), &exponent);
        if (!p || (exponent < 0 && mpq_sgn(value) == 0) ||
            mpz_sizeinbase(mpq_numref(value), 2) * (size_t)labs(exponent) > 4 * LARGEST_EXPONENT)
            return NULL;
        raise(value, exponent);
    }
    if (negative)
        mpq_neg(value, value);
    return skip_space(p);
}

static const char *read_product(const char *p, mpq_t value) {
    mpq_t factor;
    mpq_init(factor);
    p = read_factor(p, value);
    while (p && (*p == '*' || *p == '/')) {
        bool divide = *p == '/';
        p = read_factor(p + 1, factor);
        if (p && divide && mpq_sgn(factor) == 0)
            p = NULL;
        if (!p)
            break;
        if (divide)
            mpq_div(value, value, factor);
        else
            mpq_mul(value, value, factor);
    }
    mpq_clear(factor);
    return p;
}

bool range_number(const char *text, mpq_t value) {
    assert(text);
    const char *end = read_product(text, value);
    return end && *end == '\0';
}
