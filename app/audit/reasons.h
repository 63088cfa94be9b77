/* reasons: are the certificates of reasons (app/because/core.h) what they say?
 *
 * Each holds the program without promises that are not needed, and only the clauses that are. It
 * must be about the program of the database and claim its goals, and CBMC must confirm it. */
#ifndef APP_AUDIT_REASONS_H
#define APP_AUDIT_REASONS_H

#include "app/audit/evidence_file.h"
#include "instrument/cbmc/cbmc.h"

struct reasons_question {
    const struct evidence_file *file;
    const struct cbmc *cbmc; /* NULL: only what can be read is compared */
    int64_t only;            /* goal, 0: all */
    double seconds;          /* each */
    uint64_t memory_mb;
};

struct reasons_result {
    unsigned confirmed, undecided, failed;
    struct str text; /* a line each that failed or is not decided */
};

bool reasons_check(const struct reasons_question *question, struct reasons_result *result,
                   struct err *err);

#endif
