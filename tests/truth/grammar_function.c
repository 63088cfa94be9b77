#include "maker.h"

#include <stdio.h>

/* Helper functions, what uses the data of the file of the step, and statements that only some
 * features have. */

/* ---- helpers ---- */

static enum type value_type(struct maker *m) {
    static const enum type types[] = {T_S32, T_U8, T_S16, T_U32, T_S8, T_F32, T_F64, T_CHAR, T_U64};
    enum type t = types[pick(m, sizeof types / sizeof *types)];
    if ((type_is_float(t) && !m->has[FEATURE_floats]) || (t == T_U64 && !m->has[FEATURE_long_long]))
        t = T_S32;
    return t;
}

static void static_local(struct maker *m) {
    int name = m->names++;
    put_line(m);
    put(m, "static uint8 k%d", name);
    put_oracle(m, " GKT_STATE");
    put(m, " = 1;");
    put_line(m);
    begin_statement(m);
    put(m, "k%d = k%d;", name, name);
    struct place *p = add_place(m, T_U8, "k%d", name);
    p->n = 3, p->can_write = true, p->file = m->file;
}

static void finish(struct maker *m) {
    if (m->label_used)
        put(m, "\n%s:", m->label);
    put_line(m);
    begin_statement(m);
    put(m, "return ");
    make_value(m, m->returns, 2);
    put(m, ";\n}\n");
}

static void function_body(struct maker *m, const struct function *f) {
    size_t places = m->places.len;
    for (uint32_t i = 0; i < f->n_parameters; i++) {
        struct place *p = add_place(m, f->parameters[i], "%c", "ab"[i]);
        p->can_write = p->is_local = true;
    }
    m->is_pure = f->is_pure;
    m->returns_value = true;
    m->returns = f->returns;
    m->label = m->has[FEATURE_gotos] ? "out" : NULL;
    m->label_used = false;
    m->budget = 14;
    if (!f->is_pure && pick(m, 3) == 2)
        static_local(m);
    make_statements(m, 2, 1 + pick(m, 2));
    finish(m);
    m->is_pure = m->returns_value = false;
    m->label = NULL;
    vec_truncate(&m->places, places);
}

static void helper(struct maker *m, int number) {
    struct function f = {.returns = value_type(m), .is_pure = pick(m, 2) == 0};
    struct str head = {0};
    snprintf(f.name, sizeof f.name, "help%d", number);
    f.n_parameters = 1 + (uint32_t)pick(m, 2);
    f.file = m->s->has_other && pick(m, 2) ? FILE_OTHER : FILE_STEP;
    f.is_static = f.file == FILE_STEP && pick(m, 2);
    for (uint32_t i = 0; i < f.n_parameters; i++)
        f.parameters[i] = value_type(m);
    str_addf(&head, "%s%s %s(%s a", f.is_static ? "static " : "", type_rows[f.returns].name, f.name,
             type_rows[f.parameters[0]].name);
    if (f.n_parameters > 1)
        str_addf(&head, ", %s b", type_rows[f.parameters[1]].name);
    str_add(&head, ")");
    if (!f.is_static)
        put_to(m, FILE_HEADER, "%s;\n", str_text(&head));
    m->file = f.file;
    begin_function(m, str_text(&head));
    function_body(m, &f);
    vec_push(&m->functions, f);
    str_free(&head);
}

void make_functions(struct maker *m) {
    uint64_t n = 1 + pick(m, 3);
    for (uint64_t i = 0; i < n; i++)
        helper(m, (int)i);
}

/* ---- tools ---- */

static void pair_tool(struct maker *m) {
    begin_function(m, "static struct pair turn(struct pair p, sint32 k)");
    put_line(m);
    begin_statement(m);
    put(m, "struct pair q = {2, {p.b[1], p.b[0]}, p.c};");
    put_line(m);
    begin_statement(m);
    put(m, "if (");
    make_controlling_after(m, "p.a == k", 0);
    put(m, ") {\n        ");
    begin_statement(m);
    put(m, "q.a = 0;\n    }\n    ");
    begin_statement(m);
    put(m, "p = q;\n    ");
    begin_statement(m);
    put(m, "return p;\n}\n");
}

