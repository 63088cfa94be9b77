/* The events of base/json_events.h as a tree, built with a stack of ends of lists: the depth is
 * theirs. */
#include "base/json.h"

#include "base/file.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The open objects and arrays, with the end of the list of each: level 0 is the document. */
struct builder {
    struct json *json;
    struct json_events events;
    struct json_item **end[JSON_DEPTH + 1];
    uint32_t depth;
    const char *key;
    struct json_place key_place;
};

static void add_item(struct builder *b, enum json_event kind, const char *text) {
    struct json_item *item = arena_new(&b->json->arena, struct json_item);
    item->kind = kind;
    item->key = b->key;
    item->text = arena_strdup(&b->json->arena, text);
    item->place = b->events.token;
    item->key_place = b->key ? b->key_place : item->place;
    b->key = NULL;
    *b->end[b->depth] = item;
    b->end[b->depth] = &item->next;
    if (kind == JSON_OBJECT || kind == JSON_ARRAY) {
        assert(b->depth < JSON_DEPTH);
        b->end[++b->depth] = &item->child;
    }
}

static void on_event(void *context, enum json_event event, const char *text) {
    struct builder *b = context;
    if (event == JSON_OBJECT_END || event == JSON_ARRAY_END) {
        assert(b->depth > 0);
        b->depth--;
    } else if (event == JSON_KEY) {
        b->key = arena_strdup(&b->json->arena, text);
        b->key_place = b->events.token;
    } else {
        add_item(b, event, text);
    }
}

bool json_parse(const char *file, const char *text, size_t len, struct json *json,
                struct err *err) {
    static const char mark[] = "\xef\xbb\xbf"; /* of byte order */
    size_t from = len >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    struct builder b = {.json = json};
    *json = (struct json){0};
    json->file = arena_strdup(&json->arena, file);
    b.end[0] = &json->root;
    json_events_init(&b.events, on_event, &b);
    bool ok = json_events_feed(&b.events, text + from, len - from) && json_events_end(&b.events);
    assert(!ok || (json->root && b.depth == 0));
    if (!ok) {
        err_set(err, ERR_USAGE, "%s", b.events.error);
        err_at(err, file, b.events.token.line, b.events.token.col);
        json_free(json);
    }
    json_events_free(&b.events);
    return ok;
}

bool json_read(const char *file, struct json *json, struct err *err) {
    struct str text = {0};
    *json = (struct json){0};
    bool ok = file_read(file, &text, err) && json_parse(file, str_text(&text), text.len, json, err);
    str_free(&text);
    return ok;
}

void json_free(struct json *json) {
    arena_free(&json->arena);
    *json = (struct json){0};
}

/* ---- items ---- */

bool json_is(const struct json_item *item, enum json_event kind) {
    return item && item->kind == kind;
}

bool json_is_number(const struct json_item *item) {
    return json_is(item, JSON_SCALAR) &&
           (item->text[0] == '-' || isdigit((unsigned char)item->text[0]));
}

bool json_is_word(const struct json_item *item, const char *word) {
    return json_is(item, JSON_SCALAR) && strcmp(item->text, word) == 0;
}

double json_number(const struct json_item *item) {
    return json_is_number(item) ? strtod(item->text, NULL) : 0;
}

const char *json_text(const struct json_item *item) {
    return json_is(item, JSON_STRING) ? item->text : "";
}

const struct json_item *json_member(const struct json_item *object, const char *key) {
    const struct json_item *m = json_is(object, JSON_OBJECT) ? object->child : NULL;
    while (m && strcmp(m->key, key) != 0)
        m = m->next;
    return m;
}

const struct json_item *json_at(const struct json_item *array, size_t index) {
    const struct json_item *c = json_is(array, JSON_ARRAY) ? array->child : NULL;
    while (c && index-- > 0)
        c = c->next;
    return c;
}

size_t json_count(const struct json_item *array) {
    size_t n = 0;
    for (const struct json_item *c = json_at(array, 0); c; c = c->next)
        n++;
    return n;
}

/* ---- messages ---- */

static bool error_at(const struct json *json, struct json_place place, struct err *err,
                     const char *format, va_list args) {
    struct str message = {0};
    str_vaddf(&message, format, args);
    err_set(err, ERR_USAGE, "%s", str_text(&message));
    str_free(&message);
    return err_at(err, json->file, place.line, place.col);
}

bool json_error(const struct json *json, const struct json_item *item, struct err *err,
                const char *format, ...) {
    va_list args;
    va_start(args, format);
    error_at(json, item->place, err, format, args);
    va_end(args);
    return false;
}

bool json_key_error(const struct json *json, const struct json_item *item, struct err *err,
                    const char *format, ...) {
    va_list args;
    va_start(args, format);
    error_at(json, item->key_place, err, format, args);
    va_end(args);
    return false;
}
