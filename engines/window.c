#include "engines/window.h"

#include <assert.h>
#include <inttypes.h>

const struct stat_row window_rows[] = {
#define STAT(name, about) {#name, about, offsetof(struct window, stats.name)},
#include "engines/stats.def"
#undef STAT
#define STAT(name, about) {"solver_" #name, about, offsetof(struct window, solver.name)},
#include "engines/solver/stats.def"
#undef STAT
};
const size_t window_n_rows = STATS_COUNT(window_rows);

void window_tell(const struct window *w, const char *name, const char *format, ...) {
    struct str fields = {0};
    va_list args;
    assert(w && w->event && name);
    va_start(args, format);
    str_vaddf(&fields, format, args);
    va_end(args);
    w->event(w->context, name, str_text(&fields));
    str_free(&fields);
}

void window_json(const struct window *w, struct str *text) {
    const char *between = "";
    str_addc(text, '{');
    for (size_t i = 0; i < window_n_rows; i++) {
        uint64_t value = stats_get(&window_rows[i], w);
        if (value == 0)
            continue;
        str_addf(text, "%s\"%s\":%" PRIu64, between, window_rows[i].name, value);
        between = ",";
    }
    str_addc(text, '}');
}

uint64_t window_ticks(const struct window *w) {
    return w->solver.ticks + w->stats.own_ticks;
}
