/* The visitor of function bodies: accesses, calls and flows of pointers.
 *
 * value() returns the node that holds the pointers an expression yields, NOTHING when it yields
 * none. lvalue_of() names the place an expression designates and visits what is evaluated on the
 * way. sizeof and its like are not evaluated and not visited. */
#include "instrument/inputs/assembly.h"
#include "instrument/inputs/interface_scan.h"

#include <assert.h>

static uint32_t value(struct scan *scan, CXCursor cursor);
static struct lvalue lvalue_of(struct scan *scan, CXCursor cursor);

/* Operands that C orders in no way are noted by marks, one before each and one at the end. */
static void mark(const struct scan *scan, struct ids *marks) {
    vec_push(marks, (uint32_t)scan->evaluations.len);
}

static bool has_effect(const struct scan *scan, const struct ids *marks) {
    for (size_t i = marks->data[0]; i < vec_last(marks); i++)
        if (scan->evaluations.data[i].writes || scan->evaluations.data[i].call != NOTHING)
            return true;
    return false;
}

/* The marks are used up. */
static void note_operands(struct scan *scan, CXCursor cursor, struct ids *marks, bool stores) {
    struct operands operands = {cursor, scan->unit, scan->function, 0, 0, stores};
    assert(marks->len > 0);
    operands.first = (uint32_t)scan->marks.len;
    operands.n = (uint32_t)marks->len - 1;
    if (scan->function != NOTHING && operands.n > 1 && has_effect(scan, marks)) {
        vec_append(&scan->marks, marks->data, marks->len);
        vec_push(&scan->operands, operands);
    }
    vec_free(marks);
}

enum { LONGEST_PATTERN = 400 }; /* p = &p->next: a prefix says the same, coarser */

static uint32_t pattern_append(struct scan *scan, uint32_t pattern, const char *more) {
    const char *text = intern_text(&scan->patterns, pattern);
    struct str joined = {0};
    str_addf(&joined, "%s%s", text, more);
    uint32_t id =
        joined.len > LONGEST_PATTERN ? pattern : intern_id(&scan->patterns, str_text(&joined));
    str_free(&joined);
    return id;
}

static void note_evaluation(struct scan *scan, struct lvalue lvalue, bool reads, bool writes) {
    struct evaluation evaluation = {lvalue, NOTHING, reads, writes};
    if (lvalue.kind != LVALUE_NONE && scan->function != NOTHING)
        vec_push(&scan->evaluations, evaluation);
}

static void note_access(struct scan *scan, struct lvalue lvalue, bool reads, bool writes) {
    assert(reads || writes);
    if (lvalue.kind == LVALUE_NONE || scan->function == NOTHING)
        return;
    if (lvalue.kind == LVALUE_DIRECT) {
        scan->objects.data[lvalue.base].used = true;
        if (scan->objects.data[lvalue.base].kind == OBJECT_LOCAL)
            return;
    }
    struct access access = {lvalue, scan->function, reads, writes};
    vec_push(&scan->accesses, access);
}

/* The node of the pointers that are read from an lvalue. */
static uint32_t load(struct scan *scan, struct lvalue lvalue) {
    if (lvalue.kind == LVALUE_NONE)
        return NOTHING;
    uint32_t node = scan_new_node(scan);
    scan_add_flow(scan, lvalue.kind == LVALUE_DIRECT ? FLOW_GET : FLOW_LOAD, node, lvalue.base,
                  lvalue.pattern);
    return node;
}

static void store(struct scan *scan, struct lvalue lvalue, uint32_t from) {
    if (from == NOTHING || lvalue.kind == LVALUE_NONE)
        return;
    scan_add_flow(scan, lvalue.kind == LVALUE_DIRECT ? FLOW_PUT : FLOW_STORE, lvalue.base, from,
                  lvalue.pattern);
}

/* Whether values of the type can hold pointers: numbers need no nodes. */
static bool may_point(CXType type) {
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return kind == CXType_Pointer || kind == CXType_Record || kind == CXType_Long ||
           kind == CXType_ULong || kind == CXType_Int || kind == CXType_UInt ||
           kind == CXType_LongLong || kind == CXType_ULongLong || kind == CXType_FunctionProto ||
           kind == CXType_FunctionNoProto;
}

