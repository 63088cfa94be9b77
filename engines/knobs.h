/* knobs: the switchable techniques as one struct, and access to them by name. */
#ifndef ENGINES_KNOBS_H
#define ENGINES_KNOBS_H

#include "base/err.h"
#include "base/str.h"

#include <stdint.h>

struct engine_knobs {
#define KNOB(field, type, preset, name, about) type field;
#include "engines/knobs.def"
#undef KNOB
};

extern const struct engine_knobs knobs_default;

/* "ic3.gentr=off", "ia.start=20": sets one knob; also "ind=4", "no-gentr", "literal-dropping".
 * "ic3.preset=paper" sets several: rows of presets.def. */
bool knobs_set(struct engine_knobs *knobs, const char *setting, struct err *err);
/* Several, with spaces between them. */
bool knobs_set_all(struct engine_knobs *knobs, const char *settings, struct err *err);

/* A table of all: name, what it is now, what it does. */
void knobs_print(const struct engine_knobs *knobs, struct str *out);

#endif
