/* stats: counters as rows, so that counting, printing and documenting cannot drift apart.
 *
 * Each part keeps its rows in a table of its own, `STAT(name, about)`, and a struct made from it:
 *
 *     struct ic3_stats {
 *     #define STAT(name, about) uint64_t name;
 *     #include "engines/ic3/stats.def"
 *     #undef STAT
 *     };
 *     static const struct stat_row ic3_rows[] = {
 *     #define STAT(name, about) {#name, about, offsetof(struct ic3_stats, name)},
 *     #include "engines/ic3/stats.def"
 *     #undef STAT
 *     };
 *     for (size_t i = 0; i < STATS_COUNT(ic3_rows); i++)
 *         printf("%s %" PRIu64 "\n", ic3_rows[i].name, stats_get(&ic3_rows[i], &stats));
 */
#ifndef BASE_STATS_H
#define BASE_STATS_H

#include "base/str.h"

#include <stddef.h>
#include <stdint.h>

struct stat_row {
    const char *name, *about;
    size_t offset; /* of a uint64_t in the struct */
};

#define STATS_COUNT(rows) (sizeof(rows) / sizeof *(rows))

uint64_t stats_get(const struct stat_row *row, const void *stats);
#endif
