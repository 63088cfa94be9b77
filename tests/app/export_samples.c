/* What a user does with exported tests, for the samples that are named as arguments: run, export,
 * build the suite with gcc and clang in both forms without a warning, run it, and measure it. What
 * clang's coverage counts has to be what the database claims, goal by goal.
 *
 *     ./dev bench export [--all] [--seconds N] [door_debounce pid_fixed …]
 *
 * No sample means all of them.
 * Runs are simulated and repeatable, or use all engines for N seconds. --all builds and runs one
 * test a witness with both compilers, not only the suite. */
#include "base/file.h"
#include "db/rows.h"
#include "run_program.h"

#include "unity.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct str dir;
static struct arena arena;
static struct err err;
static const char *sample, *seconds;
static bool all_tests;

void setUp(void) {
    TEST_ASSERT_TRUE(file_temp_dir(&dir, &err));
}

void tearDown(void) {
    file_remove_tree(str_text(&dir));
    str_free(&dir);
    arena_free(&arena);
    err_clear(&err);
}

/* ---- running ---- */

static void goalkeeper(const char *line) {
    struct child_result r = run_program(line, NULL, str_text(&dir));
    if (r.code != 0)
        fprintf(stderr, "%s:\n%s\n", line, str_text(&r.err));
    TEST_ASSERT_EQUAL_INT(0, r.code);
    child_result_free(&r);
}

/* `make target` in tests/<form>; warnings are errors. */
static void make(const char *form, const char *compiler, const char *target, struct str *out) {
    const char *cc = arena_printf(&arena, "CC=%s", compiler);
    const char *argv[] = {
        "make", "-k", target, cc, "CFLAGS=-Wall -Wextra -Werror", "UNITY=" GK_UNITY_DIR, NULL};
    struct child_spec spec = {.argv = argv, .wall_seconds = 900, .output_bytes = 16 << 20};
    spec.dir = arena_printf(&arena, "%s/tests/%s", str_text(&dir), form);
    struct child_result r = {0};
    TEST_ASSERT_TRUE(child_run(&spec, &r, &err));
    bool good = r.end == CHILD_EXITED && r.code == 0;
    if (!good)
        fprintf(stderr, "%s %s %s %s:\n%.4000s%.4000s\n", sample, form, compiler, target,
                str_text(&r.out), str_text(&r.err));
    TEST_ASSERT_TRUE_MESSAGE(good, target);
    if (out)
        str_addn(out, str_text(&r.out), r.out.len);
    child_result_free(&r);
}

static void clean(const char *form) {
    make(form, "cc", "clean", NULL);
}

/* ---- what clang counts ---- */

struct claims {
    struct store *db;
    const cJSON *files, *functions; /* of llvm-cov's export */
    int compared, masked, differences;
};

struct goal_row {
    long long id;
    const char *kind, *text, *file;
    int line, col, end_line, end_col, value, condition;
    long long decision;
    bool reachable;
};

static double number_at(const cJSON *row, int index) {
    const cJSON *item = cJSON_GetArrayItem(row, index);
    return cJSON_IsNumber(item) ? item->valuedouble : cJSON_IsTrue(item) ? 1 : 0;
}

static const cJSON *file_of(const struct claims *c, const char *name) {
    const char *ending = arena_printf(&arena, "/%s", name);
    for (const cJSON *f = c->files->child; f; f = f->next) {
        const char *filename = cJSON_GetObjectItem(f, "filename")->valuestring;
        if (strcmp(filename, name) == 0 || str_ends(filename, ending))
            return f;
    }
    return NULL;
}

static void differs(struct claims *c, const struct goal_row *g, double count) {
    c->differences++;
    fprintf(stderr, "%s: goal %lld (%s:%d:%d %s %d {%s}) is %sreachable, clang counts %g\n", sample,
            g->id, g->file, g->line, g->col, g->kind, g->value, g->text, g->reachable ? "" : "not ",
            count);
}

static void compare(struct claims *c, const struct goal_row *g, double count) {
    c->compared++;
    if ((count > 0) != g->reachable)
        differs(c, g, count);
}

/* How often the code at a place ran; -1: clang does not count there. */
static double count_at(const cJSON *segments, int line, int col) {
    double found = -1;
    for (const cJSON *s = segments->child; s; s = s->next) {
        double l = number_at(s, 0), k = number_at(s, 1);
        if (l > line || (l == line && k > col))
            break;
        found = number_at(s, 3) > 0 ? number_at(s, 2) : -1;
    }
    return found;
}

static bool at_or_before(double line, double col, double other_line, double other_col) {
    return line < other_line || (line == other_line && col <= other_col);
}

/* The row covers the goal. Rows count the parentheses around a condition, and the whole of a macro
 * that it ends with. */
static bool covers(const cJSON *row, const struct goal_row *g) {
    return at_or_before(number_at(row, 0), number_at(row, 1), g->line, g->col) &&
           at_or_before(g->end_line, g->end_col, number_at(row, 2), number_at(row, 3));
}

