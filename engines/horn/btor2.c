/* The format: A. Niemetz, M. Preiner, C. Wolf, A. Biere, "BTOR2, BtorMC and Boolector 3.0" (CAV
 * 2018), Fig. 1 and Table 1. A node of one bit is a Boolean term, a wider one an integer; operators
 * mean what those of SMT-LIB mean (engines/smtlib), which build the terms.
 *
 * A state without `next` has any value in each step, one without `init` any value at the start. An
 * initial value is over states that were declared before its own. */
#include "engines/horn/btor2.h"

#include "engines/smtlib/parts.h"

#include <assert.h>

enum { MOST_WORDS = 8 };

struct node {
    uint32_t width; /* 0: none (a sort has the width of its values) */
    bool is_sort;
    term_t term;
    uint32_t state; /* index + 1; 0: it is none */
};

struct state {
    const char *name;
    term_t var, init, next; /* 0: none given */
    int init_line;
};

struct word {
    const char *text;
    int col;
};

struct reading {
    struct horn *horn;
    struct terms *ts;
    const char *file, *at, *end;
    int line;
    struct word words[MOST_WORDS]; /* of the line at hand: number, operator, … */
    uint32_t n_words, asked;       /* the last word that meant something */
    uint64_t last;                 /* number of the line before */
    struct map of_id;              /* index in nodes */
    struct arena arena;
    VEC(struct node) nodes;
    VEC(struct state) states;
    term_t bad, constraint;
    struct err *err;
};

static bool fail(struct reading *r, uint32_t word, const char *format, const char *what) {
    err_set(r->err, ERR_USAGE, format, what);
    return err_at(r->err, r->file, r->line, word < r->n_words ? r->words[word].col : 1);
}

/* ---- lines ---- */

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* The words of the next line that has some. */
static bool next_line(struct reading *r) {
    r->n_words = r->asked = 0;
    while (r->at < r->end && r->n_words == 0) {
        const char *start = r->at;
        for (r->line++; r->at < r->end && *r->at != '\n' && *r->at != ';';) {
            const char *word = r->at;
            while (r->at < r->end && !is_blank(*r->at) && *r->at != '\n' && *r->at != ';')
                r->at++;
            if (r->at > word && r->n_words < MOST_WORDS)
                r->words[r->n_words++] =
                    (struct word){arena_strndup(&r->arena, word, (size_t)(r->at - word)),
                                  (int)(word - start) + 1};
            while (r->at < r->end && is_blank(*r->at))
                r->at++;
        }
        while (r->at < r->end && *r->at != '\n')
            r->at++;
        r->at += r->at < r->end;
    }
    return r->n_words > 0;
}

static bool ask(struct reading *r, uint32_t word) {
    r->asked = word > r->asked ? word : r->asked;
    return word < r->n_words || fail(r, 0, "'%s' needs more operands", r->words[1].text);
}

/* A number of at most 9 digits: more than any file has lines, or a vector bits. */
static bool natural(struct reading *r, uint32_t word, uint64_t *value) {
    *value = 0;
    if (!ask(r, word))
        return false;
    const char *c = r->words[word].text;
    for (int i = 0; *c >= '0' && *c <= '9' && i < 9; i++, c++)
        *value = *value * 10 + (uint64_t)(*c - '0');
    return (!*c && c > r->words[word].text) ||
           fail(r, word, "'%s' is no number of a line or of bits", r->words[word].text);
}

static struct node *node_at(struct reading *r, uint32_t word, bool *negated) {
    uint64_t id;
    if (!ask(r, word))
        return NULL;
    struct word whole = r->words[word];
    *negated = whole.text[0] == '-';
    r->words[word].text += *negated;
    bool ok = natural(r, word, &id);
    r->words[word] = whole;
    const uint32_t *index = ok ? map_get(&r->of_id, id) : NULL;
    if (ok && !index)
        fail(r, word, "'%s' is not the number of a sort or node above", whole.text);
    return index ? &r->nodes.data[*index] : NULL;
}

