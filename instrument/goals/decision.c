/* A recursive walk over the shape; flags are made for operands that some criterion asked for, and
 * the code behind the evaluation is collected while it goes. */
#include "instrument/goals/decision.h"
#include "instrument/syntax/spelling.h"

#include <assert.h>

bool is_literal(const struct tree *tree, node_id id) {
    const struct node *node = tree_at(tree, tree_strip(tree, id));
    if (node->kind == N_CAST && node->a)
        return is_literal(tree, node->a);
    return node->kind == N_LITERAL;
}

static bool is_relation(const struct node *node) {
    return node->kind == N_BINARY && node->op >= CXBinaryOperator_LT &&
           node->op <= CXBinaryOperator_NE;
}

bool is_decision_root(const struct lister *l, node_id id) {
    const struct node *node = tree_at(l->tree, id);
    return is_logical(node) || (l->project->literal_decisions && is_relation(node));
}

/* Asking. */

/* Which outcome of the decision the only condition stands for. */
static bool outcome_of_condition(const struct shape *shape, bool value) {
    bool negated = false;
    shape_through_not(shape, 0, &negated);
    return value != negated;
}

static uint32_t probed_goal(struct lister *l, const struct goal_request *request, uint32_t *probe,
                            uint32_t *first) {
    uint32_t goal = lister_goal(l, request, *probe);
    *probe = lister_probe_of(l, goal);
    if (*first == NO_GOAL)
        *first = goal;
    return goal;
}

uint32_t decision_outcome_goal(struct lister *l, const struct site *site, bool value,
                               const struct goal_request *request) {
    assert(site->kind == SITE_DECISION && site->decision);
    struct outcome *outcome = &site->decision->outcome[value];
    if (outcome->point == NO_POINT)
        return probed_goal(l, request, &outcome->probe, &outcome->goal);
    uint32_t goal = lister_goal_at(l, request, outcome->point);
    if (outcome->goal == NO_GOAL)
        outcome->goal = goal;
    return goal;
}

uint32_t decision_condition_goal(struct lister *l, const struct site *site, uint32_t c, bool value,
                                 const struct goal_request *request) {
    struct decision_site *d = site->decision;
    assert(c < d->shape.leaves.len);
    if (d->shape.leaves.len == 1 && d->controlling)
        return decision_outcome_goal(l, site, outcome_of_condition(&d->shape, value), request);
    return probed_goal(l, request, &d->leaves[c].probe[value], &d->leaves[c].goal[value]);
}

/* The flags of && and || are made of those of their operands. */
static void want_flag(struct lister *l, struct decision_site *d, uint32_t n) {
    bool negated = false;
    n = shape_through_not(&d->shape, n, &negated);
    struct shape_node *node = &d->shape.nodes.data[n];
    assert(node->kind != SHAPE_NOT);
    if (node->has_flag)
        return;
    node->has_flag = true;
    node->flag = lister_var(l, POOL_INT).number;
    if (node->kind == SHAPE_LEAF || n == 0)
        return;
    want_flag(l, d, node->a);
    want_flag(l, d, node->b);
}

const char *decision_value(struct lister *l, struct decision_site *d, uint32_t n) {
    want_flag(l, d, n);
    bool negated = false;
    n = shape_through_not(&d->shape, n, &negated);
    struct var var = {POOL_INT, d->shape.nodes.data[n].flag};
    return lister_format(l, "%s%s", negated ? "!" : "", lister_var_name(l, var));
}

/* What conditions say about each other: when the right operand is evaluated, the left one had the
 * neutral value. */

struct known_value {
    int condition; /* -1: none */
    bool value;
};

static void imply_left_of(struct lister *l, const struct site *site, uint32_t n,
                          struct known_value left) {
    struct decision_site *d = site->decision;
    const struct shape_node *node = &d->shape.nodes.data[n];
    if (node->kind == SHAPE_LEAF) {
        uint32_t before = left.condition < 0 ? NO_GOAL : d->leaves[left.condition].goal[left.value];
        for (int value = 0; value < 2; value++)
            lister_implies(l, d->leaves[node->condition].goal[value], before, site->point);
        return;
    }
    imply_left_of(l, site, node->a, left);
    if (node->kind == SHAPE_NOT)
        return;
    struct known_value right = left;
    bool value;
    int implied = shape_implied(&d->shape, node->a, node->kind == SHAPE_AND, &value);
    if (implied >= 0)
        right = (struct known_value){implied, value};
    imply_left_of(l, site, node->b, right);
}

