#include "coverage/place.h"

#include "base/file.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *const place_software[] = {"/usr", "/opt", "/nix", "/gnu", NULL};

static bool is_below(const char *folder, const char *path) {
    size_t n = strlen(folder);
    while (n > 0 && folder[n - 1] == '/')
        n--;
    return strncmp(folder, path, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

static char *real_path(struct arena *arena, const char *path) {
    char *real = realpath(path[0] ? path : ".", NULL);
    char *copy = real ? arena_strdup(arena, real) : NULL;
    free(real);
    return copy;
}

char *place_root(struct arena *arena, const char *dir) {
    char *own = real_path(arena, dir), *top = own;
    while (top && top[1] && !file_exists(path_join(arena, top, ".git")))
        top = path_dir(arena, top);
    return top && top[1] ? top : own;
}

void place_name(struct project *project, const char *path) {
    char *real = real_path(&project->arena, path_join(&project->arena, project->dir, path));
    if (real)
        vec_push(&project->named, real);
}

bool place_allows(const struct project *project, const char *path) {
    struct arena arena = {0};
    if (!project->root)
        return true;
    char *real = real_path(&arena, path_join(&arena, project->dir, path));
    bool good = !real || is_below(project->root, real);
    for (size_t i = 0; !good && i < project->named.len; i++)
        good = is_below(project->named.data[i], real);
    for (size_t i = 0; !good && place_software[i]; i++)
        good = is_below(place_software[i], real);
    arena_free(&arena);
    return good;
}

bool place_keeps(const struct project *project, const char *path) {
    struct arena arena = {0};
    struct stat info;
    const char *full = path_join(&arena, project->dir, path);
    bool is_link = lstat(full, &info) == 0 && S_ISLNK(info.st_mode);
    char *real = real_path(&arena, full);
    bool good = !project->root || !is_link || (real && is_below(project->root, real));
    arena_free(&arena);
    return good;
}

bool place_refuse(const struct project *project, const char *path, struct err *err) {
    assert(project->root);
    err_set(err, ERR_USAGE, PLACE_OUTSIDE, path, project->root);
    return err_remedy(err, PLACE_REMEDY);
}
