/* Lemmas on slices: what of an inductive set of clauses may serve a proof on fewer cells. */
#include "engine_case.h"
#include "engines/invariant/enrich.h"
#include "model/system/derive.h"
#include "model/system/slicer.h"
#include "random_system.h"

#include <stdio.h>

static term_t flag(const char *name) {
    return term_eq(&ts, add_input(name, 1, false), term_int(&ts, 1, 1));
}

static struct bound at_most(uint32_t cell, int64_t ordinal) {
    return (struct bound){.cell = cell, .kind = BOUND_LE, .ordinal = ordinal};
}

/* With all constraints: where these contradict each other, all is true of a system, and a slice
 * without them would have runs that it has not. */
static void on_slice_of(uint32_t target, const struct invariant *inv, bool *cut, size_t *all,
                        size_t *kept, enum solver_result *plain) {
    struct slice slice;
    struct slicer slicer;
    struct invariant part;
    slicer_open(&slicer, &sys);
    slicer_make(&slicer, &slice,
                &(struct slice_wish){.targets = &target, .n_targets = 1, .all_constraints = true});
    slicer_close(&slicer);
    invariant_init(&part);
    part.k = 1;
    *cut = invariant_on_slice(&part, inv, &slice, &sys);
    *all = part.clauses.len;
    *plain = invariant_check(&slice.sys, &part, 0, NULL);
    invariant_keep_inductive(&slice.sys, &part, 1000000);
    *kept = part.clauses.len;
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, invariant_check(&slice.sys, &part, 0, NULL));
    invariant_free(&part);
    slice_free(&slice);
}

/* y <= 5 is not among the clauses; it follows from two about z, which y never reads. */
static void test_a_clause_that_rests_on_others(void) {
    term_t limited = term_ite(&ts, flag("up"), i16(5), i16(3));
    term_t y = add_cell("y", 16, true, i16(0)), x = add_cell("x", 16, true, i16(0));
    add_cell("z", 16, true, i16(0));
    sys.cells.data[0].next = limited;
    sys.cells.data[1].next = y;
    sys.cells.data[2].next = i16(0);
    uint32_t target = add_target("x", term_eq(&ts, x, i16(9)));
    struct invariant inv;
    invariant_init(&inv);
    inv.k = 1;
    invariant_add(&inv, (struct bound[]){at_most(1, 5)}, 1);
    invariant_add(&inv, (struct bound[]){bound_negate(at_most(2, 0)), at_most(0, 5)}, 2);
    invariant_add(&inv, (struct bound[]){at_most(2, 0)}, 1);
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, invariant_check(&sys, &inv, 0, NULL));
    bool cut;
    size_t all, kept;
    enum solver_result plain;
    on_slice_of(target, &inv, &cut, &all, &kept, &plain);
    TEST_ASSERT_TRUE(cut);
    TEST_ASSERT_EQUAL_INT(SOLVER_SAT, plain);
    TEST_ASSERT_EQUAL_size_t(1, all);
    TEST_ASSERT_EQUAL_size_t(0, kept);
    /* With the missing clause all of it stays. */
    invariant_add(&inv, (struct bound[]){at_most(0, 5)}, 1);
    on_slice_of(target, &inv, &cut, &all, &kept, &plain);
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, plain);
    TEST_ASSERT_EQUAL_size_t(2, kept);
    /* Too little effort: nothing may be relied on. */
    invariant_keep_inductive(&sys, &inv, 0);
    TEST_ASSERT_EQUAL_size_t(0, inv.clauses.len);
    invariant_free(&inv);
}

