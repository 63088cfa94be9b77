/* native: the woven program as machine code in a process of its own.
 *
 * A build compiles the woven text together with instrument/native/runtime/ (embedded in this
 * program) by clang for the module's data model. The process survives whatever the program under
 * test does (division by zero, wild pointers, endless loops, stack overflow, abort) and reports it
 * with the step in which it happened; should it die all the same, the next call starts a new one.
 *
 * Seven builds of one program, because C leaves values open, and more than values:
 *   NATIVE_PLAIN    locals start at 0; nothing is checked
 *   NATIVE_ZERO     locals start at 0; uses of unspecified values are recorded, null pointers,
 *                   indices out of bounds and divisions by zero end the run
 *   NATIVE_PATTERN  the same, locals start with a pattern, and an access behind the end of a global
 *                   object ends the run too (a pointer that walked out of its table)
 *   NATIVE_POSITIVE NATIVE_ZERO, but locals start as large positive numbers
 *   NATIVE_FAST     NATIVE_ZERO optimised for speed: for simulation. Its runs report no hits
 *   NATIVE_TRACED   the same, and comparisons are watched
 *   NATIVE_GCC      by gcc instead of clang, where there is one; locals start with a pattern,
 *                   nothing is checked
 * A hit that comes in NATIVE_ZERO, NATIVE_PATTERN and NATIVE_POSITIVE in the same step, untainted
 * in all, depends on no unspecified value: locals have been zero, negative (or no numbers), and
 * positive. When it comes in NATIVE_GCC, too, it depends on no choice in which the two compilers
 * differ, and on no error that only one of them has. scenario_confirm() asks exactly that.
 * A verification task (module->task) has NATIVE_ZERO and NATIVE_PATTERN only (task.h).
 *
 *     struct native *native = native_open(&program, NATIVE_ZERO, err);
 *     struct native_run run = {.events = &events, .n_steps = 100};
 *     struct native_result result;
 *     if (native && native_replay(native, &run, &result, err))
 *         use(result.first_hit.data[probe].step);
 *     native_result_free(&result);
 *     native_close(native);
 */
#ifndef INSTRUMENT_NATIVE_NATIVE_H
#define INSTRUMENT_NATIVE_NATIVE_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "instrument/native/program.h"
#include "model/system/trace.h"

#define NATIVE_INIT UINT32_MAX        /* "step" of what happens during initialisation */
#define NATIVE_NEVER (UINT32_MAX - 1) /* not hit */
#define NATIVE_NONE UINT32_MAX

enum native_kind {
    NATIVE_PLAIN,
    NATIVE_ZERO,
    NATIVE_PATTERN,
    NATIVE_POSITIVE,
    NATIVE_FAST,
    NATIVE_TRACED,
    NATIVE_GCC
};

enum native_end {
    NATIVE_RAN,
    NATIVE_ASSUMPTION, /* an input out of range, or a constraint of the project not met */
    NATIVE_DIVISION,
    NATIVE_NULL,
    NATIVE_BOUNDS,
    NATIVE_MEMORY,
    NATIVE_STACK,
    NATIVE_ABORT,
    NATIVE_ILLEGAL,
    NATIVE_ENDLESS,
    NATIVE_FORBIDDEN,
    NATIVE_EXIT, /* the process is gone: exit(), or memory damaged beyond recovery */
    NATIVE_ENDS
};
const char *native_end_text(enum native_end end); /* "division by zero" */

enum native_unspecified { NATIVE_DEFINED, NATIVE_CAST, NATIVE_SHIFT, NATIVE_UNSPECIFIED_KINDS };

struct native;
struct native *native_open(const struct native_program *program, enum native_kind kind,
                           struct err *err); /* NULL on failure */
void native_close(struct native *native);    /* NULL is allowed */
/* Another process of the same build, which must be there as long as this one is. `step_ms`: as in
 * the program. It has no further builds. */
struct native *native_again(const struct native *native, uint32_t step_ms);

/* The build NATIVE_POSITIVE of the same program: made when it is asked for first, closed with
 * `native`. NULL on failure. */
struct native *native_positive(struct native *native, struct err *err);
bool native_has_positive(const struct native *native); /* it has been made */
/* The same for NATIVE_GCC. It is tried once: NULL with an error the first time, without one later.
 */
struct native *native_gcc(struct native *native, struct err *err);

/* A cell of module.state that is given this value between initialisation and the first step. */
struct native_cell {
    uint32_t cell;
    uint64_t bits;
};
VEC_STRUCT(native_cells, struct native_cell);

struct native_run {
    const struct input_events *events; /* ordered by step, initialisation first */
    const struct native_cells *set;    /* NULL: none */
    uint32_t n_steps;
    bool fresh; /* in a process that has run nothing before */
    /* end after the step in which `stop_probe` has been hit (if stop_at_hit) */
    bool stop_at_hit;
    uint32_t stop_probe;
    /* keep cells and hits of trace_steps steps from trace_from on */
    uint32_t trace_from, trace_steps;
};

/* A probe that NATIVE_GCC has hit in a run in which no build of clang did, before anything that is
 * unspecified or ends a run: it depends on a choice that compilers have, or one of them is wrong.
 * No such goal is dead. Kept for the first run that showed it, beside the build. */
struct native_odd {
    uint32_t probe, step; /* NATIVE_INIT or the step */
    struct input_events events;
    uint32_t n_steps;
};
VEC_STRUCT(native_odds, struct native_odd);
const struct native_odds *native_odds(const struct native *native);
void native_note_odd(struct native *native, uint32_t probe, uint32_t step,
                     const struct native_run *run);

struct native_hit {
    uint32_t step; /* NATIVE_NEVER, NATIVE_INIT, or the step of the first hit */
    bool tainted;  /* an unspecified value had been used before: worth nothing */
};

struct native_result {
    enum native_end end;
    uint32_t end_step;   /* in which the run was left; NATIVE_NONE when it RAN */
    uint32_t steps_done; /* complete ones */
    uint64_t address;    /* of a bad access */
    enum native_unspecified unspecified;
    uint32_t unspecified_step;
    VEC(struct native_hit) first_hit; /* by probe */
    uint32_t n_cells, traced;         /* traced: steps kept from trace_from on */
    VEC(uint64_t) init_cells;         /* bits by module.state, when tracing */
    VEC(uint64_t) cells;              /* [traced][n_cells], after the step */
    VEC(uint8_t) hits;                /* [traced][n_probes] */
};

/* Is there room for all that is to be kept of it? */
bool native_can_record(const struct native *native, const struct native_run *run);
/* False only when the run could not be carried out at all. A run that crashes is a result. */
bool native_replay(struct native *native, const struct native_run *run,
                   struct native_result *result, struct err *err);
void native_result_free(struct native_result *result);

/* "division by zero in step 17 (inputs: Sa1_Torque = 0, …)": for messages; the first step is 1. */
void native_end_describe(const struct native_result *result, const struct module *module,
                         const struct input_events *events, struct str *out);

void native_step_describe(uint32_t step, const struct module *module,
                          const struct input_events *events, struct str *out); /* "in step 17 (…" */

/* CPU time that the present process has used; 0 when there is none. */
double native_cpu_seconds(const struct native *native);

const struct module *native_module(const struct native *native);

#endif
