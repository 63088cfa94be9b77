#include "instrument/syntax/originals.h"

#include "base/file.h"
#include "base/mem.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

static void read_file(struct original *original, const char *name, const char *dir) {
    struct arena arena = {0};
    struct err err = {0};
    struct str text = {0};
    if (file_read(path_join(&arena, dir ? dir : "", name), &text, &err)) {
        original->len = text.len;
        original->text = str_detach(&text);
        vec_push(&original->lines, 0);
        for (size_t i = 0; i < original->len; i++)
            if (original->text[i] == '\n')
                vec_push(&original->lines, i + 1);
    }
    str_free(&text);
    err_clear(&err);
    arena_free(&arena);
}

void originals_read(struct originals *originals, const struct source_map *map, const char *dir) {
    assert(originals->files.len == 0);
    vec_resize_zero(&originals->files, map->files.texts.len);
    for (size_t i = 0; i < map->lines.len; i++) {
        const struct source_line *line = &map->lines.data[i];
        struct original *original = &originals->files.data[line->file];
        const char *name = intern_text(&map->files, line->file);
        if (!line->system && original->lines.len == 0 && name[0] != '<')
            read_file(original, name, dir);
        if (original->lines.len == 0)
            vec_push(&original->lines, 0); /* tried */
    }
}

void originals_free(struct originals *originals) {
    for (size_t i = 0; i < originals->files.len; i++) {
        mem_free(originals->files.data[i].text);
        vec_free(&originals->files.data[i].lines);
    }
    vec_free(&originals->files);
}

struct line_text {
    const char *data;
    size_t len;
};

static bool blank(char c) {
    return isspace((unsigned char)c);
}

static bool in_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* How far both lines agree from the left, looking for `at` of the first. */
static bool from_left(struct line_text a, struct line_text b, size_t at, size_t *column) {
    size_t i = 0, k = 0, word = 0;
    for (;; i++, k++) {
        while (i < a.len && i < at && blank(a.data[i]))
            i++;
        while (k < b.len && blank(b.data[k]))
            k++;
        if (k == 0 || k >= b.len || !in_word(b.data[k]) || !in_word(b.data[k - 1]))
            word = k;
        *column = word;
        if (k >= b.len || i >= a.len || a.data[i] != b.data[k])
            return false;
        if (i == at) {
            *column = k;
            return true;
        }
    }
}

static bool from_right(struct line_text a, struct line_text b, size_t at, size_t *column) {
    size_t i = a.len, k = b.len;
    while (i > at && k > 0) {
        while (i > at + 1 && blank(a.data[i - 1]))
            i--;
        while (k > 0 && blank(b.data[k - 1]))
            k--;
        if (k == 0 || a.data[i - 1] != b.data[k - 1])
            return false;
        i--;
        k--;
    }
    *column = k;
    return i == at;
}

int originals_column(const struct originals *originals, const struct source_line *line,
                     const char *text, size_t len, size_t at) {
    if (line->file >= originals->files.len || line->line < 1)
        return 0;
    const struct original *o = &originals->files.data[line->file];
    size_t n = (size_t)line->line, column = 0;
    if (!o->text || n > o->lines.len || at >= len)
        return 0;
    size_t begin = o->lines.data[n - 1], end = n < o->lines.len ? o->lines.data[n] - 1 : o->len;
    struct line_text a = {text, len}, b = {o->text + begin, end - begin};
    if (from_left(a, b, at, &column))
        return (int)column + 1;
    size_t macro = column;
    if (from_right(a, b, at, &column) && column >= macro)
        return (int)column + 1;
    return macro < b.len ? (int)macro + 1 : 0;
}
