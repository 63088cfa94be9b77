/* Contractors of integers and bools, against enumeration on small widths. */
#include "contract_check.h"

void setUp(void) {
}
void tearDown(void) {
}

/* ---- the operators on bit patterns, written for clarity ---- */

static int64_t as_signed(uint64_t bits, int width) {
    return bits >> (width - 1) ? (int64_t)bits - (1 << width) : (int64_t)bits;
}

static uint64_t divide(enum op op, uint64_t x, uint64_t y, int width) {
    int64_t sx = as_signed(x, width), sy = as_signed(y, width);
    switch (op) {
    case OP_UDIV:
        return y ? x / y : ~UINT64_C(0);
    case OP_UREM:
        return y ? x % y : x;
    case OP_SDIV:
        return (uint64_t)(y ? sx / sy : sx < 0 ? 1 : -1);
    default:
        return (uint64_t)(y ? sx % sy : sx);
    }
}

static uint64_t shift(enum op op, uint64_t x, uint64_t y, int width) {
    if (op == OP_ASHR)
        return (uint64_t)(as_signed(x, width) >> (y < (uint64_t)width ? y : (uint64_t)width - 1));
    if (y >= (uint64_t)width)
        return 0;
    return op == OP_SHL ? x << y : x >> y;
}

static uint64_t reference(const struct prim *p, const uint64_t *v) {
    int width = p->sort[1] == SORT_BOOL ? 1 : p->sort[1];
    uint64_t x = v[0], y = v[1];
    switch (p->op) {
    case OP_NOT:
        return !x;
    case OP_AND:
    case OP_BAND:
        return x & y;
    case OP_OR:
    case OP_BOR:
        return x | y;
    case OP_XOR:
    case OP_BXOR:
        return x ^ y;
    case OP_ITE:
        return x ? y : v[2];
    case OP_EQ:
        return x == y;
    case OP_ADD:
        return x + y;
    case OP_SUB:
        return x - y;
    case OP_MUL:
        return x * y;
    case OP_UDIV:
    case OP_UREM:
    case OP_SDIV:
    case OP_SREM:
        return divide(p->op, x, y, width);
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
        return shift(p->op, x, y, width);
    case OP_ULT:
        return x < y;
    case OP_ULE:
        return x <= y;
    case OP_SLT:
        return as_signed(x, width) < as_signed(y, width);
    case OP_SLE:
        return as_signed(x, width) <= as_signed(y, width);
    case OP_ZEXT:
    case OP_TRUNC:
    case OP_B2I:
        return x;
    case OP_SEXT:
        return (uint64_t)as_signed(x, width);
    default:
        TEST_FAIL_MESSAGE("no such operator");
        return 0;
    }
}

/* ---- relations ---- */

static struct range by_contract(const struct relation *rel, const struct range r[4], int which) {
    struct range out;
    bool narrower = contract(&rel->prim, r, which, &out);
    TEST_ASSERT_EQUAL_INT(!range_same(out, r[which]), narrower);
    return out;
}

static void relation_init(struct relation *rel, struct prim p, int arity) {
    *rel = (struct relation){.arity = arity, .contract = by_contract, .prim = p};
    int at = snprintf(rel->name, sizeof rel->name, "op %d", (int)p.op);
    for (int i = 0; i <= arity; i++) {
        rel->of[i] = (struct universe){(int)ordinal_min(p.sort[i], p.is_signed[i]),
                                       (int)ordinal_max(p.sort[i], p.is_signed[i]), false};
        at += snprintf(rel->name + at, sizeof rel->name - (size_t)at, " %c%d",
                       p.is_signed[i] ? 's' : 'u', p.sort[i]);
    }
    rel->result = mem_zalloc(relation_size(rel), sizeof(int));
    int n[4] = {1, 1, 1, 1};
    for (int i = 1; i <= arity; i++)
        n[i] = universe_size(rel->of[i]);
    for (int a = 0; a < n[1]; a++)
        for (int b = 0; b < n[2]; b++)
            for (int c = 0; c < n[3]; c++) {
                int at_index[3] = {a, b, c};
                uint64_t v[3] = {0};
                for (int i = 1; i <= arity; i++)
                    v[i - 1] = ordinal_bits(p.sort[i], p.is_signed[i],
                                            universe_value(rel->of[i], at_index[i - 1]));
                uint64_t bits = reference(&p, v);
                if (sort_is_int(p.sort[0]))
                    bits &= UINT64_MAX >> (64 - p.sort[0]);
                rel->result[((size_t)a * (size_t)n[2] + (size_t)b) * (size_t)n[3] + (size_t)c] =
                    (int)ordinal_of(p.sort[0], p.is_signed[0], bits);
            }
}

/* All triples of ranges of a narrow width. */
static void check_all(const struct relation *rel, bool must, struct tightness *tight) {
    struct range r[4] = {{0}};
    struct universe u[4] = {rel->of[0], rel->of[1], {0, 0, false}, {0, 0, false}};
    if (rel->arity > 1)
        u[2] = rel->of[2];
    for (int a = u[0].lo; a <= u[0].hi; a++)
        for (int b = a; b <= u[0].hi; b++)
            for (int c = u[1].lo; c <= u[1].hi; c++)
                for (int d = c; d <= u[1].hi; d++)
                    for (int e = u[2].lo; e <= u[2].hi; e++)
                        for (int f = e; f <= u[2].hi; f++) {
                            r[0] = range_between(a, b);
                            r[1] = range_between(c, d);
                            r[2] = range_between(e, f);
                            relation_check(rel, r, must, tight);
                        }
}

