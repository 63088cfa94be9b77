/* What is an input, a parameter, state or output; ranges; and what is said when it cannot be. */
#include "model/term/ordinal.h"
#include "woven_case.h"

static struct woven_case c;

void setUp(void) {
    case_open(&c);
}
void tearDown(void) {
    case_close(&c);
}

static void expect_input(const char *path, enum var_role role, char type, int bits) {
    const struct module_var *var = case_input(&c, path);
    TEST_ASSERT_NOT_NULL_MESSAGE(var, path);
    TEST_ASSERT_EQUAL_INT_MESSAGE(role, var->role, path);
    TEST_ASSERT_EQUAL_CHAR_MESSAGE(type, var->type, path);
    TEST_ASSERT_EQUAL_INT_MESSAGE(bits, var->bits, path);
}

static void expect_state(const char *path, enum var_role role) {
    const struct module_var *var = case_state(&c, path);
    TEST_ASSERT_NOT_NULL_MESSAGE(var, path);
    TEST_ASSERT_EQUAL_INT_MESSAGE(role, var->role, path);
}

static void weave_text(const char *text) {
    case_source(&c, "a.c", text);
    case_weave_and_compile(&c);
}

static void test_globals(void) {
    weave_text(
        "typedef unsigned char uint8; typedef signed char sint8;\n"
        "sint8 in; extern float far; uint8 out; short kept; int set = 3; long only_read = 4;\n"
        "static int hidden; int unused;\n"
        "static void helper(void) { kept = (short)(kept + in); }\n"
        "void step(void) { static int n; helper(); out = far > 0.5F; n++;\n"
        "  if (set > only_read) hidden = n; set = hidden; }\n");
    TEST_ASSERT_EQUAL_size_t(3, c.woven.module.inputs.len);
    expect_input("only_read", VAR_INPUT, 'i', 32); /* its initialiser is a first value */
    expect_input("in", VAR_INPUT, 'i', 8);
    expect_input("far", VAR_INPUT, 'f', 32);
    expect_state("out", VAR_OUTPUT);
    expect_state("kept", VAR_OUTPUT);
    expect_state("set", VAR_OUTPUT);
    expect_state("hidden", VAR_STATE);
    expect_state("step::n", VAR_STATE);
    TEST_ASSERT_NULL(case_state(&c, "in"));
}

static void test_what_init_sets_is_still_an_input(void) {
    c.project.step = "m_step";
    vec_push(&c.project.init, "m_initialize");
    weave_text("struct in { int a, b; }; struct in rtU; struct { int x; } rtDW; int rtY;\n"
               "void *memset(void *, int, __SIZE_TYPE__);\n"
               "void m_initialize(void) { (void)memset(&rtU, 0, sizeof rtU); rtDW.x = 1; }\n"
               "void m_step(void) { rtDW.x += rtU.a; rtY = rtDW.x; }\n");
    expect_input("rtU.a", VAR_INPUT, 'i', 32);
    TEST_ASSERT_NULL(case_input(&c, "rtU.b"));
    expect_state("rtDW.x", VAR_OUTPUT);
    TEST_ASSERT_NULL(case_input(&c, "rtY"));
}

static void test_pointers_to_globals_are_followed(void) {
    weave_text("struct bus { int v; int w; }; struct bus in, out; float table[4]; int *p;\n"
               "static void copy(struct bus *to, const struct bus *from) { to->v = from->v; }\n"
               "static float sum(const float *t, int n) {\n"
               "  float s = 0; while (n-- > 0) s += *t++; return s; }\n"
               "int result;\n"
               "void step(void) { struct bus *o = &out; copy(o, &in); p = &in.w; result = *p;\n"
               "  out.w = (int)sum(table, 4); }\n");
    expect_input("in.v", VAR_INPUT, 'i', 32);
    expect_input("in.w", VAR_INPUT, 'i', 32);
    expect_input("table[3]", VAR_INPUT, 'f', 32);
    expect_state("out.v", VAR_OUTPUT);
    expect_state("out.w", VAR_OUTPUT);
    TEST_ASSERT_NULL(case_input(&c, "out.v"));
}

