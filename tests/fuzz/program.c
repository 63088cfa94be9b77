#include "program_parts.h"

#include <stdio.h>

void gen_line(struct gen *g) {
    gen_put(g, "\n%*s", g->indent * 2, "");
}

static void probe(struct gen *g) {
    gen_line(g);
    gen_put(g, "gk_hit(%u);", g->p->n_probes++);
}

/* ---- statements ---- */

static void block(struct gen *g, int depth) {
    int locals = g->n_locals;
    uint64_t n = 1 + gen_pick(g, 3);
    gen_put(g, "{");
    g->indent++;
    for (uint64_t i = 0; i < n; i++)
        gen_statement(g, depth - 1);
    g->indent--;
    gen_line(g);
    gen_put(g, "}");
    g->n_locals = locals;
}

static void assign_variable(struct gen *g) {
    const struct variable *v = &g->scalars[gen_pick(g, SCALARS)];
    if (g->n_locals && gen_pick(g, 2)) {
        v = &g->locals[gen_pick(g, (uint64_t)g->n_locals)];
        if (v->is_const)
            v = &g->scalars[0];
    }
    static const char *const ops[] = {"=", "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>="};
    uint64_t op = gen_pick(g, gen_is_float(v->type) ? 4 : 9);
    if (op == 0 && gen_pick(g, 6) == 5) {
        gen_put(g, gen_pick(g, 2) ? "%s++;" : "--%s;", v->name);
        return;
    }
    gen_put(g, "%s %s ", v->name, ops[op]);
    if (op >= 7) {
        gen_put(g, "%u;", (unsigned)gen_pick(g, (uint64_t)gen_types[v->type].bits));
    } else if (gen_is_float(v->type)) {
        gen_float(g, 3);
        gen_put(g, ";");
    } else {
        gen_put(g, "(%s)", gen_types[v->type].name);
        gen_int(g, 3);
        gen_put(g, ";");
    }
}

static void assign_element(struct gen *g) {
    const struct variable *to = &g->arrays[gen_pick(g, ARRAYS)];
    gen_element(g, to, 1);
    gen_put(g, " = (%s)", gen_types[to->type].name);
    if (gen_is_float(to->type))
        gen_float(g, 2);
    else
        gen_int(g, 2);
    gen_put(g, ";");
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
                                       "sel",
                                       "grid[1][sel & 3]",
                                       "*ends[sel & 1]",
                                       "pk.wide",
                                       "pk.tiny",
                                       "pk.mid",
                                       "nest[sel & 1].in[1].a",
                                       "nest[0].in[sel & 1].high",
                                       "(*where)->low",
                                       "un.s.lo",
                                       "un.s.up",
                                       "(&st)->b[sel % 3]",
                                       "letter",
                                       "plain[sel & 1]"};
    static const char *const floats[] = {
        "st.x", "un.f", "who->x", "list[sel & 3].x", "nest[sel & 1].in[0].x", "(*where)->x"};
    if (gen_pick(g, 3) == 0) {
        gen_put(g, "%s = (f32)", floats[gen_pick(g, sizeof floats / sizeof *floats)]);
        gen_float(g, 2);
    } else {
        gen_put(g, "%s = ", ints[gen_pick(g, sizeof ints / sizeof *ints)]);
        gen_int(g, 2);
    }
    gen_put(g, ";");
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
        "step = ops[sel & 3];",
        "step = step == op1 ? op2 : op1;",
        "ends[sel & 1] = &words[sel & 7];",
        "ends[0] = walk, ends[1] = words;",
        "where = flag ? &who : &other;",
        "other = &list[sel & 3];",
        "*where = &list[2];",
        "nest[1] = nest[0];",
        "nest[sel & 1].in[0] = *who;",
        "inner.part = nest[0].in[sel & 1];",
        "memmove(&words[1], &words[0], 6);",
        "memcpy(&list[0], &list[sel & 3], sizeof list[0]);",
        "pk = (struct P){sel, -2, 77, 0.5};",
        "pk.d = pk.d * 0.5 + st.x;",
        "colour = colour == RED ? GREEN : BLUE;",
        "un.s.up = un.s.lo++;",
        "do { sel--; } while (sel & 4);",
        "s0 = (st.a++, letter--, st.a + letter);",
        "st.flag = (_Bool)(letter = (char)s0);",
        ("{ u16 *p = words; while (p < words + 8 && *p < 100) p++; walk = p < words + 8 ? p : "
         "words; }"),
    };
    uint64_t form = gen_pick(g, sizeof forms / sizeof *forms + 1);
    if (form < sizeof forms / sizeof *forms)
        gen_put(g, "%s", forms[form]);
    else
        gen_put(g, "if (flag) goto over%d; st.a++; over%d:;", g->n_names, g->n_names);
    g->n_names++;
}

