/* Lengths: of functions, files and lines. */
#include "gate.h"

#include <stdlib.h>
#include <string.h>

enum { MEDIAN = 12, P90 = 35, CEILING = 100, FILE_LINES = 800, COLUMNS = 100 };

void gate_function_length(const struct tree *tree, struct findings *f);
void gate_file_length(const struct tree *tree, struct findings *f);
void gate_line_length(const struct tree *tree, struct findings *f);

static int by_value(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

void gate_function_length(const struct tree *tree, struct findings *f) {
    VEC(int) lengths = {0};
    for (size_t i = 0; i < tree->files.len; i++) {
        const struct source *s = &tree->files.data[i];
        for (size_t k = 0; k < s->functions.len; k++) {
            const struct function *function = &s->functions.data[k];
            if (s->production)
                vec_push(&lengths, function->length);
            if (function->length > CEILING)
                finding(f, s->path, function->line, function->name, "%s has %d lines, at most %d",
                        function->name, function->length, CEILING);
        }
    }
    if (lengths.len > 0) {
        qsort(lengths.data, lengths.len, sizeof *lengths.data, by_value);
        int median = lengths.data[lengths.len / 2], p90 = lengths.data[lengths.len * 9 / 10];
        if (median > MEDIAN)
            finding(f, "(all)", 0, "", "median function length %d, at most %d", median, MEDIAN);
        if (p90 > P90)
            finding(f, "(all)", 0, "", "90 %% of functions within %d lines, at most %d", p90, P90);
    }
    vec_free(&lengths);
}

void gate_file_length(const struct tree *tree, struct findings *f) {
    for (size_t i = 0; i < tree->files.len; i++) {
        const struct source *s = &tree->files.data[i];
        if (s->lines > FILE_LINES)
            finding(f, s->path, 0, "", "%d lines, at most %d", s->lines, FILE_LINES);
    }
}

void gate_line_length(const struct tree *tree, struct findings *f) {
    for (size_t i = 0; i < tree->files.len; i++) {
        const struct source *s = &tree->files.data[i];
        int line = 1;
        for (const char *p = s->text; *p; line++) {
            size_t bytes = strcspn(p, "\n");
            int columns = 0;
            for (size_t k = 0; k < bytes; k++)
                columns += ((unsigned char)p[k] & 0xc0) != 0x80;
            if (columns > COLUMNS)
                finding(f, s->path, line, "", "%d columns, at most %d", columns, COLUMNS);
            p += bytes + (p[bytes] == '\n');
        }
    }
}
