/* status: how much of each criterion is met (goals covered; events of robustness impossible), by
 * file and function; with unique-cause MC/DC, by condition, where truth tables are listed. */
#include "app/project/changes.h"
#include "app/cli/one.h"
#include "app/fleet/databases.h"
#include "app/fleet/several.h"
#include "app/cli/print_rows.h"
#include "app/project/ledger.h"

#include <stdio.h>
#include <string.h>

/* One row per function and criterion, then the sum of each criterion. ?1: the keys that are
 * justified, as the gate sees them; what is justified counts as covered, as it does there. */
static const char summary_sql[] =
    "WITH counted AS MATERIALIZED ("
    "SELECT file, function, kind AS criterion, status, "
    "status = CASE WHEN kind IN ('div0', 'overflow', 'shift', 'downcast', 'bounds', 'range') "
    "THEN 'dead' ELSE 'reachable' END AS met, "
    "key IN (SELECT value FROM json_each(?1)) AS accepted FROM goal_status UNION ALL "
    "SELECT file, function, 'mcdc (unique cause)', status, status = 'reachable', 0 "
    "FROM unique_cause), "
    "summary AS MATERIALIZED (SELECT file, function, criterion, count(*) AS total, "
    "sum(status = 'reachable') AS reachable, sum(status = 'dead') AS dead, "
    "sum(status = 'open') AS open, sum(accepted AND NOT met) AS justified, "
    "sum(accepted OR met) AS covered FROM counted GROUP BY file, function, criterion) "
    "SELECT file, function, criterion, total, reachable, dead, open, justified, "
    "round(100.0 * covered / total, 1) AS percent FROM ("
    "SELECT 0 AS part, file, function, criterion, total, reachable, dead, open, justified, covered "
    "FROM summary UNION ALL "
    "SELECT 1, 'all files', '', criterion, sum(total), sum(reachable), sum(dead), sum(open), "
    "sum(justified), sum(covered) FROM summary GROUP BY criterion"
    ") ORDER BY part, file, function, criterion";

/* Those of the ledger beside the database; without one, of the copy in it. */
static bool justified_keys(struct store *db, struct str *keys, struct err *err) {
    struct ledger ledger = {0};
    bool ok = ledger_open(&ledger, store_path(db), err);
    struct rows *r = ok && !ledger.exists
                         ? rows_open(db, "SELECT key FROM justification WHERE problem IS NULL", err)
                         : NULL;
    str_add(keys, "[\"\"");
    if (ok && ledger.exists) {
        ledger_judge(&ledger, db);
        for (size_t i = 0; i < ledger.rows.len; i++)
            if (!ledger.rows.data[i].problem)
                str_addf(keys, ", \"%s\"", ledger.rows.data[i].key);
    }
    while (r && rows_next(r))
        str_addf(keys, ", \"%s\"", rows_text(r, 0));
    str_add(keys, "]");
    ok = (!r || rows_close(r, err)) && ok;
    ledger_close(&ledger);
    return ok;
}

static bool print_summary(struct store *db, const char *format, struct err *err) {
    struct str keys = {0};
    bool ok = justified_keys(db, &keys, err);
    struct rows *r = ok ? rows_open(db, summary_sql, err) : NULL;
    if (r)
        rows_bind_text(r, 1, str_text(&keys));
    ok = ok && print_rows(r, format, err);
    str_free(&keys);
    return ok;
}

/* Phases in their order, then engines, with what their attempts came to. */
static const char times_sql[] =
    "WITH counted AS (SELECT a.engine, j.key, sum(j.value) AS n FROM (SELECT DISTINCT engine, "
    "effort "
    "FROM attempt_log WHERE effort NOT NULL) a JOIN effort e ON e.id = a.effort, "
    "json_each(e.stats) j WHERE j.key NOT GLOB '*ticks' GROUP BY 1, 2 ORDER BY min(j.id)) "
    "SELECT 'phase' AS what, name, NULL AS attempts, wall AS seconds, cpu, NULL AS ticks, NULL AS "
    "outcomes, NULL AS counted FROM (SELECT substr(w.key, 6) AS name, CAST(w.value AS REAL) AS "
    "wall, "
    "CAST(c.value AS REAL) AS cpu FROM run_info w JOIN run_info c "
    "ON c.key = 'cpu:' || substr(w.key, 6) WHERE w.key GLOB 'wall:*' ORDER BY instr('"
#define PHASE(name, about) " " #name " "
#include "app/cost/phases.def"
#undef PHASE
    "', ' ' || substr(w.key, 6) || ' ')) UNION ALL "
    "SELECT * FROM (SELECT 'engine', engine, sum(n), round(sum(s), 2), NULL, sum(t), "
    "group_concat(n || ' ' || outcome, ', '), (SELECT group_concat(c.n || ' ' || "
    "replace(c.key, '_', ' '), ', ') FROM counted c WHERE c.engine = x.engine) FROM (SELECT "
    "engine, outcome, count(*) AS n, "
    "sum(seconds) AS s, sum(ticks) AS t FROM attempt_log GROUP BY 1, 2 ORDER BY 3 DESC) x "
    "GROUP BY engine ORDER BY sum(s) DESC)";

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

/* Dead goals of coverage by what kills them; `justify --cause` takes the number. */
static bool print_dead(struct store *db, struct err *err) {
    struct rows *r = rows_open(
        db,
        "SELECT c.file || ':' || c.line, c.cause, count(*), c.text FROM cause c JOIN goal_status g "
        "USING (cause) WHERE g.status = 'dead' AND g.kind NOT IN ('div0', 'overflow', 'shift', "
        "'downcast', 'bounds', 'range') GROUP BY c.cause ORDER BY min(g.goal_id)",
        err);
    for (bool first = true; rows_next(r); first = false)
        printf("%s  %s  cause %lld, goals: %lld\n    %s\n",
               first ? "\nDead goals, by cause:\n" : "", rows_text(r, 0), (long long)rows_int(r, 1),
               (long long)rows_int(r, 2), rows_text(r, 3));
    return rows_close(r, err);
}

/* What open goals wait for, with what would help most. */
static bool print_open(struct store *db, struct err *err) {
    struct rows *r = rows_open(db,
                               "SELECT file || ':' || line, class, goals, text FROM cause "
                               "WHERE class LIKE 'waits for%' ORDER BY goals DESC, cause",
                               err);
    for (bool first = true; rows_next(r); first = false)
        printf("%s  %s  %s, goals: %lld\n    %s\n",
               first ? "\nOpen goals, by what they wait for:\n" : "", rows_text(r, 0),
               rows_text(r, 1), (long long)rows_int(r, 2), rows_text(r, 3));
    return rows_close(r, err);
}

/* In a table for people. */
static bool print_causes(const struct options *o, struct store *db, struct err *err) {
    return strcmp(o->format, "table") != 0 || (print_dead(db, err) && print_open(db, err));
}

int status_one(const struct options *o) {
    struct err err = {0};
    struct store *db;
    bool ok = store_open(&db, options_database(o), STORE_READ, &err) &&
              (o->times ? print_rows(rows_open(db, times_sql, &err), o->format, &err)
                        : print_summary(db, o->format, &err) && print_causes(o, db, &err) &&
                              print_warnings(o, db, &err));
    store_close(db);
    return ok ? 0 : command_fail(&err);
}

int cmd_status(const struct options *o) {
    return databases_several(o) ? several_status(o) : status_one(o);
}
