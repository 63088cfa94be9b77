/* Contractors of float arithmetic, through their template, on formats that can be enumerated:
 * 1 sign, 4 exponent and 3 fraction bits, 1-3-2, and 1-2-1. */
#include "model/contract/parts.h"

#include "contract_check.h"
#include "tiny_float.h"

void setUp(void) {
}
void tearDown(void) {
}

#define FORMAT_8 ((struct format){4, 3})
#define FORMAT_6 ((struct format){3, 2})
#define FORMAT_4 ((struct format){2, 1})

#define F(name) mini8_##name
#define F_T double
#define F_FRACTION 3
#define F_INF INT64_C(0x78)
#define F_OF(o) tiny_of(FORMAT_8, (o))
#define F_ORD(v) tiny_ordinal(FORMAT_8, (v))
#define F_ADD(a, b) tiny_round(FORMAT_8, (a) + (b))
#define F_MUL(a, b) tiny_round(FORMAT_8, (a) * (b))
#define F_DIV(a, b) tiny_round(FORMAT_8, (a) / (b))
#define F_FMA(a, b, c) tiny_round(FORMAT_8, fma((a), (b), (c)))
#define F_MOD(a, b) fmod((a), (b))
#define F_REM(a, b) remainder((a), (b))
#define F_SQRT(a) tiny_round(FORMAT_8, sqrt(a))
#define F_FLOOR(a) tiny_round(FORMAT_8, floor(a))
#define F_CEIL(a) tiny_round(FORMAT_8, ceil(a))
#define F_TRUNC(a) tiny_round(FORMAT_8, trunc(a))
#define F_ROUND(a) tiny_round(FORMAT_8, round(a))
#define F_RINT(a) tiny_round(FORMAT_8, rint(a))
#include "model/contract/float.inc"

#define F(name) mini6_##name
#define F_T double
#define F_FRACTION 2
#define F_INF INT64_C(0x1c)
#define F_OF(o) tiny_of(FORMAT_6, (o))
#define F_ORD(v) tiny_ordinal(FORMAT_6, (v))
#define F_ADD(a, b) tiny_round(FORMAT_6, (a) + (b))
#define F_MUL(a, b) tiny_round(FORMAT_6, (a) * (b))
#define F_DIV(a, b) tiny_round(FORMAT_6, (a) / (b))
#define F_FMA(a, b, c) tiny_round(FORMAT_6, fma((a), (b), (c)))
#define F_MOD(a, b) fmod((a), (b))
#define F_REM(a, b) remainder((a), (b))
#define F_SQRT(a) tiny_round(FORMAT_6, sqrt(a))
#define F_FLOOR(a) tiny_round(FORMAT_6, floor(a))
#define F_CEIL(a) tiny_round(FORMAT_6, ceil(a))
#define F_TRUNC(a) tiny_round(FORMAT_6, trunc(a))
#define F_ROUND(a) tiny_round(FORMAT_6, round(a))
#define F_RINT(a) tiny_round(FORMAT_6, rint(a))
#include "model/contract/float.inc"

#define F(name) mini4_##name
#define F_T double
#define F_FRACTION 1
#define F_INF INT64_C(0x06)
#define F_OF(o) tiny_of(FORMAT_4, (o))
#define F_ORD(v) tiny_ordinal(FORMAT_4, (v))
#define F_ADD(a, b) tiny_round(FORMAT_4, (a) + (b))
#define F_MUL(a, b) tiny_round(FORMAT_4, (a) * (b))
#define F_DIV(a, b) tiny_round(FORMAT_4, (a) / (b))
#define F_FMA(a, b, c) tiny_round(FORMAT_4, fma((a), (b), (c)))
#define F_MOD(a, b) fmod((a), (b))
#define F_REM(a, b) remainder((a), (b))
#define F_SQRT(a) tiny_round(FORMAT_4, sqrt(a))
#define F_FLOOR(a) tiny_round(FORMAT_4, floor(a))
#define F_CEIL(a) tiny_round(FORMAT_4, ceil(a))
#define F_TRUNC(a) tiny_round(FORMAT_4, trunc(a))
#define F_ROUND(a) tiny_round(FORMAT_4, round(a))
#define F_RINT(a) tiny_round(FORMAT_4, rint(a))
#include "model/contract/float.inc"

