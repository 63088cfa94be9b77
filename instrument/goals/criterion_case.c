/* case: a label of a switch is entered through the switch, and the implicit default.
 *
 * The probes stand at the head of the switch, where its value is known; so falling through from
 * the case before, or a goto, is no entry:
 *
 *     switch (v = (x), v == 1 ? gk_hit(5) : v >= 2 && v <= 4 ? gk_hit(6) : gk_hit(7), v)
 */
#include "instrument/goals/listing.h"

struct label {
    node_id id; /* 0: the implicit default */
    bool is_default;
    long long low, high;
};

VEC_STRUCT(labels, struct label);

/* The labels of this switch, not those of switches inside. */
static void find_labels(const struct lister *l, node_id id, struct labels *labels) {
    const struct node *node = tree_at(l->tree, id);
    enum CXCursorKind kind = clang_getCursorKind(node->cursor);
    if (node->kind == N_LABEL && kind != CXCursor_LabelStmt) {
        struct label label = {id, kind == CXCursor_DefaultStmt, 0, 0};
        if (!label.is_default) {
            tree_constant(l->tree, node->a, &label.low);
            label.high = label.low;
            if (node->c)
                tree_constant(l->tree, node->c, &label.high);
        }
        vec_push(labels, label);
    }
    if (node->kind != N_SWITCH)
        for (node_id child = node->first; child; child = tree_at(l->tree, child)->next)
            find_labels(l, child, labels);
}

/* The constant as one of the switch's type. */
static const char *constant(struct lister *l, enum pool pool, long long value) {
    switch (pool) {
    case POOL_UINT:
    case POOL_ULONG:
    case POOL_ULLONG:
        return lister_format(l, "(%s)%lluULL", pool_type(pool), (unsigned long long)value);
    default:
        return lister_format(l, "(%s)(%s%lldLL)", pool_type(pool), value < 0 ? "-1LL - " : "",
                             value < 0 ? -(value + 1) : value);
    }
}

static const char *test_of(struct lister *l, const struct label *label, enum pool pool,
                           const char *v) {
    const char *low = constant(l, pool, label->low);
    if (label->low == label->high)
        return lister_format(l, "%s == %s", v, low);
    return lister_format(l, "(%s >= %s && %s <= %s)", v, low, v, constant(l, pool, label->high));
}

static struct span label_span(const struct lister *l, const struct label *label) {
    const struct node *node = tree_at(l->tree, label->id);
    struct span span = node->span;
    span.end = node->b ? tree_at(l->tree, node->b)->span.begin : span.end;
    while (span.end > span.begin && l->tree->unit->text[span.end - 1] != ':')
        span.end--;
    return (struct span){span.begin, span.end - (span.end > span.begin)};
}

static uint32_t label_goal(struct lister *l, const struct site *site, const struct label *label) {
    struct goal_request request = {.kind = GOAL_case,
                                   .value = -1,
                                   .span = tree_at(l->tree, site->node)->span,
                                   .text = "implicit default",
                                   .decision = -1,
                                   .condition = -1};
    if (label->id) {
        request.span = label_span(l, label);
        request.text = NULL;
        request.base = hash_mix(l->path, lister_span_hash(l, request.span));
    } else {
        request.span.end = request.span.begin + strlen("switch");
        request.base = hash_mix(l->path, hash_text(request.text));
    }
    uint32_t goal = lister_goal(l, &request, NO_PROBE);
    lister_implies(l, goal, NO_GOAL, site->point);
    return goal;
}

/* Goals in the order of the source; the default is tested last. */
static void weave_switch(struct lister *l, const struct site *site, const struct labels *labels,
                         enum pool pool) {
    struct str code = {0};
    const char *v = lister_var_name(l, lister_var(l, pool));
    uint32_t otherwise = NO_PROBE;
    for (size_t i = 0; i < labels->len; i++) {
        uint32_t probe = lister_probe_of(l, label_goal(l, site, &labels->data[i]));
        if (labels->data[i].is_default)
            otherwise = probe;
        else
            str_addf(&code, "%s ? gk_hit(%u) : ", test_of(l, &labels->data[i], pool, v), probe);
    }
    struct span value = tree_at(l->tree, tree_at(l->tree, site->node)->a)->span;
    edits_wrap(l->edits, value.begin, value.end, lister_format(l, "%s = (", v),
               lister_format(l, "), %sgk_hit(%u), %s", str_text(&code), otherwise, v));
    str_free(&code);
    l->points.data[site->point].spare = true; /* whatever the value is, one of these is hit */
}

void criterion_case(struct lister *l, const struct site *site) {
    if (site->kind != SITE_SWITCH)
        return;
    const struct node *node = tree_at(l->tree, site->node);
    enum pool pool;
    if (!pool_of_type(clang_getCursorType(tree_at(l->tree, node->a)->cursor), &pool))
        return;
    struct labels labels = {0};
    bool has_default = false;
    find_labels(l, node->b, &labels);
    for (size_t i = 0; i < labels.len; i++)
        has_default |= labels.data[i].is_default;
    struct label implicit = {0, true, 0, 0};
    if (!has_default)
        vec_push(&labels, implicit);
    weave_switch(l, site, &labels, pool);
    vec_free(&labels);
}
