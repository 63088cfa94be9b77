/* Simulation: finds what can be found, credits nothing else, and repeats itself. */
#include "simulated.h"

#include "instrument/native/simulate_values.h"
#include "model/term/ordinal.h"

#include "unity.h"

enum { N_PROBES = 13, ROUND = 2000000, MOST_ROUNDS = 40 };

static struct str woven;
static struct module module;
static struct native_program program;

void setUp(void) {
}
void tearDown(void) {
}

static void define_program(void) {
    read_woven("counter.c", &woven);
    add_var(&module, VAR_INPUT, "torque", 'f', 32, f32_bits(-10), f32_bits(10));
    add_var(&module, VAR_INPUT, "speed", 'i', 16, (uint16_t)-1000, 1000);
    add_var(&module, VAR_INPUT, "button", 'u', 8, 0, 255);
    add_var(&module, VAR_PARAMETER, "limit", 'u', 16, 1000, 2000);
    add_var(&module, VAR_VOLATILE, "register", 'u', 8, 0, 255);
    add_var(&module, VAR_STATE, "last_torque", 'f', 32, 0, 0);
    add_var(&module, VAR_STATE, "timer", 'u', 16, 0, 0);
    add_var(&module, VAR_STATE, "mode", 'u', 8, 0, 0);
    add_var(&module, VAR_STATE, "presses", 'u', 8, 0, 0);
    add_var(&module, VAR_STATE, "charge", 'f', 64, 0, 0);
    module.ilp32 = module.char_is_signed = true;
    program = (struct native_program){
        .woven = str_text(&woven), .module = &module, .n_probes = N_PROBES, .step_ms = 500};
}

static bool is_dead(uint32_t probe) {
    return probe == 1 || probe == 4 || probe == 7 || probe == 8;
}

static bool all_found(const struct simulation *sim) {
    for (uint32_t probe = 0; probe < N_PROBES; probe++)
        if (!simulate_knows(sim, probe) && !is_dead(probe))
            return false;
    return true;
}

static bool add_division(const struct simulate_news *news) {
    for (size_t i = 0; i < news->crashes.len; i++)
        if (news->crashes.data[i].end == NATIVE_DIVISION && news->crashes.data[i].events.len > 0)
            return true;
    return false;
}

static void check_scenario(struct simulation *sim, const struct scenario *s, uint32_t *steps_of) {
    check_hits(sim, s);
    for (size_t i = 0; i < s->hits.len; i++)
        steps_of[s->hits.data[i].probe] = s->n_steps;
}

static void test_finds_what_is_reachable_and_nothing_else(void) {
    struct err err = {0};
    struct simulation *sim = open_simulation(&program, 1, 2);
    struct simulate_news news = {0};
    uint32_t steps_of[N_PROBES] = {0};
    bool division = false;
    for (int round = 0; round < MOST_ROUNDS && !(all_found(sim) && division); round++) {
        must(simulate_step(sim, ROUND, &news, &err), &err);
        for (size_t i = 0; i < news.scenarios.len; i++)
            check_scenario(sim, &news.scenarios.data[i], steps_of);
        division |= add_division(&news);
    }
    for (uint32_t probe = 0; probe < N_PROBES; probe++)
        TEST_ASSERT_EQUAL_MESSAGE(!is_dead(probe), simulate_knows(sim, probe), "probe");
    TEST_ASSERT_TRUE(division);
    TEST_ASSERT_EQUAL_UINT32(25450 + 1, steps_of[0]); /* the torque has to repeat first */
    TEST_ASSERT_EQUAL_UINT32(1 + 5 + 1, steps_of[3]);
    TEST_ASSERT_EQUAL_UINT32(1, steps_of[6]);
    TEST_ASSERT_EQUAL_UINT32(0, steps_of[12]);
    simulate_news_free(&news);
    simulate_close(sim);
}

static void test_state_ranges_are_observed(void) {
    struct err err = {0};
    struct simulation *sim = open_simulation(&program, 3, 1);
    struct simulate_news news = {0};
    must(simulate_step(sim, ROUND, &news, &err), &err);
    const struct simulate_cell *cells = simulate_cells(sim);
    TEST_ASSERT_TRUE(cells[2].seen);
    TEST_ASSERT_EQUAL_UINT64(0, cells[2].min);
    TEST_ASSERT_LESS_OR_EQUAL_UINT64(2, cells[2].max);
    TEST_ASSERT_LESS_OR_EQUAL_UINT64(25450, cells[1].max);
    TEST_ASSERT_GREATER_OR_EQUAL_UINT64(1, cells[1].max);
    TEST_ASSERT_TRUE(bits_f64(cells[4].max) <= 1.0 && bits_f64(cells[4].min) >= 0.0);
    simulate_news_free(&news);
    simulate_close(sim);
}