static void pointer_tools(struct maker *m) {
    begin_function(m, "static void bump(uint8 *p)");
    put_line(m);
    begin_statement(m);
    put(m, "if (");
    make_controlling_after(m, "(*p)++ >= 2", 0);
    put(m, ") {\n        ");
    begin_statement(m);
    put(m, "*p = 0;\n    }\n}\n");
    for (int i = 0; i < 2; i++) {
        begin_function(m, i ? "static sint32 op1(sint32 x)" : "static sint32 op0(sint32 x)");
        put_line(m);
        begin_statement(m);
        put(m, "return %s;\n}\n", i ? "x ^ 5" : "-x");
    }
    put(m, "static sint32 (*const ops[2])(sint32) = {op0, op1};\nstatic sint32 (*op)(sint32)");
    put_oracle(m, " GKT_STATE");
    put(m, " = op0;\n");
    struct function op = {.name = "op", .returns = T_S32, .parameters = {T_S32}};
    op.n_parameters = 1, op.file = FILE_STEP, op.is_static = true;
    vec_push(&m->functions, op);
}

/* ---- what is state ---- */

static void keep(struct maker *m, const char *name) {
    put_line(m);
    begin_statement(m);
    put(m, "%s = %s;", name, name);
}

static void keep_scalars(struct maker *m, uint32_t file) {
    for (size_t i = 0; i < m->places.len; i++) {
        struct place p = m->places.data[i];
        bool here = p.file == file || (p.file == FILE_HEADER && file == FILE_STEP);
        if (here && p.can_write && !p.is_output && p.len == 0 && !strpbrk(p.head, ".*"))
            keep(m, p.head);
    }
}

/* A variable that nothing in a step writes is an input; these write each one. */
static void make_keepers(struct maker *m) {
    static const char *const objects[] = {"arr[0]", "arr[1]", "arr[2]",  "arr[3]",
                                          "pr",     "bt",     "list[0]", "list[1]"};
    m->file = FILE_OTHER;
    if (m->s->has_other) {
        put_to(m, FILE_HEADER, "void keep_other(void);\n");
        begin_function(m, "void keep_other(void)");
        keep_scalars(m, FILE_OTHER);
        put(m, "\n}\n");
    }
    m->file = FILE_STEP;
    begin_function(m, "static void keep_step(void)");
    keep_scalars(m, FILE_STEP);
    for (int i = 0; i < (m->has_pair ? 8 : m->has_bump ? 4 : 0); i++)
        keep(m, objects[i]);
    if (m->has_bump) {
        keep(m, "ptr");
        keep(m, "op");
    }
    put(m, "\n}\n");
}

static void keep_call(struct maker *m, const char *name) {
    put_line(m);
    begin_statement(m);
    uint32_t mark = mark_here(m, MARK_CALL);
    put_plain(m, "%s", name);
    put_oracle(m, "(GKT_S(%u), %s)", mark, name);
    put(m, "();");
}

void call_keepers(struct maker *m) {
    keep_call(m, "keep_step");
    if (m->s->has_other)
        keep_call(m, "keep_other");
}

void make_tools(struct maker *m) {
    m->file = FILE_STEP;
    if (m->has_pair)
        pair_tool(m);
    if (m->has_bump)
        pointer_tools(m);
    make_keepers(m);
}

/* ---- statements of features ---- */

static void pair_statement(struct maker *m) {
    uint64_t form = pick(m, 4);
    begin_statement(m);
    if (form == 0) {
        uint32_t mark;
        put(m, "pr = ");
        mark = mark_here(m, MARK_CALL);
        put_plain(m, "turn");
        put_oracle(m, "(GKT_S(%u), turn)", mark);
        put(m, "(pr, ");
        make_int(m, 1);
        put(m, ");");
    } else if (form == 1) {
        put(m, "list[%u] = pr;", (unsigned)pick(m, 2));
    } else {
        put(m, form == 2 ? "pr = list[" : "list[0] = list[");
        make_int(m, 1);
        put(m, " & 1];");
    }
}

static void pointer_statement(struct maker *m) {
    uint64_t form = pick(m, 4);
    uint32_t mark;
    begin_statement(m);
    if (form == 0) {
        put(m, "ptr = &arr[");
        make_int(m, 1);
        put(m, " & 3];");
    } else if (form == 1) {
        mark = mark_here(m, MARK_CALL);
        put_plain(m, "bump");
        put_oracle(m, "(GKT_S(%u), bump)", mark);
        put(m, pick(m, 2) ? "(ptr);" : "(&arr[2]);");
    } else if (form == 2) {
        put(m, "ptr = ptr + (ptr < &arr[3]);");
    } else {
        put(m, "op = ops[");
        make_int(m, 1);
        put(m, " & 1];");
    }
}

