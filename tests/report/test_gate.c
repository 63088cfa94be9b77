/* Gates as a table: what is asked of which database, and how it comes out. */
#include "valve.h"

#include "base/file.h"
#include "report/gate/gate.h"

#include "unity.h"

#include <string.h>

static struct arena arena;

void setUp(void) {
}

void tearDown(void) {
    test_folder_remove();
    arena_free(&arena);
}

#define ANY GATE_ANY
#define ANY_LIMITS                                                                                 \
    .max_open = ANY, .max_dead = ANY, .unjustified_dead = ANY, .max_defects = ANY,                 \
    .max_dead_causes = ANY
static const struct {
    const char *about;
    struct valve valve;
    const char *min, *min_reachable; /* one of each, or NULL */
    uint64_t open, dead, unjustified, defects;
    bool four_eyes, compared; /* with the mixed valve */
    bool passed, alarm;
    const char *says;
} cases[] = {
    {"mixed, exactly met",
     {0},
     "branch=66",
     NULL,
     ANY,
     ANY,
     ANY,
     ANY,
     0,
     0,
     1,
     0,
     "pass  branch: 66.67 % (4 of 6), at least 66 %\n"},
    {"mixed, just missed",
     {0},
     "branch=66.7",
     NULL,
     ANY,
     ANY,
     ANY,
     ANY,
     0,
     0,
     0,
     0,
     "FAIL  branch: 66.67 % (4 of 6), at least 66.7 %\n      goal 18  src/valve.c:10  branch  "
     "X_Timer < 200 is false: open\n      goal 24  src/valve.c:17  branch  X_Timer > 200 is true: "
     "dead\n      list them: goalkeeper query --kind branch --status dead,open\n"},
    {"a justified goal is covered",
     {0},
     "statement=100",
     NULL,
     ANY,
     ANY,
     ANY,
     ANY,
     0,
     0,
     1,
     0,
     "(7 of 7)"},
    {"without the ledger it is not",
     {.no_ledger = true},
     "statement=100",
     NULL,
     ANY,
     ANY,
     ANY,
     ANY,
     0,
     0,
     0,
     0,
     "(6 of 7)"},
    {"of the reachable, the dead one does not count",
     {.no_ledger = true},
     NULL,
     "statement=100",
     ANY,
     ANY,
     ANY,
     ANY,
     0,
     0,
     1,
     0,
     "statement: 100.00 % of reachable (6 of 6)"},
    {"an open goal counts against the reachable",
     {0},
     NULL,
     "branch=100",
     ANY,
     ANY,
     ANY,
     ANY,
     0,
     0,
     0,
     0,
     "branch: 80.00 % of reachable (4 of 5)"},
    {"robustness: proved not to happen is what counts",
     {0},
     "overflow=100",
     NULL,
     ANY,
     ANY,
     ANY,
     ANY,
     0,
     0,
     1,
     0,
     "overflow: 100.00 % (1 of 1)"},
    {"robustness: what happens is missing",
     {0},
     "div0=100",
     NULL,
     ANY,
     ANY,
     ANY,
     ANY,
     0,
     0,
     0,
     0,
     "list them: goalkeeper query --kind div0 --status reachable,open\n"},
    {"open, at the limit",
     {0},
     NULL,
     NULL,
     4,
     ANY,
     ANY,
     ANY,
     0,
     0,
     1,
     0,
     "pass  open goals: 4, at most 4\n"},
    {"open, above the limit: an expired justification does not help",
     {0},
     NULL,
     NULL,
     3,
     ANY,
     ANY,
     ANY,
     0,
     0,
     0,
     0,
     "FAIL  open goals: 4, at most 3\n"},
    {"it is said that it has expired",
     {0},
     NULL,
     NULL,
     9,
     ANY,
     ANY,
     ANY,
     0,
     0,
     1,
     0,
     "note  the justification of abc0000000000011 does not hold: expired\n"},
    {"dead: robustness is not among them",
     {0},
     NULL,
     NULL,
     ANY,
     2,
     ANY,
     ANY,
     0,
     0,
     1,
     0,
     "pass  dead goals: 2, at most 2\n"},
    {"dead, above the limit", {0}, NULL, NULL, ANY, 1, ANY, ANY, 0, 0, 0, 0, "FAIL  dead goals: 2"},
    {"dead, one of them justified",
     {0},
     NULL,
     NULL,
     ANY,
     ANY,
     1,
     ANY,
     0,
     0,
     1,
     0,
     "dead goals without justification: 1, at most 1"},
    {"a reviewed justification satisfies four eyes",
     {0},
     NULL,
     NULL,
     ANY,
     ANY,
     1,
     ANY,
     1,
     0,
     1,
     0,
     "dead goals without justification: 1, at most 1"},
    {"events that can happen",
     {0},
     NULL,
     NULL,
     ANY,
     ANY,
     ANY,
     0,
     0,
     0,
     0,
     0,
     "FAIL  robustness events that can happen: 1, at most 0\n      goal 27"},
    {"no goals at all pass nothing",
     {.goals = VALVE_NONE},
     NULL,
     NULL,
     0,
     0,
     0,
     0,
     0,
     0,
     0,
     0,
     "FAIL  the database has no goals"},
    {"all dead",
     {.goals = VALVE_DEAD, .no_ledger = true},
     "mcdc=0",
     NULL,
     0,
     25,
     25,
     0,
     0,
     0,
     1,
     0,
     "mcdc: 0.00 % (0 of 4 outcomes, 0 of 2 conditions), at least 0 %"},
    {"all dead: nothing is reachable",
     {.goals = VALVE_DEAD, .no_ledger = true},
     NULL,
     "mcdc=100",
     ANY,
     ANY,
     ANY,
     ANY,
     0,
     0,
     1,
     0,
     "mcdc: 100.00 % of reachable (0 of 0 outcomes, 0 of 0 conditions)"},
    {"all dead is too much",
     {.goals = VALVE_DEAD, .no_ledger = true},
     NULL,
     NULL,
     ANY,
     24,
     ANY,
     ANY,
     0,
     0,
     0,
     0,
     "… and 5 more\n"},
    {"all open",
     {.goals = VALVE_OPEN},
     "function=1",
     NULL,
     ANY,
     0,
     ANY,
     ANY,
     0,
     0,
     0,
     0,
     "FAIL  function: 0.00 % (0 of 1)"},
    {"all open, robustness too; one is justified",
     {.goals = VALVE_OPEN},
     NULL,
     NULL,
     25,
     ANY,
     ANY,
     ANY,
     0,
     0,
     0,
     0,
     "FAIL  open goals: 26, at most 25"},
    {"all reachable",
     {.goals = VALVE_REACHABLE, .no_ledger = true},
     "mcdc=100",
     NULL,
     0,
     0,
     0,
     2,
     0,
     0,
     1,
     0,
     "mcdc: 100.00 % (4 of 4 outcomes, 2 of 2 conditions)"},
    {"a justified goal that is reached is an alarm",
     {.goals = VALVE_REACHABLE},
     "mcdc=0",
     NULL,
     ANY,
     ANY,
     ANY,
     ANY,
     0,
     0,
     0,
     1,
     "ALARM  goal abc0000000000019 is justified, yet a witness reaches it\n"},
    {"not asked for",
     {.criteria = "branch,mcdc"},
     "case=100",
     NULL,
     ANY,
     ANY,
     ANY,
     ANY,
     0,
     0,
     0,
     0,
     "FAIL  case: goals of this kind were not asked for\n"},
    {"asked for, but there is none",
     {.criteria = "branch,case,mcdc"},
     "case=100",
     NULL,
     ANY,
     ANY,
     ANY,
     ANY,
     0,
     0,
     1,
     0,
     "pass  case: 100.00 % (0 of 0)"},
    {"unique cause is asked for by the project",
     {.mcdc = "unique-cause"},
     "mcdc=50",
     NULL,
     ANY,
     ANY,
     ANY,
     ANY,
     0,
     0,
     1,
     0,
     "mcdc (unique-cause): 50.00 % (1 of 2 conditions), at least 50 %"},
    {"unique cause: rows that nobody asked for are no findings",
     {.mcdc = "unique-cause", .criteria = "mcdc"},
     NULL,
     NULL,
     3,
     ANY,
     ANY,
     ANY,
     0,
     0,
     1,
     0,
     "pass  open goals: 3, at most 3"},
    {"unique cause: rows that are asked for are",
     {.mcdc = "unique-cause", .criteria = "mcdc,vector"},
     NULL,
     NULL,
     3,
     ANY,
     ANY,
     ANY,
     0,
     0,
     0,
     0,
     "FAIL  open goals: 4, at most 3"},
    {"same as the baseline",
     {0},
     NULL,
     NULL,
     ANY,
     ANY,
     ANY,
     ANY,
     0,
     1,
     1,
     0,
     "pass  goals worse than in the baseline: 0"},
    {"worse than the baseline",
     {.later = true},
     NULL,
     NULL,
     ANY,
     ANY,
     ANY,
     ANY,
     0,
     1,
     0,
     0,
     "FAIL  goals worse than in the baseline: 3, at most 0\n      goal 18  src/valve.c:10  branch  "
     "X_Timer < 200 is false: dead\n      goal 20  src/valve.c:11  overflow  X_Timer++: "
     "reachable\n      goal 26  src/valve.c:18  statement  Out_Open = 100 / In_Temp;: dead\n"},
    {"better than the baseline",
     {.goals = VALVE_REACHABLE, .no_ledger = true},
     NULL,
     NULL,
     ANY,
     ANY,
     ANY,
     ANY,
     0,
     1,
     0,
     0,
     "baseline: 1, at most 0\n      goal 20"},
};

