/* machine: a system executed step by step on concrete values; the reference for everything else. */
#ifndef MODEL_SYSTEM_MACHINE_H
#define MODEL_SYSTEM_MACHINE_H

#include "model/system/trace.h"

struct machine_code; /* a term to evaluate, decoded once: model/term/machine_code.h */

struct machine {
    const struct system *sys;
    VEC(uint64_t) cells;      /* current state, one per cell */
    VEC(uint64_t) var_values; /* one per variable */
    VEC(uint64_t) values;     /* one per term: after machine_step, of the step just taken */
    struct machine_code *step_code, *init_code;
    bool unspecified; /* an unspecified value was used so far */
    bool ended;       /* step_ok or init_ok was false: the run is over */
    bool initial;     /* no step was taken since machine_reset */
};
/* The system must not change while the machine lives (new terms do no harm). Steps are taken only
 * while the run has not ended. `inputs` has the bits of every system input; machine_reset reads
 * those that are at_init, machine_step the others. */
void machine_init(struct machine *m, const struct system *sys);
void machine_free(struct machine *m);
void machine_reset(struct machine *m, const uint64_t *init_inputs); /* bits a system input */
void machine_step(struct machine *m, const uint64_t *inputs);
bool machine_hit(const struct machine *m, uint32_t target); /* in the last step (or reset) */
/* the events that the last step (or reset) consumed, in order, appended with this step number */
void machine_events(const struct machine *m, uint32_t step, struct input_events *events);

/* Runs a trace; true iff `target` is hit in its last step without unspecified values. */
bool trace_hits(const struct system *sys, const struct trace *trace, uint32_t target);
void trace_events(const struct system *sys, const struct trace *trace, struct input_events *events);
/* The same where several steps of the system are one of the program: one begins whenever the cell
 * has this value (NONE: always). What comes before the first is the initialisation. Returns how
 * many steps of the program there are, the last one maybe not to its end. */
uint32_t trace_program(const struct system *sys, const struct trace *trace, uint32_t cell,
                       uint64_t boundary, struct input_events *events);

#endif
