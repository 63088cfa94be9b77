/* The direction in which floats are rounded, and the functions that change it.
 *
 * Where a program may change it and asks for that to be followed (-frounding-math, or a
 * verification task), the mode is a variable with the number that x86 gives it, and what rounds is
 * a choice by it. Elsewhere all is rounded to nearest even, and a run is followed only as long as
 * it stays with that: behind a call that may leave it, nothing is known. */
#include "instrument/lower/execute.h"

#include "instrument/lower/access.h"
#include "instrument/lower/constrained.h"
#include "instrument/lower/lowering.h"
#include "instrument/syntax/float_modes.h"
#include "model/term/mode.h"

static const char changes[] = "the rounding mode changes here, and only rounding to nearest even "
                              "is analysed";
static const char other[] = "how floats are computed changes here in a way that is not analysed";

/* FE_TONEAREST is 0 on every target that has it; the others are those of x86. */
static const struct {
    int32_t number;
    enum rounding_mode mode;
} modes[] = {{0, RM_RNE}, {0x400, RM_RTN}, {0x800, RM_RTP}, {0xc00, RM_RTZ}};
enum { MODES = sizeof modes / sizeof *modes };

/* ---- the variable ---- */

static bool find_variable(const struct lowering *lw, uint32_t *object) {
    LLVMValueRef mode = LLVMGetNamedGlobal(lw->bc->module, ROUNDING_VARIABLE);
    uint32_t *known = mode ? map_get(&lw->objects.of_global, (uint64_t)(uintptr_t)mode) : NULL;
    if (known)
        *object = *known;
    return known != NULL;
}

static struct scalar mode_now(struct lowering *lw) {
    uint32_t object;
    if (!find_variable(lw, &object))
        return (struct scalar){term_int(lw->ts, 32, 0), 0};
    return value_as(lw, lower_read(lw, object, 0, 4), 32);
}

static void set_mode(struct lowering *lw, struct scalar mode) {
    uint32_t object;
    if (find_variable(lw, &object))
        lower_write(lw, object, 0, 4, value_scalar(lw, mode));
}

/* ---- what rounds ---- */

static term_t in_mode(struct terms *ts, enum rounding_mode rm, struct rounding_task task) {
    assert(task.n >= 1 && task.n <= 3);
    switch (task.op) {
    case OP_F2F:
        return mode_float(ts, rm, task.sort, task.args[0].term);
    case OP_S2F:
    case OP_U2F:
        return mode_int(ts, rm, task.op, task.sort, task.args[0].term);
    case OP_FRINT:
        return mode_integral(ts, rm, task.args[0].term);
    default: {
        term_t args[3] = {task.args[0].term, task.args[1].term, task.args[2].term};
        return mode_arithmetic(ts, rm, task.op, args);
    }
    }
}

struct scalar lower_round(struct lowering *lw, struct rounding_task task) {
    struct terms *ts = lw->ts;
    struct scalar mode = mode_now(lw), s = {in_mode(ts, RM_RNE, task), 0};
    for (uint32_t i = 0; i < task.n; i++)
        s.taint = taint_or(lw, s.taint, task.args[i].taint);
    if (term_is_const(ts, s.term) && term_is_const(ts, mode.term) &&
        term_get(ts, mode.term)->payload == 0)
        return s;
    for (size_t i = 1; i < MODES; i++) {
        term_t here = lower_decide(lw, term_eq(ts, mode.term, term_int(ts, 32, modes[i].number)));
        if (!term_is_false(ts, here))
            s.term = term_ite(ts, here, in_mode(ts, modes[i].mode, task), s.term);
    }
    s.taint = taint_or(lw, s.taint, mode.taint);
    return s;
}

term_t lower_rounds_to_nearest(struct lowering *lw) {
    struct scalar mode = mode_now(lw);
    lower_use(lw, mode.taint);
    return lower_decide(lw, term_eq(lw->ts, mode.term, term_int(lw->ts, 32, 0)));
}

/* ---- what changes it ---- */

