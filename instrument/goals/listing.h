/* listing: from the syntax of the functions to goals and probes.
 *
 * One walk over each function in the order of the source (walk.c). At every place where something
 * can be covered the walk offers a `site` to all enabled criteria; each criterion is one file with
 * one function, criterion_<name>(), which adds its goals and, through the lister, their probes.
 *
 * A *point* is a place in the program where control passes: the entry of a function, the start of
 * a branch, the start of straight-line code. A point gets a probe (one gk_hit) when the first goal
 * asks for it; all goals of the point share it. Points know the point that dominates them: whoever
 * passes a point has passed its dominator. What can happen or not when a point is passed (a
 * condition is true, a call in the right operand of && is executed) has a probe of its own.
 *
 * Keys are hashes along a path: function, then per control statement its kind, role and occurrence
 * among its like, then the goal's own text with the decisions in it left out. So a comment, other
 * formatting, a new place or a new neighbour leaves a key alone, and a changed condition changes
 * only the keys of that condition. */
#ifndef INSTRUMENT_GOALS_LISTING_H
#define INSTRUMENT_GOALS_LISTING_H

#include "base/map.h"
#include "coverage/goal.h"
#include "coverage/project.h"
#include "instrument/goals/blocks.h"
#include "instrument/goals/callgraph.h"
#include "instrument/syntax/edits.h"
#include "instrument/goals/shape.h"
#include "instrument/syntax/tree.h"

#define NO_PROBE UINT32_MAX
#define NO_POINT UINT32_MAX
#define NO_GOAL UINT32_MAX

/* Lists the goals of all functions that the project does not exclude, and adds the probes to
 * `edits` (one per unit). */
void goals_list(const struct project *project, struct tree *trees, struct callgraph *graph,
                struct edits *edits, struct goals *goals);

/* What follows is for the walk and the criteria. */

enum point_form {
    POINT_STATEMENT, /* "gk_hit(n); " before the range */
    POINT_CONDITION, /* "gk_hit(n), (" … ")" around the expression: the if of an else if */
    POINT_ELSE,      /* " else { gk_hit(n); }" after the range */
};

struct point {
    enum point_form form;
    struct span span;
    uint32_t probe;     /* NO_PROBE until a goal asks */
    uint32_t goal;      /* the first goal at this point, NO_GOAL */
    uint32_t dominator; /* NO_POINT for the entry of the function */
    bool spare;         /* its probe is: see struct goals */
    uint32_t successor; /* NO_POINT, or the point that control passes next */
};

/* Local variables that probes need; a pool a type. */
enum pool {
    POOL_INT,
    POOL_UINT,
    POOL_LONG,
    POOL_ULONG,
    POOL_LLONG,
    POOL_ULLONG,
    POOL_FLOAT,
    POOL_DOUBLE,
    POOL_LDOUBLE,
    POOLS
};

struct var {
    uint8_t pool;
    uint32_t number;
};

/* goal => implied, or when that is NO_GOAL, goal => the goal of the point; turned into implications
 * when the function is done. */
struct pending_implication {
    uint32_t goal, implied, point;
};

struct lister {
    const struct project *project;
    struct callgraph *graph;
    struct goals *goals;
    struct map known;           /* key -> goal */
    struct map known_decisions; /* path -> decision */
    struct map first_copies;    /* name and place -> function in the call graph */
    struct map functions_named; /* name and place -> occurrence */

    struct blocks *blocks; /* one per unit */

    /* the function at hand */
    const struct tree *tree;
    struct edits *edits;
    const struct function *function;
    uint32_t function_index; /* in the call graph */
    const char *function_name, *reason;
    bool repeated;          /* listed before, in another unit: goals are found again */
    struct arena scratch;   /* texts of this function's probes */
    struct map occurrences; /* base of a key -> how many so far */
    VEC(struct point) points;
    VEC(struct pending_implication) pending;
    uint64_t path;         /* key of where we are */
    uint64_t block_path;   /* path of the enclosing block, without labels */
    uint32_t here;         /* the current point, NO_POINT: the next statement starts one */
    uint32_t dominator;    /* of the next point */
    uint32_t straight;     /* the point of the statement before, if control goes on from it */
    uint32_t entry;        /* point of the function's entry */
    uint32_t switch_point; /* where the enclosing switch stands */
    node_id statement;     /* the statement at hand */
    uint32_t vars_base[POOLS], vars_used[POOLS], vars_most[POOLS];
};

