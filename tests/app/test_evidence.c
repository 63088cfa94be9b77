/* Evidence in the forms of other tools: ACSL for Frama-C, what an assessor asks about MC/DC. */
#include "folder.h"

#include "base/file.h"
#include "base/tool.h"

#include "unity.h"

#include <string.h>

void setUp(void) {
    folder_open();
}
void tearDown(void) {
    folder_close();
}

static const char module[] = "int in, out; static int count;\n"
                             "void step(void) {\n"
                             "    if (in > 5 && count < 21) count++;\n"
                             "    if (count > 30 || in > 100) out = 1;\n" /* dead */
                             "    if (in > 50 && count > 21) out = 2;\n"  /* dead */
                             "}\n";

static void decide(const char *more) {
    put("m.c", module);
    put("goalkeeper.json",
        arena_printf(&arena,
                     "{\"name\": \"m\", \"sources\": [\"m.c\"], \"step\": \"step\", "
                     "\"inputs\": [{\"name\": \"in\", \"min\": 0, \"max\": 100}], "
                     "\"criteria\": [\"statement\", \"branch\", \"condition\", \"mcdc\"%s]}\n",
                     more));
    run_tool("run --engines simulate,houdini,kind --seconds 60 --db m.db", NULL);
    expect_end(0, NULL);
}

static const char *exported(const char *name) {
    struct str text = {0};
    TEST_ASSERT_TRUE_MESSAGE(file_read(path(name), &text, &err), name);
    const char *copy = arena_strdup(&arena, str_text(&text));
    str_free(&text);
    return copy;
}

static void expect_in(const char *text, const char *part) {
    if (!strstr(text, part))
        TEST_FAIL_MESSAGE(arena_printf(&arena, "'%s' is not in:\n%s", part, text));
}

