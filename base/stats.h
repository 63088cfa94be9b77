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
 *     stats_text(ic3_rows, STATS_COUNT(ic3_rows), &stats, &text);
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
/* One line a counter that is not zero: name, value, about; columns aligned. */
void stats_text(const struct stat_row *rows, size_t n, const void *stats, struct str *text);
void stats_add(const struct stat_row *rows, size_t n, void *sum, const void *more);

#endif
