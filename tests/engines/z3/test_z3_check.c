/* Z3 as a checker: each operator is translated to what evaluation computes, and its answers on
 * random systems and invariants are those of our solver and of exhaustive search. */
#include "engines/z3/check.h"
#include "engines/z3/translate.h"

#include "base/rng.h"
#include "engines/invariant/trim.h"
#include "engines/query/query.h"
#include "explicit.h"
#include "share.h"
#include "model/system/derive.h"
#include "model/term/eval.h"

#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EFFORT = 5000000, VALUES = 24 / SHARE, SYSTEMS = 45 / SHARE, INVARIANTS = 12 };

void setUp(void) {
}
void tearDown(void) {
}

/* ---- operators ---- */

static uint64_t some_bits(struct rng *rng, sort_t sort) {
    static const double corners[] = {0.0,    -0.0, 1.0, -1.5,         INFINITY, -INFINITY, NAN,
                                     1e-320, 2.5,  0.5, 2147483648.0, -129.0,   255.75,    1e-45};
    uint64_t mask = ~0ull >> (64 - sort_width(sort));
    if (sort_is_float(sort) && rng_below(rng, 4)) {
        double v = corners[rng_below(rng, 14)] * (rng_below(rng, 3) ? 1 : 3);
        uint64_t bits = sort == SORT_F32 ? f32_bits((float)v) : f64_bits(v);
        return bits_are_nan(sort, bits) ? some_bits(rng, sort) & mask : bits;
    }
    uint64_t small = rng_below(rng, 5);
    uint64_t values[] = {small, 0 - small, mask / 2 + small, rng_next(rng)};
    uint64_t bits = values[rng_below(rng, 4)] & mask;
    return bits_are_nan(sort, bits) ? 0 : bits;
}

static uint64_t canonical_nan(sort_t sort) {
    return sort == SORT_F32 ? 0x7fc00000u : 0x7ff8000000000000u;
}

/* Over constants Z3 computes what evaluation does, unless it was told of an unknown. */
static void check_value(struct terms *ts, term_t t, const term_t *vars, const uint64_t *bits,
                        int n) {
    struct z3_translation z;
    uint64_t *values = calloc(ts->nodes.len, sizeof *values);
    term_eval(ts, &t, 1, bits, values);
    z3_translation_init(&z, ts);
    struct z3_frame *frame = z3_frame_new(&z);
    for (int i = 0; i < n; i++)
        z3_frame_bind(&z, frame, vars[i], z3_value(&z, term_sort(ts, vars[i]), bits[i]));
    z3_encode(&z, frame, &t, 1);
    Z3_ast expected = z3_value(&z, term_sort(ts, t), values[t]);
    Z3_ast equal = Z3_simplify(z.context, Z3_mk_eq(z.context, z3_encoded(frame, t), expected));
    Z3_lbool said = Z3_get_bool_value(z.context, equal);
    const char *shown = Z3_ast_to_string(z.context, equal);
    if (said != Z3_L_TRUE && !(z.approximated && said == Z3_L_UNDEF))
        printf("%s of sort %s: %#llx %#llx %#llx -> %#llx: %.200s\n",
               op_table[term_get(ts, t)->op].name, sort_name(term_sort(ts, t)),
               (unsigned long long)bits[0], (unsigned long long)bits[1],
               (unsigned long long)bits[2], (unsigned long long)values[t], shown);
    TEST_ASSERT_TRUE(said == Z3_L_TRUE || (z.approximated && said == Z3_L_UNDEF));
    TEST_ASSERT_EQUAL(Z3_OK, Z3_get_error_code(z.context));
    z3_translation_free(&z);
    free(values);
}

static sort_t argument_sort(char letter, sort_t sort) {
    return letter == 'b' ? SORT_BOOL : sort;
}

static bool fits(char letter, sort_t sort) {
    return letter == 'x' || letter == 'b' || (letter == 'f') == sort_is_float(sort);
}

/* Sorts that a cast of this argument can have. */
static bool can_give(enum op op, sort_t from, sort_t to) {
    bool ints = sort_is_int(from) && sort_is_int(to);
    switch (op) {
    case OP_ZEXT:
    case OP_SEXT:
        return ints && to > from;
    case OP_TRUNC:
        return ints && to < from;
    case OP_B2I:
        return sort_is_int(to);
    case OP_F2F:
    case OP_F2FZ:
    case OP_F2FA:
    case OP_F2FN:
        return sort_is_float(to) && to != from;
    case OP_S2F:
    case OP_U2F:
        return sort_is_float(to);
    case OP_F2S:
    case OP_F2U:
        return sort_is_int(to);
    case OP_BITS2F:
        return sort_is_float(to) && sort_width(to) == from;
    case OP_F2BITS:
        return sort_is_int(to) && sort_width(from) == to;
    default:
        return false;
    }
}

