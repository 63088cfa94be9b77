/* What each construct of C means in the model: DESIGN's table of meanings, one test a line. */
#include "base/rng.h"
#include "lowered_case.h"

static struct lowered_case c;

void setUp(void) {
}
void tearDown(void) {
    case_close(&c);
}

/* ---- where the run ends, and what C leaves open ---- */

static void test_division_by_zero_ends_the_run(void) {
    case_open(&c, "int x; void gk_step(void) {\n"
                  "  int d = gk_input_i32(0); gk_hit(0); x = 7 / d; gk_hit(1); }");
    case_step(&c, 2);
    TEST_ASSERT_TRUE(case_hit(&c, 1) && !c.machine.ended && !c.machine.unspecified);
    case_step(&c, 0);
    TEST_ASSERT_TRUE(case_hit(&c, 0) && !case_hit(&c, 1) && c.machine.ended);
}

static void test_least_number_by_minus_one_ends_the_run(void) {
    case_open(&c, "int x; void gk_step(void) {\n"
                  "  int a = gk_input_i32(0), b = gk_input_i32(1); x = a % b; gk_hit(1); }");
    case_step(&c, 0x80000000, 5);
    TEST_ASSERT_TRUE(case_hit(&c, 1));
    case_step(&c, 0x80000000, 0xffffffff);
    TEST_ASSERT_TRUE(!case_hit(&c, 1) && c.machine.ended);
}

static void test_floats_divide_by_zero(void) {
    case_open(&c, "void gk_step(void) {\n"
                  "  float d = gk_input_f32(0); if (1.0f / d > 3e38f) gk_hit(1); }");
    case_step(&c, 0);
    TEST_ASSERT_TRUE(case_hit(&c, 1) && !c.machine.ended && !c.machine.unspecified);
}

static void test_overflow_wraps(void) {
    case_open(&c, "void gk_step(void) {\n"
                  "  int a = gk_input_i32(0); if (a > 0 && a + 1 < 0) gk_hit(1); }");
    case_step(&c, 0x7fffffff);
    TEST_ASSERT_TRUE(case_hit(&c, 1) && !c.machine.unspecified);
}

static void test_wide_shift_is_open(void) {
    case_open(&c, "void gk_step(void) {\n"
                  "  unsigned n = gk_input_u32(0); if ((1u << n) == 4) gk_hit(1); gk_hit(2); }");
    case_step(&c, 2);
    TEST_ASSERT_TRUE(case_hit(&c, 1) && !c.machine.unspecified);
    case_step(&c, 32);
    TEST_ASSERT_TRUE(c.machine.unspecified && !c.machine.ended && case_hit(&c, 2));
}

static void test_conversion_out_of_range_is_open(void) {
    case_open(&c, "short y; void gk_step(void) {\n"
                  "  float x = gk_input_f32(0); y = (short)x; if (y == -32768) gk_hit(1); }");
    case_step(&c, f32_bits(-32768.9f));
    TEST_ASSERT_TRUE(case_hit(&c, 1) && !c.machine.unspecified);
    case_step(&c, f32_bits(32768.0f));
    TEST_ASSERT_TRUE(c.machine.unspecified);
    case_reset(&c);
    case_step(&c, f32_bits(0.0f / 0.0f));
    TEST_ASSERT_TRUE(c.machine.unspecified);
}

/* Nothing is open when the range of the value rules it out. */
static void test_guarded_conversion_is_not_open(void) {
    case_open(&c, "short y; void gk_step(void) {\n"
                  "  float x = gk_input_f32(0); gk_assume(x >= -1000.0f && x <= 1000.0f);\n"
                  "  y = (short)(x * 2.0f); int i = gk_input_i32(1);\n"
                  "  if (i >= 0 && i < 32) y = (short)(1 << i); }");
    TEST_ASSERT_TRUE(term_is_false(&c.terms, c.sys.unspecified));
    TEST_ASSERT_EQUAL_size_t(2, c.sys.inputs.len);
}

