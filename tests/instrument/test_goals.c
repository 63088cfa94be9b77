/* Which goals there are, their keys, what implies what, and what is reported as not analysable. */
#include "listed.h"

#include <stdio.h>
#include <string.h>

static struct str dir;
static struct project project;
static struct listed listed;

void setUp(void) {
    struct err err = {0};
    TEST_ASSERT_TRUE(file_temp_dir(&dir, &err));
    project_defaults(&project);
    project.dir = str_text(&dir);
    project.step = "step";
}

void tearDown(void) {
    listed_close(&listed);
    project_free(&project);
    file_remove_tree(str_text(&dir));
    str_free(&dir);
}

static void write_file(const char *name, const char *text) {
    struct err err = {0};
    struct str path = {0};
    str_addf(&path, "%s/%s", str_text(&dir), name);
    TEST_ASSERT_TRUE(file_write(str_text(&path), text, strlen(text), &err));
    str_free(&path);
}

static void list_file(const char *name, const char *text) {
    listed_close(&listed);
    write_file(name, text);
    vec_clear(&project.sources);
    vec_push(&project.sources, name);
    listed_open(&listed, &project);
}

static void list(const char *text) {
    list_file("a.c", text);
}

static int count(enum goal_kind kind) {
    int n = 0;
    for (size_t i = 0; i < listed.goals.list.len; i++)
        n += listed.goals.list.data[i].kind == kind;
    return n;
}

static const struct goal *find(enum goal_kind kind, const char *text, int value) {
    for (size_t i = 0; i < listed.goals.list.len; i++) {
        const struct goal *g = &listed.goals.list.data[i];
        if (g->kind == kind && g->value == value && strcmp(g->text, text) == 0)
            return g;
    }
    TEST_FAIL_MESSAGE(text);
    return NULL;
}

static const struct goal *statement(const char *text) {
    return find(GOAL_statement, text, -1);
}

static void same_probe(const struct goal *a, const struct goal *b) {
    TEST_ASSERT_EQUAL_UINT32(a->probe, b->probe);
}

static void other_probe(const struct goal *a, const struct goal *b) {
    TEST_ASSERT_NOT_EQUAL_UINT32(a->probe, b->probe);
}

/* Is there a way of implications? */
static bool implies_from(uint32_t a, uint32_t b, int depth) {
    if (listed.goals.list.data[a].probe == listed.goals.list.data[b].probe)
        return true;
    for (size_t i = 0; i < listed.goals.implications.len && depth > 0; i++) {
        struct implication edge = listed.goals.implications.data[i];
        if (listed.goals.list.data[edge.a].probe == listed.goals.list.data[a].probe &&
            implies_from(edge.b, b, depth - 1))
            return true;
    }
    return false;
}

static bool implies(const struct goal *a, const struct goal *b) {
    return implies_from((uint32_t)(a - listed.goals.list.data),
                        (uint32_t)(b - listed.goals.list.data), 20);
}

static void test_every_kind_is_listed(void) {
    list("int g(int);\n"
         "int step(int a, int b) {\n"
         "  int k = 0;\n"
         "  if (a > 1 && b) k = g(a);\n"
         "  while (k > 5) k--;\n"
         "  switch (b) { case 1: k = 2; break; case 2: break; }\n"
         "  return b ? k : !a;\n"
         "}\n");
    TEST_ASSERT_EQUAL_INT(1, count(GOAL_function));
    TEST_ASSERT_EQUAL_INT(1, count(GOAL_call));
    TEST_ASSERT_EQUAL_INT(10, count(GOAL_statement));
    TEST_ASSERT_EQUAL_INT(6, count(GOAL_branch));
    TEST_ASSERT_EQUAL_INT(3, count(GOAL_case));
    TEST_ASSERT_EQUAL_INT(10, count(GOAL_condition));
    TEST_ASSERT_EQUAL_INT(4, count(GOAL_mcdc));
    TEST_ASSERT_EQUAL_INT(0, count(GOAL_vector));
    TEST_ASSERT_EQUAL_STRING("a.c", find(GOAL_call, "g", -1)->file);
    TEST_ASSERT_EQUAL_INT(4, find(GOAL_call, "g", -1)->line);
    TEST_ASSERT_EQUAL_INT(23, find(GOAL_call, "g", -1)->col);
    TEST_ASSERT_EQUAL_STRING("step", find(GOAL_call, "g", -1)->function);
    find(GOAL_case, "implicit default", -1);
    TEST_ASSERT_EQUAL_STRING("0&&1", listed.goals.decisions.data[0].structure);
}

