/* Enumerations have the type that clang gives them, also for CBMC, which would choose another: each
 * form of use is asked a question whose answer depends on it, natively and of CBMC. */
#include "instrument/cbmc/cbmc.h"
#include "instrument/cbmc/obligation.h"
#include "instrument/weave/enums.h"
#include "woven_case.h"

static struct woven_case c;
static struct str spelled;

void setUp(void) {
    case_open(&c);
}
void tearDown(void) {
    case_close(&c);
    str_free(&spelled);
}

/* Each line that is entered is a wrong type. */
static const char forms[] =
    "typedef enum { OFF, ON, FAULT } mode;\n"
    "enum request { R_OFF, R_RUN, R_FAULT = 5 };\n"
    "enum signed_one { NEG = -1, POS };\n"
    "enum wide { W = 0x80000000 };\n"
    "enum small { S0, S1 } __attribute__((packed));\n"
    "typedef enum later later_t;\n"
    "enum later { L0, L1 } Later;\n"
    "struct bus {\n"
    "    mode field : 4;\n"
    "    enum request want;\n"
    "    enum inner { LOW, HIGH } level;\n"
    "    enum { IDLE, BUSY } state : 2;\n"
    "    enum signed_one sign : 2;\n"
    "    enum { P0, P1 } __attribute__((packed)) tiny;\n"
    "    char after;\n"
    "};\n"
    "enum request Request; mode Mode; struct bus Bus; enum signed_one Sign; enum wide Wide;\n"
    "enum small Small; static enum inner Inner; later_t Typed; unsigned Raw;\n"
    "static const enum { C0, C1 } Table[2] = {C1, C0};\n"
    "unsigned long long Bad;\n"
    "#define WRONG(n, condition) if (condition) Bad |= 1ull << n\n"
    "static enum request pass(enum request r, mode *m) { return *m < OFF ? R_FAULT : r; }\n"
    "static mode as_mode(unsigned v) { return (mode)v; }\n"
    "void step(void) {\n"
    "    enum inside { ZERO, ONE } local = (enum inside)Raw;\n"
    "    static enum later Last;\n"
    "    mode copy = Mode;\n"
    "    WRONG(0, Request < 0 || Mode < OFF || local < ZERO || Typed < 0 || Later < L0);\n"
    "    WRONG(1, Bus.want < 0 || Bus.level < LOW || Inner < LOW);\n"
    "    Bus.field = (mode)15; Bus.state = BUSY + 2; Bus.sign = NEG;\n"
    "    WRONG(2, Bus.field != 15 || Bus.field - 16 > 0);\n"
    "    WRONG(3, Bus.state != 3 || Bus.sign >= 0);\n"
    "    WRONG(4, Raw == 7 && (Sign = (enum signed_one)-7) > 0);\n"
    "    WRONG(5, pass(R_RUN, &copy) < 0 || as_mode(Raw) < 0 || pass(R_RUN, &copy) != R_RUN);\n"
    "    WRONG(6, OFF - 1 > 0 || R_OFF - 1 > 0 || LOW - 1 > 0 || IDLE - 1 > 0 || C0 - 1 > 0);\n"
    "    WRONG(7, sizeof(enum small) != 1 || sizeof Small != 1 || sizeof Bus.tiny != 1);\n"
    "    WRONG(8, sizeof(mode) != 4 || sizeof(enum request) != 4 || Wide < 0);\n"
    "    WRONG(9, (long long)Mode < 0 || (double)Request < 0 || (float)Bus.want < 0);\n"
    "    WRONG(10, (char *)&Bus.after - (char *)&Bus.tiny != 1);\n"
    "    WRONG(11, Request - 6 < 0 || (mode)(Raw * 2) / 2 > 0x7fffffff);\n"
    "    WRONG(12, (Request & ~1u) < 0 || *(&Mode) < 0 || Table[Raw & 1] < 0);\n"
    "    WRONG(13, (Raw & 1 ? Request : Mode) < 0 || Last < 0);\n"
    "    Last = (enum later)Raw; Inner = (enum inner)Raw; Small = (enum small)Raw;\n"
    "    WRONG(14, Small < 0);\n"
    "}\n";

static void weave_forms(void) {
    static const char *const inputs[] = {"Request", "Mode",  "Bus.want", "Bus.level",
                                         "Wide",    "Typed", "Later",    "Raw"};
    case_source(&c, "forms.c", forms);
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        case_var(&c, inputs[i], NULL, NULL);
    case_weave_and_compile(&c);
    struct obligation o = {.woven = str_text(&c.woven.text), .module = &c.woven.module};
    obligation_woven(&o, true, &spelled);
}

static void put(const char *name, const char *head, const char *tail) {
    struct str text = {0};
    str_addf(&text, "%s%s%s", head, str_text(&spelled), tail);
    const char *path = arena_printf(&c.arena, "%s/%s", str_text(&c.dir), name);
    TEST_ASSERT_TRUE(file_write(path, text.data, text.len, &c.err));
    str_free(&text);
}

