/* implications: see implications.h.
 *
 * Goals that share a probe are equal, so the graph is one of probes; edges are kept between the
 * first goals of probes. Without the edges between functions it has no cycle (dominators, and
 * conditions from right to left). A call and the function it alone calls may imply each other. */
#include "instrument/goals/implications.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

VEC_STRUCT(indices, uint32_t);

static int by_ends(const void *left, const void *right) {
    const struct implication *a = left, *b = right;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return a->b < b->b ? -1 : a->b > b->b;
}

/* Each edge between the first goals of the probes, once. */
static void normalise(struct goals *goals) {
    uint32_t *first = mem_zalloc(goals->n_probes + 1, sizeof *first);
    for (size_t g = goals->list.len; g-- > 0;)
        first[goals->list.data[g].probe] = (uint32_t)g;
    for (size_t i = 0; i < goals->implications.len; i++) {
        struct implication *edge = &goals->implications.data[i];
        edge->a = first[goals->list.data[edge->a].probe];
        edge->b = first[goals->list.data[edge->b].probe];
    }
    mem_free(first);
    if (goals->implications.len == 0)
        return;
    qsort(goals->implications.data, goals->implications.len, sizeof(struct implication), by_ends);
    size_t kept = 0;
    for (size_t i = 0; i < goals->implications.len; i++) {
        struct implication edge = goals->implications.data[i];
        bool same = kept > 0 && by_ends(&goals->implications.data[kept - 1], &edge) == 0;
        if (edge.a != edge.b && !same)
            goals->implications.data[kept++] = edge;
    }
    vec_truncate(&goals->implications, kept);
}

/* Sorted edges, and where those of each goal start. */
struct edges {
    const struct implication *data;
    uint32_t *start; /* one per goal, and the end */
    bool *dropped;   /* one per edge */
    uint32_t *seen;  /* stamp of the last search */
    uint32_t stamp;
    struct indices todo;
};

static void edges_open(struct edges *e, const struct goals *goals) {
    size_t n = goals->list.len;
    e->data = goals->implications.data;
    e->start = mem_zalloc(n + 2, sizeof *e->start);
    e->seen = mem_zalloc(n + 1, sizeof *e->seen);
    e->dropped = mem_zalloc(goals->implications.len + 1, sizeof *e->dropped);
    for (size_t i = 0; i < goals->implications.len; i++) {
        assert(e->data[i].a < n && e->data[i].b < n && e->data[i].a != e->data[i].b);
        assert(i == 0 || by_ends(&e->data[i - 1], &e->data[i]) < 0);
        e->start[e->data[i].a + 1]++;
    }
    for (size_t g = 0; g <= n; g++)
        e->start[g + 1] += e->start[g];
}

static void edges_close(struct edges *e) {
    mem_free(e->start);
    mem_free(e->seen);
    mem_free(e->dropped);
    vec_free(&e->todo);
}

static void follow(struct edges *e, uint32_t from, uint32_t without) {
    for (uint32_t i = e->start[from]; i < e->start[from + 1]; i++)
        if (i != without && !e->dropped[i])
            vec_push(&e->todo, e->data[i].b);
}

/* Is there a way from the start of the edge to its end without it? */
static bool is_superfluous(struct edges *e, uint32_t edge) {
    uint32_t a = e->data[edge].a, b = e->data[edge].b;
    if (e->start[a + 1] - e->start[a] < 2)
        return false;
    e->stamp++;
    vec_clear(&e->todo);
    e->seen[a] = e->stamp;
    follow(e, a, edge);
    while (e->todo.len > 0) {
        uint32_t at = vec_pop(&e->todo);
        if (at == b)
            return true;
        if (e->seen[at] == e->stamp)
            continue;
        e->seen[at] = e->stamp;
        follow(e, at, edge);
    }
    return false;
}

static void reduce(struct goals *goals) {
    struct edges e = {0};
    edges_open(&e, goals);
    for (uint32_t i = 0; i < goals->implications.len; i++)
        e.dropped[i] = is_superfluous(&e, i);
    size_t kept = 0;
    for (size_t i = 0; i < goals->implications.len; i++)
        if (!e.dropped[i])
            goals->implications.data[kept++] = goals->implications.data[i];
    vec_truncate(&goals->implications, kept);
    edges_close(&e);
}

/* Between functions. */

static bool is_entered_from_outside(const struct project *project, const char *name) {
    if (str_same(name, project->step))
        return true;
    for (size_t i = 0; i < project->init.len; i++)
        if (str_same(name, project->init.data[i]))
            return true;
    return false;
}

static void add(struct goals *goals, uint32_t a, uint32_t b) {
    struct implication implication = {a, b};
    vec_push(&goals->implications, implication);
}

static bool arguments_divert(const struct tree *tree, node_id call) {
    for (node_id child = tree_at(tree, call)->first; child; child = tree_at(tree, child)->next)
        if (tree_at(tree, child)->flags & HAS_DIVERSION)
            return true;
    return false;
}

static void imply_callees(struct goals *goals, const struct callgraph *graph, uint32_t f,
                          const struct project *project) {
    const struct callgraph_function *caller = &graph->functions.data[f];
    const struct tree *tree = &graph->trees[caller->unit];
    for (size_t i = 0; i < caller->calls.len; i++) {
        const struct callee *callee = &caller->calls.data[i];
        if (callee->function == NO_FUNCTION || callee->goal == CALLGRAPH_NO_GOAL)
            continue;
        const struct callgraph_function *called = &graph->functions.data[callee->function];
        if (called->goal == CALLGRAPH_NO_GOAL)
            continue;
        if (!arguments_divert(tree, callee->call))
            add(goals, callee->goal, called->goal);
        const struct function *d = &graph->trees[called->unit].functions.data[called->index];
        if (called->callers == 1 && !called->address_taken && !called->repeated &&
            !is_entered_from_outside(project, d->name))
            add(goals, called->goal, callee->goal);
    }
}

void implications_finish(struct goals *goals, const struct callgraph *graph,
                         const struct project *project) {
    for (uint32_t f = 0; f < graph->functions.len; f++)
        imply_callees(goals, graph, f, project);
    normalise(goals);
    reduce(goals);
}
