/* Values as the user would write them: decimals for floats, signs as the type has them. */
#include "app/because/words.h"

#include "base/decimal.h"
#include "instrument/syntax/sort.h"
#include "model/term/value.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static void add_number(sort_t sort, bool is_signed, uint64_t bits, struct str *out) {
    double d = sort == SORT_F32 ? (double)bits_f32(bits) : bits_f64(bits);
    if (sort_is_float(sort) && isfinite(d))
        decimal_add(d, sort == SORT_F32, out);
    else
        value_print(sort, is_signed, bits, out);
}

/* ---- physical values ---- */

/* " (-40 scaled)", in the unit that the generator's comment gives; nothing where it gives none. */
static void add_scaled(const struct module_var *v, uint64_t bits, struct str *out) {
    if (!v || !var_is_scaled(v))
        return;
    str_add(out, " (");
    var_add_physical(v, bits, out);
    str_add(out, " scaled)");
}

static void add_scaled_range(const struct module_var *v, uint64_t low, uint64_t high,
                             struct str *out) {
    if (!v || !var_is_scaled(v))
        return;
    str_add(out, " (");
    var_add_physical(v, low, out);
    str_add(out, " .. ");
    var_add_physical(v, high, out);
    str_add(out, " scaled)");
}

/* ---- promises ---- */

void words_promise(const struct freed *f, struct promised what, struct str *out) {
    const struct module *m = &f->woven->module;
    if (what.kind == PROMISED_END) {
        lowered_end_label(&f->lowered.ends.data[what.index], out);
        return;
    }
    if (what.kind == PROMISED_ASSUMPTION) {
        bool known = what.index < m->assumptions.len;
        str_addf(out, "`%s` is assumed", known ? m->assumptions.data[what.index] : "a constraint");
        return;
    }
    const struct module_var *v = &m->inputs.data[what.index];
    str_addf(out, "`%s` is ", v->path);
    if (what.kind == PROMISED_VALUE) {
        add_number(var_sort(v), v->type == TYPE_SIGNED, what.bits, out);
        add_scaled(v, what.bits, out);
        if (v->file)
            str_addf(out, " (%s:%d)", v->file, v->line);
        return;
    }
    str_add(out, "within ");
    add_number(var_sort(v), v->type == TYPE_SIGNED, v->min, out);
    str_add(out, " .. ");
    add_number(var_sort(v), v->type == TYPE_SIGNED, v->max, out);
    add_scaled_range(v, v->min, v->max, out);
}

void words_value(const struct freed *f, struct promised what, struct str *out) {
    const struct module_var *v = &f->woven->module.inputs.data[what.index];
    str_addf(out, "`%s` = ", v->path);
    add_number(var_sort(v), v->type == TYPE_SIGNED, what.bits, out);
    add_scaled(v, what.bits, out);
}

void words_label(const struct freed *f, struct promised what, struct str *out) {
    const struct module *m = &f->woven->module;
    if (what.kind == PROMISED_END) {
        lowered_end_label(&f->lowered.ends.data[what.index], out);
        return;
    }
    if (what.kind == PROMISED_ASSUMPTION) {
        if (what.index < m->assumptions.len)
            str_add(out, m->assumptions.data[what.index]);
        return;
    }
    const struct module_var *v = &m->inputs.data[what.index];
    if (what.kind == PROMISED_VALUE) {
        str_addf(out, "%s = ", v->path);
        value_print(var_sort(v), v->type == TYPE_SIGNED, what.bits, out);
        return;
    }
    str_addf(out, "%s in [", v->path);
    value_print(var_sort(v), v->type == TYPE_SIGNED, v->min, out);
    str_add(out, ", ");
    value_print(var_sort(v), v->type == TYPE_SIGNED, v->max, out);
    str_add(out, "]");
}

/* ---- clauses ---- */

static const struct term_var *var_of(const struct system *sys, uint32_t cell) {
    return &sys->terms->vars.data[term_get(sys->terms, sys->cells.data[cell].var)->payload];
}

static uint64_t bits_of(const struct system *sys, struct bound b) {
    const struct term_var *v = var_of(sys, b.cell);
    return ordinal_bits(v->sort, v->is_signed, b.ordinal);
}

static void add_ordinal(const struct system *sys, struct bound b, struct str *out) {
    const struct term_var *v = var_of(sys, b.cell);
    add_number(v->sort, v->is_signed, bits_of(sys, b), out);
}

/* The variable that the cell is; NULL: it is none of the user's, or derived. */
static const struct module_var *find_var(const struct module *m, const struct system *sys,
                                         uint32_t cell) {
    for (size_t i = 0; i < m->state.len; i++)
        if (strcmp(m->state.data[i].path, sys->cells.data[cell].name) == 0)
            return &m->state.data[i];
    return NULL;
}

static bool is_flag(const struct system *sys, struct bound b) {
    return var_of(sys, b.cell)->sort == SORT_BOOL && b.kind <= BOUND_LE;
}

static bool is_plain(struct bound b) {
    return b.kind <= BOUND_LE && !bound_is_sum(b);
}

