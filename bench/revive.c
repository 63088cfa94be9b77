/* bench revive: is the reason of a dead goal the reason?
 *
 *     build/bench/revive [--cpu-seconds 60] FOLDER...      projects, each a folder
 *
 * Each project is decided in a copy. Then, for each cause that names a calibration value, that
 * value is changed in the copy's source to the one with which the reason says that the goals are
 * reachable; for each that names ranges of inputs alone, these become those of the type (a float's
 * a hundred times as wide) in the project file. The copy is decided anew, without the database from
 * before: no goal of the cause may be dead still. A row a cause; exit code 1 when one is.
 */
#include "base/child.h"
#include "base/file.h"
#include "db/rows.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cause {
    const char *class, *text;
    VEC(const char *) goals; /* keys */
};

/* A range of an input as the program has it. */
struct input {
    const char *path;
    char type; /* as in the table `variable` */
    unsigned bits;
};

struct tally {
    unsigned causes, goals, reachable, dead, open;
};

struct bench {
    struct arena arena;
    const char *program, *project; /* a folder */
    const char *dir;               /* for copies */
    const char *cpu_seconds;
    VEC(struct cause) causes;
    VEC(struct input) inputs;
    struct tally all;
};

/* ---- programs ---- */

static bool run(const char *const *argv, double *seconds, struct err *err) {
    struct child_spec spec = {.argv = argv, .wall_seconds = 7200};
    struct child_result result = {0};
    bool ok = child_run(&spec, &result, err);
    if (ok && (result.end != CHILD_EXITED || result.code != 0))
        ok = err_set(err, ERR_INTERNAL, "%s: exit code %d: %s", argv[0], result.code,
                     str_text(&result.err));
    *seconds = result.cpu_seconds;
    child_result_free(&result);
    return ok;
}

/* A fresh copy of the project. */
static bool copy_project(struct bench *b, struct err *err) {
    const char *copy = path_join(&b->arena, b->dir, "copy");
    const char *const argv[] = {"cp", "-r", b->project, copy, NULL};
    double unused;
    file_remove_tree(copy);
    return run(argv, &unused, err);
}

static bool decide(struct bench *b, const char *database, double *seconds, struct err *err) {
    const char *const argv[] = {b->program,
                                "run",
                                path_join(&b->arena, b->dir, "copy"),
                                "--db",
                                path_join(&b->arena, b->dir, database),
                                "-j",
                                "1",
                                "--seconds",
                                "7200",
                                "--cpu-seconds",
                                b->cpu_seconds,
                                NULL};
    file_remove_tree(path_join(&b->arena, b->dir, database));
    return run(argv, seconds, err);
}

/* ---- what the first run says ---- */

static bool read_goals(struct bench *b, struct store *db, int64_t id, struct cause *c,
                       struct err *err) {
    struct rows *r = rows_open(db,
                               "SELECT g.key FROM because w JOIN goal g ON g.id = w.goal WHERE "
                               "w.cause = ?1 AND g.status = 'dead' ORDER BY g.id",
                               err);
    rows_bind_int(r, 1, id);
    while (rows_next(r))
        vec_push(&c->goals, arena_strdup(&b->arena, rows_text(r, 0)));
    return rows_close(r, err);
}

static bool read_causes(struct bench *b, struct store *db, struct err *err) {
    struct rows *r = rows_open(db,
                               "SELECT cause, class, text FROM cause WHERE class IN "
                               "('calibration', 'range') ORDER BY cause",
                               err);
    bool ok = r != NULL;
    while (ok && rows_next(r)) {
        struct cause c = {.class = arena_strdup(&b->arena, rows_text(r, 1)),
                          .text = arena_strdup(&b->arena, rows_text(r, 2))};
        ok = read_goals(b, db, rows_int(r, 0), &c, err);
        vec_push(&b->causes, c);
    }
    return rows_close(r, err) && ok;
}

static bool read_inputs(struct bench *b, struct store *db, struct err *err) {
    struct rows *r = rows_open(
        db, "SELECT path, type, bits FROM variable WHERE role = 'input' ORDER BY number", err);
    while (rows_next(r))
        vec_push(&b->inputs, (struct input){arena_strdup(&b->arena, rows_text(r, 0)),
                                            rows_text(r, 1)[0], (unsigned)rows_int(r, 2)});
    return rows_close(r, err);
}

static bool read_database(struct bench *b, struct err *err) {
    struct store *db = NULL;
    bool ok = store_open(&db, path_join(&b->arena, b->dir, "first.db"), STORE_READ, err) &&
              read_causes(b, db, err) && read_inputs(b, db, err);
    store_close(db);
    return ok;
}

