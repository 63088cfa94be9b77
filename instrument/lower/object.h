/* object: what pointers point to, and the constants of the program.
 *
 * Objects are global variables, locals whose address is taken, copies of structs passed by value,
 * and functions; three fixed objects stand for what cannot be accessed. Globals are numbered first,
 * in the order of the bitcode, so object and cell numbers of globals are the same in every run.
 * Cells of locals are a stack: they are given back when the function returns, and the object is
 * then dead for good.
 */
#ifndef INSTRUMENT_LOWER_OBJECT_H
#define INSTRUMENT_LOWER_OBJECT_H

#include "base/err.h"
#include "instrument/lower/layout.h"
#include "instrument/lower/value.h"

enum object_kind {
    OBJECT_NULL,
    OBJECT_ABSOLUTE, /* a number used as an address */
    OBJECT_WILD,     /* a pointer that was never initialised */
    OBJECT_FUNCTION,
    OBJECT_GLOBAL,
    OBJECT_LOCAL,
};

struct object {
    enum object_kind kind;
    LLVMValueRef value; /* function, global or alloca; NULL: fixed object, copy of an argument */
    const char *name;   /* of functions and globals */
    const struct layout *layout;
    uint64_t size;
    uint32_t base;  /* first cell */
    bool constant;  /* stores end the run */
    bool undefined; /* extern without a definition */
    bool dead;
    bool is_static; /* a local of a task, kept between segments */
    bool zeroed;    /* a static one that begins as zero */
    bool pending;   /* it will be static in the next run */
    uint64_t owner; /* key of the call that a static one belongs to */
    uint32_t heap;  /* asked for at plan->heaps[heap - 1]; 0: it is none of these */
    uint64_t freed; /* key of the flag that says whether it was given back */
};

struct objects {
    VEC(struct object) list; /* [0..2] are null, absolute, wild */
    struct map of_global;
    struct map of_key; /* static objects of a task (lower/cut.h) */
    VEC(uint32_t) cell_object;
    VEC(value_t) initial; /* of the cells of globals: from the initialisers */
    uint32_t n_global_cells;
};

bool objects_init(struct lowering *lw, struct err *err); /* false: too many cells */
void objects_free(struct objects *objects);

/* `key` tells the locals of one call apart; `variable` names it, or is NULL. */
uint32_t object_local(struct lowering *lw, uint64_t key, LLVMValueRef variable, LLVMTypeRef type,
                      uint64_t count);

/* Memory that a task asks for while it runs: each time at one place is an object of its own, which
 * lasts; `number` counts them there. Its type is what it was last seen to be used as. */
uint32_t object_heap(struct lowering *lw, uint64_t site, uint32_t number, uint64_t size);
/* Its life begins where `cond` holds, with zeros or with nothing set. */
void object_begin(struct lowering *lw, uint32_t object, term_t cond, bool zeroed);
/* Something of this type is looked for at the start of what the pointer points to. */
void object_used_as(struct lowering *lw, value_t pointer, LLVMTypeRef type);
void object_give_back(struct lowering *lw, uint32_t object, term_t cond);
term_t object_given_back(struct lowering *lw, uint32_t object);
/* A number of a task that begins as 0 and lasts; UINT32_MAX: not before the next run. */
uint32_t object_counter(struct lowering *lw, uint64_t key, const char *name);

/* Takes back all locals from `first_object` on, whose cells begin at `first_cell`. */
void object_drop_locals(struct lowering *lw, uint32_t first_object, uint32_t first_cell);
/* The call returns: its static locals hold nothing any more. */
void object_forget_statics(struct lowering *lw, uint64_t owner);
const struct object *object_at(const struct lowering *lw, uint32_t object);
bool object_accessible(const struct lowering *lw, uint32_t object);

/* What a cell holds when nothing was stored to it. */
value_t lower_cell_default(struct lowering *lw, uint32_t cell);
value_t lower_zero(struct lowering *lw, struct cell_place place);
value_t lower_constant(struct lowering *lw, LLVMValueRef constant);
/* An unspecified value of a type; one that was never set */
value_t lower_any(struct lowering *lw, LLVMTypeRef type, const char *what);
value_t lower_unset(struct lowering *lw, LLVMTypeRef type);

/* What somebody else made: a number is any, a pointer leads where the model does not see. To follow
 * it is no mistake of the program, so what depends on it stays open. */
value_t lower_foreign(struct lowering *lw, LLVMTypeRef type, const char *what);

#endif
