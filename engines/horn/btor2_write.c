/* Truth values are bit-vectors of one bit. Terms have larger numbers than their arguments, so one
 * pass over those that are needed writes each behind what it is made of. */
#include "engines/horn/btor2_write.h"

#include "base/vec.h"

#include <string.h>

struct writer {
    struct system *sys;
    struct terms *ts;
    struct str *out;
    uint32_t last;          /* number of a line */
    uint32_t sorts[65];     /* of so many bits; 0: not yet there */
    VEC(uint32_t) nodes;    /* by term */
    uint32_t started, runs; /* states */
};

/* ---- lines ---- */

static uint32_t width_of(sort_t sort) {
    return sort == SORT_BOOL ? 1 : sort_is_int(sort) ? sort : 0;
}

static uint32_t sort_line(struct writer *w, uint32_t width) {
    assert(width >= 1 && width <= 64);
    if (!w->sorts[width]) {
        w->sorts[width] = ++w->last;
        str_addf(w->out, "%u sort bitvec %u\n", w->last, width);
    }
    return w->sorts[width];
}

/* "NUMBER NAME SORT A B C", as many operands as are not 0. */
static uint32_t node(struct writer *w, const char *name, uint32_t width, const uint32_t *args,
                     size_t n) {
    uint32_t sort = sort_line(w, width);
    assert(n >= 1 && n <= 3);
    str_addf(w->out, "%u %s %u", ++w->last, name, sort);
    for (size_t i = 0; i < n; i++)
        str_addf(w->out, " %u", args[i]);
    str_addc(w->out, '\n');
    return w->last;
}

static uint32_t node1(struct writer *w, const char *name, uint32_t width, uint32_t a) {
    return node(w, name, width, &a, 1);
}

static uint32_t node2(struct writer *w, const char *name, uint32_t width, uint32_t a, uint32_t b) {
    return node(w, name, width, (uint32_t[]){a, b}, 2);
}

static uint32_t ite(struct writer *w, uint32_t width, uint32_t c, uint32_t a, uint32_t b) {
    return node(w, "ite", width, (uint32_t[]){c, a, b}, 3);
}

static uint32_t constant(struct writer *w, uint32_t width, uint64_t bits) {
    uint32_t sort = sort_line(w, width);
    str_addf(w->out, "%u constd %u %llu\n", ++w->last, sort, (unsigned long long)bits);
    return w->last;
}

/* A name is one word. */
static uint32_t declare(struct writer *w, const char *what, uint32_t width, const char *name) {
    uint32_t sort = sort_line(w, width);
    str_addf(w->out, "%u %s %u ", ++w->last, what, sort);
    for (const char *c = name; *c; c++)
        str_addc(w->out, *c == ' ' || *c == '\t' || *c == ';' ? '_' : *c);
    str_addc(w->out, '\n');
    return w->last;
}

/* ---- terms ---- */

static const char *operator_name(enum op op) {
    static const struct {
        enum op op;
        const char *name;
    } names[] = {{OP_NOT, "not"},   {OP_AND, "and"},   {OP_OR, "or"},     {OP_XOR, "xor"},
                 {OP_ITE, "ite"},   {OP_EQ, "eq"},     {OP_ADD, "add"},   {OP_SUB, "sub"},
                 {OP_MUL, "mul"},   {OP_UDIV, "udiv"}, {OP_SDIV, "sdiv"}, {OP_UREM, "urem"},
                 {OP_SREM, "srem"}, {OP_SHL, "sll"},   {OP_LSHR, "srl"},  {OP_ASHR, "sra"},
                 {OP_BAND, "and"},  {OP_BOR, "or"},    {OP_BXOR, "xor"},  {OP_ULT, "ult"},
                 {OP_ULE, "ulte"},  {OP_SLT, "slt"},   {OP_SLE, "slte"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].op == op)
            return names[i].name;
    return NULL;
}

