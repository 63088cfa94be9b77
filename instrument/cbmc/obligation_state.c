/* The program, any state, and what stays as the initialisation made it. */
#include "instrument/cbmc/obligation.h"

#include "instrument/weave/enums.h"
#include "instrument/weave/guards.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void obligation_woven(const struct obligation *o, bool guarded, struct str *out) {
    struct str active = {0};
    if (guarded) {
        guards_activate(o->woven, &active);
        enums_spell(str_text(&active), active.len, out);
    } else {
        enums_spell(o->woven, strlen(o->woven), out);
    }
    str_free(&active);
}

/* What moves is anywhere within 4 MiB, which no object of CBMC's for 32 bits is larger than:
 * further away the offset would wrap, and the pointer might come back between two elements. */
static void add_any_target(struct str *out, const struct lowered_pointer *p, size_t k) {
    enum { REACH = 1 << 22 };
    char index[64];
    long long stride = obligation_stride(p, k);
    snprintf(index, sizeof index, "gk_index(%lld)", stride ? REACH / llabs(stride) : 0);
    obligation_target(out, p, k, index);
}

static void add_any_pointer(struct str *out, const struct module_var *v,
                            const struct lowered_pointer *p) {
    str_add(out, "    switch (nondet_u32()) {\n");
    for (size_t k = 0; k < p->n_targets; k++) {
        bool function = p->target[k] && p->target[k][0] == '&';
        str_addf(out, k + 1 < p->n_targets ? "    case %zu: " : "    default: ", k);
        str_addf(out, function ? "%s = " : "%s = (void *)(", v->c_expr);
        add_any_target(out, p, k);
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

bool obligation_never_changes(const struct obligation *o, size_t i) {
    const struct module_var *v = &o->module->state.data[i];
    if (v->type == TYPE_POINTER)
        return !obligation_pointer(o, v->path, strlen(v->path));
    return o->state && o->state[i] && term_is_const(o->sys->terms, o->state[i]);
}

static bool add_any_state(const struct obligation *o, struct str *out, struct err *err) {
    char buffer[16];
    str_add(out, "/* every cell of the state gets any value of its type, pointers any of their "
                 "objects */\nstatic void gk_any_state(void) {\n");
    for (size_t i = 0; i < o->module->state.len; i++) {
        const struct module_var *v = &o->module->state.data[i];
        const struct lowered_pointer *p = obligation_pointer(o, v->path, strlen(v->path));
        if (obligation_never_changes(o, i))
            continue;
        if (v->type != TYPE_POINTER)
            str_addf(out, "    %s = nondet_%s();\n", v->c_expr, obligation_suffix(v, buffer));
        else if (p && !all_named(p))
            return err_set(err, ERR_EVIDENCE, "'%s' points to objects without a name", v->path);
        else if (p)
            add_any_pointer(out, v, p);
    }
    for (size_t i = 0; i < o->module->inputs.len; i++) {
        const struct module_var *v = &o->module->inputs.data[i];
        if (v->role == VAR_PARAMETER)
            str_addf(out, "    %s = nondet_%s();\n", v->c_expr, obligation_suffix(v, buffer));
    }
    str_add(out, "}\n");
    return true;
}

bool obligation_any_state(const struct obligation *o, struct str *out, struct err *err) {
    struct str text = {0};
    bool ok = add_any_state(o, &text, err);
    if (ok && strstr(str_text(&text), "gk_index("))
        str_add(out, "static int gk_index(int most) {\n    int index = nondet_i32();\n"
                     "    __CPROVER_assume(-most <= index && index <= most);\n"
                     "    return index;\n}\n");
    str_add(out, str_text(&text));
    str_free(&text);
    return ok;
}

static void add_pointer_check(struct str *out, const struct module_var *v,
                              const struct lowered_pointer *p) {
    str_add(out, "    __CPROVER_assert(");
    for (size_t k = 0; k < p->n_targets; k++) {
        if (p->moves[k]) { /* anywhere in that object */
            str_addf(out, "%s__CPROVER_same_object((void *)%s, (void *)(", k ? " || " : "",
                     v->c_expr);
            obligation_target(out, p, k, "0");
            str_add(out, "))");
            continue;
        }
        str_addf(out, "%s(void *)%s == (void *)(", k ? " || " : "", v->c_expr);
        obligation_target(out, p, k, "0");
        str_add(out, ")");
    }
    str_addf(out, ", \"%s points to one of its objects\");\n", v->path);
}

static const char *keeper_type(const struct module_var *v) {
    switch (v->type) {
    case TYPE_POINTER:
        return "void *";
    case TYPE_FLOAT:
        return "double ";
    case TYPE_SIGNED:
        return "long long ";
    default:
        return "unsigned long long ";
    }
}

static void add_kept(struct str *out, const struct module_var *v, size_t number, bool save) {
    const char *cast = v->type == TYPE_POINTER ? "(void *)" : "";
    if (save) {
        str_addf(out, "    %sgk_p%zu = %s%s;\n", keeper_type(v), number, cast, v->c_expr);
        return;
    }
    str_addf(out, "    __CPROVER_assert(%s%s == gk_p%zu", cast, v->c_expr, number);
    if (v->type == TYPE_FLOAT)
        str_addf(out, " || %s != %s", v->c_expr, v->c_expr);
    str_addf(out, ", \"%s never changes\");\n", v->path);
}

/* Before the step what never changes; after it, that it has not, and where pointers point. */
void obligation_unchanged(const struct obligation *o, struct str *out, bool save) {
    for (size_t i = 0; i < o->module->state.len; i++) {
        const struct module_var *v = &o->module->state.data[i];
        if (obligation_never_changes(o, i))
            add_kept(out, v, i, save);
        else if (v->type == TYPE_POINTER && !save)
            add_pointer_check(out, v, obligation_pointer(o, v->path, strlen(v->path)));
    }
}
