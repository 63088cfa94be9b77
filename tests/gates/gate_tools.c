/* Gates that ask a tool: clang-format, and objdump about variables. */
#include "gate.h"

#include "base/child.h"
#include "base/file.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

void gate_format(const struct tree *tree, struct findings *f);
void gate_globals(const struct tree *tree, struct findings *f);

VEC_STRUCT(words, const char *);

/* Runs a tool on a list of files; its stdout and stderr, or a finding when it cannot start. */
static struct child_result ask(struct words *argv, const char *dir, struct findings *f) {
    struct child_result result = {0};
    struct err err = {0};
    vec_push(argv, NULL);
    struct child_spec spec = {.argv = argv->data, .dir = dir};
    if (!child_run(&spec, &result, &err))
        finding(f, argv->data[0], 0, "", "%s", str_text(&err.message));
    err_clear(&err);
    vec_free(argv);
    return result;
}

void gate_format(const struct tree *tree, struct findings *f) {
    struct words argv = {0};
    vec_push(&argv, "clang-format-19");
    vec_push(&argv, "--dry-run");
    size_t none = argv.len;
    for (size_t i = 0; i < tree->files.len; i++)
        if (is_kind(&tree->files.data[i], ".c") || is_kind(&tree->files.data[i], ".h"))
            vec_push(&argv, tree->files.data[i].path);
    if (argv.len == none) {
        vec_free(&argv);
        return;
    }
    struct child_result result = ask(&argv, tree->root, f);
    const char *last = "";
    for (char *line = result.err.data, *next; line && *line; line = next) {
        next = line + strcspn(line, "\n");
        next += *next == '\n';
        size_t path = strcspn(line, ":\n");
        if (line[path] != ':' || !memmem(line, (size_t)(next - line), "-Wclang-format", 14))
            continue;
        if (strncmp(last, line, path + 1) != 0)
            finding(f, "", 0, "", "%.*s: not as clang-format-19 lays it out", (int)path, line);
        last = line;
    }
    child_result_free(&result);
}

/* ---- variables ---- */

static bool is_mutable_section(const char *name) {
    static const char *const sections[] = {".data", ".bss", ".tdata", ".tbss", "*COM*"};
    if (str_starts(name, ".data.rel.ro"))
        return false;
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        size_t len = strlen(sections[i]);
        if (strncmp(name, sections[i], len) == 0 && (name[len] == '\0' || name[len] == '.'))
            return true;
    }
    return false;
}

/* "base/stop.c" of the object "CMakeFiles/gk_base.dir/base/stop.c.o". */
static const char *source_of(struct arena *arena, const char *object) {
    const char *dir = strstr(object, ".dir/");
    const char *path = dir ? dir + 5 : object;
    return arena_strndup(arena, path, strlen(path) - 2);
}

/* A line of `objdump -t`: value, 7 flags, section, size, name. Variables have the flag 'O', those
 * of threads none; functions, files and sections have others. */
static void check_symbol(const char *path, const char *line, size_t len, struct findings *f) {
    char copy[512] = {0}, flags[8] = {0};
    if (len < 30 || len >= sizeof copy)
        return;
    memcpy(copy, line, len);
    memcpy(flags, copy + 17, 7);
    char *rest = copy + 24, *section = strsep(&rest, "\t");
    section += strspn(section, " ");
    if (strpbrk(flags, "Ffd") || !rest || !is_mutable_section(section))
        return;
    char *name = strrchr(rest, ' ') + 1;
    name[strcspn(name, ".")] = '\0'; /* statics of functions have a number behind */
    finding(f, path, 0, name, "'%s' is a mutable global", name);
}

static void check_object(const char *binary, const char *object, struct findings *f) {
    struct arena arena = {0};
    struct words argv = {0};
    vec_push(&argv, "objdump");
    vec_push(&argv, "-t");
    vec_push(&argv, object);
    struct child_result result = ask(&argv, binary, f);
    for (const char *line = str_text(&result.out); *line;) {
        size_t len = strcspn(line, "\n");
        check_symbol(source_of(&arena, object), line, len, f);
        line += len + (line[len] == '\n');
    }
    child_result_free(&result);
    arena_free(&arena);
}

static void check_folder(const char *binary, const char *dir, struct findings *f) {
    struct arena arena = {0};
    DIR *d = opendir(path_join(&arena, binary, dir));
    for (struct dirent *e; d && (e = readdir(d));) {
        const char *path = path_join(&arena, dir, e->d_name);
        if (e->d_type == DT_DIR && e->d_name[0] != '.')
            check_folder(binary, path, f);
        else if (str_ends(path, ".c.o") && !str_ends(path, "/app/cli/launch.c.o"))
            check_object(binary, path, f);
    }
    if (d)
        closedir(d);
    arena_free(&arena);
}

void gate_globals(const struct tree *tree, struct findings *f) {
    static const char *const libraries[] = {"base",    "model", "coverage", "instrument",
                                            "engines", "db",    "report"};
    char dir[64];
    for (size_t i = 0; tree->binary && i < sizeof libraries / sizeof *libraries; i++) {
        snprintf(dir, sizeof dir, "CMakeFiles/gk_%s.dir", libraries[i]);
        check_folder(tree->binary, dir, f);
    }
}
