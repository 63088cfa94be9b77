/* ic3cfa: the state of IC3 on a control-flow automaton (internal to engines/cfa).
 *
 * After T. Lange et al., "IC3 software model checking" (STTT 2020, below "paper") and "Improving
 * Generalization in Software IC3" (SPIN 2018). The parts are
 *
 *     cfa.c         the engine: Alg. 1 and 2, one target after the other
 *     automaton.c   from a system to locations and edges
 *     place.c       a location at work: its solver, its frames, questions about its edges
 *     levels.c      blocked cubes a location, propagation (Lemma 2)
 *     block.c       Alg. 3: the queue of obligations
 *     wep.c         weakest existential preconditions by substitution (Def. 3)
 *     precube.c     the predecessors of a cube, one choice-free path at a time (Def. 14)
 *     project.c     inputs are taken out of a cube
 *     recall.c      what is known without asking: pre-cubes, contexts of earlier generalisations
 *     shorten.c     literals of a blocked cube that are not needed (section 5)
 *     proof.c       the clauses of all locations as one invariant of the system
 *     trace.c       the run along a chain of obligations
 *
 * Words: a *literal* is a Boolean term over cells, and so is its negation (a comparison of floats
 * and its opposite are both false on NaN); a *cube* is a conjunction of literals; level i of a
 * location is what is not yet excluded there within i edges. The initial location stands for
 * "before the initialisation": it has no cells and no frame, whoever gets there has found a run.
 *
 * Deviations from the papers: predecessors are split into choice-free paths by the model of the
 * solver, when they are asked for, not beforehand; edges read inputs, which cubes must not mention
 * (project.c); the premise may contain the negation of the cube where one cube is asked along all
 * edges at once, which Theorem 2 allows (shorten.c).
 *
 * Invariants:
 *   1. A cube mentions cells only.
 *   2. A cube that is blocked at level i at a location holds no state that is reached there within
 *      i edges.
 *   3. From every state of an obligation's cube a run goes along its edge into its parent's cube.
 */
#ifndef ENGINES_CFA_IC3CFA_H
#define ENGINES_CFA_IC3CFA_H

#include "base/rng.h"
#include "engines/engine.h"
#include "engines/query/query.h"
#include "model/system/cfa.h"

VEC_STRUCT(cube, term_t); /* ordered by number, each once */

struct blocked {
    struct cube cube;
    uint32_t level;
};

/* A solver that knows what holds at a location: lemmas, and what each level excludes. */
struct asker {
    struct query *query; /* NULL: not opened yet */
    uint32_t frame;
    VEC(qlit) level_active; /* [i]: asserts what level i excludes, and level i + 1 does not */
    VEC(uint32_t) behind;   /* by edge: frame of the states behind it, + 1; 0: not needed yet */
    qlit once;              /* switches a clause of the last question, 0: it had none */
    uint32_t temporaries;   /* such clauses so far: rebuilt when there are too many */
};

enum { ASKERS = 2 }; /* by enum query_back_end */

/* One location. */
struct place {
    uint64_t value; /* of the cell that says where the run is */
    struct asker askers[ASKERS];
    enum query_back_end answered; /* the last question */
    uint64_t patience;            /* ticks of our solver before Z3 is asked */
    VEC(uint32_t) in;             /* edges to it */
    VEC(struct blocked) blocked;
    uint32_t learned; /* how often something was blocked, or blocked higher */
    term_t hit;       /* of the target under work, 0: never here */
};

/* A generalisation of before (paper, Def. 17): along the edge no state of the level at its source
 * leads into `part`, a part of `cube`. */
struct context {
    uint32_t edge, level;
    uint32_t learned; /* by then, at the source */
    bool complete;    /* no literal of the part could be dropped */
    struct cube cube, part;
};

struct obligation {
    struct cube cube;
    uint32_t at, level;
    uint32_t parent; /* NONE: the target is hit here */
    uint32_t via;    /* the edge to its parent */
};

/* The last question. */
struct question {
    uint32_t place, level;
    const struct cube *except; /* or NULL */
    uint32_t edge;             /* literals are asked of the states behind it, NONE: in front */
    struct cube terms;         /* what is assumed */
    VEC(uint32_t) literal;     /* same places: index in the cube, NONE: part of the premise */
    struct qlits lits; /* the same for the solver that answered, after levels and `except` */
    size_t n_before;   /* those of them */
    bool never;        /* the last term is false: nobody was asked */
};

enum cfa_answer {
    CFA_GOING_ON,
    CFA_BLOCKED, /* the queue is empty */
    CFA_HIT,
    CFA_DEAD,
    CFA_STUCK, /* a model was none: what it rests on is only enclosed, or C leaves it open */
    CFA_TICKS, /* interrupted; another call goes on where this one stopped */
};

struct ic3cfa {
    struct system *sys;
    struct terms *ts;
    const struct engine_input *input;
    struct engine_knobs knobs;
    struct cfa cfa;
    uint32_t pc; /* the cell of the system that says where the run is, NONE: one location */
    VEC(struct place) places; /* [0] is the initial location */
    VEC(bool) is_input;       /* by variable */
    struct invariant known;   /* lemmas, and what earlier targets have proved */
    uint32_t target;
    bool started;                       /* the target is not hit during the initialisation */
    uint32_t top;                       /* k: the highest level */
    VEC(struct obligation) obligations; /* all ever made for this target; parents stay */
    VEC(uint32_t) queue;                /* a heap of indices */
    VEC(uint32_t) done;                 /* blocked at the top: come back when that rises */
    VEC(struct context) contexts;       /* a ring */
    uint32_t next_context;
    struct map wep;                   /* edge and literal to term */
    VEC(term_t) map;                  /* scratch for substitution, by variable: all 0 */
    VEC(uint64_t) var_values, values; /* of the last model: by variable, by term */
    struct question last;
    uint32_t pushed; /* propagation has come to this level; 0: it is not under way */
    uint64_t ticks_before, until, walked;
    bool out_of_ticks;
    struct rng rng;
};

