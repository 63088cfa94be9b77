/* Marks are comments, so that every other reader skips them; spelling is a pass over lexemes with
 * a stack of scopes, in which a name means its innermost declaration. */
#include "instrument/weave/enums.h"

#include "base/map.h"
#include "instrument/syntax/lex.h"

#include <string.h>

#define MARK_OPEN "/*gk= "
#define MARK_CLOSE " gk=*/"

/* ---- marks ---- */

struct marking {
    const struct unit *unit;
    struct edits *edits;
    struct map seen; /* libclang shows a declaration again below what it declares with it */
};

static void add_mark(struct marking *m, struct span span, CXType type) {
    CXString name = clang_getTypeSpelling(type);
    struct str text = {0};
    str_addf(&text, MARK_OPEN "%s" MARK_CLOSE, clang_getCString(name));
    edits_close(m->edits, span.begin, span.end, str_text(&text));
    clang_disposeString(name);
    str_free(&text);
}

static enum CXChildVisitResult mark(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct marking *m = data;
    (void)parent;
    if (cursor.kind != CXCursor_EnumDecl)
        return CXChildVisit_Recurse;
    CXCursor definition = clang_getCursorDefinition(cursor);
    struct span span = unit_span(m->unit, cursor);
    if (!clang_Cursor_isNull(definition) && !map_get(&m->seen, span.begin)) {
        map_put(&m->seen, span.begin, 1);
        add_mark(m, span, clang_getCanonicalType(clang_getEnumDeclIntegerType(definition)));
    }
    return CXChildVisit_Recurse;
}

void enums_mark(const struct unit *unit, struct edits *edits) {
    struct marking m = {.unit = unit, .edits = edits};
    clang_visitChildren(clang_getTranslationUnitCursor(unit->tu), mark, &m);
    map_free(&m.seen);
}

/* ---- types in place of enumerations ---- */

struct part {
    size_t begin, end; /* of the text; empty: there is none */
};

struct tag {
    struct part name, type;
};

struct scope {
    size_t n_tags; /* when it was entered */
    bool is_block; /* tags of structures belong to the block around them */
};

struct spelling {
    const char *text;
    size_t len;
    struct str *out;
    size_t copied;            /* that much of the text is in `out` */
    VEC(struct tag) tags;     /* in scope, the innermost last */
    VEC(struct scope) scopes; /* braces that are open */
    VEC(size_t) closings;     /* where a __typeof__ ends, the innermost last */
    bool aggregate;           /* the next brace opens a structure, union or enumeration */
};

static void copy_to(struct spelling *s, size_t end) {
    if (end > s->copied)
        str_addn(s->out, s->text + s->copied, end - s->copied);
    s->copied = end > s->copied ? end : s->copied;
}

/* The next token that the compiler sees, or a mark. */
static struct lexeme next(const struct spelling *s, size_t at) {
    struct lexeme l = lex_at(s->text, s->len, at);
    while (l.kind == LEX_DIRECTIVE ||
           (l.kind == LEX_COMMENT && strncmp(s->text + l.begin, MARK_OPEN, strlen(MARK_OPEN)) != 0))
        l = lex_at(s->text, s->len, l.end);
    return l;
}

/* Behind the brace or parenthesis that closes the one at `open`. */
static size_t behind_group(const struct spelling *s, struct lexeme open) {
    size_t depth = 0;
    struct lexeme l = open;
    for (; l.kind != LEX_END; l = next(s, l.end)) {
        char c = l.kind == LEX_PUNCT ? s->text[l.begin] : ' ';
        depth += c == '{' || c == '(';
        depth -= c == '}' || c == ')';
        if (depth == 0)
            return l.end;
    }
    return l.end;
}

/* Behind __attribute__((…)), as often as it stands there. */
static size_t behind_attributes(const struct spelling *s, size_t at) {
    for (struct lexeme l = next(s, at); lex_is(s->text, l, "__attribute__"); l = next(s, at))
        at = behind_group(s, next(s, l.end));
    return at;
}

struct declaration {
    struct part name, type;
    size_t end; /* behind its body, mark and attributes */
    bool has_body;
};

