#include "app/project/json.h"

#include "base/file.h"

#include <assert.h>
#include <stdarg.h>

/* Columns count characters, as editors do, not bytes. */
static void locate(const struct json *json, size_t offset, int *line, int *col) {
    assert(offset <= json->text.len);
    size_t low = 0, high = json->lines.len; /* lines that begin at or before the offset */
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (json->lines.data[mid] <= offset)
            low = mid + 1;
        else
            high = mid;
    }
    *line = (int)low + 1, *col = 1;
    for (size_t i = low > 0 ? json->lines.data[low - 1] : 0; i < offset; i++)
        *col += ((unsigned char)json->text.data[i] & 0xc0) != 0x80;
}

static void find_lines(struct json *json) {
    for (size_t i = 0; i < json->text.len; i++)
        if (json->text.data[i] == '\n')
            vec_push(&json->lines, i + 1);
}

static const struct json_place *place_of(const struct json *json, const cJSON *item) {
    uint32_t *index = map_get(&json->index, (uint64_t)(uintptr_t)item);
    assert(index && *index < json->places.len);
    return &json->places.data[*index];
}

void json_locate(const struct json *json, const cJSON *item, int *line, int *col) {
    locate(json, place_of(json, item)->start, line, col);
}

static bool error_at(const struct json *json, size_t offset, struct err *err, const char *format,
                     va_list args) {
    struct str message = {0};
    int line, col;
    str_vaddf(&message, format, args);
    locate(json, offset, &line, &col);
    err_set(err, ERR_USAGE, "%s", str_text(&message));
    str_free(&message);
    return err_at(err, json->file, line, col);
}

bool json_error(const struct json *json, const cJSON *item, struct err *err, const char *format,
                ...) {
    va_list args;
    va_start(args, format);
    error_at(json, place_of(json, item)->start, err, format, args);
    va_end(args);
    return false;
}

bool json_key_error(const struct json *json, const cJSON *item, struct err *err, const char *format,
                    ...) {
    va_list args;
    va_start(args, format);
    error_at(json, place_of(json, item)->key, err, format, args);
    va_end(args);
    return false;
}

char *json_source(const struct json *json, const cJSON *item, struct arena *arena) {
    const struct json_place *place = place_of(json, item);
    assert(place->start <= place->end && place->end <= json->text.len);
    return arena_strndup(arena, json->text.data + place->start, place->end - place->start);
}

/* Both walks go through the text from front to back, so the n-th item is the n-th place. Depth is
 * bounded by the scan. */
static void index_items(struct json *json, const cJSON *item, uint32_t *next) {
    assert(*next < json->places.len);
    map_put(&json->index, (uint64_t)(uintptr_t)item, (*next)++);
    for (const cJSON *child = item->child; child; child = child->next)
        index_items(json, child, next);
}

static bool parse(struct json *json, struct err *err) {
    json->root = cJSON_ParseWithLength(json->text.data, json->text.len);
    if (!json->root) {
        err_set(err, ERR_USAGE, "this cannot be read as JSON");
        return err_at(err, json->file, 0, 0);
    }
    uint32_t count = 0;
    assert(json->index.len == 0);
    index_items(json, json->root, &count);
    assert(count == json->places.len && "the scan and cJSON see different values");
    return true;
}

bool json_read(const char *file, struct json *json, struct err *err) {
    *json = (struct json){0};
    json->file = arena_strdup(&json->arena, file);
    bool read = file_read(file, &json->text, err);
    find_lines(json);
    if (read && json_scan(json, err) && parse(json, err))
        return true;
    json_free(json);
    return false;
}

void json_free(struct json *json) {
    cJSON_Delete(json->root);
    str_free(&json->text);
    vec_free(&json->places);
    vec_free(&json->lines);
    map_free(&json->index);
    arena_free(&json->arena);
    *json = (struct json){0};
}
