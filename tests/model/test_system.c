/* Systems: checks, slices, folding, stepwise execution and the explicit-state oracle. */
#include "base/mem.h"
#include "explicit.h"
#include "model/system/slicer.h"
#include "model/system/machine.h"
#include "model/system/fact.h"

#include "unity.h"

enum { SYSTEMS = 400, STEPS = 30 };

void setUp(void) {
}
void tearDown(void) {
}

/* n counts from 0 to 5 while `go`, then starts again; `mirror` does the same, `zero` stays 0. */
struct counter {
    struct terms ts;
    struct system sys;
};

static void add_cell(struct counter *c, const char *name, term_t var, term_t next) {
    sort_t sort = term_sort(&c->ts, var);
    vec_push(&c->sys.cells, (struct cell){name, var, term_int(&c->ts, sort, 0), next});
}

static void add_target(struct counter *c, const char *name, term_t hit) {
    uint32_t id = (uint32_t)c->sys.targets.len;
    vec_push(&c->sys.targets, (struct target){TARGET_GOAL, id, name, hit, 0});
}

static term_t counted(struct terms *ts, term_t n, term_t go) {
    term_t more = term_op2(ts, OP_ADD, n, term_int(ts, 8, 1));
    term_t wrapped =
        term_ite(ts, term_op2(ts, OP_ULT, n, term_int(ts, 8, 5)), more, term_int(ts, 8, 0));
    return term_ite(ts, go, wrapped, n);
}

static void make_counter(struct counter *c) {
    struct terms *ts = &c->ts;
    terms_init(ts);
    system_init(&c->sys, ts);
    c->sys.name = "counter";
    term_t go = term_var(ts, "go", SORT_BOOL, false), other = term_var(ts, "other", 8, true);
    term_t n = term_var(ts, "n", 8, false), mirror = term_var(ts, "mirror", 8, false);
    term_t zero = term_var(ts, "zero", 8, false), sum = term_var(ts, "sum", 8, true);
    vec_push(&c->sys.inputs, (struct sys_input){.name = "go", .var = go, .module_input = 0});
    vec_push(&c->sys.inputs,
             (struct sys_input){.name = "other", .var = other, .guard = go, .module_input = 1});
    add_cell(c, "n", n, counted(ts, n, go));
    add_cell(c, "mirror", mirror, counted(ts, mirror, go));
    add_cell(c, "zero", zero, term_op2(ts, OP_MUL, zero, n));
    add_cell(
        c, "sum", sum,
        term_op2(ts, OP_ADD, term_op2(ts, OP_ADD, sum, other), term_op2(ts, OP_SUB, n, mirror)));
    add_target(c, "five", term_eq(ts, n, term_int(ts, 8, 5)));
    add_target(c, "six", term_eq(ts, n, term_int(ts, 8, 6)));
    add_target(c, "sum is 7", term_eq(ts, sum, term_int(ts, 8, 7)));
    check_system(&c->sys);
}

static void free_counter(struct counter *c) {
    system_free(&c->sys);
    terms_free(&c->ts);
}

static void test_counter_runs(void) {
    struct counter c;
    make_counter(&c);
    struct trace trace;
    trace_init(&trace, &c.sys, 6);
    for (uint32_t j = 0; j < 6; j++)
        trace.values.data[j * 2] = 1;
    TEST_ASSERT_TRUE(trace_hits(&c.sys, &trace, 0));
    TEST_ASSERT_FALSE(trace_hits(&c.sys, &trace, 1));
    trace.values.data[4] = 0;
    TEST_ASSERT_FALSE(trace_hits(&c.sys, &trace, 0));
    struct input_events events = {0};
    trace_events(&c.sys, &trace, &events);
    TEST_ASSERT_EQUAL_size_t(11, events.len); /* `other` is not consumed in step 2 */
    TEST_ASSERT_EQUAL_UINT32(2, events.data[4].step);
    TEST_ASSERT_EQUAL_UINT32(0, events.data[4].input);
    TEST_ASSERT_EQUAL_UINT32(3, events.data[5].step);
    vec_free(&events);
    trace_free(&trace);
    free_counter(&c);
}