static void check_op(enum op op, sort_t sort, sort_t to, struct rng *rng) {
    const struct op_info *info = &op_table[op];
    struct terms ts;
    term_t vars[3] = {0};
    uint64_t bits[3] = {0};
    terms_init(&ts);
    for (int i = 0; i < info->arity; i++)
        vars[i] = term_var(&ts, "v", argument_sort(info->args[i], sort), false);
    term_t t = to                 ? term_cast(&ts, op, to, vars[0])
               : info->arity == 1 ? term_op1(&ts, op, vars[0])
               : info->arity == 2 ? term_op2(&ts, op, vars[0], vars[1])
                                  : term_op3(&ts, op, vars[0], vars[1], vars[2]);
    for (int k = 0; k < VALUES; k++) {
        for (int i = 0; i < info->arity; i++) {
            sort_t s = term_sort(&ts, vars[i]);
            bits[i] = some_bits(rng, s);
            if (sort_is_float(s) && rng_below(rng, 8) == 0)
                bits[i] = canonical_nan(s);
            if (i == 1 && rng_below(rng, 4) == 0 && term_sort(&ts, vars[0]) == s)
                bits[1] = bits[0];
        }
        check_value(&ts, t, vars, bits, info->arity);
    }
    terms_free(&ts);
}

static void test_operators(void) {
    static const sort_t sorts[] = {SORT_BOOL, 1, 3, 8, 16, 32, 64, SORT_F32, SORT_F64};
    enum { SORTS = sizeof sorts / sizeof *sorts };
    struct rng rng;
    rng_init(&rng, 3);
    for (int op = OP_NOT; op < OP_COUNT; op++) {
        const struct op_info *info = &op_table[op];
        if (op == OP_TABLE || op >= OP_NADD) /* unbounded: tests/model/test_number.c */
            continue;
        for (int s = 0; s < SORTS; s++) {
            char last = info->args[info->arity - 1];
            bool lone = last == 'b' && sorts[s] != SORT_BOOL;
            if (!fits(last, sorts[s]) || lone ||
                (last != 'b' && last != 'x' && sorts[s] == SORT_BOOL))
                continue;
            if (info->result != 'p')
                check_op((enum op)op, sorts[s], 0, &rng);
            for (int to = 0; info->result == 'p' && to < SORTS; to++)
                if (can_give((enum op)op, sorts[s], sorts[to]))
                    check_op((enum op)op, sorts[s], sorts[to], &rng);
        }
    }
}

static void test_tables(void) {
    static const uint64_t values[] = {5, 9, 200, 7, 0, 255, 3};
    struct rng rng;
    rng_init(&rng, 5);
    for (sort_t sort = 2; sort <= 64; sort += sort < 8 ? 1 : 28) {
        struct terms ts;
        terms_init(&ts);
        term_t x = term_var(&ts, "x", sort, false);
        term_t t = term_table_at(&ts, term_add_table(&ts, 8, values, 7), x);
        for (int k = 0; k < VALUES; k++) {
            uint64_t bits[3] = {rng_below(&rng, 2) ? rng_below(&rng, 8) & ((1u << sort % 32) - 1)
                                                   : some_bits(&rng, sort)};
            bits[0] &= ~0ull >> (64 - sort);
            check_value(&ts, t, &x, bits, 1);
        }
        terms_free(&ts);
    }
}

/* ---- invariants ---- */

static struct bound some_bound(const struct random_system *r, struct rng *rng,
                               const struct explicit_result *seen) {
    struct bound b = {.cell = (uint32_t)rng_below(rng, r->sys.cells.len)};
    const struct term_var *var =
        &r->terms.vars.data[term_get(&r->terms, r->sys.cells.data[b.cell].var)->payload];
    size_t state = rng_below(rng, seen->states);
    b.kind = (uint8_t)rng_below(rng, 2);
    b.ordinal =
        ordinal_of(var->sort, var->is_signed, seen->cells.data[state * r->sys.cells.len + b.cell]);
    b.ordinal += (int64_t)rng_below(rng, 3) - 1;
    if (sort_is_float(var->sort) && rng_below(rng, 4) == 0)
        b.kind = (uint8_t)(2 + rng_below(rng, 2));
    return b;
}

