/* The woven program, driven by its harness, does what the original does: the same inputs give the
 * same outputs and state, step by step. */
#include "instrument/weave/harness.h"
#include "production.h"
#include "woven_case.h"

#include <inttypes.h>
#include <stdio.h>

static struct woven_case c;

void setUp(void) {
    case_open(&c);
}
void tearDown(void) {
    case_close(&c);
}

enum { STEPS = 600 };

/* Inputs are held for a while, so that counters count. */
static const char inputs_code[] =
    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "static unsigned long long seed = 1, held[20000]; static unsigned char set[20000];\n"
    "static unsigned long long draw(void) { seed ^= seed << 13; seed ^= seed >> 7;\n"
    "  return seed ^= seed << 17; }\n"
    "static unsigned long long value(unsigned id) {\n"
    "  const struct row *r = &rows[id]; unsigned long long v = draw();\n"
    "  if (set[id] && v % 8) return held[id];\n"
    "  set[id] = 1; v = draw();\n"
    "  if (r->type == 'f') { double a = r->fmin + (r->fmax - r->fmin) * (double)(v >> 11) * "
    "0x1p-53;\n"
    "    float f = (float)a; unsigned u; if (r->bits == 32) { memcpy(&u, &f, 4); return held[id] = "
    "u; }\n"
    "    memcpy(&v, &a, 8); return held[id] = v; }\n"
    "  if (r->max - r->min == ~0ULL) return held[id] = v;\n"
    "  return held[id] = r->min + v % (r->max - r->min + 1); }\n"
    "void gk_hit(unsigned probe) { (void)probe; }\n"
    "void gk_assume(int ok) { if (!ok) { puts(\"assumption\"); exit(3); } }\n"
    "float gk_input_f32(unsigned id) { unsigned u = (unsigned)value(id); float f;\n"
    "  memcpy(&f, &u, 4); return f; }\n"
    "double gk_input_f64(unsigned id) { unsigned long long u = value(id); double f;\n"
    "  memcpy(&f, &u, 8); return f; }\n"
    "_Bool gk_input_b(unsigned id) { return value(id) & 1; }\n"
    "signed char gk_input_i8(unsigned id) { return (signed char)value(id); }\n"
    "unsigned char gk_input_u8(unsigned id) { return (unsigned char)value(id); }\n"
    "short gk_input_i16(unsigned id) { return (short)value(id); }\n"
    "unsigned short gk_input_u16(unsigned id) { return (unsigned short)value(id); }\n"
    "int gk_input_i32(unsigned id) { return (int)value(id); }\n"
    "unsigned gk_input_u32(unsigned id) { return (unsigned)value(id); }\n"
    "long long gk_input_i64(unsigned id) { return (long long)value(id); }\n"
    "unsigned long long gk_input_u64(unsigned id) { return value(id); }\n"
    "void gk_init(void); void gk_step(void); void show(void);\n"
    "int main(void) { gk_init(); for (int i = 0; i < 600; i++) { gk_step();\n"
    "  printf(\"%d\", i); show(); puts(\"\"); } return 0; }\n";

static double limit(const struct module_var *v, uint64_t bits) {
    if (v->bits == 32) {
        uint32_t low = (uint32_t)bits;
        float f;
        memcpy(&f, &low, sizeof f);
        return v->has_range ? (double)f : 0;
    }
    double d;
    memcpy(&d, &bits, sizeof d);
    return v->has_range ? d : 0;
}

/* Signed values as 64 bits: what the modulus of a draw needs. */
static unsigned long long wide(const struct module_var *v, uint64_t bits) {
    if (v->type == TYPE_SIGNED && v->bits < 64 && (bits >> (v->bits - 1) & 1))
        bits |= ~UINT64_C(0) << v->bits;
    return bits;
}

static void write_inputs(struct str *s) {
    str_add(s,
            "struct row { char type; int bits; unsigned long long min, max; double fmin, fmax; };\n"
            "static const struct row rows[] = {\n");
    for (size_t i = 0; i < c.woven.module.inputs.len; i++) {
        const struct module_var *v = &c.woven.module.inputs.data[i];
        if (v->type == TYPE_FLOAT)
            str_addf(s, "{'f', %d, 0, 0, %a, %a},\n", v->bits, limit(v, v->min), limit(v, v->max));
        else
            str_addf(s, "{'%c', %d, %lluULL, %lluULL, 0, 0},\n", v->type, v->bits, wide(v, v->min),
                     wide(v, v->max));
    }
    str_addf(s, "{0, 0, 0, 0, 0, 0}};\n%s", inputs_code);
}

/* State that both programs call the same; of several units only the outputs. */
static bool is_comparable(const struct module_var *v) {
    bool same = str_same(v->path, v->c_expr) || str_starts(v->c_expr, "gk_arg");
    return v->type != TYPE_POINTER && same && (c.project.sources.len == 1 || v->role == VAR_OUTPUT);
}