static void test_uninitialised_local_is_open_only_when_used(void) {
    case_open(&c, "void gk_step(void) {\n"
                  "  int x; _Bool a = gk_input_b(0), b = gk_input_b(1);\n"
                  "  if (a) x = 3; if (b && x == 4) gk_hit(1); gk_hit(2); }");
    case_step(&c, 0, 0);
    TEST_ASSERT_TRUE(case_hit(&c, 2) && !c.machine.unspecified);
    case_step(&c, 1, 1);
    TEST_ASSERT_TRUE(!case_hit(&c, 1) && !c.machine.unspecified);
    case_step(&c, 0, 1);
    TEST_ASSERT_TRUE(c.machine.unspecified);
    /* any value: the probe can be hit */
    TEST_ASSERT_FALSE(term_is_false(&c.terms, case_hit_term(&c, 1)));
}

static void test_open_value_kept_in_state_counts_later(void) {
    case_open(&c, "int kept; void gk_step(void) { int x; if (gk_input_b(0)) x = 1;\n"
                  "  if (kept == 5) gk_hit(1); kept = x; }");
    case_step(&c, 1);
    TEST_ASSERT_FALSE(c.machine.unspecified);
    case_step(&c, 0);
    TEST_ASSERT_TRUE(c.machine.unspecified);
}

static void test_null_and_bounds_end_the_run(void) {
    case_open(&c, "int a[4]; void gk_step(void) {\n"
                  "  unsigned i = gk_input_u32(0); int *p = gk_input_b(1) ? a : 0;\n"
                  "  a[i] = 1; gk_hit(1); *p = 2; gk_hit(2); }");
    case_step(&c, 3, 1);
    TEST_ASSERT_TRUE(case_hit(&c, 2) && !c.machine.ended);
    case_step(&c, 3, 0);
    TEST_ASSERT_TRUE(case_hit(&c, 1) && !case_hit(&c, 2) && c.machine.ended);
    case_reset(&c);
    case_step(&c, 4, 1);
    TEST_ASSERT_TRUE(!case_hit(&c, 1) && c.machine.ended);
}

/* An index that leaves the array for another member of the struct is out of bounds, too; a pointer
 * may be built outside as long as it is not used there. */
static void test_bounds_are_those_of_the_member(void) {
    case_open(&c, "struct s { int a[3]; int b; } s, many[4]; void gk_step(void) {\n"
                  "  unsigned i = gk_input_u32(0), k = gk_input_u8(1) & 3; struct s *p = &s;\n"
                  "  int *q = &p->a[i]; gk_hit(0); if (i == 3) q--; *q = 1; gk_hit(1);\n"
                  "  many[k].a[i] = 2; gk_hit(2); }");
    case_step(&c, 2, 3);
    TEST_ASSERT_TRUE(case_hit(&c, 2) && !c.machine.ended);
    case_step(&c, 3, 3);
    TEST_ASSERT_TRUE(case_hit(&c, 1) && !case_hit(&c, 2) && c.machine.ended);
    case_reset(&c);
    case_step(&c, 4, 0);
    TEST_ASSERT_TRUE(case_hit(&c, 0) && !case_hit(&c, 1) && c.machine.ended);
}

/* Rows of one array may be walked as one. */
static void test_rows_are_one_array(void) {
    case_open(&c, "static short m[2][3] = {{1, 2, 3}, {4, 5, 6}}; void gk_step(void) {\n"
                  "  unsigned i = gk_input_u32(0); short *p = &m[0][0];\n"
                  "  if (p[i] == 5) gk_hit(0); gk_hit(1); }");
    case_step(&c, 4);
    TEST_ASSERT_TRUE(case_hit(&c, 0) && !c.machine.ended);
    case_step(&c, 6);
    TEST_ASSERT_TRUE(!case_hit(&c, 1) && c.machine.ended);
}

static void test_assumption_ends_the_run(void) {
    case_open(&c, "void gk_step(void) { int x = gk_input_i32(0); gk_hit(0);\n"
                  "  gk_assume(x < 10); gk_hit(1); }");
    case_step(&c, 10);
    TEST_ASSERT_TRUE(case_hit(&c, 0) && !case_hit(&c, 1) && c.machine.ended);
}

