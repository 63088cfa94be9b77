/* The calls by which a program talks to the analysis: probes, assumptions and inputs of the woven
 * text, and their counterparts in verification tasks. */
#include "instrument/lower/execute.h"

#include "instrument/lower/pointer.h"
#include "instrument/lower/lowering.h"
#include "instrument/syntax/task_calls.h"

static sort_t suffix_sort(const char *suffix, bool *is_signed) {
    *is_signed = suffix[0] != 'u';
    if (str_same(suffix, "b"))
        return SORT_BOOL;
    if (str_same(suffix, "f32"))
        return SORT_F32;
    if (str_same(suffix, "f64"))
        return SORT_F64;
    for (sort_t bits = 8; bits <= 64; bits = (sort_t)(bits * 2)) {
        char text[4] = {(char)(bits < 10 ? '0' + bits : '0' + bits / 10),
                        (char)(bits < 10 ? 0 : '0' + bits % 10)};
        if ((suffix[0] == 'i' || suffix[0] == 'u') && str_same(suffix + 1, text))
            return bits;
    }
    return SORT_NONE;
}

/* The n-th request for an input in one run is a variable of its own. */
static const char *use_name(struct lowering *lw, uint64_t key, const char *name) {
    key = key << 1 | lw->in_init;
    uint32_t *uses = map_get(&lw->input_uses, key);
    uint32_t n = uses ? *uses + 1 : 1;
    map_put(&lw->input_uses, key, n);
    return n == 1 ? name : arena_printf(&lw->arena, "%s#%u", name, n);
}

static const char *input_name(struct lowering *lw, uint32_t id) {
    if (id < lw->module->inputs.len)
        return use_name(lw, id, lw->module->inputs.data[id].path);
    return use_name(lw, id, arena_printf(&lw->arena, "input%u", id));
}

static value_t add_input(struct lowering *lw, uint32_t id, sort_t sort, bool is_signed,
                         const char *name) {
    assert(sort != SORT_NONE && !lw->now.dead);
    struct sys_input in = {.name = name,
                           .var = term_var(lw->ts, name, sort, is_signed),
                           .guard = path_term(lw, &lw->now),
                           .module_input = id,
                           .at_init = lw->in_init};
    vec_push(&lw->inputs, in);
    return in.var;
}

static value_t woven_input(struct lowering *lw, const struct call *call, const char *suffix) {
    bool is_signed;
    sort_t sort = suffix_sort(suffix, &is_signed);
    struct scalar id = call->n_args == 1 ? lower_argument(lw, call, 0) : scalar_plain(0);
    if (sort == SORT_NONE || !id.term || !term_is_const(lw->ts, id.term)) {
        lower_give_up(lw, "'%s' is called with an input number that is not constant", call->name);
        return VALUE_UNDEF;
    }
    uint32_t number = (uint32_t)term_get(lw->ts, id.term)->payload;
    return add_input(lw, number, sort, is_signed, input_name(lw, number));
}

/* Is the argument not zero? Of a function that is not declared it may have any type. */
static bool condition(struct lowering *lw, const struct call *call, struct scalar *cond) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call->instruction, 0));
    assert(call->n_args >= 1);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
        value_t null = pointer_to(lw, OBJECT_NULL, 0);
        *cond = pointer_equal(lw, pointer_of(lw, call->args[0]), null);
        cond->term = term_not(lw->ts, cond->term);
        return true;
    }
    sort_t sort = lower_sort(type);
    if (sort == SORT_NONE) {
        lower_give_up(lw, "'%s' is called with an argument that is not a number", call->name);
        return false;
    }
    *cond = lower_argument(lw, call, 0);
    enum op equal = sort_is_float(sort) ? OP_FEQ : OP_EQ;
    if (sort != SORT_BOOL)
        cond->term =
            term_not(lw->ts, term_op2(lw->ts, equal, cond->term, term_const(lw->ts, sort, 0)));
    return true;
}

/* Holds wherever a run passes this place. */
static void promise(struct lowering *lw, term_t cond) {
    term_t passes = path_term(lw, &lw->now);
    struct lowered_promise p = {.term = term_or(lw->ts, term_not(lw->ts, passes), cond),
                                .at_init = lw->in_init,
                                .end = NONE};
    vec_push(&lw->promises, p);
}

