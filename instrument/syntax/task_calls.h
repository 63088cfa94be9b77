/* task_calls: what a verification task asks of its environment, by name and place in the text.
 *
 * Benchmarks agree on a few functions: the error to be reached, assertions, assumptions, and values
 * that may be anything. One that the task defines itself is an ordinary function, except the error:
 * who calls it has reached it, whatever its body does.
 *
 *     struct task_calls calls = {0};
 *     task_calls_find(&calls, text);
 *     if (task_calls_first_error(&calls)) …
 *     vec_free(&calls);
 */
#ifndef INSTRUMENT_SYNTAX_TASK_CALLS_H
#define INSTRUMENT_SYNTAX_TASK_CALLS_H

#include "base/str.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>

enum task_call_kind {
    TASK_NO_CALL,     /* any other function */
    TASK_ERROR,       /* reach_error(), __VERIFIER_error() */
    TASK_ASSERT_FAIL, /* what the macro assert() of the C library calls: an error, too */
    TASK_ASSERT,      /* assert(condition), __ESBMC_assert(condition, text) … */
    TASK_ASSUME,      /* __VERIFIER_assume(condition) … */
    TASK_INPUT,       /* __VERIFIER_nondet_<type>(), nondet_<type>() */
    TASK_FOREIGN,     /* __ESBMC_r_ok() …: it means something to another verifier only */
};
enum task_call_kind task_call_kind(const char *name);
/* "int" of "__VERIFIER_nondet_int" and of "nondet_int"; NULL for other names. */
const char *task_input_type(const char *name);

/* A call inside a function's body: the name lies at text[begin … end). */
struct task_call {
    enum task_call_kind kind;
    size_t begin, end;
};
VEC_STRUCT(task_calls, struct task_call);

/* All calls of the environment in preprocessed C, in the order of the text. */
void task_calls_find(struct task_calls *calls, const char *text);
/* The first call that can be the error; NULL: the task has none. */
const struct task_call *task_calls_first_error(const struct task_calls *calls);
const struct task_call *task_calls_first_foreign(const struct task_calls *calls);

/* Declarations of inputs that the text calls without one, on one line: without them C takes them to
 * return int, whatever their name says. */
void task_calls_declare(const char *text, struct str *out);

#endif