static void declare_local(struct gen *g) {
    if (g->n_locals == LOCALS_MAX) {
        assign_variable(g);
        return;
    }
    struct variable v = {.type = (enum type)gen_pick(g, TYPES)};
    snprintf(v.name, sizeof v.name, "v%d", g->n_names++);
    gen_put(g, "%s %s", gen_types[v.type].name, v.name);
    if (gen_pick(g, 12) == 11) { /* sometimes not initialised */
        gen_put(g, ";");
    } else {
        gen_put(g, " = (%s)", gen_types[v.type].name);
        if (gen_is_float(v.type))
            gen_float(g, 2);
        else
            gen_int(g, 2);
        gen_put(g, ";");
    }
    g->locals[g->n_locals++] = v;
}

static void if_statement(struct gen *g, int depth) {
    gen_put(g, "if (");
    gen_controlling(g, 2);
    gen_put(g, ") ");
    block(g, depth);
    if (gen_pick(g, 2)) {
        gen_put(g, " else ");
        block(g, depth);
    }
}

static void loop_exit(struct gen *g) {
    if (gen_pick(g, 3))
        return;
    gen_line(g);
    gen_put(g, "if (");
    gen_controlling(g, 1);
    gen_put(g, ") {");
    gen_put(g, gen_pick(g, 2) ? "break; }" : "continue; }");
}

static void loop_statement(struct gen *g, int depth) {
    int name = g->n_names++;
    bool symbolic = gen_pick(g, 3) == 2, countdown = gen_pick(g, 4) == 3;
    if (g->depth_of_loops >= 2 || g->n_locals == LOCALS_MAX) {
        assign_element(g);
        return;
    }
    gen_put(g, "for (s32 i%d = %d; ", name, countdown && !symbolic ? 4 : 0);
    if (symbolic)
        gen_put(g, "i%d < (s32)(sel & 3)", name);
    else if (countdown)
        gen_put(g, "i%d-- > 0", name);
    else
        gen_put(g, "i%d < %u", name, 1 + (unsigned)gen_pick(g, 6));
    if (symbolic || !countdown)
        gen_put(g, "; i%d++) {", name);
    else
        gen_put(g, ";) {");
    int locals = g->n_locals;
    struct variable *v = &g->locals[g->n_locals++];
    *v = (struct variable){.type = S32, .is_const = true};
    snprintf(v->name, sizeof v->name, "i%d", name);
    g->depth_of_loops++;
    g->indent++;
    gen_statement(g, depth - 1);
    loop_exit(g);
    gen_statement(g, depth - 1);
    g->indent--;
    g->depth_of_loops--;
    g->n_locals = locals;
    gen_line(g);
    gen_put(g, "}");
}