static void test_abort_ends_the_run(void) {
    case_open(&c, "void abort(void); void gk_step(void) {\n"
                  "  if (gk_input_b(0)) abort(); gk_hit(1); }");
    case_step(&c, 0);
    TEST_ASSERT_TRUE(case_hit(&c, 1));
    case_step(&c, 1);
    TEST_ASSERT_TRUE(!case_hit(&c, 1) && c.machine.ended);
}

static void test_bits_of_nan_are_open(void) {
    case_open(&c, "union { float f; unsigned u; } v; void gk_step(void) {\n"
                  "  v.f = gk_input_f32(0); if (v.u == 0x3f800000u) gk_hit(1); }");
    case_step(&c, f32_bits(1.0f));
    TEST_ASSERT_TRUE(case_hit(&c, 1) && !c.machine.unspecified);
    case_step(&c, 0x7fc00000);
    TEST_ASSERT_TRUE(c.machine.unspecified);
}

/* One step with this input and with everything that C leaves open set to random bits. */
static void step_with_random_rest(uint64_t input, struct rng *rng) {
    uint64_t *inputs = case_inputs(&c, &input, 1);
    for (size_t i = 0; i < c.sys.inputs.len; i++)
        if (c.sys.inputs.data[i].module_input == NONE) {
            sort_t sort = term_sort(&c.terms, c.sys.inputs.data[i].var);
            inputs[i] = rng_next(rng) & (rng_below(rng, 2) ? UINT64_MAX : 0x80000000) &
                        UINT64_MAX >> (64 - sort_width(sort));
        }
    machine_step(&c.machine, inputs);
}

/* Every pattern of a NaN is possible, no other is, and whoever looks again finds the same. */
static void test_bits_of_nan_are_a_nan_and_stay(void) {
    struct rng rng;
    int negative = 0, signalling = 0;
    rng_init(&rng, 3);
    case_open(&c, "union { float f; unsigned u; unsigned char b[4]; } v; float g; unsigned w;\n"
                  "void gk_step(void) { v.f = gk_input_f32(0); g = -__builtin_nanf(\"\");\n"
                  "  if (gk_input_i32(1)) v.f = v.f; else w = v.u;\n"
                  "  if ((v.u & 0x7fffffffu) > 0x7f800000u) gk_hit(0);\n"
                  "  if (v.u != v.u || v.b[3] != v.u >> 24 || (w && w != v.u)) gk_hit(1);\n"
                  "  if (!__builtin_signbit(v.f) != !(v.u >> 31)) gk_hit(2);\n"
                  "  if (v.u >> 31) gk_hit(3); if (!(v.u & 0x400000u)) gk_hit(4);\n"
                  "  if (__builtin_signbit(g)) gk_hit(5); }");
    for (int i = 0; i < 200; i++) {
        step_with_random_rest(0x7fc00000, &rng);
        TEST_ASSERT_TRUE(case_hit(&c, 0) && !case_hit(&c, 1) && !case_hit(&c, 2));
        negative += case_hit(&c, 3) && case_hit(&c, 5);
        signalling += case_hit(&c, 4);
        step_with_random_rest(f32_bits(-2.5f), &rng);
        TEST_ASSERT_TRUE(!case_hit(&c, 0) && !case_hit(&c, 1) && case_hit(&c, 3));
    }
    TEST_ASSERT_TRUE(negative > 10 && negative < 190 && signalling > 10 && signalling < 190);
}

/* Copying a struct through integers must not look at the bits. */
static void test_copied_floats_keep_their_nan(void) {
    case_open(&c, "struct s { float a; int b; } x, y; void gk_step(void) {\n"
                  "  x.a = gk_input_f32(0); x.b = 3; y = x; if (y.a != y.a) gk_hit(1); }");
    case_step(&c, 0x7fc00000);
    TEST_ASSERT_TRUE(case_hit(&c, 1) && !c.machine.unspecified);
}

/* ---- control flow and the shape of terms ---- */

