/* Every contractor in every sort against evaluation (model/term/eval.h), by sampling.
 *
 * Ranges end at values where operators change their ways: zeros, powers of two and their
 * neighbours, integers, infinities, subnormals. A sampled solution must survive narrowing of
 * every operand; points must give the exact result; larger inputs may only give larger outputs;
 * for operators of one argument the bounds must be attained.
 */
#include "base/rng.h"
#include "model/contract/contract.h"
#include "model/term/eval.h"

#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void setUp(void) {
}
void tearDown(void) {
}

/* ---- random values and ranges ---- */

static uint64_t random_int(struct rng *rng, int width) {
    uint64_t mask = UINT64_MAX >> (64 - width);
    uint64_t small = rng_below(rng, 5) - 2, power = (uint64_t)1 << rng_below(rng, (uint64_t)width);
    switch (rng_below(rng, 5)) {
    case 0:
        return small & mask;
    case 1:
        return (power + small) & mask;
    case 2:
        return (0 - power + small) & mask;
    case 3:
        return rng_next(rng) >> rng_below(rng, 64) & mask;
    default:
        return rng_next(rng) & mask;
    }
}

static uint64_t random_float(struct rng *rng, sort_t sort) {
    static const double plain[] = {0.0, 1.0, 0.5, 2.0, 3.0, 0.1, 255.0, 65535.5, 0.75, INFINITY};
    bool f32 = sort == SORT_F32;
    double v = plain[rng_below(rng, sizeof plain / sizeof *plain)];
    switch (rng_below(rng, 6)) {
    case 0:
        v = (double)rng_below(rng, 1000) / 8;
        break;
    case 1:
        v = ldexp(1 + (double)rng_below(rng, 4) / 4, (int)rng_below(rng, 140) - 70);
        break;
    case 2:
        v = ldexp((double)rng_below(rng, 16), f32 ? -149 : -1074);
        break;
    case 3:
        v = f32 ? 3.4028234663852886e38 : 1.7976931348623157e308;
        break;
    case 4:
        return rng_next(rng) >> (f32 ? 32 : 0);
    }
    v = rng_below(rng, 2) ? -v : v;
    return f32 ? f32_bits((float)v) : f64_bits(v);
}

static uint64_t random_bits(struct rng *rng, sort_t sort) {
    if (sort == SORT_BOOL)
        return rng_below(rng, 2);
    return sort_is_int(sort) ? random_int(rng, sort) : random_float(rng, sort);
}

static int64_t random_ordinal(struct rng *rng, sort_t sort, bool is_signed) {
    int64_t min = ordinal_min(sort, is_signed), max = ordinal_max(sort, is_signed);
    int64_t o = ordinal_of(sort, is_signed, random_bits(rng, sort));
    int64_t nudge = (int64_t)rng_below(rng, 3) - 1;
    return (nudge < 0 && o == min) || (nudge > 0 && o == max) ? o : o + nudge;
}

static struct range random_range(struct rng *rng, sort_t sort, bool is_signed) {
    int64_t a = random_ordinal(rng, sort, is_signed), b = a;
    switch (rng_below(rng, 6)) {
    case 0:
        break;
    case 1:
        b = ordinal_max(sort, is_signed);
        break;
    case 2:
        b = ordinal_min(sort, is_signed);
        break;
    case 3:
        b = (int64_t)((uint64_t)a + rng_below(rng, 40)); /* past the end it is behind a */
        b = b < a || b > ordinal_max(sort, is_signed) ? a : b;
        break;
    default:
        b = random_ordinal(rng, sort, is_signed);
    }
    struct range r = range_between(a < b ? a : b, a < b ? b : a);
    if (sort_is_float(sort)) {
        r.nan = rng_below(rng, 4) == 0;
        r.num = !r.nan || rng_below(rng, 5) != 0;
    }
    return r;
}

static uint64_t quiet_nan(sort_t sort) {
    return sort == SORT_F32 ? f32_bits(NAN) : f64_bits(NAN);
}

static uint64_t random_member(struct rng *rng, struct range r, sort_t sort, bool is_signed) {
    if (!r.num || (r.nan && rng_below(rng, 6) == 0))
        return quiet_nan(sort);
    uint64_t width = (uint64_t)r.hi - (uint64_t)r.lo, step = rng_next(rng);
    int64_t o;
    switch (rng_below(rng, 5)) {
    case 0:
        return ordinal_bits(sort, is_signed, r.lo);
    case 1:
        return ordinal_bits(sort, is_signed, r.hi);
    case 2:
        o = random_ordinal(rng, sort, is_signed);
        if (range_has(r, o))
            return ordinal_bits(sort, is_signed, o);
        break;
    case 3:
        step = rng_below(rng, 8);
    }
    step = width == UINT64_MAX ? step : step % (width + 1);
    return ordinal_bits(sort, is_signed, (int64_t)((uint64_t)r.lo + step));
}

