/* trial: proofs against the compiled program.
 *
 * A proof says of every state that its invariant allows that a step keeps the invariant and hits
 * none of its targets. Here many such states are put into the builds by clang and by gcc, and one
 * step is made from each with random inputs: one step tries all proofs whose invariant holds in its
 * state. What is found wrong is so for the compiled program, whatever the model says of it, CBMC,
 * and who has checked the proof. States that no run comes to are no false alarm: the proof is about
 * them. A step that ends the run says nothing, and whatever is found must be found again in fresh
 * processes whose checks see nothing without a meaning.
 */
#ifndef APP_AUDIT_TRIAL_H
#define APP_AUDIT_TRIAL_H

#include "app/audit/states.h"

struct trial_proof {
    const struct invariant *inv; /* targets are not looked at */
    const uint32_t *probes;      /* that it says are dead */
    size_t n_probes;
};
VEC_STRUCT(trial_proofs, struct trial_proof);

struct trial {
    const struct system *sys; /* has the derived cells of all proofs */
    const struct module *module;
    struct native *zero, *pattern, *gcc; /* gcc: or NULL. Processes that nobody else uses */
    bool may_end; /* the model ends runs at accesses: some, inside of an object, no build sees */
    struct trial_proofs proofs;
    uint64_t seed;
    double cpu_seconds;  /* for all of it; up to four times that for the first few steps */
    uint32_t most_steps; /* 0: as many as there is time for */
};

struct trial_result {
    uint64_t steps;  /* made and compared */
    uint32_t tried;  /* proofs with at least one state */
    bool failed;     /* the rest is about this */
    uint32_t proof;  /* of trial.proofs */
    uint32_t probe;  /* that was hit, NONE: the invariant was left */
    struct str what; /* for people: state, inputs, what happened */
};

/* A state that no run comes to may make a loop endless: CPU time of a step for native_again(). */
enum { TRIAL_STEP_MS = 100 };
/* How long, after so many seconds of CPU for everything else. */
double trial_seconds(double cpu_seconds);

/* False only when nothing could be run. */
bool trial_run(const struct trial *t, struct trial_result *r, struct err *err);
void trial_result_free(struct trial_result *r);

#endif
