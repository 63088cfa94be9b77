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