/* A condition that ends the evaluation has decided. */
static void imply_outcomes(struct lister *l, const struct decision_site *d) {
    for (size_t c = 0; c < d->shape.leaves.len; c++)
        for (int value = 0; value < 2; value++) {
            int outcome = shape_decided(&d->shape, d->shape.leaves.data[c], value);
            if (outcome >= 0 && d->outcome[outcome].goal != NO_GOAL)
                lister_implies(l, d->leaves[c].goal[value], d->outcome[outcome].goal, NO_POINT);
        }
}

static void imply(struct lister *l, const struct site *site) {
    struct decision_site *d = site->decision;
    imply_left_of(l, site, 0, (struct known_value){-1, false});
    imply_outcomes(l, d);
    for (int value = 0; value < 2; value++) {
        bool condition_value;
        int implied = shape_implied(&d->shape, 0, value, &condition_value);
        uint32_t goal = implied < 0 ? NO_GOAL : d->leaves[implied].goal[condition_value];
        if (d->outcome[value].goal != goal)
            lister_implies(l, d->outcome[value].goal, goal, site->point);
    }
}

/* Weaving. */

static const char *hit_value(struct lister *l, uint32_t probe, int value) {
    return probe == NO_PROBE ? lister_format(l, "%d", value)
                             : lister_format(l, "(gk_hit(%u), %d)", probe, value);
}

/* "(flag = (EXPRESSION) ? (gk_hit(1), 1) : (gk_hit(2), 0))" */
static void weave_value(struct lister *l, struct span span, const char *flag,
                        const uint32_t probe[2], const char *open, const char *close) {
    const char *set = flag ? lister_format(l, "%s = ", flag) : "";
    edits_wrap(l->edits, span.begin, span.end, lister_format(l, "%s(%s(", open, set),
               lister_format(l, ") ? %s : %s)%s", hit_value(l, probe[1], 1),
                             hit_value(l, probe[0], 0), close));
}

static const char *flag_of(struct lister *l, const struct decision_site *d, uint32_t n) {
    const struct shape_node *node = &d->shape.nodes.data[n];
    struct var var = {POOL_INT, node->flag};
    return node->has_flag ? lister_var_name(l, var) : NULL;
}

static void weave_leaf(struct lister *l, struct decision_site *d, uint32_t n) {
    const struct shape_node *node = &d->shape.nodes.data[n];
    assert(node->kind == SHAPE_LEAF && node->condition < d->shape.leaves.len);
    const uint32_t *probe = d->leaves[node->condition].probe;
    const char *flag = flag_of(l, d, n);
    if (flag || probe[0] != NO_PROBE || probe[1] != NO_PROBE)
        weave_value(l, tree_at(l->tree, node->id)->span, flag, probe, "", "");
}

/* The values of && and || from those of their operands: here, and not inside the expression, where
 * a long chain would become as many parentheses deep. Operands follow their operators. */
static void add_values(struct lister *l, struct decision_site *d, struct str *code) {
    for (size_t n = d->shape.nodes.len; n-- > 1;) {
        const struct shape_node *node = &d->shape.nodes.data[n];
        if (node->has_flag && (node->kind == SHAPE_AND || node->kind == SHAPE_OR))
            str_addf(code, "%s = %s %s %s, ", flag_of(l, d, (uint32_t)n),
                     decision_value(l, d, node->a), node->kind == SHAPE_AND ? "&&" : "||",
                     decision_value(l, d, node->b));
    }
}

/* The flag of the root holds the value of the whole decision. */
static void weave_code(struct lister *l, struct decision_site *d, struct span span,
                       const uint32_t probe[2]) {
    bool own = d->shape.nodes.data[0].kind == SHAPE_NOT;
    const char *flag = own ? lister_var_name(l, lister_var(l, POOL_INT)) : decision_value(l, d, 0);
    struct str code = {0};
    str_add(&code, ", ");
    add_values(l, d, &code);
    str_addf(&code, "%s, %s)", str_text(&d->after), flag);
    weave_value(l, span, flag, probe, d->unused ? "(void)(" : "(", str_text(&code));
    str_free(&code);
}

static void weave_root(struct lister *l, struct decision_site *d, node_id root) {
    struct span span = tree_at(l->tree, root)->span;
    const uint32_t probe[2] = {d->outcome[0].probe, d->outcome[1].probe};
    if (d->after.len > 0)
        weave_code(l, d, span, probe);
    else if (probe[0] != NO_PROBE || probe[1] != NO_PROBE)
        weave_value(l, span, NULL, probe, d->unused ? "(void)" : "", "");
    else if (d->unused)
        edits_wrap(l->edits, span.begin, span.end, "(void)(", ")");
}

