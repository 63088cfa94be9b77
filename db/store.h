/* store: the database of one module: goals, verdicts, evidence (db/schema.sql documents it).
 *
 * One writer at a time (a second one is refused), any number of readers at any moment. Every
 * writing function runs in its own transaction unless between store_begin() and store_commit(), so
 * a killed process loses nothing that a function has returned true for.
 *
 *     struct store *db;
 *     if (!store_open(&db, "goalkeeper.db", STORE_CREATE, err)) return false;
 *     store_module(db, &woven.goals, &woven.module, err);
 *     int64_t witness = store_witness(db, &w, err);
 *     store_verdict(db, &(struct verdict){.goal = 3, .status = STATUS_REACHABLE, …}, err);
 *     store_close(db);
 *
 * Goals are named by their index in `struct goals`; row ids in the database are index + 1.
 */
#ifndef DB_STORE_H
#define DB_STORE_H

#include "base/err.h"
#include "base/texts.h"
#include "coverage/goal.h"
#include "coverage/module.h"
#include "model/system/trace.h"

struct store;

enum store_mode {
    STORE_READ,   /* must exist, nothing is ever written, a running writer does not disturb */
    STORE_WRITE,  /* must exist; takes the writer's lock */
    STORE_CREATE, /* made when absent; takes the writer's lock */
};

bool store_open(struct store **store, const char *path, enum store_mode mode, struct err *err);
void store_close(struct store *store); /* NULL is allowed */
const char *store_path(const struct store *store);

bool store_begin(struct store *store, struct err *err);
bool store_commit(struct store *store, struct err *err);

/* All or nothing: a transaction unless one is open already; store_leave() commits when ok, rolls
 * back when not, and leaves it to the outer one when there is one. */
bool store_enter(struct store *store, bool *own, struct err *err);
bool store_leave(struct store *store, bool own, bool ok, struct err *err);

/* ---- what is under analysis ---- */

/* Replaces goals, decisions, implications, limitations and variables. All verdicts become open;
 * witnesses and proofs stay, so that they can be attached again after a re-check. */
bool store_module(struct store *store, const struct goals *goals, const struct module *module,
                  struct err *err);
/* One more; the same one again changes nothing. */
bool store_limitation(struct store *store, const struct limitation *limitation, struct err *err);
bool store_lift_limitation(struct store *store, const struct limitation *l, struct err *err);
/* Replaces those of the run before. */
bool store_warnings(struct store *store, const struct module *module, struct err *err);
bool store_info(struct store *store, const char *key, const char *value, struct err *err);
/* Deletes all keys that start like this. */
bool store_forget_info(struct store *store, const char *start, struct err *err);
char *store_get_info(struct store *store, const char *key); /* caller frees; NULL when absent */
bool store_artifact(struct store *store, const char *name, const void *data, size_t size,
                    struct err *err);
/* Those whose names begin so. */
bool store_forget_artifacts(struct store *store, const char *start, struct err *err);
bool store_get_artifact(struct store *store, const char *name, struct str *out); /* false: absent */

/* The module as it was stored; `module` is zeroed, module_free() frees it. User constraints are in
 * the woven program and do not come back. */
bool store_get_module(struct store *store, struct module *module, struct err *err);

/* ---- evidence ---- */

struct witness_cell {
    uint32_t step, cell; /* state cell number, value after the step */
    uint64_t bits;
};

struct witness {
    uint32_t steps; /* hit in the last one; 0: during initialisation */
    const char *engine;
    struct input_events events;     /* step UINT32_MAX: initialisation */
    VEC(struct witness_cell) cells; /* only changes */
};

struct proof {
    const char *engine;
    uint32_t k;
    const char *invariant;     /* text form, model/system/invariant.h */
    const char *certificate;   /* C text or NULL */
    VEC(const char *) clauses; /* as C */
};

/* The row id, 0 on failure. */
int64_t store_witness(struct store *store, const struct witness *witness, struct err *err);
int64_t store_proof(struct store *store, const struct proof *proof, struct err *err);
/* false when there is no such row, or it cannot be read; `witness` is zeroed by the caller, freed
 * by witness_free. Text lives in `arena`. */
bool store_get_witness(struct store *store, int64_t id, struct witness *witness,
                       struct arena *arena);
/* Whether the values that people read are those of the bits; false also when it cannot be read. */
bool store_witness_shows(struct store *store, int64_t id, struct err *err);
bool store_get_proof(struct store *store, int64_t id, struct proof *proof, struct arena *arena);
/* Adds the certificate of a proof to `out`, nothing when it has none. */
bool store_certificate(struct store *store, int64_t proof, struct str *out, struct err *err);
void witness_free(struct witness *witness);
void proof_free(struct proof *proof);

/* ---- verdicts ---- */