/* Everything that the simulation says, as text. */
static void write_news(const struct simulate_news *news, struct str *out) {
    for (size_t i = 0; i < news->scenarios.len; i++) {
        const struct scenario *s = &news->scenarios.data[i];
        str_addf(out, "%u:", s->n_steps);
        for (size_t k = 0; k < s->hits.len; k++)
            str_addf(out, " %u@%u", s->hits.data[k].probe, s->hits.data[k].step);
        for (size_t k = 0; k < s->events.len; k++)
            str_addf(out, " %u/%u=%llx", s->events.data[k].step, s->events.data[k].input,
                     (unsigned long long)s->events.data[k].bits);
        str_addc(out, '\n');
    }
}

static void simulate_text(uint64_t seed, struct str *out) {
    struct err err = {0};
    struct simulation *sim = open_simulation(&program, seed, 2);
    struct simulate_news news = {0};
    for (int round = 0; round < 3; round++) {
        must(simulate_step(sim, 200000, &news, &err), &err);
        write_news(&news, out);
    }
    struct simulate_statistics statistics = simulate_statistics(sim);
    str_addf(out, "%llu %llu", (unsigned long long)statistics.steps,
             (unsigned long long)statistics.runs);
    simulate_news_free(&news);
    simulate_close(sim);
}

static void test_same_seed_same_news(void) {
    struct str first = {0}, second = {0}, third = {0};
    simulate_text(5, &first);
    simulate_text(5, &second);
    simulate_text(6, &third);
    TEST_ASSERT_EQUAL_STRING(str_text(&first), str_text(&second));
    TEST_ASSERT_FALSE(str_same(str_text(&first), str_text(&third)));
    str_free(&first);
    str_free(&second);
    str_free(&third);
}

/* A step that fills the stack takes as long as thousands of others, and a search in a program that
 * does so again and again has to come to an end. */
static void test_calls_without_end_are_dear(void) {
    struct err err = {0};
    struct str text = {0};
    read_woven("falling.c", &text);
    struct module falling = {.ilp32 = true, .char_is_signed = true};
    add_var(&falling, VAR_STATE, "deep", 'u', 8, 0, 0);
    struct native_program endless = {
        .woven = str_text(&text), .module = &falling, .n_probes = 2, .step_ms = 500};
    struct simulation *sim = open_simulation(&endless, 1, 1);
    struct simulate_news news = {0};
    must(simulate_step(sim, 50000, &news, &err), &err);
    struct simulate_statistics statistics = simulate_statistics(sim);
    TEST_ASSERT_TRUE(simulate_knows(sim, 0));
    TEST_ASSERT_FALSE(simulate_knows(sim, 1));
    TEST_ASSERT_EQUAL_INT(NATIVE_STACK, news.crashes.data[0].end);
    TEST_ASSERT_TRUE(statistics.runs * 1000 <= statistics.steps);
    vec_free(&falling.state);
    str_free(&text);
    simulate_news_free(&news);
    simulate_close(sim);
}

/* What counts is followed for as long as it does, with inputs at rest and in a loop. */
static void test_counters_are_climbed(void) {
    struct err err = {0};
    struct str text = {0};
    read_woven("counting.c", &text);
    struct module counting = {.ilp32 = true, .char_is_signed = true};
    add_var(&counting, VAR_INPUT, "enable", 'u', 8, 0, 20);
    add_var(&counting, VAR_STATE, "before", 'u', 8, 0, 0);
    add_var(&counting, VAR_STATE, "hours", 'u', 32, 0, 0);
    add_var(&counting, VAR_STATE, "turns", 'u', 32, 0, 0);
    add_var(&counting, VAR_STATE, "sum", 'f', 32, 0, 0);
    struct native_program far = {
        .woven = str_text(&text), .module = &counting, .n_probes = 4, .step_ms = 500};
    struct simulation *sim = open_simulation(&far, 1, 1);
    struct simulate_news news = {0};
    uint32_t steps[4] = {0};
    for (int round = 0; round < MOST_ROUNDS && !(steps[0] && steps[1] && steps[2]); round++) {
        must(simulate_step(sim, ROUND, &news, &err), &err);
        for (size_t i = 0; i < news.scenarios.len; i++)
            check_scenario(sim, &news.scenarios.data[i], steps);
    }
    TEST_ASSERT_GREATER_OR_EQUAL_UINT32(5000001, steps[0]);
    TEST_ASSERT_GREATER_OR_EQUAL_UINT32(100000, steps[1]);
    TEST_ASSERT_GREATER_OR_EQUAL_UINT32(1 << 24, steps[2]);
    TEST_ASSERT_EQUAL_UINT32(0, steps[3]);
    vec_free(&counting.inputs);
    vec_free(&counting.state);
    str_free(&text);
    simulate_news_free(&news);
    simulate_close(sim);
}

