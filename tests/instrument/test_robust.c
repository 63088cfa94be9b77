/* Robustness goals: each row is an expression, arguments, and whether the event happens. */
#include "base/child.h"
#include "listed.h"

#include <stdio.h>
#include <string.h>

void setUp(void) {
}
void tearDown(void) {
}

struct row {
    enum goal_kind kind;
    const char *parameters, *body, *arguments;
    bool happens;
};

static const struct row rows[] = {
    {GOAL_div0, "int a, int b", "return a / b;", "1, 1", false},
    {GOAL_div0, "int a, int b", "return b == 0 ? 0 : a % b;", "1, 0", false},
    {GOAL_div0, "int a, unsigned char b", "a /= b + 1; return a;", "1, 255", false},
    {GOAL_overflow, "int a, int b", "return a + b;", "2147483647, 0", false},
    {GOAL_overflow, "int a, int b", "return a + b;", "2147483647, 1", true},
    {GOAL_overflow, "int a, int b", "return a - b;", "-2147483647, 1", false},
    {GOAL_overflow, "int a, int b", "return a - b;", "-2147483647, 2", true},
    {GOAL_overflow, "int a, int b", "return a * b;", "46341, 46340", false},
    {GOAL_overflow, "int a, int b", "return a * b;", "46341, 46341", true},
    {GOAL_overflow, "int a", "return -a;", "-2147483647 - 1", true},
    {GOAL_overflow, "int a", "return -a;", "-2147483647", false},
    {GOAL_overflow, "int a", "return ++a;", "2147483647", true},
    {GOAL_overflow, "int a", "return a--;", "2147483647", false},
    {GOAL_overflow, "int a, int b", "a += b; return a;", "2147483600, 47", false},
    {GOAL_overflow, "int a, int b", "a += b; return a;", "2147483600, 48", true},
    {GOAL_overflow, "long long a, long long b", "return a + b > 0;", "9223372036854775807, 1",
     true},
    {GOAL_overflow, "long long a, long long b", "return a + b > 0;", "9223372036854775807, -1",
     false},
    {GOAL_overflow, "long long a, long long b", "return a - b > 0;", "-9223372036854775807, 1",
     false},
    {GOAL_overflow, "long long a, long long b", "return a - b > 0;", "-9223372036854775807, 2",
     true},
    {GOAL_overflow, "long long a, long long b", "return a * b > 0;", "4611686018427387904, 2",
     true},
    {GOAL_overflow, "long long a, long long b", "return a * b > 0;", "-4611686018427387904, 2",
     false},
    {GOAL_overflow, "long long a, long long b", "return a * b > 0;", "-4611686018427387904, -2",
     true},
    {GOAL_overflow, "long long a, long long b", "return a * b > 0;", "0, -2", false},
    {GOAL_overflow, "int a, int b", "return (a + 1) * (b - 1) + 3;", "46340, 46342", true},
    {GOAL_overflow, "unsigned a, unsigned b", "return (int)((a + b) & 1);", "4294967295u, 1",
     false},
    {GOAL_overflow, "int a, int b", "return a << b;", "1, 30", false},
    {GOAL_overflow, "int a, int b", "return a << b;", "1, 31", true},
    {GOAL_overflow, "int a, int b", "return a << b;", "-1, 31", false},
    {GOAL_overflow, "int a, int b", "return a << b;", "-2, 31", true},
    {GOAL_overflow, "int a, int b", "return a << b;", "1, 32", false},
    {GOAL_overflow, "unsigned char a", "return a << 24;", "127", false},
    {GOAL_overflow, "unsigned char a", "return a << 24;", "128", true},
    {GOAL_overflow, "int a", "a <<= 2; return a;", "536870911", false},
    {GOAL_overflow, "int a", "a <<= 2; return a;", "536870912", true},
    {GOAL_overflow, "long long a, unsigned b", "return a << b != 0;", "-1, 63", false},
    {GOAL_overflow, "long long a, unsigned b", "return a << b != 0;", "1, 63", true},
    {GOAL_shift, "int a, int b", "return a << b;", "1, 31", false},
    {GOAL_shift, "int a, int b", "return a << b;", "1, 32", true},
    {GOAL_shift, "int a, int b", "return a >> b;", "1, -1", true},
    {GOAL_shift, "unsigned char a, unsigned char b", "return a >> b;", "1, 31", false},
    {GOAL_shift, "long long a, unsigned b", "a >>= b; return a != 0;", "1, 63", false},
    {GOAL_shift, "long long a, unsigned b", "a >>= b; return a != 0;", "1, 64", true},
    {GOAL_downcast, "int a", "return (unsigned char)a;", "255", false},
    {GOAL_downcast, "int a", "return (unsigned char)a;", "256", true},
    {GOAL_downcast, "int a", "return (unsigned char)a;", "-1", true},
    {GOAL_downcast, "int a", "signed char c = a; return c;", "-128", false},
    {GOAL_downcast, "int a", "signed char c = a; return c;", "-129", true},
    {GOAL_downcast, "unsigned a", "return a;", "2147483647u", false},
    {GOAL_downcast, "unsigned a", "return a;", "2147483648u", true},
    {GOAL_downcast, "int a", "return a + 1u > 3u;", "-5", true},
    {GOAL_downcast, "float a", "return (int)a;", "2147483520.0f", false},
    {GOAL_downcast, "float a", "return (int)a;", "2147483648.0f", true},
    {GOAL_downcast, "double a", "return (int)a;", "2147483647.5", false},
    {GOAL_downcast, "double a", "return (int)a;", "-2147483648.5", false},
    {GOAL_downcast, "double a", "return (int)a;", "-2147483649.0", true},
    {GOAL_downcast, "double a", "return (int)(long long)a;", "0.0 / 0.0", true},
    {GOAL_downcast, "double a", "return (long long)a != 0;", "-9223372036854775808.0", false},
    {GOAL_downcast, "double a", "return (long long)a != 0;", "9223372036854775808.0", true},
    {GOAL_downcast, "double a", "return (unsigned short)a;", "-0.5", false},
    {GOAL_downcast, "double a", "return (unsigned short)a;", "-1.0", true},
    {GOAL_downcast, "double a", "return (float)a > 1.0f;", "3.4e38", false},
    {GOAL_downcast, "double a", "return (float)a > 1.0f;", "3.5e38", true},
    {GOAL_downcast, "double a", "return (float)a > 1.0f;", "1.0 / 0.0", false},
    {GOAL_downcast, "int a", "return (float)a > 1.0f;", "16777216", false},
    {GOAL_downcast, "int a", "return (float)a > 1.0f;", "16777217", true},
    {GOAL_downcast, "int a", "return (float)a > 1.0f;", "-16777218", false},
    {GOAL_downcast, "int a", "return (float)a > 1.0f;", "-16777219", true},
    {GOAL_downcast, "unsigned a", "float f = a; return f > 1.0f;", "4294967040u", false},
    {GOAL_downcast, "unsigned a", "float f = a; return f > 1.0f;", "4294967295u", true},
    {GOAL_downcast, "long long a", "return a > 1.5;", "9007199254740992", false},
    {GOAL_downcast, "long long a", "return a > 1.5;", "9007199254740993", true},
    {GOAL_downcast, "long long a", "return a > 1.5;", "9223372036854775807", true},
    {GOAL_downcast, "unsigned long long a", "return a > 1.5;", "18446744073709551615u", true},
    {GOAL_downcast, "unsigned long long a", "return a > 1.5;", "9223372036854775808u", false},
    {GOAL_downcast, "unsigned char a", "a += 200; return a;", "55", false},
    {GOAL_downcast, "unsigned char a", "a += 200; return a;", "56", true},
    {GOAL_downcast, "signed char a", "a--; return a;", "-127", false},
    {GOAL_downcast, "signed char a", "a--; return a;", "-128", true},
    {GOAL_downcast, "int a", "struct { unsigned f : 3; } s; s.f = a & 15; return s.f;", "7", false},
    {GOAL_downcast, "int a", "struct { unsigned f : 3; } s; s.f = a & 15; return s.f;", "8", true},
    {GOAL_bounds, "int i", "return array[i];", "3", false},
    {GOAL_bounds, "int i", "return array[i & 3] + array[i] * 0;", "4", true},
    {GOAL_bounds, "int i", "return *(array + i);", "3", false},
    {GOAL_bounds, "int i", "return *(array + i);", "4", true},
    {GOAL_bounds, "int i", "return *((array) + (i));", "-1", true},
    {GOAL_bounds, "unsigned i", "return &array[i] == 0;", "4", false},
    {GOAL_bounds, "unsigned i", "return &array[i] == 0;", "5", true},
    {GOAL_bounds, "int *p", "return p ? *p : 0;", "0", false},
    {GOAL_bounds, "int *p", "return *p++;", "array", false},
    {GOAL_bounds, "struct node *p", "return p->next->value;", "&list[0]", false},
    {GOAL_bounds, "int i", "return matrix[i >> 2][i & 3];", "7", false},
    {GOAL_bounds, "int i", "return matrix[i >> 2][i & 3];", "8", true},
    {GOAL_range, "int a", "limited = (short)a; return limited;", "100", false},
    {GOAL_range, "int a", "limited = (short)a; return limited;", "101", true},
    {GOAL_range, "int a", "return (limited = (short)a) + 1;", "-101", true},
    {GOAL_range, "int a", "limited = 100; limited += (short)a; return limited;", "1", true},
    {GOAL_range, "int a", "limited = (short)a; limited--; return limited;", "-99", false},
    {GOAL_range, "int a", "limited = (short)a; limited--; return limited;", "-100", true},
};