/* A loop with a decision of any kind; it ends after a few rounds. */
static void while_statement(struct gen *g, int depth) {
    int name = g->n_names++;
    bool do_while = gen_pick(g, 2);
    gen_put(g, "{ s32 n%d = 0; ", name);
    gen_put(g, do_while ? "do " : "while (");
    if (do_while)
        block(g, depth - 1);
    gen_put(g, do_while ? " while (" : "");
    gen_put(g, "n%d++ < 3 && ", name);
    gen_controlling(g, 1);
    gen_put(g, do_while ? ");" : ") ");
    if (!do_while)
        block(g, depth - 1);
    gen_put(g, " }");
}

static void switch_statement(struct gen *g, int depth) {
    uint64_t n = 1 + gen_pick(g, 4);
    gen_put(g, "switch (");
    gen_int(g, 2);
    gen_put(g, " & 7) {");
    for (uint64_t i = 0; i < n; i++) {
        gen_line(g);
        gen_put(g, "case %d:", (int)i * 2);
        g->indent++;
        int locals = g->n_locals;
        gen_line(g);
        block(g, depth - 1);
        g->n_locals = locals;
        if (gen_pick(g, 3)) {
            gen_line(g);
            gen_put(g, "break;");
        }
        g->indent--;
    }
    gen_line(g);
    gen_put(g, "default:;");
    gen_line(g);
    gen_put(g, "}");
}

