/* overview: the modules of a component, with what each comes to.
 *
 *     struct overview v = {0};
 *     bool ok = overview_make(&v, o, err);
 *     … v.databases.list, v.component.rows: in the same order …
 *     overview_free(&v);
 */
#ifndef APP_FLEET_OVERVIEW_H
#define APP_FLEET_OVERVIEW_H

#include "app/fleet/databases.h"
#include "report/component/component.h"

struct overview {
    struct databases databases, before; /* before: of --baseline */
    struct component component;
    VEC(const char *) baselines; /* one per module: what it is compared with, "": it is new; NULL */
};

/* Of --baseline FOLDER: databases with the same names of modules, or an earlier report of the
 * component with JSON in it. */
bool overview_make(struct overview *v, const struct options *o, struct err *err);
/* The options as a command for this one module gets them. */
struct options overview_options(const struct overview *v, const struct options *o, size_t module);
void overview_free(struct overview *v);

#endif