static void test_a_written_element_is_no_input(void) {
    weave_text("struct s { int a, b; }; struct s arr[2]; int out;\n"
               "void step(void) { arr[0].a = arr[1].b; out = arr[1].a; }\n");
    expect_input("arr[0].b", VAR_INPUT, 'i', 32);
    expect_input("arr[1].b", VAR_INPUT, 'i', 32);
    expect_state("arr[1].a", VAR_OUTPUT);
    TEST_ASSERT_NULL(case_input(&c, "arr[1].a"));
}

static void test_arguments(void) {
    vec_push(&c.project.init, "init");
    case_var(&c, "x", "-2", "3.5");
    weave_text(
        "typedef struct tag { int Counter; float gain; } ISV; typedef unsigned char bool_t;\n"
        "typedef struct { bool_t flag; short raw[2]; } In;\n"
        "void init(ISV *pISV) { pISV->Counter = 5; pISV->gain = 1.0F; }\n"
        "int step(ISV *pISV, const In *in, float x, int tab[3], short *out, In by_value) {\n"
        "  pISV->Counter += in->raw[1] + tab[2] + by_value.raw[0];\n"
        "  *out = (short)(x * pISV->gain); return in->flag; }\n");
    expect_input("in->flag", VAR_INPUT, 'u', 8);
    expect_input("in->raw[1]", VAR_INPUT, 'i', 16);
    expect_input("x", VAR_INPUT, 'f', 32);
    TEST_ASSERT_EQUAL_FLOAT(3.5F, bits_f32(case_input(&c, "x")->max));
    expect_input("tab[0]", VAR_INPUT, 'i', 32);
    expect_input("by_value.raw[1]", VAR_INPUT, 'i', 16);
    expect_state("pISV->Counter", VAR_OUTPUT);
    expect_state("*out", VAR_OUTPUT);
    TEST_ASSERT_NULL(case_input(&c, "in->raw"));
    /* one instance for both functions */
    TEST_ASSERT_NULL(strstr(str_text(&c.woven.text), "ISV gk_arg1_pISV;\nISV"));
}

/* What is saved and restored between runs: all that can change, and nothing else. */
static void test_regions_hold_no_constants(void) {
    weave_text("typedef float axis_t; struct point { int x, y; };\n"
               "static const axis_t Axis[4] = {0.F, 1.F, 2.F, 3.F};\n"
               "static const struct point Points[2][2] = {{{1, 2}, {3, 4}}};\n"
               "static float History[4]; int in; float out;\n"
               "void step(void) { History[in & 3] = Axis[in & 3];\n"
               "  out = History[0] + (float)Points[in & 1][1].y; }\n");
    const char *regions = strstr(str_text(&c.woven.text), "gk_regions[] = {");
    TEST_ASSERT_NOT_NULL(regions);
    const char *end = strstr(regions, "};");
    const char *axis = strstr(regions, "&Axis"), *points = strstr(regions, "&Points");
    TEST_ASSERT_TRUE(!axis || axis > end);
    TEST_ASSERT_TRUE(!points || points > end);
    const char *history = strstr(regions, "&History");
    TEST_ASSERT_TRUE(history && history < end);
}

