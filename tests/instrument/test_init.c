/* Guessing a project from sources: TargetLink, Embedded Coder, hand-written. */
#include "instrument/inputs/guess.h"
#include "woven_case.h"

static struct woven_case c;
static struct guess guess;

void setUp(void) {
    case_open(&c);
    c.project.step = NULL;
}
void tearDown(void) {
    guess_free(&guess);
    case_close(&c);
}

static void look(void) {
    bool good = guess_project(&c.project, &guess, &c.err);
    TEST_ASSERT_TRUE_MESSAGE(good, str_text(&c.err.message));
}

static void expect_functions(const char *step, const char *init) {
    TEST_ASSERT_EQUAL_STRING(step, guess.step.name);
    TEST_ASSERT_EQUAL_size_t(init ? 1 : 0, guess.init.len);
    if (init)
        TEST_ASSERT_EQUAL_STRING(init, guess.init.data[0].name);
}

static const struct guess_var *find(const char *name) {
    for (size_t i = 0; i < guess.vars.len; i++)
        if (str_same(guess.vars.data[i].name, name))
            return &guess.vars.data[i];
    TEST_FAIL_MESSAGE(name);
    return NULL;
}

static void expect_var(const char *name, const char *min, const char *max, const char *why) {
    const struct guess_var *var = find(name);
    TEST_ASSERT_TRUE_MESSAGE(str_same(min, var->min), name);
    TEST_ASSERT_TRUE_MESSAGE(str_same(max, var->max), name);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(var->why, why), var->why);
}

static bool notes(const char *text) {
    for (size_t i = 0; i < guess.notes.len; i++)
        if (strstr(guess.notes.data[i], text))
            return true;
    return false;
}

static void test_targetlink(void) {
    case_source(&c, "fuelsys.c",
                "/***\n * FILE:\n *   fuelsys.c\n * PROJECT:\n *   fuel\n ***/\n"
                "typedef unsigned char Bool; typedef short Int16; typedef float Float32;\n"
                "extern Int16 Sa1_Throttle; /* LSB: 2^-7 OFF: 0 MIN/MAX: -10 .. 10 */\n"
                "Bool Sa1_On; Float32 Sa1_Free; Int16 Sa1_Out; Int16 Sa1_Raw[3];\n"
                "const Int16 Sa1_Gain = 5; extern const Float32 Sa1_Lim; /* MIN/MAX: 0 .. 5 */\n"
                "static Int16 X_state;\n"
                "static Int16 limit(Int16 x) { return x > 5 ? 5 : x; }\n"
                "void RESTART_fuel(void) { X_state = 0; }\n"
                "void fuel(void) { X_state += limit(Sa1_Throttle); if (Sa1_On) Sa1_Out = X_state;\n"
                "  if (Sa1_Free > Sa1_Lim) Sa1_Out = Sa1_Gain + Sa1_Raw[2]; }\n");
    look();
    expect_functions("fuel", "RESTART_fuel");
    TEST_ASSERT_NOT_NULL(strstr(guess.step.why, "RESTART_fuel"));
    TEST_ASSERT_NOT_NULL(strstr(guess.step.why, "header"));
    expect_var("Sa1_Throttle", "-1280", "1280", "comment at fuelsys.c:8");
    expect_var("Sa1_On", "0", "1", "boolean");
    expect_var("Sa1_Free", NULL, NULL, "infinities and NaN");
    expect_var("Sa1_Raw", "-32768", "32767", "type");
    expect_var("Sa1_Gain", NULL, NULL, "keeps its initialiser");
    TEST_ASSERT_FALSE(find("Sa1_Gain")->range_mode);
    expect_var("Sa1_Lim", "0", "5", "without a value");
    TEST_ASSERT_TRUE(find("Sa1_Lim")->range_mode);
}

static void test_embedded_coder(void) {
    case_source(
        &c, "ctrl.c",
        "typedef double real_T; typedef unsigned char boolean_T;\n"
        "typedef struct { real_T UnitDelay_DSTATE; } DW_ctrl_T;\n"
        "typedef struct { real_T In1; boolean_T In2; } ExtU_ctrl_T;\n"
        "typedef struct { real_T Out1; } ExtY_ctrl_T;\n"
        "typedef struct { real_T Gain_Gain; } P_ctrl_T;\n"
        "P_ctrl_T rtP = { 2.5 }; DW_ctrl_T rtDW; ExtU_ctrl_T rtU; ExtY_ctrl_T rtY;\n"
        "void ctrl_step(void) { rtY.Out1 = rtP.Gain_Gain * rtU.In1 + rtDW.UnitDelay_DSTATE;\n"
        "  if (rtU.In2) rtDW.UnitDelay_DSTATE = rtU.In1; }\n"
        "void ctrl_initialize(void) { rtDW.UnitDelay_DSTATE = 0.0; rtU.In1 = 0.0; }\n"
        "void ctrl_terminate(void) {}\n");
    look();
    expect_functions("ctrl_step", "ctrl_initialize");
    expect_var("rtU.In1", NULL, NULL, "read by the step");
    expect_var("rtU.In2", "0", "1", "boolean");
    expect_var("rtP", NULL, NULL, "its type says that it is calibration data");
    TEST_ASSERT_FALSE(find("rtP")->range_mode);
    TEST_ASSERT_EQUAL_size_t(3, guess.vars.len);
}

