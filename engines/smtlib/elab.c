/* elab: s-expressions to values, on an explicit stack of tasks.
 *
 * Invariants:
 *   1. A task leaves exactly one value more than it found at its `base`, arguments consumed.
 *   2. Locals are a stack; top[id] - 1 is the innermost local of a name, if it is not below the
 *      barrier: the body of a macro sees its parameters and globals, never its caller's lets.
 */
#include "engines/smtlib/parts.h"

#include <assert.h>
#include <stdarg.h>

enum task_kind { EVAL, APPLY, LET, UNLET, ANNOTATE, MACRO_END };

/* ---- names ---- */

uint32_t smt_name(struct smt *smt, const char *text) {
    uint32_t id = intern_id(&smt->names, text);
    vec_resize_zero(&smt->globals, smt->names.texts.len);
    vec_resize_zero(&smt->top, smt->names.texts.len);
    return id;
}

void smt_define(struct smt *smt, uint32_t id, struct smt_global global) {
    if (!smt->keep_declarations)
        vec_push(&smt->undos, (struct smt_undo){id, smt->globals.data[id]});
    smt->globals.data[id] = global;
}

static void bind(struct smt *smt, uint32_t id, struct smt_value value) {
    assert(id < smt->top.len);
    vec_push(&smt->locals, (struct smt_local){id, smt->top.data[id], value});
    smt->top.data[id] = (uint32_t)smt->locals.len;
}

static void unbind(struct smt *smt, size_t count) {
    assert(count <= smt->locals.len);
    for (; count > 0; count--) {
        struct smt_local local = vec_pop(&smt->locals);
        smt->top.data[local.id] = local.shadowed;
    }
}

static const struct smt_value *find_local(const struct smt *smt, uint32_t id) {
    assert(id < smt->top.len);
    uint32_t at = smt->top.data[id];
    return at > smt->barrier ? &smt->locals.data[at - 1].value : NULL;
}

/* ---- application ---- */

static bool run_builtin(struct smt *smt, const struct sx *x, uint32_t id, const struct sx *head,
                        const struct smt_value *args, uint32_t n, struct smt_value *out,
                        struct err *err) {
    const struct smt_builtin *row = smt_builtin_at(id);
    struct smt_call c = {smt, x, row, NULL, 0, args, n, err};
    if (head->kind == SX_LIST) {
        c.indices = head->items + 2;
        c.n_indices = head->n - 2;
    }
    if (!row || c.n_indices != row->indices)
        return sx_error(&smt->reader, head, err, "unknown function '%s'%s",
                        intern_text(&smt->names, id), row ? " with these indices" : "");
    if (n < row->least || n > row->most)
        return smt_fail(&c, "wrong number of arguments: %u", n);
    for (uint32_t i = 0; i < n; i++)
        if (args[i].why)
            return smt_lack(out, args[i].why);
    return row->build(&c, out);
}

/* The name of a function position: f or (_ f …); NULL for anything else. */
static const char *function_name(const struct sx *head) {
    if (head->kind == SX_SYMBOL)
        return head->text;
    if (sx_is_list(head, "_") && head->n >= 2 && head->items[1]->kind == SX_SYMBOL)
        return head->items[1]->text;
    return NULL;
}

static bool enter_macro(struct smt *smt, const struct sx *x, const struct smt_global *g,
                        size_t base, struct err *err) {
    assert(g->kind == GLOBAL_MACRO && g->params && base <= smt->values.len);
    size_t n = smt->values.len - base;
    if (n != g->params->n)
        return sx_error(&smt->reader, x, err, "wrong number of arguments: %zu instead of %u", n,
                        g->params->n);
    vec_push(&smt->tasks, (struct smt_task){MACRO_END, x, n, smt->barrier});
    smt->barrier = smt->locals.len;
    for (size_t i = 0; i < n; i++) {
        const struct sx *param = g->params->items[i];
        struct smt_value value = smt->values.data[base + i];
        struct smt_sort sort;
        if (!smt_parse_sort(smt, param->items[1], &sort, err))
            return false;
        if (value.sort.kind != SMT_OTHER && !smt_sort_same(sort, value.sort))
            return sx_error(&smt->reader, x, err, "argument %zu has another sort than '%s'", i + 1,
                            param->items[0]->text);
        bind(smt, smt_name(smt, param->items[0]->text), value);
    }
    vec_truncate(&smt->values, base);
    vec_push(&smt->tasks, (struct smt_task){EVAL, g->body, smt->values.len, 0});
    return true;
}

