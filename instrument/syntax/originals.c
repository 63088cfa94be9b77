/* Two lines are compared from both ends, blanks left out; what is left in the middle is the
 * expansion, and has the column of the word that was begun. */
#include "instrument/syntax/originals.h"

#include "base/file.h"
#include "base/mem.h"
#include "coverage/place.h"
#include "instrument/syntax/markers.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

static void read_file(struct original *original, const char *name, const char *dir) {
    struct arena arena = {0};
    struct err err = {0};
    struct str text = {0};
    if (file_read(path_join(&arena, dir ? dir : "", name), &text, &err) &&
        !markers_present(str_text(&text), text.len)) {
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

void originals_read(struct originals *originals, const struct source_map *map,
                    const struct project *project, const char *dir) {
    assert(originals->files.len == 0);
    originals->last = mem_zalloc(1, sizeof *originals->last);
    vec_resize_zero(&originals->files, map->files.texts.len);
    for (size_t i = 0; i < map->lines.len; i++) {
        const struct source_line *line = &map->lines.data[i];
        struct original *original = &originals->files.data[line->file];
        const char *name = intern_text(&map->files, line->file);
        if (!line->system && original->lines.len == 0 && name[0] != '<' &&
            place_allows(project, name))
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
    if (originals->last)
        vec_free(&originals->last->bytes);
    mem_free(originals->last);
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

/* ---- where the bytes of a line come from ---- */

static size_t skip_blank(struct line_text t, size_t i) {
    while (i < t.len && blank(t.data[i]))
        i++;
    return i;
}

/* Both lines without their blanks, as far as they agree: those bytes have columns. Behind that, and
 * at blanks, there is the word that was begun. */
static void align_left(struct alignment *al, struct line_text a, struct line_text b) {
    size_t i = 0, k = skip_blank(b, 0), word = k;
    for (; i < a.len; i++) {
        struct aligned *at = &al->bytes.data[i];
        at->word = (uint32_t)word;
        if (blank(a.data[i]))
            continue;
        if (k >= b.len || a.data[i] != b.data[k])
            break;
        *at = (struct aligned){.word = (uint32_t)word, .column = (uint32_t)k + 1};
        k = skip_blank(b, k + 1);
        if (k >= b.len || !in_word(b.data[k]) || !in_word(b.data[k - 1]))
            word = k;
    }
    for (; i < a.len; i++)
        al->bytes.data[i].word = (uint32_t)word;
}

static void align_right(struct alignment *al, struct line_text a, struct line_text b) {
    for (size_t i = a.len, k = b.len; i > 0; i--) {
        if (blank(a.data[i - 1]))
            continue;
        while (k > 0 && blank(b.data[k - 1]))
            k--;
        if (k == 0 || a.data[i - 1] != b.data[k - 1])
            return;
        struct aligned *at = &al->bytes.data[i - 1];
        if (at->column == 0 && k - 1 >= at->word)
            at->column = (uint32_t)k;
        k--;
    }
}

static bool is_aligned(const struct alignment *al, const struct source_line *line,
                       const char *text) {
    return al->text == text && al->file == line->file && al->line == line->line;
}

struct originals_line originals_line(const struct originals *originals,
                                     const struct source_line *line) {
    if (line->file >= originals->files.len || line->line < 1)
        return (struct originals_line){0};
    const struct original *o = &originals->files.data[line->file];
    size_t n = (size_t)line->line;
    if (!o->text || n > o->lines.len)
        return (struct originals_line){0};
    size_t begin = o->lines.data[n - 1], end = n < o->lines.len ? o->lines.data[n] - 1 : o->len;
    return (struct originals_line){o->text, begin, end};
}

static struct line_text original_of(const struct originals *originals,
                                    const struct source_line *line) {
    struct originals_line found = originals_line(originals, line);
    if (!found.file)
        return (struct line_text){0};
    return (struct line_text){found.file + found.begin, found.end - found.begin};
}

static void align(struct alignment *al, const struct originals *originals,
                  const struct source_line *line, const char *text) {
    struct line_text a = {text, strcspn(text, "\n")}, b = original_of(originals, line);
    al->text = text;
    al->file = line->file;
    al->line = line->line;
    al->original_len = b.len;
    vec_clear(&al->bytes);
    if (!b.data)
        return;
    vec_resize_zero(&al->bytes, a.len);
    align_left(al, a, b);
    align_right(al, a, b);
}

int originals_column(const struct originals *originals, const struct source_line *line,
                     const char *text, size_t at) {
    struct alignment *al = originals->last;
    if (!al)
        return 0;
    if (!is_aligned(al, line, text))
        align(al, originals, line, text);
    if (at >= al->bytes.len)
        return 0;
    const struct aligned *byte = &al->bytes.data[at];
    if (byte->column > 0)
        return (int)byte->column;
    return byte->word < al->original_len ? (int)byte->word + 1 : 0;
}
