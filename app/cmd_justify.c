/* justify: accepts a dead or open goal, in the ledger and in the database. */
#include "app/command.h"
#include "app/evidence_file.h"
#include "app/ledger.h"
#include "db/rows.h"
#include "report/date.h"

#include <stdio.h>
#include <string.h>

static bool check_options(const struct options *o, struct err *err) {
    if (!o->reason || !*o->reason || !o->author || !*o->author)
        return err_set(err, ERR_USAGE, "justify: --reason and --author are needed");
    if (o->expires && !date_is(o->expires))
        return err_set(err, ERR_USAGE, "justify: --expires '%s' is not a date, YYYY-MM-DD",
                       o->expires);
    if (o->reviewer && strcmp(o->reviewer, o->author) == 0)
        return err_set(err, ERR_USAGE, "justify: the reviewer must not be the author");
    return true;
}

/* The key of a goal that can be justified. */
static const char *key_of(struct store *db, int64_t goal, struct arena *arena, struct err *err) {
    struct rows *r = rows_open(db, "SELECT key, status, kind FROM goal WHERE id = ?1", err);
    rows_bind_int(r, 1, goal);
    const char *key = NULL;
    if (rows_next(r)) {
        int kind = criterion_find(rows_text(r, 2));
        bool robust = kind >= 0 && criteria[kind].robustness;
        if (strcmp(rows_text(r, 1), robust ? "dead" : "reachable") == 0)
            err_set(err, ERR_USAGE, "goal %lld %s: there is nothing to justify", (long long)goal,
                    robust ? "is proved not to happen" : "is reachable");
        key = arena_strdup(arena, rows_text(r, 0));
    }
    return rows_close(r, err) && err->code == ERR_NONE ? key : NULL;
}

static bool enter(struct ledger *l, struct store *db, const struct options *o, const char *key,
                  struct err *err) {
    ledger_put(l,
               &(struct ledger_entry){.key = key,
                                      .category = o->category,
                                      .reason = o->reason,
                                      .author = o->author,
                                      .reviewer = o->reviewer,
                                      .date = date_today(&l->arena),
                                      .expires = o->expires,
                                      .function_hash = ledger_function_hash(&l->arena, db, key)});
    return ledger_write(l, err) && ledger_sync(l, db, err);
}

int cmd_justify(const struct options *o) {
    struct err err = {0};
    struct evidence_file file = {0};
    struct ledger ledger = {0};
    struct arena arena = {0};
    const char *path = o->arguments.data[0], *key = NULL;
    bool ok = check_options(o, &err) && evidence_file_open(&file, path, STORE_WRITE, &err);
    int64_t goal = ok ? evidence_file_goal(&file, o->arguments.data[1], &err) : 0;
    ok = goal && (key = key_of(file.db, goal, &arena, &err)) && ledger_open(&ledger, path, &err) &&
         enter(&ledger, file.db, o, key, &err);
    if (ok)
        printf("goal %lld (%s) is justified in %s\n", (long long)goal, key, ledger.path);
    ledger_close(&ledger);
    evidence_file_close(&file);
    arena_free(&arena);
    return ok ? 0 : command_fail(&err);
}