static bool apply(struct smt *smt, const struct sx *x, const struct sx *head, size_t base,
                  struct err *err) {
    assert(base <= smt->values.len);
    const char *name = function_name(head);
    struct smt_value out = {.sort = {SMT_OTHER, 0, 0}};
    if (!name) {
        smt_lack(&out, "functions of other theories");
    } else {
        uint32_t id = smt_name(smt, name);
        const struct smt_global g = smt->globals.data[id];
        if (g.kind == GLOBAL_MACRO && head->kind == SX_SYMBOL)
            return enter_macro(smt, x, &g, base, err);
        const struct smt_value *args = smt->values.len > base ? &smt->values.data[base] : NULL;
        if (g.kind == GLOBAL_VALUE && g.value.why)
            smt_lack(&out, g.value.why);
        else if (!run_builtin(smt, x, id, head, args, (uint32_t)(smt->values.len - base), &out,
                              err))
            return false;
    }
    vec_truncate(&smt->values, base);
    vec_push(&smt->values, out);
    return true;
}

/* ---- terms ---- */

static bool symbol(struct smt *smt, const struct sx *x, struct err *err) {
    uint32_t id = smt_name(smt, x->text);
    const struct smt_value *local = find_local(smt, id);
    const struct smt_global *g = &smt->globals.data[id];
    if (local)
        vec_push(&smt->values, *local);
    else if (g->kind == GLOBAL_VALUE)
        vec_push(&smt->values, g->value);
    else if (g->kind == GLOBAL_MACRO || smt_builtin_at(id))
        return apply(smt, x, x, smt->values.len, err);
    else
        return sx_error(&smt->reader, x, err, "unknown symbol '%s'", x->text);
    return true;
}

static void push_evals(struct smt *smt, const struct sx *const *items, uint32_t n) {
    for (uint32_t i = n; i > 0; i--)
        vec_push(&smt->tasks, (struct smt_task){EVAL, items[i - 1], 0, 0});
}

static bool start_let(struct smt *smt, const struct sx *x, struct err *err) {
    const struct sx *bindings = x->n == 3 ? x->items[1] : NULL;
    if (!bindings || bindings->kind != SX_LIST || bindings->n == 0)
        return sx_error(&smt->reader, x, err, "let needs bindings and a body");
    for (uint32_t i = 0; i < bindings->n; i++) {
        const struct sx *b = bindings->items[i];
        if (b->kind != SX_LIST || b->n != 2 || b->items[0]->kind != SX_SYMBOL)
            return sx_error(&smt->reader, b, err, "a binding is (name term)");
    }
    vec_push(&smt->tasks, (struct smt_task){LET, x, smt->values.len, 0});
    for (uint32_t i = bindings->n; i > 0; i--)
        vec_push(&smt->tasks, (struct smt_task){EVAL, bindings->items[i - 1]->items[1], 0, 0});
    return true;
}

static void finish_let(struct smt *smt, const struct smt_task *t) {
    const struct sx *bindings = t->x->items[1];
    assert(smt->values.len == t->base + bindings->n);
    for (uint32_t i = 0; i < bindings->n; i++)
        bind(smt, smt_name(smt, bindings->items[i]->items[0]->text), smt->values.data[t->base + i]);
    vec_truncate(&smt->values, t->base);
    vec_push(&smt->tasks, (struct smt_task){UNLET, t->x, bindings->n, 0});
    vec_push(&smt->tasks, (struct smt_task){EVAL, t->x->items[2], 0, 0});
}

/* (! term :named n …): the name becomes a constant. */
static bool annotate(struct smt *smt, const struct sx *x, struct err *err) {
    struct smt_value value = vec_last(&smt->values);
    for (uint32_t i = 2; i + 1 < x->n; i += 2) {
        const struct sx *name = x->items[i + 1];
        if (x->items[i]->kind != SX_KEYWORD)
            return sx_error(&smt->reader, x->items[i], err, "expected an attribute");
        if (!str_same(x->items[i]->text, "named"))
            continue;
        if (name->kind != SX_SYMBOL)
            return sx_error(&smt->reader, name, err, "a name must be a symbol");
        smt_define(smt, smt_name(smt, name->text),
                   (struct smt_global){.kind = GLOBAL_VALUE, .value = value});
    }
    return true;
}

