/* Masking MC/DC as GCC 14 and later measure it (-fcondition-coverage): random decisions, each run
 * with a few random values, must be credited the same. Skipped where there is no such GCC. */
#include "base/child.h"
#include "base/rng.h"
#include "listed.h"

#include <stdio.h>
#include <string.h>

enum { DECISIONS = 150, MOST_CONDITIONS = 7, CALLS = 4 };

static struct str dir;
static struct arena arena;
static const char *gcc, *gcov;

void setUp(void) {
    struct err err = {0};
    TEST_ASSERT_TRUE(file_temp_dir(&dir, &err));
}

void tearDown(void) {
    file_remove_tree(str_text(&dir));
    str_free(&dir);
    arena_free(&arena);
}

static bool try_run(const char *const *argv, struct str *out) {
    struct child_spec spec = {.argv = argv, .dir = str_text(&dir), .wall_seconds = 120};
    struct child_result result = {0};
    struct err err = {0};
    bool good = child_run(&spec, &result, &err) && result.end == CHILD_EXITED && result.code == 0;
    if (out)
        str_addn(out, str_text(&result.out), result.out.len);
    child_result_free(&result);
    err_clear(&err);
    return good;
}

#define TRY(out, ...) try_run((const char *const[]){__VA_ARGS__, NULL}, out)

