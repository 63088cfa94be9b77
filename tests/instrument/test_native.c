/* The native runner: what a program does is what is reported, and nothing kills the parent. */
#include "instrument/native/scenario.h"
#include "native_program.h"

#include "model/term/ordinal.h"

#include <ctype.h>

#include "unity.h"

static struct str woven;
static struct module module;
static struct native_program program;
static struct native *zero, *pattern;
static struct input_events events;
static struct native_result result, other;

void setUp(void) {
    vec_clear(&events);
}
void tearDown(void) {
}

static void define_program(void) {
    read_woven("hostile.c", &woven);
    add_var(&module, VAR_INPUT, "select", 'u', 8, 0, 20);
    add_var(&module, VAR_INPUT, "value", 'i', 32, 0x80000000u, 0x7fffffff);
    add_var(&module, VAR_INPUT, "number", 'f', 32, f32_bits(-1e9f), f32_bits(1e9f));
    add_var(&module, VAR_VOLATILE, "register", 'i', 32, 0, 100);
    add_var(&module, VAR_OUTPUT, "result", 'i', 32, 0, 0);
    add_var(&module, VAR_STATE, "counter", 'u', 32, 0, 0);
    module.ilp32 = module.char_is_signed = true;
    program = (struct native_program){
        .woven = str_text(&woven), .module = &module, .n_probes = 11, .step_ms = 200};
}

static void run_on(struct native *native, uint32_t steps, struct native_result *into) {
    struct err err = {0};
    struct native_run run = {.events = &events, .n_steps = steps, .trace_steps = steps};
    must(native_replay(native, &run, into, &err), &err);
}

static void choose(uint32_t step, uint64_t select, int32_t value) {
    add_event(&events, step, 0, select);
    add_event(&events, step, 1, (uint32_t)value);
}

static void test_complete_run(void) {
    choose(0, 0, 7);
    choose(2, 0, -7);
    run_on(zero, 4, &result);
    TEST_ASSERT_EQUAL_INT(NATIVE_RAN, result.end);
    TEST_ASSERT_EQUAL_UINT32(4, result.steps_done);
    TEST_ASSERT_EQUAL_UINT32(0, result.first_hit.data[0].step);
    TEST_ASSERT_EQUAL_UINT32(2, result.first_hit.data[9].step);
    TEST_ASSERT_EQUAL_UINT32(NATIVE_NEVER, result.first_hit.data[1].step);
    TEST_ASSERT_EQUAL_UINT32(NATIVE_INIT, result.first_hit.data[10].step);
    TEST_ASSERT_EQUAL_UINT32(4, result.traced);
    TEST_ASSERT_EQUAL_UINT32(2, result.n_cells);
    TEST_ASSERT_EQUAL_UINT64(0, result.init_cells.data[1]);
    TEST_ASSERT_EQUAL_UINT64(7, result.cells.data[2]);
    TEST_ASSERT_EQUAL_UINT64((uint32_t)-7, result.cells.data[4]);
    TEST_ASSERT_EQUAL_UINT64((uint32_t)-7, result.cells.data[6]);
    TEST_ASSERT_EQUAL_UINT64(4, result.cells.data[7]);
    TEST_ASSERT_EQUAL_UINT8(1, result.hits.data[0]);
    TEST_ASSERT_EQUAL_UINT8(1, result.hits.data[3 * 11]);
    TEST_ASSERT_EQUAL_UINT8(1, result.hits.data[2 * 11 + 9]);
    TEST_ASSERT_EQUAL_UINT8(0, result.hits.data[3 * 11 + 9]);
}

static void test_runs_do_not_see_each_other(void) {
    choose(0, 0, 7);
    run_on(zero, 3, &result);
    run_on(zero, 3, &other);
    TEST_ASSERT_EQUAL_UINT64_ARRAY(result.cells.data, other.cells.data, result.cells.len);
    TEST_ASSERT_EQUAL_UINT32(2, other.first_hit.data[9].step);
}

/* Step 1 goes wrong; step 0 and the part of step 1 before count. */
static void expect_end(uint64_t select, int32_t value, enum native_end end) {
    vec_clear(&events);
    choose(0, 0, 1);
    choose(1, select, value);
    run_on(zero, 5, &result);
    TEST_ASSERT_EQUAL_STRING(native_end_text(end), native_end_text(result.end));
    TEST_ASSERT_EQUAL_UINT32(1, result.end_step);
    TEST_ASSERT_EQUAL_UINT32(0, result.first_hit.data[0].step);
    TEST_ASSERT_EQUAL_UINT32(NATIVE_NEVER, result.first_hit.data[9].step);
}

