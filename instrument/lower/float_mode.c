/* Functions that change how floats are computed. The model rounds to nearest even, so a run is
 * followed only as long as it stays with that: behind a call that may leave it, nothing is known.
 */
#include "instrument/lower/execute.h"

#include "instrument/lower/lowering.h"
#include "instrument/syntax/float_modes.h"

static const char changes[] = "the rounding mode changes here, and only rounding to nearest even "
                              "is analysed";

enum { TO_NEAREST = 0 }; /* FE_TONEAREST of every target that has it */

static value_t int_result(struct lowering *lw, const struct call *call, int64_t value) {
    sort_t sort = lower_sort(call->type);
    return sort_is_int(sort) ? term_int(lw->ts, sort, value) : VALUE_UNDEF;
}

/* A stub stands for the function that the sources call (weave/stubs.c): the place is theirs. */
static void give_up_at_call(struct lowering *lw, term_t cond) {
    LLVMValueRef here = lw->at;
    size_t depth = lw->frames.len;
    if (depth > 1 && float_mode_elsewhere(lower_function_name(lw)))
        lw->at = lw->frames.data[depth - 2]->call;
    lower_give_up_where(lw, cond, "%s", changes);
    lw->at = here;
}

static value_t set_round(struct lowering *lw, const struct call *call) {
    struct scalar mode = lower_argument(lw, call, 0);
    sort_t sort = term_sort(lw->ts, mode.term);
    assert(sort_is_int(sort));
    term_t same = term_eq(lw->ts, mode.term, term_int(lw->ts, sort, TO_NEAREST));
    lower_use(lw, mode.taint);
    give_up_at_call(lw, term_not(lw->ts, same));
    return int_result(lw, call, 0);
}

/* FE_DFL_ENV is an address that no object has. */
static bool is_default_environment(LLVMValueRef argument) {
    LLVMValueRef address = LLVMIsAConstantExpr(argument) ? LLVMGetOperand(argument, 0) : NULL;
    return address && LLVMGetConstOpcode(argument) == LLVMIntToPtr && LLVMIsAConstantInt(address) &&
           LLVMConstIntGetSExtValue(address) == -1;
}

static value_t set_environment(struct lowering *lw, const struct call *call) {
    if (is_default_environment(LLVMGetOperand(call->instruction, 0)))
        return int_result(lw, call, 0);
    lower_give_up(lw, "%s", changes);
    return VALUE_UNDEF;
}

value_t lower_float_mode_intrinsic(struct lowering *lw, const char *name) {
    if (!str_same(name, "x86.sse.ldmxcsr") && !str_same(name, "set.rounding"))
        return VALUE_NONE;
    lower_give_up(lw, "%s", changes);
    return VALUE_UNDEF;
}

/* The rest saves the environment and is a function without a body. */
value_t lower_float_mode(struct lowering *lw, const struct call *call) {
    const char *name = call->name;
    if (float_mode_elsewhere(name)) {
        lower_give_up(lw, "%s", changes);
        return VALUE_UNDEF;
    }
    if (str_same(name, "fegetround") && call->n_args == 0)
        return int_result(lw, call, TO_NEAREST);
    if (call->n_args != 1)
        return VALUE_NONE;
    if (str_same(name, "fesetround"))
        return set_round(lw, call);
    if (str_same(name, "fesetenv") || str_same(name, "feupdateenv") || str_same(name, "fesetmode"))
        return set_environment(lw, call);
    return VALUE_NONE;
}