static bool sort_at(struct reading *r, uint32_t word, uint32_t *width) {
    bool negated;
    const struct node *n = node_at(r, word, &negated);
    if (n && (!n->is_sort || negated))
        return fail(r, word, "'%s' is no sort", r->words[word].text);
    *width = n ? n->width : 0;
    return n;
}

/* ---- terms ---- */

static term_t constant(struct reading *r, uint32_t width, uint64_t bits) {
    return width == 1 ? term_bool(r->ts, bits & 1) : term_int(r->ts, (sort_t)width, (int64_t)bits);
}

static uint32_t width_of(const struct reading *r, term_t t) {
    sort_t sort = term_sort(r->ts, t);
    return sort == SORT_BOOL ? 1 : sort;
}

static struct smt_value as_vector(struct reading *r, term_t t) {
    if (term_sort(r->ts, t) == SORT_BOOL)
        t = term_cast(r->ts, OP_B2I, 1, t);
    return (struct smt_value){.sort = {SMT_BV, width_of(r, t), 0}, .term = t};
}

static term_t as_node(struct reading *r, term_t t) {
    return term_sort(r->ts, t) == 1 ? term_eq(r->ts, t, term_int(r->ts, 1, 1)) : t;
}

/* An operator of SMT-LIB; operands are Boolean where it is one of the core. */
static bool apply(struct reading *r, const char *operator, bool core, const term_t *args,
                  uint32_t n, term_t *result) {
    struct smt_value values[2], out = {0};
    const struct smt_builtin *row = smt_builtin_at(smt_name(r->horn->smt, operator));
    struct smt_call call = {.smt = r->horn->smt, .row = row, .args = values, .n = n, .err = r->err};
    assert(row && n >= 1 && n <= 2);
    for (uint32_t i = 0; i < n; i++)
        values[i] = core ? (struct smt_value){.sort = smt_sort_of(term_sort(r->ts, args[i])),
                                              .term = args[i]}
                         : as_vector(r, args[i]);
    bool ok = row->build(&call, &out);
    assert(ok && "operands were checked");
    if (out.why)
        return fail(r, 1, "not supported: %s", out.why);
    *result = as_node(r, out.term);
    return ok;
}

static term_t complement(struct reading *r, term_t t) {
    if (term_sort(r->ts, t) == SORT_BOOL)
        return term_not(r->ts, t);
    return term_op2(r->ts, OP_BXOR, t, term_int(r->ts, term_sort(r->ts, t), -1));
}

static bool operand(struct reading *r, uint32_t word, term_t *t) {
    bool negated;
    const struct node *n = node_at(r, word, &negated);
    if (!n)
        return false;
    if (!n->term)
        return fail(r, word, "'%s' is no node with a value", r->words[word].text);
    *t = negated ? complement(r, n->term) : n->term;
    return true;
}

/* An operand of this width. */
static bool operand_of(struct reading *r, uint32_t word, uint32_t width, term_t *t) {
    return operand(r, word, t) &&
           (width_of(r, *t) == width ||
            fail(r, word, "'%s' has another width than its place", r->words[word].text));
}

/* ---- operators ---- */

enum rule { SAME, TO_BIT, BITS }; /* widths: all the same; operands the same, result 1; all 1 */

