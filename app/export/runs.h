/* runs: witnesses as runs of the original program: what a test sets, and what it can expect.
 *
 * A witness was found on the woven program, whose environment can answer each read of a volatile
 * object and each call of a stub on its own. A test of the original program cannot do all of that
 * (instrument/weave/fixture.h, `limits`). So the inputs are brought into a form that a test can
 * give, and the run is replayed: only goals that it still hits count, and outputs are expected only
 * up to the first step after which they depend on a value that C or the test leaves open.
 *
 *     struct runs runs = {0};
 *     bool ok = runs_open(&runs, "goalkeeper.db", err);
 *     for (size_t i = 0; i < runs.list.len; i++)
 *         if (!runs.list.data[i].problem) use(&runs.list.data[i]);
 *     runs_close(&runs);
 */
#ifndef APP_EXPORT_RUNS_H
#define APP_EXPORT_RUNS_H

#include "app/audit/evidence_file.h"
#include "instrument/weave/fixture.h"
#include "instrument/native/scenario.h"

struct run_goal { /* a reachable goal */
    int64_t id, witness;
    uint32_t probe;
    const char *kind, *text, *file, *function;
    int line, value; /* value: 1, 0, -1: none */
};

struct run {
    int64_t witness;
    const char *engine;
    struct scenario scenario; /* hits: of the run as a test gives it */
    const char *problem;      /* NULL, or why there is no test */
    VEC(uint32_t) many;       /* volatile inputs that change within a step */
    bool in_suite;
    size_t missed; /* goals that rest on the witness, and that the test does not hit */
};

struct runs {
    struct arena arena;
    struct evidence_file file;
    struct fixture fixture;
    struct fixture_names names;
    struct native *zero, *pattern;
    VEC(struct run_goal) goals; /* by id */
    VEC(struct run) list;       /* by witness */
};

bool runs_open(struct runs *runs, const char *database, struct err *err);
void runs_close(struct runs *runs);

bool run_has_many(const struct run *run, uint32_t input);
bool run_hits(const struct run *run, uint32_t probe);
const struct run *runs_find(const struct runs *runs, int64_t witness); /* NULL when absent */
/* A run with a test that hits the probe, that of the witness if it does; NULL: there is none. */
const struct run *runs_test_of(const struct runs *runs, int64_t witness, uint32_t probe);

/* Marks runs so that together they hit what all runs hit, and none can be left out. */
void runs_choose_suite(struct runs *runs);

/* The same run once more, step by step, for what is expected after each.
 *
 *     struct playback p;
 *     playback_open(&p, runs, run);
 *     for (uint32_t j = 0; j <= run->scenario.n_steps; j++)      // 0: initialisation
 *         if ((cells = playback_state(&p, j, err))) ...         // NULL: open from here on, or err
 *     playback_close(&p);
 */
enum { PLAYBACK_VARIANTS = 5 };
struct playback {
    struct runs *runs;
    const struct run *run;
    size_t n_variants;
    struct input_events events[PLAYBACK_VARIANTS];
    struct native_result results[PLAYBACK_VARIANTS];
    uint32_t from, n;    /* steps at hand; n 0: none yet */
    enum native_end end; /* of the run; known after the first state */
    bool open;           /* what follows is left open */
};
void playback_open(struct playback *p, struct runs *runs, const struct run *run);
const uint64_t *playback_state(struct playback *p, uint32_t step, struct err *err);
void playback_close(struct playback *p);

#endif
