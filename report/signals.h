/* signals: a witness as signals over the steps: inputs, outputs and state.
 *
 * A value holds from its step until the next point of its signal. Step 0 is the initialisation.
 *
 *     struct signals signals = {0};
 *     if (signals_of(data, goal, &signals, err))
 *         for (size_t i = 0; i < signals.list.len; i++)
 *             puts(signals.list.data[i].path);
 *     signals_free(&signals);
 */
#ifndef REPORT_SIGNALS_H
#define REPORT_SIGNALS_H

#include "report/data.h"

struct signal_point {
    int64_t step;
    double value; /* NaN where it is none, or not finite */
    const char *text;
};

struct signal {
    const char *path, *role;
    bool is_input, changes;          /* changes: it has two different values */
    double lsb, offset;              /* physical = raw * lsb + offset; lsb is 0 or 1: not scaled */
    double min, max;                 /* of the finite values */
    VEC(struct signal_point) points; /* by step; only where the value changes */
};

struct signals {
    struct arena arena;
    int64_t last;            /* the step of the hit */
    VEC(struct signal) list; /* inputs, then cells; by number */
};

/* Of the witness of a reachable goal, up to its hit. */
bool signals_of(struct report_data *data, const struct report_goal *g, struct signals *signals,
                struct err *err);
void signals_free(struct signals *signals);

#endif
