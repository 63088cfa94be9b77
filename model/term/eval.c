#include "model/term/eval.h"

#include "base/mem.h"
#include "model/term/simplify.h"

static uint64_t eval_node(const struct terms *ts, const struct term *n, const uint64_t *vars,
                          const uint64_t *values) {
    uint64_t args[3] = {0};
    switch (n->op) {
    case OP_CONST:
        return n->payload;
    case OP_VAR:
        return bits_canonical(n->sort, vars[n->payload]);
    case OP_TABLE: {
        const struct term_table *table = &ts->tables.data[n->payload];
        uint64_t at = values[n->arg[0]];
        return table->values[at < table->len ? at : table->len - 1];
    }
    default:
        for (int i = 0; i < n->arity; i++)
            args[i] = values[n->arg[i]];
        return term_eval_op(n->op, n->sort, term_sort(ts, n->arg[n->arity - 1]), args);
    }
}

void term_eval(const struct terms *ts, const term_t *roots, size_t n, const uint64_t *var_values,
               uint64_t *values) {
    assert(ts->nodes.len > 0);
    bool *mark = mem_zalloc(ts->nodes.len, sizeof *mark);
    term_mark(ts, roots, n, mark);
    for (term_t t = 1; t < ts->nodes.len; t++)
        if (mark[t])
            values[t] = eval_node(ts, &ts->nodes.data[t], var_values, values);
    mem_free(mark);
}