static void union_statement(struct maker *m) {
    int name = m->names++;
    size_t places = m->places.len;
    static const char *const parts[] = {"b[0]", "b[3]", "h[1]", "s", "u", "b[2]"};
    static const enum type types[] = {T_U8, T_U8, T_U16, T_S32, T_U32, T_U8};
    put(m, "{ ");
    begin_statement(m);
    put(m, "union word w%d = {0}; ", name);
    begin_statement(m);
    bool is_float = m->has[FEATURE_nan_bits] && m->has[FEATURE_floats] && pick(m, 2);
    put(m, "w%d.%s = ", name, is_float ? "f" : "u");
    make_value(m, is_float ? T_F32 : T_U32, 2);
    put(m, ";");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        add_place(m, types[i], "w%d.%s", name, parts[i])->is_local = true;
    if (m->has[FEATURE_floats])
        add_place(m, T_F32, "w%d.f", name)->is_local = true;
    make_statements(m, 1, 2);
    put(m, " }");
    vec_truncate(&m->places, places);
}

/* C11 6.2.4p6: each time round the variable is indeterminate again. The oracle chooses. */
static void lifetime_statement(struct maker *m) {
    int name = m->names++;
    char test[32], same[48];
    m->s->partial = true;
    put(m, "{ ");
    begin_statement(m);
    put(m, "sint32 kept%d = 0; ", name);
    begin_statement(m);
    put(m, "for (uint8 i%d = 0; ", name);
    snprintf(test, sizeof test, "i%d < 2", name);
    make_controlling_after(m, test, 0);
    put(m, "; i%d++) { ", name);
    put_plain(m, "sint32 y%d; ", name);
    put_oracle(m, "sint32 y%d = gkt_any(); ", name);
    begin_statement(m);
    put(m, "if (");
    snprintf(test, sizeof test, "i%d == 0", name);
    make_controlling_after(m, test, 0);
    put(m, ") { ");
    begin_statement(m);
    put(m, "kept%d = y%d; } else { ", name, name);
    begin_statement(m);
    put(m, "if (");
    snprintf(same, sizeof same, "kept%d != y%d", name, name);
    make_controlling_after(m, same, 0);
    put(m, ") { ");
    begin_statement(m);
    put(m, "out0 = 9; } } } }");
}

/* Two calls with effects as operands: their order is the compiler's. */
static void order_statement(struct maker *m) {
    const struct function *f = pick_function(m, false, false), *g = pick_function(m, false, false);
    int name = m->names++;
    char test[32];
    if (!f || !g) {
        make_statement(m, 0);
        return;
    }
    struct function one = *f, two = *g;
    put(m, "{ ");
    begin_statement(m);
    put(m, "sint32 d%d = ", name);
    make_call(m, &one, 1);
    put(m, " - ");
    make_call(m, &two, 1);
    put(m, "; ");
    begin_statement(m);
    put(m, "if (");
    snprintf(test, sizeof test, "d%d > 1", name);
    make_controlling_after(m, test, 0);
    put(m, ") { ");
    begin_statement(m);
    put(m, "out2 = 1; } }");
}

/* What is rare elsewhere, once in the step of a module that has it. */
void make_rare(struct maker *m) {
    if (m->has[FEATURE_lifetime]) {
        put_line(m);
        lifetime_statement(m);
    }
    if (m->has[FEATURE_order]) {
        put_line(m);
        order_statement(m);
    }
}

void make_special(struct maker *m) {
    uint64_t form = pick(m, 6);
    if (form == 0 && m->has[FEATURE_lifetime])
        lifetime_statement(m);
    else if (form == 1 && m->has[FEATURE_order] && !m->is_pure)
        order_statement(m);
    else if (form == 2 && m->has[FEATURE_unions])
        union_statement(m);
    else if (form <= 3 && m->has_pair && m->file == FILE_STEP && !m->is_pure)
        pair_statement(m);
    else if (m->has_bump && m->file == FILE_STEP && !m->is_pure)
        pointer_statement(m);
    else
        make_statement(m, 0);
}
