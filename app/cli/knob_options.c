/* The techniques of the engines, from their options (--ind 3, --no-gentr). */
#include "app/cli/command.h"

#include <assert.h>
#include <stdio.h>

bool options_knobs(const struct options *o, struct engine_knobs *knobs, struct err *err) {
    static const enum option_index knobs_rows[] = {
#define KNOB(field, type, preset, name, about) OPT_knob_##field,
#include "engines/knobs.def"
#undef KNOB
    };
    *knobs = knobs_default;
    for (size_t i = 0; i < sizeof knobs_rows / sizeof *knobs_rows; i++) {
        const struct option_row *row = &option_table.rows[knobs_rows[i]];
        const void *value = (const char *)o + row->offset;
        char setting[64];
        assert(row->kind == OPTION_FLAG || row->kind == OPTION_TEXT);
        if (row->kind == OPTION_FLAG ? !*(const bool *)value : !option_given(o, knobs_rows[i]))
            continue;
        if (row->kind == OPTION_FLAG)
            snprintf(setting, sizeof setting, "%s", row->name);
        else
            snprintf(setting, sizeof setting, "%s=%s", row->name, *(const char *const *)value);
        if (!knobs_set(knobs, setting, err))
            return false;
    }
    return true;
}
