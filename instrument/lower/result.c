/* Mark what targets, assumptions and next states need, from their terms downwards; copy that,
 * arguments first, into the terms of the caller; describe pointers and places for those who write
 * C. */
#include "instrument/lower/result.h"

#include "base/mem.h"
#include "instrument/lower/table.h"
#include "instrument/lower/lowering.h"

#include <stdlib.h>

/* A changing cell with its terms; `read`: something that matters depends on it. */
struct outcome {
    const struct state_cell *state;
    const struct scalar *init, *next; /* one per variable */
    bool read, kept;
};

struct finish {
    struct lowering *lw;
    struct system *sys;
    VEC(struct outcome) cells;
    bool *mark;
    bool *shown;  /* terms below module.state */
    term_t *copy; /* term of the run -> term of the system */
    VEC(uint32_t) table;
    VEC(term_t) stack;
};

/* ---- what is needed ---- */

static void mark_below(struct finish *f, term_t root) {
    const struct terms *ts = f->lw->ts;
    if (!root)
        return;
    vec_push(&f->stack, root);
    while (f->stack.len) {
        term_t t = vec_pop(&f->stack);
        if (f->mark[t])
            continue;
        f->mark[t] = true;
        const struct term *node = term_get(ts, t);
        for (int i = 0; i < node->arity; i++)
            vec_push(&f->stack, node->arg[i]);
    }
}

static bool any_var(const struct state_cell *s, const bool *mark) {
    for (uint32_t i = 0; i < s->n_vars; i++)
        if (mark[s->vars[i]])
            return true;
    return false;
}

static bool is_shown(const struct finish *f, const struct state_cell *s) {
    return any_var(s, f->shown) || lower_table_lists(f->lw, s->cell);
}

static void keep(struct finish *f, struct outcome *o) {
    if (o->kept)
        return;
    assert(o->state->n_vars > 0);
    o->kept = true;
    for (uint32_t i = 0; i < o->state->n_vars; i++) {
        mark_below(f, o->init[i].term);
        mark_below(f, o->next[i].term);
    }
}

/* A step that leaves an unspecified value in a cell that is read later depends on it. */
static void use_taint(struct finish *f, const struct run_result *run, const struct outcome *o,
                      bool at_init) {
    struct lowering *lw = f->lw;
    term_t taint = 0;
    for (uint32_t i = 0; i < o->state->n_vars; i++)
        taint = taint_or(lw, taint, at_init ? o->init[i].taint : o->next[i].taint);
    if (!taint || lw->options->cut)
        return;
    term_t *sum = at_init ? &lw->init_unspecified : &lw->unspecified;
    term_t ok = at_init ? run->init_ok : run->step_ok;
    *sum = term_or(lw->ts, *sum, term_and(lw->ts, ok, taint));
}

/* The mark array must cover terms that were made since. */
static void fit_marks(struct finish *f, size_t *had) {
    size_t n = f->lw->ts->nodes.len;
    assert(n >= *had); /* terms are never removed */
    if (n > *had) {
        f->mark = mem_realloc(f->mark, n * sizeof *f->mark);
        memset(f->mark + *had, 0, (n - *had) * sizeof *f->mark);
        *had = n;
    }
}

static void mark_targets(struct finish *f, const struct run_result *run) {
    struct lowering *lw = f->lw;
    for (size_t i = 0; i < lw->targets.len; i++) {
        mark_below(f, lw->targets.data[i].hit);
        mark_below(f, lw->targets.data[i].init_hit);
    }
    for (size_t i = 0; i < lw->promises.len; i++)
        mark_below(f, lw->promises.data[i].term);
    mark_below(f, run->init_ok);
    mark_below(f, run->step_ok);
    for (size_t i = 0; i < lw->inputs.len; i++)
        if (lw->inputs.data[i].module_input != NONE)
            mark_below(f, lw->inputs.data[i].guard);
}

/* Repeats until no further cell turns out to be read. */
static void find_needed(struct finish *f, const struct run_result *run) {
    struct lowering *lw = f->lw;
    size_t had = 0;
    fit_marks(f, &had);
    mark_targets(f, run);
    for (bool more = true; more;) {
        more = false;
        fit_marks(f, &had);
        mark_below(f, lw->unspecified);
        mark_below(f, lw->init_unspecified);
        for (size_t i = 0; i < f->cells.len; i++) {
            struct outcome *o = &f->cells.data[i];
            if (is_shown(f, o->state) && !o->kept) {
                keep(f, o);
                more = true;
            }
            if (o->read || !any_var(o->state, f->mark))
                continue;
            o->read = more = true;
            keep(f, o);
            use_taint(f, run, o, true);
            use_taint(f, run, o, false);
        }
    }
    for (size_t i = 0; i < run->state.len; i++)
        mark_below(f, run->state.data[i]);
}

/* ---- copying ---- */

static term_t copy_table_read(struct finish *f, const struct term *node, term_t index) {
    const struct terms *from = f->lw->ts;
    assert(node->payload < from->tables.len);
    while (f->table.len < from->tables.len) {
        const struct term_table *t = &from->tables.data[f->table.len];
        vec_push(&f->table, term_add_table(f->sys->terms, t->sort, t->values, t->len));
    }
    return term_table_at(f->sys->terms, f->table.data[node->payload], index);
}

