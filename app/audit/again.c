/* Two readers side by side: the same queries run on the database and on one made again in a
 * scratch folder, and their rows are compared one by one. What cannot be made again here (other
 * tools, folders of another machine) is said, not guessed. */
#include "app/audit/again.h"

#include "app/cli/build_id.h"
#include "app/project/read.h"
#include "app/run/record.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "base/tool.h"
#include "db/rows.h"
#include "instrument/syntax/path_map.h"
#include "instrument/weave/weave.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Names of headers may lead out of the project's folder, so far. */
static const char below[] = "p/p/p/p/p/p/p/p";

/* What the listing alone says, and nothing later. */
static const struct listed {
    const char *what, *sql;
} listed[] = {
    {"warning", "SELECT text FROM module_warning ORDER BY 1"},
    {"goal", "SELECT id, key, probe, kind, value, file, line, col, end_line, end_col, function, "
             "text, decision, condition, cannot FROM goal ORDER BY 1"},
    {"expansion of goal", "SELECT * FROM goal_expansion ORDER BY 1, 2"},
    {"block of goal", "SELECT * FROM goal_block ORDER BY 1"},
    {"decision", "SELECT * FROM decision ORDER BY 1"},
    {"condition of decision", "SELECT * FROM decision_condition ORDER BY 1, 2"},
    {"pair of decision", "SELECT * FROM unique_cause_pair ORDER BY 1, 2, 3, 4"},
    {"implication by goal", "SELECT * FROM implication ORDER BY 1, 2"},
    {"variable", "SELECT path, role, number, is_input, c_expr, type, bits, has_range, min, max, "
                 "lsb, offset, range_from, file, line FROM variable ORDER BY is_input, number"},
};

/* ---- the sources, in a folder of their own ---- */

static bool stays_inside(const char *name) {
    size_t up = 0;
    for (; strncmp(name, "../", 3) == 0; name += 3)
        up++;
    return *name && *name != '/' && !strstr(name, "../") && !str_ends(name, "/..") &&
           up <= sizeof below / 2;
}

/* One name, one file: "a//m.c" would put another text in the place of the one that reports show. */
static bool put_file(struct arena *arena, const char *dir, const char *name, const void *data,
                     size_t size, struct err *err) {
    char *path = path_join(arena, dir, name);
    if (file_exists(path))
        return err_set(err, ERR_EVIDENCE, "the database holds the file '%s' twice", name);
    return file_make_dirs(path_dir(arena, path), err) && file_write(path, data, size, err);
}

/* NULL: all of them lie where they lay in the project; else why not. */
static const char *put_sources(struct store *db, struct arena *arena, const char *dir,
                               struct err *err) {
    const char *why = NULL;
    struct rows *r = rows_open(db,
                               "SELECT substr(name, instr(name, ':') + 1), content FROM artifact "
                               "WHERE name GLOB 'source:*' OR name GLOB 'header:*'",
                               err);
    while (!why && rows_next(r)) {
        size_t size;
        const char *name = arena_strdup(arena, rows_text(r, 0));
        const void *data = rows_blob(r, 1, &size);
        if (!stays_inside(name))
            why = arena_printf(arena, "'%s' lies outside of the project", name);
        else if (!put_file(arena, dir, name, data, size, err))
            break;
    }
    (void)rows_close(r, err);
    return why;
}

/* What was read must be what was stored. */
static const char *changed_source(struct store *db, struct arena *arena, struct err *err) {
    const char *changed = NULL;
    struct rows *r = rows_open(db,
                               "SELECT substr(name, instr(name, ':') + 1), content, value FROM "
                               "artifact LEFT JOIN run_info ON key = 'sha256:' || substr(name, "
                               "instr(name, ':') + 1) WHERE name GLOB 'source:*' OR name GLOB "
                               "'header:*' ORDER BY name",
                               err);
    while (!changed && rows_next(r)) {
        char hash[SHA256_HEX];
        size_t size;
        const void *data = rows_blob(r, 1, &size);
        sha256_hex(data, size, hash);
        if (!str_same(hash, rows_text(r, 2)))
            changed = arena_strdup(arena, rows_text(r, 0));
    }
    (void)rows_close(r, err);
    return changed;
}

/* ---- comparison ---- */

static const char *cell(struct rows *r, int column) {
    return rows_null(r, column) ? "nothing" : rows_text(r, column);
}

static void say_difference(const struct listed *l, struct rows *stored, struct rows *made,
                           bool has_stored, bool has_made, struct str *out) {
    if (!has_made || !has_stored) {
        str_addf(out, "%s %s is %s", l->what, cell(has_stored ? stored : made, 0),
                 has_stored ? "not in the sources" : "missing in the database");
        return;
    }
    for (int c = 0; c < rows_columns(stored); c++)
        if (strcmp(cell(stored, c), cell(made, c)) != 0) {
            str_addf(out, "%s %s: '%s' is '%s', the sources say '%s'", l->what, cell(stored, 0),
                     rows_name(stored, c), cell(stored, c), cell(made, c));
            return;
        }
}

