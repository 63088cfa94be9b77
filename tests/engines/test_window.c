/* What can be seen of an engine from outside: counters, events, and that nothing depends on them.
 */
#include "engine_case.h"

#include <string.h>

struct seen {
    struct window window;
    struct str events; /* names, each with a space before and behind */
    int facts;
};

static void on_event(void *context, const char *name, const char *fields) {
    struct seen *s = context;
    TEST_ASSERT_EQUAL_CHAR('"', fields[0]);
    str_addf(&s->events, " %s ", name);
}

static void on_any_fact(void *context, const struct fact *fact) {
    struct seen *s = context;
    (void)fact;
    s->facts++;
}

static size_t count(const struct seen *s, const char *event) {
    size_t n = 0;
    struct str word = {0};
    str_addf(&word, " %s ", event);
    for (const char *p = str_text(&s->events); (p = strstr(p, str_text(&word))); p += word.len)
        n++;
    str_free(&word);
    return n;
}

/* One step of so many ticks; the window is looked through or not. */
static struct seen watch(const char *name, uint32_t target, bool open, bool listen) {
    struct seen s = {0};
    const struct engine *engine = engine_find(name)->engine;
    struct engine_input input = {.sys = &sys,
                                 .targets = &target,
                                 .n_targets = 1,
                                 .window = open ? &s.window : NULL,
                                 .report = on_any_fact,
                                 .context = &s};
    input.options.knobs = knobs_default;
    if (listen)
        s.window.event = on_event;
    s.window.context = &s;
    void *run = engine->open(&input);
    engine->step(run, 3000000);
    engine->close(run);
    return s;
}

/* A counter and what it was some steps ago: more steps than the property is looked at. */
static uint32_t followers(void) {
    enum { DELAY = 8 };
    term_t a = add_cell("a", 16, true, i16(0)), was = a, go = add_input("go", SORT_BOOL, false);
    term_t may = term_and(&ts, go, term_op2(&ts, OP_SLT, a, i16(40)));
    sys.cells.data[0].next = term_ite(&ts, may, term_op2(&ts, OP_ADD, a, i16(1)), i16(0));
    for (int i = 0; i < DELAY; i++) {
        term_t delayed = add_cell("was", 16, true, i16(0));
        vec_last(&sys.cells).next = was;
        was = delayed;
    }
    return add_target("was > 40", term_op2(&ts, OP_SLT, i16(40), was));
}

static void test_engines_show_what_they_do(void) {
    uint32_t target = followers();
    struct seen s = watch("ic3", target, true, true);
    TEST_ASSERT_EQUAL_UINT64(count(&s, "frame"), s.window.stats.frames);
    TEST_ASSERT_EQUAL_UINT64(count(&s, "obligation"), s.window.stats.obligations);
    TEST_ASSERT_EQUAL_UINT64(count(&s, "lemma"), s.window.stats.lemmas);
    TEST_ASSERT_EQUAL_size_t(1, count(&s, "dead"));
    TEST_ASSERT_TRUE(s.window.stats.lemmas > 0 && s.window.stats.obligations > 0);
    TEST_ASSERT_TRUE(s.window.stats.bounds_after <= s.window.stats.bounds_before);
    TEST_ASSERT_TRUE(s.window.solver.solves > 0 && s.window.solver.calls_int > 0);
    str_free(&s.events);
    s = watch("kind", target, true, true);
    TEST_ASSERT_EQUAL_UINT64(count(&s, "depth"), s.window.stats.depths);
    TEST_ASSERT_EQUAL_UINT64(count(&s, "bound") + count(&s, "dead"), s.window.stats.facts);
    TEST_ASSERT_TRUE(s.window.stats.depths > 1);
    str_free(&s.events);
}

/* All engines: what they report and use is the same whether somebody looks or not. */
static void test_nothing_depends_on_who_looks(void) {
    uint32_t target = followers();
    for (const struct engine_row *row = engine_rows; row->name; row++) {
        if (!row->engine)
            continue;
        struct seen blind = watch(row->name, target, false, false),
                    counted = watch(row->name, target, true, false),
                    heard = watch(row->name, target, true, true);
        TEST_ASSERT_EQUAL_INT_MESSAGE(blind.facts, counted.facts, row->name);
        TEST_ASSERT_EQUAL_INT_MESSAGE(blind.facts, heard.facts, row->name);
        TEST_ASSERT_EQUAL_UINT64_MESSAGE((uint64_t)heard.facts, heard.window.stats.facts,
                                         row->name);
        TEST_ASSERT_EQUAL_UINT64_MESSAGE(window_ticks(&counted.window), window_ticks(&heard.window),
                                         row->name);
        TEST_ASSERT_TRUE_MESSAGE(window_ticks(&heard.window) > 0, row->name);
        TEST_ASSERT_EQUAL_UINT64_MESSAGE(0, window_ticks(&blind.window), row->name);
        str_free(&heard.events);
    }
}

/* A budget that is not used up is not what was used. */
static void test_ticks_are_what_was_used(void) {
    struct seen s = watch("ic3", followers(), true, false);
    TEST_ASSERT_TRUE(s.facts > 0 && window_ticks(&s.window) < 3000000);
}

static void test_counters_become_json(void) {
    struct window w = {0};
    struct str text = {0};
    window_json(&w, &text);
    TEST_ASSERT_EQUAL_STRING("{}", str_text(&text));
    str_clear(&text);
    w.stats.frames = 3;
    w.solver.conflicts = UINT64_MAX;
    window_json(&w, &text);
    TEST_ASSERT_EQUAL_STRING("{\"frames\":3,\"solver_conflicts\":18446744073709551615}",
                             str_text(&text));
    str_free(&text);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_engines_show_what_they_do);
    RUN_TEST(test_nothing_depends_on_who_looks);
    RUN_TEST(test_ticks_are_what_was_used);
    RUN_TEST(test_counters_become_json);
    return UNITY_END();
}
