#include "engines/forward.h"

#include "base/mem.h"
#include "model/term/eval.h"

#include <math.h>

static void add_node(struct forward *f, const struct terms *ts, term_t t, struct solver *views) {
    const struct term *term = term_get(ts, t);
    bool is_signed = term->op == OP_VAR ? ts->vars.data[term->payload].is_signed
                                        : solver_orders_signed(views, ts, t);
    struct forward_node n = {.term = t, .arity = term->arity};
    n.prim.op = (enum op)term->op;
    n.prim.sort[0] = term->sort;
    n.prim.is_signed[0] = is_signed;
    n.prim.table = term->op == OP_TABLE ? &ts->tables.data[term->payload] : NULL;
    n.full = term->op == OP_CONST ? range_of_bits(term->sort, is_signed, term->payload)
                                  : range_full(term->sort, is_signed);
    for (int i = 0; i < term->arity; i++) {
        n.arg[i] = f->index.data[term->arg[i]];
        assert(n.arg[i] < f->nodes.len && "arguments come first");
        const struct forward_node *arg = &f->nodes.data[n.arg[i]];
        n.prim.sort[i + 1] = arg->prim.sort[0];
        n.prim.is_signed[i + 1] = arg->prim.is_signed[0];
    }
    vec_push(&f->nodes, n);
}

void forward_init(struct forward *f, const struct terms *ts, const term_t *roots, size_t n,
                  struct solver *views) {
    bool *mark = mem_zalloc(ts->nodes.len, sizeof *mark);
    *f = (struct forward){0};
    term_mark(ts, roots, n, mark);
    vec_push(&f->index, NONE);
    for (term_t t = 1; t < ts->nodes.len; t++) {
        vec_push(&f->index, mark[t] ? (uint32_t)f->nodes.len : NONE);
        if (mark[t])
            add_node(f, ts, t, views);
    }
    mem_free(mark);
}

void forward_free(struct forward *f) {
    vec_free(&f->nodes);
    vec_free(&f->index);
}

static uint64_t point_bits(const struct forward_node *n, int arg, struct range r) {
    sort_t sort = n->prim.sort[arg + 1];
    if (r.num)
        return ordinal_bits(sort, n->prim.is_signed[arg + 1], r.lo);
    return sort == SORT_F32 ? f32_bits(NAN) : f64_bits(NAN);
}

/* Single values have a single result, also where contract() is not that sharp. */
static bool is_evaluated(const struct forward_node *n, const struct range args[3]) {
    bool points = n->prim.op < OP_TABLE;
    for (int a = 0; a < n->arity && points; a++)
        points = range_is_point(args[a]);
    return points;
}

struct range forward_result(const struct forward_node *n, const struct range args[3]) {
    assert(n->arity > 0);
    if (is_evaluated(n, args)) {
        uint64_t bits[3] = {0};
        for (int a = 0; a < n->arity; a++)
            bits[a] = point_bits(n, a, args[a]);
        return range_of_bits(
            n->prim.sort[0], n->prim.is_signed[0],
            term_eval_op(n->prim.op, n->prim.sort[0], n->prim.sort[n->arity], bits));
    }
    struct range r[4] = {n->full, args[0], args[1], args[2]}, out;
    contract(&n->prim, r, 0, &out);
    return out;
}

struct range forward_view(struct range r, sort_t sort, bool from_signed, bool to_signed) {
    if (!sort_is_int(sort) || from_signed == to_signed)
        return r;
    struct prim same = {.op = OP_ZEXT, .sort = {sort, sort}};
    same.is_signed[0] = to_signed;
    same.is_signed[1] = from_signed;
    struct range operands[4] = {range_full(sort, to_signed), r}, out;
    contract(&same, operands, 0, &out);
    return out;
}
