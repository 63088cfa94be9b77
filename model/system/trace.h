/* trace: the inputs of one run, and what they lead to.
 *
 * values[j * n_inputs + i] are the bits of system input i in step j; init inputs are in `init`.
 * A trace of k steps hits its target in step k-1 (k = 0: during initialisation).
 */
#ifndef MODEL_SYSTEM_TRACE_H
#define MODEL_SYSTEM_TRACE_H

#include "model/system/system.h"

struct trace {
    uint32_t n_inputs; /* = sys->inputs.len */
    uint32_t n_steps;
    VEC(uint64_t) init;   /* n_inputs values; only at_init ones are read */
    VEC(uint64_t) values; /* n_steps * n_inputs values */
};

void trace_init(struct trace *trace, const struct system *sys, uint32_t n_steps); /* all zero */
void trace_free(struct trace *trace);
void trace_write(const struct trace *trace, const struct system *sys, struct str *out);
bool trace_read(struct trace *trace, const struct system *sys, const char *text, struct err *err);

/* One input event for the native program: the n-th call of gk_input_*(id) in a step gets the n-th
 * event with that id. step is UINT32_MAX during initialisation. */
struct input_event {
    uint32_t step;
    uint32_t input; /* module input id */
    uint64_t bits;
};
VEC_STRUCT(input_events, struct input_event);

#endif
