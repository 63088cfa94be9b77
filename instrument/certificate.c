#include "instrument/certificate.h"

#include "model/ordinal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEFAULT_UNWIND = 64 };

/* ---- names and values ---- */

static const struct module_var *cell_var(const struct certificate *c, const char *name) {
    for (size_t i = 0; i < c->module->state.len; i++)
        if (strcmp(c->module->state.data[i].path, name) == 0)
            return &c->module->state.data[i];
    return NULL;
}

static const char *nondet_name(const struct module_var *v, char buffer[16]) {
    if (v->type == 'b')
        return "b";
    snprintf(buffer, 16, "%c%d", v->type,
             v->bits <= 8    ? 8
             : v->bits <= 16 ? 16
             : v->bits <= 32 ? 32
                             : 64);
    return buffer;
}

static void add_float(struct str *out, sort_t sort, double value) {
    if (isinf(value))
        str_add(out, value > 0 ? "__builtin_inf()" : "(-__builtin_inf())");
    else
        str_addf(out, sort == SORT_F32 ? "%af" : "%a", value);
}

static void add_value(struct str *out, sort_t sort, bool is_signed, int64_t ordinal) {
    uint64_t bits = ordinal_bits(sort, is_signed, ordinal);
    if (sort == SORT_F32)
        add_float(out, sort, (double)bits_f32(bits));
    else if (sort == SORT_F64)
        add_float(out, sort, bits_f64(bits));
    else if (!is_signed)
        str_addf(out, "%lluu%s", (unsigned long long)bits, sort == 64 ? "ll" : "");
    else if (ordinal == INT64_MIN)
        str_add(out, "(-0x7fffffffffffffffll - 1)");
    else
        str_addf(out, "(%lld%s)", (long long)ordinal, sort == 64 ? "ll" : "");
}

/* The ordinals of floats tell -0 from +0, comparisons in C do not: a bound between the two zeros
 * needs the sign bit. NaN counts as +0 in bounds (model/ordinal.h). */
static void add_float_bound(struct str *out, const char *x, sort_t sort, struct bound b) {
    const char *op = b.kind == BOUND_GE ? ">=" : "<=";
    bool nan_holds = b.kind == BOUND_GE ? 0 >= b.ordinal : 0 <= b.ordinal;
    const char *sign = sort == SORT_F32 ? "__builtin_signbitf" : "__builtin_signbit";
    str_addf(out, nan_holds ? "(%s != %s || " : "(%s == %s && ", x, x);
    if (b.kind == BOUND_GE && b.ordinal == 0)
        str_addf(out, "%s >= 0 && !%s(%s))", x, sign, x);
    else if (b.kind == BOUND_LE && b.ordinal == -1)
        str_addf(out, "%s <= 0 && (%s < 0 || %s(%s)))", x, x, sign, x);
    else {
        str_addf(out, "%s %s ", x, op);
        add_value(out, sort, true, b.ordinal);
        str_add(out, ")");
    }
}

static bool add_bound(const struct certificate *c, struct str *out, struct bound b,
                      struct err *err) {
    const struct cell *cell = &c->sys->cells.data[b.cell];
    const struct module_var *v = cell_var(c, cell->name);
    if (!v || v->type == 'p')
        return err_set(err, ERR_EVIDENCE, "'%s' has no plain C name", cell->name);
    const struct term_var *var =
        &c->sys->terms->vars.data[term_get(c->sys->terms, cell->var)->payload];
    if (b.kind == BOUND_NAN || b.kind == BOUND_NOT_NAN) {
        str_addf(out, "%s %s %s", v->c_expr, b.kind == BOUND_NAN ? "!=" : "==", v->c_expr);
    } else if (sort_is_float(var->sort)) {
        add_float_bound(out, v->c_expr, var->sort, b);
    } else {
        bool is_signed = var->is_signed && var->sort != SORT_BOOL;
        const char *wide = var->sort == 64 ? " long" : "";
        str_addf(out, "(%s long%s)%s %s ", is_signed ? "signed" : "unsigned", wide, v->c_expr,
                 b.kind == BOUND_GE ? ">=" : "<=");
        add_value(out, var->sort, is_signed, b.ordinal);
    }
    return true;
}

