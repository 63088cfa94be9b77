/* The store of terms: hash-consing, leaves, constructors.
 *
 * Invariants: equal nodes have one index; arguments come before their users; slots[] holds every
 * node but variables' (always new) at the first free place from its hash, at most 5/8 full. */
#include "model/term/term.h"

#include "base/bug.h"
#include "base/mem.h"
#include "model/term/eval.h"
#include "model/term/simplify.h"

const struct op_info op_table[OP_COUNT] = {
#define OP(name, arity, args, result, text) {#name, text, arity, args, result},
#include "model/term/ops.def"
#undef OP
};

/* Rules call constructors; some follow a pattern downwards, one call a level. Below this nesting
 * nodes are made as they are, so that neither the stack nor the time depends on a term's depth. */
enum { FIRST_SLOTS = 1024, MAX_NESTING = 48 };

void terms_init(struct terms *ts) {
    *ts = (struct terms){0};
    vec_push(&ts->nodes, (struct term){0});
    vec_push(&ts->known, (struct known_bits){0});
    ts->slot_cap = FIRST_SLOTS;
    ts->slots = mem_zalloc(ts->slot_cap, sizeof *ts->slots);
}

void terms_free(struct terms *ts) {
    vec_free(&ts->nodes);
    vec_free(&ts->known);
    vec_free(&ts->vars);
    vec_free(&ts->tables);
    intern_free(&ts->numbers);
    mem_free(ts->slots);
    arena_free(&ts->arena);
    *ts = (struct terms){0};
}

/* ---- hash-consing ---- */

static size_t node_hash(const struct term *n) {
    uint64_t head = (uint64_t)n->op << 32 | n->sort;
    uint64_t hash = (head ^ n->arg[0]) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ hash >> 29 ^ n->arg[1]) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ hash >> 32 ^ n->arg[2]) * 0x94d049bb133111ebu;
    hash = (hash ^ hash >> 29 ^ n->payload) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

static bool node_same(const struct term *a, const struct term *b) {
    return a->op == b->op && a->sort == b->sort && a->arg[0] == b->arg[0] &&
           a->arg[1] == b->arg[1] && a->arg[2] == b->arg[2] && a->payload == b->payload;
}

static void grow_slots(struct terms *ts) {
    assert((ts->slot_cap & (ts->slot_cap - 1)) == 0);
    size_t cap = ts->slot_cap * 2;
    uint32_t *slots = mem_zalloc(cap, sizeof *slots);
    for (size_t old = 0; old < ts->slot_cap; old++) {
        uint32_t t = ts->slots[old];
        if (!t)
            continue;
        size_t i = node_hash(&ts->nodes.data[t]) & (cap - 1);
        while (slots[i])
            i = (i + 1) & (cap - 1);
        slots[i] = t;
    }
    mem_free(ts->slots);
    ts->slots = slots;
    ts->slot_cap = cap;
}

static term_t push_node(struct terms *ts, struct term node) {
    assert(ts->nodes.len > 0 && node.op < OP_COUNT);
    if (ts->nodes.len >= UINT32_MAX)
        bug("more than 2^32 terms");
    vec_push(&ts->known, known_bits_of(ts, &node));
    vec_push(&ts->nodes, node);
    return (term_t)(ts->nodes.len - 1);
}

static term_t intern_node(struct terms *ts, struct term node) {
    if (ts->nodes.len * 8 >= ts->slot_cap * 5)
        grow_slots(ts);
    size_t i = node_hash(&node) & (ts->slot_cap - 1);
    for (; ts->slots[i]; i = (i + 1) & (ts->slot_cap - 1))
        if (node_same(&ts->nodes.data[ts->slots[i]], &node))
            return ts->slots[i];
    term_t t = push_node(ts, node);
    ts->slots[i] = t;
    return t;
}

term_t term_node(struct terms *ts, enum op op, sort_t sort, const term_t *args, uint64_t payload) {
    assert(sort != SORT_NONE && sort <= SORT_REAL);
    assert(op_table[op].arity <= 3);
    struct term node = {.op = (uint16_t)op, .sort = sort, .payload = payload};
    node.arity = (uint8_t)op_table[op].arity;
    for (int i = 0; i < node.arity; i++) {
        assert(args[i] && args[i] < ts->nodes.len);
        node.arg[i] = args[i];
    }
    return intern_node(ts, node);
}

/* ---- leaves ---- */

term_t term_var(struct terms *ts, const char *name, sort_t sort, bool is_signed) {
    assert(sort != SORT_NONE && sort <= SORT_REAL);
    struct term node = {.op = OP_VAR, .sort = sort, .payload = ts->vars.len};
    term_t t = push_node(ts, node);
    const char *copy = arena_strdup(&ts->arena, name);
    vec_push(&ts->vars, (struct term_var){copy, sort, is_signed, t});
    return t;
}

