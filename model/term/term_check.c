/* Sorts of arguments, read off the rows of ops.def. */
#include "model/term/simplify.h"

#include "base/bug.h"

static const char *letter_fault(char letter, sort_t sort) {
    switch (letter) {
    case 'b':
        return sort == SORT_BOOL ? NULL : "an argument must be bool";
    case 'i':
        return sort_is_int(sort) ? NULL : "an argument must be an integer";
    case 'f':
        return sort_is_float(sort) ? NULL : "an argument must be a float";
    case 'n':
        return sort_is_number(sort) ? NULL : "an argument must be a number";
    default:
        assert(letter == 'x');
        return sort != SORT_NONE ? NULL : "an argument has no sort";
    }
}

static const char *given_sort_fault(enum op op, sort_t to, sort_t from) {
    assert(op_table[op].result == 'p');
    bool fits = true;
    switch (op) {
    case OP_ZEXT:
    case OP_SEXT:
        fits = sort_is_int(to) && to >= from;
        break;
    case OP_TRUNC:
        fits = sort_is_int(to) && to <= from;
        break;
    case OP_B2I:
    case OP_F2S:
    case OP_F2U:
        fits = sort_is_int(to);
        break;
    case OP_F2F:
    case OP_F2FZ:
    case OP_F2FA:
    case OP_F2FN:
    case OP_S2F:
    case OP_U2F:
        fits = sort_is_float(to);
        break;
    case OP_BITS2F:
        fits = sort_is_float(to) && sort_width(to) == from;
        break;
    case OP_F2BITS:
        fits = sort_is_int(to) && to == sort_width(from);
        break;
    default:
        assert(op == OP_TABLE);
    }
    return fits ? NULL : "the result cannot have that sort";
}

const char *term_args_fault(const struct terms *ts, enum op op, sort_t sort, const term_t *args) {
    const struct op_info *info = &op_table[op];
    sort_t common = SORT_NONE;
    for (int i = 0; i < info->arity; i++) {
        if (args[i] == 0 || args[i] >= ts->nodes.len)
            return "an argument is no term";
        sort_t arg = term_sort(ts, args[i]);
        const char *fault = letter_fault(info->args[i], arg);
        if (fault)
            return fault;
        if (info->args[i] == 'b')
            continue;
        if (common != SORT_NONE && common != arg)
            return "the arguments differ in sort";
        common = arg;
    }
    if (info->result == 'b')
        return sort == SORT_BOOL ? NULL : "the result must be bool";
    if (info->result == '=')
        return sort == term_sort(ts, args[info->arity - 1]) ? NULL : "the result has another sort";
    return given_sort_fault(op, sort, common);
}

void term_check_args(const struct terms *ts, enum op op, sort_t sort, const term_t *args) {
    const char *fault = term_args_fault(ts, op, sort, args);
    if (fault)
        bug("%s of sort %s: %s", op_table[op].name, sort_name(sort), fault);
}

/* ---- the whole store ---- */

static const char *leaf_fault(const struct terms *ts, term_t t, const struct term *n) {
    if (n->sort == SORT_NONE || n->sort > SORT_REAL)
        return "it has no sort";
    if (n->op == OP_VAR) {
        bool known = n->payload < ts->vars.len && ts->vars.data[n->payload].term == t;
        return known && ts->vars.data[n->payload].sort == n->sort ? NULL
                                                                  : "its variable is another";
    }
    if (sort_is_number(n->sort))
        return n->payload < ts->numbers.texts.len ? NULL : "it is no number";
    bool fits = sort_width(n->sort) == 64 || n->payload >> sort_width(n->sort) == 0;
    return fits && bits_canonical(n->sort, n->payload) == n->payload ? NULL : "its bits are wrong";
}

static const char *node_fault(const struct terms *ts, term_t t) {
    const struct term *n = term_get(ts, t);
    if (n->op >= OP_COUNT || n->arity != op_table[n->op].arity)
        return "its operator or arity is wrong";
    if (n->arity == 0)
        return leaf_fault(ts, t, n);
    for (int i = 0; i < n->arity; i++)
        if (n->arg[i] >= t)
            return "an argument is not older";
    if (n->op == OP_TABLE ? n->payload >= ts->tables.len : n->payload != 0)
        return "its payload is wrong";
    return term_args_fault(ts, n->op, n->sort, n->arg);
}

void check_terms(const struct terms *ts) {
    size_t hashed = 0;
    for (term_t t = 1; t < ts->nodes.len; t++) {
        const char *fault = node_fault(ts, t);
        if (fault)
            bug("term %u (%s): %s", t, op_table[term_get(ts, t)->op].name, fault);
        hashed += !term_is(ts, t, OP_VAR);
    }
    for (size_t i = 0; i < ts->slot_cap; i++) {
        if (ts->slots[i] >= ts->nodes.len || (ts->slots[i] && term_is(ts, ts->slots[i], OP_VAR)))
            bug("slot %zu holds what is not hashed", i);
        hashed -= ts->slots[i] != 0;
    }
    if (hashed != 0)
        bug("the hash table misses terms");
}