static bool same_row(struct rows *a, struct rows *b) {
    for (int c = 0; c < rows_columns(a); c++)
        if (strcmp(cell(a, c), cell(b, c)) != 0)
            return false;
    return true;
}

static bool same_rows(struct store *db, struct store *made, const struct listed *l,
                      struct str *text, struct err *err) {
    struct rows *a = rows_open(db, l->sql, err), *b = a ? rows_open(made, l->sql, err) : NULL;
    bool same = a && b, more = same;
    while (same && more) {
        bool in_a = rows_next(a), in_b = rows_next(b);
        more = in_a && in_b;
        same = in_a == in_b && (!more || same_row(a, b));
        if (!same)
            say_difference(l, a, b, in_a, in_b, text);
    }
    bool read = rows_close(a, err);
    return rows_close(b, err) && read && same;
}

/* The model of a run may have added others, but those of the listing stay. */
static bool has_limitations(struct store *db, struct store *made, struct str *text,
                            struct err *err) {
    struct rows *r = rows_open(made, "SELECT file, line, text FROM limitation", err);
    bool has = r != NULL;
    while (has && rows_next(r)) {
        struct rows *same = rows_open(
            db, "SELECT 1 FROM limitation WHERE file = ?1 AND line = ?2 AND text = ?3", err);
        rows_bind_text(same, 1, rows_text(r, 0));
        rows_bind_int(same, 2, rows_int(r, 1));
        rows_bind_text(same, 3, rows_text(r, 2));
        has = rows_next(same);
        if (!has)
            str_addf(text, "that '%s' (%s:%s) was not analysed is missing in the database",
                     rows_text(r, 2), rows_text(r, 0), rows_text(r, 1));
        has &= rows_close(same, err);
    }
    return rows_close(r, err) && has;
}

/* What the project file says, whatever tools there are. An older run may have stored less. */
static bool same_settings(struct store *db, struct store *made, struct str *text, struct err *err) {
    struct rows *r = rows_open(made, "SELECT key, value FROM run_info ORDER BY 1", err);
    bool same = r != NULL;
    while (same && rows_next(r)) {
        char *stored = store_get_info(db, rows_text(r, 0));
        same = !stored || str_same(stored, rows_text(r, 1));
        if (!same)
            str_addf(text, "the database says '%s' for '%s', its project file '%s'", stored,
                     rows_text(r, 0), rows_text(r, 1));
        mem_free(stored);
    }
    return rows_close(r, err) && same;
}

/* Texts such as __FILE__ hold the folder. */
static void as_stored(const struct str *made, const char *here, const char *there,
                      struct str *out) {
    const char *at = str_text(made), *found;
    for (; *here && (found = strstr(at, here)); at = found + strlen(here)) {
        str_addn(out, at, (size_t)(found - at));
        str_add(out, there);
    }
    str_add(out, at);
}

static bool same_program(struct store *db, const struct woven *woven, const char *dir,
                         struct str *text) {
    struct str stored = {0}, made = {0};
    char *there = store_get_info(db, "project_dir");
    as_stored(&woven->text, dir, there ? there : "", &made);
    bool same = store_get_artifact(db, "woven.c", &stored) && stored.len == made.len &&
                memcmp(str_text(&stored), str_text(&made), made.len) == 0;
    if (!same)
        str_add(text, "the program in the database is not the one that its sources give");
    mem_free(there);
    str_free(&stored);
    str_free(&made);
    return same;
}

static bool same_listing(struct store *db, struct store *made, struct str *text, struct err *err) {
    bool same = true;
    for (size_t i = 0; same && i < sizeof listed / sizeof *listed; i++)
        same = same_rows(db, made, &listed[i], text, err);
    return same && has_limitations(db, made, text, err);
}

/* `certain`: no tool explains a difference. */
static bool compare(struct store *db, const struct project *project, const struct woven *woven,
                    const char *scratch, bool *certain, struct str *text, struct err *err) {
    struct arena arena = {0};
    struct store *made = NULL;
    bool same = store_open(&made, path_join(&arena, scratch, "again.db"), STORE_CREATE, err) &&
                store_module(made, &woven->goals, &woven->module, err) &&
                record_listing(made, project, woven, err);
    *certain = same && !same_settings(db, made, text, err);
    same = same && !*certain && same_program(db, woven, project->dir, text) &&
           same_listing(db, made, text, err);
    store_close(made);
    arena_free(&arena);
    return same;
}

/* ---- are they comparable? ---- */

static bool is_info(struct store *db, const char *key, const char *value) {
    char *stored = store_get_info(db, key);
    bool same = stored && str_same(stored, value);
    mem_free(stored);
    return same;
}