static void test_parameters(void) {
    case_parameter(&c, "Kp", true, "0", "2");
    case_parameter(&c, "Ki", false, NULL, NULL);
    case_parameter(&c, "step::limit", true, "1", "9");
    case_parameter(&c, "step::limit#2", true, "0", "7");
    weave_text("typedef const float cal_t;\n"
               "const float Kp = 1.5F; const volatile float Ki = 0.5F;\n"
               "extern cal_t Kd; /* LSB: 1 OFF: 0 MIN/MAX: -1 .. 1 */\n"
               "extern const unsigned short Map[2][2]; static const int fixed = 4; float out;\n"
               "__attribute__((section(\".cal\"))) int plain;\n"
               "void step(void) { static const int limit = 3;\n"
               "  out = Kp + Ki + Kd + Map[1][0] + fixed + plain + limit;\n"
               "  { static const unsigned char limit = 1; out += limit; } }\n");
    expect_input("Kp", VAR_PARAMETER, 'f', 32);
    expect_input("Kd", VAR_PARAMETER, 'f', 32);
    TEST_ASSERT_EQUAL_FLOAT(-1.0F, bits_f32(case_input(&c, "Kd")->min));
    expect_input("Map[1][1]", VAR_PARAMETER, 'u', 16);
    expect_input("plain", VAR_PARAMETER, 'i', 32);
    expect_input("step::limit", VAR_PARAMETER, 'i', 32);
    expect_input("step::limit#2", VAR_PARAMETER, 'u', 8);
    TEST_ASSERT_NULL(case_input(&c, "Ki"));
    TEST_ASSERT_NULL(case_input(&c, "fixed"));
    TEST_ASSERT_NULL(strstr(str_text(&c.woven.text), "gk_volatile"));
}

static void test_volatile(void) {
    case_var(&c, "Adc", "0", "1023");
    weave_text("volatile unsigned short Adc; volatile struct { unsigned a : 3, b : 5; } Reg;\n"
               "volatile unsigned char Port[4]; int out; volatile int x;\n"
               "void step(void) { volatile int local = 3; unsigned i = (unsigned)local & 3U;\n"
               "  out = Adc; Reg.a = 2; out += Reg.b + Port[i]; x++; x |= out > 3 ? 1 : 2;\n"
               "  out += x-- + (int)sizeof x;\n"
               "  *(volatile unsigned *)0x40000000u = 7;\n"
               "  if (*(volatile unsigned *)0x40000004u & 1u) out = 0; }\n");
    expect_input("Adc", VAR_VOLATILE, 'u', 16);
    TEST_ASSERT_EQUAL_UINT64(1023, case_input(&c, "Adc")->max);
    expect_input("Reg.b", VAR_VOLATILE, 'u', 5);
    expect_input("Port[]", VAR_VOLATILE, 'u', 8);
    expect_input("x", VAR_VOLATILE, 'i', 32);
    expect_input("*(volatile unsigned *)0x40000004u", VAR_VOLATILE, 'u', 32);
    TEST_ASSERT_NULL(case_input(&c, "Reg.a"));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&c.woven.text), "(int)sizeof x"));
}

static void test_shapes_of_state(void) {
    weave_text(
        "typedef struct { unsigned a : 3; signed b : 5; _Bool c : 1; unsigned : 0; int n; } B;\n"
        "typedef struct { union { float f; unsigned char raw[4]; } u; struct { int x; };\n"
        "  B bits[2]; int *ptr; enum { LOW, HIGH } mode; } S;\n"
        "static S state; double d; static long double strange;\n"
        "void step(void) { state.u.raw[1]++; state.x++; state.bits[1].a++; state.ptr = &state.x;\n"
        "  state.mode = HIGH; d += state.bits[0].b; strange += 1; }\n");
    expect_state("state.u.f", VAR_STATE);
    expect_state("state.x", VAR_STATE);
    TEST_ASSERT_EQUAL_INT(3, case_state(&c, "state.bits[0].a")->bits);
    TEST_ASSERT_EQUAL_CHAR('i', case_state(&c, "state.bits[1].b")->type);
    TEST_ASSERT_EQUAL_CHAR('b', case_state(&c, "state.bits[1].c")->type);
    TEST_ASSERT_EQUAL_CHAR('p', case_state(&c, "state.ptr")->type);
    TEST_ASSERT_NULL(case_state(&c, "state.u.raw[0]"));
    TEST_ASSERT_TRUE(case_says(&c, "the union 'state.u'"));
    TEST_ASSERT_TRUE(case_says(&c, "long double"));
}

