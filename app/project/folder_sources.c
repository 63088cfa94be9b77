/* Files are looked at as text only: whether one defines main() is seen from its tokens outside of
 * comments, texts and braces. */
#include "app/project/folder_sources.h"

#include "base/file.h"
#include "base/str.h"

#include <assert.h>
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEEP = 12 };

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_build(struct arena *arena, const char *folder) {
    return file_exists(path_join(arena, folder, "CMakeCache.txt"));
}

/* What is in the folder, sorted. */
static void list(struct arena *arena, const char *folder, struct texts *names) {
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (e->d_name[0] != '.')
            vec_push(names, arena_strdup(arena, e->d_name));
    if (dir)
        closedir(dir);
    if (names->len > 1)
        qsort(names->data, names->len, sizeof *names->data, by_text);
}

static void collect(struct arena *arena, const char *folder, int deep, struct texts *sources,
                    struct texts *include_dirs) {
    struct texts names = {0};
    bool headers = false;
    if (deep < MOST_DEEP && !is_build(arena, folder))
        list(arena, folder, &names);
    for (size_t i = 0; i < names.len; i++) {
        const char *path =
            str_same(folder, ".") ? names.data[i] : path_join(arena, folder, names.data[i]);
        if (file_is_dir(path)) {
            collect(arena, path, deep + 1, sources, include_dirs);
            continue;
        }
        headers |= str_ends(path, ".h");
        if (str_ends(path, ".c") && !file_is_device(path) && !file_is_ours(path, FILE_MARK))
            vec_push(sources, path);
    }
    if (headers)
        vec_push(include_dirs, folder);
    vec_free(&names);
}

bool folder_sources(struct arena *arena, const char *folder, struct texts *sources,
                    struct texts *include_dirs, struct err *err) {
    size_t before = sources->len, len = strlen(folder);
    while (len > 1 && folder[len - 1] == '/')
        len--;
    collect(arena, arena_strndup(arena, folder, len), 0, sources, include_dirs);
    if (sources->len > before)
        return true;
    err_set(err, ERR_USAGE, "there is no C file in this folder or below");
    err_at(err, folder, 0, 0);
    return err_remedy(err, "name the C files of the module, or the folder that they are in");
}

/* ---- programs for the host ---- */

/* Behind a comment, a text or a character that begins here; NULL: none does. */
static const char *behind_no_code(const char *p) {
    if (str_starts(p, "/*")) {
        const char *end = strstr(p + 2, "*/");
        return end ? end + 2 : p + strlen(p);
    }
    if (str_starts(p, "//"))
        return p + strcspn(p, "\n");
    if (*p != '"' && *p != '\'')
        return NULL;
    const char quote = *p++;
    while (*p && *p != quote && *p != '\n')
        p += *p == '\\' && p[1] ? 2 : 1;
    return *p ? p + 1 : p;
}

/* "main (…) {" outside of all braces. */
static bool defines_main(const char *text) {
    int depth = 0, brackets = 0;
    bool seen = false; /* main and its brackets, nothing behind them yet */
    for (const char *p = text, *next; *p; p = next) {
        next = behind_no_code(p);
        if (next)
            continue;
        next = p + 1;
        bool word = isalnum((unsigned char)*p) || *p == '_';
        if (word) {
            size_t len = 0;
            while (isalnum((unsigned char)p[len]) || p[len] == '_')
                len++;
            next = p + len;
            if (brackets == 0)
                seen = depth == 0 && len == 4 && memcmp(p, "main", 4) == 0;
        } else if (*p == '(' || *p == ')') {
            brackets += *p == '(' ? 1 : -1;
        } else if (*p == '{' || *p == '}') {
            if (*p == '{' && seen && depth == 0)
                return true;
            depth += *p == '{' ? 1 : -1;
        } else if (*p == ';') {
            seen = false;
        }
    }
    return false;
}

static bool is_host(const char *file) {
    struct str text = {0};
    struct err ignored = {0};
    bool host = file_read(file, &text, &ignored) && defines_main(str_text(&text));
    str_free(&text);
    err_clear(&ignored);
    return host;
}

void folder_leave_out_hosts(struct texts *files, size_t from, struct texts *left_out) {
    struct texts kept = {0};
    assert(from <= files->len);
    for (size_t i = from; i < files->len; i++)
        vec_push(is_host(files->data[i]) ? left_out : &kept, files->data[i]);
    if (kept.len + from == 0)
        vec_clear(left_out);
    else {
        files->len = from;
        vec_append(files, kept.data, kept.len);
    }
    vec_free(&kept);
}
