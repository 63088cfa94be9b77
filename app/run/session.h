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

#include "app/cli/command.h"
#include "app/cost/events.h"
#include "app/cost/phases.h"
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
};

/* When CBMC is shown what our own solver has checked: in another run, or in this one and nothing
 * else is done. */
enum confirming { CONFIRM_BESIDE, CONFIRM_LATER, CONFIRM_ONLY };

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
    struct terms terms;
    struct system sys;
    struct lowered lowered;
    struct slicer *slicer; /* of sys */
    bool all_constraints;  /* slices have those, too, that are about other variables */
    bool has_model, has_native, has_cbmc;
    bool keeps_loops;         /* the model does: see session_keep_loops() */
    bool loops_stay_open;     /* it would not help */
    struct cbmc cbmc;         /* once it has shown that it can be believed */
    uint32_t cbmc_depth[2];   /* completed by cbmc-bmc, cbmc-kind */
    uint32_t climbs;          /* attempts of CBMC from states that were reached */
    VEC(struct probe) probes; /* by probe number; then one for each overrun */
    VEC(uint32_t) target_probe;
    VEC(uint32_t) cell_of_state; /* module.state to cells of the system, NONE: it has none */
    bool *choice; /* by target: it depends on what C leaves open (model/system/choice.h) */
    struct invariant lemmas;
    struct cell_seen *seen; /* one a cell of the system, from simulation */
    struct claims claims;   /* proofs that wait for their check */
    enum confirming confirming;
    struct claims unconfirmed;       /* checked by the solver; CBMC has not been asked yet */
    struct claims held;              /* proofs that wait for the overruns to be decided */
    struct invariant ground;         /* proves the overruns that are dead; part of every proof */
    struct earlier_verdicts earlier; /* on the program as it was */
    struct resumed resumed;
    double started;
    struct phases phases;  /* what the time went into */
    struct events *events; /* NULL: nobody listens */
    struct events trace;
    unsigned jobs;
    uint32_t shard, shards; /* this run decides the goals of one shard of so many; 0: all */
    bool no_time;           /* the run ended while it was still preparing */
    uint32_t crashes_told;  /* bit an enum native_end */
    bool alarmed;           /* evidence contradicted evidence, or failed its check */
};

/* Reads the project, weaves, opens the database, takes over what an earlier run has found. */
bool session_open(struct session *s, const struct options *o, struct err *err);
/* Native builds and the model. Where one cannot be had, a warning says why and the run goes on
 * without it. */
bool session_prepare(struct session *s, struct err *err);
void session_close(struct session *s);

const struct system *session_system(const struct session *s);
/* A warning, with what the user can do; the error is used up. */
void session_warn(const struct session *s, const char *consequence, struct err *why);
double session_elapsed(const struct session *s);
void session_phase(struct session *s, enum phase phase); /* begins */
double session_cpu(const struct session *s);             /* CPU time used, with that of children */
double session_left(const struct session *s);            /* of the total time, 0 when it is over */
bool session_short_of_cpu(const struct session *s);      /* which is it that ends first? */
double session_total(const struct session *s); /* by the clock, or of CPU time if that is less */
bool session_wants(const struct session *s, const char *engine); /* the project names it, or none */
bool session_must_end(void *session); /* the total time is over, or a signal has come */
bool session_must_cut(void *session); /* so much so that nobody waits for what has begun */
size_t session_count(const struct session *s, enum status status); /* goals */
bool session_is_open(const struct session *s, uint32_t probe);     /* and worth an attempt */
bool session_may_decide(const struct session *s, uint32_t probe);  /* the same, of all shards */
bool session_can_decide(const struct session *s, uint32_t probe);  /* it can be analysed */
bool session_decided(const struct session *s); /* no open goal is left that could be decided here */
size_t session_left_open(const struct session *s); /* goals, without those of other shards */

/* Verdicts on a probe, for all its goals. false: the database failed, or a contradiction. */
struct finding {
    const char *engine, *checked_by, *assumes;
    int64_t evidence; /* row of the witness or proof */
    int64_t depth;
    uint64_t ticks;
    double seconds;
    const char *slice_hash;
};
bool session_reachable(struct session *s, uint32_t probe, const struct finding *f, struct err *err);
bool session_dead(struct session *s, uint32_t probe, const struct finding *f, struct err *err);
bool session_bound(struct session *s, const char *engine, uint32_t probe, int64_t bound,
                   struct err *err);
bool session_alarm(struct session *s, uint32_t probe, const char *text, int64_t witness,
                   int64_t proof, struct err *err);
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

/* The model ends a run at an overrun (a loop limit, a construct that it cannot follow), so what is
 * proved about the model holds for the program only once all overruns are proved dead; until then
 * no verdict and no bound is stored, and proofs are held. */
bool session_overruns_dead(const struct session *s);
/* One of them is reached in the model, so nothing can be shown to be dead any more, and whether the
 * others can be reached does not matter. */
void session_lose_overruns(struct session *s);
bool session_overruns_lost(const struct session *s);
/* The overruns among the targets of this confirmed proof are dead. The last one sets free what is
 * held. */
bool session_overruns_proved(struct session *s, const struct invariant *proof, struct err *err);

/* Ranges, stubs and constraints that a proof about these probes rests on, in the arena; "" when
 * none. */
const char *session_assumes(struct session *s, const uint32_t *probes, size_t n);
/* What a run to the probe rests on: functions without a body whose results it depends on; NULL. */
const char *session_run_assumes(struct session *s, uint32_t probe);
/* The part of the model that these targets of it depend on. */
void session_slice(const struct session *s, struct slice *slice, const uint32_t *targets, size_t n);
/* Hash of the part of the model that the probe depends on. */
const char *session_slice_hash(struct session *s, uint32_t probe);

#endif
