/* unit: one translation unit, preprocessed and parsed.
 *
 * Everything is addressed by byte offsets into `text`: cursors, edits, places. The text holds no
 * macros (they are expanded), but comments, pragmas and line markers.
 *
 *     struct unit unit = {0};
 *     if (!unit_open(&unit, project, "src/pid.c", err))
 *         return false;                        // ERR_SOURCE with clang's message and the place
 *     struct span span = unit_span(&unit, cursor);
 *     struct place place = unit_place(&unit, span.begin);
 *     unit_close(&unit);
 */
#ifndef INSTRUMENT_SYNTAX_UNIT_H
#define INSTRUMENT_SYNTAX_UNIT_H

#include "base/arena.h"
#include "base/err.h"
#include "coverage/project.h"
#include "instrument/syntax/originals.h"
#include "instrument/syntax/source_map.h"

#include <clang-c/Index.h>

struct unit {
    struct arena arena;
    const char *source; /* as the project names it */
    const char *text;   /* terminated */
    size_t len;
    struct source_map map;
    struct originals originals;
    struct texts args; /* clang's arguments for the preprocessed text */
    CXIndex index;
    CXTranslationUnit tu;
};

struct span {
    size_t begin, end; /* [begin, end) */
};

/* `unit` is zeroed; on failure it is closed again. */
bool unit_open(struct unit *unit, const struct project *project, const char *source,
               struct err *err);
void unit_close(struct unit *unit);

size_t unit_offset(const struct unit *unit, CXSourceLocation location);
struct span unit_span(const struct unit *unit, CXCursor cursor);
/* In the user's file; the column is that of the file where it can be read. */
struct place unit_place(const struct unit *unit, size_t offset);
struct place unit_place_of(const struct unit *unit, CXCursor cursor); /* of its name, if it has */

/* The text of a span on one line: comments dropped, white space collapsed, valid UTF-8. */
char *unit_line(const struct unit *unit, struct span span, struct arena *arena);

/* Appends text of a source; what is not UTF-8 in it is taken as Latin-1. */
void unit_add_clean(struct str *line, const char *text, size_t len);

/* The first offset at or after `offset` that is neither white space, nor in a comment, nor in a
 * line that starts with '#'. */
size_t unit_skip_blank(const struct unit *unit, size_t offset);

/* A function definition or a variable belongs to the module: not in a system header. */
bool unit_owns(const struct unit *unit, CXCursor cursor);

/* The name of a cursor, copied. */
char *cursor_name(CXCursor cursor, struct arena *arena);

#endif