static void check_random(const struct relation *rel, int rounds, bool must, struct rng *rng,
                         struct tightness *tight) {
    struct range r[4] = {{0}};
    for (int i = 0; i < rounds; i++) {
        relation_random(rel, rel->arity, r, rng);
        relation_check(rel, r, must, tight);
        relation_check_monotone(rel, r, rng);
    }
}

/* One row an operator: sorts of 0 are the width under test, `must` demands exact hulls. */
struct row {
    enum op op;
    int arity;
    sort_t sort[4];
    bool must;
    int exact; /* operands whose hulls relation_check_forward() and _back() demand: 1, 2, 4 */
};

static const struct row rows[] = {
    {OP_NOT, 1, {SORT_BOOL, SORT_BOOL}, true, 0},
    {OP_AND, 2, {SORT_BOOL, SORT_BOOL, SORT_BOOL}, true, 0},
    {OP_OR, 2, {SORT_BOOL, SORT_BOOL, SORT_BOOL}, true, 0},
    {OP_XOR, 2, {SORT_BOOL, SORT_BOOL, SORT_BOOL}, true, 0},
    {OP_EQ, 2, {SORT_BOOL}, true, 7},
    {OP_EQ, 2, {SORT_BOOL, SORT_BOOL, SORT_BOOL}, true, 0},
    {OP_ULT, 2, {SORT_BOOL}, true, 7},
    {OP_ULE, 2, {SORT_BOOL}, true, 7},
    {OP_SLT, 2, {SORT_BOOL}, true, 7},
    {OP_SLE, 2, {SORT_BOOL}, true, 7},
    {OP_ADD, 2, {0}, true, 7},
    {OP_SUB, 2, {0}, true, 7},
    {OP_MUL, 2, {0}, false, 6},
    {OP_UDIV, 2, {0}, false, 6},
    {OP_SDIV, 2, {0}, false, 6},
    {OP_UREM, 2, {0}, false, 2},
    {OP_SREM, 2, {0}, false, 2},
    {OP_SHL, 2, {0}, true, 7},
    {OP_LSHR, 2, {0}, true, 7},
    {OP_ASHR, 2, {0}, true, 7},
    {OP_BAND, 2, {0}, true, 7},
    {OP_BOR, 2, {0}, true, 7},
    {OP_BXOR, 2, {0}, true, 7},
    {OP_ITE, 3, {0, SORT_BOOL}, true, 0},
};

static void run_row(const struct row *row, int width, int rounds, struct rng *rng) {
    struct tightness tight = {0, 0};
    for (int views = 0; views < 2 << row->arity; views++) {
        struct prim p = {.op = row->op};
        bool skip = false;
        for (int i = 0; i <= row->arity; i++) {
            p.sort[i] = row->sort[i] ? row->sort[i] : (sort_t)width;
            p.is_signed[i] = views >> i & 1;
            skip |= p.sort[i] == SORT_BOOL && p.is_signed[i];
        }
        if (skip)
            continue;
        struct relation rel;
        relation_init(&rel, p, row->arity);
        if (rounds == 0)
            check_all(&rel, row->must, &tight);
        else
            check_random(&rel, rounds, row->must, rng, &tight);
        mem_free(rel.result);
    }
    if (tight.exact != tight.total)
        printf("op %d width %d: %.2f%% of bounds are attained\n", (int)row->op, width,
               100.0 * (double)tight.exact / (double)tight.total);
}

static void test_all_ranges_of_narrow_integers(void) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].arity < 3)
            run_row(&rows[i], 3, 0, NULL);
}

static void test_random_ranges_of_6_bit_integers(void) {
    struct rng rng;
    rng_init(&rng, 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        run_row(&rows[i], rows[i].arity < 3 ? 6 : 3, 1000, &rng);
}

/* All ranges of both arguments for the result, all ranges of the result and all values of the
 * other argument for an argument; 6 bits unsigned, 5 bits signed. */
static void test_all_ranges_of_6_bit_integers(void) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        if (row->arity != 2 || row->sort[1] == SORT_BOOL)
            continue;
        for (int is_signed = 0; is_signed < 2; is_signed++) {
            struct prim p = {.op = row->op};
            struct relation rel;
            for (int k = 0; k <= 2; k++) {
                p.sort[k] = row->sort[k] ? row->sort[k] : is_signed ? 5 : 6;
                p.is_signed[k] = is_signed && p.sort[k] != SORT_BOOL;
            }
            relation_init(&rel, p, 2);
            bool dear = !is_signed && OP_BAND <= row->op && row->op <= OP_BXOR;
            if (row->exact & 1 && !dear)
                relation_check_forward(&rel);
            for (int which = 1; which <= 2; which++)
                if (row->exact & 1 << which)
                    relation_check_back(&rel, which);
            mem_free(rel.result);
        }
    }
}

static void run_cast(enum op op, sort_t to, sort_t from, struct rng *rng) {
    struct row row = {op, 1, {to, from}, true, 0};
    run_row(&row, 0, 0, rng);
    run_row(&row, 0, 500, rng);
}

static void test_casts_between_widths(void) {
    struct rng rng;
    rng_init(&rng, 2);
    for (sort_t narrow = 1; narrow <= 5; narrow++)
        for (sort_t wide = narrow; wide <= 6; wide++) {
            run_cast(OP_ZEXT, wide, narrow, &rng);
            run_cast(OP_SEXT, wide, narrow, &rng);
            run_cast(OP_TRUNC, narrow, wide, &rng);
            run_cast(OP_B2I, wide, SORT_BOOL, &rng);
        }
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_all_ranges_of_narrow_integers);
    RUN_TEST(test_random_ranges_of_6_bit_integers);
    RUN_TEST(test_all_ranges_of_6_bit_integers);
    RUN_TEST(test_casts_between_widths);
    return UNITY_END();
}