static bool find_gcc(void) {
    static const char *const names[][2] = {
        {"gcc-14", "gcov-14"}, {"gcc-15", "gcov-15"}, {"gcc-16", "gcov-16"}, {"gcc", "gcov"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct str version = {0};
        bool found = TRY(&version, names[i][0], i < 3 ? "--version" : "-dumpversion");
        if (found && i == 3)
            found = strtol(str_text(&version), NULL, 10) >= 14;
        str_free(&version);
        gcc = names[i][0];
        gcov = names[i][1];
        if (found)
            return true;
    }
    return false;
}

static void write_file(const char *name, const struct str *text) {
    struct err err = {0};
    const char *path = arena_printf(&arena, "%s/%s", str_text(&dir), name);
    TEST_ASSERT_TRUE(file_write(path, str_text(text), text->len, &err));
}

static void add_expression(struct str *text, struct rng *rng, int *next, int conditions,
                           bool nots) {
    if (nots && rng_below(rng, 5) == 0) {
        str_add(text, "!(");
        add_expression(text, rng, next, conditions, nots);
        str_add(text, ")");
    } else if (conditions == 1) {
        str_addf(text, "x[%d]", (*next)++);
    } else {
        int left = 1 + (int)rng_below(rng, (uint64_t)conditions - 1);
        str_add(text, "(");
        add_expression(text, rng, next, left, nots);
        str_add(text, rng_below(rng, 2) ? " && " : " || ");
        add_expression(text, rng, next, conditions - left, nots);
        str_add(text, ")");
    }
}

/* Decision i stands in line i + 1; main() follows. */
static void write_program(void) {
    struct str text = {0};
    struct rng rng;
    rng_init(&rng, 11);
    for (int i = 0; i < DECISIONS; i++) {
        int next = 0;
        str_addf(&text, "int d%d(int *x) { if (", i);
        add_expression(&text, &rng, &next, 2 + (int)rng_below(&rng, MOST_CONDITIONS - 1),
                       i % 2 == 0);
        str_add(&text, ") return 1; return 0; }\n");
    }
    str_addf(&text, "int x[%d];\nint main(void) {\n", MOST_CONDITIONS);
    for (int i = 0; i < DECISIONS * CALLS; i++) {
        for (int c = 0; c < MOST_CONDITIONS; c++)
            str_addf(&text, " x[%d] = %d;", c, (int)rng_below(&rng, 2));
        str_addf(&text, " d%d(x);\n", i / CALLS);
    }
    str_add(&text, "return 0; }\n");
    write_file("r.c", &text);
    str_free(&text);
}

static void run_woven(struct listed *listed, struct str *hits) {
    struct project project;
    struct str woven = {0}, runtime = {0};
    project_defaults(&project);
    project.dir = str_text(&dir);
    project.step = "main";
    project.ilp32 = false;
    vec_push(&project.sources, "r.c");
    listed_open(listed, &project);
    str_addf(&woven, "extern void gk_hit(unsigned);\n%s", str_text(&listed->text[0]));
    str_addf(
        &runtime,
        "#include <stdio.h>\n#include <stdlib.h>\nstatic unsigned char hit[%u];\n"
        "static void save(void) { fwrite(hit, 1, sizeof hit, stdout); }\n"
        "void gk_hit(unsigned n) { static int r; if (!r++) atexit(save); r = 1; hit[n] = 1; }\n",
        listed->goals.n_probes);
    write_file("w.c", &woven);
    write_file("rt.c", &runtime);
    TEST_ASSERT_TRUE(TRY(NULL, "clang-19", "-w", "w.c", "rt.c", "-o", "woven"));
    TEST_ASSERT_TRUE(TRY(hits, "./woven"));
    TEST_ASSERT_EQUAL_size_t(listed->goals.n_probes, hits->len);
    str_free(&woven);
    str_free(&runtime);
    project_free(&project);
}

/* Is `condition` in the JSON list that follows `name` after `at`? */
static bool in_list(const char *at, const char *name, long condition) {
    at = strstr(at, name);
    TEST_ASSERT_NOT_NULL(at);
    for (at = strchr(at, '[') + 1; *at != ']';) {
        char *end;
        if (strtol(at, &end, 10) == condition)
            return true;
        at = end + strspn(end, ", ");
    }
    return false;
}

/* Below a "!" GCC may test x == 0 instead, and then calls true what we call false. */
static bool is_below_not(const char *structure, int condition) {
    bool below[64] = {false}, pending = false;
    size_t depth = 0;
    for (const char *at = structure; *at; at++) {
        if (*at == '!') {
            pending = true;
        } else if (*at == '(') {
            TEST_ASSERT_LESS_THAN(63, depth);
            depth++;
            below[depth] = below[depth - 1] || pending;
            pending = false;
        } else if (*at == ')') {
            depth--;
        } else if (*at >= '0' && *at <= '9') {
            if (*at - '0' == condition)
                return pending || below[depth];
            pending = false;
        }
    }
    TEST_FAIL_MESSAGE(structure);
    return false;
}

static void compare_condition(const struct listed *listed, const struct str *hits, int32_t decision,
                              int condition, const char *json) {
    const struct decision *d = &listed->goals.decisions.data[decision];
    bool ours[2] = {false, false}, theirs[2];
    for (size_t i = 0; i < listed->goals.list.len; i++) {
        const struct goal *g = &listed->goals.list.data[i];
        if (g->kind == GOAL_mcdc && g->decision == decision && g->condition == condition)
            ours[g->value] = hits->data[g->probe];
    }
    theirs[1] = !in_list(json, "\"not_covered_true\"", condition);
    theirs[0] = !in_list(json, "\"not_covered_false\"", condition);
    bool same = ours[0] == theirs[0] && ours[1] == theirs[1];
    bool swapped = ours[0] == theirs[1] && ours[1] == theirs[0];
    TEST_ASSERT_TRUE_MESSAGE(same || (swapped && is_below_not(d->structure, condition)), d->text);
}

static void compare_decision(const struct listed *listed, const struct str *hits, int32_t decision,
                             const char *json) {
    const struct decision *d = &listed->goals.decisions.data[decision];
    char line[32];
    snprintf(line, sizeof line, "\"line_number\": %d,", d->line);
    const char *at = strstr(json, line);
    TEST_ASSERT_NOT_NULL_MESSAGE(at, d->text);
    at = strstr(at, "\"conditions\": [{");
    TEST_ASSERT_NOT_NULL_MESSAGE(at, d->text);
    for (int c = 0; c < d->n_conditions; c++)
        compare_condition(listed, hits, decision, c, at);
}

static void test_credits_are_those_of_gcc(void) {
    if (!find_gcc())
        TEST_IGNORE_MESSAGE("no GCC 14 or later");
    struct listed listed = {0};
    struct str hits = {0}, json = {0};
    write_program();
    run_woven(&listed, &hits);
    TEST_ASSERT_TRUE(
        TRY(NULL, gcc, "--coverage", "-fcondition-coverage", "-c", "r.c", "-o", "r.o"));
    TEST_ASSERT_TRUE(TRY(NULL, gcc, "--coverage", "r.o", "-o", "r"));
    TEST_ASSERT_TRUE(TRY(NULL, "./r"));
    TEST_ASSERT_TRUE(TRY(&json, gcov, "--conditions", "-t", "--json-format", "r.gcno"));
    TEST_ASSERT_EQUAL_size_t(DECISIONS, listed.goals.decisions.len);
    for (int32_t d = 0; d < DECISIONS; d++)
        compare_decision(&listed, &hits, d, str_text(&json));
    listed_close(&listed);
    str_free(&hits);
    str_free(&json);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_credits_are_those_of_gcc);
    return UNITY_END();
}