static bool start_list(struct smt *smt, const struct sx *x, struct err *err) {
    if (x->n == 0)
        return sx_error(&smt->reader, x, err, "'()' is no term");
    if (sx_is(x->items[0], "let"))
        return start_let(smt, x, err);
    if (sx_is(x->items[0], "!")) {
        if (x->n < 2)
            return sx_error(&smt->reader, x, err, "'!' needs a term");
        vec_push(&smt->tasks, (struct smt_task){ANNOTATE, x, 0, 0});
        push_evals(smt, x->items + 1, 1);
        return true;
    }
    if (sx_is(x->items[0], "forall") || sx_is(x->items[0], "exists")) {
        vec_push(&smt->values, (struct smt_value){.sort = {SMT_OTHER, 0, 0}, .why = "quantifiers"});
        return true;
    }
    if (sx_is(x->items[0], "_")) { /* an indexed constant */
        struct smt_value out;
        if (x->n > 2 && x->items[1]->kind == SX_SYMBOL && str_starts(x->items[1]->text, "bv") &&
            x->items[1]->text[2] >= '0' && x->items[1]->text[2] <= '9') {
            if (!smt_literal(smt, x, &out, err))
                return false;
            vec_push(&smt->values, out);
            return true;
        }
        return apply(smt, x, x, smt->values.len, err);
    }
    vec_push(&smt->tasks, (struct smt_task){APPLY, x, smt->values.len, 0});
    push_evals(smt, x->items + 1, x->n - 1);
    return true;
}

static bool eval(struct smt *smt, const struct sx *x, struct err *err) {
    struct smt_value out;
    if (x->kind == SX_LIST)
        return start_list(smt, x, err);
    if (x->kind == SX_SYMBOL)
        return symbol(smt, x, err);
    if (!smt_literal(smt, x, &out, err))
        return false;
    vec_push(&smt->values, out);
    return true;
}

static bool run_task(struct smt *smt, const struct smt_task *t, struct err *err) {
    switch (t->kind) {
    case EVAL:
        return eval(smt, t->x, err);
    case APPLY:
        return apply(smt, t->x, t->x->items[0], t->base, err);
    case LET:
        finish_let(smt, t);
        return true;
    case UNLET:
        unbind(smt, t->base);
        return true;
    case ANNOTATE:
        return annotate(smt, t->x, err);
    default:
        assert(t->kind == MACRO_END);
        unbind(smt, t->base);
        smt->barrier = t->barrier;
        return true;
    }
}

bool smt_elaborate(struct smt *smt, const struct sx *x, struct smt_value *out, struct err *err) {
    bool ok = true;
    vec_push(&smt->tasks, (struct smt_task){EVAL, x, 0, 0});
    while (ok && smt->tasks.len > 0) {
        struct smt_task t = vec_pop(&smt->tasks);
        ok = run_task(smt, &t, err);
    }
    if (ok) {
        assert(smt->values.len == 1 && smt->locals.len == 0);
        *out = smt->values.data[0];
    }
    unbind(smt, smt->locals.len);
    smt->barrier = 0;
    vec_clear(&smt->tasks);
    vec_clear(&smt->values);
    return ok;
}

/* ---- sorts ---- */

static bool indexed_sort(struct smt *smt, const struct sx *x, struct smt_sort *out,
                         struct err *err) {
    uint64_t a = 0, b = 0;
    if (sx_is_indexed(x, "BitVec") && x->n == 3 && sx_number(x->items[2], &a) && a > 0 &&
        a <= UINT32_MAX) {
        *out = (struct smt_sort){SMT_BV, (uint32_t)a, 0};
        return true;
    }
    if (sx_is_indexed(x, "FloatingPoint") && x->n == 4 && sx_number(x->items[2], &a) &&
        sx_number(x->items[3], &b) && a > 1 && b > 1 && a <= UINT32_MAX && b <= UINT32_MAX) {
        *out = (struct smt_sort){SMT_FLOAT, (uint32_t)a, (uint32_t)b};
        return true;
    }
    return sx_error(&smt->reader, x, err, "unknown sort");
}

bool smt_parse_sort(struct smt *smt, const struct sx *x, struct smt_sort *out, struct err *err) {
    static const struct {
        const char *name;
        struct smt_sort sort;
    } known[] = {
        {"Bool", {SMT_BOOL, 0, 0}},         {"RoundingMode", {SMT_RM, 0, 0}},
        {"Real", {SMT_REAL, 0, 0}},         {"Float16", {SMT_FLOAT, 5, 11}},
        {"Float32", {SMT_FLOAT, 8, 24}},    {"Float64", {SMT_FLOAT, 11, 53}},
        {"Float128", {SMT_FLOAT, 15, 113}}, {"Int", {SMT_OTHER, 0, 0}},
        {"String", {SMT_OTHER, 0, 0}},
    };
    if (sx_is_list(x, "_"))
        return indexed_sort(smt, x, out, err);
    *out = (struct smt_sort){SMT_OTHER, 0, 0};
    if (x->kind == SX_LIST) /* (Array …) and other constructors */
        return true;
    if (x->kind != SX_SYMBOL)
        return sx_error(&smt->reader, x, err, "expected a sort");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (sx_is(x, known[i].name)) {
            *out = known[i].sort;
            if (smt->options.numbers && (sx_is(x, "Int") || sx_is(x, "Real")))
                *out = smt_sort_of(sx_is(x, "Int") ? SORT_INTEGER : SORT_REAL);
            return true;
        }
    const struct smt_global *g = &smt->globals.data[smt_name(smt, x->text)];
    if (g->kind != GLOBAL_SORT)
        return sx_error(&smt->reader, x, err, "unknown sort '%s'", x->text);
    *out = g->result;
    return true;
}

