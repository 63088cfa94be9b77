/* Terms are numbered by a walk from the roots, arguments first; the reader builds them with the
 * ordinary constructors, so that what it reads is simplified again. */
#include "model/term/term_text.h"

#include "base/mem.h"
#include "model/term/simplify.h"
#include "model/term/value.h"

/* ---- writing ---- */

static void number_terms(struct term_writer *w, const term_t *roots, size_t n) {
    const struct terms *ts = w->ts;
    bool *mark = mem_zalloc(ts->nodes.len, sizeof *mark);
    term_mark(ts, roots, n, mark);
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

static void write_tables(struct term_writer *w) {
    const struct terms *ts = w->ts;
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

static void write_term(struct term_writer *w, term_t t) {
    assert(w->number[t] > 0);
    const struct terms *ts = w->ts;
    const struct term *n = term_get(ts, t);
    const uint32_t *given = n->op == OP_VAR ? map_get(&w->given, n->payload) : NULL;
    str_addf(w->out, "t%u %s %s", w->number[t], given ? "given" : op_table[n->op].text,
             sort_name(n->sort));
    if (given) {
        str_addf(w->out, " %u ", *given);
        name_print(ts->vars.data[n->payload].name, w->out);
    } else if (n->op == OP_VAR) {
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

void term_writer_open(struct term_writer *w, const struct terms *ts, struct str *out,
                      const term_t *roots, size_t n) {
    term_writer_open_given(w, ts, out, roots, n, NULL, 0);
}

void term_writer_open_given(struct term_writer *w, const struct terms *ts, struct str *out,
                            const term_t *roots, size_t n, const term_t *given, size_t n_given) {
    *w = (struct term_writer){.ts = ts, .out = out};
    for (uint32_t i = 0; i < n_given; i++)
        map_put(&w->given, term_bits(ts, given[i]), i);
    w->number = mem_zalloc(ts->nodes.len, sizeof *w->number);
    w->table = mem_zalloc(ts->tables.len, sizeof *w->table);
    number_terms(w, roots, n);
    write_tables(w);
    for (term_t t = 1; t < ts->nodes.len; t++)
        if (w->number[t])
            write_term(w, t);
}

void term_writer_close(struct term_writer *w) {
    mem_free(w->number);
    mem_free(w->table);
    map_free(&w->given);
}

void term_writer_ref(const struct term_writer *w, const char *key, term_t t) {
    assert(w->number[t]);
    str_addf(w->out, "%s%s t%u", *key ? " " : "", key, w->number[t]);
}

/* ---- reading ---- */

bool term_reader_ref(struct term_reader *tr, term_t *t) {
    uint32_t number = 0;
    if (!reader_index(tr->r, 't', "a term", UINT32_MAX, &number))
        return false;
    const uint32_t *known = map_get(&tr->terms, number);
    if (!known)
        return reader_fail(tr->r, "t%u is not defined above", number);
    *t = *known;
    return true;
}

static bool read_sort(struct term_reader *tr, sort_t *sort) {
    const char *text = reader_word(tr->r, "a sort");
    if (!text)
        return false;
    *sort = sort_parse(text);
    return *sort != SORT_NONE || reader_fail(tr->r, "'%s' is no sort", text);
}

static bool read_table(struct term_reader *tr, uint32_t number) {
    sort_t sort;
    if (!read_sort(tr, &sort))
        return false;
    vec_clear(&tr->values);
    do {
        uint64_t bits = 0;
        if (!reader_value(tr->r, sort, &bits))
            return false;
        vec_push(&tr->values, bits);
    } while (reader_more(tr->r));
    map_put(&tr->tables, number, term_add_table(tr->ts, sort, tr->values.data, tr->values.len));
    return true;
}

static bool read_var(struct term_reader *tr, sort_t sort, term_t *t) {
    bool is_signed = reader_is(tr->r, "signed");
    if (!reader_expect(tr->r, is_signed ? "signed" : "unsigned"))
        return false;
    const char *name = reader_name(tr->r, "a name");
    if (name)
        *t = term_var(tr->ts, name, sort, is_signed);
    return name != NULL;
}

static bool read_given(struct term_reader *tr, sort_t sort, term_t *t) {
    uint32_t index = 0;
    if (!reader_u32(tr->r, "the number of a variable", &index))
        return false;
    if (index >= tr->n_given)
        return reader_fail(tr->r, "%u: there are only %zu variables", index, tr->n_given);
    *t = tr->given[index];
    if (!*t)
        return reader_fail(tr->r, "%u: there is no such variable here", index);
    if (term_sort(tr->ts, *t) != sort)
        return reader_fail(tr->r, "variable %u has another sort", index);
    return reader_same_name(tr->r, "variable", tr->ts->vars.data[term_bits(tr->ts, *t)].name);
}

static bool read_const(struct term_reader *tr, sort_t sort, term_t *t) {
    uint64_t bits = 0;
    if (!reader_value(tr->r, sort, &bits))
        return false;
    *t = term_const(tr->ts, sort, bits);
    return true;
}

static term_t construct(struct terms *ts, enum op op, sort_t sort, const term_t *args) {
    assert(op != OP_CONST && op != OP_VAR && op != OP_TABLE);
    if (op_table[op].result == 'p')
        return term_cast(ts, op, sort, args[0]);
    if (op_table[op].arity == 1)
        return term_op1(ts, op, args[0]);
    if (op_table[op].arity == 2)
        return term_op2(ts, op, args[0], args[1]);
    return term_op3(ts, op, args[0], args[1], args[2]);
}

static bool read_application(struct term_reader *tr, enum op op, sort_t sort, term_t *t) {
    uint32_t table = 0;
    const uint32_t *known = NULL;
    if (op == OP_TABLE) {
        if (!reader_index(tr->r, 'b', "a table", UINT32_MAX, &table))
            return false;
        known = map_get(&tr->tables, table);
        if (!known)
            return reader_fail(tr->r, "b%u is not defined above", table);
        if (tr->ts->tables.data[*known].sort != sort)
            return reader_fail(tr->r, "b%u has another sort", table);
    }
    term_t args[3] = {0};
    for (int i = 0; i < op_table[op].arity; i++)
        if (!term_reader_ref(tr, &args[i]))
            return false;
    const char *fault = term_args_fault(tr->ts, op, sort, args);
    if (fault)
        return reader_fail(tr->r, "%s: %s", op_table[op].text, fault);
    *t = known ? term_table_at(tr->ts, *known, args[0]) : construct(tr->ts, op, sort, args);
    return true;
}

/* `t3 add i16 t1 t2` or `b1 table i16 1 2 3`, the first word not yet read */
static bool read_definition(struct term_reader *tr, char letter) {
    assert(letter == 'b' || letter == 't');
    struct map *known = letter == 'b' ? &tr->tables : &tr->terms;
    uint32_t number = 0;
    if (!reader_index(tr->r, letter, "a definition", UINT32_MAX, &number))
        return false;
    if (map_get(known, number))
        return reader_fail(tr->r, "%c%u is defined twice", letter, number);
    if (letter == 'b')
        return reader_expect(tr->r, "table") && read_table(tr, number);
    sort_t sort;
    term_t t = 0;
    if (reader_accept(tr->r, "given")) {
        bool ok = read_sort(tr, &sort) && read_given(tr, sort, &t);
        if (ok)
            map_put(&tr->terms, number, t);
        return ok;
    }
    const char *text = reader_word(tr->r, "an operator");
    uint32_t op = text ? intern_find(&tr->ops, text) : INTERN_NONE;
    if (op == INTERN_NONE)
        return reader_fail(tr->r, "'%s' is no operator", text ? text : "");
    if (!read_sort(tr, &sort))
        return false;
    bool ok = op == OP_VAR     ? read_var(tr, sort, &t)
              : op == OP_CONST ? read_const(tr, sort, &t)
                               : read_application(tr, (enum op)op, sort, &t);
    if (ok)
        map_put(&tr->terms, number, t);
    return ok;
}

bool term_reader_accept(struct term_reader *tr, bool *ok) {
    char letter = reader_starts(tr->r, 'b') ? 'b' : 't';
    if (!reader_starts(tr->r, letter))
        return false;
    *ok = read_definition(tr, letter);
    return true;
}

void term_reader_init(struct term_reader *tr, struct terms *ts, struct reader *r) {
    assert(ts->nodes.len > 0 && r);
    *tr = (struct term_reader){.ts = ts, .r = r};
    for (int op = 0; op < OP_COUNT; op++)
        intern_id(&tr->ops, op_table[op].text);
}

void term_reader_free(struct term_reader *tr) {
    map_free(&tr->terms);
    map_free(&tr->tables);
    intern_free(&tr->ops);
    vec_free(&tr->values);
}
