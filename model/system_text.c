/* Systems as text, one item a line, terms before their users:
 *
 *   system 1 "counter"
 *   t1 var i16 signed "n"
 *   t2 const i16 1
 *   t3 add i16 t1 t2
 *   cell "n" t1 init t4 next t3
 *   input "u" t5 step id 3 guard t6          (or: init; unspecified; no guard)
 *   target "stmt" goal 12 hit t7 init t8     (or: overrun; no init)
 *   folded "c" t9 value 3                    (or: same 0)
 *   init-ok t10 / step-ok / unspecified / init-unspecified
 *   end
 *
 * Terms are read through the constructors, so what is read is simplified as anything else. */
#include "model/text.h"
#include "model/value.h"

#include "base/mem.h"
#include "model/simplify.h"

/* ---- writing ---- */

struct writer {
    const struct system *sys;
    struct str *out;
    uint32_t *number; /* one a term: its number in the text, 0 if it is not needed */
    uint32_t *table;  /* one a table: the same */
};

static void mark_roots(const struct system *sys, bool *mark) {
    VEC(term_t) roots = {0};
    for (size_t i = 0; i < sys->cells.len; i++) {
        const struct cell *c = &sys->cells.data[i];
        vec_append(&roots, ((term_t[]){c->var, c->init, c->next}), 3);
    }
    for (size_t i = 0; i < sys->inputs.len; i++) {
        const struct sys_input *in = &sys->inputs.data[i];
        vec_append(&roots, ((term_t[]){in->var, in->guard}), 2);
    }
    for (size_t i = 0; i < sys->targets.len; i++) {
        const struct target *t = &sys->targets.data[i];
        vec_append(&roots, ((term_t[]){t->hit, t->init_hit}), 2);
    }
    for (size_t i = 0; i < sys->folded.len; i++)
        vec_push(&roots, sys->folded.data[i].var);
    vec_append(&roots,
               ((term_t[]){sys->init_ok, sys->step_ok, sys->unspecified, sys->init_unspecified}),
               4);
    term_mark(sys->terms, roots.data, roots.len, mark);
    vec_free(&roots);
}

static void number_terms(struct writer *w) {
    const struct terms *ts = w->sys->terms;
    bool *mark = mem_zalloc(ts->nodes.len, sizeof *mark);
    mark_roots(w->sys, mark);
    uint32_t terms = 0, tables = 0;
    for (term_t t = 1; t < ts->nodes.len; t++) {
        if (!mark[t])
            continue;
        w->number[t] = ++terms;
        if (term_is(ts, t, OP_TABLE) && !w->table[term_bits(ts, t)])
            w->table[term_bits(ts, t)] = ++tables;
    }
    mem_free(mark);
}

static void write_tables(struct writer *w) {
    const struct terms *ts = w->sys->terms;
    for (size_t i = 0; i < ts->tables.len; i++) {
        const struct term_table *table = &ts->tables.data[i];
        if (!w->table[i])
            continue;
        str_addf(w->out, "b%u table %s", w->table[i], sort_name(table->sort));
        for (size_t v = 0; v < table->len; v++) {
            str_addc(w->out, ' ');
            value_print(table->sort, true, table->values[v], w->out);
        }
        str_addc(w->out, '\n');
    }
}

static void write_term(struct writer *w, term_t t) {
    const struct terms *ts = w->sys->terms;
    const struct term *n = term_get(ts, t);
    str_addf(w->out, "t%u %s %s", w->number[t], op_table[n->op].text, sort_name(n->sort));
    if (n->op == OP_VAR) {
        const struct term_var *var = &ts->vars.data[n->payload];
        str_addf(w->out, " %s ", var->is_signed ? "signed" : "unsigned");
        name_print(var->name, w->out);
    } else if (n->op == OP_CONST) {
        str_addc(w->out, ' ');
        value_print(n->sort, true, n->payload, w->out);
    } else if (n->op == OP_TABLE) {
        str_addf(w->out, " b%u", w->table[n->payload]);
    }
    for (int i = 0; i < n->arity; i++)
        str_addf(w->out, " t%u", w->number[n->arg[i]]);
    str_addc(w->out, '\n');
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
        str_addf(w->out, " t%u init t%u next t%u\n", w->number[c->var], w->number[c->init],
                 w->number[c->next]);
    }
    for (size_t i = 0; i < sys->inputs.len; i++) {
        const struct sys_input *in = &sys->inputs.data[i];
        write_named(w, "input", in->name);
        str_addf(w->out, " t%u %s", w->number[in->var], in->at_init ? "init" : "step");
        if (in->module_input != NONE)
            str_addf(w->out, " id %u", in->module_input);
        str_add(w->out, in->unspecified ? " unspecified" : "");
        if (in->guard)
            str_addf(w->out, " guard t%u", w->number[in->guard]);
        str_addc(w->out, '\n');
    }
}

static void write_targets(struct writer *w) {
    const struct system *sys = w->sys;
    for (size_t i = 0; i < sys->targets.len; i++) {
        const struct target *t = &sys->targets.data[i];
        write_named(w, "target", t->name);
        str_addf(w->out, " %s %u hit t%u", t->kind == TARGET_GOAL ? "goal" : "overrun", t->id,
                 w->number[t->hit]);
        if (t->init_hit)
            str_addf(w->out, " init t%u", w->number[t->init_hit]);
        str_addc(w->out, '\n');
    }
    for (size_t i = 0; i < sys->folded.len; i++) {
        const struct folded *f = &sys->folded.data[i];
        const struct term_var *var = &sys->terms->vars.data[term_bits(sys->terms, f->var)];
        write_named(w, "folded", f->name);
        str_addf(w->out, " t%u ", w->number[f->var]);
        if (f->same_as != NONE) {
            str_addf(w->out, "same %u", f->same_as);
        } else {
            str_add(w->out, "value ");
            value_print(var->sort, var->is_signed, f->bits, w->out);
        }
        str_addc(w->out, '\n');
    }
}

void system_write(const struct system *sys, struct str *out) {
    const struct terms *ts = sys->terms;
    struct writer w = {.sys = sys, .out = out};
    w.number = mem_zalloc(ts->nodes.len, sizeof *w.number);
    w.table = mem_zalloc(ts->tables.len, sizeof *w.table);
    number_terms(&w);
    write_named(&w, "system 1", sys->name);
    str_addc(out, '\n');
    write_tables(&w);
    for (term_t t = 1; t < ts->nodes.len; t++)
        if (w.number[t])
            write_term(&w, t);
    write_state(&w);
    write_targets(&w);
    str_addf(out, "init-ok t%u\nstep-ok t%u\nunspecified t%u\ninit-unspecified t%u\nend\n",
             w.number[sys->init_ok], w.number[sys->step_ok], w.number[sys->unspecified],
             w.number[sys->init_unspecified]);
    mem_free(w.number);
    mem_free(w.table);
}
