#include "program.h"

#include <stdio.h>

enum type { S8, U8, S16, U16, S32, U32, S64, U64, F32, F64, TYPES };

struct type_info {
    const char *name, *suffix;
    char letter;
    int bits;
};
static const struct type_info types[TYPES] = {
    {"s8", "i8", 'i', 8},    {"u8", "u8", 'u', 8},    {"s16", "i16", 'i', 16},
    {"u16", "u16", 'u', 16}, {"s32", "i32", 'i', 32}, {"u32", "u32", 'u', 32},
    {"s64", "i64", 'i', 64}, {"u64", "u64", 'u', 64}, {"f32", "f32", 'f', 32},
    {"f64", "f64", 'f', 64},
};

enum {
    SCALARS = 8,
    INPUTS = 5,
    TABLES = 3,
    ARRAYS = 3,
    TABLE_LEN = 8,
    HELPERS = 4,
    LOCALS_MAX = 12
};

struct variable {
    char name[24];
    enum type type;
    bool is_const; /* loop counters and parameters that must not be assigned */
};

struct gen {
    struct choices *c;
    struct program *p;
    struct str *out;
    struct variable scalars[SCALARS], inputs[INPUTS], tables[TABLES], arrays[ARRAYS];
    struct variable locals[LOCALS_MAX];
    int n_locals, indent, depth_of_loops;
    int helper; /* number of the function being made; calls go to lower ones */
    enum type result;
    bool in_loop;
    int n_names, budget;
};

static uint64_t pick(struct gen *g, uint64_t n) {
    return choose(g->c, n);
}

static bool is_float(enum type t) {
    return t == F32 || t == F64;
}

static void put(struct gen *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct gen *g, const char *format, ...) {
    va_list args;
    va_start(args, format);
    str_vaddf(g->out, format, args);
    va_end(args);
}

static void line(struct gen *g) {
    put(g, "\n%*s", g->indent * 2, "");
}

static void probe(struct gen *g) {
    line(g);
    put(g, "gk_hit(%u);", g->p->n_probes++);
}

/* ---- expressions ---- */

static void expr_int(struct gen *g, int depth);
static void expr_float(struct gen *g, int depth);
static void expr_bool(struct gen *g, int depth);

static void constant_int(struct gen *g) {
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
    put(g, "(%s)", corners[pick(g, sizeof corners / sizeof *corners)]);
}

static void constant_float(struct gen *g) {
    static const char *const corners[] = {
        "0.0f",    "1.0f",  "0.5f",   "-1.0f",       "2.0f",
        "100.25f", "-0.0f", "1e-40f", "3e38f",       "0.1",
        "1e300",   "-2.5",  "1e-310", "16777216.0f", "9.9999999747524271e-07F"};
    put(g, "(%s)", corners[pick(g, sizeof corners / sizeof *corners)]);
}

/* A variable of the wanted kind, or a constant when there is none. */
static void variable_of(struct gen *g, bool want_float) {
    const struct variable *found[SCALARS + INPUTS + LOCALS_MAX];
    int n = 0;
    for (int i = 0; i < g->n_locals; i++)
        if (is_float(g->locals[i].type) == want_float)
            found[n++] = &g->locals[i];
    for (int i = 0; i < INPUTS; i++)
        if (is_float(g->inputs[i].type) == want_float)
            found[n++] = &g->inputs[i];
    for (int i = 0; i < SCALARS; i++)
        if (is_float(g->scalars[i].type) == want_float)
            found[n++] = &g->scalars[i];
    if (n)
        put(g, "%s", found[pick(g, (uint64_t)n)]->name);
    else if (want_float)
        constant_float(g);
    else
        constant_int(g);
}

static void binary(struct gen *g, const char *op, int depth, void (*side)(struct gen *, int)) {
    put(g, "(");
    side(g, depth);
    put(g, " %s ", op);
    side(g, depth);
    put(g, ")");
}

static void shift(struct gen *g, int depth) {
    static const char *const kinds[] = {"u32", "s32", "u64", "s64"};
    uint64_t kind = pick(g, 4);
    bool raw = pick(g, 12) == 11, left = pick(g, 2);
    put(g, "((%s)", kinds[kind]);
    expr_int(g, depth);
    put(g, left ? " << (" : " >> (");
    expr_int(g, depth);
    put(g, raw ? "))" : kind < 2 ? " & 31))" : " & 63))");
}

