/* run: list the goals, decide them, store the verdicts, say what was found. */
#include "app/cli/command.h"
#include "app/cli/dump.h"
#include "app/run/open.h"
#include "app/run/loops.h"
#include "app/run/budget.h"
#include "app/project/ledger.h"
#include "app/cli/print_rows.h"
#include "app/run/interrupt.h"
#include "app/run/record.h"
#include "app/run/resume.h"
#include "app/run/schedule.h"
#include "app/run/shard.h"
#include "app/verify/verify.h"
#include "db/seal.h"

#include <stdio.h>
#include <sys/resource.h>

static const char criterion_sql[] =
    "SELECT criterion, sum(total) AS total, sum(reachable) AS reachable, sum(dead) AS dead, "
    "sum(open) AS open, sum(justified) AS justified, "
    "round(sum(percent * total) / sum(total), 1) AS percent "
    "FROM coverage_summary GROUP BY criterion ORDER BY criterion";

/* Goals of coverage want to be reached, those of robustness not to be. */
enum sort_of_goals { COVERAGE = 1, ROBUSTNESS = 2, BOTH = 3 };

static bool is_of(struct rows *r, int kind_column, enum sort_of_goals sort) {
    int kind = criterion_find(rows_text(r, kind_column));
    bool robust = kind >= 0 && criteria[kind].robustness;
    return (sort & (robust ? ROBUSTNESS : COVERAGE)) != 0;
}

/* A function that is never entered stands for all that is dead in it. */
static const char goals_sql[] =
    "WITH gone AS MATERIALIZED (SELECT file, function FROM goal_status "
    "WHERE kind = 'function' AND status = 'dead'), "
    "inside AS MATERIALIZED (SELECT file, function, count(*) - 1 AS n FROM goal_status "
    "WHERE status = 'dead' AND (file, function) IN (SELECT file, function FROM gone) "
    "GROUP BY file, function) "
    "SELECT goal_id, file, line, kind, text, value, engine, depth, checked_by, reason, "
    "CASE WHEN kind = 'function' THEN n ELSE 0 END "
    "FROM goal_status LEFT JOIN inside USING (file, function) "
    "WHERE status = ?1 AND cause IS NULL AND (n IS NULL OR kind = 'function') ORDER BY goal_id";

static void print_goal(struct rows *r) {
    printf("  %lld  %s:%lld  %s  %s", (long long)rows_int(r, 0), rows_text(r, 1),
           (long long)rows_int(r, 2), rows_text(r, 3), rows_text(r, 4));
    if (!rows_null(r, 5))
        fputs(criterion_says(criterion_find(rows_text(r, 3)), rows_int(r, 5)), stdout);
    if (rows_text(r, 8)[0])
        printf("  (%s, depth %lld, checked by %s)", rows_text(r, 6), (long long)rows_int(r, 7),
               rows_text(r, 8));
    else if (rows_text(r, 9)[0]) /* else nothing has been tried */
        printf("  (%s)", rows_text(r, 9));
    if (rows_int(r, 10) > 0)
        printf(": never entered, with %lld more goals in it", (long long)rows_int(r, 10));
    putchar('\n');
}

static bool print_goals(struct session *s, const char *status, enum sort_of_goals sort,
                        const char *title, size_t most, struct err *err) {
    struct rows *r = rows_open(s->db, goals_sql, err);
    size_t count = 0;
    rows_bind_text(r, 1, status);
    while (rows_next(r)) {
        if (!is_of(r, 3, sort))
            continue;
        if (count++ == 0)
            printf("\n%s\n", title);
        if (count > most)
            continue;
        print_goal(r);
    }
    if (count > most)
        printf("  … and %zu more: goalkeeper query %s --status %s\n", count - most,
               store_path(s->db), status);
    return rows_close(r, err);
}

/* Dead goals of coverage by what kills them; those whose cause is not known come after. */
static const char causes_sql[] =
    "SELECT c.file, c.line, c.text, count(*), group_concat(g.goal_id, ', ') FROM cause c "
    "JOIN (SELECT goal_id, cause, kind FROM goal_status WHERE cause IS NOT NULL ORDER BY goal_id) "
    "g "
    "USING (cause) WHERE g.kind NOT IN ('div0', 'overflow', 'shift', 'downcast', 'bounds', "
    "'range') "
    "GROUP BY cause ORDER BY min(g.goal_id)";