static void test_the_view_of_a_union_that_the_user_names(void) {
    case_var(&c, "bus.u.by[2]", "0", "9");
    weave_text("union word { unsigned w; unsigned char by[4]; unsigned short low; };\n"
               "struct { union word u, v; } bus; int out;\n"
               "void step(void) { if (bus.u.w > 5u) out = bus.u.by[2]; out += (int)bus.v.w; }\n");
    expect_input("bus.u.by[2]", VAR_INPUT, 'u', 8);
    TEST_ASSERT_NOT_NULL(case_input(&c, "bus.u.by[3]"));
    TEST_ASSERT_NULL(case_input(&c, "bus.u.w"));
    expect_input("bus.v.w", VAR_INPUT, 'u', 32);
}

static void test_a_member_that_does_not_cover_its_union_is_no_view(void) {
    case_var(&c, "bus.u.low", "0", "9");
    case_source(&c, "a.c",
                "struct { union { unsigned w; unsigned short low; } u; } bus; int out;\n"
                "void step(void) { if (bus.u.w > 5u) out = bus.u.low; }\n");
    case_fails(&c, "there is no variable 'bus.u.low'", "the union 'bus.u' is seen through");
}

static void test_ranges_of_comments(void) {
    weave_text("typedef short Int16;\n"
               "Int16 a; /* LSB: 2^-7 OFF: 0 MIN/MAX: -100 .. 100 */\n"
               "Int16 b /* LSB: 2^-2\n   OFF: 0\n   MIN/MAX: 0 .. 10 */, c /* MIN/MAX: 1 .. 2 */;\n"
               "/* LSB: 1 OFF: 0 MIN/MAX: -5 .. 5 */\nInt16 d;\n"
               "struct s { Int16 m; /* LSB: 1 OFF: 0 MIN/MAX: 7 .. 8 */ Int16 n; } e;\n"
               "Int16 out; /* LSB: 1 OFF: 0 MIN/MAX: 0 .. 1 */\nInt16 f;\n"
               "void step(Int16 g /* LSB: 2^-1 OFF: 10 MIN/MAX: 10 .. 20 */, Int16 h)\n"
               "{ out = a + b + c + d + e.m + e.n + f + g + h; }\n");
    static const struct {
        const char *path;
        int min, max;
    } rows[] = {{"a", -12800, 12800}, {"b", 0, 40},         {"c", 1, 2},
                {"d", -5, 5},         {"e.m", 7, 8},        {"e.n", -32768, 32767},
                {"g", 0, 20},         {"h", -32768, 32767}, {"f", -32768, 32767}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct module_var *var = case_input(&c, rows[i].path);
        TEST_ASSERT_NOT_NULL_MESSAGE(var, rows[i].path);
        TEST_ASSERT_EQUAL_INT_MESSAGE(rows[i].min, (int16_t)var->min, rows[i].path);
        TEST_ASSERT_EQUAL_INT_MESSAGE(rows[i].max, (int16_t)var->max, rows[i].path);
    }
    TEST_ASSERT_EQUAL_STRING("comment at a.c:2", case_input(&c, "a")->range_from);
    TEST_ASSERT_EQUAL_STRING("type", case_input(&c, "h")->range_from);
    TEST_ASSERT_TRUE(case_input(&c, "g")->lsb == 0.5 && case_input(&c, "g")->offset == 10);
}

static void test_project_beats_comment(void) {
    case_var(&c, "arr", "0", "9");
    case_var(&c, "arr[1]", "4", "5");
    weave_text("int arr[3]; /* MIN/MAX: 0 .. 100 */ int out;\n"
               "void step(void) { out = arr[0] + arr[1] + arr[2]; }\n");
    TEST_ASSERT_EQUAL_UINT64(9, case_input(&c, "arr[0]")->max);
    TEST_ASSERT_EQUAL_UINT64(5, case_input(&c, "arr[1]")->max);
    TEST_ASSERT_EQUAL_STRING("project file", case_input(&c, "arr[2]")->range_from);
}

#define SMALL "signed char in; int out; void step(void) { out = in; }\n"

