/* A table needs the widths of all rows first, so it is kept; JSON and CSV are written as rows
 * come. */
#include "app/cli/print_rows.h"

#include "base/arena.h"
#include "base/vec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX_TABLE_WIDTH = 60 };

/* A number as short as it can be without losing anything. */
static void add_cell(struct str *out, struct rows *rows, int column) {
    if (!rows_is_number(rows, column)) {
        str_add(out, rows_text(rows, column));
        return;
    }
    double value = rows_real(rows, column);
    if (value == floor(value) && fabs(value) < 9e15)
        str_addf(out, "%lld", (long long)rows_int(rows, column));
    else
        str_addf(out, "%.10g", value);
}

static void add_json_text(struct str *out, const char *text) {
    str_addc(out, '"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            str_addf(out, "\\%c", c);
        else if (c < 0x20)
            str_addf(out, "\\u%04x", c);
        else
            str_addc(out, (char)c);
    }
    str_addc(out, '"');
}

static void print_json(struct rows *rows) {
    const char *separator = "[";
    while (rows_next(rows)) {
        struct str line = {0};
        str_addf(&line, "%s\n  {", separator);
        for (int i = 0; i < rows_columns(rows); i++) {
            str_add(&line, i ? ", " : "");
            add_json_text(&line, rows_name(rows, i));
            str_add(&line, ": ");
            if (rows_null(rows, i))
                str_add(&line, "null");
            else if (rows_is_number(rows, i))
                add_cell(&line, rows, i);
            else
                add_json_text(&line, rows_text(rows, i));
        }
        printf("%s}", str_text(&line));
        str_free(&line);
        separator = ",";
    }
    puts(*separator == '[' ? "[]" : "\n]");
}

static void print_csv_field(const char *text) {
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stdout);
        return;
    }
    putchar('"');
    for (; *text; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

/* RFC 4180 */
static void print_csv(struct rows *rows) {
    for (int i = 0; i < rows_columns(rows); i++) {
        fputs(i ? "," : "", stdout);
        print_csv_field(rows_name(rows, i));
    }
    fputs("\r\n", stdout);
    while (rows_next(rows)) {
        for (int i = 0; i < rows_columns(rows); i++) {
            struct str cell = {0};
            add_cell(&cell, rows, i);
            fputs(i ? "," : "", stdout);
            print_csv_field(str_text(&cell));
            str_free(&cell);
        }
        fputs("\r\n", stdout);
    }
}

struct table {
    struct arena arena;
    VEC(const char *) cells; /* row by row, the header first */
    VEC(bool) numeric;       /* a column: only numbers so far */
    VEC(int) width;
    size_t columns;
    bool whole; /* a program reads it: nothing is cut */
};

/* Characters, not bytes: UTF-8 continuation bytes take no place. */
static int text_width(const char *text) {
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

static const char *shortened(struct table *t, const char *text) {
    char *copy = arena_strdup(&t->arena, text);
    for (char *p = copy; *p; p++)
        if (*p == '\n' || *p == '\r' || *p == '\t')
            *p = ' ';
    if (t->whole || text_width(copy) <= MAX_TABLE_WIDTH)
        return copy;
    char *end = copy;
    for (int seen = 0; *end; end++)
        if (((unsigned char)*end & 0xc0) != 0x80 && ++seen > MAX_TABLE_WIDTH - 1)
            break;
    *end = '\0';
    return arena_printf(&t->arena, "%s…", copy);
}

static void table_add(struct table *t, size_t column, const char *text) {
    const char *cell = shortened(t, text);
    int width = text_width(cell);
    if (width > t->width.data[column])
        t->width.data[column] = width;
    vec_push(&t->cells, cell);
}

static void table_read(struct table *t, struct rows *rows) {
    t->columns = (size_t)rows_columns(rows);
    vec_resize_zero(&t->width, t->columns);
    for (size_t i = 0; i < t->columns; i++) {
        vec_push(&t->numeric, true);
        table_add(t, i, rows_name(rows, (int)i));
    }
    while (rows_next(rows))
        for (int i = 0; i < rows_columns(rows); i++) {
            struct str cell = {0};
            add_cell(&cell, rows, i);
            t->numeric.data[i] &= rows_null(rows, i) || rows_is_number(rows, i);
            table_add(t, (size_t)i, str_text(&cell));
            str_free(&cell);
        }
}

static void print_line(const struct table *t, const char *const *cells) {
    for (size_t i = 0; i < t->columns; i++) {
        int pad = t->width.data[i] - text_width(cells[i]);
        bool last = i + 1 == t->columns;
        if (t->numeric.data[i])
            printf("%*s%s", pad, "", cells[i]);
        else
            printf("%s%*s", cells[i], last ? 0 : pad, "");
        fputs(last ? "\n" : "  ", stdout);
    }
}

static void print_table(struct rows *rows) {
    struct table t = {.whole = !isatty(STDOUT_FILENO)};
    table_read(&t, rows);
    for (size_t i = 0; i < t.cells.len; i += t.columns)
        print_line(&t, t.cells.data + i);
    vec_free(&t.cells);
    vec_free(&t.numeric);
    vec_free(&t.width);
    arena_free(&t.arena);
}

bool print_rows(struct rows *rows, const char *format, struct err *err) {
    if (!rows)
        return false;
    if (strcmp(format, "json") == 0)
        print_json(rows);
    else if (strcmp(format, "csv") == 0)
        print_csv(rows);
    else
        print_table(rows);
    return rows_close(rows, err);
}
