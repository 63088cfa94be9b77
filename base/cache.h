/* cache: files that can be made again at any time, by the hash of all that they are made from.
 *
 * A folder that several programs may use at once. A file is taken out as a copy whose content is
 * compared with a hash that was kept with it, so that a damaged one is as good as none. What has
 * not been used for the longest time goes when the folder grows above its limit. Nothing here is
 * an error: where there is no folder, or no room, nothing is kept.
 *
 *     struct cache cache = {.dir = cache_default_dir(&arena), .limit_mb = CACHE_LIMIT_MB};
 *     if (!cache_take(&cache, key, "/tmp/x/program")) {
 *         … make it …
 *         cache_keep(&cache, key, "/tmp/x/program");
 *     }
 */
#ifndef BASE_CACHE_H
#define BASE_CACHE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { CACHE_LIMIT_MB = 512 };

struct cache {
    const char *dir; /* NULL: nothing is kept */
    uint64_t limit_mb;
};

/* XDG_CACHE_HOME/goalkeeper, ~/.cache/goalkeeper; NULL when neither is known. */
const char *cache_default_dir(struct arena *arena);

/* Copies the file of that key to `path`, with the rights of a program. `key` is a word of letters
 * and digits. */
bool cache_take(const struct cache *cache, const char *key, const char *path);
void cache_keep(const struct cache *cache, const char *key, const char *path);

#endif