static struct gate make_gate(size_t i) {
    struct gate gate = {.max_open = cases[i].open,
                        .max_dead = cases[i].dead,
                        .unjustified_dead = cases[i].unjustified,
                        .max_dead_causes = ANY,
                        .max_defects = cases[i].defects};
    const char *const texts[] = {cases[i].min, cases[i].min_reachable};
    struct err err = {0};
    for (int m = 0; m < 2; m++) {
        struct gate_minimum minimum;
        if (!texts[m])
            continue;
        TEST_ASSERT_TRUE(gate_parse_minimum("--min", texts[m], &minimum, &err));
        minimum.of_reachable = m == 1;
        vec_push(&gate.minimums, minimum);
    }
    return gate;
}

static void check_case(size_t i, const struct baseline *baseline) {
    struct store *db;
    struct report_data data = {0};
    struct gate_outcome outcome = {0};
    struct str text = {0};
    const struct report_view view = {.today = VALVE_TODAY, .four_eyes = cases[i].four_eyes};
    struct gate gate = make_gate(i);
    gate.baseline = cases[i].compared ? baseline : NULL;
    valve_open(&cases[i].valve, &view, &db, &data);
    gate_check(&gate, &data, &outcome);
    TEST_ASSERT_TRUE(gate_print("text", &data, &outcome, &text));
    const char *message = arena_printf(&arena, "%s:\n%s", cases[i].about, str_text(&text));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&text), cases[i].says), message);
    TEST_ASSERT_EQUAL_MESSAGE(cases[i].passed, outcome.passed, message);
    TEST_ASSERT_EQUAL_MESSAGE(cases[i].alarm, outcome.alarm, message);
    TEST_ASSERT_TRUE_MESSAGE(str_ends(str_text(&text), outcome.passed  ? "gate passed\n"
                                                       : outcome.alarm ? "decided or justified\n"
                                                                       : "gate failed\n"),
                             message);
    gate_outcome_free(&outcome);
    str_free(&text);
    vec_free(&gate.minimums);
    valve_close(db, &data);
}

