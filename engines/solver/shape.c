/* Views of integer terms: see shape.h. */
#include "engines/solver/shape.h"

enum { VIEW_UNKNOWN, VIEW_UNSIGNED, VIEW_SIGNED };

struct shape *shape_of(struct solver *s, const struct terms *ts) {
    for (size_t i = 0; i < s->shapes.len; i++)
        if (s->shapes.data[i]->ts == ts)
            return s->shapes.data[i];
    struct shape *shape = mem_zalloc(1, sizeof *shape);
    shape->ts = ts;
    vec_push(&s->shapes, shape);
    return shape;
}

/* How an operator reads its arguments: +1 signed, -1 unsigned, 0 does not say. */
static int reads(enum op op, int place) {
    switch (op) {
    case OP_SDIV:
    case OP_SREM:
    case OP_SLT:
    case OP_SLE:
    case OP_SEXT:
    case OP_S2F:
        return 1;
    case OP_ASHR:
        return place == 0 ? 1 : -1;
    case OP_SHL:
        return place == 0 ? 0 : -1;
    case OP_UDIV:
    case OP_UREM:
    case OP_ULT:
    case OP_ULE:
    case OP_ZEXT:
    case OP_U2F:
    case OP_LSHR:
    case OP_TABLE:
        return -1;
    default:
        return 0;
    }
}

/* Does the result have the view of its arguments, whatever it is? */
static bool passes_view(enum op op, int place) {
    switch (op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_BAND:
    case OP_BOR:
    case OP_BXOR:
    case OP_TRUNC:
        return true;
    case OP_ITE:
        return place > 0;
    case OP_SHL:
        return place == 0;
    default:
        return false;
    }
}

static int own_vote(const struct shape *shape, const struct term *t, int votes) {
    if (t->op == OP_VAR)
        return shape->ts->vars.data[t->payload].is_signed ? 1 : -1;
    if (votes)
        return votes;
    switch (t->op) {
    case OP_SDIV:
    case OP_SREM:
    case OP_ASHR:
    case OP_SEXT:
    case OP_F2S:
        return 1;
    case OP_UDIV:
    case OP_UREM:
    case OP_LSHR:
    case OP_F2U:
        return -1;
    default:
        return 0;
    }
}

/* Users come before their arguments. */
static void votes_down(struct shape *shape, size_t from, int *votes) {
    assert(from <= shape->ts->nodes.len);
    const struct terms *ts = shape->ts;
    for (size_t i = ts->nodes.len; i-- > from;) {
        const struct term *t = &ts->nodes.data[i];
        votes[i - from] = own_vote(shape, t, votes[i - from]);
        for (int place = 0; place < t->arity; place++) {
            int vote =
                passes_view((enum op)t->op, place) ? votes[i - from] : reads((enum op)t->op, place);
            if (t->arg[place] >= from)
                votes[t->arg[place] - from] += vote > 0 ? 1 : vote < 0 ? -1 : 0;
        }
    }
}

static uint8_t view_from_args(const struct shape *shape, const struct term *t) {
    assert(t->arity <= 3);
    for (int place = 0; place < t->arity; place++) {
        const struct term *a = term_get(shape->ts, t->arg[place]);
        if (passes_view((enum op)t->op, place) && sort_is_int(a->sort) && a->op != OP_CONST)
            return shape->view.data[t->arg[place]];
    }
    return VIEW_SIGNED;
}

static void shape_update(struct shape *shape) {
    assert(shape->view.len < shape->ts->nodes.len);
    const struct terms *ts = shape->ts;
    size_t from = shape->view.len, n = ts->nodes.len - from;
    int *votes = mem_zalloc(n, sizeof *votes);
    votes_down(shape, from, votes);
    for (size_t i = from; i < ts->nodes.len; i++) {
        int vote = votes[i - from];
        vec_push(&shape->view, vote > 0   ? VIEW_SIGNED
                               : vote < 0 ? VIEW_UNSIGNED
                                          : view_from_args(shape, &ts->nodes.data[i]));
    }
    mem_free(votes);
}

bool shape_is_signed(struct shape *shape, term_t t) {
    if (!sort_is_int(term_sort(shape->ts, t)))
        return false;
    if (t >= shape->view.len)
        shape_update(shape);
    return shape->view.data[t] == VIEW_SIGNED;
}

bool solver_orders_signed(struct solver *s, const struct terms *ts, term_t t) {
    return shape_is_signed(shape_of(s, ts), t);
}
