/* Are the reasons of dead goals minimal? For each goal the proof that its reason is
 * (`reason_proof`) goes to stock CBMC, claimed for this goal alone: it must be confirmed, and no
 * more be a proof without any one of its elements (clauses, ranges, assumptions, values).
 *
 *     bench/reasons [--seconds 60] DB...
 *
 * One line a database; then what was not as it should be. Goals of one probe are asked about once;
 * those that are dead because of another goal, whose certificate they have, are not.
 */
#include "base/file.h"
#include "base/tool.h"
#include "bench/recheck.h"
#include "db/rows.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct count {
    unsigned dead, told, asked, probes, elements, confirmed, refuted, minimal, loose, undecided;
    double seconds;
};

struct bench {
    struct recheck by;
    const char *path;
    struct str notes;
};

/* Only this probe of all that the certificate claims. */
static bool claim_one(const char *text, int64_t probe, struct str *out) {
    const char *list = strstr(text, "static const unsigned char gk_listed[");
    const char *open = list ? strchr(list, '{') : NULL, *close = open ? strchr(open, '}') : NULL;
    if (!close)
        return false;
    str_addn(out, text, (size_t)(open - text));
    str_addf(out, "{[%lld] = 1", (long long)probe);
    str_add(out, close);
    return true;
}

static unsigned elements_of(const char *text) {
    const char *line = strstr(text, " * Minimal: "), *last = line ? strstr(line, "1 to ") : NULL;
    return last ? (unsigned)strtoul(last + 5, NULL, 10) : 0;
}

static void note(struct bench *b, int64_t goal, unsigned element, const char *answer) {
    str_addf(&b->notes, "  %s: goal %lld", b->path, (long long)goal);
    if (element)
        str_addf(&b->notes, " without element %u", element);
    str_addf(&b->notes, ": %s\n", answer);
}

static void check(struct bench *b, int64_t goal, const char *text, unsigned goals,
                  struct count *c) {
    unsigned n = elements_of(text), needed = 0, undecided = 0;
    const char *answer = recheck(&b->by, text, NULL, &c->seconds);
    c->probes++;
    c->asked += goals;
    c->elements += n;
    c->refuted += str_same(answer, "FAILED") ? goals : 0;
    if (!str_same(answer, "confirmed")) {
        c->undecided += str_same(answer, "FAILED") ? 0 : goals;
        note(b, goal, 0, answer);
        return;
    }
    c->confirmed += goals;
    for (unsigned i = 1; i <= n; i++) {
        char define[32];
        snprintf(define, sizeof define, "GK_DROP=%u", i);
        answer = recheck(&b->by, text, define, &c->seconds);
        needed += str_same(answer, "FAILED");
        undecided += !str_same(answer, "FAILED") && !str_same(answer, "confirmed");
        if (!str_same(answer, "FAILED"))
            note(b, goal, i, answer);
    }
    assert(needed + undecided <= n);
    c->minimal += needed == n ? goals : 0;
    c->loose += needed + undecided < n ? goals : 0;
    c->undecided += needed < n && needed + undecided == n ? goals : 0;
}

static bool check_all(struct bench *b, struct store *db, struct count *c, struct err *err) {
    struct rows *r =
        rows_open(db,
                  "SELECT min(g.id), g.probe, r.proof, count(*) FROM reason_proof r JOIN goal g ON "
                  "g.id = r.goal AND g.status = 'dead' JOIN because b ON b.goal = g.id AND "
                  "b.class <> 'upstream' GROUP BY g.probe ORDER BY 1",
                  err);
    bool ok = r != NULL;
    while (ok && rows_next(r)) {
        struct str text = {0}, one = {0};
        ok = store_certificate(db, rows_int(r, 2), &text, err);
        if (ok && claim_one(str_text(&text), rows_int(r, 1), &one))
            check(b, rows_int(r, 0), str_text(&one), (unsigned)rows_int(r, 3), c);
        str_free(&text);
        str_free(&one);
    }
    return rows_close(r, err) && ok;
}

static bool count_dead(struct store *db, struct count *c, struct err *err) {
    struct rows *r = rows_open(db,
                               "SELECT count(*), sum(because IS NOT NULL) "
                               "FROM goal_status WHERE status = 'dead'",
                               err);
    if (rows_next(r)) {
        c->dead = (unsigned)rows_int(r, 0);
        c->told = (unsigned)rows_int(r, 1);
    }
    return rows_close(r, err);
}

static void print(const char *name, const struct count *c) {
    printf("%-40s %5u %5u %5u %6u %8u %9u %7u %7u %5u %9u %8.1f\n", name, c->dead, c->told,
           c->asked, c->probes, c->elements, c->confirmed, c->refuted, c->minimal, c->loose,
           c->undecided, c->seconds);
}

static void add(struct count *all, const struct count *c) {
    all->dead += c->dead;
    all->told += c->told;
    all->asked += c->asked;
    all->probes += c->probes;
    all->elements += c->elements;
    all->confirmed += c->confirmed;
    all->refuted += c->refuted;
    all->minimal += c->minimal;
    all->loose += c->loose;
    all->undecided += c->undecided;
    all->seconds += c->seconds;
}

static bool check_database(struct bench *b, const char *path, struct count *all, struct err *err) {
    struct store *db = NULL;
    struct count c = {0};
    b->path = path;
    bool ok = store_open(&db, path, STORE_READ, err) && count_dead(db, &c, err) &&
              check_all(b, db, &c, err);
    store_close(db);
    print(path, &c);
    fflush(stdout);
    add(all, &c);
    return ok;
}

int main(int argc, char **argv) {
    struct arena arena = {0};
    struct err err = {0};
    struct count all = {0};
    struct bench b = {.by = {.cbmc = tool_cbmc(&arena), .seconds = 60}};
    int first = argc > 2 && str_same(argv[1], "--seconds") ? 3 : 1;
    if (first == 3)
        b.by.seconds = strtod(argv[2], NULL);
    if (!b.by.cbmc || first >= argc || b.by.seconds <= 0) {
        fprintf(stderr, "usage: reasons [--seconds N] DB...   (CBMC %s)\n",
                b.by.cbmc ? b.by.cbmc : "is not installed");
        return 2;
    }
    printf("%-40s %5s %5s %5s %6s %8s %9s %7s %7s %5s %9s %8s\n", "database", "dead", "told",
           "asked", "probes", "elements", "confirmed", "refuted", "minimal", "loose", "undecided",
           "CPU s");
    bool ok = true;
    for (int i = first; ok && i < argc; i++)
        ok = check_database(&b, argv[i], &all, &err);
    print("all", &all);
    printf("%s", str_text(&b.notes));
    if (!ok)
        err_print(&err);
    str_free(&b.notes);
    arena_free(&arena);
    return ok && all.refuted == 0 && all.loose == 0 ? 0 : 1;
}
