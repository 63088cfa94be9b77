/* Invariants for people and files. */
#include "model/system/derive.h"
#include "model/system/text.h"
#include "model/term/term_text.h"
#include "model/term/value.h"

static const struct term_var *var_of(const struct system *sys, uint32_t cell) {
    assert(cell < sys->cells.len);
    term_t var = sys->cells.data[cell].var;
    return &sys->terms->vars.data[term_get(sys->terms, var)->payload];
}

static bool is_nan_kind(struct bound b) {
    return b.kind == BOUND_NAN || b.kind == BOUND_NOT_NAN;
}

static void print_limit(struct bound b, const struct term_var *var, struct str *out) {
    assert(!is_nan_kind(b));
    int64_t least = ordinal_min(var->sort, var->is_signed);
    int64_t most = ordinal_max(var->sort, var->is_signed);
    if (b.ordinal < least || b.ordinal > most)
        str_addf(out, "%s", b.ordinal < least ? "below" : "above"); /* of all values */
    else
        value_print(var->sort, var->is_signed, ordinal_bits(var->sort, var->is_signed, b.ordinal),
                    out);
}

/* "x + y <= 21", "2*x - 3*y >= -5" */
static void print_sum(struct bound b, const struct system *sys, struct str *out) {
    assert(bound_sum_valid(sys, b));
    int second = b.other_factor < 0 ? -b.other_factor : b.other_factor;
    if (b.factor != 1)
        str_addf(out, "%d*", b.factor);
    str_addf(out, "%s %c ", sys->cells.data[b.cell].name, b.other_factor < 0 ? '-' : '+');
    if (second != 1)
        str_addf(out, "%d*", second);
    str_addf(out, "%s %s %lld", sys->cells.data[b.other].name,
             b.kind == BOUND_GE ? ">=" : "<=", (long long)b.ordinal);
}

void bound_print(struct bound b, const struct system *sys, struct str *out) {
    const struct term_var *var = var_of(sys, b.cell);
    const char *name = sys->cells.data[b.cell].name;
    if (bound_is_sum(b)) {
        print_sum(b, sys, out);
        return;
    }
    if (is_nan_kind(b)) {
        str_addf(out, "%sisnan(%s)", b.kind == BOUND_NAN ? "" : "!", name);
        return;
    }
    if (var->sort == SORT_BOOL && b.ordinal == (b.kind == BOUND_GE)) {
        bool whole = b.kind == BOUND_GE || !sys->cells.data[b.cell].is;
        str_addf(out, whole ? "%s%s" : "%s(%s)", b.kind == BOUND_GE ? "" : "!", name);
        return;
    }
    str_addf(out, "%s %s ", name, b.kind == BOUND_GE ? ">=" : "<=");
    print_limit(b, var, out);
}

void clause_print(const struct clause *c, const struct system *sys, struct str *out) {
    if (c->len == 0)
        str_add(out, "false");
    for (size_t i = 0; i < c->len; i++) {
        str_add(out, i ? " || " : "");
        bound_print(c->data[i], sys, out);
    }
}

/* ---- text ----
 *
 * Derived cells are defined in front of the clauses, by terms over cells, and have numbers of their
 * own: a reader's system need not have them.
 *
 *   t1 given i16 0 "lo" … t3 sle bool t1 t2
 *   derived t3 unsigned
 *   clause d0 "lo <= hi" >= true
 */

VEC_STRUCT(cell_terms, term_t);
VEC_STRUCT(cell_numbers, uint32_t);

struct writer {
    const struct system *sys;
    struct str *out;
    struct cell_numbers derived; /* cells, in the order of their numbers in the text */
};

static uint32_t derived_number(struct writer *w, uint32_t cell) {
    for (uint32_t i = 0; i < w->derived.len; i++)
        if (w->derived.data[i] == cell)
            return i;
    vec_push(&w->derived, cell);
    return (uint32_t)w->derived.len - 1;
}

