/* cfa: the program as a control-flow automaton, with its loops kept.
 *
 *   locations  0 is CFA_INIT, where a run starts; CFA_STEP is the step boundary; CFA_LOOP the head
 *              of a loop inside a step
 *   edges      the loop-free code between two locations as one large block: a guard and a parallel
 *              assignment, cells that are not assigned keep their value
 *   cells      the state, and what a loop carries from one pass to the next
 *   inputs     each is read at one location, anew whenever a run leaves it
 *   hits       a target is hit when a run is at that location and the term is true, whether or not
 *              an edge can then be taken
 *
 * A run: at CFA_INIT no cell has a value; choose the inputs of the location; targets are hit; take
 * the edge whose guard is true (guards of edges from one location exclude each other), if there is
 * none the run ends. Terms at a location read the cells and the inputs of that location; at
 * CFA_INIT only its inputs, and its edges assign every cell.
 *
 *     struct cfa cfa;
 *     cfa_from_system(&cfa, sys);     // one location besides CFA_INIT, two edges
 *     cfa_free(&cfa);
 */
#ifndef MODEL_SYSTEM_CFA_H
#define MODEL_SYSTEM_CFA_H

#include "model/system/system.h"

enum cfa_kind { CFA_INIT, CFA_STEP, CFA_LOOP };

struct cfa_location {
    enum cfa_kind kind;
    const char *name;
    term_t unspecified; /* a value that C leaves open is used on leaving it; 0 = never */
};

struct cfa_cell {
    const char *name;
    term_t var;
};

struct cfa_input {
    const char *name;
    term_t var;
    term_t guard;          /* as in struct sys_input */
    uint32_t module_input; /* as there */
    uint32_t location;     /* where it is read */
    bool unspecified;
    uint32_t source; /* the input of the system that it was made from, NONE */
};

struct cfa_assign {
    uint32_t cell;
    term_t value;
};

struct cfa_edge {
    uint32_t from, to;
    term_t guard;
    VEC(struct cfa_assign) assigns; /* at most one per cell */
};

struct cfa_hit {
    uint32_t location, target;
    term_t hit;
};

struct cfa_target {
    enum target_kind kind;
    uint32_t id;
    const char *name;
};

struct cfa {
    const char *name;
    struct terms *terms;
    VEC(struct cfa_location) locations;
    VEC(struct cfa_cell) cells;
    VEC(struct cfa_input) inputs; /* in the order in which they are consumed */
    VEC(struct cfa_edge) edges;
    VEC(struct cfa_target) targets;
    VEC(struct cfa_hit) hits; /* at most one per location and target */
    struct arena arena;       /* names */
};

void cfa_init(struct cfa *cfa, struct terms *terms); /* with location 0 */
void cfa_free(struct cfa *cfa);
uint32_t cfa_add_location(struct cfa *cfa, enum cfa_kind kind, const char *name);
uint32_t cfa_add_edge(struct cfa *cfa, uint32_t from, uint32_t to, term_t guard);
void cfa_assign(struct cfa *cfa, uint32_t edge, uint32_t cell, term_t value);

void check_cfa(const struct cfa *cfa); /* sorts, scoping, ranges of indices; bug() when broken */
bool cfa_fault(const struct cfa *cfa, struct str *fault);

/* The same runs. Names are shared: the system must live as long. */
void cfa_from_system(struct cfa *cfa, const struct system *sys);
/* The name of such a cell, as cfa_from_located() takes it. */
#define CFA_PLACE "(place)"

/* Of a system whose cell `pc` says where the run is: values[l - 1] (NULL: l itself) at location l,
 * 1 .. n, no other; what the locations are is in places[l - 1]. The cell disappears; each location
 * gets edges of its own, specialised to it. Names are shared. */
struct cfa_place {
    enum cfa_kind kind;
    const char *name;
};
void cfa_from_located(struct cfa *cfa, const struct system *sys, uint32_t pc,
                      const struct cfa_place *places, const uint64_t *values, size_t n);
#endif