/* Bounds of what is reached: often inductive; else anything. */
static void some_invariant(const struct random_system *r, struct rng *rng,
                           const struct explicit_result *seen, struct invariant *inv) {
    invariant_init(inv);
    for (size_t i = rng_below(rng, 4); i-- > 0;) {
        struct bound bounds[2] = {some_bound(r, rng, seen), some_bound(r, rng, seen)};
        struct clause c = {bounds, 1 + rng_below(rng, 2), 2};
        bool holds = true;
        for (size_t s = 0; s < seen->states && rng_below(rng, 50); s++)
            holds = holds && clause_holds(&c, &r->sys, seen->cells.data + s * r->sys.cells.len);
        if (holds)
            invariant_add(inv, c.data, c.len);
    }
    vec_push(&inv->targets, (uint32_t)rng_below(rng, r->sys.targets.len));
    inv->k = 1 + (uint32_t)rng_below(rng, 3);
}

/* Our solver takes a bound on what may be a NaN for unknown, where Z3 knows: it may confirm less.
 */
static void compare(const struct random_system *r, const struct invariant *inv,
                    const struct explicit_result *seen, int *confirmed, int *refuted) {
    struct str what = {0};
    enum solver_result ours = invariant_check(&r->sys, inv, 0, &what);
    struct z3_said z3 = z3_check(&r->sys, inv, EFFORT);
    bool more = z3.floats && ours == SOLVER_SAT;
    TEST_ASSERT_NOT_EQUAL(SOLVER_UNKNOWN, ours);
    TEST_ASSERT_TRUE(z3.answer != Z3_UNDECIDED || z3.floats); /* signs of NaNs, and the like */
    if (!more && z3.answer != Z3_UNDECIDED)
        TEST_ASSERT_EQUAL_MESSAGE(ours == SOLVER_UNSAT ? Z3_CONFIRMS : Z3_REFUTES, z3.answer,
                                  z3.obligation ? z3.obligation : str_text(&what));
    if (z3.answer == Z3_CONFIRMS && seen->complete)
        TEST_ASSERT_EQUAL_UINT32(NONE, seen->depth.data[inv->targets.data[0]]);
    if (z3.answer == Z3_REFUTES && !more)
        TEST_ASSERT_EQUAL_STRING(str_text(&what), z3.obligation);
    *confirmed += z3.answer == Z3_CONFIRMS;
    *refuted += z3.answer == Z3_REFUTES;
    str_free(&what);
}

/* One cell compared with another of its sort, or the negation of a Boolean one. */
static void derive_one(struct system *sys, struct rng *rng) {
    struct terms *ts = sys->terms;
    term_t x = sys->cells.data[rng_below(rng, sys->cells.len)].var;
    term_t y = sys->cells.data[rng_below(rng, sys->cells.len)].var;
    sort_t sort = term_sort(ts, x);
    if (term_sort(ts, y) != sort || x == y)
        y = term_const(ts, sort, sort_is_float(sort) ? 0 : 1);
    term_t is = sort == SORT_BOOL     ? term_not(ts, x)
                : sort_is_float(sort) ? term_op2(ts, OP_FLE, y, x)
                                      : term_op2(ts, OP_ULT, x, y);
    if (system_can_derive(sys, is))
        system_derive(sys, is, false);
}

static void test_random_systems(void) {
    int confirmed = 0, refuted = 0, derived = 0;
    struct rng rng;
    rng_init(&rng, 11);
    for (uint64_t seed = 0; seed < SYSTEMS; seed++) {
        struct random_system r;
        struct explicit_result seen;
        random_system_make(&r, &(struct random_options){.seed = seed,
                                                        .floats = seed % 3 == 0,
                                                        .lone_hits = seed % 2 == 0});
        if (seed % 2)
            derive_one(&r.sys, &rng);
        derived += r.sys.cells.len > 0 && vec_last(&r.sys.cells).is != 0;
        explicit_search(&r, 20000, &seen);
        for (int i = 0; i < INVARIANTS && seen.states > 0; i++) {
            struct invariant inv;
            some_invariant(&r, &rng, &seen, &inv);
            compare(&r, &inv, &seen, &confirmed, &refuted);
            invariant_free(&inv);
        }
        explicit_free(&seen);
        random_system_free(&r);
    }
    TEST_ASSERT_GREATER_THAN_INT(SYSTEMS, confirmed);
    TEST_ASSERT_GREATER_THAN_INT(SYSTEMS, refuted);
    TEST_ASSERT_GREATER_THAN_INT(SYSTEMS / 5, derived);
}