static void division(struct gen *g, int depth) {
    bool raw = pick(g, 16) == 15;
    put(g, "(");
    expr_int(g, depth);
    put(g, pick(g, 2) ? " %% (" : " / (");
    expr_int(g, depth);
    put(g, raw ? "))" : " | 1))");
}

static void cast_int(struct gen *g, int depth) {
    put(g, "((%s)", types[pick(g, F32)].name);
    expr_int(g, depth);
    put(g, ")");
}

static void int_of_float(struct gen *g, int depth) {
    enum type t = (enum type)pick(g, S64);
    if (pick(g, 12) == 11) {
        /* not a constant: clang would fold it, and what C leaves open with it */
        put(g, "((%s)(s1 + ", types[t].name);
        expr_float(g, depth);
        put(g, "))");
        return;
    }
    put(g, "((%s)clamp(", types[t].name);
    expr_float(g, depth);
    put(g, types[t].letter == 'u' ? ", 0.0, %s))" : ", -%s, %s))", "120.0", "120.0");
}

static void element(struct gen *g, const struct variable *from, int depth) {
    put(g, "%s[", from->name);
    if (pick(g, 3) == 0) {
        put(g, "%u]", (unsigned)pick(g, TABLE_LEN));
        return;
    }
    put(g, "(");
    expr_int(g, depth);
    put(g, ") & %d]", TABLE_LEN - 1);
}

static const struct variable *array_of(struct gen *g, bool want_float) {
    const struct variable *found[TABLES + ARRAYS];
    int n = 0;
    for (int i = 0; i < TABLES; i++)
        if (is_float(g->tables[i].type) == want_float)
            found[n++] = &g->tables[i];
    for (int i = 0; i < ARRAYS; i++)
        if (is_float(g->arrays[i].type) == want_float)
            found[n++] = &g->arrays[i];
    return n ? found[pick(g, (uint64_t)n)] : NULL;
}

static void array_element(struct gen *g, bool want_float, int depth) {
    const struct variable *from = array_of(g, want_float);
    if (from)
        element(g, from, depth);
    else
        variable_of(g, want_float);
}

static void int_member(struct gen *g) {
    static const char *const members[] = {
        "st.a",         "st.b[1]",     "st.low",  "st.high",        "list[1].a",
        "list[2].low",  "un.u",        "un.b[2]", "who->a",         "who->high",
        "un.h[1]",      "st.flag",     "*walk",   "(walk - words)", "list[sel & 3].b[0]",
        "(who == &st)", "inner.part.a"};
    put(g, "%s", members[pick(g, sizeof members / sizeof *members)]);
}

static void call_int(struct gen *g, int depth) {
    if (pick(g, 3) == 0) {
        put(g, "(ops[(");
        expr_int(g, depth);
        put(g, ") & 3](");
    } else {
        put(g, g->helper > 0 ? "(help%u(" : "(op%u(",
            (unsigned)pick(g, g->helper > 0 ? (uint64_t)g->helper : 3));
    }
    expr_int(g, depth);
    put(g, ", ");
    expr_int(g, depth);
    put(g, "))");
}

static void choice(struct gen *g, int depth, void (*side)(struct gen *, int)) {
    put(g, "(");
    expr_bool(g, depth);
    put(g, " ? ");
    side(g, depth);
    put(g, " : ");
    side(g, depth);
    put(g, ")");
}

static void expr_int(struct gen *g, int depth) {
    static const char *const ops[] = {"+", "-", "*", "&", "|", "^"};
    if (--g->budget < 0 || depth <= 0) {
        if (pick(g, 3) == 0)
            constant_int(g);
        else
            variable_of(g, false);
        return;
    }
    switch (pick(g, 14)) {
    case 0:
        constant_int(g);
        return;
    case 1:
        variable_of(g, false);
        return;
    case 2:
    case 3:
        binary(g, ops[pick(g, 6)], depth - 1, expr_int);
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
        expr_bool(g, depth - 1);
        return;
    case 11:
        choice(g, depth - 1, expr_int);
        return;
    case 12:
        call_int(g, depth - 1);
        return;
    default:
        put(g, pick(g, 2) ? "(-" : "(~");
        expr_int(g, depth - 1);
        put(g, ")");
        return;
    }
}

