#include "instrument/certificate.h"

#include "model/ordinal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_UNWIND = 64 };

/* ---- names and values ---- */

/* State, or a parameter that keeps one value over the run. */
static const struct module_var *cell_var(const struct certificate *c, const char *name) {
    for (size_t i = 0; i < c->module->state.len; i++)
        if (strcmp(c->module->state.data[i].path, name) == 0)
            return &c->module->state.data[i];
    for (size_t i = 0; i < c->module->inputs.len; i++)
        if (c->module->inputs.data[i].role == VAR_PARAMETER &&
            strcmp(c->module->inputs.data[i].path, name) == 0)
            return &c->module->inputs.data[i];
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

static const struct lowered_pointer *pointer_named(const struct certificate *c, const char *name,
                                                   size_t len) {
    for (size_t i = 0; i < c->n_pointers; i++)
        if (strncmp(c->pointers[i].name, name, len) == 0 && c->pointers[i].name[len] == '\0')
            return &c->pointers[i];
    return NULL;
}

static void add_target(struct str *out, const struct lowered_pointer *p, size_t k) {
    if (p->moves[k])
        str_addf(out, p->target[k], "0");
    else
        str_add(out, p->target[k]);
}

/* The number of the object that a pointer points to. */
static bool add_pointer_number(struct str *out, const struct lowered_pointer *p,
                               const char *c_expr) {
    str_add(out, "(");
    for (size_t k = 0; k + 1 < p->n_targets; k++) {
        if (p->moves[k] || !p->target[k])
            return false;
        str_addf(out, "(void *)%s == (void *)(", c_expr);
        add_target(out, p, k);
        str_addf(out, ") ? %zu : ", k);
    }
    str_addf(out, "%zu)", p->n_targets - 1);
    return true;
}

/* The moving part of a pointer into one object: how many steps from the first place. */
static bool add_pointer_offset(struct str *out, const struct lowered_pointer *p,
                               const char *c_expr) {
    if (p->n_targets != 1 || !p->moves[0] || !p->target[0])
        return false;
    const char *scale = strstr(p->target[0], " * (long)");
    const char *plus = scale;
    while (plus > p->target[0] && *plus != '+')
        plus--;
    str_addf(out, "(((char *)%s - (", c_expr);
    add_target(out, p, 0);
    str_addf(out, ")) / (%.*s))", (int)(scale - plus - 1), plus + 1);
    return true;
}

/* A cell of the model as a C expression. */
static bool add_cell(const struct certificate *c, struct str *out, const char *name,
                     struct err *err) {
    size_t len = strcspn(name, "@");
    const struct lowered_pointer *p = pointer_named(c, name, len);
    struct str base = {0};
    str_addn(&base, name, len);
    const struct module_var *v = cell_var(c, str_text(&base));
    str_free(&base);
    bool ok = v != NULL;
    if (ok && p)
        ok = name[len] ? add_pointer_offset(out, p, v->c_expr)
                       : add_pointer_number(out, p, v->c_expr);
    else if (ok)
        str_add(out, v->c_expr);
    return ok || err_set(err, ERR_EVIDENCE, "'%s' cannot be written as C", name);
}

static bool add_bound(const struct certificate *c, struct str *out, struct bound b,
                      struct err *err) {
    const struct cell *cell = &c->sys->cells.data[b.cell];
    const struct term_var *var =
        &c->sys->terms->vars.data[term_get(c->sys->terms, cell->var)->payload];
    struct str x = {0};
    bool ok = add_cell(c, &x, cell->name, err);
    if (!ok) {
        str_free(&x);
        return false;
    }
    if (b.kind == BOUND_NAN || b.kind == BOUND_NOT_NAN) {
        str_addf(out, "%s %s %s", str_text(&x), b.kind == BOUND_NAN ? "!=" : "==", str_text(&x));
    } else if (sort_is_float(var->sort)) {
        add_float_bound(out, str_text(&x), var->sort, b);
    } else {
        bool is_signed = var->is_signed && var->sort != SORT_BOOL;
        const char *wide = var->sort == 64 ? " long" : "";
        str_addf(out, "(%s long%s)%s %s ", is_signed ? "signed" : "unsigned", wide, str_text(&x),
                 b.kind == BOUND_GE ? ">=" : "<=");
        add_value(out, var->sort, is_signed, b.ordinal);
    }
    str_free(&x);
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

/* ---- any state ---- */

static void add_any_pointer(struct str *out, const struct module_var *v,
                            const struct lowered_pointer *p) {
    str_add(out, "    switch (nondet_u32()) {\n");
    for (size_t k = 0; k < p->n_targets; k++) {
        bool function = p->target[k] && p->target[k][0] == '&';
        str_addf(out, k + 1 < p->n_targets ? "    case %zu: " : "    default: ", k);
        str_addf(out, function ? "%s = " : "%s = (void *)(", v->c_expr);
        if (p->moves[k])
            str_addf(out, p->target[k], "nondet_i32()");
        else
            str_add(out, p->target[k]);
        str_add(out, function ? "; break;\n" : "); break;\n");
    }
    str_add(out, "    }\n");
}

static bool all_named(const struct lowered_pointer *p) {
    for (size_t k = 0; k < p->n_targets; k++)
        if (!p->target[k])
            return false;
    return true;
}

/* Not a cell of the model: every step leaves it as the initialisation did. */
static bool never_changes(const struct certificate *c, size_t i) {
    const struct module_var *v = &c->module->state.data[i];
    if (v->type == 'p')
        return !pointer_named(c, v->path, strlen(v->path));
    return c->state && c->state[i] && term_is_const(c->sys->terms, c->state[i]);
}

static bool add_any_state(const struct certificate *c, struct str *out, struct err *err) {
    char buffer[16];
    str_add(out, "/* every cell of the state gets any value of its type, pointers any of their "
                 "objects */\nstatic void gk_any_state(void) {\n");
    for (size_t i = 0; i < c->module->state.len; i++) {
        const struct module_var *v = &c->module->state.data[i];
        const struct lowered_pointer *p = pointer_named(c, v->path, strlen(v->path));
        if (never_changes(c, i))
            continue;
        if (v->type != 'p')
            str_addf(out, "    %s = nondet_%s();\n", v->c_expr, nondet_name(v, buffer));
        else if (p && !all_named(p))
            return err_set(err, ERR_EVIDENCE, "'%s' points to objects without a name", v->path);
        else if (p)
            add_any_pointer(out, v, p);
    }
    for (size_t i = 0; i < c->module->inputs.len; i++) {
        const struct module_var *v = &c->module->inputs.data[i];
        if (v->role == VAR_PARAMETER)
            str_addf(out, "    %s = nondet_%s();\n", v->c_expr, nondet_name(v, buffer));
    }
    str_add(out, "}\n");
    return true;
}

static void add_pointer_check(struct str *out, const struct module_var *v,
                              const struct lowered_pointer *p) {
    str_add(out, "    __CPROVER_assert(");
    for (size_t k = 0; k < p->n_targets; k++) {
        if (p->moves[k]) { /* anywhere in that object */
            str_addf(out, "%s__CPROVER_same_object((void *)%s, (void *)(", k ? " || " : "",
                     v->c_expr);
            add_target(out, p, k);
            str_add(out, "))");
            continue;
        }
        str_addf(out, "%s(void *)%s == (void *)(", k ? " || " : "", v->c_expr);
        add_target(out, p, k);
        str_add(out, ")");
    }
    str_addf(out, ", \"%s points to one of its objects\");\n", v->path);
}

static const char *keeper_type(const struct module_var *v) {
    switch (v->type) {
    case 'p':
        return "void *";
    case 'f':
        return "double ";
    case 'i':
        return "long long ";
    default:
        return "unsigned long long ";
    }
}

static void add_kept(struct str *out, const struct module_var *v, size_t number, bool save) {
    const char *cast = v->type == 'p' ? "(void *)" : "";
    if (save) {
        str_addf(out, "    %sgk_p%zu = %s%s;\n", keeper_type(v), number, cast, v->c_expr);
        return;
    }
    str_addf(out, "    __CPROVER_assert(%s%s == gk_p%zu", cast, v->c_expr, number);
    if (v->type == 'f')
        str_addf(out, " || %s != %s", v->c_expr, v->c_expr);
    str_addf(out, ", \"%s never changes\");\n", v->path);
}

/* Before the step what never changes; after it, that it has not, and where pointers point. */
static void add_unchanged(const struct certificate *c, struct str *out, bool save) {
    for (size_t i = 0; i < c->module->state.len; i++) {
        const struct module_var *v = &c->module->state.data[i];
        if (never_changes(c, i))
            add_kept(out, v, i, save);
        else if (v->type == 'p' && !save)
            add_pointer_check(out, v, pointer_named(c, v->path, strlen(v->path)));
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
    add_unchanged(c, out, true);
    str_add(out, "    gk_any_state();\n");
    if (!add_clauses(c, out, "__CPROVER_assume", NULL, err))
        return false;
    str_addf(out, "    gk_mode = %d;\n    gk_step();\n", c->invariant->k == 1 ? 2 : 0);
    if (!add_clauses(c, out, "__CPROVER_assert", "is kept by a step", err))
        return false;
    add_unchanged(c, out, false);
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
    if (!add_any_state(c, out, err) || !add_init_check(c, out, err) || !add_step_check(c, out, err))
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