/* What ends a module is not called when it begins: all would be dead behind it. */
static void test_autosar(void) {
    case_source(&c, "ctl.c",
                "int in, out; static unsigned char on;\n"
                "void Ctl_Init(void) { on = 1; } void Ctl_DeInit(void) { on = 0; }\n"
                "unsigned char Ctl_IsInit(void) { return on; }\n"
                "void Ctl_MainFunction(void) { if (on) out = in; }\n");
    look();
    expect_functions("Ctl_MainFunction", "Ctl_Init");
    TEST_ASSERT_EQUAL_size_t(1, guess.init.len);
}

static void test_call_structure(void) {
    case_source(&c, "x.c",
                "int in, out; static void inner(void) { out = in; }\n"
                "void helper(void) { inner(); } void Work(void) { helper(); helper(); }\n"
                "void Work_Init(void) { out = 0; }\n");
    look();
    expect_functions("Work", "Work_Init");
}

static void test_rivals_are_named(void) {
    case_source(&c, "x.c",
                "int a, b; void Task_10ms(void) { a++; } void Task_100ms(void) { b++; }\n");
    look();
    TEST_ASSERT_TRUE(notes(str_same(guess.step.name, "Task_10ms") ? "nobody calls Task_100ms"
                                                                  : "nobody calls Task_10ms"));
    guess_free(&guess);
    c.project.step = "Task_100ms";
    look();
    expect_functions("Task_100ms", NULL);
}

static void test_pointer_arguments(void) {
    case_source(&c, "x.c",
                "struct in { signed char v; }; struct isv { int n; };\n"
                "int step(struct isv *self, const struct in *in, const float *table) {\n"
                "  float s = 0; for (int i = 0; i < 4; i++) s += table[i];\n"
                "  self->n += in->v; return s > 0.0F; }\n");
    look();
    expect_var("in->v", "-128", "127", "parameter of the step function");
    expect_var("table[15]", NULL, NULL, "no range found");
    TEST_ASSERT_TRUE(notes("the length of 'table' is unknown: 16 elements are guessed"));
}

static void test_long_arrays_are_one_entry(void) {
    case_source(&c, "x.c",
                "unsigned char buf[64]; unsigned char lo[2]; int out;\n"
                "void step(void) { out = buf[out & 63] + lo[1]; }\n");
    look();
    expect_var("buf", "0", "255", "read by the step");
    expect_var("lo", "0", "255", "read by the step");
    TEST_ASSERT_EQUAL_size_t(2, guess.vars.len);
}

/* Of arrays of structs, too; elements that differ are listed one by one. */
static void test_alike_elements_are_one_entry(void) {
    case_source(&c, "x.c",
                "struct door { unsigned char Latch, Open; }; struct { struct door Door[3]; } In;\n"
                "short Grid[2][3]; short Mixed[2]; int out;\n"
                "void step(void) { int i = out & 1; out = In.Door[i].Latch + In.Door[0].Open;\n"
                "  out += Grid[i][2]; out += Mixed[0]; Mixed[1] = 1; }\n");
    look();
    expect_var("In.Door[].Latch", "0", "255", "read by the step");
    expect_var("In.Door[].Open", "0", "255", "read by the step");
    expect_var("Grid", "-32768", "32767", "read by the step");
    for (size_t i = 0; i < guess.vars.len; i++)
        TEST_ASSERT_NULL(strstr(guess.vars.data[i].name, "Mixed")); /* one of them is written */
    for (size_t i = 0; i < guess.vars.len; i++)
        vec_push(&c.project.vars, (struct project_var){.name = guess.vars.data[i].name});
    c.project.step = "step";
    case_weave(&c);
    TEST_ASSERT_EQUAL_size_t(12, c.woven.module.inputs.len);
    TEST_ASSERT_EQUAL_size_t(0, c.woven.module.warnings.len); /* all have been named */
}

static bool warns(const char *text) {
    for (size_t i = 0; i < c.woven.module.warnings.len; i++)
        if (strstr(c.woven.module.warnings.data[i], text))
            return true;
    return false;
}

