#include "gate.h"

#include "base/file.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static const char *const code_suffixes[] = {".c", ".h", ".inc", ".def"};
static const char *const text_suffixes[] = {".md", ".sh", ".txt", ".cmake", ".sql", ".json"};
static const char *const text_names[] = {"dev", "run"};

static bool has_suffix(const char *path, const char *const *suffixes, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (str_ends(path, suffixes[i]))
            return true;
    return false;
}

bool is_kind(const struct source *source, const char *suffix) {
    return str_ends(source->path, suffix);
}

int line_of(const char *text, const char *place) {
    int line = 1;
    for (; text < place; text++)
        line += *text == '\n';
    return line;
}

static bool is_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

const char *find_word(const char *from, const char *word) {
    size_t len = strlen(word);
    for (const char *p = from; (p = strstr(p, word)); p += len)
        if ((p == from || !is_name(p[-1])) && !is_name(p[len]))
            return p;
    return NULL;
}

/* ---- blanking ---- */

static char *blank(char *p, char *end) {
    for (; p < end; p++)
        if (*p != '\n')
            *p = ' ';
    return end;
}

static char *end_of_text(char *p) {
    char quote = *p++;
    while (*p && *p != quote && *p != '\n')
        p += *p == '\\' && p[1] ? 2 : 1;
    return p;
}

static char *end_of_line(char *p) {
    return p + strcspn(p, "\n");
}

static void blank_comments(char *text) {
    for (char *p = text; *p;) {
        if (p[0] == '/' && p[1] == '*') {
            char *end = strstr(p + 2, "*/");
            p = blank(p, end ? end + 2 : p + strlen(p));
        } else if (p[0] == '/' && p[1] == '/') {
            p = blank(p, end_of_line(p));
        } else if (*p == '"' || *p == '\'') {
            char *end = end_of_text(p);
            blank(p + 1, end);
            p = *end ? end + 1 : end;
        } else {
            p++;
        }
    }
}

static void blank_directives(char *text) {
    for (char *p = text; *p;) {
        char *first = p + strspn(p, " \t"), *end = end_of_line(p);
        while (*first == '#' && end > p && end[-1] == '\\' && *end)
            end = end_of_line(end + 1);
        if (*first == '#')
            blank(p, end);
        p = *end ? end + 1 : end;
    }
}

/* ---- functions ---- */

/* The name in front of the parameter list that ends at `close`; NULL when this is no function. */
static const char *function_name(struct tree *tree, const char *text, const char *close) {
    int depth = 0;
    const char *p = close;
    for (; p > text; p--) {
        depth += (*p == ')') - (*p == '(');
        if (depth == 0)
            break;
    }
    while (p > text && isspace((unsigned char)p[-1]))
        p--;
    const char *end = p;
    while (p > text && is_name(p[-1]))
        p--;
    return end > p ? arena_strndup(&tree->arena, p, (size_t)(end - p)) : NULL;
}

static const char *before(const char *text, const char *p) {
    while (p > text && isspace((unsigned char)p[-1]))
        p--;
    return p > text ? p - 1 : text;
}

static void find_functions(struct tree *tree, struct source *source) {
    int depth = 0;
    const char *open = NULL;
    for (const char *p = source->bare; *p; p++) {
        if (*p == '{' && depth++ == 0)
            open = p;
        if (*p != '}' || depth == 0 || --depth > 0)
            continue;
        const char *close = before(source->bare, open);
        const char *name = *close == ')' ? function_name(tree, source->bare, close) : NULL;
        int first = line_of(source->bare, open), last = line_of(source->bare, p);
        if (name)
            vec_push(&source->functions, (struct function){name, first, last - first + 1});
    }
}

/* ---- the tree ---- */

static const char *tree_read(struct tree *tree, const char *path) {
    struct str text = {0};
    struct err err = {0};
    const char *copy = "";
    if (file_read(path_join(&tree->arena, tree->root, path), &text, &err))
        copy = arena_strndup(&tree->arena, str_text(&text), text.len);
    str_free(&text);
    err_clear(&err);
    return copy;
}

static void add_source(struct tree *tree, const char *path) {
    struct source source = {.path = path, .text = tree_read(tree, path)};
    char *code = arena_strdup(&tree->arena, source.text);
    blank_comments(code);
    char *bare = arena_strdup(&tree->arena, code);
    blank_directives(bare);
    source.code = code;
    source.bare = bare;
    source.lines = line_of(source.text, source.text + strlen(source.text)) - 1;
    source.production = !str_starts(path, "tests/") && !str_starts(path, "bench/");
    if (!str_ends(path, ".h") && !str_ends(path, ".def"))
        find_functions(tree, &source);
    vec_push(&tree->files, source);
}

static bool is_text(const char *path) {
    for (size_t i = 0; i < sizeof text_names / sizeof *text_names; i++)
        if (str_same(path_base(path), text_names[i]))
            return true;
    return has_suffix(path, text_suffixes, sizeof text_suffixes / sizeof *text_suffixes);
}

/* Samples are what is analysed, not how: they follow the style of code generators. */
static bool is_foreign(const char *path) {
    return str_starts(path, "build") || str_starts(path, "samples/") ||
           (path[0] == '.' && !str_starts(path, ".ci"));
}

static void walk(struct tree *tree, const char *dir) {
    DIR *d = opendir(path_join(&tree->arena, tree->root, dir));
    for (struct dirent *e; d && (e = readdir(d));) {
        if (e->d_name[0] == '.' && !str_same(e->d_name, ".ci"))
            continue;
        const char *path = path_join(&tree->arena, dir, e->d_name);
        if (is_foreign(path))
            continue;
        if (e->d_type == DT_DIR)
            walk(tree, path);
        else if (has_suffix(path, code_suffixes, sizeof code_suffixes / sizeof *code_suffixes))
            add_source(tree, path);
        else if (is_text(path))
            vec_push(&tree->texts, (struct source){.path = path, .text = tree_read(tree, path)});
    }
    if (d)
        closedir(d);
}

static int by_path(const void *a, const void *b) {
    return strcmp(((const struct source *)a)->path, ((const struct source *)b)->path);
}

void tree_load(struct tree *tree, const char *root, const char *binary) {
    *tree = (struct tree){.binary = binary};
    tree->root = arena_strdup(&tree->arena, root);
    walk(tree, ".");
    if (tree->files.len > 0)
        qsort(tree->files.data, tree->files.len, sizeof *tree->files.data, by_path);
}

void tree_free(struct tree *tree) {
    for (size_t i = 0; i < tree->files.len; i++)
        vec_free(&tree->files.data[i].functions);
    vec_free(&tree->files);
    vec_free(&tree->texts);
    arena_free(&tree->arena);
}
