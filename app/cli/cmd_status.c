/* status: how much of each criterion is met (goals covered; events of robustness impossible), by
 * file and function; with unique-cause MC/DC, by condition, where truth tables are listed. */
#include "app/project/changes.h"
#include "app/cli/command.h"
#include "app/cli/print_rows.h"

#include <stdio.h>
#include <string.h>

/* One row a function and criterion, then the sum of each criterion. */
static const char summary_sql[] =
    "WITH summary AS MATERIALIZED ("
    "SELECT file, function, criterion, total, reachable, dead, open, justified, percent "
    "FROM coverage_summary UNION ALL "
    "SELECT file, function, 'mcdc (unique cause)', count(*), sum(status = 'reachable'), "
    "sum(status = 'dead'), sum(status = 'open'), 0, "
    "100.0 * sum(status = 'reachable') / count(*) FROM unique_cause GROUP BY file, function) "
    "SELECT file, function, criterion, total, reachable, dead, open, justified, "
    "round(percent, 1) AS percent FROM ("
    "SELECT 0 AS part, file, function, criterion, total, reachable, dead, open, justified, percent "
    "FROM summary UNION ALL "
    "SELECT 1, 'all files', '', criterion, sum(total), sum(reachable), sum(dead), sum(open), "
    "sum(justified), sum(percent * total) / sum(total) FROM summary GROUP BY criterion"
    ") ORDER BY part, file, function, criterion";

/* In a table for people; other formats are for programs, which ask the view `warning`. */
static bool print_warnings(const struct options *o, struct store *db, struct err *err) {
    struct arena arena = {0};
    const char *changed = NULL;
    bool ok = input_changes_text(db, &arena, &changed, err),
         table = strcmp(o->format, "table") == 0;
    if (ok && changed && !table)
        log_warning(o->log, "%s", changed);
    if (ok && table) {
        struct rows *r = rows_open(db, "SELECT text FROM warning", err);
        printf("%s", changed ? "\nWarnings:\n" : "");
        if (changed)
            printf("  %s\n", changed);
        for (bool first = !changed; rows_next(r); first = false)
            printf("%s  %s\n", first ? "\nWarnings:\n" : "", rows_text(r, 0));
        ok = rows_close(r, err);
    }
    arena_free(&arena);
    return ok;
}

int cmd_status(const struct options *o) {
    struct err err = {0};
    struct store *db;
    bool ok = store_open(&db, options_database(o), STORE_READ, &err) &&
              print_rows(rows_open(db, summary_sql, &err), o->format, &err) &&
              print_warnings(o, db, &err);
    store_close(db);
    return ok ? 0 : command_fail(&err);
}