static void test_ends_are_told_apart(void) {
    expect_end(1, 0, NATIVE_DIVISION);
    TEST_ASSERT_EQUAL_UINT32(NATIVE_NEVER, result.first_hit.data[1].step);
    expect_end(2, 0, NATIVE_NULL);
    expect_end(3, 0, NATIVE_MEMORY);
    expect_end(4, 0, NATIVE_STACK);
    expect_end(5, 0, NATIVE_ABORT);
    expect_end(6, 0, NATIVE_ENDLESS);
    expect_end(7, 0, NATIVE_EXIT);
    expect_end(15, 0, NATIVE_EXIT);
    expect_end(18, 0, NATIVE_FORBIDDEN);
    expect_end(19, 0, NATIVE_FORBIDDEN);
    expect_end(20, 0, NATIVE_FORBIDDEN);
    expect_end(12, 4, NATIVE_BOUNDS);
    expect_end(12, -1, NATIVE_BOUNDS);
    expect_end(21, 0, NATIVE_ASSUMPTION);
}

static void test_healthy_after_every_end(void) {
    for (uint64_t select = 1; select <= 7; select++) {
        expect_end(select, 0,
                   (enum native_end[]){0, NATIVE_DIVISION, NATIVE_NULL, NATIVE_MEMORY, NATIVE_STACK,
                                       NATIVE_ABORT, NATIVE_ENDLESS, NATIVE_EXIT}[select]);
        vec_clear(&events);
        choose(0, 1, 5);
        run_on(zero, 3, &result);
        TEST_ASSERT_EQUAL_INT(NATIVE_RAN, result.end);
        TEST_ASSERT_EQUAL_UINT32(0, result.first_hit.data[1].step);
        TEST_ASSERT_EQUAL_UINT64(2, result.cells.data[2]);
    }
}

static void test_crash_is_described_with_its_inputs(void) {
    struct str text = {0};
    expect_end(1, 0, NATIVE_DIVISION);
    native_end_describe(&result, &module, &events, &text);
    TEST_ASSERT_EQUAL_STRING(
        "division by zero in step 2 (inputs: select = 1, value = 0, number = 0, register = 0)",
        str_text(&text));
    str_free(&text);
}

static void test_unspecified_values_taint_what_follows(void) {
    choose(0, 8, 0);
    add_event(&events, 0, 2, f32_bits(255.9f));
    run_on(zero, 2, &result);
    TEST_ASSERT_EQUAL_INT(NATIVE_DEFINED, result.unspecified);
    TEST_ASSERT_FALSE(result.first_hit.data[3].tainted);
    add_event(&events, 1, 2, f32_bits(256.0f));
    run_on(zero, 3, &result);
    TEST_ASSERT_EQUAL_INT(NATIVE_CAST, result.unspecified);
    TEST_ASSERT_EQUAL_UINT32(1, result.unspecified_step);
    TEST_ASSERT_FALSE(result.first_hit.data[3].tainted);
    TEST_ASSERT_TRUE(result.first_hit.data[9].tainted);
    vec_clear(&events);
    choose(0, 9, 31);
    choose(1, 9, 32);
    run_on(zero, 3, &result);
    TEST_ASSERT_EQUAL_INT(NATIVE_SHIFT, result.unspecified);
    TEST_ASSERT_EQUAL_UINT32(1, result.unspecified_step);
}

static void test_uninitialised_locals_differ_between_builds(void) {
    choose(0, 10, 0);
    run_on(zero, 1, &result);
    run_on(pattern, 1, &other);
    TEST_ASSERT_EQUAL_UINT32(0, result.first_hit.data[5].step);
    TEST_ASSERT_EQUAL_UINT32(NATIVE_NEVER, other.first_hit.data[5].step);
    vec_clear(&events);
    choose(0, 11, 1);
    run_on(zero, 1, &result);
    run_on(pattern, 1, &other);
    TEST_ASSERT_EQUAL_UINT32(0, result.first_hit.data[6].step);
    TEST_ASSERT_EQUAL_UINT32(0, other.first_hit.data[6].step);
}

static bool confirms(int32_t value) {
    struct scenario scenario = {.n_steps = 1};
    struct err err = {0};
    choose(0, 17, value);
    vec_append(&scenario.events, events.data, events.len);
    vec_clear(&events);
    TEST_ASSERT_TRUE(scenario_confirm(zero, pattern, &scenario, &err));
    bool hit = scenario_hits(&scenario, 8) != NULL;
    scenario_free(&scenario);
    return hit;
}

static void test_uninitialised_locals_are_no_evidence(void) {
    TEST_ASSERT_TRUE(confirms(1));
    TEST_ASSERT_FALSE(confirms(0));
}

