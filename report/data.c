/* One query per table; indices (files, decisions, causes) are made while reading. A database is
 * not trusted to be consistent: damage.c looks at it first. */
#include "report/data.h"

#include "base/line_markers.h"
#include "base/map.h"
#include "base/mem.h"
#include "report/damage.h"
#include "report/date.h"

#include <stdlib.h>
#include <string.h>

static const char *copy(struct report_data *d, struct rows *r, int column) {
    return arena_strdup(&d->arena, rows_text(r, column));
}

static enum status status_of(const char *name) {
    assert(name);
    int s = status_find(name);
    return s < 0 ? STATUS_OPEN : (enum status)s;
}

static int64_t optional(struct rows *r, int column) {
    assert(column >= 0);
    return rows_null(r, column) ? -1 : rows_int(r, column);
}

static uint32_t file_index(struct report_data *d, struct intern *names, const char *path) {
    uint32_t id = intern_id(names, path);
    if (id == d->files.len)
        vec_push(&d->files, (struct report_file){.path = arena_strdup(&d->arena, path)});
    assert(id < d->files.len);
    return id;
}

static const char goal_sql[] =
    "SELECT s.goal_id, s.key, s.kind, s.text, s.function, s.file, s.line, s.col, g.end_line, "
    "g.end_col, s.value, s.status, s.bound, s.depth, s.engine, s.checked_by, s.assumes, s.reason, "
    "g.witness, g.proof, g.decision, g.condition, s.seconds, g.implied_by, s.block, s.class, "
    "s.because, "
    "s.cause, (SELECT hit FROM measured m WHERE m.goal = g.id), "
    "(SELECT text FROM goal_expansion e WHERE e.goal = g.id) "
    "FROM goal_status s JOIN goal g ON g.id = s.goal_id ORDER BY s.goal_id";

static struct report_goal read_goal(struct report_data *d, struct rows *r, struct intern *names) {
    return (struct report_goal){
        .id = rows_int(r, 0),
        .key = copy(d, r, 1),
        .kind = copy(d, r, 2),
        .text = copy(d, r, 3),
        .function = copy(d, r, 4),
        .file = file_index(d, names, rows_text(r, 5)),
        .line = (int)rows_int(r, 6),
        .col = (int)rows_int(r, 7),
        .end_line = (int)rows_int(r, 8),
        .end_col = (int)rows_int(r, 9),
        .value = (int)optional(r, 10),
        .status = status_of(rows_text(r, 11)),
        .bound = optional(r, 12),
        .depth = optional(r, 13),
        .engine = copy(d, r, 14),
        .checked_by = copy(d, r, 15),
        .assumes = copy(d, r, 16),
        .reason = copy(d, r, 17),
        .witness = rows_int(r, 18),
        .proof = rows_int(r, 19),
        .decision = optional(r, 20),
        .condition = optional(r, 21),
        .seconds = rows_real(r, 22),
        .implied_by = rows_int(r, 23),
        .block = copy(d, r, 24),
        .class = copy(d, r, 25),
        .because = copy(d, r, 26),
        .cause = rows_int(r, 27),
        .measured = (int)optional(r, 28),
        .expansion = copy(d, r, 29),
        .page = "",
        .run = "",
        .justification = -1,
    };
}

static bool load_goals(struct report_data *d, struct err *err) {
    struct rows *r = rows_open(d->db, goal_sql, err);
    struct intern names = {0};
    while (rows_next(r)) {
        struct report_goal g = read_goal(d, r, &names);
        g.criterion = criterion_find(g.kind);
        g.robust = g.criterion >= 0 && criteria[g.criterion].robustness;
        vec_push(&d->goals, g);
    }
    intern_free(&names);
    return rows_close(r, err);
}

static bool ends_with_path(const char *path, const char *end) {
    size_t len = strlen(path), n = strlen(end);
    return n < len && str_ends(path, end) && strchr("/\\", path[len - n - 1]);
}

bool report_same_file(const char *a, const char *b) {
    assert(a && b);
    return strcmp(a, b) == 0 || ends_with_path(a, b) || ends_with_path(b, a);
}