static size_t write_show(struct str *s) {
    size_t n = 0;
    str_add(s, "int printf(const char *, ...);\nvoid show(void);\nvoid show(void) {\n");
    for (size_t i = 0; i < c.woven.module.state.len; i++) {
        const struct module_var *v = &c.woven.module.state.data[i];
        if (!is_comparable(v))
            continue;
        if (v->type == TYPE_FLOAT)
            str_addf(s, "  printf(\" %%a\", (double)%s);\n", v->c_expr);
        else
            str_addf(s, "  printf(\" %%lld\", (long long)%s);\n", v->c_expr);
        n++;
    }
    str_add(s, "}\n");
    return n;
}

static void write_case_file(const char *name, const struct str *text) {
    struct err err = {0};
    const char *path = arena_printf(&c.arena, "%s/%s", str_text(&c.dir), name);
    TEST_ASSERT_TRUE(file_write(path, text->data, text->len, &err));
}

static const char *harness_part(void) {
    const char *begin = strstr(str_text(&c.woven.text), HARNESS_MARK);
    TEST_ASSERT_NOT_NULL(begin);
    const char *end = strstr(begin, "#ifdef GK_NATIVE");
    TEST_ASSERT_NOT_NULL(end);
    return arena_strndup(&c.arena, begin, (size_t)(end - begin));
}

/* `step_unit` and what it does not define, then the harness; the other units are linked. */
static void write_original(const char *step_unit, const char *definitions) {
    struct str text = {0};
    str_addf(&text, "#include \"%s\"\n%s\n", step_unit, definitions);
    static const char *const types[][2] = {{"float", "f32"},
                                           {"double", "f64"},
                                           {"_Bool", "b"},
                                           {"signed char", "i8"},
                                           {"unsigned char", "u8"},
                                           {"short", "i16"},
                                           {"unsigned short", "u16"},
                                           {"int", "i32"},
                                           {"unsigned", "u32"},
                                           {"long long", "i64"},
                                           {"unsigned long long", "u64"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        str_addf(&text, "%s gk_input_%s(unsigned id);\n", types[i][0], types[i][1]);
    str_addf(&text, "void gk_assume(int);\n%s", harness_part());
    TEST_ASSERT_GREATER_THAN(0, write_show(&text));
    write_case_file("original.c", &text);
    str_free(&text);
}

static void build(const char *program, const char *source, const char *const *more) {
    const char *argv[48] = {tool_cc(&c.arena),
                            c.project.ilp32 ? "-m32" : "-m64",
                            "-std=gnu11",
                            "-w",
                            "-O1",
                            "-fwrapv",
                            "-msse2",
                            "-mfpmath=sse",
                            "-ffp-contract=off",
                            "-o",
                            program,
                            source,
                            "inputs.c"};
    size_t n = 13;
    for (size_t i = 0; i < c.project.include_dirs.len; i++)
        argv[n++] = arena_printf(&c.arena, "-I%s", c.project.include_dirs.data[i]);
    for (size_t i = 0; i < c.project.defines.len; i++)
        argv[n++] = arena_printf(&c.arena, "-D%s", c.project.defines.data[i]);
    for (size_t i = 0; more[i]; i++)
        argv[n++] = more[i];
    argv[n++] = "-lm";
    TEST_ASSERT_LESS_THAN(48, n);
    case_runs_well(&c, argv);
}

static struct child_result run_program(const char *program) {
    const char *argv[] = {arena_printf(&c.arena, "%s/%s", str_text(&c.dir), program), NULL};
    struct child_result result = case_run(&c, argv);
    TEST_ASSERT_EQUAL_INT(CHILD_EXITED, result.end);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, result.code, str_text(&result.out));
    return result;
}

static void compare(void) {
    struct child_result a = run_program("./original"), b = run_program("./woven");
    const char *p = str_text(&a.out), *q = str_text(&b.out);
    TEST_ASSERT_GREATER_THAN(STEPS * 4, a.out.len);
    while (*p && *q) { /* line by line: a message that says which step */
        size_t n = strcspn(p, "\n"), m = strcspn(q, "\n");
        TEST_ASSERT_EQUAL_STRING(arena_strndup(&c.arena, p, n), arena_strndup(&c.arena, q, m));
        p += n + 1;
        q += m + 1;
    }
    TEST_ASSERT_EQUAL_size_t(a.out.len, b.out.len);
    child_result_free(&a);
    child_result_free(&b);
}

/* Original and woven program side by side. */
static void behaves(const char *step_unit, const char *const *other_units,
                    const char *definitions) {
    static const char *const none[] = {NULL};
    case_weave(&c);
    case_compiles(&c);
    struct str text = {0};
    write_inputs(&text);
    write_case_file("inputs.c", &text);
    str_clear(&text);
    str_add(&text, "#include \"woven.c\"\n");
    write_show(&text);
    write_case_file("shown.c", &text);
    str_free(&text);
    write_original(step_unit, definitions);
    build("original", "original.c", other_units);
    build("woven", "shown.c", none);
    compare();
}

static void sample(const char *name, const char *step, const char *init) {
    c.project.dir = arena_printf(&c.arena, "%s/samples/%s", GK_SOURCE_DIR, name);
    c.project.step = step;
    if (init)
        vec_push(&c.project.init, init);
}

static const char *add_unit(const char *file) {
    vec_push(&c.project.sources, file);
    return arena_printf(&c.arena, "%s/%s", c.project.dir, file);
}

static void test_samples_of_one_file(void) {
    static const char *const rows[][2] = {{"pid_fixed", NULL},
                                          {"cruise_control", "RESTART_cruise_control"},
                                          {"can_guard", "RESTART_can_guard"},
                                          {"battery_soc", "RESTART_battery_soc"},
                                          {"door_debounce", "RESTART_door_debounce"}};
    static const char *const none[] = {NULL};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        case_close(&c);
        case_open(&c);
        sample(rows[i][0], rows[i][0], rows[i][1]);
        behaves(add_unit(arena_printf(&c.arena, "%s.c", rows[i][0])), none, "");
    }
}

