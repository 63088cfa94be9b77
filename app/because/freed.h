/* freed: the module without what the user has promised about it.
 *
 * The model of a run has been simplified by ranges of inputs, by assumptions and by the values of
 * fixed parameters, so that it does not show any more which of them a proof rests on. Here they are
 * conditions beside a model in which inputs and parameters may have any value of their types.
 */
#ifndef APP_BECAUSE_FREED_H
#define APP_BECAUSE_FREED_H

#include "app/run/session.h"
#include "engines/invariant/reason.h"

enum promised_kind { PROMISED_VALUE, PROMISED_ASSUMPTION, PROMISED_RANGE, PROMISED_END };

/* What may be otherwise. */
enum freedom {
    FREE_RANGES = 0, /* ranges and assumptions: always */
    FREE_VALUES = 1, /* constants and fixed parameters; what multiplies them is harder to prove */
    FREE_ENDS = 2,   /* that runs end at what C gives no meaning to, or at exit() */
    FREE_LINES = 4,  /* what lines of the program decide and store; not with FREE_ENDS */
};

struct promised {
    enum promised_kind kind;
    uint32_t index; /* of woven.module.inputs, of its assumptions, or of lowered.ends, which are
                       lines with FREE_LINES */
    uint64_t bits;  /* PROMISED_VALUE */
};

/* The variables in the terms of a promise. */
struct reader {
    VEC(uint32_t) vars;
};
VEC_STRUCT(readers, struct reader);

struct freed {
    struct woven own; /* without fixed parameters */
    const struct woven *woven;
    struct terms terms;
    struct system sys;
    struct lowered lowered;
    struct promises promises;  /* what a user gives up last comes last */
    VEC(struct promised) what; /* one per promise */
    struct readers readers;    /* one per promise */
    struct invariant facts; /* of cells that keep one value because of them, or equal another one */
};

/* In a child: it compiles. `freedom`: of enum freedom. False: the module cannot be had without its
 * promises. */
bool freed_open(struct freed *f, const struct session *s, unsigned freedom, struct err *err);
void freed_close(struct freed *f);

#endif