static void call_float(struct gen *g, int depth) {
    static const char *const unary[] = {"fabsf", "fabs", "sqrtf",  "sqrt",  "floorf",
                                        "floor", "ceil", "truncf", "round", "rint"};
    if (pick(g, 6) == 0) {
        put(g, "%s(", pick(g, 2) ? "fmod" : "fmodf");
        expr_float(g, depth);
        put(g, ", ");
        expr_float(g, depth);
        put(g, ")");
        return;
    }
    put(g, "%s(", unary[pick(g, sizeof unary / sizeof *unary)]);
    expr_float(g, depth);
    put(g, ")");
}

static void expr_float(struct gen *g, int depth) {
    static const char *const ops[] = {"+", "-", "*", "/"};
    static const char *const members[] = {"st.x",   "list[1].x",       "un.f",
                                          "who->x", "list[sel & 3].x", "inner.part.x"};
    if (--g->budget < 0 || depth <= 0) {
        if (pick(g, 3) == 0)
            constant_float(g);
        else
            variable_of(g, true);
        return;
    }
    switch (pick(g, 10)) {
    case 0:
        constant_float(g);
        return;
    case 1:
        variable_of(g, true);
        return;
    case 2:
    case 3:
        binary(g, ops[pick(g, 4)], depth - 1, expr_float);
        return;
    case 4:
        put(g, pick(g, 2) ? "((f32)" : "((f64)");
        expr_int(g, depth - 1);
        put(g, ")");
        return;
    case 5:
        array_element(g, true, depth - 2);
        return;
    case 6:
        put(g, "%s", members[pick(g, sizeof members / sizeof *members)]);
        return;
    case 7:
        choice(g, depth - 1, expr_float);
        return;
    case 8:
        call_float(g, depth - 1);
        return;
    default:
        put(g, pick(g, 2) ? "(-" : "((f32)");
        expr_float(g, depth - 1);
        put(g, ")");
        return;
    }
}

static void expr_bool(struct gen *g, int depth) {
    static const char *const compare[] = {"<", "<=", ">", ">=", "==", "!="};
    switch (pick(g, 8)) {
    case 0:
        put(g, "(");
        expr_int(g, depth - 1);
        put(g, " > 0)");
        return;
    case 1:
    case 2:
        binary(g, compare[pick(g, 6)], depth - 1, expr_int);
        return;
    case 3:
        binary(g, compare[pick(g, 6)], depth - 1, expr_float);
        return;
    case 4:
        put(g, "%s", pick(g, 2) ? "flag" : "(who != 0)");
        return;
    case 5:
        put(g, "(!");
        expr_bool(g, depth - 1);
        put(g, ")");
        return;
    default:
        if (depth <= 0)
            put(g, "flag");
        else
            binary(g, pick(g, 2) ? "&&" : "||", depth - 1, expr_bool);
        return;
    }
}

/* ---- statements ---- */

static void statement(struct gen *g, int depth);

static void block(struct gen *g, int depth) {
    int locals = g->n_locals;
    uint64_t n = 1 + pick(g, 3);
    put(g, "{");
    g->indent++;
    for (uint64_t i = 0; i < n; i++)
        statement(g, depth - 1);
    g->indent--;
    line(g);
    put(g, "}");
    g->n_locals = locals;
}

static void assign_variable(struct gen *g) {
    const struct variable *v = &g->scalars[pick(g, SCALARS)];
    if (g->n_locals && pick(g, 2)) {
        v = &g->locals[pick(g, (uint64_t)g->n_locals)];
        if (v->is_const)
            v = &g->scalars[0];
    }
    static const char *const ops[] = {"=", "+=", "-=", "*="};
    put(g, "%s %s ", v->name, ops[pick(g, 4)]);
    if (is_float(v->type)) {
        expr_float(g, 3);
    } else {
        put(g, "(%s)", types[v->type].name);
        expr_int(g, 3);
    }
    put(g, ";");
}

static void assign_element(struct gen *g) {
    const struct variable *to = &g->arrays[pick(g, ARRAYS)];
    element(g, to, 1);
    put(g, " = (%s)", types[to->type].name);
    if (is_float(to->type))
        expr_float(g, 2);
    else
        expr_int(g, 2);
    put(g, ";");
}