static void expect_run(const char *const *argv) {
    child_result_free(&r);
    TEST_ASSERT_TRUE(child_run(&(struct child_spec){.argv = argv, .wall_seconds = 300}, &r, &err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code,
                                  arena_printf(&arena, "%s%s", str_text(&r.out), str_text(&r.err)));
}

/* ---- ACSL ---- */

/* It is C, and nothing of the proof is missing in it. Frama-C is asked where it is installed. */
static void test_annotations_are_the_proof(void) {
    decide("");
    run_tool("export m.db -o out --evidence acsl", NULL);
    expect_end(0, NULL);
    int64_t proof = number_in("m.db", "SELECT r.proof FROM reason_proof r JOIN goal g ON g.id = "
                                      "r.goal WHERE line = 5 AND kind = 'statement'");
    const char *name = arena_printf(&arena, "out/acsl/proof_%lld.c", (long long)proof);
    const char *text = exported(name);
    expect_in(text, "/*@ predicate gk_invariant =\n  @   ((signed long)count <= (21));\n  @*/\n");
    expect_in(text, "void gk_check_init(void) {\n    gk_mode = 2;\n    gk_init();\n"
                    "    /*@ assert gk_invariant; */\n}\n");
    expect_in(text, "void gk_check_step(void) {\n    gk_any_state();\n"
                    "    /*@ admit gk_invariant; */\n    gk_mode = 2;\n    gk_step();\n"
                    "    /*@ assert gk_invariant; */\n}\n");
    expect_in(text, "gk_claimed(); out = 2;");
    TEST_ASSERT_NULL(strstr(text, "gk_hit(1"));
    TEST_ASSERT_NULL(strstr(text, "__CPROVER"));
    expect_run((const char *const[]){"clang-19", "-fsyntax-only", "-Werror", path(name), NULL});
    if (!tool_find(&arena, "", (const char *const[]){"frama-c"}, 1) ||
        !tool_find(&arena, "", (const char *const[]){"z3"}, 1))
        TEST_IGNORE_MESSAGE("no Frama-C, or no Z3 for it, to ask about the annotations");
    const char *const check[] = {"make",  "-s",         "-C",        path("out/acsl"),
                                 "check", "PROVERS=z3", "TIMEOUT=2", NULL};
    expect_run(check);
    TEST_ASSERT_TRUE(
        file_exists(path(arena_printf(&arena, "out/acsl/proof_%lld.eva.log", (long long)proof))));
    struct str wrong = {0}; /* a step leaves it */
    str_add(&wrong, text);
    memcpy(strstr(wrong.data, "<= (21)"), "<= (20)", 7);
    put(name, str_text(&wrong));
    str_free(&wrong);
    child_result_free(&r);
    TEST_ASSERT_TRUE(child_run(&(struct child_spec){.argv = check, .wall_seconds = 300}, &r, &err));
    TEST_ASSERT_TRUE_MESSAGE(r.code != 0, str_text(&r.out));
}

/* WP looks at each function alone, for which it is told what holds between them. */
static void test_functions_have_contracts(void) {
    put("m.c", "struct set { int most; };\n"
               "static const struct set low = {5}, high = {9};\n"
               "static const struct set *now = &low;\n"
               "int in, out; static int count, fixed = 3;\n"
               "static int least(int a, int b) { return a < b ? a : b; }\n"
               "static void serve(void) {\n"
               "    if (in > 0) now = &high; else now = &low;\n"
               "    count = least(count + 1, now->most);\n"
               "    if (count > 9 || in > 10) out = fixed;\n" /* dead */
               "}\n"
               "void step(void) { serve(); }\n");
    put("goalkeeper.json", "{\"name\": \"m\", \"sources\": [\"m.c\"], \"step\": \"step\", "
                           "\"inputs\": [{\"name\": \"in\", \"min\": 0, \"max\": 10}], "
                           "\"criteria\": [\"statement\"]}\n");
    run_tool("run --engines simulate,houdini,kind --seconds 60 --db m.db", NULL);
    expect_end(0, NULL);
    run_tool("export m.db -o out --evidence acsl", NULL);
    expect_end(0, NULL);
    int64_t proof = number_in("m.db", "SELECT r.proof FROM reason_proof r JOIN goal g ON g.id = "
                                      "r.goal WHERE line = 9 AND status = 'dead'");
    const char *name = arena_printf(&arena, "out/acsl/proof_%lld.c", (long long)proof);
    const char *text = exported(name);
    expect_in(text, "#ifdef GK_CONTRACTS\n/*@ predicate gk_during = gk_invariant &&\n"
                    "  @   (now == &low || now == &high) &&\n"
                    "  @   (in >= 0 && in <= 10);\n  @*/\n"
                    "#ifdef GK_INLINED\n/*@ requires inlined: \\false; */\n"
                    "__typeof__(least) least;\n#else\n"
                    "/*@ requires gk_during;\n  @ ensures gk_during;\n  @ ensures fixed == "
                    "\\old(fixed);\n  @*/\n"
                    "__typeof__(least) least;\n#endif\n"
                    "/*@ requires gk_during;\n  @ ensures gk_during;\n  @ ensures fixed == "
                    "\\old(fixed);\n  @*/\n"
                    "__typeof__(serve) serve;\n");
    expect_in(text, "case 0: now = (__typeof__(now))&low; break;");
    expect_in(text, "-wp -wp-fct main,serve,step\n */");
    expect_run((const char *const[]){"clang-19", "-fsyntax-only", "-Werror", "-DGK_CONTRACTS",
                                     "-DGK_INLINED", path(name), NULL});
    if (!tool_find(&arena, "", (const char *const[]){"frama-c"}, 1) ||
        !tool_find(&arena, "", (const char *const[]){"z3"}, 1))
        TEST_IGNORE_MESSAGE("no Frama-C, or no Z3 for it, to ask about the contracts");
    const char *const wp[] = {"make",
                              "-s",
                              "-C",
                              path("out/acsl"),
                              "PROVERS=z3",
                              "TIMEOUT=2",
                              arena_printf(&arena, "proof_%lld.by_wp", (long long)proof),
                              NULL};
    expect_run(wp);
    /* the contract of `least` does not say enough: it is inlined */
    expect_in(exported(arena_printf(&arena, "out/acsl/proof_%lld.log", (long long)proof)),
              "typed_serve_call_gk_claimed_requires_never : Valid");
}

/* ---- certificates ---- */

static void test_a_damaged_certificate_is_told(void) {
    decide("");
    change_database("m.db", "UPDATE piece SET text = 'x'");
    run_tool("export m.db -o out --certificates", NULL);
    expect_end(5, "in the database is damaged");
}

/* ---- MC/DC ---- */

static void test_dead_rows_follow_from_dead_goals(void) {
    decide("");
    run_tool("export m.db -o out --evidence mcdc", NULL);
    expect_end(0, NULL);
    const char *text = exported("out/mcdc/mcdc.md");
    expect_in(text, "masking, in outcomes | 12 | 8 | 4 | 0 | 66.7 % | 100.0 %\n");
    expect_in(text, "masking, in conditions | 6 | 2 | 4 | 0 | 33.3 % | 100.0 %\n");
    expect_in(text, "unique cause, in conditions | 6 | 0 | 4 | 2 | 0.0 % | 0.0 %\n");
    expect_in(text, "\n1 | `T -` | true | 1 | **dead**: goal ");
    expect_in(text, "\n2 | `F T` | true | 2 | **dead**: goal ");
    expect_in(text, "\n3 | `F F` | false | 1 2 | not asked\n");
    expect_in(text, "\n1 | `T T` | true | 1 2 | **dead**: goal ");
    expect_in(text, "condition 2, `count > 21`, decides the outcome as true.\n  Reason: `dead "
                    "because 'count' never exceeds 21; kept by m.c:3` (state, cause ");
    TEST_ASSERT_NULL(strstr(text, "in > 5 ")); /* nothing of it is dead */
    expect_in(exported("out/mcdc/lcov_unreachable.txt"),
              "\nm.c:4: // LCOV_UNREACHABLE_COND 2,0t; 2,1t\n"
              "m.c:5: // LCOV_UNREACHABLE_COND 2,0t; 2,1t\n");
}

static void test_a_module_without_dead_goals(void) {
    put("m.c", "int in, x;\nvoid step(void) { if (in > 1 && x < 9) x = in; }\n");
    run_tool("run m.c --step step --seconds 60 --db m.db", NULL);
    expect_end(0, NULL);
    run_tool("export m.db -o out --evidence mcdc", NULL);
    expect_end(0, NULL);
    expect_in(exported("out/mcdc/mcdc.md"), "masking, in conditions | 2 | 2 | 0 | 0 |");
    TEST_ASSERT_FALSE(file_exists(path("out/mcdc/justifications.json")));
}

/* Entries count once somebody stands for them. */
static void test_entries_lack_an_author(void) {
    static const char none[] = "\"author\": \"\"";
    decide(", \"vector\"");
    run_tool("export m.db -o out --evidence mcdc", NULL);
    expect_end(0, NULL);
    const char *text = exported("out/mcdc/mcdc.md");
    expect_in(text, "unique cause, in conditions | 6 | 2 | 4 | 0 | 33.3 % | 100.0 %\n");
    expect_in(text, "\n3 | `F F` | false | 1 2 | shown\n");
    const char *entries = exported("out/mcdc/justifications.json");
    put("justifications.json", entries);
    const char *gate = arena_printf(
        &arena, "gate m.db --unjustified-dead %lld",
        (long long)number_in("m.db", "SELECT count(*) - 4 FROM goal WHERE status = 'dead'"));
    run_tool(gate, NULL);
    expect_end(1, NULL);
    struct str signed_by = {0};
    for (const char *at = entries, *next; *at; at = next) {
        next = strstr(at, none);
        str_addn(&signed_by, at, next ? (size_t)(next - at) : strlen(at));
        if (next)
            str_add(&signed_by, "\"author\": \"A. Smith\"");
        next = next ? next + strlen(none) : at + strlen(at);
    }
    put("justifications.json", str_text(&signed_by));
    str_free(&signed_by);
    run_tool(gate, NULL);
    expect_end(0, NULL);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_annotations_are_the_proof);
    RUN_TEST(test_functions_have_contracts);
    RUN_TEST(test_a_damaged_certificate_is_told);
    RUN_TEST(test_dead_rows_follow_from_dead_goals);
    RUN_TEST(test_a_module_without_dead_goals);
    RUN_TEST(test_entries_lack_an_author);
    return UNITY_END();
}
