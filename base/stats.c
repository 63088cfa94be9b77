#include "base/stats.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

uint64_t stats_get(const struct stat_row *row, const void *stats) {
    uint64_t value;
    assert(row->offset % sizeof value == 0);
    memcpy(&value, (const char *)stats + row->offset, sizeof value);
    return value;
}

void stats_text(const struct stat_row *rows, size_t n, const void *stats, struct str *text) {
    assert(rows && stats);
    for (size_t i = 0; i < n; i++) {
        uint64_t value = stats_get(&rows[i], stats);
        if (value > 0)
            str_addf(text, "%-24s %14" PRIu64 "  %s\n", rows[i].name, value, rows[i].about);
    }
}

void stats_add(const struct stat_row *rows, size_t n, void *sum, const void *more) {
    assert(sum != more);
    for (size_t i = 0; i < n; i++) {
        uint64_t total = stats_get(&rows[i], sum) + stats_get(&rows[i], more);
        memcpy((char *)sum + rows[i].offset, &total, sizeof total);
    }
}
