/* overlay: the user's measured coverage beside the verdicts. Each goal of coverage is covered, a
 * test gap (reachable, and here is the test), dead, or open; where the files do not say whether it
 * was hit, it is unknown. A dead goal that was hit is an alarm. */
#include "app/cli/command.h"
#include "app/cli/print_rows.h"
#include "app/overlay/join.h"
#include "app/project/changes.h"
#include "db/rows.h"

#include <stdio.h>
#include <string.h>

enum { MOST_GAPS = 100 };

static bool read_all(const struct options *o, struct measured *m, struct err *err) {
    bool ok = true;
    for (size_t i = 1; ok && i < o->arguments.len; i++)
        ok = measured_read(m, o->arguments.data[i], err);
    return ok;
}

static bool nothing_found(const struct store *db, struct err *err) {
    err_set(err, ERR_USAGE, "no goal of %s is in these files", store_path(db));
    return err_remedy(err,
                      "are they of the same sources? Files are found by the end of their paths");
}

static bool store_joined(const struct options *o, struct store *db, const struct joined *joined,
                         struct err *err) {
    VEC(struct measured_goal) goals = {0};
    struct str names = {0};
    for (size_t i = 0; i < joined->len; i++)
        if (joined->data[i].hit != HIT_UNKNOWN)
            vec_push(&goals,
                     (struct measured_goal){joined->data[i].goal, joined->data[i].hit == HIT_YES});
    for (size_t i = 1; i < o->arguments.len; i++)
        str_addf(&names, "%s%s", i > 1 ? ", " : "", o->arguments.data[i]);
    bool own, ok = goals.len > 0 || nothing_found(db, err);
    if (ok && store_enter(db, &own, err)) {
        ok = store_measured(db, goals.data, goals.len, err) &&
             store_info(db, "measured_from", str_text(&names), err);
        ok = store_leave(db, own, ok, err) && ok;
    }
    ok = ok && err->code == ERR_NONE;
    str_free(&names);
    vec_free(&goals);
    return ok;
}

/* ---- what is printed ---- */

static const char summary_sql[] =
    "SELECT kind AS criterion, count(*) AS total, sum(overlay = 'covered') AS covered, "
    "sum(overlay = 'gap') AS gap, sum(overlay = 'dead') AS dead, sum(overlay = 'open') AS open, "
    "sum(overlay = 'unknown') AS unknown, "
    "CASE WHEN sum(overlay IN ('covered', 'gap')) > 0 THEN "
    "round(100.0 * sum(overlay = 'covered') / sum(overlay IN ('covered', 'gap')), 1) END "
    "AS percent_of_reachable FROM overlay GROUP BY kind ORDER BY kind";

/* Behind the text of a goal, whose kind is column 3. */
static const char *words_of_value(struct rows *r, int column) {
    return criterion_says(criterion_find(rows_text(r, 3)),
                          rows_null(r, column) ? -1 : rows_int(r, column));
}

static bool print_gaps(struct store *db, struct err *err) {
    struct rows *r = rows_open(db,
                               "SELECT goal_id, file, line, kind, text, value FROM overlay WHERE "
                               "overlay = 'gap' ORDER BY goal_id",
                               err);
    size_t n = 0;
    for (; rows_next(r); n++) {
        if (n == 0)
            printf("\nTest gaps (reachable, not covered; goalkeeper export writes the tests):\n");
        if (n >= MOST_GAPS)
            continue;
        printf("  %lld  %s:%lld  %s  %s%s\n", (long long)rows_int(r, 0), rows_text(r, 1),
               (long long)rows_int(r, 2), rows_text(r, 3), rows_text(r, 4), words_of_value(r, 5));
    }
    if (n > MOST_GAPS)
        printf("  … and %zu more: goalkeeper query --sql \"SELECT * FROM overlay WHERE overlay = "
               "'gap'\"\n",
               n - MOST_GAPS);
    return rows_close(r, err);
}

/* Nobody knows who is right: the files may be of another source or build. */
static bool tell_alarms(const struct options *o, struct store *db, size_t *n, struct err *err) {
    struct rows *r = rows_open(
        db, "SELECT goal_id, file, line, kind, text, value FROM overlay WHERE overlay = 'alarm'",
        err);
    for (*n = 0; rows_next(r); ++*n)
        log_error(o->log, "goal %lld is dead, and was hit: %s:%lld %s %s%s",
                  (long long)rows_int(r, 0), rows_text(r, 1), (long long)rows_int(r, 2),
                  rows_text(r, 3), rows_text(r, 4), words_of_value(r, 5));
    if (*n > 0)
        log_note(o->log, "either what was measured is another source, build or interface (ranges, "
                         "calibration: 'goalkeeper query' says what each verdict rests on), or "
                         "the verdict is wrong: 'goalkeeper audit' checks it again");
    return rows_close(r, err);
}

static bool warn_of_changes(const struct options *o, struct store *db, struct err *err) {
    struct arena arena = {0};
    const char *changed = NULL;
    bool ok = input_changes_text(db, &arena, &changed, err);
    if (ok && changed)
        log_warning(o->log, "%s", changed);
    arena_free(&arena);
    return ok;
}

int cmd_overlay(const struct options *o) {
    struct err err = {0};
    struct store *db = NULL;
    struct measured m = {0};
    struct joined joined = {0};
    size_t alarms = 0;
    bool ok = read_all(o, &m, &err) && store_open(&db, o->arguments.data[0], STORE_WRITE, &err) &&
              warn_of_changes(o, db, &err) && join(db, &m, &joined, &err) &&
              store_joined(o, db, &joined, &err) &&
              print_rows(rows_open(db, summary_sql, &err), o->format, &err) &&
              (!str_same(o->format, "table") || print_gaps(db, &err)) &&
              tell_alarms(o, db, &alarms, &err);
    vec_free(&joined);
    measured_free(&m);
    store_close(db);
    return !ok ? command_fail(&err) : alarms > 0 ? ERR_EVIDENCE : 0;
}