/* What CBMC reads is the same program for compilers. */
static void test_compilers(void) {
    static const char host[] =
        "void gk_hit(unsigned p) { (void)p; }\nvoid gk_assume(int x) { (void)x; }\n"
        "unsigned gk_input_u32(unsigned id) { static unsigned n; n = n * 1664525u + 1013904223u;\n"
        "    return id & 1 ? ~0u - (n >> 28) : n; }\n"
        "int main(void) { gk_init(); for (int i = 0; i < 1000; i++) gk_step(); return Bad != 0; }";
    weave_forms();
    struct obligation o = {.woven = str_text(&c.woven.text), .module = &c.woven.module};
    str_clear(&spelled);
    obligation_woven(&o, false, &spelled);
    put("host.c", "", host);
    const char *compilers[] = {tool_cc(&c.arena), tool_clang(&c.arena)};
    for (size_t i = 0; i < 2; i++) {
        const char *build[] = {compilers[i], "-m32", "-std=gnu11", "-fwrapv",
                               "-o",         "host", "host.c",     NULL};
        const char *run[] = {"./host", "", NULL};
        case_runs_well(&c, build);
        case_runs_well(&c, run);
    }
}

static enum cbmc_answer ask(const char *assertion) {
    struct cbmc cbmc;
    struct str said = {0};
    TEST_ASSERT_TRUE_MESSAGE(cbmc_open(&cbmc, tool_cbmc(&c.arena), &said), str_text(&said));
    put("asked.c",
        arena_printf(&c.arena,
                     "%s#define gk_hit(probe) ((void)0)\n"
                     "#define gk_input_u32(id) nondet_u32()\n",
                     obligation_prologue),
        arena_printf(&c.arena,
                     "int main(void) { gk_init(); gk_step(); gk_step(); __CPROVER_assert(%s, "
                     "\"\"); }",
                     assertion));
    struct cbmc_run run = {.cbmc = &cbmc,
                           .file = arena_printf(&c.arena, "%s/asked.c", str_text(&c.dir)),
                           .ilp32 = true,
                           .seconds = 60};
    enum cbmc_answer answer = cbmc_verify(&run, &said);
    TEST_ASSERT_NOT_EQUAL_MESSAGE(CBMC_NO_ANSWER, answer, str_text(&said));
    str_free(&said);
    return answer;
}

static void test_cbmc(void) {
    weave_forms();
    if (!tool_cbmc(&c.arena))
        TEST_IGNORE_MESSAGE("no CBMC");
    TEST_ASSERT_EQUAL_INT(CBMC_SUCCESSFUL, ask("Bad == 0"));
    TEST_ASSERT_EQUAL_INT(CBMC_FAILED, ask("Request <= 5")); /* they do have such values */
}

static void spells(const char *woven, const char *expected) {
    str_clear(&spelled);
    enums_spell(woven, strlen(woven), &spelled);
    TEST_ASSERT_EQUAL_STRING(expected, str_text(&spelled));
}

/* Places and scopes, on marked text. */
static void test_spelling(void) {
#define MARK "/*gk= unsigned int gk=*/"
    spells("enum e { A } x;", "enum e { A } x;"); /* as earlier versions wrote it */
    spells("enum e { A }" MARK "; enum e x;", "enum e { A }" MARK "; unsigned int x;");
    spells("enum e { A }" MARK " x;", "__typeof__((unsigned int)(enum e { A }" MARK ")0) x;");
    spells("enum e" MARK "; struct s { enum e *p; };",
           "enum e" MARK "; struct s { unsigned int *p; };");
    spells("enum e { A }" MARK
           "; void f(void) { enum e { B }/*gk= int gk=*/; enum e y; } enum e x;",
           "enum e { A }" MARK "; void f(void) { enum e { B }/*gk= int gk=*/; int y; } "
           "unsigned int x;");
    spells("struct s { enum e { A }" MARK "; int i; }; enum e x;",
           "struct s { enum e { A }" MARK "; int i; }; unsigned int x;");
    spells("struct __attribute__((packed)) s { enum e { A }" MARK "; }; enum /* e */ e x;",
           "struct __attribute__((packed)) s { enum e { A }" MARK "; }; unsigned int x;");
    spells("/* enum e */ char *t = \"enum e\"; enum e { A }" MARK "; int enumerate;",
           "/* enum e */ char *t = \"enum e\"; enum e { A }" MARK "; int enumerate;");
    spells("enum e { A }" MARK, "__typeof__((unsigned int)(enum e { A }" MARK ")0)");
    spells("enum e { A /*gk= unsi", "enum e { A /*gk= unsi"); /* cut off */
    spells("enum e {" MARK "} enum", "enum e {" MARK "} enum");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_spelling);
    RUN_TEST(test_compilers);
    RUN_TEST(test_cbmc);
    return UNITY_END();
}
