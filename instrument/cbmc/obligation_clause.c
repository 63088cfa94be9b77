/* Clauses over cells of the model as C conditions. */
#include "instrument/cbmc/obligation.h"

#include "instrument/syntax/sort.h"
#include "model/system/derive.h"
#include "model/term/ordinal.h"
#include "model/term/term_c.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char obligation_prologue[] =
    "#define GK_HOST\n"
    "_Bool nondet_b(void);\n"
    "signed char nondet_i8(void); unsigned char nondet_u8(void);\n"
    "short nondet_i16(void); unsigned short nondet_u16(void);\n"
    "int nondet_i32(void); unsigned int nondet_u32(void);\n"
    "long long nondet_i64(void); unsigned long long nondet_u64(void);\n"
    "float nondet_f32(void); double nondet_f64(void);\n"
    "#define gk_assume(condition) __CPROVER_assume(condition)\n";

/* ---- names and values ---- */

/* State, or a parameter that keeps one value over the run. */
static const struct module_var *cell_var(const struct obligation *o, const char *name) {
    for (size_t i = 0; i < o->module->state.len; i++)
        if (strcmp(o->module->state.data[i].path, name) == 0)
            return &o->module->state.data[i];
    for (size_t i = 0; i < o->module->inputs.len; i++)
        if (o->module->inputs.data[i].role == VAR_PARAMETER &&
            strcmp(o->module->inputs.data[i].path, name) == 0)
            return &o->module->inputs.data[i];
    return NULL;
}

const char *obligation_suffix(const struct module_var *v, char buffer[16]) {
    if (v->type == TYPE_BOOL)
        return "b";
    snprintf(buffer, 16, "%c%d", (char)v->type,
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
        str_addf(out, "%lluu%s", (unsigned long long)bits, sort > 32 ? "ll" : "");
    else if (ordinal == INT64_MIN)
        str_add(out, "(-0x7fffffffffffffffll - 1)");
    else
        str_addf(out, "(%lld%s)", (long long)ordinal, sort > 32 ? "ll" : "");
}

void obligation_value(struct str *out, const struct module_var *v, uint64_t bits) {
    sort_t sort = var_sort(v);
    double number = sort == SORT_F32   ? (double)bits_f32(bits)
                    : sort == SORT_F64 ? bits_f64(bits)
                                       : 0;
    assert(v->type != TYPE_POINTER);
    if (isnan(number))
        str_addf(out, "__builtin_nan%s(\"\")", sort == SORT_F32 ? "f" : "");
    else if (sort == SORT_BOOL)
        str_add(out, bits ? "1" : "0");
    else
        add_value(out, sort, v->type == TYPE_SIGNED,
                  ordinal_of(sort, v->type == TYPE_SIGNED, bits));
}

/* The ordinals of floats tell -0 from +0, comparisons in C do not: a bound between the two zeros
 * needs the sign bit. NaN counts as +0 in bounds (model/term/ordinal.h). */
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

const struct lowered_pointer *obligation_pointer(const struct obligation *o, const char *name,
                                                 size_t len) {
    for (size_t i = 0; i < o->n_pointers; i++)
        if (strncmp(o->pointers[i].name, name, len) == 0 && o->pointers[i].name[len] == '\0')
            return &o->pointers[i];
    return NULL;
}

void obligation_target(struct str *out, const struct lowered_pointer *p, size_t k,
                       const char *offset) {
    assert(k < p->n_targets && p->target[k]);
    if (p->moves[k])
        str_addf(out, p->target[k], offset);
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
        obligation_target(out, p, k, "0");
        str_addf(out, ") ? %zu : ", k);
    }
    str_addf(out, "%zu)", p->n_targets - 1);
    return true;
}

long long obligation_stride(const struct lowered_pointer *p, size_t k) {
    const char *scale = p->moves[k] && p->target[k] ? strstr(p->target[k], " * (long)") : NULL;
    if (!scale)
        return 0;
    const char *plus = scale;
    while (plus > p->target[k] && *plus != '+')
        plus--;
    return strtoll(plus + 1, NULL, 10);
}

/* The moving part of a pointer into one object: how many steps from the first place. */
static bool add_pointer_offset(struct str *out, const struct lowered_pointer *p,
                               const char *c_expr) {
    long long stride = p->n_targets == 1 ? obligation_stride(p, 0) : 0;
    if (stride == 0)
        return false;
    str_addf(out, "(((char *)%s - (", c_expr);
    obligation_target(out, p, 0, "0");
    str_addf(out, ")) / (%lld))", stride);
    return true;
}

/* A cell of the program's memory as a C expression. */
static bool add_place(const struct obligation *o, struct str *out, const char *name,
                      struct err *err) {
    size_t len = strcspn(name, "@");
    const struct lowered_pointer *p = obligation_pointer(o, name, len);
    struct str base = {0};
    str_addn(&base, name, len);
    const struct module_var *v = cell_var(o, str_text(&base));
    str_free(&base);
    bool ok = v != NULL;
    if (ok && p)
        ok = name[len] ? add_pointer_offset(out, p, v->c_expr)
                       : add_pointer_number(out, p, v->c_expr);
    else if (ok)
        str_add(out, v->c_expr);
    return ok || err_set(err, ERR_EVIDENCE, "'%s' cannot be written as C", name);
}

