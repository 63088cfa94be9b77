/* Declarations of the file are looked at one by one: attributes of functions, sections of
 * variables. Attributes are found by their words, which libclang does not name. */
#include "instrument/weave/constructors.h"

#include "base/map.h"

#include <string.h>

struct taking {
    const struct project *project;
    const struct unit *unit;
    struct edits *edits;
    struct map seen; /* a definition repeats the attributes of its declarations */
    CXCursor function;
    struct err *err;
    bool good;
};

static bool begins(const char *text, const char *word) {
    size_t length = strlen(word);
    bool underscored = strncmp(text, "__", 2) == 0;
    return strncmp(text + (underscored ? 2 : 0), word, length) == 0;
}

static bool is_init(const struct project *project, const char *name) {
    for (size_t i = 0; i < project->init.len; i++)
        if (strcmp(project->init.data[i], name) == 0)
            return true;
    return false;
}

static void refuse(struct taking *t, const char *name, const char *word) {
    struct place place = unit_place_of(t->unit, t->function);
    err_set(t->err, ERR_SOURCE, "'%s' is a %s: it does not run when the program says so", name,
            word);
    err_at(t->err, place.file, place.line, place.col);
    if (strcmp(word, "constructor") == 0)
        err_remedy(t->err,
                   "name it as a function that initialises: --init %s, or \"init\" in the "
                   "project file, before the others",
                   name);
    else
        err_remedy(t->err, "if the program never ends, take the word away: -D %s=unused", word);
    t->good = false;
}

static enum CXChildVisitResult take_attribute(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct taking *t = data;
    (void)parent;
    if (!clang_isAttribute(clang_getCursorKind(cursor)))
        return CXChildVisit_Continue;
    struct span span = unit_span(t->unit, cursor);
    const char *text = t->unit->text + span.begin;
    bool first = begins(text, "constructor"), last = begins(text, "destructor");
    if ((!first && !last) || map_get(&t->seen, span.begin + 1))
        return CXChildVisit_Continue;
    map_put(&t->seen, span.begin + 1, 1);
    CXString name = clang_getCursorSpelling(t->function);
    if (is_init(t->project, clang_getCString(name)))
        edits_replace(t->edits, span.begin, span.end, "__unused__");
    else
        refuse(t, clang_getCString(name), first ? "constructor" : "destructor");
    clang_disposeString(name);
    return t->good ? CXChildVisit_Continue : CXChildVisit_Break;
}

/* Tables whose functions start-up code calls, by the beginning of the section's name. */
static bool is_table(const char *attribute, size_t length) {
    static const char *const sections[] = {"\".init_array", "\".preinit_array", "\".fini_array",
                                           "\".ctors", "\".dtors"};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (memmem(attribute, length, sections[i], strlen(sections[i])))
            return true;
    return false;
}

static enum CXChildVisitResult look_for_table(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct taking *t = data;
    struct span span = unit_span(t->unit, cursor);
    (void)parent;
    if (!clang_isAttribute(clang_getCursorKind(cursor)) ||
        !is_table(t->unit->text + span.begin, span.end - span.begin))
        return CXChildVisit_Continue;
    struct place place = unit_place_of(t->unit, cursor);
    err_set(t->err, ERR_SOURCE, "functions of this table run before or after the program says so");
    err_at(t->err, place.file, place.line, place.col);
    err_remedy(t->err, "name them as functions that initialise: --init, or \"init\" in the project "
                       "file, and leave the table out");
    t->good = false;
    return CXChildVisit_Break;
}

static enum CXChildVisitResult take_function(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct taking *t = data;
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_VarDecl)
        clang_visitChildren(cursor, look_for_table, t);
    if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl)
        return t->good ? CXChildVisit_Continue : CXChildVisit_Break;
    t->function = cursor;
    clang_visitChildren(cursor, take_attribute, t);
    return t->good ? CXChildVisit_Continue : CXChildVisit_Break;
}

bool constructors_take(const struct project *project, const struct unit *unit, struct edits *edits,
                       struct err *err) {
    struct taking t = {.project = project, .unit = unit, .edits = edits, .err = err, .good = true};
    clang_visitChildren(clang_getTranslationUnitCursor(unit->tu), take_function, &t);
    map_free(&t.seen);
    return t.good;
}
