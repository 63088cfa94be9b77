#include "app/project/changes.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "db/rows.h"

#include <assert.h>
#include <string.h>

enum { MOST_NAMES = 10 };

/* Where the file is now, NULL: nowhere. */
static const char *find(const struct store *db, const char *dir, const char *name,
                        struct arena *arena) {
    const char *there = path_join(arena, dir, name);
    if (*dir && file_exists(there))
        return there;
    const char *beside = path_join(arena, path_dir(arena, store_path(db)), name);
    return file_exists(beside) ? beside : NULL;
}

static bool differs(const char *path, const char *hash) {
    struct str text = {0};
    struct err ignored = {0};
    char now[SHA256_HEX] = "";
    bool read = !file_is_dir(path) && file_read(path, &text, &ignored);
    if (read)
        sha256_hex(str_text(&text), text.len, now);
    str_free(&text);
    err_clear(&ignored);
    return read && strcmp(now, hash) != 0;
}

bool input_changes(struct store *db, struct arena *arena, struct texts *changed, struct err *err) {
    assert(changed->len == 0);
    char *dir = store_get_info(db, "project_dir");
    struct rows *r = rows_open(db,
                               "SELECT substr(key, 8), value FROM run_info WHERE key GLOB "
                               "'sha256:*' ORDER BY key",
                               err);
    while (rows_next(r)) {
        const char *path = find(db, dir ? dir : "", rows_text(r, 0), arena);
        if (path && differs(path, rows_text(r, 1)))
            vec_push(changed, arena_strdup(arena, rows_text(r, 0)));
    }
    mem_free(dir);
    return rows_close(r, err);
}

bool input_changes_text(struct store *db, struct arena *arena, const char **text, struct err *err) {
    struct texts changed = {0};
    bool ok = input_changes(db, arena, &changed, err);
    const char *list = "";
    for (size_t i = 0; i < changed.len && i < MOST_NAMES; i++)
        list = arena_printf(arena, "%s%s%s", list, i ? ", " : "", changed.data[i]);
    if (changed.len > MOST_NAMES)
        list = arena_printf(arena, "%s … and %zu more", list, changed.len - MOST_NAMES);
    *text = changed.len ? arena_printf(arena,
                                       "changed since the run: %s; the verdicts are about "
                                       "what these files were",
                                       list)
                        : NULL;
    vec_free(&changed);
    return ok;
}