struct places {
    const struct obligation *o;
    struct err *err;
};

static bool add_leaf(void *context, term_t var, struct str *out) {
    const struct places *places = context;
    const struct system *sys = places->o->sys;
    uint32_t cell = system_cell_of(sys, var);
    return cell != NONE && add_place(places->o, out, sys->cells.data[cell].name, places->err);
}

/* A cell of the model as a C expression; a derived one as the term that it is. */
static bool add_cell(const struct obligation *o, struct str *out, uint32_t index, struct err *err) {
    const struct cell *cell = &o->sys->cells.data[index];
    struct places places = {o, err};
    struct c_leaves leaves = {add_leaf, &places};
    if (!cell->is)
        return add_place(o, out, cell->name, err);
    uint64_t var = term_get(o->sys->terms, cell->var)->payload;
    str_add(out, "(");
    bool ok =
        term_to_c(o->sys->terms, cell->is, o->sys->terms->vars.data[var].is_signed, &leaves, out);
    str_add(out, ")");
    return ok || err_set(err, ERR_EVIDENCE, "'%s' cannot be written as C", cell->name);
}

/* factor * cell as a long long, behind what is already there */
static bool add_product(const struct obligation *o, struct str *out, uint32_t index, int factor,
                        struct err *err) {
    const struct cell *cell = &o->sys->cells.data[index];
    const struct term_var *var =
        &o->sys->terms->vars.data[term_get(o->sys->terms, cell->var)->payload];
    assert(bound_can_sum(o->sys, index) && "products do not overflow");
    str_addf(out, "%dLL * (long long)(%s long)(", factor, var->is_signed ? "signed" : "unsigned");
    if (!add_cell(o, out, index, err))
        return false;
    str_add(out, ")");
    return true;
}

static bool add_sum(const struct obligation *o, struct str *out, struct bound b, struct err *err) {
    if (!add_product(o, out, b.cell, b.factor, err))
        return false;
    str_add(out, " + ");
    if (!add_product(o, out, b.other, b.other_factor, err))
        return false;
    str_addf(out, " %s %lldLL", b.kind == BOUND_GE ? ">=" : "<=", (long long)b.ordinal);
    return true;
}

static bool add_bound(const struct obligation *o, struct str *out, struct bound b,
                      struct err *err) {
    if (bound_is_sum(b) && !bound_sum_valid(o->sys, b))
        return err_set(err, ERR_EVIDENCE, "a sum in a clause is none that can be written as C");
    enum bound_truth truth = bound_truth(o->sys, b);
    if (truth != BOUND_OPEN) { /* its limit may be no value of the type */
        str_add(out, truth == BOUND_ALWAYS ? "1" : "0");
        return true;
    }
    if (bound_is_sum(b))
        return add_sum(o, out, b, err);
    const struct cell *cell = &o->sys->cells.data[b.cell];
    const struct term_var *var =
        &o->sys->terms->vars.data[term_get(o->sys->terms, cell->var)->payload];
    struct str x = {0};
    bool ok = add_cell(o, &x, b.cell, err);
    if (!ok) {
        str_free(&x);
        return false;
    }
    if (b.kind == BOUND_NAN || b.kind == BOUND_NOT_NAN) {
        str_addf(out, "%s %s %s", str_text(&x), b.kind == BOUND_NAN ? "!=" : "==", str_text(&x));
    } else if (var->sort == SORT_BOOL && b.ordinal == (b.kind == BOUND_GE)) {
        str_addf(out, "%s%s", b.kind == BOUND_GE ? "" : "!", str_text(&x));
    } else if (sort_is_float(var->sort)) {
        add_float_bound(out, str_text(&x), var->sort, b);
    } else {
        bool is_signed = var->is_signed && var->sort != SORT_BOOL;
        const char *wide = var->sort > 32 ? " long" : "";
        str_addf(out, "(%s long%s)%s %s ", is_signed ? "signed" : "unsigned", wide, str_text(&x),
                 b.kind == BOUND_GE ? ">=" : "<=");
        add_value(out, var->sort, is_signed, b.ordinal);
    }
    str_free(&x);
    return true;
}

static bool add_clause(const struct obligation *o, struct str *out, const struct clause *clause,
                       struct err *err) {
    for (size_t i = 0; i < clause->len; i++) {
        str_add(out, i ? " || " : "");
        if (!add_bound(o, out, clause->data[i], err))
            return false;
    }
    if (clause->len == 0)
        str_add(out, "0");
    return true;
}

bool obligation_clauses(const struct obligation *o, struct str *out, const char *how,
                        const char *where, struct err *err) {
    for (size_t i = 0; i < o->invariant->clauses.len; i++) {
        str_addf(out, "    %s(", how);
        if (o->elements)
            str_addf(out, "gk_kept(%zu, ", i + 1);
        if (!add_clause(o, out, &o->invariant->clauses.data[i], err))
            return false;
        str_add(out, o->elements ? ")" : "");
        if (where)
            str_addf(out, ", \"clause %zu %s\"", i + 1, where);
        str_add(out, ");\n");
    }
    return true;
}