static bool is_same_name(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

/* Goals may name the file from the project's folder on, markers in full. */
static bool original_text(const char *text, size_t len, const char *file, struct str *out) {
    return line_markers_file(text, len, file, is_same_name, out) ||
           line_markers_file(text, len, file, report_same_file, out);
}

/* A text with line markers has the lines that these say, whatever its own name is. */
static void take_text(struct report_data *d, struct report_file *file, const char *name,
                      const char *content, size_t size) {
    struct str original = {0};
    assert(file->path && content);
    if (original_text(content, size, file->path, &original))
        file->text = arena_strndup(&d->arena, str_text(&original), original.len);
    else if (report_same_file(file->path, name))
        file->text = arena_strndup(&d->arena, content, size);
    str_free(&original);
}

/* Sources are stored under the names of the project file; line markers may name them longer. */
static bool load_sources(struct report_data *d, struct err *err) {
    struct rows *r = rows_open(
        d->db, "SELECT substr(name, 8), content FROM artifact WHERE name GLOB 'source:*'", err);
    while (rows_next(r)) {
        const char *name = rows_text(r, 0);
        size_t size;
        const void *content = rows_blob(r, 1, &size);
        for (size_t i = 0; i < d->files.len; i++)
            take_text(d, &d->files.data[i], name, content ? content : "", size);
    }
    return rows_close(r, err);
}

/* ---- decisions ---- */

/* A decision may stand in a file that has no goals. */
static uint32_t file_named(struct report_data *d, const char *path) {
    for (uint32_t f = 0; f < d->files.len; f++)
        if (strcmp(d->files.data[f].path, path) == 0)
            return f;
    vec_push(&d->files, (struct report_file){.path = arena_strdup(&d->arena, path)});
    return (uint32_t)d->files.len - 1;
}

static bool load_decisions(struct report_data *d, struct err *err) {
    struct rows *r =
        rows_open(d->db,
                  "SELECT d.id, d.line, d.function, d.text, d.structure, c.text, d.file FROM "
                  "decision d JOIN decision_condition c ON c.decision = d.id ORDER BY "
                  "d.id, c.position",
                  err);
    while (rows_next(r)) {
        if (d->decisions.len == 0 || vec_last(&d->decisions).id != rows_int(r, 0))
            vec_push(&d->decisions,
                     (struct report_decision){.id = rows_int(r, 0),
                                              .line = (int)rows_int(r, 1),
                                              .function = copy(d, r, 2),
                                              .text = copy(d, r, 3),
                                              .structure = copy(d, r, 4),
                                              .file = file_named(d, rows_text(r, 6))});
        vec_push(&vec_last(&d->decisions).conditions, copy(d, r, 5));
    }
    return rows_close(r, err);
}

static int by_id(const void *key, const void *item) {
    int64_t id = *(const int64_t *)key, other = ((const struct report_decision *)item)->id;
    return id < other ? -1 : id > other;
}

struct report_decision *report_decision_of(const struct report_data *d,
                                           const struct report_goal *g) {
    if (g->decision < 0 || d->decisions.len == 0)
        return NULL;
    return bsearch(&g->decision, d->decisions.data, d->decisions.len, sizeof *d->decisions.data,
                   by_id);
}

static void give_goals_to_decisions(struct report_data *d) {
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        struct report_decision *decision = report_decision_of(d, g);
        if (decision)
            vec_push(&decision->goals, g);
    }
}

/* ---- justifications ---- */

static bool is_alarm(const struct report_goal *g, const char *problem) {
    return g->status == STATUS_REACHABLE && !g->robust && !str_starts(problem, "stale");
}

static void judge(struct report_data *d, struct report_justification *j,
                  const struct report_view *view) {
    assert(view->today);
    if (!*j->problem && *j->expires && strcmp(j->expires, view->today) < 0)
        j->problem = "expired";
    if (!*j->problem && view->four_eyes && !*j->reviewer)
        j->problem = "not reviewed by a second person";
    if (j->goal < 0)
        return;
    struct report_goal *g = &d->goals.data[j->goal];
    j->alarm = is_alarm(g, j->problem);
    g->justified = !*j->problem && !j->alarm && !report_is_met(g);
}

static const char *kept(struct report_data *d, const char *text) {
    return text ? arena_strdup(&d->arena, text) : "";
}

static void add_justification(struct report_data *d, const struct justification_row *row,
                              const struct intern *keys, const struct report_view *view) {
    uint32_t goal = intern_find(keys, row->key);
    struct report_justification j = {.key = kept(d, row->key),
                                     .category = kept(d, row->category),
                                     .reason = kept(d, row->reason),
                                     .author = kept(d, row->author),
                                     .reviewer = kept(d, row->reviewer),
                                     .date = kept(d, row->date),
                                     .expires = kept(d, row->expires),
                                     .problem = kept(d, row->problem),
                                     .goal = goal == INTERN_NONE ? -1 : (int64_t)goal};
    assert(j.goal < (int64_t)d->goals.len);
    if (j.goal >= 0)
        d->goals.data[j.goal].justification = (int64_t)d->justifications.len;
    judge(d, &j, view);
    vec_push(&d->justifications, j);
}

static bool load_stored(struct report_data *d, const struct intern *keys,
                        const struct report_view *view, struct err *err) {
    struct rows *r = rows_open(d->db,
                               "SELECT key, category, reason, author, reviewer, date, expires, "
                               "problem FROM justification ORDER BY key",
                               err);
    while (rows_next(r)) {
        struct justification_row row = {.key = copy(d, r, 0),
                                        .category = copy(d, r, 1),
                                        .reason = copy(d, r, 2),
                                        .author = copy(d, r, 3),
                                        .reviewer = copy(d, r, 4),
                                        .date = copy(d, r, 5),
                                        .expires = copy(d, r, 6),
                                        .problem = copy(d, r, 7)};
        add_justification(d, &row, keys, view);
    }
    return rows_close(r, err);
}