static double reference(struct format f, enum op op, const double *v) {
    switch (op) {
    case OP_FADD:
        return tiny_round(f, v[0] + v[1]);
    case OP_FSUB:
        return tiny_round(f, v[0] - v[1]);
    case OP_FMUL:
        return tiny_round(f, v[0] * v[1]);
    case OP_FDIV:
        return tiny_round(f, v[0] / v[1]);
    case OP_FMA:
        return tiny_round(f, fma(v[0], v[1], v[2]));
    case OP_FMOD:
        return fmod(v[0], v[1]);
    case OP_FREM:
        return remainder(v[0], v[1]);
    case OP_FSQRT:
        return tiny_round(f, sqrt(v[0]));
    case OP_FFLOOR:
        return tiny_round(f, floor(v[0]));
    case OP_FCEIL:
        return tiny_round(f, ceil(v[0]));
    case OP_FTRUNC:
        return tiny_round(f, trunc(v[0]));
    case OP_FROUND:
        return tiny_round(f, round(v[0]));
    case OP_FRINT:
        return tiny_round(f, rint(v[0]));
    default:
        TEST_FAIL_MESSAGE("no such operator");
        return 0;
    }
}

static struct range by_template(const struct relation *rel, const struct range r[4], int which) {
    int inf = rel->of[0].hi;
    struct range out = inf == 0x78   ? mini8_contract(rel->prim.op, r, which)
                       : inf == 0x1c ? mini6_contract(rel->prim.op, r, which)
                                     : mini4_contract(rel->prim.op, r, which);
    return range_meet(r[which], out);
}

static void relation_init(struct relation *rel, struct format f, enum op op, int arity) {
    int inf = (int)tiny_inf(f);
    *rel = (struct relation){.arity = arity, .contract = by_template, .prim = {.op = op}};
    snprintf(rel->name, sizeof rel->name, "op %d fraction %d", (int)op, f.fraction_bits);
    for (int i = 0; i <= arity; i++)
        rel->of[i] = (struct universe){~inf, inf, true};
    size_t n = (size_t)universe_size(rel->of[0]), total = relation_size(rel);
    rel->result = mem_zalloc(total, sizeof(int));
    for (size_t i = 0; i < total; i++) {
        double v[3] = {0};
        size_t rest = i;
        for (int k = arity; k >= 1; k--, rest /= n) {
            int value = universe_value(rel->of[k], (int)(rest % n));
            v[k - 1] = value == VALUE_NAN ? NAN : tiny_of(f, value);
        }
        double z = reference(f, op, v);
        rel->result[i] = isnan(z) ? VALUE_NAN : (int)tiny_ordinal(f, z);
    }
}

/* When the other argument is a point the bounds of an argument must be attained; those of the
 * result always. */
static void check(const struct relation *rel, const struct range r[4], bool exact,
                  struct tightness *tight) {
    struct range hull[4];
    relation_hull(rel, r, hull);
    bool point[4] = {true, true, true, true};
    for (int i = 1; i <= rel->arity; i++)
        point[i] = range_is_point(r[i]);
    for (int which = 0; which <= rel->arity; which++) {
        struct range got = rel->contract(rel, r, which);
        if (!range_inside(got, r[which]) || !range_inside(hull[which], got))
            relation_fail(rel, r, which, got, hull[which], "is unsound");
        bool same = range_same(got, hull[which]), must = exact;
        for (int i = 1; i <= rel->arity; i++)
            must &= which == 0 ? r[0].lo == rel->of[0].lo && r[0].hi == rel->of[0].hi && r[0].num
                               : i == which || point[i];
        if (must && !same)
            relation_fail(rel, r, which, got, hull[which], "is not tight");
        tight->exact += same;
        tight->total++;
    }
}

struct row {
    enum op op;
    int arity;
    bool exact; /* as check() demands */
};
static const struct row rows[] = {
    {OP_FADD, 2, true},   {OP_FSUB, 2, true},  {OP_FMUL, 2, true},   {OP_FDIV, 2, true},
    {OP_FMOD, 2, false},  {OP_FREM, 2, false}, {OP_FMA, 3, false},   {OP_FSQRT, 1, true},
    {OP_FFLOOR, 1, true}, {OP_FCEIL, 1, true}, {OP_FTRUNC, 1, true}, {OP_FROUND, 1, true},
    {OP_FRINT, 1, true},
};

static void run_random(struct format f, int rounds) {
    struct rng rng;
    rng_init(&rng, 3);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tightness tight = {0, 0};
        int n = rows[i].arity == 3 ? rounds / 100 : rounds;
        struct relation rel;
        if (rows[i].arity == 3 && f.fraction_bits > 2)
            continue;
        struct range r[4] = {{0}};
        relation_init(&rel, f, rows[i].op, rows[i].arity);
        for (int k = 0; k < n; k++) {
            relation_random(&rel, rel.arity, r, &rng);
            check(&rel, r, rows[i].exact, &tight);
            relation_check_monotone(&rel, r, &rng);
        }
        mem_free(rel.result);
        printf("%s: %.2f%% of bounds are attained\n", rel.name,
               100.0 * (double)tight.exact / (double)tight.total);
    }
}