void gen_statement(struct gen *g, int depth) {
    uint64_t kind = gen_pick(g, depth > 0 ? 13 : 6);
    gen_line(g);
    if (g->budget < 0)
        kind = 0;
    switch (kind) {
    case 0:
        gen_put(g, "gk_hit(%u);", g->p->n_probes++);
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
    case 10:
        while_statement(g, depth);
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
    gen_put(g, "typedef signed char s8; typedef unsigned char u8; typedef short s16;\n"
               "typedef unsigned short u16; typedef int s32; typedef unsigned u32;\n"
               "typedef long long s64; typedef unsigned long long u64;\n"
               "typedef float f32; typedef double f64;\n");
    gen_put(
        g,
        "double fabs(double); float fabsf(float); double sqrt(double); float sqrtf(float);\n"
        "double floor(double); float floorf(float); double ceil(double); float truncf(float);\n"
        "double round(double); double rint(double); double fmod(double, double);\n"
        "float fmodf(float, float);\n"
        "double fmin(double, double); double fmax(double, double); double fdim(double, double);\n"
        "float fminf(float, float); float fmaxf(float, float);\n"
        "double copysign(double, double); float copysignf(float, float);\n"
        "double sin(double); double cos(double); double tan(double); double asin(double);\n"
        "double acos(double); double atan(double); double exp(double); double exp2(double);\n"
        "double log(double); double log10(double); double tanh(double);\n"
        "double atan2(double, double); double pow(double, double); float powf(float, float);\n"
        "float sinf(float); float cosf(float); float expf(float); float logf(float);\n"
        "void *memmove(void *, const void *, __SIZE_TYPE__);\n"
        "void *memcpy(void *, const void *, __SIZE_TYPE__);\n"
        "void *memset(void *, int, __SIZE_TYPE__);\n"
        "struct S { s16 a; u8 b[3]; u32 low : 3; s32 high : 5; f32 x; _Bool flag; };\n"
        "static struct S st = {5, {1, 2, 3}, 2, -3, 1.5f, 1}, list[4], *who = &st;\n"
        "static struct { u8 tag; struct S part; } inner;\n"
        "static union { f32 f; u32 u; u8 b[4]; u16 h[2]; struct { s8 lo; s16 up; } s; } un;\n"
        "static u16 words[8] = {1, 2, 3}, *walk = words;\n"
        "static u8 sel; static _Bool flag; static char letter = -1, plain[2] = {'a', -2};\n"
        "struct P { u64 wide : 41; s32 tiny : 2; u16 mid : 9; f64 d; };\n"
        "static struct P pk = {1, 1, 300, 2.0};\n"
        "static struct { struct S in[2]; s8 tail; } nest[2];\n"
        "static s16 grid[2][4] = {{1, 2, 3, 4}, {-1, -2}};\n"
        "static u16 *ends[2] = {words, words + 7};\n"
        "static struct S *other = &list[3], **where = &who;\n"
        "static enum { RED, GREEN = 5, BLUE = -1 } colour;\n"
        "static s32 shown_who, shown_walk, shown_step, shown_ends, shown_where;\n"
        "static s32 count_calls(void) { static s32 calls; calls = (calls + 1) & 3; "
        "return calls; }\n"
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
        "static s32 (*const ops[4])(s32, s32) = {op0, op1, op2, op3};\n"
        "static s32 (*step)(s32, s32) = op0;\n");
}

static void declare_globals(struct gen *g) {
    for (int i = 0; i < INPUTS; i++) {
        g->inputs[i].type = i == 0 ? U8 : (enum type)gen_pick(g, TYPES);
        snprintf(g->inputs[i].name, sizeof g->inputs[i].name, "in%d", i);
        gen_put(g, "static %s in%d;\n", gen_types[g->inputs[i].type].name, i);
    }
    for (int i = 0; i < SCALARS; i++) {
        enum type t = i == 0 ? S32 : i == 1 ? F32 : (enum type)gen_pick(g, TYPES);
        g->scalars[i].type = t;
        snprintf(g->scalars[i].name, sizeof g->scalars[i].name, "s%d", i);
        gen_put(g, "static %s %s = (%s)", gen_types[t].name, g->scalars[i].name, gen_types[t].name);
        gen_constant_int(g);
        gen_put(g, ";\n");
    }
    for (int i = 0; i < TABLES + ARRAYS; i++) {
        struct variable *v = i < TABLES ? &g->tables[i] : &g->arrays[i - TABLES];
        v->type = (enum type)gen_pick(g, TYPES);
        snprintf(v->name, sizeof v->name, i < TABLES ? "tab%d" : "arr%d", i);
        gen_put(g, "static %s%s %s[%d] = {", i < TABLES ? "const " : "", gen_types[v->type].name,
                v->name, TABLE_LEN);
        for (int k = 0; k < TABLE_LEN; k++) {
            gen_put(g, "(%s)", gen_types[v->type].name);
            gen_constant_int(g);
            gen_put(g, ", ");
        }
        gen_put(g, "};\n");
    }
}

static void early_return(struct gen *g) {
    gen_put(g, "return ");
    gen_int(g, 2);
    gen_put(g, ";");
}

void gen_declarations(struct gen *g) {
    prologue(g);
    declare_globals(g);
}

void gen_helper(struct gen *g, int number) {
    g->number = number;
    g->n_locals = 2;
    for (int i = 0; i < 2; i++) {
        g->locals[i] = (struct variable){.type = S32};
        snprintf(g->locals[i].name, sizeof g->locals[i].name, "p%d", i);
    }
    gen_put(g, "static s32 help%d(s32 p0, s32 p1) {", number);
    g->indent = 1;
    gen_statement(g, 2);
    if (gen_pick(g, 2)) {
        gen_line(g);
        gen_put(g, "if (");
        gen_controlling(g, 2);
        gen_put(g, ") ");
        early_return(g);
        probe(g);
    }
    gen_statement(g, 1);
    gen_line(g);
    gen_put(g, "return ");
    gen_int(g, 2);
    gen_put(g, ";\n}\n");
}

/* A number that depends on all state: it makes every cell count. */
static void read_state(struct gen *g) {
    gen_line(g);
    gen_put(
        g,
        "u64 sum = (u64)(st.a ^ st.low ^ st.high ^ st.flag ^ st.b[0] ^ st.b[1] ^ st.b[2] ^ sel ^ "
        "flag) ^ un.u ^ (u64)(walk - words) ^ (who == &st);");
    for (int i = 0; i < SCALARS; i++) {
        gen_line(g);
        gen_put(g, gen_is_float(g->scalars[i].type) ? "sum += %s > 1;" : "sum ^= (u64)%s;",
                g->scalars[i].name);
    }
    gen_line(g);
    gen_put(g, "for (int i = 0; i < 8; i++) { sum += words[i];");
    for (int i = 0; i < ARRAYS; i++)
        gen_put(g, gen_is_float(g->arrays[i].type) ? " sum += %s[i] > 1;" : " sum ^= (u64)%s[i];",
                g->arrays[i].name);
    gen_put(g, " }");
    gen_line(g);
    gen_put(
        g, "for (int i = 0; i < 4; i++) { struct S *s = &list[i]; sum += s->a ^ s->low ^ s->high ^ "
           "s->flag ^ s->b[0] ^ s->b[1] ^ s->b[2]; sum += s->x > 1; }");
    gen_line(g);
    gen_put(
        g,
        "sum += inner.tag + inner.part.a + inner.part.b[0] + inner.part.b[1] + inner.part.b[2] + "
        "inner.part.low + inner.part.high + inner.part.flag + (inner.part.x > 1) + (st.x > 1);");
    gen_line(g);
    gen_put(g, "if (sum == 77) gk_hit(%u);", g->p->n_probes++);
}

/* Where the pointers point to, as numbers that can be compared. */
static void show_pointers(struct gen *g) {
    static const char *const shown[] = {
        "shown_who = who == &st ? -1 : (s32)(who - list);", "shown_walk = (s32)(walk - words);",
        "shown_step = step == op0 ? 0 : step == op1 ? 1 : step == op2 ? 2 : 3;",
        "shown_ends = (s32)(ends[0] - words) * 100 + (s32)(ends[1] - words);",
        "shown_where = (where == &who) * 10 + (s32)(other - list);"};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        gen_line(g);
        gen_put(g, "%s", shown[i]);
    }
}