static void test_range_outside_the_type(void) {
    case_source(&c, "a.c", SMALL);
    case_var(&c, "in", "0", "128");
    case_fails(&c, "the maximum of 'in' (128) lies outside its type: -128 .. 127", "127");
}

static void test_empty_range(void) {
    case_source(&c, "a.c", SMALL);
    case_var(&c, "in", "3", "2");
    case_fails(&c, "no value of 'in' lies between 3 and 2", "raw values");
}

static void test_unknown_input(void) {
    case_source(&c, "a.c", "int Sa1_Torque, out; void step(void) { out = Sa1_Torque; }\n");
    case_var(&c, "Sa1_Torqeu", NULL, NULL);
    case_fails(&c, "there is no variable 'Sa1_Torqeu'", "did you mean 'Sa1_Torque'?");
}

static void test_const_input(void) {
    case_source(&c, "a.c", "const int k = 3; int out; void step(void) { out = k; }\n");
    case_var(&c, "k", "0", "5");
    case_fails(&c, "'k' is const", "\"parameters\"");
}

static void test_missing_step(void) {
    c.project.step = "stepp";
    case_source(&c, "a.c",
                "static void inner(void) {} void step(void) { inner(); } void other(void) {}\n");
    case_fails(&c, "there is no function 'stepp'", "step, other");
}

static void test_missing_init(void) {
    vec_push(&c.project.init, "RESTART_x");
    case_source(&c, "a.c", "void RESTART_x(void); void step(void) { RESTART_x(); }\n");
    case_fails(&c, "the init function 'RESTART_x' is declared", "step");
}

static void test_step_as_init(void) {
    vec_push(&c.project.init, "step");
    case_source(&c, "a.c", "int out; void step(int x) { out = x; }\n");
    case_fails(&c, "named both as step function and as init function", "");
}

static void test_odd_but_legal_declarations(void) {
    weave_text("int t[]; int out; const int nothing(void);\n"
               "void step(void) { t[0] = nothing(); out = t[0]; }\n");
    expect_state("t[0]", VAR_OUTPUT);
    TEST_ASSERT_NULL(case_state(&c, "t[1]"));
}

static void test_array_without_length(void) {
    case_source(&c, "a.c", "extern const int t[]; int i, out; void step(void) { out = t[i]; }\n");
    case_fails(&c, "the length of the array 't' is unknown", "t[15]");
}

static void test_array_with_named_length(void) {
    case_parameter(&c, "t[3]", true, "0", "7");
    case_var(&c, "p[1]", NULL, NULL);
    weave_text("extern const int t[]; int i, out;\n"
               "void step(const int *p) { out = t[i & 3] + p[i & 1]; }\n");
    expect_input("t[2]", VAR_PARAMETER, 'i', 32);
    expect_input("p[0]", VAR_INPUT, 'i', 32);
    TEST_ASSERT_NULL(case_input(&c, "t[4]"));
}

static void test_indexed_argument_without_length(void) {
    case_source(&c, "a.c",
                "int i, out; static int get(const int *q) { return q[i]; }\n"
                "void step(const int *p) { out = get(p); }\n");
    case_fails(&c, "the length of the array 'p' is unknown", "p[15]");
}

static void test_stubs(void) {
    weave_text(
        "struct r { int a; float b; }; typedef int (*fn)(int);\n"
        "extern int read_adc(unsigned char ch, short *value); extern struct r both(void);\n"
        "extern double sin(double); extern void *memcpy(void *, const void *, __SIZE_TYPE__);\n"
        "extern struct r *where(void); extern void log_it(const char *text, ...);\n"
        "extern void abort(void); extern fn callback; int out; struct r copy;\n"
        "void step(void) { short v = 0; if (read_adc(3, &v) > 0) out = v;\n"
        "  copy = both(); out += (int)sin(1.0) + where()->a; log_it(\"%d\", out);\n"
        "  if (out == 77) abort();\n"
        "  if (callback) out += callback(3); }\n");
    expect_input("read_adc()", VAR_STUB, 'i', 32);
    expect_input("read_adc::*value", VAR_STUB, 'i', 16);
    expect_input("both().b", VAR_STUB, 'f', 32);
    expect_input("*where().a", VAR_STUB, 'i', 32);
    expect_input("callback is set", VAR_PARAMETER, 'b', 1);
    expect_input("callback()", VAR_STUB, 'i', 32);
    TEST_ASSERT_TRUE(case_says(&c, "'read_adc' has no body"));
    TEST_ASSERT_FALSE(case_says(&c, "'sin'"));
    TEST_ASSERT_FALSE(case_says(&c, "'memcpy'"));
}

