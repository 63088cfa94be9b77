/* what_if: a goal that is dead for the values of some constants, asked again with others.
 *
 * Bounded model checking of the freed module looks for values and inputs that reach the goal; what
 * it finds counts when a native build of the freed program hits it, too. Everything else that the
 * user has promised is kept. */
#ifndef APP_BECAUSE_WHAT_IF_H
#define APP_BECAUSE_WHAT_IF_H

#include "app/because/freed.h"
#include "base/map.h"
#include "instrument/native/native.h"

struct what_if {
    struct freed *freed;   /* with values */
    struct native *native; /* made when it is first needed */
    bool no_native;        /* it cannot be had */
    unsigned asked;
    struct map of_cause; /* hash of a cause -> how often it was asked about */
};

/* `cause`: equal for goals with the same reason; a few of them are asked about. Adds "with
 * `Cal_Gain` = 3 it is reachable (replayed)" and is true; or adds nothing. `needed`, by promise:
 * the values among these are the ones that may differ. */
bool what_if_ask(struct what_if *w, const char *cause, uint32_t target, uint32_t probe,
                 const bool *needed, struct str *out);
void what_if_close(struct what_if *w);

#endif
