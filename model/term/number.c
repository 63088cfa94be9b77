/* number: constants by their text, sums by their parts. */
#include "model/term/number.h"

#include "base/bug.h"
#include "model/term/simplify.h"

#include <stdlib.h>

/* ---- constants ---- */

static term_t number_node(struct terms *ts, sort_t sort, const char *canonical) {
    uint32_t id = intern_id(&ts->numbers, canonical);
    return term_node(ts, OP_CONST, sort, NULL, id);
}

term_t term_number_q(struct terms *ts, sort_t sort, mpq_srcptr value) {
    assert(sort_is_number(sort));
    assert((sort == SORT_REAL || mpz_cmp_ui(mpq_denref(value), 1) == 0) && "a whole number");
    char *text = mpq_get_str(NULL, 10, value);
    term_t t = number_node(ts, sort, text);
    void (*release)(void *, size_t);
    mp_get_memory_functions(NULL, NULL, &release);
    release(text, strlen(text) + 1);
    return t;
}

term_t term_number(struct terms *ts, sort_t sort, const char *text) {
    mpq_t value;
    mpq_init(value);
    if (mpq_set_str(value, text, 10) != 0 || mpz_sgn(mpq_denref(value)) == 0)
        bug("'%s' is no number", text);
    mpq_canonicalize(value);
    term_t t = term_number_q(ts, sort, value);
    mpq_clear(value);
    return t;
}

const char *term_number_text(const struct terms *ts, term_t t) {
    assert(term_is_const(ts, t) && sort_is_number(term_sort(ts, t)));
    return intern_text(&ts->numbers, (uint32_t)term_bits(ts, t));
}

void term_number_value(const struct terms *ts, term_t t, mpq_ptr value) {
    if (mpq_set_str(value, term_number_text(ts, t), 10) != 0)
        bug("a constant is no number");
}

/* ---- sums ---- */

void sum_init(struct sum *sum) {
    *sum = (struct sum){.ready = true};
    mpq_init(sum->constant);
}

void sum_free(struct sum *sum) {
    assert(sum->ready);
    for (size_t i = 0; i < sum->parts.len; i++)
        mpq_clear(sum->parts.data[i].factor);
    vec_free(&sum->parts);
    mpq_clear(sum->constant);
    sum->ready = false;
}

static void add_part(struct sum *sum, term_t atom, mpq_srcptr factor) {
    struct sum_part part = {.atom = atom};
    mpq_init(part.factor);
    mpq_set(part.factor, factor);
    vec_push(&sum->parts, part);
}

/* The constant in front of a product, 0 if there is none. */
static term_t factor_of(const struct terms *ts, term_t t) {
    return term_is(ts, t, OP_NMUL) && term_is_const(ts, term_arg(ts, t, 0)) ? term_arg(ts, t, 0)
                                                                            : 0;
}

/* factor * t, where t is no sum. */
static void add_product(const struct terms *ts, struct sum *sum, term_t t, mpq_srcptr factor) {
    mpq_t value;
    mpq_init(value);
    if (term_is_const(ts, t)) {
        term_number_value(ts, t, value);
        mpq_mul(value, value, factor);
        mpq_add(sum->constant, sum->constant, value);
    } else if (factor_of(ts, t)) {
        term_number_value(ts, factor_of(ts, t), value);
        mpq_mul(value, value, factor);
        add_part(sum, term_arg(ts, t, 1), value);
    } else {
        add_part(sum, t, factor);
    }
    mpq_clear(value);
}

/* Sums in normal form lean to the left, and a multiple is one of an atom. */
void sum_add(const struct terms *ts, struct sum *sum, term_t t, mpq_srcptr factor) {
    assert(sum->ready && sort_is_number(term_sort(ts, t)));
    for (; term_is(ts, t, OP_NADD); t = term_arg(ts, t, 0))
        add_product(ts, sum, term_arg(ts, t, 1), factor);
    add_product(ts, sum, t, factor);
}

void sum_add_difference(const struct terms *ts, struct sum *sum, term_t a, term_t b) {
    mpq_t one;
    mpq_init(one);
    mpq_set_si(one, 1, 1);
    sum_add(ts, sum, a, one);
    mpq_neg(one, one);
    sum_add(ts, sum, b, one);
    mpq_clear(one);
}

