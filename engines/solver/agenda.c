/* A bit set with a summary level: see agenda.h. */
#include "engines/solver/agenda.h"
#include "base/mem.h"

#include <assert.h>
#include <string.h>

static void agenda_grow(struct agenda *a, uint32_t number) {
    assert(a->n_words % 64 == 0);
    size_t wanted = a->n_words ? a->n_words : 64;
    while (wanted * 64 <= number)
        wanted *= 2;
    a->bits = mem_realloc(a->bits, wanted * sizeof *a->bits);
    a->summary = mem_realloc(a->summary, wanted / 64 * sizeof *a->summary);
    memset(a->bits + a->n_words, 0, (wanted - a->n_words) * sizeof *a->bits);
    memset(a->summary + a->n_words / 64, 0, (wanted - a->n_words) / 64 * sizeof *a->summary);
    a->n_words = wanted;
}

void agenda_add(struct agenda *a, uint32_t number) {
    size_t word = number / 64;
    if (word >= a->n_words)
        agenda_grow(a, number);
    a->bits[word] |= (uint64_t)1 << number % 64;
    a->summary[word / 64] |= (uint64_t)1 << word % 64;
}

/* The first set bit of `bits` (n words) at or after `from`; false when there is none. */
static bool find_up(const uint64_t *bits, size_t n, size_t from, size_t *found) {
    size_t word = from / 64;
    if (word >= n)
        return false;
    uint64_t rest = bits[word] & (~(uint64_t)0 << from % 64);
    while (!rest && ++word < n)
        rest = bits[word];
    if (rest)
        *found = word * 64 + (size_t)__builtin_ctzll(rest);
    return rest != 0;
}

/* The last set bit at or before `from`. */
static bool find_down(const uint64_t *bits, size_t from, size_t *found) {
    size_t word = from / 64;
    uint64_t rest = bits[word] & (~(uint64_t)0 >> (63 - from % 64));
    while (!rest && word-- > 0)
        rest = bits[word];
    if (rest)
        *found = word * 64 + 63 - (size_t)__builtin_clzll(rest);
    return rest != 0;
}

static bool next_up(const struct agenda *a, size_t *found) {
    assert(a->at / 64 < a->n_words);
    size_t word = a->at / 64;
    uint64_t rest = a->bits[word] & (~(uint64_t)0 << a->at % 64);
    if (!rest) {
        if (!find_up(a->summary, a->n_words / 64, word + 1, &word))
            return false;
        rest = a->bits[word];
    }
    *found = word * 64 + (size_t)__builtin_ctzll(rest);
    return true;
}

static bool next_down(const struct agenda *a, size_t *found) {
    assert(a->at / 64 < a->n_words);
    size_t word = a->at / 64;
    uint64_t rest = a->bits[word] & (~(uint64_t)0 >> (63 - a->at % 64));
    if (!rest) {
        if (word == 0 || !find_down(a->summary, word - 1, &word))
            return false;
        rest = a->bits[word];
    }
    *found = word * 64 + 63 - (size_t)__builtin_clzll(rest);
    return true;
}

bool agenda_next(struct agenda *a, uint32_t *number) {
    size_t found = 0;
    bool any = false;
    if (a->n_words == 0)
        return false;
    for (int turn = 0; turn < 3 && !any; turn++) {
        any = a->down ? next_down(a, &found) : next_up(a, &found);
        a->down ^= !any;
    }
    if (!any)
        return false;
    size_t word = found / 64;
    a->bits[word] &= ~((uint64_t)1 << found % 64);
    if (!a->bits[word])
        a->summary[word / 64] &= ~((uint64_t)1 << word % 64);
    a->at = *number = (uint32_t)found;
    return true;
}

void agenda_clear(struct agenda *a) {
    size_t word = 0;
    while (find_up(a->summary, a->n_words / 64, word, &word)) {
        a->bits[word] = 0;
        a->summary[word / 64] &= ~((uint64_t)1 << word % 64);
    }
    a->at = 0;
    a->down = false;
}

void agenda_free(struct agenda *a) {
    mem_free(a->bits);
    mem_free(a->summary);
    *a = (struct agenda){0};
}
