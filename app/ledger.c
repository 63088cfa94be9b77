#include "app/ledger.h"

#include "app/json.h"
#include "base/file.h"
#include "base/sha256.h"
#include "db/rows.h"
#include "report/escape.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

/* ---- reading ---- */

static const char *const fields[] = {"key",  "reason",  "author",       "reviewer",
                                     "date", "expires", "function_hash"};
enum { FIELDS = sizeof fields / sizeof *fields, KEY = 0, REASON, AUTHOR, REVIEWER, DATE, EXPIRES };

static const char **field_of(struct ledger_entry *e, size_t i) {
    const char **all[FIELDS] = {&e->key,  &e->reason,  &e->author,       &e->reviewer,
                                &e->date, &e->expires, &e->function_hash};
    return all[i];
}

static bool read_entry(struct ledger *l, const struct json *json, const cJSON *item,
                       struct err *err) {
    struct ledger_entry e = {0};
    if (!cJSON_IsObject(item))
        return json_error(json, item, err, "an entry must be an object");
    const cJSON *value;
    cJSON_ArrayForEach(value, item) {
        size_t i = 0;
        while (i < FIELDS && strcmp(fields[i], value->string) != 0)
            i++;
        if (i == FIELDS)
            return json_key_error(json, value, err, "unknown key '%s'", value->string);
        if (!cJSON_IsString(value))
            return json_error(json, value, err, "'%s' must be a text", fields[i]);
        *field_of(&e, i) = value->valuestring;
    }
    if (!e.key || !e.reason || !e.author || !e.date)
        return json_error(json, item, err, "an entry needs key, reason, author and date");
    if (e.expires && !ledger_is_date(e.expires))
        return json_error(json, item, err, "'expires' must be a date, YYYY-MM-DD");
    ledger_put(l, &e);
    return true;
}

bool ledger_open(struct ledger *l, const char *database, struct err *err) {
    *l = (struct ledger){0};
    l->path = path_join(&l->arena, path_dir(&l->arena, database), "justifications.json");
    if (!file_exists(l->path))
        return true;
    struct json json;
    if (!json_read(l->path, &json, err))
        return false;
    bool ok = cJSON_IsArray(json.root) ||
              json_error(&json, json.root, err, "the ledger must be an array of entries");
    const cJSON *item;
    if (ok)
        cJSON_ArrayForEach(item, json.root) {
            ok = ok && read_entry(l, &json, item, err);
        }
    json_free(&json);
    return ok;
}

void ledger_close(struct ledger *l) {
    vec_free(&l->entries);
    arena_free(&l->arena);
}

bool ledger_is_date(const char *text) {
    static const char pattern[] = "dddd-dd-dd";
    for (size_t i = 0; i < sizeof pattern; i++)
        if (pattern[i] == 'd' ? !isdigit((unsigned char)text[i]) : text[i] != pattern[i])
            return false;
    int month = (text[5] - '0') * 10 + text[6] - '0', day = (text[8] - '0') * 10 + text[9] - '0';
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/* ---- changing ---- */

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

/* ---- into the database ---- */

static const char *text_of_goal(struct ledger *l, struct store *db, const char *sql,
                                const char *key) {
    struct err err = {0};
    struct str all = {0};
    struct rows *r = rows_open(db, sql, &err);
    rows_bind_text(r, 1, key);
    while (rows_next(r))
        str_addf(&all, "%s\n", rows_text(r, 0));
    rows_close(r, &err);
    err_clear(&err);
    const char *text = arena_strdup(&l->arena, str_text(&all));
    str_free(&all);
    return text;
}

const char *ledger_function_hash(struct ledger *l, struct store *db, const char *key) {
    const char *text = text_of_goal(l, db,
                                    "SELECT kind || ' ' || text || ' ' || coalesce(value, '') "
                                    "FROM goal WHERE (function, file) IN (SELECT function, file "
                                    "FROM goal WHERE key = ?1) ORDER BY id",
                                    key);
    char hash[SHA256_HEX];
    sha256_hex(text, strlen(text), hash);
    return arena_strdup(&l->arena, hash);
}

static const char *today(struct arena *arena) {
    char text[16];
    time_t now = time(NULL);
    struct tm utc;
    strftime(text, sizeof text, "%Y-%m-%d", gmtime_r(&now, &utc));
    return arena_strdup(arena, text);
}

static const char *problem_of(struct ledger *l, struct store *db, const struct ledger_entry *e) {
    const char *status = text_of_goal(l, db, "SELECT status FROM goal WHERE key = ?1", e->key);
    if (!*status)
        return "the goal is gone";
    if (strcmp(status, "reachable\n") == 0)
        return "the goal is reachable";
    if (e->expires && strcmp(e->expires, today(&l->arena)) < 0)
        return "expired";
    if (e->function_hash && strcmp(e->function_hash, ledger_function_hash(l, db, e->key)) != 0)
        return "stale: the function has changed";
    if (e->reviewer && strcmp(e->reviewer, e->author) == 0)
        return "the reviewer is the author";
    return NULL;
}

bool ledger_sync(struct ledger *l, struct store *db, struct err *err) {
    VEC(struct justification_row) rows = {0};
    for (size_t i = 0; i < l->entries.len; i++) {
        const struct ledger_entry *e = &l->entries.data[i];
        struct justification_row row = {.key = e->key,
                                        .reason = e->reason,
                                        .author = e->author,
                                        .reviewer = e->reviewer,
                                        .date = e->date,
                                        .expires = e->expires,
                                        .function_hash = e->function_hash,
                                        .problem = problem_of(l, db, e)};
        vec_push(&rows, row);
    }
    bool ok = store_justifications(db, rows.data, rows.len, err);
    vec_free(&rows);
    return ok;
}
