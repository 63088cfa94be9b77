/* simulate_internal: the parts of the simulation, shared by simulate*.c. */
#ifndef INSTRUMENT_NATIVE_SIMULATE_INTERNAL_H
#define INSTRUMENT_NATIVE_SIMULATE_INTERNAL_H

#include "instrument/native/internal.h"
#include "instrument/native/simulate.h"
#include "instrument/native/simulate_values.h"

struct shard {
    struct native_process process;
    struct gk_search layout; /* what was agreed with it: where it writes, and how much */
    uint32_t n_inputs, most_depth;
    uint64_t seed;
    uint64_t steps, runs, entries; /* of processes that have died */
    unsigned deaths, own_deaths;   /* all; those that nobody else caused */
    bool opened;                   /* the present process has its search open */
    bool lost;                     /* died too often */
    bool traced;                   /* runs NATIVE_TRACED: slower, so it gets less to do */
};

struct simulation {
    struct native_program program;
    struct simulate_options options;
    struct arena arena;
    struct str dir; /* of the builds, ours */
    bool own_dir;
    struct native *fast, *traced, *zero, *pattern;
    struct shard *shards;        /* options.shards of NATIVE_FAST, then one of NATIVE_TRACED */
    unsigned n_shards;           /* 0: no search has begun */
    VEC(struct scenario) learnt; /* before that, for when it does */
    bool built;                  /* what the searches need */
    unsigned dry_rounds;         /* calls of simulate_step() without news */
    /* NATIVE_FAST without the probes that are known: see rebuild_turn() */
    struct native_build build[2]; /* the newest is under way or in use, the other one was before */
    unsigned builds;              /* begun */
    uint32_t found_at_build;      /* statistics.found then */
    uint64_t next_build, use_at;  /* numbers of steps; use_at is 0 when none is under way */
    uint64_t shorten_left;        /* steps for shortening what this round has found */
    uint32_t finds_left;          /* among so many */
    struct literals literals;
    struct values values;
    VEC(struct gk_input) inputs;
    bool *known;             /* [n_probes] */
    uint8_t *refused;        /* [n_probes] how often a find could not be confirmed */
    VEC(uint32_t) fresh;     /* probes known since the last broadcast */
    VEC(uint32_t) to_forget; /* refused in the present collection */
    struct simulate_cell *cells;
    struct simulate_statistics statistics;
};

/* shard: one search in one process. A shard whose process has died is opened again, with another
 * seed, by the next shard_ready(); after MOST_DEATHS by its own doing it is lost. */
void shard_init(struct simulation *sim, unsigned index);
/* Goes on in a process of that executable (borrowed), from the best of the entries it has. */
void shard_move(struct simulation *sim, struct shard *shard, const char *executable);
bool shard_ready(struct simulation *sim, struct shard *shard, struct err *err);
/* Sends the command for so many steps / waits for it. */
bool shard_begin(struct shard *shard, uint64_t steps);
bool shard_end(struct simulation *sim, struct shard *shard);
/* The way to an entry. False when the process died, or the way is too long. */
bool shard_export(struct shard *shard, uint32_t entry, struct scenario *scenario);
bool shard_import(struct shard *shard, const struct input_events *events, uint32_t n_steps);
bool shard_probes(struct shard *shard, char command, const uint32_t *probes, size_t n);
void simulate_see_cell(struct simulation *sim, uint32_t cell, const struct gk_cell_seen *seen);

/* From time to time compiles the probes away that are known, and moves the shards there. Begun and
 * used after fixed numbers of steps, so that the machine's speed does not matter. */
void rebuild_turn(struct simulation *sim);

/* A verification task (simulate_task.c) has no shards: random values from the beginning. */
bool simulate_task_open(struct simulation *sim, struct err *err);
bool simulate_task_step(struct simulation *sim, uint64_t steps, struct simulate_news *news,
                        struct err *err);

bool simulate_stopped(const struct simulation *sim); /* the caller wants an end */

/* Confirms what the last search of the shard has found. False only when nothing can be run. */
bool finds_collect(struct simulation *sim, struct shard *shard, struct simulate_news *news,
                   struct err *err);
void shard_died(struct simulation *sim, struct shard *shard, struct simulate_news *news);

#endif