/* Without effort there is no answer, and neither for more steps than anybody has time for. */
static void test_limits(void) {
    struct terms ts;
    struct system sys;
    struct invariant inv;
    terms_init(&ts);
    system_init(&sys, &ts);
    term_t x = term_var(&ts, "x", 32, false), y = term_var(&ts, "y", 32, false);
    term_t square = term_op2(&ts, OP_MUL, x, x);
    vec_push(&sys.cells, (struct cell){"x", x, term_int(&ts, 32, 0), y});
    vec_push(&sys.inputs, (struct sys_input){.name = "y", .var = y, .module_input = 0});
    struct target t = {.name = "t",
                       .hit =
                           term_eq(&ts, term_op2(&ts, OP_MUL, square, term_op2(&ts, OP_ADD, x, y)),
                                   term_op2(&ts, OP_ADD, term_op2(&ts, OP_MUL, y, square),
                                            term_int(&ts, 32, 1234567)))};
    vec_push(&sys.targets, t);
    invariant_init(&inv);
    vec_push(&inv.targets, 0);
    TEST_ASSERT_EQUAL(Z3_UNDECIDED, z3_check(&sys, &inv, 100).answer);
    inv.k = 1000000;
    TEST_ASSERT_EQUAL(Z3_UNDECIDED, z3_check(&sys, &inv, EFFORT).answer);
    invariant_free(&inv);
    system_free(&sys);
    terms_free(&ts);
}

/* ---- without memory ---- */

enum { ROOM = 48 << 20, CHAIN = 600000, MULTIPLIERS = 1000, SECONDS = 100 };

static size_t address_space(void) {
    size_t pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    bool read = f && fscanf(f, "%zu", &pages) == 1;
    if (f)
        fclose(f);
    return read ? pages * (size_t)sysconf(_SC_PAGESIZE) : 0;
}

static int encode_in_little_room(void) {
    struct terms ts;
    struct z3_translation z;
    terms_init(&ts);
    term_t t = term_var(&ts, "x", 64, false);
    for (int64_t i = 0; i < CHAIN; i++)
        t = term_op2(&ts, i % 2 ? OP_BXOR : OP_ADD, t, term_int(&ts, 64, i + 1));
    z3_translation_init(&z, &ts);
    struct z3_frame *frame = z3_frame_new(&z);
    rlim_t room = address_space() + ROOM;
    setrlimit(RLIMIT_AS, &(struct rlimit){room, room});
    z3_encode(&z, frame, &t, 1);
    return 0;
}

static int open_in_no_room(void) {
    struct terms ts;
    struct z3_translation z;
    terms_init(&ts);
    rlim_t room = address_space();
    setrlimit(RLIMIT_AS, &(struct rlimit){room, room});
    for (int i = 0; i < 1000; i++)
        z3_translation_init(&z, &ts);
    return 0;
}

/* Multipliers as gates: there are too many before there is anything to decide. */
static int ask_in_little_room(void) {
    struct terms ts;
    terms_init(&ts);
    struct query *q = query_open(&ts, &(struct query_options){.back_end = QUERY_Z3});
    term_t x = term_var(&ts, "x", 64, false), y = term_var(&ts, "y", 64, false), t = x;
    uint32_t f = query_frame(q);
    rlim_t room = address_space() + ROOM / 2;
    for (int64_t i = 1; i < MULTIPLIERS; i++)
        t = term_op2(&ts, OP_BXOR, term_op2(&ts, OP_MUL, t, term_op2(&ts, OP_ADD, x, y)),
                     term_int(&ts, 64, i));
    query_assert(q, f, term_op2(&ts, OP_EQ, t, term_int(&ts, 64, 0x7a5c3d9b1e4f6283)), 0);
    setrlimit(RLIMIT_AS, &(struct rlimit){room, room});
    return query_solve(q, NULL, 0, 0) == SOLVER_UNKNOWN ? 1 : 2;
}

static void expect_end_of(int (*body)(void)) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS);
        _exit(body());
    }
    TEST_ASSERT_EQUAL_INT(child, waitpid(child, &status, 0));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, WTERMSIG(status), "it was ended by a signal");
    TEST_ASSERT_EQUAL_INT(6, WEXITSTATUS(status));
}

/* What Z3 could not make for want of memory must not be asked for again without end, and a question
 * that it had no memory for is no question without an answer. */
static void test_without_memory_it_ends(void) {
#ifdef __SANITIZE_ADDRESS__
    TEST_IGNORE_MESSAGE("skipped: the sanitizer's own memory has no limit");
#endif
    expect_end_of(encode_in_little_room);
    expect_end_of(open_in_no_room);
    expect_end_of(ask_in_little_room);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_operators);
    RUN_TEST(test_tables);
    RUN_TEST(test_random_systems);
    RUN_TEST(test_limits);
    RUN_TEST(test_without_memory_it_ends);
    return UNITY_END();
}