enum status { STATUS_OPEN, STATUS_REACHABLE, STATUS_DEAD };
extern const char *const status_names[3];
int status_find(const char *name); /* -1 when unknown */

struct verdict {
    uint32_t goal;
    enum status status;
    int64_t bound;      /* -1: none */
    const char *engine; /* of an open goal: who claims the bound */
    int64_t depth;      /* -1: none */
    uint64_t ticks;
    double seconds;
    int64_t witness, proof; /* row ids, 0 = none */
    int64_t implied_by;     /* goal index, -1 = none */
    const char *checked_by; /* a set (db/checkers.h) */
    const char *assumes, *reason, *slice_hash;
};
#define VERDICT_INIT {.bound = -1, .depth = -1, .implied_by = -1}

/* The one place where verdicts are joined: open < bound k < reachable, dead. A second final verdict
 * that agrees changes nothing. One that contradicts is kept as an alarm with both sides, and the
 * call fails with ERR_EVIDENCE; so does a run that reaches a goal within the bound that an engine
 * has claimed, but then the goal is reachable. */
bool store_verdict(struct store *store, const struct verdict *verdict, struct err *err);
/* Somebody else has confirmed a dead goal, too, with this certificate; 0: with the one it has. */
bool store_rechecked(struct store *store, uint32_t goal, int64_t proof, const char *checked_by,
                     struct err *err);
/* Who has accepted the evidence of a goal's verdict, a set; NULL: it has none. */
const char *store_checked_by(struct store *store, uint32_t goal, struct arena *arena);
/* A failed check of evidence: kept with both sides; the goal goes back to open. */
bool store_alarm(struct store *store, uint32_t goal, const char *text, int64_t witness,
                 int64_t proof, struct err *err);

/* Why a dead goal is dead; empty texts: nobody could find out. `cause` is equal for goals that die
 * of the same, `cause_class` its class. `assumes` replaces what the verdict says. */
struct because_row {
    uint32_t goal;
    const char *class, *text, *cause, *cause_class, *assumes;
};
bool store_because(struct store *store, const struct because_row *row, struct err *err);
/* The proof cut down to what the reason names, and who has accepted it: "cbmc" or "solver". */
bool store_reason_proof(struct store *store, uint32_t goal, int64_t proof, const char *checked_by,
                        struct err *err);
/* Dead goals that nobody has asked about. */
bool store_unexplained(struct store *store);

/* All verdicts with the keys of their goals, in goal order. Texts live in `arena`. */
struct stored_verdict {
    uint64_t key;
    struct verdict verdict;
};
VEC_STRUCT(stored_verdicts, struct stored_verdict);
bool store_verdicts(struct store *store, struct stored_verdicts *out, struct arena *arena,
                    struct err *err);

/* Verdicts on the program as it was: store_module() keeps those that it replaces, until their goals
 * have verdicts again. With the evidence; inputs of its witnesses are numbered as in `program`. */
struct earlier_verdict {
    uint64_t key;
    struct verdict verdict; /* .goal is not set */
    int64_t program;
};
VEC_STRUCT(earlier_verdicts, struct earlier_verdict);
bool store_earlier(struct store *store, struct earlier_verdicts *out, struct arena *arena,
                   struct err *err);
/* Paths of that program's inputs, by number. */
bool store_earlier_inputs(struct store *store, int64_t program, struct texts *paths,
                          struct arena *arena, struct err *err);
/* Those whose goals have verdicts again, or are no more. */
bool store_forget_earlier(struct store *store, struct err *err);

/* Deletes witnesses and proofs that no goal, no alarm and no earlier verdict refers to. */
bool store_prune(struct store *store, struct err *err);

struct attempt {
    uint32_t probe;
    const char *engine;
    const char *started; /* ISO 8601, UTC */
    uint64_t ticks;
    double seconds, peak_mb;
    const char *outcome, *detail;
    int64_t effort; /* row of what was counted, 0: nothing */
};
/* What one piece of work has counted, as a JSON object; its attempts share the row. */
bool store_effort(struct store *store, const char *stats, int64_t *effort, struct err *err);
bool store_attempt(struct store *store, const struct attempt *attempt, struct err *err);

/* ---- coverage that others have measured ---- */

struct measured_goal {
    uint32_t goal;
    bool hit;
};
/* Replaces all. Verdicts are not touched. */
bool store_measured(struct store *store, const struct measured_goal *goals, size_t n,
                    struct err *err);

/* ---- justifications ---- */

struct justification_row {
    const char *key, *category, *reason, *author, *reviewer, *date, *expires, *function_hash;
    const char *problem; /* NULL: valid */
};
bool store_justifications(struct store *store, const struct justification_row *rows, size_t n,
                          struct err *err); /* replaces all */

#endif
