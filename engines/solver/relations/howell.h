/* howell: systems of linear equations over Z / 2^64, solved by elimination.
 *
 * A row says: sum of coef[j] * x[j] + coef[columns] = 0. Each remembers which of the given rows it
 * was made from.
 *
 *     struct howell h;
 *     howell_init(&h, columns, rows);
 *     uint64_t *row = howell_row(&h);            // zeroed, to be filled; `rows` times at most
 *     howell_solve(&h);
 *     if (howell_contradiction(&h, from))        // from[i]: given row i took part
 *     if (howell_reduce(&h, test, from))         // `test`, columns + 1 numbers, lost all unknowns:
 *         … its value is test[columns] …
 *     howell_free(&h);
 */
#ifndef ENGINES_SOLVER_RELATIONS_HOWELL_H
#define ENGINES_SOLVER_RELATIONS_HOWELL_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct howell {
    size_t columns, given, width; /* width: columns, the constant, one per given row */
    VEC(uint64_t) cells;          /* width a row */
    VEC(uint32_t) pivot_of;       /* by column: its row + 1, 0 = none */
    uint64_t effort;
};

void howell_init(struct howell *h, size_t columns, size_t given);
void howell_free(struct howell *h);
uint64_t *howell_row(struct howell *h); /* valid until the next call */
void howell_solve(struct howell *h);
/* Combinations of the given rows that have lost all unknowns: the next one from row *at on, with
 * what each given row was multiplied with. They generate all such combinations. */
bool howell_combination(const struct howell *h, size_t *at, uint64_t *multipliers);
/* The row whose first unknown is this one, NULL when there is none. */
const uint64_t *howell_pivot(const struct howell *h, size_t column);
/* A row without unknowns that is not 0 = 0. */
bool howell_contradiction(const struct howell *h, bool *from);
/* Subtracts rows from `test` until no unknown is left (true), or none can be removed (false). */
bool howell_reduce(struct howell *h, uint64_t *test, bool *from);

#endif
