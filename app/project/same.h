/* same: is a changed program the one that was analysed, but for comments, blank lines and the
 * places where things stand?
 *
 * Compilers, CBMC and the model then read what they have read before, so that what is known of the
 * program still holds: witnesses need no second run. Line markers stay: settings show in them. */
#ifndef APP_PROJECT_SAME_H
#define APP_PROJECT_SAME_H

#include "coverage/project.h"
#include "db/store.h"
#include "instrument/weave/weave.h"

/* Its text without comments, but those in which the weave keeps guards, and without blank lines and
 * indentation. */
void same_text(const char *woven, struct str *out);
/* False: it has what can make a comment of code, or code of a comment, unseen: lines that are
 * spliced, trigraphs, digits that are separated. */
bool same_is_plain(const char *woven);
/* The text means the same: the widths of types, the sign of char. */
bool same_machine(struct store *db, const struct project *project);
/* Before the goals are stored: those that the database has are these, of this program, and nothing
 * waits in it that is of an earlier one. */
bool same_program(struct store *db, const struct project *project, const struct woven *woven);

#endif
