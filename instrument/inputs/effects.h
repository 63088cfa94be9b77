/* effects: what an evaluation reads and writes, calls included (mod-ref analysis).
 *
 * An effect is a place in an object, or behind a pointer parameter of the function at hand. The
 * effects of a call are those of the functions it may reach, in which what is behind a parameter
 * has become what is behind its argument: so two calls of one function on two instances do not
 * seem to touch each other. Variables of the called functions themselves are left out, also when
 * pointers lead to them. A function without a body touches what its pointer arguments lead to. The
 * rounding mode is an object, too, for those who set it and ask for it; who rounds, is not told.
 *
 *     struct effects effects = {0};
 *     effects_open(&effects, &scan);                        // after scan_flow()
 *     effects_of(&effects, function, evaluation, &list);    // appends
 *     if (effects_clash(&effects, &list, &other, &clash)) …
 *     effects_free(&list);
 *     effects_close(&effects);
 */
#ifndef INSTRUMENT_INPUTS_EFFECTS_H
#define INSTRUMENT_INPUTS_EFFECTS_H

#include "instrument/inputs/interface_scan.h"

#define END_OF_RUN UINT32_MAX          /* base of the effect of exit() and its like */
#define ROUNDING_MODE (UINT32_MAX - 1) /* and of fesetround() */

struct effect {
    bool of_parameter;
    uint32_t base; /* object, or index of the parameter */
    uint32_t pattern;
    bool reads, writes;
    uint32_t next; /* with the same base in this list, NOTHING */
};

struct effect_list {
    VEC(struct effect) all;
    struct map first; /* base -> the youngest with it */
};
void effects_free(struct effect_list *list);

struct effects {
    struct scan *scan;
    struct arena arena;
    VEC(struct effect_list) summaries; /* by function */
    uint8_t *state;                    /* of the summaries */
    struct ids *accesses, *calls;      /* by function: indices of those of the scan */
    struct ids *incoming;              /* by node: flows that alone fill it */
    bool *opaque;                      /* by node: other things fill it, too */
    bool *kept;                        /* by object: a parameter that holds only its argument */
    size_t n_functions, n_nodes;
};

void effects_open(struct effects *effects, struct scan *scan);
void effects_close(struct effects *effects);

/* Of one evaluation in the body of `function`. */
void effects_of(struct effects *effects, uint32_t function, const struct evaluation *evaluation,
                struct effect_list *list);
/* One writes what the other reads or writes; *clash is such an effect. */
bool effects_clash(const struct effects *effects, const struct effect_list *a,
                   const struct effect_list *b, struct effect *clash);

#endif