static void weave(struct lister *l, struct decision_site *d, node_id root) {
    weave_root(l, d, root);
    for (size_t i = 0; i < d->shape.leaves.len; i++)
        weave_leaf(l, d, d->shape.leaves.data[i]);
}

/* Listing. */

static uint32_t add_decision(struct lister *l, struct decision_site *d, node_id root) {
    uint32_t *known = map_get(&l->known_decisions, d->path);
    if (known && l->repeated)
        return *known;
    const struct unit *unit = l->tree->unit;
    struct arena *arena = &l->goals->arena;
    struct span span = tree_at(l->tree, root)->span;
    struct place place = unit_place(unit, span.begin);
    struct str structure = {0};
    shape_print(&d->shape, &structure);
    size_t n = d->shape.leaves.len;
    const char **texts = arena_array(arena, const char *, n);
    for (size_t i = 0; i < n; i++) {
        node_id leaf = d->shape.nodes.data[d->shape.leaves.data[i]].id;
        texts[i] = spelling_line(unit, tree_at(l->tree, leaf)->span, arena);
    }
    struct decision decision = {.file = arena_strdup(arena, place.file),
                                .function = l->function_name,
                                .text = spelling_line(unit, span, arena),
                                .line = place.line,
                                .col = place.col,
                                .n_conditions = (int)n,
                                .condition_text = texts,
                                .structure = arena_strdup(arena, str_text(&structure))};
    str_free(&structure);
    vec_push(&l->goals->decisions, decision);
    uint32_t index = (uint32_t)l->goals->decisions.len - 1;
    map_put(&l->known_decisions, d->path, index);
    return index;
}

static void decision_open(struct lister *l, struct decision_site *d, node_id root,
                          const uint32_t points[2]) {
    shape_build(&d->shape, l->tree, root);
    d->path = lister_occurrence(l, hash_mix(l->path, 0xdec1));
    d->index = add_decision(l, d, root);
    d->leaves = arena_array(&l->scratch, struct leaf_probe, d->shape.leaves.len);
    for (size_t i = 0; i < d->shape.leaves.len; i++)
        d->leaves[i] = (struct leaf_probe){{NO_PROBE, NO_PROBE}, {NO_GOAL, NO_GOAL}};
    for (int value = 0; value < 2; value++)
        d->outcome[value] = (struct outcome){points ? points[value] : NO_POINT, NO_PROBE, NO_GOAL};
}

/* The only condition's outcomes are those of the decision. */
static void share_outcome(struct decision_site *d) {
    if (d->shape.leaves.len != 1 || !d->controlling)
        return;
    for (int value = 0; value < 2; value++) {
        struct outcome *outcome = &d->outcome[outcome_of_condition(&d->shape, value)];
        d->leaves[0].probe[value] = outcome->probe;
        outcome->probe = NO_PROBE;
    }
}

static void walk_operands(struct lister *l, struct decision_site *d,
                          struct expression_context context) {
    uint64_t path = l->path;
    l->path = d->path;
    context.unused = false;
    for (size_t i = 0; i < d->shape.leaves.len; i++) {
        const struct shape_node *leaf = &d->shape.nodes.data[d->shape.leaves.data[i]];
        struct expression_context below = context;
        below.sure &= leaf->sure;
        below.leaf = true;
        walk_expression(l, leaf->id, below);
    }
    context.sure = false;
    context.unused = true;
    for (size_t i = 0; i < d->shape.prologue.len; i++)
        walk_expression(l, d->shape.prologue.data[i], context);
    l->path = path;
}

static void decision_list(struct lister *l, node_id root, struct expression_context context,
                          bool controlling, const uint32_t points[2]) {
    struct decision_site d = {.controlling = controlling, .unused = context.unused};
    decision_open(l, &d, root, points);
    struct site site = {SITE_DECISION, root, context.point, context.sure, context.unused, &d};
    lister_offer(l, &site);
    spare_in_decision(l, &site);
    share_outcome(&d);
    weave(l, &d, root);
    imply(l, &site);
    walk_operands(l, &d, context);
    str_free(&d.after);
    shape_free(&d.shape);
}

void walk_condition(struct lister *l, node_id id, struct expression_context context,
                    const uint32_t points[2]) {
    decision_list(l, id, context, true, points);
}

void walk_decision(struct lister *l, node_id id, struct expression_context context) {
    decision_list(l, id, context, false, NULL);
}
