/* CBMC from a state: what it says of a cell that climbs, and whether the end of the run can be
 * repeated, because the rest of the state comes back to what it was. */
#include "base/tool.h"
#include "instrument/cbmc/goals.h"
#include "woven_case.h"

static struct woven_case c;
static struct str detail;
static struct cbmc cbmc;

void setUp(void) {
    case_open(&c);
}
void tearDown(void) {
    case_close(&c);
    str_free(&detail);
}

/* Good counts messages that carry the next of `period` numbers; float Level goes up with each. */
static const char *counter(unsigned period, const char *level) {
    return arena_printf(
        &c.arena,
        "unsigned short Good; unsigned char Next; float Level;\n"
        "void gk_init(void) { Good = 0; Next = 0; Level = 0.0F; }\n"
        "void gk_step(void) {\n"
        "    unsigned char in = gk_input_u8(0U);\n"
        "    if (in == Next) { Good++; Next = (unsigned char)((Next + 1) %% %u); }\n"
        "    else { Good = 0; }\n"
        "    %s\n"
        "}\n",
        period, level);
}

static void ask(const char *woven, struct cbmc_output *answer) {
    static const uint64_t start[] = {5, 0, 0}, constants[] = {0};
    static const uint32_t climbers[] = {0};
    struct module module = {.name = "m"};
    vec_push(&module.inputs, (struct module_var){.c_expr = "in", .type = TYPE_UNSIGNED, .bits = 8});
    vec_push(&module.state,
             (struct module_var){.c_expr = "Good", .type = TYPE_UNSIGNED, .bits = 16});
    vec_push(&module.state,
             (struct module_var){.c_expr = "Next", .type = TYPE_UNSIGNED, .bits = 8});
    vec_push(&module.state, (struct module_var){.c_expr = "Level", .type = TYPE_FLOAT, .bits = 32});
    struct cbmc_question q = {.run = {.cbmc = &cbmc, .seconds = 600},
                              .base = {.woven = woven, .module = &module},
                              .steps = CBMC_ROUND + 1,
                              .start = start,
                              .constants = constants,
                              .climbers = climbers,
                              .n_climbers = 1};
    str_clear(&detail);
    TEST_ASSERT_TRUE_MESSAGE(cbmc_ask(&q, answer, &detail), str_text(&detail));
    vec_free(&module.inputs);
    vec_free(&module.state);
}

static void expect(const char *woven, enum cbmc_climb climb, enum cbmc_status status) {
    struct cbmc_output answer;
    struct cbmc_question numbers = {.n_climbers = 1};
    ask(woven, &answer);
    const struct cbmc_property *p =
        cbmc_output_find(&answer, cbmc_climb_number(&numbers, 0, climb));
    TEST_ASSERT_NOT_NULL_MESSAGE(p, woven);
    TEST_ASSERT_EQUAL_INT_MESSAGE(status, p->status, woven);
    cbmc_output_free(&answer);
}

static void test_rounds(void) {
    const char *program = tool_cbmc(&c.arena);
    if (!program)
        TEST_IGNORE_MESSAGE("no CBMC");
    TEST_ASSERT_TRUE_MESSAGE(cbmc_open(&cbmc, program, &detail), str_text(&detail));
    expect(counter(16, ""), CBMC_UP_ROUND, CBMC_FAILURE); /* what fails has a run */
    expect(counter(8, ""), CBMC_UP_ROUND, CBMC_FAILURE);
    expect(counter(16, ""), CBMC_DOWN_ROUND, CBMC_SUCCESS);
    expect(counter(12, ""), CBMC_UP_FAST, CBMC_FAILURE);
    expect(counter(12, ""), CBMC_UP_ROUND, CBMC_SUCCESS);
    expect(counter(16, "Level = Level + 0.5F;"), CBMC_UP_FAST, CBMC_FAILURE);
    expect(counter(16, "Level = Level + 0.5F;"), CBMC_UP_ROUND, CBMC_SUCCESS);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_rounds);
    return UNITY_END();
}
