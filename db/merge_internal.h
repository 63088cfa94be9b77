/* merge_internal: what db/merge.c and the SQL of db/merge_join.c share.
 *
 * The database that is made is `main`; the input at hand is attached as `src`, and its number is
 * the one row of temp.this. For each input: merge_program_sql (of the first one only),
 * merge_take_sql; then merge_join() once; then merge_evidence_sql for each input again. */
#ifndef DB_MERGE_INTERNAL_H
#define DB_MERGE_INTERNAL_H

#include "db/internal.h"

extern const char merge_make_sql[], merge_program_sql[], merge_other_sql[], merge_take_sql[];
extern const char merge_evidence_sql[];

/* From what the inputs say to verdicts. */
bool merge_join(struct store *out, struct err *err);

#endif
