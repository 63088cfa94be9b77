/* databases: those that `status`, `query`, `report` and `gate` are asked about when they are asked
 * about more than one: named one by one, or all that are in a folder and below it.
 *
 *     if (databases_several(o)) {
 *         struct databases d = {0};
 *         bool ok = databases_list(&d, o, err);
 *         … d.list.data[i].name, .path …
 *         databases_free(&d);
 *     }
 */
#ifndef APP_FLEET_DATABASES_H
#define APP_FLEET_DATABASES_H

#include "app/cli/command.h"

struct database {
    const char *path;
    const char *name;   /* of the module; "lane-2" where another one has the same */
    const char *folder; /* the same as the name of a folder */
    const char *woven;  /* hash of its program */
};

struct databases {
    struct arena arena;
    VEC(struct database) list; /* as named; of a folder, by path */
};

bool databases_several(const struct options *o);
/* What is in a folder and is none, or has nothing in it yet, is left out, with a word. Two of the
 * same program are refused: their goals would count twice. */
bool databases_list(struct databases *d, const struct options *o, struct err *err);
/* Those of one folder, and whatever they are: for a baseline. */
bool databases_below(struct databases *d, const char *folder, struct log *log, struct err *err);
const struct database *databases_named(const struct databases *d, const char *name);
void databases_free(struct databases *d);

#endif