enum { N_ROWS = sizeof rows / sizeof *rows };

/* One function a row, and main() that calls each and stores what was hit. */
static void write_program(struct str *text) {
    str_add(text,
            "extern void dump(void);\n"
            "int array[5] = {1, 2, 3, 4, 5}, matrix[2][4];\n"
            "struct node { int value; struct node *next; } list[2] = {{1, &list[1]}, {2, 0}};\n"
            "short limited /* LSB: 2^0 OFF: 0 MIN/MAX: -100 .. 100 */;\n");
    str_add(text, "#define array ((int (*)[4])array)[0]\n");
    for (int i = 0; i < N_ROWS; i++)
        str_addf(text, "int row%d(%s) { %s }\n", i, rows[i].parameters, rows[i].body);
    str_add(text, "int main(void) {\n");
    for (int i = 0; i < N_ROWS; i++)
        str_addf(text, "  row%d(%s); dump();\n", i, rows[i].arguments);
    str_add(text, "  return 0; }\n");
}

static void write_runtime(struct str *text, uint32_t probes) {
    str_addf(
        text,
        "#include <stdio.h>\n#include <string.h>\nstatic unsigned char hit[%u];\n"
        "void gk_hit(unsigned n) { hit[n] = 1; }\n"
        "void dump(void) { fwrite(hit, 1, sizeof hit, stdout); memset(hit, 0, sizeof hit); }\n",
        probes);
}