static void test_slice_keeps_the_cone_only(void) {
    struct counter c;
    struct slice one, same, all;
    make_counter(&c);
    slice_make(&one, &c.sys, (uint32_t[]){0}, 1);
    slice_make(&same, &c.sys, (uint32_t[]){1}, 1);
    slice_make(&all, &c.sys, (uint32_t[]){2, 0}, 2);
    TEST_ASSERT_EQUAL_size_t(1, one.sys.cells.len);
    TEST_ASSERT_EQUAL_size_t(1, one.sys.inputs.len);
    TEST_ASSERT_EQUAL_UINT64(one.hash, same.hash);
    TEST_ASSERT_EQUAL_size_t(3, all.sys.cells.len);
    TEST_ASSERT_EQUAL_UINT32(3, all.cell_map.data[2]);
    TEST_ASSERT_NOT_EQUAL_UINT64(one.hash, all.hash);
    TEST_ASSERT_EQUAL_STRING("five", all.sys.targets.data[1].name);
    check_system(&all.sys);
    slice_free(&one);
    slice_free(&same);
    slice_free(&all);
    free_counter(&c);
}

/* Four inputs a, b, c, d and cells x := a, y := y + c: constraints on a; a and b; c; d. */
struct parts {
    struct terms ts;
    struct system sys;
    term_t in[4], on_a, on_ab, on_y, on_d;
};

static void make_parts(struct parts *p) {
    static const char *const names[] = {"a", "b", "c", "d"};
    terms_init(&p->ts);
    system_init(&p->sys, &p->ts);
    for (int i = 0; i < 4; i++) {
        struct sys_input in = {.name = names[i], .module_input = (uint32_t)i};
        in.var = p->in[i] = term_var(&p->ts, names[i], 8, false);
        vec_push(&p->sys.inputs, in);
    }
    term_t zero = term_int(&p->ts, 8, 0), nine = term_int(&p->ts, 8, 9);
    term_t x = term_var(&p->ts, "x", 8, false), y = term_var(&p->ts, "y", 8, false);
    struct cell cx = {.name = "x", .var = x, .init = zero, .next = p->in[0]};
    struct cell cy = {
        .name = "y", .var = y, .init = zero, .next = term_op2(&p->ts, OP_ADD, y, p->in[2])};
    vec_push(&p->sys.cells, cx);
    vec_push(&p->sys.cells, cy);
    p->on_a = term_op2(&p->ts, OP_ULT, p->in[0], nine);
    p->on_ab = term_op2(&p->ts, OP_ULT, p->in[0], p->in[1]);
    p->on_y = term_op2(&p->ts, OP_ULT, y, nine);
    p->on_d = term_op2(&p->ts, OP_ULT, p->in[3], nine);
    p->sys.step_ok =
        term_and(&p->ts, term_and(&p->ts, p->on_a, p->on_ab), term_and(&p->ts, p->on_y, p->on_d));
    p->sys.unspecified =
        term_or(&p->ts, term_eq(&p->ts, p->in[2], nine), term_eq(&p->ts, p->in[3], nine));
    term_t hits[] = {term_eq(&p->ts, x, nine), term_eq(&p->ts, p->in[2], zero),
                     term_eq(&p->ts, p->in[3], zero)};
    for (int i = 0; i < 3; i++)
        vec_push(&p->sys.targets, (struct target){.name = "t", .hit = hits[i]});
    check_system(&p->sys);
}

