/* damage: what a database can hold though no run writes it: values that somebody edited, or another
 * program wrote. Reports refuse such a database rather than show something that is not so. */
#ifndef REPORT_DAMAGE_H
#define REPORT_DAMAGE_H

#include "report/data.h"

/* false with err when something is outside of what the columns may hold. Reads the store alone. */
bool damage_check(struct store *db, struct err *err);
/* Is this the structure of a decision of n conditions: "(0&&1)||!2"? */
bool damage_structure_fits(const char *structure, size_t n);

#endif