/* ---- checks ---- */

static int arity_of(const struct prim *p) {
    return op_table[p->op].arity;
}

static uint64_t evaluate(const struct prim *p, const uint64_t *v) {
    if (p->op == OP_TABLE)
        return p->table->values[v[0] < p->table->len ? v[0] : p->table->len - 1];
    return term_eval_op(p->op, p->sort[0], p->sort[arity_of(p)], v);
}

static void fail(const struct prim *p, const struct range *r, int which, struct range got,
                 const char *what) {
    char text[700];
    int at = snprintf(text, sizeof text, "%s %s operand %d:", op_table[p->op].name, what, which);
    for (int i = 0; i <= arity_of(p); i++)
        at += snprintf(text + at, sizeof text - (size_t)at, " %c%s [%lld,%lld]%s%s",
                       p->is_signed[i] ? 's' : 'u', sort_name(p->sort[i]), (long long)r[i].lo,
                       (long long)r[i].hi, r[i].num ? "" : "!", r[i].nan ? "+nan" : "");
    snprintf(text + at, sizeof text - (size_t)at, " got [%lld,%lld]%s%s", (long long)got.lo,
             (long long)got.hi, got.num ? "" : "!", got.nan ? "+nan" : "");
    TEST_FAIL_MESSAGE(text);
}

static struct range narrow(const struct prim *p, const struct range *r, int which) {
    struct range out;
    bool narrower = contract(p, r, which, &out);
    if (narrower == range_same(out, r[which]) || !range_inside(out, r[which]))
        fail(p, r, which, out, "reports wrongly");
    return out;
}

static bool holds(const struct prim *p, struct range r, int i, uint64_t bits) {
    return range_has_bits(r, p->sort[i], p->is_signed[i], bits);
}

/* A solution inside the ranges survives; sometimes the result is made to fit it. */
static void check_sound(const struct prim *p, struct range r[4], struct rng *rng) {
    uint64_t v[4] = {0};
    int n = arity_of(p);
    for (int i = 1; i <= n; i++)
        v[i] = random_member(rng, r[i], p->sort[i], p->is_signed[i]);
    v[0] = evaluate(p, v + 1);
    if (!holds(p, r[0], 0, v[0])) {
        if (rng_below(rng, 4) == 0)
            return;
        r[0] = rng_below(rng, 2)
                   ? range_join(r[0], range_of_bits(p->sort[0], p->is_signed[0], v[0]))
                   : range_of_bits(p->sort[0], p->is_signed[0], v[0]);
    }
    for (int which = 0; which <= n; which++) {
        struct range out = narrow(p, r, which);
        if (!holds(p, out, which, v[which]))
            fail(p, r, which, out, "loses a solution of");
    }
}

static void check_point(const struct prim *p, struct rng *rng) {
    struct range r[4];
    uint64_t v[4] = {0};
    int n = arity_of(p);
    for (int i = 1; i <= n; i++) {
        struct range any = random_range(rng, p->sort[i], p->is_signed[i]);
        v[i] = random_member(rng, any, p->sort[i], p->is_signed[i]);
        r[i] = range_of_bits(p->sort[i], p->is_signed[i], v[i]);
    }
    v[0] = evaluate(p, v + 1);
    r[0] = range_full(p->sort[0], p->is_signed[0]);
    struct range out = narrow(p, r, 0);
    if (!holds(p, out, 0, v[0]) || (p->op < OP_SIN && !range_is_point(out)))
        fail(p, r, 0, out, "misses the value of");
}

static void check_monotone(const struct prim *p, const struct range *r, struct rng *rng) {
    struct range more[4];
    int n = arity_of(p);
    for (int i = 0; i <= n; i++)
        more[i] = rng_below(rng, 2)
                      ? r[i]
                      : range_join(r[i], random_range(rng, p->sort[i], p->is_signed[i]));
    for (int which = 0; which <= n; which++)
        if (!range_inside(narrow(p, r, which), narrow(p, more, which)))
            fail(p, r, which, narrow(p, r, which), "is not monotone at");
}

/* One argument: both ends of its narrowed range are solutions, and of the result's too. */
static void check_attained(const struct prim *p, const struct range *r) {
    struct range x = narrow(p, r, 1), z = narrow(p, r, 0);
    for (int end = 0; end < 2; end++) {
        uint64_t v = ordinal_bits(p->sort[1], p->is_signed[1], end ? x.hi : x.lo);
        if (x.num && !holds(p, r[0], 0, evaluate(p, &v)))
            fail(p, r, 1, x, "does not attain the bounds of");
        struct range back[4] = {range_point(end ? z.hi : z.lo), r[1]};
        if (z.num && range_is_empty(narrow(p, back, 1)))
            fail(p, r, 0, z, "does not attain the bounds of");
    }
    if (range_is_empty(x) != range_is_empty(z))
        fail(p, r, 0, z, "is empty for one side only:");
}