static void test_lane_assist(void) {
    sample("lane_assist", "lane_assist", "RESTART_lane_assist");
    vec_push(&c.project.include_dirs, arena_printf(&c.arena, "%s/include", c.project.dir));
    const char *step = add_unit("src/lane_assist.c");
    const char *others[] = {add_unit("src/lane_assist_cal.c"), NULL};
    behaves(step, others, "");
}

static void test_multi_unit(void) {
    sample("multi_unit", "Thermo_Step", "Thermo_Init");
    vec_push(&c.project.include_dirs, arena_printf(&c.arena, "%s/include", c.project.dir));
    vec_push(&c.project.defines, "WITH_TACHO");
    const char *sensor = add_unit("src/sensor.c"), *actuator = add_unit("src/actuator.c");
    const char *others[] = {sensor, actuator, NULL};
    behaves(add_unit("src/thermo.c"), others, "extern uint8 Act_Tacho;");
}

static void test_production_file(void) {
    static const char *const none[] = {NULL};
    struct str text = {0};
    production_text(&text);
    case_source(&c, "Sa1_ctrl.i", str_text(&text));
    str_free(&text);
    c.project.step = "Sa1_ctrl";
    vec_push(&c.project.init, "RESTART_Sa1");
    for (int i = 0; i < 6; i++) {
        case_parameter(&c, arena_printf(&c.arena, "Tab_x[%d]", i), true, "-2", "2");
        case_parameter(&c, arena_printf(&c.arena, "Tab_z[%d]", i), true, "-100", "100");
    }
    /* what is const for the unit is set by the harness of the original under another name */
    behaves("Sa1_ctrl.i", none,
            "float32 gk_cal __asm__(\"Cal_7\"), gk_x[6] __asm__(\"Tab_x\"),\n"
            "  gk_z[6] __asm__(\"Tab_z\"); T12 Bus_12;\n"
            "#define Cal_7 gk_cal\n#define Tab_x gk_x\n#define Tab_z gk_z\n");
}

static void test_production_file_is_understood(void) {
    struct str text = {0};
    production_text(&text);
    case_source(&c, "Sa1_ctrl.i", str_text(&text));
    str_free(&text);
    c.project.step = "Sa1_ctrl";
    case_weave(&c);
    /* get_12 reads all five members of Bus_12 */
    TEST_ASSERT_EQUAL_size_t(5 + 5 + 13 + 1, c.woven.module.inputs.len);
    TEST_ASSERT_EQUAL_INT(VAR_PARAMETER, case_input(&c, "Cal_7")->role);
    TEST_ASSERT_EQUAL_INT(VAR_INPUT, case_input(&c, "pBus->b")->role);
    TEST_ASSERT_EQUAL_INT(8, case_input(&c, "Sa1_Small")->bits);
    TEST_ASSERT_EQUAL_CHAR('i', case_input(&c, "Sa1_Small")->type);
    TEST_ASSERT_EQUAL_INT(VAR_STUB, case_input(&c, "get_12()")->role);
    TEST_ASSERT_EQUAL_STRING("C:/"
                             "work/ecu/src/Sa1_ctrl.c",
                             case_input(&c, "Sa1_In")->file);
    TEST_ASSERT_EQUAL_INT(123, case_input(&c, "Sa1_In")->line);
    TEST_ASSERT_EQUAL_STRING("D:/cal/cal.h", case_input(&c, "Cal_7")->file);
    TEST_ASSERT_NOT_NULL(case_state(&c, "Sa1_ctrl::X_State"));
    TEST_ASSERT_EQUAL_INT(3, case_state(&c, "ISV[1].sf.is_c1")->bits);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_production_file_is_understood);
    RUN_TEST(test_samples_of_one_file);
    RUN_TEST(test_lane_assist);
    RUN_TEST(test_multi_unit);
    RUN_TEST(test_production_file);
    return UNITY_END();
}
