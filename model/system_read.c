/* The reader of the text form described in system_text.c. Everything is checked before a
 * constructor is called, and the whole system at the end: bad text is an error, never a crash. */
#include "model/text.h"
#include "model/value.h"

#include "model/simplify.h"

struct loader {
    struct system *sys;
    struct terms *ts;
    struct reader r;
    struct map terms, tables; /* number in the text -> term, table */
    struct intern ops;        /* op text -> op */
    VEC(uint64_t) values;
};

static bool read_term(struct loader *l, term_t *t) {
    uint32_t number = 0;
    if (!reader_index(&l->r, 't', "a term", UINT32_MAX, &number))
        return false;
    const uint32_t *known = map_get(&l->terms, number);
    if (!known)
        return reader_fail(&l->r, "t%u is not defined above", number);
    *t = *known;
    return true;
}

static bool read_keyed_term(struct loader *l, const char *key, term_t *t) {
    return reader_expect(&l->r, key) && read_term(l, t);
}

static bool read_sort(struct loader *l, sort_t *sort) {
    const char *text = reader_word(&l->r, "a sort");
    if (!text)
        return false;
    *sort = sort_parse(text);
    return *sort != SORT_NONE || reader_fail(&l->r, "'%s' is no sort", text);
}

static bool read_table(struct loader *l, uint32_t number) {
    sort_t sort;
    if (!read_sort(l, &sort))
        return false;
    vec_clear(&l->values);
    do {
        uint64_t bits = 0;
        if (!reader_value(&l->r, sort, &bits))
            return false;
        vec_push(&l->values, bits);
    } while (reader_more(&l->r));
    map_put(&l->tables, number, term_add_table(l->ts, sort, l->values.data, l->values.len));
    return true;
}

static bool read_var(struct loader *l, sort_t sort, term_t *t) {
    bool is_signed = reader_is(&l->r, "signed");
    if (!reader_expect(&l->r, is_signed ? "signed" : "unsigned"))
        return false;
    const char *name = reader_name(&l->r, "a name");
    if (name)
        *t = term_var(l->ts, name, sort, is_signed);
    return name != NULL;
}

static bool read_const(struct loader *l, sort_t sort, term_t *t) {
    uint64_t bits = 0;
    if (!reader_value(&l->r, sort, &bits))
        return false;
    *t = term_const(l->ts, sort, bits);
    return true;
}

static term_t construct(struct terms *ts, enum op op, sort_t sort, const term_t *args) {
    if (op_table[op].result == 'p')
        return term_cast(ts, op, sort, args[0]);
    if (op_table[op].arity == 1)
        return term_op1(ts, op, args[0]);
    if (op_table[op].arity == 2)
        return term_op2(ts, op, args[0], args[1]);
    return term_op3(ts, op, args[0], args[1], args[2]);
}

static bool read_application(struct loader *l, enum op op, sort_t sort, term_t *t) {
    uint32_t table = 0;
    const uint32_t *known = NULL;
    if (op == OP_TABLE) {
        if (!reader_index(&l->r, 'b', "a table", UINT32_MAX, &table))
            return false;
        known = map_get(&l->tables, table);
        if (!known)
            return reader_fail(&l->r, "b%u is not defined above", table);
        if (l->ts->tables.data[*known].sort != sort)
            return reader_fail(&l->r, "b%u has another sort", table);
    }
    term_t args[3] = {0};
    for (int i = 0; i < op_table[op].arity; i++)
        if (!read_term(l, &args[i]))
            return false;
    const char *fault = term_args_fault(l->ts, op, sort, args);
    if (fault)
        return reader_fail(&l->r, "%s: %s", op_table[op].text, fault);
    *t = known ? term_table_at(l->ts, *known, args[0]) : construct(l->ts, op, sort, args);
    return true;
}

/* `t3 add i16 t1 t2` or `b1 table i16 1 2 3`, the first word not yet read */
static bool read_definition(struct loader *l, char letter) {
    struct map *known = letter == 'b' ? &l->tables : &l->terms;
    uint32_t number = 0;
    if (!reader_index(&l->r, letter, "a definition", UINT32_MAX, &number))
        return false;
    if (map_get(known, number))
        return reader_fail(&l->r, "%c%u is defined twice", letter, number);
    if (letter == 'b')
        return reader_expect(&l->r, "table") && read_table(l, number);
    const char *text = reader_word(&l->r, "an operator");
    uint32_t op = text ? intern_find(&l->ops, text) : INTERN_NONE;
    if (op == INTERN_NONE)
        return reader_fail(&l->r, "'%s' is no operator", text ? text : "");
    sort_t sort;
    term_t t = 0;
    if (!read_sort(l, &sort))
        return false;
    bool ok = op == OP_VAR     ? read_var(l, sort, &t)
              : op == OP_CONST ? read_const(l, sort, &t)
                               : read_application(l, (enum op)op, sort, &t);
    if (ok)
        map_put(&l->terms, number, t);
    return ok;
}