/* What stands behind the word `enum`. */
static struct declaration read_enum(const struct spelling *s, size_t at) {
    struct declaration d = {0};
    at = behind_attributes(s, at);
    struct lexeme l = next(s, at);
    if (l.kind == LEX_WORD) {
        d.name = (struct part){l.begin, l.end};
        d.end = l.end;
        l = next(s, l.end);
    }
    if (l.kind == LEX_PUNCT && s->text[l.begin] == ':') /* a type of its own, before the body */
        for (l = next(s, l.end); l.kind == LEX_WORD;)
            l = next(s, l.end);
    if (l.kind == LEX_PUNCT && s->text[l.begin] == '{') {
        d.has_body = true;
        d.end = behind_group(s, l);
        l = next(s, d.end);
    }
    if (l.kind == LEX_COMMENT) {
        d.type = (struct part){l.begin + strlen(MARK_OPEN), l.end - strlen(MARK_CLOSE)};
        d.end = l.end;
    }
    d.end = behind_attributes(s, d.end);
    return d;
}

static bool same_part(const struct spelling *s, struct part a, struct part b) {
    return a.end - a.begin == b.end - b.begin &&
           memcmp(s->text + a.begin, s->text + b.begin, a.end - a.begin) == 0;
}

static struct part find_type(const struct spelling *s, struct part name) {
    for (size_t i = s->tags.len; i-- > 0;)
        if (same_part(s, s->tags.data[i].name, name))
            return s->tags.data[i].type;
    return (struct part){0};
}

static void add_part(struct spelling *s, struct part part) {
    str_addn(s->out, s->text + part.begin, part.end - part.begin);
}

/* Returns where to go on. */
static size_t spell_enum(struct spelling *s, struct lexeme word) {
    struct declaration d = read_enum(s, word.end);
    bool marked = d.type.end > d.type.begin, named = d.name.end > d.name.begin;
    struct lexeme after = next(s, d.end);
    bool alone = after.kind == LEX_PUNCT && s->text[after.begin] == ';';
    s->aggregate = d.has_body;
    if (!marked && (!named || d.has_body))
        return word.end;
    if (marked && named)
        vec_push(&s->tags, (struct tag){d.name, d.type});
    if (marked && alone)
        return word.end;
    struct part type = marked ? d.type : find_type(s, d.name);
    if (type.end == 0)
        return word.end;
    copy_to(s, word.begin);
    if (d.has_body) {
        str_add(s->out, "__typeof__((");
        add_part(s, type);
        str_add(s->out, ")(");
        vec_push(&s->closings, d.end);
        return word.end;
    }
    add_part(s, type);
    s->copied = d.end;
    return d.end;
}

static void brace(struct spelling *s, char c) {
    if (c == '{') {
        vec_push(&s->scopes, (struct scope){s->tags.len, !s->aggregate});
        s->aggregate = false;
    } else if (s->scopes.len > 0) {
        struct scope closed = vec_pop(&s->scopes);
        if (closed.is_block)
            s->tags.len = closed.n_tags;
    }
}

static void close_until(struct spelling *s, size_t at) {
    while (s->closings.len > 0 && vec_last(&s->closings) <= at) {
        copy_to(s, vec_pop(&s->closings));
        str_add(s->out, ")0)");
    }
}

static void spell(struct spelling *s) {
    for (struct lexeme l = next(s, 0); l.kind != LEX_END;) {
        size_t at = l.end;
        close_until(s, l.begin);
        if (lex_is(s->text, l, "enum"))
            at = spell_enum(s, l);
        else if (lex_is(s->text, l, "struct") || lex_is(s->text, l, "union"))
            at = behind_attributes(s, at), s->aggregate = true;
        else if (l.kind == LEX_PUNCT && strchr("{}", s->text[l.begin]))
            brace(s, s->text[l.begin]);
        else if (l.kind == LEX_PUNCT && strchr(";)=,", s->text[l.begin]))
            s->aggregate = false; /* it was only named */
        l = next(s, at);
    }
    close_until(s, s->len);
    copy_to(s, s->len);
}

void enums_spell(const char *woven, size_t len, struct str *out) {
    struct spelling s = {.text = woven, .len = len, .out = out};
    if (strstr(woven, MARK_OPEN))
        spell(&s);
    else
        str_addn(out, woven, len);
    vec_free(&s.tags);
    vec_free(&s.scopes);
    vec_free(&s.closings);
}
