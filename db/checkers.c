#include "db/checkers.h"

#include <assert.h>
#include <string.h>

const char *const checker_names[] = {"replay", "cbmc", "z3", "bitwuzla", "solver", NULL};

bool checkers_have(const char *set, const char *name) {
    size_t len = strlen(name);
    assert(len > 0 && !strchr(name, ','));
    for (const char *at = set; at && *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == len && memcmp(at, name, len) == 0)
            return true;
    return false;
}

const char *checkers_add(struct arena *arena, const char *set, const char *more) {
    const char *all = "";
    for (const char *const *name = checker_names; *name; name++)
        if (checkers_have(set, *name) || checkers_have(more, *name))
            all = arena_printf(arena, "%s%s%s", all, *all ? "," : "", *name);
    return all;
}