/* The stub of exit() and its like assumes what is false: the place is the call of it. */
static bool end_of_stub(struct lowering *lw, struct scalar cond) {
    LLVMValueRef here = lw->at;
    size_t depth = lw->frames.len;
    const char *name = lower_function_name(lw);
    if (str_starts(name, "own__")) /* weave/hoist.c */
        name += strlen("own__");
    if (depth < 2 || !term_is_false(lw->ts, cond.term) || !lower_ends_run(name))
        return false;
    lw->at = lw->frames.data[depth - 2]->call;
    (void)lower_end_unless(lw, cond, name, true);
    lw->at = here;
    return true;
}

/* Bounds of inputs are used from here on when every run passes this place. */
static value_t assume(struct lowering *lw, const struct call *call) {
    struct scalar cond;
    if (!condition(lw, call, &cond) || end_of_stub(lw, cond))
        return VALUE_UNDEF;
    if (lw->options->promises && !cond.taint) {
        promise(lw, cond.term);
        return VALUE_UNDEF;
    }
    lower_require(lw, cond);
    if (lw->now.guard == 0 && !lw->now.dead && !cond.taint)
        ranges_assume(&lw->ranges, cond.term);
    return VALUE_UNDEF;
}

static value_t woven_hit(struct lowering *lw, const struct call *call) {
    struct scalar id = lower_argument(lw, call, 0);
    if (term_is_const(lw->ts, id.term))
        lower_hit(lw, (uint32_t)term_get(lw->ts, id.term)->payload);
    else
        lower_give_up(lw, "gk_hit is called with a probe that is not constant");
    return VALUE_UNDEF;
}

/* ---- verification tasks ---- */

static bool is_bool_input(const char *type) {
    return str_same(type, "bool") || str_same(type, "_Bool");
}

static value_t task_input(struct lowering *lw, const struct call *call) {
    sort_t sort = lower_sort(call->type);
    const char *type = task_input_type(call->name);
    assert(type);                                           /* TASK_INPUT */
    if (LLVMGetTypeKind(call->type) == LLVMPointerTypeKind) /* native programs get a null pointer */
        return lower_foreign(lw, call->type, call->name);
    if (sort == SORT_NONE) {
        lower_give_up(lw, "'%s' is not supported", call->name);
        return VALUE_UNDEF;
    }
    if (is_bool_input(type))
        sort = SORT_BOOL;
    uint32_t line = LLVMGetDebugLocLine(call->instruction);
    const char *name = use_name(lw, hash_mix(hash_text(type), line),
                                arena_printf(&lw->arena, "%s@%u", type, line));
    bool is_signed = type[0] != 'u' && !str_same(type, "size_t");
    return value_scalar(lw,
                        value_as(lw, add_input(lw, (uint32_t)lw->inputs.len, sort, is_signed, name),
                                 lower_sort(call->type)));
}

static value_t fail(struct lowering *lw) {
    lower_hit(lw, 0);
    lower_stop(lw);
    return VALUE_UNDEF;
}

/* The error where the condition does not hold; the run goes on where it does. */
static value_t task_assert(struct lowering *lw, const struct call *call) {
    struct scalar cond;
    struct path before = lw->now;
    assert(!before.dead);
    if (!condition(lw, call, &cond))
        return VALUE_UNDEF;
    path_assume(lw, &lw->now, lower_decide(lw, term_not(lw->ts, cond.term)));
    if (!lw->now.dead)
        lower_hit(lw, 0);
    lw->now = before;
    lower_require(lw, cond);
    return VALUE_UNDEF;
}

/* Assertions and assumptions may come with a text. */
static value_t task_call(struct lowering *lw, const struct call *call) {
    assert(lw->options->task);
    bool one = call->n_args == 1 || call->n_args == 2;
    switch (task_call_kind(call->name)) {
    case TASK_ERROR:
    case TASK_ASSERT_FAIL:
        return fail(lw);
    case TASK_ASSERT:
        return one ? task_assert(lw, call) : VALUE_NONE;
    case TASK_ASSUME:
        return one ? assume(lw, call) : VALUE_NONE;
    case TASK_INPUT:
        return task_input(lw, call);
    case TASK_FOREIGN:
    case TASK_NO_CALL:
        break;
    }
    return VALUE_NONE;
}

value_t lower_harness_call(struct lowering *lw, const struct call *call) {
    if (lw->options->task)
        return task_call(lw, call);
    if (str_same(call->name, "gk_hit") && call->n_args == 1)
        return woven_hit(lw, call);
    if (str_same(call->name, "gk_assume") && call->n_args == 1)
        return assume(lw, call);
    if (str_starts(call->name, "gk_input_"))
        return woven_input(lw, call, call->name + strlen("gk_input_"));
    return VALUE_NONE;
}
