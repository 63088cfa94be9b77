/* What the probes write to, and how it is told: "seen", a number a mark, then "rows" with pairs of
 * decision and code. An exported test that was built with the text of the oracle tells it when it
 * ends; the explorer (explore.c) tells it itself. */
#include "oracle.h"

#include <stdio.h>

enum { MARKS_MAX = 4096, DECISIONS_MAX = 512 };

unsigned char gkt_seen[MARKS_MAX], gkt_pending[MARKS_MAX], gkt_rows[DECISIONS_MAX * GKT_ROWS];
unsigned gkt_code[DECISIONS_MAX];

void gkt_tell(FILE *out) {
    fprintf(out, "seen %u", gkt_n_marks);
    for (unsigned m = 0; m < gkt_n_marks; m++)
        fprintf(out, " %u", gkt_seen[m]);
    fprintf(out, "\n");
    for (unsigned i = 0; i < gkt_n_decisions * GKT_ROWS; i++)
        if (gkt_rows[i])
            fprintf(out, "row %u %u\n", i / GKT_ROWS, i % GKT_ROWS);
}
