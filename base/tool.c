#include "base/tool.h"

#include "base/file.h"

#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_program(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

char *tool_variable(struct arena *arena, const char *name) {
    char *variable = arena_printf(arena, "GOALKEEPER_%s", name);
    for (char *p = variable; *p; p++)
        *p = isalnum((unsigned char)*p) ? (char)toupper((unsigned char)*p) : '_';
    return variable;
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

static char *beside_us(struct arena *arena, const char *name) {
    static const char *const places[] = {"prefix/bin", "../prefix/bin", "../libexec/goalkeeper"};
    char *own = tool_own_dir(arena);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *candidate = path_join(arena, path_join(arena, own, places[i]), name);
        if (is_program(candidate))
            return candidate;
    }
    return NULL;
}

char *tool_find_any(struct arena *arena, const char *const *names, size_t n) {
    assert(n > 0);
    const char *chosen = getenv(tool_variable(arena, names[0]));
    if (chosen && chosen[0])
        return strchr(chosen, '/') ? (is_program(chosen) ? arena_strdup(arena, chosen) : NULL)
                                   : in_path(arena, chosen);
    for (size_t i = 0; i < n; i++) {
        char *found = in_path(arena, names[i]);
        if (!found)
            found = beside_us(arena, names[i]);
        if (found)
            return found;
    }
    return NULL;
}

char *tool_find(struct arena *arena, const char *name) {
    return tool_find_any(arena, &name, 1);
}
