#include "report/data.h"

#include "base/map.h"
#include "base/mem.h"

#include <string.h>

static const char *copy(struct report_data *d, struct rows *r, int column) {
    return arena_strdup(&d->arena, rows_text(r, column));
}

static enum status status_of(const char *name) {
    assert(name);
    return strcmp(name, "reachable") == 0 ? STATUS_REACHABLE
           : strcmp(name, "dead") == 0    ? STATUS_DEAD
                                          : STATUS_OPEN;
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
    "g.witness, g.proof, g.decision, g.condition, s.seconds, s.justified "
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
        .justified = rows_int(r, 23) != 0,
    };
}

static bool load_goals(struct report_data *d, struct err *err) {
    struct rows *r = rows_open(d->db, goal_sql, err);
    struct intern names = {0};
    while (rows_next(r)) {
        struct report_goal g = read_goal(d, r, &names);
        vec_push(&d->goals, g);
    }
    intern_free(&names);
    return rows_close(r, err);
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
            if (str_ends(d->files.data[i].path, name) || str_ends(name, d->files.data[i].path))
                d->files.data[i].text = arena_strndup(&d->arena, content ? content : "", size);
    }
    return rows_close(r, err);
}

static void count_goals(struct report_data *d) {
    for (int k = 0; k < GOAL_KINDS; k++)
        vec_push(&d->counts, (struct report_count){.criterion = criteria[k].name});
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        int kind = criterion_find(g->kind);
        if (kind < 0)
            continue;
        struct report_count *c = &d->counts.data[kind];
        c->total++;
        c->reachable += g->status == STATUS_REACHABLE;
        c->dead += g->status == STATUS_DEAD;
        c->open += g->status == STATUS_OPEN;
        c->justified += g->justified;
    }
}

const char *report_info(struct report_data *d, const char *key) {
    assert(key && *key);
    char *value = store_get_info(d->db, key);
    const char *kept = arena_strdup(&d->arena, value ? value : "");
    mem_free(value);
    return kept;
}

bool report_load(struct report_data *d, struct store *db, struct err *err) {
    assert(db);
    *d = (struct report_data){.db = db};
    if (!load_goals(d, err) || !load_sources(d, err))
        return false;
    count_goals(d);
    d->name = report_info(d, "name");
    d->asil = report_info(d, "asil");
    d->mcdc = report_info(d, "mcdc");
    d->version = report_info(d, "tool_version");
    return true;
}

void report_unload(struct report_data *d) {
    vec_free(&d->goals);
    vec_free(&d->files);
    vec_free(&d->counts);
    arena_free(&d->arena);
}

double report_percent(size_t part, size_t whole) {
    assert(part <= whole);
    return whole ? 100.0 * (double)part / (double)whole : 100.0;
}

bool report_needs_attention(const struct report_goal *g) {
    return g->status != STATUS_REACHABLE && !g->justified;
}

const char *report_goal_text(struct report_data *d, const struct report_goal *g) {
    assert(g->value <= 1);
    if (g->value < 0)
        return g->text;
    return arena_printf(&d->arena, "%s is %s", g->text, g->value ? "true" : "false");
}

static const char *steps(struct report_data *d, int64_t n) {
    assert(n >= 0);
    return n == 1 ? "1 step" : arena_printf(&d->arena, "%lld steps", (long long)n);
}

static const char *proof_kind(struct report_data *d, int64_t depth) {
    assert(depth >= 0);
    return depth <= 1 ? "an inductive invariant"
                      : arena_printf(&d->arena, "%lld-induction", (long long)depth);
}

const char *report_sentence(struct report_data *d, const struct report_goal *g) {
    struct arena *a = &d->arena;
    if (g->status == STATUS_REACHABLE && g->depth == 0)
        return "Reachable: hit during initialisation, replayed natively.";
    if (g->status == STATUS_REACHABLE)
        return arena_printf(a, "Reachable: hit after %s from reset, replayed natively.",
                            steps(d, g->depth));
    if (g->status == STATUS_DEAD)
        return arena_printf(a,
                            "Dead: no input sequence of any length reaches it; proved by %s with "
                            "%s, re-checked by %s.",
                            g->engine, proof_kind(d, g->depth),
                            strcmp(g->checked_by, "cbmc") == 0 ? "CBMC" : "a fresh solver");
    if (g->bound >= 0)
        return arena_printf(a, "Open: proved not to be reached within %s; %s", steps(d, g->bound),
                            g->reason);
    return arena_printf(a, "Open: %s", *g->reason ? g->reason : "not yet decided");
}