static uint32_t address(struct scan *scan, struct lvalue lvalue) {
    if (lvalue.kind == LVALUE_NONE)
        return NOTHING;
    uint32_t node = scan_new_node(scan);
    enum flow_kind kind = lvalue.kind == LVALUE_DIRECT ? FLOW_PLACE : FLOW_OFFSET;
    if (lvalue.kind == LVALUE_DIRECT)
        scan->objects.data[lvalue.base].used = true;
    scan_add_flow(scan, kind, node, lvalue.base, lvalue.pattern);
    return node;
}

static uint32_t join(struct scan *scan, uint32_t a, uint32_t b) {
    assert((a == NOTHING || a < scan->nodes.len) && (b == NOTHING || b < scan->nodes.len));
    if (a == NOTHING || b == NOTHING || a == b)
        return a == NOTHING ? b : a;
    uint32_t node = scan_new_node(scan);
    scan_add_flow(scan, FLOW_COPY, node, a, 0);
    scan_add_flow(scan, FLOW_COPY, node, b, 0);
    return node;
}

static bool is_unordered(CXCursor cursor) {
    if (cursor.kind == CXCursor_InitListExpr)
        return true;
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
    return cursor.kind == CXCursor_BinaryOperator && kind != CXBinaryOperator_LAnd &&
           kind != CXBinaryOperator_LOr && kind != CXBinaryOperator_Comma;
}

/* All children, evaluated; the pointers of any of them. */
static uint32_t value_of_children(struct scan *scan, CXCursor cursor) {
    struct cursors children = {0};
    struct ids marks = {0};
    cursor_children(cursor, &children);
    uint32_t node = NOTHING;
    for (size_t i = 0; i < children.len; i++) {
        mark(scan, &marks);
        node = join(scan, node, value(scan, children.data[i]));
    }
    mark(scan, &marks);
    if (is_unordered(cursor))
        note_operands(scan, cursor, &marks, false);
    vec_free(&marks);
    vec_free(&children);
    return node;
}

static CXCursor nth_child(CXCursor cursor, size_t n) {
    struct cursors children = {0};
    cursor_children(cursor, &children);
    CXCursor child = n < children.len ? children.data[n] : clang_getNullCursor();
    vec_free(&children);
    return child;
}

static bool is_array(CXType type) {
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return kind == CXType_ConstantArray || kind == CXType_IncompleteArray ||
           kind == CXType_VariableArray;
}

/* Casts that the compiler adds and parentheses. */
static CXCursor peel(CXCursor cursor) {
    while (cursor.kind == CXCursor_UnexposedExpr || cursor.kind == CXCursor_ParenExpr) {
        CXCursor child = nth_child(cursor, 0);
        if (clang_Cursor_isNull(child))
            break;
        cursor = child;
    }
    return cursor;
}

static struct lvalue lvalue_variable(struct scan *scan, CXCursor cursor) {
    struct lvalue none = {0};
    CXCursor decl = clang_getCursorReferenced(cursor);
    if (decl.kind != CXCursor_VarDecl && decl.kind != CXCursor_ParmDecl)
        return none;
    uint32_t object = scan_object_of(scan, scan->unit, decl);
    if (object == NOTHING)
        return none;
    return (struct lvalue){.kind = LVALUE_DIRECT, .base = object};
}

static struct lvalue behind(uint32_t node) {
    struct lvalue lvalue = {.kind = LVALUE_DEREF, .base = node};
    return node == NOTHING ? (struct lvalue){0} : lvalue;
}

