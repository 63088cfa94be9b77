/* Names are "engine.short": rows of knobs.def, read and written by offset; a preset is a list of
 * settings. */
#include "engines/knobs.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct engine_knobs knobs_default = {
#define KNOB(field, type, preset, name, about) .field = preset,
#include "engines/knobs.def"
#undef KNOB
};

struct knob_row {
    const char *name, *type, *about; /* "engine: what it does" */
    size_t offset;
};

static const struct knob_row knob_rows[] = {
#define KNOB(field, type, preset, name, about)                                                     \
    {name, #type, about, offsetof(struct engine_knobs, field)},
#include "engines/knobs.def"
#undef KNOB
};
enum { KNOBS = sizeof knob_rows / sizeof *knob_rows };

static int engine_len(const struct knob_row *row) {
    return (int)strcspn(row->about, ":");
}

/* Without the engine's name, should the knob have it as well. */
static const char *short_name(const struct knob_row *row) {
    size_t len = (size_t)engine_len(row);
    bool twice = strncmp(row->name, row->about, len) == 0 && row->name[len] == '-';
    return row->name + (twice ? len + 1 : 0);
}

static bool is_named(const struct knob_row *row, const char *name, size_t len) {
    size_t engine = (size_t)engine_len(row);
    if (strlen(row->name) == len && memcmp(row->name, name, len) == 0)
        return true;
    return len > engine && memcmp(name, row->about, engine) == 0 && name[engine] == '.' &&
           strlen(short_name(row)) == len - engine - 1 &&
           memcmp(short_name(row), name + engine + 1, len - engine - 1) == 0;
}

static const struct knob_row *knob_find(const char *name, size_t len) {
    for (size_t i = 0; i < KNOBS; i++)
        if (is_named(&knob_rows[i], name, len))
            return &knob_rows[i];
    return NULL;
}

static bool set_number(struct engine_knobs *knobs, const struct knob_row *row, const char *text,
                       struct err *err) {
    assert(strcmp(row->type, "uint32_t") == 0 && "numbers are of one type");
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (end == text || *end || value > 1000000 || text[0] == '-')
        return err_set(err, ERR_USAGE, "engine setting '%.*s.%s' needs a number up to 1000000",
                       engine_len(row), row->about, short_name(row));
    *(uint32_t *)((char *)knobs + row->offset) = (uint32_t)value;
    return true;
}

static bool set_switch(struct engine_knobs *knobs, const struct knob_row *row, const char *text,
                       bool on, struct err *err) {
    bool off = strcmp(text, "off") == 0;
    assert(row->offset < sizeof *knobs);
    if (*text && !off && strcmp(text, "on") != 0)
        return err_set(err, ERR_USAGE, "engine setting '%.*s.%s' is on or off", engine_len(row),
                       row->about, short_name(row));
    *(bool *)((char *)knobs + row->offset) = off ? false : on;
    return true;
}

static const struct {
    const char *name, *settings;
} presets[] = {
#define PRESET(name, settings) {name, settings},
#include "engines/presets.def"
#undef PRESET
};

static const char *preset_settings(const char *name) {
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
        if (strcmp(presets[i].name, name) == 0)
            return presets[i].settings;
    return NULL;
}

bool knobs_set(struct engine_knobs *knobs, const char *setting, struct err *err) {
    const char *several = preset_settings(setting);
    if (several)
        return knobs_set_all(knobs, several, err);
    bool on = strncmp(setting, "no-", 3) != 0;
    const char *name = on ? setting : setting + 3;
    size_t len = strcspn(name, "=");
    const struct knob_row *row = knob_find(name, len);
    const char *value = name[len] ? name + len + 1 : "";
    if (!row)
        return err_set(err, ERR_USAGE, "unknown engine setting '%s'", setting);
    return strcmp(row->type, "bool") == 0 ? set_switch(knobs, row, value, on, err)
                                          : set_number(knobs, row, value, err);
}

bool knobs_set_all(struct engine_knobs *knobs, const char *settings, struct err *err) {
    char word[64];
    bool ok = true;
    for (int n; ok && sscanf(settings, " %63s%n", word, &n) == 1; settings += n)
        ok = knobs_set(knobs, word, err);
    return ok;
}

void knobs_print(const struct engine_knobs *knobs, struct str *out) {
    for (size_t i = 0; i < KNOBS; i++) {
        const struct knob_row *row = &knob_rows[i];
        const void *at = (const char *)knobs + row->offset;
        bool is_switch = strcmp(row->type, "bool") == 0;
        str_addf(out, "  %.*s.%s=", engine_len(row), row->about, short_name(row));
        if (is_switch)
            str_add(out, *(const bool *)at ? "on" : "off");
        else
            str_addf(out, "%u", *(const uint32_t *)at);
        str_addf(out, "\n      %s\n", row->about + engine_len(row) + 2);
    }
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
        str_addf(out, "  %s\n      %s\n", presets[i].name, presets[i].settings);
}