static void test_guards_meet_again(void) {
    case_open(&c,
              "int s; void gk_step(void) {\n"
              "  int x = gk_input_i32(0), y = gk_input_i32(1);\n"
              "  if (x > 3) s = 1; else if (x > 2 || (y > 4 && x < y)) s = 2; else s = 3;\n"
              "  gk_hit(0);\n"
              "  switch (y) { case 1: case 2: s++; break; case 7: s = 0; default: s--; }\n"
              "  gk_hit(1);\n"
              "  for (int i = 0; i < 5; i++) { if (x == i) break; if (y == i) continue; s++; }\n"
              "  gk_hit(2); }");
    for (uint32_t probe = 0; probe < 3; probe++)
        TEST_ASSERT_TRUE(term_is_true(&c.terms, case_hit_term(&c, probe)));
}

static void test_early_return_meets_at_the_call(void) {
    case_open(&c, "static int f(int x) { if (x < 0) return 1; if (x > 9) return 2; return 3; }\n"
                  "void gk_step(void) { int r = f(gk_input_i32(0)); gk_hit(0);\n"
                  "  if (r == 2) gk_hit(1); }");
    TEST_ASSERT_TRUE(term_is_true(&c.terms, case_hit_term(&c, 0)));
    case_step(&c, 10);
    TEST_ASSERT_TRUE(case_hit(&c, 1));
}

static void test_loop_over_a_bounded_input(void) {
    case_open(&c, "unsigned s; void gk_step(void) { unsigned n = gk_input_u8(0); s = 0;\n"
                  "  for (unsigned i = 0; i < n; i++) s += i; if (s == 32385) gk_hit(1); }");
    TEST_ASSERT_EQUAL_size_t(0, c.sys.overruns.len);
    case_step(&c, 255);
    TEST_ASSERT_TRUE(case_hit(&c, 1));
}

static void test_search_in_a_table_stops_at_its_end(void) {
    case_open(&c, "static const float t[5] = {0, 1, 2, 4, 8};\n"
                  "void gk_step(void) { float x = gk_input_f32(0); const float *p = t;\n"
                  "  while (x > *p) p++; if (p - t == 3) gk_hit(3); gk_hit(4); }");
    TEST_ASSERT_EQUAL_size_t(0, c.sys.overruns.len);
    case_step(&c, f32_bits(3.5f));
    TEST_ASSERT_TRUE(case_hit(&c, 3));
    case_step(&c, f32_bits(9.0f));
    TEST_ASSERT_TRUE(!case_hit(&c, 4) && c.machine.ended);
}

static void test_goto_out_of_nested_loops(void) {
    case_open(&c, "void gk_step(void) { int x = gk_input_i32(0), i, j;\n"
                  "  for (i = 0; i < 4; i++) for (j = 0; j < 4; j++) if (i * j == x) goto out;\n"
                  "  gk_hit(0); return;\nout: if (i == 3 && j == 2) gk_hit(1); }");
    case_step(&c, 6);
    TEST_ASSERT_TRUE(!case_hit(&c, 0) && !case_hit(&c, 1)); /* 2 * 3 comes first */
    case_step(&c, 5);
    TEST_ASSERT_TRUE(case_hit(&c, 0));
}

/* ---- pointers ---- */

static void test_table_of_functions(void) {
    case_open(&c, "static int a(int x) { gk_hit(0); return x; }\n"
                  "static int b(int x) { gk_hit(1); return -x; }\n"
                  "static int (*const f[2])(int) = {a, b};\n"
                  "void gk_step(void) { if (f[gk_input_u8(0) & 1](3) == -3) gk_hit(2); }");
    case_step(&c, 1);
    TEST_ASSERT_TRUE(!case_hit(&c, 0) && case_hit(&c, 1) && case_hit(&c, 2));
}

static void test_pointer_kept_over_steps(void) {
    case_open(&c,
              "static struct p { int gain, used; } sets[3] = {{1}, {2}, {5}}, *now = sets, own;\n"
              "void gk_step(void) { if (now->gain == 5) gk_hit(1); if (now == &own) gk_hit(2);\n"
              "  now->used++; if (sets[2].used == 2) gk_hit(3);\n"
              "  unsigned char i = gk_input_u8(0); now = i < 3 ? &sets[i] : &own; }");
    case_step(&c, 2);
    case_step(&c, 2);
    TEST_ASSERT_TRUE(case_hit(&c, 1) && !case_hit(&c, 2));
    case_step(&c, 9);
    TEST_ASSERT_TRUE(case_hit(&c, 3));
    case_step(&c, 0);
    TEST_ASSERT_TRUE(case_hit(&c, 2) && !c.machine.unspecified);
}

