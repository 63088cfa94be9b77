/* json: a JSON file with the place of every value, for messages that point at it.
 *
 * cJSON builds the tree but knows no positions, and accepts more than JSON. So a strict scan comes
 * first: it rejects what is not JSON (with line and column) and remembers where each value stands.
 *
 *     struct json json;
 *     if (!json_read("goalkeeper.json", &json, err))
 *         return false;
 *     if (!cJSON_IsString(item))
 *         return json_error(&json, item, err, "'step' must be a text");   // always false
 *     json_free(&json);
 */
#ifndef APP_PROJECT_JSON_H
#define APP_PROJECT_JSON_H

#include "base/err.h"
#include "base/map.h"

#include <cjson/cJSON.h>

struct json_place {
    size_t start, end; /* of the value, as offsets into the text */
    size_t key;        /* of its key; equals start where there is none */
};

struct json {
    struct arena arena;
    const char *file;
    struct str text;
    cJSON *root;
    VEC(struct json_place) places; /* in the order of the text */
    struct map index;              /* cJSON item -> index into places */
    VEC(size_t) lines;             /* where they begin, but the first */
};

bool json_read(const char *file, struct json *json, struct err *err); /* frees on failure */
void json_free(struct json *json);

bool json_error(const struct json *json, const cJSON *item, struct err *err, const char *format,
                ...) __attribute__((format(printf, 4, 5))); /* points at the value */
bool json_key_error(const struct json *json, const cJSON *item, struct err *err, const char *format,
                    ...) __attribute__((format(printf, 4, 5)));
void json_locate(const struct json *json, const cJSON *item, int *line, int *col);
/* The value exactly as written: numbers keep all their digits. */
char *json_source(const struct json *json, const cJSON *item, struct arena *arena);

/* What json_read does first; `file` is for messages. */
bool json_scan(struct json *json, struct err *err);

#endif