static void number_derived(struct writer *w, const struct invariant *inv) {
    for (size_t i = 0; i < inv->clauses.len; i++)
        for (size_t l = 0; l < inv->clauses.data[i].len; l++)
            if (w->sys->cells.data[inv->clauses.data[i].data[l].cell].is)
                derived_number(w, inv->clauses.data[i].data[l].cell);
}

static void list_cell_vars(const struct system *sys, struct cell_terms *vars) {
    for (size_t i = 0; i < sys->cells.len; i++)
        vec_push(vars, sys->cells.data[i].var);
}

static void define_derived(struct writer *w) {
    struct cell_terms roots = {0}, vars = {0};
    struct term_writer terms;
    list_cell_vars(w->sys, &vars);
    for (size_t i = 0; i < w->derived.len; i++)
        vec_push(&roots, w->sys->cells.data[w->derived.data[i]].is);
    term_writer_open_given(&terms, w->sys->terms, w->out, roots.data, roots.len, vars.data,
                           vars.len);
    for (size_t i = 0; i < w->derived.len; i++) {
        const struct term_var *var = var_of(w->sys, w->derived.data[i]);
        str_add(w->out, "derived");
        term_writer_ref(&terms, "", roots.data[i]);
        str_add(w->out, var->is_signed ? " signed\n" : " unsigned\n");
    }
    term_writer_close(&terms);
    vec_free(&roots);
    vec_free(&vars);
}

static void write_cell(struct writer *w, uint32_t cell) {
    assert(cell < w->sys->cells.len);
    bool is_derived = w->sys->cells.data[cell].is;
    str_addf(w->out, " %c%u ", is_derived ? 'd' : 'c', is_derived ? derived_number(w, cell) : cell);
    name_print(w->sys->cells.data[cell].name, w->out);
}

static void write_bound(struct writer *w, struct bound b) {
    const struct system *sys = w->sys;
    struct str *out = w->out;
    assert(b.kind <= BOUND_NOT_NAN);
    static const char *const kinds[] = {">=", "<=", "nan", "number"};
    if (bound_is_sum(b)) {
        assert(bound_sum_valid(sys, b));
        str_addf(out, " sum %d", b.factor);
        write_cell(w, b.cell);
        str_addf(out, " %d", b.other_factor);
        write_cell(w, b.other);
        str_addf(out, " %s %lld", kinds[b.kind], (long long)b.ordinal);
        return;
    }
    write_cell(w, b.cell);
    str_addf(out, " %s", kinds[b.kind]);
    if (is_nan_kind(b))
        return;
    str_addc(out, ' ');
    print_limit(b, var_of(sys, b.cell), out);
}

void invariant_write(const struct invariant *inv, const struct system *sys, struct str *out) {
    assert(inv->k >= 1);
    struct writer w = {.sys = sys, .out = out};
    str_addf(out, "invariant 1 k %u\n", inv->k);
    for (size_t i = 0; i < inv->targets.len; i++) {
        str_addf(out, "target t%u ", inv->targets.data[i]);
        name_print(sys->targets.data[inv->targets.data[i]].name, out);
        str_addc(out, '\n');
    }
    number_derived(&w, inv);
    if (w.derived.len > 0)
        define_derived(&w);
    for (size_t i = 0; i < inv->clauses.len; i++) {
        str_add(out, "clause");
        const struct clause *c = &inv->clauses.data[i];
        for (size_t l = 0; l < c->len; l++) {
            str_add(out, l ? " |" : "");
            write_bound(&w, c->data[l]);
        }
        str_addc(out, '\n');
    }
    str_add(out, "end\n");
    vec_free(&w.derived);
}

static bool read_limit(struct reader *r, const struct term_var *var, int64_t *ordinal) {
    int64_t least = ordinal_min(var->sort, var->is_signed);
    int64_t most = ordinal_max(var->sort, var->is_signed);
    uint64_t bits = 0;
    if (least > INT64_MIN && reader_accept(r, "below")) {
        *ordinal = least - 1;
        return true;
    }
    if (most < INT64_MAX && reader_accept(r, "above")) {
        *ordinal = most + 1;
        return true;
    }
    if (!reader_value(r, var->sort, &bits))
        return false;
    if (bits_are_nan(var->sort, bits))
        return reader_fail(r, "NaN is no limit");
    *ordinal = ordinal_of(var->sort, var->is_signed, bits);
    return true;
}

