/* check: is an invariant a proof? Asked of Z3, which shares no code with the engines and our
 * solver.
 *
 * The obligations are those of model/system/invariant.h, one question each:
 *
 *     initiation    init_ok, and some clause does not hold of the initial cells
 *     consecution   the clauses, step_ok, and some clause does not hold of the next cells
 *     safety        the clauses in k states in a row, no target hit before the last, one there
 *     base case     a target hit during initialisation, or in one of the first k - 1 steps
 *
 * Effort is Z3's own count (rlimit), so that a busy machine makes no difference. Floating point is
 * answered, too, but whoever relies on it should not rely on it alone: its implementation has had
 * errors, and `floats` says where it was in play.
 *
 *     struct z3_said said = z3_check(&slice.sys, &invariant, 2000000);
 *     if (said.answer == Z3_REFUTES) … said.obligation …
 *
 * Z3 cannot be stopped for sure and can use much memory: ask in a child process.
 */
#ifndef ENGINES_Z3_CHECK_H
#define ENGINES_Z3_CHECK_H

#include "model/system/invariant.h"

enum z3_answer { Z3_CONFIRMS, Z3_REFUTES, Z3_UNDECIDED };

struct z3_said {
    enum z3_answer answer;
    const char *obligation; /* that is not met, or not decided; NULL when confirmed */
    bool floats;
};

/* `effort` limits each of the questions. */
struct z3_said z3_check(const struct system *sys, const struct invariant *inv, unsigned effort);
/* The same questions as SMT-LIB text for any solver: each of them must be unsatisfiable, as the
 * status "unsat" says; "unknown" says nothing. False when there are none (the induction is too
 * deep), or when some operator has no exact word in Z3. */
struct z3_obligation {
    const char *name; /* "initiation", "consecution", "safety", "base_case_0" … */
    struct str text;
};
VEC_STRUCT(z3_obligations, struct z3_obligation);
bool z3_write(const struct system *sys, const struct invariant *inv, const char *status,
              struct arena *names, struct z3_obligations *out);

#endif
