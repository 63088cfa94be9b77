/* callgraph: what the functions of a module do to the flow of control.
 *
 * Fills the flags of all nodes (enum node_flag), finds who calls whom, and lists what cannot be
 * analysed. A function may stop the run when it divides, follows a pointer, indexes an array,
 * loops, or calls a function that may stop: statements after such an event are not sure to be
 * executed, and do not share a probe with those before it. */
#ifndef INSTRUMENT_GOALS_CALLGRAPH_H
#define INSTRUMENT_GOALS_CALLGRAPH_H

#include "base/map.h"
#include "coverage/goal.h"
#include "instrument/syntax/tree.h"

struct callee {
    uint32_t function; /* index in callgraph.functions, NO_FUNCTION when it has no body here */
    node_id call;
    uint32_t goal; /* of the call, set by the listing; CALLGRAPH_NO_GOAL */
};

#define CALLGRAPH_NO_GOAL UINT32_MAX

#define NO_FUNCTION UINT32_MAX

struct callgraph_function {
    uint32_t unit, index; /* trees[unit].functions.data[index] */
    VEC(struct callee) calls;
    bool may_stop;
    bool address_taken;
    bool repeated;      /* stands in a header that several units include */
    uint32_t callers;   /* number of call expressions */
    uint32_t goal;      /* "entered", set by the listing; CALLGRAPH_NO_GOAL */
    const char *reason; /* why its goals cannot be decided, NULL */
};

struct callgraph {
    struct arena arena;
    const struct tree *trees;
    size_t n_trees;
    VEC(struct callgraph_function) functions; /* units in order, functions in order */
    struct intern names;
    struct map by_name;  /* name id -> index: functions that other units can call */
    struct map by_place; /* unit and offset of the definition -> index */
};

void callgraph_build(struct callgraph *graph, struct tree *trees, size_t n, struct goals *goals);
void callgraph_free(struct callgraph *graph);

/* Of a call expression in the given unit. */
uint32_t callgraph_target(const struct callgraph *graph, uint32_t unit, node_id call);
bool callgraph_call_may_stop(const struct callgraph *graph, uint32_t unit, node_id call);

#endif
