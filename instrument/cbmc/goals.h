/* goals: many goals in one run of CBMC, over some steps of the woven program.
 *
 *   BMC_k   initialisation, then k steps: can a goal be hit in any of them?
 *   IND_k   any state that satisfies the clauses, then k steps: can a goal be hit in the last one
 *           although it has not been hit in those before? (as in Scheibler et al., "ICP and IC3",
 * II-B)
 *
 * BMC may begin in a state that was reached natively instead of after initialisation; then it can
 * also be asked to climb: to bring a cell further up or down, for counters that no depth reaches.
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

#include "instrument/cbmc/cbmc.h"
#include "instrument/cbmc/output.h"
#include "instrument/cbmc/obligation.h"

struct cbmc_question {
    struct cbmc_run run;    /* `file` is set by cbmc_ask() */
    struct obligation base; /* for BMC only woven and module are needed */
    uint32_t n_probes;      /* of the woven program */
    const uint32_t *probes; /* asked for */
    size_t n_asked;
    uint32_t steps;
    bool inductive; /* IND, else BMC */
    /* for BMC from a state: values by module.state and, of parameters, by module.inputs */
    const uint64_t *start, *constants;
    const uint32_t *climbers; /* state cells, integers of less than 64 bits */
    size_t n_climbers;
};

/* Climber i as a property of the answer: its cell ends above (below) where it started; by as many
 * as there were steps; or by one in each of the last CBMC_ROUND steps, while every other cell of
 * the state does the same or comes back to its value, so that these steps can be repeated. */
enum cbmc_climb {
    CBMC_UP,
    CBMC_UP_FAST,
    CBMC_UP_ROUND,
    CBMC_DOWN,
    CBMC_DOWN_FAST,
    CBMC_DOWN_ROUND,
    CBMC_CLIMBS
};
enum { CBMC_ROUND = 16 }; /* and every period that divides it: of alive counters, of toggles */
uint32_t cbmc_climb_number(const struct cbmc_question *q, size_t i, enum cbmc_climb climb);
bool cbmc_can_climb(const struct module_var *v);
/* All of the state has values that can be written (no pointer that changes). */
bool cbmc_can_start(const struct obligation *base);

/* The C file. False (ERR_EVIDENCE) when a clause or a pointer cannot be written as C. */
bool cbmc_question_write(const struct cbmc_question *q, struct str *out, struct err *err);

/* True: CBMC has answered completely, goals that it does not call failed are excluded within
 * `steps` (BMC) or by induction (IND), provided that !answer->unwinding_failed. False: `detail`
 * says what happened; failures with traces that came before still count. */
bool cbmc_ask(const struct cbmc_question *q, struct cbmc_output *answer, struct str *detail);

/* CBMC on this program, with traces. */
bool cbmc_run_text(const struct cbmc_run *run, const char *program, struct cbmc_output *answer,
                   struct str *detail);

#endif
