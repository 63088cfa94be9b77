/* folder: what most tests of the command line need: a folder that lives as long as one test, texts
 * in it, and the program at work there.
 *
 *     static void test_something(void) {
 *         put("m.c", "int in; void step(void) { if (in) in = 0; }\n");
 *         run_tool("run m.c --step step", NULL);
 *         expect_end(0, "decided");
 *     }
 *
 * folder_open() in setUp(), folder_close() in tearDown(): all that is declared here is empty
 * afterwards.
 */
#ifndef TESTS_APP_FOLDER_H
#define TESTS_APP_FOLDER_H

#include "db/rows.h"
#include "run_program.h"
#include "scratch.h"

extern struct child_result r; /* of the last run_tool() */

void folder_open(void);
void folder_close(void);

/* The program in the folder; settings as for run_program(). */
void run_tool(const char *line, const char *const *environment);
/* How it has ended, and what it has said on stderr (NULL: anything). */
void expect_end(int code, const char *words);

void expect_out(const char *words);                          /* on stdout */
void expect_file(const char *name, const char *words);       /* in a file of the folder */
const char *verdicts_in(const char *database);               /* of all goals, as CSV */
void change_database(const char *database, const char *sql); /* something must change */

/* The number that a query of a database in the folder gives. */
int64_t number_in(const char *database, const char *sql);

#endif
