/* log: messages and the live progress line, on stderr. Results go to stdout, never through here.
 *
 * A log is a value that its owner hands down; NULL is a log that says nothing, so libraries need
 * no special case. Levels: errors always show, warnings and notes unless --quiet, details with
 * --verbose. On a terminal the progress line is redrawn in place; elsewhere (CI) it becomes a
 * plain line at most every ten seconds.
 *
 *     struct log log;
 *     log_init(&log, stderr);
 *     log_note(&log, "%zu goals", n);
 *     log_progress(&log, "%zu of %zu decided", done, n);
 *     log_progress_end(&log);
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>
#include <stdio.h>

enum log_level { LOG_ERROR, LOG_WARNING, LOG_NOTE, LOG_DETAIL };

struct log {
    FILE *stream;
    enum log_level level; /* messages above it are dropped */
    bool color;           /* escape sequences allowed */
    bool live;            /* a terminal: the progress line is redrawn */
    bool drawn;           /* a progress line stands on the screen */
    double last_progress; /* monotonic seconds */
};

void log_init(struct log *log, FILE *stream); /* LOG_NOTE; colour on a terminal without NO_COLOR */

void log_error(struct log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));
void log_warning(struct log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));
void log_note(struct log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));
void log_detail(struct log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));

void log_progress(struct log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What is being done before there is something to count: at once, and on a terminal only. */
void log_phase(struct log *log, const char *what);
void log_progress_end(struct log *log); /* removes the line before other output */

double clock_seconds(void); /* monotonic; only differences mean something */
double clock_cpu(int who);  /* seconds used by RUSAGE_SELF, or by RUSAGE_CHILDREN that have ended */

#endif
