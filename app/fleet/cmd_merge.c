/* merge: databases of one program into one; 5 when their verdicts contradict. */
#include "app/cli/command.h"
#include "db/seal.h"
#include "db/merge.h"

#include <stdio.h>

static void print_merged(const struct merged *m, const char *out) {
    printf("%s: %zu goals from %zu databases: %zu reachable, %zu dead, %zu open\n", out, m->goals,
           m->inputs, m->reachable, m->dead, m->open);
    for (size_t i = 0; i < m->alarms.len; i++) {
        const struct merge_alarm *a = &m->alarms.data[i];
        printf("alarm: goal %lld, %s:%lld: %s\n", (long long)a->goal, a->file, (long long)a->line,
               a->text);
    }
}

/* Nothing that came from elsewhere has to be believed. The database is the first argument of audit,
 * too. */
static int audit(const struct options *o) {
    fflush(stdout);
    return cmd_audit(o);
}

static bool seal(const char *path, struct err *err) {
    struct store *db = NULL;
    bool ok = store_open(&db, path, STORE_WRITE, err) && seal_set(db, err);
    store_close(db);
    return ok;
}

int cmd_merge(const struct options *o) {
    struct err err = {0};
    struct merged merged = {0};
    const char *out = o->arguments.data[0];
    assert(o->arguments.len >= 2);
    int code = 0;
    if (!store_merge(out, o->arguments.data + 1, o->arguments.len - 1, &merged, &err)) {
        code = command_fail(&err);
    } else if (!seal(out, &err)) {
        code = command_fail(&err);
    } else {
        print_merged(&merged, out);
        code = merged.alarms.len > 0 ? ERR_EVIDENCE : 0;
        if (merged.alarms.len > 0)
            log_warning(o->log,
                        "verdicts contradict: both sides are kept in the table 'alarm' of "
                        "%s; please report this",
                        out);
        int audited = o->audit ? audit(o) : 0;
        code = code ? code : audited;
    }
    merged_free(&merged);
    return code;
}
