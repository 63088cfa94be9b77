/* Encoding: terms of a frame to variables, gates and primitive constraints.
 *
 * Children first, by an explicit stack. Boolean terms are literals inside (a NOT costs nothing) and
 * become variables where a variable is asked for. */
#include "engines/solver/gate.h"
#include "engines/solver/cone.h"
#include "engines/solver/decide.h"
#include "engines/solver/prims.h"
#include "engines/solver/shape.h"
#include "engines/solver/vars.h"

struct frame *solver_frame_new(struct solver *s, const struct terms *ts) {
    struct frame *frame = mem_zalloc(1, sizeof *frame);
    frame->solver = s;
    frame->ts = ts;
    frame->shape = shape_of(s, ts);
    vec_push(&s->frames, frame);
    return frame;
}

static blit memo_get(const struct frame *frame, term_t t) {
    return t < frame->memo.len ? frame->memo.data[t] : 0;
}

static void memo_put(struct frame *frame, term_t t, blit b) {
    if (t >= frame->memo.len)
        vec_resize_zero(&frame->memo, frame->ts->nodes.len);
    frame->memo.data[t] = b;
}

void solver_frame_bind(struct solver *s, struct frame *frame, term_t t, svar v) {
    assert(v && v <= s->n_vars && s->sort.data[v] == term_sort(frame->ts, t));
    assert(memo_get(frame, t) == 0);
    memo_put(frame, t, blit_of(v, false));
}

svar solver_encoded(const struct frame *frame, term_t t) {
    blit b = memo_get(frame, t);
    return b & 1 ? frame->solver->negations.data[b / 2] : b / 2;
}

static blit encode_const(struct solver *s, struct frame *frame, term_t t) {
    const struct term *term = term_get(frame->ts, t);
    if (term->sort == SORT_BOOL)
        return gate_constant(s, term->payload);
    bool is_signed = shape_is_signed(frame->shape, t);
    return blit_of(var_constant(s, term->sort, is_signed, term->payload), false);
}

static blit encode_var(struct solver *s, struct frame *frame, term_t t) {
    const struct term *term = term_get(frame->ts, t);
    bool is_signed = frame->ts->vars.data[term->payload].is_signed;
    return blit_of(solver_new_var(s, term->sort, is_signed), false);
}

/* if c then a else b, over numbers */
static blit encode_choice(struct solver *s, struct frame *frame, term_t t, blit c, svar a, svar b) {
    const struct term *term = term_get(frame->ts, t);
    if (c == gate_constant(s, true) || a == b)
        return blit_of(a, false);
    if (c == gate_constant(s, false))
        return blit_of(b, false);
    svar args[3] = {c / 2, c & 1 ? b : a, c & 1 ? a : b};
    struct prim kind =
        prims_kind(s, OP_ITE, term->sort, shape_is_signed(frame->shape, t), NULL, args);
    return blit_of(prims_result(s, &kind, args), false);
}

static blit encode_isnan(const struct solver *s, svar a) {
    svar nan = s->nan.data[a];
    return nan && !var_known(s, lit_le(nan, 0)) ? blit_of(nan, false) : gate_constant(s, false);
}

static const struct term_table *own_table(struct solver *s, const struct term_table *table) {
    for (size_t i = 0; i < s->tables.len; i++)
        if (s->tables.data[i]->values == table->values)
            return s->tables.data[i];
    struct term_table *own = mem_zalloc(1, sizeof *own);
    *own = *table;
    vec_push(&s->tables, own);
    return own;
}

static blit encode_prim(struct solver *s, struct frame *frame, term_t t, const blit *args) {
    const struct term *term = term_get(frame->ts, t);
    const struct term_table *table =
        term->op == OP_TABLE ? own_table(s, &frame->ts->tables.data[term->payload]) : NULL;
    svar vars[3] = {0};
    for (int i = 0; i < term->arity; i++)
        vars[i] = gate_variable(s, args[i]);
    bool is_signed = shape_is_signed(frame->shape, t);
    struct prim kind = prims_kind(s, (enum op)term->op, term->sort, is_signed, table, vars);
    return blit_of(prims_result(s, &kind, vars), false);
}

