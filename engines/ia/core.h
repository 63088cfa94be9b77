/* core: the state of IC3IA, and what its files do for each other.
 *
 * Invariants (Lemma 1 of the paper; F_0 is the initial condition itself):
 *   1. Frame i holds in all states that i steps or fewer can reach; F_i implies F_(i+1).
 *   2. F_i and the step imply F_(i+1), for i < top.
 *   3. Frames below the top exclude the hit.
 *   4. Predicates are only added. A blocked cube stays blocked at its level.
 */
#ifndef ENGINES_IA_CORE_H
#define ENGINES_IA_CORE_H

#include "engines/ia/ia.h"

#include "base/map.h"
#include "base/mem.h"

#include <assert.h>

/* A literal over predicates: 2 * predicate, + 1 where it is negated. Cubes are sorted. */
typedef uint32_t ia_lit;
VEC_STRUCT(ia_cube, ia_lit);

struct ia_blocked {
    struct ia_cube cube;
    uint32_t level; /* its negation holds in this frame and those before it */
    bool dead;      /* another one says more */
};

struct ia_obligation {
    struct ia_cube cube; /* all predicates there were */
    uint32_t level, parent;
};

/* Answers of steps that ask: the budget may end in between. */
enum ia_answer { IA_NO, IA_YES, IA_STOPPED };

/* Runs from the start: frame `init` of the initial inputs, then one per state. */
struct ia_runs {
    struct query *q; /* NULL: not needed yet */
    uint32_t init;
    struct qlits on; /* by state */
};

struct ia {
    struct system *sys;
    struct terms *ts;
    uint32_t target;
    struct ia_options options;
    VEC(term_t) predicates;
    struct map predicate_of;
    bool *kept; /* by variable: it is a cell's */
    size_t n_kept;

    /* one step */
    struct query *q;
    uint32_t now, then;
    qlit initial, stepping, hit, init_hit;
    struct qlits level; /* activation of each frame's clauses */
    qlit retired;       /* the last temporary clause: it is given up with the next one */
    uint32_t temporary; /* clauses that no longer hold, since the query was opened */

    /* frames */
    VEC(struct ia_blocked) blocked;
    uint32_t top;
    VEC(struct ia_obligation) obligations;
    VEC(uint32_t) queue;
    VEC(uint32_t) activity; /* by predicate: how often it was in a lemma */

    struct ia_runs path, all_runs;
    uint32_t clean;        /* no run of fewer steps hits */
    uint64_t probe_budget; /* ticks for the next length */
    uint64_t probe_effort; /* ticks for all of them */

    enum ia_status status;
    uint64_t until;            /* ticks: where this slice ends */
    VEC(uint32_t) proof;       /* blocked cubes */
    struct query_terms clause; /* scratch of ia_clause() */
    uint32_t n_steps;
    struct query_terms trace;
    struct ia_stats stats;
    uint64_t closed_ticks, closed_queries;
};

/* predicates.c */
uint32_t ia_predicate(struct ia *ia, term_t t, bool *is_new); /* the predicate of an atom */
void ia_start(struct ia *ia);                                 /* the first ones */
term_t ia_term(const struct ia *ia, ia_lit lit);

/* question.c */
void ia_ask_open(struct ia *ia);
void ia_ask_close(struct ia *ia);
uint64_t ia_ticks(const struct ia *ia);
enum solver_result ia_ask(struct ia *ia, struct query *q, const struct qlits *assumed);
qlit ia_now(struct ia *ia, ia_lit lit);
void ia_assume_frame(struct ia *ia, uint32_t level, struct qlits *out);
void ia_assume_cube(struct ia *ia, const struct ia_cube *cube, bool then, struct qlits *out);
void ia_add_level(struct ia *ia);
void ia_assert_blocked(struct ia *ia, const struct ia_blocked *b);
void ia_read_cube(struct ia *ia, struct ia_cube *cube); /* of the model, now */
/* Literals of the cube whose assumption is in the last core. */
void ia_core_cube(struct ia *ia, const struct ia_cube *cube, bool then, struct ia_cube *out);
/* Is the cube apart from the initial states? Then `why` has literals enough for that. */
enum ia_answer ia_apart(struct ia *ia, const struct ia_cube *cube, struct ia_cube *why);
/* Is its negation inductive relative to frame level - 1? `core`: literals enough for that. Else the
 * model is a predecessor. */
enum ia_answer ia_relative(struct ia *ia, const struct ia_cube *cube, uint32_t level,
                           struct ia_cube *core);

/* generalise.c */
enum ia_answer ia_generalise(struct ia *ia, struct ia_cube *cube, uint32_t level,
                             const struct ia_cube *apart);
bool ia_cube_has(const struct ia_cube *cube, ia_lit lit);
bool ia_cube_within(const struct ia_cube *part, const struct ia_cube *whole);
void ia_cube_add(struct ia_cube *cube, ia_lit lit); /* keeps the order */

/* simulate.c: is there a concrete run along these cubes that ends with the hit? IA_NO: `path` has
 * what of the cubes is enough for that. */
enum ia_answer ia_simulate(struct ia *ia, struct ia_cube *path, uint32_t n);
/* Any run of n steps, 0: the initialisation alone. */
enum ia_answer ia_simulate_all(struct ia *ia, uint32_t n);

/* refine.c: predicates that exclude the spurious path, whose full cube j is in frame levels[j],
 * which holds after j steps. With levels[0] = 0 some initial state in cube 0 has the step to cube
 * 1; else cube 0 has an initial state and, maybe another one, a state with that step. IA_NO: none
 * were found. */
enum ia_answer ia_refine(struct ia *ia, const struct ia_cube *path, uint32_t n,
                         const uint32_t *levels);

#endif
