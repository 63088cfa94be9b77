/* Every certificate of the given databases, checked by stock CBMC with the very command that its
 * head names, on one core:
 *
 *     bench/certificates [--seconds 120] DB...
 *
 * One line per proof: database, proof, engine, dead goals, what CBMC says, seconds. Those that are
 * not confirmed are listed with the reason, so are dead goals without a certificate. */
#include "base/file.h"
#include "base/tool.h"
#include "bench/recheck.h"
#include "db/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct totals {
    unsigned confirmed, failed, undecided, without;
    double seconds;
};

static void count(struct totals *totals, const char *answer, double seconds) {
    totals->confirmed += str_same(answer, "confirmed");
    totals->failed += str_same(answer, "FAILED");
    totals->undecided += !str_same(answer, "confirmed") && !str_same(answer, "FAILED");
    totals->seconds += seconds;
}

static bool check_database(const char *path, const struct recheck *by, struct totals *totals,
                           struct err *err) {
    struct store *db = NULL;
    struct arena arena = {0};
    if (!store_open(&db, path, STORE_READ, err))
        return false;
    struct rows *r = rows_open(db,
                               "SELECT p.id, p.engine, count(*) FROM goal g JOIN "
                               "proof p ON g.proof = p.id WHERE g.status = 'dead' GROUP BY p.id",
                               err);
    bool ok = true;
    while (ok && rows_next(r)) {
        double seconds = 0;
        const char *answer = "has no certificate";
        struct str text = {0};
        ok = store_certificate(db, rows_int(r, 0), &text, err);
        if (text.len == 0)
            totals->without += (unsigned)rows_int(r, 2);
        else
            count(totals, answer = recheck(by, str_text(&text), NULL, &seconds), seconds);
        str_free(&text);
        printf("%s  proof %lld  %s  %lld goals  %s  %.1f s\n", path, (long long)rows_int(r, 0),
               rows_text(r, 1), (long long)rows_int(r, 2), answer, seconds);
    }
    ok = rows_close(r, err) && ok;
    store_close(db);
    arena_free(&arena);
    return ok;
}

int main(int argc, char **argv) {
    struct arena arena = {0};
    struct totals totals = {0};
    struct err err = {0};
    bool ok = true;
    struct recheck by = {.cbmc = tool_cbmc(&arena), .seconds = 120};
    int first = argc > 2 && strcmp(argv[1], "--seconds") == 0 ? 3 : 1;
    if (first == 3)
        by.seconds = strtod(argv[2], NULL);
    if (!by.cbmc || first >= argc || by.seconds <= 0) {
        fprintf(stderr, "usage: certificates [--seconds N] DB...   (CBMC %s)\n",
                by.cbmc ? by.cbmc : "is not installed");
        return 2;
    }
    for (int i = first; ok && i < argc; i++)
        ok = check_database(argv[i], &by, &totals, &err);
    if (!ok)
        err_print(&err);
    printf("%u certificates confirmed, %u failed, %u not decided, %.1f s; %u dead goals without\n",
           totals.confirmed, totals.failed, totals.undecided, totals.seconds, totals.without);
    arena_free(&arena);
    return ok && totals.failed == 0 ? 0 : 1;
}
