/* harness: the text behind the units: helper functions, stubs, gk_init, gk_step, the tables. */
#ifndef INSTRUMENT_WEAVE_HARNESS_H
#define INSTRUMENT_WEAVE_HARNESS_H

#include "instrument/inputs/interface_parts.h"

/* The line between the program of the user and what is called on top of it. */
#define HARNESS_MARK "/* harness */\n"

/* Appends `target = gk_input_…(id)` with the range assumed; `indent` is white space. */
void harness_input(const struct interface *in, uint32_t id, const char *target, const char *indent,
                   struct str *text);
bool harness_write(struct interface *in, struct err *err);

/* harness_assume.c */
struct assumption {
    const char *text; /* in the words of the woven program */
    bool in_step;     /* mentions what changes; else it is about parameters only */
    bool early;       /* mentions inputs that the init functions read */
    struct ids cells; /* what it mentions */
};
/* Translates and checks one constraint of the user. */
bool harness_assumption(struct interface *in, const char *source, struct assumption *assumption,
                        struct err *err);

/* harness_tables.c */
void harness_tables(struct interface *in);

#endif
