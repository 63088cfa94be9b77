/* libclang parses what preprocess.c has made, from memory; its errors are told with the user's
 * place. */
#include "instrument/syntax/unit.h"

#include "base/mem.h"
#include "instrument/syntax/depth.h"
#include "instrument/syntax/preprocess.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The name of the text in memory; no file of this name exists. */
static const char unit_name[] = "gk-unit.i";

static const char *quoted_word(const char *message, struct arena *arena) {
    const char *start = strchr(message, '\'');
    const char *end = start ? strchr(start + 1, '\'') : NULL;
    return end ? arena_strndup(arena, start + 1, (size_t)(end - start - 1)) : NULL;
}

static void suggest(struct unit *unit, const char *message, struct err *err) {
    const char *word = quoted_word(message, &unit->arena);
    if (!word)
        return;
    if (strstr(message, "unknown type name"))
        err_remedy(err,
                   "include the header that declares '%s' (\"include_dirs\"), or neutralise the "
                   "keyword of another compiler with \"defines\": [\"%s=\"]",
                   word, word);
    else if (strstr(message, "undeclared identifier"))
        err_remedy(err,
                   "include the header that declares '%s' (\"include_dirs\"), or define it "
                   "with \"defines\"",
                   word);
    else if (strstr(message, "expected ';'") || strstr(message, "expected identifier") ||
             strstr(message, "expected function body"))
        err_remedy(err, "a keyword of another compiler here? neutralise it with \"defines\": "
                        "[\"KEYWORD=\"]");
}

static void report_diagnostic(struct unit *unit, CXDiagnostic diagnostic, struct err *err) {
    CXString spelling = clang_getDiagnosticSpelling(diagnostic);
    const char *message = clang_getCString(spelling);
    err_set(err, ERR_SOURCE, "%s", message);
    size_t offset = unit_offset(unit, clang_getDiagnosticLocation(diagnostic));
    struct place place = unit_place(unit, offset);
    err_at(err, place.file, place.line, place.col);
    suggest(unit, message, err);
    clang_disposeString(spelling);
}

static bool check_diagnostics(struct unit *unit, struct err *err) {
    unsigned n = clang_getNumDiagnostics(unit->tu);
    bool good = true;
    for (unsigned i = 0; i < n && good; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit->tu, i);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
            report_diagnostic(unit, diagnostic, err);
            good = false;
        }
        clang_disposeDiagnostic(diagnostic);
    }
    return good;
}

struct parsing {
    struct unit *unit;
    enum CXErrorCode code;
};

static void parse(void *context) {
    struct parsing *p = context;
    struct unit *unit = p->unit;
    struct CXUnsavedFile file = {unit_name, unit->text, unit->len};
    unit->index = clang_createIndex(0, 0);
    p->code =
        clang_parseTranslationUnit2(unit->index, unit_name, unit->args.data, (int)unit->args.len,
                                    &file, 1, CXTranslationUnit_None, &unit->tu);
}

static bool unit_parse(struct unit *unit, struct err *err) {
    struct parsing p = {.unit = unit};
    if (!depth_check_text(unit, err))
        return false;
    setenv("LIBCLANG_NOTHREADS", "1", true); /* nor on a small stack of its own */
    depth_call(parse, &p);
    if (p.code == CXError_Crashed) /* it has caught that itself */
        return err_set(err, ERR_SOURCE, "source file '%s': libclang crashes when it reads this",
                       unit->source);
    if (p.code != CXError_Success || !unit->tu)
        return err_set(err, ERR_INTERNAL, "libclang failed on '%s' (code %d)", unit->source,
                       (int)p.code);
    return check_diagnostics(unit, err) && depth_check(unit, err);
}

bool unit_open(struct unit *unit, const struct project *project, const char *source,
               struct err *err) {
    assert(!unit->tu && !unit->text);
    unit->source = arena_strdup(&unit->arena, source);
    struct str text = {0};
    bool good = preprocess(project, source, &unit->arena, &unit->args, &text, err);
    if (good) {
        unit->text = arena_strndup(&unit->arena, str_text(&text), text.len);
        unit->len = text.len;
        char *dir = realpath(project->dir && project->dir[0] ? project->dir : ".", NULL);
        source_map_build(&unit->map, unit->text, unit->len, source, project, dir);
        originals_read(&unit->originals, &unit->map, project, dir);
        free(dir);
        good = unit_parse(unit, err);
    }
    str_free(&text);
    if (!good)
        unit_close(unit);
    return good;
}

void unit_close(struct unit *unit) {
    if (unit->tu)
        clang_disposeTranslationUnit(unit->tu);
    if (unit->index)
        clang_disposeIndex(unit->index);
    source_map_free(&unit->map);
    originals_free(&unit->originals);
    vec_free(&unit->args);
    arena_free(&unit->arena);
    *unit = (struct unit){0};
}

