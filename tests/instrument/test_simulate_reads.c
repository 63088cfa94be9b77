/* Channels whose every read may see another value rest, too: what stands behind several of them
 * that stay, and behind a message that is read twice and stays. */
#include "simulated.h"

enum { N_PROBES = 3, ROUND = 2000000, MOST_ROUNDS = 4 };

static struct str woven;
static struct module module;
static struct native_program program;

void setUp(void) {
}
void tearDown(void) {
}

static void define_program(void) {
    read_woven("resting.c", &woven);
    add_var(&module, VAR_VOLATILE, "a", 'u', 8, 0, 255);
    add_var(&module, VAR_VOLATILE, "b", 'u', 8, 0, 255);
    add_var(&module, VAR_STUB, "c", 'u', 8, 0, 255);
    add_var(&module, VAR_STUB, "d", 'u', 8, 0, 255);
    add_var(&module, VAR_VOLATILE, "message", 'u', 8, 0, 255);
    add_var(&module, VAR_STATE, "healthy", 'u', 8, 0, 0);
    add_var(&module, VAR_STATE, "held", 'u', 8, 0, 0);
    add_var(&module, VAR_STATE, "number", 'u', 8, 0, 0);
    module.ilp32 = module.char_is_signed = true;
    program = (struct native_program){
        .woven = str_text(&woven), .module = &module, .n_probes = N_PROBES, .step_ms = 500};
}

static void test_volatiles_rest(void) {
    struct err err = {0};
    struct simulation *sim = open_simulation(&program, 3, 1);
    struct simulate_news news = {0};
    for (int i = 0; i < MOST_ROUNDS && !(simulate_knows(sim, 0) && simulate_knows(sim, 1)); i++) {
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
    RUN_TEST(test_volatiles_rest);
    vec_free(&module.inputs);
    vec_free(&module.state);
    str_free(&woven);
    return UNITY_END();
}
