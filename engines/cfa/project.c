/* Inputs are taken out of a cube, for the negation of a cube that mentions one is no lemma.
 *
 * An input that equals a term is that term. Of the other literals those that share inputs belong
 * together. Where they read no cell at all they can be met in every state, for the model meets
 * them, and go; so does the only comparison of an input with a term, but for the end of the range.
 * Else the input keeps the value of the model: then the cube has fewer states than had
 * predecessors, and others are asked for when it is blocked. */
#include "engines/cfa/ic3cfa.h"

#include "base/mem.h"
#include "model/term/simplify.h"

VEC_STRUCT(variables, uint32_t);

/* The variables below a term, each once. */
static void list_variables(const struct terms *ts, term_t t, struct variables *out) {
    struct cube stack = {0};
    struct map seen = {0};
    vec_push(&stack, t);
    map_put(&seen, t, 1);
    while (stack.len > 0) {
        term_t at = vec_pop(&stack);
        const struct term *node = term_get(ts, at);
        if (node->op == OP_VAR)
            vec_push(out, (uint32_t)node->payload);
        for (int i = 0; i < node->arity; i++)
            if (!map_get(&seen, node->arg[i])) {
                map_put(&seen, node->arg[i], 1);
                vec_push(&stack, node->arg[i]);
            }
    }
    map_free(&seen);
    vec_free(&stack);
}

static bool is_input(const struct ic3cfa *c, uint32_t var) {
    return var < c->is_input.len && c->is_input.data[var];
}

bool term_reads(const struct ic3cfa *c, term_t t, bool inputs) {
    struct variables vars = {0};
    bool reads = false;
    list_variables(c->ts, t, &vars);
    for (size_t i = 0; i < vars.len; i++)
        reads |= is_input(c, vars.data[i]) == inputs;
    vec_free(&vars);
    return reads;
}

/* ---- inputs that equal a term ---- */

static bool reads_variable(const struct ic3cfa *c, term_t t, term_t var) {
    struct variables vars = {0};
    bool reads = false;
    list_variables(c->ts, t, &vars);
    for (size_t i = 0; i < vars.len; i++)
        reads |= vars.data[i] == term_bits(c->ts, var);
    vec_free(&vars);
    return reads;
}

static bool is_input_term(const struct ic3cfa *c, term_t t) {
    return term_is(c->ts, t, OP_VAR) && is_input(c, (uint32_t)term_bits(c->ts, t));
}

/* Literal i says that an input is a term: the term takes its place everywhere. */
static bool replace_input(struct ic3cfa *c, struct cube *cube, size_t i) {
    struct term n = *term_get(c->ts, cube->data[i]);
    for (int k = 0; n.op == OP_EQ && k < 2; k++) {
        term_t in = n.arg[k], value = n.arg[1 - k];
        if (!is_input_term(c, in) || reads_variable(c, value, in))
            continue;
        cube->data[i] = term_bool(c->ts, true);
        c->map.data[term_bits(c->ts, in)] = value;
        term_substitute(c->ts, c->map.data, c->map.len, cube->data, cube->len);
        c->map.data[term_bits(c->ts, in)] = 0;
        return true;
    }
    return false;
}

/* ---- inputs that are compared once ---- */

static size_t count_readers(const struct ic3cfa *c, const struct cube *cube, term_t in) {
    size_t n = 0;
    for (size_t i = 0; i < cube->len; i++)
        n += reads_variable(c, cube->data[i], in);
    return n;
}

/* For which values of the other side is there an input that makes the comparison of integers
 * `value`? 0: it is no such comparison. */
static term_t range_of(struct ic3cfa *c, const struct term *n, int side, bool value) {
    term_t other = n->arg[1 - side];
    sort_t sort = term_sort(c->ts, other);
    bool is_signed = n->op == OP_SLT || n->op == OP_SLE;
    bool strict = n->op == OP_ULT || n->op == OP_SLT;
    if (!strict && n->op != OP_ULE && n->op != OP_SLE)
        return n->op == OP_EQ && !value ? term_bool(c->ts, true) : 0;
    if (strict != value) /* the end itself will do */
        return term_bool(c->ts, true);
    bool below = (side == 0) == value; /* the input has to be below the other side */
    int64_t end = below ? ordinal_min(sort, is_signed) : ordinal_max(sort, is_signed);
    return term_not(
        c->ts, term_eq(c->ts, other, term_const(c->ts, sort, ordinal_bits(sort, is_signed, end))));
}

