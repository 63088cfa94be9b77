/* place: which files a project may name.
 *
 * A project file may come from somebody else, and so may the sources: what they name is read, kept
 * in the database and shown. So it lies below the root of the project (links followed), in a folder
 * that the user has named on the command line, or among the software of the system, which anybody
 * may read. The root is the top of the git repository that the project file is in, or its own
 * folder where there is none.
 *
 *     project->root = place_root(&project->arena, project->dir);      // NULL: anywhere
 *     if (!place_allows(project, "../common/inc"))                    // relative to project->dir
 *         return place_refuse(project, "../common/inc", err);
 */
#ifndef COVERAGE_PLACE_H
#define COVERAGE_PLACE_H

#include "base/err.h"
#include "coverage/project.h"

#define PLACE_OUTSIDE "'%s' lies outside of the project, whose root is %s"
#define PLACE_REMEDY                                                                               \
    "move it there, or permit it with --allow-outside when you trust who has written the project"

char *place_root(struct arena *arena, const char *dir);     /* absolute */
void place_name(struct project *project, const char *path); /* the user has named it */
/* Of something that is not there nothing can be read. */
bool place_allows(const struct project *project, const char *path);
/* Writing to it would write below the root: it is no link that leads elsewhere, or nowhere. */
bool place_keeps(const struct project *project, const char *path);
bool place_refuse(const struct project *project, const char *path, struct err *err); /* false */

/* What anybody may read. */
extern const char *const place_software[]; /* ends with NULL */

#endif
