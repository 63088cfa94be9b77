/* The ledger: what it accepts, when an entry holds, and what gate, report and justify make of it.
 */
#include "app/project/ledger.h"

#include "base/file.h"
#include "run_program.h"
#include "valve.h"

#include "unity.h"

#include <string.h>
#include <sys/stat.h>

#define BRANCH_OPEN "abc0000000000011"
#define STATEMENT_DEAD "abc0000000000019"
#define OVERFLOW_DEAD "abc0000000000013"
#define DIVISION_REACHED "abc000000000001a"
#define CONDITION_REACHED "abc0000000000004"

static struct arena arena;
static struct child_result result;

void setUp(void) {
}

void tearDown(void) {
    test_folder_remove();
    child_result_free(&result);
    result = (struct child_result){0};
    arena_free(&arena);
}

static void put(const char *name, const char *text) {
    struct err err = {0};
    TEST_ASSERT_TRUE(file_write(test_file(name), text, strlen(text), &err));
}

static void put_entry(const char *key, const char *more) {
    put("justifications.json",
        arena_printf(&arena,
                     "[{\"key\": \"%s\", \"reason\": \"r\", \"author\": \"A\", \"date\": "
                     "\"2020-01-01\"%s}]",
                     key, more));
}

static struct store *open_valve(const struct valve *valve, enum store_mode mode) {
    struct store *db;
    struct err err = {0};
    const char *path = test_file("goalkeeper.db");
    if (!file_exists(path))
        valve_make(path, valve);
    TEST_ASSERT_TRUE_MESSAGE(store_open(&db, path, mode, &err), str_text(&err.message));
    return db;
}

/* ---- the file ---- */

static void test_a_missing_file_is_an_empty_ledger(void) {
    struct ledger l;
    struct err err = {0};
    TEST_ASSERT_TRUE(ledger_open(&l, test_file("goalkeeper.db"), &err));
    TEST_ASSERT_FALSE(l.exists);
    TEST_ASSERT_EQUAL_size_t(0, l.entries.len);
    ledger_close(&l);
}

static void test_entries_come_back_in_the_order_of_keys(void) {
    static const char hostile[] = "\"</script>\\ \n\xc3\xa4 ";
    struct ledger l, back;
    struct err err = {0};
    const char *db = test_file("goalkeeper.db");
    TEST_ASSERT_TRUE(ledger_open(&l, db, &err));
    ledger_put(&l, &(struct ledger_entry){
                       .key = "b", .reason = "old", .author = "A", .date = "2030-01-01"});
    ledger_put(
        &l, &(struct ledger_entry){.key = "a", .reason = "r", .author = "A", .date = "2030-01-01"});
    ledger_put(&l, &(struct ledger_entry){.key = "b",
                                          .category = "defensive",
                                          .reason = hostile,
                                          .author = "A",
                                          .reviewer = "B",
                                          .date = "2030-01-01",
                                          .expires = "2032-02-29",
                                          .function_hash = "00"});
    TEST_ASSERT_TRUE(ledger_write(&l, &err));
    TEST_ASSERT_TRUE_MESSAGE(ledger_open(&back, db, &err), str_text(&err.message));
    TEST_ASSERT_EQUAL_size_t(2, back.entries.len);
    TEST_ASSERT_EQUAL_STRING("a", back.entries.data[0].key);
    TEST_ASSERT_NULL(back.entries.data[0].reviewer);
    TEST_ASSERT_EQUAL_STRING(hostile, back.entries.data[1].reason);
    TEST_ASSERT_EQUAL_STRING("defensive", back.entries.data[1].category);
    TEST_ASSERT_EQUAL_STRING("2032-02-29", back.entries.data[1].expires);
    ledger_close(&l);
    ledger_close(&back);
}