static struct lvalue lvalue_member(struct scan *scan, CXCursor cursor) {
    CXCursor base = nth_child(cursor, 0);
    if (clang_Cursor_isNull(base))
        return (struct lvalue){0};
    bool arrow = clang_getCanonicalType(clang_getCursorType(base)).kind == CXType_Pointer;
    struct lvalue lvalue = arrow ? behind(value(scan, base)) : lvalue_of(scan, base);
    CXCursor field = clang_getCursorReferenced(cursor);
    CXCursor record = clang_getCursorSemanticParent(field);
    /* members of an anonymous struct inside a union belong to the union, too */
    for (; clang_Cursor_isAnonymousRecordDecl(record);
         record = clang_getCursorSemanticParent(record))
        lvalue.in_union |= record.kind == CXCursor_UnionDecl;
    lvalue.in_union |= record.kind == CXCursor_UnionDecl;
    if (!lvalue.in_union && lvalue.kind != LVALUE_NONE) {
        CXString name = clang_getCursorSpelling(field);
        char *more = arena_printf(&scan->arena, ".%s", clang_getCString(name));
        lvalue.pattern = pattern_append(scan, lvalue.pattern, more);
        clang_disposeString(name);
    }
    return lvalue;
}

static bool is_parameter(CXCursor cursor) {
    return cursor.kind == CXCursor_DeclRefExpr &&
           clang_getCursorReferenced(cursor).kind == CXCursor_ParmDecl;
}

static bool is_zero(CXCursor cursor) {
    CXEvalResult result = clang_Cursor_Evaluate(cursor);
    if (!result)
        return false;
    bool zero = clang_EvalResult_getKind(result) == CXEval_Int &&
                clang_EvalResult_getAsLongLong(result) == 0;
    clang_EvalResult_dispose(result);
    return zero;
}

static void note_indexed(struct scan *scan, uint32_t node) {
    if (node != NOTHING)
        vec_push(&scan->indexed, node);
}

static bool is_pointer(CXCursor cursor) {
    return clang_getCanonicalType(clang_getCursorType(cursor)).kind == CXType_Pointer;
}

static struct lvalue lvalue_element(struct scan *scan, CXCursor cursor) {
    CXCursor base = nth_child(cursor, 0), index = nth_child(cursor, 1);
    CXCursor bare = peel(base);
    if (clang_getCanonicalType(clang_getCursorType(index)).kind == CXType_Pointer) { /* 3[tab] */
        CXCursor swap = base;
        base = index;
        index = swap;
        bare = peel(base);
    }
    struct ids marks = {0};
    struct lvalue lvalue;
    mark(scan, &marks);
    value(scan, index);
    mark(scan, &marks);
    if (!is_array(clang_getCursorType(bare)) || is_parameter(bare)) {
        uint32_t node = value(scan, base);
        if (!is_zero(index))
            note_indexed(scan, node);
        lvalue = behind(node);
    } else {
        lvalue = lvalue_of(scan, bare);
        if (lvalue.kind != LVALUE_NONE && !lvalue.in_union)
            lvalue.pattern = pattern_append(scan, lvalue.pattern, "[]");
    }
    mark(scan, &marks);
    note_operands(scan, cursor, &marks, false);
    return lvalue;
}

static struct lvalue lvalue_of(struct scan *scan, CXCursor cursor) {
    switch (cursor.kind) {
    case CXCursor_DeclRefExpr:
        return lvalue_variable(scan, cursor);
    case CXCursor_MemberRefExpr:
        return lvalue_member(scan, cursor);
    case CXCursor_ArraySubscriptExpr:
        return lvalue_element(scan, cursor);
    case CXCursor_ParenExpr:
    case CXCursor_UnexposedExpr:
        return lvalue_of(scan, nth_child(cursor, 0));
    case CXCursor_UnaryOperator:
        if (clang_getCursorUnaryOperatorKind(cursor) == CXUnaryOperator_Deref)
            return behind(value(scan, nth_child(cursor, 0)));
        break;
    default:
        break;
    }
    if (!clang_Cursor_isNull(cursor))
        value(scan, cursor); /* f().member, compound literals */
    return (struct lvalue){0};
}

static bool is_volatile_scalar(CXType type) {
    CXType canonical = clang_getCanonicalType(type);
    return clang_isVolatileQualifiedType(canonical) && !is_array(canonical) &&
           canonical.kind != CXType_Record;
}

static bool holds_volatile(CXType type);