/* Wider by so many bits, or cut to the low ones. */
static uint32_t resize(struct writer *w, const struct term *t, uint32_t arg) {
    uint32_t from = width_of(term_sort(w->ts, t->arg[0])), to = width_of(t->sort);
    assert(from > 0 && to > 0 && arg > 0);
    if (from == to)
        return arg;
    uint32_t sort = sort_line(w, to);
    if (t->op == OP_TRUNC)
        str_addf(w->out, "%u slice %u %u %u 0\n", ++w->last, sort, arg, to - 1);
    else
        str_addf(w->out, "%u %s %u %u %u\n", ++w->last, t->op == OP_SEXT ? "sext" : "uext", sort,
                 arg, to - from);
    return w->last;
}

/* From the last element, which is that of all larger indices, to the first. */
static uint32_t look_up(struct writer *w, const struct term *t, uint32_t index) {
    const struct term_table *table = &w->ts->tables.data[t->payload];
    uint32_t width = width_of(t->sort), of_index = width_of(term_sort(w->ts, t->arg[0]));
    assert(table->len > 0);
    uint32_t value = constant(w, width, table->values[table->len - 1]);
    for (size_t i = table->len - 1; i-- > 0;) {
        uint32_t at = node2(w, "eq", 1, index, constant(w, of_index, i));
        value = ite(w, width, at, constant(w, width, table->values[i]), value);
    }
    return value;
}

static uint32_t write_term(struct writer *w, const struct term *t) {
    const char *name = operator_name((enum op)t->op);
    uint32_t args[3] = {0};
    for (int i = 0; i < t->arity; i++)
        args[i] = w->nodes.data[t->arg[i]];
    if (t->op == OP_CONST)
        return constant(w, width_of(t->sort), t->payload);
    if (t->op == OP_TABLE)
        return look_up(w, t, args[0]);
    return name ? node(w, name, width_of(t->sort), args, t->arity) : resize(w, t, args[0]);
}

static bool can_write(const struct terms *ts, const struct term *t) {
    bool resizes = t->op == OP_ZEXT || t->op == OP_SEXT || t->op == OP_TRUNC || t->op == OP_B2I;
    if (width_of(t->sort) == 0)
        return false;
    for (int i = 0; i < t->arity; i++)
        if (width_of(term_sort(ts, t->arg[i])) == 0)
            return false;
    return resizes || t->op == OP_VAR || t->op == OP_CONST || t->op == OP_TABLE ||
           operator_name((enum op)t->op);
}

/* ---- the system ---- */

VEC_STRUCT(roots, term_t);

static void add_root(struct roots *roots, term_t t) {
    if (t)
        vec_push(roots, t);
}

static void collect(struct writer *w, const struct invariant *inv, struct roots *clauses,
                    struct roots *roots) {
    const struct system *sys = w->sys;
    for (size_t i = 0; i < inv->clauses.len; i++)
        vec_push(clauses, clause_term(w->sys, &inv->clauses.data[i]));
    vec_append(roots, clauses->data, clauses->len);
    for (size_t i = 0; i < inv->targets.len; i++) {
        add_root(roots, sys->targets.data[inv->targets.data[i]].hit);
        add_root(roots, sys->targets.data[inv->targets.data[i]].init_hit);
    }
    add_root(roots, sys->init_ok);
    add_root(roots, sys->step_ok);
    for (size_t i = 0; i < sys->cells.len; i++) {
        add_root(roots, sys->cells.data[i].var);
        add_root(roots, sys->cells.data[i].is);
        add_root(roots, sys->cells.data[i].is ? 0 : sys->cells.data[i].init);
        add_root(roots, sys->cells.data[i].is ? 0 : sys->cells.data[i].next);
    }
}

static void declare_states(struct writer *w) {
    w->started = declare(w, "state", 1, "started");
    w->runs = declare(w, "state", 1, "runs");
    uint32_t no = constant(w, 1, 0), yes = constant(w, 1, 1), bit = sort_line(w, 1);
    str_addf(w->out, "%u init %u %u %u\n", ++w->last, bit, w->started, no);
    str_addf(w->out, "%u init %u %u %u\n", ++w->last, bit, w->runs, yes);
    str_addf(w->out, "%u next %u %u %u\n", ++w->last, bit, w->started, yes);
    for (size_t i = 0; i < w->sys->cells.len; i++) {
        const struct cell *cell = &w->sys->cells.data[i];
        if (!cell->is)
            w->nodes.data[cell->var] =
                declare(w, "state", width_of(term_sort(w->ts, cell->var)), cell->name);
    }
    for (size_t i = 0; i < w->sys->inputs.len; i++) {
        const struct sys_input *in = &w->sys->inputs.data[i];
        uint32_t width = width_of(term_sort(w->ts, in->var));
        if (width > 0)
            w->nodes.data[in->var] = declare(w, "input", width, in->name);
    }
}

