/* justifications.json is read whole, changed in memory and written whole. An entry counts while
 * its goal is there, has no verdict against it, stands in an unchanged function, and is not
 * expired. */
#include "app/project/ledger.h"

#include "base/file.h"
#include "base/json.h"
#include "db/rows.h"
#include "report/date.h"
#include "report/escape.h"

#include <string.h>

/* ---- reading ---- */

static const char *const fields[] = {"key",      "category", "reason",  "author",
                                     "reviewer", "date",     "expires", "function_hash"};
enum { FIELDS = sizeof fields / sizeof *fields };

static const char **field_of(struct ledger_entry *e, size_t i) {
    const char **all[FIELDS] = {&e->key,      &e->category, &e->reason,  &e->author,
                                &e->reviewer, &e->date,     &e->expires, &e->function_hash};
    assert(i < FIELDS);
    return all[i];
}

static bool read_entry(struct ledger *l, const struct json *json, const struct json_item *item,
                       struct err *err) {
    struct ledger_entry e = {0};
    if (!json_is(item, JSON_OBJECT))
        return json_error(json, item, err, "an entry must be an object");
    for (const struct json_item *value = item->child; value; value = value->next) {
        size_t i = 0;
        while (i < FIELDS && strcmp(fields[i], value->key) != 0)
            i++;
        if (i == FIELDS)
            return json_key_error(json, value, err, "unknown key '%s'", value->key);
        if (!json_is(value, JSON_STRING))
            return json_error(json, value, err, "'%s' must be a text", fields[i]);
        *field_of(&e, i) = value->text;
    }
    if (!e.key || !e.reason || !e.author || !e.date)
        return json_error(json, item, err, "an entry needs key, reason, author and date");
    if (!date_is(e.date) || (e.expires && !date_is(e.expires)))
        return json_error(json, item, err, "'%s' must be a date, YYYY-MM-DD",
                          date_is(e.date) ? "expires" : "date");
    ledger_put(l, &e);
    return true;
}

bool ledger_open(struct ledger *l, const char *database, struct err *err) {
    *l = (struct ledger){0};
    l->path = path_join(&l->arena, path_dir(&l->arena, database), "justifications.json");
    l->exists = file_exists(l->path);
    if (!l->exists)
        return true;
    struct json json;
    if (!json_read(l->path, &json, err))
        return false;
    bool ok = json_is(json.root, JSON_ARRAY) ||
              json_error(&json, json.root, err, "the ledger must be an array of entries");
    for (const struct json_item *c = json_at(json.root, 0); ok && c; c = c->next)
        ok = read_entry(l, &json, c, err);
    json_free(&json);
    return ok;
}

void ledger_close(struct ledger *l) {
    vec_free(&l->entries);
    vec_free(&l->rows);
    arena_free(&l->arena);
}

/* ---- changing ---- */

const struct ledger_entry *ledger_find(const struct ledger *l, const char *key) {
    for (size_t i = 0; i < l->entries.len; i++)
        if (strcmp(l->entries.data[i].key, key) == 0)
            return &l->entries.data[i];
    return NULL;
}

void ledger_put(struct ledger *l, const struct ledger_entry *entry) {
    struct ledger_entry copy = *entry;
    for (size_t i = 0; i < FIELDS; i++)
        if (*field_of(&copy, i))
            *field_of(&copy, i) = arena_strdup(&l->arena, *field_of(&copy, i));
    size_t at = 0;
    while (at < l->entries.len && strcmp(l->entries.data[at].key, copy.key) < 0)
        at++;
    if (at < l->entries.len && strcmp(l->entries.data[at].key, copy.key) == 0) {
        l->entries.data[at] = copy;
        return;
    }
    vec_push(&l->entries, copy);
    memmove(l->entries.data + at + 1, l->entries.data + at,
            (l->entries.len - 1 - at) * sizeof copy);
    l->entries.data[at] = copy;
}

bool ledger_write(const struct ledger *l, struct err *err) {
    struct str text = {0};
    str_add(&text, "[");
    for (size_t e = 0; e < l->entries.len; e++) {
        struct ledger_entry entry = l->entries.data[e];
        str_add(&text, e ? ",\n  {" : "\n  {");
        for (size_t i = 0, n = 0; i < FIELDS; i++)
            if (*field_of(&entry, i)) {
                str_addf(&text, "%s \"%s\": ", n++ ? "," : "", fields[i]);
                add_json(&text, *field_of(&entry, i));
            }
        str_add(&text, " }");
    }
    str_add(&text, "\n]\n");
    bool ok = file_write(l->path, str_text(&text), text.len, err);
    str_free(&text);
    return ok;
}

/* ---- judging ---- */

struct standing {
    bool known, robust;
    enum status status;
};

static struct standing standing_of(struct store *db, const char *key) {
    struct standing now = {0};
    struct err err = {0};
    struct rows *r = rows_open(db, "SELECT status, kind FROM goal WHERE key = ?1", &err);
    rows_bind_text(r, 1, key);
    if (rows_next(r)) {
        int kind = criterion_find(rows_text(r, 1)), status = status_find(rows_text(r, 0));
        now.known = true;
        now.robust = kind >= 0 && criteria[kind].robustness;
        now.status = status < 0 ? STATUS_OPEN : (enum status)status;
    }
    rows_close(r, &err);
    err_clear(&err);
    return now;
}

static const char *problem_of(struct ledger *l, struct store *db, const struct ledger_entry *e) {
    struct standing now = standing_of(db, e->key);
    if (!now.known)
        return "the goal is gone";
    const char *hash = e->function_hash ? ledger_function_hash(&l->arena, db, e->key) : NULL;
    if (hash && strcmp(e->function_hash, hash) != 0)
        return "stale: the function has changed";
    if (now.status == STATUS_REACHABLE && !now.robust) {
        l->alarms++;
        return "the goal is reachable";
    }
    if (now.status == STATUS_DEAD && now.robust)
        return "the event is proved not to happen";
    if (e->expires && strcmp(e->expires, date_today(&l->arena)) < 0)
        return "expired";
    if (!*e->author)
        return "it has no author";
    if (e->reviewer && strcmp(e->reviewer, e->author) == 0)
        return "the reviewer is the author";
    return NULL;
}

void ledger_judge(struct ledger *l, struct store *db) {
    vec_clear(&l->rows);
    l->alarms = 0;
    vec_reserve(&l->rows, l->entries.len + 1); /* not NULL even when there are no entries */
    for (size_t i = 0; i < l->entries.len; i++) {
        const struct ledger_entry *e = &l->entries.data[i];
        vec_push(&l->rows, (struct justification_row){.key = e->key,
                                                      .category = e->category,
                                                      .reason = e->reason,
                                                      .author = e->author,
                                                      .reviewer = e->reviewer,
                                                      .date = e->date,
                                                      .expires = e->expires,
                                                      .function_hash = e->function_hash,
                                                      .problem = problem_of(l, db, e)});
    }
    assert(l->rows.len == l->entries.len);
    assert(l->rows.len == l->entries.len && l->alarms <= l->rows.len);
}

bool ledger_sync(struct ledger *l, struct store *db, struct err *err) {
    ledger_judge(l, db);
    return store_justifications(db, l->rows.data, l->rows.len, err);
}

bool ledger_view(struct ledger *l, struct store *db, struct report_view *view, struct err *err) {
    if (!ledger_open(l, store_path(db), err))
        return false;
    if (!l->exists)
        return true;
    ledger_judge(l, db);
    view->rows = l->rows.data;
    view->n_rows = l->rows.len;
    return true;
}
