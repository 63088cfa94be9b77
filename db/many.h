/* many: several databases as one to ask. The public views of all, as tables of a database that
 * lives as long as it is open, each row with the name of its module in front.
 *
 *     struct store *all;
 *     if (!store_open_many(&all, err)) …
 *     store_many_add(all, "lane", "results/lane.db", "SELECT … FROM goal_status …", err);
 *     struct rows *r = rows_open(all, "SELECT module, line FROM goal_status", err);
 *
 * Only views that the text of the query names are copied. */
#ifndef DB_MANY_H
#define DB_MANY_H

#include "db/store.h"

bool store_open_many(struct store **store, struct err *err);
bool store_many_add(struct store *store, const char *module, const char *path, const char *query,
                    struct err *err);

#endif