static void test_pointer_that_leaves_its_table_ends_the_run(void) {
    choose(0, 16, 3);
    run_on(pattern, 1, &other);
    TEST_ASSERT_EQUAL_INT(NATIVE_RAN, other.end);
    TEST_ASSERT_EQUAL_UINT64(3, other.cells.data[0]);
    vec_clear(&events);
    choose(0, 16, 6);
    run_on(zero, 1, &result);
    run_on(pattern, 1, &other);
    TEST_ASSERT_EQUAL_UINT32(0, result.first_hit.data[8].step);
    TEST_ASSERT_EQUAL_STRING("index out of bounds", native_end_text(other.end));
    TEST_ASSERT_EQUAL_UINT32(NATIVE_NEVER, other.first_hit.data[8].step);
}

static void test_signed_overflow_wraps(void) {
    choose(0, 13, 1);
    run_on(zero, 1, &result);
    TEST_ASSERT_EQUAL_UINT32(0, result.first_hit.data[8].step);
    TEST_ASSERT_EQUAL_INT(NATIVE_DEFINED, result.unspecified);
}

static void test_reads_of_one_step_take_events_in_order(void) {
    add_event(&events, 0, 0, 14);
    for (uint64_t i = 1; i <= 3; i++)
        add_event(&events, 0, 3, i);
    add_event(&events, 1, 3, 7);
    add_event(&events, 3, 0, 0); /* not read in this step: dropped */
    add_event(&events, 3, 3, 9);
    add_event(&events, 4, 0, 14);
    run_on(zero, 5, &result);
    TEST_ASSERT_EQUAL_UINT64(123, result.cells.data[0]);
    TEST_ASSERT_EQUAL_UINT64(777, result.cells.data[2]);
    TEST_ASSERT_EQUAL_UINT64(777, result.cells.data[4]);
    TEST_ASSERT_EQUAL_UINT64(777, result.cells.data[8]);
}

static void test_stops_at_hit(void) {
    struct err err = {0};
    struct native_run run = {.events = &events, .n_steps = 1000, .stop_at_hit = true};
    run.stop_probe = 9;
    must(native_replay(zero, &run, &result, &err), &err);
    TEST_ASSERT_EQUAL_UINT32(3, result.steps_done);
    run.stop_probe = 10;
    must(native_replay(zero, &run, &result, &err), &err);
    TEST_ASSERT_EQUAL_UINT32(0, result.steps_done);
    TEST_ASSERT_EQUAL_UINT32(0, result.traced);
}

static void test_part_of_a_long_run_is_traced(void) {
    struct err err = {0};
    struct native_run run = {.events = &events, .n_steps = 100000};
    run.trace_from = 99000;
    run.trace_steps = 2;
    must(native_replay(zero, &run, &result, &err), &err);
    TEST_ASSERT_EQUAL_UINT32(2, result.traced);
    TEST_ASSERT_EQUAL_UINT64(99001, result.cells.data[1]);
    TEST_ASSERT_EQUAL_UINT64(99002, result.cells.data[3]);
}

static void test_too_much_to_trace_is_an_error(void) {
    struct err err = {0};
    struct native_run run = {.events = &events, .n_steps = UINT32_MAX - 2};
    run.trace_steps = UINT32_MAX - 2;
    TEST_ASSERT_FALSE(native_replay(zero, &run, &result, &err));
    TEST_ASSERT_EQUAL_INT(ERR_USAGE, err.code);
    err_clear(&err);
}

static void test_lp64(void) {
    struct err err = {0};
    struct native_program wide = program;
    struct module copy = module;
    copy.ilp32 = false;
    wide.module = &copy;
    struct native *native = native_open(&wide, NATIVE_ZERO, &err);
    must(native != NULL, &err);
    choose(0, 1, 5);
    choose(2, 4, 5);
    run_on(native, 4, &result);
    TEST_ASSERT_EQUAL_UINT32(0, result.first_hit.data[1].step);
    TEST_ASSERT_EQUAL_STRING("stack overflow", native_end_text(result.end));
    native_close(native);
}

static void test_program_that_does_not_compile(void) {
    struct err err = {0};
    struct native_program broken = program;
    broken.woven = "int gk_init(void) { return x; }";
    TEST_ASSERT_NULL(native_open(&broken, NATIVE_PLAIN, &err));
    TEST_ASSERT_EQUAL_INT(ERR_SOURCE, err.code);
    TEST_ASSERT_NOT_NULL(strstr(str_text(&err.message), "undeclared identifier 'x'"));
    err_clear(&err);
    broken.clang = "/no/such/clang";
    TEST_ASSERT_NULL(native_open(&broken, NATIVE_PLAIN, &err));
    TEST_ASSERT_EQUAL_INT(ERR_USAGE, err.code);
    err_clear(&err);
}