static void expect_slice(struct parts *p, struct slicer *slicer, struct slice_wish wish,
                         size_t inputs, size_t cells, term_t ok, term_t unspecified) {
    struct slice slice;
    slicer_make(slicer, &slice, &wish);
    check_system(&slice.sys);
    TEST_ASSERT_EQUAL_size_t(inputs, slice.sys.inputs.len);
    TEST_ASSERT_EQUAL_size_t(cells, slice.sys.cells.len);
    TEST_ASSERT_EQUAL_UINT32(ok, slice.sys.step_ok);
    TEST_ASSERT_EQUAL_UINT32(unspecified, slice.sys.unspecified);
    TEST_ASSERT_EQUAL_UINT32(p->sys.init_ok, slice.sys.init_ok);
    slice_free(&slice);
}

/* What a constraint speaks of comes with it, through the state, too; the rest stays out. */
static void test_slices_have_the_constraints_that_they_have_to_do_with(void) {
    struct parts p;
    struct slicer slicer;
    make_parts(&p);
    slicer_open(&slicer, &p.sys);
    term_t no = term_bool(&p.ts, false), on_x = term_and(&p.ts, p.on_a, p.on_ab);
    term_t nine = term_int(&p.ts, 8, 9), c9 = term_eq(&p.ts, p.in[2], nine);
    term_t d9 = term_eq(&p.ts, p.in[3], nine);
    uint32_t t[] = {0, 1, 2}, y = 1;
    for (int again = 0; again < 2; again++) {
        expect_slice(&p, &slicer, (struct slice_wish){.targets = t, .n_targets = 1}, 2, 1, on_x,
                     no);
        expect_slice(&p, &slicer, (struct slice_wish){.targets = t + 1, .n_targets = 1}, 1, 1,
                     p.on_y, c9);
        expect_slice(&p, &slicer, (struct slice_wish){.targets = t + 2, .n_targets = 1}, 1, 0,
                     p.on_d, d9);
        expect_slice(&p, &slicer, (struct slice_wish){.cells = &y, .n_cells = 1}, 1, 1, p.on_y, c9);
        expect_slice(&p, &slicer, (struct slice_wish){.targets = t, .n_targets = 3}, 4, 2,
                     p.sys.step_ok, p.sys.unspecified);
        expect_slice(&p, &slicer,
                     (struct slice_wish){.targets = t + 2, .n_targets = 1, .all_constraints = true},
                     4, 1, p.sys.step_ok, p.sys.unspecified);
    }
    p.sys.step_ok = no; /* never left out, for it is about everything */
    expect_slice(&p, &slicer, (struct slice_wish){.targets = t + 2, .n_targets = 1}, 1, 0, no, d9);
    slicer_close(&slicer);
    system_free(&p.sys);
    terms_free(&p.ts);
}

static void test_folding_takes_out_constants_and_duplicates(void) {
    struct counter c;
    make_counter(&c);
    TEST_ASSERT_EQUAL_size_t(2, system_fold_constants(&c.sys));
    check_system(&c.sys);
    TEST_ASSERT_EQUAL_size_t(2, c.sys.cells.len);
    TEST_ASSERT_EQUAL_STRING("zero", c.sys.folded.data[0].name);
    TEST_ASSERT_EQUAL_UINT32(NONE, c.sys.folded.data[0].same_as);
    TEST_ASSERT_EQUAL_STRING("mirror", c.sys.folded.data[1].name);
    TEST_ASSERT_EQUAL_UINT32(0, c.sys.folded.data[1].same_as);
    const struct cell *sum = &c.sys.cells.data[1];
    term_t other = c.sys.inputs.data[1].var;
    TEST_ASSERT_EQUAL_UINT32(term_op2(&c.ts, OP_ADD, sum->var, other), sum->next);
    free_counter(&c);
}

/* ---- broken systems ---- */

static void expect_fault(struct counter *c, const char *part) {
    struct str fault = {0};
    TEST_ASSERT_TRUE(system_fault(&c->sys, &fault));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&fault), part), str_text(&fault));
    str_free(&fault);
}

