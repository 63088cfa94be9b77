/* generate_module: C modules in the style of generated production code, of any size, whose coverage
 * truth is known where it follows from how a block is built.
 *
 *     struct generated g;
 *     generate_module(&g, &(struct generate_options){.seed = 7, .lines = 500});
 *     file_write("module.c", g.source.data, g.source.len, err);
 *     … g.project is its goalkeeper.json (source "module.c"), g.goals what is known of it …
 *     generated_free(&g);
 *
 * A module is a chain of blocks (generate_module.def): counters, debouncers, mode machines,
 * saturations, filters, tables, controllers, delays, supervision. A block reads inputs of its own
 * or what an earlier block left. Equal options give equal texts. Every block ends in statements
 * marked with a comment that says what is known: "goal: dead state" needs an invariant over the
 * state, "goal: dead step" follows from the step alone, "goal: reachable" is reached by some
 * inputs, "goal: unknown" is one whose inputs come from another block.
 */
#ifndef BENCH_GENERATE_MODULE_H
#define BENCH_GENERATE_MODULE_H

#include "base/str.h"
#include "base/vec.h"

#include <stdint.h>

enum truth { TRUTH_UNKNOWN, TRUTH_REACHABLE, TRUTH_DEAD };

struct generated_goal {
    int line; /* of the marked statement, from 1 */
    enum truth truth;
    bool needs_state;
    const char *block; /* kind of block, static */
};

/* What blocks read: their own inputs or what another one left; their own inputs only; what the one
 * before left, where it leaves such. */
enum generate_shape { GENERATE_MIXED, GENERATE_BLOCKS, GENERATE_CHAIN };

struct generate_options {
    enum generate_shape shape;
    uint64_t seed;
    bool hard;      /* of the kinds of generate_hard.def */
    unsigned lines; /* blocks are added until there are as many; 0: 200 */
};

struct generated {
    struct str source, project;
    VEC(struct generated_goal) goals;
};

void generate_module(struct generated *g, const struct generate_options *options);
void generated_free(struct generated *g);
const char *truth_name(enum truth truth);

#endif
