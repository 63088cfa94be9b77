/* cbmc_goals: many goals in one run of CBMC, over some steps of the woven program.
 *
 *   BMC_k   initialisation, then k steps: can a goal be hit in any of them?
 *   IND_k   any state that satisfies the clauses, then k steps: can a goal be hit in the last one
 *           although it has not been hit in those before? (as in Scheibler et al., "ICP and IC3",
 * II-B)
 *
 * One assertion a goal and place, so that goals do not disturb each other: in IND_k each is assumed
 * absent in the prefix on its own. Inner loops are followed with unwinding assertions; where those
 * fail, what was found still counts, what was not found does not.
 *
 *     struct cbmc_question q = {.run = {.cbmc = cbmc, …}, .base = {…}, .probes = …, .steps = 8};
 *     struct cbmc_output answer;
 *     if (cbmc_ask(&q, &answer, &detail)) …       // cbmc_output_find(&answer, probe)
 *     cbmc_output_free(&answer);                  // in both cases
 */
#ifndef INSTRUMENT_CBMC_GOALS_H
#define INSTRUMENT_CBMC_GOALS_H

#include "instrument/cbmc.h"
#include "instrument/cbmc_output.h"
#include "instrument/obligation.h"

struct cbmc_question {
    struct cbmc_run run;    /* `file` is set by cbmc_ask() */
    struct obligation base; /* for BMC only woven and module are needed */
    uint32_t n_probes;      /* of the woven program */
    const uint32_t *probes; /* asked for */
    size_t n_asked;
    uint32_t steps;
    bool inductive; /* IND, else BMC */
};

/* The C file. False (ERR_EVIDENCE) when a clause or a pointer cannot be written as C. */
bool cbmc_question_write(const struct cbmc_question *q, struct str *out, struct err *err);

/* True: CBMC has answered completely, goals that it does not call failed are excluded within
 * `steps` (BMC) or by induction (IND), provided that !answer->unwinding_failed. False: `detail`
 * says what happened; failures with traces that came before still count. */
bool cbmc_ask(const struct cbmc_question *q, struct cbmc_output *answer, struct str *detail);

#endif
