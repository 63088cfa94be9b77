/* random: xoshiro256** seeded by splitmix64, as base/rng.c. */
#include "search.h"

#include <assert.h>

static uint64_t rotated(uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
}

void random_seed(struct search *s, uint64_t seed) {
    for (int i = 0; i < 4; i++) {
        uint64_t z = seed += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        s->random[i] = z ^ (z >> 31);
    }
}

uint64_t random_next(struct search *s) {
    uint64_t *r = s->random;
    uint64_t result = rotated(r[1] * 5, 7) * 9, t = r[1] << 17;
    r[2] ^= r[0];
    r[3] ^= r[1];
    r[1] ^= r[2];
    r[0] ^= r[3];
    r[2] ^= t;
    r[3] = rotated(r[3], 45);
    return result;
}

uint32_t random_below(struct search *s, uint32_t bound) {
    assert(bound > 0);
    return (uint32_t)(((random_next(s) >> 32) * bound) >> 32);
}

double random_unit(struct search *s) {
    return (double)(random_next(s) >> 11) * 0x1p-53;
}

/* A binary magnitude, then a place within it: no logarithm, so the same on every machine. */
uint32_t random_length(struct search *s, uint32_t longest) {
    assert(longest > 0);
    uint32_t magnitudes = 32 - (uint32_t)__builtin_clz(longest);
    uint32_t low = 1u << random_below(s, magnitudes);
    uint32_t length = low + random_below(s, low);
    return length <= longest ? length : longest;
}
