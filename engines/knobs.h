/* knobs: the switchable techniques as one struct, and access to them by name. */
#ifndef ENGINES_KNOBS_H
#define ENGINES_KNOBS_H

#include "base/err.h"

#include <stdint.h>

struct engine_knobs {
#define KNOB(field, type, preset, name, about) type field;
#include "engines/knobs.def"
#undef KNOB
};

extern const struct engine_knobs knobs_default;

/* "ind=4", "no-gentr", "literal-dropping": sets one knob. */
bool knobs_set(struct engine_knobs *knobs, const char *setting, struct err *err);

#endif
