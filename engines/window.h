/* window: what can be seen of an engine's work from outside: counters (stats.def), and events while
 * somebody listens.
 *
 *     struct window w = {.event = print_event};           // both may be left out
 *     struct engine_input input = {.window = &w, …};      // NULL: nobody looks
 *     WINDOW_ADD(input.window, stats.frames, 1);
 *     WINDOW_EVENT(input.window, "frame", "\"level\":%u", level);    // fields of a JSON object
 *     printf("%llu", (unsigned long long)window_ticks(&w));
 *
 * Counters may lie in memory that another process reads: what is counted then survives the engine.
 * Nothing depends on what is counted, and a window without a listener formats nothing.
 */
#ifndef ENGINES_WINDOW_H
#define ENGINES_WINDOW_H

#include "base/stats.h"
#include "engines/solver/solver.h"

struct engine_stats {
#define STAT(name, about) uint64_t name;
#include "engines/stats.def"
#undef STAT
};

struct window {
    struct solver_stats solver; /* of all solvers that the engine has used */
    struct engine_stats stats;
    void (*event)(void *context, const char *name, const char *fields); /* NULL: nobody listens */
    void *context;
};

/* Rows of both, by their place in the window; those of solvers begin with "solver_". */
extern const struct stat_row window_rows[];
extern const size_t window_n_rows;

#define WINDOW_ADD(window, counter, n) ((window) ? (void)((window)->counter += (n)) : (void)0)
#define WINDOW_EVENT(window, ...)                                                                  \
    ((window) && (window)->event ? window_tell(window, __VA_ARGS__) : (void)0)

void window_tell(const struct window *w, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Where a solver adds what it counts; NULL without a window. */
static inline struct solver_stats *window_solver(struct window *w) {
    return w ? &w->solver : NULL;
}
/* What was used of a budget. */
uint64_t window_ticks(const struct window *w);
/* {"frames":3,"solver_conflicts":17}: what is not zero, by the names of window_rows. */
void window_json(const struct window *w, struct str *text);

#endif