static value_t int_result(struct lowering *lw, const struct call *call, struct scalar s) {
    sort_t sort = lower_sort(call->type);
    return sort_is_int(sort) ? value_scalar(lw, value_as(lw, value_scalar(lw, s), sort))
                             : VALUE_UNDEF;
}

static value_t zero_result(struct lowering *lw, const struct call *call) {
    return int_result(lw, call, scalar_plain(term_int(lw->ts, 32, 0)));
}

/* A stub stands for the function that the sources call (weave/stubs.c): the place is theirs. */
static void give_up_at_call(struct lowering *lw, term_t cond, const char *why) {
    LLVMValueRef here = lw->at;
    size_t depth = lw->frames.len;
    if (depth > 1 && float_mode_elsewhere(lower_function_name(lw)))
        lw->at = lw->frames.data[depth - 2]->call;
    lower_give_up_where(lw, cond, "%s", why);
    lw->at = here;
}

/* A number that is no mode changes nothing and is told to the caller, on x86. A module may be for
 * another target, where it is one. */
static value_t set_round(struct lowering *lw, const struct call *call) {
    struct scalar wanted = value_as(lw, value_scalar(lw, lower_argument(lw, call, 0)), 32);
    struct scalar old = mode_now(lw);
    uint32_t object;
    bool followed = find_variable(lw, &object);
    term_t known = term_bool(lw->ts, false);
    for (size_t i = 0; i < (followed ? MODES : 1); i++) {
        term_t number = term_int(lw->ts, 32, modes[i].number);
        known = term_or(lw->ts, known, term_eq(lw->ts, wanted.term, number));
    }
    if (!followed || !lw->options->task) {
        lower_use(lw, wanted.taint);
        give_up_at_call(lw, term_not(lw->ts, known), changes);
        set_mode(lw, wanted);
        return zero_result(lw, call);
    }
    term_t taint = taint_or(lw, wanted.taint, old.taint);
    set_mode(lw, (struct scalar){term_ite(lw->ts, known, wanted.term, old.term), taint});
    term_t zero = term_int(lw->ts, 32, 0), one = term_int(lw->ts, 32, 1);
    return int_result(lw, call, (struct scalar){term_ite(lw->ts, known, zero, one), wanted.taint});
}

/* FE_DFL_ENV is an address that no object has. */
static bool is_default_environment(LLVMValueRef argument) {
    LLVMValueRef address = LLVMIsAConstantExpr(argument) ? LLVMGetOperand(argument, 0) : NULL;
    return address && LLVMGetConstOpcode(argument) == LLVMIntToPtr && LLVMIsAConstantInt(address) &&
           LLVMConstIntGetSExtValue(address) == -1;
}

static value_t set_environment(struct lowering *lw, const struct call *call) {
    if (!is_default_environment(LLVMGetOperand(call->instruction, 0))) {
        lower_give_up(lw, "%s", other);
        return VALUE_UNDEF;
    }
    set_mode(lw, scalar_plain(term_int(lw->ts, 32, 0)));
    return zero_result(lw, call);
}

value_t lower_float_mode_intrinsic(struct lowering *lw, const char *name) {
    if (!str_same(name, "x86.sse.ldmxcsr") && !str_same(name, "set.rounding"))
        return VALUE_NONE;
    lower_give_up(lw, "%s", other);
    return VALUE_UNDEF;
}

/* The rest saves the environment and is a function without a body. */
value_t lower_float_mode(struct lowering *lw, const struct call *call) {
    const char *name = call->name;
    if (float_mode_elsewhere(name)) {
        lower_give_up(lw, "%s", other);
        return VALUE_UNDEF;
    }
    if (str_same(name, "fegetround") && call->n_args == 0)
        return int_result(lw, call, mode_now(lw));
    if (call->n_args != 1)
        return VALUE_NONE;
    if (str_same(name, "fesetround"))
        return set_round(lw, call);
    if (str_same(name, "fesetenv") || str_same(name, "feupdateenv") || str_same(name, "fesetmode"))
        return set_environment(lw, call);
    return VALUE_NONE;
}