static bool add_clause(const struct certificate *c, struct str *out, const struct clause *clause,
                       struct err *err) {
    for (size_t i = 0; i < clause->len; i++) {
        str_add(out, i ? " || " : "");
        if (!add_bound(c, out, clause->data[i], err))
            return false;
    }
    if (clause->len == 0)
        str_add(out, "0");
    return true;
}

/* ---- the parts of the file ---- */

static void add_header(const struct certificate *c, struct str *out) {
    str_add(out,
            "/* Written by Goalkeeper: a proof obligation.\n *\n * Claim: these goals can never "
            "be reached:\n");
    if (c->claims)
        str_add(out, c->claims);
    for (size_t i = 0; !c->claims && i < c->n_probes; i++)
        str_addf(out, " *   probe %u\n", c->probes[i]);
    str_addf(out, " * Assumptions: %s.\n", c->assumes && *c->assumes ? c->assumes : "none");
    str_addf(out, " * Method: %zu clauses that hold initially and are kept by every step",
             c->invariant->clauses.len);
    if (c->invariant->k > 1)
        str_addf(out, "; relative to them the goals are excluded by %u-induction", c->invariant->k);
    str_addf(out,
             ".\n * Check: cbmc --no-standard-checks %s%s --unwind %u --unwinding-assertions FILE\n"
             " * must answer VERIFICATION SUCCESSFUL.\n */\n",
             c->module->ilp32 ? "--32" : "--64",
             c->module->char_is_signed ? "" : " --unsigned-char",
             c->unwind ? c->unwind : DEFAULT_UNWIND);
}

static const char prologue[] =
    "#define GK_HOST\n"
    "_Bool nondet_b(void);\n"
    "signed char nondet_i8(void); unsigned char nondet_u8(void);\n"
    "short nondet_i16(void); unsigned short nondet_u16(void);\n"
    "int nondet_i32(void); unsigned int nondet_u32(void);\n"
    "long long nondet_i64(void); unsigned long long nondet_u64(void);\n"
    "float nondet_f32(void); double nondet_f64(void);\n"
    "#define gk_input_b(id) nondet_b()\n"
    "#define gk_input_i8(id) nondet_i8()\n#define gk_input_u8(id) nondet_u8()\n"
    "#define gk_input_i16(id) nondet_i16()\n#define gk_input_u16(id) nondet_u16()\n"
    "#define gk_input_i32(id) nondet_i32()\n#define gk_input_u32(id) nondet_u32()\n"
    "#define gk_input_i64(id) nondet_i64()\n#define gk_input_u64(id) nondet_u64()\n"
    "#define gk_input_f32(id) nondet_f32()\n#define gk_input_f64(id) nondet_f64()\n"
    "#define gk_assume(condition) __CPROVER_assume(condition)\n"
    "static int gk_mode; /* a listed goal is hit: 0 nothing, 1 the run is left out, 2 it fails "
    "*/\n";

static void add_probe_hook(const struct certificate *c, struct str *out) {
    str_add(out, "static void gk_hit(unsigned probe) {\n    if (!(");
    for (size_t i = 0; i < c->n_probes; i++)
        str_addf(out, "%sprobe == %uu", i ? " || " : "", c->probes[i]);
    str_add(out, c->n_probes ? "))\n        return;\n" : "0))\n        return;\n");
    str_add(out, "    __CPROVER_assume(gk_mode != 1);\n"
                 "    __CPROVER_assert(gk_mode != 2, \"goal not hit\");\n}\n");
}

