/* nearest: "did you mean …?" for misspelt words.
 *
 *     struct nearest near;
 *     nearest_init(&near, "--qiet");
 *     for (…)
 *         nearest_offer(&near, row->name);
 *     if (nearest_best(&near))            // NULL when nothing is close enough
 *         err_remedy(err, "did you mean '%s'?", nearest_best(&near));
 */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

struct nearest {
    const char *word, *best;
    size_t distance; /* of best */
};

void nearest_init(struct nearest *near, const char *word);
void nearest_offer(struct nearest *near, const char *candidate);
const char *nearest_best(const struct nearest *near);

/* Edits (insert, delete, replace, swap of neighbours, case ignored) from one word to the other. */
size_t edit_distance(const char *a, const char *b);

#endif
