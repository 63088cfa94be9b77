/* originals: the user's files as they are, to find the columns that preprocessing moved.
 *
 * A line of preprocessed text and the line it comes from agree but for white space and expanded
 * macros. They are compared from the left and from the right; a place that neither reaches lies
 * inside an expansion, and gets the column of the macro. */
#ifndef INSTRUMENT_SYNTAX_ORIGINALS_H
#define INSTRUMENT_SYNTAX_ORIGINALS_H

#include "instrument/syntax/source_map.h"

struct original {
    char *text; /* NULL: cannot be read, as for files of another machine, or is preprocessed */
    size_t len;
    VEC(size_t) lines; /* offsets */
};

struct aligned {
    uint32_t column; /* in the original, from 1; 0: the byte does not come from there */
    uint32_t word;   /* where the word of the original begins in which the lines differ, from 0 */
};

/* The line that was asked for last: it may be long, and all that is in it is asked for. */
struct alignment {
    const char *text; /* of the line; NULL: none yet */
    uint32_t file;
    int line;
    size_t original_len;
    VEC(struct aligned) bytes; /* empty: there is no original */
};

struct originals {
    VEC(struct original) files; /* one per file of the source map */
    struct alignment *last;
};

/* Reads the files of the map that are no system headers; names are relative to `dir`. */
void originals_read(struct originals *originals, const struct source_map *map,
                    const struct project *project, const char *dir);
void originals_free(struct originals *originals);

/* The column in the original of the `at`th byte of a preprocessed line; 0 when there is none. */
int originals_column(const struct originals *originals, const struct source_line *line,
                     const char *text, size_t at);

/* The line that a preprocessed one comes from: [begin, end) of the file's text. */
struct originals_line {
    const char *file; /* NULL: there is none */
    size_t begin, end;
};
struct originals_line originals_line(const struct originals *originals,
                                     const struct source_line *line);

#endif
