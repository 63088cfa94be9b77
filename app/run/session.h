/* session: all that one `goalkeeper run` knows; built once, then driven by the schedule.
 *
 * Goals share probes; a probe is what the woven program reports and what the model has as a target.
 * The session keeps one state a probe and writes every change through to the database at once, so
 * that a killed run loses nothing but the attempts in flight.
 *
 * Invariants: a probe is final exactly when the database says so for all its goals that can be
 * analysed; lemmas hold in every reachable state (each came with a proof that stands alone), they
 * are over the cells of the whole system.
 */
#ifndef APP_RUN_SESSION_H
#define APP_RUN_SESSION_H

#include "app/audit/bitwuzla.h"
#include "app/cli/command.h"
#include "app/cost/events.h"
#include "app/cost/phases.h"
#include "base/map.h"
#include "base/str.h"
#include "db/store.h"
#include "instrument/cbmc/cbmc.h"
#include "instrument/lower/lower.h"
#include "engines/engine.h"
#include "instrument/native/simulate.h"
#include "instrument/weave/weave.h"
#include "model/system/invariant.h"
#include "model/system/slicer.h"

/* A proof that an engine has reported; over the cells of the whole system. */
struct claim {
    const char *engine;
    struct invariant invariant;
    uint64_t ticks;
    double seconds;
    bool overrun;      /* it is about overruns, not about goals */
    unsigned tries;    /* checks of it alone that came to no answer */
    size_t lemmas;     /* its last clauses: only there to make its check easier */
    size_t known;      /* lemmas that there were when it was last given some */
    uint32_t together; /* goes with at most so many into a certificate for CBMC, 0: any number */
};
VEC_STRUCT(claims, struct claim);

struct probe {
    VEC(uint32_t) goals; /* indices into woven.goals */
    uint32_t target;     /* index into the system's targets, NONE: not in the model */
    bool overrun;        /* not a goal: an overrun that proofs rest on */
    bool held;           /* a proof waits until the overruns are decided */
    bool lost;           /* an overrun, and the model reaches one: no proof excludes them all */
    uint32_t shard;      /* whose it is, 0: of all (app/run/shard.h) */
    bool by_cbmc;        /* dead, and CBMC has accepted a proof of it, or has found it */
    bool by_bitwuzla;    /* dead, and Bitwuzla has accepted a proof of it */
    bool alarmed;        /* evidence on it failed its check: nobody tries again in this run */
    enum status status;
    int64_t bound;        /* steps within which it is proved not reached, -1: none */
    const char *bound_by; /* the engine that claims it */
    double seconds;       /* spent on it so far */
    uint64_t ticks;       /* the same in ticks */
    struct str tried;     /* "kind: budget; ic3: gave up" */
};

/* What became of verdicts on the program as it was, when what was stored has been looked through.
 */
struct resumed {
    size_t earlier; /* whose goals are still there */
    size_t carried; /* their evidence is good for the program as it is */
    bool same;      /* nothing but comments and places has changed (app/project/same.h) */
};

/* When CBMC is shown what our own solver has checked: in another run, or in this one and nothing
 * else is done. */
enum confirming { CONFIRM_BESIDE, CONFIRM_LATER, CONFIRM_ONLY };

/* The module as a transition system. */
struct run_model {
    bool present; /* there is one: nothing else here means anything without it */
    struct terms terms;
    struct system sys;
    struct lowered lowered;
    struct slicer *slicer; /* of sys */
    bool all_constraints;  /* slices have those, too, that are about other variables */
    bool keeps_loops;      /* see session_keep_loops() */
    bool loops_stay_open;  /* it would not help */
    VEC(uint32_t) target_probe;
    VEC(uint32_t) cell_of_state; /* module.state to cells of the system, NONE: it has none */
    bool *choice; /* by target: it depends on what C leaves open (model/system/choice.h) */
};

/* Proofs on their way to a verdict, in the order in which they pass (schedule.h), and what is
 * known of all reachable states. */