term_t term_const(struct terms *ts, sort_t sort, uint64_t bits) {
    assert(sort_width(sort) == 64 || bits >> sort_width(sort) == 0);
    return term_node(ts, OP_CONST, sort, NULL, bits_canonical(sort, bits));
}

term_t term_int(struct terms *ts, sort_t width, int64_t value) {
    if (!sort_is_int(width))
        bug("%s is no integer sort", sort_name(width));
    return term_const(ts, width, (uint64_t)value & int_mask(width));
}

term_t term_f32(struct terms *ts, float value) {
    return term_const(ts, SORT_F32, f32_bits(value));
}

term_t term_f64(struct terms *ts, double value) {
    return term_const(ts, SORT_F64, f64_bits(value));
}

term_t term_bool(struct terms *ts, bool value) {
    return term_const(ts, SORT_BOOL, value);
}

uint32_t term_add_table(struct terms *ts, sort_t sort, const uint64_t *values, size_t len) {
    assert(sort != SORT_NONE && sort <= SORT_F64);
    assert(len > 0);
    for (size_t t = 0; t < ts->tables.len; t++) {
        const struct term_table *old = &ts->tables.data[t];
        if (old->sort == sort && old->len == len &&
            memcmp(old->values, values, len * sizeof *values) == 0)
            return (uint32_t)t;
    }
    uint64_t *copy = arena_copy(&ts->arena, values, len * sizeof *values);
    for (size_t i = 0; i < len; i++)
        copy[i] = bits_canonical(sort, copy[i]);
    vec_push(&ts->tables, (struct term_table){sort, len, copy});
    return (uint32_t)(ts->tables.len - 1);
}

bool term_is_const(const struct terms *ts, term_t t) {
    assert(t < ts->nodes.len);
    return term_is(ts, t, OP_CONST);
}

bool term_is_true(const struct terms *ts, term_t t) {
    return term_sort(ts, t) == SORT_BOOL && term_is_bits(ts, t, 1);
}

bool term_is_false(const struct terms *ts, term_t t) {
    return term_sort(ts, t) == SORT_BOOL && term_is_bits(ts, t, 0);
}

/* ---- constructors ---- */

bool op_commutes(enum op op) {
    switch (op) {
    case OP_AND:
    case OP_OR:
    case OP_XOR:
    case OP_EQ:
    case OP_ADD:
    case OP_MUL:
    case OP_BAND:
    case OP_BOR:
    case OP_BXOR:
    case OP_FADD:
    case OP_FADDZ:
    case OP_FADDA:
    case OP_FADDN:
    case OP_FMUL:
    case OP_FMULZ:
    case OP_FMULA:
    case OP_FMULN:
    case OP_FMIN:
    case OP_FMAX:
    case OP_FEQ:
        return true;
    default:
        return false;
    }
}

bool op_is_comparison(enum op op) {
    return op == OP_EQ || op == OP_ULT || op == OP_ULE || op == OP_SLT || op == OP_SLE ||
           op == OP_FEQ || op == OP_FLT || op == OP_FLE;
}

bool op_is_transcendental(enum op op) {
    return op >= OP_SIN && op <= OP_HYPOT;
}

static term_t simplify(struct terms *ts, enum op op, sort_t sort, const term_t *args) {
    assert(op != OP_CONST && op != OP_VAR && op != OP_TABLE);
    if (op == OP_ITE)
        return simplify_ite(ts, args[0], args[1], args[2]);
    if (op <= OP_XOR)
        return simplify_bool(ts, op, args);
    if (op == OP_EQ || (op >= OP_ULT && op <= OP_SLE))
        return simplify_compare(ts, op, args[0], args[1]);
    if (op <= OP_SREM)
        return simplify_arith(ts, op, args[0], args[1]);
    if (op <= OP_BXOR)
        return simplify_bits(ts, op, args[0], args[1]);
    if (op_table[op].result == 'p')
        return simplify_cast(ts, op, sort, args[0]);
    if (op == OP_FEQ || op == OP_FLT || op == OP_FLE)
        return simplify_float_compare(ts, op, args[0], args[1]);
    return simplify_float(ts, op, args);
}

static bool all_const(const struct terms *ts, enum op op, const term_t *args) {
    for (int i = 0; i < op_table[op].arity; i++)
        if (!term_is_const(ts, args[i]))
            return false;
    return true;
}

static term_t fold(struct terms *ts, enum op op, sort_t sort, const term_t *args) {
    assert(op_table[op].arity > 0 && !op_is_transcendental(op));
    uint64_t bits[3] = {0};
    int arity = op_table[op].arity;
    for (int i = 0; i < arity; i++)
        bits[i] = term_bits(ts, args[i]);
    return term_const(ts, sort, term_eval_op(op, sort, term_sort(ts, args[arity - 1]), bits));
}