static void test_known_probes_are_not_reported(void) {
    struct err err = {0};
    struct simulation *sim = open_simulation(&program, 1, 1);
    struct simulate_news news = {0};
    for (uint32_t probe = 0; probe < N_PROBES; probe++)
        simulate_know(sim, probe);
    must(simulate_step(sim, ROUND, &news, &err), &err);
    TEST_ASSERT_EQUAL_size_t(0, news.scenarios.len);
    simulate_news_free(&news);
    simulate_close(sim);
}

/* A way that nobody would find by chance leads to what lies behind it. */
static void test_learns_from_others(void) {
    struct err err = {0};
    struct simulation *sim = open_simulation(&program, 1, 1);
    struct simulate_news news = {0};
    struct input_events events = {0};
    add_event(&events, NATIVE_INIT, 3, 1500);
    add_event(&events, 0, 1, 700);
    must(simulate_learn(sim, &events, 25449, &err), &err);
    must(simulate_step(sim, 100000, &news, &err), &err);
    TEST_ASSERT_TRUE(simulate_knows(sim, 0));
    vec_free(&events);
    simulate_news_free(&news);
    simulate_close(sim);
}

static bool has_value(const struct values *values, size_t n, uint64_t bits) {
    for (size_t i = 0; i < n && i < values->len; i++)
        if (values->data[i] == bits)
            return true;
    return false;
}

static void test_values_come_from_the_program(void) {
    static const char text[] =
        "# 12 \"a.c\"\nint f(int x) { /* 44 */ gk_hit(55);\n"
        "  if (x > (-17)) return 0x20; if (3.5e1F <= x) { x = 8 << 2; }\n"
        "  switch (x) { case 'a': case 9: return '3'; } return \"77\"[0]; }\n"
        "#ifdef GK_NATIVE\nint t = 66;\n#endif\n";
    struct literals literals = {0};
    struct values values = {0};
    literals_read(&literals, text);
    struct module_var var = {.type = TYPE_SIGNED, .bits = 16, .role = VAR_INPUT};
    uint32_t hot = values_for(&literals, &var, &values);
    TEST_ASSERT_EQUAL_UINT32(9, hot); /* -17, 9 and 35 with their neighbours */
    TEST_ASSERT_TRUE(has_value(&values, hot, (uint16_t)-17));
    TEST_ASSERT_TRUE(has_value(&values, hot, (uint16_t)-16));
    TEST_ASSERT_TRUE(has_value(&values, hot, 9));
    TEST_ASSERT_TRUE(has_value(&values, hot, 36));
    TEST_ASSERT_TRUE(has_value(&values, values.len, 32));
    for (uint64_t absent = 44; absent <= 77; absent += 11)
        TEST_ASSERT_FALSE(has_value(&values, values.len, absent));
    vec_free(&values);
    var.has_range = true;
    var.min = 0;
    var.max = 9;
    values_for(&literals, &var, &values);
    TEST_ASSERT_FALSE(has_value(&values, values.len, 10));
    TEST_ASSERT_TRUE(has_value(&values, values.len, 8));
    vec_free(&values);
    vec_free(&literals);
}

int main(void) {
    define_program();
    UNITY_BEGIN();
    RUN_TEST(test_values_come_from_the_program);
    RUN_TEST(test_finds_what_is_reachable_and_nothing_else);
    RUN_TEST(test_state_ranges_are_observed);
    RUN_TEST(test_same_seed_same_news);
    RUN_TEST(test_calls_without_end_are_dear);
    RUN_TEST(test_counters_are_climbed);
    RUN_TEST(test_known_probes_are_not_reported);
    RUN_TEST(test_learns_from_others);
    vec_free(&module.inputs);
    vec_free(&module.state);
    str_free(&woven);
    return UNITY_END();
}