/* x depends on y; z has nothing to do with them. */
static void test_lemmas_beside_a_proof(void) {
    term_t y = add_cell("y", 16, true, i16(0)), x = add_cell("x", 16, true, i16(0));
    term_t z = add_cell("z", 16, true, i16(0));
    sys.cells.data[1].next = y;
    uint32_t target = add_target("x", term_eq(&ts, x, i16(9)));
    uint32_t below = system_derive(&sys, term_op2(&ts, OP_SLT, x, y), false);
    uint32_t beyond = system_derive(&sys, term_op2(&ts, OP_SLT, x, z), false);
    struct invariant inv, lemmas;
    invariant_init(&inv);
    invariant_init(&lemmas);
    inv.k = lemmas.k = 1;
    vec_push(&inv.targets, target);
    invariant_add(&inv, (struct bound[]){at_most(1, 5)}, 1);
    invariant_add(&lemmas, (struct bound[]){at_most(1, 5)}, 1); /* it has that */
    invariant_add(&lemmas, (struct bound[]){at_most(0, 7)}, 1);
    invariant_add(&lemmas, (struct bound[]){at_most(2, 7)}, 1);
    invariant_add(&lemmas, (struct bound[]){at_most(below, 0), at_most(0, 3)}, 2);
    invariant_add(&lemmas, (struct bound[]){at_most(beyond, 0), at_most(0, 3)}, 2);
    invariant_add(&lemmas,
                  (struct bound[]){{.cell = 0,
                                    .kind = BOUND_LE,
                                    .ordinal = 9,
                                    .other = 2,
                                    .factor = 1,
                                    .other_factor = 1}},
                  1);
    TEST_ASSERT_EQUAL_size_t(0, invariant_enrich(&sys, &inv, &lemmas, 1));
    TEST_ASSERT_EQUAL_size_t(1, inv.clauses.len);
    TEST_ASSERT_EQUAL_size_t(2, invariant_enrich(&sys, &inv, &lemmas, 2));
    TEST_ASSERT_TRUE(clause_same(&inv.clauses.data[1], &lemmas.clauses.data[1]));
    TEST_ASSERT_TRUE(clause_same(&inv.clauses.data[2], &lemmas.clauses.data[3]));
    invariant_impoverish(&inv, 2);
    TEST_ASSERT_EQUAL_size_t(1, inv.clauses.len);
    TEST_ASSERT_TRUE(clause_same(&inv.clauses.data[0], &lemmas.clauses.data[0]));
    invariant_free(&inv);
    invariant_free(&lemmas);
}

/* ---- random systems ---- */

static struct invariant found;

static void take(void *context, const struct fact *fact) {
    (void)context;
    if (fact->kind == FACT_LEMMA)
        for (size_t i = 0; i < fact->invariant.clauses.len; i++)
            if (!invariant_has(&found, &fact->invariant.clauses.data[i]))
                invariant_add(&found, fact->invariant.clauses.data[i].data,
                              fact->invariant.clauses.data[i].len);
}

static void collect(const char *name, uint32_t n) {
    for (uint32_t t = 0; t < n; t++) {
        struct engine_input input = {.sys = &sys, .targets = &t, .n_targets = 1, .report = take};
        input.options.knobs = knobs_default;
        const struct engine *engine = engine_find(name)->engine;
        void *state = engine->open(&input);
        for (int i = 0; i < 10 && engine->step(state, 20000) == ENGINE_MORE; i++)
            ;
        engine->close(state);
    }
}

static void test_lemmas_of_engines(void) {
    size_t slices = 0, cuts = 0, broken = 0, sum = 0, left = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct random_system r;
        random_system_make(
            &r, &(struct random_options){.seed = seed, .max_cells = 6, .floats = seed % 2});
        struct system empty = sys;
        sys = r.sys;
        invariant_init(&found);
        found.k = 1;
        collect("houdini", (uint32_t)sys.targets.len);
        collect("ic3", (uint32_t)sys.targets.len);
        for (uint32_t t = 0; t < sys.targets.len; t++) {
            bool cut;
            size_t all, kept;
            enum solver_result plain;
            on_slice_of(t, &found, &cut, &all, &kept, &plain);
            TEST_ASSERT_TRUE(cut || plain == SOLVER_UNSAT);
            TEST_ASSERT_TRUE(plain != SOLVER_UNSAT || kept == all);
            slices++;
            cuts += cut;
            broken += plain != SOLVER_UNSAT;
            sum += all;
            left += kept;
        }
        invariant_free(&found);
        sys = empty;
        random_system_free(&r);
    }
    printf("%zu slices, %zu of them cut clauses; %zu sets were not inductive; %zu of %zu clauses "
           "kept\n",
           slices, cuts, broken, left, sum);
    TEST_ASSERT_GREATER_THAN_size_t(slices / 50, cuts);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_a_clause_that_rests_on_others);
    RUN_TEST(test_lemmas_beside_a_proof);
    RUN_TEST(test_lemmas_of_engines);
    return UNITY_END();
}
