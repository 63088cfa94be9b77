/* repository: where the sources stand in the user's repository, for reports that servers lay over
 * it. Without git, or outside of a repository, there is none.
 *
 *     struct report_origin origin;
 *     if (!repository_of(db, options->root, &arena, &origin, err))   // root: --root, or NULL
 *         return false;
 *     view.origin = &origin;
 */
#ifndef APP_PROJECT_REPOSITORY_H
#define APP_PROJECT_REPOSITORY_H

#include "report/data.h"

/* False: `root` is no folder that the sources are in. `origin` lives in the arena. */
bool repository_of(struct store *db, const char *root, struct arena *arena,
                   struct report_origin *origin, struct err *err);

/* "7f3c…", or "7f3c…, and changes": what of the repository is in the folder; "" without one. */
const char *repository_revision(struct arena *arena, const char *folder);

#endif
