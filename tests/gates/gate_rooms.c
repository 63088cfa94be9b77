/* Rooms: how many files a folder has and what its README says; files that need each other in a
 * circle. */
#include "gate.h"

#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"

#include <stdio.h>
#include <string.h>

enum { FOLDER_FILES = 50, README_MIN = 10, README_MAX = 30, KNOT = 3 };

void gate_rooms(const struct tree *tree, struct findings *f);
void gate_knots(const struct tree *tree, struct findings *f);

/* ---- folders ---- */

static bool in_folder(const char *path, const char *folder) {
    size_t len = strlen(folder);
    return strncmp(path, folder, len) == 0 && path[len] == '/' && !strchr(path + len + 1, '/');
}

static int files_of(const struct tree *tree, const char *folder) {
    int n = 0;
    for (size_t i = 0; i < tree->files.len; i++)
        n += in_folder(tree->files.data[i].path, folder);
    for (size_t i = 0; i < tree->texts.len; i++)
        n += in_folder(tree->texts.data[i].path, folder);
    return n;
}

static const struct source *readme_of(const struct tree *tree, const char *folder) {
    for (size_t i = 0; i < tree->texts.len; i++)
        if (in_folder(tree->texts.data[i].path, folder) &&
            str_same(path_base(tree->texts.data[i].path), "README.md"))
            return &tree->texts.data[i];
    return NULL;
}

static void check_readme(const struct tree *tree, const char *folder, struct findings *f) {
    const struct source *readme = readme_of(tree, folder);
    int lines = readme ? line_of(readme->text, readme->text + strlen(readme->text)) - 1 : 0;
    if (!readme)
        finding(f, folder, 0, "README.md", "no README.md");
    else if (lines < README_MIN || lines > README_MAX)
        finding(f, readme->path, 0, "", "%d lines, between %d and %d", lines, README_MIN,
                README_MAX);
}

void gate_rooms(const struct tree *tree, struct findings *f) {
    struct arena arena = {0};
    struct intern folders = {0};
    for (size_t i = 0; i < tree->files.len; i++) {
        const struct source *s = &tree->files.data[i];
        const char *folder = path_dir(&arena, s->path);
        if (intern_find(&folders, folder) != INTERN_NONE)
            continue;
        intern_id(&folders, folder);
        int files = files_of(tree, folder);
        if (files > FOLDER_FILES)
            finding(f, folder, 0, "", "%d files, at most %d", files, FOLDER_FILES);
        if (s->production && strchr(s->path, '/'))
            check_readme(tree, folder, f);
    }
    intern_free(&folders);
    arena_free(&arena);
}

/* ---- knots ---- */

/* x.c, x.h and x.inc are one module, a number below `n`. Row i of `reach` has a byte a module: is
 * it included from i, directly or through others? */
struct modules {
    struct intern names;
    size_t n;
    char *reach;
};

static const char *module_name(struct arena *arena, const char *path) {
    const char *dot = strrchr(path, '.');
    return arena_strndup(arena, path, dot ? (size_t)(dot - path) : strlen(path));
}

static bool is_module(const struct source *s) {
    return s->production && !is_kind(s, ".def") && strchr(s->path, '/');
}

static void mark_includes(const struct source *s, struct modules *m, struct arena *arena) {
    uint32_t from = intern_find(&m->names, module_name(arena, s->path));
    for (const char *p = s->text; (p = strstr(p, "#include \"")); p++) {
        const char *name = p + strlen("#include \"");
        const char *path = arena_strndup(arena, name, strcspn(name, "\"\n"));
        uint32_t to = intern_find(&m->names, module_name(arena, path));
        if (to != INTERN_NONE && (p == s->text || p[-1] == '\n'))
            m->reach[from * m->n + to] = 1;
    }
}

static void close_over(struct modules *m) {
    for (size_t k = 0; k < m->n; k++)
        for (size_t i = 0; i < m->n; i++)
            for (size_t j = 0; m->reach[i * m->n + k] && j < m->n; j++)
                m->reach[i * m->n + j] |= m->reach[k * m->n + j];
}

static void report_knot(const struct modules *m, size_t first, struct findings *f) {
    struct str others = {0};
    char size[16];
    int n = 1;
    for (size_t i = 0; i < m->n; i++) {
        if (i == first || !m->reach[first * m->n + i] || !m->reach[i * m->n + first])
            continue;
        if (i < first)
            n = -(int)m->n; /* told where the knot's first module was */
        n++;
        str_addf(&others, " %s", path_base(intern_text(&m->names, (uint32_t)i)));
    }
    snprintf(size, sizeof size, "%d", n);
    if (n > KNOT)
        finding(f, intern_text(&m->names, (uint32_t)first), 0, size,
                "a knot of %d modules that include each other, at most %d:%s", n, KNOT,
                str_text(&others));
    str_free(&others);
}

void gate_knots(const struct tree *tree, struct findings *f) {
    struct arena arena = {0};
    struct modules m = {0};
    for (size_t i = 0; i < tree->files.len; i++)
        if (is_module(&tree->files.data[i]))
            intern_id(&m.names, module_name(&arena, tree->files.data[i].path));
    m.n = m.names.texts.len;
    m.reach = mem_zalloc(m.n * m.n + 1, 1);
    for (size_t i = 0; i < tree->files.len; i++)
        if (is_module(&tree->files.data[i]))
            mark_includes(&tree->files.data[i], &m, &arena);
    close_over(&m);
    for (size_t i = 0; i < m.n; i++)
        report_knot(&m, i, f);
    mem_free(m.reach);
    intern_free(&m.names);
    arena_free(&arena);
}