static term_t copy_node(struct finish *f, const struct term *node) {
    struct terms *to = f->sys->terms;
    for (int i = 0; i < node->arity; i++)
        assert(f->copy[node->arg[i]]); /* arguments come first, and what is marked is closed */
    term_t a = f->copy[node->arg[0]], b = f->copy[node->arg[1]], c = f->copy[node->arg[2]];
    if (node->op == OP_CONST)
        return term_const(to, node->sort, node->payload);
    if (f->lw->indeterminate && node == term_get(f->lw->ts, f->lw->indeterminate))
        return term_bool(to, true);
    if (node->op == OP_VAR) {
        const struct term_var *v = &f->lw->ts->vars.data[node->payload];
        return term_var(to, system_name(f->sys, v->name), v->sort, v->is_signed);
    }
    if (node->op == OP_TABLE)
        return copy_table_read(f, node, a);
    if (op_table[node->op].result == 'p')
        return term_cast(to, node->op, node->sort, a);
    switch (node->arity) {
    case 1:
        return term_op1(to, node->op, a);
    case 2:
        return term_op2(to, node->op, a, b);
    default:
        return term_op3(to, node->op, a, b, c);
    }
}

static void copy_terms(struct finish *f) {
    const struct terms *from = f->lw->ts;
    f->copy = mem_zalloc(from->nodes.len, sizeof *f->copy);
    for (term_t t = 1; t < from->nodes.len; t++)
        if (f->mark[t])
            f->copy[t] = copy_node(f, term_get(from, t));
}

static void add_cell(struct finish *f, term_t var, term_t init, term_t next) {
    if (!f->copy[var]) /* nothing reads it, but it is shown */
        f->copy[var] = copy_node(f, term_get(f->lw->ts, var));
    term_t copied = f->copy[var];
    assert(copied && f->copy[init] && f->copy[next]);
    assert(term_get(f->lw->ts, var)->op == OP_VAR);
    const struct terms *ts = f->sys->terms;
    struct cell cell = {.name = ts->vars.data[term_get(ts, copied)->payload].name,
                        .var = copied,
                        .init = f->copy[init],
                        .next = f->copy[next]};
    vec_push(&f->sys->cells, cell);
}

/* Of cells that are one number. */
static struct lowered_start start_of(struct lowering *lw, const struct state_cell *s) {
    value_t v = lw->objects.initial.data[s->cell];
    sort_t sort = term_sort(lw->ts, s->vars[0]);
    if (s->n_vars != 1 || !value_is_plain(v) || !term_is_const(lw->ts, v) ||
        (term_sort(lw->ts, v) != sort && sort != SORT_BOOL))
        return (struct lowered_start){0};
    return (struct lowered_start){.bits = term_get(lw->ts, v)->payload, .known = true};
}

static void add_cells(struct finish *f, struct lowered *lowered) {
    for (size_t i = 0; i < f->cells.len; i++) {
        const struct outcome *o = &f->cells.data[i];
        assert(!o->read || o->kept);
        if (!o->kept)
            continue;
        for (uint32_t k = 0; k < o->state->n_vars; k++) {
            add_cell(f, o->state->vars[k], o->init[k].term, o->next[k].term);
            vec_push(&lowered->start, start_of(f->lw, o->state));
        }
    }
}

static void add_promises(struct finish *f, struct lowered *lowered) {
    for (size_t i = 0; i < f->lw->promises.len; i++) {
        struct lowered_promise p = f->lw->promises.data[i];
        assert(f->copy[p.term]);
        p.term = f->copy[p.term];
        vec_push(&lowered->promises, p);
    }
}

static void add_inputs(struct finish *f) {
    for (size_t i = 0; i < f->lw->inputs.len; i++) {
        struct sys_input in = f->lw->inputs.data[i];
        if (in.module_input == NONE && !f->mark[in.var])
            continue;
        if (!f->copy[in.var])
            f->copy[in.var] = copy_node(f, term_get(f->lw->ts, in.var));
        in.name = system_name(f->sys, in.name);
        in.var = f->copy[in.var];
        in.guard = in.module_input == NONE ? 0 : f->copy[in.guard];
        vec_push(&f->sys->inputs, in);
    }
}

static void add_targets(struct finish *f) {
    term_t no = term_bool(f->lw->ts, false);
    for (size_t i = 0; i < f->lw->targets.len; i++) {
        const struct collected *c = &f->lw->targets.data[i];
        struct target t = {.kind = c->kind,
                           .id = c->id,
                           .name = system_name(f->sys, c->name),
                           .hit = f->copy[c->hit],
                           .init_hit = c->init_hit == no ? 0 : f->copy[c->init_hit]};
        if (c->kind == TARGET_OVERRUN)
            vec_push(&f->sys->overruns, (uint32_t)f->sys->targets.len);
        vec_push(&f->sys->targets, t);
    }
}