static void test_broken_systems_are_named(void) {
    struct counter c;
    make_counter(&c);
    c.sys.cells.data[0].init = c.sys.inputs.data[1].var;
    expect_fault(&c, "the initial value of 'n' reads 'other'");
    c.sys.cells.data[0].init = term_int(&c.ts, 16, 0);
    expect_fault(&c, "has sort i16 instead of i8");
    c.sys.cells.data[0].init = term_int(&c.ts, 8, 0);
    c.sys.cells.data[1].var = c.sys.cells.data[0].var;
    expect_fault(&c, "used twice");
    free_counter(&c);
    make_counter(&c);
    c.sys.step_ok = 0;
    expect_fault(&c, "step_ok is no term");
    free_counter(&c);
}

/* ---- random systems ---- */

static struct random_options options_of(uint64_t seed) {
    return (struct random_options){.seed = seed,
                                   .floats = seed % 2,
                                   .unspecified = seed % 3 == 0,
                                   .overruns = seed % 5 == 0,
                                   .lone_hits = seed % 7 == 0};
}

/* Runs two machines side by side; `sys_inputs` are those of the whole system. Without constraints
 * on the rest a slice goes on where the system ends, and never the other way. */
static void check_slice_run(const struct random_system *r, const struct slice *slice, bool all,
                            struct rng *rng) {
    struct machine whole, part;
    uint64_t *in = mem_zalloc(r->sys.inputs.len, sizeof *in);
    uint64_t *part_in = mem_zalloc(r->sys.inputs.len, sizeof *part_in);
    machine_init(&whole, &r->sys);
    machine_init(&part, &slice->sys);
    for (int step = -1; step < STEPS && !(step >= 0 && whole.ended); step++) {
        random_inputs(r, rng, in);
        for (size_t i = 0; i < slice->input_map.len; i++)
            part_in[i] = in[slice->input_map.data[i]];
        if (step < 0) {
            machine_reset(&whole, in);
            machine_reset(&part, part_in);
        } else {
            machine_step(&whole, in);
            machine_step(&part, part_in);
        }
        TEST_ASSERT_TRUE(all ? whole.ended == part.ended : whole.ended >= part.ended);
        TEST_ASSERT_TRUE(all ? whole.unspecified == part.unspecified
                             : whole.unspecified >= part.unspecified);
        for (uint32_t t = 0; t < slice->target_map.len; t++)
            TEST_ASSERT_EQUAL(machine_hit(&whole, slice->target_map.data[t]),
                              machine_hit(&part, t));
        for (size_t i = 0; whole.ended == part.ended && i < slice->cell_map.len; i++)
            TEST_ASSERT_EQUAL_UINT64(whole.cells.data[slice->cell_map.data[i]], part.cells.data[i]);
    }
    machine_free(&whole);
    machine_free(&part);
    mem_free(in);
    mem_free(part_in);
}

static void make_slice(struct slice *slice, const struct system *sys, uint32_t target, bool all) {
    struct slicer slicer;
    slicer_open(&slicer, sys);
    slicer_make(&slicer, slice,
                &(struct slice_wish){.targets = &target, .n_targets = 1, .all_constraints = all});
    slicer_close(&slicer);
}

static void test_slices_run_like_their_system(void) {
    struct rng rng;
    rng_init(&rng, 5);
    for (uint64_t seed = 0; seed < SYSTEMS; seed++) {
        struct random_system r;
        struct random_options options = options_of(seed);
        random_system_make(&r, &options);
        uint32_t target = (uint32_t)rng_below(&rng, r.sys.targets.len);
        struct slice slice;
        for (int all = 0; all < 2; all++) {
            make_slice(&slice, &r.sys, target, all);
            check_system(&slice.sys);
            check_slice_run(&r, &slice, all, &rng);
            slice_free(&slice);
        }
        random_system_free(&r);
    }
}