static void test_ring_buffer_by_pointer(void) {
    case_open(&c, "static short ring[4], *put = ring; void gk_step(void) {\n"
                  "  *put++ = gk_input_i16(0); if (put == ring + 4) put = ring;\n"
                  "  if (ring[0] + ring[1] + ring[2] + ring[3] == 10 && put == ring) gk_hit(1); }");
    for (uint64_t i = 1; i <= 4; i++)
        case_step(&c, i);
    TEST_ASSERT_TRUE(case_hit(&c, 1) && !c.machine.ended);
}

static void test_pointer_to_a_dead_local_ends_the_run(void) {
    case_open(&c, "static int *p; static void f(void) { int x = 3; p = &x; }\n"
                  "void gk_step(void) { f(); gk_hit(0); if (*p == 3) gk_hit(1); gk_hit(2); }");
    case_step(&c, 0);
    TEST_ASSERT_TRUE(case_hit(&c, 0) && !case_hit(&c, 2) && c.machine.ended);
}

/* ---- memory ---- */

static void test_bit_fields(void) {
    case_open(&c, "static struct { unsigned a : 3; int b : 5; unsigned c : 9; } f;\n"
                  "void gk_step(void) { f.a = gk_input_u8(0); f.b = gk_input_i8(1); f.c++;\n"
                  "  if (f.a == 7 && f.b == -16 && f.c == 2) gk_hit(1); }");
    case_step(&c, 0, 0);
    case_step(&c, 15, 16);
    TEST_ASSERT_TRUE(case_hit(&c, 1));
}

static void test_unions_by_bytes(void) {
    case_open(&c, "static union { unsigned w; unsigned char b[4]; unsigned short h[2]; } u;\n"
                  "void gk_step(void) { u.w = gk_input_u32(0); u.b[1] = 0xaa;\n"
                  "  if (u.h[0] == 0xaa44 && u.w == 0x1122aa44) gk_hit(1); }");
    case_step(&c, 0x11223344);
    TEST_ASSERT_TRUE(case_hit(&c, 1));
}

static void test_static_that_nobody_writes_is_constant(void) {
    case_open(&c, "static unsigned char n = 3; static int s; void gk_step(void) {\n"
                  "  for (unsigned char i = 0; i < n; i++) s++; if (s == 9) gk_hit(1); }");
    TEST_ASSERT_EQUAL_size_t(1, c.sys.cells.len);
    TEST_ASSERT_EQUAL_STRING("s", c.sys.cells.data[0].name);
    case_step(&c, 0);
    case_step(&c, 0);
    case_step(&c, 0);
    TEST_ASSERT_TRUE(case_hit(&c, 1));
}

/* Written only through a pointer that the first guess does not follow: found out by running. */
static void test_cell_written_through_a_pointer_changes(void) {
    case_open(&c, "static int a = 1, b = 1; static int *const to[2] = {&a, &b};\n"
                  "void gk_step(void) { if (b == 2) gk_hit(1); *to[gk_input_b(0)] += 1; }");
    case_step(&c, 1);
    case_step(&c, 1);
    TEST_ASSERT_TRUE(case_hit(&c, 1));
}

static void test_init_functions_run_once(void) {
    case_open(&c, "static int s; int k; void gk_init(void) { k = gk_input_i32(0); gk_hit(7);\n"
                  "  gk_assume(k > 0); s = 2 * k; }\n"
                  "void gk_step(void) { if (s == k * 2) gk_hit(0); else gk_hit(1); }");
    uint32_t index = 0;
    TEST_ASSERT_TRUE(term_is_true(&c.terms, case_target(&c, 7, &index)->init_hit));
    TEST_ASSERT_TRUE(c.machine.ended); /* the input was 0 */
    machine_reset(&c.machine, (const uint64_t[]){21});
    TEST_ASSERT_FALSE(c.machine.ended);
    case_step(&c, 0);
    TEST_ASSERT_TRUE(case_hit(&c, 0) && !case_hit(&c, 1));
}

