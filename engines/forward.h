/* forward: terms in an order in which they can be executed on ranges, arguments first.
 *
 *     struct forward code;
 *     forward_init(&code, ts, roots, n_roots, solver);
 *     for (size_t i = 0; i < code.nodes.len; i++)   // of variables the caller says the range
 *         value[i] = forward_result(&code.nodes.data[i], arguments of node i);
 *     value[code.index.data[root]] …
 *     forward_free(&code);
 *
 * A result holds all values that the operator has on values of its arguments; on single values it
 * is the one that the machine computes.
 */
#ifndef ENGINES_FORWARD_H
#define ENGINES_FORWARD_H

#include "engines/solver/solver.h"
#include "model/contract/contract.h"
#include "model/system/system.h"

/* Arguments are indices into the same array, smaller than its own. */
struct forward_node {
    struct prim prim;
    struct range full; /* any value; of a constant: its value */
    term_t term;
    uint32_t arg[3];
    uint8_t arity;
};

struct forward {
    VEC(struct forward_node) nodes;
    VEC(uint32_t) index; /* [term] its node, NONE when not below the roots */
};

/* `views`: a solver over the same terms, it knows in which order integers are best bounded. */
void forward_init(struct forward *f, const struct terms *ts, const term_t *roots, size_t n,
                  struct solver *views);
void forward_free(struct forward *f);
/* The node is neither a variable nor a constant. */
struct range forward_result(const struct forward_node *n, const struct range args[3]);
/* An integer's range in the other order; everything else is as it was. */
struct range forward_view(struct range r, sort_t sort, bool from_signed, bool to_signed);

#endif