static bool print_causes(struct session *s, struct err *err) {
    struct rows *r = rows_open(s->db, causes_sql, err);
    for (size_t n = 0; rows_next(r); n++) {
        if (n == 0)
            printf("\nDead goals, by cause:\n");
        printf("  %s:%lld  %s\n    goal%s %s\n", rows_text(r, 0), (long long)rows_int(r, 1),
               rows_text(r, 2), rows_int(r, 3) > 1 ? "s" : "", rows_text(r, 4));
    }
    return rows_close(r, err);
}

/* Open goals by what they wait for: the lever, and which they are, the first sixty by number. */
static bool print_waiting(struct session *s, struct err *err) {
    struct rows *r =
        rows_open(s->db,
                  "SELECT class, text, count(*), group_concat(id, ', ') FILTER (WHERE nth <= 60), "
                  "count(*) - 60 FROM (SELECT *, row_number() OVER (PARTITION BY class, text "
                  "ORDER BY id) AS nth FROM open_goal ORDER BY id) GROUP BY class, text "
                  "ORDER BY 3 DESC, 2",
                  err);
    for (size_t n = 0; rows_next(r); n++) {
        printf("%s  waits for: %s. Lever: %s\n    goal%s %s",
               n == 0 ? "\nOpen goals, by what they wait for:\n" : "", rows_text(r, 0),
               rows_text(r, 1), rows_int(r, 2) > 1 ? "s" : "", rows_text(r, 3));
        if (rows_int(r, 4) > 0)
            printf(" and %lld more", (long long)rows_int(r, 4));
        printf("\n");
    }
    return rows_close(r, err);
}

/* A few are listed, each with what was tried; more are told by what they wait for alone. */
static bool print_open(struct session *s, struct err *err) {
    enum { FEW = 10 };
    if (session_left_open(s) <= FEW && !print_goals(s, "open", BOTH, "Open goals:", FEW, err))
        return false;
    return print_waiting(s, err);
}

static bool print_summary(struct session *s, struct err *err) {
    if (!print_rows(rows_open(s->db, criterion_sql, err), "table", err))
        return false;
    return print_causes(s, err) && print_goals(s, "dead", COVERAGE, "Dead goals:", 100, err) &&
           print_goals(s, "reachable", ROBUSTNESS, "Events that can happen:", 100, err) &&
           print_open(s, err);
}

/* A run that was stopped by a signal ends like one whose budget is used up. */
static int exit_code(const struct session *s) {
    if (s->alarmed)
        return ERR_EVIDENCE;
    if (interrupted())
        return interrupt_exit_code();
    if (s->options->require_complete && session_left_open(s) > 0)
        return ERR_INCOMPLETE;
    return 0;
}

/* Before the first verdict, so that nobody waits for an hour to read them. */
static void tell_warnings(const struct session *s) {
    for (size_t i = 0; i < s->woven.module.warnings.len; i++)
        log_warning(s->log, "%s", s->woven.module.warnings.data[i]);
}

/* Those that only the verdicts show. */
static bool tell_late_warnings(struct session *s, struct err *err) {
    struct rows *r =
        rows_open(s->db, "SELECT text FROM warning EXCEPT SELECT text FROM module_warning", err);
    while (rows_next(r))
        log_warning(s->log, "%s", rows_text(r, 0));
    return rows_close(r, err);
}

/* Of this process alone: attempts have rows of their own. */
static bool store_cost(struct session *s, struct err *err) {
    struct rusage usage;
    char peak[32], seconds[32];
    getrusage(RUSAGE_SELF, &usage);
    snprintf(peak, sizeof peak, "%ld", usage.ru_maxrss >> 10);
    snprintf(seconds, sizeof seconds, "%.1f", session_elapsed(s));
    return store_info(s->db, "peak_mb", peak, err) && store_info(s->db, "seconds", seconds, err);
}

