/* data: what all reports are made of, read once from the database.
 *
 * Texts live in the arena. Goals are in source order; `files` lists each source file once, with the
 * text that was analysed, if the database has it.
 *
 *     struct report_data data;
 *     if (report_load(&data, db, err))
 *         for (size_t i = 0; i < data.goals.len; i++)
 *             puts(report_sentence(&data, &data.goals.data[i]));
 *     report_unload(&data);
 */
#ifndef REPORT_DATA_H
#define REPORT_DATA_H

#include "base/arena.h"
#include "db/rows.h"

struct report_goal {
    int64_t id;
    const char *key, *kind, *text, *function;
    uint32_t file; /* index into files */
    int line, col, end_line, end_col;
    int value; /* 1, 0, -1: none */
    enum status status;
    int64_t bound, depth;                               /* -1: none */
    const char *engine, *checked_by, *assumes, *reason; /* "" when none */
    int64_t witness, proof;                             /* row ids, 0: none */
    int64_t decision, condition;                        /* -1: none */
    double seconds;
    bool justified;
};

struct report_file {
    const char *path;
    const char *text; /* NULL: not in the database */
};

struct report_count {
    const char *criterion;
    size_t total, reachable, dead, open, justified;
};

struct report_data {
    struct arena arena;
    struct store *db;
    const char *name, *asil, *mcdc, *version;
    VEC(struct report_goal) goals;
    VEC(struct report_file) files;
    VEC(struct report_count) counts; /* one a criterion, in the order of criteria.def */
};

/* On failure the data is empty, and may be unloaded all the same. */
bool report_load(struct report_data *data, struct store *db, struct err *err);
void report_unload(struct report_data *data); /* the store stays open */

/* A value of run_info, in the arena; "" when absent. */
const char *report_info(struct report_data *data, const char *key);
double report_percent(size_t part, size_t whole); /* 100 when whole is 0 */
/* "x > 3 is true", "x = 1;" */
const char *report_goal_text(struct report_data *data, const struct report_goal *g);
/* The verdict in one sentence. */
const char *report_sentence(struct report_data *data, const struct report_goal *g);
/* Dead or open, and not justified: what somebody has to look at. */
bool report_needs_attention(const struct report_goal *g);

#endif