/* A trace that hits in the slice hits in the system, by fact_lift. */
static void lift_one(struct random_system *r, const struct slice *slice, struct rng *rng,
                     size_t *hits) {
    struct fact fact, lifted;
    uint64_t *in = mem_zalloc(r->sys.inputs.len, sizeof *in);
    fact_init(&fact, FACT_HIT);
    fact.target = 0;
    uint32_t steps = (uint32_t)rng_below(rng, 4);
    trace_init(&fact.trace, &slice->sys, steps);
    random_inputs(r, rng, in);
    for (size_t i = 0; i < slice->input_map.len; i++) {
        fact.trace.init.data[i] = in[slice->input_map.data[i]];
        for (uint32_t j = 0; j < steps; j++)
            fact.trace.values.data[j * slice->input_map.len + i] = in[slice->input_map.data[i]];
    }
    fact_lift(&lifted, &fact, slice, &r->sys);
    if (trace_hits(&slice->sys, &fact.trace, 0)) {
        TEST_ASSERT_TRUE(trace_hits(&r->sys, &lifted.trace, lifted.target));
        *hits += 1;
    }
    fact_free(&fact);
    fact_free(&lifted);
    mem_free(in);
}

static void test_hits_in_slices_are_hits_in_the_system(void) {
    struct rng rng;
    rng_init(&rng, 6);
    size_t hits = 0;
    for (uint64_t seed = 0; seed < SYSTEMS; seed++) {
        struct random_system r;
        struct random_options options = options_of(seed);
        random_system_make(&r, &options);
        uint32_t target = (uint32_t)rng_below(&rng, r.sys.targets.len);
        struct slice slice;
        make_slice(&slice, &r.sys, target, true);
        for (int i = 0; i < 5; i++)
            lift_one(&r, &slice, &rng, &hits);
        slice_free(&slice);
        random_system_free(&r);
    }
    TEST_ASSERT_GREATER_THAN_size_t(50, hits);
}

/* The same seed gives the same system twice: one is folded, both run. */
static void check_folded_run(const struct random_system *r, const struct random_system *folded,
                             struct rng *rng) {
    struct machine a, b;
    uint64_t *in = mem_zalloc(r->sys.inputs.len, sizeof *in);
    machine_init(&a, &r->sys);
    machine_init(&b, &folded->sys);
    for (int step = -1; step < STEPS && !(step >= 0 && a.ended); step++) {
        random_inputs(r, rng, in);
        if (step < 0) {
            machine_reset(&a, in);
            machine_reset(&b, in);
        } else {
            machine_step(&a, in);
            machine_step(&b, in);
        }
        TEST_ASSERT_EQUAL(a.ended, b.ended);
        for (uint32_t t = 0; t < r->sys.targets.len; t++)
            TEST_ASSERT_EQUAL(machine_hit(&a, t), machine_hit(&b, t));
        for (size_t i = 0; i < folded->sys.folded.len; i++) {
            const struct folded *f = &folded->sys.folded.data[i];
            size_t cell = 0;
            while (!str_same(r->sys.cells.data[cell].name, f->name))
                cell++;
            uint64_t bits = f->same_as == NONE ? f->bits : b.cells.data[f->same_as];
            TEST_ASSERT_EQUAL_UINT64(a.cells.data[cell], bits);
        }
    }
    machine_free(&a);
    machine_free(&b);
    mem_free(in);
}

static void test_folding_changes_no_run(void) {
    struct rng rng;
    rng_init(&rng, 7);
    size_t folded_cells = 0;
    for (uint64_t seed = 0; seed < SYSTEMS; seed++) {
        struct random_system r, folded;
        struct random_options options = options_of(seed);
        options.max_cells = 6;
        options.depth = 1 + seed % 3;
        random_system_make(&r, &options);
        random_system_make(&folded, &options);
        folded_cells += system_fold_constants(&folded.sys);
        check_system(&folded.sys);
        for (int run = 0; run < 4; run++)
            check_folded_run(&r, &folded, &rng);
        random_system_free(&r);
        random_system_free(&folded);
    }
    TEST_ASSERT_GREATER_THAN_size_t(50, folded_cells);
}