static void make_step(struct gen *g) {
    g->number = FUNCTIONS;
    g->n_locals = 0;
    g->indent = 1;
    gen_put(g, "void gk_init(void) {");
    gen_line(g);
    gen_put(g, "s0 = 3;");
    if (gen_pick(g, 3) == 2)
        gen_put(g, " sel = gk_input_u8(7); who = sel > 100 ? &list[1] : &st;");
    gen_put(g, "\n}\nvoid gk_step(void) {");
    for (int i = 0; i < INPUTS; i++) {
        gen_line(g);
        gen_put(g, "in%d = gk_input_%s(%d);", i, gen_types[g->inputs[i].type].suffix, i);
        if (gen_pick(g, 4) == 3)
            gen_put(g, " gk_assume(in%d >= 0 && in%d <= 100);", i, i);
    }
    gen_line(g);
    gen_put(g, "sel = (u8)(in0 >> 2); flag = in0 & 1;");
    read_state(g);
    uint64_t n = 2 + gen_pick(g, 8);
    for (uint64_t i = 0; i < n; i++)
        gen_statement(g, 3);
    show_pointers(g);
    gen_put(g, "\n}\n");
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

static void list_more(struct gen *g) {
    static const char *const shown[] = {"shown_who", "shown_walk", "shown_step", "shown_ends",
                                        "shown_where"};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        add_state(g, shown[i], 'i', 32);
    add_state(g, "pk.wide", 'u', 41);
    add_state(g, "pk.tiny", 'i', 2);
    add_state(g, "pk.mid", 'u', 9);
    add_state(g, "pk.d", 'f', 64);
    add_state(g, "grid[0][3]", 'i', 16);
    add_state(g, "grid[1][1]", 'i', 16);
    add_state(g, "colour", 'i', 32);
}

static void list_state(struct gen *g) {
    char name[32];
    for (int i = 0; i < INPUTS; i++)
        add_state(g, g->inputs[i].name, gen_types[g->inputs[i].type].letter,
                  gen_types[g->inputs[i].type].bits);
    for (int i = 0; i < SCALARS; i++)
        add_state(g, g->scalars[i].name, gen_types[g->scalars[i].type].letter,
                  gen_types[g->scalars[i].type].bits);
    for (int i = 0; i < ARRAYS; i++)
        for (int k = 0; k < TABLE_LEN; k++) {
            snprintf(name, sizeof name, "%s[%d]", g->arrays[i].name, k);
            add_state(g, name, gen_types[g->arrays[i].type].letter,
                      gen_types[g->arrays[i].type].bits);
        }
    list_struct(g, "st");
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "list[%d]", i);
        list_struct(g, name);
    }
    list_struct(g, "inner.part");
    list_struct(g, "nest[0].in[1]");
    list_struct(g, "nest[1].in[0]");
    list_more(g);
    add_state(g, "un.u", 'u', 32);
    for (int k = 0; k < 8; k++) {
        snprintf(name, sizeof name, "words[%d]", k);
        add_state(g, name, 'u', 16);
    }
    add_state(g, "sel", 'u', 8);
    add_state(g, "flag", 'b', 1);
}