struct loader {
    struct system *sys;
    struct reader *r;
    const struct system *from; /* the text was made for it; NULL: for `sys` */
    struct term_reader terms;
    struct cell_terms vars;      /* of the cells that the text may use */
    struct cell_numbers derived; /* the text's numbers -> cells */
};

static bool read_derived(struct loader *l) {
    term_t is = 0;
    if (!term_reader_ref(&l->terms, &is))
        return false;
    bool is_signed = reader_is(l->r, "signed");
    if (!reader_expect(l->r, is_signed ? "signed" : "unsigned") || !reader_done(l->r))
        return false;
    if (!system_can_derive(l->sys, is))
        return reader_fail(l->r, "a derived cell is a term over cells");
    vec_push(&l->derived, system_derive(l->sys, is, is_signed));
    return true;
}

/* The cell of the same name and type; NONE. */
static uint32_t cell_like(const struct loader *l, uint32_t cell) {
    const struct term_var *v = var_of(l->from, cell);
    for (uint32_t i = 0; i < l->sys->cells.len; i++) {
        const struct term_var *w = var_of(l->sys, i);
        if (str_same(l->sys->cells.data[i].name, l->from->cells.data[cell].name))
            return v->sort == w->sort && v->is_signed == w->is_signed ? i : NONE;
    }
    return NONE;
}

static bool read_cell(struct loader *l, uint32_t *cell) {
    const struct system *sys = l->sys;
    struct reader *r = l->r;
    if (reader_starts(r, 'd')) {
        uint32_t number = 0;
        bool ok = reader_index(r, 'd', "a derived cell", l->derived.len, &number);
        *cell = ok ? l->derived.data[number] : 0;
        return ok && reader_name(r, "a name") != NULL;
    }
    const struct system *of = l->from ? l->from : sys;
    if (!reader_index(r, 'c', "a cell", of->cells.len, cell))
        return false;
    const char *name = of->cells.data[*cell].name;
    if (l->from)
        *cell = cell_like(l, *cell);
    return *cell != NONE ? reader_same_name(r, "cell", name)
                         : reader_fail(r, "the system has no cell '%s' of this type", name);
}

static bool read_factor(struct reader *r, int16_t *factor) {
    uint64_t bits;
    if (!reader_value(r, 16, &bits))
        return false;
    *factor = (int16_t)bits;
    return true;
}

static bool read_sum(struct loader *l, struct bound *b) {
    struct reader *r = l->r;
    uint64_t limit;
    if (!read_factor(r, &b->factor) || !read_cell(l, &b->cell) ||
        !read_factor(r, &b->other_factor) || !read_cell(l, &b->other))
        return false;
    b->kind = reader_is(r, "<=") ? BOUND_LE : BOUND_GE;
    if (!reader_expect(r, b->kind == BOUND_LE ? "<=" : ">=") || !reader_value(r, 64, &limit))
        return false;
    b->ordinal = (int64_t)limit;
    return bound_sum_valid(l->sys, *b) ||
           reader_fail(r,
                       "a sum is of two different integers of at most 32 bits with factors of "
                       "at most %d, the first positive",
                       BOUND_FACTOR_MAX);
}

static bool read_bound(struct loader *l, struct bound *b) {
    struct reader *r = l->r;
    *b = (struct bound){0};
    if (reader_accept(r, "sum"))
        return read_sum(l, b);
    if (!read_cell(l, &b->cell))
        return false;
    if (reader_accept(r, "nan")) {
        b->kind = BOUND_NAN;
        return true;
    }
    if (reader_accept(r, "number")) {
        b->kind = BOUND_NOT_NAN;
        return true;
    }
    b->kind = reader_is(r, "<=") ? BOUND_LE : BOUND_GE;
    return reader_expect(r, b->kind == BOUND_LE ? "<=" : ">=") &&
           read_limit(r, var_of(l->sys, b->cell), &b->ordinal);
}