static const char *why_not(struct store *db, struct arena *arena) {
    char *on_top = store_get_info(db, "listed_with"), *form = store_get_info(db, "form");
    struct str project = {0};
    bool has_project = store_get_artifact(db, "project.json", &project) && project.len > 0;
    const char *why = !on_top                  ? "the run was made by an earlier version"
                      : str_same(form, "task") ? "a verification task has no listing"
                      : !has_project           ? "the run had no project file"
                      : *on_top ? arena_printf(arena, "the run had %s on the command line", on_top)
                                : NULL;
    mem_free(on_top);
    mem_free(form);
    str_free(&project);
    return why;
}

static const char *other_tools(struct store *db, struct arena *arena) {
    const char *keys[] = {"tool_build", "clang_version", "cc_version"};
    const char *values[] = {build_id(arena), record_version(arena, tool_clang(arena)),
                            record_version(arena, tool_cc(arena))};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!is_info(db, keys[i], values[i]))
            return keys[i];
    return NULL;
}

/* Such commands would read files of this machine. */
static bool names_folders(struct store *db, const struct project *project, struct arena *arena) {
    struct str text = {0};
    const char *file = project->compile_commands;
    bool yes = file && store_get_artifact(db, arena_printf(arena, "header:%s", file), &text) &&
               (strstr(str_text(&text), "\"/") || strstr(str_text(&text), " /") ||
                strstr(str_text(&text), "-I/"));
    str_free(&text);
    return yes;
}

static void not_compared(struct again_result *r, const char *why) {
    r->answer = AGAIN_NOT_COMPARED;
    str_clear(&r->text);
    str_addf(&r->text, "goals and program were not made again from the sources: %s", why);
}

/* A difference under other tools may be theirs. */
static void judge(struct store *db, bool same, bool certain, struct again_result *r) {
    struct arena arena = {0};
    const char *other = same || certain ? NULL : other_tools(db, &arena);
    if (same) {
        r->answer = AGAIN_SAME;
        str_add(&r->text, "goals and program are what the sources in the database give");
    } else if (other) {
        not_compared(r, arena_printf(&arena,
                                     "they are read differently here, where %s is another (%s)",
                                     other, str_text(&r->text)));
    } else {
        r->answer = AGAIN_DIFFERS;
    }
    arena_free(&arena);
}

static bool make_again(struct store *db, const char *scratch, struct again_result *r,
                       struct err *err) {
    struct arena arena = {0};
    struct str json = {0};
    struct project project = {0};
    struct woven woven = {0};
    struct err bad = {0};
    char *dir = path_join(&arena, scratch, below);
    bool ok = store_get_artifact(db, "project.json", &json) &&
              put_file(&arena, dir, "goalkeeper.json", str_text(&json), json.len, err);
    const char *why = ok ? put_sources(db, &arena, dir, err) : NULL;
    ok = ok && err->code == ERR_NONE;
    if (ok && why) {
        not_compared(r, why);
    } else if (ok && !project_read_below(path_join(&arena, dir, "goalkeeper.json"), scratch,
                                         &project, &bad)) {
        not_compared(r, str_text(&bad.message));
    } else if (ok) {
        bool knows_host = path_map_knows_host(&project);
        path_map_guess(&project);
        if (knows_host) {
            not_compared(r, "its line markers name folders that may be those of one machine");
        } else if (names_folders(db, &project, &arena)) {
            not_compared(r, "its compile commands name folders of one machine");
        } else if (!weave(&project, &woven, &bad)) {
            not_compared(r, str_text(&bad.message));
        } else {
            bool certain, same = compare(db, &project, &woven, scratch, &certain, &r->text, err);
            judge(db, same, certain, r);
            woven_free(&woven);
        }
        project_free(&project);
    }
    err_clear(&bad);
    str_free(&json);
    arena_free(&arena);
    return ok && err->code == ERR_NONE;
}

bool again_compare(struct store *db, struct again_result *r, struct err *err) {
    struct arena arena = {0};
    struct str scratch = {0};
    assert(db && !r->text.len);
    const char *changed = changed_source(db, &arena, err), *why = why_not(db, &arena);
    bool ok = err->code == ERR_NONE;
    if (ok && changed) {
        r->answer = AGAIN_DIFFERS;
        str_addf(&r->text, "%s in the database is not the file that the run has read", changed);
    } else if (ok && why) {
        not_compared(r, why);
    } else if (ok) {
        char *real = file_temp_dir(&scratch, err) ? realpath(str_text(&scratch), NULL) : NULL;
        ok = real && make_again(db, real, r, err);
        file_remove_tree(str_text(&scratch));
        free(real);
    }
    str_free(&scratch);
    arena_free(&arena);
    return ok;
}

void again_free(struct again_result *result) {
    str_free(&result->text);
}
