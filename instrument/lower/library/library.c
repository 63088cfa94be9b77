/* The C library: functions that are one operator (lower/library/library.def), and a few more. */
#include "instrument/lower/execute.h"

#include "instrument/lower/access.h"
#include "instrument/lower/lowering.h"

struct library_row {
    const char *name;
    enum op op;
};

static const struct library_row rows[] = {
#define LIBRARY(name, op) {#name, OP_##op},
#include "instrument/lower/library/library.def"
#undef LIBRARY
};

static int op_arity(enum op op) {
    switch (op) {
    case OP_FMA:
        return 3;
    case OP_FMOD:
    case OP_FREM:
    case OP_FMIN:
    case OP_FMAX:
    case OP_FCOPYSIGN:
    case OP_ATAN2:
    case OP_POW:
    case OP_HYPOT:
        return 2;
    default:
        return 1;
    }
}

/* The sign of a NaN is not determined. */
static struct scalar copy_sign(struct lowering *lw, struct scalar a, struct scalar b) {
    term_t result = term_op2(lw->ts, OP_FCOPYSIGN, a.term, b.term);
    assert(term_sort(lw->ts, a.term) == term_sort(lw->ts, b.term));
    term_t nan = lower_decide(lw, term_op1(lw->ts, OP_FISNAN, b.term));
    struct scalar s = {result, taint_or(lw, a.taint, b.taint)};
    if (term_is_false(lw->ts, nan))
        return s;
    struct scalar sign = {lower_fresh(lw, SORT_BOOL, nan, "sign_of_nan"), nan};
    term_t positive = term_op1(lw->ts, OP_FABS, a.term);
    term_t negative = term_op1(lw->ts, OP_FNEG, positive);
    term_t any = term_ite(lw->ts, sign.term, negative, positive);
    return (struct scalar){term_ite(lw->ts, nan, any, result), taint_or(lw, s.taint, nan)};
}

/* C does not say which of two zeros is the smaller one. */
static struct scalar least_or_most(struct lowering *lw, enum op op, struct scalar a,
                                   struct scalar b) {
    struct terms *ts = lw->ts;
    struct scalar s = {term_op2(ts, op, a.term, b.term), taint_or(lw, a.taint, b.taint)};
    assert(term_sort(ts, a.term) == term_sort(ts, b.term) && (op == OP_FMIN || op == OP_FMAX));
    term_t zero = term_const(ts, term_sort(ts, a.term), 0);
    term_t zeros =
        term_and(ts, term_op2(ts, OP_FEQ, a.term, zero), term_op2(ts, OP_FEQ, b.term, zero));
    term_t same = term_eq(ts, term_op1(ts, OP_FSIGN, a.term), term_op1(ts, OP_FSIGN, b.term));
    term_t unclear = lower_decide(lw, term_and(ts, zeros, term_not(ts, same)));
    if (term_is_false(ts, unclear))
        return s;
    term_t first = lower_fresh(lw, SORT_BOOL, unclear, "zero");
    term_t any = term_ite(ts, first, a.term, b.term);
    return (struct scalar){term_ite(ts, unclear, any, s.term), taint_or(lw, s.taint, unclear)};
}

/* In the mode of the moment; roundeven() knows its own. */
static bool rounds(enum op op, const char *name) {
    return op == OP_FMA || op == OP_FSQRT || (op == OP_FRINT && !strstr(name, "roundeven"));
}

static bool op_is_enclosed(enum op op) {
    return op >= OP_SIN;
}

static value_t float_function(struct lowering *lw, const struct call *call, enum op op) {
    struct scalar a[3] = {{0}};
    int arity = op_arity(op);
    assert(arity == op_table[op].arity);
    sort_t sort = lower_sort(call->type);
    if ((int)call->n_args != arity || !sort_is_float(sort))
        return VALUE_NONE;
    for (int i = 0; i < arity; i++) {
        if (lower_sort(LLVMTypeOf(LLVMGetOperand(call->instruction, (unsigned)i))) != sort)
            return VALUE_NONE;
        a[i] = lower_argument(lw, call, (uint32_t)i);
    }
    if (op == OP_FCOPYSIGN)
        return value_scalar(lw, copy_sign(lw, a[0], a[1]));
    if (op == OP_FMIN || op == OP_FMAX)
        return value_scalar(lw, least_or_most(lw, op, a[0], a[1]));
    if (rounds(op, call->name))
        return value_scalar(
            lw,
            lower_round(lw, (struct rounding_task){op, sort, (uint32_t)arity, {a[0], a[1], a[2]}}));
    if (op_is_enclosed(op))
        lower_give_up_where(lw, term_not(lw->ts, lower_rounds_to_nearest(lw)),
                            "'%s' is analysed where numbers are rounded to nearest even only",
                            call->name);
    term_t taint = taint_or(lw, taint_or(lw, a[0].taint, a[1].taint), a[2].taint);
    term_t t = arity == 1   ? term_op1(lw->ts, op, a[0].term)
               : arity == 2 ? term_op2(lw->ts, op, a[0].term, a[1].term)
                            : term_op3(lw->ts, op, a[0].term, a[1].term, a[2].term);
    return value_scalar(lw, (struct scalar){t, taint});
}