static void test_constant_members_vary(void) {
    weave_text("typedef const short gain; struct cal { gain up; const struct { int a; } in[2]; };\n"
               "extern const struct cal data; int out;\n"
               "void step(void) { out = data.up + data.in[1].a; }\n");
    expect_input("data.up", VAR_PARAMETER, 'i', 16);
    expect_input("data.in[1].a", VAR_PARAMETER, 'i', 32);
}

static void test_stub_of_a_table_lookup(void) {
    weave_text(
        "typedef float real; extern real look(real u, const real bp[], const real table[3],\n"
        "  unsigned n); real in, out; const real x[3] = {0, 1, 2};\n"
        "void step(void) { out = look(in, x, x, 1U); }\n");
    TEST_ASSERT_NOT_NULL(case_input(&c, "look()"));
}

static void test_undeclared_function_gets_a_struct(void) {
    weave_text("typedef struct { int id; } msg; msg m; int out;\n"
               "void step(void) { out = receive(&m); }\n");
    TEST_ASSERT_NOT_NULL(case_input(&c, "receive()"));
}

static size_t count_inputs(const char *start) {
    size_t n = 0;
    for (size_t i = 0; i < c.woven.module.inputs.len; i++)
        n += str_starts(c.woven.module.inputs.data[i].path, start);
    return n;
}

/* A call shows how much may be written: a whole array, a struct behind a void pointer. */
static void test_stubs_write_whole_arrays(void) {
    weave_text(
        "typedef struct { int id; short v[2]; } msg; short big[8]; int out;\n"
        "extern void fill(short *to, int n); extern int receive(void *to, int n);\n"
        "extern void fixed(int to[3]);\n"
        "void step(void) { msg m; short small[3], one; int three[3]; fill(big, 8);\n"
        "  fill(small, 3); fill(&one, 1); fixed(three); if (receive(&m, sizeof m)) out = m.v[1];\n"
        "  out += big[7] + small[2] + one + three[2]; }\n");
    TEST_ASSERT_EQUAL_size_t(8 + 3 + 1, count_inputs("fill::"));
    TEST_ASSERT_EQUAL_size_t(3, count_inputs("fixed::to["));
    TEST_ASSERT_NOT_NULL(case_input(&c, "receive::*to.v[1]"));
    TEST_ASSERT_FALSE(case_says(&c, "untyped pointer"));
    TEST_ASSERT_NULL(case_input(&c, "big[7]")); /* written by the stub: no input of its own */
}

static void test_calls_without_declaration(void) {
    weave_text(
        "int out; void step(void) { double d = 2.0; out = unknown(out, d) + (int)fabs(d); }\n");
    TEST_ASSERT_NOT_NULL(case_input(&c, "unknown()"));
    TEST_ASSERT_TRUE(case_says(&c, "no body and no declaration"));
}

static void test_instances_behind_instances(void) {
    weave_text(
        "struct node { int v; struct node *next; }; struct cfg { const float *gain; };\n"
        "struct isv { struct node *list; const struct cfg *cfg; int n; }; int out;\n"
        "void step(struct isv *s) { out = s->list->next->v + (int)*s->cfg->gain; s->n++; }\n");
    expect_input("s->list->next->v", VAR_INPUT, 'i', 32);
    expect_input("*s->cfg->gain", VAR_INPUT, 'f', 32);
    expect_state("s->n", VAR_OUTPUT);
    TEST_ASSERT_TRUE(case_says(&c, "'s->list' is set outside the sources"));
}