static void test_table(void) {
    struct baseline baseline = {0};
    struct err err = {0};
    const struct report_view view = {.today = VALVE_TODAY};
    const char *old = test_file("baseline.db");
    valve_make(old, NULL);
    TEST_ASSERT_TRUE(baseline_read(&baseline, old, &view, &err));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_case(i, &baseline);
    baseline_free(&baseline);
}

/* One dead goal was checked by CBMC, the others by the solver; the third asks for what nobody has.
 */
static void test_required_checkers(void) {
    static const char *const asked[] = {"solver", "cbmc", "z3", "2"};
    static const char *const says[] = {
        "FAIL  dead verdicts without solver: 1, at most 0 (3 dead verdicts: 2 checked by a fresh "
        "solver, 1 by CBMC)\n",
        "dead verdicts without cbmc: 2, at most 0", "dead verdicts without cbmc,z3: 3, at most 0",
        "dead verdicts without 2 checkers: 3, at most 0"};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        struct store *db;
        struct report_data data = {0};
        struct gate_outcome outcome = {0};
        struct str text = {0};
        struct texts names = {0};
        const struct report_view view = {.today = VALVE_TODAY};
        struct gate gate = {ANY_LIMITS, .checkers = &names};
        if (i == 2)
            vec_push(&names, asked[1]);
        vec_push(&names, asked[i]);
        valve_open(NULL, &view, &db, &data);
        gate_check(&gate, &data, &outcome);
        TEST_ASSERT_TRUE(gate_print("text", &data, &outcome, &text));
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&text), says[i]), str_text(&text));
        TEST_ASSERT_FALSE(outcome.passed);
        gate_outcome_free(&outcome);
        str_free(&text);
        vec_clear(&names);
        gate.max_dead = 3; /* nothing required: nothing said */
        gate_check(&gate, &data, &outcome);
        TEST_ASSERT_TRUE(outcome.passed);
        gate_outcome_free(&outcome);
        vec_free(&names);
        valve_close(db, &data);
    }
    TEST_ASSERT_TRUE(gate_knows_checker("cbmc") && gate_knows_checker("z3"));
    TEST_ASSERT_FALSE(gate_knows_checker("replay") || gate_knows_checker("cbmx") ||
                      gate_knows_checker("0") || gate_knows_checker("9"));
}

