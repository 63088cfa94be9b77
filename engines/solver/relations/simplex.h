/* simplex: the largest t for which a system of linear inequalities has a solution, in doubles.
 *
 *     maximise t   so that   for each row    sum coef * x + slope * t <= rhs   (slope > 0)
 *                            for each column lo <= x <= hi                     (may be infinite)
 *
 * t > 0 is a point inside all rows, t < 0 means that the rows contradict each other, and then the
 * multipliers `y` say how: sum of y * row, taken over all rows, cannot be satisfied. Nothing here
 * is exact: whoever uses a point or multipliers checks them.
 *
 *     struct simplex lp;
 *     simplex_init(&lp, rows, columns);     // all zero
 *     ... fill coef, slope, rhs, lo, hi, x (where to start, within lo and hi)
 *     if (simplex_solve(&lp) && lp.t < 0)
 *         use(lp.y);
 *     simplex_free(&lp);
 */
#ifndef ENGINES_SOLVER_RELATIONS_SIMPLEX_H
#define ENGINES_SOLVER_RELATIONS_SIMPLEX_H

#include <stdbool.h>
#include <stdint.h>

struct simplex {
    int n_rows, n_columns;
    double *coef;            /* row by row; destroyed by solving */
    double *rhs, *slope, *y; /* by row */
    double *lo, *hi, *x;     /* by column */
    double t;
    uint64_t effort; /* multiplications made, about */
};

void simplex_init(struct simplex *lp, int n_rows, int n_columns);
void simplex_free(struct simplex *lp);

/* False: given up, nothing is known. */
bool simplex_solve(struct simplex *lp);

#endif
