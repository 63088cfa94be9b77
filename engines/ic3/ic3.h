/* ic3: the state of one IC3 run for one target (internal to engines/ic3).
 *
 * After K. Scheibler et al., "ICP and IC3", section III; the parts are
 *
 *     ic3.c         the main loop, the suffix IND'_i, restarts (II-C, III-E)
 *     frames.c      lemmas a level, the solvers that know them, pushing
 *     rotate.c      literal rotation with bound generalisation (III-A, III-B)
 *     generalise.c  blocked cubes: rotation, ungeneralisation against I (III-C)
 *     lift.c        proof obligations: GeNTR (III-D)
 *     interval.c    proof obligations: execution on boxes
 *     raise.c       lemmas that hold for ever
 *     stretch.c     lemmas that creep
 *     share.c       lemmas that hold for ever, for restarts and other goals
 *     seen.c        steps that answers have shown, for questions like those
 *     obligation.c  the queue, and traces along its chains
 *
 * Words: a *cube* is a conjunction of bounds on cells, a lemma is a blocked cube with its level:
 * the negated cube holds in all states reachable within that many steps. LEVEL_INFINITE: always.
 *
 * Deviations from the paper: the frames use one activation literal a level in one solver a purpose
 * (bad states, steps, first step, lifting, initial states) instead of one formula; the target is
 * a condition on state and inputs of a step, so a suffix of i further steps makes the proof an
 * (i+1)-inductive one relative to the lemmas.
 *
 * Invariants:
 *   1. No lemma's cube contains an initial state.
 *   2. A lemma at level l has been proved from F_(l-1): F_(l-1) and T imply not cube'.
 *   3. Obligations' cubes contain no initial state; all states of an obligation's cube go, under
 * its inputs, into the cube of its parent (or through the suffix to the target) -- unless lifting
 * was not exact (enclosures), which the concrete check of the trace finds out.
 *   4. Not hit within suffix + 1 steps (base case, by bmc).
 */
#ifndef ENGINES_IC3_IC3_H
#define ENGINES_IC3_IC3_H

#include "base/rng.h"
#include "engines/bmc.h"
#include "engines/engine.h"
#include "engines/ic3/interval.h"
#include "engines/unroll.h"
#include "model/system/machine.h"

#define LEVEL_INFINITE UINT32_MAX

enum { RECENT_SHAPES = 4 };

struct lemma {
    struct cube cube;
    uint32_t level;
};

struct obligation {
    struct cube cube;
    uint32_t level;
    uint32_t parent;  /* index, NONE: the suffix to the target follows */
    uint32_t bounces; /* how often it came back at a higher level */
    uint32_t n_steps; /* 1, or suffix + 1 */
    bool asked_again; /* its lemma was interrupted once */
    uint64_t *inputs; /* n_steps times all inputs */
};

/* A solver that knows the lemmas of each level. */
struct frame_solver {
    struct solver *solver;
    struct unroll unroll;
    VEC(svar) level_active; /* [l]: asserts the lemmas of level l */
    uint32_t temporaries;   /* retired activation literals: rebuilt when there are too many */
    bool knows_lemmas;
};

/* Steps from any state that the solver has found, a ring; see seen.c. */
struct seen_steps {
    VEC(int64_t) ordinals; /* [(2 * slot + after) * cells + cell] */
    VEC(uint8_t) what;     /* same places: is it a number? */
    VEC(uint32_t) blocked; /* [slot] highest level of a lemma that contains the state before */
    uint32_t next;
    struct machine machine; /* executes them; without `sys` while unused */
};

struct literals { /* bounds with their literals in some solver, same order */
    struct slits lits;
    struct cube bounds;
};

struct ic3 {
    const struct system *sys;
    const struct engine_input *input;
    struct engine_knobs knobs;
    uint32_t target;
    struct arena arena; /* inputs of obligations */
    struct rng rng;
    struct invariant *known;   /* lemmas that hold everywhere: grows by what this run proves */
    struct frame_solver bad;   /* steps 0 .. suffix from any state: is a bad state in F? */
    struct frame_solver step;  /* steps 0, 1 from any state */
    struct frame_solver start; /* step 0 from the initial states, also those without successor */
    struct frame_solver first; /* steps 0, 1 from the initial states */
    struct frame_solver lift;  /* steps 0 .. suffix + 1 unchecked, no lemmas */
    struct interval *interval; /* NULL while off */
    VEC(struct lemma) lemmas;
    VEC(struct obligation) obligations; /* all ever made; parents stay */
    VEC(uint32_t) queue;                /* a heap of indices: lowest level first */
    uint32_t top;                       /* N: number of the highest frame */
    uint32_t suffix;
    uint64_t ticks_before, until; /* of solvers already closed; budget end */
    bool out_of_ticks;
    uint32_t processed;   /* obligations since the last new frame */
    uint32_t limit;       /* of those before a restart */
    uint32_t longest;     /* suffix: no restart makes it longer */
    bool hard;            /* the question for bad states took too long with this suffix */
    uint64_t raise_ticks; /* spent on giving up bounds of obligations, see raise.c */
    struct bmc *base;     /* the base case */
    bool running;         /* frames are open: an interrupted run goes on */
    bool pushing;         /* the top frame is new, lemmas are still to be pushed */
    VEC(double) activity; /* [2 * cell + upper side] how often recent lemmas bound it */
    double activity_step; /* grows: what is recent counts more */
    struct cube shapes[RECENT_SHAPES]; /* cubes of the last lemmas, a ring */
    uint32_t newest_shape;
    struct seen_steps seen; /* of the run under way */
};

