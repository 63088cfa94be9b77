/* lowered_case: a small woven text, lowered, and run step by step in a test.
 *
 *     struct lowered_case c;
 *     case_open(&c, "void gk_step(void) { if (gk_input_i32(0) > 3) gk_hit(0); }");
 *     case_step(&c, (uint64_t[]){5});            // bits of inputs 0, 1, …
 *     TEST_ASSERT_TRUE(case_hit(&c, 0));
 *     case_close(&c);
 */
#ifndef TESTS_LOWERED_CASE_H
#define TESTS_LOWERED_CASE_H

#include "instrument/lower/lower.h"
#include "model/system/machine.h"

#include "unity.h"

#define CASE_PROLOGUE                                                                              \
    "extern void gk_hit(unsigned); extern void gk_assume(int);\n"                                  \
    "extern int gk_input_i32(unsigned); extern unsigned gk_input_u32(unsigned);\n"                 \
    "extern unsigned char gk_input_u8(unsigned); extern signed char gk_input_i8(unsigned);\n"      \
    "extern short gk_input_i16(unsigned); extern unsigned short gk_input_u16(unsigned);\n"         \
    "extern long long gk_input_i64(unsigned); extern _Bool gk_input_b(unsigned);\n"                \
    "extern float gk_input_f32(unsigned); extern double gk_input_f64(unsigned);\n"                 \
    "#line 1 \"case.c\"\n"

struct lowered_case {
    struct terms terms;
    struct system sys;
    struct lowered lowered;
    struct machine machine;
    struct module module;
    struct err err;
};

static bool case_try(struct lowered_case *c, const char *text, struct lower_options options) {
    struct str all = {0};
    *c = (struct lowered_case){.module = {.ilp32 = true, .char_is_signed = true, .name = "case"}};
    terms_init(&c->terms);
    system_init(&c->sys, &c->terms);
    str_add(&all, CASE_PROLOGUE);
    str_add(&all, text);
    bool ok = lower(str_text(&all), &c->module, &options, &c->sys, &c->lowered, &c->err);
    str_free(&all);
    if (ok)
        machine_init(&c->machine, &c->sys);
    return ok;
}

/* Inputs that are not given (unspecified ones, later requests of the same input) are 0. */
static uint64_t *case_inputs(struct lowered_case *c, const uint64_t *bits, size_t n) {
    uint64_t *inputs = arena_array(&c->lowered.arena, uint64_t, c->sys.inputs.len + 1);
    for (size_t i = 0; i < c->sys.inputs.len; i++) {
        const struct sys_input *in = &c->sys.inputs.data[i];
        if (in->module_input < n)
            inputs[i] = bits[in->module_input];
    }
    return inputs;
}

static void case_reset(struct lowered_case *c) {
    c->machine.unspecified = c->machine.ended = false;
    machine_reset(&c->machine, case_inputs(c, NULL, 0));
}

static void case_open(struct lowered_case *c, const char *text) {
    bool ok = case_try(c, text, (struct lower_options){0});
    TEST_ASSERT_TRUE_MESSAGE(ok, str_text(&c->err.message));
    case_reset(c);
}

static void case_close(struct lowered_case *c) {
    if (c->err.code == ERR_NONE) {
        machine_free(&c->machine);
        lowered_free(&c->lowered);
    }
    system_free(&c->sys);
    terms_free(&c->terms);
    module_free(&c->module);
    err_clear(&c->err);
}

static void case_step_n(struct lowered_case *c, const uint64_t *bits, size_t n) {
    machine_step(&c->machine, case_inputs(c, bits, n));
}
#define case_step(c, ...)                                                                          \
    case_step_n((c), (const uint64_t[]){__VA_ARGS__},                                              \
                sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static const struct target *case_target(struct lowered_case *c, uint32_t probe, uint32_t *index) {
    for (uint32_t i = 0; i < c->sys.targets.len; i++)
        if (c->sys.targets.data[i].kind == TARGET_GOAL && c->sys.targets.data[i].id == probe) {
            *index = i;
            return &c->sys.targets.data[i];
        }
    TEST_FAIL_MESSAGE("no such probe");
    return NULL;
}

static inline bool case_hit(struct lowered_case *c, uint32_t probe) {
    uint32_t index = 0;
    (void)case_target(c, probe, &index);
    return machine_hit(&c->machine, index);
}

static inline term_t case_hit_term(struct lowered_case *c, uint32_t probe) {
    uint32_t index = 0;
    return case_target(c, probe, &index)->hit;
}

static inline bool case_has_limitation(const struct lowered_case *c, const char *text, int line) {
    for (size_t i = 0; i < c->lowered.limitations.len; i++) {
        const struct limitation *l = &c->lowered.limitations.data[i];
        if (strstr(l->text, text) && l->line == line && str_same(l->file, "case.c"))
            return true;
    }
    return false;
}

#endif
