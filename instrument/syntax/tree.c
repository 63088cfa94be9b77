/* tree: see tree.h. One visit of libclang's cursors a function body. */
#include "instrument/syntax/tree.h"

#include <assert.h>
#include <string.h>

struct visit {
    struct tree *tree;
    node_id parent;
    node_id last; /* youngest child so far */
};

static enum node_kind statement_kind(enum CXCursorKind kind) {
    switch (kind) {
    case CXCursor_CompoundStmt:
        return N_COMPOUND;
    case CXCursor_IfStmt:
        return N_IF;
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_ForStmt:
        return N_LOOP;
    case CXCursor_SwitchStmt:
        return N_SWITCH;
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
    case CXCursor_LabelStmt:
        return N_LABEL;
    case CXCursor_ReturnStmt:
        return N_RETURN;
    case CXCursor_BreakStmt:
    case CXCursor_ContinueStmt:
    case CXCursor_GotoStmt:
    case CXCursor_IndirectGotoStmt:
        return N_JUMP;
    case CXCursor_DeclStmt:
        return N_DECLARATION;
    case CXCursor_NullStmt:
        return N_EMPTY;
    case CXCursor_GCCAsmStmt:
    case CXCursor_MSAsmStmt:
        return N_ASM;
    case CXCursor_VarDecl:
        return N_VARIABLE;
    default:
        return N_NONE;
    }
}

static enum node_kind expression_kind(enum CXCursorKind kind) {
    switch (kind) {
    case CXCursor_ConditionalOperator:
        return N_CHOICE;
    case CXCursor_BinaryOperator:
        return N_BINARY;
    case CXCursor_CompoundAssignOperator:
        return N_ASSIGN;
    case CXCursor_UnaryOperator:
        return N_UNARY;
    case CXCursor_CStyleCastExpr:
        return N_CAST;
    case CXCursor_ParenExpr:
        return N_PAREN;
    case CXCursor_CallExpr:
        return N_CALL;
    case CXCursor_ArraySubscriptExpr:
        return N_INDEX;
    case CXCursor_MemberRefExpr:
        return N_MEMBER;
    case CXCursor_DeclRefExpr:
        return N_NAME;
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_StringLiteral:
        return N_LITERAL;
    case CXCursor_InitListExpr:
    case CXCursor_CompoundLiteralExpr:
        return N_LIST;
    case CXCursor_StmtExpr:
        return N_BLOCK;
    case CXCursor_UnaryExpr:
    case CXCursor_AddrLabelExpr:
        return N_CONSTANT;
    default:
        return N_NONE;
    }
}

/* libclang shows implicit casts, designators and several GNU expressions all as "unexposed". */
struct unexposed {
    unsigned children;
    bool same_span, first_is_reference;
    struct span span;
    const struct unit *unit;
};

static enum CXChildVisitResult look_at_child(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    struct unexposed *u = data;
    struct span span = unit_span(u->unit, cursor);
    u->children++;
    u->same_span = span.begin == u->span.begin && span.end == u->span.end;
    return CXChildVisit_Continue;
}

static enum node_kind unexposed_kind(const struct unit *unit, CXCursor cursor, struct span span) {
    struct unexposed u = {0, false, false, span, unit};
    clang_visitChildren(cursor, look_at_child, &u);
    char start = unit->text[span.begin];
    if (u.children == 1 && u.same_span)
        return N_IMPLICIT;
    if (clang_isStatement(clang_getCursorKind(cursor)))
        return N_COMPOUND; /* attributed statement: the statement is its child */
    if (start == '.' || start == '[')
        return N_LIST;
    if (str_starts(unit->text + span.begin, "__builtin_offsetof") ||
        str_starts(unit->text + span.begin, "__builtin_types_compatible_p"))
        return N_CONSTANT;
    return N_OPAQUE;
}

/* Calls that do not evaluate their arguments. */
static bool is_unevaluated_call(const char *text) {
    return str_starts(text, "__builtin_constant_p") || str_starts(text, "__builtin_object_size") ||
           str_starts(text, "__builtin_classify_type");
}