/* Without what tells the values of a local variable apart: "look_up::i.2". */
static void add_names(const char *text, struct str *out) {
    bool local = false;
    for (const char *p = text; *p; p++) {
        bool in_word = isalnum((unsigned char)*p) || *p == '_' || *p == ':';
        local = in_word ? local || (*p == ':' && p[1] == ':') : local && *p == '.';
        size_t digits = *p == '.' ? strspn(p + 1, "0123456789") : 0;
        if (local && digits > 0)
            p += digits;
        else
            str_addc(out, *p);
    }
}

static void add_name(const struct system *sys, uint32_t cell, struct str *out) {
    str_addc(out, '`');
    add_names(sys->cells.data[cell].name, out);
    str_addc(out, '`');
}

/* "x is at most 3", for one of several */
static void add_bound(const struct module *m, const struct system *sys, struct bound b,
                      struct str *out) {
    if (!is_plain(b) || is_flag(sys, b)) {
        struct str text = {0};
        bound_print(b, sys, &text);
        str_addc(out, '`');
        add_names(str_text(&text), out);
        str_addc(out, '`');
        str_free(&text);
        return;
    }
    add_name(sys, b.cell, out);
    str_add(out, b.kind == BOUND_GE ? " >= " : " <= ");
    add_ordinal(sys, b, out);
    add_scaled(find_var(m, sys, b.cell), bits_of(sys, b), out);
}

static bool allows(struct bound b, int64_t place) {
    return b.kind == BOUND_LE ? place <= b.ordinal : place >= b.ordinal;
}

/* The places that the clause does not allow as such, in words; the rest of it. */
static void take_places(const struct freed *f, const struct system *sys, const struct clause *c,
                        struct clause *rest, struct str *out) {
    uint32_t pc = lowered_place(sys), n = 0;
    for (size_t i = 0; i < c->len; i++)
        if (pc == NONE || c->data[i].cell != pc || !is_plain(c->data[i]))
            vec_push(rest, c->data[i]);
    for (size_t p = 0; rest->len < c->len && p < f->lowered.places.len; p++) {
        const struct cfa_place *place = &f->lowered.places.data[p];
        bool allowed = false;
        for (size_t i = 0; i < c->len; i++)
            allowed |=
                c->data[i].cell == pc && is_plain(c->data[i]) && allows(c->data[i], (int64_t)p + 1);
        if (allowed)
            continue;
        str_add(out, n++ ? " or " : "");
        if (place->kind == CFA_STEP)
            str_add(out, "between steps");
        else
            str_addf(out, "in the loop %s", place->name);
    }
    str_add(out, n ? ": " : "");
}

void words_clause(const struct freed *f, const struct system *sys, const struct clause *whole,
                  struct str *out) {
    const struct module *m = &f->woven->module;
    struct clause rest = {0}, *c = &rest;
    take_places(f, sys, whole, &rest, out);
    struct bound b = c->len > 0 ? c->data[0] : (struct bound){0};
    if (c->len == 0)
        str_add(out, "never");
    else if (c->len == 1 && is_plain(b) && !is_flag(sys, b)) {
        add_name(sys, b.cell, out);
        str_add(out, b.kind == BOUND_GE ? " is never below " : " never exceeds ");
        add_ordinal(sys, b, out);
        add_scaled(find_var(m, sys, b.cell), bits_of(sys, b), out);
    } else {
        str_add(out, "always ");
        for (size_t i = 0; i < c->len; i++) {
            str_add(out, i ? " or " : "");
            add_bound(m, sys, c->data[i], out);
        }
    }
    vec_free(&rest);
}

/* A bound of one cell, and where it holds; false: it is something else. */
static bool only_bound(const struct freed *f, const struct system *sys, const struct clause *c,
                       struct bound *b, struct str *places) {
    struct clause rest = {0};
    take_places(f, sys, c, &rest, places);
    bool is_one = rest.len == 1 && is_plain(rest.data[0]);
    if (is_one)
        *b = rest.data[0];
    vec_free(&rest);
    return is_one;
}

static void add_between(const struct module *m, const struct system *sys, struct bound low,
                        struct bound high, struct str *out) {
    const struct module_var *v = find_var(m, sys, low.cell);
    bool one = low.ordinal == high.ordinal;
    add_name(sys, low.cell, out);
    str_add(out, one ? " is always " : " stays within ");
    add_ordinal(sys, low, out);
    if (one) {
        add_scaled(v, bits_of(sys, low), out);
        return;
    }
    str_add(out, " .. ");
    add_ordinal(sys, high, out);
    add_scaled_range(v, bits_of(sys, low), bits_of(sys, high), out);
}

bool words_between(const struct freed *f, const struct system *sys, const struct clause *c,
                   const struct clause *d, struct str *out) {
    struct bound a = {0}, b = {0};
    struct str where = {0}, there = {0};
    bool both = only_bound(f, sys, c, &a, &where) && only_bound(f, sys, d, &b, &there) &&
                str_same(str_text(&where), str_text(&there)) && a.cell == b.cell &&
                a.kind != b.kind;
    if (both) {
        str_add(out, str_text(&where));
        add_between(&f->woven->module, sys, a.kind == BOUND_GE ? a : b, a.kind == BOUND_GE ? b : a,
                    out);
    }
    str_free(&where);
    str_free(&there);
    return both;
}
