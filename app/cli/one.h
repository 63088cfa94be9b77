/* one: what the commands that read databases do with one of them (options_database()). */
#ifndef APP_CLI_ONE_H
#define APP_CLI_ONE_H

#include "app/cli/command.h"

/* They give the exit code. */
int status_one(const struct options *o);
int report_one(const struct options *o);
int gate_one(const struct options *o, struct str *out); /* what it says, in the format asked for */

/* The goals that the filters of `query` leave, or what --sql asks for; `first`: more columns before
 * those of a goal. NULL: err says why. */
struct rows;
struct store;
struct rows *query_rows(struct store *db, const struct options *o, const char *first,
                        struct err *err);
bool query_check(const struct options *o, struct err *err); /* are there such kinds of goals? */

#endif
