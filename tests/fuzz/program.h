/* program: random C programs with the harness of a woven text, from a list of choices.
 *
 * They use every integer and float type, all operators and casts, arrays, constant tables, structs
 * with bit-fields, unions, pointers (also kept over steps), loops, switch, early returns, and calls
 * through a table of functions. Most operations are kept inside what C defines; now and then one is
 * not. All state is read at the start of each step, so that it counts. */
#ifndef TESTS_FUZZ_PROGRAM_H
#define TESTS_FUZZ_PROGRAM_H

#include "choices.h"

#include "base/str.h"
#include "coverage/module.h"

struct program {
    struct str text;
    struct module module;
    uint32_t n_probes;
};

enum { TABLE_LEN = 8 };

void program_make(struct program *p, struct choices *c, bool ilp32);

void program_free(struct program *p);

#endif
