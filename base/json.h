/* json: a JSON file as a tree that knows the place of every value, for messages that point at it.
 *
 *     struct json json;
 *     if (!json_read("goalkeeper.json", &json, err))
 *         return false;
 *     const struct json_item *item = json_member(json.root, "step");
 *     if (!json_is(item, JSON_STRING))
 *         return json_error(&json, item, err, "'step' must be a text");   // always false
 *     json_free(&json);
 *
 * What is JSON and what not: base/json_events.h. All items live until json_free().
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/arena.h"
#include "base/err.h"
#include "base/json_events.h"

struct json_item {
    enum json_event kind; /* JSON_OBJECT, JSON_ARRAY, JSON_STRING or JSON_SCALAR */
    const char *key;      /* of a member of an object, else NULL */
    const char *text;     /* of a string, unescaped; of a scalar, as written: all its digits */
    struct json_item *child, *next;
    struct json_place place, key_place; /* of the value, of its key; equal where there is none */
};

struct json {
    struct arena arena;
    const char *file; /* for messages */
    struct json_item *root;
};

/* Both give back nothing to free when they fail. */
bool json_read(const char *file, struct json *json, struct err *err);
bool json_parse(const char *file, const char *text, size_t len, struct json *json, struct err *err);
void json_free(struct json *json);

/* An item may be NULL: it is of no kind, has no members and no value. */
bool json_is(const struct json_item *item, enum json_event kind);
bool json_is_number(const struct json_item *item);
bool json_is_word(const struct json_item *item, const char *word); /* "true", "false", "null" */
double json_number(const struct json_item *item);                  /* 0 of what is no number */
const char *json_text(const struct json_item *item);               /* "" of what is no string */
const struct json_item *json_member(const struct json_item *object, const char *key);
const struct json_item *json_at(const struct json_item *array, size_t index);
size_t json_count(const struct json_item *array);

bool json_error(const struct json *json, const struct json_item *item, struct err *err,
                const char *format, ...)
    __attribute__((format(printf, 4, 5))); /* points at the value */
bool json_key_error(const struct json *json, const struct json_item *item, struct err *err,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