/* ---- the change ---- */

static bool replace_in(const char *path, size_t at, size_t len, const char *by, struct err *err) {
    struct str text = {0}, changed = {0};
    bool ok = file_read(path, &text, err);
    assert(!ok || at + len <= text.len);
    if (ok) {
        str_addn(&changed, text.data, at);
        str_add(&changed, by);
        str_add(&changed, text.data + at + len);
        ok = file_write(path, changed.data, changed.len, err);
    }
    str_free(&text);
    str_free(&changed);
    return ok;
}

/* "`Cal_Gain` is 0.25 (src/cal.c:8)" and "with `Cal_Gain` = 4.5 it is reachable". */
struct calibration {
    const char *name, *file, *value;
    unsigned line;
};

static bool read_calibration(struct bench *b, const char *text, struct calibration *c) {
    const char *with = strstr(text, "with `"), *end = with ? strchr(with + 6, '`') : NULL;
    if (!end || !str_starts(end, "` = "))
        return false;
    c->name = arena_strndup(&b->arena, with + 6, (size_t)(end - with - 6));
    c->value = arena_strndup(&b->arena, end + 4, strcspn(end + 4, " ,"));
    const char *is = strstr(text, arena_printf(&b->arena, "`%s` is ", c->name));
    const char *open = is ? strchr(is, '(') : NULL;
    size_t len = open ? strcspn(open + 1, ":)") : 0;
    if (!open || open[1 + len] != ':')
        return false;
    c->file = arena_strndup(&b->arena, open + 1, len);
    c->line = (unsigned)strtoul(open + 2 + len, NULL, 10);
    return c->line > 0;
}

/* The initialiser in that line, as a number of the same kind. */
static const char *change_value(struct bench *b, const struct calibration *c, struct err *err) {
    const char *path = path_join(&b->arena, path_join(&b->arena, b->dir, "copy"), c->file);
    struct str text = {0};
    const char *what = NULL;
    if (!file_read(path, &text, err))
        return NULL;
    const char *line = str_text(&text);
    for (unsigned n = 1; line && n < c->line; n++)
        line = (line = strchr(line, '\n')) ? line + 1 : NULL;
    const char *name = line ? strstr(line, c->name) : NULL;
    const char *at = name ? name + strcspn(name, "=\n") : NULL;
    if (at && *at == '=') {
        at += 1 + strspn(at + 1, " ");
        size_t len = strcspn(at, " ;,/\n");
        bool is_float = len > 0 && at[len - 1] == 'F';
        const char *value =
            arena_printf(&b->arena, "%s%s%s", c->value,
                         is_float && !strpbrk(c->value, ".e") ? ".0" : "", is_float ? "F" : "");
        what = arena_printf(&b->arena, "%s %.*s -> %s", c->name, (int)len, at, value);
        if (!replace_in(path, (size_t)(at - str_text(&text)), len, value, err))
            what = NULL;
    }
    str_free(&text);
    return what;
}

/* The number behind "min": or "max": in the entry of this input. */
static bool change_bound(struct bench *b, const char *input, const char *key, double value,
                         struct err *err) {
    const char *path =
        path_join(&b->arena, path_join(&b->arena, b->dir, "copy"), "goalkeeper.json");
    struct str text = {0};
    bool ok = file_read(path, &text, err);
    const char *entry =
        strstr(str_text(&text), arena_printf(&b->arena, "{\"name\": \"%s\"", input));
    const char *at = entry ? strstr(entry, key) : NULL;
    if (ok && at && at < strchr(entry, '}')) {
        at += strlen(key) + strspn(at + strlen(key), "\": ");
        ok = replace_in(path, (size_t)(at - str_text(&text)), strcspn(at, ",} \n"),
                        arena_printf(&b->arena, "%.17g", value), err);
    } else if (ok) {
        ok = err_set(err, ERR_USAGE, "%s: no \"%s\" of input %s", path, key, input);
    }
    str_free(&text);
    return ok;
}

/* "`in` is within 0 .. 70" */
static bool widen(struct bench *b, const struct input *in, const char *range, struct err *err) {
    char *dots;
    double low = strtod(range, &dots);
    double high = strtod(dots + strcspn(dots, "-+0123456789"), NULL);
    double half = 100 * (high > low ? high - low : 1),
           most = (double)(UINT64_C(1) << (in->bits - 1));
    double least = in->type == 'f' ? low - half : in->type == 'i' ? -most : 0;
    double greatest = in->type == 'f' ? high + half : in->type == 'i' ? most - 1 : 2 * most - 1;
    return change_bound(b, in->path, "min", least, err) &&
           change_bound(b, in->path, "max", greatest, err);
}