static void test_what_is_wrong_is_told_with_its_place(void) {
    static const struct {
        const char *text, *message;
        int line;
    } bad[] = {
        {"{}", "array", 1},
        {"[3]", "object", 1},
        {"[\n {\"key\": \"k\",\n  \"raeson\": \"r\"}]", "unknown key 'raeson'", 3},
        {"[{\"key\": 3}]", "'key' must be a text", 1},
        {"[{\"key\": \"k\", \"reason\": \"r\", \"author\": \"A\"}]", "needs key", 1},
        {"[{\"key\": \"k\", \"reason\": \"r\", \"author\": \"A\", \"date\": \"2030-02-30\"}]",
         "'date' must be a date", 1},
        {"[{\"key\": \"k\", \"reason\": \"r\", \"author\": \"A\", \"date\": \"2030-02-03\",\n"
         "\"expires\": \"tomorrow\"}]",
         "'expires' must be a date", 1},
        {"[", "", 1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct ledger l;
        struct err err = {0};
        put("justifications.json", bad[i].text);
        TEST_ASSERT_FALSE_MESSAGE(ledger_open(&l, test_file("goalkeeper.db"), &err), bad[i].text);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&err.message), bad[i].message),
                                     str_text(&err.message));
        TEST_ASSERT_EQUAL_INT_MESSAGE(bad[i].line, err.line, bad[i].text);
        err_clear(&err);
        ledger_close(&l);
    }
}

/* ---- when an entry holds ---- */

static void expect_problem(const char *key, const char *more, const char *problem, size_t alarms) {
    struct ledger l;
    struct err err = {0};
    struct store *db = open_valve(NULL, STORE_READ);
    put_entry(key, more);
    TEST_ASSERT_TRUE_MESSAGE(ledger_open(&l, store_path(db), &err), str_text(&err.message));
    ledger_judge(&l, db);
    TEST_ASSERT_EQUAL_size_t(1, l.rows.len);
    if (problem)
        TEST_ASSERT_EQUAL_STRING(problem, l.rows.data[0].problem);
    else
        TEST_ASSERT_NULL_MESSAGE(l.rows.data[0].problem, l.rows.data[0].problem);
    TEST_ASSERT_EQUAL_size_t(alarms, l.alarms);
    ledger_close(&l);
    store_close(db);
}

static void test_when_an_entry_holds(void) {
    expect_problem(BRANCH_OPEN, "", NULL, 0);
    expect_problem(STATEMENT_DEAD, ", \"reviewer\": \"B\"", NULL, 0);
    expect_problem("0000000000000000", "", "the goal is gone", 0);
    expect_problem(CONDITION_REACHED, "", "the goal is reachable", 1);
    expect_problem(DIVISION_REACHED, "", NULL, 0); /* that it can happen is what is justified */
    expect_problem(OVERFLOW_DEAD, "", "the event is proved not to happen", 0);
    expect_problem(BRANCH_OPEN, ", \"expires\": \"2020-12-31\"", "expired", 0);
    expect_problem(BRANCH_OPEN, ", \"expires\": \"9999-12-31\"", NULL, 0);
    expect_problem(BRANCH_OPEN, ", \"reviewer\": \"A\"", "the reviewer is the author", 0);
    expect_problem(BRANCH_OPEN, ", \"function_hash\": \"00\"", "stale: the function has changed",
                   0);
    /* no alarm: the function that was justified is not the one that is reached */
    expect_problem(CONDITION_REACHED, ", \"function_hash\": \"00\"",
                   "stale: the function has changed", 0);
}

/* ---- what an entry is bound to ---- */

static const char *hash_with(const char *source) {
    struct err err = {0};
    struct store *db = open_valve(NULL, STORE_WRITE);
    TEST_ASSERT_TRUE(store_artifact(db, "source:valve.c", source, strlen(source), &err));
    const char *hash = ledger_function_hash(&arena, db, BRANCH_OPEN);
    store_close(db);
    return hash;
}