static void check(const struct prim *p, int rounds, struct rng *rng) {
    for (int i = 0; i < rounds; i++) {
        struct range r[4];
        for (int k = 0; k <= arity_of(p); k++)
            r[k] = random_range(rng, p->sort[k], p->is_signed[k]);
        check_monotone(p, r, rng);
        if (arity_of(p) == 1 && p->op < OP_SIN)
            check_attained(p, r);
        check_sound(p, r, rng);
        check_point(p, rng);
    }
}

/* ---- sorts of every operator ---- */

/* The sort that all `i`, `f` or `x` arguments share. */
static sort_t random_sort(struct rng *rng, char kind) {
    static const sort_t widths[] = {8, 16, 32, 64};
    sort_t any = rng_below(rng, 3) ? widths[rng_below(rng, 4)] : (sort_t)(1 + rng_below(rng, 64));
    switch (kind) {
    case 'b':
        return SORT_BOOL;
    case 'f':
        return rng_below(rng, 2) ? SORT_F32 : SORT_F64;
    case 'x':
        return random_sort(rng, "bif"[rng_below(rng, 3)]);
    default:
        return any;
    }
}

static sort_t cast_target(struct rng *rng, enum op op, sort_t *from) {
    sort_t other = random_sort(rng, 'i');
    switch (op) {
    case OP_ZEXT:
    case OP_SEXT:
    case OP_TRUNC: {
        sort_t narrow_sort = other < *from ? other : *from,
               wide_sort = other < *from ? *from : other;
        *from = op == OP_TRUNC ? wide_sort : narrow_sort;
        return op == OP_TRUNC ? narrow_sort : wide_sort;
    }
    case OP_S2F:
    case OP_U2F:
    case OP_F2F:
    case OP_F2FZ:
    case OP_F2FA:
    case OP_F2FN:
        return random_sort(rng, 'f');
    case OP_BITS2F:
        *from = rng_below(rng, 2) ? 32 : 64;
        return *from == 32 ? SORT_F32 : SORT_F64;
    case OP_F2BITS:
        return *from == SORT_F32 ? 32 : 64;
    default:
        return other;
    }
}

static struct prim random_prim(struct rng *rng, enum op op) {
    const struct op_info *info = &op_table[op];
    struct prim p = {.op = op};
    sort_t shared = SORT_NONE;
    for (int i = 1; i <= info->arity; i++) {
        char kind = info->args[i - 1];
        if (kind != 'b' && shared == SORT_NONE)
            shared = random_sort(rng, kind);
        p.sort[i] = kind == 'b' ? SORT_BOOL : shared;
    }
    p.sort[0] = info->result == 'b' ? SORT_BOOL : p.sort[info->arity];
    if (info->result == 'p')
        p.sort[0] = cast_target(rng, op, &p.sort[1]);
    for (int i = 0; i <= info->arity; i++)
        p.is_signed[i] = sort_is_int(p.sort[i]) && rng_below(rng, 2);
    return p;
}

static void test_every_operator_in_every_sort(void) {
    const char *text = getenv("GK_ROUNDS");
    int rounds = text ? (int)strtol(text, NULL, 10) : 200;
    struct rng rng;
    rng_init(&rng, text ? (uint64_t)rounds : 4);
    for (enum op op = OP_NOT; op < OP_SIN; op++)
        for (int i = 0; i < rounds && op != OP_TABLE; i++) {
            struct prim p = random_prim(&rng, op);
            check(&p, 20, &rng);
        }
}

static void test_transcendental_functions(void) {
    const char *text = getenv("GK_ROUNDS");
    int rounds = text ? (int)strtol(text, NULL, 10) : 50;
    struct rng rng;
    rng_init(&rng, text ? (uint64_t)rounds : 6);
    for (enum op op = OP_SIN; op <= OP_HYPOT; op++)
        for (int i = 0; i < rounds; i++) {
            struct prim p = random_prim(&rng, op);
            check(&p, 10, &rng);
        }
}

static void test_tables(void) {
    struct rng rng;
    rng_init(&rng, 5);
    for (int i = 0; i < 500; i++) {
        uint64_t values[40];
        struct term_table table = {random_sort(&rng, "bif"[rng_below(&rng, 3)]),
                                   1 + rng_below(&rng, 40), values};
        for (size_t k = 0; k < table.len; k++) {
            values[k] = random_bits(&rng, table.sort);
            if (bits_are_nan(table.sort, values[k]))
                values[k] = quiet_nan(table.sort);
        }
        struct prim p = {OP_TABLE, {table.sort, random_sort(&rng, 'i')}, {false}, &table};
        p.is_signed[0] = sort_is_int(table.sort) && rng_below(&rng, 2);
        p.is_signed[1] = rng_below(&rng, 2);
        check(&p, 40, &rng);
    }
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_every_operator_in_every_sort);
    RUN_TEST(test_transcendental_functions);
    RUN_TEST(test_tables);
    return UNITY_END();
}
