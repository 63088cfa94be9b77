/* join: reports of modules, as they were written, into one report of the same format.
 *
 *     struct join j;
 *     join_open(&j, "junit");
 *     join_add(&j, "lane", &text);          // for each module
 *     join_close(&j, &out);
 *
 * What servers take for names gets the module in front, so that two modules with the same file or
 * function stay two: suites and classes of JUnit, packages of Cobertura, fingerprints of GitLab,
 * runs of SARIF (each has an id of its own). Paths are those of the reports: from the root of the
 * repository. Records of one file that several modules have follow each other.
 */
#ifndef REPORT_JOIN_H
#define REPORT_JOIN_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

enum { JOIN_SUMS = 6 };

struct join {
    int format;       /* row of the table in join.c */
    struct str parts; /* of the modules so far */
    size_t modules;
    double sums[JOIN_SUMS]; /* of the attributes that the format adds up */
};

/* False: there is no such format that can be joined. */
bool join_open(struct join *j, const char *format);
void join_add(struct join *j, const char *module, const struct str *text);
void join_close(struct join *j, struct str *out); /* and frees */

#endif