sort_t smt_term_sort(struct smt_sort s) {
    switch (s.kind) {
    case SMT_BOOL:
        return SORT_BOOL;
    case SMT_BV:
        return s.a <= SORT_INT_MAX ? (sort_t)s.a : SORT_NONE;
    case SMT_FLOAT:
        return s.a == 8 && s.b == 24 ? SORT_F32 : s.a == 11 && s.b == 53 ? SORT_F64 : SORT_NONE;
    case SMT_RM: /* its number */
        return 3;
    case SMT_NUMBER:
        return (sort_t)s.a;
    default:
        return SORT_NONE;
    }
}

struct smt_sort smt_sort_of(sort_t sort) {
    if (sort_is_number(sort))
        return (struct smt_sort){SMT_NUMBER, sort, 0};
    if (sort == SORT_BOOL)
        return (struct smt_sort){SMT_BOOL, 0, 0};
    if (sort == SORT_F32)
        return (struct smt_sort){SMT_FLOAT, 8, 24};
    if (sort == SORT_F64)
        return (struct smt_sort){SMT_FLOAT, 11, 53};
    return (struct smt_sort){SMT_BV, sort, 0};
}

const char *smt_sort_lack(struct smt_sort s) {
    if (smt_term_sort(s) != SORT_NONE)
        return NULL;
    switch (s.kind) {
    case SMT_BV:
        return "bit-vectors of more than 64 bits";
    case SMT_FLOAT:
        return "floating-point formats other than Float32 and Float64";
    default:
        return "sorts of other theories";
    }
}

/* ---- for the operators ---- */

const struct smt_builtin *smt_builtin_at(uint32_t index) {
    if (index < smt_core_count)
        return &smt_core_rows[index];
    index -= smt_core_count;
    if (index < smt_bv_count)
        return &smt_bv_rows[index];
    index -= smt_bv_count;
    if (index < smt_overflow_count)
        return &smt_overflow_rows[index];
    index -= smt_overflow_count;
    if (index < smt_fp_count)
        return &smt_fp_rows[index];
    index -= smt_fp_count;
    return index < smt_unbounded_count ? &smt_unbounded_rows[index] : NULL;
}

bool smt_fail(struct smt_call *c, const char *format, ...) {
    struct str text = {0};
    va_list args;
    va_start(args, format);
    str_vaddf(&text, format, args);
    va_end(args);
    sx_error(&c->smt->reader, c->at, c->err, "%s: %s", c->row->name, str_text(&text));
    str_free(&text);
    return false;
}

bool smt_lack(struct smt_value *out, const char *why) {
    *out = (struct smt_value){.sort = {SMT_OTHER, 0, 0}, .why = why};
    return true;
}

bool smt_give(struct smt_call *c, struct smt_value *out, term_t t) {
    *out = (struct smt_value){.sort = smt_sort_of(term_sort(smt_terms(c), t)), .term = t};
    return true;
}

bool smt_expect(struct smt_call *c, uint32_t arg, enum smt_kind kind) {
    assert(arg < c->n);
    static const char *const names[] = {"Bool", "a bit-vector", "a float",     "RoundingMode",
                                        "Real", "a number",     "another sort"};
    if (c->args[arg].sort.kind == kind)
        return true;
    return smt_fail(c, "argument %u must be %s", arg + 1, names[kind]);
}

bool smt_same_sorts(struct smt_call *c, uint32_t from) {
    assert(from <= c->n);
    for (uint32_t i = from + 1; i < c->n; i++)
        if (!smt_sort_same(c->args[i].sort, c->args[from].sort))
            return smt_fail(c, "arguments have different sorts");
    return true;
}

bool smt_index(struct smt_call *c, uint32_t i, uint32_t *value) {
    assert(i < c->n_indices);
    uint64_t v;
    if (!sx_number(c->indices[i], &v) || v > UINT32_MAX)
        return smt_fail(c, "index %u must be a numeral", i + 1);
    *value = (uint32_t)v;
    return true;
}