static void test_criteria_can_be_switched_off(void) {
    memset(project.criteria, 0, sizeof project.criteria);
    project.criteria[GOAL_condition] = true;
    list("int step(int a, int b) { if (a && b) a = 1; return a; }\n");
    TEST_ASSERT_EQUAL_INT(4, count(GOAL_condition));
    TEST_ASSERT_EQUAL_size_t(4, listed.goals.list.len);
}

static void test_excluded_functions_have_no_goals(void) {
    vec_push(&project.exclude, "functions:Get_*");
    list("int Get_ADC(int a) { return a; }\nint step(void) { return Get_ADC(1); }\n");
    TEST_ASSERT_EQUAL_INT(1, count(GOAL_function));
    TEST_ASSERT_NULL(strstr(str_text(&listed.text[0]), "Get_ADC(int a) { gk_hit"));
}

static void test_a_file_is_excluded_by_its_base_name(void) {
    vec_push(&project.exclude, "files:lib_*.h");
    list("# 1 \"C:\\\\build\\\\inc\\\\lib_math.h\"\nint Twice(int a) { return a + a; }\n"
         "# 1 \"/home/x/own.c\"\nint step(void) { return Twice(1); }\n");
    TEST_ASSERT_EQUAL_INT(1, count(GOAL_function));
}

/* Libraries bring dozens of them into every unit. */
static void test_idle_functions_of_headers_have_no_goals(void) {
    list("# 1 \"lib.h\"\nstatic inline int Deep(int a) { return a ? a : 1; }\n"
         "static inline int Used(int a) { return Deep(a); }\n"
         "static inline int IdleDeep(int a) { return a ? a : 2; }\n"
         "static inline int Idle(int a) { return IdleDeep(a); }\n"
         "static int Plain(int a) { return a; }\n"
         "# 1 \"own.c\"\nstatic inline int Own(int a) { return a; }\n"
         "int step(void) { return Used(1); }\n");
    TEST_ASSERT_EQUAL_INT(5, count(GOAL_function));
    find(GOAL_function, "Deep", -1);
    find(GOAL_function, "Own", -1);
    TEST_ASSERT_EQUAL_size_t(2, listed.goals.limitations.len);
    TEST_ASSERT_EQUAL_STRING("IdleDeep", listed.goals.limitations.data[0].function);
    TEST_ASSERT_EQUAL_INT(3, listed.goals.limitations.data[0].line);
}

/* Comments of the generators, until the next one or the end of their braces. */
static void test_blocks_of_the_model(void) {
    list(
        "/*\n * SUBSYS     CORRESPONDING SIMULINK SUBSYSTEM\n * Sa1        m/Top\n"
        " * Sa2        m/Top/Torque\n */\n"
        "int Sa2_Torque(int a) {\n  int r = 0;\n"
        "  if (a) {\n    /* Saturation: Top/Torque/Limit, of the driver */\n    if (a > 3) r = 1;\n"
        "    /* Unit: km/h */\n    if (a > 4) r = 2;\n  }\n  r++;\n  return r;\n}\n"
        "int step(int a) { return Sa2_Torque(a); }\nint m(void) { return 1; }\n");
    TEST_ASSERT_EQUAL_STRING("m/Top/Torque", find(GOAL_branch, "a", 1)->block);
    TEST_ASSERT_EQUAL_STRING("m/Top/Torque/Limit", find(GOAL_branch, "a > 3", 1)->block);
    TEST_ASSERT_EQUAL_STRING("m/Top/Torque/Limit", find(GOAL_branch, "a > 4", 1)->block);
    TEST_ASSERT_EQUAL_STRING("m/Top/Torque", find(GOAL_statement, "r++;", -1)->block);
    TEST_ASSERT_NULL(find(GOAL_function, "step", -1)->block);
    TEST_ASSERT_EQUAL_STRING("m/Top", find(GOAL_function, "m", -1)->block);
}

