/* shape: a decision as a tree of and, or, not over its conditions.
 *
 * Parentheses and implicit casts are looked through, explicit casts too where they cannot change
 * the truth of a 0 or 1, and of a comma the last operand counts. Nodes are in preorder, nodes.data
 * [0] is the root; conditions are numbered from the left. */
#ifndef INSTRUMENT_GOALS_SHAPE_H
#define INSTRUMENT_GOALS_SHAPE_H

#include "base/str.h"
#include "instrument/syntax/tree.h"

enum shape_kind { SHAPE_LEAF, SHAPE_NOT, SHAPE_AND, SHAPE_OR };

struct shape_node {
    enum shape_kind kind;
    uint32_t a, b;      /* operands (not: a), indices of nodes */
    uint32_t parent;    /* the root's: itself */
    uint32_t condition; /* leaf: its number */
    node_id id;         /* the expression, parentheses stripped */
    bool credit_code;   /* for criterion_mcdc */
    bool sure;          /* evaluated whenever the decision is */
    bool has_flag;      /* its value is kept in a local of the function, this one: */
    uint32_t flag;
};

struct shape {
    VEC(struct shape_node) nodes;
    VEC(uint32_t) leaves;  /* nodes of the conditions */
    VEC(node_id) prologue; /* left operands of commas, evaluated on the way */
};

void shape_build(struct shape *shape, const struct tree *tree, node_id root);
void shape_free(struct shape *shape);
void shape_print(const struct shape *shape, struct str *text); /* "(0&&1)||!2" */

/* If node `n` has the value `value`, is there a condition that surely was evaluated, and to what?
 * Returns the condition's number or -1. */
int shape_implied(const struct shape *shape, uint32_t n, bool value, bool *condition_value);
/* If condition node `n` has the value, is the decision made? Its value, or -1. */
int shape_decided(const struct shape *shape, uint32_t n, bool value);
/* The first node that is not a not: with `negated` flipped on the way. */
uint32_t shape_through_not(const struct shape *shape, uint32_t n, bool *negated);

bool is_logical(const struct node *node); /* &&, ||, ! */

#endif