static enum CXVisitorResult is_volatile_member(CXCursor member, CXClientData found) {
    *(bool *)found = holds_volatile(clang_getCursorType(member));
    return *(bool *)found ? CXVisit_Break : CXVisit_Continue;
}

/* Is it, or is a member of it, volatile and not const? */
static bool holds_volatile(CXType type) {
    CXType canonical = clang_getCanonicalType(type);
    bool found = false;
    while (is_array(canonical))
        canonical = clang_getCanonicalType(clang_getArrayElementType(canonical));
    if (clang_isVolatileQualifiedType(canonical))
        return !clang_isConstQualifiedType(canonical);
    if (canonical.kind == CXType_Record)
        clang_Type_visitFields(canonical, is_volatile_member, &found);
    return found;
}

static void note_volatile(struct scan *scan, struct volatile_uses *uses, struct lvalue lvalue,
                          CXCursor place, CXCursor operation) {
    CXType type = clang_getCanonicalType(clang_getCursorType(place));
    bool whole = type.kind == CXType_Record && holds_volatile(type);
    if (scan->function == NOTHING || (!whole && !is_volatile_scalar(type)))
        return;
    if (lvalue.kind == LVALUE_DIRECT && scan->objects.data[lvalue.base].kind == OBJECT_LOCAL)
        return; /* nobody else can change an automatic variable */
    struct volatile_use use = {lvalue, place, operation, scan->function, scan->unit, whole};
    vec_push(uses, use);
}

/* An lvalue used for its value; an array yields its address. */
static uint32_t read_lvalue(struct scan *scan, CXCursor cursor) {
    struct lvalue lvalue = lvalue_of(scan, cursor);
    if (is_array(clang_getCursorType(cursor)) && !is_parameter(cursor)) {
        if (lvalue.kind != LVALUE_NONE && !lvalue.in_union)
            lvalue.pattern = pattern_append(scan, lvalue.pattern, "[]");
        return address(scan, lvalue);
    }
    note_access(scan, lvalue, true, false);
    note_evaluation(scan, lvalue, true, false);
    note_volatile(scan, &scan->volatile_reads, lvalue, cursor, cursor);
    bool points = is_parameter(cursor) || may_point(clang_getCursorType(cursor));
    return points ? load(scan, lvalue) : NOTHING;
}

static uint32_t function_address(struct scan *scan, CXCursor decl) {
    assert(decl.kind == CXCursor_FunctionDecl);
    uint32_t id = scan_intern_function(scan, decl);
    struct routine *function = &scan->functions.data[id];
    if (function->object == NOTHING) {
        struct object object = {.kind = OBJECT_FUNCTION, .name = function->name, .unit = id};
        object.path = object.c_name = object.name;
        object.function = id;
        object.decl = decl;
        object.type = clang_getCursorType(decl);
        char *key = arena_printf(&scan->arena, "F:%u", id);
        uint32_t made = scan_new_object(scan, key, &object);
        scan->functions.data[id].object = made;
        function = &scan->functions.data[id];
    }
    uint32_t node = scan_new_node(scan);
    scan_add_flow(scan, FLOW_PLACE, node, function->object, 0);
    return node;
}

static uint32_t value_variable(struct scan *scan, CXCursor cursor) {
    CXCursor decl = clang_getCursorReferenced(cursor);
    if (decl.kind == CXCursor_FunctionDecl)
        return function_address(scan, decl);
    if (decl.kind != CXCursor_VarDecl && decl.kind != CXCursor_ParmDecl)
        return NOTHING;
    return read_lvalue(scan, cursor);
}

static uint32_t value_assign(struct scan *scan, CXCursor cursor) {
    CXCursor left = nth_child(cursor, 0);
    struct ids marks = {0};
    mark(scan, &marks);
    uint32_t node = value(scan, nth_child(cursor, 1));
    mark(scan, &marks);
    struct lvalue lvalue = lvalue_of(scan, left);
    mark(scan, &marks);
    note_access(scan, lvalue, false, true);
    note_evaluation(scan, lvalue, false, true);
    mark(scan, &marks);
    note_operands(scan, cursor, &marks, true);
    if (lvalue.kind != LVALUE_DIRECT)
        note_volatile(scan, &scan->volatile_writes, lvalue, left, cursor);
    store(scan, lvalue, node);
    return node;
}

