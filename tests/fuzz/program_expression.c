#include "program_parts.h"

const struct type_info gen_types[TYPES] = {
    {"s8", "i8", 'i', 8},    {"u8", "u8", 'u', 8},    {"s16", "i16", 'i', 16},
    {"u16", "u16", 'u', 16}, {"s32", "i32", 'i', 32}, {"u32", "u32", 'u', 32},
    {"s64", "i64", 'i', 64}, {"u64", "u64", 'u', 64}, {"f32", "f32", 'f', 32},
    {"f64", "f64", 'f', 64},
};

uint64_t gen_pick(struct gen *g, uint64_t n) {
    return choose(g->c, n);
}

bool gen_is_float(enum type t) {
    return t == F32 || t == F64;
}

void gen_put(struct gen *g, const char *format, ...) {
    va_list args;
    va_start(args, format);
    str_vaddf(g->out, format, args);
    va_end(args);
}

/* ---- expressions ---- */

void gen_constant_int(struct gen *g) {
    static const char *const corners[] = {"0",
                                          "1",
                                          "2",
                                          "3",
                                          "7",
                                          "100",
                                          "255",
                                          "128",
                                          "-1",
                                          "-2",
                                          "32767",
                                          "32768",
                                          "65535",
                                          "0x7fffffff",
                                          "0x80000000u",
                                          "0xffffffffu",
                                          "0x7fffffffffffffffLL",
                                          "0x8000000000000000uLL",
                                          "10000000000LL",
                                          "-32768"};
    gen_put(g, "(%s)", corners[gen_pick(g, sizeof corners / sizeof *corners)]);
}

static void constant_float(struct gen *g) {
    static const char *const corners[] = {
        "0.0f",    "1.0f",  "0.5f",   "-1.0f",       "2.0f",
        "100.25f", "-0.0f", "1e-40f", "3e38f",       "0.1",
        "1e300",   "-2.5",  "1e-310", "16777216.0f", "9.9999999747524271e-07F"};
    gen_put(g, "(%s)", corners[gen_pick(g, sizeof corners / sizeof *corners)]);
}

/* A variable of the wanted kind, or a constant when there is none. */
static void variable_of(struct gen *g, bool want_float) {
    const struct variable *found[SCALARS + INPUTS + LOCALS_MAX];
    int n = 0;
    for (int i = 0; i < g->n_locals; i++)
        if (gen_is_float(g->locals[i].type) == want_float)
            found[n++] = &g->locals[i];
    for (int i = 0; i < INPUTS; i++)
        if (gen_is_float(g->inputs[i].type) == want_float)
            found[n++] = &g->inputs[i];
    for (int i = 0; i < SCALARS; i++)
        if (gen_is_float(g->scalars[i].type) == want_float)
            found[n++] = &g->scalars[i];
    if (n)
        gen_put(g, "%s", found[gen_pick(g, (uint64_t)n)]->name);
    else if (want_float)
        constant_float(g);
    else
        gen_constant_int(g);
}

void gen_binary(struct gen *g, const char *op, int depth, void (*side)(struct gen *, int)) {
    gen_put(g, "(");
    side(g, depth);
    gen_put(g, " %s ", op);
    side(g, depth);
    gen_put(g, ")");
}

static void shift(struct gen *g, int depth) {
    static const char *const kinds[] = {"u32", "s32", "u64", "s64"};
    uint64_t kind = gen_pick(g, 4);
    bool raw = gen_pick(g, 12) == 11, left = gen_pick(g, 2);
    gen_put(g, "((%s)", kinds[kind]);
    gen_int(g, depth);
    gen_put(g, left ? " << (" : " >> (");
    gen_int(g, depth);
    gen_put(g, raw ? "))" : kind < 2 ? " & 31))" : " & 63))");
}

static void division(struct gen *g, int depth) {
    bool raw = gen_pick(g, 16) == 15;
    gen_put(g, "(");
    gen_int(g, depth);
    gen_put(g, gen_pick(g, 2) ? " %% (" : " / (");
    gen_int(g, depth);
    gen_put(g, raw ? "))" : " | 1))");
}

static void cast_int(struct gen *g, int depth) {
    gen_put(g, "((%s)", gen_types[gen_pick(g, F32)].name);
    gen_int(g, depth);
    gen_put(g, ")");
}