/* automaton.c: which cell says where the run is; NONE if none does. The initial and next value of
 * such a cell is always one of a few constants. */
uint32_t automaton_cell(const struct system *sys, uint32_t most);
void automaton_open(struct ic3cfa *c);
void automaton_close(struct ic3cfa *c);

/* place.c */
void place_open(struct ic3cfa *c, uint32_t place);
void place_close(struct ic3cfa *c, struct place *p);
void place_new_top(struct place *p);
void place_exclude(struct place *p, const struct cube *cube, uint32_t level);
uint64_t places_ticks(const struct ic3cfa *c);
void place_rebuild_if_worn(struct ic3cfa *c, uint32_t place); /* between questions */
/* Is a state of this level at the source of the edge outside `except` (NULL: none) that the edge
 * leads into the cube? Literals come in this order. Never at level 0, but from the initial
 * location. */
enum solver_result place_ask(struct ic3cfa *c, uint32_t edge, uint32_t level,
                             const struct cube *cube, const struct cube *except);
/* After UNSAT: which literals of the cube that answer rests on. */
void place_core(const struct ic3cfa *c, size_t n, bool *used);
/* Does a state of this level (one above the top: any state) at the location satisfy all these? */
enum solver_result place_meets(struct ic3cfa *c, uint32_t place, uint32_t level,
                               const term_t *conditions, size_t n);
/* After SAT: reads what the model gives the variables of these terms into c->var_values. */
void place_model(struct ic3cfa *c, uint32_t place, const term_t *roots, size_t n);

/* levels.c */
bool cube_has(const struct cube *cube, term_t literal); /* in whatever order it is */
bool cube_within(const struct cube *small, const struct cube *large);
void cube_sort(struct cube *cube);
bool levels_block(const struct ic3cfa *c, uint32_t place, const struct cube *cube, uint32_t level);
void levels_add(struct ic3cfa *c, uint32_t place, struct cube *cube, uint32_t level); /* takes it */
/* A new top; pushes cubes up. True when two neighbouring levels have become equal: *level is then
 * the lower one. */
bool levels_push(struct ic3cfa *c, uint32_t *level);
/* Can no edge lead into the cube from one level below this one, outside `except` (or NULL)? */
bool levels_hold(struct ic3cfa *c, uint32_t place, const struct cube *cube, uint32_t level,
                 const struct cube *except);

/* block.c */
void block_enqueue(struct ic3cfa *c, uint32_t index);
enum cfa_answer block_all(struct ic3cfa *c);
/* The conditions of the way from an obligation's location on: along the edge into its parent, or
 * (parent NONE) the hit. */
void block_conditions(struct ic3cfa *c, uint32_t at, uint32_t parent, uint32_t via,
                      struct cube *roots);
/* From the model of the last question, which was about this location. */
enum cfa_answer block_add(struct ic3cfa *c, uint32_t at, uint32_t level, uint32_t parent,
                          uint32_t via);
void block_raise(struct ic3cfa *c); /* what is blocked comes back at the new top */
void block_forget(struct ic3cfa *c);

/* wep.c */
term_t wep(struct ic3cfa *c, uint32_t edge, term_t literal); /* without the guard */

/* precube.c: `roots` hold under c->var_values; *cube becomes choice-free literals that imply them,
 * and hold, too. False when they do not hold. */
bool precube(struct ic3cfa *c, const term_t *roots, size_t n, struct cube *cube);

/* project.c: literals over cells and inputs become some over cells alone: for each state in them
 * there are inputs for what was. */
void cube_project(struct ic3cfa *c, struct cube *cube);
bool term_reads(const struct ic3cfa *c, term_t t, bool inputs); /* any input, or any cell */

/* shorten.c: no edge leads into the cube from the level below; it loses literals while that
 * stays so. */
void shorten(struct ic3cfa *c, uint32_t place, uint32_t level, struct cube *cube);

/* recall.c: parts of a cube that the edge does not lead into from this level, without a question.
 * False: none is known. */
bool recall_precube(struct ic3cfa *c, uint32_t edge, uint32_t level, const struct cube *cube,
                    struct cube *part);
bool recall_upper(const struct ic3cfa *c, uint32_t edge, uint32_t level, const struct cube *cube,
                  struct cube *part);
/* Literals that could not be dropped before, and cannot now. */
void recall_lower(const struct ic3cfa *c, uint32_t edge, uint32_t level, const struct cube *cube,
                  struct cube *needed);
void recall_note(struct ic3cfa *c, uint32_t edge, uint32_t level, const struct cube *cube,
                 const struct cube *part, bool complete);
void recall_free(struct ic3cfa *c);

/* proof.c, trace.c: report the fact; false when it is none after all. */
void report_dead(struct ic3cfa *c, uint32_t level);
bool report_hit(struct ic3cfa *c, uint32_t first);

#endif