static bool starts_at(const cJSON *row, const struct goal_row *g) {
    return number_at(row, 0) == g->line && number_at(row, 1) == g->col;
}

static bool inside(const cJSON *row, const cJSON *other) {
    return at_or_before(number_at(other, 0), number_at(other, 1), number_at(row, 0),
                        number_at(row, 1)) &&
           at_or_before(number_at(row, 2), number_at(row, 3), number_at(other, 2),
                        number_at(other, 3));
}

/* "(0&&!1)": condition 1 stands behind a not. clang takes that with it. */
static bool negated(const struct claims *c, const struct goal_row *g) {
    struct rows *r = rows_open(c->db, "SELECT structure FROM decision WHERE id = ?1", &err);
    rows_bind_int(r, 1, g->decision);
    const char *text = rows_next(r) ? arena_strdup(&arena, rows_text(r, 0)) : "";
    TEST_ASSERT_TRUE(rows_close(r, &err));
    bool odd = false;
    for (int n = -1; *text && n < g->condition; text++) {
        bool digit = *text >= '0' && *text <= '9';
        if (digit)
            n = (int)strtol(text, (char **)&text, 10);
        if (digit && n == g->condition)
            return odd;
        odd = !digit && *text == '!' && !odd;
    }
    return false;
}

/* clang has a row for each condition, which are disjoint or nested: the innermost is meant. Of
 * other goals it has one only when they are a single condition. */
static void compare_branch(struct claims *c, const cJSON *branches, const struct goal_row *g) {
    const cJSON *best = NULL;
    bool condition = strcmp(g->kind, "condition") == 0;
    for (const cJSON *row = branches->child; row; row = row->next)
        if (covers(row, g) && (condition || starts_at(row, g)) && (!best || inside(row, best)))
            best = row;
    if (!best)
        return;
    bool flipped = condition && !starts_at(best, g) && negated(c, g);
    compare(c, g, number_at(best, (g->value == 0) != flipped ? 5 : 4));
}

/* The functions of all units: static ones are called "unit_1.c:name". */
static void compare_function(struct claims *c, const struct goal_row *g) {
    const char *ending = arena_printf(&arena, ":%s", g->text);
    for (const cJSON *f = c->functions->child; f; f = f->next) {
        const char *name = cJSON_GetObjectItem(f, "name")->valuestring;
        if (strcmp(name, g->text) == 0 || str_ends(name, ending)) {
            compare(c, g, cJSON_GetObjectItem(f, "count")->valuedouble);
            return;
        }
    }
}

/* Both outcomes of the condition are shown; and whether the decision has only && or only ||: then
 * masking MC/DC, as we count it, and clang's pairs of rows are the same. */
static void look_up(struct claims *c, const struct goal_row *g, bool *both, bool *uniform) {
    struct rows *r = rows_open(c->db,
                               "SELECT count(*) FROM goal WHERE kind = 'mcdc' AND decision = ?1 "
                               "AND condition = ?2 AND status = 'reachable'",
                               &err);
    rows_bind_int(r, 1, g->decision);
    rows_bind_int(r, 2, g->condition);
    TEST_ASSERT_TRUE(rows_next(r));
    *both = rows_int(r, 0) == 2;
    TEST_ASSERT_TRUE(rows_close(r, &err));
    r = rows_open(c->db, "SELECT structure FROM decision WHERE id = ?1", &err);
    rows_bind_int(r, 1, g->decision);
    TEST_ASSERT_TRUE(rows_next(r));
    *uniform = !strstr(rows_text(r, 0), "&&") || !strstr(rows_text(r, 0), "||");
    TEST_ASSERT_TRUE(rows_close(r, &err));
}

static bool decision_place(struct claims *c, long long decision, int *line, int *col) {
    struct rows *r = rows_open(c->db, "SELECT line, col FROM decision WHERE id = ?1", &err);
    rows_bind_int(r, 1, decision);
    bool found = rows_next(r);
    *line = (int)rows_int(r, 0);
    *col = (int)rows_int(r, 1);
    TEST_ASSERT_TRUE(rows_close(r, &err));
    return found;
}

static void compare_mcdc(struct claims *c, const cJSON *records, const struct goal_row *g) {
    int line, col;
    if (g->value != 1 || !decision_place(c, g->decision, &line, &col))
        return;
    for (const cJSON *row = records->child; row; row = row->next) {
        const cJSON *conditions = cJSON_GetArrayItem(row, cJSON_GetArraySize(row) - 1);
        if (number_at(row, 0) != line || number_at(row, 1) != col)
            continue;
        TEST_ASSERT_LESS_THAN(cJSON_GetArraySize(conditions), g->condition);
        bool both, uniform, pair = number_at(conditions, g->condition) > 0;
        look_up(c, g, &both, &uniform);
        c->compared++;
        if (both && !pair && !uniform)
            c->masked++; /* shown by masking, but not by a pair of rows that differ in it alone */
        else if (both != pair)
            differs(c, g, pair);
        return;
    }
}