/* A derived cell is a term over others, which are older: so is its variable then written. */
static bool write_terms(struct writer *w, const bool *needed) {
    VEC(term_t) means = {0};
    bool ok = true;
    vec_resize_zero(&means, w->nodes.len);
    for (size_t i = 0; i < w->sys->cells.len; i++)
        means.data[w->sys->cells.data[i].var] = w->sys->cells.data[i].is;
    for (term_t t = 1; ok && t < w->nodes.len; t++) {
        if (!needed[t] || w->nodes.data[t])
            continue;
        const struct term *term = term_get(w->ts, t);
        if (term->op == OP_VAR)
            w->nodes.data[t] = means.data[t] ? w->nodes.data[means.data[t]] : 0;
        else
            w->nodes.data[t] = write_term(w, term);
        ok = w->nodes.data[t] != 0;
    }
    vec_free(&means);
    return ok;
}

static void write_next(struct writer *w) {
    uint32_t goes_on =
        ite(w, 1, w->started, w->nodes.data[w->sys->step_ok], w->nodes.data[w->sys->init_ok]);
    uint32_t runs = node2(w, "and", 1, w->runs, goes_on), bit = sort_line(w, 1);
    str_addf(w->out, "%u next %u %u %u\n", ++w->last, bit, w->runs, runs);
    for (size_t i = 0; i < w->sys->cells.len; i++) {
        const struct cell *cell = &w->sys->cells.data[i];
        uint32_t width = width_of(term_sort(w->ts, cell->var));
        if (cell->is)
            continue;
        uint32_t next =
            ite(w, width, w->started, w->nodes.data[cell->next], w->nodes.data[cell->init]);
        str_addf(w->out, "%u next %u %u %u\n", ++w->last, w->sorts[width], w->nodes.data[cell->var],
                 next);
    }
}

static void write_bad(struct writer *w, uint32_t when, uint32_t condition) {
    assert(when > 0 && condition > 0);
    uint32_t alive = node2(w, "and", 1, w->runs, when);
    uint32_t bad = node2(w, "and", 1, alive, condition);
    str_addf(w->out, "%u bad %u\n", ++w->last, bad);
}

static void write_properties(struct writer *w, const struct invariant *inv,
                             const struct roots *clauses) {
    uint32_t first = node1(w, "not", 1, w->started);
    for (size_t i = 0; i < clauses->len; i++)
        write_bad(w, w->started, node1(w, "not", 1, w->nodes.data[clauses->data[i]]));
    for (size_t i = 0; i < inv->targets.len; i++) {
        const struct target *t = &w->sys->targets.data[inv->targets.data[i]];
        if (t->hit)
            write_bad(w, w->started, w->nodes.data[t->hit]);
        if (t->init_hit)
            write_bad(w, first, w->nodes.data[t->init_hit]);
    }
}

bool btor2_write(struct system *sys, const struct invariant *inv, struct str *out) {
    struct writer w = {.sys = sys, .ts = sys->terms, .out = out};
    struct roots clauses = {0}, roots = {0};
    VEC(bool) needed = {0};
    collect(&w, inv, &clauses, &roots);
    vec_resize_zero(&needed, sys->terms->nodes.len);
    vec_resize_zero(&w.nodes, sys->terms->nodes.len);
    (void)term_mark(sys->terms, roots.data, roots.len, needed.data);
    bool ok = true;
    for (term_t t = 1; ok && t < needed.len; t++)
        ok = !needed.data[t] || can_write(sys->terms, term_get(sys->terms, t));
    if (ok)
        declare_states(&w);
    ok = ok && write_terms(&w, needed.data);
    if (ok) {
        write_next(&w);
        write_properties(&w, inv, &clauses);
    }
    vec_free(&clauses);
    vec_free(&roots);
    vec_free(&needed);
    vec_free(&w.nodes);
    return ok;
}
