#include "instrument/syntax/float_modes.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

enum where { HOST, ELSEWHERE };

struct float_mode_row {
    const char *name;
    enum where where;
};

static const struct float_mode_row rows[] = {
#define FLOAT_MODE(name, where) {#name, where},
#include "instrument/syntax/float_modes.def"
#undef FLOAT_MODE
};

static bool is_listed(const char *name, enum where where) {
    assert(name);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].where == where;
    return false;
}

bool float_mode_on_host(const char *name) {
    return is_listed(name, HOST);
}

bool float_mode_elsewhere(const char *name) {
    return is_listed(name, ELSEWHERE);
}
