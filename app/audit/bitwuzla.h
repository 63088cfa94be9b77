/* bitwuzla: another solver for bit-vectors and floating point, where the user has it: a checker of
 * proofs with a code base of its own, asked by SMT-LIB text.
 *
 * It is never needed: without it nothing is missing but its word. As with CBMC an answer is
 * believed only if everything fits (it ended by itself, with exit code 0, and said one word), and
 * none before it has told a question with a solution from one without. It reads its question from
 * its standard input, confined (base/sandbox/confine.h), and may open no file of the user's.
 *
 *     struct bitwuzla bitwuzla;
 *     struct bitwuzla_limits limits = {.cpu_seconds = 10};
 *     if (bitwuzla_open(&bitwuzla, tool_bitwuzla(&arena), &detail) &&
 *         bitwuzla_ask(&bitwuzla, &text, &limits, &detail) == BITWUZLA_UNSAT) …
 */
#ifndef APP_AUDIT_BITWUZLA_H
#define APP_AUDIT_BITWUZLA_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

struct bitwuzla {
    const char *program;
    char version[32];
};

/* Of each question; 0: none. */
struct bitwuzla_limits {
    double seconds, cpu_seconds;
    uint64_t memory_mb;
};

/* False: there is none that can be believed, and `detail` says why. `program`, which may be NULL,
 * must outlive the result. */
bool bitwuzla_open(struct bitwuzla *bitwuzla, const char *program, struct str *detail);

enum bitwuzla_answer { BITWUZLA_NO_ANSWER, BITWUZLA_SAT, BITWUZLA_UNSAT };

/* Has this text a solution? `detail` gets what was said instead of an answer. */
enum bitwuzla_answer bitwuzla_ask(const struct bitwuzla *bitwuzla, const struct str *text,
                                  const struct bitwuzla_limits *limits, struct str *detail);

#endif
