/* fixture_file: the fixture for exported tests in the database, so that they can be written when
 * the sources are elsewhere. */
#ifndef APP_EXPORT_FIXTURE_FILE_H
#define APP_EXPORT_FIXTURE_FILE_H

#include "db/store.h"
#include "instrument/weave/fixture.h"

bool fixture_store(struct store *db, const struct fixture *fixture, struct err *err);
/* `fixture` is zeroed. ERR_USAGE for a database without one. */
bool fixture_load(struct store *db, struct fixture *fixture, struct err *err);

#endif