/* The stub of a function that writes a log. */
static void test_variable_arguments_that_nobody_asks_for(void) {
    case_open(&c, "static int s; static int f(int n, const char *text, ...) { return s += n; }\n"
                  "void gk_step(void) { int n = gk_input_i32(0);\n"
                  " if (f(n, \"%d %s %f\", n + 1, \"x\", 1.0) == 7) gk_hit(1); }");
    TEST_ASSERT_EQUAL_size_t(0, c.sys.overruns.len);
    case_step(&c, 3);
    TEST_ASSERT_FALSE(case_hit(&c, 1));
    case_step(&c, 4);
    TEST_ASSERT_TRUE(case_hit(&c, 1));
}

/* ---- what cannot be followed ---- */

static void check_given_up(const char *text, const char *limitation, int line) {
    case_open(&c, text);
    TEST_ASSERT_TRUE_MESSAGE(case_has_limitation(&c, limitation, line), text);
    TEST_ASSERT_EQUAL_size_t(1, c.sys.overruns.len);
    TEST_ASSERT_FALSE(term_is_true(&c.terms, case_hit_term(&c, 1)));
    case_step(&c, 1);
    TEST_ASSERT_TRUE(machine_hit(&c.machine, c.sys.overruns.data[0]));
    TEST_ASSERT_FALSE(case_hit(&c, 1));
    case_reset(&c);
    case_step(&c, 0);
    TEST_ASSERT_TRUE(case_hit(&c, 1));
    TEST_ASSERT_FALSE(machine_hit(&c.machine, c.sys.overruns.data[0]));
}

#define GIVEN_UP(name, text, limitation, line)                                                     \
    static void test_gives_up_##name(void) {                                                       \
        check_given_up(text, limitation, line);                                                    \
    }

GIVEN_UP(assembly, "void gk_step(void) { if (gk_input_b(0))\n __asm__(\"nop\");\n gk_hit(1); }",
         "inline assembly", 2)
GIVEN_UP(endless_loop,
         "void gk_step(void) { unsigned n = gk_input_u32(0);\n while (n) n += 2;\n gk_hit(1); }",
         "does not end within 1000", 2)
GIVEN_UP(recursion,
         "static int f(int n) {\n return n ? f(n + 1) + 1 : 0; }\n"
         "void gk_step(void) { f(gk_input_i32(0)); gk_hit(1); }",
         "calls itself", 2)
GIVEN_UP(variable_arguments,
         "static int f(int n, ...) { __builtin_va_list a; __builtin_va_start(a, n);\n"
         " n = __builtin_va_arg(a, int); __builtin_va_end(a); return n; }\n"
         "void gk_step(void) { if (gk_input_b(0))\n f(1, 2); gk_hit(1); }",
         "variable number of arguments", 4)
GIVEN_UP(address_as_a_variable_argument,
         "static int s; static void f(int n, ...) {}\n"
         "void gk_step(void) { if (gk_input_b(0))\n f(1, &s); gk_hit(1); }",
         "variable number of arguments", 3)
GIVEN_UP(recursion_that_branches,
         "static void f(int n, int x) {\n if (n < 16 && x) f(n + 1, x), f(n + 1, x); }\n"
         "void gk_step(void) { f(0, gk_input_b(0)); gk_hit(1); }",
         "calls itself again and again", 2)
GIVEN_UP(variable_array,
         "void gk_step(void) { int n = gk_input_i32(0); if (n) {\n int a[n + 1]; a[0] = 1; }\n"
         " gk_hit(1); }",
         "variable length", 2)
GIVEN_UP(absolute_address,
         "void gk_step(void) { if (gk_input_b(0))\n *(int *)0x4000 = 1;\n gk_hit(1); }",
         "absolute address", 2)
GIVEN_UP(jumps,
         "int setjmp(void *); int buf[50]; void gk_step(void) { if (gk_input_b(0))\n setjmp(buf);\n"
         " gk_hit(1); }",
         "may call or jump", 2)
GIVEN_UP(long_double,
         "long double l; void gk_step(void) { if (gk_input_b(0))\n l = l + 1;\n gk_hit(1); }", "",
         2)