static bool decide(struct session *s, enum schedule_end *end, struct err *err) {
    if (resume_complete(s)) {
        log_detail(s->log, "all is decided and confirmed: nothing is built");
        return true;
    }
    if (!session_prepare(s, err))
        return false;
    *end = schedule_run(s, err);
    if (*end == SCHEDULE_FAILED)
        return false;
    if (*end == SCHEDULE_TIME && session_short_of_cpu(s))
        log_note(s->log, "the CPU time of %.0f s is used up", s->options->cpu_seconds);
    else if (*end == SCHEDULE_TIME)
        log_note(s->log, "the total time of %.0f s is over", s->project.total_seconds);
    resume_tell(s);
    if (*end == SCHEDULE_INTERRUPTED)
        log_note(s->log, "stopped by a signal; what was found is stored, and the same command goes "
                         "on from there");
    return session_compare_compilers(s, err) && session_explain_open(s, err) &&
           store_forget_earlier(s->db, err) && store_prune(s->db, err) && store_cost(s, err);
}

/* Justifications are read anew in every run: what has expired or changed counts no more. */
static bool take_ledger(struct session *s, struct err *err) {
    struct ledger ledger;
    bool ok = ledger_open(&ledger, store_path(s->db), err) && ledger_sync(&ledger, s->db, err);
    if (ok && ledger.alarms > 0) {
        log_note(s->log, "%s: %zu goals are justified, yet a witness reaches them", ledger.path,
                 ledger.alarms);
        s->alarmed = true;
    }
    ledger_close(&ledger);
    return ok;
}

/* The model needs no database. */
static int dump(const struct options *o) {
    struct project project = {0};
    struct woven woven = {0};
    struct terms terms;
    struct system sys;
    struct lowered lowered;
    struct err err = {0};
    terms_init(&terms);
    system_init(&sys, &terms);
    bool ok = options_project(o, &project, &err) &&
              (o->verify ? verify_weave : weave)(&project, &woven, &err);
    struct lower_options how = {.n_probes = woven.goals.n_probes};
    loops_ask(&how);
    if (ok && (ok = lower(str_text(&woven.text), &woven.module, &how, &sys, &lowered, &err))) {
        ok = dump_model(&sys, o->dump_model, &err);
        lowered_free(&lowered);
    }
    system_free(&sys);
    terms_free(&terms);
    woven_free(&woven);
    project_free(&project);
    return ok ? 0 : command_fail(&err);
}

/* The last line: what a reader of the verdicts does now. */
static void tell_next(const struct session *s, bool decided) {
    const char *db = store_path(s->db);
    size_t open = session_left_open(s);
    if (s->scratch.len || s->alarmed || interrupted())
        return;
    fflush(stdout); /* also in one log of both it is the last */
    if (!decided)
        log_note(s->log, "next: goalkeeper run decides the goals; goalkeeper query %s lists them",
                 db);
    else if (open > 0)
        log_note(s->log,
                 "next: goalkeeper query %s --status open says why %zu goals are open; the same "
                 "run with more --seconds goes on; goalkeeper report %s -o out",
                 db, open, db);
    else
        log_note(s->log, "next: goalkeeper report %s -o out, then out/index.html; goalkeeper gate",
                 db);
}

int cmd_run(const struct options *o) {
    if (o->dump_model)
        return dump(o);
    interrupt_catch();
    struct session s;
    struct err err = {0};
    enum schedule_end end = SCHEDULE_DECIDED;
    bool ok = session_open(&s, o, &err);
    if (ok && !s.scratch.len)
        log_note(o->log, "%s: %zu goals in %s", s.project.name, s.woven.goals.list.len,
                 store_path(s.db));
    if (ok)
        tell_warnings(&s);
    ok = ok && record_start(&s, &err) && shard_note(&s, false, &err);
    if (ok && !o->goals_only)
        ok = decide(&s, &end, &err);
    ok = ok && record_end(&s, &err) && (interrupted() || shard_note(&s, true, &err)) &&
         seal_set(s.db, &err) && take_ledger(&s, &err) &&
         (o->verify ? verify_print(s.db, &err)
                    : print_summary(&s, &err) && tell_late_warnings(&s, &err));
    int code = ok ? exit_code(&s) : command_fail(&err);
    if (ok && !o->verify)
        tell_next(&s, !o->goals_only);
    session_close(&s);
    return code;
}
