/* The order of tasks. What begins last should be short: on N processors that take the next task as
 * they become free, the longest first ends at most a third later than any order could (R. Graham,
 * Bounds on Multiprocessing Timing Anomalies, 1969).
 *
 * How long a task takes, an earlier fleet in the same folder says. Modules that it does not know
 * come before all others, the largest sources first: nobody knows how long they are. */
#include "app/fleet/plan.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static double longest_task(struct fleet *f, const char *module) {
    double longest = -1;
    DIR *dir = opendir(arena_printf(&f->arena, "%s/state/%s", f->dir, module));
    for (struct dirent *e; dir && (e = readdir(dir));) {
        if (e->d_name[0] == '.')
            continue;
        struct task_state s = fleet_task_state(&f->arena, f->dir, module, e->d_name);
        if (str_same(s.state, "done") && s.number > longest)
            longest = s.number;
    }
    if (dir)
        closedir(dir);
    return longest;
}

static int longer_first(const void *a, const void *b) {
    const struct fleet_module *x = a, *y = b;
    if ((x->seconds < 0) != (y->seconds < 0))
        return x->seconds < 0 ? -1 : 1;
    if (x->seconds != y->seconds)
        return x->seconds > y->seconds ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return strcmp(x->name, y->name);
}

void fleet_order(struct fleet *f) {
    assert(f->modules.len > 0);
    for (size_t i = 0; i < f->modules.len; i++)
        f->modules.data[i].seconds = longest_task(f, f->modules.data[i].name);
    qsort(f->modules.data, f->modules.len, sizeof *f->modules.data, longer_first);
}