static const struct row {
    const char *name;
    uint32_t operands;
    enum rule rule;
    const char *vectors, *bits; /* in SMT-LIB: of any width; where it is 1 (NULL: the same) */
    bool negated;
} rows[] = {
    {"not", 1, SAME, "bvnot", "not", false},
    {"neg", 1, SAME, "bvneg", NULL, false},
    {"redand", 1, TO_BIT, "bvredand", NULL, false},
    {"redor", 1, TO_BIT, "bvredor", NULL, false},
    {"redxor", 1, TO_BIT, "bvredxor", NULL, false},
    {"iff", 2, BITS, NULL, "=", false},
    {"implies", 2, BITS, NULL, "=>", false},
    {"eq", 2, TO_BIT, "=", "=", false},
    {"neq", 2, TO_BIT, "=", "=", true},
    {"sgt", 2, TO_BIT, "bvsgt", NULL, false},
    {"ugt", 2, TO_BIT, "bvugt", NULL, false},
    {"sgte", 2, TO_BIT, "bvsge", NULL, false},
    {"ugte", 2, TO_BIT, "bvuge", NULL, false},
    {"slt", 2, TO_BIT, "bvslt", NULL, false},
    {"ult", 2, TO_BIT, "bvult", NULL, false},
    {"slte", 2, TO_BIT, "bvsle", NULL, false},
    {"ulte", 2, TO_BIT, "bvule", NULL, false},
    {"and", 2, SAME, "bvand", "and", false},
    {"nand", 2, SAME, "bvand", "and", true},
    {"or", 2, SAME, "bvor", "or", false},
    {"nor", 2, SAME, "bvor", "or", true},
    {"xor", 2, SAME, "bvxor", "xor", false},
    {"xnor", 2, SAME, "bvxor", "xor", true},
    {"sll", 2, SAME, "bvshl", NULL, false},
    {"sra", 2, SAME, "bvashr", NULL, false},
    {"srl", 2, SAME, "bvlshr", NULL, false},
    {"add", 2, SAME, "bvadd", NULL, false},
    {"sub", 2, SAME, "bvsub", NULL, false},
    {"mul", 2, SAME, "bvmul", NULL, false},
    {"udiv", 2, SAME, "bvudiv", NULL, false},
    {"sdiv", 2, SAME, "bvsdiv", NULL, false},
    {"urem", 2, SAME, "bvurem", NULL, false},
    {"srem", 2, SAME, "bvsrem", NULL, false},
    {"smod", 2, SAME, "bvsmod", NULL, false},
    {"uaddo", 2, TO_BIT, "bvuaddo", NULL, false},
    {"saddo", 2, TO_BIT, "bvsaddo", NULL, false},
    {"usubo", 2, TO_BIT, "bvusubo", NULL, false},
    {"ssubo", 2, TO_BIT, "bvssubo", NULL, false},
    {"umulo", 2, TO_BIT, "bvumulo", NULL, false},
    {"smulo", 2, TO_BIT, "bvsmulo", NULL, false},
    {"sdivo", 2, TO_BIT, "bvsdivo", NULL, false},
};

static bool by_row(struct reading *r, const struct row *row, uint32_t width, term_t *t) {
    term_t args[2];
    if (row->rule != SAME && width != 1)
        return fail(r, 2, "the result of '%s' has one bit", row->name);
    if (!operand(r, 3, &args[0]))
        return false;
    uint32_t of = row->rule == TO_BIT ? width_of(r, args[0]) : width;
    for (uint32_t i = 0; i < row->operands; i++)
        if (!operand_of(r, 3 + i, of, &args[i]))
            return false;
    bool core = (of == 1 && row->bits) || (row->vectors && row->vectors[0] == '=');
    if (!apply(r, of == 1 && row->bits ? row->bits : row->vectors, core, args, row->operands, t))
        return false;
    *t = row->negated ? complement(r, *t) : *t;
    return true;
}

/* sext, uext: by how many bits; slice: upper and lower bit. */
static bool by_index(struct reading *r, uint32_t width, term_t *t) {
    uint64_t first, second;
    term_t x;
    const char *name = r->words[1].text;
    if (!operand(r, 3, &x) || !natural(r, 4, &first))
        return false;
    struct smt_value v = as_vector(r, x);
    bool slice = str_same(name, "slice");
    if (slice && !natural(r, 5, &second))
        return false;
    if (slice && (second > first || first >= v.sort.a || first - second + 1 != width))
        return fail(r, 4, "'%s' is no range of bits of this operand and sort", name);
    if (!slice && v.sort.a + first != width)
        return fail(r, 4, "'%s' does not lead to the width of the sort", name);
    if (slice) {
        term_t low = term_int(r->ts, (sort_t)v.sort.a, (int64_t)second);
        v.term = second ? term_op2(r->ts, OP_LSHR, v.term, low) : v.term;
    }
    enum op op = slice ? OP_TRUNC : name[0] == 's' ? OP_SEXT : OP_ZEXT;
    *t = as_node(r, v.sort.a == width ? v.term : term_cast(r->ts, op, (sort_t)width, v.term));
    return true;
}

