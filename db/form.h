/* form: is a database made as this program makes them?
 *
 * Reports ask its views, and SQLite answers from its indices where it can. Somebody who hands over
 * a database may have put other ones there: a view that says something else than the tables do, an
 * index without the rows that it is about, a column that is computed, a trigger. Rows alone can be
 * true then, and what people read of them false; so whoever checks a database asks this first. */
#ifndef DB_FORM_H
#define DB_FORM_H

#include "db/store.h"

/* What is not as it is made, in words; nothing is added to `found` when all is. All pages and
 * indices are read for it. */
bool form_check(struct store *store, struct str *found, struct err *err);

#endif