static blit encode_term(struct solver *s, struct frame *frame, term_t t) {
    const struct term *term = term_get(frame->ts, t);
    blit args[3] = {0};
    for (int i = 0; i < term->arity; i++)
        args[i] = memo_get(frame, term->arg[i]);
    bool boolean = term->arity && term_sort(frame->ts, term->arg[term->arity - 1]) == SORT_BOOL;
    switch (term->op) {
    case OP_CONST:
        return encode_const(s, frame, t);
    case OP_VAR:
        return encode_var(s, frame, t);
    case OP_NOT:
        return blit_not(args[0]);
    case OP_AND:
        return gate_and(s, args[0], args[1]);
    case OP_OR:
        return gate_or(s, args[0], args[1]);
    case OP_XOR:
        return gate_xor(s, args[0], args[1]);
    case OP_FISNAN:
        return encode_isnan(s, args[0] / 2);
    case OP_EQ:
        if (!boolean && args[0] == args[1])
            return gate_constant(s, true);
        return boolean ? blit_not(gate_xor(s, args[0], args[1])) : encode_prim(s, frame, t, args);
    case OP_ITE:
        return boolean ? gate_ite(s, args[0], args[1], args[2])
                       : encode_choice(s, frame, t, args[0], args[1] / 2, args[2] / 2);
    case OP_FCOPYSIGN:
        return args[0] == args[1] ? args[0] : encode_prim(s, frame, t, args);
    default:
        return encode_prim(s, frame, t, args);
    }
}

/* Pushes the arguments that have no variable yet; false when there are none. */
static bool push_missing(const struct frame *frame, term_t t, struct ids *stack) {
    const struct term *term = term_get(frame->ts, t);
    size_t before = stack->len;
    for (int i = 0; i < term->arity; i++)
        if (!memo_get(frame, term->arg[i]))
            vec_push(stack, term->arg[i]);
    return stack->len > before;
}

svar solver_encode(struct solver *s, struct frame *frame, term_t t) {
    struct ids stack = {0};
    assert(t && s->level_start.len == 0);
    vec_push(&stack, t);
    while (stack.len) {
        term_t top = vec_last(&stack);
        if (memo_get(frame, top)) {
            vec_truncate(&stack, stack.len - 1);
        } else if (!push_missing(frame, top, &stack)) {
            memo_put(frame, top, encode_term(s, frame, top));
            s->stats.ticks++;
            vec_truncate(&stack, stack.len - 1);
        }
    }
    vec_free(&stack);
    svar v = gate_variable(s, memo_get(frame, t));
    solver_settle(s);
    return v;
}

svar solver_encode_as(struct solver *s, struct frame *frame, term_t t, bool is_signed) {
    svar v = solver_encode(s, frame, t);
    if (!sort_is_int(solver_sort(s, v)) || solver_is_signed(s, v) == is_signed)
        return v;
    /* The same bits in the other order: an extension by nothing. */
    svar args[3] = {v, 0, 0};
    struct prim kind = prims_kind(s, OP_ZEXT, solver_sort(s, v), is_signed, NULL, args);
    v = prims_result(s, &kind, args);
    solver_settle(s);
    return v;
}

void solver_add_choice(struct solver *s, svar z, svar c, svar a, svar b) {
    sort_t sort = solver_sort(s, z);
    svar constrained[4] = {z, c, a, b};
    for (int i = 0; i < 4; i++)
        cone_keep(s, constrained[i]);
    assert(solver_sort(s, c) == SORT_BOOL && solver_sort(s, a) == sort &&
           solver_sort(s, b) == sort);
    if (sort == SORT_BOOL) {
        gate_assert_ite(s, blit_of(z, false), blit_of(c, false), blit_of(a, false),
                        blit_of(b, false));
    } else {
        svar args[3] = {c, a, b};
        struct prim kind = prims_kind(s, OP_ITE, sort, solver_is_signed(s, z), NULL, args);
        prims_assert(s, &kind, z, args);
    }
    solver_settle(s);
}
