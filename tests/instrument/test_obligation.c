/* Whatever a proof says, it is written as C that means the same, or refused; nothing of it ends the
 * program. Random invariants over cells of all sorts, with limits at the ends of their types and
 * beyond, are compiled and compared with what the model says of them. */
#include "base/child.h"
#include "base/file.h"
#include "base/rng.h"
#include "base/tool.h"
#include "instrument/cbmc/certificate.h"

#include "unity.h"

#include <math.h>
#include <string.h>

static struct terms ts;
static struct system sys;
static struct module module;
static struct arena arena;
static struct rng rng;
static struct err err;

static const struct {
    const char *name, *type;
    char kind;
    uint8_t bits;
    sort_t sort;
    bool is_signed;
} cells[] = {
    {"b", "_Bool", 'b', 1, SORT_BOOL, false},          {"s3", "signed char", 'i', 3, 3, true},
    {"u5", "unsigned char", 'u', 5, 5, false},         {"s8", "signed char", 'i', 8, 8, true},
    {"u8", "unsigned char", 'u', 8, 8, false},         {"s16", "short", 'i', 16, 16, true},
    {"u16", "unsigned short", 'u', 16, 16, false},     {"s32", "int", 'i', 32, 32, true},
    {"u32", "unsigned", 'u', 32, 32, false},           {"s64", "long long", 'i', 64, 64, true},
    {"u64", "unsigned long long", 'u', 64, 64, false}, {"f32", "float", 'f', 32, SORT_F32, true},
    {"f64", "double", 'f', 64, SORT_F64, true},
};
enum { CELLS = sizeof cells / sizeof *cells, INVARIANTS = 600, VALUES = 12 };

void setUp(void) {
    rng_init(&rng, 7);
    terms_init(&ts);
    system_init(&sys, &ts);
    for (size_t i = 0; i < CELLS; i++) {
        term_t var = term_var(&ts, cells[i].name, cells[i].sort, cells[i].is_signed);
        struct module_var v = {.path = cells[i].name, .c_expr = cells[i].name};
        v.type = cells[i].kind;
        v.bits = cells[i].bits;
        vec_push(&sys.cells,
                 (struct cell){cells[i].name, var, term_const(&ts, cells[i].sort, 0), var});
        vec_push(&module.state, v);
    }
}
void tearDown(void) {
    vec_free(&module.state);
    system_free(&sys);
    terms_free(&ts);
    err_clear(&err);
    arena_free(&arena);
}

static uint64_t some_value(size_t cell) {
    static const double corners[] = {0.0, -0.0, 1.0, INFINITY, -INFINITY, NAN, 1e-320, -3.5};
    double corner = corners[rng_below(&rng, 8)];
    uint64_t mask = ~0ull >> (64 - sort_width(cells[cell].sort));
    if (cells[cell].kind == 'f' && rng_below(&rng, 3))
        return cells[cell].bits == 32 ? f32_bits((float)corner) : f64_bits(corner);
    uint64_t small = rng_below(&rng, 4);
    uint64_t values[] = {small, 0 - small, mask / 2 + small, rng_next(&rng)};
    return values[rng_below(&rng, 4)] & mask;
}

static int64_t some_limit(size_t cell) {
    static const int64_t far[] = {INT64_MIN, INT64_MAX, 256, -129, 70000, INT64_MIN + 1};
    sort_t sort = cells[cell].sort;
    int64_t least = ordinal_min(sort, cells[cell].is_signed);
    int64_t most = ordinal_max(sort, cells[cell].is_signed);
    int64_t around = (int64_t)rng_below(&rng, 5) - 2;
    switch (rng_below(&rng, 4)) {
    case 0:
        return far[rng_below(&rng, 6)];
    case 1: /* wraps at the ends, as a careless engine may */
        return (int64_t)((uint64_t)(rng_below(&rng, 2) ? least : most) + (uint64_t)around);
    default:
        return ordinal_of(sort, cells[cell].is_signed, some_value(cell));
    }
}

static struct bound some_bound(bool forged) {
    struct bound b = {.cell = (uint32_t)rng_below(&rng, CELLS)};
    b.kind = (uint8_t)(rng_below(&rng, 8) ? rng_below(&rng, 2) : 2 + rng_below(&rng, 2));
    b.ordinal = some_limit(b.cell);
    if (rng_below(&rng, 3))
        return b;
    b.other = (uint32_t)rng_below(&rng, CELLS);
    b.factor = (int16_t)(1 + rng_below(&rng, 5000));
    b.other_factor = (int16_t)(rng_below(&rng, 9000) - 4500);
    b.ordinal = (int64_t)((uint64_t)b.factor * (uint64_t)some_limit(4) + /* may wrap, as above */
                          (uint64_t)b.other_factor * (uint64_t)some_limit(5));
    if (!forged && !bound_sum_valid(&sys, b))
        b.factor = b.other_factor = 0, b.other = 0;
    return b;
}

static void some_invariant(struct invariant *inv, bool forged) {
    invariant_init(inv);
    for (size_t i = 1 + rng_below(&rng, 3); i-- > 0;) {
        struct bound bounds[3];
        size_t n = rng_below(&rng, 4) % 4;
        for (size_t b = 0; b < n && b < 3; b++)
            bounds[b] = some_bound(forged);
        invariant_add(inv, bounds, n < 3 ? n : 3);
    }
}

static bool model_holds(const struct invariant *inv, const uint64_t *values) {
    for (size_t i = 0; i < inv->clauses.len; i++)
        if (!clause_holds(&inv->clauses.data[i], &sys, values))
            return false;
    return true;
}

/* ---- the same in C ---- */

