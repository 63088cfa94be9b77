/* portfolio: all engines on one system, for one target, in child processes with growing budgets.
 *
 * The answer is REACHABLE when somebody has confirmed a run (`confirm`, `found`), DEAD when a fresh
 * solver has checked proofs for the target and for every overrun, else OPEN. A proof that fails its
 * check makes the result `refuted`: the tool contradicts itself.
 *
 *     struct portfolio p = {.sys = &sys, .goal = 0, .jobs = 2, .seconds = 60, .confirm = replay};
 *     struct portfolio_result result;
 *     if (portfolio_run(&p, &result, err))
 *         use(result.answer);
 *     portfolio_result_free(&result);
 */
#ifndef APP_VERIFY_PORTFOLIO_H
#define APP_VERIFY_PORTFOLIO_H

#include "base/log.h"
#include "base/texts.h"
#include "db/store.h"
#include "model/system/fact.h"
#include "db/store.h"
#include "model/system/fact.h"

struct portfolio {
    struct system *sys;
    uint32_t goal;               /* index of the target */
    const struct texts *engines; /* names; empty or NULL: all */
    unsigned jobs;               /* 0: all cores */
    double seconds;
    uint64_t memory_mb, seed;
    struct log *log;
    void *context;
    /* an engine says that this run hits the goal: is it so? */
    bool (*confirm)(void *context, const struct trace *trace);
    /* In a child: looks for a run by other means; what it prints goes to `found`, which says
     * whether it is a confirmed run. NULL: nothing of that kind. */
    int (*search)(void *context, uint32_t round);
    bool (*found)(void *context, const char *text);
};

struct portfolio_result {
    enum status answer;
    const char *engine;     /* that has found it */
    int64_t depth;          /* REACHABLE: steps, -1 from a search; DEAD: k of the proof */
    int64_t bound;          /* OPEN: not hit within so many steps, -1: nothing is known */
    bool unconfirmed;       /* a run was claimed that was not confirmed */
    bool overrun;           /* a place where the analysis gives up can be reached */
    bool refuted;           /* a proof failed its check */
    struct invariant proof; /* DEAD: of the goal */
    double seconds;
};

bool portfolio_run(const struct portfolio *p, struct portfolio_result *result, struct err *err);
void portfolio_result_free(struct portfolio_result *result);

#endif