static void test_function_without_a_body_is_any_value(void) {
    case_open(&c, "int get(int *, const int *); int a = 1; static const int k = 3, *see = &k;\n"
                  "void gk_step(void) { int r =\n get(&a, &k); if (r == 4 && a == 9 && *see == 3) "
                  "gk_hit(1);\n"
                  " if (*see != 3) gk_hit(2); }");
    TEST_ASSERT_TRUE(case_has_limitation(&c, "'get' has no body", 3));
    TEST_ASSERT_FALSE(term_is_false(&c.terms, case_hit_term(&c, 1)));
    TEST_ASSERT_TRUE(term_is_false(&c.terms, case_hit_term(&c, 2)));
    TEST_ASSERT_EQUAL_size_t(0, c.sys.overruns.len);
    case_step(&c, 0);
    TEST_ASSERT_TRUE(c.machine.unspecified);
}

static bool three_times(void *context, struct terms *ts, term_t condition) {
    TEST_ASSERT_FALSE(term_is_true(ts, condition));
    return ++*(int *)context <= 3;
}

static void test_satisfiable_is_asked_now_and_then(void) {
    int asked = 0;
    struct lower_options options = {.satisfiable = three_times, .context = &asked};
    bool ok = case_try(&c,
                       "void gk_step(void) { unsigned n = gk_input_u32(0);\n"
                       "  while (n > 5) n /= 2; gk_hit(1); }",
                       options);
    TEST_ASSERT_TRUE(ok);
    TEST_ASSERT_EQUAL_INT(4, asked);                   /* before iterations 2, 3, 4, 6 */
    TEST_ASSERT_EQUAL_UINT32(5, c.lowered.iterations); /* the sixth is not entered */
    TEST_ASSERT_EQUAL_size_t(1, c.sys.overruns.len);
    TEST_ASSERT_EQUAL_size_t(0, c.lowered.limitations.len);
}

static void test_errors_have_a_place(void) {
    TEST_ASSERT_FALSE(
        case_try(&c, "int x;\nvoid gk_step(void) { x = nothing; }", (struct lower_options){0}));
    TEST_ASSERT_EQUAL_INT(ERR_SOURCE, c.err.code);
    TEST_ASSERT_EQUAL_STRING("case.c", str_text(&c.err.file));
    TEST_ASSERT_EQUAL_INT(2, c.err.line);
}

/* No number is wider than 64 bits, so these are asked in another way than narrower ones. */
static void test_overflow_checks_on_64_bits(void) {
    static const int64_t some[] = {0,
                                   1,
                                   -1,
                                   2,
                                   -2,
                                   3,
                                   INT64_MIN,
                                   INT64_MAX,
                                   INT64_MIN + 1,
                                   1ll << 31,
                                   1ll << 32,
                                   -(1ll << 32),
                                   INT64_MAX / 2 + 1,
                                   INT64_MAX / 3,
                                   77};
    enum { SOME = sizeof some / sizeof *some };
    case_open(&c, "void gk_step(void) {\n"
                  "    long long a = gk_input_i64(0), b = gk_input_i64(1), r;\n"
                  "    unsigned long long u = a, v = b, s;\n"
                  "    if (__builtin_add_overflow(a, b, &r)) gk_hit(0);\n"
                  "    if (__builtin_sub_overflow(a, b, &r)) gk_hit(1);\n"
                  "    if (__builtin_mul_overflow(a, b, &r)) gk_hit(2);\n"
                  "    if (__builtin_add_overflow(u, v, &s)) gk_hit(3);\n"
                  "    if (__builtin_sub_overflow(u, v, &s)) gk_hit(4);\n"
                  "    if (__builtin_mul_overflow(u, v, &s)) gk_hit(5);\n"
                  "}");
    for (int i = 0; i < SOME * SOME; i++) {
        int64_t a = some[i / SOME], b = some[i % SOME], r;
        uint64_t u = (uint64_t)a, v = (uint64_t)b, s;
        bool over[] = {__builtin_add_overflow(a, b, &r), __builtin_sub_overflow(a, b, &r),
                       __builtin_mul_overflow(a, b, &r), __builtin_add_overflow(u, v, &s),
                       __builtin_sub_overflow(u, v, &s), __builtin_mul_overflow(u, v, &s)};
        case_step(&c, u, v);
        for (uint32_t k = 0; k < 6; k++)
            TEST_ASSERT_EQUAL_MESSAGE(over[k], case_hit(&c, k), "an overflow");
    }
    TEST_ASSERT_FALSE(c.machine.unspecified);
}

