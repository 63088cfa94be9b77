/* Systems as text, one item a line, after the definitions of their terms (model/term/term_text.h):
 *
 *   system 1 "counter"
 *   t1 var i16 signed "n" …
 *   cell "n" t1 init t4 next t3            (and for a derived cell: is t11)
 *   input "u" t5 step id 3 guard t6          (or: init; unspecified; no guard)
 *   target "stmt" goal 12 hit t7 init t8     (or: overrun; no init)
 *   folded "c" t9 value 3                    (or: same 0)
 *   init-ok t10 / step-ok / unspecified / init-unspecified
 *   end
 */
#include "model/system/system.h"

#include "model/term/simplify.h"
#include "model/term/term_text.h"
#include "model/term/value.h"

struct writer {
    const struct system *sys;
    struct str *out;
    struct term_writer terms;
};

VEC_STRUCT(root_list, term_t);

static void list_roots(const struct system *sys, struct root_list *list) {
    for (size_t i = 0; i < sys->cells.len; i++) {
        const struct cell *c = &sys->cells.data[i];
        vec_append(list, ((term_t[]){c->var, c->init, c->next, c->is}), 4);
    }
    for (size_t i = 0; i < sys->inputs.len; i++) {
        const struct sys_input *in = &sys->inputs.data[i];
        vec_append(list, ((term_t[]){in->var, in->guard}), 2);
    }
    for (size_t i = 0; i < sys->targets.len; i++) {
        const struct target *t = &sys->targets.data[i];
        vec_append(list, ((term_t[]){t->hit, t->init_hit}), 2);
    }
    for (size_t i = 0; i < sys->folded.len; i++)
        vec_push(list, sys->folded.data[i].var);
    vec_append(
        list, ((term_t[]){sys->init_ok, sys->step_ok, sys->unspecified, sys->init_unspecified}), 4);
}

static void write_named(struct writer *w, const char *kind, const char *name) {
    str_addf(w->out, "%s ", kind);
    name_print(name, w->out);
}

static void write_state(struct writer *w) {
    const struct system *sys = w->sys;
    for (size_t i = 0; i < sys->cells.len; i++) {
        const struct cell *c = &sys->cells.data[i];
        write_named(w, "cell", c->name);
        term_writer_ref(&w->terms, "", c->var);
        term_writer_ref(&w->terms, "init", c->init);
        term_writer_ref(&w->terms, "next", c->next);
        if (c->is)
            term_writer_ref(&w->terms, "is", c->is);
        str_addc(w->out, '\n');
    }
    for (size_t i = 0; i < sys->inputs.len; i++) {
        const struct sys_input *in = &sys->inputs.data[i];
        write_named(w, "input", in->name);
        term_writer_ref(&w->terms, "", in->var);
        str_add(w->out, in->at_init ? " init" : " step");
        if (in->module_input != NONE)
            str_addf(w->out, " id %u", in->module_input);
        str_add(w->out, in->unspecified ? " unspecified" : "");
        if (in->guard)
            term_writer_ref(&w->terms, "guard", in->guard);
        str_addc(w->out, '\n');
    }
}

static void write_targets(struct writer *w) {
    const struct system *sys = w->sys;
    for (size_t i = 0; i < sys->targets.len; i++) {
        const struct target *t = &sys->targets.data[i];
        write_named(w, "target", t->name);
        str_addf(w->out, " %s %u", t->kind == TARGET_GOAL ? "goal" : "overrun", t->id);
        term_writer_ref(&w->terms, "hit", t->hit);
        if (t->init_hit)
            term_writer_ref(&w->terms, "init", t->init_hit);
        str_addc(w->out, '\n');
    }
    for (size_t i = 0; i < sys->folded.len; i++) {
        const struct folded *f = &sys->folded.data[i];
        const struct term_var *var = &sys->terms->vars.data[term_bits(sys->terms, f->var)];
        write_named(w, "folded", f->name);
        term_writer_ref(&w->terms, "", f->var);
        if (f->same_as != NONE) {
            str_addf(w->out, " same %u", f->same_as);
        } else {
            str_add(w->out, " value ");
            value_print(var->sort, var->is_signed, f->bits, w->out);
        }
        str_addc(w->out, '\n');
    }
}

static void write_line(struct writer *w, const char *key, term_t t) {
    str_add(w->out, key);
    term_writer_ref(&w->terms, "", t);
    str_addc(w->out, '\n');
}

void system_write(const struct system *sys, struct str *out) {
    struct writer w = {.sys = sys, .out = out};
    struct root_list roots = {0};
    write_named(&w, "system 1", sys->name);
    str_addc(out, '\n');
    list_roots(sys, &roots);
    term_writer_open(&w.terms, sys->terms, out, roots.data, roots.len);
    write_state(&w);
    write_targets(&w);
    write_line(&w, "init-ok", sys->init_ok);
    write_line(&w, "step-ok", sys->step_ok);
    write_line(&w, "unspecified", sys->unspecified);
    write_line(&w, "init-unspecified", sys->init_unspecified);
    str_add(out, "end\n");
    term_writer_close(&w.terms);
    vec_free(&roots);
}