/* Hand-written code initialises everything: that does not make constants of it. */
static void test_initialised_inputs(void) {
    case_source(&c, "m.c",
                "typedef float real; real Speed = 20.F; /* MIN/MAX: 0 .. 80 */\n"
                "real Kp = 2.F, Gain_Cal = 1.F; real Curve[4] = {0.F, 1.F, 4.F, 9.F};\n"
                "real Zeros[4] = {0.F, 0.F, 0.F, 0.F}; real Start = 3.F; real ByPointer = 1.F;\n"
                "static real Bias = 1.F; const real Lim = 5.F; real Reset = 2.F; real Out = 0.F;\n"
                "static void set(real *p) { *p = Out; }\n"
                "void m_Init(void) { Out = Start; Reset = 0.F; }\n"
                "void m_step(void) { set(&ByPointer); Out = Speed * Kp * Gain_Cal + Curve[1];\n"
                "  Out += Zeros[2] + ByPointer + Bias + Lim + Reset; }\n");
    look();
    expect_functions("m_step", "m_Init");
    expect_var("Speed", "0", "80", "its initialiser is a first value");
    expect_var("Zeros", NULL, NULL, "its initialiser is a first value");
    expect_var("Reset", NULL, NULL, "written by init functions only");
    expect_var("Kp", NULL, NULL, "its name says that it is calibration data");
    expect_var("Gain_Cal", NULL, NULL, "its name says");
    expect_var("Curve", NULL, NULL, "it is a table");
    expect_var("Lim", NULL, NULL, "const: keeps its initialiser");
    expect_var("Bias", NULL, NULL, "static and never written");
    expect_var("Start", NULL, NULL, "read by init functions only");
    TEST_ASSERT_TRUE(find("Start")->is_parameter && find("Start")->range_mode);
    TEST_ASSERT_TRUE(find("Kp")->is_parameter && !find("Kp")->range_mode);
    TEST_ASSERT_FALSE(find("Reset")->is_parameter);
    TEST_ASSERT_EQUAL_size_t(9, guess.vars.len);
    c.project.step = "m_step";
    vec_push(&c.project.init, "m_Init");
    case_weave(&c); /* a run without a project file takes the same roles, and says so */
    TEST_ASSERT_NOT_NULL(case_input(&c, "Speed"));
    TEST_ASSERT_NULL(case_input(&c, "Kp"));
    TEST_ASSERT_TRUE(warns("taken as inputs: Speed, Zeros, Reset"));
    TEST_ASSERT_TRUE(warns("taken as parameters with any value: Start"));
    TEST_ASSERT_TRUE(warns("kept at what they start with: Kp, Gain_Cal, Curve, Bias"));
    TEST_ASSERT_FALSE(warns("ByPointer"));
}

static void test_no_inputs_at_all(void) {
    case_source(&c, "x.c", "int a; void step(void) { if (a++ > 3) a = 0; }\n");
    c.project.step = "step";
    case_weave(&c);
    TEST_ASSERT_TRUE(warns("the module has no inputs"));
}

static void test_functions_without_a_body(void) {
    case_source(&c, "x.c",
                "int Get(void); double sin(double); int in, out;\n"
                "void step(void) { out = Get() + (int)sin(in); }\n");
    look();
    TEST_ASSERT_TRUE(notes("'Get' is called and has no body"));
    TEST_ASSERT_FALSE(notes("'sin'"));
    c.project.step = "step";
    case_weave(&c);
    TEST_ASSERT_TRUE(warns("add the sources that define them): Get"));
    TEST_ASSERT_FALSE(warns("sin"));
}

static void test_no_function(void) {
    case_source(&c, "x.c", "int only_data = 3;\n");
    TEST_ASSERT_FALSE(guess_project(&c.project, &guess, &c.err));
    TEST_ASSERT_EQUAL_INT(ERR_USAGE, c.err.code);
}

static void test_source_that_does_not_parse(void) {
    case_source(&c, "x.c", "void step(void) { unknown_t x; }\n");
    TEST_ASSERT_FALSE(guess_project(&c.project, &guess, &c.err));
    TEST_ASSERT_EQUAL_INT(ERR_SOURCE, c.err.code);
    TEST_ASSERT_EQUAL_STRING("x.c", str_text(&c.err.file));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_targetlink);
    RUN_TEST(test_embedded_coder);
    RUN_TEST(test_autosar);
    RUN_TEST(test_call_structure);
    RUN_TEST(test_rivals_are_named);
    RUN_TEST(test_pointer_arguments);
    RUN_TEST(test_long_arrays_are_one_entry);
    RUN_TEST(test_alike_elements_are_one_entry);
    RUN_TEST(test_initialised_inputs);
    RUN_TEST(test_no_inputs_at_all);
    RUN_TEST(test_functions_without_a_body);
    RUN_TEST(test_no_function);
    RUN_TEST(test_source_that_does_not_parse);
    return UNITY_END();
}