static void assign_member(struct gen *g) {
    static const char *const ints[] = {"st.a",
                                       "st.low",
                                       "st.high",
                                       "list[2].high",
                                       "un.u",
                                       "un.b[1]",
                                       "who->low",
                                       "st.flag",
                                       "*walk",
                                       "un.h[0]",
                                       "list[sel & 3].b[1]",
                                       "inner.part.b[0]",
                                       "sel"};
    static const char *const floats[] = {"st.x", "un.f", "who->x", "list[sel & 3].x"};
    if (pick(g, 3) == 0) {
        put(g, "%s = (f32)", floats[pick(g, 4)]);
        expr_float(g, 2);
    } else {
        put(g, "%s = ", ints[pick(g, sizeof ints / sizeof *ints)]);
        expr_int(g, 2);
    }
    put(g, ";");
}

static void assign_pointer(struct gen *g) {
    static const char *const forms[] = {
        "who = &st;",
        "who = &list[sel & 3];",
        "who = flag ? &list[1] : &st;",
        "walk = words;",
        "if (walk < words + 7) walk++;",
        "if (walk > words) --walk;",
        "walk = &words[sel & 7];",
        "list[1] = st;",
        "st = list[sel & 3];",
        "inner.part = *who;",
        "st = twist(list[2]);",
        "*who = inner.part;",
        "bump(&st.a, &words[sel & 7]);",
        "bump(&list[sel & 3].a, walk);",
        "un.f = (f32)st.a;",
        "memcpy(&un.u, &st.x, 4);",
        "memset(words, 0, sizeof words);",
        "memset(&list[1], 0, sizeof list[1]);",
        "st.x = search(curve, (f32)st.a);",
        "flag = st.x > 1.0f;",
    };
    put(g, "%s", forms[pick(g, sizeof forms / sizeof *forms)]);
}

static void declare_local(struct gen *g) {
    if (g->n_locals == LOCALS_MAX) {
        assign_variable(g);
        return;
    }
    struct variable v = {.type = (enum type)pick(g, TYPES)};
    snprintf(v.name, sizeof v.name, "v%d", g->n_names++);
    put(g, "%s %s", types[v.type].name, v.name);
    if (pick(g, 12) == 11) { /* sometimes not initialised */
        put(g, ";");
    } else {
        put(g, " = (%s)", types[v.type].name);
        if (is_float(v.type))
            expr_float(g, 2);
        else
            expr_int(g, 2);
        put(g, ";");
    }
    g->locals[g->n_locals++] = v;
}

static void if_statement(struct gen *g, int depth) {
    put(g, "if (");
    expr_bool(g, 2);
    put(g, ") ");
    block(g, depth);
    if (pick(g, 2)) {
        put(g, " else ");
        block(g, depth);
    }
}

static void loop_exit(struct gen *g) {
    if (pick(g, 3))
        return;
    line(g);
    put(g, "if (");
    expr_bool(g, 1);
    put(g, pick(g, 2) ? ") break;" : ") continue;");
}

static void loop_statement(struct gen *g, int depth) {
    int name = g->n_names++;
    bool symbolic = pick(g, 3) == 2, countdown = pick(g, 4) == 3;
    if (g->depth_of_loops >= 2 || g->n_locals == LOCALS_MAX) {
        assign_element(g);
        return;
    }
    if (symbolic)
        put(g, "for (s32 i%d = 0; i%d < (s32)(sel & 3); i%d++) {", name, name, name);
    else if (countdown)
        put(g, "for (s32 i%d = 4; i%d-- > 0;) {", name, name);
    else
        put(g, "for (s32 i%d = 0; i%d < %u; i%d++) {", name, name, 1 + (unsigned)pick(g, 6), name);
    int locals = g->n_locals;
    struct variable *v = &g->locals[g->n_locals++];
    *v = (struct variable){.type = S32, .is_const = true};
    snprintf(v->name, sizeof v->name, "i%d", name);
    g->depth_of_loops++;
    g->indent++;
    statement(g, depth - 1);
    loop_exit(g);
    statement(g, depth - 1);
    g->indent--;
    g->depth_of_loops--;
    g->n_locals = locals;
    line(g);
    put(g, "}");
}

