#include "base/tool.h"

#include "base/file.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_program(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

char *tool_own_dir(struct arena *arena) {
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0)
        return arena_strdup(arena, ".");
    path[n] = '\0';
    return path_dir(arena, path);
}

static char *in_path(struct arena *arena, const char *name) {
    const char *path = getenv("PATH");
    char *copy = arena_strdup(arena, path ? path : "/usr/bin:/bin"), *rest = copy, *dir;
    while ((dir = strsep(&rest, ":"))) {
        char *candidate = path_join(arena, dir[0] ? dir : "./", name);
        if (is_program(candidate))
            return candidate;
    }
    return NULL;
}

static char *beside_us(struct arena *arena, const char *name, bool (*is_it)(const char *)) {
    static const char *const places[] = {"", "..", "../lib/goalkeeper"};
    char *own = tool_own_dir(arena);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *candidate = path_join(arena, path_join(arena, own, places[i]), name);
        if (is_it(candidate))
            return candidate;
    }
    return NULL;
}

static char *by_name(struct arena *arena, const char *name) {
    if (strchr(name, '/'))
        return is_program(name) ? arena_strdup(arena, name) : NULL;
    char *found = in_path(arena, name);
    return found ? found : beside_us(arena, path_join(arena, "prefix/bin", name), is_program);
}

char *tool_find(struct arena *arena, const char *variable, const char *const *names, size_t n) {
    const char *chosen = getenv(variable);
    char *found = NULL;
    assert(n > 0);
    if (chosen && chosen[0])
        return by_name(arena, chosen);
    for (size_t i = 0; i < n && !found; i++)
        found = by_name(arena, names[i]);
    return found;
}

char *tool_beside(struct arena *arena, const char *name) {
    return beside_us(arena, name, file_exists);
}

char *tool_unity(struct arena *arena) {
    char *file = beside_us(arena, "prefix/usr/share/cmock/vendor/unity/src/unity.c", file_exists);
    return file ? path_dir(arena, file) : NULL;
}

char *tool_cbmc(struct arena *arena) {
    static const char *const names[] = {"cbmc"};
    return tool_find(arena, "GOALKEEPER_CBMC", names, 1);
}

char *tool_bitwuzla(struct arena *arena) {
    static const char *const names[] = {"bitwuzla"};
    return tool_find(arena, "GOALKEEPER_BITWUZLA", names, 1);
}

char *tool_cc(struct arena *arena) {
    static const char *const names[] = {"cc", "gcc"};
    return tool_find(arena, "GOALKEEPER_CC", names, 2);
}

char *tool_clang(struct arena *arena) {
    static const char *const names[] = {"clang-19", "/usr/lib/llvm-19/bin/clang"};
    return tool_find(arena, "GOALKEEPER_CLANG", names, 2);
}