static void list_program(struct listed *listed, const char *dir) {
    struct project project;
    project_defaults(&project);
    project.dir = dir;
    project.step = "main";
    project.ilp32 = false;
    for (int kind = 0; kind < GOAL_KINDS; kind++)
        project.criteria[kind] = criteria[kind].robustness;
    vec_push(&project.sources, "robust.c");
    listed_open(listed, &project);
    project_free(&project);
}

static void run_in(const char *dir, const char *const *argv, struct child_result *result) {
    struct err err = {0};
    struct child_spec spec = {.argv = argv, .dir = dir, .wall_seconds = 60};
    TEST_ASSERT_TRUE(child_run(&spec, result, &err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(CHILD_EXITED, result->end, argv[0]);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, result->code, str_text(&result->err));
}

static void write_in(const char *dir, const char *name, const struct str *text) {
    struct arena arena = {0};
    struct err err = {0};
    TEST_ASSERT_TRUE(file_write(path_join(&arena, dir, name), str_text(text), text->len, &err));
    arena_free(&arena);
}

static void compile_and_run(struct listed *listed, const char *dir, struct child_result *result) {
    static const char *const compile[] = {"clang-19", "-Wall", "-Wextra", "-Werror", "-fwrapv",
                                          "woven.c",  "rt.c",  "-o",      "woven",   NULL};
    static const char *const execute[] = {"./woven", NULL};
    struct child_result compiled = {0};
    struct str woven = {0}, runtime = {0};
    str_addf(&woven, "extern void gk_hit(unsigned);\n%s", str_text(&listed->text[0]));
    write_runtime(&runtime, listed->goals.n_probes);
    write_in(dir, "woven.c", &woven);
    write_in(dir, "rt.c", &runtime);
    run_in(dir, compile, &compiled);
    run_in(dir, execute, result);
    child_result_free(&compiled);
    str_free(&woven);
    str_free(&runtime);
}

/* Is a goal of the row's kind, in its function, hit in its call? */
static void check_row(const struct goals *goals, const struct str *hits, int row) {
    char name[16], message[256];
    bool happened = false, listed = false;
    snprintf(name, sizeof name, "row%d", row);
    snprintf(message, sizeof message, "%s: %s (%s)", criteria[rows[row].kind].name, rows[row].body,
             rows[row].arguments);
    for (size_t i = 0; i < goals->list.len; i++) {
        const struct goal *g = &goals->list.data[i];
        if (g->kind != rows[row].kind || strcmp(g->function, name) != 0)
            continue;
        listed = true;
        happened |= hits->data[(size_t)row * goals->n_probes + g->probe] != 0;
    }
    TEST_ASSERT_TRUE_MESSAGE(listed || !rows[row].happens, message);
    TEST_ASSERT_EQUAL_MESSAGE(rows[row].happens, happened, message);
}

static void test_events_are_hit(void) {
    struct str dir = {0}, text = {0};
    struct err err = {0};
    struct listed listed = {0};
    struct child_result result = {0};
    TEST_ASSERT_TRUE(file_temp_dir(&dir, &err));
    write_program(&text);
    write_in(str_text(&dir), "robust.c", &text);
    list_program(&listed, str_text(&dir));
    compile_and_run(&listed, str_text(&dir), &result);
    TEST_ASSERT_EQUAL_size_t((size_t)N_ROWS * listed.goals.n_probes, result.out.len);
    for (int row = 0; row < N_ROWS; row++)
        check_row(&listed.goals, &result.out, row);
    child_result_free(&result);
    listed_close(&listed);
    file_remove_tree(str_text(&dir));
    str_free(&dir);
    str_free(&text);
}

/* What a probe cannot see is listed with its reason, never left out. */
static void test_what_cannot_be_checked_is_listed(void) {
    static const char program[] = "extern int open[];\n"
                                  "int at(int *p, int i) { return p[i]; }\n"
                                  "int sum(int *p, int i) { return *(p + i); }\n"
                                  "int unknown(int i) { return open[i]; }\n"
                                  "int main(void) { return at(open, 0) + sum(open, 1) + "
                                  "unknown(2); }\n";
    static const char *const functions[] = {"at", "sum", "unknown"};
    struct str dir = {0}, text = {0};
    struct err err = {0};
    struct listed listed = {0};
    TEST_ASSERT_TRUE(file_temp_dir(&dir, &err));
    str_add(&text, program);
    write_in(str_text(&dir), "robust.c", &text);
    list_program(&listed, str_text(&dir));
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        int open = 0;
        for (size_t i = 0; i < listed.goals.list.len; i++) {
            const struct goal *g = &listed.goals.list.data[i];
            open += g->kind == GOAL_bounds && g->reason && strcmp(g->function, functions[f]) == 0;
        }
        TEST_ASSERT_EQUAL_INT_MESSAGE(1, open, functions[f]);
    }
    listed_close(&listed);
    file_remove_tree(str_text(&dir));
    str_free(&dir);
    str_free(&text);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_what_cannot_be_checked_is_listed);
    RUN_TEST(test_events_are_hit);
    return UNITY_END();
}