static void int_of_float(struct gen *g, int depth) {
    enum type t = (enum type)gen_pick(g, S64);
    if (gen_pick(g, 12) == 11) {
        /* not a constant: clang would fold it, and what C leaves open with it */
        gen_put(g, "((%s)(s1 + ", gen_types[t].name);
        gen_float(g, depth);
        gen_put(g, "))");
        return;
    }
    /* the least and the largest double that the type holds */
    static const char *const limits[S64] = {
        [S8] = "-128.0, 127.0",
        [U8] = "0.0, 255.0",
        [S16] = "-32768.0, 32767.0",
        [U16] = "0.0, 65535.0",
        [S32] = "-2147483648.0, 2147483647.0",
        [U32] = "0.0, 4294967295.0",
    };
    bool at_limits = gen_pick(g, 2);
    gen_put(g, "((%s)clamp(", gen_types[t].name);
    gen_float(g, depth);
    gen_put(g, ", %s))",
            at_limits                    ? limits[t]
            : gen_types[t].letter == 'u' ? "0.0, 120.0"
                                         : "-120.0, 120.0");
}

void gen_element(struct gen *g, const struct variable *from, int depth) {
    gen_put(g, "%s[", from->name);
    if (gen_pick(g, 3) == 0) {
        gen_put(g, "%u]", (unsigned)gen_pick(g, TABLE_LEN));
        return;
    }
    gen_put(g, "(");
    gen_int(g, depth);
    gen_put(g, ") & %d]", TABLE_LEN - 1);
}

static const struct variable *array_of(struct gen *g, bool want_float) {
    const struct variable *found[TABLES + ARRAYS];
    int n = 0;
    for (int i = 0; i < TABLES; i++)
        if (gen_is_float(g->tables[i].type) == want_float)
            found[n++] = &g->tables[i];
    for (int i = 0; i < ARRAYS; i++)
        if (gen_is_float(g->arrays[i].type) == want_float)
            found[n++] = &g->arrays[i];
    return n ? found[gen_pick(g, (uint64_t)n)] : NULL;
}

static void array_element(struct gen *g, bool want_float, int depth) {
    const struct variable *from = array_of(g, want_float);
    if (from)
        gen_element(g, from, depth);
    else
        variable_of(g, want_float);
}

static void int_member(struct gen *g) {
    static const char *const members[] = {"st.a",
                                          "st.b[1]",
                                          "st.low",
                                          "st.high",
                                          "list[1].a",
                                          "list[2].low",
                                          "un.u",
                                          "un.b[2]",
                                          "who->a",
                                          "who->high",
                                          "un.h[1]",
                                          "st.flag",
                                          "*walk",
                                          "(walk - words)",
                                          "list[sel & 3].b[0]",
                                          "(who == &st)",
                                          "inner.part.a",
                                          "grid[sel & 1][2]",
                                          "*ends[sel & 1]",
                                          "(ends[0] > ends[1])",
                                          "(step == op1)",
                                          "(walk < words + 4)",
                                          "pk.wide",
                                          "pk.tiny",
                                          "pk.mid",
                                          "nest[1].in[0].a",
                                          "nest[sel & 1].in[sel & 1].low",
                                          "(*where)->a",
                                          "(*where == who)",
                                          "count_calls()",
                                          "un.s.lo",
                                          "un.s.up",
                                          "*(words + (sel & 7))",
                                          "(&st)->b[sel % 3]",
                                          "colour",
                                          "sizeof(struct S)"};
    gen_put(g, "%s", members[gen_pick(g, sizeof members / sizeof *members)]);
}

/* What is asked of a float; not a constant, which compilers fold as they like. */
static void float_test(struct gen *g, int depth) {
    static const char *const tests[] = {"isnan", "isinf_sign", "signbit", "isfinite", "isnormal"};
    uint64_t kind = gen_pick(g, 5);
    gen_put(g, kind == 2 ? "(!!__builtin_%s(s1 * s1 + fabsf((f32)" : "(__builtin_%s((s1 + (f32)",
            tests[kind]);
    gen_float(g, depth);
    gen_put(g, ")))");
}

static void call_int(struct gen *g, int depth) {
    if (gen_pick(g, 8) == 7) {
        float_test(g, depth);
        return;
    }
    if (gen_pick(g, 6) == 5) {
        gen_put(g, "(step(");
    } else if (gen_pick(g, 3) == 0) {
        gen_put(g, "(ops[(");
        gen_int(g, depth);
        gen_put(g, ") & 3](");
    } else {
        gen_put(g, "(");
        gen_put(g, g->number > 0 ? "help%u" : "op%u",
                (unsigned)gen_pick(g, g->number > 0 ? (uint64_t)g->number : 3));
        gen_put(g, "(");
    }
    gen_int(g, depth);
    gen_put(g, ", ");
    gen_int(g, depth);
    gen_put(g, "))");
}

static void choice(struct gen *g, int depth, void (*side)(struct gen *, int)) {
    gen_put(g, "(");
    gen_controlling(g, depth);
    gen_put(g, " ? ");
    side(g, depth);
    gen_put(g, " : ");
    side(g, depth);
    gen_put(g, ")");
}