static bool read_clause(struct loader *l, struct invariant *inv) {
    struct clause clause = {0};
    bool ok = true;
    while (ok && reader_more(l->r)) {
        struct bound b;
        ok = (clause.len == 0 || reader_expect(l->r, "|")) && read_bound(l, &b);
        if (ok)
            vec_push(&clause, b);
    }
    if (ok)
        vec_push(&inv->clauses, clause);
    else
        vec_free(&clause);
    return ok;
}

static bool read_target(struct loader *l, struct invariant *inv) {
    struct reader *r = l->r;
    const struct system *sys = l->from ? l->from : l->sys;
    uint32_t target = 0;
    if (!reader_index(r, 't', "a target", sys->targets.len, &target) ||
        !reader_same_name(r, "target", sys->targets.data[target].name))
        return false;
    if (!l->from)
        vec_push(&inv->targets, target);
    return reader_done(r);
}

/* One line of the body: a definition, a clause or a target. */
static bool read_item(struct loader *l, struct invariant *inv) {
    bool ok = false;
    if (reader_accept(l->r, "clause"))
        return read_clause(l, inv);
    if (reader_accept(l->r, "derived"))
        return read_derived(l);
    if (reader_accept(l->r, "target"))
        return read_target(l, inv);
    if (term_reader_accept(&l->terms, &ok))
        return ok && reader_done(l->r);
    return reader_fail(l->r, "unknown item");
}

/* A variable that the system does not have is 0, and is no variable to the reader. */
static void list_vars(struct loader *l) {
    if (!l->from) {
        list_cell_vars(l->sys, &l->vars);
        return;
    }
    for (uint32_t i = 0; i < l->from->cells.len; i++) {
        uint32_t cell = cell_like(l, i);
        vec_push(&l->vars, cell == NONE ? 0 : l->sys->cells.data[cell].var);
    }
}

static bool read_items(struct loader *l, struct invariant *inv) {
    list_vars(l);
    term_reader_init(&l->terms, l->sys->terms, l->r);
    l->terms.given = l->vars.data;
    l->terms.n_given = l->vars.len;
    bool ok = true;
    while (ok && reader_line(l->r) && !reader_is(l->r, "end"))
        ok = read_item(l, inv);
    term_reader_free(&l->terms);
    vec_free(&l->vars);
    vec_free(&l->derived);
    return ok;
}

static bool load(struct loader *l, struct invariant *inv) {
    struct reader *r = l->r;
    invariant_init(inv);
    if (!reader_header(r, "invariant") || !reader_expect(r, "k") ||
        !reader_u32(r, "a depth", &inv->k) || !reader_done(r))
        return false;
    if (inv->k == 0)
        return reader_fail(r, "the depth of an induction is at least 1");
    if (!read_items(l, inv))
        return false;
    if (!reader_accept(r, "end"))
        return reader_fail(r, "the invariant has no 'end'");
    return reader_done(r);
}

bool invariant_read_from(struct invariant *inv, struct system *sys, struct reader *r) {
    return load(&(struct loader){.sys = sys, .r = r}, inv);
}

static bool read_whole(struct invariant *inv, struct system *sys, const struct system *from,
                       const char *text, struct err *err) {
    struct reader r;
    reader_init(&r, text, "invariant", err);
    struct loader l = {.sys = sys, .r = &r, .from = from};
    bool ok = load(&l, inv) && reader_end(&r);
    reader_free(&r);
    if (!ok)
        invariant_free(inv);
    return ok;
}

bool invariant_read(struct invariant *inv, struct system *sys, const char *text, struct err *err) {
    return read_whole(inv, sys, NULL, text, err);
}

bool invariant_read_for(struct invariant *inv, struct system *sys, const struct system *from,
                        const char *text, struct err *err) {
    return read_whole(inv, sys, from, text, err);
}