static void free_input(struct ic3cfa *c, struct cube *cube, size_t i) {
    bool value = !term_is(c->ts, cube->data[i], OP_NOT);
    struct term n = *term_get(c->ts, value ? cube->data[i] : term_arg(c->ts, cube->data[i], 0));
    for (int side = 0; n.arity == 2 && side < 2; side++) {
        term_t in = n.arg[side];
        if (!is_input_term(c, in) || !sort_is_int(term_sort(c->ts, in)) ||
            reads_variable(c, n.arg[1 - side], in) || count_readers(c, cube, in) != 1)
            continue;
        term_t range = range_of(c, &n, side, value);
        cube->data[i] = range ? range : cube->data[i];
        return;
    }
}

/* ---- literals that share inputs ---- */

struct group {
    bool reads_cell;
    size_t same_as; /* an earlier group, or itself */
};

struct grouping {
    struct ic3cfa *c;
    VEC(struct group) groups; /* one per literal */
    struct map group_of;      /* input variable to literal */
};

static size_t root_of(const struct grouping *g, size_t i) {
    assert(i < g->groups.len);
    while (g->groups.data[i].same_as != i)
        i = g->groups.data[i].same_as;
    return i;
}

static void join(struct grouping *g, size_t i, size_t k) {
    size_t a = root_of(g, i), b = root_of(g, k);
    if (a == b)
        return;
    size_t low = a < b ? a : b, high = a < b ? b : a;
    g->groups.data[high].same_as = low;
    g->groups.data[low].reads_cell |= g->groups.data[high].reads_cell;
}

static void group_literal(struct grouping *g, term_t literal) {
    struct variables vars = {0};
    size_t index = g->groups.len;
    assert(term_sort(g->c->ts, literal) == SORT_BOOL);
    vec_push(&g->groups, (struct group){false, index});
    list_variables(g->c->ts, literal, &vars);
    for (size_t i = 0; i < vars.len; i++) {
        if (!is_input(g->c, vars.data[i])) {
            g->groups.data[root_of(g, index)].reads_cell = true;
            continue;
        }
        const uint32_t *other = map_get(&g->group_of, vars.data[i]);
        if (other)
            join(g, index, *other);
        else
            map_put(&g->group_of, vars.data[i], (uint32_t)index);
    }
    vec_free(&vars);
}

/* Each input of the literal stands for the value that the model gives it. */
static term_t instantiate(struct ic3cfa *c, term_t literal) {
    struct variables vars = {0};
    assert(c->map.len <= c->ts->vars.len);
    list_variables(c->ts, literal, &vars);
    for (size_t i = 0; i < vars.len; i++)
        if (is_input(c, vars.data[i]))
            c->map.data[vars.data[i]] = term_const(c->ts, c->ts->vars.data[vars.data[i]].sort,
                                                   c->var_values.data[vars.data[i]]);
    term_substitute(c->ts, c->map.data, c->map.len, &literal, 1);
    for (size_t i = 0; i < vars.len; i++)
        c->map.data[vars.data[i]] = 0;
    vec_free(&vars);
    return literal;
}

void cube_project(struct ic3cfa *c, struct cube *cube) {
    struct grouping g = {.c = c};
    size_t kept = 0;
    for (size_t i = 0; i < cube->len; i++)
        i = replace_input(c, cube, i) ? (size_t)-1 : i; /* what is left may equal terms now */
    for (size_t i = 0; i < cube->len; i++)
        free_input(c, cube, i);
    for (size_t i = 0; i < cube->len; i++)
        group_literal(&g, cube->data[i]);
    for (size_t i = 0; i < cube->len; i++) {
        if (!g.groups.data[root_of(&g, i)].reads_cell)
            continue;
        term_t literal = cube->data[i];
        if (term_reads(c, literal, true))
            literal = instantiate(c, literal);
        if (!term_is_true(c->ts, literal))
            cube->data[kept++] = literal;
    }
    for (size_t i = 0; i < kept; i++)
        assert(!term_reads(c, cube->data[i], true) && "cubes mention cells only");
    cube->len = kept;
    vec_free(&g.groups);
    map_free(&g.group_of);
}