static void compare_goal(struct claims *c, const struct goal_row *g) {
    const cJSON *file = file_of(c, g->file);
    if (!file)
        return;
    if (strcmp(g->kind, "function") == 0) {
        compare_function(c, g);
    } else if (strcmp(g->kind, "mcdc") == 0) {
        compare_mcdc(c, cJSON_GetObjectItem(file, "mcdc_records"), g);
    } else if (g->value >= 0 || strcmp(g->kind, "case") == 0) {
        compare_branch(c, cJSON_GetObjectItem(file, "branches"), g);
    } else {
        double count = count_at(cJSON_GetObjectItem(file, "segments"), g->line, g->col);
        if (count >= 0)
            compare(c, g, count);
    }
}

static void compare_goals(struct claims *c) {
    struct rows *r = rows_open(c->db,
                               "SELECT id, kind, text, file, line, col, end_line, end_col, "
                               "coalesce(value, -1), decision, condition, status = 'reachable' "
                               "FROM goal WHERE cannot IS NULL ORDER BY id",
                               &err);
    while (rows_next(r)) {
        struct goal_row g = {.id = rows_int(r, 0)};
        g.kind = arena_strdup(&arena, rows_text(r, 1));
        g.text = arena_strdup(&arena, rows_text(r, 2));
        g.file = arena_strdup(&arena, rows_text(r, 3));
        g.line = (int)rows_int(r, 4);
        g.col = (int)rows_int(r, 5);
        g.end_line = (int)rows_int(r, 6);
        g.end_col = (int)rows_int(r, 7);
        g.value = (int)rows_int(r, 8);
        g.decision = rows_int(r, 9);
        g.condition = (int)rows_int(r, 10);
        g.reachable = rows_int(r, 11) != 0;
        compare_goal(c, &g);
    }
    TEST_ASSERT_TRUE(rows_close(r, &err));
}

static void check_coverage(void) {
    struct claims c = {0};
    struct str text = {0};
    const char *file =
        arena_printf(&arena, "%s/tests/plain/build/coverage/coverage.json", str_text(&dir));
    TEST_ASSERT_TRUE_MESSAGE(file_read(file, &text, &err), str_text(&err.message));
    cJSON *root = cJSON_Parse(str_text(&text));
    const cJSON *data = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "data"), 0);
    c.files = cJSON_GetObjectItem(data, "files");
    c.functions = cJSON_GetObjectItem(data, "functions");
    TEST_ASSERT_TRUE(c.files && c.functions);
    TEST_ASSERT_TRUE(
        store_open(&c.db, arena_printf(&arena, "%s/x.db", str_text(&dir)), STORE_READ, &err));
    compare_goals(&c);
    int goals = (int)rows_single_int(c.db, "SELECT count(*) FROM goal WHERE cannot IS NULL");
    printf("%s: %d of %d goals compared with clang, %d shown by masking only\n", sample, c.compared,
           goals, c.masked);
    store_close(c.db);
    cJSON_Delete(root);
    str_free(&text);
    TEST_ASSERT_EQUAL_INT(0, c.differences);
    TEST_ASSERT_GREATER_THAN(goals * 2 / 3,
                             c.compared); /* a comparison of nothing proves nothing */
}

/* ---- one sample ---- */

static void test_sample(void) {
    const char *how = seconds ? arena_printf(&arena, "--seconds %s", seconds)
                              : "--engines simulate --deterministic";
    goalkeeper(arena_printf(&arena, "run %s/samples/%s --db x.db %s", GK_SOURCE_DIR, sample, how));
    goalkeeper("export x.db -o tests --tests plain,unity");
    const char *what = all_tests ? "check" : "suite";
    make("plain", "gcc", what, NULL);
    make("unity", "clang-19", what, NULL);
    if (all_tests) {
        clean("plain");
        clean("unity");
        make("plain", "clang-19", what, NULL);
        make("unity", "gcc", what, NULL);
    }
    make("plain", "clang-19", "coverage", NULL);
    check_coverage();
}

static void test_all_samples(void) {
    static const char *const samples[] = {
        "awkward",       "battery_soc",   "cabin_light", "can_guard",  "cruise_control",
        "door_debounce", "injection_map", "lane_assist", "multi_unit", "pid_fixed"};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        sample = samples[i];
        UnityDefaultTestRun(test_sample, sample, __LINE__);
    }
}

int main(int argc, char **argv) {
    UNITY_BEGIN();
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--all") == 0) {
            all_tests = true;
        } else if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc) {
            seconds = argv[++i];
        } else {
            sample = argv[i];
            UnityDefaultTestRun(test_sample, sample, __LINE__);
        }
    if (!sample)
        test_all_samples();
    return UNITY_END();
}
