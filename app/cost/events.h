/* events: the trace that `run --trace FILE` writes, one JSON object per line.
 *
 *     struct events e;
 *     if (!events_open(&e, "run.jsonl", err)) …            // "-" is stdout
 *     events_write(&e, 7, "ic3", "frame", "\"level\":3");   // also from children, at once
 *     events_close(&e);
 *
 *     {"at":1.503,"attempt":7,"engine":"ic3","event":"frame","target":0,"level":3}
 *
 * `at` is in seconds since the run began, `attempt` numbers the work in child processes (0: the run
 * itself). A line is one write to a file that is opened for appending, so that lines of several
 * processes never mix, and what a process has written before it was killed stays.
 */
#ifndef APP_COST_EVENTS_H
#define APP_COST_EVENTS_H

#include "base/err.h"

#include <stdint.h>

struct events {
    int fd;
    double began;
};

/* Replaces an older trace, and nothing else. */
bool events_open(struct events *e, const char *path, struct err *err);
void events_close(struct events *e);
/* `fields` is "" or members of a JSON object; NULL for `e` does nothing. */
void events_write(const struct events *e, uint64_t attempt, const char *who, const char *event,
                  const char *fields);

#endif