static int by_atom(const void *a, const void *b) {
    term_t x = ((const struct sum_part *)a)->atom, y = ((const struct sum_part *)b)->atom;
    return x < y ? -1 : x > y;
}

void sum_tidy(struct sum *sum) {
    size_t kept = 0;
    if (sum->parts.len == 0)
        return;
    qsort(sum->parts.data, sum->parts.len, sizeof *sum->parts.data, by_atom);
    for (size_t i = 0; i < sum->parts.len; i++) {
        struct sum_part part = sum->parts.data[i];
        struct sum_part *last = kept ? &sum->parts.data[kept - 1] : NULL;
        if (last && last->atom == part.atom) {
            mpq_add(last->factor, last->factor, part.factor);
            mpq_clear(part.factor);
        } else {
            if (last && mpq_sgn(last->factor) == 0)
                mpq_clear(sum->parts.data[--kept].factor);
            sum->parts.data[kept++] = part;
        }
    }
    if (mpq_sgn(sum->parts.data[kept - 1].factor) == 0)
        mpq_clear(sum->parts.data[--kept].factor);
    sum->parts.len = kept;
}

void sum_scale(struct sum *sum, mpq_srcptr factor) {
    assert(mpq_sgn(factor) != 0);
    for (size_t i = 0; i < sum->parts.len; i++)
        mpq_mul(sum->parts.data[i].factor, sum->parts.data[i].factor, factor);
    mpq_mul(sum->constant, sum->constant, factor);
}

mpq_srcptr sum_factor(const struct sum *sum, term_t atom) {
    for (size_t i = 0; i < sum->parts.len; i++)
        if (sum->parts.data[i].atom == atom)
            return sum->parts.data[i].factor;
    return NULL;
}

void sum_add_bound(const struct terms *ts, struct sum *sum, term_t literal, bool *strict) {
    bool negated = term_is(ts, literal, OP_NOT);
    term_t atom = negated ? term_arg(ts, literal, 0) : literal;
    assert(term_is(ts, atom, OP_NLE));
    sum_add_difference(ts, sum, term_arg(ts, atom, negated), term_arg(ts, atom, !negated));
    *strict = negated && term_sort(ts, term_arg(ts, atom, 0)) == SORT_REAL;
    if (negated && !*strict) { /* a < b is a + 1 <= b */
        mpq_t one;
        mpq_init(one);
        mpq_set_si(one, 1, 1);
        mpq_add(sum->constant, sum->constant, one);
        mpq_clear(one);
    }
}

/* ---- terms ---- */

static term_t part_term(struct terms *ts, sort_t sort, const struct sum_part *part) {
    if (mpq_cmp_ui(part->factor, 1, 1) == 0)
        return part->atom;
    term_t args[2] = {term_number_q(ts, sort, part->factor), part->atom};
    return term_node(ts, OP_NMUL, sort, args, 0);
}

static term_t parts_term(struct terms *ts, sort_t sort, const struct sum *sum) {
    term_t t = part_term(ts, sort, &sum->parts.data[0]);
    for (size_t i = 1; i < sum->parts.len; i++) {
        term_t args[2] = {t, part_term(ts, sort, &sum->parts.data[i])};
        t = term_node(ts, OP_NADD, sort, args, 0);
    }
    return t;
}

term_t sum_term(struct terms *ts, sort_t sort, struct sum *sum) {
    sum_tidy(sum);
    if (sum->parts.len == 0)
        return term_number_q(ts, sort, sum->constant);
    term_t t = parts_term(ts, sort, sum);
    if (mpq_sgn(sum->constant) == 0)
        return t;
    term_t args[2] = {t, term_number_q(ts, sort, sum->constant)};
    return term_node(ts, OP_NADD, sort, args, 0);
}

/* Factors become whole numbers without a common factor. */
static void make_coprime(struct sum *sum) {
    mpz_t common;
    mpq_t scale;
    mpz_init_set_ui(common, 1);
    mpq_init(scale);
    for (size_t i = 0; i < sum->parts.len; i++)
        mpz_lcm(common, common, mpq_denref(sum->parts.data[i].factor));
    mpq_set_z(scale, common);
    sum_scale(sum, scale);
    mpz_set_ui(common, 0);
    for (size_t i = 0; i < sum->parts.len; i++)
        mpz_gcd(common, common, mpq_numref(sum->parts.data[i].factor));
    mpq_set_z(scale, common);
    mpq_inv(scale, scale);
    sum_scale(sum, scale);
    mpz_clear(common);
    mpq_clear(scale);
}

