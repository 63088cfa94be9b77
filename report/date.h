/* date: days as texts, YYYY-MM-DD; their order is the order of the texts. */
#ifndef REPORT_DATE_H
#define REPORT_DATE_H

#include "base/arena.h"

#include <stdbool.h>

const char *date_today(struct arena *arena); /* UTC */
bool date_is(const char *text);              /* a day that the calendar has */

#endif