static void test_blocks_of_embedded_coder(void) {
    list(
        "/* '<Root>' : 'ctrl'\n * '<S1>'   : 'ctrl/Speed Controller'\n */\n"
        "int step(int a) {\n  /* Switch: '<S1>/Switch' incorporates:\n   *  Gain: '<S1>/G'\n   */\n"
        "  if (a > 3) a = 1;\n  /* End of Switch: '<S1>/Switch' */\n  a++;\n"
        "  /* Outport: '<Root>/Out' */\n  return a;\n}\n");
    TEST_ASSERT_EQUAL_STRING("ctrl/Speed Controller/Switch", find(GOAL_branch, "a > 3", 1)->block);
    TEST_ASSERT_NULL(find(GOAL_statement, "a++;", -1)->block);
    TEST_ASSERT_EQUAL_STRING("ctrl/Out", find(GOAL_statement, "return a;", -1)->block);
}

static void test_straight_lines_share_a_probe(void) {
    list("int g(void);\n"
         "int step(int a, int b, int *p) {\n"
         "  a = 1;\n  if (b) { b = 2; }\n  a = 3;\n  a = 4 / b;\n  a = 5;\n  *p = 6;\n  a = 7;\n"
         "  g();\n  a = 8;\n  if (a) return 9;\n  a = 10;\n  return a;\n}\n");
    same_probe(statement("a = 1;"), find(GOAL_function, "step", -1));
    same_probe(statement("a = 1;"), statement("a = 3;"));
    other_probe(statement("b = 2;"), statement("a = 3;"));
    same_probe(statement("b = 2;"), find(GOAL_branch, "b", 1));
    same_probe(statement("a = 3;"), statement("a = 4 / b;"));
    other_probe(statement("a = 4 / b;"), statement("a = 5;"));
    same_probe(statement("a = 5;"), statement("*p = 6;"));
    other_probe(statement("*p = 6;"), statement("a = 7;"));
    same_probe(statement("a = 7;"), statement("a = 8;"));
    same_probe(statement("g();"), find(GOAL_call, "g", -1));
    other_probe(statement("a = 8;"), statement("a = 10;"));
}

static void test_calls_of_functions_that_may_stop_split(void) {
    list(
        "static int safe(int a) { return a + 1; }\n"
        "static int inner(int a) { return 8 / a; }\n"
        "static int outer(int a) { return inner(a); }\n"
        "int step(int a) {\n  a = safe(a);\n  a = 2;\n  a = outer(a);\n  a = 3;\n  return a;\n}\n");
    same_probe(statement("a = safe(a);"), statement("a = 2;"));
    other_probe(statement("a = outer(a);"), statement("a = 3;"));
}

static void test_implications_follow_dominance(void) {
    list("int g(int a) { return a; }\n"
         "int step(int a, int b) {\n"
         "  if (a > 0 && b > 0) { a = 1; if (b == 2) { b = 3; } }\n"
         "  return g(b);\n}\n");
    TEST_ASSERT_TRUE(implies(statement("a = 1;"), find(GOAL_function, "step", -1)));
    TEST_ASSERT_TRUE(implies(statement("b = 3;"), statement("a = 1;")));
    TEST_ASSERT_FALSE(implies(statement("a = 1;"), statement("b = 3;")));
    TEST_ASSERT_TRUE(implies(statement("a = 1;"), find(GOAL_condition, "a > 0", 1)));
    TEST_ASSERT_TRUE(implies(find(GOAL_condition, "b > 0", 0), find(GOAL_condition, "a > 0", 1)));
    TEST_ASSERT_TRUE(implies(find(GOAL_mcdc, "a > 0", 0), find(GOAL_condition, "a > 0", 0)));
    TEST_ASSERT_TRUE(implies(find(GOAL_call, "g", -1), statement("return a;")));
    TEST_ASSERT_TRUE(implies(statement("return a;"), find(GOAL_call, "g", -1)));
    TEST_ASSERT_FALSE(implies(statement("return g(b);"), statement("a = 1;")));
}