/* Each has a body here, though one standard or the other emits none. */
static void test_inline_functions(void) {
    case_open(&c,
              "inline int one(int v) { gk_hit(1); return v; }\n"
              "extern inline int two(int v) { gk_hit(2); return v + 1; }\n"
              "static __inline__ int three(int v) { gk_hit(3); return v + 2; }\n"
              "__inline __attribute__((always_inline)) int four(int v) { gk_hit(4); return v; }\n"
              "void gk_step(void) {\n"
              "    if (one(1) + two(1) + three(1) + four(1) == 7) gk_hit(5); }");
    case_step(&c, 0);
    for (uint32_t k = 1; k <= 5; k++)
        TEST_ASSERT_TRUE(case_hit(&c, k));
    TEST_ASSERT_FALSE(c.machine.unspecified);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_division_by_zero_ends_the_run);
    RUN_TEST(test_least_number_by_minus_one_ends_the_run);
    RUN_TEST(test_floats_divide_by_zero);
    RUN_TEST(test_overflow_wraps);
    RUN_TEST(test_inline_functions);
    RUN_TEST(test_overflow_checks_on_64_bits);
    RUN_TEST(test_wide_shift_is_open);
    RUN_TEST(test_conversion_out_of_range_is_open);
    RUN_TEST(test_guarded_conversion_is_not_open);
    RUN_TEST(test_uninitialised_local_is_open_only_when_used);
    RUN_TEST(test_open_value_kept_in_state_counts_later);
    RUN_TEST(test_null_and_bounds_end_the_run);
    RUN_TEST(test_bounds_are_those_of_the_member);
    RUN_TEST(test_rows_are_one_array);
    RUN_TEST(test_assumption_ends_the_run);
    RUN_TEST(test_abort_ends_the_run);
    RUN_TEST(test_bits_of_nan_are_open);
    RUN_TEST(test_bits_of_nan_are_a_nan_and_stay);
    RUN_TEST(test_copied_floats_keep_their_nan);
    RUN_TEST(test_guards_meet_again);
    RUN_TEST(test_early_return_meets_at_the_call);
    RUN_TEST(test_loop_over_a_bounded_input);
    RUN_TEST(test_search_in_a_table_stops_at_its_end);
    RUN_TEST(test_goto_out_of_nested_loops);
    RUN_TEST(test_table_of_functions);
    RUN_TEST(test_pointer_kept_over_steps);
    RUN_TEST(test_ring_buffer_by_pointer);
    RUN_TEST(test_pointer_to_a_dead_local_ends_the_run);
    RUN_TEST(test_bit_fields);
    RUN_TEST(test_unions_by_bytes);
    RUN_TEST(test_static_that_nobody_writes_is_constant);
    RUN_TEST(test_cell_written_through_a_pointer_changes);
    RUN_TEST(test_init_functions_run_once);
    RUN_TEST(test_gives_up_assembly);
    RUN_TEST(test_gives_up_endless_loop);
    RUN_TEST(test_gives_up_recursion);
    RUN_TEST(test_gives_up_variable_arguments);
    RUN_TEST(test_gives_up_address_as_a_variable_argument);
    RUN_TEST(test_variable_arguments_that_nobody_asks_for);
    RUN_TEST(test_gives_up_recursion_that_branches);
    RUN_TEST(test_gives_up_variable_array);
    RUN_TEST(test_gives_up_absolute_address);
    RUN_TEST(test_gives_up_jumps);
    RUN_TEST(test_gives_up_long_double);
    RUN_TEST(test_function_without_a_body_is_any_value);
    RUN_TEST(test_satisfiable_is_asked_now_and_then);
    RUN_TEST(test_errors_have_a_place);
    return UNITY_END();
}
