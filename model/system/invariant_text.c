/* Invariants for people and files. */
#include "model/system/text.h"
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
        str_addf(out, "%s%s", b.kind == BOUND_GE ? "" : "!", name);
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

/* ---- text ---- */

static void write_cell(uint32_t cell, const struct system *sys, struct str *out) {
    assert(cell < sys->cells.len);
    str_addf(out, " c%u ", cell);
    name_print(sys->cells.data[cell].name, out);
}

static void write_bound(struct bound b, const struct system *sys, struct str *out) {
    assert(b.kind <= BOUND_NOT_NAN);
    static const char *const kinds[] = {">=", "<=", "nan", "number"};
    if (bound_is_sum(b)) {
        assert(bound_sum_valid(sys, b));
        str_addf(out, " sum %d", b.factor);
        write_cell(b.cell, sys, out);
        str_addf(out, " %d", b.other_factor);
        write_cell(b.other, sys, out);
        str_addf(out, " %s %lld", kinds[b.kind], (long long)b.ordinal);
        return;
    }
    write_cell(b.cell, sys, out);
    str_addf(out, " %s", kinds[b.kind]);
    if (is_nan_kind(b))
        return;
    str_addc(out, ' ');
    print_limit(b, var_of(sys, b.cell), out);
}

void invariant_write(const struct invariant *inv, const struct system *sys, struct str *out) {
    assert(inv->k >= 1);
    str_addf(out, "invariant 1 k %u\n", inv->k);
    for (size_t i = 0; i < inv->targets.len; i++) {
        str_addf(out, "target t%u ", inv->targets.data[i]);
        name_print(sys->targets.data[inv->targets.data[i]].name, out);
        str_addc(out, '\n');
    }
    for (size_t i = 0; i < inv->clauses.len; i++) {
        str_add(out, "clause");
        const struct clause *c = &inv->clauses.data[i];
        for (size_t l = 0; l < c->len; l++) {
            str_add(out, l ? " |" : "");
            write_bound(c->data[l], sys, out);
        }
        str_addc(out, '\n');
    }
    str_add(out, "end\n");
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

static bool read_cell(struct reader *r, const struct system *sys, uint32_t *cell) {
    return reader_index(r, 'c', "a cell", sys->cells.len, cell) &&
           reader_same_name(r, "cell", sys->cells.data[*cell].name);
}

static bool read_factor(struct reader *r, int16_t *factor) {
    uint64_t bits;
    if (!reader_value(r, 16, &bits))
        return false;
    *factor = (int16_t)bits;
    return true;
}

static bool read_sum(struct reader *r, const struct system *sys, struct bound *b) {
    uint64_t limit;
    if (!read_factor(r, &b->factor) || !read_cell(r, sys, &b->cell) ||
        !read_factor(r, &b->other_factor) || !read_cell(r, sys, &b->other))
        return false;
    b->kind = reader_is(r, "<=") ? BOUND_LE : BOUND_GE;
    if (!reader_expect(r, b->kind == BOUND_LE ? "<=" : ">=") || !reader_value(r, 64, &limit))
        return false;
    b->ordinal = (int64_t)limit;
    return bound_sum_valid(sys, *b) ||
           reader_fail(r,
                       "a sum is of two different integers of at most 32 bits with factors of "
                       "at most %d, the first positive",
                       BOUND_FACTOR_MAX);
}

static bool read_bound(struct reader *r, const struct system *sys, struct bound *b) {
    *b = (struct bound){0};
    if (reader_accept(r, "sum"))
        return read_sum(r, sys, b);
    if (!read_cell(r, sys, &b->cell))
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
           read_limit(r, var_of(sys, b->cell), &b->ordinal);
}

static bool read_clause(struct reader *r, const struct system *sys, struct invariant *inv) {
    struct clause clause = {0};
    bool ok = true;
    while (ok && reader_more(r)) {
        struct bound b;
        ok = (clause.len == 0 || reader_expect(r, "|")) && read_bound(r, sys, &b);
        if (ok)
            vec_push(&clause, b);
    }
    if (ok)
        vec_push(&inv->clauses, clause);
    else
        vec_free(&clause);
    return ok;
}

static bool read_target(struct reader *r, const struct system *sys, struct invariant *inv) {
    uint32_t target = 0;
    if (!reader_index(r, 't', "a target", sys->targets.len, &target) ||
        !reader_same_name(r, "target", sys->targets.data[target].name))
        return false;
    vec_push(&inv->targets, target);
    return reader_done(r);
}

bool invariant_read_from(struct invariant *inv, const struct system *sys, struct reader *r) {
    invariant_init(inv);
    if (!reader_header(r, "invariant") || !reader_expect(r, "k") ||
        !reader_u32(r, "a depth", &inv->k) || !reader_done(r))
        return false;
    if (inv->k == 0)
        return reader_fail(r, "the depth of an induction is at least 1");
    while (reader_line(r) && !reader_is(r, "end")) {
        if (reader_accept(r, "clause") ? !read_clause(r, sys, inv)
                                       : !reader_expect(r, "target") || !read_target(r, sys, inv))
            return false;
    }
    if (!reader_accept(r, "end"))
        return reader_fail(r, "the invariant has no 'end'");
    return reader_done(r);
}

bool invariant_read(struct invariant *inv, const struct system *sys, const char *text,
                    struct err *err) {
    struct reader r;
    reader_init(&r, text, "invariant", err);
    bool ok = invariant_read_from(inv, sys, &r) && reader_end(&r);
    reader_free(&r);
    if (!ok)
        invariant_free(inv);
    return ok;
}
