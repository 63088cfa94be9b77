/* changes: input files that are not any more what the run has read.
 *
 * The database has the hash of every source, header and of the project file, and the folder of the
 * project. A file is looked for there, then below the folder of the database. What is not there is
 * no change: the database may have been taken to another machine.
 *
 *     struct texts changed = {0};
 *     if (!input_changes(db, &arena, &changed, err)) …
 */
#ifndef APP_PROJECT_CHANGES_H
#define APP_PROJECT_CHANGES_H

#include "base/arena.h"
#include "base/log.h"
#include "base/texts.h"
#include "db/store.h"

/* Adds the names, in `arena`, sorted. */
bool input_changes(struct store *db, struct arena *arena, struct texts *changed, struct err *err);
/* "these files have changed since the run: a.c, b.h", NULL when there are none. */
bool input_changes_text(struct store *db, struct arena *arena, const char **text, struct err *err);

#endif
