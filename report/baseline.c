/* Goals are joined by key; a database is read like today's, a JSON report by its own names. */
#include "report/baseline.h"

#include "base/file.h"
#include "base/json.h"

#include <limits.h>
#include <string.h>

static void add(struct baseline *b, const struct baseline_goal *g) {
    uint32_t id = intern_id(&b->keys, g->key);
    if (id == b->goals.len) /* else the key is there twice: the first one counts */
        vec_push(&b->goals, *g);
    assert(id < b->goals.len);
}

static void add_loaded(struct baseline *b, struct report_data *d) {
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        struct arena *a = &b->arena;
        add(b, &(struct baseline_goal){.key = arena_strdup(a, g->key),
                                       .kind = arena_strdup(a, g->kind),
                                       .text = arena_strdup(a, report_goal_text(d, g)),
                                       .file = arena_strdup(a, d->files.data[g->file].path),
                                       .function = arena_strdup(a, g->function),
                                       .line = g->line,
                                       .status = g->status,
                                       .finding = report_finding(g),
                                       .justified = g->justified});
    }
}

static bool read_database(struct baseline *b, const struct report_view *view, struct err *err) {
    struct store *db = NULL;
    struct report_data d = {0};
    struct report_view own = view ? *view : (struct report_view){0};
    own.rows = NULL; /* the baseline has a ledger of its own */
    bool ok = store_open(&db, b->path, STORE_READ, err) && report_load(&d, db, &own, err);
    if (ok)
        add_loaded(b, &d);
    report_unload(&d);
    store_close(db);
    return ok;
}

/* ---- the JSON report ---- */

static const char remedy[] =
    "name a database, or a file that 'goalkeeper report --format json' wrote";

static const char *text_in(struct baseline *b, const struct json_item *item, const char *name) {
    return arena_strdup(&b->arena, json_text(json_member(item, name)));
}

static int number_in(const struct json_item *item, const char *name) {
    const struct json_item *value = json_member(item, name);
    double number = json_number(value);
    return json_is_number(value) && number > INT_MIN && number < INT_MAX ? (int)number : -1;
}

static bool read_goal(struct baseline *b, const struct json_item *item) {
    const char *text = text_in(b, item, "text");
    int value = number_in(item, "value"), status = status_find(text_in(b, item, "status"));
    struct baseline_goal g = {.key = text_in(b, item, "key"),
                              .kind = text_in(b, item, "kind"),
                              .text = text,
                              .file = text_in(b, item, "file"),
                              .function = text_in(b, item, "function"),
                              .line = number_in(item, "line")};
    int kind = criterion_find(g.kind);
    if (!*g.key || status < 0 || kind < 0)
        return false;
    if (value >= 0)
        g.text = arena_printf(&b->arena, "%s%s", text, criterion_says(kind, value));
    g.status = (enum status)status;
    struct report_goal as_goal = {.status = g.status, .robust = criteria[kind].robustness};
    g.finding = report_finding(&as_goal);
    g.justified = json_is_word(json_member(item, "justified"), "true");
    add(b, &g);
    return true;
}

static bool not_a_baseline(const struct baseline *b, const char *what, struct err *err) {
    err_set(err, ERR_USAGE, "the baseline is %s", what);
    err_at(err, b->path, 0, 0);
    return err_remedy(err, remedy);
}

static bool read_json(struct baseline *b, const struct str *text, struct err *err) {
    struct json json;
    bool ok = json_parse(b->path, str_text(text), text->len, &json, err);
    if (!ok)
        return err_remedy(err, remedy);
    const struct json_item *goals = json_member(json.root, "goals");
    ok = json_is(goals, JSON_ARRAY) || not_a_baseline(b, "neither a database nor a report", err);
    for (const struct json_item *g = json_at(goals, 0); ok && g; g = g->next)
        ok = read_goal(b, g) || not_a_baseline(b, "damaged", err);
    json_free(&json);
    return ok;
}

bool baseline_read(struct baseline *b, const char *path, const struct report_view *view,
                   struct err *err) {
    assert(path && b->goals.len == 0);
    struct str text = {0};
    *b = (struct baseline){0};
    b->path = arena_strdup(&b->arena, path);
    bool nothing = *path == '\0';
    bool ok = nothing || file_read(path, &text, err);
    if (ok && !nothing)
        ok = str_starts(str_text(&text), "SQLite format 3") ? read_database(b, view, err)
                                                            : read_json(b, &text, err);
    str_free(&text);
    if (!ok)
        baseline_free(b);
    return ok;
}

void baseline_free(struct baseline *b) {
    vec_free(&b->goals);
    intern_free(&b->keys);
    arena_free(&b->arena);
}

const struct baseline_goal *baseline_find(const struct baseline *b, const char *key) {
    uint32_t id = intern_find(&b->keys, key);
    assert(id == INTERN_NONE || id < b->goals.len);
    return id == INTERN_NONE ? NULL : &b->goals.data[id];
}

/* ---- comparison ---- */

bool baseline_is_worse(const struct report_goal *now, const struct baseline_goal *before) {
    if (!report_needs_attention(now))
        return false;
    return !before || before->justified || before->finding != report_finding(now);
}

void baseline_compare(const struct baseline *b, const struct report_data *d, struct comparison *c) {
    assert(c->added.len + c->gone.len + c->changed.len == 0);
    c->path = b->path;
    struct intern seen = {0};
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        const struct baseline_goal *before = baseline_find(b, g->key);
        intern_id(&seen, g->key);
        if (!before)
            vec_push(&c->added, g);
        else if (before->status != g->status)
            vec_push(&c->changed, (struct verdict_change){g, before});
    }
    for (size_t i = 0; i < b->goals.len; i++)
        if (intern_find(&seen, b->goals.data[i].key) == INTERN_NONE)
            vec_push(&c->gone, &b->goals.data[i]);
    intern_free(&seen);
}

void comparison_free(struct comparison *c) {
    vec_free(&c->added);
    vec_free(&c->gone);
    vec_free(&c->changed);
}
