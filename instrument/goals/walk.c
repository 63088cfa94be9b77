/* walk: the statements of a function, in the order of the source.
 *
 * Invariants:
 *  - l->here is the point that control has passed when it reaches the next statement, and nothing
 *    since then could have kept it from getting there; or NO_POINT, and then the next goal starts
 *    a new point dominated by l->dominator.
 *  - Bodies of if, else, loops and switch that are no compound get braces when they are entered,
 *    except the if of an else if. */
#include "instrument/goals/listing.h"

#include "instrument/inputs/assembly.h"

#include <assert.h>

static struct node *at(const struct lister *l, node_id id) {
    return tree_at(l->tree, id);
}

static bool is_braced(const struct lister *l, node_id id) {
    return at(l, id)->kind == N_COMPOUND && l->tree->unit->text[at(l, id)->span.begin] == '{';
}

/* The current point; before `id` starts one if there is none. */
static uint32_t point_here(struct lister *l, node_id id) {
    if (l->here == NO_POINT) {
        l->here = lister_point(l, POINT_STATEMENT, tree_statement(l->tree, id), l->dominator);
        if (l->straight != NO_POINT && l->straight == l->dominator)
            l->points.data[l->straight].successor = l->here;
    }
    l->straight = NO_POINT;
    assert(l->here < l->points.len);
    return l->here;
}

static void lose_point(struct lister *l, uint32_t dominator) {
    l->here = l->straight = NO_POINT;
    l->dominator = dominator;
}

/* Can it leave the statement otherwise than at its end, for example by a return inside a GNU
 * statement expression? */
static bool holds_block(const struct lister *l, node_id id) {
    if (at(l, id)->kind == N_BLOCK)
        return true;
    for (node_id child = at(l, id)->first; child; child = at(l, child)->next)
        if (holds_block(l, child))
            return true;
    return false;
}

/* After a statement that started at the point `before`. */
static void leave(struct lister *l, node_id id, uint32_t before) {
    const struct node *node = at(l, id);
    unsigned flags = node->flags;
    assert(before < l->points.len);
    if (!(flags & HAS_DIVERSION))
        l->here = before;
    else if (flags & HAS_LABEL)
        lose_point(l, l->entry);
    else if (flags & HAS_CASE)
        lose_point(l, l->switch_point);
    else
        lose_point(l, before);
    bool is_plain = node_is_expression(node) || node->kind == N_DECLARATION;
    if (l->here == NO_POINT && is_plain && !holds_block(l, id))
        l->straight = before;
}

static uint64_t enter_path(struct lister *l, const char *role, uint64_t identity) {
    uint64_t outer = l->path;
    l->path = lister_occurrence(l, hash_mix(hash_mix(l->path, hash_text(role)), identity));
    return outer;
}

static void offer(struct lister *l, enum site_kind kind, node_id id, uint32_t point) {
    struct site site = {kind, id, point, true, false, NULL};
    lister_offer(l, &site);
}

static void walk_full_expression(struct lister *l, node_id id, uint32_t point, bool sure,
                                 bool unused) {
    lister_full_expression(l);
    struct expression_context context = {.point = point, .sure = sure, .unused = unused};
    walk_expression(l, id, context);
}

static void walk_controlling(struct lister *l, node_id id, uint32_t point, bool sure,
                             const uint32_t points[2]) {
    lister_full_expression(l);
    struct expression_context context = {.point = point, .sure = sure};
    walk_condition(l, id, context, points);
}

/* Where a body starts. Its braces are added here. */
static uint32_t body_point(struct lister *l, node_id body, uint32_t dominator) {
    struct span span = tree_statement(l->tree, body);
    if (is_braced(l, body)) {
        struct span inside = {span.begin + 1, span.end - 1};
        return lister_point(l, POINT_STATEMENT, inside, dominator);
    }
    edits_wrap(l->edits, span.begin, span.end, "{ ", " }");
    return lister_point(l, POINT_STATEMENT, span, dominator);
}

static void walk_body(struct lister *l, node_id body, uint32_t point, const char *role) {
    uint64_t outer = enter_path(l, role, 0), outer_block = l->block_path;
    l->block_path = l->path;
    l->here = point;
    walk_statement(l, body);
    l->path = outer;
    l->block_path = outer_block;
}

static bool is_else_if(const struct lister *l, node_id other) {
    return other && at(l, other)->kind == N_IF;
}

