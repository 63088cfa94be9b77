/* Every sample, woven, does step by step what the original does: same inputs, same outputs and
 * state. Both programs are compiled by clang, which fixes the order of evaluation. */
#include "app/project/read.h"
#include "base/child.h"
#include "base/tool.h"
#include "instrument/weave/weave.h"

#include "scratch.h"
#include "unity.h"

#include <stdio.h>
#include <string.h>

static struct project project;
static struct woven woven;

void setUp(void) {
    scratch_open();
}

void tearDown(void) {
    woven_free(&woven);
    project_free(&project);
    scratch_close();
}

static void run(const char *const *argv, struct str *out) {
    struct child_spec spec = {.argv = argv, .dir = str_text(&dir), .wall_seconds = 120};
    struct child_result result = {0};
    TEST_ASSERT_TRUE(child_run(&spec, &result, &err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(CHILD_EXITED, result.end, argv[0]);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, result.code, str_text(&result.err));
    if (out)
        str_addn(out, str_text(&result.out), result.out.len);
    child_result_free(&result);
}

/* The same values for both programs: a hash of the step and the input, scaled into its range. */

static const char values_head[] =
    "static unsigned gk_step_number;\n"
    "static unsigned long long gk_random(unsigned id) {\n"
    "  unsigned long long x = gk_step_number / 3 * 1000003ull + id * 7919ull + 12345;\n"
    "  x ^= x >> 31; x *= 0x9e3779b97f4a7c15ull; x ^= x >> 29; x *= 0xbf58476d1ce4e5b9ull;\n"
    "  return x ^ x >> 32; }\n"
    "static double gk_unit(unsigned id) { return (double)(gk_random(id) % 4097) / 4096; }\n";

static double as_double(const struct module_var *v, uint64_t bits) {
    double d;
    float f;
    uint32_t low = (uint32_t)bits;
    memcpy(&d, &bits, sizeof d);
    memcpy(&f, &low, sizeof f);
    return v->bits == 64 ? d : (double)f;
}

static void add_value(struct str *text, unsigned id) {
    const struct module_var *v = &woven.module.inputs.data[id];
    if (v->type == TYPE_FLOAT)
        str_addf(text, "    case %u: return %a + gk_unit(id) * (%a - %a);\n", id,
                 as_double(v, v->min), as_double(v, v->max), as_double(v, v->min));
    else
        str_addf(text,
                 "    case %u: return (double)(long long)(0x%llxull + gk_random(id) %% "
                 "(0x%llxull - 0x%llxull + 1));\n",
                 id, (unsigned long long)v->min, (unsigned long long)v->max,
                 (unsigned long long)v->min);
}

/* Signed ranges are kept as bits of the type: extended here. */
static void extend_ranges(void) {
    for (size_t i = 0; i < woven.module.inputs.len; i++) {
        struct module_var *v = &woven.module.inputs.data[i];
        unsigned shift = 64 - v->bits;
        if (v->type != TYPE_SIGNED)
            continue;
        v->min = (uint64_t)((int64_t)(v->min << shift) >> shift);
        v->max = (uint64_t)((int64_t)(v->max << shift) >> shift);
    }
}

static void add_values(struct str *text) {
    str_add(text, values_head);
    str_add(text, "static double gk_value(unsigned id) {\n  switch (id) {\n");
    for (unsigned id = 0; id < woven.module.inputs.len; id++)
        add_value(text, id);
    str_add(text, "  }\n  return 0; }\n");
}

/* Cells that both programs can name; what setjmp() keeps are addresses. */
static bool is_compared(const struct module_var *v) {
    bool several = project.sources.len > 1;
    return v->type != TYPE_POINTER && !strstr(v->path, "::") && !strstr(v->path, "].__") &&
           (!several || v->role == VAR_OUTPUT);
}

static int add_prints(struct str *text, bool original) {
    int n = 0;
    for (size_t i = 0; i < woven.module.state.len; i++) {
        const struct module_var *v = &woven.module.state.data[i];
        if (!is_compared(v))
            continue;
        n++;
        str_addf(text, "    printf(\"%s=%s\\n\", %s%s);\n", v->path,
                 v->type == TYPE_FLOAT ? "%a" : "%lld",
                 v->type == TYPE_FLOAT ? "(double)" : "(long long)",
                 original ? v->path : v->c_expr);
    }
    return n;
}

static void add_loop(struct str *text, const char *init, const char *step) {
    str_addf(text,
             "int printf(const char *, ...);\nint main(void) {\n  %s\n"
             "  for (gk_step_number = 0; gk_step_number < 3000; gk_step_number++) {\n%s\n",
             init, step);
}

static void write_woven_program(void) {
    static const char *const types[][2] = {{"f32", "float"},
                                           {"f64", "double"},
                                           {"b", "_Bool"},
                                           {"i8", "signed char"},
                                           {"u8", "unsigned char"},
                                           {"i16", "short"},
                                           {"u16", "unsigned short"},
                                           {"i32", "int"},
                                           {"u32", "unsigned"},
                                           {"i64", "long long"},
                                           {"u64", "unsigned long long"}};
    struct str text = {0};
    str_addn(&text, str_text(&woven.text), woven.text.len);
    add_values(&text);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        str_addf(&text, "%s gk_input_%s(unsigned id) { return (%s)gk_value(id); }\n", types[i][1],
                 types[i][0], types[i][1]);
    str_add(&text, "unsigned gk_hits;\nvoid gk_hit(unsigned probe) { gk_hits += probe + 1; }\n"
                   "void abort(void);\n"
                   "void gk_assume(int condition) { if (!condition) abort(); }\n");
    add_loop(&text, "gk_init();", "    gk_step();");
    TEST_ASSERT_GREATER_THAN_INT(2, add_prints(&text, false));
    str_add(&text, "  }\n  return gk_hits == 0; }\n");
    put("woven.c", str_text(&text));
    str_free(&text);
}

/* Inputs that another unit, or nobody, defines; types of 8 and 16 bits have one spelling only. */
static void declare_inputs(struct str *text) {
    for (size_t i = 0; i < woven.module.inputs.len; i++) {
        const struct module_var *v = &woven.module.inputs.data[i];
        if (v->bits <= 16 && !strpbrk(v->path, ".[:"))
            str_addf(text, "%s %s %s __attribute__((weak));\n",
                     v->type == TYPE_SIGNED ? "signed" : "unsigned",
                     v->bits == 8 ? "char" : "short", v->path);
    }
}

/* What the sample awkward leaves to others: the woven program asks for inputs instead. */
static void define_missing(struct str *text, struct str *init) {
    unsigned id = 0;
    while (id < woven.module.inputs.len && woven.module.inputs.data[id].role != VAR_STUB)
        id++;
    if (id + 4 != woven.module.inputs.len)
        return;
    str_addf(text,
             "sint32 Ecu_ReadAdc(uint8 channel, sint16 *pValue) {\n"
             "  (void)channel; *pValue = (sint16)gk_value(%u); return (sint32)gk_value(%u); }\n"
             "static sint32 callback(sint32 x) { (void)x; return (sint32)gk_value(%u); }\n"
             "sint32 (*Ecu_Callback)(sint32);\n",
             id, id + 1, id + 3);
    str_addf(init, "    Ecu_Callback = gk_value(%u) ? callback : 0;\n", id + 2);
}

/* Inputs and parameters are set by name. */
static void write_original_program(const char *sample) {
    struct str text = {0}, init = {0}, step = {0};
    for (unsigned id = 0; id < woven.module.inputs.len; id++) {
        const struct module_var *v = &woven.module.inputs.data[id];
        if (v->role != VAR_STUB && !strchr(v->path, ' '))
            str_addf(v->role == VAR_PARAMETER ? &init : &step, "    %s = gk_value(%u);\n", v->path,
                     id);
    }
    for (size_t i = 0; i < woven.module.init.len; i++)
        str_addf(&init, "    %s();\n", woven.module.init.data[i]);
    str_addf(&step, "    %s();", woven.module.step);
    for (size_t i = 0; i < project.sources.len; i++) {
        struct str source = {0};
        bool last = i + 1 == project.sources.len;
        str_addf(&source, "#include \"%s/%s\"\n", sample, project.sources.data[i]);
        if (last) {
            if (project.sources.len > 1)
                declare_inputs(&source);
            add_values(&source);
            define_missing(&source, &init);
            add_loop(&source, str_text(&init), str_text(&step));
            add_prints(&source, true);
            str_add(&source, "  }\n  return 0; }\n");
        }
        put(arena_printf(&arena, "original%zu.c", i), str_text(&source));
        str_free(&source);
    }
    str_free(&text);
    str_free(&init);
    str_free(&step);
}

static void compile(const char *output, const struct texts *sources, const char *sample) {
    struct texts argv = {0};
    static const char *const fixed[] = {"clang-19",
                                        "-m32",
                                        "-w",
                                        "-O1",
                                        "-fwrapv",
                                        "-msse2",
                                        "-mfpmath=sse",
                                        "-ffp-contract=off",
                                        "-ftrivial-auto-var-init=zero",
                                        "-Dconst=",
                                        "-o"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        vec_push(&argv, fixed[i]);
    vec_push(&argv, output);
    for (size_t i = 0; i < sources->len; i++)
        vec_push(&argv, sources->data[i]);
    for (size_t i = 0; i < project.include_dirs.len; i++)
        vec_push(&argv, arena_printf(&arena, "-I%s/%s", sample, project.include_dirs.data[i]));
    vec_push(&argv, arena_printf(&arena, "-I%s/include", sample));
    vec_push(&argv, "-lm");
    vec_push(&argv, NULL);
    run(argv.data, NULL);
    vec_free(&argv);
}

static void build_and_compare(const char *sample) {
    struct texts woven_sources = {0}, original_sources = {0};
    struct str of_woven = {0}, of_original = {0};
    vec_push(&woven_sources, "woven.c");
    for (size_t i = 0; i < project.sources.len; i++)
        vec_push(&original_sources, arena_printf(&arena, "original%zu.c", i));
    compile("woven", &woven_sources, sample);
    compile("original", &original_sources, sample);
    run((const char *const[]){"./woven", NULL}, &of_woven);
    run((const char *const[]){"./original", NULL}, &of_original);
    TEST_ASSERT_GREATER_THAN(10000, of_woven.len);
    TEST_ASSERT_EQUAL_STRING(str_text(&of_original), str_text(&of_woven));
    vec_free(&woven_sources);
    vec_free(&original_sources);
    str_free(&of_woven);
    str_free(&of_original);
}

/* The unit with the step function comes last: it sees the inputs and outputs of the others. */
static void step_unit_last(void) {
    for (size_t i = 0; i + 1 < project.sources.len; i++)
        if (strstr(project.sources.data[i], project.name)) {
            const char *step_unit = project.sources.data[i];
            project.sources.data[i] = project.sources.data[project.sources.len - 1];
            project.sources.data[project.sources.len - 1] = step_unit;
        }
}

static void check_sample(const char *name, bool all_criteria) {
    const char *sample = arena_printf(&arena, "%s/samples/%s", GK_SOURCE_DIR, name);
    const char *file = arena_printf(&arena, "%s/goalkeeper.json", sample);
    TEST_ASSERT_TRUE_MESSAGE(project_read(file, &project, &err), str_text(&err.message));
    for (int kind = 0; kind < GOAL_KINDS; kind++)
        project.criteria[kind] |= all_criteria;
    TEST_ASSERT_TRUE_MESSAGE(weave(&project, &woven, &err), str_text(&err.message));
    step_unit_last();
    extend_ranges();
    write_woven_program();
    write_original_program(sample);
    build_and_compare(sample);
    woven_free(&woven);
    project_free(&project);
}

static const char *const samples[] = {
    "awkward",       "battery_soc", "cabin_light", "can_guard", "cruise_control", "door_debounce",
    "injection_map", "lane_assist", "multi_unit",  "pid_fixed", "service_meter"};

static void test_samples_behave_as_before(void) {
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        check_sample(samples[i], false);
}

static void test_samples_behave_as_before_with_all_criteria(void) {
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        check_sample(samples[i], true);
}

/* Compilers, targets and CBMC's front end take the woven file as it is. */

static void accept(const char *const *command) {
    struct texts argv = {0};
    for (; *command; command++)
        vec_push(&argv, *command);
    vec_push(&argv, "woven.c");
    vec_push(&argv, NULL);
    run(argv.data, NULL);
    vec_free(&argv);
}

#define ACCEPT(...) accept((const char *const[]){__VA_ARGS__, NULL})

static void check_compilers(void) {
    static const char *const compilers[] = {"gcc", "clang-19"}, *const widths[] = {"-m32", "-m64"};
    for (int c = 0; c < 2; c++)
        for (int w = 0; w < 2; w++) {
            ACCEPT(compilers[c], widths[w], "-Wall", "-Wextra", "-Werror", "-fsyntax-only");
            ACCEPT(compilers[c], widths[w], "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                   "-DGK_NATIVE");
        }
    const char *cbmc = tool_cbmc(&arena);
    if (cbmc)
        ACCEPT(cbmc, "--i386-linux", "--show-symbol-table");
}

static void test_woven_files_compile_without_warnings(void) {
    for (int all = 0; all < 2; all++)
        for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
            const char *file =
                arena_printf(&arena, "%s/samples/%s/goalkeeper.json", GK_SOURCE_DIR, samples[i]);
            TEST_ASSERT_TRUE(project_read(file, &project, &err));
            for (int kind = 0; kind < GOAL_KINDS; kind++)
                project.criteria[kind] |= all;
            TEST_ASSERT_TRUE_MESSAGE(weave(&project, &woven, &err), str_text(&err.message));
            put("woven.c", str_text(&woven.text));
            check_compilers();
            woven_free(&woven);
            project_free(&project);
        }
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_woven_files_compile_without_warnings);
    RUN_TEST(test_samples_behave_as_before);
    RUN_TEST(test_samples_behave_as_before_with_all_criteria);
    return UNITY_END();
}
