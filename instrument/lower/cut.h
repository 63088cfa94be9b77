/* cut: loops that are not unrolled. A verification task is cut at their heads.
 *
 * A location is the head of such a loop, reached through certain calls. The program then runs in
 * segments: the first from the start of main to the first location (this is the initialisation of
 * the system), the others from one location to the next (a step). What is live at a location is
 * kept in memory: locals and registers of the functions on the way are static objects, one for each
 * chain of calls, and so become cells; the cell `pc` says at which location the program stands.
 *
 * Every loop around a location (in its function, or around a call that leads to it) is cut, too, or
 * the location would not say in which iteration of it the program is. So locations and the static
 * objects are found out by running, like the rest of the plan.
 */
#ifndef INSTRUMENT_LOWER_CUT_H
#define INSTRUMENT_LOWER_CUT_H

#include "instrument/lower/instruction.h"

/* functions[0] is main; calls[i], in functions[i], calls functions[i + 1]. */
struct location {
    uint64_t key;
    LLVMValueRef *functions, *calls;
    uint32_t depth; /* number of calls */
    uint32_t loop;  /* in functions[depth] */
    const char *name;
};

/* A local or register that outlives segments, found again by its key. */
struct static_local {
    uint64_t key;
    LLVMTypeRef type;
    uint64_t count;
    const char *name;
    bool zeroed; /* it begins as zero, not as something unset */
    uint64_t freed;
    uint32_t heap; /* what was asked for at plan->heaps[heap - 1]; 0: a local or register */
};

/* What the loop has done so far, to see whether it should go on. */
struct loop_progress {
    uint32_t iterations, guard;
    size_t inputs, terms;
};

/* The head of this loop is a location: the segment ends here, at `now`. */
bool cut_is_location(const struct lowering *lw, const struct frame *frame, uint32_t loop);
void cut_arrive(struct lowering *lw, struct frame *frame, uint32_t loop, const struct way *way);

/* True: the loop becomes a location in the next run, and this run need not follow it. */
bool cut_wanted(struct lowering *lw, struct frame *frame, uint32_t loop,
                const struct loop_progress *progress);

/* The static object of a local variable in task mode; UINT32_MAX: not known before the next run. */
uint32_t cut_static_object(struct lowering *lw, uint64_t key, LLVMTypeRef type, uint64_t count,
                           const char *name);
uint32_t cut_static(struct lowering *lw, struct static_local l);

/* Runs all segments that start at locations; `now` is where they arrive, dead if nowhere. */
void cut_run_segments(struct lowering *lw);
/* Joins the arrivals of the segments run so far into `now`. */
void cut_join_arrivals(struct lowering *lw);

#endif