/* The function begins in line 7. */
static void test_a_justification_is_bound_to_its_function(void) {
    const char *was =
        hash_with("\n\n\n\n\nint a;\nvoid valve(void) { x = '}'; y = \"}\"; }\nint b;");
    /* what stands elsewhere, comments and layout do not matter */
    TEST_ASSERT_EQUAL_STRING(
        was, hash_with("//\n\n/*\n*/\n\nint other;\nvoid valve(void)  /* } */ { // }\n\tx = '}';\n"
                       "y = \"}\"; }\nlong b;"));
    /* what stands in it does */
    static const char *const changed[] = {
        "\n\n\n\n\n\nvoid valve(void) { x = '}'; y = \"}\" ; z = 1; }",
        "\n\n\n\n\n\nvoid valve(void) { x = '{'; y = \"}\"; }",
        "\n\n\n\n\n\nvoid valve(void) { x = '}'; y = \"} \"; }",
        "\n\n\n\n\n\nvoid valve(int v) { x = '}'; y = \"}\"; }",
        "\n\n\n\n\n\nvoid valve(void) { x = '}'; if (y) { y = \"}\"; } }"};
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++)
        TEST_ASSERT_TRUE_MESSAGE(strcmp(was, hash_with(changed[i])) != 0, changed[i]);
    /* texts that end too early are no reason to crash */
    static const char *const broken[] = {"", "\n\n\n\n\n\n", "\n\n\n\n\n\nvoid f( { \"",
                                         "\n\n\n\n\n\n/*", "\n\n\n\n\n\n'\\"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        TEST_ASSERT_EQUAL_size_t(64, strlen(hash_with(broken[i])));
}

/* Macros are not in the text of the function; the conditions that they make are in its goals. */
static void test_goals_take_part_in_the_hash(void) {
    const char *was = hash_with("");
    struct store *db;
    struct err err = {0};
    const struct valve other = {.condition = "In_Fault > (3)"};
    const char *path = test_file("other.db");
    valve_make(path, &other);
    TEST_ASSERT_TRUE(store_open(&db, path, STORE_WRITE, &err));
    TEST_ASSERT_TRUE(store_artifact(db, "source:valve.c", "", 0, &err));
    TEST_ASSERT_TRUE(strcmp(was, ledger_function_hash(&arena, db, BRANCH_OPEN)) != 0);
    store_close(db);
}

/* ---- the commands ---- */

