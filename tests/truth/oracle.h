/* oracle: what a sample can reach, found with nothing of Goalkeeper's.
 *
 * The text of the oracle is compiled by gcc and by clang, at -O0 and at -O2, in the data model of
 * the target; each of the four programs goes through the states of the module. */
#ifndef TESTS_TRUTH_ORACLE_H
#define TESTS_TRUTH_ORACLE_H

#include "sample.h"

#include "base/arena.h"
#include "base/err.h"

enum { BUILDS = 4 };
struct oracle_build {
    const char *compiler, *optimise, *any; /* `any`: what an uninitialised variable holds */
};
extern const struct oracle_build oracle_builds[BUILDS];

/* Of a mark: false or executed, true; with MC/DC, the same for a condition that decided. */
enum { SEEN_FALSE = 1, SEEN_TRUE = 2, DECIDED_FALSE = 4, DECIDED_TRUE = 8 };

/* For the test of the fuzzer: what a broken oracle would say. */
enum forgery {
    HONEST,
    BLIND,   /* sees only the first value of each input: reachable goals look unreachable */
    CERTAIN, /* has seen everything: dead goals look reached */
    DEAF,    /* exported tests seem to hit nothing */
    FORGERIES
};

struct oracle {
    const char *dir;   /* with a folder `oracle` for its files, `plain` for the module */
    const char *steps; /* of the search, as a text */
    unsigned builds;   /* how many of oracle_builds, from `first` on */
    unsigned first;
    enum forgery forged;
    bool complete; /* every build saw everything */
    uint64_t states, steps_done;
    uint64_t ended;     /* steps that came to their end */
    unsigned char *any; /* by mark: what some build saw */
    unsigned char *all; /* what every build saw */
};

bool oracle_write(const struct sample *s, const char *dir, struct arena *arena, struct err *err);
/* Builds and runs; `any` and `all` live in the arena. */
bool oracle_run(const struct sample *s, struct oracle *o, struct arena *arena, struct err *err);

/* What gkt_tell() wrote, added to seen[]: one byte a mark. False: it is not such a text. */
bool oracle_read(const struct sample *s, const char *text, unsigned char *seen);

/* Runs a program that must succeed; `out` (or nowhere) gets its output. The list ends with NULL. */
bool run_well(const char *dir, const char *const *argv, const char *const *environment,
              struct str *out, struct err *err);

#endif