enum site_kind {
    SITE_FUNCTION,   /* node: body */
    SITE_STATEMENT,  /* node: statement; point: where it starts */
    SITE_CALL,       /* node: call */
    SITE_SWITCH,     /* node: switch */
    SITE_DECISION,   /* node: root of the decision */
    SITE_EXPRESSION, /* node: any other operator */
};

struct decision_site;

struct site {
    enum site_kind kind;
    node_id node;
    uint32_t point;
    bool sure;   /* whenever the point is passed, this is executed */
    bool unused; /* the value is thrown away */
    struct decision_site *decision;
};

/* How a decision ends: at a point, or by its value. */
struct outcome {
    uint32_t point; /* NO_POINT: the probe stands in the expression */
    uint32_t probe; /* in the expression */
    uint32_t goal;  /* the first goal on it */
};

/* A decision while it is listed: criteria ask for probes and code, decision.c weaves them. */
struct decision_site {
    struct shape shape;
    uint32_t index; /* in goals.decisions */
    uint64_t path;
    bool controlling;          /* of if, while, do, for, ?: */
    bool unused;               /* its value is thrown away */
    struct outcome outcome[2]; /* [0] false, [1] true */
    struct leaf_probe {
        uint32_t probe[2], goal[2];
    } *leaves;        /* one per condition */
    struct str after; /* comma-separated code that runs when the decision has its value */
};

typedef void criterion_function_type(struct lister *l, const struct site *site);
#define CRITERION(name, has_value, on, robust, about) criterion_function_type criterion_##name;
#include "coverage/criteria.def"
#undef CRITERION

struct goal_request {
    enum goal_kind kind;
    int value;     /* 1, 0, -1 */
    uint64_t base; /* of the key; kind and value are added */
    struct span span;
    const char *text; /* NULL: that of `told` on one line, as the user has written it */
    struct span told; /* empty: `span` */
    int32_t decision, condition;
};

/* Adds a goal (or finds it, in a repeated function); returns its index. With `probe` NO_PROBE it
 * gets a new one. */
uint32_t lister_goal(struct lister *l, const struct goal_request *request, uint32_t probe);
/* The same at a point, sharing its probe. */
uint32_t lister_goal_at(struct lister *l, const struct goal_request *request, uint32_t point);
uint32_t lister_probe_of(const struct lister *l, uint32_t goal);
/* goal => implied; when that is NO_GOAL, goal => the goal of the point. */
void lister_implies(struct lister *l, uint32_t goal, uint32_t implied, uint32_t point);

/* The goals of the decision are listed: marks which probes are spare. */
void spare_in_decision(struct lister *l, const struct site *site);
/* At the end of the function. */
void spare_points(struct lister *l);

uint32_t lister_point(struct lister *l, enum point_form form, struct span span, uint32_t dominator);

/* A key base: how often it has occurred in the function is mixed in. */
uint64_t lister_occurrence(struct lister *l, uint64_t base);
/* Hash of the text of a span without comments and white space. */
uint64_t lister_span_hash(const struct lister *l, struct span span);
/* Hash of the tokens of a node, with the decisions in it left out; `whole`: but not itself. */
uint64_t lister_text_hash(const struct lister *l, node_id id, bool whole);

struct var lister_var(struct lister *l, enum pool pool);
const char *lister_var_name(struct lister *l, struct var var);
/* The pool for values of a type; false for what is no scalar number. */
bool pool_of_type(CXType type, enum pool *pool);
const char *pool_type(enum pool pool); /* "unsigned int" */
/* Forgets the variables of the previous full expression. */
void lister_full_expression(struct lister *l);

const char *lister_format(struct lister *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void lister_offer(struct lister *l, const struct site *site);

/* walk.c, walk_expression.c, decision.c */
void walk_function(struct lister *l);
void walk_statement(struct lister *l, node_id id);
void walk_block(struct lister *l, node_id id, uint32_t point);

struct expression_context {
    uint32_t point;
    bool sure;   /* evaluated whenever the point is passed */
    bool unused; /* its value is thrown away */
    bool leaf;   /* a condition: no decision of its own */
};
void walk_expression(struct lister *l, node_id id, struct expression_context context);
/* A controlling expression; points[0] where it was false, points[1] where it was true, or
 * NO_POINT. */
void walk_condition(struct lister *l, node_id id, struct expression_context context,
                    const uint32_t points[2]);
/* A decision elsewhere, see is_decision_root. */
void walk_decision(struct lister *l, node_id id, struct expression_context context);
bool is_decision_root(const struct lister *l, node_id id);
bool is_literal(const struct tree *tree, node_id id);

#endif
