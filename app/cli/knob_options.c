/* The techniques of the engines: --engine-option ic3.gentr=off. */
#include "app/cli/command.h"

static bool set_all(struct engine_knobs *knobs, const struct texts *settings, struct err *err) {
    for (size_t i = 0; i < settings->len; i++)
        if (!knobs_set(knobs, settings->data[i], err))
            return err_remedy(err, "'goalkeeper help engines' lists them");
    return true;
}

bool options_knobs(const struct options *o, const struct texts *project, struct engine_knobs *knobs,
                   struct err *err) {
    *knobs = knobs_default;
    return (!project || set_all(knobs, project, err)) && set_all(knobs, &o->engine_options, err);
}
