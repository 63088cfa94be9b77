/* k-induction by CBMC, "EP-CBMC" of the table: CBMC has none of its own, so BMC_k and IND_k are
 * asked as separate programs, k = 1, 2, 3, 4, 6, 9, …, until a base case fails (reachable), both
 * succeed (dead), or the time is over. The same questions as in app/run/attempt/cbmc.c, with one
 * goal each and nothing known beforehand. */
#include "bench/engines.h"

#include "base/log.h"

#include "instrument/cbmc/goals.h"

#include <sys/resource.h>

enum { FEW_ITERATIONS = 16 };

struct induction {
    const struct bench_goal *goal;
    struct cbmc_question question;
    double limit;
};

static enum cbmc_status ask(struct induction *q, bool inductive, uint32_t steps) {
    struct cbmc_output answer;
    struct str detail = {0};
    double left = q->limit - clock_cpu(RUSAGE_CHILDREN);
    enum cbmc_status status = CBMC_UNKNOWN;
    if (left <= 0)
        return CBMC_UNKNOWN;
    q->question.inductive = inductive;
    q->question.steps = steps;
    q->question.run.cpu_seconds = left;
    bool complete = cbmc_ask(&q->question, &answer, &detail) && !answer.unwinding_failed;
    const struct cbmc_property *p = cbmc_output_find(&answer, q->goal->probe);
    if (p && p->status == CBMC_FAILURE)
        status = CBMC_FAILURE;
    else if (complete && p)
        status = CBMC_SUCCESS;
    cbmc_output_free(&answer);
    str_free(&detail);
    return status;
}

static enum truth induct(struct induction *q) {
    for (uint32_t k = 1;; k += k < 4 ? 1 : k / 2) {
        enum cbmc_status base = ask(q, false, k);
        if (base != CBMC_SUCCESS)
            return base == CBMC_FAILURE ? TRUTH_REACHABLE : TRUTH_UNKNOWN;
        enum cbmc_status step = ask(q, true, k);
        if (step != CBMC_FAILURE)
            return step == CBMC_SUCCESS ? TRUTH_DEAD : TRUTH_UNKNOWN;
    }
}

bool attempt_cbmc_kind(const struct bench_goal *goal, const struct attempt_limits *limits,
                       struct result *result) {
    const struct bench_module *m = goal->module;
    struct invariant nothing;
    invariant_init(&nothing);
    unsigned iterations = m->lowered.iterations + 2;
    struct induction q = {.goal = goal, .limit = limits->cbmc_seconds};
    q.question = (struct cbmc_question){
        .run = {.cbmc = limits->cbmc,
                .ilp32 = m->woven.module.ilp32,
                .char_is_unsigned = !m->woven.module.char_is_signed,
                .unwind = iterations > FEW_ITERATIONS ? iterations : FEW_ITERATIONS,
                .memory_mb = limits->memory_mb},
        .base = {.woven = str_text(&m->woven.text),
                 .module = &m->woven.module,
                 .sys = &m->sys,
                 .pointers = m->lowered.pointers.data,
                 .n_pointers = m->lowered.pointers.len,
                 .state = m->lowered.state.data,
                 .invariant = &nothing},
        .n_probes = m->woven.goals.n_probes,
        .probes = &goal->probe,
        .n_asked = 1,
    };
    result->verdict = induct(&q);
    result->seconds = clock_cpu(RUSAGE_CHILDREN);
    invariant_free(&nothing);
    return true;
}
