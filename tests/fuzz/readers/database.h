/* database: a database that somebody has changed, read by all that reads databases.
 *
 * The text says what is changed in the small database of the tests of reports, a change a line:
 *
 *     17 3 some text       column 17 of all columns of all tables, in row 3 (modulo how many
 *                          there are); digits are a number, "null" is NULL
 *     @4096 255            byte 4096 of the file
 */
#ifndef TESTS_FUZZ_DATABASE_H
#define TESTS_FUZZ_DATABASE_H

#include "base/err.h"

/* `path` is overwritten. False: it is refused as a database, `err` says why. */
bool database_accepts(const char *path, const struct str *changes, struct err *err);

#endif