/* By the second operand modulo the width; a shift by the whole width gives 0. */
static bool rotate(struct reading *r, uint32_t width, bool left, term_t *t) {
    term_t x, by;
    if (!operand_of(r, 3, width, &x) || !operand_of(r, 4, width, &by))
        return false;
    sort_t sort = (sort_t)width;
    term_t all = term_int(r->ts, sort, (int64_t)width);
    x = as_vector(r, x).term;
    by = term_op2(r->ts, OP_UREM, as_vector(r, by).term, all);
    term_t back = term_op2(r->ts, OP_SUB, all, by);
    term_t up = term_op2(r->ts, OP_SHL, x, left ? by : back);
    term_t down = term_op2(r->ts, OP_LSHR, x, left ? back : by);
    *t = as_node(r, term_op2(r->ts, OP_BOR, up, down));
    return true;
}

static bool concat(struct reading *r, uint32_t width, term_t *t) {
    term_t high, low;
    if (!operand(r, 3, &high) || !operand(r, 4, &low))
        return false;
    uint32_t shift = width_of(r, low);
    if (width_of(r, high) + shift != width)
        return fail(r, 2, "'%s' does not lead to the width of the sort", r->words[1].text);
    high = term_cast(r->ts, OP_ZEXT, (sort_t)width, as_vector(r, high).term);
    low = term_cast(r->ts, OP_ZEXT, (sort_t)width, as_vector(r, low).term);
    high = term_op2(r->ts, OP_SHL, high, term_int(r->ts, (sort_t)width, (int64_t)shift));
    *t = term_op2(r->ts, OP_BOR, high, low);
    return true;
}

static bool choice(struct reading *r, uint32_t width, term_t *t) {
    term_t c, x, y;
    if (!operand_of(r, 3, 1, &c) || !operand_of(r, 4, width, &x) || !operand_of(r, 5, width, &y))
        return false;
    *t = term_ite(r->ts, c, x, y);
    return true;
}

static bool step_by(struct reading *r, uint32_t width, int by, term_t *t) {
    term_t x;
    if (!operand_of(r, 3, width, &x))
        return false;
    struct smt_value v = as_vector(r, x);
    *t = as_node(r, term_op2(r->ts, OP_ADD, v.term, term_int(r->ts, (sort_t)width, by)));
    return true;
}

/* ---- constants ---- */

/* Digits of this base; more than the width holds is an error. */
static bool number(struct reading *r, uint32_t width, uint32_t base, term_t *t) {
    uint64_t bits = 0, most = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    if (!ask(r, 3))
        return false;
    const char *text = r->words[3].text, *c = text;
    bool negative = base == 10 && *c == '-';
    c += negative;
    bool good = *c;
    for (; *c && good; c++) {
        uint32_t digit = *c >= '0' && *c <= '9'   ? (uint32_t)(*c - '0')
                         : *c >= 'a' && *c <= 'f' ? (uint32_t)(*c - 'a') + 10
                         : *c >= 'A' && *c <= 'F' ? (uint32_t)(*c - 'A') + 10
                                                  : base;
        good = digit < base && bits <= (most - digit) / base;
        bits = good ? bits * base + digit : bits;
    }
    if (!good || (negative && bits > most / 2 + 1))
        return fail(r, 3, "'%s' is no constant of this base and width", text);
    *t = constant(r, width, negative ? 0 - bits : bits);
    return true;
}

