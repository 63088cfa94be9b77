#include "app/project/folder_sources.h"

#include "base/file.h"
#include "base/str.h"

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
