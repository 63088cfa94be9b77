/* valve: a small database written by hand, with one of everything that reports show. Nothing in it
 * depends on the machine or the day. */
#ifndef TESTS_REPORT_VALVE_H
#define TESTS_REPORT_VALVE_H

#include "report/data.h"

/* The day on which the tests look at it: one of its justifications has expired, one has not. */
#define VALVE_TODAY "2030-06-01"

struct valve {
    const char *file;      /* name of the source file; NULL: "src/valve.c" */
    const char *function;  /* NULL: "valve" */
    const char *condition; /* text of the second condition; NULL: "In_Fault" */
    const char *reason;    /* of a justification; NULL: a harmless one */
    bool later;            /* some verdicts are different, a goal is new, one is gone */
    enum valve_goals { VALVE_MIXED, VALVE_NONE, VALVE_OPEN, VALVE_DEAD, VALVE_REACHABLE } goals;
    bool no_ledger;
    const char *mcdc;     /* NULL: "masking" */
    const char *criteria; /* that the run asked for; NULL: it does not say */
};

/* Makes the database in the file `path`, which does not exist. Fails the test when it cannot. */
void valve_make(const char *path, const struct valve *valve);

/* A folder for one test, removed by test_folder_remove(); and a file in it. */
const char *test_folder(void);
const char *test_file(const char *name); /* valid until the folder is removed */
void test_folder_remove(void);

/* Makes the valve and opens it; the view says how to read the ledger, NULL: as of VALVE_TODAY. */
void valve_open(const struct valve *valve, const struct report_view *view, struct store **db,
                struct report_data *data);
void valve_close(struct store *db, struct report_data *data);

/* Renders one format (not html) as of VALVE_TODAY into `out`. */
void valve_render(const char *format, bool lcov_unreachable, const struct valve *valve,
                  const char *baseline, struct str *out);
/* Writes the HTML report into the folder. */
void valve_html(const struct valve *valve, const char *baseline, const char *dir);

/* Runs a program, for example xmllint; fails the test when it does not exit with 0. */
void test_run(const char *const *argv);
bool test_has_program(const char *name);

#endif
