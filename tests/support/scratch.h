/* scratch: a folder that lives as long as one test, and texts in it.
 *
 *     void setUp(void) {
 *         scratch_open();
 *     }
 *     void tearDown(void) {
 *         scratch_close();
 *     }
 *     …
 *     put("sub/a.c", "int a;\n");
 *     TEST_ASSERT_TRUE(file_exists(path("sub/a.c")));
 *
 * All that is declared here is empty after scratch_close().
 */
#ifndef TESTS_SUPPORT_SCRATCH_H
#define TESTS_SUPPORT_SCRATCH_H

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"

extern struct str dir;
extern struct arena arena;
extern struct err err;

void scratch_open(void);
void scratch_close(void);

const char *path(const char *name);                  /* in the folder */
const char *put(const char *name, const char *text); /* and the folders of its path; its path */
const char *put_program(const char *name, const char *text); /* one that can be run */

#endif
