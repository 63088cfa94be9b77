#include "program_parts.h"

#include <stdio.h>
#include <stdlib.h>

enum { HELPER_BUDGET = 30, STEP_BUDGET = 120 };

/* ---- inputs ---- */

/* Ranges by type: a first value, and how many follow it. */
struct few {
    const char *first;
    int more;
};

static struct few pick_few(struct gen *g, enum type t) {
    static const struct few narrow[][4] = {
        [S8] = {{"-1", 2}, {"126", 1}, {"-128", 1}, {"0", 3}},
        [U8] = {{"0", 3}, {"254", 1}, {"7", 2}, {"127", 1}},
        [S16] = {{"-1", 2}, {"32766", 1}, {"-32768", 1}, {"0", 3}},
        [U16] = {{"0", 3}, {"65534", 1}, {"255", 1}, {"32767", 1}},
        [S32] = {{"-1", 2}, {"2147483646", 1}, {"-2147483647", 1}, {"0", 3}},
        [U32] = {{"0", 3}, {"4294967294", 1}, {"2147483647", 1}, {"65535", 1}},
        [S64] = {{"-1", 2}, {"4294967295", 1}, {"-2147483649", 1}, {"0", 3}},
        [U64] = {{"0", 3}, {"4294967295", 1}, {"1099511627776", 1}, {"2", 1}},
    };
    assert(!gen_is_float(t));
    return narrow[t][gen_pick(g, 4)];
}

static void int_values(struct gen *g, struct program_input *in, enum type t) {
    struct few few = t == U8 && str_same(in->name, "in0") ? (struct few){"0", 3} : pick_few(g, t);
    for (int i = 0; i <= few.more; i++)
        str_addf(&in->values, "%s(%s)(%sLL + %d)", i ? ", " : "", in->type, few.first, i);
    long long first = strtoll(few.first, NULL, 10);
    str_addf(&in->project, "\"name\": \"%s\", \"min\": %lld, \"max\": %lld", in->name, first,
             first + few.more);
}

/* Floats take one or two of these; an assumption names them. */
static void float_values(struct gen *g, struct program_input *in, enum type t) {
    struct str *assumptions = &g->p->assumptions;
    static const char *const corners[] = {"0.0",   "1.0",   "-1.5",    "0.1",   "100.0",
                                          "3e38",  "1e-40", "-2.0",    "0.5",   "16777216.0",
                                          "-1e10", "127.5", "32767.9", "255.0", "1e-20"};
    const char *suffix = t == F32 ? "f" : "";
    uint64_t n = 1 + gen_pick(g, 2);
    for (uint64_t i = 0; i < n; i++) {
        const char *value = corners[gen_pick(g, sizeof corners / sizeof *corners)];
        str_addf(&in->values, "%s%s%s", i ? ", " : "", value, suffix);
        str_addf(assumptions, "%s%s == %s%s", i ? " || " : "", in->name, value, suffix);
        if (str_same(value, "0.0"))
            str_addf(&in->values, ", -0.0%s", suffix);
    }
    str_add(assumptions, "\n");
    str_addf(&in->project, "\"name\": \"%s\", \"min\": -3.4e38, \"max\": 3.4e38", in->name);
}

static void add_input(struct gen *g, const char *name, enum type t, bool is_parameter) {
    struct program_input in = {.type = gen_types[t].name, .is_parameter = is_parameter};
    snprintf(in.name, sizeof in.name, "%s", name);
    if (gen_is_float(t))
        float_values(g, &in, t);
    else
        int_values(g, &in, t);
    vec_push(&g->p->inputs, in);
}

/* The last global is a parameter now and then. */
static void describe_inputs(struct gen *g) {
    for (int i = 0; i < INPUTS; i++)
        add_input(g, g->inputs[i].name, g->inputs[i].type, i == INPUTS - 1 && gen_pick(g, 2));
    if (gen_pick(g, 3) == 2)
        str_addf(&g->p->assumptions, "in0 != %d || in1 > 0\n", (int)gen_pick(g, 4));
}

