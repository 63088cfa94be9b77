/* Walks over the DAG: one loop down marks, one loop up rebuilds. */
#include "model/term/term.h"

#include "base/mem.h"
#include "model/term/simplify.h"

static term_t highest(const term_t *roots, size_t n) {
    term_t top = 0;
    for (size_t i = 0; i < n; i++)
        if (roots[i] > top)
            top = roots[i];
    return top;
}

size_t term_mark(const struct terms *ts, const term_t *roots, size_t n, bool *mark) {
    assert(mark && ts->nodes.len > 0);
    for (size_t i = 0; i < n; i++)
        mark[roots[i]] = true;
    mark[0] = false;
    size_t count = 0;
    for (term_t t = highest(roots, n); t > 0; t--) {
        if (!mark[t])
            continue;
        const struct term *node = term_get(ts, t);
        count++;
        for (int i = 0; i < node->arity; i++)
            mark[node->arg[i]] = true;
    }
    return count;
}

term_t term_rebuild(struct terms *ts, term_t t, const term_t *args) {
    assert(t > 0 && t < ts->nodes.len);
    struct term node = *term_get(ts, t);
    if (node.arity == 0 || memcmp(args, node.arg, node.arity * sizeof *args) == 0)
        return t;
    if (node.op == OP_TABLE)
        return term_table_at(ts, (uint32_t)node.payload, args[0]);
    if (op_table[node.op].result == 'p')
        return term_cast(ts, node.op, node.sort, args[0]);
    if (node.arity == 1)
        return term_op1(ts, node.op, args[0]);
    if (node.arity == 2)
        return term_op2(ts, node.op, args[0], args[1]);
    return term_op3(ts, node.op, args[0], args[1], args[2]);
}

void term_substitute(struct terms *ts, const term_t *map, size_t map_len, term_t *roots, size_t n) {
    size_t len = (size_t)highest(roots, n) + 1;
    bool *mark = mem_zalloc(len, sizeof *mark);
    term_t *now = mem_zalloc(len, sizeof *now);
    term_mark(ts, roots, n, mark);
    for (term_t t = 1; t < len; t++) {
        if (!mark[t])
            continue;
        struct term node = *term_get(ts, t);
        term_t args[3] = {0};
        for (int i = 0; i < node.arity; i++)
            args[i] = now[node.arg[i]];
        if (node.op == OP_VAR && node.payload < map_len && map[node.payload]) {
            now[t] = map[node.payload];
            assert(term_sort(ts, now[t]) == node.sort);
        } else {
            now[t] = term_rebuild(ts, t, args);
        }
    }
    for (size_t i = 0; i < n; i++)
        roots[i] = now[roots[i]];
    mem_free(mark);
    mem_free(now);
}
