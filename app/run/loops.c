#include "app/run/loops.h"

#include "engines/solver/solver.h"

#include <assert.h>

enum { QUESTION_TICKS = 50000 };

static bool may_hold(void *context, struct terms *ts, term_t condition) {
    (void)context;
    assert(term_sort(ts, condition) == SORT_BOOL);
    struct solver *s = solver_new(&(struct solver_options){.seed = 1});
    struct frame *frame = solver_frame_new(s, ts);
    struct slit holds = slit_true(solver_encode(s, frame, condition));
    enum solver_result answer = solver_solve(s, &holds, 1, QUESTION_TICKS);
    solver_free(s);
    return answer != SOLVER_UNSAT;
}

void loops_ask(struct lower_options *options) {
    assert(!options->satisfiable);
    options->satisfiable = may_hold;
}
