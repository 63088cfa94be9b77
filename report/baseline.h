/* baseline: the verdicts of an earlier run, and how today's differ from them, goal by goal key.
 *
 * An earlier run is a database, or what `goalkeeper report --format json` made of one: a text that
 * can be kept under version control.
 *
 *     struct baseline old = {0};
 *     if (baseline_read(&old, "main.json", NULL, err)) {
 *         struct comparison c = {0};
 *         baseline_compare(&old, &data, &c);
 *         printf("%zu new\n", c.added.len);
 *         comparison_free(&c);
 *     }
 *     baseline_free(&old);
 */
#ifndef REPORT_BASELINE_H
#define REPORT_BASELINE_H

#include "base/map.h"
#include "report/data.h"

struct baseline_goal {
    const char *key, *kind, *text, *file, *function;
    int line;
    enum status status;
    enum goal_finding finding;
    bool justified;
};

struct baseline {
    struct arena arena;
    const char *path;
    VEC(struct baseline_goal) goals;
    struct intern keys; /* id: index into goals */
};

/* The ledger of a database is read as of `view`. On failure the baseline is empty, as it is of "":
 * then all is new. */
bool baseline_read(struct baseline *baseline, const char *path, const struct report_view *view,
                   struct err *err);
void baseline_free(struct baseline *baseline);
const struct baseline_goal *baseline_find(const struct baseline *baseline, const char *key);

struct verdict_change {
    const struct report_goal *now;
    const struct baseline_goal *before;
};

struct comparison {
    const char *path;                      /* of the baseline */
    VEC(const struct report_goal *) added; /* goals that were not there */
    VEC(const struct baseline_goal *) gone;
    VEC(struct verdict_change) changed; /* same key, other verdict */
};

/* What it holds points into both sides. */
void baseline_compare(const struct baseline *baseline, const struct report_data *data,
                      struct comparison *comparison);
void comparison_free(struct comparison *comparison);

/* Needs attention now and did not then, or for another reason; `before` is NULL for a new goal. */
bool baseline_is_worse(const struct report_goal *now, const struct baseline_goal *before);

#endif
