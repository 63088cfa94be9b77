/* Every certificate of the given databases, checked by stock CBMC with the very command that its
 * head names, on one core:
 *
 *     bench/certificates [--seconds 120] DB...
 *
 * One line a proof: database, proof, engine, dead goals, what CBMC says, seconds. Those that are
 * not confirmed are listed with the reason, so are dead goals without a certificate. */
#include "base/child.h"
#include "base/file.h"
#include "base/tool.h"
#include "db/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct totals {
    unsigned confirmed, failed, undecided, without;
    double seconds;
};

static double limit = 120;
static char *cbmc;

/* The words of "Check: cbmc … FILE" in the head of a certificate. */
static bool command_of(struct arena *arena, const char *text, const char *file, const char **argv,
                       int most) {
    static const char mark[] = " * Check: cbmc ";
    const char *line = strstr(text, mark);
    if (!line)
        return false;
    char *words =
        arena_strndup(arena, line + sizeof mark - 1, strcspn(line + sizeof mark - 1, "\n"));
    int n = 0;
    argv[n++] = cbmc;
    for (char *word; (word = strsep(&words, " ")) && n + 1 < most;)
        argv[n++] = str_same(word, "FILE") ? file : word;
    argv[n] = NULL;
    return true;
}

/* What CBMC says of one file, in a word or two. */
static const char *check(struct arena *arena, const char *text, double *seconds) {
    struct str dir = {0};
    struct err err = {0};
    const char *argv[32], *answer = "cannot be started";
    struct child_result r = {0};
    if (!file_temp_dir(&dir, &err))
        return "no temporary folder";
    const char *file = path_join(arena, str_text(&dir), "certificate.c");
    if (!command_of(arena, text, file, argv, 32)) {
        answer = "its head names no command";
    } else if (file_write(file, text, strlen(text), &err)) {
        struct child_spec spec = {.argv = argv, .cpu_seconds = limit, .wall_seconds = 4 * limit};
        if (child_run(&spec, &r, &err)) {
            *seconds = r.cpu_seconds;
            answer = strstr(str_text(&r.out), "VERIFICATION SUCCESSFUL") && r.code == 0
                         ? "confirmed"
                     : r.end == CHILD_EXITED && r.code == 10 ? "FAILED"
                     : r.end == CHILD_EXITED                 ? "error"
                                                             : "time";
        }
    }
    child_result_free(&r);
    file_remove_tree(str_text(&dir));
    str_free(&dir);
    err_clear(&err);
    return answer;
}

static void count(struct totals *totals, const char *answer, double seconds) {
    totals->confirmed += str_same(answer, "confirmed");
    totals->failed += str_same(answer, "FAILED");
    totals->undecided += !str_same(answer, "confirmed") && !str_same(answer, "FAILED");
    totals->seconds += seconds;
}

static bool check_database(const char *path, struct totals *totals, struct err *err) {
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
            count(totals, answer = check(&arena, str_text(&text), &seconds), seconds);
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
    cbmc = tool_cbmc(&arena);
    int first = argc > 2 && strcmp(argv[1], "--seconds") == 0 ? 3 : 1;
    if (first == 3)
        limit = strtod(argv[2], NULL);
    if (!cbmc || first >= argc || limit <= 0) {
        fprintf(stderr, "usage: certificates [--seconds N] DB...   (CBMC %s)\n",
                cbmc ? cbmc : "is not installed");
        return 2;
    }
    for (int i = first; ok && i < argc; i++)
        ok = check_database(argv[i], &totals, &err);
    if (!ok)
        err_print(&err);
    printf("%u certificates confirmed, %u failed, %u not decided, %.1f s; %u dead goals without\n",
           totals.confirmed, totals.failed, totals.undecided, totals.seconds, totals.without);
    arena_free(&arena);
    return ok && totals.failed == 0 ? 0 : 1;
}