static void run(const char *line, int code, const char *out, const char *message) {
    child_result_free(&result);
    result = run_program(line, NULL, test_folder());
    const char *both =
        arena_printf(&arena, "%s\n%s%s", line, str_text(&result.out), str_text(&result.err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(code, result.code, both);
    TEST_ASSERT_TRUE_MESSAGE(says(&result.out, out), both);
    TEST_ASSERT_TRUE_MESSAGE(says(&result.err, message), both);
}

static void test_justify_and_gate(void) {
    store_close(open_valve(&(struct valve){.no_ledger = true}, STORE_READ));
    run("gate --unjustified-dead 1", 1, "goals without justification: 2, at most 1", "");
    run("justify goalkeeper.db 26 --reason defensive --author A --category defensive", 0,
        "goal 26 (" STATEMENT_DEAD ") is justified", "");
    run("gate --unjustified-dead 1", 0, "gate passed", "");
    run("gate --unjustified-dead 1 --four-eyes", 1,
        "does not hold: not reviewed by a second person", "");
    run("justify goalkeeper.db " STATEMENT_DEAD " --reason x --author A --reviewer B", 0,
        "justified", "");
    run("gate --unjustified-dead 1 --four-eyes", 0, "gate passed", "");
    run("report -o out --format json", 0, "", "");
    run("gate --baseline out/goalkeeper.json", 0, "baseline: 0, at most 0", "");
    put("justifications.json", "[]"); /* the file is the truth, not the copy in the database */
    run("gate --unjustified-dead 1", 1, "gate failed", "");
    run("gate --baseline out/goalkeeper.json", 1, "baseline: 1, at most 0", "");
    TEST_ASSERT_EQUAL_INT(0, remove(test_file("justifications.json")));
    run("gate --unjustified-dead 1", 0, "gate passed", ""); /* the copy is what there is */
}

static void test_what_justify_refuses(void) {
    store_close(open_valve(&(struct valve){.no_ledger = true}, STORE_READ));
    run("justify goalkeeper.db 5 --reason r --author A", 2, "", "is reachable: there is nothing");
    run("justify goalkeeper.db 20 --reason r --author A", 2, "", "is proved not to happen");
    run("justify goalkeeper.db 99 --reason r --author A", 2, "", "no goal '99'");
    run("justify goalkeeper.db 26 --author A", 2, "", "--reason and --author are needed");
    run("justify goalkeeper.db 26 --reason r --author A --reviewer A", 2, "",
        "reviewer must not be the author");
    run("justify goalkeeper.db 26 --reason r --author A --expires 2030-13-01", 2, "",
        "is not a date");
    run("justify goalkeeper.db 26 --reason r --author A --category whim", 2, "", "whim");
    TEST_ASSERT_FALSE(file_exists(test_file("justifications.json")));
    run("justify goalkeeper.db 27 --reason r --author A", 0, "is justified", ""); /* can happen */
    run("gate --max-defects 0", 0, "gate passed", "");
}

static void test_several_goals_and_what_others_entered(void) {
    store_close(open_valve(&(struct valve){.no_ledger = true}, STORE_READ));
    run("justify goalkeeper.db 26 5 --reason r --author A", 2, "", "goal 5 is reachable");
    TEST_ASSERT_FALSE(file_exists(test_file("justifications.json"))); /* all or nothing */
    run("justify goalkeeper.db 26 27 --reason first --author A", 0, "goal 27 (", "");
    TEST_ASSERT_TRUE(says(&result.out, "goal 26 ("));
    run("justify goalkeeper.db 26 --reason corrected --author A", 0, "goal 26 (", "");
    run("justify goalkeeper.db 27 26 --reason mine --author B", 2, "",
        "goal 27 is justified by A (");
    TEST_ASSERT_TRUE(says(&result.err, "): first"));
    run("query --sql SELECT\tcount(*)\tFROM\tjustification\tWHERE\tauthor='A'", 0, "2", "");
    run("justify goalkeeper.db 27 --reason mine --author B --replace", 0, "goal 27 (", "");
    run("query --sql SELECT\tcount(*)\tFROM\tjustification\tWHERE\tauthor='A'", 0, "1", "");
    run("justify goalkeeper.db 26 --reason r --author A --expires 2020-01-01", 2, "",
        "in the past");
}

/* The file is the truth for both; a goal that is justified counts as covered for both. */
static void test_status_counts_as_the_gate_does(void) {
    store_close(open_valve(&(struct valve){.no_ledger = true}, STORE_READ));
    run("gate --min statement=100", 1, "statement: 85.71 % (6 of 7)", "");
    run("status", 0, "statement                7          6     1     0          0     85.7", "");
    run("justify goalkeeper.db 26 --reason r --author A", 0, "", "");
    run("gate --min statement=100", 0, "statement: 100.00 % (7 of 7)", "");
    run("status", 0, "statement                7          6     1     0          1      100", "");
    put("justifications.json", "[]");
    run("gate --min statement=100", 1, "statement: 85.71 % (6 of 7)", "");
    run("status", 0, "statement                7          6     1     0          0     85.7", "");
}

static void git(const char *const *words) {
    VEC(const char *) argv = {0};
    vec_push(&argv, "git");
    for (; *words; words++)
        vec_push(&argv, *words);
    vec_push(&argv, NULL);
    struct child_spec spec = {.argv = argv.data, .dir = test_folder(), .wall_seconds = 60};
    struct err err = {0};
    child_result_free(&result);
    TEST_ASSERT_TRUE(child_run(&spec, &result, &err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, result.code, str_text(&result.err));
    vec_free(&argv);
}

#define GIT(...) git((const char *const[]){__VA_ARGS__, NULL})

static void expect_in_file(const char *name, const char *text, bool there) {
    struct str content = {0};
    struct err err = {0};
    TEST_ASSERT_TRUE_MESSAGE(file_read(test_file(name), &content, &err), name);
    TEST_ASSERT_EQUAL_MESSAGE(there, says(&content, text),
                              arena_printf(&arena, "%s in %s", text, name));
    str_free(&content);
}

/* What servers lay over the repository has paths from its top; who may read it is not in there. */
static void test_paths_from_the_top_of_the_repository(void) {
    static const char *const files[] = {"out/goalkeeper.sarif", "out/gl-code-quality.json",
                                        "out/sonarqube.xml", "out/cobertura.xml", "out/lcov.info"};
    static const char report[] =
        "report sub/goalkeeper.db -o out --format sarif,gitlab,sonarqube,cobertura,lcov";
    if (!test_has_program("git"))
        TEST_IGNORE_MESSAGE("git is not installed");
    store_close(open_valve(NULL, STORE_READ));
    TEST_ASSERT_EQUAL_INT(0, mkdir(test_file("sub"), 0700));
    const char *old = test_file("goalkeeper.db");
    TEST_ASSERT_EQUAL_INT(0, rename(old, test_file("sub/goalkeeper.db")));
    run(report, 0, "", "");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        expect_in_file(files[i], "sub/src/valve.c", false);
    expect_in_file(files[0], "originalUriBaseIds", false);

    GIT("init", "-q");
    GIT("-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-q", "--allow-empty", "-m",
        "x");
    GIT("remote", "add", "origin", "https://secret@host.example/x.git");
    run(report, 0, "", "");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        expect_in_file(files[i], "sub/src/valve.c", true);
    expect_in_file(files[0], "\"%SRCROOT%\": {\"uri\": \"file:///", true);
    expect_in_file(files[0], "\"repositoryUri\": \"https://host.example/x.git\"", true);
    expect_in_file(files[0], "secret", false);
    run("gate sub/goalkeeper.db --min branch=100 --format github", 1, "file=sub/src/valve.c,", "");
    GIT("remote", "set-url", "origin", "git@host.example:a/x.git");
    run(arena_printf(&arena, "%s --root sub", report), 0, "", "");
    expect_in_file(files[0], "\"repositoryUri\": \"ssh://host.example/a/x.git\"", true);
    expect_in_file(files[4], "SF:src/valve.c\n", true);
    run(arena_printf(&arena, "%s --root out", report), 2, "", "the sources are not below it");
}

static void test_a_justified_goal_that_is_reached_is_an_alarm(void) {
    store_close(open_valve(NULL, STORE_READ));
    put_entry(CONDITION_REACHED, "");
    run("gate --min mcdc=0", 5, "ALARM  goal " CONDITION_REACHED, "");
    run("gate --min mcdc=0 --format json", 5, "\"alarm\": true", "");
    run("gate --min mcdc=0 --format junit", 5, "type=\"alarm\"", "");
    run("report -o - --format markdown", 0, "**Alarm:** goal 5 is justified", "");
    put_entry(CONDITION_REACHED, ", \"function_hash\": \"00\"");
    run("gate --min mcdc=0", 0, "does not hold: stale", "");
}

static void test_what_the_gate_refuses(void) {
    store_close(open_valve(NULL, STORE_READ));
    run("gate", 2, "", "nothing to check");
    run("gate --min mcdd=100", 2, "", "did you mean 'mcdc'");
    run("gate --max-open 0 --format yaml", 2, "", "yaml");
    run("gate --max-open 0 --baseline none.db", 2, "", "none.db");
    put("justifications.json", "[{]");
    run("gate --max-open 99", 2, "", "justifications.json:1");
    run("report -o out", 2, "", "justifications.json:1");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_a_missing_file_is_an_empty_ledger);
    RUN_TEST(test_entries_come_back_in_the_order_of_keys);
    RUN_TEST(test_what_is_wrong_is_told_with_its_place);
    RUN_TEST(test_when_an_entry_holds);
    RUN_TEST(test_a_justification_is_bound_to_its_function);
    RUN_TEST(test_goals_take_part_in_the_hash);
    RUN_TEST(test_justify_and_gate);
    RUN_TEST(test_what_justify_refuses);
    RUN_TEST(test_several_goals_and_what_others_entered);
    RUN_TEST(test_status_counts_as_the_gate_does);
    RUN_TEST(test_paths_from_the_top_of_the_repository);
    RUN_TEST(test_a_justified_goal_that_is_reached_is_an_alarm);
    RUN_TEST(test_what_the_gate_refuses);
    return UNITY_END();
}