static uint32_t else_point(struct lister *l, const struct node *node, uint32_t before) {
    if (!node->c)
        return lister_point(l, POINT_ELSE, node->span, before);
    if (is_else_if(l, node->c))
        return lister_point(l, POINT_CONDITION, at(l, at(l, node->c)->a)->span, before);
    return body_point(l, node->c, before);
}

static void walk_if(struct lister *l, node_id id, uint32_t before) {
    const struct node node = *at(l, id);
    uint32_t points[2];
    points[1] = body_point(l, node.b, before);
    points[0] = else_point(l, &node, before);
    walk_controlling(l, node.a, before, true, points);
    walk_body(l, node.b, points[1], "then");
    if (node.c)
        walk_body(l, node.c, points[0], "else");
}

/* A loop on a literal, or on nothing, makes no decision. */
static bool loop_decides(const struct lister *l, const struct node *loop) {
    return loop->a && !is_literal(l->tree, loop->a);
}

/* What every turn of a loop has passed: where a label stands inside, control can come in there and
 * then go round. */
static uint32_t loop_dominator(const struct lister *l, node_id id, uint32_t before) {
    unsigned flags = at(l, id)->flags;
    return flags & HAS_LABEL ? l->entry : flags & HAS_CASE ? l->switch_point : before;
}

static void walk_do(struct lister *l, node_id id, uint32_t before) {
    const struct node node = *at(l, id);
    uint32_t dominator = loop_dominator(l, id, before);
    uint32_t start = body_point(l, node.b, dominator);
    walk_body(l, node.b, dominator == before ? before : start, "body");
    const uint32_t points[2] = {NO_POINT, NO_POINT};
    if (loop_decides(l, at(l, id)))
        walk_controlling(l, node.a, dominator, false, points);
}

static void walk_for_start(struct lister *l, node_id start, uint32_t point) {
    if (at(l, start)->kind == N_DECLARATION)
        walk_full_expression(l, start, point, true, false);
    else
        walk_full_expression(l, start, point, true, true);
}

/* while and for */
static void walk_loop(struct lister *l, node_id id, uint32_t before) {
    const struct node node = *at(l, id);
    if (node.c)
        walk_for_start(l, node.c, before);
    uint32_t dominator = loop_dominator(l, id, before);
    bool sure = dominator == before && (!node.c || !(at(l, node.c)->flags & HAS_DIVERSION));
    uint32_t points[2] = {NO_POINT, body_point(l, node.b, dominator)};
    if (loop_decides(l, &node))
        walk_controlling(l, node.a, dominator, sure, points);
    else if (!node.a && sure)
        points[1] = before;
    if (node.d)
        walk_full_expression(l, node.d, points[1], false, true);
    walk_body(l, node.b, points[1], "body");
}

static void walk_switch(struct lister *l, node_id id, uint32_t before) {
    const struct node node = *at(l, id);
    uint32_t outer = l->switch_point;
    lister_full_expression(l);
    offer(l, SITE_SWITCH, id, before);
    struct expression_context context = {.point = before, .sure = true};
    walk_expression(l, node.a, context);
    if (!is_braced(l, node.b)) {
        struct span span = tree_statement(l->tree, node.b);
        edits_wrap(l->edits, span.begin, span.end, "{ ", " }");
    }
    l->switch_point = before;
    l->dominator = before;
    walk_body(l, node.b, NO_POINT, "body");
    l->switch_point = outer;
}

/* What follows a label belongs to it: its path is that of the block and the label's text. */
static void walk_label(struct lister *l, node_id id) {
    const struct node *node = at(l, id);
    bool is_goto_label =
        node->flags & HAS_LABEL && clang_getCursorKind(node->cursor) == CXCursor_LabelStmt;
    lose_point(l, is_goto_label ? l->entry : l->switch_point);
    size_t end = node->b ? at(l, node->b)->span.begin : node->span.end;
    struct span label = {node->span.begin, end};
    l->path = l->block_path;
    enter_path(l, "label", lister_span_hash(l, label));
    if (node->b)
        walk_statement(l, node->b);
}

static void walk_compound(struct lister *l, node_id id) {
    uint64_t outer = l->path, outer_block = l->block_path;
    l->block_path = l->path;
    for (node_id child = at(l, id)->first; child; child = at(l, child)->next)
        walk_statement(l, child);
    l->path = outer;
    l->block_path = outer_block;
}

static bool has_work(const struct lister *l, node_id declaration) {
    for (node_id v = at(l, declaration)->first; v; v = at(l, v)->next)
        if (at(l, v)->a)
            return true;
    return false;
}