void gen_int(struct gen *g, int depth) {
    static const char *const ops[] = {"+", "-", "*", "&", "|", "^"};
    if (--g->budget < 0 || depth <= 0) {
        if (gen_pick(g, 3) == 0)
            gen_constant_int(g);
        else
            variable_of(g, false);
        return;
    }
    switch (gen_pick(g, 14)) {
    case 0:
        gen_constant_int(g);
        return;
    case 1:
        variable_of(g, false);
        return;
    case 2:
    case 3:
        gen_binary(g, ops[gen_pick(g, 6)], depth - 1, gen_int);
        return;
    case 4:
        cast_int(g, depth - 1);
        return;
    case 5:
        array_element(g, false, depth - 2);
        return;
    case 6:
        int_member(g);
        return;
    case 7:
        shift(g, depth - 1);
        return;
    case 8:
        division(g, depth - 1);
        return;
    case 9:
        int_of_float(g, depth - 1);
        return;
    case 10:
        gen_controlling(g, depth - 1);
        return;
    case 11:
        choice(g, depth - 1, gen_int);
        return;
    case 12:
        call_int(g, depth - 1);
        return;
    default:
        gen_put(g, gen_pick(g, 2) ? "(-" : "(~");
        gen_int(g, depth - 1);
        gen_put(g, ")");
        return;
    }
}

/* Not a constant: compilers round the results of those as they should be, the library does not. */
static void transcendental(struct gen *g, int depth) {
    static const char *const names[] = {"sin", "cos",  "tan",  "asin",  "acos", "atan",
                                        "exp", "exp2", "log",  "log10", "tanh", "atan2",
                                        "pow", "sinf", "cosf", "expf",  "logf", "powf"};
    const char *name = names[gen_pick(g, sizeof names / sizeof *names)];
    gen_put(g, "%s(s1 + ", name);
    gen_float(g, depth);
    if (str_same(name, "atan2") || str_starts(name, "pow")) {
        gen_put(g, ", s1 - ");
        gen_float(g, depth);
    }
    gen_put(g, ")");
}

static void call_float(struct gen *g, int depth) {
    static const char *const unary[] = {"fabsf", "fabs", "sqrtf",  "sqrt",  "floorf",
                                        "floor", "ceil", "truncf", "round", "rint"};
    static const char *const binary_names[] = {"fmod",  "fmodf", "fmin",     "fmax",      "fminf",
                                               "fmaxf", "fdim",  "copysign", "copysignf", "fmin"};
    if (!g->p->module.ilp32 && gen_pick(g, 4) == 3) { /* the 32-bit library rounds differently */
        transcendental(g, depth);
        return;
    }
    if (gen_pick(g, 3) == 0) {
        gen_put(g, "%s(", binary_names[gen_pick(g, 10)]);
        gen_float(g, depth);
        gen_put(g, ", ");
        gen_float(g, depth);
        gen_put(g, ")");
        return;
    }
    gen_put(g, "%s(", unary[gen_pick(g, sizeof unary / sizeof *unary)]);
    gen_float(g, depth);
    gen_put(g, ")");
}

void gen_float(struct gen *g, int depth) {
    static const char *const ops[] = {"+", "-", "*", "/"};
    static const char *const members[] = {"st.x",
                                          "list[1].x",
                                          "un.f",
                                          "who->x",
                                          "list[sel & 3].x",
                                          "inner.part.x",
                                          "(*where)->x",
                                          "nest[sel & 1].in[1].x",
                                          "pk.d"};
    if (--g->budget < 0 || depth <= 0) {
        if (gen_pick(g, 3) == 0)
            constant_float(g);
        else
            variable_of(g, true);
        return;
    }
    switch (gen_pick(g, 10)) {
    case 0:
        constant_float(g);
        return;
    case 1:
        variable_of(g, true);
        return;
    case 2:
    case 3:
        gen_binary(g, ops[gen_pick(g, 4)], depth - 1, gen_float);
        return;
    case 4:
        gen_put(g, gen_pick(g, 2) ? "((f32)" : "((f64)");
        gen_int(g, depth - 1);
        gen_put(g, ")");
        return;
    case 5:
        array_element(g, true, depth - 2);
        return;
    case 6:
        gen_put(g, "%s", members[gen_pick(g, sizeof members / sizeof *members)]);
        return;
    case 7:
        choice(g, depth - 1, gen_float);
        return;
    case 8:
        call_float(g, depth - 1);
        return;
    default:
        gen_put(g, gen_pick(g, 2) ? "(-" : "((f32)");
        gen_float(g, depth - 1);
        gen_put(g, ")");
        return;
    }
}