/* ---- the oracle ---- */

static void test_oracle_on_the_counter(void) {
    struct random_system r = {0};
    struct counter *c = mem_zalloc(1, sizeof *c);
    make_counter(c);
    r.sys = c->sys;
    struct domain bits = {.values = {0, 1}, .len = 2}, one = {.values = {1}, .len = 1};
    vec_push(&r.domains, bits);
    vec_push(&r.domains, one);
    struct explicit_result result;
    explicit_search(&r, 100000, &result);
    TEST_ASSERT_TRUE(result.complete);
    TEST_ASSERT_EQUAL_UINT32(6, result.depth.data[0]);
    TEST_ASSERT_EQUAL_UINT32(NONE, result.depth.data[1]);
    TEST_ASSERT_EQUAL_UINT32(8, result.depth.data[2]);
    TEST_ASSERT_EQUAL_size_t(6 * 256, result.states);
    explicit_free(&result);
    vec_free(&r.domains);
    free_counter(c);
    mem_free(c);
}

/* Random runs never hit what the oracle calls unreachable, nor earlier than it says. */
static void check_against_runs(const struct random_system *r, const struct explicit_result *result,
                               struct rng *rng) {
    struct machine m;
    uint64_t *in = mem_zalloc(r->sys.inputs.len, sizeof *in);
    machine_init(&m, &r->sys);
    random_inputs(r, rng, in);
    machine_reset(&m, in);
    for (uint32_t step = 0; step < STEPS; step++) {
        for (uint32_t t = 0; t < r->sys.targets.len; t++) {
            if (machine_hit(&m, t))
                TEST_ASSERT_LESS_OR_EQUAL_UINT32(step, result->depth.data[t]);
            if (machine_hit(&m, t) && !m.unspecified)
                TEST_ASSERT_LESS_OR_EQUAL_UINT32(step, result->defined.data[t]);
        }
        if (m.ended)
            break;
        random_inputs(r, rng, in);
        machine_step(&m, in);
    }
    machine_free(&m);
    mem_free(in);
}

static void test_oracle_on_random_systems(void) {
    struct rng rng;
    rng_init(&rng, 8);
    size_t complete = 0, reached = 0, dead = 0;
    for (uint64_t seed = 0; seed < SYSTEMS; seed++) {
        struct random_system r;
        struct random_options options = options_of(seed);
        struct explicit_result result;
        random_system_make(&r, &options);
        explicit_search(&r, 20000, &result);
        complete += result.complete;
        for (size_t t = 0; t < r.sys.targets.len; t++) {
            reached += result.depth.data[t] != NONE;
            dead += result.complete && result.depth.data[t] == NONE;
        }
        for (int run = 0; run < 20 && result.complete; run++)
            check_against_runs(&r, &result, &rng);
        explicit_free(&result);
        random_system_free(&r);
    }
    TEST_ASSERT_GREATER_THAN_size_t(SYSTEMS / 2, complete);
    TEST_ASSERT_GREATER_THAN_size_t(100, reached);
    TEST_ASSERT_GREATER_THAN_size_t(100, dead);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_counter_runs);
    RUN_TEST(test_slice_keeps_the_cone_only);
    RUN_TEST(test_slices_have_the_constraints_that_they_have_to_do_with);
    RUN_TEST(test_folding_takes_out_constants_and_duplicates);
    RUN_TEST(test_broken_systems_are_named);
    RUN_TEST(test_slices_run_like_their_system);
    RUN_TEST(test_hits_in_slices_are_hits_in_the_system);
    RUN_TEST(test_folding_changes_no_run);
    RUN_TEST(test_oracle_on_the_counter);
    RUN_TEST(test_oracle_on_random_systems);
    return UNITY_END();
}