static void switch_statement(struct gen *g, int depth) {
    uint64_t n = 1 + pick(g, 4);
    put(g, "switch (");
    expr_int(g, 2);
    put(g, " & 7) {");
    for (uint64_t i = 0; i < n; i++) {
        line(g);
        put(g, "case %u:", (unsigned)i * 2);
        g->indent++;
        int locals = g->n_locals;
        line(g);
        block(g, depth - 1);
        g->n_locals = locals;
        if (pick(g, 3)) {
            line(g);
            put(g, "break;");
        }
        g->indent--;
    }
    line(g);
    put(g, "default: ;");
    line(g);
    put(g, "}");
}

static void statement(struct gen *g, int depth) {
    uint64_t kind = pick(g, depth > 0 ? 12 : 6);
    line(g);
    if (g->budget < 0)
        kind = 0;
    switch (kind) {
    case 0:
        put(g, "gk_hit(%u);", g->p->n_probes++);
        return;
    case 1:
    case 2:
        assign_variable(g);
        return;
    case 3:
        assign_element(g);
        return;
    case 4:
        assign_member(g);
        return;
    case 5:
        assign_pointer(g);
        return;
    case 6:
    case 7:
        if_statement(g, depth);
        return;
    case 8:
        loop_statement(g, depth);
        return;
    case 9:
        switch_statement(g, depth);
        return;
    default:
        declare_local(g);
        return;
    }
}

/* ---- the program ---- */

static void add_state(struct gen *g, const char *path, char letter, int bits) {
    struct module_var v = {.path = arena_strdup(&g->p->module.arena, path),
                           .c_expr = arena_strdup(&g->p->module.arena, path),
                           .role = VAR_STATE,
                           .type = letter,
                           .bits = (uint8_t)bits};
    vec_push(&g->p->module.state, v);
}

static void prologue(struct gen *g) {
    put(g, "extern void gk_hit(unsigned);\nextern void gk_assume(int);\n"
           "typedef signed char s8; typedef unsigned char u8; typedef short s16;\n"
           "typedef unsigned short u16; typedef int s32; typedef unsigned u32;\n"
           "typedef long long s64; typedef unsigned long long u64;\n"
           "typedef float f32; typedef double f64;\n");
    for (int t = 0; t < TYPES; t++)
        put(g, "extern %s gk_input_%s(unsigned);\n", types[t].name, types[t].suffix);
    put(g, "extern _Bool gk_input_b(unsigned);\n"
           "double fabs(double); float fabsf(float); double sqrt(double); float sqrtf(float);\n"
           "double floor(double); float floorf(float); double ceil(double); float truncf(float);\n"
           "double round(double); double rint(double); double fmod(double, double);\n"
           "float fmodf(float, float);\n"
           "void *memcpy(void *, const void *, __SIZE_TYPE__);\n"
           "void *memset(void *, int, __SIZE_TYPE__);\n"
           "struct S { s16 a; u8 b[3]; u32 low : 3; s32 high : 5; f32 x; _Bool flag; };\n"
           "static struct S st = {5, {1, 2, 3}, 2, -3, 1.5f, 1}, list[4], *who = &st;\n"
           "static struct { u8 tag; struct S part; } inner;\n"
           "static union { f32 f; u32 u; u8 b[4]; u16 h[2]; } un;\n"
           "static u16 words[8] = {1, 2, 3}, *walk = words;\n"
           "static u8 sel; static _Bool flag;\n"
           "static const f32 curve[6] = {0.0f, 1.0f, 2.5f, 10.0f, 100.0f, 3e38f};\n"
           "static f64 clamp(f64 x, f64 lo, f64 hi) { return x > lo ? (x < hi ? x : hi) : lo; }\n"
           "static f32 search(const f32 *p, f32 x) {\n"
           "  const f32 *start = p; while (x > *p) p++; return (f32)(p - start); }\n"
           "static struct S twist(struct S s) { s.a++; s.x = -s.x; s.low += 3; return s; }\n"
           "static void bump(s16 *a, u16 *b) { (*a)++; *b = (u16)(*b + *a); }\n"
           "static s32 op0(s32 a, s32 b) { return a + b; }\n"
           "static s32 op1(s32 a, s32 b) { return a > b ? a : b; }\n"
           "static s32 op2(s32 a, s32 b) { return a ^ (b << 1); }\n"
           "static s32 op3(s32 a, s32 b) { return -a - b; }\n"
           "static s32 (*const ops[4])(s32, s32) = {op0, op1, op2, op3};\n");
}

