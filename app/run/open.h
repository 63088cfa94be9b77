/* open: how a run begins, with a project, and how it ends, with its database closed. */
#ifndef APP_RUN_OPEN_H
#define APP_RUN_OPEN_H

#include "app/run/session.h"

/* Reads the project, weaves, opens the database, takes over what an earlier run has found. */
bool session_open(struct session *s, const struct options *o, struct err *err);
/* Native builds and the model. Where one cannot be had, a warning says why and the run goes on
 * without it. */
bool session_prepare(struct session *s, struct err *err);
void session_close(struct session *s);

#endif
