#include "base/rng.h"

#include <assert.h>

static uint64_t rng_splitmix(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t rng_rotate(uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
}

void rng_init(struct rng *rng, uint64_t seed) {
    for (int i = 0; i < 4; i++)
        rng->s[i] = rng_splitmix(&seed);
}

uint64_t rng_next(struct rng *rng) {
    uint64_t *s = rng->s, result = rng_rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rng_rotate(s[3], 45);
    return result;
}

uint64_t rng_below(struct rng *rng, uint64_t bound) {
    assert(bound > 0);
    return (uint64_t)(((unsigned __int128)rng_next(rng) * bound) >> 64);
}

double rng_unit(struct rng *rng) {
    return (double)(rng_next(rng) >> 11) * 0x1p-53;
}
