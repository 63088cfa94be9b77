/* lowering: one symbolic execution of gk_init and gk_step, as seen by all lower_*.c files.
 *
 * The run is repeated with a better plan (lower/cells.h) until the plan agrees with what the run
 * finds out; each run starts from a fresh `struct lowering` with its own terms. `now` is where the
 * execution stands; every file appends to the terms, nobody removes.
 */
#ifndef INSTRUMENT_LOWER_LOWERING_H
#define INSTRUMENT_LOWER_LOWERING_H

#include "instrument/lower/bitcode.h"
#include "instrument/lower/lower.h"
#include "instrument/lower/cells.h"
#include "instrument/lower/function.h"
#include "instrument/lower/instruction.h"
#include "instrument/lower/layout.h"
#include "instrument/lower/memory.h"
#include "instrument/lower/object.h"
#include "instrument/lower/path.h"
#include "instrument/lower/pointer.h"
#include "instrument/lower/range.h"
#include "instrument/lower/value.h"

/* What a run collects for one probe, or for one place where the analysis gives up. */
struct collected {
    enum target_kind kind;
    uint32_t id;
    const char *name;
    term_t hit, init_hit;
};

/* A place where runs end: the bits that say so, where it is free whether they do. */
struct end {
    term_t init, step;
    unsigned passed; /* how often the execution went on where it certainly ends */
};

struct lowering {
    struct terms *ts;
    const struct bitcode *bc;
    const struct module *module;
    const struct lower_options *options;
    struct lower_plan *plan;
    struct arena arena;

    struct values values;
    struct paths paths;
    struct memory memory;
    struct objects objects;
    struct layouts layouts;
    struct ranges ranges;
    struct state state;
    struct map functions; /* LLVMValueRef -> index in function_list */
    VEC(struct lower_function *) function_list;
    struct map constants; /* LLVMValueRef -> value_t */

    bool in_init; /* gk_init runs, else gk_step */
    struct path now;
    LLVMValueRef at;            /* the instruction that runs */
    VEC(LLVMValueRef) calls;    /* functions that run, outermost first */
    VEC(struct frame *) frames; /* the same */
    struct ways arrivals;       /* at locations (lower/cut.h) */
    uint64_t n_steps;           /* instructions executed so far */
    uint32_t n_recursive_calls; /* of functions that were running */

    VEC(struct sys_input) inputs;
    VEC(struct lowered_promise) promises;
    struct map input_uses; /* module input -> times asked for so far */
    VEC(struct collected) targets;
    struct map target_of_probe;
    struct map target_of_place; /* place and reason -> overrun target */
    struct map noted;           /* places and limitations */
    struct map end_of_place;
    VEC(struct end) ends; /* of result->ends */
    term_t unspecified, init_unspecified;
    term_t indeterminate;   /* the taint of such values; 0: there are none so far */
    VEC(bool) marked;       /* by term: that is below it */
    struct arena *kept;     /* outlives the run: names, limitations */
    struct lowered *result; /* limitations go there */
};

sort_t lower_sort(LLVMTypeRef type); /* of a scalar type, SORT_NONE for others */
sort_t lower_pointer_sort(const struct lowering *lw);
const char *lower_function_name(const struct lowering *lw); /* that runs, "" outside */

/* A fresh value that C leaves open, consumed where `now` and cond hold. */
term_t lower_fresh(struct lowering *lw, sort_t sort, term_t cond, const char *what);
/* The last fresh value is an input all the same: whoever runs the task supplies it. */
void lower_supply(struct lowering *lw);
/* The run at `now` depends on it: a branch, an address, a trap condition. */
void lower_use(struct lowering *lw, term_t taint);
/* Indeterminate values: of a local that was never set, of a byte read as _Bool that is neither 0
 * nor
 * 1. C says nothing of what an operation makes of one, and compilers read it anew each time, or not
 * at all: of an `int u` that was never set u == 3 and u == 4 may both hold, and u != u. Their taint
 * is a mark of its own: true, as a variable of which result.c makes true. What depends on it goes
 * either way where a branch looks at it, whatever its term says. Other unspecified values (a shift
 * by too much, a conversion out of range) stay what they are once they are computed. A verification
 * task reads one value that stays the same, as the rules of the competition have it. */
term_t indeterminate_taint(struct lowering *lw);
struct scalar indeterminate_seen(struct lowering *lw, struct scalar s); /* what a branch sees */
struct scalar indeterminate_bool(struct lowering *lw, struct scalar byte);
/* The run ends here where cond is false. */
void lower_require(struct lowering *lw, struct scalar cond);
void lower_stop(struct lowering *lw);
/* The same, for what ends runs of the user's program; `what` as in struct lowered_end. True: it is
 * free whether the run ends (lower_options.free_ends), so it goes on with `fine` false, too, and
 * any value of what would have been there. Asked with `may_go_on` only; without, a place where it
 * would go on is an OVERRUN. */
bool lower_end_unless(struct lowering *lw, struct scalar fine, const char *what, bool may_go_on);
/* What this line decides or stores: with lower_options.free_lines it may be any value instead. */
struct scalar lower_as_line_says(struct lowering *lw, struct scalar s);
/* Ends the run here, as an overrun target named after the reason: no proof may rely on it. */
void lower_give_up(struct lowering *lw, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same, and the run goes on: what follows may be reached in other ways, too. */
void lower_doubt(struct lowering *lw, const char *text);
/* No run is expected here: a target of kind OVERRUN, which an engine is to prove dead, and no
 * limitation. */
void lower_expect_none(struct lowering *lw, const char *text);
void lower_give_up_where(struct lowering *lw, term_t cond, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Notes the limitation without ending the run. */
void lower_note(struct lowering *lw, const char *format, ...) __attribute__((format(printf, 2, 3)));
void lower_hit(struct lowering *lw, uint32_t probe);
uint32_t lower_target(struct lowering *lw, enum target_kind kind, uint32_t id, const char *name);
struct views lower_range_now(struct lowering *lw, term_t t);
/* The greatest value that the integer can have, without sign. */
uint64_t lower_most_now(struct lowering *lw, term_t t);
/* True, false, or cond itself, with what is known at `now`. */
term_t lower_decide(struct lowering *lw, term_t cond);

struct scalar scalar_plain(term_t t);

#endif
