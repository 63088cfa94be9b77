/* step_models: small step functions of the kind found in generated controllers, built by hand as
 * transition systems, so that the solver can be measured without a C front end. */
#ifndef BENCH_SOLVER_STEP_MODELS_H
#define BENCH_SOLVER_STEP_MODELS_H

#include "model/term/term.h"

enum { MODEL_CELLS = 8, MODEL_INPUTS = 4, MODEL_TARGETS = 4 };

struct step_model {
    const char *name;
    struct terms ts;
    size_t n_cells, n_inputs, n_targets;
    term_t cell[MODEL_CELLS], init[MODEL_CELLS], next[MODEL_CELLS];
    term_t input[MODEL_INPUTS], input_ok[MODEL_INPUTS];
    term_t target[MODEL_TARGETS];
};

size_t step_model_count(void);
void step_model_make(size_t index, struct step_model *m);
void step_model_free(struct step_model *m);

#endif