/* The program under test may have a main(), and functions called as those of the runtime. */
static void test_names_of_the_runtime_are_free(void) {
    struct native_program same = program;
    struct str text = {0};
    struct err err = {0};
    str_add(&text, str_text(&woven));
#define NAME(name) str_add(&text, "int " #name "(void);\nint " #name "(void) { return 7; }\n");
#include "instrument/native/runtime_names.def"
#undef NAME
    str_add(&text, "int main(void) { return child_end() + search_run(); }\n");
    same.woven = str_text(&text);
    struct native *native = native_open(&same, NATIVE_FAST, &err);
    TEST_ASSERT_TRUE_MESSAGE(native != NULL, str_text(&err.message));
    native_close(native);
    str_free(&text);
}

static bool is_renamed(const char *name, size_t length) {
#define NAME(other)                                                                                \
    if (strlen(#other) == length && strncmp(#other, name, length) == 0)                            \
        return true;
#include "instrument/native/runtime_names.def"
#undef NAME
    return length > 3 && strncmp(name, "gk_", 3) == 0;
}

/* The name in front of the first parenthesis, when the line is a declaration. */
static void check_declaration(const char *line) {
    size_t end = strcspn(line, "(\n"), begin = end;
    const char *note = strstr(line, "/*");
    if (line[end] != '(' || strchr(" #/*}", line[0]) || (note && note < line + end) ||
        strncmp(line, "static", 6) == 0 || line[0] == '_')
        return;
    while (begin > 0 && (isalnum((unsigned char)line[begin - 1]) || line[begin - 1] == '_'))
        begin--;
    if (!is_renamed(line + begin, end - begin))
        printf("not in runtime_names.def: %.*s\n", (int)(end - begin), line + begin);
    TEST_ASSERT_TRUE(is_renamed(line + begin, end - begin));
}

static void test_every_name_of_the_runtime_is_free(void) {
    static const char *const headers[] = {"child.h", "host.h", "search.h"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        struct err err = {0};
        struct str text = {0};
        char path[512];
        snprintf(path, sizeof path, "%s/instrument/native/runtime/%s", GK_SOURCE_DIR, headers[i]);
        must(file_read(path, &text, &err), &err);
        for (const char *line = str_text(&text); line; line = strchr(line, '\n'))
            check_declaration(line += *line == '\n');
        str_free(&text);
    }
}

/* `read` of the program takes the place of what the runtime reads its orders with. */
static void test_process_that_ends_before_it_runs_hits_nothing(void) {
    struct native_program broken = program;
    struct str text = {0};
    struct err err = {0};
    str_addf(&text, "%s\nfloat read = 1.5f;\n", str_text(&woven));
    broken.woven = str_text(&text);
    struct native *native = native_open(&broken, NATIVE_ZERO, &err);
    TEST_ASSERT_TRUE_MESSAGE(native != NULL, str_text(&err.message));
    run_on(native, 3, &result);
    TEST_ASSERT_EQUAL_INT(NATIVE_EXIT, result.end);
    TEST_ASSERT_TRUE(result.first_hit.len > 0);
    for (size_t i = 0; i < result.first_hit.len; i++)
        TEST_ASSERT_EQUAL_UINT32(NATIVE_NEVER, result.first_hit.data[i].step);
    native_close(native);
    str_free(&text);
}

int main(void) {
    struct err err = {0};
    define_program();
    zero = native_open(&program, NATIVE_ZERO, &err);
    must(zero != NULL, &err);
    pattern = native_open(&program, NATIVE_PATTERN, &err);
    must(pattern != NULL, &err);
    UNITY_BEGIN();
    RUN_TEST(test_process_that_ends_before_it_runs_hits_nothing);
    RUN_TEST(test_complete_run);
    RUN_TEST(test_runs_do_not_see_each_other);
    RUN_TEST(test_ends_are_told_apart);
    RUN_TEST(test_healthy_after_every_end);
    RUN_TEST(test_crash_is_described_with_its_inputs);
    RUN_TEST(test_unspecified_values_taint_what_follows);
    RUN_TEST(test_uninitialised_locals_differ_between_builds);
    RUN_TEST(test_uninitialised_locals_are_no_evidence);
    RUN_TEST(test_pointer_that_leaves_its_table_ends_the_run);
    RUN_TEST(test_signed_overflow_wraps);
    RUN_TEST(test_reads_of_one_step_take_events_in_order);
    RUN_TEST(test_stops_at_hit);
    RUN_TEST(test_part_of_a_long_run_is_traced);
    RUN_TEST(test_too_much_to_trace_is_an_error);
    RUN_TEST(test_lp64);
    RUN_TEST(test_program_that_does_not_compile);
    RUN_TEST(test_names_of_the_runtime_are_free);
    RUN_TEST(test_every_name_of_the_runtime_is_free);
    native_close(zero);
    native_close(pattern);
    native_result_free(&result);
    native_result_free(&other);
    vec_free(&events);
    vec_free(&module.inputs);
    vec_free(&module.state);
    str_free(&woven);
    return UNITY_END();
}