/* op= and ++: reads and writes. */
static uint32_t value_update(struct scan *scan, CXCursor cursor, CXCursor left, CXCursor right) {
    struct ids marks = {0};
    mark(scan, &marks);
    if (!clang_Cursor_isNull(right))
        value(scan, right);
    mark(scan, &marks);
    struct lvalue lvalue = lvalue_of(scan, left);
    note_access(scan, lvalue, true, true);
    note_evaluation(scan, lvalue, true, false);
    mark(scan, &marks);
    note_evaluation(scan, lvalue, false, true);
    mark(scan, &marks);
    note_operands(scan, cursor, &marks, true);
    note_volatile(scan, &scan->volatile_reads, lvalue, left, cursor);
    uint32_t node = load(scan, lvalue);
    if (is_pointer(left))
        note_indexed(scan, node);
    return node;
}

static uint32_t value_unary(struct scan *scan, CXCursor cursor) {
    CXCursor operand = nth_child(cursor, 0);
    switch (clang_getCursorUnaryOperatorKind(cursor)) {
    case CXUnaryOperator_AddrOf: {
        CXCursor bare = peel(operand);
        if (bare.kind == CXCursor_DeclRefExpr &&
            clang_getCursorReferenced(bare).kind == CXCursor_FunctionDecl)
            return value(scan, bare);
        return address(scan, lvalue_of(scan, operand));
    }
    case CXUnaryOperator_Deref:
        if (clang_getCanonicalType(clang_getCursorType(cursor)).kind == CXType_FunctionProto)
            return value(scan, operand);
        return read_lvalue(scan, cursor);
    case CXUnaryOperator_PostInc:
    case CXUnaryOperator_PostDec:
    case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PreDec:
        return value_update(scan, cursor, operand, clang_getNullCursor());
    default:
        return value_of_children(scan, cursor);
    }
}

static uint32_t value_binary(struct scan *scan, CXCursor cursor) {
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
    if (kind == CXBinaryOperator_Assign)
        return value_assign(scan, cursor);
    if (kind == CXBinaryOperator_Comma) {
        value(scan, nth_child(cursor, 0));
        return value(scan, nth_child(cursor, 1));
    }
    uint32_t node = value_of_children(scan, cursor);
    if (is_pointer(cursor)) /* p + i, p - i */
        note_indexed(scan, node);
    return node;
}

static void note_call(struct scan *scan, const struct call *call) {
    struct evaluation evaluation = {.call = (uint32_t)scan->calls.len};
    assert(call->caller == scan->function);
    if (scan->function != NOTHING)
        vec_push(&scan->evaluations, evaluation);
}

static uint32_t value_call(struct scan *scan, CXCursor cursor) {
    assert(cursor.kind == CXCursor_CallExpr);
    struct call call = {.caller = scan->function, .callee = NOTHING, .pointer = NOTHING};
    call.cursor = cursor;
    call.unit = scan->unit;
    struct ids marks = {0};
    CXCursor target = peel(nth_child(cursor, 0));
    CXCursor decl = clang_getCursorReferenced(target);
    mark(scan, &marks);
    if (target.kind == CXCursor_DeclRefExpr && decl.kind == CXCursor_FunctionDecl)
        call.callee = scan_intern_function(scan, decl);
    else
        call.pointer = value(scan, nth_child(cursor, 0));
    int n = clang_Cursor_getNumArguments(cursor);
    for (int i = 0; i < n; i++) {
        mark(scan, &marks);
        uint32_t node = value(scan, clang_Cursor_getArgument(cursor, (unsigned)i));
        vec_push(&call.args, node);
    }
    mark(scan, &marks);
    note_operands(scan, cursor, &marks, false);
    call.result = scan_new_node(scan);
    note_call(scan, &call);
    vec_push(&scan->calls, call);
    if (scan->function != NOTHING && call.callee != NOTHING) {
        vec_push(&scan->functions.data[scan->function].calls, call.callee);
        scan->functions.data[call.callee].called |= call.callee != scan->function;
    } else if (scan->function != NOTHING && call.pointer != NOTHING) {
        vec_push(&scan->functions.data[scan->function].pointer_calls, call.pointer);
    }
    return call.result;
}

