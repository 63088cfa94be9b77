/* justify: accepts dead or open goals, in the ledger and in the database: all that are named, or
 * none of them. */
#include "app/cli/command.h"
#include "app/project/ledger.h"
#include "db/rows.h"
#include "report/date.h"

#include <stdio.h>
#include <string.h>

static bool check_options(const struct options *o, struct err *err) {
    if (!o->reason || !*o->reason || !o->author || !*o->author)
        return err_set(err, ERR_USAGE, "justify: --reason and --author are needed");
    if (o->arguments.len < 2 && !option_given(o, OPT_cause))
        return err_set(err, ERR_USAGE, "justify: which goals? By number or key, or --cause N");
    if (o->expires && !date_is(o->expires))
        return err_set(err, ERR_USAGE, "justify: --expires '%s' is not a date, YYYY-MM-DD",
                       o->expires);
    struct arena arena = {0};
    bool past = o->expires && strcmp(o->expires, date_today(&arena)) < 0;
    arena_free(&arena);
    if (past)
        return err_set(err, ERR_USAGE, "justify: --expires %s is in the past", o->expires);
    if (o->reviewer && strcmp(o->reviewer, o->author) == 0)
        return err_set(err, ERR_USAGE, "justify: the reviewer must not be the author");
    return true;
}

/* The key of a goal, given by number or key, that can be justified. */
static const char *key_of(struct store *db, const char *goal, struct arena *arena,
                          struct err *err) {
    struct rows *r = rows_open(
        db, "SELECT key, status, kind FROM goal WHERE key = ?1 OR CAST(id AS TEXT) = ?1", err);
    rows_bind_text(r, 1, goal);
    const char *key = NULL;
    if (rows_next(r)) {
        int kind = criterion_find(rows_text(r, 2));
        bool robust = kind >= 0 && criteria[kind].robustness;
        if (strcmp(rows_text(r, 1), robust ? "dead" : "reachable") == 0)
            err_set(err, ERR_USAGE, "goal %s %s: there is nothing to justify", goal,
                    robust ? "is proved not to happen" : "is reachable");
        key = arena_strdup(arena, rows_text(r, 0));
    }
    if (rows_close(r, err) && !key) {
        err_set(err, ERR_USAGE, "no goal '%s' in %s", goal, store_path(db));
        err_remedy(err, "'goalkeeper query' lists goals with numbers and keys");
    }
    return err->code == ERR_NONE ? key : NULL;
}

/* What somebody else has signed is not changed in passing. */
static bool may_enter(const struct ledger *l, const struct options *o, const char *goal,
                      const char *key, struct err *err) {
    const struct ledger_entry *old = ledger_find(l, key);
    if (!old || o->replace || strcmp(old->author, o->author) == 0)
        return true;
    err_set(err, ERR_USAGE, "goal %s is justified by %s (%s): %s", goal, old->author, old->date,
            old->reason);
    return err_remedy(err, "--replace puts your entry in the place of that one");
}

static void enter(struct ledger *l, struct store *db, const struct options *o, const char *key) {
    ledger_put(l,
               &(struct ledger_entry){.key = key,
                                      .category = o->category,
                                      .reason = o->reason,
                                      .author = o->author,
                                      .reviewer = o->reviewer,
                                      .date = date_today(&l->arena),
                                      .expires = o->expires,
                                      .function_hash = ledger_function_hash(&l->arena, db, key)});
}

/* The goals of a cause that have no justification of somebody else's. */
static bool goals_of_cause(struct store *db, uint64_t cause, struct texts *goals,
                           struct arena *arena, struct err *err) {
    struct rows *r = rows_open(db, "SELECT goal_id FROM goal_status WHERE cause = ?1", err);
    size_t before = goals->len;
    rows_bind_int(r, 1, (int64_t)cause);
    while (rows_next(r))
        vec_push(goals, arena_printf(arena, "%lld", (long long)rows_int(r, 0)));
    if (!rows_close(r, err))
        return false;
    if (goals->len > before)
        return true;
    err_set(err, ERR_USAGE, "no goal in %s is dead of cause %llu", store_path(db),
            (unsigned long long)cause);
    return err_remedy(err, "'goalkeeper query --status dead' shows causes");
}

static bool enter_all(struct ledger *l, struct store *db, const struct options *o,
                      const struct texts *goals, struct texts *keys, struct err *err) {
    for (size_t i = 0; i < goals->len; i++) {
        const char *goal = goals->data[i], *key = key_of(db, goal, &l->arena, err);
        if (!key || !may_enter(l, o, goal, key, err))
            return false;
        vec_push(keys, key);
    }
    for (size_t i = 0; i < keys->len; i++)
        enter(l, db, o, keys->data[i]);
    return ledger_write(l, err) && ledger_sync(l, db, err);
}

int cmd_justify(const struct options *o) {
    struct err err = {0};
    struct store *db = NULL;
    struct ledger ledger = {0};
    struct texts keys = {0}, goals = {0};
    const char *path = o->arguments.data[0];
    for (size_t i = 1; i < o->arguments.len; i++)
        vec_push(&goals, o->arguments.data[i]);
    bool ok = check_options(o, &err) && store_open(&db, path, STORE_WRITE, &err) &&
              ledger_open(&ledger, path, &err) &&
              (!option_given(o, OPT_cause) ||
               goals_of_cause(db, o->cause, &goals, &ledger.arena, &err)) &&
              enter_all(&ledger, db, o, &goals, &keys, &err);
    for (size_t i = 0; ok && i < keys.len; i++)
        printf("goal %s (%s) is justified in %s\n", goals.data[i], keys.data[i], ledger.path);
    vec_free(&keys);
    vec_free(&goals);
    ledger_close(&ledger);
    store_close(db);
    return ok ? 0 : command_fail(&err);
}
