#include "engines/knobs.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const struct engine_knobs knobs_default = {
#define KNOB(field, type, preset, name, about) .field = preset,
#include "engines/knobs.def"
#undef KNOB
};

struct knob_row {
    const char *name, *type;
    size_t offset;
};

static const struct knob_row knob_rows[] = {
#define KNOB(field, type, preset, name, about) {name, #type, offsetof(struct engine_knobs, field)},
#include "engines/knobs.def"
#undef KNOB
};
enum { KNOBS = sizeof knob_rows / sizeof *knob_rows };

static const struct knob_row *knob_find(const char *name, size_t len) {
    for (size_t i = 0; i < KNOBS; i++)
        if (strlen(knob_rows[i].name) == len && memcmp(knob_rows[i].name, name, len) == 0)
            return &knob_rows[i];
    return NULL;
}

static bool set_number(struct engine_knobs *knobs, const struct knob_row *row, const char *text,
                       struct err *err) {
    assert(strcmp(row->type, "uint32_t") == 0 && "numbers are of one type");
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (end == text || *end || value > 1000000 || text[0] == '-')
        return err_set(err, ERR_USAGE, "'--%s' needs a number up to 1000000", row->name);
    *(uint32_t *)((char *)knobs + row->offset) = (uint32_t)value;
    return true;
}

bool knobs_set(struct engine_knobs *knobs, const char *setting, struct err *err) {
    bool on = strncmp(setting, "no-", 3) != 0;
    const char *name = on ? setting : setting + 3;
    size_t len = strcspn(name, "=");
    const struct knob_row *row = knob_find(name, len);
    if (!row)
        return err_set(err, ERR_USAGE, "unknown engine setting '%s'", setting);
    if (strcmp(row->type, "bool") != 0)
        return set_number(knobs, row, name[len] ? name + len + 1 : "", err);
    if (name[len])
        return err_set(err, ERR_USAGE, "engine setting '%s' takes no value", row->name);
    assert(row->offset < sizeof *knobs);
    *(bool *)((char *)knobs + row->offset) = on;
    return true;
}
