/* simulator: native simulation as one of those who take turns in a run: a slice at a time.
 *
 *     struct simulator sim;
 *     simulator_init(&sim, session);
 *     while (simulator_ready(&sim) && …its turn…)
 *         if (!simulator_slice(&sim, err))
 *             return false;
 */
#ifndef APP_RUN_SIMULATOR_H
#define APP_RUN_SIMULATOR_H

#include "app/run/policy.h"
#include "app/run/session.h"

struct simulator {
    struct session *session;
    struct pace pace;
    struct yield yield;
    bool lost; /* no process can be run any more */
};

void simulator_init(struct simulator *sim, struct session *s);
/* There is a native build, and the project wants it. */
bool simulator_ready(const struct simulator *sim);
/* One slice; what it finds is replayed and stored. False: the database failed. */
bool simulator_slice(struct simulator *sim, struct err *err);

#endif
