/* Simulation repeats what it has found: a thousand right messages from the last sixteen, and in
 * another mode those of the first. */
#include "simulated.h"

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

static void test_right_messages_go_on(void) {
    struct err err = {0};
    struct simulation *sim = open_simulation(&program, 5, 1);
    struct simulate_news news = {0};
    for (int i = 0; i < MOST_ROUNDS && !simulate_knows(sim, 1); i++) {
        must(simulate_step(sim, ROUND, &news, &err), &err);
        for (size_t k = 0; k < news.scenarios.len; k++)
            check_hits(sim, &news.scenarios.data[k]);
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