/* Four eyes: who reviews is what makes the difference. */
static void test_four_eyes(void) {
    static const struct justification_row row = {
        .key = "abc0000000000019", .reason = "r", .author = "A", .date = "2030-01-01"};
    struct justification_row reviewed = row;
    reviewed.reviewer = "B";
    const struct justification_row *const rows[] = {&row, &row, &reviewed};
    static const bool four_eyes[] = {false, true, true}, holds[] = {true, false, true};
    for (int i = 0; i < 3; i++) {
        struct store *db;
        struct report_data data = {0};
        const struct report_view view = {
            .rows = rows[i], .n_rows = 1, .today = VALVE_TODAY, .four_eyes = four_eyes[i]};
        valve_open(NULL, &view, &db, &data);
        TEST_ASSERT_EQUAL(holds[i], data.goals.data[25].justified);
        valve_close(db, &data);
    }
}

/* The last day of a justification is one on which it holds. */
static void test_expiry(void) {
    static const char *const days[] = {"2030-05-30", "2030-05-31", "2030-06-01"};
    static const bool holds[] = {true, true, false};
    for (int i = 0; i < 3; i++) {
        struct store *db;
        struct report_data data = {0};
        const struct report_view view = {.today = days[i]};
        valve_open(NULL, &view, &db, &data);
        TEST_ASSERT_EQUAL(holds[i], data.goals.data[17].justified);
        valve_close(db, &data);
    }
}

static void test_bad_minimums(void) {
    static const char *const bad[] = {"mcdc",     "mcdc=",     "mcdc=x",  "mcdc=101", "mcdc=-1",
                                      "mcdc=1x",  "=5",        "",        "mcdd=100", "mcdc=nan",
                                      "MCDC=100", "branch =1", "mcdc=1 2"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err err = {0};
        struct gate_minimum minimum;
        TEST_ASSERT_FALSE_MESSAGE(gate_parse_minimum("--min", bad[i], &minimum, &err), bad[i]);
        TEST_ASSERT_EQUAL_INT(ERR_USAGE, err.code);
        err_clear(&err);
    }
    struct err err = {0};
    struct gate_minimum minimum;
    gate_parse_minimum("--min", "mcdd=100", &minimum, &err);
    TEST_ASSERT_NOT_NULL(strstr(str_text(&err.remedy), "mcdc"));
    err_clear(&err);
}

static void write(const char *path, const char *text) {
    struct err err = {0};
    TEST_ASSERT_TRUE(file_write(path, text, strlen(text), &err));
}

static void test_broken_baselines(void) {
    static const char *const broken[] = {
        "",
        "nonsense",
        "{}",
        "[]",
        "{\"goals\": 3}",
        "{\"goals\": [3]}",
        "{\"goals\": [{\"key\": \"k\", \"kind\": \"branch\", \"status\": \"alive\"}]}",
        "{\"goals\": [{\"key\": \"k\", \"kind\": \"twig\", \"status\": \"dead\"}]}",
        "{\"goals\": [{\"kind\": \"branch\", \"status\": \"dead\"}]}",
        "SQLite format 3 and nothing behind it"};
    const char *path = test_file("broken");
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct err err = {0};
        struct baseline b = {0};
        write(path, broken[i]);
        TEST_ASSERT_FALSE_MESSAGE(baseline_read(&b, path, NULL, &err), broken[i]);
        TEST_ASSERT_EQUAL_INT_MESSAGE(ERR_USAGE, err.code, broken[i]);
        TEST_ASSERT_TRUE_MESSAGE(err.message.len > 0, broken[i]);
        err_clear(&err);
    }
    struct err err = {0};
    struct baseline b = {0};
    TEST_ASSERT_FALSE(baseline_read(&b, test_file("absent"), NULL, &err));
    err_clear(&err);
}

