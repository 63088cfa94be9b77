#include "base/nearest.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { WORD_MAX = 64 }; /* longer words get no suggestion */

static size_t min3(size_t a, size_t b, size_t c) {
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

static bool same(char a, char b) {
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Optimal string alignment distance; row i-2 is kept for the swap. */
size_t edit_distance(const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    if (n > WORD_MAX || m > WORD_MAX)
        return SIZE_MAX;
    size_t rows[3][WORD_MAX + 1];
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *now = rows[i % 3], *up = rows[(i - 1) % 3], *up2 = rows[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t replace = up[j - 1] + !same(a[i - 1], b[j - 1]);
            now[j] = min3(up[j] + 1, now[j - 1] + 1, replace);
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                now[j] = min3(now[j], up2[j - 2] + 1, now[j]);
        }
    }
    assert(rows[n % 3][m] <= (n > m ? n : m));
    return rows[n % 3][m];
}

void nearest_init(struct nearest *near, const char *word) {
    assert(word);
    *near = (struct nearest){.word = word, .distance = SIZE_MAX};
}

void nearest_offer(struct nearest *near, const char *candidate) {
    size_t distance = edit_distance(near->word, candidate);
    if (distance < near->distance) {
        near->distance = distance;
        near->best = candidate;
    }
}

const char *nearest_best(const struct nearest *near) {
    size_t allowed = 1 + strlen(near->word) / 4;
    return near->best && near->distance <= allowed ? near->best : NULL;
}
