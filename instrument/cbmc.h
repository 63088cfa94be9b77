/* cbmc: the external model checker, as a child with limits.
 *
 * An answer is believed only if everything fits: the program ended by itself, its exit code and its
 * last verdict line agree. Anything else (crash, time-out, garbage, an old version) is "no answer".
 *
 *     struct cbmc_run run = {.program = path, .file = "cert.c", .ilp32 = true, .seconds = 120};
 *     struct str detail = {0};
 *     if (cbmc_verify(&run, &detail) == CBMC_SUCCESSFUL) …
 */
#ifndef INSTRUMENT_CBMC_H
#define INSTRUMENT_CBMC_H

#include "base/err.h"
#include "base/str.h"

#include <stdint.h>

enum cbmc_answer {
    CBMC_NO_ANSWER,
    CBMC_SUCCESSFUL,
    CBMC_FAILED,
    CBMC_UNWIND, /* nothing but that a loop runs longer than `unwind` */
};

struct cbmc_run {
    const char *program; /* tool_cbmc() */
    const char *file;
    bool ilp32, char_is_unsigned;
    unsigned unwind;
    double seconds;
    uint64_t memory_mb;
};

/* `detail` gets what it said in one line: the verdict, the failed properties, or what went wrong.
 */
enum cbmc_answer cbmc_verify(const struct cbmc_run *run, struct str *detail);

/* Asks two tiny questions whose answers are known, so that a program that only looks like CBMC is
 * found out. false: `detail` says why it cannot be used. */
bool cbmc_trustworthy(const char *program, struct str *detail);

#endif