/* A database and the JSON report made of it are the same baseline. */
static void test_json_is_as_good_as_the_database(void) {
    struct err err = {0};
    struct baseline from_db = {0}, from_json = {0};
    struct str text = {0};
    const struct report_view view = {.today = VALVE_TODAY};
    const char *db = test_file("a.db"), *json = test_file("a.json");
    valve_make(db, NULL);
    valve_render("json", false, NULL, NULL, &text);
    write(json, str_text(&text));
    TEST_ASSERT_TRUE(baseline_read(&from_db, db, &view, &err));
    TEST_ASSERT_TRUE(baseline_read(&from_json, json, &view, &err));
    TEST_ASSERT_EQUAL_size_t(27, from_db.goals.len);
    TEST_ASSERT_EQUAL_size_t(27, from_json.goals.len);
    for (size_t i = 0; i < 27; i++) {
        const struct baseline_goal *a = &from_db.goals.data[i], *b = &from_json.goals.data[i];
        TEST_ASSERT_EQUAL_STRING(a->key, b->key);
        TEST_ASSERT_EQUAL_STRING(a->kind, b->kind);
        TEST_ASSERT_EQUAL_STRING(a->file, b->file);
        TEST_ASSERT_EQUAL_INT(a->line, b->line);
        TEST_ASSERT_EQUAL(a->status, b->status);
        TEST_ASSERT_EQUAL(a->finding, b->finding);
        TEST_ASSERT_EQUAL(a->justified, b->justified);
    }
    baseline_free(&from_db);
    baseline_free(&from_json);
    str_free(&text);
}

static void print(const char *format, const char *wanted) {
    struct store *db;
    struct report_data data = {0};
    struct gate_outcome outcome = {0};
    struct str text = {0};
    struct gate gate = make_gate(1);
    valve_open(NULL, NULL, &db, &data);
    gate_check(&gate, &data, &outcome);
    TEST_ASSERT_TRUE(gate_print(format, &data, &outcome, &text));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&text), wanted), str_text(&text));
    gate_outcome_free(&outcome);
    str_free(&text);
    vec_free(&gate.minimums);
    valve_close(db, &data);
}

static void test_formats(void) {
    print("json",
          "\"passed\": false, \"check\": \"min branch\", \"about\": \"branch: 66.67 % (4 of "
          "6), at least 66.7 %\"");
    print("json", "\"key\": \"abc0000000000011\", \"file\": \"src/valve.c\", \"line\": 10");
    print("junit", "<testsuite name=\"gate\" tests=\"1\" failures=\"1\"");
    print("markdown", "| ✗ | `branch: 66.67 % (4 of 6), at least 66.7 %` |\n");
    print("github",
          "::error file=src/valve.c,line=10,title=Goalkeeper%3A branch%3A 66.67 %25 (4 of "
          "6)%2C at least 66.7 %25::branch ");
    print("github", "\ngate failed\n");
    print("gitlab", "\"check_name\": \"goalkeeper/gate min branch\", \"fingerprint\": \"min "
                    "branch-abc0000000000011\", \"severity\": \"critical\", \"location\": "
                    "{\"path\": \"src/valve.c\", \"lines\": {\"begin\": 10}}}");
    struct str text = {0};
    TEST_ASSERT_FALSE(gate_print("morse", NULL, NULL, &text));
}

/* Branch and statement die of the same; the overflow is an event, which is good. */
static void test_causes_are_counted_not_goals(void) {
    const struct report_view view = {.today = VALVE_TODAY};
    const struct valve all_dead = {.goals = VALVE_DEAD, .no_ledger = true};
    struct gate gate = {ANY_LIMITS};
    struct store *db;
    struct report_data data = {0};
    struct gate_outcome outcome = {0};
    valve_open(&all_dead, &view, &db, &data);
    size_t dead = 0;
    for (size_t i = 0; i < data.goals.len; i++)
        dead += report_finding(&data.goals.data[i]) == FINDING_DEAD;
    gate.max_dead_causes = dead - 1;
    gate_check(&gate, &data, &outcome);
    TEST_ASSERT_TRUE(outcome.passed);
    gate_outcome_free(&outcome);
    gate.max_dead_causes = dead - 2;
    outcome = (struct gate_outcome){0};
    gate_check(&gate, &data, &outcome);
    TEST_ASSERT_FALSE(outcome.passed);
    TEST_ASSERT_EQUAL_size_t(dead - 1, outcome.results.data[0].goals.len);
    gate_outcome_free(&outcome);
    valve_close(db, &data);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_table);
    RUN_TEST(test_required_checkers);
    RUN_TEST(test_four_eyes);
    RUN_TEST(test_expiry);
    RUN_TEST(test_bad_minimums);
    RUN_TEST(test_broken_baselines);
    RUN_TEST(test_json_is_as_good_as_the_database);
    RUN_TEST(test_formats);
    RUN_TEST(test_causes_are_counted_not_goals);
    return UNITY_END();
}