static void declare_globals(struct gen *g) {
    for (int i = 0; i < INPUTS; i++) {
        g->inputs[i].type = i == 0 ? U8 : (enum type)pick(g, TYPES);
        snprintf(g->inputs[i].name, sizeof g->inputs[i].name, "in%d", i);
        put(g, "static %s in%d;\n", types[g->inputs[i].type].name, i);
    }
    for (int i = 0; i < SCALARS; i++) {
        enum type t = i == 0 ? S32 : i == 1 ? F32 : (enum type)pick(g, TYPES);
        g->scalars[i].type = t;
        snprintf(g->scalars[i].name, sizeof g->scalars[i].name, "s%d", i);
        put(g, "static %s s%d = (%s)", types[t].name, i, types[t].name);
        constant_int(g);
        put(g, ";\n");
    }
    for (int i = 0; i < TABLES + ARRAYS; i++) {
        struct variable *v = i < TABLES ? &g->tables[i] : &g->arrays[i - TABLES];
        v->type = (enum type)pick(g, TYPES);
        snprintf(v->name, sizeof v->name, i < TABLES ? "tab%d" : "arr%d", i);
        put(g, "static %s%s %s[%d] = {", i < TABLES ? "const " : "", types[v->type].name, v->name,
            TABLE_LEN);
        for (int k = 0; k < TABLE_LEN; k++) {
            put(g, "(%s)", types[v->type].name);
            constant_int(g);
            put(g, ", ");
        }
        put(g, "};\n");
    }
}

static void make_helper(struct gen *g, int number) {
    g->helper = number;
    g->n_locals = 2;
    for (int i = 0; i < 2; i++) {
        g->locals[i] = (struct variable){.type = S32};
        snprintf(g->locals[i].name, sizeof g->locals[i].name, "p%d", i);
    }
    put(g, "static s32 help%d(s32 p0, s32 p1) {", number);
    g->indent = 1;
    statement(g, 2);
    if (pick(g, 2)) {
        line(g);
        put(g, "if (");
        expr_bool(g, 2);
        put(g, ") return ");
        expr_int(g, 2);
        put(g, ";");
        probe(g);
    }
    statement(g, 1);
    line(g);
    put(g, "return ");
    expr_int(g, 2);
    put(g, ";\n}\n");
}

/* A number that depends on all state: it makes every cell count. */
static void read_state(struct gen *g) {
    line(g);
    put(g,
        "u64 sum = (u64)(st.a ^ st.low ^ st.high ^ st.flag ^ st.b[0] ^ st.b[1] ^ st.b[2] ^ sel ^ "
        "flag) ^ un.u ^ (u64)(walk - words) ^ (who == &st);");
    for (int i = 0; i < SCALARS; i++) {
        line(g);
        put(g, is_float(g->scalars[i].type) ? "sum += %s > 1;" : "sum ^= (u64)%s;",
            g->scalars[i].name);
    }
    line(g);
    put(g, "for (int i = 0; i < 8; i++) { sum += words[i];");
    for (int i = 0; i < ARRAYS; i++)
        put(g, is_float(g->arrays[i].type) ? " sum += %s[i] > 1;" : " sum ^= (u64)%s[i];",
            g->arrays[i].name);
    put(g, " }");
    line(g);
    put(g, "for (int i = 0; i < 4; i++) { struct S *s = &list[i]; sum += s->a ^ s->low ^ s->high ^ "
           "s->flag ^ s->b[0] ^ s->b[1] ^ s->b[2]; sum += s->x > 1; }");
    line(g);
    put(g,
        "sum += inner.tag + inner.part.a + inner.part.b[0] + inner.part.b[1] + inner.part.b[2] + "
        "inner.part.low + inner.part.high + inner.part.flag + (inner.part.x > 1) + (st.x > 1);");
    line(g);
    put(g, "if (sum == 77) gk_hit(%u);", g->p->n_probes++);
}

static void make_step(struct gen *g) {
    g->helper = HELPERS;
    g->n_locals = 0;
    g->indent = 1;
    put(g, "void gk_init(void) {");
    line(g);
    put(g, "s0 = 3;");
    if (pick(g, 3) == 2)
        put(g, " sel = gk_input_u8(7); who = sel > 100 ? &list[1] : &st;");
    put(g, "\n}\nvoid gk_step(void) {");
    for (int i = 0; i < INPUTS; i++) {
        line(g);
        put(g, "in%d = gk_input_%s(%d);", i, types[g->inputs[i].type].suffix, i);
        if (pick(g, 4) == 3)
            put(g, " gk_assume(in%d >= 0 && in%d <= 100);", i, i);
    }
    line(g);
    put(g, "sel = (u8)(in0 >> 2); flag = in0 & 1;");
    read_state(g);
    uint64_t n = 2 + pick(g, 8);
    for (uint64_t i = 0; i < n; i++)
        statement(g, 3);
    put(g, "\n}\n");
}