void scan_initialiser(struct scan *scan, uint32_t object, CXCursor init) {
    struct lvalue lvalue = {.kind = LVALUE_DIRECT, .base = object};
    store(scan, lvalue, value(scan, init));
}

static void declare_local(struct scan *scan, CXCursor cursor) {
    assert(cursor.kind == CXCursor_VarDecl);
    uint32_t object = scan_intern_object(scan, cursor);
    CXCursor init = clang_Cursor_getVarDeclInitializer(cursor);
    if (clang_Cursor_isNull(init))
        return;
    uint32_t function = scan->function;
    if (scan->objects.data[object].kind == OBJECT_LOCAL_STATIC)
        scan->function = NOTHING; /* evaluated by the compiler, not by the function */
    scan_initialiser(scan, object, init);
    scan->function = function;
}

static uint32_t value_return(struct scan *scan, CXCursor cursor) {
    uint32_t node = value_of_children(scan, cursor);
    if (node != NOTHING && scan->function != NOTHING)
        scan_add_flow(scan, FLOW_COPY, scan->functions.data[scan->function].result, node, 0);
    return NOTHING;
}

/* What it says that it writes is written; what else it may write is a limitation. */
static uint32_t value_assembly(struct scan *scan, CXCursor cursor) {
    struct assembly known;
    value_of_children(scan, cursor);
    if (assembly_read(&scan->units[scan->unit], cursor, &known)) {
        if (scan->function != NOTHING)
            scan->functions.data[scan->function].has_assembly |= !known.changes_nothing;
        for (size_t i = 0; i < known.variables.len; i++) {
            struct lvalue lvalue = lvalue_of(scan, known.variables.data[i]);
            note_access(scan, lvalue, false, true);
            note_evaluation(scan, lvalue, false, true);
        }
    }
    assembly_free(&known);
    return NOTHING;
}

static uint32_t value_special(struct scan *scan, CXCursor cursor) {
    switch (cursor.kind) {
    case CXCursor_TypeRef:
    case CXCursor_UnaryExpr: /* sizeof, _Alignof: not evaluated */
    case CXCursor_StructDecl:
    case CXCursor_UnionDecl:
    case CXCursor_EnumDecl:
    case CXCursor_TypedefDecl:
    case CXCursor_MemberRef: /* of a designator */
        return NOTHING;
    case CXCursor_FunctionDecl:
        scan->functions.data[scan_intern_function(scan, cursor)].declared = true;
        return NOTHING;
    default:
        return value_of_children(scan, cursor);
    }
}

static uint32_t value(struct scan *scan, CXCursor cursor) {
    switch (cursor.kind) {
    case CXCursor_DeclRefExpr:
        return value_variable(scan, cursor);
    case CXCursor_MemberRefExpr:
    case CXCursor_ArraySubscriptExpr:
        return read_lvalue(scan, cursor);
    case CXCursor_UnaryOperator:
        return value_unary(scan, cursor);
    case CXCursor_BinaryOperator:
        return value_binary(scan, cursor);
    case CXCursor_CompoundAssignOperator:
        return value_update(scan, cursor, nth_child(cursor, 0), nth_child(cursor, 1));
    case CXCursor_CallExpr:
        return value_call(scan, cursor);
    case CXCursor_ReturnStmt:
        return value_return(scan, cursor);
    case CXCursor_VarDecl:
        declare_local(scan, cursor);
        return NOTHING;
    case CXCursor_GCCAsmStmt:
        return value_assembly(scan, cursor);
    default:
        return value_special(scan, cursor);
    }
}

void scan_body(struct scan *scan, CXCursor function) {
    struct cursors children = {0};
    assert(scan->function != NOTHING);
    cursor_children(function, &children);
    for (size_t i = 0; i < children.len; i++)
        if (children.data[i].kind == CXCursor_CompoundStmt)
            value(scan, children.data[i]);
    vec_free(&children);
}
