/* plan: what a fleet is to do, before anybody does it.
 *
 * Every engine runs the same task.sh, with the number of a line of the files tasks-1 to tasks-3:
 *
 *     tasks-1   a task for each module, or for each shard of each module
 *     tasks-2   after a first task for each module (simulation and lemmas): the shards
 *     tasks-3   after all of these: what shows their proofs to CBMC
 *
 * and collect.sh when they have ended. What they need to know is in fleet.conf, for bash.
 *
 *     struct fleet f = {0};
 *     if (fleet_plan(&f, o, err))
 *         fleet_files(&f);       // by name, relative to f.dir
 *     fleet_free(&f);
 */
#ifndef APP_FLEET_PLAN_H
#define APP_FLEET_PLAN_H

#include "app/cli/command.h"

enum { FLEET_PHASES = 3, FLEET_CONFIRMS = 3 };

struct fleet_module {
    const char *name; /* of its databases and folders */
    const char *project;
    uint64_t bytes; /* of its sources */
    double seconds; /* its longest task in this folder's fleet before; -1: there is none */
};

struct fleet_file {
    const char *name, *text;
};

struct fleet {
    struct arena arena;
    const struct options *options;
    const char *dir; /* absolute, unless the fleet is for another machine */
    bool portable;   /* it is: paths are relative to the top of the repository */
    VEC(struct fleet_module) modules;
    VEC(struct fleet_file) files;
    /* the largest of the modules */
    double seconds;
    uint64_t memory_mb;
    unsigned jobs; /* processors of a task */
};

/* Arguments are project files, folders with one, folders of such, and lists of them: a file with a
 * path on each line. */
bool fleet_plan(struct fleet *f, const struct options *o, struct err *err);
size_t fleet_tasks(const struct fleet *f, int phase); /* 0: there is no such phase */
/* The longest first, for whoever is last keeps all others waiting. */
void fleet_order(struct fleet *f);
/* Of all engines; an engine adds its own. */
void fleet_files(struct fleet *f);
void fleet_file(struct fleet *f, const char *name, const char *text);
const char *fleet_quote(struct arena *arena, const char *text); /* one word of a shell */
void fleet_free(struct fleet *f);

/* ---- engines ---- */

/* Scripts for sbatch, one for each phase and one for the collection. */
void slurm_files(struct fleet *f);
/* Submits them; each waits for the ones before. */
bool slurm_submit(struct fleet *f, struct err *err);
/* Limits of the servers, and what they read. */
void gitlab_files(struct fleet *f);
void jenkins_files(struct fleet *f);

/* ---- status ---- */

/* What a task last said of itself: "running HOST JOB SINCE", "done HOST CODE SECONDS". */
struct task_state {
    char state[16], host[65], what[65];
    double number;
};

struct task_state fleet_task_state(struct arena *arena, const char *dir, const char *module,
                                   const char *task);
bool fleet_status(const char *dir, struct err *err);

#endif