static const char *change_ranges(struct bench *b, const char *text, struct err *err) {
    const char *what = NULL;
    for (size_t i = 0; i < b->inputs.len; i++) {
        const struct input *in = &b->inputs.data[i];
        const char *said = arena_printf(&b->arena, "`%s` is within ", in->path);
        const char *at = strstr(text, said);
        if (!at)
            continue;
        if (!widen(b, in, at + strlen(said), err))
            return NULL;
        what = what ? arena_printf(&b->arena, "%s, %s", what, in->path)
                    : arena_printf(&b->arena, "range of %s", in->path);
    }
    return what;
}

static const char *change(struct bench *b, const struct cause *c, struct err *err) {
    struct calibration cal;
    if (strcmp(c->class, "range") == 0)
        return change_ranges(b, c->text, err);
    return read_calibration(b, c->text, &cal) ? change_value(b, &cal, err) : NULL;
}

/* ---- what becomes of the goals ---- */

static bool count_goals(struct bench *b, const struct cause *c, struct tally *t, struct err *err) {
    struct store *db = NULL;
    bool ok = store_open(&db, path_join(&b->arena, b->dir, "after.db"), STORE_READ, err);
    for (size_t i = 0; ok && i < c->goals.len; i++) {
        struct rows *r = rows_open(db, "SELECT status FROM goal WHERE key = ?1", err);
        rows_bind_text(r, 1, c->goals.data[i]);
        const char *status = rows_next(r) ? rows_text(r, 0) : "";
        t->reachable += str_same(status, "reachable");
        t->dead += str_same(status, "dead");
        t->open += str_same(status, "open");
        ok = rows_close(r, err);
    }
    store_close(db);
    t->causes = 1;
    t->goals = (unsigned)c->goals.len;
    return ok;
}

static void add(struct tally *all, const struct tally *t) {
    all->causes += t->causes;
    all->goals += t->goals;
    all->reachable += t->reachable;
    all->dead += t->dead;
    all->open += t->open;
}

static bool try_cause(struct bench *b, const struct cause *c, struct err *err) {
    struct tally t = {0};
    double seconds = 0;
    if (!copy_project(b, err))
        return false;
    const char *what = change(b, c, err);
    bool ok = err->code == ERR_NONE;
    if (ok && what)
        ok = decide(b, "after.db", &seconds, err) && count_goals(b, c, &t, err);
    printf("| %s | %s | %s | %zu | %u | %u | %u | %.1f |\n", path_base(b->project), c->class,
           what ? what : "no value is named", c->goals.len, t.reachable, t.dead, t.open, seconds);
    fflush(stdout);
    add(&b->all, &t);
    return ok;
}

static bool try_project(struct bench *b, const char *folder, struct err *err) {
    double seconds = 0;
    b->project = folder;
    bool ok = copy_project(b, err) && decide(b, "first.db", &seconds, err) && read_database(b, err);
    for (size_t i = 0; ok && i < b->causes.len; i++)
        ok = try_cause(b, &b->causes.data[i], err);
    for (size_t i = 0; i < b->causes.len; i++)
        vec_free(&b->causes.data[i].goals);
    vec_clear(&b->causes);
    vec_clear(&b->inputs);
    return ok;
}

int main(int argc, char **argv) {
    struct bench b = {.program = GK_PROGRAM, .cpu_seconds = "60"};
    struct str dir = {0};
    struct err err = {0};
    int first = argc > 2 && str_same(argv[1], "--cpu-seconds") ? 3 : 1;
    if (first == 3)
        b.cpu_seconds = argv[2];
    if (first >= argc) {
        fprintf(stderr, "usage: revive [--cpu-seconds N] FOLDER...\n");
        return 2;
    }
    bool ok = file_temp_dir(&dir, &err);
    b.dir = str_text(&dir);
    printf("| project | class | changed | goals | reachable | dead | open | CPU s |\n"
           "|---|---|---|---:|---:|---:|---:|---:|\n");
    for (int i = first; ok && i < argc; i++)
        ok = try_project(&b, argv[i], &err);
    printf("| all | %u causes | | %u | %u | %u | %u | |\n", b.all.causes, b.all.goals,
           b.all.reachable, b.all.dead, b.all.open);
    if (!ok)
        err_print(&err);
    file_remove_tree(str_text(&dir));
    str_free(&dir);
    vec_free(&b.causes);
    vec_free(&b.inputs);
    arena_free(&b.arena);
    return ok && b.all.dead == 0 ? 0 : 1;
}
