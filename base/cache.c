/* cache: see base/cache.h. A file of the cache is the hash of its content, then the content. */
#include "base/cache.h"

#include "base/file.h"
#include "base/sha256.h"
#include "base/vec.h"

#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HASH = SHA256_HEX - 1 };

static const char suffix[] = ".kept";

const char *cache_default_dir(struct arena *arena) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && cache[0] == '/')
        return path_join(arena, cache, "goalkeeper");
    return home && home[0] == '/' ? path_join(arena, home, ".cache/goalkeeper") : NULL;
}

static char *path_of(struct arena *arena, const struct cache *cache, const char *key) {
    assert(key[0] && strspn(key, "0123456789abcdef") == strlen(key));
    return path_join(arena, cache->dir, arena_printf(arena, "%s%s", key, suffix));
}

static bool is_whole(const struct str *text) {
    char hash[SHA256_HEX];
    if (text->len < HASH)
        return false;
    sha256_hex(text->data + HASH, text->len - HASH, hash);
    return memcmp(text->data, hash, HASH) == 0;
}

static bool write_program(const char *path, const char *data, size_t size) {
    FILE *out = fopen(path, "wb");
    bool ok = out && fwrite(data, 1, size, out) == size && fchmod(fileno(out), 0700) == 0;
    if (out)
        ok = fclose(out) == 0 && ok;
    return ok;
}

bool cache_take(const struct cache *cache, const char *key, const char *path) {
    struct arena arena = {0};
    struct str text = {0};
    struct err ignored = {0};
    bool ok = false;
    if (cache->dir) {
        const char *kept = path_of(&arena, cache, key);
        ok = file_exists(kept) && file_read(kept, &text, &ignored) && is_whole(&text) &&
             write_program(path, text.data + HASH, text.len - HASH);
        if (ok)
            utimensat(AT_FDCWD, kept, NULL, 0); /* used now */
    }
    err_clear(&ignored);
    str_free(&text);
    arena_free(&arena);
    return ok;
}

/* ---- the limit ---- */

struct entry {
    char *path;
    uint64_t size;
    time_t used;
};
VEC_STRUCT(entries, struct entry);

static void list(struct entries *entries, const struct cache *cache, struct arena *arena) {
    DIR *dir = opendir(cache->dir);
    const struct dirent *e;
    struct stat info;
    while (dir && (e = readdir(dir))) {
        char *path = path_join(arena, cache->dir, e->d_name);
        if (str_ends(e->d_name, suffix) && lstat(path, &info) == 0 && S_ISREG(info.st_mode))
            vec_push(entries, (struct entry){path, (uint64_t)info.st_size, info.st_mtime});
    }
    if (dir)
        closedir(dir);
}

static int oldest_first(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    if (x->used != y->used)
        return x->used < y->used ? -1 : 1;
    return strcmp(x->path, y->path);
}

static void keep_limit(const struct cache *cache) {
    struct arena arena = {0};
    struct entries entries = {0};
    uint64_t size = 0;
    list(&entries, cache, &arena);
    if (entries.len > 1)
        qsort(entries.data, entries.len, sizeof *entries.data, oldest_first);
    for (size_t i = 0; i < entries.len; i++)
        size += entries.data[i].size;
    for (size_t i = 0; i < entries.len && size > cache->limit_mb << 20; i++) {
        size -= entries.data[i].size;
        unlink(entries.data[i].path);
    }
    vec_free(&entries);
    arena_free(&arena);
}

void cache_keep(const struct cache *cache, const char *key, const char *path) {
    struct arena arena = {0};
    struct str text = {0};
    struct err ignored = {0};
    if (cache->dir && file_make_dirs(cache->dir, &ignored) && file_read(path, &text, &ignored)) {
        struct str all = {0};
        char hash[SHA256_HEX];
        sha256_hex(text.data, text.len, hash);
        str_add(&all, hash);
        str_addn(&all, text.data, text.len);
        if (file_write(path_of(&arena, cache, key), all.data, all.len, &ignored))
            keep_limit(cache);
        str_free(&all);
    }
    err_clear(&ignored);
    str_free(&text);
    arena_free(&arena);
}