static enum node_kind kind_of(const struct unit *unit, CXCursor cursor, struct span span,
                              uint8_t *op) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    enum node_kind statement = statement_kind(kind);
    if (statement != N_NONE)
        return statement;
    if (kind == CXCursor_UnexposedExpr || kind == CXCursor_UnexposedStmt)
        return unexposed_kind(unit, cursor, span);
    enum node_kind expression = expression_kind(kind);
    if (expression == N_BINARY || expression == N_ASSIGN) {
        *op = (uint8_t)clang_getCursorBinaryOperatorKind(cursor);
        return *op >= CXBinaryOperator_Assign && *op < CXBinaryOperator_Comma ? N_ASSIGN : N_BINARY;
    }
    if (expression == N_CALL && is_unevaluated_call(unit->text + span.begin))
        return N_CONSTANT;
    if (expression == N_UNARY)
        *op = (uint8_t)clang_getCursorUnaryOperatorKind(cursor);
    if (expression == N_NONE && clang_isExpression(kind))
        return kind == CXCursor_MemberRef ? N_NONE : N_OPAQUE;
    if (expression == N_NONE && clang_isStatement(kind))
        return N_OPAQUE;
    return expression;
}

static enum CXChildVisitResult visit_child(CXCursor cursor, CXCursor parent, CXClientData data);

static void visit_below(struct tree *tree, node_id id, CXCursor cursor) {
    struct visit visit = {tree, id, 0};
    clang_visitChildren(cursor, visit_child, &visit);
}

static node_id add_node(struct visit *visit, CXCursor cursor, enum node_kind kind, uint8_t op,
                        struct span span) {
    struct tree *tree = visit->tree;
    node_id id = (node_id)tree->nodes.len;
    struct node node = {
        .cursor = cursor, .span = span, .parent = visit->parent, .op = op, .kind = (uint8_t)kind};
    vec_push(&tree->nodes, node);
    if (visit->last)
        tree_at(tree, visit->last)->next = id;
    else if (visit->parent)
        tree_at(tree, visit->parent)->first = id;
    visit->last = id;
    return id;
}

/* Tables of functions: who is named in an initialiser that is not in the tree. */
static enum CXChildVisitResult find_functions(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    struct tree *tree = data;
    if (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr) {
        CXCursor named = clang_getCursorReferenced(cursor);
        if (clang_getCursorKind(named) == CXCursor_FunctionDecl)
            vec_push(&tree->tabled, named);
    }
    return CXChildVisit_Recurse;
}

static bool is_static(CXCursor variable) {
    enum CX_StorageClass storage = clang_Cursor_getStorageClass(variable);
    return storage == CX_SC_Static || storage == CX_SC_Extern;
}

/* Children that are executed: the initialiser of a variable, the operand of a cast (after its
 * type), the statement of a label (after its constants). */
static node_id visit_last_only(struct tree *tree, node_id id) {
    node_id last = 0;
    for (node_id child = tree_at(tree, id)->first; child; child = tree_at(tree, child)->next)
        last = child;
    tree_at(tree, id)->first = last;
    return last;
}

static void visit_variable(struct visit *visit, CXCursor cursor, struct span span) {
    node_id id = add_node(visit, cursor, N_VARIABLE, 0, span);
    CXCursor initial = clang_Cursor_getVarDeclInitializer(cursor);
    if (clang_Cursor_isNull(initial))
        return;
    if (is_static(cursor)) {
        clang_visitChildren(cursor, find_functions, visit->tree);
        return;
    }
    struct visit below = {visit->tree, id, 0};
    visit_child(initial, cursor, &below);
    tree_at(visit->tree, id)->a = tree_at(visit->tree, id)->first;
}

static enum CXChildVisitResult visit_child(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    struct visit *visit = data;
    struct tree *tree = visit->tree;
    struct span span = unit_span(tree->unit, cursor);
    uint8_t op = 0;
    enum node_kind kind = kind_of(tree->unit, cursor, span, &op);
    if (kind == N_NONE)
        return CXChildVisit_Continue;
    if (kind == N_VARIABLE) {
        visit_variable(visit, cursor, span);
        return CXChildVisit_Continue;
    }
    node_id id = add_node(visit, cursor, kind, op, span);
    if (kind != N_OPAQUE && kind != N_CONSTANT && kind != N_ASM)
        visit_below(tree, id, cursor);
    return CXChildVisit_Continue;
}

/* Roles. */

static void nth_children(const struct tree *tree, node_id id, node_id child[4]) {
    node_id at = tree_at(tree, id)->first;
    for (int i = 0; i < 4; i++) {
        child[i] = at;
        at = at ? tree_at(tree, at)->next : 0;
    }
}