static void test_random_ranges_of_8_bit_floats(void) {
    run_random(FORMAT_8, 5000);
}

static void test_random_ranges_of_6_bit_floats(void) {
    run_random(FORMAT_6, 15000);
}

/* All ranges of both arguments on 6 bits; all ranges of the result and all values of the other
 * argument on 8. */
static void test_all_ranges(void) {
    static const enum op ops[] = {OP_FADD, OP_FSUB, OP_FMUL, OP_FDIV};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        struct relation rel;
        relation_init(&rel, FORMAT_6, ops[i], 2);
        relation_check_forward(&rel);
        mem_free(rel.result);
        relation_init(&rel, FORMAT_8, ops[i], 2);
        relation_check_back(&rel, 1);
        relation_check_back(&rel, 2);
        mem_free(rel.result);
    }
}

/* The n-th range of a universe: numbers and NaN, or one of them. False: there is no such range. */
static bool nth_range(struct universe u, int n, struct range *r) {
    int size = u.hi - u.lo + 1, lo = n / 2 % size, hi = n / 2 / size;
    *r = range_between(u.lo + lo, u.lo + hi);
    r->nan = n & 1;
    return !range_is_empty(*r) && (r->num || (lo == size - 1 && hi == 0)); /* only NaN: once */
}

static int range_count(struct universe u) {
    int size = u.hi - u.lo + 1;
    return 2 * size * size;
}

/* Every range of the result with every range of each argument, NaN included; in the second
 * argument NaN comes in one of them only. */
static void check_all_ranges(const struct relation *rel, bool exact, struct tightness *tight) {
    int nz = range_count(rel->of[0]), nx = range_count(rel->of[1]);
    int ny = rel->arity > 1 ? range_count(rel->of[2]) : 1;
    struct range r[4] = {{0}};
    for (int z = 0; z < nz; z++)
        for (int x = 0; x < nx; x++)
            for (int y = 0; y < ny; y += y + 2 < ny ? 2 : 1)
                if (nth_range(rel->of[0], z, &r[0]) && nth_range(rel->of[1], x, &r[1]) &&
                    (rel->arity < 2 || nth_range(rel->of[2], y, &r[2])))
                    check(rel, r, exact, tight);
}

static void test_everything_of_4_bit_floats(void) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tightness tight = {0, 0};
        struct relation rel;
        if (rows[i].arity == 3 || rows[i].op == OP_FSUB) /* FSUB is FADD, mirrored */
            continue;
        relation_init(&rel, FORMAT_4, rows[i].op, rows[i].arity);
        check_all_ranges(&rel, rows[i].exact, &tight);
        mem_free(rel.result);
        printf("%s: %.2f%% of %llu bounds are attained\n", rel.name,
               100.0 * (double)tight.exact / (double)tight.total, (unsigned long long)tight.total);
    }
}

static void test_tiny_formats_round_trip(void) {
    for (int64_t o = ~tiny_inf(FORMAT_8); o <= tiny_inf(FORMAT_8); o++) {
        double v = tiny_of(FORMAT_8, o);
        TEST_ASSERT_EQUAL_INT64(o, tiny_ordinal(FORMAT_8, v));
        TEST_ASSERT_EQUAL_INT64(o, tiny_ordinal(FORMAT_8, tiny_round(FORMAT_8, v)));
    }
    TEST_ASSERT_EQUAL_DOUBLE(240, tiny_of(FORMAT_8, tiny_inf(FORMAT_8) - 1));
    TEST_ASSERT_EQUAL_DOUBLE(1.25, tiny_round(FORMAT_8, 1.1875 + 1e-9));
    TEST_ASSERT_EQUAL_DOUBLE(1.0, tiny_round(FORMAT_8, 1.0625));
    TEST_ASSERT_EQUAL_DOUBLE(INFINITY, tiny_round(FORMAT_8, 248));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_tiny_formats_round_trip);
    RUN_TEST(test_all_ranges);
    RUN_TEST(test_everything_of_4_bit_floats);
    RUN_TEST(test_random_ranges_of_6_bit_floats);
    RUN_TEST(test_random_ranges_of_8_bit_floats);
    return UNITY_END();
}