static void add_set(struct str *out, const uint64_t *values) {
    for (size_t i = 0; i < CELLS; i++)
        if (cells[i].kind == 'f')
            str_addf(out, "        SET(%s, %s, 0x%llx);\n", cells[i].name,
                     cells[i].bits == 32 ? "unsigned" : "unsigned long long",
                     (unsigned long long)values[i]);
        else
            str_addf(out, "        %s = (%s)%lluull;\n", cells[i].name, cells[i].type,
                     cells[i].kind == 'i'
                         ? (unsigned long long)ordinal_of(cells[i].sort, true, values[i])
                         : (unsigned long long)values[i]);
}

static void add_case(struct str *out, int number, const struct invariant *inv) {
    struct obligation o = {.module = &module, .sys = &sys, .invariant = inv};
    str_addf(out, "static void case%d(void) {\n    int ok;\n", number);
    for (int i = 0; i < VALUES; i++) {
        uint64_t values[CELLS];
        for (size_t c = 0; c < CELLS; c++)
            values[c] = some_value(c);
        str_add(out, "    ok = 1;\n");
        add_set(out, values);
        TEST_ASSERT_TRUE_MESSAGE(obligation_clauses(&o, out, "ALSO", NULL, &err),
                                 str_text(&err.message));
        str_addf(out, "    if (ok != %d) printf(\"case %d: the model says %d\\n\"), wrong++;\n",
                 model_holds(inv, values), number, model_holds(inv, values));
    }
    str_add(out, "}\n");
}

static void add_head(struct str *out) {
    str_add(out, "#include <stdio.h>\n#include <string.h>\n#define ALSO(c) ok &= !!(c)\n"
                 "#define SET(x, type, bits) do { type t = bits; memcpy(&x, &t, sizeof x); } "
                 "while (0)\nstatic int wrong;\n");
    for (size_t i = 0; i < CELLS; i++)
        str_addf(out, "%s %s;\n", cells[i].type, cells[i].name);
}

static void compile_and_run(const struct str *text) {
    struct str dir = {0};
    TEST_ASSERT_TRUE(file_temp_dir(&dir, &err));
    const char *path = path_join(&arena, str_text(&dir), "clauses.c");
    const char *program = path_join(&arena, str_text(&dir), "clauses");
    TEST_ASSERT_TRUE(file_write(path, text->data, text->len, &err));
    const char *build[] = {tool_cc(&arena), "-w", "-fwrapv", "-o", program, path, NULL};
    const char *run[] = {program, NULL};
    const char *const *argv[] = {build, run};
    for (int i = 0; i < 2; i++) {
        struct child_spec spec = {.argv = argv[i], .wall_seconds = 300};
        struct child_result r = {0};
        TEST_ASSERT_TRUE(child_run(&spec, &r, &err));
        bool good = r.end == CHILD_EXITED && r.code == 0;
        const char *said = arena_printf(&arena, "%.900s%.900s", str_text(&r.out), str_text(&r.err));
        child_result_free(&r);
        TEST_ASSERT_TRUE_MESSAGE(good, said);
    }
    file_remove_tree(str_text(&dir));
    str_free(&dir);
}

static void test_clauses_mean_the_same(void) {
    struct str text = {0};
    add_head(&text);
    for (int i = 0; i < INVARIANTS; i++) {
        struct invariant inv;
        some_invariant(&inv, false);
        add_case(&text, i, &inv);
        invariant_free(&inv);
    }
    str_add(&text, "int main(void) {\n");
    for (int i = 0; i < INVARIANTS; i++)
        str_addf(&text, "    case%d();\n", i);
    str_add(&text, "    return wrong != 0;\n}\n");
    compile_and_run(&text);
    str_free(&text);
}

/* What is left after tidying holds where the whole held, and its limits are values. */
static void test_tidy(void) {
    for (int i = 0; i < 20000; i++) {
        struct invariant inv, tidy;
        uint64_t values[CELLS];
        some_invariant(&inv, false);
        invariant_copy(&tidy, &inv);
        invariant_tidy(&tidy, &sys);
        TEST_ASSERT_LESS_OR_EQUAL_size_t(inv.clauses.len, tidy.clauses.len);
        for (size_t c = 0; c < CELLS; c++)
            values[c] = some_value(c);
        TEST_ASSERT_EQUAL(model_holds(&inv, values), model_holds(&tidy, values));
        for (size_t c = 0; c < tidy.clauses.len; c++)
            for (size_t b = 0; b < tidy.clauses.data[c].len; b++)
                TEST_ASSERT_EQUAL(BOUND_OPEN, bound_truth(&sys, tidy.clauses.data[c].data[b]));
        invariant_free(&inv);
        invariant_free(&tidy);
    }
}

/* Forged ones are refused with a reason; text that is damaged, too. */
static void test_forged(void) {
    static const uint32_t probe = 0;
    static const uint32_t depths[] = {1, 1, 2, 3, 10000, 10001, UINT32_MAX};
    size_t refused = 0;
    for (int i = 0; i < 4000; i++) {
        struct invariant inv;
        struct str text = {0};
        some_invariant(&inv, true);
        inv.k = depths[rng_below(&rng, i % 100 ? 4 : 7)];
        struct certificate c = {
            .base = {.woven = "int x;\n", .module = &module, .sys = &sys, .invariant = &inv},
            .probes = &probe,
            .n_probes = 1};
        if (!certificate_write(&c, &text, &err)) {
            TEST_ASSERT_EQUAL_INT(ERR_EVIDENCE, err.code);
            refused++;
        }
        err_clear(&err);
        str_free(&text);
        invariant_free(&inv);
    }
    TEST_ASSERT_GREATER_THAN_size_t(100, refused);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_clauses_mean_the_same);
    RUN_TEST(test_tidy);
    RUN_TEST(test_forged);
    return UNITY_END();
}
