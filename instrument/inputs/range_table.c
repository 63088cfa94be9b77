/* A file becomes rows of name, minimum and maximum as texts; two rows of one name must agree. */
#include "instrument/inputs/range_table.h"

#include "base/file.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool same_limits(const struct range_entry *a, const struct range_entry *b) {
    return str_same(a->min, b->min) && str_same(a->max, b->max) && str_same(a->lsb, b->lsb) &&
           str_same(a->offset, b->offset);
}

bool range_table_add(struct range_table *table, const struct range_entry *entry, struct err *err) {
    uint32_t id = intern_id(&table->names, entry->name);
    assert(entry->from && id <= table->entries.len);
    if (id == table->entries.len) {
        vec_push(&table->entries, *entry);
        return true;
    }
    const struct range_entry *other = &table->entries.data[id];
    if (same_limits(entry, other))
        return true;
    err_set(err, ERR_USAGE, "%s: '%s' has another range than at %s", entry->from, entry->name,
            other->from);
    return err_remedy(err, "keep one of them");
}

/* ---- CSV ---- */

enum { COLUMNS = 5 };

struct csv_line {
    const char *cell[COLUMNS]; /* NULL: empty, or not there */
    size_t cells;
};

static char *trimmed(char *text) {
    text += strspn(text, " \t\"");
    size_t len = strlen(text);
    while (len > 0 && strchr(" \t\r\"", text[len - 1]))
        len--;
    text[len] = '\0';
    return text;
}

static struct csv_line split(char *line, char separator) {
    struct csv_line cells = {0};
    const char separators[] = {separator, '\0'};
    for (char *rest = line, *one; (one = strsep(&rest, separators)); cells.cells++) {
        one = trimmed(one);
        if (cells.cells < COLUMNS)
            cells.cell[cells.cells] = *one ? one : NULL;
    }
    return cells;
}

static bool is_number(const char *text) {
    mpq_t value;
    mpq_init(value);
    bool good = range_number(text, value);
    mpq_clear(value);
    return good;
}

static const char *wrong_number(const struct csv_line *line) {
    for (size_t i = 1; i < COLUMNS; i++)
        if (line->cell[i] && !is_number(line->cell[i]))
            return line->cell[i];
    return NULL;
}

static bool csv_error(const char *file, int number, struct err *err) {
    err_at(err, file, number, 1);
    return err_remedy(err, "a line is name,min,max or name,min,max,lsb,offset");
}

static bool add_csv_line(struct range_table *table, const char *file, int number,
                         const struct csv_line *line, struct err *err) {
    const char *wrong = wrong_number(line);
    if (!line->cell[0] || line->cells < 3 || line->cells > COLUMNS) {
        err_set(err, ERR_USAGE, "this line is no range");
        return csv_error(file, number, err);
    }
    if (wrong && number == 1)
        return true; /* a heading */
    if (wrong) {
        err_set(err, ERR_USAGE, "'%s' is not a number", wrong);
        return csv_error(file, number, err);
    }
    if (!line->cell[1] && !line->cell[2])
        return true;
    struct range_entry entry = {.name = line->cell[0],
                                .min = line->cell[1],
                                .max = line->cell[2],
                                .lsb = line->cell[3],
                                .offset = line->cell[4],
                                .from =
                                    arena_printf(&table->arena, "%s:%d", path_base(file), number)};
    return range_table_add(table, &entry, err);
}

static bool read_csv(struct range_table *table, const char *file, char *text, struct err *err) {
    bool good = true;
    char separator = strchr(text, ';') ? ';' : ',';
    int number = 1;
    for (char *rest = text, *one; good && (one = strsep(&rest, "\n")); number++) {
        char *line = trimmed(one);
        if (*line == '\0' || *line == '#')
            continue;
        struct csv_line cells = split(one, separator);
        good = add_csv_line(table, file, number, &cells, err);
    }
    return good;
}

