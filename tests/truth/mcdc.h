/* mcdc: masking MC/DC by its definition, from the rows that were seen.
 *
 * A row says for each condition of a decision: not evaluated, false or true. A condition that was
 * evaluated decides when its other outcome, with every other condition as it was, allows the other
 * result for some outcomes of the conditions that were not evaluated. */
#ifndef TESTS_TRUTH_MCDC_H
#define TESTS_TRUTH_MCDC_H

#include "sample.h"

/* Row `code` of decision `d`: a digit of base 3 for each condition, position 0 first (0: not
 * evaluated, 1: false, 2: true). Does the condition at `position` decide in it? */
bool mcdc_decides(const struct sample *s, const struct decision *d, unsigned code,
                  unsigned position);

#endif
