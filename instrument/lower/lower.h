/* lower: the woven C as a transition system, by symbolic execution of clang's bitcode.
 *
 *     struct terms ts;
 *     struct system sys;
 *     struct lowered lowered;
 *     terms_init(&ts);
 *     system_init(&sys, &ts);
 *     struct lower_options options = {.n_probes = woven.goals.n_probes};
 *     if (!lower(str_text(&woven.text), &woven.module, &options, &sys, &lowered, err))
 *         return false;
 *     … sys.targets: one per probe, then the overruns …
 *     lowered_free(&lowered);
 *
 * Meaning (beyond docs/semantics.md): division of the least number by -1 ends the run like division
 * by zero (x86 traps); an index is compared with the bounds of the whole object; what the analysis
 * cannot follow (a limitation) ends the run there as a target of kind OVERRUN, so that no
 * goal can be proved dead unless that place is proved unreachable, and is listed in `limitations`.
 *
 * Cells are named by the C paths of module.state. Cells that no step changes are constants; cells
 * that nothing reads are left out unless module.state lists them. A pointer that changes at run
 * time becomes a number that says which of the objects it can point to (`name`), and, where it
 * moves inside an object, a second one for the place (`name@offset`).
 */
#ifndef INSTRUMENT_LOWER_LOWER_H
#define INSTRUMENT_LOWER_LOWER_H

#include "base/err.h"
#include "coverage/goal.h"
#include "coverage/module.h"
#include "model/system/cfa.h"

struct lower_options {
    uint32_t unroll;   /* iterations of a loop that are followed; 0: 1,000 */
    uint32_t n_probes; /* there is a target for each of them, also where clang drops dead code */
    size_t max_terms;  /* beyond, loops are no longer followed; 0: 6 million */
    /* Asked before some of the iterations: can the condition (over inputs and cells) hold? If not,
     * the loop is left there, and a target of kind OVERRUN says that it does not go on. NULL: only
     * what follows from constants and bounds is known. app/run/loops.h has one. */
    bool (*satisfiable)(void *context, struct terms *ts, term_t condition);
    void *context;
    bool (*stop)(void *context); /* asked now and then: true follows loops no longer. Or NULL */
    void *stop_context;
    double total_seconds; /* of the run that waits, 0: no limit; a part of it is for clang */
    const char *const *clang_args; /* more arguments for clang, NULL-terminated, or NULL */
    bool promises;  /* what is assumed is listed in `promises`, and holds nowhere by itself */
    bool free_ends; /* and so is that runs end at `ends`: a value that is read there is any, what is
                       written is lost, exit() returns */
    bool free_lines; /* what a line of the user's decides and stores is any value, unless the
                        promise about it is kept: `ends` has the line, `what` is NULL */
    bool
        keep_loops; /* of a module, as lower_cfa() does: a step of `sys` is not one of the module */
    /* These are set by lower() and lower_cfa(). */
    bool task; /* module->task */
    bool cut;  /* loops are kept (lower/cut.h) */
};

/* A pointer of the state: what it can point to, as C expressions of the woven program, in the order
 * of the numbers that its cell holds (the last one stands for every other number, too). NULL where
 * an object has no name. `moves`: the text holds one %s, the value of the cell `name@offset`. */
struct lowered_pointer {
    const char *name;
    size_t n_targets;
    const char **target;
    bool *moves;
};

/* An assumption of the woven text: a condition over the inputs before initialisation, or over cells
 * and inputs of a step. */
struct lowered_promise {
    term_t term;
    bool at_init;
    uint32_t end; /* it says that runs end there, or that the line counts; NONE for others */
};

/* Where a run ends by what C gives no meaning to, or by a call of exit() and its like, unless that
 * is known to be impossible. */
struct lowered_end {
    const char *file,
        *what; /* "division", "access", or the function; NULL: a line of the program */
    int line;
};

/* What a cell holds before anything runs. */
struct lowered_start {
    uint64_t bits;
    bool known;
};

struct lowered {
    struct arena arena;
    VEC(struct lowered_promise) promises; /* in the order of the text */
    VEC(struct lowered_start) start;      /* one per cell of the system that is not derived */
    VEC(struct lowered_pointer) pointers;
    VEC(struct limitation) limitations;
    VEC(struct lowered_end) ends; /* each once */
    VEC(struct cfa_place) places; /* where the run is when LOWER_PLACE is 1, 2, … */
    uint64_t
        boundary; /* which of them is the step boundary, 0: every step of the system ends there */
    /* module.state[i] over the variables of the system's cells, in the variable's type ('b' is of
     * sort bool); 0 for pointers, and for an integer view of a float that may be NaN */
    VEC(term_t) state;
    uint32_t iterations; /* of the longest loop that was followed to its end */
    uint32_t runs;       /* symbolic executions until the set of changing cells was known */
    uint64_t instructions;
};

/* `sys` is system_init()ed and empty. On failure `lowered` needs no free.
 *
 * A verification task (module->task) has one goal, target 0: reach_error(), __VERIFIER_error() or a
 * failing assertion is reached. Loops that do not end soon are cut at their heads (lower/cut.h): a
 * step of the system leads from one head to the next, what comes before the first is the
 * initialisation. `unspecified` stays false. All values are those of input 0. */
bool lower(const char *woven_text, const struct module *module, const struct lower_options *options,
           struct system *sys, struct lowered *lowered, struct err *err);
void lowered_free(struct lowered *lowered);
/* "runs end at m.c:12 (exit)"; all of these begin alike. */
#define LOWERED_END_LABEL "runs end at "
void lowered_end_label(const struct lowered_end *end, struct str *out);

/* The same module with its loops kept: those that do not end within `options->unroll` iterations
 * (0: 64) become locations beside the step boundary. `sys` gets the automaton as a system: a step
 * of it leads from one location to the next, a cell LOWER_PLACE (left out when the step boundary is
 * the only location) says at which. `cfa` shares its names and terms. `unspecified` stays false:
 * whether a run depends on what C leaves open is for its replay to find out. */
#define LOWER_PLACE CFA_PLACE
uint32_t lowered_place(const struct system *sys); /* that cell, NONE */
bool lower_cfa(const char *woven_text, const struct module *module,
               const struct lower_options *options, struct system *sys, struct cfa *cfa,
               struct lowered *lowered, struct err *err);

#endif
