/* plans: the attempts of engines that are to come, in order.
 *
 * A round has a stage for each engine, in the order of the project or of engines.def; a stage has a
 * plan for each group of goals with equal slices, or one for all goals. Budgets grow from round to
 * round. A plan becomes a task, with a slice of its own, only when it is its turn: most goals are
 * decided before.
 */
#ifndef APP_RUN_PLANS_H
#define APP_RUN_PLANS_H

#include "app/run/group.h"
#include "app/run/task.h"
#include "engines/engine.h"

/* What an attempt may cost. */
struct budget {
    double seconds; /* 0: no limit */
    uint64_t ticks; /* 0: none left */
};

struct plan {
    uint64_t number;
    struct task *check;           /* made already, or */
    const struct engine_row *row; /* an engine on these probes */
    bool climbing;                /* CBMC from states that were reached */
    VEC(uint32_t) probes;
    struct budget budget;
    uint32_t group; /* index, NONE: all goals */
};

struct engine_record {
    const struct engine_row *row;
    uint32_t attempts, successes;
    bool spent; /* the last attempt used up its ticks for nothing */
};

struct plans {
    struct session *session;
    struct groups groups;
    VEC(struct engine_record) engines;
    VEC(struct plan) waiting; /* of this stage */
    size_t next;              /* the first that has not begun */
    uint64_t made;            /* numbers that were given */
    uint32_t round;
    size_t stage;       /* within the round: index of an engine */
    bool something;     /* this round has had a plan */
    size_t reached;     /* goals, when lemmas were sought last */
    size_t climbed;     /* goals reached when CBMC climbed last; 0: it has not yet */
    bool climbed_first; /* before the engines that come late */
    bool climbed_again; /* in this round */
    bool over;          /* the last round is over, or a whole round had nothing to do */
};

void plans_open(struct plans *p, struct session *s);
void plans_close(struct plans *p);
/* The session has another model: all begins anew with it. None of the plans may be a task. */
void plans_renew(struct plans *p);

bool plans_stage_begun(const struct plans *p); /* all of its plans are tasks, or gone */
/* The plans of the next stage, maybe none; between two rounds there is an empty one. False when
 * that was the last. */
bool plans_next_stage(struct plans *p);
/* The first plan that is still of use, as a task; NULL: this stage has none. */
struct task *plans_take(struct plans *p);
/* A check waits among the plans: for deterministic runs. */
void plans_add_check(struct plans *p, struct task *check);
/* What the engine of a task has achieved. */
void plans_note(struct plans *p, const struct task *t);

#endif