static bool load_justifications(struct report_data *d, const struct report_view *view,
                                struct err *err) {
    struct intern keys = {0};
    bool ok = true;
    for (size_t i = 0; i < d->goals.len; i++)
        intern_id(&keys, d->goals.data[i].key);
    assert(keys.texts.len == d->goals.len); /* keys are unique */
    if (!view->rows)
        ok = load_stored(d, &keys, view, err);
    for (size_t i = 0; view->rows && i < view->n_rows; i++)
        add_justification(d, &view->rows[i], &keys, view);
    intern_free(&keys);
    return ok;
}

void report_count_add(struct report_count *c, const struct report_goal *g) {
    c->total++;
    c->reachable += g->status == STATUS_REACHABLE;
    c->dead += g->status == STATUS_DEAD;
    c->open += g->status == STATUS_OPEN;
    c->justified += g->justified;
    c->accepted += g->justified && g->status != STATUS_OPEN;
}

static void count_goals(struct report_data *d) {
    for (int k = 0; k < GOAL_KINDS; k++)
        vec_push(&d->counts, (struct report_count){.criterion = criteria[k].name});
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        if (g->criterion >= 0)
            report_count_add(&d->counts.data[g->criterion], g);
    }
}

const char *report_info(struct report_data *d, const char *key) {
    assert(key && *key);
    char *value = store_get_info(d->db, key);
    const char *kept = arena_strdup(&d->arena, value ? value : "");
    mem_free(value);
    return kept;
}

bool report_was_asked(struct report_data *d, enum goal_kind kind) {
    assert(kind < GOAL_KINDS);
    const char *asked = report_info(d, "criteria");
    size_t len = strlen(criteria[kind].name);
    for (const char *p = asked; *p; p += strcspn(p, ","), p += *p == ',')
        if (strcspn(p, ",") == len && strncmp(p, criteria[kind].name, len) == 0)
            return true;
    return !*asked;
}

bool report_is_unique_cause(const struct report_data *d) {
    return strcmp(d->mcdc, "unique-cause") == 0;
}

static void mark_helpers(struct report_data *d) {
    if (!report_is_unique_cause(d) || report_was_asked(d, GOAL_vector))
        return;
    for (size_t i = 0; i < d->goals.len; i++)
        d->goals.data[i].helper = d->goals.data[i].criterion == GOAL_vector;
}

static bool load_warnings(struct report_data *d, const char *changed, struct err *err) {
    assert(d->warnings.len == 0);
    if (changed)
        vec_push(&d->warnings, arena_strdup(&d->arena, changed));
    struct rows *r = rows_open(d->db, "SELECT text FROM warning", err);
    while (rows_next(r))
        vec_push(&d->warnings, copy(d, r, 0));
    return rows_close(r, err);
}

static bool load_all(struct report_data *d, const struct report_view *view, struct err *err) {
    struct report_view full = view ? *view : (struct report_view){0};
    if (!full.today)
        full.today = date_today(&d->arena);
    return damage_check(d->db, err) && load_goals(d, err) && load_decisions(d, err) &&
           load_sources(d, err) && load_warnings(d, full.changed, err) &&
           load_justifications(d, &full, err);
}

/* All that a report reads comes from one moment, whatever a run writes meanwhile. */
static bool snapshot(struct store *db, const char *sql, struct err *err) {
    struct rows *r = rows_open(db, sql, err);
    rows_next(r);
    return rows_close(r, err);
}

const char *report_path(struct report_data *d, uint32_t file) {
    assert(file < d->files.len);
    const char *path = d->files.data[file].path;
    if (!d->origin.root || path[0] == '/')
        return path;
    return arena_printf(&d->arena, "%s%s", d->origin.prefix, path);
}

bool report_load(struct report_data *d, struct store *db, const struct report_view *view,
                 struct err *err) {
    assert(db);
    *d = (struct report_data){.db = db};
    if (view && view->origin)
        d->origin = *view->origin;
    if (!snapshot(db, "BEGIN", err)) {
        d->db = NULL;
        return false;
    }
    if (!load_all(d, view, err)) {
        report_unload(d);
        return false;
    }
    d->name = report_info(d, "name");
    d->asil = report_info(d, "asil");
    d->mcdc = report_info(d, "mcdc");
    mark_helpers(d);
    give_goals_to_decisions(d);
    count_goals(d);
    d->version = report_info(d, "tool_version");
    return true;
}

void report_unload(struct report_data *d) {
    struct err ignored = {0};
    if (d->db)
        snapshot(d->db, "ROLLBACK", &ignored);
    err_clear(&ignored);
    d->db = NULL;
    for (size_t i = 0; i < d->decisions.len; i++) {
        vec_free(&d->decisions.data[i].conditions);
        vec_free(&d->decisions.data[i].goals);
    }
    vec_free(&d->goals);
    vec_free(&d->files);
    vec_free(&d->counts);
    vec_free(&d->warnings);
    vec_free(&d->justifications);
    vec_free(&d->decisions);
    arena_free(&d->arena);
}
