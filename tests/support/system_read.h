/* system_read: the text of a system (model/system/system_text.c) as a system again. */
#ifndef TESTS_SUPPORT_SYSTEM_READ_H
#define TESTS_SUPPORT_SYSTEM_READ_H

#include "model/system/system.h"

/* system_read(system_write(s)) is s up to renumbering. `sys` was initialised and is empty; terms
 * are created in sys->terms. After a failure it is to be freed. */
bool system_read(struct system *sys, const char *text, const char *file, struct err *err);

#endif