static bool add_clauses(const struct certificate *c, struct str *out, const char *how,
                        const char *where, struct err *err) {
    for (size_t i = 0; i < c->invariant->clauses.len; i++) {
        str_addf(out, "    %s(", how);
        if (!add_clause(c, out, &c->invariant->clauses.data[i], err))
            return false;
        if (where)
            str_addf(out, ", \"clause %zu %s\"", i + 1, where);
        str_add(out, ");\n");
    }
    return true;
}

static void add_any_state(const struct certificate *c, struct str *out) {
    char buffer[16];
    str_add(out, "/* every cell of the state gets any value; pointers keep theirs */\n"
                 "static void gk_any_state(void) {\n");
    for (size_t i = 0; i < c->module->state.len; i++) {
        const struct module_var *v = &c->module->state.data[i];
        if (v->type != 'p')
            str_addf(out, "    %s = nondet_%s();\n", v->c_expr, nondet_name(v, buffer));
    }
    str_add(out, "}\n");
}

static void add_pointers(const struct certificate *c, struct str *out, bool save) {
    size_t number = 0;
    for (size_t i = 0; i < c->module->state.len; i++) {
        const struct module_var *v = &c->module->state.data[i];
        if (v->type != 'p')
            continue;
        if (save)
            str_addf(out, "    const void *gk_p%zu = (const void *)%s;\n", number, v->c_expr);
        else
            str_addf(
                out,
                "    __CPROVER_assert((const void *)%s == gk_p%zu, \"pointer %s unchanged\");\n",
                v->c_expr, number, v->path);
        number++;
    }
}

static bool add_init_check(const struct certificate *c, struct str *out, struct err *err) {
    str_add(out, "void gk_check_init(void) {\n    gk_mode = 2;\n    gk_init();\n");
    if (!add_clauses(c, out, "__CPROVER_assert", "holds initially", err))
        return false;
    for (uint32_t j = 1; j < c->invariant->k; j++)
        str_add(out, "    gk_step();\n");
    str_add(out, "}\n");
    return true;
}

static bool add_step_check(const struct certificate *c, struct str *out, struct err *err) {
    str_add(out, "void gk_check_step(void) {\n    gk_init();\n");
    add_pointers(c, out, true);
    str_add(out, "    gk_any_state();\n");
    if (!add_clauses(c, out, "__CPROVER_assume", NULL, err))
        return false;
    str_addf(out, "    gk_mode = %d;\n    gk_step();\n", c->invariant->k == 1 ? 2 : 0);
    if (!add_clauses(c, out, "__CPROVER_assert", "is kept by a step", err))
        return false;
    add_pointers(c, out, false);
    str_add(out, "}\n");
    return true;
}

static bool add_goals_check(const struct certificate *c, struct str *out, struct err *err) {
    str_add(out, "void gk_check_goals(void) {\n    gk_init();\n    gk_any_state();\n");
    if (!add_clauses(c, out, "__CPROVER_assume", NULL, err))
        return false;
    str_add(out, "    gk_mode = 1;\n");
    for (uint32_t j = 1; j < c->invariant->k; j++)
        str_add(out, "    gk_step();\n");
    str_add(out, "    gk_mode = 2;\n    gk_step();\n}\n");
    return true;
}

bool certificate_write(const struct certificate *c, struct str *out, struct err *err) {
    add_header(c, out);
    str_add(out, prologue);
    add_probe_hook(c, out);
    str_add(out, c->woven);
    str_add(out, "\n\n");
    add_any_state(c, out);
    if (!add_init_check(c, out, err) || !add_step_check(c, out, err))
        return false;
    if (c->invariant->k > 1 && !add_goals_check(c, out, err))
        return false;
    str_add(out, "int main(void) {\n    switch (nondet_u8()) {\n    case 0: gk_check_init(); "
                 "break;\n    case 1: gk_check_step(); break;\n");
    if (c->invariant->k > 1)
        str_add(out, "    case 2: gk_check_goals(); break;\n");
    str_add(out, "    }\n    return 0;\n}\n");
    return true;
}