static void test_assumptions(void) {
    vec_push(&c.project.assumptions, "lo <= hi && fabs(x) < 4.0");
    vec_push(&c.project.assumptions, "Kp * 2.0F >= bus.v[1]");
    case_parameter(&c, "Kp", true, "0", "8");
    vec_push(&c.project.assumptions, "Kp != 3.0F");
    weave_text("int lo, hi, out; double x; const float Kp = 1; struct { short v[2]; } bus;\n"
               "void step(void) { out = lo + hi + (int)x + (int)Kp + bus.v[1]; }\n");
    const char *text = str_text(&c.woven.text);
    const char *init = strstr(text, "void gk_init(void) {"),
               *step = strstr(text, "gk_step(void) {");
    TEST_ASSERT_TRUE(init && step);
    const char *about_kp = strstr(text, "Kp != 3.0F");
    TEST_ASSERT_TRUE(about_kp > init && about_kp < step);
    TEST_ASSERT_TRUE(strstr(text, "lo <= hi && __builtin_fabs(x) < 4.0") > step);
    TEST_ASSERT_TRUE(strstr(text, "Kp * 2.0F >= bus.v[1]") > step);
}

static void test_bad_assumptions(void) {
    static const struct {
        const char *text, *message;
    } rows[] = {{"in = 3", "is not a plain condition"},
                {"in++ > 0", "is not a plain condition"},
                {"inn > 0", "undeclared"},
                {"in > ", "expected expression"},
                {"in.x > 0", "no scalar variable"},
                {"ptr > 0", "pointer"},
                {"call(in)", "not declared"},
                {"arr > 0", "no scalar variable"}};
    case_source(&c, "a.c",
                "int in, out, *ptr, arr[2];\n"
                "void step(void) { out = in; ptr = &out; arr[0] = in; }\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        c.project.assumptions.len = 0;
        vec_push(&c.project.assumptions, rows[i].text);
        TEST_ASSERT_FALSE_MESSAGE(weave(&c.project, &c.woven, &c.err), rows[i].text);
        TEST_ASSERT_EQUAL_INT(ERR_USAGE, c.err.code);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&c.err.message), rows[i].message),
                                     str_text(&c.err.message));
        err_clear(&c.err);
    }
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_globals);
    RUN_TEST(test_what_init_sets_is_still_an_input);
    RUN_TEST(test_pointers_to_globals_are_followed);
    RUN_TEST(test_a_written_element_is_no_input);
    RUN_TEST(test_arguments);
    RUN_TEST(test_parameters);
    RUN_TEST(test_regions_hold_no_constants);
    RUN_TEST(test_volatile);
    RUN_TEST(test_shapes_of_state);
    RUN_TEST(test_the_view_of_a_union_that_the_user_names);
    RUN_TEST(test_a_member_that_does_not_cover_its_union_is_no_view);
    RUN_TEST(test_ranges_of_comments);
    RUN_TEST(test_project_beats_comment);
    RUN_TEST(test_range_outside_the_type);
    RUN_TEST(test_empty_range);
    RUN_TEST(test_unknown_input);
    RUN_TEST(test_const_input);
    RUN_TEST(test_missing_step);
    RUN_TEST(test_missing_init);
    RUN_TEST(test_step_as_init);
    RUN_TEST(test_odd_but_legal_declarations);
    RUN_TEST(test_array_without_length);
    RUN_TEST(test_array_with_named_length);
    RUN_TEST(test_indexed_argument_without_length);
    RUN_TEST(test_stubs);
    RUN_TEST(test_constant_members_vary);
    RUN_TEST(test_stub_of_a_table_lookup);
    RUN_TEST(test_undeclared_function_gets_a_struct);
    RUN_TEST(test_stubs_write_whole_arrays);
    RUN_TEST(test_calls_without_declaration);
    RUN_TEST(test_instances_behind_instances);
    RUN_TEST(test_assumptions);
    RUN_TEST(test_bad_assumptions);
    return UNITY_END();
}