/* ---- items ---- */

static bool read_name(struct loader *l, const char **name) {
    const char *text = reader_name(&l->r, "a name");
    if (text)
        *name = system_name(l->sys, text);
    return text != NULL;
}

static bool read_cell(struct loader *l) {
    struct cell c = {0};
    if (!read_name(l, &c.name) || !read_term(l, &c.var) || !read_keyed_term(l, "init", &c.init) ||
        !read_keyed_term(l, "next", &c.next))
        return false;
    vec_push(&l->sys->cells, c);
    return true;
}

static bool read_input(struct loader *l) {
    struct sys_input in = {.module_input = NONE};
    if (!read_name(l, &in.name) || !read_term(l, &in.var))
        return false;
    in.at_init = reader_is(&l->r, "init");
    if (!reader_expect(&l->r, in.at_init ? "init" : "step"))
        return false;
    if (reader_accept(&l->r, "id") && !reader_u32(&l->r, "a module input", &in.module_input))
        return false;
    in.unspecified = reader_accept(&l->r, "unspecified");
    if (reader_accept(&l->r, "guard") && !read_term(l, &in.guard))
        return false;
    vec_push(&l->sys->inputs, in);
    return true;
}

static bool read_target(struct loader *l) {
    struct target t = {.kind = TARGET_GOAL};
    if (!read_name(l, &t.name))
        return false;
    if (reader_accept(&l->r, "overrun"))
        t.kind = TARGET_OVERRUN;
    else if (!reader_expect(&l->r, "goal"))
        return false;
    if (!reader_u32(&l->r, "a number", &t.id) || !read_keyed_term(l, "hit", &t.hit))
        return false;
    if (reader_accept(&l->r, "init") && !read_term(l, &t.init_hit))
        return false;
    if (t.kind == TARGET_OVERRUN)
        vec_push(&l->sys->overruns, (uint32_t)l->sys->targets.len);
    vec_push(&l->sys->targets, t);
    return true;
}

static bool read_folded(struct loader *l) {
    struct folded f = {.same_as = NONE};
    if (!read_name(l, &f.name) || !read_term(l, &f.var))
        return false;
    if (!term_is(l->ts, f.var, OP_VAR))
        return reader_fail(&l->r, "a folded cell needs its variable");
    if (reader_accept(&l->r, "same")) {
        if (!reader_u32(&l->r, "a cell", &f.same_as))
            return false;
    } else if (!reader_expect(&l->r, "value") ||
               !reader_value(&l->r, term_sort(l->ts, f.var), &f.bits)) {
        return false;
    }
    vec_push(&l->sys->folded, f);
    return true;
}

static bool read_item(struct loader *l) {
    static const struct {
        const char *word;
        bool (*read)(struct loader *);
    } items[] = {{"cell", read_cell},
                 {"input", read_input},
                 {"target", read_target},
                 {"folded", read_folded}};
    for (size_t i = 0; i < sizeof items / sizeof *items; i++)
        if (reader_accept(&l->r, items[i].word))
            return items[i].read(l);
    struct system *sys = l->sys;
    if (reader_accept(&l->r, "init-ok"))
        return read_term(l, &sys->init_ok);
    if (reader_accept(&l->r, "step-ok"))
        return read_term(l, &sys->step_ok);
    if (reader_accept(&l->r, "unspecified"))
        return read_term(l, &sys->unspecified);
    if (reader_accept(&l->r, "init-unspecified"))
        return read_term(l, &sys->init_unspecified);
    if (reader_starts(&l->r, 'b') || reader_starts(&l->r, 't'))
        return read_definition(l, reader_starts(&l->r, 'b') ? 'b' : 't');
    return reader_fail(&l->r, "unknown item");
}

static bool read_system(struct loader *l) {
    if (!reader_header(&l->r, "system") || !read_name(l, &l->sys->name) || !reader_done(&l->r))
        return false;
    while (reader_line(&l->r) && !reader_is(&l->r, "end"))
        if (!read_item(l) || !reader_done(&l->r))
            return false;
    if (!reader_accept(&l->r, "end"))
        return reader_fail(&l->r, "the system has no 'end'");
    struct str fault = {0};
    bool ok = reader_done(&l->r) && reader_end(&l->r);
    if (ok && system_fault(l->sys, &fault))
        ok = reader_fail(&l->r, "%s", str_text(&fault));
    str_free(&fault);
    return ok;
}

bool system_read(struct system *sys, const char *text, const char *file, struct err *err) {
    struct loader l = {.sys = sys, .ts = sys->terms};
    assert(sys->terms && sys->cells.len == 0);
    for (int op = 0; op < OP_COUNT; op++)
        intern_id(&l.ops, op_table[op].text);
    reader_init(&l.r, text, file, err);
    bool ok = read_system(&l);
    reader_free(&l.r);
    map_free(&l.terms);
    map_free(&l.tables);
    intern_free(&l.ops);
    vec_free(&l.values);
    return ok;
}
