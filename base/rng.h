/* rng: deterministic random numbers (xoshiro256**, seeded through splitmix64).
 * The same seed gives the same sequence on every machine. */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

struct rng {
    uint64_t s[4];
};

void rng_init(struct rng *rng, uint64_t seed);
uint64_t rng_next(struct rng *rng);
uint64_t rng_below(struct rng *rng, uint64_t bound); /* 0 .. bound-1, bound > 0 */
double rng_unit(struct rng *rng);                    /* [0, 1) */

#endif
