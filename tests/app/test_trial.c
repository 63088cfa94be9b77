/* Proofs against the compiled program: a model that is not the program, a compiler that is not the
 * model. No replayed run comes near to where they differ; a state that the proof allows does. */
#include "app/audit/audit.h"
#include "app/audit/trial.h"
#include "app/project/read.h"
#include "base/mem.h"
#include "base/tool.h"
#include "folder.h"
#include "instrument/weave/weave.h"

#include "unity.h"

#include <string.h>
#include <sys/stat.h>

static const char *const program =
    "int in; static int count; static unsigned short mode; static float level; int out;\n"
    "struct limits { unsigned char most; _Bool on; }; static struct limits lim = {21, 1};\n"
    "static int tab[4]; static struct { unsigned on : 1, phase : 4; } chart;\n"
    "void step(void) {\n"
    "    if (in > 90 && mode == 7 && count < 4000) count++;\n"
    "    if (in == 77) mode = 7; else if (mode != 7) mode = 3;\n"
    "    if (level < 8.0f && lim.on) level = level + 0.5f;\n"
    "    tab[in & 3] = in;\n"
    "    if (mode == 7 && in > 90 && chart.phase < 5) chart.phase++;\n"
    "    if (count > 4000) out = 1;\n" /* dead: a thousand steps behind the right input */
    "}\n";

static const char *const description = "{\"name\": \"m\", \"sources\": [\"m.c\"], \"step\": "
                                       "\"step\", \"inputs\": [{\"name\": \"in\"}], "
                                       "\"criteria\": [\"statement\"]}\n";

static struct project project;
static struct woven woven;
static struct native *zero, *pattern, *gcc;
static struct terms terms;
static struct system sys;
static struct lowered lowered;
static struct invariant inv;
static uint32_t probe, target;
static struct trial_result result;

void setUp(void) {
    folder_open();
}
void tearDown(void) {
    folder_close();
}

static char *changed(const char *text, const char *from, const char *to) {
    const char *at = strstr(text, from);
    TEST_ASSERT_NOT_NULL_MESSAGE(at, from);
    return arena_printf(&arena, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

/* The model of a program in which `from` is `to`; the builds are of the program as it is. */
static void prepare(const char *from, const char *to) {
    put("m.c", program);
    put("goalkeeper.json", description);
    TEST_ASSERT_TRUE(project_read(path("goalkeeper.json"), &project, &err));
    TEST_ASSERT_TRUE_MESSAGE(weave(&project, &woven, &err), str_text(&err.message));
    struct native_program p = {
        .woven = str_text(&woven.text), .module = &woven.module, .n_probes = woven.goals.n_probes};
    TEST_ASSERT_NOT_NULL(zero = native_open(&p, NATIVE_ZERO, &err));
    TEST_ASSERT_NOT_NULL(pattern = native_open(&p, NATIVE_PATTERN, &err));
    gcc = native_open(&p, NATIVE_GCC, &err);
    err_clear(&err);
    struct lower_options options = {.n_probes = woven.goals.n_probes};
    terms_init(&terms);
    system_init(&sys, &terms);
    const char *text = from ? changed(str_text(&woven.text), from, to) : str_text(&woven.text);
    TEST_ASSERT_TRUE(lower(text, &woven.module, &options, &sys, &lowered, &err));
    probe = NONE;
    for (size_t i = 0; i < woven.goals.list.len; i++)
        if (str_same(woven.goals.list.data[i].text, "out = 1;") ||
            str_same(woven.goals.list.data[i].text, "out = 1"))
            probe = woven.goals.list.data[i].probe;
    TEST_ASSERT_NOT_EQUAL(NONE, probe);
    target = NONE;
    for (uint32_t i = 0; i < sys.targets.len; i++)
        if (sys.targets.data[i].kind == TARGET_GOAL && sys.targets.data[i].id == probe)
            target = i;
    invariant_init(&inv);
    inv.k = 1;
    vec_push(&inv.targets, target);
}

static void finish(void) {
    trial_result_free(&result);
    invariant_free(&inv);
    lowered_free(&lowered);
    system_free(&sys);
    terms_free(&terms);
    native_close(zero);
    native_close(pattern);
    native_close(gcc);
    woven_free(&woven);
    project_free(&project);
}

static uint32_t cell(const char *name) {
    for (uint32_t i = 0; i < sys.cells.len; i++)
        if (str_same(sys.cells.data[i].name, name))
            return i;
    TEST_FAIL_MESSAGE(name);
    return NONE;
}

static void at_most(const char *name, int64_t limit) {
    struct bound b = {.cell = cell(name), .kind = BOUND_LE, .ordinal = limit};
    invariant_add(&inv, &b, 1);
}

static void judge(void) {
    struct trial t = {.sys = &sys,
                      .module = &woven.module,
                      .zero = zero,
                      .pattern = pattern,
                      .gcc = gcc,
                      .may_end = lowered.ends.len > 0,
                      .seed = 1,
                      .cpu_seconds = 60,
                      .most_steps = 2000};
    vec_push(&t.proofs, (struct trial_proof){&inv, &probe, 1});
    TEST_ASSERT_TRUE_MESSAGE(trial_run(&t, &result, &err), str_text(&err.message));
    vec_free(&t.proofs);
}

static enum audit_answer by_solver(void) {
    struct str what = {0};
    enum audit_answer said = audit_by_solver(&sys, &inv, 0, &what);
    str_free(&what);
    return said;
}

static void test_a_right_proof_passes(void) {
    prepare(NULL, NULL);
    at_most("count", 4000);
    TEST_ASSERT_EQUAL(AUDIT_CONFIRMED, by_solver());
    judge();
    TEST_ASSERT_FALSE_MESSAGE(result.failed, str_text(&result.what));
    TEST_ASSERT_GREATER_THAN_UINT64(1500, result.steps);
    TEST_ASSERT_EQUAL_UINT32(1, result.tried);
    finish();
}

/* The solver is content with it, for it looks at the model. */
static void test_a_wrong_model_is_found(void) {
    prepare("count < 4000", "count < 3000");
    at_most("count", 3000);
    TEST_ASSERT_EQUAL(AUDIT_CONFIRMED, by_solver());
    judge();
    TEST_ASSERT_TRUE(result.failed);
    TEST_ASSERT_EQUAL_UINT32(NONE, result.probe);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&result.what), "count = 3000"),
                                 str_text(&result.what));
    finish();
}