/* ---- cells in the order of memory ---- */

static int by_cell(const void *a, const void *b) {
    const struct outcome *x = a, *y = b;
    return (x->state->cell > y->state->cell) - (x->state->cell < y->state->cell);
}

static void collect_cells(struct finish *f) {
    struct lowering *lw = f->lw;
    uint32_t n = lw->objects.n_global_cells;
    for (uint32_t cell = 0; cell < n; cell++)
        if (lw->plan->cells.data[cell].changes)
            (void)lower_state_cell(lw, cell);
    for (size_t i = 0; i < lw->state.cells.len; i++) {
        uint32_t cell = lw->state.cells.data[i].cell;
        value_t next = memory_get(&lw->memory, lw->now.memory, cell);
        if (!next || lw->now.dead)
            next = lw->state.cells.data[i].value;
        struct outcome o = {.state = &lw->state.cells.data[i]};
        lw->in_init = true;
        o.init = lower_state_encode(lw, o.state, lw->state.initial.data[cell]);
        lw->in_init = false;
        o.next = lower_state_encode(lw, o.state, next);
        vec_push(&f->cells, o);
    }
    if (f->cells.len)
        qsort(f->cells.data, f->cells.len, sizeof *f->cells.data, by_cell);
}

/* ---- pointers in the words of C ---- */

static const char *target_text(struct finish *f, struct arena *arena, struct shape_target t) {
    const struct object *o = &f->lw->objects.list.data[t.object];
    if (o->kind == OBJECT_NULL)
        return "(char *)0";
    if (!o->name)
        return NULL;
    if (o->kind == OBJECT_FUNCTION)
        return arena_printf(arena, "&%s", o->name);
    if (!t.scale)
        return arena_printf(arena, "(char *)&%s + %lld", o->name, (long long)t.offset);
    return arena_printf(arena, "(char *)&%s + %lld + %lld * (long)%%s", o->name,
                        (long long)t.offset, (long long)t.scale);
}

static void describe_pointer(struct finish *f, const struct outcome *o, struct lowered *lowered) {
    const struct plan_cell *p = &f->lw->plan->cells.data[o->state->cell];
    struct lowered_pointer pointer = {.n_targets = p->shape.len};
    assert(p->shape.len > 0 && o->state->n_vars <= 2);
    pointer.name = arena_strdup(&lowered->arena, lower_cell_name(f->lw, o->state->cell));
    pointer.target = arena_array(&lowered->arena, const char *, p->shape.len + 1);
    pointer.moves = arena_array(&lowered->arena, bool, p->shape.len + 1);
    for (size_t k = 0; k < p->shape.len; k++) {
        pointer.target[k] = target_text(f, &lowered->arena, p->shape.data[k]);
        pointer.moves[k] = p->shape.data[k].scale != 0;
    }
    vec_push(&lowered->pointers, pointer);
}

static void describe_pointers(struct finish *f, struct lowered *lowered) {
    for (size_t i = 0; i < f->cells.len; i++)
        if (f->lw->plan->cells.data[f->cells.data[i].state->cell].shape.len > 0)
            describe_pointer(f, &f->cells.data[i], lowered);
}

/* ---- where the run can be ---- */

static void describe_places(struct finish *f, struct lowered *lowered) {
    const struct lower_plan *plan = f->lw->plan;
    for (size_t i = 0; i < plan->locations.len; i++) {
        struct cfa_place place = {.kind = CFA_LOOP, .name = plan->locations.data[i].name};
        if (plan->locations.data[i].depth == 0 && !f->lw->options->task)
            place.kind = CFA_STEP;
        place.name = arena_strdup(&lowered->arena, place.name);
        vec_push(&lowered->places, place);
    }
}

void lower_finish(struct lowering *lw, const struct run_result *run, struct system *sys,
                  struct lowered *lowered) {
    assert(!lw->plan->grown && sys->cells.len == 0 && sys->targets.len == 0);
    struct finish f = {.lw = lw, .sys = sys};
    collect_cells(&f);
    f.shown = mem_zalloc(lw->ts->nodes.len, sizeof *f.shown);
    (void)term_mark(lw->ts, run->state.data, run->state.len, f.shown);
    find_needed(&f, run);
    copy_terms(&f);
    add_cells(&f, lowered);
    add_promises(&f, lowered);
    describe_pointers(&f, lowered);
    describe_places(&f, lowered);
    add_inputs(&f);
    add_targets(&f);
    assert(f.copy[run->init_ok] && f.copy[run->step_ok]);
    sys->init_ok = f.copy[run->init_ok];
    sys->step_ok = f.copy[run->step_ok];
    sys->unspecified = f.copy[lw->unspecified];
    sys->init_unspecified = f.copy[lw->init_unspecified];
    for (size_t i = 0; i < run->state.len; i++)
        vec_push(&lowered->state, run->state.data[i] ? f.copy[run->state.data[i]] : 0);
    vec_free(&f.cells);
    vec_free(&f.table);
    vec_free(&f.stack);
    mem_free(f.shown);
    mem_free(f.mark);
    mem_free(f.copy);
}
