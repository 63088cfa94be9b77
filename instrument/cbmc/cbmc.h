/* cbmc: the external model checker, as a child with limits.
 *
 * An answer is believed only if everything fits: the program ended by itself, its exit code and its
 * last verdict line agree. Anything else (crash, time-out, garbage, an old version) is "no answer".
 * Before its first answer counts the program has to show that it is what it says (cbmc_open), and
 * that it takes C for what compilers take it for (meaning.h).
 *
 *     struct cbmc cbmc;
 *     struct str detail = {0};
 *     if (!cbmc_open(&cbmc, tool_cbmc(&arena), &detail))
 *         … detail says why it cannot be used …
 *     struct cbmc_run run = {.cbmc = &cbmc, .file = "cert.c", .ilp32 = true, .seconds = 120};
 *     if (cbmc_verify(&run, &detail) == CBMC_SUCCESSFUL) …
 */
#ifndef INSTRUMENT_CBMC_CBMC_H
#define INSTRUMENT_CBMC_CBMC_H

#include "base/arena.h"
#include "base/child.h"
#include "base/sandbox/confine.h"
#include "base/err.h"
#include "base/str.h"

#include <stdint.h>

enum cbmc_answer {
    CBMC_NO_ANSWER,
    CBMC_SUCCESSFUL,
    CBMC_FAILED,
    CBMC_UNWIND, /* nothing but that a loop runs longer than `unwind` */
};

/* A program that can be used. */
struct cbmc {
    const char *program;
    char version[32];
    int major, minor;
};

struct cbmc_run {
    const struct cbmc *cbmc;
    const char *file;
    bool ilp32, char_is_unsigned;
    unsigned unwind;    /* of loops, with assertions that it is enough; 0: none */
    bool checks;        /* of what C leaves undefined, as properties of their own */
    double seconds;     /* by the clock; 0: no limit */
    double cpu_seconds; /* the same of its CPU time */
    uint64_t memory_mb;
    struct str *failures; /* gets the lines of all failed properties; may be NULL */
};

/* Version 5.12 or newer, and two tiny questions whose answers are known: a program that only looks
 * like CBMC is found out. `program` NULL: there is none. It must outlive the result. */
bool cbmc_open(struct cbmc *cbmc, const char *program, struct str *detail);

/* `detail` gets what it said in one line: the verdict, the failed properties, or what went wrong.
 */
enum cbmc_answer cbmc_verify(const struct cbmc_run *run, struct str *detail);

/* What it may do with a file: write beside it. */
struct cbmc_confine {
    struct arena arena; /* the caller frees it */
    const char *reads[2];
    struct confine confine;
};
const struct confine *cbmc_confine(struct cbmc_confine *confine, const char *file);

enum { CBMC_ARGUMENTS = 32 };
/* The command line of a run. Fills argv[0 …] and returns how many; the caller adds what else it
 * wants and the end. `number` is used for a text. */
int cbmc_arguments(const struct cbmc_run *run, const char *argv[CBMC_ARGUMENTS], char number[16]);

#endif