static void test_goto_ends_dominance(void) {
    list("int step(int a) {\n  if (a == 1) goto inside;\n"
         "  if (a == 2) { a = 5; inside: a = 6; }\n  a = 7;\n  return a;\n}\n");
    TEST_ASSERT_FALSE(implies(statement("a = 6;"), find(GOAL_branch, "a == 2", 1)));
    TEST_ASSERT_FALSE(implies(statement("a = 7;"), statement("if (a == 2)")));
    TEST_ASSERT_TRUE(implies(statement("a = 5;"), find(GOAL_branch, "a == 2", 1)));
    TEST_ASSERT_TRUE(implies(statement("a = 7;"), find(GOAL_function, "step", -1)));
}

/* Keys. */

static const char original[] = "int g(int a) { return a + 1; }\n"
                               "int step(int a, int b) {\n"
                               "  int k = a > 1 && b < 2;\n"
                               "  if (a == 3 && (b == 4 || k)) { k = g(a); } else { k--; }\n"
                               "  switch (a) { case 1: k = 5; break; default: k = 6; break; }\n"
                               "  return k ? a : b;\n"
                               "}\n";

VEC_STRUCT(keys, uint64_t);

static int by_key(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void sorted_keys(struct keys *keys) {
    vec_clear(keys);
    for (size_t i = 0; i < listed.goals.list.len; i++)
        vec_push(keys, listed.goals.list.data[i].key);
    qsort(keys->data, keys->len, sizeof keys->data[0], by_key);
    for (size_t i = 1; i < keys->len; i++)
        TEST_ASSERT_TRUE(keys->data[i - 1] != keys->data[i]);
}

static bool has_key(const struct keys *keys, uint64_t key) {
    return bsearch(&key, keys->data, keys->len, sizeof key, by_key) != NULL;
}

static void same_keys(const char *name, const char *changed) {
    struct keys before = {0}, after = {0};
    project.criteria[GOAL_vector] = true;
    list(original);
    sorted_keys(&before);
    list_file(name, changed);
    sorted_keys(&after);
    TEST_ASSERT_EQUAL_size_t(before.len, after.len);
    TEST_ASSERT_EQUAL_MEMORY(before.data, after.data, before.len * sizeof before.data[0]);
    vec_free(&before);
    vec_free(&after);
}

static void test_keys_survive_formatting(void) {
    same_keys("other.c",
              "/* moved, renamed */\n\n"
              "int step(int a,\n         int b)\n{\n"
              "  int k = a>1\n  /* why */ &&\n  b  <  2; // because\n"
              "  if (a==3&&(b==4||k))\n  {\n    k = g( a );\n  }\n  else\n  {\n    k --;\n"
              "  }\n"
              "  switch (a)\n  {\n  case 1 :\n    k=5;\n    break;\n  default :\n    k=6;"
              "\n    break;\n  }\n"
              "  return k?a:b;\n}\n"
              "int g(int a) { return a + 1; }\n");
}

static void test_keys_survive_new_neighbours(void) {
    struct keys before = {0}, after = {0};
    list(original);
    sorted_keys(&before);
    list("int unused(void) { return 0; }\n"
         "int g(int a) { return a + 1; }\n"
         "int step(int a, int b) {\n"
         "  int k = a > 1 && b < 2;\n"
         "  a = 77;\n"
         "  if (a == 3 && (b == 4 || k)) { b = 78; k = g(a); } else { k--; }\n"
         "  switch (a) { case 9: k = 5; break; case 1: k = 5; break; default: k = 6; break; }\n"
         "  return k ? a : b;\n"
         "}\n");
    sorted_keys(&after);
    for (size_t i = 0; i < before.len; i++)
        TEST_ASSERT_TRUE(has_key(&after, before.data[i]));
    TEST_ASSERT_GREATER_THAN(before.len, after.len);
    vec_free(&before);
    vec_free(&after);
}

static void test_changed_condition_changes_only_its_own_keys(void) {
    struct keys before = {0};
    list(original);
    sorted_keys(&before);
    list("int g(int a) { return a + 1; }\n"
         "int step(int a, int b) {\n"
         "  int k = a > 1 && b < 99;\n"
         "  if (a == 3 && (b != 4 || k)) { k = g(a); } else { k--; }\n"
         "  switch (a) { case 1: k = 5; break; default: k = 6; break; }\n"
         "  return k ? a : b;\n"
         "}\n");
    for (size_t i = 0; i < listed.goals.list.len; i++) {
        const struct goal *g = &listed.goals.list.data[i];
        bool changed = (g->kind == GOAL_condition || g->kind == GOAL_mcdc) &&
                       (strcmp(g->text, "b < 99") == 0 || strcmp(g->text, "b != 4") == 0);
        TEST_ASSERT_EQUAL_MESSAGE(!changed, has_key(&before, g->key), g->text);
    }
    vec_free(&before);
}

/* Several units. */

static void test_functions_of_headers_are_listed_once(void) {
    write_file("h.h",
               "static inline int limit(int x) { if (x > 9 || x < -9) { return 9; } return x; }"
               "\n");
    write_file("a.c", "#include \"h.h\"\nint other(int);\n"
                      "int step(int a) { return limit(a) + other(a); }\n");
    write_file("b.c", "#include \"h.h\"\nint other(int a) { return limit(a); }\n");
    vec_push(&project.sources, "a.c");
    vec_push(&project.sources, "b.c");
    project.criteria[GOAL_vector] = true;
    listed_open(&listed, &project);
    TEST_ASSERT_EQUAL_INT(3, count(GOAL_function));
    TEST_ASSERT_EQUAL_INT(4, count(GOAL_condition));
    TEST_ASSERT_EQUAL_INT(3, count(GOAL_vector));
    TEST_ASSERT_EQUAL_size_t(1, listed.goals.decisions.len);
    const char *first = strstr(str_text(&listed.text[0]), "limit(int x) {");
    const char *second = strstr(str_text(&listed.text[1]), "limit(int x) {");
    size_t len = strcspn(first, "\n");
    TEST_ASSERT_EQUAL_STRING_LEN(first, second, len);
}

static void test_static_functions_of_one_name_are_two(void) {
    write_file("a.c", "static int f(int a) { return a && 1; }\n"
                      "int other(int);\nint step(int a) { return f(a) + other(a); }\n");
    write_file("b.c",
               "static int f(int a) { return a && 1; }\nint other(int a) { return f(a); }\n");
    vec_push(&project.sources, "a.c");
    vec_push(&project.sources, "b.c");
    listed_open(&listed, &project);
    TEST_ASSERT_EQUAL_INT(4, count(GOAL_function));
    struct keys keys = {0};
    sorted_keys(&keys);
    vec_free(&keys);
}

/* What cannot be analysed. */

static void has_limitation(const char *function, int line, const char *what) {
    for (size_t i = 0; i < listed.goals.limitations.len; i++) {
        const struct limitation *l = &listed.goals.limitations.data[i];
        if (strcmp(l->function, function) == 0 && l->line == line && strstr(l->text, what))
            return;
    }
    TEST_FAIL_MESSAGE(what);
}

static void test_limitations_are_listed_with_their_goals(void) {
    list("#include <setjmp.h>\n#include <stdlib.h>\n#include <stdarg.h>\n"
         "static jmp_buf env;\n"
         "extern int (*callback)(float);\n"
         "static int recursive(int a) { return a ? recursive(a - 1) : 0; }\n"
         "static int assembly(int a) { __asm__(\"mov\"); return a; }\n"
         "static int jump(int a) { return setjmp(env); }\n"
         "static int length(int a) { int x[a]; x[0] = a; return x[0]; }\n"
         "static int computed(int a) { void *p = &&end; goto *p; end: return a; }\n"
         "static int heap(int a) { return malloc(a) != 0; }\n"
         "static int variadic(int n, ...) { va_list v; va_start(v, n); n = va_arg(v, int); "
         "va_end(v);"
         " return n; }\n"
         "static int pointer(int a) { return callback(a); }\n"
         "static int elvis(int a) { return a ?: 4; }\n"
         "int step(int a) { return recursive(a) + assembly(a) + jump(a) + length(a) + computed(a)"
         " + heap(a) + variadic(1, a) + pointer(a) + elvis(a); }\n");
    has_limitation("recursive", 6, "recursion");
    has_limitation("assembly", 7, "inline assembly");
    has_limitation("jump", 8, "setjmp");
    has_limitation("length", 9, "variable length");
    has_limitation("computed", 10, "computed goto");
    has_limitation("heap", 11, "heap");
    has_limitation("variadic", 12, "arguments");
    has_limitation("pointer", 13, "pointer");
    has_limitation("elvis", 14, "GNU");
    for (size_t i = 0; i < listed.goals.list.len; i++) {
        const struct goal *g = &listed.goals.list.data[i];
        bool decided = strcmp(g->function, "step") == 0 || strcmp(g->function, "elvis") == 0 ||
                       strcmp(g->function, "assembly") == 0; /* up to the statement */
        TEST_ASSERT_EQUAL_MESSAGE(decided, g->reason == NULL, g->function);
    }
}

/* What an asm statement declares is believed; without such words it may do anything, and stays. */
static void test_assembly_that_says_what_it_writes(void) {
    static const struct {
        const char *text;
        int limitations;
        const char *woven;
    } rows[] = {
        {"__asm__ volatile(\"cpsid i\" ::: \"memory\");", 0, "{ }"},
        {"__asm(\" NOP\\n\\t\");", 0, "{ }"},
        {"__asm__(\"mfspr %0\" : \"=r\"(t));", 1, "{ unsigned int gk_asm0; t = gk_asm0; }"},
        {"__asm__(\"x\" : \"=r\"(t), [b] \"+r\" (a) : \"r\"(t + 1), \"i\"(3) : \"cc\");", 1,
         "{ unsigned int gk_asm0; int gk_asm1; t = gk_asm0; a = gk_asm1; }"},
        {"__asm__(\"nop; mov\");", 1, NULL},
        {"__asm__(\"mov\" : \"=r\"(t) : : \"memory\");", 1, NULL},
        {"__asm__(\"mov\" : \"=m\"(global));", 1, "{ int gk_asm0; global = gk_asm0; }"},
        {"__asm__(\"mov\" : \"=m\"(kept) : \"m\"(kept));", 1, "{ int gk_asm0; kept = gk_asm0; }"},
        {"__asm__(\"mov\" : \"=m\"(port));", 1, NULL},
        {"__asm__(\"mov\" : \"=m\"(*p));", 1, NULL},
        {"__asm__(\"mov\" : \"=r\"(t) : \"r\"(p));", 1, NULL},
        {"__asm__(\"mov\" : \"=r\"(t) : \"r\"(a++));", 1, NULL},
        {"__asm__(\"mov\" : \"=r\"(t) : \"r\"(other(a)));", 1, NULL},
        {"__asm__ goto(\"jmp\" : : : : end); end:;", 1, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str text = {0};
        str_addf(&text,
                 "int global; volatile int port; int other(int a) { return a; }\n"
                 "int step(int a, int *p) { static int kept; unsigned t = 0; kept = (int)t;\n"
                 "  %s\n  return kept + a + *p + (int)t; }\n",
                 rows[i].text);
        list(str_text(&text));
        bool woven = rows[i].woven && strstr(str_text(&listed.text[0]), rows[i].woven);
        TEST_ASSERT_EQUAL_MESSAGE(rows[i].woven != NULL, woven, rows[i].text);
        TEST_ASSERT_EQUAL_MESSAGE(rows[i].limitations, listed.goals.limitations.len, rows[i].text);
        str_free(&text);
    }
}

static void test_known_function_pointers_are_no_limitation(void) {
    list("static int twice(int a) { return 2 * a; }\n"
         "static int (*const table[1])(int) = { twice };\n"
         "int step(int a) { return table[a & 0](a); }\n");
    TEST_ASSERT_EQUAL_size_t(0, listed.goals.limitations.len);
}

static void test_constant_contexts_are_left_alone(void) {
    list("enum { E = 1 && 2 };\nstatic int s = 1 && E;\nint a[(1 || 2) + 1] = { [0 && 1] = 3 };\n"
         "struct s { int f : 1 && 1; };\n"
         "int step(int x) {\n  static int t = 2 && 3;\n  int b[1 && 1];\n  b[0] = sizeof(x && t);\n"
         "  switch (x) { case 1 && 2: b[0]++; }\n  return b[0] + s + a[0];\n}\n");
    TEST_ASSERT_EQUAL_size_t(0, listed.goals.decisions.len);
    TEST_ASSERT_EQUAL_INT(2, count(GOAL_case));
}

static void test_loops_on_literals_make_no_decision(void) {
    list("int step(int x) { do { x++; } while (0); while (1) { if (x++ > 3) break; }\n"
         "  for (;;) { if (x++ > 5) return x; } }\n");
    TEST_ASSERT_EQUAL_INT(4, count(GOAL_branch));
}

static void test_literal_decisions_are_an_option(void) {
    static const char text[] = "int step(int a) { int x = a > 3; return x; }\n";
    list(text);
    TEST_ASSERT_EQUAL_INT(0, count(GOAL_condition));
    project.literal_decisions = true;
    list(text);
    TEST_ASSERT_EQUAL_INT(2, count(GOAL_condition));
}

static void test_large_decisions_have_no_limit(void) {
    struct str text = {0};
    str_add(&text, "int step(int *x) { return x[0]");
    for (int i = 1; i < 300; i++)
        str_addf(&text, " %s x[%d]", i % 3 ? "&&" : "||", i);
    str_add(&text, "; }\n");
    project.criteria[GOAL_vector] = true;
    list(str_text(&text));
    TEST_ASSERT_EQUAL_INT(600, count(GOAL_mcdc));
    TEST_ASSERT_EQUAL_INT(0, count(GOAL_vector));
    has_limitation("step", 1, "truth table");
    str_free(&text);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_every_kind_is_listed);
    RUN_TEST(test_criteria_can_be_switched_off);
    RUN_TEST(test_excluded_functions_have_no_goals);
    RUN_TEST(test_blocks_of_the_model);
    RUN_TEST(test_blocks_of_embedded_coder);
    RUN_TEST(test_a_file_is_excluded_by_its_base_name);
    RUN_TEST(test_idle_functions_of_headers_have_no_goals);
    RUN_TEST(test_straight_lines_share_a_probe);
    RUN_TEST(test_calls_of_functions_that_may_stop_split);
    RUN_TEST(test_implications_follow_dominance);
    RUN_TEST(test_goto_ends_dominance);
    RUN_TEST(test_keys_survive_formatting);
    RUN_TEST(test_keys_survive_new_neighbours);
    RUN_TEST(test_changed_condition_changes_only_its_own_keys);
    RUN_TEST(test_functions_of_headers_are_listed_once);
    RUN_TEST(test_static_functions_of_one_name_are_two);
    RUN_TEST(test_limitations_are_listed_with_their_goals);
    RUN_TEST(test_assembly_that_says_what_it_writes);
    RUN_TEST(test_known_function_pointers_are_no_limitation);
    RUN_TEST(test_constant_contexts_are_left_alone);
    RUN_TEST(test_loops_on_literals_make_no_decision);
    RUN_TEST(test_literal_decisions_are_an_option);
    RUN_TEST(test_large_decisions_have_no_limit);
    return UNITY_END();
}
