/* The progress line is erased before any other line and drawn again when it is due; what is not a
 * terminal gets a plain line, and seldom. */
#include "base/log.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const double plain_interval = 10.0, live_interval = 0.1;

static double seconds_of(struct timeval t) {
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

double clock_cpu(int who) {
    struct rusage used = {0};
    getrusage(who, &used);
    return seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
}

double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void log_init(struct log *log, FILE *stream) {
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    assert(stream);
    bool terminal = isatty(fileno(stream)) == 1;
    bool dumb = !term || term[0] == '\0' || (term[0] == 'd' && term[1] == 'u');
    *log = (struct log){.stream = stream,
                        .level = LOG_NOTE,
                        .color = terminal && !dumb && (!no_color || !no_color[0]),
                        .live = terminal && !dumb,
                        .last_progress = -plain_interval};
}

void log_progress_end(struct log *log) {
    if (!log || !log->drawn)
        return;
    fputs("\r\033[K", log->stream);
    log->drawn = false;
}

static void log_line(struct log *log, enum log_level level, const char *format, va_list args) {
    static const char *const label[] = {"error: ", "warning: ", "", ""};
    static const char *const color[] = {"\033[31m", "\033[33m", "", "\033[2m"};
    if (!log || level > log->level)
        return;
    assert(log->stream && "log_init was not called");
    log_progress_end(log);
    const char *paint = log->color ? color[level] : "";
    fprintf(log->stream, "goalkeeper: %s%s", paint, label[level]);
    vfprintf(log->stream, format, args);
    fputs(paint[0] ? "\033[0m\n" : "\n", log->stream);
    fflush(log->stream);
}

/* One body for the four verbs: the level is the only difference. */
#define LOG_VERB(verb, level)                                                                      \
    void verb(struct log *log, const char *format, ...) {                                          \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        log_line(log, level, format, args);                                                        \
        va_end(args);                                                                              \
    }
LOG_VERB(log_error, LOG_ERROR)
LOG_VERB(log_warning, LOG_WARNING)
LOG_VERB(log_note, LOG_NOTE)
LOG_VERB(log_detail, LOG_DETAIL)

static bool progress_due(const struct log *log) {
    assert(log->stream && "log_init was not called");
    double interval = log->live ? live_interval : plain_interval;
    return log->level >= LOG_NOTE && clock_seconds() - log->last_progress >= interval;
}

void log_progress(struct log *log, const char *format, ...) {
    if (!log || !progress_due(log))
        return;
    va_list args;
    va_start(args, format);
    fputs(log->live ? "\r" : "goalkeeper: ", log->stream);
    vfprintf(log->stream, format, args);
    fputs(log->live ? "\033[K" : "\n", log->stream);
    va_end(args);
    fflush(log->stream);
    log->drawn = log->live;
    log->last_progress = clock_seconds();
}

void log_phase(struct log *log, const char *what) {
    if (!log || !log->live || log->level < LOG_NOTE)
        return;
    fprintf(log->stream, "\r%s …\033[K", what);
    fflush(log->stream);
    log->drawn = true;
}
