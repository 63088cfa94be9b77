/* task: one piece of work in a child process: an engine on some probes, or a check of evidence.
 *
 * The child is a fork of this process, so it has the model without any copying; what it finds it
 * writes to its standard output as *records*, and the parent reads them when it ends, however it
 * ends: records that were complete before a crash or a time-out still count.
 *
 *     record <kind> <length>\n<length bytes>\n
 *
 * Kinds are rows of records.def, what is in them as the row says.
 * A task knows what to do in the child (`work`) and what to do with its records in the parent
 * (`take`, `done`). Nothing that the child does costs more than its own attempt.
 */
#ifndef APP_RUN_TASK_H
#define APP_RUN_TASK_H

#include "app/run/session.h"
#include "base/child.h"

struct task;

enum record_kind {
#define RECORD(name, content) RECORD_##name,
#include "app/run/records.def"
#undef RECORD
    RECORD_KINDS
};

struct task_type {
    const char *name;
    int (*work)(struct task *t); /* in the child; returns its exit code */
    /* in the parent, once a record, in order; false ends the run */
    bool (*take)(struct task *t, enum record_kind kind, const char *data, struct err *err);
    bool (*done)(struct task *t, struct err *err); /* after the records, and always */
    /* what differs in the row of the attempt on the i-th probe; NULL: nothing */
    void (*amend)(const struct task *t, size_t i, struct attempt *a);
};

struct task {
    const struct task_type *type;
    struct session *session;
    uint64_t number; /* order of creation: the order of results in a deterministic run */
    const char *engine;
    const struct engine_row *row; /* NULL: no attempt of an engine */
    uint32_t group;               /* of the schedule, NONE: none */
    VEC(uint32_t) probes;
    uint64_t ticks;     /* budget */
    double seconds;     /* wall-clock limit */
    double cpu_seconds; /* 0: none */
    uint64_t memory_mb;
    bool keep;     /* it is of use even if none of its probes is open */
    void *payload; /* the type's own; freed by free_payload */
    void (*free_payload)(void *payload);
    struct window *window; /* what the child counts, also when it is killed */
    /* after the child has ended */
    uint64_t used_ticks;
    uint32_t successes; /* probes decided, or claimed and waiting for their check */
    bool gave_up;
    struct str outcome; /* one word or two for the attempt's row; from `status` records */
    struct str detail;
    char started[32];
    struct child *child; /* NULL before task_start() and after task_reap() */
    struct child_result result;
};

struct task *task_new(const struct task_type *type, struct session *s);
void task_free(struct task *t);
bool task_start(struct task *t, struct err *err);
void task_reap(struct task *t); /* the child has ended: collects its output */
/* Reads the records, calls take and done, writes the attempt. In a deterministic run this happens
 * in the order of creation, not in the order of ending. */
bool task_settle(struct task *t, struct err *err);
void task_stop(struct task *t);

/* in the child */
void task_record(enum record_kind kind, const char *data, size_t size);
void task_recordf(enum record_kind kind, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* One record from `data`, terminated in place; what follows it, or NULL when the rest is incomplete
 * or foreign. */
char *task_next_record(char *data, char *end, enum record_kind *kind, char **body);
/* The next number of a record; false at its end, or when it is none. */
bool task_next_number(const char **at, uint64_t *number);

#endif
