/* candidates: which derived cells (model/system/derive.h) are worth having, read off the program.
 *
 *   comparisons  of the step and of the targets that read state only: `lo <= hi`
 *   limits       `i <= n` where the program asks for i < n and no step changes n
 *   passed       `x <= k` and `k <= x` where the program asks for x == k and no step changes k
 *   copies       a cell that may become another one, or what that becomes: `last <= now` and back
 *
 * Nothing sound rests on the choice: a derived cell says what its term says.
 */
#ifndef ENGINES_CANDIDATES_H
#define ENGINES_CANDIDATES_H

#include "model/system/derive.h"

enum { CANDIDATES_MOST = 40 };

/* Adds up to `most` derived cells. What is nearest to the targets comes first. */
void candidates_derive(struct system *sys, size_t most);

#endif
