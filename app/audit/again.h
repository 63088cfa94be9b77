/* again: what a database shows of its program, made once more from the sources that it holds.
 *
 * Goals, decisions, variables and the woven program are a function of the sources, the headers, the
 * project file and the tools. They are listed and woven again in a scratch folder and compared row
 * by row, so that what was changed shows although every checksum was made to fit.
 *
 *     struct again_result r = {0};
 *     if (!again_compare(db, &r, err)) …       // no room for scratch files, damaged database
 *     printf("%s\n", str_text(&r.text));
 *     again_free(&r);
 */
#ifndef APP_AUDIT_AGAIN_H
#define APP_AUDIT_AGAIN_H

#include "db/store.h"

enum again_answer {
    AGAIN_SAME,
    AGAIN_DIFFERS,     /* and nothing but a change of the database explains it */
    AGAIN_NOT_COMPARED /* options came on top of the project file, other tools, … */
};

struct again_result {
    enum again_answer answer;
    struct str text; /* a sentence */
};

bool again_compare(struct store *db, struct again_result *result, struct err *err);
void again_free(struct again_result *result);

#endif