/* The offset of the `n`th semicolon of a for header, outside parentheses and braces. */
static size_t header_semicolon(const struct unit *unit, size_t at, int n) {
    int depth = 0;
    for (at = unit_skip_blank(unit, at); at < unit->len; at = unit_skip_blank(unit, at + 1)) {
        char c = unit->text[at];
        if (c == '(' || c == '{' || c == '[')
            depth++;
        else if (c == ')' || c == '}' || c == ']')
            depth--;
        else if (c == ';' && depth == 1 && n-- == 0)
            return at;
        else if (c == '"' || c == '\'')
            for (at++; at < unit->len && unit->text[at] != c; at++)
                at += unit->text[at] == '\\';
    }
    return unit->len;
}

static void set_for_roles(struct tree *tree, node_id id) {
    struct node *node = tree_at(tree, id);
    size_t first = header_semicolon(tree->unit, node->span.begin, 0);
    size_t second = header_semicolon(tree->unit, node->span.begin, 1);
    for (node_id child = node->first; child; child = tree_at(tree, child)->next) {
        size_t begin = tree_at(tree, child)->span.begin;
        if (!tree_at(tree, child)->next)
            node->b = child;
        else if (begin < first)
            node->c = child;
        else if (begin < second)
            node->a = child;
        else
            node->d = child;
    }
}

static void set_loop_roles(struct tree *tree, node_id id, const node_id child[4]) {
    struct node *node = tree_at(tree, id);
    enum CXCursorKind kind = clang_getCursorKind(node->cursor);
    if (kind == CXCursor_ForStmt) {
        set_for_roles(tree, id);
    } else {
        bool is_do = kind == CXCursor_DoStmt;
        node->a = child[is_do ? 1 : 0];
        node->b = child[is_do ? 0 : 1];
    }
}

static void set_roles(struct tree *tree, node_id id) {
    node_id child[4];
    struct node *node = tree_at(tree, id);
    if (node->kind == N_CAST)
        visit_last_only(tree, id);
    nth_children(tree, id, child);
    switch ((enum node_kind)node->kind) {
    case N_LOOP:
        set_loop_roles(tree, id, child);
        break;
    case N_LABEL:
        node->b = visit_last_only(tree, id);
        node->a = child[0] != node->b ? child[0] : 0;
        node->c = child[2] ? child[1] : 0;
        break;
    default:
        node->a = child[0];
        node->b = child[1];
        node->c = child[2];
        break;
    }
}

/* Statements that clang ends before their semicolon. */
static bool ends_with_semicolon(const struct tree *tree, node_id id) {
    const struct node *node = tree_at(tree, id);
    switch ((enum node_kind)node->kind) {
    case N_RETURN:
    case N_JUMP:
    case N_ASM:
        return true;
    case N_LOOP:
        return clang_getCursorKind(node->cursor) == CXCursor_DoStmt;
    default:
        return node_is_expression(node);
    }
}

static bool is_statement_position(const struct tree *tree, node_id id) {
    const struct node *parent = tree_at(tree, tree_at(tree, id)->parent);
    switch ((enum node_kind)parent->kind) {
    case N_COMPOUND:
        return true;
    case N_IF:
        return id == parent->b || id == parent->c;
    case N_LOOP:
    case N_SWITCH:
    case N_LABEL:
        return id == parent->b;
    default:
        return false;
    }
}

/* The body that ends a statement, 0 when it ends otherwise. */
static node_id last_body(const struct node *node) {
    switch ((enum node_kind)node->kind) {
    case N_IF:
        return node->c ? node->c : node->b;
    case N_LOOP:
        return clang_getCursorKind(node->cursor) == CXCursor_DoStmt ? 0 : node->b;
    case N_LABEL:
    case N_SWITCH:
        return node->b;
    default:
        return 0;
    }
}

/* Children come after their parents: going backwards, those of inner statements are known. */
static void set_stop(struct tree *tree, node_id id) {
    struct node *node = tree_at(tree, id);
    node_id last = last_body(node);
    node->stop = node->span.end;
    if (last && tree_at(tree, last)->stop > node->stop) {
        node->stop = tree_at(tree, last)->stop;
        node->span.end = node->stop;
    } else if (is_statement_position(tree, id) && ends_with_semicolon(tree, id)) {
        size_t at = unit_skip_blank(tree->unit, node->span.end);
        if (tree->unit->text[at] == ';')
            node->stop = at + 1;
    }
}