static void add_argument(struct gen *g, const char *name, enum type t) {
    struct variable *v = &g->locals[g->n_locals++];
    *v = (struct variable){.type = t, .is_const = true};
    snprintf(v->name, sizeof v->name, "%s", name);
    add_input(g, name, t, false);
}

/* The head of the step function, and the call of it. */
static void make_step_head(struct gen *g) {
    uint64_t form = gen_pick(g, 3);
    g->n_locals = 0;
    gen_put(g, form == 0   ? "void module_step(void) {"
               : form == 1 ? "void module_step(u8 arg) {"
                           : "void module_step(u8 arg, const struct bus *bus) {");
    str_add(&g->p->step_call, form == 0   ? "module_step()"
                              : form == 1 ? "module_step(arg)"
                                          : "module_step(arg, bus)");
    if (form >= 1)
        add_argument(g, "arg", U8);
    if (form == 2) {
        add_argument(g, "bus->gain", S16);
        add_argument(g, "bus->rate", F32);
    }
}

/* ---- what is kept between steps ---- */

struct kept_bits {
    const char *save, *restore; /* kept is what was saved */
};

static const struct kept_bits candidates[] = {
    {"st.a & 3", "st.a = (s16)kept;"},
    {"(st.a & 15) - 3", "st.a = (s16)kept;"},
    {"st.low", "st.low = (u32)kept;"},
    {"st.high & 3", "st.high = kept;"},
    {"(st.x > 1) + (st.x > -2)", "st.x = (f32)kept - 1.0f;"},
    {"list[1].a & 1", "list[1].a = (s16)kept;"},
    {"list[2].low & 1", "list[2].low = (u32)kept;"},
    {"words[2] & 3", "words[2] = (u16)kept;"},
    {"un.b[1] & 1", "un.b[1] = (u8)kept;"},
    {"grid[1][1] & 3", "grid[1][1] = (s16)kept;"},
    {"who == &st", "who = &list[kept];"},
    {"(s32)(walk - words) & 3", "walk = words + kept;"},
    {"(s32)(walk - words) & 1", "walk = &words[6 + kept];"},
    {"step == op1", "step = ops[kept];"},
    {"(s32)pk.wide & 3", "pk.wide = (u64)kept;"},
    {"pk.tiny", "pk.tiny = kept;"},
    {"other == &list[3]", "other = &list[kept + 1];"},
    {"where == &who", "if (kept) where = &other;"},
    {"inner.part.flag", "inner.part.flag = (_Bool)kept;"},
    {"colour == GREEN", "colour = (s32)kept;"},
    {"(s32)(ends[1] - words) & 3", "ends[0] = &words[kept];"},
};

static void reset(struct gen *g) {
    static const char *const resets[] = {
        "st = fresh;",
        "memset(list, 0, sizeof list); memset(&inner, 0, sizeof inner);",
        "memset(nest, 0, sizeof nest); memset(words, 0, sizeof words);",
        "memset(grid, 0, sizeof grid);",
        "un.u = 0; letter = -1; plain[0] = 0; plain[1] = -2;",
        "who = &st; walk = words; other = &list[3]; where = &who; step = op0;",
        "ends[0] = words; ends[1] = words + 7;",
        "pk.wide = 1; pk.tiny = 1; pk.mid = 300; pk.d = 2.0; colour = RED;",
    };
    for (size_t i = 0; i < sizeof resets / sizeof *resets; i++) {
        gen_line(g);
        gen_put(g, "%s", resets[i]);
    }
    for (int i = 0; i < ARRAYS; i++) {
        gen_line(g);
        gen_put(g, "memset(%s, 0, sizeof %s);", g->arrays[i].name, g->arrays[i].name);
    }
}

static void keep_scalar(struct gen *g, const struct variable *v) {
    static const unsigned masks[] = {1, 3, 7, 31};
    const char *type = gen_types[v->type].name;
    bool kept = gen_pick(g, 3) == 2;
    gen_line(g);
    if (!kept)
        gen_put(g, "%s = (%s)%d;", v->name, type, (int)gen_pick(g, 4));
    else if (gen_is_float(v->type) && gen_pick(g, 2))
        gen_put(g, "%s = %s > 1 ? __builtin_inff() : %s == %s ? -0.0f : __builtin_nanf(\"\");",
                v->name, v->name, v->name, v->name);
    else if (gen_is_float(v->type))
        gen_put(g, "%s = (%s)((%s > 1) + (%s > -2)) * (%s)0.5;", v->name, type, v->name, v->name,
                type);
    else
        gen_put(g, "%s = (%s)((%s & %u) - %d);", v->name, type, v->name, masks[gen_pick(g, 4)],
                gen_types[v->type].letter == 'i' && gen_pick(g, 2));
}

