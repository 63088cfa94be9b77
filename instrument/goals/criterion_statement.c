/* statement: a statement is executed. Declarations count when they compute a value; labels, blocks
 * and empty statements do not count. */
#include "instrument/goals/listing.h"
#include "instrument/syntax/spelling.h"

/* Of a control statement, its head: what stands before the first body. */
static struct span head_of(const struct lister *l, node_id id) {
    const struct node *node = tree_at(l->tree, id);
    struct span span = tree_statement(l->tree, id);
    bool control = node->kind == N_IF || node->kind == N_LOOP || node->kind == N_SWITCH;
    bool is_do = clang_getCursorKind(node->cursor) == CXCursor_DoStmt;
    if (!control || !node->b)
        return span;
    if (is_do)
        return (struct span){tree_at(l->tree, node->b)->stop, span.end};
    span.end = tree_at(l->tree, node->b)->span.begin;
    while (span.end > span.begin && l->tree->unit->text[span.end - 1] != ')')
        span.end--;
    return span;
}

/* Where that is not told by the text of its head alone. */
static const char *text_of(struct lister *l, node_id id) {
    const struct node *node = tree_at(l->tree, id);
    if (clang_getCursorKind(node->cursor) != CXCursor_DoStmt)
        return NULL;
    return lister_format(l, "do ... %s", spelling_line(l->tree->unit, head_of(l, id), &l->scratch));
}

void criterion_statement(struct lister *l, const struct site *site) {
    if (site->kind != SITE_STATEMENT)
        return;
    struct goal_request request = {.kind = GOAL_statement,
                                   .value = -1,
                                   .base = l->path,
                                   .span = tree_statement(l->tree, site->node),
                                   .text = text_of(l, site->node),
                                   .told = head_of(l, site->node),
                                   .decision = -1,
                                   .condition = -1};
    lister_goal_at(l, &request, site->point);
}
