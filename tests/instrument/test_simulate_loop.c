/* Simulation repeats what it has found: a thousand right messages from the last sixteen, and in
 * another mode those of the first. */
#include "instrument/simulate.h"
#include "native_program.h"

#include "unity.h"

enum { N_PROBES = 4, ROUND = 2000000, MOST_ROUNDS = 60 };

static struct str woven;
static struct module module;
static struct native_program program;

void setUp(void) {
}
void tearDown(void) {
}

static void define_program(void) {
    read_woven("messages.c", &woven);
    add_var(&module, VAR_INPUT, "alive", 'u', 8, 0, 255);
    add_var(&module, VAR_INPUT, "data", 'u', 8, 0, 255);
    add_var(&module, VAR_INPUT, "sum", 'u', 8, 0, 255);
    add_var(&module, VAR_STATE, "last", 'u', 8, 0, 0);
    add_var(&module, VAR_STATE, "error", 'u', 8, 0, 0);
    add_var(&module, VAR_STATE, "mode", 'u', 8, 0, 0);
    add_var(&module, VAR_STATE, "good", 'u', 16, 0, 0);
    module.ilp32 = module.char_is_signed = true;
    program = (struct native_program){
        .woven = str_text(&woven), .module = &module, .n_probes = N_PROBES, .step_ms = 500};
}

/* Where the hits of a scenario are in a replay. */
static void check(struct simulation *sim, const struct scenario *s) {
    struct err err = {0};
    struct native_run run = {.events = &s->events, .n_steps = s->n_steps, .fresh = true};
    struct native_result result = {0};
    must(native_replay(simulate_zero(sim), &run, &result, &err), &err);
    for (size_t i = 0; i < s->hits.len; i++)
        TEST_ASSERT_EQUAL_UINT32(s->hits.data[i].step,
                                 result.first_hit.data[s->hits.data[i].probe].step);
    native_result_free(&result);
}

static void test_right_messages_go_on(void) {
    struct err err = {0};
    struct simulate_options options = {.seed = 5, .shards = 1};
    struct simulation *sim = simulate_open(&program, &options, &err);
    struct simulate_news news = {0};
    must(sim != NULL, &err);
    for (int i = 0; i < MOST_ROUNDS && !simulate_knows(sim, 1); i++) {
        must(simulate_step(sim, ROUND, &news, &err), &err);
        for (size_t k = 0; k < news.scenarios.len; k++)
            check(sim, &news.scenarios.data[k]);
    }
    TEST_ASSERT_TRUE(simulate_knows(sim, 0));
    TEST_ASSERT_TRUE(simulate_knows(sim, 1));
    TEST_ASSERT_FALSE(simulate_knows(sim, 2));
    simulate_news_free(&news);
    simulate_close(sim);
}

int main(void) {
    define_program();
    UNITY_BEGIN();
    RUN_TEST(test_right_messages_go_on);
    vec_free(&module.inputs);
    vec_free(&module.state);
    str_free(&woven);
    return UNITY_END();
}