/* Leaves a few bits of all that the step wrote. */
static void make_settle(struct gen *g) {
    const struct kept_bits *kept[3];
    uint64_t n = gen_pick(g, 4);
    gen_put(g, "static const struct S fresh = {5, {1, 2, 3}, 2, -3, 1.5f, 1};\n"
               "static void settle(void) {");
    g->indent = 1;
    for (uint64_t i = 0; i < n; i++) {
        kept[i] = &candidates[gen_pick(g, sizeof candidates / sizeof *candidates)];
        gen_line(g);
        gen_put(g, "s32 kept%d = (s32)(%s);", (int)i, kept[i]->save);
    }
    reset(g);
    for (uint64_t i = 0; i < n; i++) {
        gen_line(g);
        gen_put(g, "{ s32 kept = kept%d; %s }", (int)i, kept[i]->restore);
    }
    for (int i = 0; i < SCALARS; i++)
        keep_scalar(g, &g->scalars[i]);
    gen_put(g, "\n}\n");
}

static void call_helper(struct gen *g, unsigned number) {
    static const char *const into[] = {"st.a += (s16)", "s0 ^= ", "words[sel & 7] = (u16)",
                                       "un.u += (u32)"};
    gen_line(g);
    gen_mark(g, MARK_STATEMENT);
    gen_put(g, "%s", into[gen_pick(g, sizeof into / sizeof *into)]);
    gen_mark(g, MARK_CALL);
    gen_put(g, "help%u", number);
    gen_mark_end(g);
    gen_put(g, "(s0, ");
    gen_int(g, 1);
    gen_put(g, ");");
}

static void make_module_step(struct gen *g) {
    bool settle_first = gen_pick(g, 3) == 2;
    g->number = FUNCTIONS;
    g->indent = 1;
    make_step_head(g);
    gen_line(g);
    gen_put(g, "sel = (u8)(in0 >> 1); flag = in0 & 1;");
    if (settle_first)
        gen_put(g, " settle();");
    for (unsigned i = 0; i < FUNCTIONS; i++)
        if (gen_pick(g, 3))
            call_helper(g, i);
    uint64_t n = 2 + gen_pick(g, 6);
    for (uint64_t i = 0; i < n; i++)
        gen_statement(g, 3);
    if (!settle_first) {
        gen_line(g);
        gen_put(g, "settle();");
    }
    gen_put(g, "\n}\n");
}

static void make_init(struct gen *g) {
    g->p->has_init = gen_pick(g, 2);
    if (!g->p->has_init)
        return;
    g->number = FUNCTIONS;
    g->n_locals = 0;
    g->indent = 1;
    gen_put(g, "void module_init(void) {");
    for (uint64_t n = 1 + gen_pick(g, 2); n > 0; n--)
        gen_statement(g, 1);
    gen_line(g);
    gen_put(g, "settle();\n}\n");
}

void program_make_module(struct program *p, struct choices *c, bool ilp32) {
    *p = (struct program){0};
    p->module.ilp32 = ilp32;
    p->module.char_is_signed = choose(c, 2) == 0;
    p->module.name = "random";
    struct gen g = {.c = c, .p = p, .out = &p->text, .module = true};
    gen_put(&g, "unsigned out; volatile unsigned char hw;\n"
                "struct bus { short gain; float rate; };\n");
    gen_declarations(&g);
    describe_inputs(&g);
    for (int i = 0; i < FUNCTIONS; i++) {
        g.budget = HELPER_BUDGET;
        gen_helper(&g, i);
    }
    make_settle(&g);
    make_init(&g);
    g.budget = STEP_BUDGET;
    make_module_step(&g);
    assert(p->inputs.len >= INPUTS);
}