static void negate(struct sum *sum) {
    mpq_t minus;
    mpq_init(minus);
    mpq_set_si(minus, -1, 1);
    sum_scale(sum, minus);
    mpq_clear(minus);
}

static term_t against_constant(struct terms *ts, enum op op, sort_t sort, struct sum *sum) {
    mpq_neg(sum->constant, sum->constant);
    term_t args[2] = {parts_term(ts, sort, sum), term_number_q(ts, sort, sum->constant)};
    return term_node(ts, op, SORT_BOOL, args, 0);
}

/* The constant c of sum <= -c may as well be a whole number. */
static void round_up(mpq_t c) {
    mpz_cdiv_q(mpq_numref(c), mpq_numref(c), mpq_denref(c));
    mpz_set_ui(mpq_denref(c), 1);
}

term_t sum_bound(struct terms *ts, sort_t sort, struct sum *sum) {
    assert(sort_is_number(sort));
    sum_tidy(sum);
    if (sum->parts.len == 0)
        return term_bool(ts, mpq_sgn(sum->constant) <= 0);
    make_coprime(sum);
    bool flipped = false;
    if (sort == SORT_INTEGER) {
        round_up(sum->constant);
        flipped = mpq_sgn(sum->parts.data[0].factor) < 0;
    }
    if (flipped) { /* -x + c <= 0 is not x - c + 1 <= 0 */
        negate(sum);
        mpz_add_ui(mpq_numref(sum->constant), mpq_numref(sum->constant), 1);
    }
    term_t t = against_constant(ts, OP_NLE, sort, sum);
    return flipped ? term_not(ts, t) : t;
}

term_t sum_zero(struct terms *ts, sort_t sort, struct sum *sum) {
    assert(sort_is_number(sort));
    sum_tidy(sum);
    if (sum->parts.len == 0)
        return term_bool(ts, mpq_sgn(sum->constant) == 0);
    make_coprime(sum);
    if (sort == SORT_INTEGER && mpz_cmp_ui(mpq_denref(sum->constant), 1) != 0)
        return term_bool(ts, false);
    if (mpq_sgn(sum->parts.data[0].factor) < 0)
        negate(sum);
    return against_constant(ts, OP_EQ, sort, sum);
}

/* ---- constructors ---- */

static term_t product(struct terms *ts, sort_t sort, term_t a, term_t b) {
    term_t constant = term_is_const(ts, a) ? a : b, other = constant == a ? b : a;
    if (!term_is_const(ts, constant))
        return term_node(ts, OP_NMUL, sort, a < b ? (term_t[]){a, b} : (term_t[]){b, a}, 0);
    struct sum sum;
    mpq_t factor;
    sum_init(&sum);
    mpq_init(factor);
    term_number_value(ts, constant, factor);
    sum_add(ts, &sum, other, factor);
    term_t t = sum_term(ts, sort, &sum);
    mpq_clear(factor);
    sum_free(&sum);
    return t;
}

/* a + b, a <= b, a = b */
static term_t combined(struct terms *ts, enum op op, sort_t sort, term_t a, term_t b) {
    struct sum sum;
    mpq_t factor;
    sum_init(&sum);
    mpq_init(factor);
    mpq_set_si(factor, 1, 1);
    sum_add(ts, &sum, a, factor);
    mpq_set_si(factor, op == OP_NADD ? 1 : -1, 1);
    sum_add(ts, &sum, b, factor);
    term_t t = op == OP_NADD  ? sum_term(ts, sort, &sum)
               : op == OP_NLE ? sum_bound(ts, sort, &sum)
                              : sum_zero(ts, sort, &sum);
    mpq_clear(factor);
    sum_free(&sum);
    return t;
}

term_t simplify_number(struct terms *ts, enum op op, const term_t *args) {
    sort_t sort = term_sort(ts, args[op_table[op].arity - 1]);
    assert(sort_is_number(sort));
    if (op == OP_ITE)
        return simplify_ite(ts, args[0], args[1], args[2]);
    if (op == OP_NMUL)
        return product(ts, sort, args[0], args[1]);
    return combined(ts, op, sort, args[0], args[1]);
}