static bool is_bit_field(const struct module_var *v) {
    return v->bits % 8 != 0 && v->type != 'b';
}

static void write_tables(struct gen *g) {
    gen_put(g, "#ifdef GK_NATIVE\n"
               "struct gk_cell { void *address; char type; unsigned char bits; unsigned id; };\n"
               "const struct gk_cell gk_cells[] = {\n");
    for (size_t i = 0; i < g->p->module.state.len; i++) {
        const struct module_var *v = &g->p->module.state.data[i];
        gen_put(g, "  {%s%s, '%c', %d, %zu},\n", is_bit_field(v) ? "" : "(void *)&",
                is_bit_field(v) ? "0" : v->path, v->type, v->bits, i);
    }
    gen_put(g,
            "};\nconst unsigned gk_cell_count = %zu;\n"
            "unsigned long long gk_cell_read(unsigned index) {\n"
            "  union { f32 f; f64 d; unsigned u; unsigned long long l; } bits = {0};\n"
            "  switch (index) {\n",
            g->p->module.state.len);
    for (size_t i = 0; i < g->p->module.state.len; i++) {
        const struct module_var *v = &g->p->module.state.data[i];
        gen_put(g, "  case %zu: ", i);
        if (v->type == 'f')
            gen_put(g, "bits.%c = %s; break;\n", v->bits == 32 ? 'f' : 'd', v->path);
        else
            gen_put(g, "bits.l = (unsigned long long)%s; break;\n", v->path);
    }
    gen_put(g, "  }\n  return bits.l;\n}\n#endif\n");
}

static void declare_harness(struct gen *g) {
    gen_put(g, "extern void gk_hit(unsigned);\nextern void gk_assume(int);\n"
               "extern _Bool gk_input_b(unsigned);\n"
               "extern signed char gk_input_i8(unsigned);\n"
               "extern unsigned char gk_input_u8(unsigned);\n"
               "extern short gk_input_i16(unsigned);\n"
               "extern unsigned short gk_input_u16(unsigned);\n"
               "extern int gk_input_i32(unsigned);\nextern unsigned gk_input_u32(unsigned);\n"
               "extern long long gk_input_i64(unsigned);\n"
               "extern unsigned long long gk_input_u64(unsigned);\n"
               "extern float gk_input_f32(unsigned);\nextern double gk_input_f64(unsigned);\n");
}

void program_make(struct program *p, struct choices *c, bool ilp32) {
    *p = (struct program){0};
    p->module.ilp32 = ilp32;
    p->module.char_is_signed = true;
    p->module.name = "random";
    struct gen g = {.c = c, .p = p, .out = &p->text, .budget = 400};
    declare_harness(&g);
    gen_declarations(&g);
    for (int i = 0; i < FUNCTIONS; i++)
        gen_helper(&g, i);
    make_step(&g);
    list_state(&g);
    write_tables(&g);
}

void program_free(struct program *p) {
    str_free(&p->text);
    module_free(&p->module);
}
