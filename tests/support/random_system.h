/* random_system: small random transition systems with known input domains, for tests that compare
 * engines with explicit-state search (explicit.h).
 *
 * Cells and inputs are bool, integers of 2 to 4 bits and float32. Every input has a finite domain;
 * step_ok, init_ok and every hit imply that inputs stay in it. Equal seeds give equal systems.
 *
 *     struct random_system r;
 *     random_system_make(&r, &(struct random_options){.seed = 7, .floats = true});
 *     … r.sys …
 *     random_system_free(&r);
 */
#ifndef TESTS_SUPPORT_RANDOM_SYSTEM_H
#define TESTS_SUPPORT_RANDOM_SYSTEM_H

#include "base/rng.h"
#include "model/system/system.h"

struct random_options {
    uint64_t seed;
    uint32_t max_cells;   /* 0: 4 */
    uint32_t max_inputs;  /* 0: 3 */
    uint32_t max_targets; /* 0: 4 */
    uint32_t depth;       /* of expressions, 0: 3 */
    bool floats;
    bool unspecified; /* some inputs are unspecified, and count as used under random conditions */
    bool overruns;    /* some targets are overruns */
    bool lone_hits;   /* a hit during initialisation may come without init_ok */
};

struct domain {
    uint64_t values[16]; /* bits */
    size_t len;
};

struct random_system {
    struct terms terms;
    struct system sys;
    VEC(struct domain) domains; /* one per system input */
};

void random_system_make(struct random_system *r, const struct random_options *options);
void random_system_free(struct random_system *r);
/* A random value of every input's domain. */
void random_inputs(const struct random_system *r, struct rng *rng, uint64_t *values);

#endif