/* frames.c */
void frame_solver_open(struct ic3 *c, struct frame_solver *f, enum unroll_start start,
                       uint32_t steps, bool knows_lemmas);
void frame_solver_close(struct ic3 *c, struct frame_solver *f);
void frames_rebuild_if_worn(struct ic3 *c); /* between questions */
void frames_open(struct ic3 *c);
void frames_close(struct ic3 *c);
uint64_t frames_ticks(const struct ic3 *c);
void frames_new_top(struct ic3 *c);
void frames_add(struct ic3 *c, const struct cube *cube, uint32_t level); /* copies */
bool frames_blocked(const struct ic3 *c, const struct cube *cube, uint32_t level);
/* Pushes lemmas up; true when two neighbouring frames have become equal: *level is then theirs. */
bool frames_push(struct ic3 *c, uint32_t *level);
void frames_proof(const struct ic3 *c, uint32_t level, struct invariant *inv);
/* F_(level-1), not cube, T, cube': with level 1 from the initial states, with LEVEL_INFINITE from
 * what holds for ever. On UNSAT `next` holds the
 * literals of cube' and `before` the assumptions that preceded them. */
enum solver_result frames_relative(struct ic3 *c, const struct cube *cube, uint32_t level,
                                   struct slits *before, struct literals *next,
                                   struct frame_solver **used);
void frame_solver_retire(struct frame_solver *f, svar temporary);
/* Ends a frames_relative: its answer is used up. */
void frames_relative_done(struct ic3 *c, struct slits *before, struct literals *next,
                          struct frame_solver *used);
enum solver_result frames_solve(struct ic3 *c, struct frame_solver *f, const struct slits *before,
                                const struct slits *lits);
/* literals of a cube in a step; false: the cube is empty there, `lits` has the one false bound */
bool cube_literals(struct frame_solver *f, uint32_t step, const struct cube *cube,
                   struct literals *out);
/* the state of step 0 in the last model as a cube, cells that do not matter left out */
void frame_solver_state(const struct frame_solver *f, struct cube *cube);

/* rotate.c: shrinks `list` while `before` + `list` stays contradictory; the last answer must have
 * been UNSAT with exactly these assumptions. */
void rotate(struct ic3 *c, struct frame_solver *f, const struct slits *before,
            struct literals *list);

/* generalise.c: `cube` cannot be reached from F_(level-1); the answer to that question, with its
 * literals, is the last one of `used`. */
struct blocked {
    struct cube *cube; /* becomes the cube of the lemma */
    uint32_t level;
    uint32_t depth; /* of counterexamples to generalisation: 0 for obligations */
    bool thorough;  /* worth dropping literals one by one */
    struct slits *before;
    struct literals *next;
    struct frame_solver *used;
};
void generalise(struct ic3 *c, struct blocked *b);
enum solver_result meets_initial(struct ic3 *c, const struct cube *cube);

/* stretch.c: `cube` is blocked at this level and stays so; larger when a recent one was alike. */
void stretch(struct ic3 *c, struct cube *cube, uint32_t level);

/* Does the cube hold no state of F_(level)? Asked for cubes without initial states. */
bool holds_at(struct ic3 *c, const struct cube *cube, uint32_t level);

/* raise.c: does the lemma, or a relative of it that blocks the original cube too, hold for ever?
 * Then that one is added. */
bool raise_lemma(struct ic3 *c, const struct cube *lemma, const struct cube *original);

/* share.c: adds to `known` what of the lemmas is inductive, and reports it. */
void share_inductive(struct ic3 *c, uint64_t ticks);

/* lift.c: widens the cube of a predecessor while all its states still reach `to` (NULL: the target
 * through the suffix) under these inputs. */
void lift(struct ic3 *c, struct cube *cube, const uint64_t *inputs, uint32_t n_steps,
          const struct cube *to);

/* seen.c */
void seen_add(struct ic3 *c, const struct frame_solver *f); /* f's last answer was SAT */
void seen_lemma(struct ic3 *c, const struct lemma *lemma);  /* it is a new one */
/* Does a step that was seen lead from a state of F_level outside the cube into it? */
bool seen_reached(struct ic3 *c, const struct cube *cube, uint32_t level);
void seen_free(struct ic3 *c);

/* obligation.c */
uint32_t obligation_add(struct ic3 *c, struct cube *cube, uint32_t level, uint32_t parent,
                        uint64_t *inputs, uint32_t n_steps);
void obligation_enqueue(struct ic3 *c, uint32_t index);
bool obligation_next(struct ic3 *c, uint32_t *index);
uint64_t *model_inputs(struct ic3 *c, const struct unroll *u, uint32_t n_steps);
/* Reports the run: init inputs from `u`'s model, `first` steps of it, then the chain. False when
 * the concrete execution does not hit the target. */
bool report_counterexample(struct ic3 *c, struct unroll *u, uint32_t first, uint32_t obligation);

void literals_free(struct literals *l);
void literals_exchange(struct literals *l, size_t i, size_t j);
void literals_shuffle(struct ic3 *c, struct literals *l);

#endif