struct run_proofs {
    struct claims held;        /* until the overruns are decided */
    struct claims waiting;     /* for their check */
    struct claims unconfirmed; /* checked by the solver; CBMC has not been asked yet */
    struct claims unasked;     /* the same, and Bitwuzla has not; where there is one */
    enum confirming confirming;
    struct invariant ground; /* proves the overruns that are dead; part of every proof */
    struct invariant lemmas;
};

struct session {
    const struct options *options;
    struct log *log;
    struct arena arena;
    struct project project;
    struct woven woven;
    struct store *db;
    struct str scratch; /* folder of a database that nobody wants to keep, or empty */
    struct native_program program;
    struct simulation *simulation;
    struct engine_knobs knobs;
    struct run_model model;
    bool has_native, has_cbmc, has_bitwuzla;
    struct cbmc cbmc;         /* once it has shown that it can be believed */
    struct bitwuzla bitwuzla; /* the same */
    bool bitwuzla_told;       /* that it gave no answer */
    uint32_t cbmc_depth[2];   /* completed by cbmc-bmc, cbmc-kind */
    struct map climbed;       /* witness -> how often CBMC has gone on from it */
    VEC(struct probe) probes; /* by probe number; then one for each overrun */
    struct cell_seen *seen;   /* one per cell of the system, from simulation */
    struct run_proofs proofs;
    struct earlier_verdicts earlier; /* on the program as it was */
    struct resumed resumed;
    double started;
    struct phases phases;  /* what the time went into */
    struct events *events; /* NULL: nobody listens */
    struct events trace;
    unsigned jobs;
    uint32_t shard, shards; /* this run decides the goals of one shard of so many; 0: all */
    bool no_time;           /* the run ended while it was still preparing */
    uint32_t crashes_told;  /* bit per enum native_end */
    bool alarmed;           /* evidence contradicted evidence, or failed its check */
};

const struct system *session_system(const struct session *s);
/* A warning, with what the user can do; the error is used up. */
void session_warn(const struct session *s, const char *consequence, struct err *why);
bool session_wants(const struct session *s, const char *engine); /* the project names it, or none */
size_t session_count(const struct session *s, enum status status); /* goals */
bool session_is_open(const struct session *s, uint32_t probe);     /* and worth an attempt */
bool session_may_decide(const struct session *s, uint32_t probe);  /* the same, of all shards */
bool session_can_decide(const struct session *s, uint32_t probe);  /* it can be analysed */
bool session_decided(const struct session *s); /* no open goal is left that could be decided here */
size_t session_left_open(const struct session *s); /* goals, without those of other shards */

/* The build by gcc has hit the probe where builds by clang did not; NULL: it has not. */
const struct native_odd *session_odd(const struct session *s, const struct probe *p);
/* No such goal may be dead: an alarm for each that is. At the end of the run. */
bool session_compare_compilers(struct session *s, struct err *err);
/* Why the open goals are open, into the database, when the run ends. */
bool session_explain_open(struct session *s, struct err *err);

/* The model ends runs in loops that it does not follow to their end, and no proof has excluded
 * that. */
bool session_loops_open(const struct session *s);
/* Looks whether the first steps come to that: then no proof will. False: no child could be had. */
bool session_try_loops(struct session *s, struct err *err);
/* Another model of the module, with such loops kept: some steps of it are one step of the module.
 * Nothing is left of the model before, and nobody may be at work on it. If it ends runs in loops,
 * too, everything stays as it is. False: the database failed. */
bool session_keep_loops(struct session *s, struct err *err);
/* Connects probes and cells with a new model. */
void session_connect(struct session *s);

/* Finds out which cell of the model is which state of the module. */
void session_connect_cells(struct session *s);
/* keep[i]: module.state[i] can influence one of the probes. False when that is not known. */
bool session_cone(const struct session *s, const uint32_t *probes, size_t n, bool *keep);

/* Takes over from simulation what it has met of the state. */
void session_look(struct session *s);

#endif