/* The value of a node that is an operator or a constant. */
static bool value_of(struct reading *r, uint32_t width, term_t *t) {
    const char *name = r->words[1].text;
    if (str_same(name, "zero") || str_same(name, "one") || str_same(name, "ones")) {
        *t = constant(r, width, name[0] == 'z' ? 0 : name[3] ? UINT64_MAX : 1);
        return true;
    }
    if (str_same(name, "const") || str_same(name, "constd") || str_same(name, "consth"))
        return number(r, width, !name[5] ? 2 : name[5] == 'd' ? 10 : 16, t);
    if (str_same(name, "inc") || str_same(name, "dec"))
        return step_by(r, width, name[0] == 'i' ? 1 : -1, t);
    if (str_same(name, "ite"))
        return choice(r, width, t);
    if (str_same(name, "concat"))
        return concat(r, width, t);
    if (str_same(name, "rol") || str_same(name, "ror"))
        return rotate(r, width, name[2] == 'l', t);
    if (str_same(name, "sext") || str_same(name, "uext") || str_same(name, "slice"))
        return by_index(r, width, t);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_same(name, rows[i].name))
            return by_row(r, &rows[i], width, t);
    if (str_same(name, "read") || str_same(name, "write"))
        return fail(r, 1, "%s", "not supported: arrays");
    return fail(r, 1, "'%s' is no operator of BTOR2", name);
}

/* ---- lines that are more than a value ---- */

static void add_node(struct reading *r, struct node node) {
    map_put(&r->of_id, r->last, (uint32_t)r->nodes.len);
    vec_push(&r->nodes, node);
}

static bool read_sort(struct reading *r) {
    uint64_t width;
    if (r->n_words > 2 && str_same(r->words[2].text, "array"))
        return fail(r, 2, "%s", "not supported: arrays");
    if (r->n_words < 3 || !str_same(r->words[2].text, "bitvec"))
        return fail(r, 1, "%s", "expected 'sort bitvec' and a number of bits");
    if (!natural(r, 3, &width))
        return false;
    if (width == 0)
        return fail(r, 3, "%s", "a vector has at least one bit");
    const char *lack = smt_sort_lack((struct smt_sort){SMT_BV, (uint32_t)width, 0});
    if (lack)
        return fail(r, 3, "not supported: %s", lack);
    add_node(r, (struct node){.width = (uint32_t)width, .is_sort = true});
    return true;
}

static void add_input(struct reading *r, const char *name, term_t var, bool at_init) {
    struct sys_input input = {.name = name, .var = var, .module_input = NONE, .at_init = at_init};
    vec_push(&r->horn->sys.inputs, input);
}

/* Its name is its symbol, or what it is and where. */
static bool read_source(struct reading *r, uint32_t width, bool is_state) {
    struct arena *arena = &r->horn->sys.arena;
    const char *name = r->n_words > 3
                           ? arena_strdup(arena, r->words[3].text)
                           : arena_printf(arena, "%s%s", r->words[1].text, r->words[0].text);
    term_t var = term_var(r->ts, name, width == 1 ? SORT_BOOL : (sort_t)width, false);
    struct node node = {.width = width, .term = var};
    if (is_state) {
        vec_push(&r->states, (struct state){.name = name, .var = var});
        node.state = (uint32_t)r->states.len;
    } else {
        add_input(r, name, var, false);
    }
    add_node(r, node);
    return true;
}

/* `init` and `next`: the state, then its value. */
static bool read_assignment(struct reading *r, uint32_t width, bool is_init) {
    bool negated;
    term_t value;
    const struct node *n = node_at(r, 3, &negated);
    if (!n || !operand_of(r, 4, width, &value))
        return false;
    if (n->state == 0 || negated || n->width != width)
        return fail(r, 3, "'%s' is no state of this sort", r->words[3].text);
    struct state *state = &r->states.data[n->state - 1];
    term_t *place = is_init ? &state->init : &state->next;
    if (*place)
        return fail(r, 3, "the state '%s' has this already", state->name);
    *place = value;
    state->init_line = is_init ? r->line : state->init_line;
    return true;
}

static bool read_property(struct reading *r, bool is_bad) {
    term_t t;
    if (!operand_of(r, 2, 1, &t))
        return false;
    if (is_bad)
        r->bad = r->bad ? term_or(r->ts, r->bad, t) : t;
    else
        r->constraint = term_and(r->ts, r->constraint, t);
    return true;
}

