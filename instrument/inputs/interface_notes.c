/* The text around the declaration is read as lexemes, forwards to the end of the line, backwards
 * over white space to the comment before. */
#include "instrument/inputs/interface_notes.h"

#include "instrument/syntax/lex.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

static bool line_ends_between(const char *text, size_t begin, size_t end) {
    return memchr(text + begin, '\n', end - begin) != NULL;
}

struct search {
    const struct unit *unit;
    struct str comments; /* all that belong to the declaration, in order */
    size_t first;        /* offset of the first */
};

static void take(struct search *s, struct lexeme comment) {
    assert(comment.begin < comment.end && comment.end <= s->unit->len);
    if (s->comments.len == 0)
        s->first = comment.begin;
    str_addn(&s->comments, s->unit->text + comment.begin, comment.end - comment.begin);
    str_addc(&s->comments, '\n');
}

static struct lexeme next(const struct search *s, size_t at) {
    return lex_at(s->unit->text, s->unit->len, at);
}

/* Comments on the line of `at`. Behind a comma they belong to what follows on the line, if anything
 * does: f(int a, LSB… int b). */
static void take_rest_of_line(struct search *s, size_t at, bool comma) {
    struct lexeme l = next(s, at);
    while (l.kind == LEX_COMMENT && !line_ends_between(s->unit->text, at, l.begin)) {
        size_t end = l.end;
        struct lexeme after = next(s, end);
        bool line_ends = after.kind == LEX_END || after.kind == LEX_COMMENT ||
                         line_ends_between(s->unit->text, end, after.begin) ||
                         s->unit->text[end - 1] == '\n';
        if (comma && !line_ends)
            return;
        take(s, l);
        at = end;
        l = after;
    }
}

/* From the name to the end of its declarator, nested brackets skipped. */
static void take_declarator(struct search *s, size_t name) {
    const char *text = s->unit->text;
    int depth = 0;
    for (struct lexeme l = next(s, name); l.kind != LEX_END; l = next(s, l.end)) {
        char c = l.kind == LEX_PUNCT ? text[l.begin] : '\0';
        if (l.kind == LEX_COMMENT && depth == 0)
            take(s, l);
        depth += c == '(' || c == '[' || c == '{';
        depth -= c == ')' || c == ']' || c == '}';
        bool ends = depth < 0 || (depth == 0 && (c == ';' || c == ','));
        if (!ends)
            continue;
        if (c != '}')
            take_rest_of_line(s, l.end, c == ',');
        return;
    }
}

/* The start of the block comment that ends at `end`, or SIZE_MAX. */
static size_t block_before(const char *text, size_t end) {
    if (end < 4 || text[end - 1] != '/' || text[end - 2] != '*')
        return SIZE_MAX;
    for (size_t i = end - 3; i-- > 0;)
        if (text[i] == '/' && text[i + 1] == '*')
            return i;
    return SIZE_MAX;
}

static size_t line_start(const char *text, size_t at) {
    while (at > 0 && text[at - 1] != '\n')
        at--;
    return at;
}

static bool is_blank(const char *text, size_t begin, size_t end) {
    for (; begin < end; begin++)
        if (!isspace((unsigned char)text[begin]))
            return false;
    return true;
}

/* Markers stand between a comment and its declaration when a macro or include came before. */
static size_t skip_back(const char *text, size_t at) {
    while (at > 0) {
        while (at > 0 && isspace((unsigned char)text[at - 1]))
            at--;
        size_t start = line_start(text, at);
        if (start >= at || text[start] != '#')
            return at;
        at = start;
    }
    return at;
}

static void take_preceding(struct search *s, size_t declaration) {
    const char *text = s->unit->text;
    size_t end = skip_back(text, declaration);
    size_t begin = block_before(text, end);
    if (begin == SIZE_MAX) {
        size_t start = line_start(text, end);
        struct lexeme l = next(s, start);
        begin = l.kind == LEX_COMMENT && l.end <= end ? l.begin : SIZE_MAX;
    }
    /* a comment behind other code on its line belongs to that code */
    if (begin != SIZE_MAX && is_blank(text, line_start(text, begin), begin))
        take(s, (struct lexeme){LEX_COMMENT, begin, end});
}

bool note_of_declaration(const struct unit *unit, CXCursor decl, struct arena *arena,
                         struct range_note *note, size_t *offset) {
    struct search s = {.unit = unit};
    struct span span = unit_span(unit, decl);
    size_t name = unit_offset(unit, clang_getCursorLocation(decl));
    assert(span.begin <= unit->len && name <= unit->len);
    take_declarator(&s, name);
    bool found = range_note_parse(str_text(&s.comments), s.comments.len, arena, note);
    if (!found) {
        str_clear(&s.comments);
        take_preceding(&s, span.begin);
        found = range_note_parse(str_text(&s.comments), s.comments.len, arena, note);
    }
    *offset = s.first;
    str_free(&s.comments);
    return found;
}