static term_t build_number(struct terms *ts, enum op op, sort_t sort, const term_t *args) {
    assert(op == OP_ITE || op == OP_EQ || op >= OP_NADD);
    term_t simple = simplify_number(ts, op, args);
    return simple ? simple : term_node(ts, op, sort, args, 0);
}

/* The node, unless its bits are all known. */
static term_t node_or_value(struct terms *ts, enum op op, sort_t sort, const term_t *args) {
    struct term node = {.op = (uint16_t)op, .sort = sort};
    uint64_t value;
    node.arity = (uint8_t)op_table[op].arity;
    memcpy(node.arg, args, node.arity * sizeof *args);
    return known_bits_value(ts, &node, &value) ? term_const(ts, sort, value)
                                               : term_node(ts, op, sort, args, 0);
}

static term_t build(struct terms *ts, enum op op, sort_t sort, term_t *args) {
    term_check_args(ts, op, sort, args);
    if (sort_is_number(term_sort(ts, args[op_table[op].arity - 1])))
        return build_number(ts, op, sort, args);
    if (all_const(ts, op, args) && !op_is_transcendental(op))
        return fold(ts, op, sort, args);
    if (op_commutes(op)) {
        bool first_const = term_is_const(ts, args[0]), second_const = term_is_const(ts, args[1]);
        if (first_const > second_const || (first_const == second_const && args[0] > args[1])) {
            term_t t = args[0];
            args[0] = args[1];
            args[1] = t;
        }
    }
    term_t simple = 0;
    if (ts->nesting < MAX_NESTING) {
        ts->nesting++;
        simple = simplify(ts, op, sort, args);
        ts->nesting--;
    }
    return simple ? simple : node_or_value(ts, op, sort, args);
}

static term_t build_derived(struct terms *ts, enum op op, int arity, term_t *args) {
    if (op_table[op].arity != arity || op_table[op].result == 'p')
        bug("%s is not built from %d arguments alone", op_table[op].name, arity);
    sort_t sort = op_table[op].result == 'b' ? SORT_BOOL : term_sort(ts, args[arity - 1]);
    return build(ts, op, sort, args);
}

term_t term_op1(struct terms *ts, enum op op, term_t a) {
    return build_derived(ts, op, 1, (term_t[]){a});
}

term_t term_op2(struct terms *ts, enum op op, term_t a, term_t b) {
    return build_derived(ts, op, 2, (term_t[]){a, b});
}

term_t term_op3(struct terms *ts, enum op op, term_t a, term_t b, term_t c) {
    return build_derived(ts, op, 3, (term_t[]){a, b, c});
}

term_t term_cast(struct terms *ts, enum op op, sort_t to, term_t a) {
    if (op_table[op].result != 'p' || op_table[op].arity != 1 || op == OP_TABLE)
        bug("%s is no cast", op_table[op].name);
    return build(ts, op, to, (term_t[]){a});
}

term_t term_table_at(struct terms *ts, uint32_t table, term_t index) {
    assert(table < ts->tables.len);
    struct term_table values = ts->tables.data[table];
    while (term_is(ts, index, OP_ZEXT))
        index = term_arg(ts, index, 0);
    term_check_args(ts, OP_TABLE, values.sort, &index);
    size_t same = 1;
    while (same < values.len && values.values[same] == values.values[0])
        same++;
    if (same == values.len)
        return term_const(ts, values.sort, values.values[0]);
    if (!term_is_const(ts, index))
        return term_node(ts, OP_TABLE, values.sort, &index, table);
    uint64_t at = term_bits(ts, index);
    return term_const(ts, values.sort, values.values[at < values.len ? at : values.len - 1]);
}

term_t term_not(struct terms *ts, term_t a) {
    return term_op1(ts, OP_NOT, a);
}

term_t term_and(struct terms *ts, term_t a, term_t b) {
    return term_op2(ts, OP_AND, a, b);
}

term_t term_or(struct terms *ts, term_t a, term_t b) {
    return term_op2(ts, OP_OR, a, b);
}

term_t term_implies(struct terms *ts, term_t a, term_t b) {
    assert(term_sort(ts, a) == SORT_BOOL);
    return term_or(ts, term_not(ts, a), b);
}

term_t term_ite(struct terms *ts, term_t c, term_t a, term_t b) {
    return term_op3(ts, OP_ITE, c, a, b);
}

term_t term_eq(struct terms *ts, term_t a, term_t b) {
    return term_op2(ts, OP_EQ, a, b);
}