static bool read_line(struct reading *r) {
    uint32_t width = 0;
    uint64_t id;
    if (r->n_words < 2)
        return fail(r, 0, "a line is a number, an operator and its operands, not '%s'",
                    r->words[0].text);
    if (!natural(r, 0, &id))
        return false;
    if (id <= r->last)
        return fail(r, 0, "'%s' is not above the number of the line before", r->words[0].text);
    r->last = id;
    const char *name = r->words[1].text;
    if (str_same(name, "sort"))
        return read_sort(r);
    if (str_same(name, "bad") || str_same(name, "constraint"))
        return read_property(r, name[0] == 'b');
    if (str_same(name, "output"))
        return ask(r, 2);
    if (str_same(name, "fair") || str_same(name, "justice"))
        return fail(r, 1, "not supported: '%s', only safety is", name);
    if (!sort_at(r, 2, &width))
        return false;
    if (str_same(name, "state") || str_same(name, "input"))
        return read_source(r, width, name[0] == 's');
    if (str_same(name, "init") || str_same(name, "next"))
        return read_assignment(r, width, name[0] == 'i');
    struct node node = {.width = width};
    if (!value_of(r, width, &node.term))
        return false;
    assert(width_of(r, node.term) == width);
    add_node(r, node);
    return true;
}

/* Behind the operands stands at most a symbol. */
static bool is_all(struct reading *r) {
    return r->n_words <= r->asked + 2 ||
           fail(r, r->asked + 2, "'%s' is more than the line takes", r->words[r->asked + 2].text);
}

/* ---- the system ---- */

/* Initial values of states before this one take their places; what else it reads is an error. */
static bool initial_value(struct reading *r, const struct state *state, const term_t *map, size_t n,
                          term_t *init) {
    bool *mark = mem_zalloc(r->ts->nodes.len, sizeof *mark), closed = true;
    *init = state->init;
    term_mark(r->ts, init, 1, mark);
    for (size_t v = 0; v < n; v++)
        closed &= !mark[r->ts->vars.data[v].term] || map[v];
    mem_free(mark);
    if (!closed) {
        r->line = state->init_line;
        r->n_words = 0;
        return fail(r, 0, "the initial value of '%s' is not over states before it", state->name);
    }
    term_substitute(r->ts, map, n, init, 1);
    return true;
}

static bool add_cell(struct reading *r, const struct state *state, term_t *map, size_t n) {
    sort_t sort = term_sort(r->ts, state->var);
    struct cell cell = {.name = state->name, .var = state->var, .next = state->next};
    if (state->init && !initial_value(r, state, map, n, &cell.init))
        return false;
    if (!state->init)
        add_input(r, state->name, cell.init = term_var(r->ts, state->name, sort, false), true);
    if (!state->next)
        add_input(r, state->name, cell.next = term_var(r->ts, state->name, sort, false), false);
    map[term_get(r->ts, state->var)->payload] = cell.init;
    vec_push(&r->horn->sys.cells, cell);
    return true;
}

static bool make_system(struct reading *r) {
    struct system *sys = &r->horn->sys;
    size_t n = r->ts->vars.len;
    if (!r->bad)
        return fail(r, 0, "there is no property: no line with '%s'", "bad");
    term_t *map = mem_zalloc(n + 1, sizeof *map);
    bool ok = true;
    for (size_t i = 0; ok && i < r->states.len; i++)
        ok = add_cell(r, &r->states.data[i], map, n);
    mem_free(map);
    sys->step_ok = r->constraint;
    term_t hit = term_and(r->ts, r->bad, r->constraint);
    vec_push(&sys->targets, (struct target){TARGET_GOAL, 0, "property", hit, 0});
    if (ok)
        check_system(sys);
    return ok;
}

bool btor2_read(struct horn *horn, const char *file, const char *text, size_t len,
                struct err *err) {
    struct reading r = {.horn = horn,
                        .ts = horn->sys.terms,
                        .file = file,
                        .at = text,
                        .end = text + len,
                        .constraint = term_bool(horn->sys.terms, true),
                        .err = err};
    bool ok = true;
    assert(horn->sys.cells.len == 0);
    while (ok && next_line(&r))
        ok = read_line(&r) && is_all(&r);
    ok = ok && make_system(&r);
    map_free(&r.of_id);
    vec_free(&r.nodes);
    vec_free(&r.states);
    arena_free(&r.arena);
    return ok;
}