static void test_bit_fields_are_set(void) {
    prepare("chart.phase < 5", "chart.phase < 4");
    at_most("count", 4000);
    at_most("chart.phase", 4);
    TEST_ASSERT_EQUAL(AUDIT_CONFIRMED, by_solver());
    judge();
    TEST_ASSERT_TRUE(result.failed);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&result.what), "chart.phase = 4"),
                                 str_text(&result.what));
    finish();
}

static void test_a_goal_that_lives_is_found(void) {
    prepare("count > 4000", "count > 6000");
    at_most("count", 5000);
    struct bound b = {.cell = cell("mode"), .kind = BOUND_LE, .ordinal = 3};
    invariant_add(&inv, &b, 1); /* not kept: the goal is hit before that is seen, or it is */
    judge();
    TEST_ASSERT_TRUE(result.failed);
    finish();
}

/* ---- as a user sees it ---- */

/* By a gcc that changes what it compiles. */
static void tool_with_compiler(const char *change, const char *line) {
    put("gcc", arena_printf(&arena,
                            "#!/bin/sh\n"
                            "for f; do case $f in *.c) sed -i '%s' \"$f\";; esac; done\n"
                            "exec %s \"$@\"\n",
                            change, tool_cc(&arena)));
    TEST_ASSERT_EQUAL_INT(0, chmod(path("gcc"), 0755));
    const char *const settings[] = {arena_printf(&arena, "GOALKEEPER_CC=%s", path("gcc")), NULL};
    run_tool(line, settings);
}

static const char other[] = "s/count < 4000/count < 4001/", same[] = "s/nothing/else/";

static void run_with_compiler(const char *change) {
    put("m.c", program);
    put("goalkeeper.json", description);
    tool_with_compiler(change, "run --engines simulate,houdini,kind --seconds 60 --db m.db");
}

static void test_a_compiler_of_its_own_mind_is_an_alarm(void) {
    run_with_compiler(other);
    expect_end(5, "a proof fails on the compiled program: in the state {count = 4000");
    TEST_ASSERT_EQUAL_INT64(
        0, number_in("m.db", "SELECT count(*) FROM goal_status WHERE status = 'dead'"));
    TEST_ASSERT_EQUAL_INT64(
        1, number_in("m.db", "SELECT count(*) FROM alarm WHERE text LIKE '%compiled program'"));
}

/* From no state are both goals hit without one of them being hit the step before: a proof of the
 * two together. A state that hits one of them is not what it speaks of. */
static void test_a_proof_of_several_goals_excuses_runs_that_hit_another(void) {
    put("m.c", "int in, out; static unsigned char s;\n"
               "void step(void) {\n"
               "    if (s == 5) out = 1;\n"
               "    if (s >= 6 && s <= 30) out = 2;\n"
               "    if (s >= 5 && s < 30) s++; else if (s == 30) s = 5;\n"
               "    else s = (unsigned char)(in & 1);\n"
               "}\n");
    put("goalkeeper.json", "{\"name\": \"m\", \"sources\": [\"m.c\"], \"step\": \"step\", "
                           "\"inputs\": [{\"name\": \"in\"}]}\n");
    run_tool("run --engines simulate,kind --seconds 250 --db m.db", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_TRUE(number_in("m.db", "SELECT count(*) FROM proof WHERE k > 1") > 0);
    TEST_ASSERT_EQUAL_INT64(0, number_in("m.db", "SELECT count(*) FROM alarm"));
    run_tool("audit m.db", NULL);
    expect_end(0, NULL);
}

/* The audit looks for itself. */
static void test_an_audit_finds_it_too(void) {
    run_with_compiler(same);
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT64(
        1, number_in("m.db", "SELECT count(*) FROM goal_status WHERE status = 'dead'"));
    tool_with_compiler(same, "audit m.db");
    expect_end(0, NULL);
    tool_with_compiler(other, "audit m.db");
    TEST_ASSERT_EQUAL_INT(5, r.code);
    TEST_ASSERT_NOT_NULL(strstr(str_text(&r.out), "its proof fails on the compiled program"));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_a_right_proof_passes);
    RUN_TEST(test_a_wrong_model_is_found);
    RUN_TEST(test_bit_fields_are_set);
    RUN_TEST(test_a_goal_that_lives_is_found);
    if (tool_cc(&arena)) {
        RUN_TEST(test_a_compiler_of_its_own_mind_is_an_alarm);
        RUN_TEST(test_a_proof_of_several_goals_excuses_runs_that_hit_another);
        RUN_TEST(test_an_audit_finds_it_too);
    }
    return UNITY_END();
}
