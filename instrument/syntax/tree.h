/* tree: the syntax of all function bodies of a unit, in one array.
 *
 * Nodes are indices; node 0 is "none". Children keep the order of the source. Only what is executed
 * is in the tree: not types, constant expressions (array sizes, case labels), initialisers of
 * static variables, operands of sizeof, unselected branches of _Generic. Implicit casts are nodes
 * of their own with the span of their operand.
 *
 * Roles of children, 0 when absent:
 *     N_IF       a condition, b then, c else
 *     N_LOOP     a condition, b body, c initialisation, d increment   (while, do, for)
 *     N_SWITCH   a value, b body
 *     N_LABEL    b the labelled statement; case: a value, c upper end of a GNU case range
 *     N_CHOICE   a condition, b, c                                     (?:)
 *     N_BINARY   a, b;   N_UNARY a;   N_ASSIGN a target, b value;   N_CAST a
 *     N_INDEX    a array, b index;   N_CALL  a callee, arguments are the further children
 */
#ifndef INSTRUMENT_SYNTAX_TREE_H
#define INSTRUMENT_SYNTAX_TREE_H

#include "instrument/syntax/unit.h"

enum node_kind {
    N_NONE,
    /* statements */
    N_COMPOUND,
    N_IF,
    N_LOOP,
    N_SWITCH,
    N_LABEL,
    N_RETURN,
    N_JUMP, /* break, continue, goto; goto through a value, too */
    N_DECLARATION,
    N_EMPTY,
    N_ASM,
    N_VARIABLE, /* in a declaration; child a: initialiser */
    /* expressions */
    N_CHOICE,
    N_BINARY,
    N_ASSIGN, /* also compound assignment */
    N_UNARY,
    N_CAST,     /* explicit */
    N_IMPLICIT, /* implicit cast */
    N_PAREN,
    N_CALL,
    N_INDEX,
    N_MEMBER,
    N_NAME,
    N_LITERAL,
    N_LIST,     /* initialiser list, compound literal, designator */
    N_BLOCK,    /* GNU statement expression; child a: compound */
    N_CONSTANT, /* not evaluated, or no effect: sizeof ...; nothing below it */
    N_OPAQUE,   /* evaluated, but not looked into: GNU a ?: b, _Generic ...; nothing below it */
};

typedef uint32_t node_id;

struct node {
    CXCursor cursor;
    struct span span;
    size_t stop; /* end of the statement: as span.end, but with its semicolon */
    node_id parent, next, first;
    node_id a, b, c, d;
    uint8_t kind;
    uint8_t op;    /* CXBinaryOperatorKind or CXUnaryOperatorKind */
    uint8_t flags; /* enum node_flag: of the node and everything below it (callgraph.h) */
};

enum node_flag {
    HAS_DIVERSION = 1, /* control may not leave at its end, or may enter in its middle */
    HAS_STOP = 2,      /* the run may end inside (division by zero, bad access, endless loop) */
    HAS_LABEL = 4,     /* a label that goto can reach */
    HAS_CASE = 8,      /* a label of a switch outside */
    HAS_EFFECT = 16,   /* assignment, increment or call */
    HAS_VOLATILE = 32, /* names a volatile object */
};

struct function {
    const char *name;
    CXCursor cursor;
    bool is_static;
    node_id body;
    node_id first, end; /* its nodes are [first, end) in preorder */
    struct span span;   /* of the whole definition */
    struct place place; /* of its name */
    uint32_t unit;      /* index of its unit */
};

struct tree {
    struct arena arena;
    const struct unit *unit;
    VEC(struct node) nodes;
    VEC(struct function) functions; /* definitions that the module owns, in the order of the text */
    VEC(CXCursor) tabled;           /* functions named in initialisers of static variables */
};

void tree_build(struct tree *tree, const struct unit *unit, uint32_t number);
void tree_free(struct tree *tree);

static inline struct node *tree_at(const struct tree *tree, node_id id) {
    assert(id > 0 && id < tree->nodes.len);
    return &tree->nodes.data[id];
}

bool node_is_statement(const struct node *node); /* a statement, or an expression used as one */
bool node_is_expression(const struct node *node);

/* A statement with its semicolon. */
static inline struct span tree_statement(const struct tree *tree, node_id id) {
    return (struct span){tree_at(tree, id)->span.begin, tree_at(tree, id)->stop};
}

/* Through parentheses and implicit casts. */
node_id tree_strip(const struct tree *tree, node_id id);
/* An integer constant expression, evaluated by clang. */
bool tree_constant(const struct tree *tree, node_id id, long long *value);
/* What a node is named by (callee, variable, member), through parentheses and casts; the null
 * cursor when there is no name. */
CXCursor tree_named(const struct tree *tree, node_id id);

#endif