/* Is this the value of a GNU statement expression? */
static bool is_block_value(const struct lister *l, node_id id) {
    const struct node *compound = at(l, at(l, id)->parent);
    return !at(l, id)->next && compound->kind == N_COMPOUND && compound->parent &&
           at(l, compound->parent)->kind == N_BLOCK;
}

static const char *number_type(CXType type) {
    enum pool pool = POOL_INT;
    bool good = pool_of_type(type, &pool);
    assert(good && "assembly_read() has taken it for a number");
    (void)good;
    return pool_type(pool);
}

/* Any values for its outputs. */
static void walk_assembly(struct lister *l, node_id id) {
    struct assembly known;
    struct str text = {0};
    const char *source = l->tree->unit->text;
    if (assembly_read(l->tree->unit, at(l, id)->cursor, &known)) {
        struct span span = tree_statement(l->tree, id);
        str_add(&text, "{");
        for (size_t i = 0; i < known.outputs.len; i++)
            str_addf(&text, " %s gk_asm%zu;",
                     number_type(clang_getCursorType(known.variables.data[i])), i);
        for (size_t i = 0; i < known.outputs.len; i++) {
            struct span to = known.outputs.data[i];
            str_addf(&text, " %s = gk_asm%zu;", edits_quote(l->edits, to.begin, to.end), i);
        }
        str_add(&text, " }");
        for (size_t at = span.begin; at < span.end; at++)
            str_add(&text, source[at] == '\n' ? "\n" : "");
        edits_replace(l->edits, span.begin, span.end, str_text(&text));
    }
    str_free(&text);
    assembly_free(&known);
}

static void walk_inside(struct lister *l, node_id id, uint32_t before) {
    const struct node *node = at(l, id);
    switch ((enum node_kind)node->kind) {
    case N_IF:
        walk_if(l, id, before);
        break;
    case N_LOOP:
        if (clang_getCursorKind(node->cursor) == CXCursor_DoStmt)
            walk_do(l, id, before);
        else
            walk_loop(l, id, before);
        break;
    case N_SWITCH:
        walk_switch(l, id, before);
        break;
    case N_RETURN:
        if (node->a)
            walk_full_expression(l, node->a, before, true, false);
        break;
    case N_DECLARATION:
        walk_full_expression(l, id, before, true, false);
        break;
    case N_ASM:
        walk_assembly(l, id);
        break;
    case N_JUMP:
        break;
    default:
        assert(node_is_expression(node));
        walk_full_expression(l, id, before, true, !is_block_value(l, id));
        break;
    }
}

static bool is_control(const struct node *node) {
    return node->kind == N_IF || node->kind == N_LOOP || node->kind == N_SWITCH;
}

/* Control statements are known by their kind, all others by their text. */
static uint64_t statement_identity(const struct lister *l, node_id id) {
    const struct node *node = at(l, id);
    return is_control(node) ? node->kind : lister_text_hash(l, id, false);
}

void walk_statement(struct lister *l, node_id id) {
    const struct node *node = at(l, id);
    if (node->kind == N_COMPOUND) {
        walk_compound(l, id);
    } else if (node->kind == N_LABEL) {
        walk_label(l, id);
    } else if (node->kind != N_EMPTY && !(node->kind == N_DECLARATION && !has_work(l, id))) {
        uint32_t before = point_here(l, id);
        uint64_t outer = enter_path(l, "statement", statement_identity(l, id));
        l->statement = id;
        offer(l, SITE_STATEMENT, id, before);
        walk_inside(l, id, before);
        l->path = outer;
        leave(l, id, before);
    }
}

void walk_block(struct lister *l, node_id id, uint32_t point) {
    uint32_t here = l->here, dominator = l->dominator, base[POOLS];
    node_id statement = l->statement;
    memcpy(base, l->vars_base, sizeof base);
    memcpy(l->vars_base, l->vars_used, sizeof base);
    lose_point(l, point);
    walk_compound(l, id);
    memcpy(l->vars_base, base, sizeof base);
    l->statement = statement;
    l->here = here;
    l->dominator = dominator;
    l->straight = NO_POINT;
}

void walk_function(struct lister *l) {
    node_id body = l->function->body;
    struct span span = at(l, body)->span;
    l->entry =
        lister_point(l, POINT_STATEMENT, (struct span){span.begin + 1, span.end - 1}, NO_POINT);
    l->switch_point = l->entry;
    l->here = l->entry;
    offer(l, SITE_FUNCTION, body, l->entry);
    walk_compound(l, body);
}
