#include "verdicts.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>

struct goal_row {
    uint32_t goal, mark; /* NONE: nobody marked it */
    unsigned char bit;
    bool reachable, tested;
    char text[80];
};
VEC_STRUCT(goal_rows, struct goal_row);

enum { NO_MARK = UINT32_MAX };

struct checker {
    const struct sample *s;
    const struct oracle *o;
    const struct verdict_options *options;
    struct verdict_totals *totals;
    struct arena *arena;
    const char *plain; /* the folder of the module */
    struct goal_rows rows;
    unsigned char *listed; /* by mark: the bits that goals are about */
};

#define RUN(dir, out, err, ...)                                                                    \
    run_well(dir, (const char *const[]){__VA_ARGS__, NULL}, NULL, out, err)

/* ---- goals ---- */

/* The bit of a mark that makes a goal true, by the kind and the value of the goal. */
static bool is_about(enum mark_kind mark, const char *kind, int value, unsigned char *bit) {
    static const struct {
        const char *kind;
        enum mark_kind mark;
        unsigned char bits[2];
    } rows[] = {{"function", MARK_FUNCTION, {1, 1}},
                {"statement", MARK_STATEMENT, {1, 1}},
                {"call", MARK_CALL, {1, 1}},
                {"case", MARK_LABEL, {1, 1}},
                {"branch", MARK_BRANCH, {SEEN_FALSE, SEEN_TRUE}},
                {"condition", MARK_CONDITION, {SEEN_FALSE, SEEN_TRUE}},
                {"mcdc", MARK_CONDITION, {DECIDED_FALSE, DECIDED_TRUE}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_same(rows[i].kind, kind) && rows[i].mark == mark) {
            *bit = rows[i].bits[value != 0];
            return true;
        }
    return false;
}

static bool find_mark(struct checker *c, const char *file, uint32_t line, uint32_t col,
                      const char *kind, int value, struct goal_row *row, struct err *err) {
    unsigned found = 0;
    row->mark = NO_MARK;
    for (size_t i = 0; i < c->s->marks.len; i++) {
        const struct mark *m = &c->s->marks.data[i];
        unsigned char bit;
        if (m->line != line || m->col != col || !str_same(c->s->files[m->file].name, file) ||
            !is_about(m->kind, kind, value, &bit))
            continue;
        row->mark = (uint32_t)i;
        row->bit = bit;
        found++;
    }
    return found <= 1 || err_set(err, ERR_INTERNAL, "two marks at %s:%u:%u", file, line, col);
}

static bool judge(struct checker *c, const struct goal_row *row, const char *status,
                  struct err *err) {
    struct verdict_totals *t = c->totals;
    bool some = c->o->any[row->mark] & row->bit, every = c->o->all[row->mark] & row->bit;
    t->goals++;
    if (str_same(status, "open")) {
        t->open_reachable += some;
        t->open_unseen += !some;
        return true;
    }
    t->reachable += row->reachable;
    t->dead += !row->reachable;
    if (!row->reachable && some)
        return err_set(err, ERR_EVIDENCE, "%s is called dead; a build of the source reaches it",
                       row->text);
    if (row->reachable && c->o->complete && !every)
        return err_set(err, ERR_EVIDENCE, "%s is called reachable; %s", row->text,
                       some ? "not every build of the source reaches it"
                            : "no build of the source reaches it");
    return true;
}

/* One row: goal, kind, file, line, col, value, status. */
static bool judge_row(struct checker *c, const char *text, struct err *err) {
    char kind[32], file[64], status[32];
    unsigned line, col;
    int value;
    struct goal_row row = {0};
    if (sscanf(text, "%u,%31[^,],%63[^,],%u,%u,%d,%31[a-z]", &row.goal, kind, file, &line, &col,
               &value, status) != 7)
        return err_set(err, ERR_INTERNAL, "unexpected row '%s'", text);
    snprintf(row.text, sizeof row.text, "%.20s:%u:%u: %.12s %d", file, line, col, kind, value);
    row.reachable = str_same(status, "reachable");
    if (!find_mark(c, file, line, col, kind, value, &row, err))
        return false;
    if (row.mark == NO_MARK) {
        c->totals->unmarked++;
        return err_set(err, ERR_INTERNAL, "%s: a goal that nobody wrote", row.text);
    }
    vec_push(&c->rows, row);
    c->listed[row.mark] |= row.bit;
    return judge(c, &row, status, err);
}

static bool each_row(struct checker *c, struct str *rows,
                     bool (*each)(struct checker *, const char *, struct err *), struct err *err) {
    char *at = rows->data, *row;
    while (at && (row = strsep(&at, "\r\n")))
        if (row[0] >= '0' && row[0] <= '9' && !each(c, row, err))
            return false;
    return true;
}

/* Everything that was marked must be a goal; of a header's functions, those that a unit calls. */
static bool find_missing(struct checker *c, struct err *err) {
    bool header_is_used = false;
    for (size_t i = 0; i < c->s->marks.len; i++)
        header_is_used |= c->s->marks.data[i].file == FILE_HEADER && c->listed[i];
    for (size_t i = 0; i < c->s->marks.len; i++) {
        const struct mark *m = &c->s->marks.data[i];
        if (m->file == FILE_HEADER && !header_is_used)
            continue;
        unsigned char wanted = SEEN_FALSE;
        if (m->kind == MARK_BRANCH)
            wanted = SEEN_FALSE | SEEN_TRUE;
        if (m->kind == MARK_CONDITION)
            wanted = c->s->decisions.data[m->decision].n_conditions > 1
                         ? SEEN_FALSE | SEEN_TRUE | DECIDED_FALSE | DECIDED_TRUE
                         : SEEN_FALSE | SEEN_TRUE;
        if ((c->listed[i] & wanted) != wanted) {
            static const char *const names[] = {"function", "statement", "call",
                                                "case",     "branch",    "condition"};
            return err_set(err, ERR_EVIDENCE, "%s:%u:%u: a %s that is not among the goals",
                           c->s->files[m->file].name, m->line, m->col, names[m->kind]);
        }
    }
    return true;
}

static bool judge_all(struct checker *c, struct err *err) {
    const struct verdict_options *o = c->options;
    struct str rows = {0};
    remove(path_join(c->arena, c->plain, "m.db"));
    bool ok = RUN(c->plain, NULL, err, o->program, "run", "goalkeeper.json", "--db", "m.db",
                  "--quiet", "--seconds", o->seconds, "--cpu-seconds", o->cpu_seconds, "-j", "1",
                  o->engines ? "--engines" : NULL, o->engines) &&
              RUN(c->plain, &rows, err, o->program, "query", "m.db", "--format", "csv", "--sql",
                  "SELECT goal_id, kind, file, line, col, coalesce(value, 1), status "
                  "FROM goal_status") &&
              each_row(c, &rows, judge_row, err) && find_missing(c, err);
    str_free(&rows);
    return ok;
}

/* ---- exported tests ---- */

/* A row of goals.csv: goal, key, test, problem. */
static bool tested_row(struct checker *c, const char *text, struct err *err) {
    unsigned goal;
    char key[32], test[32];
    (void)err;
    if (sscanf(text, "%u,%31[^,],%31[^,]", &goal, key, test) != 3)
        return true;
    for (size_t i = 0; i < c->rows.len; i++)
        c->rows.data[i].tested |= c->rows.data[i].goal == goal;
    return true;
}

/* The tests that are enough for all goals: the words behind SUITE in the Makefile. */
static void read_suite(const char *makefile, struct str *suite) {
    const char *at = strstr(makefile, "\nSUITE =");
    size_t n = at ? strcspn(at + 1, "\n") : 0;
    if (n > strlen("SUITE ="))
        str_addn(suite, at + 1 + strlen("SUITE ="), n - strlen("SUITE ="));
}

static bool build_tests(struct checker *c, const char *dir, const struct oracle_build *b,
                        struct err *err) {
    const char *cc = arena_printf(c->arena, "CC=%s", b->compiler);
    const char *flags =
        arena_printf(c->arena, "CFLAGS=-w %s -I%s/tests/truth/runtime", b->optimise, GK_SOURCE_DIR);
    const char *model = c->s->ilp32 ? "-m32" : "-m64";
    const char *project =
        arena_printf(c->arena, "PROJECT=%s", path_join(c->arena, c->o->dir, "oracle"));
    return RUN(dir, NULL, err, b->compiler, "-w", model, "-c", "-O1",
               GK_SOURCE_DIR "/tests/truth/runtime/tested.c") &&
           RUN(dir, NULL, err, b->compiler, "-w", model, "-c", "-O1",
               GK_SOURCE_DIR "/tests/truth/runtime/seen.c") &&
           RUN(dir, NULL, err, "make", "-s", "clean", "suite", cc, flags, project,
               arena_printf(c->arena, "LDLIBS=%s/tested.o %s/seen.o -lm", dir, dir));
}

/* Runs each test of the suite again, to read what it has seen. */
static bool run_tests(struct checker *c, const char *dir, const char *suite,
                      const struct oracle_build *b, unsigned char *seen, struct err *err) {
    const char *path = path_join(c->arena, dir, "seen.txt");
    const char *environment[] = {arena_printf(c->arena, "GKT_SEEN=%s", path),
                                 arena_printf(c->arena, "GKT_ANY=%s", b->any), NULL};
    char name[64];
    int used;
    for (const char *at = suite; sscanf(at, " %63s%n", name, &used) == 1; at += used) {
        const char *argv[] = {arena_printf(c->arena, "./build/%s", name), NULL};
        struct str text = {0};
        remove(path);
        bool ok = run_well(dir, argv, environment, NULL, err) && file_read(path, &text, err) &&
                  (oracle_read(c->s, str_text(&text), seen) ||
                   err_set(err, ERR_INTERNAL, "%s says nothing", name));
        str_free(&text);
        if (!ok)
            return false;
        c->totals->tests++;
    }
    return true;
}

static bool compare_tests(struct checker *c, const struct oracle_build *b,
                          const unsigned char *seen, struct err *err) {
    for (size_t i = 0; i < c->rows.len; i++) {
        const struct goal_row *row = &c->rows.data[i];
        if (row->reachable && row->tested && !(seen[row->mark] & row->bit))
            return err_set(err, ERR_EVIDENCE,
                           "%s is called reachable; its exported test, built by %s %s, does not "
                           "hit it",
                           row->text, b->compiler, b->optimise);
    }
    return true;
}

static bool check_tests(struct checker *c, struct err *err) {
    const char *out = path_join(c->arena, c->o->dir, "tests");
    const char *dir = path_join(c->arena, out, "plain");
    struct str goals = {0}, makefile = {0}, suite = {0};
    file_remove_tree(out);
    bool ok = RUN(c->plain, NULL, err, c->options->program, "export", "m.db", "-o", out, "--tests",
                  "plain", "--quiet") &&
              file_read(path_join(c->arena, dir, "goals.csv"), &goals, err) &&
              file_read(path_join(c->arena, dir, "Makefile"), &makefile, err) &&
              each_row(c, &goals, tested_row, err);
    read_suite(str_text(&makefile), &suite);
    for (unsigned i = 0; ok && suite.len && i < c->options->test_builds; i++) {
        const struct oracle_build *b = &oracle_builds[(c->options->first_build + i) % BUILDS];
        unsigned char *seen = arena_alloc(c->arena, c->s->marks.len);
        ok = build_tests(c, dir, b, err) && run_tests(c, dir, str_text(&suite), b, seen, err);
        if (c->o->forged == DEAF)
            memset(seen, 0, c->s->marks.len);
        ok = ok && compare_tests(c, b, seen, err);
    }
    str_free(&goals);
    str_free(&makefile);
    str_free(&suite);
    return ok;
}

bool verdicts_check(const struct sample *s, const struct oracle *o,
                    const struct verdict_options *options, struct verdict_totals *totals,
                    struct arena *arena, struct err *err) {
    struct checker c = {s,       o,
                        options, totals,
                        arena,   path_join(arena, o->dir, "plain"),
                        {0},     arena_alloc(arena, s->marks.len)};
    bool ok = judge_all(&c, err) && (options->test_builds == 0 || check_tests(&c, err));
    vec_free(&c.rows);
    return ok;
}