/* `name` as in the table, with an optional suffix. */
static value_t by_table(struct lowering *lw, const struct call *call, const char *name,
                        const char *suffix) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t len = strlen(rows[i].name);
        if (strncmp(rows[i].name, name, len) == 0 && str_same(name + len, suffix))
            return float_function(lw, call, rows[i].op);
    }
    return VALUE_NONE;
}

/* ---- the rest ---- */

static value_t absolute_value(struct lowering *lw, const struct call *call) {
    struct scalar a = lower_argument(lw, call, 0);
    sort_t sort = term_sort(lw->ts, a.term);
    if (!sort_is_int(sort))
        return VALUE_NONE;
    term_t zero = term_int(lw->ts, sort, 0);
    term_t negative = term_op2(lw->ts, OP_SLT, a.term, zero);
    a.term = term_ite(lw->ts, negative, term_op2(lw->ts, OP_SUB, zero, a.term), a.term);
    return value_scalar(lw, a);
}

static value_t positive_difference(struct lowering *lw, const struct call *call) {
    struct scalar a = lower_argument(lw, call, 0), b = lower_argument(lw, call, 1);
    sort_t sort = term_sort(lw->ts, a.term);
    if (!sort_is_float(sort))
        return VALUE_NONE;
    term_t below = term_op2(lw->ts, OP_FLE, a.term, b.term);
    struct scalar s = lower_round(lw, (struct rounding_task){OP_FSUB, sort, 2, {a, b}});
    s.term = term_ite(lw->ts, below, term_const(lw->ts, sort, 0), s.term);
    return value_scalar(lw, s);
}

static value_t block_function(struct lowering *lw, const struct call *call) {
    struct scalar size = lower_argument(lw, call, 2);
    if (!term_is_const(lw->ts, size.term)) {
        lower_give_up(lw, "'%s' with a size that is not constant is not supported", call->name);
        return VALUE_UNDEF;
    }
    assert(call->n_args == 3);
    uint64_t n = term_get(lw->ts, size.term)->payload;
    if (str_same(call->name, "memset"))
        lower_fill(lw, call->args[0], value_scalar(lw, value_as(lw, call->args[1], 8)), n);
    else
        lower_copy(lw, call->args[0], call->args[1], n);
    return call->args[0];
}

bool lower_ends_run(const char *name) {
    static const char *const names[] = {"abort",         "exit",         "_exit",      "_Exit",
                                        "__assert_fail", "__assert_rtn", "quick_exit", "__assert"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_same(name, names[i]))
            return true;
    return false;
}

/* Output, and giving back memory, changes nothing that the program can see but the result. */
static bool only_prints(const char *name) {
    static const char *const names[] = {"printf", "puts",   "putchar", "fprintf",
                                        "fputs",  "fflush", "perror",  "free"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_same(name, names[i]))
            return true;
    return false;
}

static bool one_of(const char *name, const char *a, const char *b, const char *c) {
    return str_same(name, a) || str_same(name, b) || str_same(name, c);
}

value_t lower_library_call(struct lowering *lw, const struct call *call) {
    sort_t sort = lower_sort(call->type);
    value_t asked = lw->options->task ? lower_heap_call(lw, call) : VALUE_NONE;
    if (asked)
        return asked;
    if (lower_ends_run(call->name)) {
        struct scalar never = scalar_plain(term_bool(lw->ts, false));
        (void)lower_end_unless(lw, never, call->name, true);
        return VALUE_UNDEF;
    }
    if (one_of(call->name, "abs", "labs", "llabs") && call->n_args == 1)
        return absolute_value(lw, call);
    if (one_of(call->name, "fdim", "fdimf", "fdim") && call->n_args == 2)
        return positive_difference(lw, call);
    if (one_of(call->name, "memcpy", "memmove", "memset") && call->n_args == 3)
        return block_function(lw, call);
    value_t parts = lower_float_parts(lw, call);
    if (parts)
        return parts;
    value_t mode = lower_float_mode(lw, call);
    if (mode)
        return mode;
    if (only_prints(call->name))
        return sort == SORT_NONE ? VALUE_UNDEF : lower_any(lw, call->type, call->name);
    if (!sort_is_float(sort))
        return lower_classify(lw, call);
    return by_table(lw, call, call->name, sort == SORT_F32 ? "f" : "");
}

value_t lower_float_intrinsic(struct lowering *lw, const struct call *call, const char *name) {
    sort_t sort = lower_sort(call->type);
    if (!sort_is_float(sort))
        return VALUE_NONE;
    return by_table(lw, call, name, sort == SORT_F32 ? ".f32" : ".f64");
}