static void complete(struct tree *tree, node_id first) {
    for (node_id id = first; id < tree->nodes.len; id++)
        set_roles(tree, id);
    for (node_id id = (node_id)tree->nodes.len - 1; id > first; id--)
        set_stop(tree, id);
    tree_at(tree, first)->stop = tree_at(tree, first)->span.end;
}

static enum CXChildVisitResult find_body(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    struct visit *visit = data;
    if (clang_getCursorKind(cursor) != CXCursor_CompoundStmt)
        return CXChildVisit_Continue;
    node_id id = add_node(visit, cursor, N_COMPOUND, 0, unit_span(visit->tree->unit, cursor));
    visit_below(visit->tree, id, cursor);
    return CXChildVisit_Break;
}

struct unit_visit {
    struct tree *tree;
    uint32_t unit;
};

static enum CXChildVisitResult visit_top(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    struct unit_visit *top = data;
    struct tree *tree = top->tree;
    if (clang_getCursorKind(cursor) == CXCursor_VarDecl)
        clang_visitChildren(cursor, find_functions, tree);
    if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl || !clang_isCursorDefinition(cursor) ||
        !unit_owns(tree->unit, cursor))
        return CXChildVisit_Continue;
    node_id first = (node_id)tree->nodes.len;
    struct visit visit = {tree, 0, 0};
    clang_visitChildren(cursor, find_body, &visit);
    if (tree->nodes.len == first)
        return CXChildVisit_Continue;
    complete(tree, first);
    struct function function = {.name = cursor_name(cursor, &tree->arena),
                                .cursor = cursor,
                                .is_static = clang_Cursor_getStorageClass(cursor) == CX_SC_Static,
                                .body = first,
                                .first = first,
                                .end = (node_id)tree->nodes.len,
                                .span = unit_span(tree->unit, cursor),
                                .place = unit_place_of(tree->unit, cursor),
                                .unit = top->unit};
    vec_push(&tree->functions, function);
    return CXChildVisit_Continue;
}

void tree_build(struct tree *tree, const struct unit *unit, uint32_t number) {
    assert(tree->nodes.len == 0);
    tree->unit = unit;
    vec_push(&tree->nodes, (struct node){0});
    struct unit_visit top = {tree, number};
    clang_visitChildren(clang_getTranslationUnitCursor(unit->tu), visit_top, &top);
}

void tree_free(struct tree *tree) {
    vec_free(&tree->nodes);
    vec_free(&tree->functions);
    vec_free(&tree->tabled);
    arena_free(&tree->arena);
    tree->unit = NULL;
}

bool node_is_expression(const struct node *node) {
    return node->kind >= N_CHOICE;
}

bool node_is_statement(const struct node *node) {
    return node->kind >= N_COMPOUND && node->kind < N_VARIABLE;
}

node_id tree_strip(const struct tree *tree, node_id id) {
    while (tree_at(tree, id)->kind == N_PAREN || tree_at(tree, id)->kind == N_IMPLICIT)
        id = tree_at(tree, id)->a;
    return id;
}

bool tree_constant(const struct tree *tree, node_id id, long long *value) {
    CXEvalResult result = clang_Cursor_Evaluate(tree_at(tree, id)->cursor);
    if (!result)
        return false;
    bool integer = clang_EvalResult_getKind(result) == CXEval_Int;
    if (integer)
        *value = clang_EvalResult_isUnsignedInt(result)
                     ? (long long)clang_EvalResult_getAsUnsigned(result)
                     : clang_EvalResult_getAsLongLong(result);
    clang_EvalResult_dispose(result);
    return integer;
}

CXCursor tree_named(const struct tree *tree, node_id id) {
    id = tree_strip(tree, id);
    const struct node *node = tree_at(tree, id);
    while (node->kind == N_CAST || node->kind == N_PAREN || node->kind == N_IMPLICIT ||
           (node->kind == N_UNARY &&
            (node->op == CXUnaryOperator_Deref || node->op == CXUnaryOperator_AddrOf)))
        node = tree_at(tree, node->a);
    if (node->kind == N_NAME || node->kind == N_MEMBER)
        return clang_getCursorReferenced(node->cursor);
    return clang_getNullCursor();
}