static void list_struct(struct gen *g, const char *name) {
    static const struct {
        const char *member;
        char letter;
        int bits;
    } members[] = {{"a", 'i', 16},  {"b[0]", 'u', 8}, {"b[1]", 'u', 8}, {"b[2]", 'u', 8},
                   {"low", 'u', 3}, {"high", 'i', 5}, {"x", 'f', 32},   {"flag", 'b', 1}};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        struct str path = {0};
        str_addf(&path, "%s.%s", name, members[i].member);
        add_state(g, str_text(&path), members[i].letter, members[i].bits);
        str_free(&path);
    }
}

static void list_state(struct gen *g) {
    char name[32];
    for (int i = 0; i < INPUTS; i++)
        add_state(g, g->inputs[i].name, types[g->inputs[i].type].letter,
                  types[g->inputs[i].type].bits);
    for (int i = 0; i < SCALARS; i++)
        add_state(g, g->scalars[i].name, types[g->scalars[i].type].letter,
                  types[g->scalars[i].type].bits);
    for (int i = 0; i < ARRAYS; i++)
        for (int k = 0; k < TABLE_LEN; k++) {
            snprintf(name, sizeof name, "%s[%d]", g->arrays[i].name, k);
            add_state(g, name, types[g->arrays[i].type].letter, types[g->arrays[i].type].bits);
        }
    list_struct(g, "st");
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "list[%d]", i);
        list_struct(g, name);
    }
    list_struct(g, "inner.part");
    add_state(g, "un.u", 'u', 32);
    for (int k = 0; k < 8; k++) {
        snprintf(name, sizeof name, "words[%d]", k);
        add_state(g, name, 'u', 16);
    }
    add_state(g, "sel", 'u', 8);
    add_state(g, "flag", 'b', 1);
}

static bool is_bit_field(const struct module_var *v) {
    return v->bits < 8 && v->type != 'b';
}

static void write_tables(struct gen *g) {
    put(g, "#ifdef GK_NATIVE\n"
           "struct gk_cell { void *address; char type; unsigned char bits; unsigned id; };\n"
           "const struct gk_cell gk_cells[] = {\n");
    for (size_t i = 0; i < g->p->module.state.len; i++) {
        const struct module_var *v = &g->p->module.state.data[i];
        put(g, "  {%s%s, '%c', %d, %zu},\n", is_bit_field(v) ? "" : "(void *)&",
            is_bit_field(v) ? "0" : v->path, v->type, v->bits, i);
    }
    put(g,
        "};\nconst unsigned gk_cell_count = %zu;\n"
        "unsigned long long gk_cell_read(unsigned index) {\n"
        "  union { f32 f; f64 d; unsigned u; unsigned long long l; } bits = {0};\n"
        "  switch (index) {\n",
        g->p->module.state.len);
    for (size_t i = 0; i < g->p->module.state.len; i++) {
        const struct module_var *v = &g->p->module.state.data[i];
        put(g, "  case %zu: ", i);
        if (v->type == 'f')
            put(g, "bits.%c = %s; break;\n", v->bits == 32 ? 'f' : 'd', v->path);
        else
            put(g, "bits.l = (unsigned long long)%s; break;\n", v->path);
    }
    put(g, "  }\n  return bits.l;\n}\n#endif\n");
}

void program_make(struct program *p, struct choices *c, bool ilp32) {
    *p = (struct program){0};
    p->module.ilp32 = ilp32;
    p->module.char_is_signed = true;
    p->module.name = "random";
    struct gen g = {.c = c, .p = p, .out = &p->text, .budget = 400};
    prologue(&g);
    declare_globals(&g);
    for (int i = 0; i < HELPERS; i++)
        make_helper(&g, i);
    make_step(&g);
    list_state(&g);
    write_tables(&g);
}

void program_free(struct program *p) {
    str_free(&p->text);
    module_free(&p->module);
}
