#include "engines/engine.h"

#include <assert.h>
#include <string.h>

#define MODEL(name) extern const struct engine engine_##name;
#define WOVEN(name)
#define ENGINE(name, kind, start, about) kind(name)
#include "engines/engines.def"
#undef ENGINE
#undef MODEL
#undef WOVEN

const struct engine_row engine_rows[] = {
#define MODEL(name) &engine_##name
#define WOVEN(name) NULL
#define ENGINE(name, kind, start, about) {#name, about, start, kind(name)},
#include "engines/engines.def"
#undef ENGINE
#undef MODEL
#undef WOVEN
    {NULL, NULL, 0, NULL},
};

const struct engine_row *engine_find(const char *name) {
    assert(name && name[0]);
    for (const struct engine_row *row = engine_rows; row->name; row++)
        if (strcmp(row->name, name) == 0)
            return row;
    return NULL;
}
