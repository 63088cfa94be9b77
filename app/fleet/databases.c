/* Folders are walked in the order of names, each database gets a name from its folder, and two of
 * the same program are refused: their goals would count twice. */
#include "app/fleet/databases.h"

#include "base/file.h"
#include "base/mem.h"
#include "db/store.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEEP = 8 };

bool databases_several(const struct options *o) {
    return o->arguments.len > 1 || file_is_dir(options_database(o));
}

/* ---- names ---- */

static const char *folder_name(struct arena *arena, const char *name) {
    char *folder = arena_strdup(arena, *name ? name : "module");
    for (char *p = folder; *p; p++)
        if (!isalnum((unsigned char)*p) && !strchr("-_.", *p))
            *p = '_';
    if (folder[0] == '.')
        folder[0] = '_';
    return folder;
}

static bool is_taken(const struct databases *d, const char *name, const char *folder) {
    for (size_t i = 0; i < d->list.len; i++)
        if (str_same(d->list.data[i].name, name) || strcasecmp(d->list.data[i].folder, folder) == 0)
            return true;
    return false;
}

static void name_it(struct databases *d, struct database *it, const char *wish) {
    it->name = *wish ? wish : path_base(it->path);
    it->folder = folder_name(&d->arena, it->name);
    for (unsigned n = 2; is_taken(d, it->name, it->folder); n++) {
        it->name = arena_printf(&d->arena, "%s-%u", *wish ? wish : path_base(it->path), n);
        it->folder = folder_name(&d->arena, it->name);
    }
}

static const char *info(struct store *db, const char *key, struct arena *arena) {
    char *value = store_get_info(db, key);
    const char *kept = arena_strdup(arena, value ? value : "");
    mem_free(value);
    return kept;
}

static bool add(struct databases *d, const char *path, struct err *err) {
    struct store *db;
    if (!store_open(&db, path, STORE_READ, err))
        return false;
    struct database it = {.path = arena_strdup(&d->arena, path)};
    it.woven = info(db, "woven_sha256", &d->arena);
    name_it(d, &it, info(db, "name", &d->arena));
    vec_push(&d->list, it);
    store_close(db);
    return true;
}

/* ---- folders ---- */

static bool ends_in(const char *name, const char *end) {
    size_t n = strlen(name), e = strlen(end);
    return n > e && strcmp(name + n - e, end) == 0;
}

static void find(struct databases *d, const char *folder, int deep, struct texts *found) {
    DIR *dir = deep < MOST_DEEP ? opendir(folder) : NULL;
    for (struct dirent *e; dir && (e = readdir(dir));) {
        const char *path = path_join(&d->arena, folder, e->d_name);
        if (e->d_name[0] == '.')
            continue;
        if (file_is_dir(path))
            find(d, path, deep + 1, found);
        else if (ends_in(e->d_name, ".db"))
            vec_push(found, path);
    }
    if (dir)
        closedir(dir);
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool databases_below(struct databases *d, const char *folder, struct log *log, struct err *err) {
    struct texts found = {0};
    size_t before = d->list.len;
    find(d, folder, 0, &found);
    if (found.len > 1)
        qsort(found.data, found.len, sizeof *found.data, by_text);
    for (size_t i = 0; i < found.len; i++) {
        struct err why = {0};
        if (!add(d, found.data[i], &why))
            log_warning(log, "left out: %s", str_text(&why.message));
        err_clear(&why);
    }
    vec_free(&found);
    if (d->list.len > before)
        return true;
    err_set(err, ERR_USAGE, "%s: no databases in this folder", folder);
    return err_remedy(err, "'goalkeeper run' and 'goalkeeper fleet' make them: files that end in "
                           ".db");
}

/* ---- all ---- */

static bool each_program_once(const struct databases *d, struct err *err) {
    for (size_t i = 0; i < d->list.len; i++)
        for (size_t k = 0; k < i; k++) {
            const struct database *a = &d->list.data[k], *b = &d->list.data[i];
            if (!*a->woven || !str_same(a->woven, b->woven))
                continue;
            err_set(err, ERR_USAGE,
                    "%s and %s are of the same program: its goals would count "
                    "twice",
                    a->path, b->path);
            return err_remedy(err, "goalkeeper merge makes one of them");
        }
    return true;
}

bool databases_list(struct databases *d, const struct options *o, struct err *err) {
    const char *only = options_database(o);
    const char *const *paths = o->arguments.len ? o->arguments.data : &only;
    size_t n = o->arguments.len ? o->arguments.len : 1;
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++)
        ok = file_is_dir(paths[i]) ? databases_below(d, paths[i], o->log, err)
                                   : add(d, paths[i], err);
    return ok && each_program_once(d, err);
}

const struct database *databases_named(const struct databases *d, const char *name) {
    for (size_t i = 0; i < d->list.len; i++)
        if (str_same(d->list.data[i].name, name))
            return &d->list.data[i];
    return NULL;
}

void databases_free(struct databases *d) {
    vec_free(&d->list);
    arena_free(&d->arena);
}
