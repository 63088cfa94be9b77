/* The statement is read as tokens; operands are looked up in the syntax. Whatever is not
 * understood is left to limitations.c. */
#include "instrument/inputs/assembly.h"

#include "base/str.h"
#include "instrument/syntax/foreign_assembly.h"
#include "instrument/syntax/lex.h"

#include <string.h>

/* The statement in words; places are those of the unit's text. */
struct asm_reader {
    const struct unit *unit;
    size_t end;
    struct lexeme now;
};

static void skip(struct asm_reader *r) {
    do
        r->now = lex_at(r->unit->text, r->end, r->now.end);
    while (r->now.kind == LEX_COMMENT || r->now.kind == LEX_DIRECTIVE);
}

static bool is(const struct asm_reader *r, const char *word) {
    return r->now.kind != LEX_END && lex_is(r->unit->text, r->now, word);
}

static bool take(struct asm_reader *r, const char *word) {
    if (!is(r, word))
        return false;
    skip(r);
    return true;
}

/* Adjacent strings as one, blanks and ends of instructions at both sides left out. */
static bool read_string(struct asm_reader *r, struct str *text) {
    bool any = false;
    for (; r->now.kind == LEX_STRING && r->unit->text[r->now.begin] == '"'; skip(r), any = true)
        str_addn(text, r->unit->text + r->now.begin + 1, r->now.end - r->now.begin - 2);
    return any;
}

/* ---- operands ---- */

struct asm_operands {
    VEC(struct span) list; /* the expressions between the brackets */
};

/* [name] "constraint" (expression), …  */
static bool read_operands(struct asm_reader *r, struct asm_operands *operands) {
    struct str constraint = {0};
    bool good = true;
    while (good && r->now.kind != LEX_END && !is(r, ":") && !is(r, ")")) {
        if (take(r, "["))
            skip(r), good = take(r, "]");
        good = good && read_string(r, &constraint) && is(r, "(");
        struct span span = {r->now.end, r->now.end};
        int depth = 0;
        for (; good && r->now.kind != LEX_END; skip(r)) {
            depth += is(r, "(") ? 1 : is(r, ")") ? -1 : 0;
            span.end = r->now.begin;
            if (depth == 0)
                break;
        }
        good = good && take(r, ")");
        vec_push(&operands->list, span);
        if (!take(r, ","))
            break;
    }
    str_free(&constraint);
    return good;
}

/* False: "memory" is among them. */
static bool read_clobbers(struct asm_reader *r, bool *memory) {
    struct str word = {0};
    while (read_string(r, &word)) {
        *memory |= strstr(str_text(&word), "memory") != NULL;
        str_clear(&word);
        if (!take(r, ","))
            break;
    }
    str_free(&word);
    return is(r, ")");
}

/* ---- what clang knows of the operands ---- */

struct asm_expressions {
    VEC(CXCursor) list;
};

static enum CXChildVisitResult add_expression(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct asm_expressions *expressions = data;
    (void)parent;
    vec_push(&expressions->list, cursor);
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult find_effect(CXCursor cursor, CXCursor parent, CXClientData data) {
    bool *found = data;
    (void)parent;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    enum CXUnaryOperatorKind op = clang_getCursorUnaryOperatorKind(cursor);
    *found |= kind == CXCursor_CallExpr || kind == CXCursor_CompoundAssignOperator ||
              kind == CXCursor_StmtExpr ||
              clang_getCursorBinaryOperatorKind(cursor) == CXBinaryOperator_Assign ||
              op == CXUnaryOperator_PostInc || op == CXUnaryOperator_PostDec ||
              op == CXUnaryOperator_PreInc || op == CXUnaryOperator_PreDec;
    return CXChildVisit_Recurse;
}

static bool is_number(CXType type) {
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    bool wide = kind == CXType_Int128 || kind == CXType_UInt128;
    return kind == CXType_Enum || (kind >= CXType_Bool && kind <= CXType_LongDouble && !wide);
}

static bool is_plain_input(CXCursor cursor) {
    bool effect = false;
    find_effect(cursor, cursor, &effect);
    clang_visitChildren(cursor, find_effect, &effect);
    return !effect && is_number(clang_getCursorType(cursor));
}

/* The name of a variable that is no hardware register, and nothing else. */
static bool is_variable(const struct unit *unit, CXCursor cursor, struct span span) {
    enum CXCursorKind kind = clang_getCursorKind(clang_getCursorReferenced(cursor));
    struct lexeme word = lex_at(unit->text, span.end, span.begin);
    struct lexeme next = lex_at(unit->text, span.end, word.end);
    if (clang_getCursorKind(cursor) != CXCursor_DeclRefExpr || word.kind != LEX_WORD ||
        next.kind != LEX_END)
        return false;
    return kind == CXCursor_ParmDecl ||
           (kind == CXCursor_VarDecl &&
            !clang_isVolatileQualifiedType(clang_getCursorType(cursor)));
}

static bool know_operands(const struct unit *unit, CXCursor statement,
                          const struct asm_operands *outputs, const struct asm_operands *inputs,
                          struct assembly *known) {
    struct asm_expressions all = {0};
    clang_visitChildren(statement, add_expression, &all);
    bool good = all.list.len == outputs->list.len + inputs->list.len;
    for (size_t i = 0; good && i < all.list.len; i++) {
        CXCursor cursor = all.list.data[i];
        bool output = i < outputs->list.len;
        good = is_number(clang_getCursorType(cursor)) &&
               (output ? is_variable(unit, cursor, outputs->list.data[i]) : is_plain_input(cursor));
        if (good && output) {
            vec_push(&known->outputs, outputs->list.data[i]);
            vec_push(&known->variables, cursor);
        }
    }
    vec_free(&all.list);
    return good;
}

/* asm [volatile] ( "template" : outputs : inputs : clobbers ) */
static bool read_statement(struct asm_reader *r, struct str *text, struct asm_operands *outputs,
                           struct asm_operands *inputs, bool *memory) {
    skip(r); /* asm */
    while (take(r, "volatile") || take(r, "__volatile__") || take(r, "__volatile") ||
           take(r, "inline") || take(r, "__inline__") || take(r, "__inline"))
        continue;
    if (!take(r, "(") || !read_string(r, text))
        return false;
    *memory = is(r, ")"); /* without operands it may do anything */
    if (take(r, ":") && !read_operands(r, outputs))
        return false;
    if (take(r, ":") && !read_operands(r, inputs))
        return false;
    return (!take(r, ":") || read_clobbers(r, memory)) && is(r, ")");
}

bool assembly_read(const struct unit *unit, CXCursor statement, struct assembly *known) {
    *known = (struct assembly){0};
    if (clang_getCursorKind(statement) != CXCursor_GCCAsmStmt)
        return false;
    struct asm_reader r = {.unit = unit, .end = unit->len};
    r.now = lex_at(unit->text, r.end, unit_span(unit, statement).begin);
    struct str text = {0};
    struct asm_operands outputs = {0}, inputs = {0};
    bool memory = false;
    bool good = read_statement(&r, &text, &outputs, &inputs, &memory);
    known->changes_nothing = assembly_is_quiet(str_text(&text)) && outputs.list.len == 0;
    good = good && (!memory || known->changes_nothing);
    good = good && know_operands(unit, statement, &outputs, &inputs, known);
    vec_free(&outputs.list);
    vec_free(&inputs.list);
    str_free(&text);
    return good;
}

void assembly_free(struct assembly *known) {
    vec_free(&known->outputs);
    vec_free(&known->variables);
}