size_t unit_offset(const struct unit *unit, CXSourceLocation location) {
    unsigned offset = 0;
    clang_getFileLocation(location, NULL, NULL, NULL, &offset);
    return offset <= unit->len ? offset : unit->len;
}

struct span unit_span(const struct unit *unit, CXCursor cursor) {
    CXSourceRange range = clang_getCursorExtent(cursor);
    size_t begin = unit_offset(unit, clang_getRangeStart(range));
    size_t end = unit_offset(unit, clang_getRangeEnd(range));
    return (struct span){begin, end < begin ? begin : end};
}

struct place unit_place(const struct unit *unit, size_t offset) {
    struct place place = source_map_place(&unit->map, offset);
    const struct source_line *line = source_map_line(&unit->map, offset);
    int column =
        originals_column(&unit->originals, line, unit->text + line->offset, offset - line->offset);
    place.col = column > 0 ? column : place.col;
    return place;
}

struct place unit_place_of(const struct unit *unit, CXCursor cursor) {
    return unit_place(unit, unit_offset(unit, clang_getCursorLocation(cursor)));
}

static bool at_line_start(const struct unit *unit, size_t offset) {
    return offset == 0 || unit->text[offset - 1] == '\n';
}

static size_t skip_to(const struct unit *unit, size_t offset, const char *stop) {
    const char *found = strstr(unit->text + offset, stop);
    return found ? (size_t)(found - unit->text) + strlen(stop) : unit->len;
}

size_t unit_skip_blank(const struct unit *unit, size_t offset) {
    const char *text = unit->text;
    while (offset < unit->len) {
        if (isspace((unsigned char)text[offset]))
            offset++;
        else if (text[offset] == '/' && text[offset + 1] == '*')
            offset = skip_to(unit, offset + 2, "*/");
        else if (text[offset] == '/' && text[offset + 1] == '/')
            offset = skip_to(unit, offset, "\n");
        else if (text[offset] == '#' && at_line_start(unit, offset))
            offset = skip_to(unit, offset, "\n");
        else
            break;
    }
    return offset;
}

/* Length of the valid UTF-8 sequence at `s`, 0 when there is none. */
static size_t utf8_length(const unsigned char *s) {
    size_t n = s[0] < 0x80   ? 1
               : s[0] < 0xc2 ? 0
               : s[0] < 0xe0 ? 2
               : s[0] < 0xf0 ? 3
               : s[0] < 0xf5 ? 4
                             : 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

/* Copies one character; what is not UTF-8 is taken as Latin-1. */
static size_t add_character(struct str *line, const char *text) {
    const unsigned char *s = (const unsigned char *)text;
    size_t n = utf8_length(s);
    if (n > 0) {
        str_addn(line, text, n);
        return n;
    }
    str_addc(line, (char)(0xc0 | s[0] >> 6));
    str_addc(line, (char)(0x80 | (s[0] & 0x3f)));
    return 1;
}

void unit_add_clean(struct str *line, const char *text, size_t len) {
    for (size_t at = 0; at < len;)
        at += add_character(line, text + at);
}

static size_t add_literal(const struct unit *unit, size_t at, size_t end, struct str *line) {
    char quote = unit->text[at];
    do {
        if (unit->text[at] == '\\' && at + 1 < end)
            str_addc(line, unit->text[at++]);
        at += add_character(line, unit->text + at);
    } while (at < end && unit->text[at] != quote);
    if (at < end)
        str_addc(line, unit->text[at++]);
    return at;
}

char *unit_line(const struct unit *unit, struct span span, struct arena *arena) {
    assert(span.begin <= span.end && span.end <= unit->len);
    struct str line = {0};
    for (size_t at = unit_skip_blank(unit, span.begin); at < span.end;) {
        if (unit->text[at] == '"' || unit->text[at] == '\'')
            at = add_literal(unit, at, span.end, &line);
        else
            at += add_character(&line, unit->text + at);
        size_t next = unit_skip_blank(unit, at);
        if (next > at && next < span.end)
            str_addc(&line, ' ');
        at = next;
    }
    char *copy = arena_strndup(arena, str_text(&line), line.len);
    str_free(&line);
    return copy;
}

bool unit_owns(const struct unit *unit, CXCursor cursor) {
    return !unit_place_of(unit, cursor).system;
}

char *cursor_name(CXCursor cursor, struct arena *arena) {
    CXString name = clang_getCursorSpelling(cursor);
    const char *text = clang_getCString(name);
    char *copy = arena_strdup(arena, text ? text : "");
    clang_disposeString(name);
    return copy;
}
