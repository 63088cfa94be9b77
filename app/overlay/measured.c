/* Files are found by the ends of their paths, lines by bisection: they come in order mostly. */
#include "app/overlay/measured.h"

#include "base/file.h"
#include "base/str.h"

#include <string.h>

void measured_free(struct measured *m) {
    for (size_t i = 0; i < m->files.len; i++) {
        struct measured_file *f = &m->files.data[i];
        vec_free(&f->lines);
        vec_free(&f->segments);
        vec_free(&f->outcomes);
        vec_free(&f->mcdc);
        vec_free(&f->functions);
    }
    vec_free(&m->files);
    arena_free(&m->arena);
}

struct measured_file *measured_file(struct measured *m, const char *name) {
    for (size_t i = 0; i < m->files.len; i++)
        if (strcmp(m->files.data[i].name, name) == 0)
            return &m->files.data[i];
    vec_push(&m->files, (struct measured_file){.name = arena_strdup(&m->arena, name)});
    return &vec_last(&m->files);
}

/* The first that is not before this line. */
static size_t place_of(const struct measured_file *f, int line) {
    size_t low = 0, high = f->lines.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (f->lines.data[middle].line < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct measured_line *measured_line_at(const struct measured_file *f, int line) {
    size_t at = place_of(f, line);
    return at < f->lines.len && f->lines.data[at].line == line ? &f->lines.data[at] : NULL;
}

/* Lines come in order, nearly always. */
struct measured_line *measured_line(struct measured_file *f, int line) {
    size_t low = place_of(f, line);
    if (low < f->lines.len && f->lines.data[low].line == line)
        return &f->lines.data[low];
    vec_push(&f->lines, (struct measured_line){0});
    memmove(&f->lines.data[low + 1], &f->lines.data[low],
            (f->lines.len - 1 - low) * sizeof *f->lines.data);
    f->lines.data[low] = (struct measured_line){.line = line};
    return &f->lines.data[low];
}

/* How many names at the end of two paths are the same. */
static size_t same_end(const char *a, const char *b) {
    size_t i = strlen(a), k = strlen(b), same = 0;
    while (i > 0 && k > 0 && a[i - 1] == b[k - 1]) {
        i--;
        k--;
        same += a[i] == '/';
    }
    return same +
           ((i == 0 || a[i - 1] == '/') && (k == 0 || b[k - 1] == '/') && (i == 0 || k == 0));
}

const struct measured_file *measured_find(const struct measured *m, const char *path) {
    const struct measured_file *best = NULL;
    size_t most = 0;
    bool twice = false;
    for (size_t i = 0; i < m->files.len; i++) {
        size_t same = same_end(m->files.data[i].name, path);
        if (same == 0 || same < most)
            continue;
        twice = same == most;
        most = same;
        best = &m->files.data[i];
    }
    return twice ? NULL : best;
}

static bool is_lcov(const char *text) {
    return str_starts(text, "TN:") || str_starts(text, "SF:") || strstr(text, "\nSF:");
}

bool measured_read(struct measured *m, const char *path, struct err *err) {
    struct str text = {0};
    bool ok = file_read(path, &text, err);
    const char *start = str_text(&text) + strspn(str_text(&text), " \t\r\n");
    if (ok && *start == '{') {
        ok = measured_json(m, path, start, err);
    } else if (ok && is_lcov(start)) {
        ok = measured_lcov(m, path, arena_strdup(&m->arena, start), err);
    } else if (ok) {
        err_set(err, ERR_USAGE, "%s: no file of coverage that is known", path);
        ok = err_remedy(err, "lcov's .info, JSON of 'llvm-cov export', or of 'gcov --json-format' "
                             "(unpacked: gunzip)");
    }
    str_free(&text);
    return ok;
}
