/* doctor: finds out whether what Goalkeeper needs is there, by trying it.
 *
 * Each piece is a row of doctor.def. Programs are run, compilers compile, libraries are loaded:
 * a file of the right name proves nothing.
 */
#ifndef APP_CLI_DOCTOR_H
#define APP_CLI_DOCTOR_H

#include "base/err.h"
#include "base/str.h"

struct doctor_piece {
    const char *name;
    bool works, extra; /* extra: nothing depends on it */
    struct str detail; /* version and place, or what is wrong */
    struct str remedy; /* empty when it works */
};

struct doctor_report {
    struct doctor_piece *pieces;
    size_t n;
    bool complete; /* everything works but what is extra */
};

void doctor_examine(struct doctor_report *report);
void doctor_report_free(struct doctor_report *report);

#endif
