/* Includes: the layers, and headers that compile alone. */
#include "gate.h"

#include "base/child.h"
#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gate_layers(const struct tree *tree, struct findings *f);
void gate_headers(const struct tree *tree, struct findings *f);

/* What a room may include besides itself: other rooms, with all that is below them, and foreign
 * headers. A file is in the room with the longest path. */
static const struct layer {
    const char *folder, *below, *foreign;
} layers[] = {
    {"base", "", ""},
    {"model/term", "base", "mpfr.h gmp.h"},
    {"model/contract", "model/term base", "mpfr.h gmp.h"},
    {"model/system", "model/term base", ""},
    {"coverage", "base", ""},
    {"instrument/syntax", "coverage model base", "clang-c/"},
    {"instrument/inputs", "instrument/syntax coverage model base", "clang-c/ gmp.h"},
    {"instrument/goals", "instrument/inputs instrument/syntax coverage model base", "clang-c/"},
    {"instrument/weave", "instrument/goals instrument/inputs instrument/syntax coverage model base",
     "clang-c/"},
    {"instrument/lower", "instrument/weave instrument/syntax coverage model base", "llvm-c/"},
    {"instrument/native", "instrument/lower instrument/weave instrument/syntax coverage model base",
     "llvm-c/"},
    {"instrument/cbmc", "instrument/lower instrument/weave instrument/syntax coverage model base",
     ""},
    {"engines/solver", "model base", ""},
    {"engines/z3", "model base", "z3.h"},
    {"engines/smtlib", "engines/solver model base", "mpfr.h gmp.h"},
    {"engines", "model base", ""},
    {"db", "coverage model base", "sqlite3.h"},
    {"report", "db coverage model base", ""},
    {"app", "report db engines instrument coverage model base", ""},
};
enum { LAYERS = sizeof layers / sizeof *layers };

/* Headers that only the layers named above may include. */
static const char *const guarded[] = {"sqlite3.h", "clang-c/", "llvm-c/",
                                      "cjson/",    "mpfr.h",   "gmp.h"};

static bool lists(const char *list, const char *word, size_t len) {
    for (const char *p = list; *p;) {
        size_t n = strcspn(p, " ");
        if (n == len && memcmp(p, word, n) == 0)
            return true;
        p += n + (p[n] == ' ');
    }
    return false;
}

static bool is_below(const char *path, const char *folder) {
    size_t len = strlen(folder);
    return strncmp(path, folder, len) == 0 && path[len] == '/';
}

static const struct layer *layer_of(const char *path) {
    const struct layer *best = NULL;
    for (int i = 0; i < LAYERS; i++)
        if (is_below(path, layers[i].folder) &&
            (!best || strlen(layers[i].folder) > strlen(best->folder)))
            best = &layers[i];
    return best;
}

/* A room lists those that it may include, or what holds them. Its own rooms are its own. */
static bool may_include(const struct layer *layer, const char *name) {
    char folder[256];
    if (is_below(name, layer->folder))
        return true;
    for (const char *slash = name; (slash = strchr(slash, '/')); slash++) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - name), name);
        if (lists(layer->below, folder, strlen(folder)))
            return true;
    }
    return false;
}

static void check_include(const struct source *s, const struct layer *layer, const char *name,
                          int line, struct findings *f) {
    if (layer_of(name) && !may_include(layer, name))
        finding(f, s->path, line, name, "%s/ must not include %s", layer->folder, name);
    if (str_starts(name, "tests/"))
        finding(f, s->path, line, name, "production code includes %s", name);
    for (size_t i = 0; i < sizeof guarded / sizeof *guarded; i++)
        if (str_starts(name, guarded[i]) && !lists(layer->foreign, guarded[i], strlen(guarded[i])))
            finding(f, s->path, line, name, "%s/ must not include %s", layer->folder, name);
}

void gate_layers(const struct tree *tree, struct findings *f) {
    for (size_t i = 0; i < tree->files.len; i++) {
        const struct source *s = &tree->files.data[i];
        const struct layer *layer = layer_of(s->path);
        if (!layer)
            continue;
        for (const char *p = s->text; (p = strstr(p, "#include ")); p++) {
            if (p != s->text && p[-1] != '\n')
                continue;
            const char *name = p + strlen("#include ") + 1;
            char copy[256] = {0};
            strncpy(copy, name, strcspn(name, "\">\n") % sizeof copy);
            check_include(s, layer, copy, line_of(s->text, p), f);
        }
    }
}

/* One finding for each header that has an error: "path:line:col: error: text". */
static void report_errors(const char *output, struct findings *f) {
    char last[256] = "";
    for (const char *line = output; *line;) {
        size_t len = strcspn(line, "\n");
        const char *error = memmem(line, len, ": error: ", 9);
        size_t path_len = strcspn(line, ":\n");
        char path[256] = {0};
        memcpy(path, line, path_len < sizeof path ? path_len : 0);
        if (error && strcmp(path, last) != 0)
            finding(f, path, atoi(line + path_len + 1), "", "does not compile alone: %.*s",
                    (int)(line + len - error) - 9, error + 9);
        if (error)
            memcpy(last, path, sizeof last);
        line += len + (line[len] == '\n');
    }
}

/* One compiler call for all: it goes through them one by one and reports each by its name. */
void gate_headers(const struct tree *tree, struct findings *f) {
    VEC(const char *) argv = {0};
    static const char *const fixed[] = {"cc",
                                        "-std=c11",
                                        "-D_GNU_SOURCE",
                                        "-Wall",
                                        "-Werror",
                                        "-Wno-unused-function",
                                        "-I.",
                                        "-isystem",
                                        "/usr/lib/llvm-19/include",
                                        "-fsyntax-only",
                                        "-x",
                                        "c"};
    vec_append(&argv, fixed, sizeof fixed / sizeof *fixed);
    size_t none = argv.len;
    for (size_t i = 0; i < tree->files.len; i++)
        if (tree->files.data[i].production && is_kind(&tree->files.data[i], ".h"))
            vec_push(&argv, tree->files.data[i].path);
    bool some = argv.len > none;
    vec_push(&argv, NULL);
    struct child_spec spec = {
        .argv = argv.data, .dir = tree->root, .environment = (const char *[]){"LC_ALL=C", NULL}};
    struct child_result result = {0};
    struct err err = {0};
    if (some && !child_run(&spec, &result, &err))
        finding(f, "(headers)", 0, "", "%s", str_text(&err.message));
    report_errors(str_text(&result.err), f);
    child_result_free(&result);
    err_clear(&err);
    vec_free(&argv);
}
