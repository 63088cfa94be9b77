/* Decoding picks a function by operator and width once; what is rare goes through term_eval_op().
 */
#include "model/term/machine_code.h"

#include "base/mem.h"
#include "model/term/eval.h"
#include "model/term/simplify.h"

struct instruction;
typedef uint64_t operation(const struct instruction *in, const uint64_t *values);

struct instruction {
    operation *run;
    union {
        uint64_t mask;         /* of an integer result */
        const uint64_t *table; /* of TABLE, c elements */
    };
    uint32_t to, a, b, c;
    uint8_t op; /* enum op */
    sort_t sort, arg_sort;
};

struct machine_code {
    VEC(struct instruction) variables; /* `a` is the index of the variable */
    VEC(struct instruction) code;
};

/* ---- frequent operators ---- */

#define OPERATION(NAME, RESULT)                                                                    \
    static uint64_t run_##NAME(const struct instruction *in, const uint64_t *values) {             \
        uint64_t a = values[in->a], b = values[in->b];                                             \
        (void)b;                                                                                   \
        return (RESULT);                                                                           \
    }
OPERATION(NOT, !a)
OPERATION(AND, a &b)
OPERATION(OR, a | b)
OPERATION(EQ, a == b)
OPERATION(ITE, a ? b : values[in->c])
OPERATION(ADD, (a + b) & in->mask)
OPERATION(SUB, (a - b) & in->mask)
OPERATION(MUL, (a * b) & in->mask)
OPERATION(BAND, a &b)
OPERATION(BOR, a | b)
OPERATION(BXOR, a ^ b)
OPERATION(ULT, a < b)
OPERATION(SLT, int_signed(in->arg_sort, a) < int_signed(in->arg_sort, b))
OPERATION(ZEXT, a)
OPERATION(SEXT, (uint64_t)int_signed(in->arg_sort, a) & in->mask)
OPERATION(TRUNC, a & in->mask)
#undef OPERATION

static operation *const frequent[OP_COUNT] = {
    [OP_NOT] = run_NOT,     [OP_AND] = run_AND,   [OP_OR] = run_OR,     [OP_EQ] = run_EQ,
    [OP_ITE] = run_ITE,     [OP_ADD] = run_ADD,   [OP_SUB] = run_SUB,   [OP_MUL] = run_MUL,
    [OP_BAND] = run_BAND,   [OP_BOR] = run_BOR,   [OP_BXOR] = run_BXOR, [OP_ULT] = run_ULT,
    [OP_SLT] = run_SLT,     [OP_ZEXT] = run_ZEXT, [OP_B2I] = run_ZEXT,  [OP_SEXT] = run_SEXT,
    [OP_TRUNC] = run_TRUNC,
};

/* ---- the others, by family ---- */

static uint64_t run_int(const struct instruction *in, const uint64_t *values) {
    assert(in->op >= OP_ADD && in->op <= OP_SLE);
    return eval_int_op(in->op, in->arg_sort, (uint64_t[2]){values[in->a], values[in->b]});
}

static uint64_t run_cast(const struct instruction *in, const uint64_t *values) {
    assert(op_table[in->op].arity == 1);
    return eval_cast_op(in->op, in->sort, in->arg_sort, values[in->a]);
}

static uint64_t run_float(const struct instruction *in, const uint64_t *values) {
    assert(sort_is_float(in->arg_sort));
    uint64_t args[3] = {values[in->a], values[in->b], values[in->c]};
    return eval_float_op(in->op, in->arg_sort, args);
}

static uint64_t run_table(const struct instruction *in, const uint64_t *values) {
    assert(in->c > 0);
    uint64_t at = values[in->a];
    return in->table[at < in->c ? at : in->c - 1];
}

static uint64_t run_any(const struct instruction *in, const uint64_t *values) {
    uint64_t args[3] = {values[in->a], values[in->b], values[in->c]};
    return term_eval_op(in->op, in->sort, in->arg_sort, args);
}

static operation *operation_of(enum op op, sort_t arg_sort) {
    assert(op != OP_CONST && op != OP_VAR && op != OP_TABLE);
    if (frequent[op])
        return frequent[op];
    if (op >= OP_ADD && op <= OP_SLE)
        return run_int;
    if (op_table[op].result == 'p')
        return run_cast;
    return sort_is_float(arg_sort) ? run_float : run_any;
}

/* ---- decoding ---- */

static struct instruction decode(const struct terms *ts, term_t t) {
    assert(term_get(ts, t)->arity > 0);
    const struct term *n = term_get(ts, t);
    struct instruction in = {.to = t, .op = (uint8_t)n->op, .sort = n->sort};
    in.a = n->arg[0];
    in.b = n->arg[1];
    in.c = n->arg[2];
    in.arg_sort = n->arity ? term_sort(ts, n->arg[n->arity - 1]) : SORT_NONE;
    if (n->op == OP_TABLE) {
        const struct term_table *table = &ts->tables.data[n->payload];
        in.run = run_table;
        in.table = table->values;
        in.c = (uint32_t)table->len;
        return in;
    }
    in.mask = sort_is_int(n->sort) ? int_mask(n->sort) : 0;
    in.run = operation_of(n->op, in.arg_sort);
    return in;
}

static void add_term(struct machine_code *code, const struct terms *ts, term_t t,
                     uint64_t *values) {
    const struct term *n = term_get(ts, t);
    if (n->op == OP_CONST)
        values[t] = n->payload;
    else if (n->op == OP_VAR)
        vec_push(&code->variables,
                 (struct instruction){.to = t, .a = (uint32_t)n->payload, .sort = n->sort});
    else
        vec_push(&code->code, decode(ts, t));
}

struct machine_code *machine_code_new(const struct terms *ts, const term_t *roots, size_t n,
                                      uint64_t *values) {
    assert(values && ts->nodes.len > 0);
    struct machine_code *code = mem_zalloc(1, sizeof *code);
    bool *mark = mem_zalloc(ts->nodes.len, sizeof *mark);
    term_mark(ts, roots, n, mark);
    for (term_t t = 1; t < ts->nodes.len; t++)
        if (mark[t])
            add_term(code, ts, t, values);
    mem_free(mark);
    return code;
}

void machine_code_free(struct machine_code *code) {
    if (!code)
        return;
    vec_free(&code->variables);
    vec_free(&code->code);
    mem_free(code);
}

void machine_code_run(const struct machine_code *code, const uint64_t *var_values,
                      uint64_t *values) {
    for (size_t i = 0; i < code->variables.len; i++) {
        const struct instruction *in = &code->variables.data[i];
        values[in->to] = bits_canonical(in->sort, var_values[in->a]);
    }
    for (size_t i = 0; i < code->code.len; i++) {
        const struct instruction *in = &code->code.data[i];
        values[in->to] = in->run(in, values);
    }
}