bool range_table_read(struct range_table *table, const char *file, struct err *err) {
    struct str text = {0};
    bool good = file_read(file, &text, err);
    if (good && memchr(str_text(&text), '\0', text.len)) {
        err_set(err, ERR_USAGE, "this is no text");
        good = err_at(err, file, 0, 0);
    }
    size_t n = strlen(file);
    const char *ending = n > 4 ? file + n - 4 : "";
    if (good && strcasecmp(ending, ".xml") == 0)
        good = range_table_dictionary(table, file, str_text(&text), text.len, err);
    else if (good && strcasecmp(ending, ".a2l") == 0)
        good = range_table_a2l(table, file, str_text(&text), text.len, err);
    else if (good)
        good = read_csv(table, file, arena_strndup(&table->arena, str_text(&text), text.len), err);
    str_free(&text);
    return good;
}

void range_table_free(struct range_table *table) {
    intern_free(&table->names);
    vec_free(&table->entries);
    vec_free(&table->notes);
    arena_free(&table->arena);
    *table = (struct range_table){0};
}

/* ---- looking up ---- */

static struct range_entry *entry_of(struct range_table *table, const char *name) {
    uint32_t id = intern_find(&table->names, name);
    return id < table->entries.len ? &table->entries.data[id] : NULL;
}

/* "Tab[3].Open" without its indices: "Tab[].Open", or "Tab.Open". */
static const char *without_indices(struct range_table *table, const char *path, bool brackets) {
    struct str name = {0};
    for (const char *p = path; *p; p++) {
        if (*p == '[') {
            str_add(&name, brackets ? "[]" : "");
            p += strcspn(p, "]");
        } else {
            str_addc(&name, *p);
        }
    }
    const char *copy = arena_strdup(&table->arena, str_text(&name));
    str_free(&name);
    return copy;
}

/* (limit - offset) / lsb, exactly: for floats, which comments of generators never scale. */
static const char *unscaled(struct range_table *table, const struct range_entry *entry,
                            const char *limit) {
    mpq_t value, other;
    mpq_inits(value, other, NULL);
    bool good = range_number(limit, value);
    if (entry->offset && range_number(entry->offset, other))
        mpq_sub(value, value, other);
    if (range_number(entry->lsb, other) && mpq_sgn(other) > 0)
        mpq_div(value, value, other);
    char *text = mpq_get_str(NULL, 10, value);
    const char *copy = good ? arena_strdup(&table->arena, text) : limit;
    free(text);
    mpq_clears(value, other, NULL);
    return copy;
}

static bool to_range(struct range_table *table, const struct range_entry *entry,
                     struct scalar scalar, struct range *range) {
    struct range_note note = {
        .lsb = entry->lsb, .offset = entry->offset, .min = entry->min, .max = entry->max};
    if (scalar.type == TYPE_FLOAT && entry->lsb) {
        note.min = entry->min ? unscaled(table, entry, entry->min) : NULL;
        note.max = entry->max ? unscaled(table, entry, entry->max) : NULL;
    }
    return range_scale(&note, scalar, range);
}

bool range_table_find(struct range_table *table, const char *path, struct scalar scalar,
                      struct range *range, const char **from) {
    path += *path == '*';
    struct range_entry *entry = entry_of(table, path);
    if (!entry && strchr(path, '['))
        entry = entry_of(table, without_indices(table, path, true));
    if (!entry && strchr(path, '['))
        entry = entry_of(table, without_indices(table, path, false));
    if (!entry || scalar.type == TYPE_POINTER)
        return false;
    struct range found;
    entry->used = true;
    if (!to_range(table, entry, scalar, &found)) {
        vec_push(&table->notes,
                 arena_printf(&table->arena, "%s: no value of '%s' lies in its range", entry->from,
                              path));
        return false;
    }
    *range = found;
    *from = entry->from;
    return true;
}
